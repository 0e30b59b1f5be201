/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/slurm_run.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/sim/backfill.h"
#include "core/sim/choose.h"
#include "core/sim/passes.h"
#include "core/sim/sim_rank.h"

/* ---- the main scheduler -------------------------------------------------------------------- */

/* The sets of nodes of a pass, and scratch. */
struct pass {
	uint64_t *blocked;		/* nodes of partitions whose first job is blocked */
	uint64_t *completing, *avail;
	struct site_node *empty;
	struct site_share *shares;
	uint32_t *tried;		/* per partition */
	uint32_t depth, begun;
	const struct site_job *rejected;	/* the array task tried in vain */
};

static void pass_init(struct pass *p, const struct site *s)
{
	*p = (struct pass){ .blocked = mem_zalloc(s->words, sizeof(*p->blocked)),
			    .completing = mem_alloc(s->words, sizeof(*p->completing)),
			    .avail = mem_alloc(s->words, sizeof(*p->avail)),
			    .empty = mem_alloc((size_t)s->node_count + 1, sizeof(*p->empty)),
			    .tried = mem_zalloc((size_t)cluster_rows(s->c, TABLE_PARTITION) + 1,
						sizeof(*p->tried)) };
	memset(p->avail, 0xff, s->words * sizeof(*p->avail));
	site_leave_out_completing(s, p->avail);
	for (uint32_t w = 0; w < s->words; w++)
		p->completing[w] = ~p->avail[w];
	for (uint32_t i = 0; i < s->node_count; i++)
		p->empty[i] = site_empty_node(s, i);
}

static void pass_free(struct pass *p)
{
	MEM_FREE(p->blocked, p->completing, p->avail, p->empty, p->shares, p->tried);
}

/* Whether a job holds all of a node of SET, which then counts as busy and not as too small. */
static bool is_held_whole(const struct site *s, const struct site_job *job, const uint64_t *set)
{
	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *r = &s->jobs[i];

		if (r->state != SITE_RUNS || !(r->exclusive || job->exclusive))
			continue;
		for (uint32_t k = 0; k < r->share_count; k++) {
			if (site_has(set, r->shares[k].node))
				return true;
		}
	}
	return false;
}

/*
 * Whether JOB, which does not fit now, is pending for resources (ESLURM_NODES_BUSY), which blocks
 * its partition's nodes. A job that would not fit even if all nodes left to it were free gets
 * ESLURM_NODE_NOT_AVAIL, which blocks nothing. Source: _pick_best_nodes() of
 * slurmctld/node_scheduler.c, 22.05.
 */
static bool waits_for_resources(struct pass *p, const struct site *s, const struct site_job *job)
{
	bool completes = false;

	for (uint32_t w = 0; w < s->words; w++)
		p->avail[w] = site_nodes(s, job)[w] & ~p->blocked[w];
	site_leave_out_reserved(s, s->now, s->now + job->limit, p->avail);
	for (uint32_t w = 0; w < s->words; w++)
		completes |= (p->avail[w] & p->completing[w]) != 0;
	return completes || is_held_whole(s, job, p->avail) ||
	       choose_nodes(s, p->empty, job, p->avail, p->shares) > 0;
}

/* Whether a task of its array has been tried in vain in its partition. */
static bool is_rejected(const struct pass *p, const struct site_job *job)
{
	return p->rejected && job->task != U32_UNKNOWN && p->rejected->row == job->row &&
	       p->rejected->partition == job->partition;
}

/*
 * Begins JOB unless a limit is reached. If it is pending for resources, later jobs do not get its
 * partition's nodes. Too few nodes left to it are checked before TRES limits.
 */
static void slurm_run_try_job(struct pass *p, struct site *s, const struct backfill_options *o,
			      struct site_job *job)
{
	const uint64_t *nodes = s->partitions[job->partition].nodes;
	uint32_t count = 0;
	bool enough;

	p->rejected = job;
	site_looked(s, s->node_count);
	for (uint32_t w = 0; w < s->words; w++)
		p->avail[w] = nodes[w] & ~p->blocked[w];
	enough = site_has_nodes(s, p->avail, job->min_nodes > 0 ? job->min_nodes : 1);
	if (!site_has_nodes(s, p->avail, 1) || !site_within_job_limits(s, job) ||
	    (enough && !(site_has_licenses(s, job) && site_within_tres_limits(s, job))))
		return;
	for (uint32_t w = 0; w < s->words; w++)
		p->avail[w] = site_nodes(s, job)[w] & ~p->blocked[w] & ~p->completing[w];
	site_leave_out_reserved(s, s->now, s->now + job->limit, p->avail);
	if (enough) {
		p->shares = mem_realloc(p->shares, (size_t)s->node_count + 1, sizeof(*p->shares));
		count = choose_nodes(s, s->nodes, job, p->avail, p->shares);
	}
	if (count > 0) {
		site_begin(s, job, p->shares, count);
		p->shares = NULL;
		p->rejected = NULL;
		p->begun++;
	} else if (!enough ||
		   (waits_for_resources(p, s, job) && backfill_keeps_place(o, s, job))) {
		for (uint32_t w = 0; w < s->words; w++)
			p->blocked[w] |= nodes[w];
	}
}

/*
 * Runs a pass over the queue: FULL, or as deep as default_queue_depth. Returns how many jobs it has
 * begun. *CUT: a full pass would go on. An array is one job until a task of it begins. Source:
 * _schedule() of slurmctld/job_scheduler.c, 22.05.
 */
static uint32_t slurm_run_main_pass(struct site *s, const struct backfill_options *o, bool full,
				    bool *cut)
{
	bool again = false;
	struct pass p;

	*cut = false;
	pass_init(&p, s);
	for (size_t i = 0; i < s->job_count && !*cut && !s->over; i += !again) {
		struct site_job *job = &s->jobs[i];
		uint32_t begun = p.begun;

		again = false;
		if (!site_ready(s, job) || is_rejected(&p, job))
			continue;
		*cut = (o->main_starts > 0 && p.begun >= o->main_starts) ||
		       (!full && p.depth > o->main_depth);
		if (*cut || (o->main_part_depth > 0 &&
			     p.tried[job->partition]++ >= o->main_part_depth))
			continue;
		p.depth++;
		slurm_run_try_job(&p, s, o, job);
		again = p.begun > begun && job->state == SITE_WAITS;	/* a bundle */
	}
	pass_free(&p);
	return p.begun;
}

/* ---- time ---------------------------------------------------------------------------------- */

/* How jobs end: by themselves, or killed at their limits. */
enum ends { OWN_END = 1, KILLED = 2, ALL_ENDS = 3 };

/* The running job that ends first in one of WAYS; NULL: none. */
static struct site_job *first_end(struct site *s, unsigned ways)
{
	struct site_job *first = NULL;

	for (size_t i = 0; i < s->job_count; i++) {
		struct site_job *job = &s->jobs[i];

		if (job->state == SITE_RUNS && (!first || job->end < first->end) &&
		    (ways & (job->run > job->end - job->start ? KILLED : OWN_END)))
			first = job;
	}
	return first;
}

/* The next begin time after now. */
static int64_t next_begin(const struct site *s)
{
	int64_t next = I64_INFINITE;

	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *job = &s->jobs[i];

		if (job->state == SITE_WAITS && job->begin != I64_UNKNOWN && job->begin > s->now &&
		    job->begin < next)
			next = job->begin;
	}
	return next;
}

static int64_t slurm_run_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * Whether a job has been completing for at most CompleteWait; then neither scheduler runs. Source:
 * job_is_completing() of slurmctld/job_scheduler.c, 22.05.
 */
static bool some_complete(const struct site *s)
{
	for (size_t i = 0; s->policy->complete_wait > 0 && i < s->job_count; i++) {
		const struct site_job *job = &s->jobs[i];

		if (job->state == SITE_RUNS && job->completing <= s->now &&
		    job->completing >= s->now - s->policy->complete_wait)
			return true;
	}
	return false;
}

/* Ends the jobs due in that WAY; returns whether there were any. */
static bool slurm_run_end_jobs(struct site *s, struct sim_rank *rank, enum ends way)
{
	struct site_job *first;
	bool any = false;

	while ((first = first_end(s, way)) && first->end <= s->now) {
		any = true;
		sim_rank_ended(rank, s, first);
		site_end(s, first);
	}
	return any;
}

/* The schedulers that have run since the last change. */
enum slurm_run_seen { SEEN_BY_MAIN = 1, SEEN_BY_BACKFILL = 2, SEEN = 3 };

/* When the schedulers run. */
struct rhythm {
	struct backfill_options o;
	struct passes main;
	bool backfills;
	unsigned nobody, seen;
	int64_t backfill_due;
	int64_t begins;			/* the next begin time */
};

/*
 * The first backfill cycle: bf_interval after the last; if that is past, at once, as it is then
 * retried each second (backfill_agent() of sched/backfill, 22.05). If the last is unknown, by the
 * rhythm since slurmctld began.
 */
static int64_t first_cycle(const struct site *s, int64_t interval)
{
	int64_t last = cluster_meta(s->c)->last_backfill;

	if (last > 0 && last <= s->now)
		return last + interval > s->now ? last + interval : s->now;
	return passes_tick(s->boot, s->now - 1, interval);
}

static void rhythm_init(struct rhythm *r, const struct site *s)
{
	*r = (struct rhythm){ .begins = s->now };
	backfill_options_of(s->policy, &r->o);
	r->backfills = strcmp(s->policy->scheduler_type, "sched/builtin") != 0 && !r->o.off;
	r->nobody = r->seen = (r->o.main_off ? SEEN_BY_MAIN : 0U) |
			      (r->backfills ? 0U : SEEN_BY_BACKFILL);
	passes_init(&r->main, &r->o, s->boot, s->now);
	r->backfill_due = first_cycle(s, r->o.interval);
}

/* Runs the schedulers that are due, unless jobs complete; returns how many jobs they have begun. */
static uint32_t slurm_run_look(struct rhythm *r, struct site *s)
{
	bool waits = some_complete(s), cut = true, full;
	uint32_t begun = 0;

	if (passes_take(&r->main, s->now, &full)) {
		if (!waits)
			begun += slurm_run_main_pass(s, &r->o, full, &cut);
		r->seen |= cut ? 0 : SEEN_BY_MAIN;
	}
	if (r->backfills && !waits && r->backfill_due <= s->now) {
		begun += backfill_cycle(s, &r->o);
		r->backfill_due = s->now + r->o.interval;
		r->seen |= SEEN_BY_BACKFILL;
	}
	return begun;
}

/*
 * Once both have run in vain, nothing begins before a job ends or a begin time comes, so earlier
 * times are skipped. I64_INFINITE: no more events.
 */
static int64_t slurm_run_next_time(struct site *s, struct rhythm *r)
{
	const struct site_job *first = first_end(s, ALL_ENDS);
	int64_t next = slurm_run_least(first ? first->end : I64_INFINITE, r->begins);

	next = slurm_run_least(next, passes_next(&r->main));
	if (r->seen != SEEN) {
		next = slurm_run_least(next, passes_tick(s->boot, s->now, r->o.main_interval));
		if (r->backfills)
			next = slurm_run_least(next, r->backfill_due > s->now ? r->backfill_due
									      : s->now + 1);
	}
	if (r->backfill_due > s->now && r->backfill_due < next && next != I64_INFINITE)
		r->backfill_due += (next - r->backfill_due + r->o.interval - 1) / r->o.interval *
				   r->o.interval;
	return next;
}

/*
 * Runs one instant. Ticks at which limits are seen come just after a backfill cycle in the same
 * second (observed in logs of slurmctld, whose backfill thread begins first).
 */
static void slurm_run_instant(struct rhythm *r, struct site *s, struct sim_rank *rank)
{
	bool ended = slurm_run_end_jobs(s, rank, OWN_END);

	sim_rank_catch_up(rank, s);
	if (ended || s->now >= r->begins)
		r->seen = r->nobody;
	passes_step(&r->main, s->now);
	if (ended)
		passes_ask(&r->main, s->now, false);
	if (slurm_run_look(r, s) > 0)
		r->seen = r->nobody;
	if (!slurm_run_end_jobs(s, rank, KILLED))
		return;
	passes_ask(&r->main, s->now, true);
	(void)slurm_run_look(r, s);
	r->seen = r->nobody;
}

void slurm_run(struct site *s, bool ranks)
{
	struct sim_rank *rank = ranks ? sim_rank_new(s) : NULL;
	int64_t next = s->now;
	struct rhythm r;

	rhythm_init(&r, s);
	for (; next != I64_INFINITE && !s->over && (!s->wanted || s->wanted(s->context));
	     next = slurm_run_next_time(s, &r)) {
		s->now = next;
		site_looked(s, s->job_count);
		slurm_run_instant(&r, s, rank);
		r.begins = next_begin(s);
	}
	sim_rank_free(rank);
}
