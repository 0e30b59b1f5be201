/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of the column cursor, and those that use the cell under it. */
#include "tui/acts/act.h"

#include <stdio.h>
#include <string.h>

#include "tui/panes/pane.h"
#include "tui/whatif/whatif_sets.h"

static void act_column_step(struct app *a, int by)
{
	if (a->pane.focus && a->pane.ops->jump) {
		a->pane.ops->jump(a, by);
	} else if (a->pane.ops->over_time || !pane_modal(a)) {
		const struct column *was = sheet_cursor(app_sheet(a));

		app_lay_out(a);
		sheet_step(app_sheet(a), by);
		if (sheet_cursor(app_sheet(a)) == was)
			app_say(a, ROLE_MESSAGE, "no more columns to the %s",
				by < 0 ? "left" : "right");
	}
}

ACT(act_column_left)
{
	act_column_step(a, -1);
	return true;
}

ACT(act_column_right)
{
	act_column_step(a, 1);
	return true;
}

ACT(act_column)
{
	struct sheet *sheet = app_sheet(a);
	const struct column *column;

	if (words->count != 2)
		return err_set(err, ERR_INPUT, "column: expected COLUMN");
	column = whatif_find_column(sheet, words->word[1]);
	if (!column)
		column = sheet_find(sheet, words->word[1], strlen(words->word[1]), err);
	if (!column)
		return false;
	if (sheet_index(sheet, column) == sheet->count)
		return err_set(err, ERR_INPUT, "column: %s is not shown (:columns +%s shows it)",
			       column->title, column->name);
	sheet_set_cursor(sheet, column);
	return true;
}

/* VALUE of COLUMN as a filter term; numbers as "at least". */
static bool term_of(const struct column *column, const struct value *v, char *buf, size_t size)
{
	char number[VALUE_DOUBLE_MAX], quoted[SCRIPT_LINE / 2];

	switch (v->kind) {
	case VALUE_UNKNOWN:
		snprintf(buf, size, "%s=unknown", column->name);
		return true;
	case VALUE_INT:
		snprintf(buf, size, "%s>=%lld", column->name, (long long)v->integer);
		return true;
	case VALUE_REAL:
		value_print_double(v->real, number);
		snprintf(buf, size, "%s>=%s", column->name, number);
		return true;
	case VALUE_TEXT:
		app_quote(quoted, sizeof(quoted), v->text);
		snprintf(buf, size, "%s=%s", column->name, quoted);
		return true;
	case VALUE_BOOL:
		snprintf(buf, size, "%s=%s", column->name, v->integer ? "true" : "false");
		return true;
	case VALUE_MAP:
	case VALUE_LIST:
	case VALUE_RECORDS:
		break;
	}
	return false;
}

/* Opens the prompt with the term: Enter applies it, or the user changes it first. */
ACT(act_filter_cell)
{
	const struct sheet *sheet = app_sheet(a);
	const struct column *column = sheet_real(sheet, sheet_explained(sheet));
	const char *former = a->filter_text[a->view];
	bool either = strchr(former, '|') != NULL;
	uint32_t row = list_row(&sheet->list);
	struct value v = { .kind = VALUE_UNKNOWN };
	char term[SCRIPT_LINE], text[2 * SCRIPT_LINE + 8];
	const struct column *known;
	size_t count;

	if (!column || row == ROW_NONE)
		return err_set(err, ERR_INPUT, "filter-cell: no cell is chosen "
			       "(L and H choose a column)");
	column_get(column, sheet->list.now.view.context, row, &v);
	known = sheet_filter_columns(sheet, &count);
	if (!column_find(known, count, column->name, strlen(column->name)) ||
	    !term_of(column, &v, term, sizeof(term)))
		return err_set(err, ERR_INPUT, "filter-cell: %s cannot be filtered by",
			       column->title);
	snprintf(text, sizeof(text), "%s%s%s%s%s", either ? "(" : "", former, either ? ")" : "",
		 former[0] != '\0' ? " " : "", term);
	app_begin_typing(a);
	prompt_open(&a->prompt, PROMPT_FILTER, text);
	return true;
}
