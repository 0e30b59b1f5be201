/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a what-if changes in pools and in classes; the values are those of their own columns. */
#include <string.h>

#include "core/base/mem.h"
#include "core/whatif/whatif_view.h"

static double value_of(const struct view *view, const struct column *column, uint32_t row)
{
	struct value v = { .kind = VALUE_UNKNOWN };

	if (row == ROW_NONE)
		return F64_UNKNOWN;
	column_get(column, view->context, row, &v);
	return v.kind == VALUE_REAL ? v.real : v.kind == VALUE_INT ? (double)v.integer :
								     F64_UNKNOWN;
}

struct groups {
	struct view base, now;
	const char *const *columns;	/* NULL-ended */
	const char *rank;		/* the column whose smaller values are better */
	uint8_t kind;
};

static const struct column *find(const struct groups *c, const char *name)
{
	return column_find(c->now.columns, c->now.column_count, name, strlen(name));
}

static void put_rows(struct whatif_diff *d, const struct whatif_side *s, const struct groups *c,
		     uint32_t base, uint32_t now, bool only_changed)
{
	const struct column *rank = find(c, c->rank);
	double change = value_of(&c->base, rank, base) - value_of(&c->now, rank, now);

	for (size_t i = 0; c->columns[i]; i++) {
		const struct column *column = find(c, c->columns[i]);
		struct whatif_row row = { .side = s, .kind = c->kind, .column = c->columns[i],
					  .base_row = base, .row = now, .rank_change = change };

		row.base = value_of(&c->base, column, base);
		row.value = value_of(&c->now, column, now);
		if (!f64_known(row.base) && !f64_known(row.value))
			continue;
		/* Who only moves is told once, where the rank is. */
		if (strcmp(column->name, c->rank) != 0 && only_changed && row.base == row.value)
			continue;
		whatif_diff_put(d, only_changed, row);
	}
}

/* The row of P with the queue of that name; ROW_NONE. */
static uint32_t queue_row(const struct pools *p, const char *name)
{
	for (uint32_t i = 0; i < p->queue_count; i++) {
		if (strcmp(p->queues[p->members[i]].name, name) == 0)
			return i;
	}
	return ROW_NONE;
}

static const char *queue_name(const struct pools *p, uint32_t row)
{
	return p->queues[p->members[row]].name;
}

void whatif_diff_pools(struct whatif_diff *d, const struct whatif_side *s, bool only_changed)
{
	static const char *const columns[] = { "priority", "share", "entitled", "allotted",
					       "borrowed", "allocation_order", "dispatch_order",
					       "limit", NULL };
	struct groups c = { pools_view(s->base_pools), pools_view(s->pools), columns,
			      "dispatch_order", WHATIF_POOL };

	for (uint32_t i = 0; i < c.now.rows; i++)
		put_rows(d, s, &c, queue_row(s->base_pools, queue_name(s->pools, i)), i,
			 only_changed);
	for (uint32_t i = 0; i < c.base.rows; i++) {
		if (queue_row(s->pools, queue_name(s->base_pools, i)) == ROW_NONE)
			put_rows(d, s, &c, i, ROW_NONE, only_changed);
	}
}

/* ---- classes -------------------------------------------------------------------------------- */

/* By class of the base, is it the same as one of NOW? */
static bool *still_there(const struct whatif_side *s, const uint32_t *same)
{
	bool *there = mem_zalloc(s->base_classes->classes->count, sizeof(*there));

	for (uint32_t k = 0; k < s->classes->classes->count; k++) {
		if (same[k] != ROW_NONE)
			there[same[k]] = true;
	}
	return there;
}

void whatif_diff_classes(struct whatif_diff *d, const struct whatif_side *s, bool only_changed)
{
	static const char *const columns[] = { "jobs", "waiting", "running", "users", "first_rank",
					       "last_rank", NULL };
	uint32_t *same = classes_same(s->base_classes, s->classes);
	bool *there = still_there(s, same);
	struct groups c = { classes_view(s->base_classes), classes_view(s->classes), columns,
			      "first_rank", WHATIF_CLASS };

	for (uint32_t k = 0; k < c.now.rows; k++)
		put_rows(d, s, &c, same[k], k, only_changed);
	for (uint32_t k = 0; k < c.base.rows; k++) {
		if (!there[k])
			put_rows(d, s, &c, k, ROW_NONE, only_changed);
	}
	mem_free(same);
	mem_free(there);
}
