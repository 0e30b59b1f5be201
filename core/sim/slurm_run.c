/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/slurm_run.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/sim/backfill.h"
#include "core/sim/choose.h"
#include "core/sim/sim_rank.h"

/* ---- the main scheduler -------------------------------------------------------------------- */

/* The sets of nodes of a pass, and scratch. */
struct pass {
	uint64_t *blocked;		/* of partitions whose first job waits for resources */
	uint64_t *completing, *avail;
	struct site_node *empty;
	struct site_share *shares;
	uint32_t *tried;		/* per partition */
	uint32_t depth, begun;
	const struct site_job *rejected;	/* the task that stands for its array */
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
	mem_free(p->blocked);
	mem_free(p->completing);
	mem_free(p->avail);
	mem_free(p->empty);
	mem_free(p->shares);
	mem_free(p->tried);
}

/* Does some job hold all of a node of SET, so that it counts as busy and not as too small? */
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
 * Does JOB, which does not fit now, wait for resources (ESLURM_NODES_BUSY)? Then its partition and
 * its nodes wait with it. One that would not fit either if all nodes were free that are left to it
 * is told ESLURM_NODE_NOT_AVAIL, which holds up nobody. Source: _pick_best_nodes() of
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

/* Has a task of its array been tried in vain in its partition? */
static bool is_rejected(const struct pass *p, const struct site_job *job)
{
	return p->rejected && job->task != U32_UNKNOWN && p->rejected->row == job->row &&
	       p->rejected->partition == job->partition;
}

/*
 * JOB, which is within all limits: it begins, or if it waits for resources nothing behind it gets
 * the nodes of its partition.
 */
static void try_job(struct pass *p, struct site *s, struct site_job *job)
{
	const uint64_t *nodes = s->partitions[job->partition].nodes;
	uint32_t needed = job->min_nodes > 0 ? job->min_nodes : 1;
	uint32_t count = 0, left = 0;	/* nodes left, as far as NEEDED */

	p->rejected = job;
	for (uint32_t w = 0; w < s->words; w++) {
		for (uint64_t x = nodes[w] & ~p->blocked[w]; x != 0 && left < needed; x &= x - 1)
			left++;
	}
	if (left == 0 || !site_within_limits(s, job))
		return;
	for (uint32_t w = 0; w < s->words; w++)
		p->avail[w] = site_nodes(s, job)[w] & ~p->blocked[w] & ~p->completing[w];
	site_leave_out_reserved(s, s->now, s->now + job->limit, p->avail);
	if (left == needed) {
		p->shares = mem_realloc(p->shares, (size_t)s->node_count + 1, sizeof(*p->shares));
		count = choose_nodes(s, s->nodes, job, p->avail, p->shares);
	}
	if (count > 0) {
		site_begin(s, job, p->shares, count);
		p->shares = NULL;
		p->rejected = NULL;
		p->begun++;
	} else if (left < needed || waits_for_resources(p, s, job)) {
		for (uint32_t w = 0; w < s->words; w++)
			p->blocked[w] |= nodes[w];
	}
}

/*
 * A pass over the queue, FULL or as deep as default_queue_depth lets it; how many it has begun.
 * *CUT: a full one would go on. An array is one job until a task of it begins. Source: _schedule()
 * of slurmctld/job_scheduler.c, 22.05.
 */
static uint32_t main_pass(struct site *s, const struct backfill_options *o, bool full, bool *cut)
{
	struct pass p;

	*cut = false;
	pass_init(&p, s);
	for (size_t i = 0; i < s->job_count && !*cut; i++) {
		struct site_job *job = &s->jobs[i];

		if (!site_ready(s, job) || is_rejected(&p, job))
			continue;
		*cut = (o->main_starts > 0 && p.begun >= o->main_starts) ||
		       (!full && p.depth > o->main_depth);
		if (*cut || (o->main_part_depth > 0 &&
			     p.tried[job->partition]++ >= o->main_part_depth))
			continue;
		p.depth++;
		try_job(&p, s, job);
	}
	pass_free(&p);
	return p.begun;
}

/* ---- time ---------------------------------------------------------------------------------- */

/* The first time after NOW in the rhythm of INTERVAL since slurmctld began. */
static int64_t next_tick(const struct site *s, int64_t interval)
{
	int64_t since = s->now - s->boot;

	return s->boot + (since / interval + 1) * interval;
}

/* The running job that ends first; NULL: none runs. */
static struct site_job *first_end(struct site *s)
{
	struct site_job *first = NULL;

	for (size_t i = 0; i < s->job_count; i++) {
		struct site_job *job = &s->jobs[i];

		if (job->state != SITE_RUNS)
			continue;
		if (!first || job->end < first->end)
			first = job;
	}
	return first;
}

/* The next begin time to come. */
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

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/*
 * Does some job complete since no longer than CompleteWait? Then neither scheduler looks. Source:
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

/* Ends what is over; how many jobs that was. */
static uint32_t end_jobs(struct site *s, struct sim_rank *rank)
{
	struct site_job *first;
	uint32_t ended = 0;

	for (; (first = first_end(s)) && first->end <= s->now; ended++) {
		sim_rank_ended(rank, s, first);
		site_end(s, first);
	}
	return ended;
}

static bool is_tick(const struct site *s, int64_t interval)
{
	return (s->now - s->boot) % interval == 0;
}

/* Which schedulers have looked since something changed. */
enum seen { SEEN_BY_MAIN = 1, SEEN_BY_BACKFILL = 2, SEEN = 3 };

/*
 * Once both have looked in vain, nothing begins before a job ends or a begin time comes: the ticks
 * in between are passed over. I64_INFINITE: nothing is to come.
 */
static int64_t next_time(struct site *s, unsigned seen, int64_t tick)
{
	const struct site_job *first = first_end(s);
	int64_t next = least(first ? first->end : I64_INFINITE, next_begin(s));

	return seen == SEEN ? next : least(next, tick);
}

void slurm_run(struct site *s, bool ranks)
{
	bool backfills = strcmp(s->policy->scheduler_type, "sched/builtin") != 0;
	struct sim_rank *rank = ranks ? sim_rank_new(s) : NULL;
	unsigned nobody = backfills ? 0 : SEEN_BY_BACKFILL, seen = nobody;
	int64_t tick, next = s->now, begins = s->now;
	bool backfill_waits = false;
	struct backfill_options o;

	backfill_options_of(s->policy, &o);
	for (; next != I64_INFINITE && (!s->wanted || s->wanted(s->context));
	     next = next_time(s, seen, tick)) {
		uint32_t ended, begun = 0;
		bool waits, cut;

		s->now = next;
		ended = end_jobs(s, rank);
		sim_rank_catch_up(rank, s);
		if (ended > 0 || s->now >= begins)
			seen = nobody;
		waits = some_complete(s);
		if (!waits && (ended > 0 || is_tick(s, o.main_interval))) {
			begun += main_pass(s, &o, is_tick(s, o.main_interval), &cut);
			seen |= cut ? 0 : SEEN_BY_MAIN;
		}
		if (backfills && !waits && (backfill_waits || is_tick(s, o.interval))) {
			begun += backfill_cycle(s, &o);
			seen |= SEEN_BY_BACKFILL;
		}
		backfill_waits = waits && (backfill_waits || is_tick(s, o.interval));
		seen = begun > 0 ? nobody : seen;
		begins = next_begin(s);
		tick = next_tick(s, o.main_interval);
		if (backfills)
			tick = backfill_waits ? s->now + 1 : least(tick, next_tick(s, o.interval));
	}
	sim_rank_free(rank);
}
