/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns that compare a what-if with its base, in the sheets: those of the command line
 * (compared.h) and those that only a screen has. They are no choice of the user: while a what-if is
 * on the screen they stand beside what they compare, and vanish with it.
 */
#include <stdio.h>
#include <string.h>

#include "core/whatif/compared.h"
#include "tui/rows/state.h"
#include "tui/whatif/trial.h"
#include "tui/whatif/trial_own.h"

/* ---- the tables ---------------------------------------------------------------------------- */

/* Of the command line first, then the screen's own. */
#define TABLES (COMPARED_TABLES + TRIAL_OWN_TABLES)

static const struct compared_table *table_at(size_t i)
{
	return i < COMPARED_TABLES ? compared_tables[i] : &trial_own_tables[i - COMPARED_TABLES];
}

static const struct compared *entry_of(const struct column *column)
{
	for (size_t i = 0; i < TABLES; i++) {
		const struct compared_table *t = table_at(i);

		for (size_t k = 0; k < t->count; k++) {
			if (column == &t->columns[k].column)
				return &t->columns[k];
		}
	}
	return NULL;
}

bool trial_is_column(const struct column *column)
{
	return entry_of(column) != NULL;
}

const char *trial_column_of(const struct column *column)
{
	const struct compared *t = entry_of(column);

	return t != NULL ? t->of : column->name;
}

const struct column *trial_find_column(const struct sheet *sheet, const char *name)
{
	for (size_t i = 0; i < sheet->count; i++) {
		const struct column *column = sheet->columns[i];

		if (trial_is_column(column) && strcmp(column->name, name) == 0)
			return column;
	}
	return NULL;
}

static bool is_kind(const struct column *column, enum compared_kind kind)
{
	const struct compared *t = entry_of(column);

	return t != NULL && t->kind == kind;
}

bool trial_is_difference(const struct column *column)
{
	return is_kind(column, COMPARED_CHANGE);
}

bool trial_is_moves(const struct column *column)
{
	return is_kind(column, COMPARED_RANK);
}

static bool is_gain(const struct compared_table *t, size_t k)
{
	return t->gain != NULL && strcmp(t->columns[k].column.name, t->gain) == 0;
}

const struct column *trial_gain_column(enum view_id view)
{
	const struct compared_table *t = compared_find(view_names[view]);

	for (size_t k = 0; k < t->count; k++) {
		if (is_gain(t, k))
			return &t->columns[k].column;
	}
	return NULL;
}

/* ---- in the sheets ------------------------------------------------------------------------- */

static void take_away(struct sheet *sheet)
{
	size_t kept = 0;

	for (size_t i = 0; i < sheet->count; i++) {
		if (!trial_is_column(sheet->columns[i]))
			sheet->columns[kept++] = sheet->columns[i];
	}
	sheet->count = kept;
}

static size_t place_of(const struct sheet *sheet, const char *name)
{
	size_t at = 0;

	while (at < sheet->count && strcmp(sheet->columns[at]->name, name) != 0)
		at++;
	return at;
}

/* ALWAYS: also where what it stands beside is not shown. */
static void put_beside(struct sheet *sheet, const struct compared *t, bool always)
{
	size_t at = place_of(sheet, t->of);

	if (sheet->count == SHEET_COLUMNS || (at == sheet->count && !always))
		return;
	if (at == sheet->count)
		at = 0;
	else if (t->kind != COMPARED_BASE)
		at++;
	memmove(&sheet->columns[at + 1], &sheet->columns[at],
		(sheet->count - at) * sizeof sheet->columns[0]);
	sheet->columns[at] = &t->column;
	sheet->count++;
}

static void put_table(struct app *a, const struct compared_table *t)
{
	enum view_id view = VIEW_ACCOUNTS;

	while (strcmp(view_names[view], t->view) != 0)
		view++;
	for (size_t k = t->count; k-- > 0; ) {
		/* The screen has a bar of all terms, and a column for each. */
		if (view == VIEW_JOBS && strcmp(t->columns[k].of, "terms") == 0)
			continue;
		if (trial_own_is_wanted(a, &t->columns[k]))
			put_beside(&a->sheets[view], &t->columns[k], is_gain(t, k));
	}
}

/*
 * The policy has its own column for what the edits make of a parameter. PUT: it was put there by
 * this, and not by the user.
 */
static void fit_policy(struct sheet *sheet, bool shown, bool *put)
{
	const struct column *what_if =
		column_find(sheet->all, sheet->all_count, "what_if", strlen("what_if"));
	bool there = place_of(sheet, "what_if") < sheet->count, chosen = sheet->chosen;

	if (shown ? there : !*put || !there)
		return;
	sheet_toggle(sheet, what_if);
	sheet->chosen = chosen;
	*put = shown;
}

/* The column that has to be seen whatever the room. */
static const struct column *held_column(const struct sheet *sheet, enum view_id view)
{
	static const char *const names[VIEW_COUNT] = {
		[VIEW_ACCOUNTS] = "rank",     [VIEW_JOBS] = "rank",	 [VIEW_POOLS] = "allotted",
		[VIEW_CLASSES] = "first_rank", [VIEW_POLICY] = "what_if",
	};
	const char *name = names[view];

	return column_find(sheet->all, sheet->all_count, name, strlen(name));
}

/* What sorted is gone: rows stand as they did before; after the base they are sorted again. */
static void sort_as_before(struct app *a, enum view_id view)
{
	struct sheet *sheet = &a->sheets[view];
	struct trial *t = a->trial;
	struct row_order order = sheet->list.order;
	bool moved = t->moved[view] && sheet->picked == trial_gain_column(view);

	if (!t->flipped && t->away[view] != NULL) {
		/* The base was looked at when the last edit went. */
		if (t->moved[view] && t->away[view] == trial_gain_column(view))
			list_set_order(&sheet->list, &order, t->flat[view]);
		t->away[view] = NULL;
	}
	if (sheet->picked == NULL || !trial_is_column(sheet->picked))
		return;
	t->away[view] = t->flipped ? sheet->picked : NULL;
	t->away_descending[view] = sheet->list.order.count > 0 &&
				   sheet->list.order.keys[0].descending;
	/* While the base is only looked at the list stays flat: the cursor keeps its row. */
	if (moved && !t->flipped)
		sheet->list.flat = t->flat[view];
	sheet_pick(sheet, moved ? t->order[view] : NULL, moved && t->descending[view]);
}

static void sort_again(struct app *a, enum view_id view)
{
	struct sheet *sheet = &a->sheets[view];
	struct trial *t = a->trial;
	const struct column *away = t->away[view];
	bool moved = t->moved[view] && away == trial_gain_column(view);

	t->away[view] = NULL;
	/* Unless the user has sorted the base otherwise. */
	if (away == NULL || sheet_index(sheet, away) == sheet->count ||
	    sheet->picked != (moved ? t->order[view] : NULL))
		return;
	sheet_pick(sheet, away, t->away_descending[view]);
}

void trial_fit_columns(struct app *a)
{
	bool shown = trial_versus(a) != NULL;

	for (int view = 0; view < VIEW_COUNT; view++) {
		struct sheet *sheet = &a->sheets[view];

		take_away(sheet);
		sheet->held = shown ? held_column(sheet, (enum view_id)view) : NULL;
	}
	fit_policy(&a->sheets[VIEW_POLICY], shown, &a->trial->put_what_if);
	for (size_t i = TABLES; shown && i-- > 0; )
		put_table(a, table_at(i));
	for (int view = 0; view < VIEW_COUNT; view++) {
		if (shown)
			sort_again(a, (enum view_id)view);
		else
			sort_as_before(a, (enum view_id)view);
	}
}

/* ---- cells --------------------------------------------------------------------------------- */

/* "▲12": better by twelve places. Blank where there is no rank to compare. */
static void moves_cell(const struct value *v, bool ascii, char *buf, size_t size)
{
	long long places = v->kind == VALUE_INT ? (long long)v->integer : 0;

	if (v->kind != VALUE_INT)
		buf[0] = '\0';
	else if (places == 0)
		snprintf(buf, size, "0");
	else if (places > 0)
		snprintf(buf, size, "%s%lld", ascii ? "+" : "▲", places);
	else
		snprintf(buf, size, "%s%lld", ascii ? "-" : "▼", -places);
}

void trial_cell(const struct column *column, const struct value *v, bool ascii, char *buf,
		size_t size)
{
	const struct compared *t = entry_of(column);
	bool more = t->kind == COMPARED_CHANGE && ((v->kind == VALUE_REAL && v->real > 0) ||
					      (v->kind == VALUE_INT && v->integer > 0));
	char text[80];

	if (t->kind == COMPARED_RANK) {
		moves_cell(v, ascii, buf, size);
		return;
	}
	sheet_cell(column, v, column->width - more, ascii, text, sizeof text);
	snprintf(buf, size, "%s%s", more ? "+" : "", text);
}
