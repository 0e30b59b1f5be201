/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/pools/pools.h"

static const struct pools *pools_of(const struct position *pos)
{
	return pos->context;
}

static const struct pools_queue *pools_queue_at(const struct position *pos)
{
	const struct pools *p = pos->context;

	return &p->queues[p->members[pos->row]];
}

static const struct slots_queue *slots_at(const struct position *pos)
{
	return pools_slots(pools_of(pos), pools_of(pos)->members[pos->row]);
}

static void pools_set_count(struct value *out, uint32_t x)
{
	value_set_int(out, x >= U32_UNKNOWN ? I64_UNKNOWN : x);
}

static void pools_get_pool(const struct position *pos, struct value *out)
{
	const struct pools_queue *q = pools_queue_at(pos);

	/* An empty name is known: value_set_text() would make it unknown. */
	out->kind = q->pool == POOLS_NONE ? VALUE_UNKNOWN : VALUE_TEXT;
	if (q->pool != POOLS_NONE)
		out->text = pools_of(pos)->pools[q->pool].name;
}

static void get_queue(const struct position *pos, struct value *out)
{
	out->kind = VALUE_TEXT;
	out->text = pools_queue_at(pos)->name;
}

static void pools_get_priority(const struct position *pos, struct value *out)
{
	value_set_int(out, pools_queue_at(pos)->priority);
}

static void pools_get_count(const struct position *pos, struct value *out)
{
	pools_set_count(out, *(const uint32_t *)POSITION_MEMBER(pos, pools_queue_at(pos)));
}

/* This cycle's slots; unknown outside pools. */
static void get_slots(const struct position *pos, struct value *out)
{
	const struct slots_queue *s = slots_at(pos);

	pools_set_count(out, s ? *(const uint32_t *)POSITION_MEMBER(pos, s) : U32_UNKNOWN);
}

static void get_borrowed(const struct position *pos, struct value *out)
{
	const struct pools_queue *q = pools_queue_at(pos);
	const struct slots_queue *slots = slots_at(pos);

	if (!slots || slots->allotted == U32_UNKNOWN)
		pools_set_count(out, U32_UNKNOWN);
	else
		value_set_int(out, (int64_t)q->borrowed - (int64_t)q->lent);
}

static void get_accumulated(const struct position *pos, struct value *out)
{
	value_set_real(out, pools_queue_at(pos)->accumulated);
}

static void get_allocation_order(const struct position *pos, struct value *out)
{
	const struct slots_queue *s = slots_at(pos);

	pools_set_count(out, s ? s->order + 1 : U32_UNKNOWN);
}

static void get_dispatch_order(const struct position *pos, struct value *out)
{
	pools_set_count(out, pools_queue_at(pos)->dispatch + 1);
}

#define NEEDS (NEED_PARTITIONS | NEED_HOSTS | NEED_JOBS)

const struct column pools_columns[] = {
	{ .name = "pool", .title = "Pool", .legend = "pool of the queue; unknown outside pools",
	  .width = 12, .keep = 9, .left = true, .only = ALWAYS, .get = pools_get_pool },
	{ .name = "queue", .title = "Queue", .legend = "queue, or Slurm partition",
	  .width = 16, .keep = 10, .left = true, .only = ALWAYS, .get = get_queue },
	{ .name = "priority", .title = "Prio", .legend = "queue priority, larger is more important",
	  .width = 6, .keep = 5, .only = ALWAYS, .get = pools_get_priority,
	  .changes = { .shape = { NULL, 6, 1, 6, 1 }, .edit = true } },
	{ .name = "share", .title = "Share", .legend = "SLOT_SHARE", .unit = UNIT_PERCENT,
	  .width = 5, .keep = 8, .only = ALWAYS, .get = get_slots,
	  .which = offsetof(struct slots_queue, share),
	  .changes = { .shape = { NULL, 5, 1, 5, 2 }, .edit = true } },
	{ .name = "entitled", .title = "Entitled",
	  .legend = "slots: share of the whole pool, rounded up, before cuts", .width = 8,
	  .keep = 6, .needs = NEEDS, .only = ALWAYS, .get = get_slots,
	  .which = offsetof(struct slots_queue, entitled),
	  .changes = { .shape = { "Ent", 7, 2, 8, 7 }, .only = ALWAYS } },
	{ .name = "allotted", .title = "Allotted",
	  .legend = "slots in this cycle, after all rounds", .width = 8, .keep = 8, .needs = NEEDS,
	  .only = ALWAYS, .get = get_slots, .which = offsetof(struct slots_queue, allotted),
	  .changes = { .shape = { "Alt", 7, 8, 8, 10 }, .base_only = ALWAYS, .only = ALWAYS } },
	{ .name = "used", .title = "Used", .legend = "slots in use", .width = 6, .keep = 9,
	  .needs = NEEDS, .only = ALWAYS, .get = pools_get_count,
	  .which = offsetof(struct pools_queue, used), .changes.none = true },
	{ .name = "pending", .title = "Pending", .legend = "slots requested by pending jobs",
	  .width = 7, .keep = 7, .needs = NEEDS, .only = ALWAYS, .get = pools_get_count,
	  .which = offsetof(struct pools_queue, pending), .changes.none = true },
	{ .name = "borrowed", .title = "Borrowed",
	  .legend = "slots gained after round 1; negative: left to others",
	  .width = 8, .keep = 4, .needs = NEEDS, .only = ALWAYS, .get = get_borrowed,
	  .changes.shape = { "Bor", 7, 1, 8, 1 } },
	{ .name = "accumulated", .title = "Accum",
	  .legend = "decayed slot-hours used; fewer per share comes first",
	  .format = COLUMN_SI, .width = 9, .decimals = 2, .keep = 3, .only = ALWAYS,
	  .get = get_accumulated, .changes.none = true },
	{ .name = "allocation_order", .title = "Alloc", .rises = true,
	  .legend = "rank in its pool when slots are allotted, 1 first",
	  .width = 5, .keep = 2, .only = ALWAYS, .get = get_allocation_order,
	  .changes = { .shape = { NULL, 5, 1, 6, 1 }, .places = true, .heading = "AMoves",
		       .legend = "ranks gained when slots are allotted; negative: lost" } },
	{ .name = "dispatch_order", .title = "Order", .rises = true,
	  .legend = "rank among all queues when jobs are started, 1 first",
	  .width = 5, .keep = 2, .only = ALWAYS, .get = get_dispatch_order,
	  .changes = { .shape = { NULL, 5, 1, 6, 9 }, .only = ALWAYS, .places = true,
		       .name = "rank_change", .heading = "Moves",
		       .legend = "ranks gained when jobs are started; negative: lost" } },
	{ .name = "limit", .title = "Limit", .legend = "smallest job limit that applies, in slots",
	  .width = 6, .keep = 1, .needs = NEEDS, .only = ALWAYS, .get = pools_get_count,
	  .which = offsetof(struct pools_queue, limit),
	  .changes = { .shape = { NULL, 6, 1, 6, 1 }, .edit = true } },
};
const size_t pools_columns_count = sizeof(pools_columns) / sizeof(pools_columns[0]);

struct view pools_view(const struct pools *p)
{
	return view_of("pools", pools_columns, pools_columns_count, p, p ? p->queue_count : 0);
}
