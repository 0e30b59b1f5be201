/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything about one row: the way from raw shares and usage to F with this row's numbers, what
 * the scheduler says itself, the siblings.
 */
#include "tui/pane.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_number(struct doc *d, enum role role, double x, int decimals)
{
	if (!f64_known(x))
		doc_put(d, ROLE_DIM, "-");
	else if (isinf(x))
		doc_put(d, role, d->ascii ? "inf" : "∞");
	else
		doc_putf(d, role, "%.*f", decimals, x);
}

/* ---- the derivation ------------------------------------------------------------------------ */

static void put_step(struct doc *d, const struct explain_step *step)
{
	char digits[32];

	value_print_double(step->value, digits);
	doc_line(d);
	doc_put(d, ROLE_VALUE, step->name);
	doc_tab(d, 8);
	if (step->formula[0] != '\0') {
		doc_put(d, ROLE_DIM, "= ");
		doc_wrap(d, ROLE_FORMULA, 10, step->formula);
	} else if (step->with[0] == '\0' && f64_known(step->value)) {
		doc_put(d, ROLE_DIM, "= ");
		doc_put(d, ROLE_NUMBER, digits);
		digits[0] = '\0';
	}
	if (step->with[0] != '\0' && strcmp(step->with, digits) != 0) {
		doc_line(d);
		doc_tab(d, 8);
		doc_put(d, ROLE_DIM, "= ");
		doc_wrap(d, ROLE_FORMULA, 10, step->with);
	}
	if (f64_known(step->value) && digits[0] != '\0') {
		doc_line(d);
		doc_tab(d, 8);
		doc_put(d, ROLE_DIM, "= ");
		doc_put(d, ROLE_VALUE, digits);
	}
	if (step->note[0] != '\0') {
		doc_line(d);
		doc_tab(d, 10);
		doc_wrap(d, ROLE_HINT, 10, step->note);
	}
}

static void put_derivation(const struct app *a, struct doc *d, uint32_t row)
{
	const struct model *m = a->picture->model;
	struct explain e;

	explain_init(&e);
	m->algo->explain(&m->input, m->fs, row, &e);
	doc_title(d, "From shares and usage to the factor");
	for (size_t i = 0; i < e.count; i++)
		put_step(d, &e.steps[i]);
	if (e.count == 0) {
		doc_line(d);
		doc_put(d, ROLE_HINT, "nothing can be computed for this row");
	}
	explain_free(&e);
}

/* ---- what the scheduler says --------------------------------------------------------------- */

static void put_reported(const struct app *a, struct doc *d, uint32_t row)
{
	const struct model *m = a->picture->model;
	const struct {
		const char *title;
		enum field field;
		const double *own;
	} rows[] = {
		{ "S", F_ASSOC_R_NORM_SHARES, m->fs->norm_shares },
		{ "U", F_ASSOC_R_NORM_USAGE, m->fs->norm_usage },
		{ "E", F_ASSOC_R_EFFECTIVE_USAGE, m->fs->effective_usage },
		{ "Level FS", F_ASSOC_R_LEVEL_FS, m->fs->level_fs },
		{ "F", F_ASSOC_R_FAIRSHARE, m->fs->fairshare },
	};
	bool any = false;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		double reported = cluster_f64(m->cluster, rows[i].field, row);
		double own = rows[i].own != NULL ? rows[i].own[row] : F64_UNKNOWN;
		if (!f64_known(reported) || !f64_known(own))
			continue;
		if (!any) {
			doc_title(d, "What the scheduler says itself");
			doc_tab(d, 44);
			doc_put(d, ROLE_DIM, "difference");
		}
		any = true;
		doc_line(d);
		doc_put(d, ROLE_VALUE, rows[i].title);
		doc_tab(d, 10);
		put_number(d, ROLE_NUMBER, reported, 12);
		doc_tab(d, 44);
		if (own == reported)
			doc_put(d, ROLE_DIM, "none");
		else
			doc_putf(d, ROLE_NUMBER, "%.2g", own - reported);
	}
}

/* ---- siblings ------------------------------------------------------------------------------ */

static const char *name_of(const struct cluster *c, uint32_t row)
{
	const char *name =
		cluster_text(c, cluster_is_user(c, row) ? F_ASSOC_USER : F_ASSOC_ACCOUNT, row);

	return name != NULL && name[0] != '\0' ? name : "-";
}

static void put_cell(struct doc *d, enum role role, const struct column *column,
		     const struct model *m, uint32_t row, int end)
{
	struct value v = { .kind = VALUE_UNKNOWN };
	char text[64];

	column->get(m, row, &v);
	sheet_cell(column, &v, 10, d->ascii, text, sizeof text);
	struct canvas measure = { .ascii = d->ascii };
	doc_tab(d, end - canvas_text_width(&measure, text));
	doc_put(d, role, text);
}

/* The row among those it competes with, by their order; at most a dozen around it. */
static void put_siblings(const struct app *a, struct doc *d, uint32_t row)
{
	const struct model *m = a->picture->model;
	const struct column *shares =
		column_find(accounts_columns, accounts_columns_count, "norm_shares", 11);
	const struct column *usage =
		column_find(accounts_columns, accounts_columns_count, "norm_usage", 10);
	const struct column *ratio = a->sheets[VIEW_ACCOUNTS].ratio;
	const uint32_t *parent = cluster_parent(m->cluster), *span = cluster_span(m->cluster);
	uint32_t total = 0, at = 0, seen = 0;

	if (parent[row] == ROW_NONE)
		return;
	for (uint32_t i = parent[row] + 1; i < parent[row] + span[parent[row]]; i += span[i]) {
		if (i == row)
			at = total;
		total++;
	}
	if (total < 2)
		return;
	doc_title(d, "Among its siblings");
	doc_tab(d, 33);
	doc_put(d, ROLE_DIM, "S");
	doc_tab(d, 43);
	doc_put(d, ROLE_DIM, "U");
	doc_tab(d, 54 - text_width(ratio->title));
	doc_put(d, ROLE_DIM, ratio->title);
	for (uint32_t i = parent[row] + 1; i < parent[row] + span[parent[row]];
	     i += span[i], seen++) {
		if (seen + 6 < at || seen > at + 6)
			continue;
		doc_line(d);
		doc_putf(d, i == row ? ROLE_KEY : ROLE_TEXT, "%.20s", name_of(m->cluster, i));
		put_cell(d, i == row ? ROLE_VALUE : ROLE_NUMBER, shares, m, i, 34);
		put_cell(d, i == row ? ROLE_VALUE : ROLE_NUMBER, usage, m, i, 44);
		put_cell(d, i == row ? ROLE_VALUE : ROLE_NUMBER, ratio, m, i, 54);
	}
	if (total > 13) {
		doc_line(d);
		doc_putf(d, ROLE_HINT, "%u siblings in all", total);
	}
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void assoc_doc(const struct app *a, struct doc *d, uint32_t row)
{
	const struct model *m = a->picture->model;
	char path[1024];

	cluster_path(m->cluster, row, path, sizeof path);
	doc_line(d);
	doc_put(d, ROLE_ACCENT, path);
	doc_line(d);
	doc_put(d, ROLE_HINT, m->algo->title);
	doc_put(d, ROLE_HINT,
		m->fs->base == FS_BASE_REPORTED
			? ", from the usage ratios that the scheduler reports"
			: ", from raw usage");
	put_derivation(a, d, row);
	if (a->pane.steps)
		return;
	put_reported(a, d, row);
	put_siblings(a, d, row);
}

static void policy_doc(const struct app *a, struct doc *d, uint32_t row)
{
	const struct sheet *sheet = &a->sheets[VIEW_POLICY];

	doc_line(d);
	doc_put(d, ROLE_ACCENT, app_row_name(a, row));
	for (size_t i = 1; i < sheet->all_count; i++) {
		struct value v = { .kind = VALUE_UNKNOWN };
		char text[600];
		sheet->all[i].get(sheet->list.now.view.context, row, &v);
		sheet_cell(&sheet->all[i], &v, 60, d->ascii, text, sizeof text);
		doc_line(d);
		doc_put(d, ROLE_LABEL, sheet->all[i].title);
		doc_tab(d, 12);
		doc_wrap(d, ROLE_VALUE, 12, text);
	}
}

void detail_doc(const struct app *a, struct doc *d)
{
	uint32_t row = list_row(&app_sheet_get(a)->list);

	if (row == ROW_NONE || a->picture == NULL) {
		doc_line(d);
		doc_put(d, ROLE_HINT, "no row is selected");
	} else if (a->view == VIEW_ACCOUNTS) {
		assoc_doc(a, d, row);
	} else {
		policy_doc(a, d, row);
	}
}
