/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keys and mouse: go to the open prompt (typing.c), else through the keymap to a command. */
#include "tui/screen/input.h"

#include <string.h>

#include "tui/acts/commands.h"
#include "tui/acts/palette.h"
#include "tui/acts/typing.h"
#include "tui/cells/keys.h"
#include "tui/panes/pane.h"
#include "tui/screen/hints.h"
#include "tui/time/travel.h"

/* ---- keys ---------------------------------------------------------------------------------- */

/* Whether a command is for the rows, and the box over them has no use for it. */
static bool is_kept_off(const struct app *a, const char *line)
{
	const struct pane_ops *ops = a->pane.ops;
	size_t i = 0;

	if (!pane_is_open(a) || ops->place != PANE_OVER ||
	    (ops->mark && strcmp(line, "mark") == 0) ||
	    (ops->column && (strcmp(line, "sort-column") == 0 ||
			     strcmp(line, "wide") == 0)))
		return false;
	while (of_rows[i] && strcmp(line, of_rows[i]) != 0)
		i++;
	return of_rows[i] != NULL;
}

void app_key(struct app *a, uint32_t key)
{
	const char *line;
	char name[KEY_NAME_MAX], copy[BINDING_LINE];

	a->last_key = key;
	a->line_ended = false;
	if (a->prompt.kind != PROMPT_NONE) {
		app_type(a, key);
		return;
	}
	a->message[0] = '\0';
	line = keymap_line(&a->keymap, a->view, key);
	if (!line || is_kept_off(a, line)) {
		a->leave_asked = false;
		key_title(key, a->ascii, name);
		app_say(a, ROLE_MESSAGE, "%s does nothing here; ? shows the keys", name);
		return;
	}
	/* The command may bind this key again. */
	memcpy(copy, line, strlen(line) + 1);
	app_run_and_tell(a, copy);
}

void app_paste(struct app *a, uint32_t letter)
{
	bool ends = letter == KEYS_ENTER || letter == '\t';	/* ends a line, not the typing */
	bool shown = (letter >= ' ' && letter < 0x7f) || (letter >= 0xa0 && letter < KEYS_UP);

	if (a->prompt.kind == PROMPT_NONE) {
		app_say(a, ROLE_MESSAGE, "paste works only in a prompt: / : or f opens one");
	} else if (ends) {
		a->line_ended = a->prompt.length > 0;
	} else if (shown) {
		/* Separates lines; nothing follows the last one, which usually ends, too. */
		if (a->line_ended)
			app_type(a, ' ');
		a->line_ended = false;
		app_type(a, letter);
	}
}

/* ---- mouse --------------------------------------------------------------------------------- */

static bool input_inside(struct area area, int x, int y)
{
	return x >= area.x && x < area.x + area.width && y >= area.y && y < area.y + area.height;
}

/* A click on a title sorts by it; on the sort column's title, it inverts the order. */
static void click_title(struct app *a, int x)
{
	struct sheet *sheet = app_sheet(a);

	const struct column *column = sheet_column_at(sheet, x);

	if (x < sheet->layout.name_width)
		app_sort_by(a, NULL);
	else if (column && sheet_sort_is(sheet, column))
		app_run_and_tell(a, "invert");
	else if (column)
		app_sort_by(a, column);
}

/* A click on a cell selects its row and column; a second one folds. */
static void click_row(struct app *a, int x, int line)
{
	struct sheet *sheet = app_sheet(a);
	struct list *list = &sheet->list;
	const struct column *column = sheet_column_at(sheet, x);
	uint32_t item = list->top + (uint32_t)line, row;
	bool again = item == list->cursor && column == sheet_cursor(sheet);

	if (line < 0 || item >= list->count)
		return;
	sheet_set_cursor(sheet, column);
	list_move_to(list, item);
	row = list_row(list);
	if (again && row != ROW_NONE && list_foldable(list, row))
		list_fold(list, row, !list_folded(list, row));
}

/* A line of a list in a box: the first click picks it; one on its sign, or a second, runs it. */
static void click_pane(struct app *a, struct area pane, int x, int y)
{
	struct pane *p = &a->pane;
	uint32_t line = p->scroll + (uint32_t)(y - p->list_y);
	bool again = line == p->pick;
	bool sign = p->ops->boxes && x < pane.x + 5;

	p->focus = true;
	if (p->ops->click)
		p->ops->click(a, x, y);
	if (p->list_y == 0 || y < p->list_y || line >= p->scroll + p->page || line >= p->lines)
		return;
	p->pick = line;
	if (again || sign)
		app_run_and_tell(a, sign ? "mark" : p->ops->again);
}

void app_click(struct app *a, int x, int y)
{
	struct area view = app_view_area(a), pane = app_pane_area(a);
	const char *hint = hints_at(a->hints, x, y);

	a->message[0] = '\0';
	if (a->prompt.kind != PROMPT_NONE) {
		if (a->palette && palette_click(a, x, y))
			app_type(a, KEYS_ENTER);
		return;
	}
	if (hint) {
		app_run_and_tell(a, hint);
		return;
	}
	a->leave_asked = false;
	if (y < a->height - 2 && y >= a->height - 2 - time_bar_lines(a)) {
		time_bar_click(a, x);
	} else if (pane_is_open(a) && input_inside(pane, x, y)) {
		click_pane(a, pane, x, y);
	} else if (pane_modal(a)) {
		pane_close(a);
	} else if (input_inside(view, x, y)) {
		a->pane.focus = false;
		app_lay_out(a);
		if (y == view.y)
			click_title(a, x - view.x);
		else
			click_row(a, x - view.x, y - view.y - 1);
	}
}

void app_wheel(struct app *a, int x, int y, int lines)
{
	if (a->palette)
		app_type(a, lines < 0 ? KEYS_UP : KEYS_DOWN);
	if (a->prompt.kind != PROMPT_NONE)
		return;
	if (a->pane.focus || (pane_is_open(a) && input_inside(app_pane_area(a), x, y)))
		pane_move(a, 3 * lines);
	else
		list_scroll(&app_sheet(a)->list, 3 * lines);
}
