/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fair-share structure of an association tree: fair-share parents, families, sibling sums.
 */
#include "core/share/fairshare_private.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/table/order.h"

static void set_kinds(struct fs_tree *t, const struct cluster *c)
{
	const uint32_t *shares = cluster_col_u32(c, F_ASSOC_SHARES);
	const uint32_t *users = cluster_col(c, F_ASSOC_USER);

	for (uint32_t i = 0; i < t->n; i++) {
		t->shares[i] = shares ? shares[i] : U32_UNKNOWN;
		t->is_user[i] = users && users[i] > TEXT_EMPTY;
		t->users += t->is_user[i];
	}
}

static void list_orphans(struct fs_tree *t, const struct cluster *c)
{
	const uint8_t *orphan = cluster_col(c, F_ASSOC_ORPHAN);

	for (uint32_t i = 1; orphan && i < t->n; i++) {
		if (orphan[i] != 1)
			continue;
		if (!t->detached)
			t->detached = mem_zalloc(t->n, 1);
		if (!t->detached[i])
			t->orphans++;
		memset(t->detached + i, 1, t->span[i]);
	}
}

static bool fairshare_tree_is_orphan(const struct fs_tree *t, uint32_t i)
{
	return t->detached && t->detached[i] && !t->detached[t->parent[i]];
}

static void list_parents(struct fs_tree *t)
{
	for (uint32_t i = 1; i < t->n; i++)
		t->parents += t->shares[i] == SHARES_PARENT;
	t->parent_rows = mem_alloc(t->parents, sizeof(uint32_t));
	for (uint32_t i = 1, next = 0; next < t->parents; i++) {
		if (t->shares[i] == SHARES_PARENT)
			t->parent_rows[next++] = i;
	}
}

/* The root is an ordinary account, whatever its shares are. */
static void set_parents(struct fs_tree *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t p = t->parent[i];
		bool transparent = p != ROW_NONE && p != 0 && t->shares[p] == SHARES_PARENT;

		t->fs_parent[i] = transparent ? t->fs_parent[p] : p;
	}
}

/*
 * Numbers the families: a counting sort of the rows with fair-share children by their distance from
 * the root. SIZES is the number of children by row; STEPS is scratch for n numbers.
 */
static void number_families(struct fs_tree *t, const uint32_t *sizes, uint32_t *steps)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		steps[i] = i == 0 ? 0 : steps[t->fs_parent[i]] + 1;
		t->own_family[i] = ROW_NONE;
		if (i > 0 && sizes[i] == 0)
			continue;
		count++;
		if (steps[i] >= t->levels)
			t->levels = steps[i] + 1;
	}
	count += t->orphans;
	t->families = count;
	t->family_row = mem_zalloc(count, sizeof(uint32_t));
	t->family_first = mem_alloc((size_t)count + 1, sizeof(uint32_t));
	t->family_shares = mem_zalloc(count, sizeof(uint32_t));
	t->family_known = mem_alloc(count, 1);
	t->family_cut = mem_zalloc(count, 1);
	/*
	 * One more than needed: level_first[l + 1] is the fill position of level l, and becomes its
	 * end.
	 */
	t->level_first = mem_zalloc((size_t)t->levels + 2, sizeof(uint32_t));
	for (uint32_t i = 0; i < t->n; i++) {
		if (i == 0 || sizes[i] > 0)
			t->level_first[steps[i] + 2]++;
	}
	for (uint32_t l = 2; l < t->levels + 2; l++)
		t->level_first[l] += t->level_first[l - 1];
	for (uint32_t i = 0; i < t->n; i++) {
		if (i == 0 || sizes[i] > 0) {
			t->own_family[i] = t->level_first[steps[i] + 1]++;
			t->family_row[t->own_family[i]] = i;
		}
	}
}

/* Returns all rows but the root, in the order of the scheduler's list of associations. */
static uint32_t *rows_in_order(const struct fs_tree *t, const struct cluster *c)
{
	const uint32_t *lft = cluster_col_u32(c, F_ASSOC_LFT);
	uint32_t *rows = mem_alloc(t->n, sizeof(uint32_t));
	struct order_item *sorted;

	for (uint32_t i = 1; i < t->n; i++)
		rows[i - 1] = i;
	if (t->order == FS_ORDER_LIST || !lft)
		return rows;
	sorted = mem_alloc(t->n, 2 * sizeof(*sorted));
	for (uint32_t i = 1; i < t->n; i++)
		sorted[i - 1] = (struct order_item){ lft[i], i, 0 };
	order_sort(sorted, sorted + t->n, t->n - 1);
	for (uint32_t i = 1; i < t->n; i++)
		rows[i - 1] = sorted[i - 1].row;
	mem_free(sorted);
	return rows;
}

static void fill_families(struct fs_tree *t, const struct cluster *c, const uint32_t *sizes)
{
	uint32_t *rows = rows_in_order(t, c);
	uint32_t *fill = mem_alloc(t->families, sizeof(uint32_t));
	uint32_t first = 0, next_orphan = t->families - t->orphans;

	for (uint32_t f = 0; f < t->families; f++) {
		t->family_first[f] = fill[f] = first;
		t->family_known[f] = 1;
		first += f < next_orphan ? sizes[t->family_row[f]] : 1;
	}
	t->family_first[t->families] = first;
	t->family[0] = 0;
	for (uint32_t j = 0; j + 1 < t->n; j++) {
		uint32_t i = rows[j];
		uint32_t f = fairshare_tree_is_orphan(t, i) ? next_orphan++
							    : t->own_family[t->fs_parent[i]];

		t->family[i] = f;
		t->members[fill[f]++] = i;
		if (t->shares[i] == U32_UNKNOWN)
			t->family_known[f] = 0;
		else if (t->shares[i] != SHARES_PARENT)
			t->family_shares[f] += t->shares[i];
	}
	mem_free(fill);
	mem_free(rows);
}

struct fs_tree *fs_tree_new(const struct cluster *c, enum fs_order order)
{
	struct fs_tree *t = mem_zalloc(1, sizeof(*t));
	uint32_t *sizes, *steps;

	t->n = cluster_rows(c, TABLE_ASSOC);
	t->order = order;
	if (t->n == 0)
		return t;
	t->parent = cluster_parent(c);
	t->span = cluster_span(c);
	t->depth = cluster_depth(c);
	t->shares = mem_alloc(t->n, sizeof(uint32_t));
	t->is_user = mem_alloc(t->n, 1);
	t->fs_parent = mem_alloc(t->n, sizeof(uint32_t));
	t->family = mem_alloc(t->n, sizeof(uint32_t));
	t->own_family = mem_alloc(t->n, sizeof(uint32_t));
	t->members = mem_alloc(t->n, sizeof(uint32_t));
	set_kinds(t, c);
	list_orphans(t, c);
	list_parents(t);
	set_parents(t);

	sizes = mem_zalloc(t->n, sizeof(uint32_t));
	steps = mem_alloc(t->n, sizeof(uint32_t));
	for (uint32_t i = 1; i < t->n; i++)
		sizes[t->fs_parent[i]] += !fairshare_tree_is_orphan(t, i);
	number_families(t, sizes, steps);
	fill_families(t, c, sizes);
	fs_find_excerpt(c, t);
	mem_free(steps);
	mem_free(sizes);
	return t;
}

/* Are the shares of a row a number? Then only its family's sum depends on them. */
static bool fairshare_tree_is_number(uint32_t shares)
{
	return shares != SHARES_PARENT && shares != U32_UNKNOWN;
}

/* Copies the shares of C; false if they change the structure. */
static bool change_shares(struct fs_tree *t, const struct fs_tree *base, const uint32_t *shares)
{
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t was = base->shares[i], is = shares[i];

		t->shares[i] = is;
		if (is == was)
			continue;
		if (!fairshare_tree_is_number(was) || !fairshare_tree_is_number(is))
			return false;
		if (i > 0)
			t->family_shares[t->family[i]] += is - was;
	}
	return true;
}

struct fs_tree *fs_tree_over(const struct fs_tree *base, const struct cluster *c)
{
	const uint32_t *shares = cluster_col_u32(c, F_ASSOC_SHARES);
	struct fs_tree *t;

	if (!shares || base->n == 0 || base->n != cluster_rows(c, TABLE_ASSOC))
		return fs_tree_new(c, base->order);
	t = mem_alloc(1, sizeof(*t));
	*t = *base;
	t->borrows = true;
	t->parent = cluster_parent(c);
	t->span = cluster_span(c);
	t->depth = cluster_depth(c);
	t->shares = mem_alloc(t->n, sizeof(*t->shares));
	t->family_shares = mem_alloc(t->families, sizeof(*t->family_shares));
	memcpy(t->family_shares, base->family_shares, t->families * sizeof(*t->family_shares));
	if (change_shares(t, base, shares))
		return t;
	fs_tree_free(t);
	return fs_tree_new(c, base->order);
}

void fs_tree_free(struct fs_tree *t)
{
	if (!t)
		return;
	mem_free(t->shares);
	mem_free(t->family_shares);
	if (t->borrows) {
		mem_free(t);
		return;
	}
	MEM_FREE(t->is_user, t->detached, t->fs_parent, t->family, t->own_family, t->members,
		 t->parent_rows, t->family_row, t->family_first, t->family_known, t->family_cut,
		 t->level_first, t);
}

bool fs_level_shares(const struct fs_tree *t, uint32_t row, uint32_t *shares)
{
	uint32_t f;

	if (row == 0 || row >= t->n || (t->detached && t->detached[row]))
		return false;
	f = t->family[row];
	*shares = t->family_shares[f];
	return t->family_known[f];
}
