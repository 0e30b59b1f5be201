/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/list_private.h"

#include <string.h>

#include "core/base/mem.h"

void list_init(struct list *l)
{
	memset(l, 0, sizeof *l);
	l->fold_depth = UINT32_MAX;
	l->page = 1;
}

void list_free(struct list *l)
{
	filter_free(l->filter);
	idmap_free(&l->toggled);
	idmap_free(&l->marks);
	mem_free(l->peeked);
	mem_free(l->origin);
	mem_free(l->sequence);
	mem_free(l->match);
	mem_free(l->items);
	mem_free(l->heads);
	mem_free(l->members);
	mem_free(l->place);
	mem_free(l->ghosts);
	memset(l, 0, sizeof *l);
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

/* The item at ITEM, or the nearest that is no ghost: first in DIRECTION, then the other way. */
static uint32_t settle(const struct list *l, uint32_t item, int direction)
{
	for (int turn = 0; turn < 2; turn++, direction = -direction) {
		for (int64_t i = item; i >= 0 && i < (int64_t)l->count; i += direction) {
			if (!is_ghost(l, (size_t)i))
				return (uint32_t)i;
		}
	}
	return 0;
}

void list_place_cursor(struct list *l, uint32_t item, uint32_t line, bool at_top)
{
	if (l->count == 0) {
		l->cursor = l->top = 0;
		return;
	}
	if (item >= l->count)
		item = (uint32_t)l->count - 1;
	l->cursor = settle(l, item, 1);
	if (at_top && l->cursor < l->page)
		l->top = 0;	/* who looks at the beginning wants to see what comes in there */
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

const struct list_item *list_current(const struct list *l)
{
	return l->count > 0 ? &l->items[l->cursor] : NULL;
}

uint32_t list_row(const struct list *l)
{
	return l->count > 0 && !is_ghost(l, l->cursor) ? l->items[l->cursor].row : ROW_NONE;
}

uint32_t list_before(const struct list *l, uint32_t row)
{
	if (l->before.keys == NULL)
		return ROW_NONE;
	return l->origin != NULL ? l->origin[row] : row;
}

void list_move_to(struct list *l, uint32_t item)
{
	if (l->count == 0)
		return;
	if (item >= l->count)
		item = (uint32_t)l->count - 1;
	l->cursor = settle(l, item, item >= l->cursor ? 1 : -1);
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
		l->cursor = settle(l, l->top, 1);
	else if (l->cursor >= l->top + l->page)
		l->cursor = settle(l, l->top + l->page - 1, -1);
	keep_in_window(l);
}

void list_center(struct list *l)
{
	l->top = l->cursor > l->page / 2 ? l->cursor - l->page / 2 : 0;
	keep_in_window(l);
}

/* ---- what is shown ------------------------------------------------------------------------- */

/*
 * After the items were built anew from the same data: the cursor stays on its row; a row that a
 * fold hides gives it to the ancestor that hides it, a row that a filter hides to the nearest
 * neighbour.
 */
static void keep_cursor(struct list *l, const struct list_item *old, size_t old_count, uint32_t at,
			uint32_t line, bool at_top)
{
	uint32_t row = old_count > 0 && (old[at].flags & ITEM_GHOST) == 0 ? old[at].row : ROW_NONE;

	if (row != ROW_NONE && l->match != NULL && l->match[row] == 0)
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

	if (l->now.keys == NULL)
		return;
	l->items = NULL;
	l->capacity = 0;
	list_build_items(l);
	keep_cursor(l, old, old_count, at, line, at_top);
	mem_free(old);
}

static uint64_t cursor_key(const struct list *l)
{
	uint32_t row = list_row(l);

	return row != ROW_NONE ? l->now.keys[row] : 0;
}

static uint32_t row_of_key(const struct list *l, uint64_t key)
{
	for (uint32_t row = 0; row < l->now.view.rows; row++) {
		if (l->now.keys[row] == key)
			return row;
	}
	return ROW_NONE;
}

/* WANTED is the row that the cursor is on, or was on before a filter hid it. */
static void return_cursor(struct list *l, uint64_t wanted)
{
	uint32_t row = row_of_key(l, wanted);

	l->hidden = l->instead = 0;
	if (row == ROW_NONE || cursor_key(l) == wanted)
		return;
	if (l->place[row] != ROW_NONE) {
		list_select(l, row);
	} else if (l->match != NULL && l->match[row] == 0) {
		l->hidden = wanted;
		l->instead = cursor_key(l);
	}
}

void list_set_filter(struct list *l, struct filter *filter)
{
	uint64_t wanted;

	filter_free(l->filter);
	l->filter = filter;
	if (l->now.keys == NULL)
		return;
	wanted = cursor_key(l);
	if (l->hidden != 0 && l->instead == wanted)
		wanted = l->hidden;
	list_build_match(l);
	list_rebuild(l);
	if (wanted != 0)
		return_cursor(l, wanted);
}

void list_set_order(struct list *l, const struct row_order *order, bool flat)
{
	l->order = *order;
	l->flat = flat;
	if (l->now.keys == NULL)
		return;
	list_build_sequence(l);
	list_rebuild(l);
}

/* ---- trees --------------------------------------------------------------------------------- */

/* The group that ROW stands first in; ROW_NONE if it does not. */
static uint32_t headed_group(const struct list *l, uint32_t row)
{
	uint32_t group = l->heads != NULL ? l->now.group[row] : ROW_NONE;

	return group != ROW_NONE && l->heads[group] == row ? group : ROW_NONE;
}

bool list_foldable(const struct list *l, uint32_t row)
{
	if (headed_group(l, row) != ROW_NONE)
		return l->members[row] != ROW_NONE;
	return l->now.span != NULL && !l->flat && l->now.span[row] > 1;
}

/* What a fold is remembered by. */
static uint64_t fold_key(const struct list *l, uint32_t row)
{
	uint32_t group = headed_group(l, row);

	return group != ROW_NONE ? l->now.group_keys[group] : l->now.keys[row];
}

bool list_folded(const struct list *l, uint32_t row)
{
	uint32_t depth = l->now.depth != NULL ? l->now.depth[row] : LIST_GROUP_DEPTH;

	if (!list_foldable(l, row))
		return false;
	return (depth >= l->fold_depth) != idmap_has(&l->toggled, fold_key(l, row));
}

static void set_folded(struct list *l, uint32_t row, bool folded)
{
	if (list_foldable(l, row) && list_folded(l, row) != folded)
		idmap_toggle(&l->toggled, fold_key(l, row));
}

void list_fold(struct list *l, uint32_t row, bool folded)
{
	set_folded(l, row, folded);
	list_rebuild(l);
}

void list_fold_subtree(struct list *l, uint32_t row, bool folded)
{
	if (l->now.span == NULL)
		return;
	for (uint32_t i = row; i < row + l->now.span[row]; i++)
		set_folded(l, i, folded);
	list_rebuild(l);
}

void list_set_fold_depth(struct list *l, uint32_t depth)
{
	l->fold_depth = depth;
	idmap_clear(&l->toggled);
	l->peeked_count = 0;
	list_rebuild(l);
}

uint32_t list_parent_row(const struct list *l, uint32_t row)
{
	uint32_t group = l->heads != NULL ? l->now.group[row] : ROW_NONE;

	if (group != ROW_NONE)
		return l->heads[group] != row ? l->heads[group] : ROW_NONE;
	return l->now.parent != NULL ? l->now.parent[row] : ROW_NONE;
}

uint32_t list_next_member(const struct list *l, uint32_t row)
{
	return l->members != NULL ? l->members[row] : ROW_NONE;
}

static void remember_peek(struct list *l, uint64_t key)
{
	if (l->peeked_count == l->peeked_capacity)
		l->peeked = mem_grow(l->peeked, &l->peeked_capacity, l->peeked_count + 1,
				     sizeof *l->peeked);
	l->peeked[l->peeked_count++] = key;
}

static bool select_row(struct list *l, uint32_t row, bool peek)
{
	if (row >= l->now.view.rows || (l->match != NULL && l->match[row] == 0))
		return false;
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
	if (l->now.depth == NULL || l->flat) {
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
