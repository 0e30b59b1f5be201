/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pools of a cluster, simulated. */
#include "core/pools/pools.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/pools/pool_sim.h"

static struct pool_sim_queue queue_of(const struct pools *p, uint32_t i,
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
		queues[i] = queue_of(p, i, &traffic[i]);
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
