/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fair Tree. Source: priority/multifactor/fair_tree.c; spec of fair share, 4.
 *
 * Among siblings level_fs = S / U, where S is the part of the siblings' shares and U the part of
 * the parent's usage. The tree is walked from the root, the best sibling first; users get the
 * numbers N, N - 1, ... in this order, equal siblings the same one, and F is that number divided by
 * N.
 *
 * Equality decides, so the arithmetic is the scheduler's: s / L a double, W / W(p) and the quotient
 * long double. Siblings are sorted by the quotient rounded to double; the remaining bits matter
 * only if the doubles are equal.
 *
 * The documentation merges the children of tied sibling accounts before ranking them. The code has
 * never done so: it only ties the first child of the second account with the last rank given. Both
 * variants are here.
 */
#include "core/share/fairshare_private.h"

#include <float.h>
#include <math.h>

#include "core/base/mem.h"
#include "core/table/order.h"

/* Marks of a sorted item. */
#define NEW_LEVEL 1u		/* its level_fs differs from the one before */
#define USER 2u			/* not an account */
#define UNKNOWN 4u		/* of the first item: a level_fs, and so the order, is unknown */

/* Siblings being walked. */
struct fair_tree_frame {
	const struct order_item *next, *end;
	bool tied;		/* the account descended into was tied */
};

struct fair_tree_walk {
	const struct fs_input *in;
	const struct fs_tree *tree;
	struct fs_result *result;
	const double *reported;		/* level_fs as the scheduler reports it, NULL */
	const double *effective;	/* the same for E */
	const double *usage;		/* W, NULL; breaks ties of rounded reported values */
	/* By family, at its members' positions; keys of accounts become their own families. */
	struct order_item *sorted;
	struct order_item *merged;	/* stack of merged lists of families; NULL if unused */
	struct order_item *spare;
	struct fair_tree_frame *frames;
	uint32_t depth, used;		/* frames, merged items */
	uint32_t next, rank;		/* next user number, and the last one given */
	bool rank_known;
};

static inline double fair_tree_level_part(const struct fs_tree *t, uint32_t i)
{
	bool placed = i == 0 || !t->unplaced;
	uint32_t f;

	while (i != 0 && t->shares[i] == SHARES_PARENT)
		i = t->fs_parent[i];
	if (i == 0)
		return placed && t->shares[0] != U32_UNKNOWN ? t->shares[0] / FS_NO_LEVEL :
		       F64_UNKNOWN;
	f = t->family[i];
	if (!t->family_known[f])
		return F64_UNKNOWN;
	return t->family_shares[f] == 0 ? 0 : (double)t->shares[i] / t->family_shares[f];
}

/* Usage as a part of the fair-share parent's. */
static inline long double part_of_parent(const double *usage, uint32_t i, uint32_t p)
{
	if (usage[p] == 0)
		return 0;
	return (long double)usage[i] / usage[p];
}

/* level_fs from S and the usage within the parent; zero shares win over zero usage. */
static inline long double level_from(double part, long double used)
{
	if (part == 0)
		return 0;
	if (used == 0)
		return part > 0 ? (long double)INFINITY : (long double)part;
	return part / used;
}

/* E of row I at full precision. */
static inline long double fair_tree_used_of(const struct fair_tree_walk *w, uint32_t i)
{
	if (w->in->base == FS_BASE_REPORTED)
		return w->effective && fs_is_reported(w->effective[i]) ? w->effective[i] :
		       F64_UNKNOWN;
	if (!w->usage || (w->tree->unplaced && w->tree->family[i] == 0))
		return (long double)F64_UNKNOWN;
	return part_of_parent(w->usage, i, w->tree->fs_parent[i]);
}

/* The level_fs of row I at full precision; S is in the result. */
static inline long double fair_tree_level_of(const struct fair_tree_walk *w, uint32_t i,
					     long double used)
{
	const struct fs_tree *t = w->tree;

	if (t->shares[i] == SHARES_PARENT)
		return t->is_user[i] ? (long double)INFINITY : (long double)FS_NO_LEVEL;
	if (w->reported && f64_known(w->reported[i]) && w->reported[i] != FS_NO_LEVEL)
		return w->reported[i];
	return level_from(w->result->norm_shares[i], used);
}

/* ---- one list of siblings ------------------------------------------------------------------ */

/*
 * Sort key of what equal doubles do not show: the bits lost in rounding, then users before
 * accounts. The lost bits are at most 2^-53 of LEVEL, in steps of more than 2^-113 of it where long
 * double has 113 bits (arm64): times 2^114 they are whole numbers that differ by two or more, so
 * the last bit is free.
 */
static uint64_t fine_key(const struct fair_tree_walk *w, uint32_t i)
{
	double level = w->result->level_fs[i];
	uint64_t key = order_key(0);

	/* Infinity, 0 and the mark of a transparent account are exact. */
	if (level >= DBL_MIN && level < INFINITY) {
		long double lost = (fair_tree_level_of(w, i, fair_tree_used_of(w, i)) - level) /
				   level;

		if (lost == 0 && w->in->base == FS_BASE_REPORTED && w->usage)
			key = order_key(level * -(double)part_of_parent(w->usage, i,
									 w->tree->fs_parent[i]));
		else
			key -= (uint64_t)(int64_t)(lost * 0x1p114L);
	}
	return (key & ~UINT64_C(1)) | !w->tree->is_user[i];
}

/* Sorts a run of equal doubles and marks where level_fs changes in it. */
static void sort_run(struct fair_tree_walk *w, struct order_item *run, uint32_t count)
{
	for (uint32_t j = 0; j < count; j++)
		run[j].key = fine_key(w, run[j].row);
	order_sort(run, w->spare, count);
	for (uint32_t j = 1; j < count; j++)
		run[j].mark = (run[j].key ^ run[j - 1].key) > 1 ? NEW_LEVEL : 0;
}

/* Sorts siblings whose rows are filled in. */
static void sort_siblings(struct fair_tree_walk *w, struct order_item *items, uint32_t count)
{
	const struct fs_tree *t = w->tree;
	const double *level = w->result->level_fs;
	bool known = true;

	for (uint32_t j = 0; j < count; j++) {
		items[j].key = order_key(level[items[j].row]);
		known = known && f64_known(level[items[j].row]);
	}
	order_sort(items, w->spare, count);
	for (uint32_t from = 0, to; from < count; from = to) {
		for (to = from + 1; to < count && items[to].key == items[from].key; to++)
			;
		if (to - from > 1)
			sort_run(w, items + from, to - from);
		items[from].mark = NEW_LEVEL;
	}
	/* The value before the first is 4294967294, which only transparent accounts have. */
	if (count > 0 && level[items[0].row] == FS_NO_LEVEL)
		items[0].mark = 0;
	for (uint32_t j = 0; j < count; j++) {
		items[j].key = t->own_family[items[j].row];
		items[j].mark |= t->is_user[items[j].row] ? USER : 0;
	}
	if (!known)
		items[0].mark |= UNKNOWN;
}

/* Sorts all families in the order of the rows, for locality: the walk jumps about in memory. */
static void sort_families(struct fair_tree_walk *w)
{
	const struct fs_tree *t = w->tree;

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t f = t->own_family[i], from, count;

		if (f == ROW_NONE)
			continue;
		from = t->family_first[f];
		count = t->family_first[f + 1] - from;
		for (uint32_t j = 0; j < count; j++)
			w->sorted[from + j].row = t->members[from + j];
		sort_siblings(w, w->sorted + from, count);
	}
}

/* The members of the accounts ITEMS[0 .. COUNT) as one list on the stack; returns its length. */
static uint32_t merge_families(struct fair_tree_walk *w, const struct order_item *items,
			       uint32_t count)
{
	const struct fs_tree *t = w->tree;
	uint32_t from = w->used;

	for (uint32_t j = 0; j < count; j++) {
		uint32_t f = (uint32_t)items[j].key;

		for (uint32_t m = f == ROW_NONE ? 0 : t->family_first[f];
		     f != ROW_NONE && m < t->family_first[f + 1]; m++)
			w->merged[w->used++].row = t->members[m];
	}
	sort_siblings(w, w->merged + from, w->used - from);
	return w->used - from;
}

/* ---- the walk ------------------------------------------------------------------------------ */

/* The order of the users below ROW is unknown; they still count. */
static void skip_subtree(struct fair_tree_walk *w, uint32_t row)
{
	const struct fs_tree *t = w->tree;

	for (uint32_t i = row + 1; i < row + t->span[row]; i++)
		w->next -= t->is_user[i];
	w->rank_known = false;
}

/* Descends into the families of the accounts ITEMS[0 .. COUNT), taken together. */
static void fair_tree_descend(struct fair_tree_walk *w, const struct order_item *items,
			      uint32_t count, bool tied)
{
	const struct fs_tree *t = w->tree;
	uint32_t f = (uint32_t)items[0].key, length;
	const struct order_item *list;

	if (count > 1) {
		list = w->merged + w->used;
		length = merge_families(w, items, count);
	} else {
		if (f == ROW_NONE)
			return;
		list = w->sorted + t->family_first[f];
		length = t->family_first[f + 1] - t->family_first[f];
	}
	if (length == 0)
		return;
	if (list->mark & UNKNOWN) {
		for (uint32_t j = 0; j < count; j++)
			skip_subtree(w, items[j].row);
		return;
	}
	w->frames[w->depth++] = (struct fair_tree_frame){ list, list + length, tied };
}

/* Counts the following accounts that are tied with the first. */
static uint32_t tied_accounts(const struct fair_tree_frame *f)
{
	const struct order_item *item = f->next + 1;

	while (item < f->end && !(item->mark & (NEW_LEVEL | USER)))
		item++;
	return (uint32_t)(item - f->next);
}

static void give_rank(struct fair_tree_walk *w, uint32_t row, bool tied)
{
	struct fs_result *r = w->result;

	if (!tied) {
		w->rank = w->next;
		w->rank_known = true;
	}
	w->next--;
	if (w->rank_known) {
		r->tree_rank[row] = w->rank;
		r->fairshare[row] = w->rank / (double)w->tree->users;
	}
}

static void fair_tree_walk_tree(struct fair_tree_walk *w)
{
	const struct order_item root = { 0, 0, 0 };

	fair_tree_descend(w, &root, 1, false);
	while (w->depth > 0) {
		struct fair_tree_frame *f = &w->frames[w->depth - 1];
		const struct order_item *item = f->next;
		uint32_t count;
		bool tied;

		if (item == f->end) {
			w->depth--;
			continue;
		}
		tied = f->tied || !(item->mark & NEW_LEVEL);
		f->tied = false;
		if (item->mark & USER) {
			f->next++;
			give_rank(w, item->row, tied);
			continue;
		}
		count = w->merged ? tied_accounts(f) : 1;
		f->next += count;
		fair_tree_descend(w, item, count, tied);
	}
}

/* ---- the quantities of each row ------------------------------------------------------------ */

static enum fs_branch branch_of(double level, bool parent)
{
	if (isnan(level))
		return FS_BRANCH_UNKNOWN;
	if (parent)
		return FS_BRANCH_PARENT;
	return level == 0 || isinf(level) ? FS_BRANCH_ZERO : FS_BRANCH_FORMULA;
}

static inline void set_level(const struct fair_tree_walk *w, uint32_t i)
{
	const struct fs_tree *t = w->tree;
	struct fs_result *r = w->result;
	long double used = fair_tree_used_of(w, i);

	r->norm_shares[i] = fair_tree_level_part(t, i);
	r->effective_usage[i] = (double)used;
	r->level_fs[i] = (double)fair_tree_level_of(w, i, used);
	r->tree_rank[i] = U32_UNKNOWN;
	r->fairshare[i] = F64_UNKNOWN;
	r->branch[i] = (uint8_t)branch_of(r->level_fs[i], t->shares[i] == SHARES_PARENT);
}

static void set_levels(const struct fair_tree_walk *w)
{
	const struct fs_tree *t = w->tree;
	struct fs_result *r = w->result;

	for (uint32_t i = 1; i < t->n; i++)
		set_level(w, i);
	r->norm_shares[0] = fair_tree_level_part(t, 0);
	r->effective_usage[0] = 1;
	r->level_fs[0] = r->fairshare[0] = F64_UNKNOWN;
	r->tree_rank[0] = U32_UNKNOWN;
	r->branch[0] = FS_BRANCH_ROOT;
}

static struct fair_tree_walk walk_of(const struct fs_input *in, struct fs_result *r)
{
	const struct cluster *c = in->cluster;
	struct fair_tree_walk w = { .in = in,
				    .tree = in->tree,
				    .result = r,
				    .next = in->tree->users,
				    .rank = in->tree->users,
				    .rank_known = true };

	if (in->base == FS_BASE_USAGE || cluster_meta(c)->ratio_quantum > 0)
		w.usage = cluster_col_f64(c, F_ASSOC_USAGE);
	if (in->base == FS_BASE_REPORTED) {
		w.reported = cluster_col_f64(c, F_ASSOC_R_LEVEL_FS);
		w.effective = cluster_col_f64(c, F_ASSOC_R_EFFECTIVE_USAGE);
	}
	return w;
}

static void run_walk(const struct fs_input *in, struct fs_result *r, bool merges)
{
	const struct fs_tree *t = in->tree;
	struct fair_tree_walk w = walk_of(in, r);

	fs_norm_usage(in, r->norm_usage);
	set_levels(&w);
	if (!r->work)
		r->work = mem_alloc(1, (size_t)(merges ? 3 : 2) * t->n * sizeof(*w.sorted) +
				       ((size_t)t->levels + 1) * sizeof(*w.frames));
	w.sorted = r->work;
	w.spare = w.sorted + t->n;
	w.merged = merges ? w.spare + t->n : NULL;
	w.frames = (struct fair_tree_frame *)(void *)(w.sorted + (merges ? 3 : 2) * (size_t)t->n);
	if (!t->excerpt) {
		sort_families(&w);
		fair_tree_walk_tree(&w);
	}
	/* The mark of transparent accounts was only for sorting. */
	for (uint32_t j = 0; j < t->parents; j++) {
		if (!t->is_user[t->parent_rows[j]])
			r->level_fs[t->parent_rows[j]] = F64_UNKNOWN;
	}
}

static void run_code(const struct fs_input *in, struct fs_result *r)
{
	run_walk(in, r, false);
}

static void run_documented(const struct fs_input *in, struct fs_result *r)
{
	run_walk(in, r, true);
}

/* ---- one row --------------------------------------------------------------------------------- */

/* Place of a sibling relative to ROW; equal level_fs are tied, users before accounts. */
enum fair_tree_place { BEFORE, TIED, BEHIND };

static enum fair_tree_place fair_tree_place_of(const struct fair_tree_walk *w, uint32_t i,
					       uint32_t row)
{
	uint64_t a = order_key(w->result->level_fs[i]), b = order_key(w->result->level_fs[row]);

	if (a == b) {
		a = fine_key(w, i);
		b = fine_key(w, row);
		if ((a ^ b) <= 1)
			return TIED;
	}
	return a < b ? BEFORE : BEHIND;
}

static void fair_tree_pass(struct fair_tree_walk *w, uint32_t i)
{
	w->next -= w->tree->is_user[i];
	if (w->tree->own_family[i] != ROW_NONE)
		skip_subtree(w, i);
}

/*
 * Counts the users whom the walk meets before ROW, among its siblings and below them. *TIED: the
 * next user gets the number of the one before. False if that needs more: an unknown level_fs, or
 * the order of merged lists.
 */
static bool pass_siblings(struct fair_tree_walk *w, uint32_t row, bool merges, bool *tied)
{
	const struct fs_tree *t = w->tree;
	const double *level = w->result->level_fs;
	uint32_t f = t->family[row], first = t->family_first[f], end = t->family_first[f + 1];
	bool is_first = true, is_tied = false, behind = false;

	for (uint32_t j = first; j < end; j++)
		set_level(w, t->members[j]);
	for (uint32_t j = first; j < end; j++) {
		uint32_t i = t->members[j];
		enum fair_tree_place place = i == row ? BEHIND : fair_tree_place_of(w, i, row);

		behind = behind || i == row;
		if (!f64_known(level[i]) || level[row] == FS_NO_LEVEL ||
		    (place == TIED && merges && !t->is_user[i] && !t->is_user[row]))
			return false;
		if (place == TIED && !t->is_user[row] && (t->is_user[i] || !behind)) {
			is_tied = true;
			place = BEFORE;
		}
		if (place == BEFORE) {
			is_first = false;
			fair_tree_pass(w, i);
		}
	}
	*tied = is_tied || (*tied && is_first);
	return true;
}

static bool fair_tree_run_path(const struct fs_input *in, struct fs_result *r, const uint32_t *path,
			       uint32_t count, bool merges)
{
	const struct fs_tree *t = in->tree;
	struct fair_tree_walk w = walk_of(in, r);
	uint32_t row = path[count - 1];
	bool tied = false;

	fs_norm_usage_of(in, path, count, r->norm_usage);
	if (!t->is_user[row] || t->excerpt) {		/* no number: no user, or an excerpt */
		set_level(&w, row);
		if (t->shares[row] == SHARES_PARENT && !t->is_user[row])
			r->level_fs[row] = F64_UNKNOWN;
		return true;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!pass_siblings(&w, path[i], merges, &tied))
			return false;
	}
	if (tied)
		return false;
	give_rank(&w, row, false);
	return true;
}

static bool run_path_code(const struct fs_input *in, struct fs_result *r, const uint32_t *path,
			  uint32_t count)
{
	return fair_tree_run_path(in, r, path, count, false);
}

static bool run_path_documented(const struct fs_input *in, struct fs_result *r,
				const uint32_t *path, uint32_t count)
{
	return fair_tree_run_path(in, r, path, count, true);
}

static const struct fs_quantity quantities[] = {
	FS_QUANTITY(norm_shares, "S", "fraction of the siblings' shares"),
	FS_QUANTITY(norm_usage, "U", "normalised usage: fraction of all usage"),
	FS_QUANTITY(effective_usage, "E", "fraction of the parent's usage"),
	FS_QUANTITY(level_fs, "Level FS", "S / E among the siblings: above 1 is under-served"),
	FS_QUANTITY(fairshare, "F", "fair-share factor: Fair Tree's number / number of users"),
	FS_RANK(rank, "rank", "Rank", "1 is served first among user associations"),
	FS_RANK(tree_rank, "fair_tree_rank", "FT Rank", "Fair Tree's number: the highest is best"),
};

const struct fs_algo fs_fair_tree = {
	.id = FS_FAIR_TREE,
	.name = "fair-tree",
	.title = "Fair Tree",
	.meaning = "the better account is first with all its users; ties as in Slurm's code",
	.quantities = quantities,
	.quantity_count = sizeof(quantities) / sizeof(quantities[0]),
	.run = run_code,
	.run_path = run_path_code,
	.explain = fs_explain_fair_tree,
};

const struct fs_algo fs_fair_tree_documented = {
	.id = FS_FAIR_TREE_DOCUMENTED,
	.name = "fair-tree-documented",
	.title = "Fair Tree (documented)",
	.meaning = "Fair Tree with the users of tied accounts ranked together, as the manual says",
	.quantities = quantities,
	.quantity_count = sizeof(quantities) / sizeof(quantities[0]),
	.run = run_documented,
	.run_path = run_path_documented,
	.explain = fs_explain_fair_tree,
};
