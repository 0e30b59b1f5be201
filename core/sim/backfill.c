/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/backfill.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/cluster/idmap.h"
#include "core/sim/choose.h"

#define NEVER ((uint32_t)-1) /* an interval: what backfill_parameter() returns for -1, if allowed \
			      */
#define RUNNING_WINDOW 30    /* s: width of the windows in which running jobs' ends are examined */

/* ---- options ------------------------------------------------------------------------------- */

/*
 * Returns the number behind the first NAME= of TEXT, or OTHERWISE if it is absent or not from LEAST
 * to the largest int; slurmctld then uses its default, too. Like xstrcasestr(), finds the letters
 * anywhere and in any case.
 */
static uint32_t backfill_parameter(const char *text, const char *name, uint32_t otherwise,
				   int64_t least)
{
	size_t length = strlen(name), left = strlen(text);
	int64_t value;

	for (const char *at = text; left > length; at++, left--) {
		if (at[length] != '=' || !word_equal_n(at, length, name))
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
		.interval = backfill_parameter(text, "bf_interval", 30, 1),
		.window = INT64_C(60) * backfill_parameter(text, "bf_window", 1440, 1),
		.resolution = backfill_parameter(text, "bf_resolution", 60, 1),
		.off = backfill_parameter(text, "bf_interval", 30, -1) == NEVER,
		.main_off = backfill_parameter(text, "sched_interval", 60, -1) == NEVER,
		.main_interval = backfill_parameter(text, "sched_interval", 60, 1),
		.main_delay = backfill_parameter(text, "batch_sched_delay", BACKFILL_MAIN_DELAY, 0),
		.main_apart = backfill_parameter(text, "sched_min_interval", 2, 0) / 1000000,
		.defers = word_holds(text, "defer"),
		.main_depth = backfill_parameter(text, "default_queue_depth", 100, 0),
		.main_part_depth = backfill_parameter(text, "partition_job_depth", 0, 0),
		.main_starts = backfill_parameter(text, "sched_max_job_start", 0, 0),
		.reserves_running = word_holds(text, "bf_running_job_reserve"),
		.window_linear = backfill_parameter(text, "bf_window_linear", 0, 0),
		.max_job_test = backfill_parameter(text, "bf_max_job_test", 500, 1),
		.max_job_user = backfill_parameter(text, "bf_max_job_user", 0, 0),
		.max_job_part = backfill_parameter(text, "bf_max_job_part", 0, 0),
		.max_job_assoc = backfill_parameter(text, "bf_max_job_assoc", 0, 0),
		.max_job_user_part = backfill_parameter(text, "bf_max_job_user_part", 0, 0),
		.max_job_start = backfill_parameter(text, "bf_max_job_start", 0, 0),
		.most_spans = backfill_parameter(text, "bf_node_space_size", 0, 2),
		.max_array = backfill_parameter(text, "bf_max_job_array_resv", 20, 0),
		.least_priority = backfill_parameter(text, "bf_min_prio_reserve", 0, 0),
		.least_age = backfill_parameter(text, "bf_min_age_reserve", 0, 0),
	};
	if (o->most_spans == 0)
		o->most_spans = o->max_job_test;
	if (o->max_job_assoc > 0)
		o->max_job_user = 0;	/* as slurmctld says in its log */
}

bool backfill_keeps_place(const struct backfill_options *o, const struct site *s,
			  const struct site_job *job)
{
	return job->priority >= o->least_priority &&
	       (o->least_age == 0 || (job->eligible != I64_UNKNOWN &&
				      s->now - job->eligible >= (int64_t)o->least_age));
}

/* ---- one job ------------------------------------------------------------------------------- */

/* When running job I is assumed to end; END: by its limit. One past its limit has not ended. */
static int64_t thought_end(const struct backfill *b, size_t i, int64_t end)
{
	if (end > b->now)
		return end;
	if (b->ask->late)
		end = b->ask->late(b->state, i);
	return end > b->now ? end : b->now + 1;
}

/* The window after WINDOW, grown until it reaches NEXT; both in s from where windows begin. */
static int64_t next_window(const struct backfill *b, int64_t window, int64_t next)
{
	do
		window += b->o->window_linear > 0 ? b->o->window_linear : window;
	while (next != I64_INFINITE && next > window);
	return window;
}

/*
 * Returns when a job can begin on the nodes of SET, if running jobs end at their limits, and sets
 * where (b->shares, *COUNT); I64_INFINITE: never. Ignores reservations. Ends are examined in
 * windows that all begin at the first multiple of 30 s after the first end and close 30 s, 60 s,
 * 120 s ... later. The start is the last end in a window. Source: _will_run_test() of
 * cons_common/job_test.c, 22.05.
 */
static int64_t will_run(const struct backfill *b, uint32_t *count)
{
	int64_t opened = 0, window = RUNNING_WINDOW, last = I64_INFINITE, end, next;
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
		if (opened == 0)
			opened = end - end % RUNNING_WINDOW + RUNNING_WINDOW;
		last = thought_end(b, i, end);
		next = ask->end(b->state, i + 1);
		if (next != I64_INFINITE) {
			if (next <= opened + window)
				continue;
			window = next_window(b, window, next - opened);
		}
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

/* The earlier of two times; 0 means never. */
static int64_t backfill_sooner(int64_t a, int64_t b)
{
	return a == 0 || (b != 0 && b < a) ? b : a;
}

/*
 * Reserves COUNT shares from FIRST to END, but at least to one step of the plan after FIRST, or
 * after the present step if that is later. Source: _add_reservation() of backfill.c, 22.05.
 */
static void backfill_reserve(struct backfill *b, int64_t first, int64_t end,
			     const struct site_share *shares, uint32_t count)
{
	int64_t step = b->o->resolution, least = first < b->now ? floor_to(b->now, step) : first;

	nodeplan_reserve(&b->plan, first, end > least + step ? end : least + step, shares, count);
}

bool backfill_try(struct backfill *b, int64_t limit, const uint64_t *nodes, const uint64_t *choice)
{
	int64_t from = b->now, step = b->o->resolution, later, start;
	uint32_t count;

	b->reserved = false;
	for (;; from = later) {
		later = nodeplan_find(&b->plan, nodes, from, from + limit, b->set);
		for (uint32_t w = 0; choice && w < b->plan.words; w++)
			b->set[w] &= choice[w];
		if (b->ask->reserved)
			later = backfill_sooner(later,
						b->ask->reserved(b->state, from, from + limit));
		later = b->now_only ? 0 : later;
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
		if (b->now_only || start > b->now + b->o->window)
			return false;
		int64_t first = floor_to(start, step), end = floor_to(start + limit, step);

		if (!nodeplan_overlaps(&b->plan, first, end, b->shares, count)) {
			b->full = b->plan.made >= b->o->most_spans;
			b->reserved = !b->full;
			if (!b->full)
				backfill_reserve(b, first, end, b->shares, count);
			return false;
		}
		later = start > from ? start : later;
		if (later <= from)
			return false;
	}
}

/* ---- a cycle over the jobs of a picture ---------------------------------------------------- */

struct backfill_cycle_state {
	struct site *s;
	struct backfill b;
	struct site_job *job;		/* the one being tried */
	bool tested;			/* counts as a test */
	uint64_t *free;			/* scratch */
	struct site_job **running;	/* by their ends by limit */
	size_t running_count;
	struct site_node *nodes;	/* scratch: free resources in the future */
};

static int64_t limit_end(const struct site_job *job)
{
	return job->start + job->limit;
}

static int by_limit_end(const void *a, const void *b)
{
	const struct site_job *x = *(const struct site_job *const *)a;
	const struct site_job *y = *(const struct site_job *const *)b;

	if (limit_end(x) != limit_end(y))
		return limit_end(x) > limit_end(y) ? 1 : -1;
	if (x->id != y->id)
		return x->id > y->id ? 1 : -1;
	return (x->task > y->task) - (x->task < y->task);
}

static void find_running(struct backfill_cycle_state *p)
{
	struct site *s = p->s;

	site_looked(s, s->job_count);
	p->running_count = 0;
	for (size_t i = 0; i < s->job_count; i++) {
		if (s->jobs[i].state == SITE_RUNS)
			p->running[p->running_count++] = &s->jobs[i];
	}
	qsort(p->running, p->running_count, sizeof(*p->running), by_limit_end);
}

/* A job is tested, and counted, once there are as many nodes as it needs. */
static bool cycle_reset(void *state)
{
	struct backfill_cycle_state *p = state;

	if (!site_has_nodes(p->s, p->b.set, p->job->min_nodes))
		return false;
	p->tested = true;
	site_looked(p->s, p->running_count + p->s->node_count);
	memcpy(p->nodes, p->s->nodes, p->s->node_count * sizeof(*p->nodes));
	return true;
}

static int64_t cycle_end(void *state, size_t i)
{
	const struct backfill_cycle_state *p = state;

	return i < p->running_count ? limit_end(p->running[i]) : I64_INFINITE;
}

static int64_t cycle_late(void *state, size_t i)
{
	const struct backfill_cycle_state *p = state;

	return site_thought_end(p->s, p->running[i], p->b.now);
}

static bool cycle_give_back(void *state, size_t i)
{
	struct backfill_cycle_state *p = state;
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
	struct backfill_cycle_state *p = state;
	int64_t end = site_leave_out_reserved(p->s, from, to, p->b.set);

	return end != 0 && end < p->s->now + p->b.o->window ? end + 1 : 0;
}

static uint32_t cycle_choose(void *state)
{
	struct backfill_cycle_state *p = state;

	return choose_nodes(p->s, p->nodes, p->job, p->b.set, p->b.shares);
}

/* Whether a job is completing on one of the COUNT nodes found. */
static bool backfill_is_completing(struct backfill_cycle_state *p, uint32_t count)
{
	memset(p->free, 0xff, p->s->words * sizeof(*p->free));
	site_leave_out_completing(p->s, p->free);
	for (uint32_t i = 0; i < count; i++) {
		if (!site_has(p->free, p->b.shares[i].node))
			return true;
	}
	return false;
}

/*
 * Reserves the whole nodes of running job JOB up to its end: for jobs begun in this cycle, or for
 * all with bf_running_job_reserve. Source: _bf_reserve_running() of backfill.c, 22.05.
 */
static void reserve_whole(struct backfill_cycle_state *p, const struct site_job *job)
{
	int64_t end = floor_to(limit_end(job), p->b.o->resolution);

	if (job->exclusive && p->b.plan.made < p->b.o->most_spans)
		backfill_reserve(&p->b, p->b.plan.spans[0].begin, end, job->shares,
				 job->share_count);
}

static bool cycle_begin(void *state, uint32_t count)
{
	struct backfill_cycle_state *p = state;
	struct site_share *shares;

	if (backfill_is_completing(p, count))
		return false;
	shares = mem_alloc(count, sizeof(*shares));
	memcpy(shares, p->b.shares, count * sizeof(*shares));
	reserve_whole(p, site_begin(p->s, p->job, shares, count));
	find_running(p);
	return true;
}

static void cycle_init(struct backfill_cycle_state *p, struct site *s,
		       const struct backfill_options *o)
{
	static const struct backfill_asks ask = {
		.reset = cycle_reset, .end = cycle_end, .late = cycle_late,
		.give_back = cycle_give_back, .choose = cycle_choose, .begin = cycle_begin,
		.reserved = cycle_reserved,
	};

	*p = (struct backfill_cycle_state){
		.s = s, .b = { .ask = &ask, .state = p, .o = o, .now = s->now }
	};
	nodeplan_init(&p->b.plan, s->words, floor_to(s->now, o->resolution),
		      floor_to(s->now + o->window, o->resolution));
	p->b.set = mem_alloc(s->words, sizeof(*p->b.set));
	p->free = mem_alloc(s->words, sizeof(*p->free));
	p->b.shares = mem_alloc((size_t)s->node_count + 1, sizeof(*p->b.shares));
	p->nodes = mem_alloc((size_t)s->node_count + 1, sizeof(*p->nodes));
	p->running = mem_alloc(s->job_capacity + 1, sizeof(*p->running));
	find_running(p);
}

static void backfill_cycle_free(struct backfill_cycle_state *p)
{
	nodeplan_free(&p->b.plan);
	MEM_FREE(p->b.set, p->free, p->b.shares, p->nodes, p->running);
}

/* What a cycle counts tries by; each has its own limit. */
enum counted { OF_USER, OF_PARTITION, OF_ASSOC, OF_USER_IN_PARTITION, COUNTED };

/*
 * Whether JOB may be tried; if so, counts it. Source: _job_exceeds_max_bf_param() of backfill.c,
 * which checks all limits before it counts.
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

/* Array tasks: once one gets neither nodes nor a reservation, no later one is tried. */
struct array_turn {
	const struct site_job *last;	/* the last one tried */
	bool over;
	uint32_t row, reserved;		/* of the array that reserved last */
};

/* Whether JOB is the next task of the array tried last, to which bf_max_job_test does not apply. */
static bool is_next_task(const struct array_turn *a, const struct site_job *job)
{
	return a->last && a->last->row == job->row && a->last->partition == job->partition;
}

static bool backfill_is_over(const struct array_turn *a, const struct site_job *job)
{
	return a->over && is_next_task(a, job);
}

static void count_task(struct array_turn *a, const struct backfill_cycle_state *p, bool begun)
{
	a->last = p->job;
	a->over = p->job->task != U32_UNKNOWN && !begun && !p->b.reserved;
	if (p->job->task == U32_UNKNOWN || !p->b.reserved)
		return;
	a->reserved = a->row == p->job->row ? a->reserved + 1 : 1;
	a->row = p->job->row;
	a->over = a->reserved >= p->b.o->max_array;
}

/*
 * Tries JOB, unless it is over its TRES limits: then it only counts as tested. Source:
 * _attempt_backfill() of backfill.c, which checks them last, where the job would begin or reserve.
 */
static bool backfill_try_job(struct backfill_cycle_state *p, struct site_job *job)
{
	p->job = job;
	p->tested = !site_within_tres_limits(p->s, job);
	p->b.reserved = false;
	if (p->tested)
		return false;
	/* A job is eligible once it is tried, if it was not before or that is unknown. */
	if (job->eligible == I64_UNKNOWN)
		job->eligible = p->s->now;
	p->b.now_only = !backfill_keeps_place(p->b.o, p->s, job) ||
			cluster_list_has(p->s->c, F_QOS_FLAGS, job->qos, "NoReserve");
	return backfill_try(&p->b, job->limit, p->s->partitions[job->partition].nodes, job->choice);
}

/* Whether the limits of JOB, and those of the cycle, let it be tried. */
static bool is_let(struct backfill_cycle_state *p, struct idmap tried[COUNTED],
		   const struct site_job *job)
{
	return site_within_job_limits(p->s, job) && may_try(tried, p->s, job, p->b.o) &&
	       site_has_licenses(p->s, job);
}

uint32_t backfill_cycle(struct site *s, const struct backfill_options *o)
{
	struct array_turn array = { .row = ROW_NONE };
	struct idmap tried[COUNTED] = { { 0 } };
	uint32_t begun = 0, tests = 0, held = 0;
	bool again = false;	/* again with a bundle's next task; HELD: tasks with reservations */
	struct backfill_cycle_state p;

	cycle_init(&p, s, o);
	for (size_t i = 0; o->reserves_running && i < p.running_count; i++)
		reserve_whole(&p, p.running[i]);
	for (size_t i = 0; i < s->job_count && !p.b.full && !s->over; i += !again) {
		bool begins;

		held = again ? held : 0;
		again = false;
		if (o->max_job_start > 0 && begun >= o->max_job_start)
			break;
		if (!site_ready(s, &s->jobs[i]) || backfill_is_over(&array, &s->jobs[i]))
			continue;
		if (tests >= o->max_job_test && !is_next_task(&array, &s->jobs[i]))
			break;
		if (!is_let(&p, tried, &s->jobs[i]))
			continue;
		begins = backfill_try_job(&p, &s->jobs[i]);
		tests += p.tested;
		count_task(&array, &p, begins);
		begun += begins;
		held += p.b.reserved;
		again = (begins || p.b.reserved) && s->jobs[i].state == SITE_WAITS &&
			held < s->jobs[i].count;
	}
	backfill_cycle_free(&p);
	for (unsigned i = 0; i < COUNTED; i++)
		idmap_free(&tried[i]);
	return begun;
}
