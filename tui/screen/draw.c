/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole screen: header, view, pane, the two lines at the bottom; and the text shown if there is
 * no view to show.
 */
#include "tui/screen/draw.h"

#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/visible.h"
#include "tui/acts/lessons.h"
#include "tui/acts/palette.h"
#include "tui/acts/typing.h"
#include "tui/panes/detail.h"
#include "tui/panes/pane.h"
#include "tui/rows/views.h"
#include "tui/screen/app.h"
#include "tui/screen/hints.h"
#include "tui/time/travel.h"

/* ---- states without rows ------------------------------------------------------------------- */

static void draw_centered(struct canvas *c, struct area area, int y, enum role role,
			  const char *text)
{
	int width = canvas_text_width(c, text);

	if (width > area.width - 2)
		width = area.width - 2;
	canvas_name(c, area.x + (area.width - width) / 2, y, width, role, text);
}

/* Breaks TEXT at blanks into lines of the area's width; returns the next free line. */
static int centered_lines(struct canvas *c, struct area area, int y, enum role role,
			  const char *text)
{
	char line[512];
	int space = area.width - 4;

	while (*text != '\0' && y < area.y + area.height) {
		size_t length = strlen(text);
		if (length > (size_t)space) {
			length = (size_t)space;
			while (length > 0 && text[length] != ' ')
				length--;
			if (length == 0)
				length = (size_t)space;
		}
		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		draw_centered(c, area, y++, role, line);
		text += length;
		text += strspn(text, " ");
	}
	return y;
}

static const char *no_rows(const struct app *a, char *buf, size_t size)
{
	const struct sheet *sheet = app_sheet_get(a);

	if (sheet->list.now.view.rows == 0 && a->view == VIEW_JOBS &&
	    a->picture && !cluster_knows_jobs(a->picture->cluster, NULL))
		return "The jobs are unknown: ! shows why.";
	const struct view_ops *ops = &view_ops[a->view];
	const char *problem = ops->problem ? ops->problem(a->picture) : "";

	if (sheet->list.now.view.rows == 0 && a->picture &&
	    (cluster_noted(a->picture->cluster, "fair share") ||
	     cluster_is_partial(a->picture->cluster)) &&
	    cluster_rows(a->picture->cluster, TABLE_ASSOC) == 0 && a->view == VIEW_ACCOUNTS)
		return "The account tree is not visible here:";
	if (sheet->list.now.view.rows == 0)
		return problem[0] != '\0' ? problem : ops->empty;
	if (a->mine && a->filter_text[a->view][0] == '\0')
		snprintf(buf, size, "none of these rows is yours; u shows everything");
	else
		snprintf(buf, size, "No match for %s; Esc clears the filter",
			 a->filter_text[a->view]);
	return buf;
}

/* The source's reasons why something cannot be seen. */
static int draw_notes(const struct app *a, struct canvas *c, struct area area, int y)
{
	char text[600];

	for (uint32_t i = 0; a->picture && i < cluster_notes(a->picture->cluster) && i < 4; i++) {
		struct note note = cluster_note(a->picture->cluster, i);
		snprintf(text, sizeof(text), "%s: %s", note.subject, note.text);
		y = centered_lines(c, area, y, ROLE_WARN, text);
	}
	return y;
}

static bool draw_empty_state(const struct app *a, struct canvas *c, struct area area)
{
	int y = area.y + area.height / 3;
	char text[ERR_MESSAGE_MAX + SCRIPT_LINE];

	if (a->picture || a->overview) {
		if (!list_empty(&app_sheet_get(a)->list))
			return false;
		y = centered_lines(c, area, y, ROLE_MESSAGE, no_rows(a, text, sizeof(text)));
		draw_notes(a, c, area, y + 1);
		return true;
	}
	if (a->model_problem[0] != '\0' || a->source.problem[0] != '\0') {
		snprintf(text, sizeof(text), "No data from %s", a->source.name);
		draw_centered(c, area, y++, ROLE_ERROR, text);
		y = centered_lines(c, area, y + 1, ROLE_MESSAGE,
				   a->source.problem[0] != '\0' ? a->source.problem
								: a->model_problem);
		draw_centered(c, area, y + 1, ROLE_HINT,
			      a->source.live ? "fairtop keeps trying. r tries now, q quits."
					: "q quits.");
		draw_centered(c, area, y + 2, ROLE_HINT, "fairtop demo opens a built-in cluster.");
		return true;
	}
	snprintf(text, sizeof(text), "Asking %s%s", a->source.name,
		 canvas_glyph(c, GLYPH_ELLIPSIS));
	draw_centered(c, area, y, ROLE_MESSAGE, text);
	draw_centered(c, area, y + 2, ROLE_HINT, "q quits");
	return true;
}

/* ---- the bottom ---------------------------------------------------------------------------- */

/* "H L": the keys that reach the dropped columns. */
static void column_keys(const struct app *a, const struct canvas *c, char *buf, size_t size)
{
	static const char *const commands_of[] = { "column-left", "column-right" };

	buf[0] = '\0';
	for (size_t i = 0; i < 2; i++) {
		char keys[32];

		keymap_titles(&a->keymap, a->view, commands_of[i], c->ascii, 1, keys, sizeof(keys));
		format_append(buf, size, " %s", keys);
	}
}

/* The meaning of the sign after the cell of COLUMN in the selected row, else of the column. */
static const char *cell_legend(const struct sheet *sheet, const struct column *column)
{
	struct value v = { .kind = VALUE_UNKNOWN };
	uint32_t row = list_row(&sheet->list);

	if (row != ROW_NONE && column->reportable)
		column_get(column, sheet->list.now.view.context, row, &v);
	if (v.kind == VALUE_UNKNOWN || v.origin == VALUE_COMPUTED)
		return column->legend;
	return v.origin == VALUE_REPORTED ?
	       "as reported by the scheduler: not all its inputs were read" :
	       "computed, and differs from the scheduler's value: e shows both";
}

/*
 * Explains the column picked in a list, else that of the cursor, else the sort column; and shows
 * the position in the list.
 */
static void draw_legend(const struct app *a, struct canvas *c, int y)
{
	const struct sheet *sheet = app_sheet_get(a);
	bool picks = pane_column(a) != NULL;
	const struct column *column = picks ? pane_column(a) : sheet_explained(sheet);
	char place[64], text[600], keys[64];
	int end;

	/* Rows hidden by a box are not being looked at. */
	if (a->pane.large && !a->pane.ops->over_time)
		return;
	snprintf(place, sizeof(place), "%u/%zu",
		 list_empty(&sheet->list) ? 0 : sheet->list.cursor + 1, sheet->list.count);
	end = c->width - 2 - canvas_text_width(c, place);
	canvas_put(c, end + 1, y, c->width, ROLE_DIM, place);
	if (a->pane.ops->legend && a->pane.ops->legend(a, text, sizeof(text))) {
		canvas_name(c, 1, y, end - 2, ROLE_LEGEND, text);
		return;
	}
	if (!picks && lessons_line(a, c->ascii, text, sizeof(text))) {
		canvas_name(c, 1, y, end - 2, ROLE_ACCENT, text);
		return;
	}
	if (list_empty(&sheet->list) && !picks)
		return;
	if (column) {
		bool cursor = picks || sheet_cursor(sheet);
		int x = 1 + canvas_put(c, 1, y, end - 1,
				       cursor ? ROLE_HEAD_CURSOR : ROLE_HEAD_SORT, column->title);
		canvas_name(c, x + 2, y, end - x - 3, ROLE_LEGEND,
			    picks ? column->legend : cell_legend(sheet, column));
		return;
	}
	if (a->view == VIEW_POOLS) {
		canvas_name(c, 1, y, end - 2, ROLE_LEGEND, pool_bar_column.legend);
		return;
	}
	if (a->view != VIEW_ACCOUNTS) {
		const char *name = view_ops[a->view].legend;
		uint32_t row = list_row(&sheet->list);
		struct value v = { .kind = VALUE_UNKNOWN };
		if (row == ROW_NONE)
			return;
		column_get(column_find(sheet->all, sheet->all_count, name, strlen(name)),
			   sheet->list.now.view.context, row, &v);
		if (v.kind == VALUE_TEXT)
			canvas_name(c, 1, y, end - 2, ROLE_LEGEND, v.text);
		return;
	}
	if (a->picture && a->picture->model->algo->id == FS_LSF) {
		canvas_put(c, 1, y, end - 1, ROLE_LEGEND,
			   "among siblings, the largest Priority is served first");
		return;
	}
	int x = 1 + canvas_glyph_put(c, 1, y, ROLE_OVER, GLYPH_OVER);
	x += canvas_put(c, x, y, end - x, ROLE_LEGEND, " over-served  ");
	x += canvas_glyph_put(c, x, y, ROLE_UNDER, GLYPH_UNDER);
	x += canvas_put(c, x, y, end - x, ROLE_LEGEND, " under-served");
	if (sheet->layout.dropped > 0 && !sheet->layout.more_left) {
		column_keys(a, c, keys, sizeof(keys));
		canvas_putf(c, x, y, end - x, ROLE_LEGEND, "   %zu more column%s:%s",
			    sheet->layout.dropped, sheet->layout.dropped == 1 ? "" : "s", keys);
	}
}

/* Bytes of TEXT that fit in SPACE cells and end before a blank; 0: no word fits. */
static size_t words_in(const struct canvas *c, const char *text, int space)
{
	char part[ERR_MESSAGE_MAX * 4];
	size_t fit = 0;

	for (size_t i = 0; text[i] != '\0'; i++) {
		if (text[i] != ' ')
			continue;
		memcpy(part, text, i);
		part[i] = '\0';
		if (canvas_text_width(c, part) > space)
			break;
		fit = i;
	}
	return fit;
}

/* Text that does not fit in line Y begins in the line above. */
static void draw_said(const struct app *a, struct canvas *c, int y)
{
	char text[ERR_MESSAGE_MAX * 4];
	int space = c->width - 2;
	size_t fit;

	visible_copy(text, sizeof(text), a->message, strlen(a->message));
	fit = canvas_text_width(c, text) > space ? words_in(c, text, space) : 0;
	if (fit > 0) {
		canvas_fill(c, 0, y - 1, c->width, 1, GROUND_BAR);
		text[fit] = '\0';
		canvas_put(c, 1, y - 1, space, a->message_role, text);
		fit++;
	}
	canvas_fill(c, 0, y, c->width, 1, GROUND_BAR);
	canvas_name(c, 1, y, space, a->message_role, text + fit);
}

/* A message about the last key comes before the source's problem, which comes before hints. */
static void draw_message(struct app *a, struct canvas *c, int y)
{
	const char *problem = a->source.problem[0] != '\0' ? a->source.problem : a->model_problem;
	int width;

	canvas_fill(c, 0, y, c->width, 1, GROUND_BAR);
	if (a->message[0] != '\0') {
		draw_said(a, c, y);
	} else if (problem[0] != '\0' && a->picture) {
		width = canvas_name(c, 1, y, c->width - 2, ROLE_ERROR, a->source.name);
		canvas_name(c, width + 3, y, c->width - width - 4, ROLE_ERROR, problem);
	} else {
		hints_draw(a, c);
	}
}

static void draw_bottom(struct app *a, struct canvas *c)
{
	if (a->picture || a->overview)
		draw_legend(a, c, c->height - 2);
	if (a->prompt.kind == PROMPT_NONE || a->message[0] != '\0')
		draw_message(a, c, c->height - 1);
	if (a->prompt.kind == PROMPT_NONE)
		return;
	/* An error in the typed text is shown above it. */
	if (a->message[0] != '\0')
		draw_said(a, c, c->height - 2);
	prompt_draw(&a->prompt, c, c->height - 1, app_example(a));
}

void app_draw(struct app *a, struct canvas *c)
{
	struct area area;

	c->ascii = a->ascii;
	a->hints->count = 0;
	canvas_clear(c);
	if (c->width < SCREEN_MIN_WIDTH || c->height < SCREEN_MIN_HEIGHT) {
		canvas_putf(c, 0, 0, c->width, ROLE_WARN, "needs %d x %d: %d x %d",
			    SCREEN_MIN_WIDTH, SCREEN_MIN_HEIGHT, c->width, c->height);
		return;
	}
	area = app_view_area(a);
	draw_header(a, c);
	if (app_names_unshared(a))
		draw_unshared(a, c, area);
	if (!draw_empty_state(a, c, area)) {
		draw_sheet(a, c, area);
		if (a->view == VIEW_POOLS)
			pool_foot_draw(a, c, area);
	}
	pane_draw(a, c);
	time_bar_draw(a, c, c->height - 2 - time_bar_lines(a));
	draw_bottom(a, c);
	palette_draw(a, c);
}
