/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explains slots by the grants of the allocation itself, one by one. */
#include <stdio.h>

#include "core/base/format.h"
#include "core/pools/pools.h"

static const char *explain_pools_limit_name(const struct pools_queue *q)
{
	return pools_limit_names[q->limited_by];
}

static const char *cut_text(const struct slots_grant *g, const struct pools_queue *q)
{
	switch (g->cut) {
	case SLOTS_CUT_NEED:
		return "cut: it has no more work";
	case SLOTS_CUT_LIMIT:
		return explain_pools_limit_name(q);
	case SLOTS_CUT_LEFT:
		return "cut: the pool has no more slots left in this round";
	case SLOTS_FULL:
		break;
	}
	return "";
}

/* ---- the pool ------------------------------------------------------------------------------ */

static void explain_pools_explain_size(const struct pools *p, const struct pools_pool *pool,
				       struct explain *e)
{
	const struct slots_pool *s = &pool->slots;
	struct explain_step *step = explain_add(e, "host_slots", s->host_slots, NULL);

	explain_note(step, "slot limits of the pool's %u %s, each host counted once%s%s",
		     (unsigned)(pool->host_count < U32_UNKNOWN ? pool->host_count : 0),
		     pool->host_count == 1 ? "host" : "hosts",
		     pool->hosts_unknown ? "; some hosts have no known limit" : "",
		     pool->hosts_differ ? "; queues differ in hosts, those of the first count"
					: "");
	step = explain_add(e, "foreign", s->foreign, NULL);
	explain_note(step,
		     "slots in use there by others (%u %s outside the pool may run there)%s",
		     (unsigned)pool->foreign_rows, pool->foreign_rows == 1 ? "queue" : "queues",
		     pool->foreign_vague ? "; some of them may run elsewhere" : "");
	step = explain_add(e, "pool_slots", s->size, NULL);
	if (s->max_slots == SLOTS_NO_LIMIT) {
		explain_formula(step, "max(0, host_slots - foreign)");
		explain_with(step, "max(0, %u - %u)", (unsigned)s->host_slots,
			     (unsigned)s->foreign);
	} else {
		explain_formula(step, "min(max(0, host_slots - foreign), MAX_SLOTS_IN_POOL)");
		explain_with(step, "min(max(0, %u - %u), %u)", (unsigned)s->host_slots,
			     (unsigned)s->foreign, (unsigned)s->max_slots);
		if (s->size == s->max_slots)
			explain_note(step, "jobs beyond it wait with reason 5950, "
				     "MAX_SLOTS_IN_POOL is reached");
	}
	(void)p;
}

/* Explains grant G of queue Q; NAME is the step's name. */
static void explain_grant(const struct pools_pool *pool, const struct pools_queue *q,
			  const struct slots_grant *g, const char *name, struct explain *e)
{
	const struct slots_queue *s = &pool->slots.queues[g->queue];
	uint32_t can_use = s->demand < s->limit ? s->demand : s->limit;
	struct explain_step *step = explain_add(e, name, g->granted, NULL);
	bool by_priority = g->round > 1 && pool->slots.use_priority;
	char more[32];

	if (g->cut == SLOTS_CUT_NEED || g->cut == SLOTS_CUT_LIMIT)
		snprintf(more, sizeof(more), "%u", (unsigned)g->granted);
	else
		snprintf(more, sizeof(more), can_use == INT32_MAX ? "unlimited" : "enough");
	if (by_priority) {
		explain_formula(step, "min(left, can still use)");
		explain_with(step, "min(%u, %s)", (unsigned)g->left, more);
	} else {
		explain_formula(step, "min(ceil(base * share / 100), left, can still use)");
		explain_with(step, "min(ceil(%u * %u / 100), %u, %s)", (unsigned)g->base,
			     (unsigned)s->share, (unsigned)g->left, more);
	}
	if (g->cut == SLOTS_CUT_LIMIT)
		explain_note(step, "cut by %s", cut_text(g, q));
	else if (g->cut != SLOTS_FULL)
		explain_note(step, "up to %u; %s", (unsigned)g->deserved, cut_text(g, q));
	else if (by_priority)
		explain_note(step, "USE_PRIORITY_IN_POOL: the rest is allotted by PRIORITY");
}

/* ---- one queue ----------------------------------------------------------------------------- */

/* VAGUE: its demand is unknown, and none is assumed. APART: pools_without_jobs(). */
static void explain_can_use(const struct pools_queue *q, bool vague, bool apart, struct explain *e)
{
	struct explain_step *step;
	double used = q->used < U32_UNKNOWN ? q->used : F64_UNKNOWN;
	double pending = q->pending < U32_UNKNOWN ? q->pending : F64_UNKNOWN;

	step = explain_add(e, "used", used, NULL);
	explain_note(step, f64_known(used) && apart ?
		     "slots in use, as reported: no job of this queue was read" :
		     f64_known(used) ? "slots in use" :
		     vague ? "unknown" : "unknown: taken as 0");
	step = explain_add(e, "pending", pending, NULL);
	explain_note(step, f64_known(pending) ? "slots requested by pending jobs" :
		     vague ? "unknown" : "unknown: taken as unlimited work");
	if (q->limit != SLOTS_NO_LIMIT) {
		step = explain_add(e, "limit", q->limit, NULL);
		explain_note(step, "%s, the smallest that applies", explain_pools_limit_name(q));
	}
	if (vague || !f64_known(pending))
		return;
	used = f64_known(used) ? used : 0;
	step = explain_add(e, "can_use", q->limit < used + pending ? q->limit : used + pending,
			   NULL);
	explain_formula(step, q->limit == SLOTS_NO_LIMIT ? "used + pending" :
			"min(used + pending, limit)");
	if (q->limit == SLOTS_NO_LIMIT)
		explain_with(step, "%u + %u", (unsigned)used, (unsigned)pending);
	else
		explain_with(step, "min(%u + %u, %u)", (unsigned)used, (unsigned)pending,
			     (unsigned)q->limit);
}

static void explain_order(const struct pools *p, const struct pools_queue *q,
			  const struct slots_queue *s, struct explain *e)
{
	const struct pools_pool *pool = &p->pools[q->pool];
	char list[EXPLAIN_TEXT_MAX] = "";
	struct explain_step *step = explain_add(e, "allocation_order", s->order + 1, NULL);

	for (uint32_t i = 0; i < pool->slots.count; i++) {
		uint32_t queue = p->members[pool->first + pool->slots.order[i]];

		format_append(list, sizeof(list), "%s%s", i ? " -> " : "", p->queues[queue].name);
	}
	explain_formula(step, "rank by accumulated / share, then PRIORITY, then file order");
	if (f64_known(q->accumulated))
		explain_with(step, "%.6g / %u = %.6g", q->accumulated, (unsigned)s->share,
			     q->accumulated / s->share);
	explain_note(step, "%s%s", list, f64_known(q->accumulated) ? "" :
		     "; no earlier samples, or HIST_HOURS is unknown: accumulated is unknown "
		     "and taken as 0");
}

static void explain_dispatch(const struct pools *p, const struct pools_queue *q, struct explain *e)
{
	struct explain_step *step = explain_add(e, "dispatch_order", q->dispatch + 1, NULL);

	explain_formula(step, p->grouped ? "rank by pool as one block, PRIORITY, file order" :
			"rank by PRIORITY, then file order");
	explain_with(step, "PRIORITY %lld, rank %u of %u", (long long)q->priority,
		     (unsigned)q->dispatch + 1, (unsigned)p->queue_count);
	explain_note(step, q->pool == POOLS_NONE ?
		     "outside pools: starts as many jobs as hosts and its limits allow" :
		     "starts jobs until its allotted slots are in use");
}

void pools_explain_queue(const struct pools *p, uint32_t queue, struct explain *e)
{
	const struct pools_queue *q = &p->queues[queue];
	const struct slots_queue *s = pools_slots(p, queue);
	const struct pools_pool *pool;
	struct explain_step *step;
	uint32_t allotted;

	explain_can_use(q, s && s->allotted == U32_UNKNOWN, pools_without_jobs(p, queue), e);
	if (!s) {
		explain_dispatch(p, q, e);
		return;
	}
	pool = &p->pools[q->pool];
	explain_pools_explain_size(p, pool, e);
	step = explain_add(e, "entitled", s->entitled, "ceil(pool_slots * share / 100)");
	explain_with(step, "ceil(%u * %u / 100)", (unsigned)pool->slots.size, (unsigned)s->share);
	explain_order(p, q, s, e);
	for (size_t i = 0; i < pool->grant_count; i++) {
		char name[32];

		if (pool->grants[i].queue != q->slot)
			continue;
		snprintf(name, sizeof(name), "round %u", (unsigned)pool->grants[i].round);
		explain_grant(pool, q, &pool->grants[i], name, e);
	}
	step = explain_add(e, "allotted", s->allotted == U32_UNKNOWN ? F64_UNKNOWN : s->allotted,
			   "sum of the rounds");
	allotted = p->config ? U32_UNKNOWN : cluster_u32(p->cluster, F_QUEUE_ALLOTTED, q->row);
	if (allotted < U32_UNKNOWN)
		explain_note(step, "LSF's dispatcher log has %u", (unsigned)allotted);
	explain_dispatch(p, q, e);
}

void pools_explain_pool(const struct pools *p, uint32_t k, struct explain *e)
{
	const struct pools_pool *pool = &p->pools[k];
	struct explain_step *step;

	explain_pools_explain_size(p, pool, e);
	for (size_t i = 0; i < pool->grant_count; i++) {
		const struct slots_grant *g = &pool->grants[i];
		const struct pools_queue *q = &p->queues[p->members[pool->first + g->queue]];
		char name[32];

		snprintf(name, sizeof(name), "round %u %.20s", (unsigned)g->round, q->name);
		explain_grant(pool, q, g, name, e);
	}
	if (pool->slots.idle == U32_UNKNOWN) {
		explain_note(explain_add(e, "idle", F64_UNKNOWN, NULL),
			     "the slots its queues can use are unknown");
		return;
	}
	step = explain_add(e, "idle", pool->slots.idle, NULL);
	explain_note(step, pool->slots.idle == 0 ? "all slots are allotted" :
		     pool->slots.strict ? "strict: slots left after round 1 stay idle" :
		     "no queue in the pool can use them; queues outside may");
}
