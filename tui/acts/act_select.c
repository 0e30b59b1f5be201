/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that select what is shown: filter, order, columns. */
#include "tui/acts/act.h"

#include <stdio.h>
#include <string.h>

#include "tui/panes/pane.h"
#include "tui/rows/look.h"
#include "tui/whatif/whatif_sets.h"

/* The rest of LINE after its first word, without blanks at both ends. */
static void act_select_rest(const char *line, const struct words *words, char *buf, size_t size)
{
	const char *from = words->count > 1 ? line + words->start[1] : "";
	size_t length = strlen(from);

	while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == '\t'))
		length--;
	if (length >= size)
		length = size - 1;
	memcpy(buf, from, length);
	buf[length] = '\0';
}

/* The filter is taken as written, including quotes: it has its own grammar. */
ACT(act_filter)
{
	char text[SCRIPT_LINE];

	if (words->count == 1) {
		app_begin_typing(a);
		prompt_offer(&a->prompt, PROMPT_FILTER, a->filter_text[a->view], 0);
		return true;
	}
	act_select_rest(line, words, text, sizeof(text));
	if (words->word[1][0] == '\0')
		text[0] = '\0';
	return app_set_filter(a, a->view, text, err);
}

ACT(act_mine)
{
	if (a->me[0] == '\0')
		return err_set(err, ERR_INPUT, "mine: your user name is unknown");
	if (a->view != VIEW_ACCOUNTS && a->view != VIEW_JOBS)
		return err_set(err, ERR_INPUT, "mine: only accounts and jobs have users");
	a->mine = !a->mine;
	if (!app_set_filter(a, VIEW_ACCOUNTS, a->filter_text[VIEW_ACCOUNTS], err) ||
	    !app_set_filter(a, VIEW_JOBS, a->filter_text[VIEW_JOBS], err)) {
		a->mine = !a->mine;
		return false;
	}
	return true;
}

/* ---- order --------------------------------------------------------------------------------- */

/* Opens the list of columns to choose the sort column. */
static void choose_sort(struct app *a)
{
	struct sheet *sheet = app_sheet(a);

	if (pane_column(a)) {
		pane_close(a);
		return;
	}
	pane_open(a, &sort_pane);
	for (uint32_t i = 0; i < sheet_choices(sheet); i++) {
		if (sheet_sort_is(sheet, sheet_choice(sheet, i)))
			a->pane.pick = i;
	}
}

ACT(act_sort)
{
	struct sheet *sheet = app_sheet(a);
	bool at_top = app_looks_at_top(a);
	struct row_order order;

	if (words->count == 1) {
		choose_sort(a);
		return true;
	}
	if (words->count != 2)
		return err_set(err, ERR_INPUT, "sort: expected [+|-]COLUMN[,...]");
	if (strcmp(words->word[1], "none") == 0) {
		app_sort_by(a, NULL);
		return true;
	}
	const char *name = words->word[1];
	char sign = rows_sign(&name);
	const struct column *column = sheet_find(sheet, name, strlen(name), NULL);

	if (!column)
		column = whatif_find_column(sheet, name);
	/* Only the screen has these columns. */
	if (column == &bar_column || column == &quota_column || (column && column->of)) {
		sheet_pick(sheet, column, rows_falls(sign, column));
		app_sorted(a, at_top);
		return true;
	}
	if (!rows_parse_sort(words->word[1], sheet->all, sheet->all_count, &order, err))
		return false;
	sheet_order(sheet, &order);
	app_sorted(a, at_top);
	return true;
}

/*
 * Chooses the sort column BY steps away among the chosen ones; left of the first is the source's
 * order.
 */
static void sort_step(struct app *a, int by)
{
	struct sheet *sheet = app_sheet(a);
	int at = sheet_sort_index(sheet) + by;

	if (at < -1)
		app_say(a, ROLE_MESSAGE, "in the source's order: > sorts by a column");
	else if (at >= (int)sheet->count)
		app_say(a, ROLE_MESSAGE, "sorted by the last column: c chooses others");
	else
		app_sort_by(a, at < 0 ? NULL : sheet->columns[at]);
}

ACT(act_sort_left)
{
	sort_step(a, -1);
	return true;
}

ACT(act_sort_right)
{
	sort_step(a, 1);
	return true;
}

ACT(act_invert)
{
	struct sheet *sheet = app_sheet(a);
	struct row_order order = sheet->list.order;
	bool at_top = app_looks_at_top(a);

	if (order.count == 0) {
		app_say(a, ROLE_MESSAGE, "in the source's order: > sorts by a column");
		return true;
	}
	for (size_t i = 0; i < order.count; i++)
		order.keys[i].descending = !order.keys[i].descending;
	list_set_order(&sheet->list, &order, sheet->list.flat);
	app_sorted(a, at_top);
	return true;
}

ACT(act_flat)
{
	struct list *l = &app_sheet(a)->list;
	struct row_order order = l->order;
	bool at_top = app_looks_at_top(a) && !l->flat;	/* in the tree a row is searched */

	list_set_order(l, &order, !l->flat);
	if (at_top)
		list_move_to(l, 0);
	a->whatif->flat[a->view] = l->flat;	/* and stays so when sorting by who moves ends */
	app_say(a, ROLE_MESSAGE, l->flat ? "flat: sorted across all accounts" :
					   "tree: sorted within each account");
	return true;
}

ACT(act_sort_column)
{
	struct sheet *sheet = app_sheet(a);
	const struct column *column = pane_column(a);

	if (!column)
		column = sheet_explained(sheet);
	if (!column)
		return err_set(err, ERR_INPUT, "sort-column: no column is chosen "
			       "(L and H choose one)");
	if (sheet_sort_is(sheet, column))
		return act_invert(a, line, words, err);
	app_sort_and_tell(a, column);
	return true;
}

/* ---- columns ------------------------------------------------------------------------------- */

/* Restores the default look. */
static void look_usual(struct app *a)
{
	struct sheet *sheet = app_sheet(a);
	const struct picture *p = a->picture;

	look_plain(sheet, a->view);
	if (p && a->view == VIEW_ACCOUNTS)
		look_accounts(sheet, p->cluster, p->model->algo->id);
	else if (p && p->queue && a->view == VIEW_JOBS)
		look_jobs(sheet, p->queue);
	whatif_fit_columns(a);
}

ACT(act_columns)
{
	if (words->count == 1) {
		if (pane_column(a))
			pane_close(a);
		else
			pane_open(a, &columns_pane);
		return true;
	}
	if (strcmp(words->word[1], "usual") == 0) {
		look_usual(a);
		return true;
	}
	if (!sheet_choose(app_sheet(a), words->word[1], err))
		return false;
	whatif_fit_columns(a);
	return true;
}

/* Comparing columns come and go with the what-if. */
static void keep_narrow(struct sheet *sheet)
{
	sheet->narrow_count = 0;
	for (size_t i = 0; i < sheet->count; i++) {
		if (!sheet->columns[i]->of)
			sheet->narrow[sheet->narrow_count++] = sheet->columns[i];
	}
	sheet->narrow_chosen = sheet->chosen;
}

ACT(act_wide)
{
	struct sheet *sheet = app_sheet(a);

	sheet->wide = !sheet->wide;
	if (sheet->wide) {
		keep_narrow(sheet);
		for (size_t i = 0; i < sheet_choices(sheet); i++) {
			if (sheet_index(sheet, sheet_choice(sheet, i)) == sheet->count)
				sheet_toggle(sheet, sheet_choice(sheet, i));
		}
		whatif_fit_columns(a);
		app_say(a, ROLE_MESSAGE, "all %zu columns", sheet->count);
		return true;
	}
	if (!sheet->narrow_chosen) {
		look_usual(a);
		return true;
	}
	memcpy(sheet->columns, sheet->narrow, sheet->narrow_count * sizeof(sheet->columns[0]));
	sheet->count = sheet->narrow_count;
	sheet->scroll = 0;
	whatif_fit_columns(a);
	return true;
}

/* ---- filters ------------------------------------------------------------------------------- */

void app_quote(char *buf, size_t size, const char *name)
{
	size_t used = 0;

	buf[used++] = '"';
	for (; *name != '\0' && used + 3 < size; name++) {
		if (*name == '"' || *name == '\\')
			buf[used++] = '\\';
		buf[used++] = *name;
	}
	buf[used++] = '"';
	buf[used] = '\0';
}

/* The user's text and other restrictions of the view, NULL: all rows; false if it is unreadable. */
static bool read_filter(const struct app *a, enum view_id view, const char *text,
			struct filter **filter, struct err *err)
{
	char whole[SCRIPT_LINE + 300], me[280];
	bool mine = a->mine && (view == VIEW_ACCOUNTS || view == VIEW_JOBS);
	size_t length = strlen(text), count;
	const struct column *columns = sheet_filter_columns(&a->sheets[view], &count);

	*filter = NULL;
	if (length >= sizeof(a->filter_text[view]))
		return err_set(err, ERR_INPUT, "the filter is longer than %zu bytes",
			       sizeof(a->filter_text[view]) - 1);
	/* Errors are reported in the user's own words, so that text is parsed alone first. */
	if (length > 0 && !(*filter = filter_parse(text, columns, count, err)))
		return false;
	if (!mine)
		return true;
	filter_free(*filter);
	app_quote(me, sizeof(me), a->me);
	snprintf(whole, sizeof(whole), length > 0 ? "user=%s (%s)" : "user=%s", me, text);
	*filter = filter_parse(whole, columns, count, err);
	return *filter != NULL;
}

static void take_filter(struct app *a, enum view_id view, const char *text, struct filter *filter)
{
	memmove(a->filter_text[view], text, strlen(text) + 1);
	list_set_filter(&a->sheets[view].list, filter);
}

bool app_set_filter(struct app *a, enum view_id view, const char *text, struct err *err)
{
	struct filter *filter;

	if (!read_filter(a, view, text, &filter, err))
		return false;
	take_filter(a, view, text, filter);
	return filter_held(filter, err);
}

bool app_try_filter(struct app *a, const char *text)
{
	const struct view *view = &app_sheet(a)->list.now.view;
	struct filter *filter;
	uint32_t row = 0;

	if (!read_filter(a, a->view, text, &filter, NULL))
		return true;
	while (filter && row < view->rows && !filter_match(filter, view, row))
		row++;
	if (filter && row == view->rows) {
		filter_free(filter);
		return false;
	}
	take_filter(a, a->view, text, filter);
	return true;
}
