/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The demo as a whole, and the queue pools simulated beside its jobs. */
#include "adapters/demo/demo_state.h"

#include "adapters/snapshot/snapshot.h"
#include "core/cluster/cluster_copy.h"
#include "core/base/mem.h"
#include "core/pools/pools.h"

#define PAST_SAMPLES (DEMO_PAST / DEMO_PAST_EVERY + 1)

extern const char embed_demo_snapshot[];
extern const size_t embed_demo_snapshot_len;

/* Per queue of the data: percent of its slots, run times, index of its pool. */
static const struct pools_traffic traffic[] = {
	{ 42, 300, 1800, 0 },		/* short */
	{ 36, 1800, 10800, 0 },		/* normal */
	{ 25, 7200, 43200, 0 },		/* long */
	{ 5, 600, 7200, 0 },		/* interactive */
	{ 62, 7200, 28800, 1 },		/* train */
	{ 24, 300, 1200, 1 },		/* infer */
	{ 20, 1800, 7200, 1 },		/* tune */
	{ 4, 900, 3600, 1 },		/* scavenger */
};

/* When the demo begins, the pools have already run for a day. */
static void begin_pools(struct demo *d)
{
	struct pools *pools = pools_new(d->data, NULL, false, NULL, NULL);

	pool_sim_free(d->pools);
	d->pools = pools_simulate(pools, traffic, &(struct pool_sim_options){
		.cycle = 60, .remember = DEMO_PAST + DEMO_PAST_EVERY, .seed = d->options.seed });
	pools_free(pools);
	demo_advance(d, 0);
}

struct demo *demo_new(const struct demo_options *options)
{
	struct demo *d = mem_zalloc(1, sizeof(*d));

	d->options = *options;
	d->data = snapshot_parse(embed_demo_snapshot, embed_demo_snapshot_len, NULL);
	d->start = d->now = d->last_pass = cluster_meta(d->data)->time;
	people_begin(d);
	life_begin(d);
	begin_pools(d);
	return d;
}

void demo_rewind(struct demo *d, int64_t seconds)
{
	past_back(d, seconds);
	begin_pools(d);
}

void demo_advance(struct demo *d, int64_t seconds)
{
	for (int64_t until = d->now + seconds; d->now + DEMO_CYCLE <= until;)
		life_cycle(d);
	pool_sim_advance(d->pools, d->now - d->start + DEMO_PAST - pool_sim_time(d->pools));
}

void demo_free(struct demo *d)
{
	if (!d)
		return;
	pool_sim_free(d->pools);
	placement_free(d->placement);
	mem_free(d->jobs);
	builder_free(d->queue);
	mem_free(d->users);
	mem_free(d->fairshare);
	assoc_load_free(d->load);
	cluster_free(overlay_seal(d->live));
	cluster_free(d->data);
	mem_free(d);
}

struct cluster *demo_picture(const struct demo *d, struct err *err)
{
	struct cluster *queue = builder_picture(d->queue, NULL);
	const int64_t lived = pool_sim_time(d->pools);
	struct builder *b;

	overlay_meta(d->live)->time = d->now;
	overlay_meta(d->live)->last_decay = d->last_pass;
	b = cluster_copy(d->people);
	builder_append(b, queue, TABLE_JOB, 0, cluster_rows(queue, TABLE_JOB));
	cluster_free(queue);
	placement_set(d->placement, b);
	assoc_load_set(d->load, b, d->now);
	pools_simulate_set(d->pools, b, d->start - DEMO_PAST, DEMO_PAST_EVERY, (uint32_t)(lived /
			   DEMO_PAST_EVERY < PAST_SAMPLES ? lived / DEMO_PAST_EVERY + 1 :
			   PAST_SAMPLES));
	return builder_seal(b, err);
}
