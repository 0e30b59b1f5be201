/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/cycle_queues.h"

#include "core/base/mem.h"

static bool cycle_queues_backfills(const struct cluster *c)
{
	const uint32_t *depth = cluster_col_u32(c, F_QUEUE_BACKFILL_DEPTH);
	uint32_t q = 0, n = depth ? cluster_rows(c, TABLE_QUEUE) : 0;

	while (q < n && (depth[q] == U32_UNKNOWN || depth[q] == 0))
		q++;
	return q < n || (cluster_policy(c)->backfill && cluster_policy(c)->backfill_depth > 0);
}

bool cycle_plans(const struct cluster *c)
{
	return policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_PBS &&
	       cluster_policy(c)->strict_ordering && cycle_queues_backfills(c);
}

static enum cycle_stop stop_of(const struct policy *p, bool plans, uint32_t depth)
{
	if (p->strict_fifo)
		return CYCLE_STOP_QUEUE;
	if (!p->strict_ordering)
		return CYCLE_STOP_NONE;
	return !plans ? CYCLE_STOP_ALL : depth == 0 ? CYCLE_STOP_QUEUE : CYCLE_STOP_NONE;
}

struct cycle_queue *cycle_queues_new(const struct cluster *c)
{
	const uint32_t *depth = cluster_col_u32(c, F_QUEUE_BACKFILL_DEPTH);
	struct cycle_queue *queues = mem_alloc(CYCLE_QUEUES(c), sizeof(*queues));
	bool plans = cycle_plans(c);

	for (uint32_t q = 0; q < CYCLE_QUEUES(c); q++) {
		uint32_t own = depth && q < CYCLE_NO_QUEUE(c) ? depth[q] : U32_UNKNOWN;

		queues[q].depth = plans ? own : U32_UNKNOWN;
		queues[q].stop = stop_of(cluster_policy(c), plans, own);
	}
	queues[CYCLE_RESERVED(c)].stop = CYCLE_STOP_NONE;
	return queues;
}
