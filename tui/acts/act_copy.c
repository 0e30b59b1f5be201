/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copying: to the terminal's clipboard, or with a name to a new file. Copies what is shown, made
 * safe: in a shell, a pasted control character in a name would run what follows.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/base/visible.h"
#include "tui/acts/act.h"
#include "tui/acts/table_save.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_why.h"
#include "tui/rows/views.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

#define EXPLANATION_WIDTH 100
/* Terminals accept 100,000 characters of OSC 52, which are three quarters as many bytes. */
#define CLIPBOARD_MAX 74994

/* ---- one row ------------------------------------------------------------------------------- */

/* The uncut text of the cell under the column cursor, or in the sort column. */
static void cell_text(struct app *a, uint32_t row, char *buf, size_t size)
{
	const struct sheet *sheet = app_sheet(a);
	const struct column *column = sheet_real(sheet, sheet_explained(sheet));
	struct value v = { .kind = VALUE_UNKNOWN };

	if (!column)
		column = &sheet->all[0];
	column_get(column, sheet->list.now.view.context, row, &v);
	if (column->of)
		whatif_cell(column, &v, true, buf, size);
	else
		sheet_cell(column, &v, INT_MAX, a->ascii, buf, size);
}

/* Its path; for a job the number for scontrol and scancel, without its tasks. */
static void name_text(struct app *a, uint32_t row, char *buf, size_t size)
{
	app_row_path(a, row, buf, size);
	if (a->view == VIEW_JOBS)
		buf[strcspn(buf, " ")] = '\0';
}

/* What y copies: the cell under the column cursor, else the name. */
static void copy_usual(struct app *a, uint32_t row, bool raw)
{
	char text[SCRIPT_LINE], safe[4 * SCRIPT_LINE];

	if (sheet_cursor(app_sheet(a)))
		cell_text(a, row, text, sizeof(text));
	else
		name_text(a, row, text, sizeof(text));
	visible_copy(safe, sizeof(safe), text, strlen(text));
	bytes_free(&a->copied);
	bytes_append(&a->copied, raw ? text : safe, strlen(raw ? text : safe));
	app_say(a, ROLE_MESSAGE, "copied %s%s", raw ? "raw, as it was read: " : "", text);
	a->effects |= APP_COPY;
}

/* ---- kinds --------------------------------------------------------------------------------- */

struct copying {
	struct app *a;
	uint32_t row;			/* under the cursor */
	enum report_format format;
	struct err *err;
};

static bool act_copy_cell(const struct copying *c)
{
	char text[SCRIPT_LINE], safe[4 * SCRIPT_LINE];

	cell_text(c->a, c->row, text, sizeof(text));
	visible_copy(safe, sizeof(safe), text, strlen(text));
	bytes_append(&c->a->copied, safe, strlen(safe));
	return true;
}

static bool copy_row(const struct copying *c)
{
	return table_text(c->a, c->row, c->format, c->err);
}

static bool act_copy_table(const struct copying *c)
{
	return table_text(c->a, ROW_NONE, c->format, c->err);
}

static bool copy_explanation(const struct copying *c)
{
	struct doc d;
	struct canvas *canvas;
	bool ok;

	doc_init(&d, EXPLANATION_WIDTH, c->a->ascii);
	(c->a->view == VIEW_ACCOUNTS || c->a->view == VIEW_JOBS ? &steps_pane : &detail_pane)
		->doc(c->a, &d);
	canvas = canvas_new(EXPLANATION_WIDTH, (int)d.line_count, c->a->ascii);
	doc_draw(&d, canvas, 0, 0, canvas->width, canvas->height, 0);
	ok = canvas_write_text(canvas, bytes_sink(&c->a->copied), c->err);
	canvas_free(canvas);
	doc_free(&d);
	return ok;
}

static bool copy_answer(const struct copying *c)
{
	if (c->a->view != VIEW_JOBS)
		return err_set(c->err, ERR_INPUT, "copy answer: only jobs have one (expected the "
			       "jobs view)");
	why_write(c->a, c->row, bytes_sink(&c->a->copied));
	return true;
}

static bool copy_export(const struct copying *c)
{
	return whatif_export_ready(c->a, c->err) &&
	       whatif_export_text(c->a, bytes_sink(&c->a->copied), c->err);
}

/* The first one is what Y and Enter copy. */
static const struct copy_kind {
	const char *name, *meaning;
	bool (*text)(const struct copying *c);
	bool of_row;
} kinds[] = {
	{ "table", "the rows and columns shown", act_copy_table, false },
	{ "row", "this row as shown", copy_row, true },
	{ "cell", "the chosen cell, else that of the sort column", act_copy_cell, true },
	{ "explanation", "how its numbers are computed, step by step", copy_explanation, true },
	{ "answer", "why it is pending, when it starts, and what helps", copy_answer, true },
	{ "export", "the commands that apply the edits", copy_export, false },
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* PATH NULL: the clipboard. */
static bool copy_kind(struct app *a, const struct copy_kind *kind, const char *path,
		      struct err *err)
{
	struct copying c = { a, list_row(&app_sheet(a)->list), REPORT_TABLE, err };

	if (!a->picture || (kind->of_row && c.row == ROW_NONE))
		return err_set(err, ERR_INPUT, "copy %s: there is nothing to copy", kind->name);
	if (path && strlen(path) >= sizeof(a->save_path))
		return err_set(err, ERR_INPUT, "copy: the name is too long");
	if (path)
		(void)table_format(path, &c.format);
	bytes_free(&a->copied);
	snprintf(a->copied_what, sizeof(a->copied_what), "the %s", kind->name);
	if (!kind->text(&c))
		return false;
	if (path) {
		snprintf(a->save_path, sizeof(a->save_path), "%s", path);
		a->errand = ERRAND_TABLE;
		return true;
	}
	if (a->copied.length > CLIPBOARD_MAX)
		return err_set(err, ERR_INPUT, "copy: %zu bytes are too many for a terminal "
			       "(:copy %s FILE writes them)", a->copied.length, kind->name);
	app_say(a, ROLE_MESSAGE, "copied %s", a->copied_what);
	a->effects |= APP_COPY;
	return true;
}

/* [WHAT [FILE]] */
ACT(act_copy)
{
	uint32_t row = list_row(&app_sheet(a)->list);
	bool answers = a->view == VIEW_JOBS && a->pane.ops == &detail_pane;
	const char *what = words->count > 1 ? words->word[1] : answers ? "answer" : "";

	if (words->count > 3)
		return err_set(err, ERR_INPUT, "copy: expected [WHAT [FILE]]");
	for (size_t i = 0; i < KINDS; i++) {
		if (strcmp(what, kinds[i].name) == 0)
			return copy_kind(a, &kinds[i], words->count > 2 ? words->word[2] : NULL,
					 err);
	}
	if (words->count > 2 || (what[0] != '\0' && strcmp(what, "raw") != 0))
		return err_set(err, ERR_INPUT, "copy: \"%.40s\" cannot be copied (expected "
			       "table, row, cell, explanation, answer, export or raw)", what);
	if (row != ROW_NONE)
		copy_usual(a, row, what[0] != '\0');
	return true;
}

/* ---- the list ------------------------------------------------------------------------------ */

static uint32_t copy_count(const struct app *a)
{
	(void)a;
	return KINDS;
}

static void copy_draw_line(const struct app *a, struct canvas *c, uint32_t i, struct area at)
{
	(void)a;
	canvas_put(c, at.x, at.y, 13, ROLE_VALUE, kinds[i].name);
	canvas_name(c, at.x + 14, at.y, at.width - 15, ROLE_LEGEND, kinds[i].meaning);
}

static void copy_enter(struct app *a)
{
	const struct copy_kind *kind = &kinds[a->pane.pick];
	struct err err = { 0 };

	pane_close(a);
	if (!copy_kind(a, kind, NULL, &err))
		app_say(a, ROLE_ERROR, "%s", err.message);
}

static const struct pane_ops copy_pane = {
	.title = "Copy", .width = 78, .lines = 2, .count = copy_count, .line = copy_draw_line,
	.enter = copy_enter, .again = "details",
	.keys = (const struct pane_key[]){
		{ "details", NULL, "copy", NULL }, { "down", "up", "move", NULL },
		{ .word = NULL },
	},
};

ACT(act_copy_what)
{
	pane_toggle(a, &copy_pane);
	return true;
}
