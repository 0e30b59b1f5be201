/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers that a user of Fair Tree can have, given bounds of each level_fs.
 *
 * Two siblings have a definite order if their bounds do not overlap, and are tied if both are the
 * same single number (inf of the unused, 0 without shares); else their order, and whether they are
 * tied, is open. Users who are certainly above at some step of the way down come before; those who
 * may be above may. A number shared in a tie belongs to somebody who is not certainly above, so it
 * lies between the two, too.
 */
#include "core/verify/verify_private.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/table/order.h"

/* Orders of the members of one family. */
struct family_order {
	struct order_item *high, *low;	/* by upper and lower bound, the largest first */
	uint32_t *above_high, *above_low;	/* users before each, one extra at the end */
	uint32_t count;
};

struct verify_ranking {
	const struct fs_tree *tree;
	const struct bounds *level;
	uint32_t *users;	/* users at and below a row */
	uint32_t *surely, *maybe;	/* users before a row */
	bool *open;		/* is the number of a row open? */
	bool *within;		/* is an order open below a row? */
	struct family_order order;
	struct order_item *spare;
};

static double least_of(const struct verify_ranking *r, uint32_t i)
{
	return isnan(r->level->lo[i]) ? 0 : r->level->lo[i];
}

static double ranks_most_of(const struct verify_ranking *r, uint32_t i)
{
	return isnan(r->level->hi[i]) ? INFINITY : r->level->hi[i];
}

static void ranks_count_users(struct verify_ranking *r)
{
	const struct fs_tree *t = r->tree;

	for (uint32_t i = t->n; i-- > 1;) {
		r->users[i] += t->is_user[i];
		if (!t->detached || !t->detached[i])
			r->users[t->fs_parent[i]] += r->users[i];
	}
}

static void sum_users(const struct verify_ranking *r, const struct order_item *items,
		      uint32_t count, uint32_t *before)
{
	before[0] = 0;
	for (uint32_t j = 0; j < count; j++)
		before[j + 1] = before[j] + r->users[items[j].row];
}

static void sort_family(struct verify_ranking *r, uint32_t f)
{
	const struct fs_tree *t = r->tree;
	struct family_order *o = &r->order;

	o->count = t->family_first[f + 1] - t->family_first[f];
	for (uint32_t j = 0; j < o->count; j++) {
		uint32_t i = t->members[t->family_first[f] + j];

		o->high[j] = (struct order_item){ order_key(ranks_most_of(r, i)), i, 0 };
		o->low[j] = (struct order_item){ order_key(least_of(r, i)), i, 0 };
	}
	order_sort(o->high, r->spare, o->count);
	order_sort(o->low, r->spare, o->count);
	sum_users(r, o->high, o->count, o->above_high);
	sum_users(r, o->low, o->count, o->above_low);
}

/* How many items have a larger number than X, or, with EQUAL, one at least as large. */
static uint32_t count_larger(const struct order_item *items, uint32_t count, double x, bool equal)
{
	uint64_t key = order_key(x);
	uint32_t from = 0, to = count;

	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (items[middle].key < key || (equal && items[middle].key == key))
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Is I's range the single number X? */
static bool is_exact(const struct verify_ranking *r, uint32_t i, double x)
{
	return least_of(r, i) == x && ranks_most_of(r, i) == x;
}

/* Members tied with I, if it is known exactly: their number, users, and LOOSE accounts. */
struct ties {
	uint32_t members, users, loose;	/* LOOSE: accounts with an open order within */
};

static struct ties ties_of(const struct verify_ranking *r, uint32_t i)
{
	const struct family_order *o = &r->order;
	double x = ranks_most_of(r, i);
	struct ties ties = { 0, 0, 0 };

	if (!is_exact(r, i, x))
		return (struct ties){ 1, r->tree->is_user[i], 0 };
	for (uint32_t j = count_larger(o->high, o->count, x, false);
	     j < o->count && o->high[j].key == order_key(x); j++) {
		uint32_t row = o->high[j].row;

		if (!is_exact(r, row, x))
			continue;
		ties.members++;
		ties.users += r->tree->is_user[row];
		ties.loose += r->within[row];
	}
	return ties;
}

/* Is the order of two members of the sorted family open? */
static bool family_is_open(const struct verify_ranking *r)
{
	const struct family_order *o = &r->order;
	double lowest = INFINITY, highest = INFINITY;

	for (uint32_t j = 0; j < o->count; j++) {
		double lo = least_of(r, o->high[j].row), hi = ranks_most_of(r, o->high[j].row);

		if (j > 0 && hi >= lowest && !(lo == hi && lo == lowest && hi == highest))
			return true;
		lowest = fmin(lowest, lo);
		highest = hi;
	}
	return false;
}

static void find_open_orders(struct verify_ranking *r)
{
	const struct fs_tree *t = r->tree;

	for (uint32_t f = t->families - t->orphans; f-- > 0;) {
		bool open;

		sort_family(r, f);
		open = family_is_open(r);
		for (uint32_t j = 0; j < r->order.count; j++)
			open = open || r->within[r->order.high[j].row];
		r->within[t->family_row[f]] = open;
	}
}

/* Places the members of a family whose account is placed. */
static void place_family(struct verify_ranking *r, uint32_t f)
{
	const struct family_order *o = &r->order;
	uint32_t p = r->tree->family_row[f];
	struct ties ties = { 0, 0, 0 };
	double tied = F64_UNKNOWN;

	sort_family(r, f);
	for (uint32_t j = 0; j < o->count; j++) {
		uint32_t i = o->high[j].row;
		double lo = least_of(r, i), hi = ranks_most_of(r, i);
		uint32_t surely = count_larger(o->low, o->count, hi, false);
		uint32_t maybe = count_larger(o->high, o->count, lo, true);

		/* Members with equal exact levels share one count of ties. */
		if (lo != hi || hi != tied)
			ties = ties_of(r, i);
		tied = lo == hi ? hi : F64_UNKNOWN;
		r->surely[i] = r->surely[p] + o->above_low[surely];
		r->maybe[i] = r->maybe[p] + o->above_high[maybe] -
			      (r->tree->is_user[i] ? ties.users : r->users[i]);
		r->open[i] = r->open[p] || ties.loose != 0 || surely + ties.members != maybe;
	}
}

static void set_ranks(const struct verify_ranking *r, const struct fs_result *fs,
		      struct bounds *ranks)
{
	const struct fs_tree *t = r->tree;

	for (uint32_t i = 0; i < t->n; i++) {
		ranks->lo[i] = ranks->hi[i] = F64_UNKNOWN;
		if (!t->is_user[i] || (t->detached && t->detached[i]))
			continue;
		if (!r->open[i] && fs->tree_rank[i] != U32_UNKNOWN) {
			ranks->lo[i] = ranks->hi[i] = fs->tree_rank[i];
			continue;
		}
		ranks->lo[i] = (double)t->users - r->maybe[i];
		ranks->hi[i] = (double)t->users - r->surely[i];
	}
}

void bounds_ranks(const struct fs_tree *t, const struct bounds *level, const struct fs_result *fs,
		  struct bounds *ranks)
{
	uint32_t *numbers = mem_zalloc((size_t)t->n + 1, 5 * sizeof(*numbers));
	struct order_item *items = mem_alloc(t->n, 3 * sizeof(*items));
	bool *flags = mem_zalloc(t->n, 2 * sizeof(bool));
	size_t step = (size_t)t->n + 1;
	struct verify_ranking r = {
		.tree = t, .level = level, .users = numbers, .surely = numbers + step,
		.maybe = numbers + 2 * step, .open = flags, .within = flags + t->n,
		.order = { .high = items, .low = items + t->n, .above_high = numbers + 3 * step,
			   .above_low = numbers + 4 * step },
		.spare = items + 2 * (size_t)t->n,
	};

	ranks_count_users(&r);
	find_open_orders(&r);
	for (uint32_t f = 0; f < t->families - t->orphans; f++)
		place_family(&r, f);
	set_ranks(&r, fs, ranks);
	MEM_FREE(flags, items, numbers);
}

/* ---- all numbers together ------------------------------------------------------------------ */

/* Is RANK divided by USERS possible within REPORTED? */
static bool ranks_is_meant(double rank, uint32_t users, const struct bounds *reported, uint32_t i)
{
	double f = rank / users;

	return f * (1 + 1e-12) >= reported->lo[i] && f * (1 - 1e-12) <= reported->hi[i];
}

/* The ranked users, the highest F first; *COUNT. NULL if an F is unknown. */
static struct order_item *sort_users(const struct fs_tree *t, const struct bounds *reported,
				     const bool *left_out, uint32_t *count, uint32_t *users)
{
	struct order_item *items = mem_alloc(t->n, 2 * sizeof(*items));

	*count = 0;
	*users = t->users;
	for (uint32_t i = 1; i < t->n; i++) {
		if (!t->is_user[i])
			continue;
		if (left_out && left_out[i]) {
			*users -= 1;
			continue;
		}
		if (t->detached && t->detached[i])
			continue;
		if (isnan(reported->lo[i])) {
			mem_free(items);
			return NULL;
		}
		items[(*count)++] = (struct order_item){ order_key(reported->hi[i]), i, 0 };
	}
	order_sort(items, items + t->n, *count);
	return items;
}

uint32_t ranks_find_gap(const struct fs_tree *t, const struct bounds *reported,
			const bool *left_out)
{
	uint32_t count, users, found = ROW_NONE;
	struct order_item *items = sort_users(t, reported, left_out, &count, &users);
	double rank = users;

	for (uint32_t k = 0; items && k < count && found == ROW_NONE; k++) {
		if (ranks_is_meant((double)users - k, users, reported, items[k].row))
			rank = (double)users - k;
		else if (!ranks_is_meant(rank, users, reported, items[k].row))
			found = items[k].row;
	}
	mem_free(items);
	return found;
}
