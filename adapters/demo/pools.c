/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The demo's queue pools: what LSF would add to such a site. Two pools of three queues on the nodes
 * of batch and gpu, and a queue outside on the nodes of each, simulated by core/pool_sim on their
 * own: their jobs are counted in slots, and are not those of the jobs table.
 */
#include "adapters/demo/state.h"

#include <stdio.h>

#include "core/mem.h"

#define POOLS 2
#define QUEUES 8
#define SIM_CYCLE 60
#define HIST_HOURS 5
#define BEFORE 86400		/* the pools have lived for a day when the demo begins */
#define PAST_EVERY 1800		/* seconds between two samples of the past ... */
#define PAST_SAMPLES 49		/* ... of which a day is kept: each recorded sample has them all */

struct demo_past {
	int64_t time[PAST_SAMPLES];
	uint32_t used[PAST_SAMPLES][QUEUES];
	uint64_t count;		/* sample i is at i % PAST_SAMPLES; the older ones are gone */
};

/* Slots of a node (LSF's MXJ); 0: pools do not use it. */
static const uint32_t slots_of[PARTITIONS] = { [PART_BATCH] = 4, [PART_GPU] = 2 };

static const struct {
	const char *name;
	enum partition hosts;
} pool_table[POOLS] = { { "compute", PART_BATCH }, { "accel", PART_GPU } };

/* Of work, LOAD is what arrives in percent of all the pool's slots. */
static const struct {
	const char *name;
	uint32_t pool;		/* POOL_SIM_OUTSIDE */
	uint32_t hosts;		/* outside: on whose */
	int64_t priority;
	uint32_t share, limit_percent, load, runtime_min, runtime_max;
} queue_table[QUEUES] = {
	{ "short", 0, 0, 70, 50, 0, 42, 300, 1800 },
	{ "normal", 0, 0, 60, 30, 0, 36, 1800, 10800 },
	{ "long", 0, 0, 50, 20, 0, 25, 7200, 43200 },
	{ "interactive", POOL_SIM_OUTSIDE, 0, 80, 0, 10, 5, 600, 7200 },
	{ "train", 1, 0, 45, 60, 0, 62, 7200, 28800 },
	{ "infer", 1, 0, 40, 30, 0, 24, 300, 1200 },
	{ "tune", 1, 0, 35, 10, 50, 20, 1800, 7200 },
	{ "scavenger", POOL_SIM_OUTSIDE, 1, 5, 0, 25, 4, 900, 3600 },
};

static uint32_t pool_slots(const struct demo *d, uint32_t pool)
{
	enum partition p = pool_table[pool].hosts;

	return d->host_total[p] * slots_of[p];
}

uint32_t demo_host_slots(const struct host *h)
{
	return slots_of[h->partition];
}

/* How many jobs an hour keep LOAD percent of SLOTS busy. */
static uint32_t arrivals(uint32_t slots, uint32_t load, uint32_t runtime_min, uint32_t runtime_max)
{
	uint64_t mean = ((uint64_t)runtime_min + runtime_max) / 2;

	return (uint32_t)((uint64_t)slots * load * 3600 / (100 * mean));
}

static uint32_t home(uint32_t queue)
{
	return queue_table[queue].pool == POOL_SIM_OUTSIDE ? queue_table[queue].hosts
							   : queue_table[queue].pool;
}

static uint32_t limit_of(const struct demo *d, uint32_t queue)
{
	uint32_t percent = queue_table[queue].limit_percent;

	return percent ? pool_slots(d, home(queue)) * percent / 100 : SLOTS_NO_LIMIT;
}

void demo_pools_begin(struct demo *d)
{
	struct pool_sim_pool pools[POOLS];
	struct pool_sim_queue queues[QUEUES];

	for (uint32_t k = 0; k < POOLS; k++)
		pools[k] = (struct pool_sim_pool){ .host_slots = pool_slots(d, k),
						   .max_slots = SLOTS_NO_LIMIT };
	for (uint32_t i = 0; i < QUEUES; i++)
		queues[i] = (struct pool_sim_queue){
			.priority = queue_table[i].priority, .share = queue_table[i].share,
			.pool = queue_table[i].pool, .hosts = queue_table[i].hosts,
			.limit = limit_of(d, i), .job_slots = 1,
			.runtime_min = queue_table[i].runtime_min,
			.runtime_max = queue_table[i].runtime_max,
			.per_hour = arrivals(pool_slots(d, home(i)), queue_table[i].load,
					     queue_table[i].runtime_min,
					     queue_table[i].runtime_max),
		};
	d->pools = pool_sim_new(&(struct pool_sim_options){
		.pools = pools, .queues = queues, .pool_count = POOLS, .queue_count = QUEUES,
		.cycle = SIM_CYCLE, .hist_hours = HIST_HOURS, .seed = d->options.seed });
	d->pools_past = mem_zalloc(1, sizeof(*d->pools_past));
	demo_pools_advance(d);
}

void demo_pools_end(struct demo *d)
{
	pool_sim_free(d->pools);
	mem_free(d->pools_past);
}

static void keep_sample(struct demo *d)
{
	struct demo_past *past = d->pools_past;
	uint64_t at = past->count++ % PAST_SAMPLES;

	past->time[at] = d->start - BEFORE + pool_sim_time(d->pools);
	for (uint32_t i = 0; i < QUEUES; i++)
		past->used[at][i] = pool_sim_queue(d->pools, i)->used;
}

void demo_pools_advance(struct demo *d)
{
	int64_t target = BEFORE + d->now - d->start, next;

	while ((next = (int64_t)d->pools_past->count * PAST_EVERY) <= target) {
		pool_sim_advance(d->pools, next - pool_sim_time(d->pools));
		keep_sample(d);
	}
	pool_sim_advance(d->pools, target - pool_sim_time(d->pools));
}

static void add_queue_hosts(struct builder *b, const struct demo *d, uint32_t row, uint32_t queue)
{
	enum partition p = pool_table[home(queue)].hosts;
	uint32_t n = d->host_total[p];
	char (*names)[16] = mem_alloc(n, sizeof(*names));
	const char **list = mem_alloc(n, sizeof(*list));

	for (uint32_t i = 0; i < n; i++) {
		snprintf(names[i], sizeof(names[i]), "%c%03u", partitions[p].letter,
			 (unsigned)i + 1);
		list[i] = names[i];
	}
	builder_list(b, F_QUEUE_HOSTS, row, list, n);
	mem_free(list);
	mem_free(names);
}

static void add_past(struct builder *b, const struct demo *d, uint32_t row, uint32_t queue)
{
	const struct demo_past *past = d->pools_past;
	char texts[PAST_SAMPLES][40];
	const char *list[PAST_SAMPLES];
	uint32_t n = past->count < PAST_SAMPLES ? (uint32_t)past->count : PAST_SAMPLES;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = (past->count - n + i) % PAST_SAMPLES;

		snprintf(texts[i], sizeof(texts[i]), "%lld=%u", (long long)past->time[at],
			 (unsigned)past->used[at][queue]);
		list[i] = texts[i];
	}
	builder_list(b, F_QUEUE_PAST, row, list, n);
}

void demo_pools_picture(struct builder *b, const struct demo *d)
{
	for (uint32_t k = 0; k < POOLS; k++) {
		uint32_t row = builder_add(b, TABLE_POOL);

		builder_str(b, F_POOL_NAME, row, pool_table[k].name);
		builder_f64(b, F_POOL_HIST_HOURS, row, HIST_HOURS);
	}
	for (uint32_t i = 0; i < QUEUES; i++) {
		const struct pool_sim_state *q = pool_sim_queue(d->pools, i);
		uint32_t row = builder_add(b, TABLE_QUEUE);

		builder_str(b, F_QUEUE_NAME, row, queue_table[i].name);
		builder_str(b, F_QUEUE_STATE, row, "Open:Active");
		builder_i64(b, F_QUEUE_PRIORITY, row, queue_table[i].priority);
		add_queue_hosts(b, d, row, i);
		add_past(b, d, row, i);
		builder_u32(b, F_QUEUE_RUNNING, row, q->used);
		builder_u32(b, F_QUEUE_PENDING, row, q->waiting);
		if (limit_of(d, i) != SLOTS_NO_LIMIT)
			builder_u32(b, F_QUEUE_JOB_LIMIT, row, limit_of(d, i));
		if (queue_table[i].pool == POOL_SIM_OUTSIDE)
			continue;
		builder_str(b, F_QUEUE_POOL, row, pool_table[queue_table[i].pool].name);
		builder_f64(b, F_QUEUE_SHARE, row, queue_table[i].share);
		builder_f64(b, F_QUEUE_ACCUMULATED, row, q->accumulated);
	}
}
