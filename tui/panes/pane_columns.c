/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The column chooser: every column of the view with what it means, a mark at those that are shown.
 */
#include "tui/panes/pane.h"

#include <string.h>

static bool chosen(const struct sheet *sheet, const struct column *column)
{
	for (size_t i = 0; i < sheet->count; i++) {
		if (sheet->columns[i] == column)
			return true;
	}
	return false;
}

void pane_toggle_column(struct app *a)
{
	struct sheet *sheet = app_sheet(a);
	const struct column *column = sheet_choice(sheet, a->pane.pick);

	if (sheet_toggle(sheet, column))
		a->effects |= APP_NEEDS;
	else
		app_say(a, ROLE_WARN, "one column must stay");
	if (chosen(sheet, column))
		sheet_ask(sheet, column);
	trial_fit_columns(a);
}

bool columns_find(struct app *a, const char *text, int direction, bool from_here)
{
	const struct sheet *sheet = app_sheet_get(a);
	size_t n = sheet_choices(sheet), at = a->pane.pick;

	for (size_t step = from_here ? 0 : 1; step <= n; step++) {
		size_t i = (at + (direction > 0 ? step : n - step % n)) % n;
		const struct column *column = sheet_choice(sheet, i);

		if (strcasestr(column->title, text) != NULL ||
		    strcasestr(column->name, text) != NULL ||
		    strcasestr(sheet_legend(column), text) != NULL) {
			a->pane.pick = (uint32_t)i;
			return true;
		}
	}
	return false;
}

void columns_draw(struct app *a, struct canvas *c, struct area area)
{
	const struct sheet *sheet = app_sheet_get(a);
	struct pane *p = &a->pane;
	int x = area.x + 2, width = area.width - 3;

	p->lines = (uint32_t)sheet_choices(sheet);
	p->list_y = area.y + 1;
	if (p->pick < p->scroll)
		p->scroll = p->pick;
	if (p->pick >= p->scroll + p->page)
		p->scroll = p->pick - p->page + 1;
	for (uint32_t i = 0; i < p->page && p->scroll + i < p->lines; i++) {
		const struct column *column = sheet_choice(sheet, p->scroll + i);
		int y = area.y + 1 + (int)i;
		bool on = chosen(sheet, column);
		canvas_put(c, x, y, 3, on ? ROLE_KEY : ROLE_DIM, on ? "[x]" : "[ ]");
		canvas_put(c, x + 4, y, 14, on ? ROLE_VALUE : ROLE_TEXT, column->title);
		canvas_name(c, x + 20, y, width - 21, ROLE_LEGEND, sheet_legend(column));
		if (p->scroll + i == p->pick)
			canvas_ground(c, area.x + 1, y, area.width - 2, GROUND_PICK);
	}
}
