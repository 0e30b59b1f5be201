/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/list.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/cluster.h"
#include "core/table/order.h"

/* If more rows are gone, it is another cluster, not a change worth showing row by row. */
#define GHOSTS_MAX 200

void list_init(struct list *l)
{
	memset(l, 0, sizeof(*l));
	l->fold_depth = UINT32_MAX;
	l->page = 1;
}

void list_free(struct list *l)
{
	filter_free(l->filter);
	idmap_free(&l->toggled);
	idmap_free(&l->users);
	idmap_free(&l->marks);
	MEM_FREE(l->peeked, l->origin, l->sequence, l->match, l->items, l->heads, l->members,
		 l->place, l->ghosts);
	memset(l, 0, sizeof(*l));
}

/* ---- what is shown -------------------------------------------------------------------------- */

/*
 * Each step is one pass over the rows, and is repeated only when its input has changed: data, order
 * and filter for the first two, folds for the last.
 */

static bool is_tree(const struct list *l)
{
	return l->now.parent != NULL;
}

/*
 * Sorts within each parent: the rows, sorted as if there was no tree, are distributed to their
 * parents; the children of each are then in order, ties as in the source, and a pre-order walk
 * gives the sequence.
 */
static uint32_t *sort_tree(const struct list *l, const uint32_t *sorted)
{
	uint32_t n = l->now.view.rows;
	uint32_t *first = mem_alloc(n, sizeof(*first));	/* first child; then next sibling */
	uint32_t *next = mem_alloc(n, sizeof(*next));
	uint32_t *last = mem_alloc(n, sizeof(*last));
	uint32_t *sequence = mem_alloc(n, sizeof(*sequence)), used = 0;

	memset(first, 0xff, n * sizeof(*first));
	memset(next, 0xff, n * sizeof(*next));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = sorted[i], parent = l->now.parent[row];
		if (parent == ROW_NONE)
			continue;
		if (first[parent] == ROW_NONE)
			first[parent] = row;
		else
			next[last[parent]] = row;
		last[parent] = row;
	}
	for (uint32_t row = n > 0 ? 0 : ROW_NONE; row != ROW_NONE; ) {
		sequence[used++] = row;
		if (first[row] != ROW_NONE) {
			row = first[row];
			continue;
		}
		while (row != ROW_NONE && next[row] == ROW_NONE)
			row = l->now.parent[row];
		if (row != ROW_NONE)
			row = next[row];
	}
	MEM_FREE(first, next, last);
	return sequence;
}

/* The order that came with the data, with rows without a value at the end; NULL: another order. */
static uint32_t *sorted_already(const struct list *l)
{
	const struct list_data *d = &l->now;
	uint32_t used = d->sorted_count, *rows;
	bool *there;

	if (!d->sorted || l->order.count != 1 || l->order.keys[0].descending ||
	    l->order.keys[0].column != d->sorted_by)
		return NULL;
	rows = mem_alloc(d->view.rows, sizeof(*rows));
	there = mem_zalloc(d->view.rows, sizeof(*there));
	for (uint32_t i = 0; i < used; i++) {
		rows[i] = d->sorted[i];
		there[rows[i]] = true;
	}
	for (uint32_t row = 0; row < d->view.rows; row++) {
		if (!there[row])
			rows[used++] = row;
	}
	mem_free(there);
	return rows;
}

static void build_sequence(struct list *l)
{
	uint32_t count, *sorted;

	mem_free(l->sequence);
	l->sequence = NULL;
	if (l->order.count == 0 || l->now.view.rows == 0)
		return;
	l->sequence = sorted_already(l);
	if (l->sequence)
		return;
	sorted = rows_select(&l->now.view, NULL, &l->order, &count);
	if (!is_tree(l) || l->flat) {
		l->sequence = sorted;
		return;
	}
	l->sequence = sort_tree(l, sorted);
	mem_free(sorted);
}

static void build_match(struct list *l)
{
	uint32_t n = l->now.view.rows;

	mem_free(l->match);
	l->match = NULL;
	l->matches = n;
	l->version++;
	if (!l->filter)
		return;
	l->match = mem_zalloc(n > 0 ? n : 1, 1);
	l->matches = 0;
	for (uint32_t i = 0; i < n; i++) {
		if (filter_match(l->filter, &l->now.view, i)) {
			l->match[i] = 2;
			l->matches++;
		}
	}
	if (!is_tree(l))
		return;
	for (uint32_t i = n; i-- > 1; ) {
		uint32_t parent = l->now.parent[i];
		if (l->match[i] > 0 && l->match[parent] == 0)
			l->match[parent] = 1;
	}
}

/* build_items() has allocated enough for every row and every ghost. */
static void list_push(struct list *l, uint32_t row, uint32_t flags)
{
	l->items[l->count++] = (struct list_item){ row, flags };
}

/* Whether ROW shares one line with others below its account. A filter shows each row. */
static bool is_among_rest(const struct list *l, uint32_t row)
{
	if (l->users.count == 0 || row == 0 || l->match)
		return false;
	if (cluster_is_user(l->now.cluster, row))
		return idmap_has(&l->users, l->now.keys[l->now.parent[row]]);
	return idmap_get(&l->users, l->now.keys[row], 0) == LIST_REST;
}

/* Adds the lines for the rest of those accounts that end before a row of DEPTH. */
static void push_rest(struct list *l, uint32_t *rest, uint32_t *deepest, uint32_t depth)
{
	for (; *deepest > depth; --*deepest) {
		if (rest[*deepest] != ROW_NONE)
			list_push(l, rest[*deepest], ITEM_USERS);
		rest[*deepest] = ROW_NONE;
	}
}

static void list_walk_tree(struct list *l)
{
	uint32_t n = l->now.view.rows, deepest = 0;
	uint32_t *rest = mem_alloc((size_t)n + 1, sizeof(*rest));	/* by depth */

	memset(rest, 0xff, ((size_t)n + 1) * sizeof(*rest));
	for (uint32_t at = 0; at < n; ) {
		uint32_t row = l->sequence ? l->sequence[at] : at;
		bool context = l->match && l->match[row] == 1;
		bool among = is_among_rest(l, row);
		bool shown = !among && (!l->match || l->match[row] != 0);

		push_rest(l, rest, &deepest, l->now.depth[row]);
		deepest = l->now.depth[row];
		if (among && rest[deepest] == ROW_NONE)
			rest[deepest] = row;
		if (shown)
			list_push(l, row, context ? ITEM_CONTEXT : 0);
		/* A context row that a filter keeps is open, so that its matches are seen. */
		at += shown && (context || !list_folded(l, row)) ? 1 : l->now.span[row];
	}
	push_rest(l, rest, &deepest, 0);
	mem_free(rest);
}

/* Allocates the chains of each group's rows; drops the previous ones. */
static uint32_t *begin_groups(struct list *l)
{
	uint32_t n = l->now.view.rows;

	mem_free(l->heads);
	mem_free(l->members);
	l->heads = l->members = NULL;
	if (!l->now.group || l->flat || l->now.groups == 0)
		return NULL;
	l->heads = mem_alloc(l->now.groups, sizeof(*l->heads));
	l->members = mem_alloc(n, sizeof(*l->members));
	memset(l->heads, 0xff, l->now.groups * sizeof(*l->heads));
	memset(l->members, 0xff, n * sizeof(*l->members));
	return mem_alloc(l->now.groups, sizeof(*l->heads));
}

static bool list_is_open(const struct list *l, uint32_t head)
{
	return head != ROW_NONE && l->members[head] != ROW_NONE && !list_folded(l, head);
}

/* Puts the members of open groups after the first one of each. */
static void open_groups(struct list *l)
{
	struct list_item *shut = l->items;
	size_t count = l->count;
	bool any = false;

	for (uint32_t g = 0; g < l->now.groups && !any; g++)
		any = list_is_open(l, l->heads[g]);
	if (!any)
		return;
	l->items = mem_alloc(l->capacity, sizeof(*l->items));
	l->count = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t row = shut[i].row;

		list_push(l, row, 0);
		if (l->members[row] == ROW_NONE || list_folded(l, row))
			continue;
		for (uint32_t m = l->members[row]; m != ROW_NONE; m = l->members[m])
			list_push(l, m, ITEM_MEMBER);
	}
	mem_free(shut);
}

/* Most rows are in no group, and most groups are closed, so these cost one check each. */
static void walk_flat(struct list *l)
{
	uint32_t n = l->now.view.rows, *last = begin_groups(l);

	for (uint32_t at = 0; at < n; at++) {
		uint32_t row = l->sequence ? l->sequence[at] : at, group;

		if (l->match && l->match[row] != 2)
			continue;
		group = last ? l->now.group[row] : ROW_NONE;
		if (group != ROW_NONE && l->heads[group] != ROW_NONE) {
			l->members[last[group]] = row;
			last[group] = row;
			continue;
		}
		if (group != ROW_NONE)
			l->heads[group] = last[group] = row;
		list_push(l, row, 0);
	}
	if (last)
		open_groups(l);
	mem_free(last);
}

static void index_items(struct list *l)
{
	memset(l->place, 0xff, l->now.view.rows * sizeof(*l->place));
	for (size_t i = 0; i < l->count; i++) {
		if ((l->items[i].flags & ITEM_GHOST) == 0)
			l->place[l->items[i].row] = (uint32_t)i;
	}
}

/*
 * Puts ghosts after the rows that they followed; omits those whose row is hidden. The items have
 * enough memory, so it begins at the end.
 */
static void insert_ghosts(struct list *l)
{
	struct order_item order[2 * GHOSTS_MAX];	/* by the item that follows each */
	size_t from = l->count, to;
	uint32_t n = 0;

	for (size_t g = 0; g < l->ghost_count; g++) {
		uint32_t after = l->ghosts[g].after, next = 0;

		if (after != ROW_NONE)
			next = l->place[after] + 1;
		if (after == ROW_NONE || l->place[after] != ROW_NONE)
			order[n++] = (struct order_item){ next, l->ghosts[g].row, 0 };
	}
	order_sort(order, order + n, n);
	to = l->count += n;
	while (n > 0) {
		if (from > order[n - 1].key)
			l->items[--to] = l->items[--from];
		else
			l->items[--to] = (struct list_item){ order[--n].row, ITEM_GHOST };
	}
}

static void build_items(struct list *l)
{
	size_t most = l->now.view.rows + l->ghost_count;

	if (most > l->capacity) {
		mem_free(l->items);
		l->items = mem_alloc(most, sizeof(*l->items));
		l->capacity = most;
	}
	l->count = 0;
	l->built++;
	if (is_tree(l) && !l->flat)
		list_walk_tree(l);
	else
		walk_flat(l);
	index_items(l);
	if (l->ghost_count > 0 && l->count > 0) {
		insert_ghosts(l);
		index_items(l);
	}
}

/* ---- window and cursor --------------------------------------------------------------------- */

static bool is_ghost(const struct list *l, size_t item)
{
	return (l->items[item].flags & ITEM_GHOST) != 0;
}

static void keep_in_window(struct list *l)
{
	uint32_t last = l->count > l->page ? (uint32_t)l->count - l->page : 0;

	if (l->cursor < l->top)
		l->top = l->cursor;
	if (l->cursor >= l->top + l->page)
		l->top = l->cursor - l->page + 1;
	if (l->top > last)
		l->top = last;
}

/* The item at ITEM, or the nearest that is no ghost: in DIRECTION, else the other way. */
static uint32_t list_nearest_shown(const struct list *l, uint32_t item, int direction)
{
	for (int turn = 0; turn < 2; turn++, direction = -direction) {
		for (int64_t i = item; i >= 0 && i < (int64_t)l->count; i += direction) {
			if (!is_ghost(l, (size_t)i))
				return (uint32_t)i;
		}
	}
	return 0;
}

/* Puts the cursor on ITEM, if possible LINE lines below the top of the window. */
static void list_place_cursor(struct list *l, uint32_t item, uint32_t line, bool at_top)
{
	if (l->count == 0) {
		l->cursor = l->top = 0;
		return;
	}
	if (item >= l->count)
		item = (uint32_t)l->count - 1;
	l->cursor = list_nearest_shown(l, item, 1);
	if (at_top && l->cursor < l->page)
		l->top = 0;	/* at the beginning of the list, new rows there must be visible */
	else
		l->top = l->cursor > line ? l->cursor - line : 0;
	keep_in_window(l);
}

void list_resize(struct list *l, uint32_t page)
{
	l->page = page > 0 ? page : 1;
	keep_in_window(l);
}

bool list_empty(const struct list *l)
{
	return l->count == 0;
}

uint32_t list_row(const struct list *l)
{
	const struct list_item *item = l->count > 0 ? &l->items[l->cursor] : NULL;

	if (!item || item->flags & ITEM_GHOST)
		return ROW_NONE;
	return item->flags & ITEM_USERS ? l->now.parent[item->row] : item->row;
}

uint32_t list_before(const struct list *l, uint32_t row)
{
	if (!l->before.keys)
		return ROW_NONE;
	return l->origin ? l->origin[row] : row;
}

void list_move_to(struct list *l, uint32_t item)
{
	if (l->count == 0)
		return;
	if (item >= l->count)
		item = (uint32_t)l->count - 1;
	l->cursor = list_nearest_shown(l, item, item >= l->cursor ? 1 : -1);
	keep_in_window(l);
}

void list_move(struct list *l, int64_t by)
{
	int64_t target = (int64_t)l->cursor + by;

	list_move_to(l, target < 0		  ? 0
			: target > UINT32_MAX - 1 ? UINT32_MAX - 1
						  : (uint32_t)target);
}

void list_scroll(struct list *l, int64_t by)
{
	int64_t last = l->count > l->page ? (int64_t)l->count - l->page : 0;
	int64_t top = (int64_t)l->top + by;

	l->top = (uint32_t)(top < 0 ? 0 : top > last ? last : top);
	if (l->count == 0)
		return;
	if (l->cursor < l->top)
		l->cursor = list_nearest_shown(l, l->top, 1);
	else if (l->cursor >= l->top + l->page)
		l->cursor = list_nearest_shown(l, l->top + l->page - 1, -1);
	keep_in_window(l);
}

/* ---- what is shown ------------------------------------------------------------------------- */

/*
 * After the items were rebuilt from the same data: keeps the cursor on its row. If a fold hides the
 * row, it moves to the ancestor that hides it; if a filter does, to the nearest neighbour.
 */
static void keep_cursor(struct list *l, const struct list_item *old, size_t old_count, uint32_t at,
			uint32_t line, bool at_top)
{
	uint32_t row = old_count > 0 && (old[at].flags & ITEM_GHOST) == 0 ? old[at].row : ROW_NONE;

	if (row != ROW_NONE && l->match && l->match[row] == 0)
		row = ROW_NONE;
	while (row != ROW_NONE && l->place[row] == ROW_NONE)
		row = list_parent_row(l, row);
	for (size_t d = 1; row == ROW_NONE && d < old_count; d++) {
		const size_t near[2] = { at + d, at - d };
		for (int i = 0; i < 2 && row == ROW_NONE; i++) {
			if (near[i] < old_count && (old[near[i]].flags & ITEM_GHOST) == 0 &&
			    l->place[old[near[i]].row] != ROW_NONE)
				row = old[near[i]].row;
		}
	}
	list_place_cursor(l, row != ROW_NONE ? l->place[row] : 0, line, at_top);
}

void list_rebuild(struct list *l)
{
	struct list_item *old = l->items;
	size_t old_count = l->count;
	uint32_t at = l->cursor, line = l->cursor - l->top;
	bool at_top = l->top == 0;

	if (!l->now.keys)
		return;
	l->items = NULL;
	l->capacity = 0;
	build_items(l);
	keep_cursor(l, old, old_count, at, line, at_top);
	mem_free(old);
}

static uint64_t cursor_key(const struct list *l)
{
	uint32_t row = list_row(l);

	return row != ROW_NONE ? l->now.keys[row] : 0;
}

uint32_t list_row_of(const struct list *l, uint64_t key)
{
	for (uint32_t row = 0; l->now.keys && row < l->now.view.rows; row++) {
		if (l->now.keys[row] == key)
			return row;
	}
	return ROW_NONE;
}

/* WANTED: the row of the cursor, or that of before a filter hid it. */
static void return_cursor(struct list *l, uint64_t wanted)
{
	uint32_t row = list_row_of(l, wanted);

	l->hidden = l->instead = 0;
	if (row == ROW_NONE || cursor_key(l) == wanted)
		return;
	if (l->place[row] != ROW_NONE) {
		list_select(l, row);
	} else if (l->match && l->match[row] == 0) {
		l->hidden = wanted;
		l->instead = cursor_key(l);
	}
}

void list_set_filter(struct list *l, struct filter *filter)
{
	uint64_t wanted;

	filter_free(l->filter);
	l->filter = filter;
	if (!l->now.keys)
		return;
	wanted = cursor_key(l);
	if (l->hidden != 0 && l->instead == wanted)
		wanted = l->hidden;
	build_match(l);
	list_rebuild(l);
	if (wanted != 0)
		return_cursor(l, wanted);
}

void list_set_order(struct list *l, const struct row_order *order, bool flat)
{
	l->order = *order;
	l->flat = flat;
	if (!l->now.keys)
		return;
	build_sequence(l);
	list_rebuild(l);
}

/* ---- trees --------------------------------------------------------------------------------- */

/* The group whose first row is ROW; ROW_NONE: none. */
static uint32_t headed_group(const struct list *l, uint32_t row)
{
	uint32_t group = l->heads ? l->now.group[row] : ROW_NONE;

	return group != ROW_NONE && l->heads[group] == row ? group : ROW_NONE;
}

bool list_foldable(const struct list *l, uint32_t row)
{
	if (headed_group(l, row) != ROW_NONE)
		return l->members[row] != ROW_NONE;
	return l->now.span && !l->flat && l->now.span[row] > 1;
}

/* The key under which a fold is remembered. */
static uint64_t fold_key(const struct list *l, uint32_t row)
{
	uint32_t group = headed_group(l, row);

	return group != ROW_NONE ? l->now.group_keys[group] : l->now.keys[row];
}

bool list_folded(const struct list *l, uint32_t row)
{
	uint32_t depth = l->now.depth ? l->now.depth[row] : LIST_GROUP_DEPTH;

	return list_foldable(l, row) && (depth >= l->fold_depth) != list_toggled(l, row);
}

bool list_toggled(const struct list *l, uint32_t row)
{
	return list_foldable(l, row) && idmap_has(&l->toggled, fold_key(l, row));
}

static void set_folded(struct list *l, uint32_t row, bool folded)
{
	if (list_foldable(l, row) && list_folded(l, row) != folded)
		idmap_toggle(&l->toggled, fold_key(l, row));
}

void list_fold(struct list *l, uint32_t row, bool folded)
{
	l->by_hand = true;
	set_folded(l, row, folded);
	list_rebuild(l);
}

bool list_rest(const struct list *l, uint32_t account, uint32_t *accounts, uint32_t *users)
{
	*accounts = *users = 0;
	if (!idmap_has(&l->users, l->now.keys[account]))
		return false;
	for (uint32_t i = account + 1; i < account + l->now.span[account]; i += l->now.span[i]) {
		if (is_among_rest(l, i))
			++*(cluster_is_user(l->now.cluster, i) ? users : accounts);
	}
	return *accounts + *users > 0;
}

bool list_rest_remove(struct list *l, const struct list_data *data, uint32_t account)
{
	uint32_t end = account + data->span[account];

	if (!idmap_remove(&l->users, data->keys[account]))
		return false;
	for (uint32_t i = account + 1; i < end; i += data->span[i]) {
		if (idmap_get(&l->users, data->keys[i], 0) == LIST_REST)
			idmap_remove(&l->users, data->keys[i]);
	}
	return true;
}

void list_show_rest(struct list *l, uint32_t account)
{
	if (list_rest_remove(l, &l->now, account))
		list_rebuild(l);
}

void list_fold_subtree(struct list *l, uint32_t row, bool folded)
{
	if (!l->now.span)
		return;
	l->by_hand = true;
	for (uint32_t i = row; i < row + l->now.span[row]; i++) {
		set_folded(l, i, folded);
		idmap_remove(&l->users, l->now.keys[i]);
	}
	list_rebuild(l);
}

void list_set_fold_depth(struct list *l, uint32_t depth)
{
	l->by_hand = true;
	l->fold_depth = depth;
	idmap_clear(&l->toggled);
	idmap_clear(&l->users);
	l->peeked_count = 0;
	list_rebuild(l);
}

uint32_t list_parent_row(const struct list *l, uint32_t row)
{
	uint32_t group = l->heads ? l->now.group[row] : ROW_NONE;

	if (group != ROW_NONE)
		return l->heads[group] != row ? l->heads[group] : ROW_NONE;
	return l->now.parent ? l->now.parent[row] : ROW_NONE;
}

uint32_t list_next_member(const struct list *l, uint32_t row)
{
	return l->members ? l->members[row] : ROW_NONE;
}

static void remember_peek(struct list *l, uint64_t key)
{
	MEM_GROW(l->peeked, l->peeked_capacity, l->peeked_count + 1);
	l->peeked[l->peeked_count++] = key;
}

static bool select_row(struct list *l, uint32_t row, bool peek)
{
	if (row >= l->now.view.rows || (l->match && l->match[row] == 0))
		return false;
	for (uint32_t i = row; l->now.parent && i != ROW_NONE; i = l->now.parent[i]) {
		if (is_among_rest(l, i))
			list_show_rest(l, l->now.parent[i]);
	}
	if (l->place[row] == ROW_NONE) {
		for (uint32_t i = list_parent_row(l, row); i != ROW_NONE;
		     i = list_parent_row(l, i)) {
			if (peek && list_folded(l, i))
				remember_peek(l, fold_key(l, i));
			set_folded(l, i, false);
		}
		list_rebuild(l);
	}
	if (l->place[row] == ROW_NONE)
		return false;
	list_move_to(l, l->place[row]);
	return true;
}

bool list_select(struct list *l, uint32_t row)
{
	return select_row(l, row, false);
}

bool list_peek(struct list *l, uint32_t row)
{
	for (size_t i = 0; i < l->peeked_count; i++)
		idmap_toggle(&l->toggled, l->peeked[i]);
	if (l->peeked_count > 0)
		list_rebuild(l);
	list_stay(l);
	return select_row(l, row, true);
}

void list_stay(struct list *l)
{
	l->peeked_count = 0;
}

bool list_move_sibling(struct list *l, int direction)
{
	uint32_t row = list_row(l);

	if (row == ROW_NONE)
		return false;
	if (!l->now.depth || l->flat) {
		uint32_t before = l->cursor;
		list_move(l, direction);
		return l->cursor != before;
	}
	for (int64_t i = (int64_t)l->cursor + direction; i >= 0 && i < (int64_t)l->count;
	     i += direction) {
		if (is_ghost(l, (size_t)i))
			continue;
		uint16_t depth = l->now.depth[l->items[i].row];
		if (depth < l->now.depth[row])
			return false;
		if (depth == l->now.depth[row]) {
			list_move_to(l, (uint32_t)i);
			return true;
		}
	}
	return false;
}

/* ---- marks --------------------------------------------------------------------------------- */

bool list_marked(const struct list *l, uint32_t row)
{
	return idmap_has(&l->marks, l->now.keys[row]);
}

bool list_toggle_mark(struct list *l, uint32_t row)
{
	return idmap_toggle(&l->marks, l->now.keys[row]);
}

/* ---- from one refresh to the next ----------------------------------------------------------- */

/* A row with a new identity but the source's same number was renamed: folds and marks follow. */
static void rename_key(struct list *l, uint64_t old_key, uint64_t new_key)
{
	if (idmap_remove(&l->toggled, old_key))
		idmap_put(&l->toggled, new_key, 0);
	if (idmap_remove(&l->marks, old_key))
		idmap_put(&l->marks, new_key, 0);
}

/*
 * Fills l->origin and returns the present row of each former row (owned by the caller); NULL if no
 * row moved.
 */
static uint32_t *list_match_rows(struct list *l)
{
	const struct list_data *old = &l->before, *new = &l->now;
	uint32_t n = new->view.rows, m = old->view.rows, *fate;
	struct idmap lost = { 0 };

	if (n == m && (old->keys == new->keys ||
		       memcmp(old->keys, new->keys, n * sizeof(*new->keys)) == 0))
		return NULL;
	fate = mem_alloc(m > 0 ? m : 1, sizeof(*fate));
	l->origin = mem_alloc(n > 0 ? n : 1, sizeof(*l->origin));
	memset(fate, 0xff, m * sizeof(*fate));
	for (uint32_t i = 0; i < m; i++)
		idmap_put(&lost, old->keys[i], i);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = idmap_get(&lost, new->keys[i], ROW_NONE);
		l->origin[i] = row;
		if (row != ROW_NONE)
			fate[row] = i;
	}
	idmap_free(&lost);
	if (!old->ids || !new->ids)
		return fate;
	for (uint32_t i = 0; i < m; i++) {
		if (fate[i] == ROW_NONE)
			idmap_put(&lost, old->ids[i], i);
	}
	for (uint32_t i = 0; lost.count > 0 && i < n; i++) {
		uint32_t row = l->origin[i] == ROW_NONE ? idmap_get(&lost, new->ids[i], ROW_NONE) :
							  ROW_NONE;
		if (row == ROW_NONE || fate[row] != ROW_NONE)
			continue;
		l->origin[i] = row;
		fate[row] = i;
		rename_key(l, old->keys[row], new->keys[i]);
	}
	idmap_free(&lost);
	return fate;
}

/* The present row of the former item nearest to AT that is not gone. */
static uint32_t nearest_survivor(const struct list *l, const uint32_t *fate, size_t at)
{
	for (size_t d = 0; d < l->count; d++) {
		const size_t candidates[2] = { at + d, at - d };
		for (int i = 0; i < 2; i++) {
			if (candidates[i] >= l->count)	/* below zero wraps to a huge number */
				continue;
			const struct list_item *item = &l->items[candidates[i]];
			if ((item->flags & ITEM_GHOST) == 0 && fate[item->row] != ROW_NONE)
				return fate[item->row];
		}
	}
	return ROW_NONE;
}

static void collect_ghosts(struct list *l, const uint32_t *fate)
{
	uint32_t after = ROW_NONE;

	for (size_t i = 0; i < l->count; i++) {
		const struct list_item *item = &l->items[i];
		if (item->flags & ITEM_GHOST)
			continue;
		if (fate[item->row] != ROW_NONE) {
			after = fate[item->row];
			continue;
		}
		if (l->ghost_count == GHOSTS_MAX) {
			l->ghost_count = 0;
			return;
		}
		if (l->ghost_count == l->ghost_capacity)
			MEM_GROW(l->ghosts, l->ghost_capacity, l->ghost_count + 1);
		l->ghosts[l->ghost_count++] = (struct list_ghost){ item->row, after };
	}
}

static void drop_before(struct list *l)
{
	memset(&l->before, 0, sizeof(l->before));
	mem_free(l->origin);
	l->origin = NULL;
	l->ghost_count = 0;
}

void list_update(struct list *l, const struct list_data *data)
{
	bool first = !l->now.keys, at_top = l->top == 0;
	uint32_t line = l->cursor - l->top, target = ROW_NONE;
	uint32_t *fate;

	drop_before(l);
	if (!first)
		l->before = l->now;
	l->now = *data;
	if (!first) {
		fate = list_match_rows(l);
		if (fate) {
			target = nearest_survivor(l, fate, l->cursor);
			collect_ghosts(l, fate);
		} else if (l->count > 0) {
			target = list_row(l);
		}
		mem_free(fate);
	}
	mem_free(l->place);
	l->place = mem_alloc(data->view.rows > 0 ? data->view.rows : 1, sizeof(*l->place));
	build_sequence(l);
	build_match(l);
	build_items(l);
	while (target != ROW_NONE && l->place[target] == ROW_NONE)
		target = list_parent_row(l, target);
	/* If no row was chosen, the cursor does not follow the first one, say when a job begins. */
	if (at_top && line == 0 && target != ROW_NONE && l->place[target] >= l->page)
		target = ROW_NONE;
	list_place_cursor(l, target != ROW_NONE ? l->place[target] : l->cursor, line, at_top);
}

void list_forget(struct list *l)
{
	bool had_ghosts = l->ghost_count > 0;

	drop_before(l);
	if (had_ghosts)
		list_rebuild(l);
}
