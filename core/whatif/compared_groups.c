/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns that compare: queues of pools, classes of jobs, parameters of the policy. */
#include <string.h>

#include "core/classes/classes_view.h"
#include "core/whatif/compared_private.h"
#include "core/share/model.h"
#include "core/pools/pools.h"

static const struct column *named(const struct column *columns, size_t count, const char *name)
{
	return column_find(columns, count, name, strlen(name));
}

/* The value in the base, what changes, and the places between: as each view has them. */
struct pair {
	const struct column *column;
	const void *base, *now;		/* contexts; base NULL: there is nothing to compare with */
	uint32_t base_row, row;
};

static void pair_base(const struct pair *p, struct value *out)
{
	out->kind = VALUE_UNKNOWN;
	if (p->base && p->base_row != ROW_NONE)
		column_get(p->column, p->base, p->base_row, out);
}

static void pair_change(const struct pair *p, struct value *out)
{
	struct value was = { .kind = VALUE_UNKNOWN }, is = { .kind = VALUE_UNKNOWN };

	pair_base(p, &was);
	if (was.kind != VALUE_UNKNOWN)
		column_get(p->column, p->now, p->row, &is);
	compared_difference(&was, &is, out);
}

/* Of ranks the smaller one is better. */
static void pair_places(const struct pair *p, struct value *out)
{
	struct value change = { .kind = VALUE_UNKNOWN };

	pair_change(p, &change);
	compared_places(change.kind == VALUE_INT ? (double)-change.integer : F64_UNKNOWN, out);
}

/* ---- pools --------------------------------------------------------------------------------- */

static struct pair pool_pair(const struct spot *spot, const char *name)
{
	const struct pools *p = spot->context;

	return (struct pair){ named(pools_columns, pools_columns_count, name), p->versus, p,
			      spot->row, spot->row };
}

static void pool_base(const struct spot *spot, const char *name, struct value *out)
{
	const struct pair pair = pool_pair(spot, name);

	pair_base(&pair, out);
}

static void pool_change(const struct spot *spot, const char *name, struct value *out)
{
	const struct pair pair = pool_pair(spot, name);

	pair_change(&pair, out);
}

PAIR(pool, priority)
PAIR(pool, share)
PAIR(pool, entitled)
PAIR(pool, allotted)
PAIR(pool, borrowed)
PAIR(pool, limit)

static void pool_base_allocation_order(const struct spot *spot, struct value *out)
{
	pool_base(spot, "allocation_order", out);
}

static void pool_base_dispatch_order(const struct spot *spot, struct value *out)
{
	pool_base(spot, "dispatch_order", out);
}

static void pool_allocation_change(const struct spot *spot, struct value *out)
{
	const struct pair pair = pool_pair(spot, "allocation_order");

	pair_places(&pair, out);
}

static void pool_rank_change(const struct spot *spot, struct value *out)
{
	const struct pair pair = pool_pair(spot, "dispatch_order");

	pair_places(&pair, out);
}

#define SLOTS .needs = NEED_PARTITIONS | NEED_HOSTS | NEED_JOBS

static const struct compared pools[] = {
	BASE(pool, priority, "Prio", .width = 6, .keep = 1),
	CHANGE(pool, priority, "Prio", .width = 6, .keep = 1),
	BASE(pool, share, "Share", .width = 5, .unit = UNIT_PERCENT, .keep = 1),
	CHANGE(pool, share, "Share", .width = 5, .unit = UNIT_PERCENT, .keep = 2),
	BASE(pool, entitled, "Ent", .width = 7, .keep = 2, SLOTS),
	CHANGE(pool, entitled, "Ent", .width = 8, .keep = 7, SLOTS, .only = ALL),
	BASE(pool, allotted, "Alt", .width = 7, .keep = 8, SLOTS, .only = ALL),
	CHANGE(pool, allotted, "Alt", .width = 8, .keep = 10, SLOTS, .only = ALL),
	BASE(pool, borrowed, "Bor", .width = 7, .keep = 1, SLOTS),
	CHANGE(pool, borrowed, "Bor", .width = 8, .keep = 1, SLOTS),
	{ { .name = "base_allocation_order", .title = "Alloc was", .width = 5, .keep = 1,
	    .legend = BASE_TEXT, .get = pool_base_allocation_order }, COMPARED_BASE,
	  "allocation_order" },
	{ { .name = "allocation_order_change", .title = "AMoves", .width = 6, .keep = 1,
	    .legend = "places gained when slots are handed out; negative: lost",
	    .get = pool_allocation_change }, COMPARED_RANK, "allocation_order" },
	{ { .name = "base_dispatch_order", .title = "Order was", .width = 5, .keep = 1,
	    .legend = BASE_TEXT, .get = pool_base_dispatch_order }, COMPARED_BASE,
	  "dispatch_order" },
	{ { .name = "rank_change", .title = "Moves", .width = 6, .keep = 9, .only = ALL,
	    .legend = "places gained when jobs are started; negative: lost",
	    .get = pool_rank_change }, COMPARED_RANK, "dispatch_order" },
	BASE(pool, limit, "Limit", .width = 6, .keep = 1, SLOTS),
	CHANGE(pool, limit, "Limit", .width = 6, .keep = 1, SLOTS),
};

/* ---- classes ------------------------------------------------------------------------------- */

static struct pair class_pair(const struct spot *spot, const char *name)
{
	const struct classes_data *d = spot->context;

	return (struct pair){ named(classes_columns, classes_columns_count, name), d->versus, d,
			      d->versus ? d->base_class[spot->row] : ROW_NONE, spot->row };
}

static void class_base(const struct spot *spot, const char *name, struct value *out)
{
	const struct pair pair = class_pair(spot, name);

	pair_base(&pair, out);
}

static void class_change(const struct spot *spot, const char *name, struct value *out)
{
	const struct pair pair = class_pair(spot, name);

	pair_change(&pair, out);
}

PAIR(class, jobs)
PAIR(class, waiting)
PAIR(class, running)
PAIR(class, users)

static void class_base_first_rank(const struct spot *spot, struct value *out)
{
	class_base(spot, "first_rank", out);
}

static void class_base_last_rank(const struct spot *spot, struct value *out)
{
	class_base(spot, "last_rank", out);
}

static void class_rank_change(const struct spot *spot, struct value *out)
{
	const struct pair pair = class_pair(spot, "first_rank");

	pair_places(&pair, out);
}

static void class_last_change(const struct spot *spot, struct value *out)
{
	const struct pair pair = class_pair(spot, "last_rank");

	pair_places(&pair, out);
}

#define JOBS .needs = NEED_JOBS | NEED_QOS | NEED_PARTITIONS | NEED_POLICY
#define RANKS JOBS | NEED_SHARES | NEED_LIMITS | NEED_PRIO | NEED_HOSTS

static const struct compared classes[] = {
	BASE(class, jobs, "Jobs", .width = 6, .keep = 60, JOBS),
	CHANGE(class, jobs, "Jobs", .width = 6, .keep = 171, JOBS, .only = ALL),
	BASE(class, waiting, "Wait", .width = 7, .keep = 59, JOBS),
	CHANGE(class, waiting, "Wait", .width = 7, .keep = 95, JOBS),
	BASE(class, running, "Run", .width = 7, .keep = 6, JOBS),
	CHANGE(class, running, "Run", .width = 7, .keep = 7, JOBS),
	BASE(class, users, "Users", .width = 5, .keep = 4, JOBS),
	CHANGE(class, users, "Users", .width = 5, .keep = 5, JOBS),
	{ { .name = "base_first_rank", .title = "First was", .width = 9, .keep = 182, RANKS,
	    .only = ALL, .legend = BASE_TEXT, .get = class_base_first_rank }, COMPARED_BASE,
	  "first_rank" },
	{ { .name = "rank_change", .title = "Moves", .width = 6, .keep = 240, RANKS, .only = ALL,
	    .legend = "places that its first job gains; negative: loses",
	    .get = class_rank_change }, COMPARED_RANK, "first_rank" },
	{ { .name = "base_last_rank", .title = "Last was", .width = 8, .keep = 80, RANKS,
	    .legend = BASE_TEXT, .get = class_base_last_rank }, COMPARED_BASE, "last_rank" },
	{ { .name = "last_rank_change", .title = "LMoves", .width = 6, .keep = 91, RANKS,
	    .legend = "places that its last job gains; negative: loses",
	    .get = class_last_change }, COMPARED_RANK, "last_rank" },
};

/* ---- policy -------------------------------------------------------------------------------- */

/* Those of seconds are seconds: what people read as 7-00:00:00 differs by a number, too. */
static void policy_difference(const struct spot *spot, struct value *out)
{
	const struct policy_view *view = spot->context;
	struct policy_view plain = *view;
	struct value was = { .kind = VALUE_UNKNOWN }, is = { .kind = VALUE_UNKNOWN };

	plain.for_people = false;
	column_get(named(policy_columns, policy_columns_count, "value"), &plain, spot->row, &was);
	if (view->what_if)
		column_get(named(policy_columns, policy_columns_count, "what_if"), &plain,
			   spot->row, &is);
	compared_difference(&was, &is, out);
	if (was.kind == VALUE_TEXT && is.kind == VALUE_TEXT && strcmp(was.text, is.text) != 0) {
		out->kind = VALUE_TEXT;
		out->text = "changed";
	}
}

static const struct compared policy[] = {
	{ { .name = "difference", .title = "Difference", .width = 10, .keep = 230, .only = ALL,
	    .needs = NEED_POLICY, .get = policy_difference,
	    .legend = "what the edits add; durations in seconds; flags 1 or -1" },
	  COMPARED_CHANGE, "what_if" },
};

const struct compared_table compared_pools = TABLE_OF(pools, "allotted_change");
const struct compared_table compared_classes = TABLE_OF(classes, "rank_change");
const struct compared_table compared_policy = TABLE_OF(policy, "difference");
