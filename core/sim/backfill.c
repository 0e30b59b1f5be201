/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/backfill.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/idmap.h"
#include "core/sim/choose.h"

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
		.main_delay = parameter(text, "batch_sched_delay", 3, 0),
		.main_depth = parameter(text, "default_queue_depth", 100, 0),
		.main_part_depth = parameter(text, "partition_job_depth", 0, 0),
		.main_starts = parameter(text, "sched_max_job_start", 0, 0),
		.max_job_test = parameter(text, "bf_max_job_test", 500, 1),
		.max_job_user = parameter(text, "bf_max_job_user", 0, 0),
		.max_job_part = parameter(text, "bf_max_job_part", 0, 0),
		.max_job_assoc = parameter(text, "bf_max_job_assoc", 0, 0),
		.max_job_user_part = parameter(text, "bf_max_job_user_part", 0, 0),
		.max_job_start = parameter(text, "bf_max_job_start", 0, 0),
	};
}

/* ---- one job ------------------------------------------------------------------------------- */

/* A job that is past its end is thought to end KillWait after it, and not yet. */
static int64_t thought_end(const struct backfill *b, int64_t end)
{
	if (end > b->now)
		return end;
	end += b->kill_wait;
	return end > b->now ? end : b->now + 1;
}

/*
 * When a job could begin on the nodes of SET by the limits of what runs, and where (into
 * shares, *COUNT); I64_INFINITE: never. Reservations are not seen. Ends are looked at in windows
 * that grow, from 30 s to twice as much each time: a window that an end opens closes its length
 * after the next multiple of its length. The start is the last end of a window.
 */
static int64_t will_run(const struct backfill *b, uint32_t *count)
{
	int64_t close = 0, window = RUNNING_WINDOW, last = I64_INFINITE, end;
	const struct backfill_asks *ask = b->ask;

	*count = 0;
	if (!ask->reset(b->state))
		return I64_INFINITE;
	*count = ask->choose(b->state);
	if (*count > 0)
		return b->now;
	for (size_t i = 0; (end = ask->end(b->state, i)) != I64_INFINITE; i++) {
		if (!ask->give_back(b->state, i))
			continue;
		if (close == 0)
			close = end - end % window + 2 * window;
		last = thought_end(b, end);
		if (ask->end(b->state, i + 1) <= close)
			continue;
		close = 0;
		window *= 2;
		*count = ask->choose(b->state);
		if (*count > 0)
			return last;
	}
	*count = last == I64_INFINITE ? 0 : ask->choose(b->state);
	return *count > 0 ? last : I64_INFINITE;
}

static int64_t floor_to(int64_t time, int64_t step)
{
	return time - time % step;
}

/* The earlier of two times, of which 0 is never. */
static int64_t sooner(int64_t a, int64_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

bool backfill_try(struct backfill *b, int64_t limit, const uint64_t *nodes)
{
	int64_t from = b->now, step = b->o->resolution, later, start;
	uint32_t count;

	for (;; from = later) {
		later = nodeplan_find(&b->plan, nodes, from, from + limit, b->set);
		if (b->ask->reserved)
			later = sooner(later, b->ask->reserved(b->state, from, from + limit));
		start = will_run(b, &count);
		if (start == I64_INFINITE && later == 0)
			return false;
		if (start == I64_INFINITE)
			continue;
		start = start > from ? start : from;
		if (start <= b->now) {
			if (b->ask->begin(b->state, count))
				return true;
			start = b->now + 1;
			later = 0;
		}
		if (later != 0 && start > later)
			continue;
		if (start > b->now + b->o->window)
			return false;
		int64_t first = floor_to(start, step), end = floor_to(start + limit, step);

		if (!nodeplan_overlaps(&b->plan, first, end, b->shares, count)) {
			nodeplan_reserve(&b->plan, first, end, b->shares, count);
			return false;
		}
		later = start > from ? start : later;
		if (later <= from)
			return false;
	}
}

/* ---- a cycle over the jobs of a picture ---------------------------------------------------- */

struct cycle {
	struct site *s;
	struct backfill b;
	struct site_job *job;		/* the one that is tried */
	uint64_t *free;			/* scratch */
	struct site_job **running;	/* by their end by limit */
	size_t running_count;
	struct site_node *nodes;	/* scratch: what will be free */
};

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

static bool cycle_reset(void *state)
{
	struct cycle *p = state;

	memcpy(p->nodes, p->s->nodes, p->s->node_count * sizeof(*p->nodes));
	return true;
}

static int64_t cycle_end(void *state, size_t i)
{
	const struct cycle *p = state;

	return i < p->running_count ? limit_end(p->running[i]) : I64_INFINITE;
}

static bool cycle_give_back(void *state, size_t i)
{
	struct cycle *p = state;
	const struct site_job *job = p->running[i];
	bool any = false;

	for (uint32_t k = 0; k < job->share_count; k++) {
		site_use_node(&p->nodes[job->shares[k].node], job, job->shares[k].cpus, -1);
		any |= site_has(p->b.set, job->shares[k].node);
	}
	return any;
}

static int64_t cycle_reserved(void *state, int64_t from, int64_t to)
{
	struct cycle *p = state;
	int64_t end = site_leave_out_reserved(p->s, from, to, p->b.set);

	return end != 0 && end < p->s->now + p->b.o->window ? end + 1 : 0;
}

static uint32_t cycle_choose(void *state)
{
	struct cycle *p = state;

	return choose_nodes(p->s, p->nodes, p->job, p->b.set, p->b.shares);
}

/* Is a job completing on one of the COUNT nodes that were found? */
static bool is_completing(struct cycle *p, uint32_t count)
{
	memset(p->free, 0xff, p->s->words * sizeof(*p->free));
	site_leave_out_completing(p->s, p->free);
	for (uint32_t i = 0; i < count; i++) {
		if (!site_has(p->free, p->b.shares[i].node))
			return true;
	}
	return false;
}

static bool cycle_begin(void *state, uint32_t count)
{
	struct cycle *p = state;
	struct site_share *shares;

	if (is_completing(p, count))
		return false;
	shares = mem_alloc(count, sizeof(*shares));
	memcpy(shares, p->b.shares, count * sizeof(*shares));
	site_begin(p->s, p->job, shares, count);
	find_running(p);
	return true;
}

static void cycle_init(struct cycle *p, struct site *s, const struct backfill_options *o)
{
	static const struct backfill_asks ask = {
		.reset = cycle_reset, .end = cycle_end, .give_back = cycle_give_back,
		.choose = cycle_choose, .begin = cycle_begin, .reserved = cycle_reserved,
	};

	*p = (struct cycle){ .s = s, .b = { .ask = &ask, .state = p, .o = o, .now = s->now,
					    .kill_wait = s->policy->kill_wait } };
	nodeplan_init(&p->b.plan, s->words, s->now, s->now + o->window);
	p->b.set = mem_alloc(s->words, sizeof(*p->b.set));
	p->free = mem_alloc(s->words, sizeof(*p->free));
	p->b.shares = mem_alloc((size_t)s->node_count + 1, sizeof(*p->b.shares));
	p->nodes = mem_alloc((size_t)s->node_count + 1, sizeof(*p->nodes));
	p->running = mem_alloc(s->job_count + 1, sizeof(*p->running));
	find_running(p);
}

static void cycle_free(struct cycle *p)
{
	nodeplan_free(&p->b.plan);
	mem_free(p->b.set);
	mem_free(p->free);
	mem_free(p->b.shares);
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
		nodeplan_reserve(&p->b.plan, p->s->now, floor_to(limit_end(r), p->b.o->resolution),
			     r->shares, r->share_count);
	}
}

/* What a cycle counts its tries by, each with its own limit. */
enum counted { OF_USER, OF_PARTITION, OF_ASSOC, OF_USER_IN_PARTITION, COUNTED };

/*
 * May JOB be tried? Then it counts. Source: _job_exceeds_max_bf_param() of backfill.c, which asks
 * all limits before it counts.
 */
static bool may_try(struct idmap tried[COUNTED], const struct site *s, const struct site_job *job,
		    const struct backfill_options *o)
{
	const uint32_t most[COUNTED] = { o->max_job_user, o->max_job_part, o->max_job_assoc,
					 o->max_job_user_part };
	uint64_t user = cluster_text_id(s->c, F_JOB_USER, job->row);
	const uint64_t key[COUNTED] = { user, job->partition, job->assoc,
					user << 32 | job->partition };

	for (unsigned i = 0; i < COUNTED; i++) {
		if (most[i] > 0 && idmap_get(&tried[i], key[i], 0) >= most[i])
			return false;
	}
	for (unsigned i = 0; i < COUNTED; i++) {
		if (most[i] > 0)
			idmap_put(&tried[i], key[i], idmap_get(&tried[i], key[i], 0) + 1);
	}
	return true;
}

uint32_t backfill_cycle(struct site *s, const struct backfill_options *o)
{
	struct idmap tried[COUNTED] = { { 0 } };
	uint32_t begun = 0, tests = 0;
	struct cycle p;

	cycle_init(&p, s, o);
	reserve_exclusive(&p);
	for (size_t i = 0; i < s->job_count && tests < o->max_job_test; i++) {
		if (o->max_job_start > 0 && begun >= o->max_job_start)
			break;
		if (!site_ready(s, &s->jobs[i]) || !site_within_limits(s, &s->jobs[i]) ||
		    !may_try(tried, s, &s->jobs[i], o))
			continue;
		tests++;
		p.job = &s->jobs[i];
		begun += backfill_try(&p.b, p.job->limit, site_nodes(s, p.job));
	}
	cycle_free(&p);
	for (unsigned i = 0; i < COUNTED; i++)
		idmap_free(&tried[i]);
	return begun;
}
