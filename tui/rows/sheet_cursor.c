/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The column cursor of a sheet.
 *
 * While every column has room, or those without it are dropped, the cursor goes through the columns
 * that are seen, and nothing moves. Beyond the last one the columns scroll: from then on all of
 * them stand in a row, as many as fit, and the cursor goes through all. Left of the first scrolled
 * one the way leads back.
 */
#include "tui/rows/sheet.h"

const struct column *sheet_cursor(const struct sheet *t)
{
	return t->cursor != NULL && sheet_index(t, t->cursor) < t->count ? t->cursor : NULL;
}

void sheet_set_cursor(struct sheet *t, const struct column *column)
{
	t->cursor = column;
}

static const struct column *sorting(const struct sheet *t)
{
	return t->list.order.count > 0 ? t->picked : NULL;
}

const struct column *sheet_explained(const struct sheet *t)
{
	const struct column *cursor = sheet_cursor(t);

	return cursor != NULL ? cursor : sorting(t);
}

/* Index of COLUMN in the layout, else its count. */
static size_t slot_of(const struct sheet *t, const struct column *column)
{
	size_t i = 0;

	while (i < t->layout.count && t->layout.slots[i].column != column)
		i++;
	return i;
}

static void step_left(struct sheet *t, const struct column *from, size_t slot)
{
	size_t index = sheet_index(t, from);

	if (slot > 0 && slot < t->layout.count)
		t->cursor = t->layout.slots[slot - 1].column;
	else if (t->scroll > 0 && index > 0 && index < t->count)
		t->cursor = t->columns[index - 1];
	else
		t->cursor = NULL;
}

static void step_right(struct sheet *t, const struct column *from, size_t slot)
{
	const struct sheet_layout *l = &t->layout;
	size_t index = sheet_index(t, from);

	if (slot + 1 < l->count) {
		t->cursor = l->slots[slot + 1].column;
	} else if (slot == l->count) {
		t->cursor = l->count > 0 ? l->slots[0].column : NULL;
	} else if (index + 1 < t->count) {
		t->cursor = t->columns[index + 1];
		t->scroll = t->scroll > 0 ? t->scroll : 1;
	} else if (t->scroll == 0 && l->dropped > 0) {
		t->cursor = from;	/* the last one: those between are still to be seen */
		t->scroll = 1;
	}
}

void sheet_step(struct sheet *t, int by)
{
	const struct column *from = sheet_explained(t);
	size_t slot = slot_of(t, from);

	if (by < 0)
		step_left(t, from, slot);
	else
		step_right(t, from, slot);
}

const struct column *sheet_column_at(const struct sheet *t, int x)
{
	for (size_t i = 0; i < t->layout.count; i++) {
		const struct sheet_slot *slot = &t->layout.slots[i];

		if (x >= slot->x && x < slot->x + slot->width)
			return slot->column;
	}
	return NULL;
}

void sheet_reveal(struct sheet *t, int room)
{
	size_t at = sheet_cursor(t) != NULL ? sheet_index(t, t->cursor) : 0;
	int need = 0;

	if (t->scroll == 0)
		return;
	if (at < t->scroll)
		t->scroll = at;
	for (size_t i = t->scroll; i <= at && i < t->count; i++)
		need += sheet_column_width(t->columns[i]) + 1;
	while (need > room && t->scroll < at)
		need -= sheet_column_width(t->columns[t->scroll++]) + 1;
}
