/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of changes in the sheets (changes_columns.h). They are not chosen by the user: while a
 * what-if is on the screen they are beside the columns that change, and disappear with it.
 */
#include <stdio.h>
#include <string.h>

#include "tui/rows/state.h"
#include "tui/whatif/whatif_sets.h"

const struct column *whatif_find_column(const struct sheet *sheet, const char *name)
{
	for (size_t i = 0; i < sheet->count; i++) {
		const struct column *column = sheet->columns[i];

		if (column->of && strcmp(column->name, name) == 0)
			return column;
	}
	return NULL;
}

/* ---- in the sheets ------------------------------------------------------------------------- */

static void take_away(struct sheet *sheet)
{
	size_t kept = 0;

	for (size_t i = 0; i < sheet->count; i++) {
		if (!sheet->columns[i]->of)
			sheet->columns[kept++] = sheet->columns[i];
	}
	sheet->count = kept;
}

/* The column of who gains most is added even if its own column is not shown. */
static void put_beside(struct sheet *sheet, const struct column *column)
{
	size_t at = sheet_index(sheet, column->of);

	if (sheet->count == SHEET_COLUMNS || (at == sheet->count && column != sheet->changes->gain))
		return;
	if (at == sheet->count)
		at = 0;
	else if (column->kind != COLUMN_BASE)
		at++;
	memmove(&sheet->columns[at + 1], &sheet->columns[at],
		(sheet->count - at) * sizeof(sheet->columns[0]));
	sheet->columns[at] = column;
	sheet->count++;
}

/* From the last on, so that each ends up right beside its column. */
static void whatif_put_changes(struct sheet *sheet, const struct changes_pair *v)
{
	const struct changes_columns *c = sheet->changes;

	for (size_t i = c->count; i-- > c->own; ) {
		size_t set = changes_set(&c->columns[i]);

		if (set >= WHATIF_SETS || v->beside[set])
			put_beside(sheet, &c->columns[i]);
	}
}

/*
 * The policy has its own column for the edited value of a parameter. PUT: this function added it,
 * not the user.
 */
static void fit_policy(struct sheet *sheet, bool shown, bool *put)
{
	const struct column *what_if = sheet->changes->gain->of;
	bool there = sheet_index(sheet, what_if) < sheet->count, chosen = sheet->chosen;

	if (shown ? there : !*put || !there)
		return;
	sheet_toggle(sheet, what_if);
	sheet->chosen = chosen;
	*put = shown;
}

/* Without the sort column, restores the former order; sorts again after the base was shown. */
static void sort_as_before(struct app *a, enum view_id view)
{
	struct sheet *sheet = &a->sheets[view];
	struct whatif_sets *t = a->whatif;
	struct row_order order = sheet->list.order;
	bool moved = t->moved[view] && sheet->picked == sheet->changes->gain;

	if (!t->flipped && t->away[view]) {
		/* The base was on the screen when the last edit was removed. */
		if (t->moved[view] && t->away[view] == sheet->changes->gain)
			list_set_order(&sheet->list, &order, t->flat[view]);
		t->away[view] = NULL;
	}
	if (!sheet->picked || !sheet->picked->of)
		return;
	t->away[view] = t->flipped ? sheet->picked : NULL;
	t->away_descending[view] = sheet->list.order.count > 0 &&
				   sheet->list.order.keys[0].descending;
	/* While the base is shown for a moment, the list stays flat: the cursor keeps its row. */
	if (moved && !t->flipped)
		sheet->list.flat = t->flat[view];
	sheet_pick(sheet, moved ? t->order[view] : NULL, moved && t->descending[view]);
}

static void whatif_sort_again(struct app *a, enum view_id view)
{
	struct sheet *sheet = &a->sheets[view];
	struct whatif_sets *t = a->whatif;
	const struct column *away = t->away[view];
	bool moved = t->moved[view] && away == sheet->changes->gain;

	t->away[view] = NULL;
	/* Unless the user has changed the order of the base. */
	if (!away || sheet_index(sheet, away) == sheet->count ||
	    sheet->picked != (moved ? t->order[view] : NULL))
		return;
	sheet_pick(sheet, away, t->away_descending[view]);
}

void whatif_fit_columns(struct app *a)
{
	bool shown = whatif_changes(a) != NULL;

	for (int view = 0; view < VIEW_CLUSTERS; view++) {
		struct sheet *sheet = &a->sheets[view];

		take_away(sheet);
		/* never dropped */
		sheet->held = shown ? sheet->changes->gain->of : NULL;
	}
	fit_policy(&a->sheets[VIEW_POLICY], shown, &a->whatif->put_what_if);
	for (int view = 0; view < VIEW_CLUSTERS; view++) {
		if (shown) {
			whatif_put_changes(&a->sheets[view], whatif_changes(a));
			whatif_sort_again(a, (enum view_id)view);
		} else {
			sort_as_before(a, (enum view_id)view);
		}
	}
}

/* ---- cells --------------------------------------------------------------------------------- */

void whatif_cell(const struct column *column, const struct value *v, bool ascii, char *buf,
		 size_t size)
{
	bool more = column->kind == COLUMN_CHANGE && value_number(v) > 0;
	char text[80];

	buf[0] = '\0';
	/* "+12": twelve ranks better. Blank if there is no rank to compare. */
	if (column->kind == COLUMN_PLACES && v->kind == VALUE_INT)
		snprintf(buf, size, v->integer == 0 ? "%lld" : "%+lld", (long long)v->integer);
	if (column->kind == COLUMN_PLACES)
		return;
	sheet_cell(column, v, column->width - more, ascii, text, sizeof(text));
	snprintf(buf, size, "%s%s", more ? "+" : "", text);
}
