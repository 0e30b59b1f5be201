/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/pools/pool_sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/pools/pools.h"

struct running_job {
	int64_t end;
	uint32_t queue;
};

/* A pool and its queues as arguments of slots_allocate(). */
struct sim_pool {
	struct slots_pool slots;
	uint32_t first;		/* of its queues in the shared storage */
	uint32_t host_slots;
	uint32_t used;		/* on its hosts, by any queue */
	uint32_t foreign;
	uint32_t turns;		/* so far in this cycle */
};

struct pool_sim {
	struct pool_sim_options options;	/* pools and queues are copies */
	struct pool_sim_pool *pool_options;
	struct pool_sim_queue *queues;
	struct pool_sim_state *states;
	struct sim_pool *pools;
	struct slots_queue *slots;
	uint32_t *orders, *members;	/* queue numbers by pool */
	uint32_t *place;		/* per queue: index in slots[] */
	uint32_t *dispatch;
	uint64_t *dice;			/* per queue, so that queues are independent */
	struct running_job *running;
	size_t running_count, running_capacity;
	uint32_t *past;			/* slots in use, QUEUES per cycle; a ring */
	uint32_t past_cycles;		/* cycles in the ring */
	int64_t now;
	double kept;			/* per cycle, of the accumulated slots */
};

static uint32_t home_of(const struct pool_sim_queue *q)
{
	return q->pool == POOL_SIM_OUTSIDE ? q->hosts : q->pool;
}

/* ---- making -------------------------------------------------------------------------------- */

static void pool_sim_arrange(struct pool_sim *s)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < s->options.pool_count; k++) {
		struct sim_pool *pool = &s->pools[k];
		uint32_t count = 0;

		pool->first = n;
		pool->host_slots = s->pool_options[k].host_slots;
		for (uint32_t i = 0; i < s->options.queue_count; i++) {
			if (s->queues[i].pool != k)
				continue;
			s->members[n + count] = i;
			s->place[i] = n + count;
			s->slots[n + count].priority = s->queues[i].priority;
			s->slots[n + count].share = s->queues[i].share;
			s->slots[n + count].limit = s->queues[i].limit;
			count++;
		}
		slots_pool_init(&pool->slots, s->slots + n, s->orders + n, count);
		pool->slots.host_slots = pool->host_slots;
		pool->slots.max_slots = s->pool_options[k].max_slots;
		pool->slots.use_priority = s->pool_options[k].use_priority;
		pool->slots.strict = s->pool_options[k].strict;
		n += count;
	}
}

static void pool_sim_order_dispatch(struct pool_sim *s)
{
	uint32_t n = s->options.queue_count;
	struct slots_dispatch *list = mem_alloc(n, sizeof(*list));

	for (uint32_t i = 0; i < n; i++)
		list[i] = (struct slots_dispatch){ s->queues[i].priority, s->queues[i].pool };
	slots_dispatch_order(list, n, s->options.grouped, s->dispatch);
	mem_free(list);
}

struct pool_sim *pool_sim_new(const struct pool_sim_options *options)
{
	struct pool_sim *s = mem_zalloc(1, sizeof(*s));
	uint32_t n = options->queue_count;
	uint64_t seed = options->seed;

	s->options = *options;
	s->pool_options = mem_alloc(options->pool_count, sizeof(*s->pool_options));
	memcpy(s->pool_options, options->pools, options->pool_count * sizeof(*s->pool_options));
	s->queues = mem_alloc(n, sizeof(*s->queues));
	memcpy(s->queues, options->queues, n * sizeof(*s->queues));
	s->states = mem_zalloc(n, sizeof(*s->states));
	s->pools = mem_zalloc(options->pool_count, sizeof(*s->pools));
	s->slots = mem_zalloc(n, sizeof(*s->slots));
	s->orders = mem_alloc(n, sizeof(*s->orders));
	s->members = mem_alloc(n, sizeof(*s->members));
	s->place = mem_zalloc(n, sizeof(*s->place));
	s->dispatch = mem_alloc(n, sizeof(*s->dispatch));
	s->dice = mem_alloc(n, sizeof(*s->dice));
	s->past_cycles = options->remember / options->cycle + 1;
	s->past = mem_zalloc((size_t)s->past_cycles * n, sizeof(*s->past));
	for (uint32_t i = 0; i < n; i++) {
		s->states[i].waiting = s->queues[i].waiting;
		s->dice[i] = dice_roll(&seed);
	}
	s->kept = slots_accumulate(1, 0, options->cycle / 3600.0, options->hist_hours);
	pool_sim_arrange(s);
	pool_sim_order_dispatch(s);
	return s;
}

void pool_sim_free(struct pool_sim *s)
{
	if (!s)
		return;
	MEM_FREE(s->pool_options, s->queues, s->states, s->pools, s->slots, s->orders, s->members,
		 s->place, s->dispatch, s->dice, s->running, s->past, s);
}

/* ---- one cycle ----------------------------------------------------------------------------- */

static void pool_sim_end_jobs(struct pool_sim *s)
{
	size_t left = 0;

	for (size_t i = 0; i < s->running_count; i++) {
		struct running_job b = s->running[i];
		uint32_t slots = s->queues[b.queue].job_slots;

		if (b.end > s->now) {
			s->running[left++] = b;
			continue;
		}
		s->states[b.queue].used -= slots;
		s->states[b.queue].ended++;
		s->pools[home_of(&s->queues[b.queue])].used -= slots;
		if (s->queues[b.queue].pool == POOL_SIM_OUTSIDE)
			s->pools[s->queues[b.queue].hosts].foreign -= slots;
	}
	s->running_count = left;
}

/* Each second brings a job with probability per_hour / 3600; whole numbers are certain. */
static void pool_sim_arrive(struct pool_sim *s, uint32_t i)
{
	const struct pool_sim_queue *q = &s->queues[i];
	uint64_t expected = (uint64_t)q->per_hour * s->options.cycle;
	uint32_t more = (uint32_t)(expected / 3600);

	if ((q->from || q->until) && (s->now < q->from || s->now >= q->until))
		return;
	more += dice_roll(&s->dice[i]) % 3600 < expected % 3600;
	if (s->states[i].waiting < UINT32_C(1000000))
		s->states[i].waiting += more;
}

static void pool_sim_accumulate(struct pool_sim *s)
{
	double hours = s->options.cycle / 3600.0;

	for (uint32_t i = 0; i < s->options.queue_count; i++) {
		struct pool_sim_state *q = &s->states[i];

		q->accumulated *= s->kept;
		if (!s->options.by_starts)
			q->accumulated += q->used * hours;
	}
}

static void pool_sim_allocate(struct pool_sim *s, struct sim_pool *pool)
{
	for (uint32_t i = 0; i < pool->slots.count; i++) {
		uint32_t queue = s->members[pool->first + i];
		const struct pool_sim_state *state = &s->states[queue];
		struct slots_queue *q = &s->slots[pool->first + i];
		uint64_t demand = state->used +
				  (uint64_t)state->waiting * s->queues[queue].job_slots;

		q->demand = demand > INT32_MAX ? INT32_MAX : (uint32_t)demand;
		q->accumulated = state->accumulated;
	}
	pool->slots.foreign = pool->foreign;
	slots_allocate(&pool->slots, NULL, NULL);
	for (uint32_t i = 0; i < pool->slots.count; i++)
		s->states[s->members[pool->first + i]].allotted = pool->slots.queues[i].allotted;
}

/* Starts JOBS of queue I, each with its own run time. */
static void pool_sim_start(struct pool_sim *s, uint32_t i, uint32_t jobs)
{
	const struct pool_sim_queue *q = &s->queues[i];
	struct pool_sim_state *state = &s->states[i];
	uint32_t span = q->runtime_max > q->runtime_min ? q->runtime_max - q->runtime_min : 0;
	uint32_t slots = jobs * q->job_slots;

	for (uint32_t j = 0; j < jobs; j++) {
		int64_t more = (int64_t)(dice_roll(&s->dice[i]) % (span + 1u));
		int64_t end = s->now + q->runtime_min + more;

		MEM_GROW(s->running, s->running_capacity, s->running_count + 1);
		s->running[s->running_count++] = (struct running_job){ end, i };
	}
	state->waiting -= jobs;
	state->started += jobs;
	state->used += slots;
	if (s->options.by_starts)
		state->accumulated += slots;
	s->pools[home_of(q)].used += slots;
	if (q->pool == POOL_SIM_OUTSIDE)
		s->pools[q->hosts].foreign += slots;
}

/* The queue that fills place D of the dispatch order. */
static uint32_t pool_sim_turn(struct pool_sim *s, uint32_t d)
{
	uint32_t queue = s->dispatch[d], k = s->queues[queue].pool;
	struct sim_pool *pool;

	if (k == POOL_SIM_OUTSIDE)
		return queue;
	pool = &s->pools[k];
	return s->members[pool->first + pool->slots.order[pool->turns++]];
}

static void pool_sim_dispatch(struct pool_sim *s)
{
	for (uint32_t k = 0; k < s->options.pool_count; k++)
		s->pools[k].turns = 0;
	for (uint32_t d = 0; d < s->options.queue_count; d++) {
		uint32_t i = pool_sim_turn(s, d);
		const struct pool_sim_queue *q = &s->queues[i];
		const struct pool_sim_state *state = &s->states[i];
		const struct sim_pool *home = &s->pools[home_of(q)];
		uint32_t most = q->limit, room, jobs;

		if (q->pool != POOL_SIM_OUTSIDE && state->allotted < most)
			most = state->allotted;
		if (state->waiting == 0 || state->used >= most || home->used >= home->host_slots)
			continue;
		room = most - state->used;
		if (room > home->host_slots - home->used)
			room = home->host_slots - home->used;
		jobs = room / q->job_slots;
		if (jobs > state->waiting)
			jobs = state->waiting;
		if (jobs > 0)
			pool_sim_start(s, i, jobs);
	}
}

/* Position in the ring of the slots in use at TIME. */
static uint32_t *past_at(const struct pool_sim *s, int64_t time)
{
	return s->past + (size_t)(time / s->options.cycle % s->past_cycles) *
			 s->options.queue_count;
}

void pool_sim_cycle(struct pool_sim *s)
{
	uint32_t *past;

	pool_sim_accumulate(s);
	s->now += s->options.cycle;
	pool_sim_end_jobs(s);
	for (uint32_t i = 0; i < s->options.queue_count; i++)
		pool_sim_arrive(s, i);
	for (uint32_t k = 0; k < s->options.pool_count; k++)
		pool_sim_allocate(s, &s->pools[k]);
	pool_sim_dispatch(s);
	past = past_at(s, s->now);
	for (uint32_t i = 0; i < s->options.queue_count; i++)
		past[i] = s->states[i].used;
}

void pool_sim_advance(struct pool_sim *s, int64_t seconds)
{
	int64_t target = s->now + seconds;

	while (s->now + s->options.cycle <= target)
		pool_sim_cycle(s);
}

int64_t pool_sim_time(const struct pool_sim *s)
{
	return s->now;
}

const struct pool_sim_state *pool_sim_queue(const struct pool_sim *s, uint32_t queue)
{
	return &s->states[queue];
}

uint32_t pool_sim_past(const struct pool_sim *s, uint32_t queue, int64_t ago)
{
	return ago <= s->now ? past_at(s, s->now - ago)[queue] : 0;
}

static struct pool_sim_queue pool_sim_queue_of(const struct pools *p, uint32_t i,
					       const struct pools_traffic *traffic)
{
	const struct pools_queue *q = &p->queues[i];
	const uint32_t mean = (traffic->runtime_min + traffic->runtime_max) / 2;
	const bool outside = q->pool == POOLS_NONE;

	return (struct pool_sim_queue){
		.priority = q->priority, .limit = q->limit, .job_slots = 1,
		.share = outside ? 0 : pools_slots(p, i)->share,
		.pool = outside ? POOL_SIM_OUTSIDE : q->pool, .hosts = traffic->hosts,
		.runtime_min = traffic->runtime_min, .runtime_max = traffic->runtime_max,
		.per_hour = (uint32_t)((uint64_t)q->host_slots * traffic->load * 3600 /
				       (UINT64_C(100) * (mean > 0 ? mean : 1))),
	};
}

struct pool_sim *pools_simulate(const struct pools *p, const struct pools_traffic *traffic,
				const struct pool_sim_options *options)
{
	struct pool_sim_options o = *options;
	struct pool_sim_pool *pools = mem_alloc(p->pool_count, sizeof(*pools));
	struct pool_sim_queue *queues = mem_alloc(p->queue_count, sizeof(*queues));
	struct pool_sim *s;

	for (uint32_t k = 0; k < p->pool_count; k++)
		pools[k] = (struct pool_sim_pool){
			.host_slots = p->pools[k].slots.host_slots,
			.max_slots = p->pools[k].slots.max_slots,
			.use_priority = p->pools[k].slots.use_priority,
			.strict = p->pools[k].slots.strict,
		};
	for (uint32_t i = 0; i < p->queue_count; i++)
		queues[i] = pool_sim_queue_of(p, i, &traffic[i]);
	o.pools = pools;
	o.queues = queues;
	o.pool_count = p->pool_count;
	o.queue_count = p->queue_count;
	o.hist_hours = p->hist_hours;
	o.grouped = p->grouped;
	s = pool_sim_new(&o);
	mem_free(pools);
	mem_free(queues);
	return s;
}

#define SAMPLE_SIZE 40

static void set_past(const struct pool_sim *s, struct builder *b, uint32_t queue, int64_t begin,
		     int64_t every, uint32_t samples)
{
	const int64_t now = pool_sim_time(s);
	char (*texts)[SAMPLE_SIZE] = mem_alloc(samples, sizeof(*texts));
	const char **past = mem_alloc(samples, sizeof(*past));

	for (uint32_t k = 0; k < samples; k++) {
		const int64_t time = (now / every - (samples - 1) + k) * every;

		snprintf(texts[k], sizeof(texts[k]), "%" PRId64 "=%u", begin + time,
			 (unsigned)pool_sim_past(s, queue, now - time));
		past[k] = texts[k];
	}
	builder_list(b, F_QUEUE_PAST, queue, past, samples);
	mem_free(past);
	mem_free(texts);
}

void pools_simulate_set(const struct pool_sim *s, struct builder *b, int64_t begin, int64_t every,
			uint32_t samples)
{
	for (uint32_t i = 0; i < builder_rows(b, TABLE_QUEUE); i++) {
		const struct pool_sim_state *q = pool_sim_queue(s, i);

		set_past(s, b, i, begin, every, samples);
		builder_u32(b, F_QUEUE_RUNNING, i, q->used);
		builder_u32(b, F_QUEUE_PENDING, i, q->waiting);
		if (builder_get_text(b, F_QUEUE_POOL, i))
			builder_f64(b, F_QUEUE_ACCUMULATED, i, q->accumulated);
	}
}
