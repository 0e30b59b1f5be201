/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The column chooser: every column of the view with its meaning, and a mark at those shown. */
#include "tui/panes/pane.h"

#include <string.h>

#include "tui/whatif/whatif_sets.h"

static bool columns_is_shown(const struct sheet *sheet, const struct column *column)
{
	return sheet_index(sheet, column) < sheet->count;
}

static uint32_t columns_count(const struct app *a)
{
	return (uint32_t)sheet_choices(app_sheet_get(a));
}

static const struct column *columns_picked(const struct app *a)
{
	return sheet_choice(app_sheet_get(a), a->pane.pick);
}

static void columns_toggle(struct app *a)
{
	struct sheet *sheet = app_sheet(a);
	const struct column *column = columns_picked(a);

	if (!sheet_toggle(sheet, column))
		app_say(a, ROLE_WARN, "at least one column must be shown");
	if (columns_is_shown(sheet, column))
		sheet_ask(sheet, column);
	whatif_fit_columns(a);
}

/* How well TEXT matches a column: 0: its name, 1: in its name, 2: in its meaning, 3: not at all. */
static int columns_fit_of(const struct column *column, const char *text)
{
	if (strcasecmp(column->title, text) == 0 || strcasecmp(column->name, text) == 0)
		return 0;
	if (strcasestr(column->title, text) || strcasestr(column->name, text))
		return 1;
	return strcasestr(column->legend, text) ? 2 : 3;
}

/* Picks the next match of TEXT; at first the best one. */
static bool columns_find(struct app *a, const char *text, int direction, bool from_here)
{
	const struct sheet *sheet = app_sheet_get(a);
	size_t n = sheet_choices(sheet), at = a->pane.pick, found = n;
	int best = 3;

	for (size_t step = from_here ? 0 : 1; step <= n; step++) {
		size_t i = (at + (direction > 0 ? step : n - step % n)) % n;
		int fit = columns_fit_of(sheet_choice(sheet, i), text);

		if (fit < best) {
			best = from_here ? fit : 0;
			found = i;
		}
	}
	if (found < n)
		a->pane.pick = (uint32_t)found;
	return found < n;
}

static void columns_draw_line(const struct app *a, struct canvas *c, uint32_t i, struct area at)
{
	const struct sheet *sheet = app_sheet_get(a);
	const struct column *column = sheet_choice(sheet, i);
	bool on = columns_is_shown(sheet, column);

	canvas_put(c, at.x, at.y, 3, on ? ROLE_KEY : ROLE_DIM, on ? "[x]" : "[ ]");
	canvas_put(c, at.x + 4, at.y, 14, on ? ROLE_VALUE : ROLE_TEXT, column->title);
	canvas_name(c, at.x + 20, at.y, at.width - 21, ROLE_LEGEND, column->legend);
}

static void sort_by_picked(struct app *a)
{
	if (!sheet_sort_is(app_sheet(a), columns_picked(a)))
		app_sort_and_tell(a, columns_picked(a));
	pane_close(a);
}

const struct pane_ops columns_pane = {
	.title = "Columns", .width = 96, .lines = 2, .count = columns_count,
	.line = columns_draw_line,
	.enter = pane_close, .mark = columns_toggle, .boxes = true, .again = "mark",
	.find = columns_find, .column = columns_picked,
	.keys = (const struct pane_key[]){
		{ "mark", NULL, "show or hide", NULL }, { "sort-column", NULL, "sort", NULL },
		{ "search", NULL, "find", NULL }, { "down", "up", "move", NULL }, { .word = NULL },
	},
};

/* The same list, to choose the sort column. */
const struct pane_ops sort_pane = {
	.title = "Sort by", .width = 96, .lines = 2, .count = columns_count,
	.line = columns_draw_line,
	.enter = sort_by_picked, .mark = columns_toggle, .boxes = true, .again = "details",
	.find = columns_find, .column = columns_picked,
	.keys = (const struct pane_key[]){
		{ "details", NULL, "sort", NULL }, { "mark", NULL, "show or hide", NULL },
		{ "search", NULL, "find", NULL }, { "down", "up", "move", NULL }, { .word = NULL },
	},
};
