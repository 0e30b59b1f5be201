/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From one refresh to the next: rows are recognised by their identity, never by their number.
 */
#include "tui/rows/list_private.h"

#include <string.h>

#include "core/base/mem.h"

/* More rows gone than this: another cluster, not a change worth showing row by row. */
#define GHOSTS_MAX 200

/*
 * A row that lost its identity but kept the source's number was renamed: folds and marks go with
 * it.
 */
static void rename_key(struct list *l, uint64_t old_key, uint64_t new_key)
{
	if (idmap_remove(&l->toggled, old_key))
		idmap_put(&l->toggled, new_key, 0);
	if (idmap_remove(&l->marks, old_key))
		idmap_put(&l->marks, new_key, 0);
}

/*
 * Fills l->origin and returns where each former row is now (owned by the caller); NULL when no row
 * moved.
 */
static uint32_t *match_rows(struct list *l)
{
	const struct list_data *old = &l->before, *new = &l->now;
	uint32_t n = new->view.rows, m = old->view.rows, *fate;
	struct idmap lost = { 0 };

	if (n == m && (old->keys == new->keys ||
		       memcmp(old->keys, new->keys, n * sizeof *new->keys) == 0))
		return NULL;
	fate = mem_alloc(m > 0 ? m : 1, sizeof *fate);
	l->origin = mem_alloc(n > 0 ? n : 1, sizeof *l->origin);
	memset(fate, 0xff, m * sizeof *fate);
	for (uint32_t i = 0; i < m; i++)
		idmap_put(&lost, old->keys[i], i);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = idmap_get(&lost, new->keys[i], ROW_NONE);
		l->origin[i] = row;
		if (row != ROW_NONE)
			fate[row] = i;
	}
	idmap_free(&lost);
	if (old->ids == NULL || new->ids == NULL)
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

/* The former item nearest to AT that is not gone, as its row now. */
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
			l->ghosts = mem_grow(l->ghosts, &l->ghost_capacity, l->ghost_count + 1,
					     sizeof *l->ghosts);
		l->ghosts[l->ghost_count++] = (struct list_ghost){ item->row, after };
	}
}

static void drop_before(struct list *l)
{
	memset(&l->before, 0, sizeof l->before);
	mem_free(l->origin);
	l->origin = NULL;
	l->ghost_count = 0;
}

void list_update(struct list *l, const struct list_data *data)
{
	bool first = l->now.keys == NULL, at_top = l->top == 0;
	uint32_t line = l->cursor - l->top, target = ROW_NONE;
	uint32_t *fate;

	drop_before(l);
	if (!first)
		l->before = l->now;
	l->now = *data;
	if (!first) {
		fate = match_rows(l);
		if (fate != NULL) {
			target = nearest_survivor(l, fate, l->cursor);
			collect_ghosts(l, fate);
		} else if (l->count > 0) {
			target = list_row(l);
		}
		mem_free(fate);
	}
	mem_free(l->place);
	l->place = mem_alloc(data->view.rows > 0 ? data->view.rows : 1, sizeof *l->place);
	list_build_sequence(l);
	list_build_match(l);
	list_build_items(l);
	while (target != ROW_NONE && l->place[target] == ROW_NONE)
		target = list_parent_row(l, target);
	list_place_cursor(l, target != ROW_NONE ? l->place[target] : l->cursor, line, at_top);
}

void list_forget(struct list *l)
{
	bool had_ghosts = l->ghost_count > 0;

	drop_before(l);
	if (had_ghosts)
		list_rebuild(l);
}
