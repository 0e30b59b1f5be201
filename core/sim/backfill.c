/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/backfill.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/sim/choose.h"
#include "core/sim/nodeplan.h"

#define RUNNING_WINDOW 30	/* s: ends of running jobs are looked at in windows so wide */

/* ---- options ------------------------------------------------------------------------------- */

/*
 * The number behind NAME= in "a=1,b=2", OTHERWISE if it is not there or is not from LEAST to what
 * an int holds: slurmctld then has its default, too.
 */
static uint32_t parameter(const char *text, const char *name, uint32_t otherwise, int64_t least)
{
	size_t length = strlen(name);
	int64_t value;

	for (const char *at = text; *at; at += strcspn(at, ","), at += *at == ',') {
		if (strncmp(at, name, length) != 0 || at[length] != '=')
			continue;
		value = strtoll(at + length + 1, NULL, 10);
		return value < least || value > INT32_MAX ? otherwise : (uint32_t)value;
	}
	return otherwise;
}

void backfill_options_of(const struct policy *policy, struct backfill_options *o)
{
	const char *text = policy->scheduler_parameters;

	*o = (struct backfill_options){
		.interval = parameter(text, "bf_interval", 30, 1),
		.window = INT64_C(60) * parameter(text, "bf_window", 1440, 1),
		.resolution = parameter(text, "bf_resolution", 60, 1),
		.main_interval = parameter(text, "sched_interval", 60, 1),
		.max_job_test = parameter(text, "bf_max_job_test", 500, 1),
		.max_job_user = parameter(text, "bf_max_job_user", 0, 0),
	};
}

/* ---- a cycle ------------------------------------------------------------------------------- */

struct cycle {
	struct site *s;
	const struct backfill_options *o;
	struct nodeplan plan;
	struct site_share *shares;	/* scratch for all nodes */
	uint64_t *set, *free;		/* scratch */
	struct site_job **running;	/* by their end by limit */
	size_t running_count;
	struct site_node *nodes;	/* scratch: what will be free */
};

/* ---- when running jobs end ----------------------------------------------------------------- */

static int64_t limit_end(const struct site_job *job)
{
	return job->start + job->limit;
}

static int by_limit_end(const void *a, const void *b)
{
	const struct site_job *x = *(const struct site_job *const *)a;
	const struct site_job *y = *(const struct site_job *const *)b;

	return limit_end(x) != limit_end(y) ? (limit_end(x) > limit_end(y) ? 1 : -1) :
		(x->id > y->id) - (x->id < y->id);
}

static void find_running(struct cycle *p)
{
	struct site *s = p->s;

	p->running_count = 0;
	for (size_t i = 0; i < s->job_count; i++) {
		if (s->jobs[i].state == SITE_RUNS)
			p->running[p->running_count++] = &s->jobs[i];
	}
	qsort(p->running, p->running_count, sizeof(*p->running), by_limit_end);
}

static bool uses(const struct site_job *job, const uint64_t *set)
{
	for (uint32_t i = 0; i < job->share_count; i++) {
		if (site_has(set, job->shares[i].node))
			return true;
	}
	return false;
}

static void give_back(struct cycle *p, const struct site_job *job)
{
	for (uint32_t i = 0; i < job->share_count; i++) {
		struct site_node *n = &p->nodes[job->shares[i].node];

		n->free += job->shares[i].cpus;
		n->free_memory += job->memory * job->shares[i].cpus;
	}
}

/* A job that is past its end is thought to end KillWait after it, and not yet. */
static int64_t thought_end(const struct site *s, const struct site_job *job)
{
	int64_t end = limit_end(job);

	if (end > s->now)
		return end;
	end += s->policy->kill_wait;
	return end > s->now ? end : s->now + 1;
}

/*
 * will_run: when JOB could begin on the nodes of SET by the limits of what runs, and where (into
 * shares, *COUNT); I64_INFINITE: never. Reservations are not seen. Ends are looked at in windows
 * that grow, from 30 s to twice as much each time: a window that an end opens closes its length
 * after the next multiple of its length. The start is the last end of a window.
 */
static int64_t will_run(struct cycle *p, const struct site_job *job, const uint64_t *set,
			uint32_t *count)
{
	struct site *s = p->s;
	int64_t close = 0, window = RUNNING_WINDOW;
	const struct site_job *last = NULL;

	memcpy(p->nodes, s->nodes, s->node_count * sizeof(*p->nodes));
	*count = choose_nodes(s, p->nodes, job, set, p->shares);
	if (*count > 0)
		return s->now;
	for (size_t i = 0; i < p->running_count; i++) {
		const struct site_job *r = p->running[i];

		if (r->state != SITE_RUNS || !uses(r, set))
			continue;
		if (close == 0)
			close = limit_end(r) - limit_end(r) % window + 2 * window;
		give_back(p, r);
		last = r;
		if (i + 1 < p->running_count && limit_end(p->running[i + 1]) <= close)
			continue;
		close = 0;
		window *= 2;
		*count = choose_nodes(s, p->nodes, job, set, p->shares);
		if (*count > 0)
			return thought_end(s, last);
	}
	*count = last ? choose_nodes(s, p->nodes, job, set, p->shares) : 0;
	return *count > 0 ? thought_end(s, last) : I64_INFINITE;
}

/* ---- one job ------------------------------------------------------------------------------- */

static int64_t floor_to(int64_t time, int64_t step)
{
	return time - time % step;
}

/* Begins JOB now on the COUNT nodes that were found. */
static void begin(struct cycle *p, struct site_job *job, uint32_t count)
{
	struct site_share *shares = mem_alloc(count, sizeof(*shares));

	memcpy(shares, p->shares, count * sizeof(*shares));
	site_begin(p->s, job, shares, count);
	find_running(p);
}

/* Is a job completing on one of the COUNT nodes that were found? */
static bool is_completing(struct cycle *p, uint32_t count)
{
	memset(p->free, 0xff, p->s->words * sizeof(*p->free));
	site_leave_out_completing(p->s, p->free);
	for (uint32_t i = 0; i < count; i++) {
		if (!site_has(p->free, p->shares[i].node))
			return true;
	}
	return false;
}

/* True if it has begun. Else it may have a reservation. */
static bool try_job(struct cycle *p, struct site_job *job)
{
	const struct site *s = p->s;
	int64_t from = s->now, later, start;
	uint32_t count;

	for (;; from = later) {
		later = nodeplan_find(&p->plan, site_nodes(s, job), from,
				  from + job->limit, p->set);
		start = will_run(p, job, p->set, &count);
		if (start == I64_INFINITE && later == 0)
			return false;
		if (start == I64_INFINITE)
			continue;
		start = start > from ? start : from;
		if (start <= s->now && is_completing(p, count)) {
			start = s->now + 1;
			later = 0;
		}
		if (start <= s->now) {
			begin(p, job, count);
			return true;
		}
		if (later != 0 && start > later)
			continue;
		if (start > s->now + p->o->window)
			return false;
		int64_t first = floor_to(start, p->o->resolution);
		int64_t end = floor_to(start + job->limit, p->o->resolution);

		if (!nodeplan_overlaps(&p->plan, first, end, p->shares, count)) {
			nodeplan_reserve(&p->plan, first, end, p->shares, count);
			return false;
		}
		later = start > from ? start : later;
		if (later <= from)
			return false;
	}
}

/* ---- all jobs ------------------------------------------------------------------------------ */

static void cycle_init(struct cycle *p, struct site *s, const struct backfill_options *o)
{
	*p = (struct cycle){ .s = s, .o = o };
	nodeplan_init(&p->plan, s->words, s->now, s->now + o->window);
	p->set = mem_alloc(s->words, sizeof(*p->set));
	p->free = mem_alloc(s->words, sizeof(*p->free));
	p->shares = mem_alloc((size_t)s->node_count + 1, sizeof(*p->shares));
	p->nodes = mem_alloc((size_t)s->node_count + 1, sizeof(*p->nodes));
	p->running = mem_alloc(s->job_count + 1, sizeof(*p->running));
	find_running(p);
}

static void cycle_free(struct cycle *p)
{
	nodeplan_free(&p->plan);
	mem_free(p->set);
	mem_free(p->free);
	mem_free(p->shares);
	mem_free(p->nodes);
	mem_free(p->running);
}

/* Whole nodes of exclusive jobs are reserved up to their end. */
static void reserve_exclusive(struct cycle *p)
{
	for (size_t i = 0; i < p->running_count; i++) {
		const struct site_job *r = p->running[i];

		if (!r->exclusive)
			continue;
		nodeplan_reserve(&p->plan, p->s->now, floor_to(limit_end(r), p->o->resolution),
			     r->shares, r->share_count);
	}
}

/* How many jobs of its user were tried before JOB, which is number I. */
static uint32_t tried_of_user(const struct site *s, size_t i, const bool *tried)
{
	uint32_t user = cluster_text_id(s->c, F_JOB_USER, s->jobs[i].row), n = 0;

	for (size_t k = 0; k < i; k++)
		n += tried[k] && cluster_text_id(s->c, F_JOB_USER, s->jobs[k].row) == user;
	return n;
}

uint32_t backfill_cycle(struct site *s, const struct backfill_options *o)
{
	bool *tried = mem_zalloc(s->job_count + 1, sizeof(*tried));
	uint32_t begun = 0, tests = 0;
	struct cycle p;

	cycle_init(&p, s, o);
	reserve_exclusive(&p);
	for (size_t i = 0; i < s->job_count && tests < o->max_job_test; i++) {
		if (!site_ready(s, &s->jobs[i]) || !site_within_limits(s, &s->jobs[i]))
			continue;
		if (o->max_job_user > 0 && tried_of_user(s, i, tried) >= o->max_job_user)
			continue;
		tried[i] = true;
		tests++;
		begun += try_job(&p, &s->jobs[i]);
	}
	cycle_free(&p);
	mem_free(tried);
	return begun;
}
