/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rows are shown, in which order. Each step is one pass over the rows, and a step is taken
 * again only when what it comes from has changed: data, order and filter for the first two, folds
 * for the last.
 */
#include "tui/rows/list_private.h"

#include <string.h>

#include "core/base/mem.h"

static bool is_tree(const struct list *l)
{
	return l->now.parent != NULL;
}

/*
 * Sorts inside each parent: the rows, sorted as if there was no tree, are dealt out to their
 * parents; the children of each are then in order, ties as in the source, and a pre-order walk
 * gives the sequence.
 */
static uint32_t *sort_tree(const struct list *l, const uint32_t *sorted)
{
	uint32_t n = l->now.view.rows;
	uint32_t *first = mem_alloc(n, sizeof *first);	/* first child; then next sibling */
	uint32_t *next = mem_alloc(n, sizeof *next);
	uint32_t *last = mem_alloc(n, sizeof *last);
	uint32_t *sequence = mem_alloc(n, sizeof *sequence), used = 0;

	memset(first, 0xff, n * sizeof *first);
	memset(next, 0xff, n * sizeof *next);
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
	mem_free(first);
	mem_free(next);
	mem_free(last);
	return sequence;
}

/* The order that the data came with, rows without a value behind it; NULL: it is another one. */
static uint32_t *sorted_already(const struct list *l)
{
	const struct list_data *d = &l->now;
	uint32_t used = d->sorted_count, *rows;
	bool *there;

	if (d->sorted == NULL || l->order.count != 1 || l->order.keys[0].descending ||
	    l->order.keys[0].column != d->sorted_by)
		return NULL;
	rows = mem_alloc(d->view.rows, sizeof *rows);
	there = mem_zalloc(d->view.rows, sizeof *there);
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

void list_build_sequence(struct list *l)
{
	uint32_t count, *sorted;

	mem_free(l->sequence);
	l->sequence = NULL;
	if (l->order.count == 0 || l->now.view.rows == 0)
		return;
	l->sequence = sorted_already(l);
	if (l->sequence != NULL)
		return;
	sorted = rows_select(&l->now.view, NULL, &l->order, &count);
	if (!is_tree(l) || l->flat) {
		l->sequence = sorted;
		return;
	}
	l->sequence = sort_tree(l, sorted);
	mem_free(sorted);
}

void list_build_match(struct list *l)
{
	uint32_t n = l->now.view.rows;

	mem_free(l->match);
	l->match = NULL;
	l->matches = n;
	if (l->filter == NULL)
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

/* There is room for every row and every ghost: list_build_items(). */
static void push(struct list *l, uint32_t row, uint32_t flags)
{
	l->items[l->count++] = (struct list_item){ row, flags };
}

static void walk_tree(struct list *l)
{
	uint32_t n = l->now.view.rows;

	for (uint32_t at = 0; at < n; ) {
		uint32_t row = l->sequence != NULL ? l->sequence[at] : at;
		bool context = l->match != NULL && l->match[row] == 1;
		if (l->match != NULL && l->match[row] == 0) {
			at += l->now.span[row];
			continue;
		}
		push(l, row, context ? ITEM_CONTEXT : 0);
		/* What a filter keeps only to show the place is open: its matches must be seen. */
		at += context || !list_folded(l, row) ? 1 : l->now.span[row];
	}
}

/* Room to string the rows of each group together; what they were before is forgotten. */
static uint32_t *begin_groups(struct list *l)
{
	uint32_t n = l->now.view.rows;

	mem_free(l->heads);
	mem_free(l->members);
	l->heads = l->members = NULL;
	if (l->now.group == NULL || l->flat || l->now.groups == 0)
		return NULL;
	l->heads = mem_alloc(l->now.groups, sizeof *l->heads);
	l->members = mem_alloc(n, sizeof *l->members);
	memset(l->heads, 0xff, l->now.groups * sizeof *l->heads);
	memset(l->members, 0xff, n * sizeof *l->members);
	return mem_alloc(l->now.groups, sizeof *l->heads);
}

static bool is_open(const struct list *l, uint32_t head)
{
	return head != ROW_NONE && l->members[head] != ROW_NONE && !list_folded(l, head);
}

/* Puts the members of open groups behind the first of each. */
static void open_groups(struct list *l)
{
	struct list_item *shut = l->items;
	size_t count = l->count;
	bool any = false;

	for (uint32_t g = 0; g < l->now.groups && !any; g++)
		any = is_open(l, l->heads[g]);
	if (!any)
		return;
	l->items = mem_alloc(l->capacity, sizeof *l->items);
	l->count = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t row = shut[i].row;

		push(l, row, 0);
		if (l->members[row] == ROW_NONE || list_folded(l, row))
			continue;
		for (uint32_t m = l->members[row]; m != ROW_NONE; m = l->members[m])
			push(l, m, ITEM_MEMBER);
	}
	mem_free(shut);
}

/* Most rows are of no group, and most groups are shut: they cost one look each. */
static void walk_flat(struct list *l)
{
	uint32_t n = l->now.view.rows, *last = begin_groups(l);

	for (uint32_t at = 0; at < n; at++) {
		uint32_t row = l->sequence != NULL ? l->sequence[at] : at, group;

		if (l->match != NULL && l->match[row] != 2)
			continue;
		group = last != NULL ? l->now.group[row] : ROW_NONE;
		if (group != ROW_NONE && l->heads[group] != ROW_NONE) {
			l->members[last[group]] = row;
			last[group] = row;
			continue;
		}
		if (group != ROW_NONE)
			l->heads[group] = last[group] = row;
		push(l, row, 0);
	}
	if (last != NULL)
		open_groups(l);
	mem_free(last);
}

static void index_items(struct list *l)
{
	memset(l->place, 0xff, l->now.view.rows * sizeof *l->place);
	for (size_t i = 0; i < l->count; i++) {
		if ((l->items[i].flags & ITEM_GHOST) == 0)
			l->place[l->items[i].row] = (uint32_t)i;
	}
}

/* Puts the ghosts behind the rows they stood behind; those whose row is hidden stay away. */
static void insert_ghosts(struct list *l)
{
	size_t old_count = l->count, at = 0;
	struct list_item *old = mem_alloc(old_count > 0 ? old_count : 1, sizeof *old);
	size_t *begin;	/* ghosts behind item i - 1: order[begin[i]] .. order[begin[i + 1] - 1] */
	uint32_t *order = mem_alloc(l->ghost_count, sizeof *order);

	memcpy(old, l->items, old_count * sizeof *old);
	begin = mem_zalloc(old_count + 2, sizeof *begin);
	for (size_t g = 0; g < l->ghost_count; g++) {
		uint32_t after = l->ghosts[g].after;
		if (after == ROW_NONE)
			begin[1]++;
		else if (l->place[after] != ROW_NONE)
			begin[l->place[after] + 2]++;
	}
	for (size_t i = 1; i <= old_count + 1; i++)
		begin[i] += begin[i - 1];
	for (size_t g = 0; g < l->ghost_count; g++) {
		uint32_t after = l->ghosts[g].after;
		if (after == ROW_NONE)
			order[begin[0]++] = (uint32_t)g;
		else if (l->place[after] != ROW_NONE)
			order[begin[l->place[after] + 1]++] = (uint32_t)g;
	}
	/* begin[i] is now the end of group i. */
	l->count = 0;
	for (size_t i = 0; i <= old_count; i++) {
		if (i > 0)
			push(l, old[i - 1].row, old[i - 1].flags);
		for (; at < begin[i]; at++)
			push(l, l->ghosts[order[at]].row, ITEM_GHOST);
	}
	mem_free(old);
	mem_free(order);
	mem_free(begin);
}

void list_build_items(struct list *l)
{
	size_t most = l->now.view.rows + l->ghost_count;

	if (most > l->capacity) {
		mem_free(l->items);
		l->items = mem_alloc(most, sizeof *l->items);
		l->capacity = most;
	}
	l->count = 0;
	if (is_tree(l) && !l->flat)
		walk_tree(l);
	else
		walk_flat(l);
	index_items(l);
	if (l->ghost_count > 0 && l->count > 0) {
		insert_ghosts(l);
		index_items(l);
	}
}
