/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two rows: which comes first, in one sentence, and the compared values. */
#include "tui/panes/pane.h"

#include <stdio.h>

#include "core/classes/classes_explain.h"
#include "core/base/format.h"
#include "tui/base/zone.h"
#include "tui/rows/views.h"

/* from 80 columns on, a difference fits beside two times */
#define VALUE_COLUMN 18
#define VALUE_WIDTH 20
#define DIFFERENCE_WIDTH 16

static bool has_difference(const struct doc *d)
{
	return d->width >= VALUE_COLUMN + 2 * VALUE_WIDTH + DIFFERENCE_WIDTH;
}

/* A number, or seconds as a time or a duration. */
static void compare_put_number(struct doc *d, int x, enum role role, double number,
			       enum column_format format)
{
	const struct column column = { .format = format };
	struct value v = { .kind = VALUE_INT };
	char text[32];

	if (format != COLUMN_PLAIN && f64_known(number)) {
		v.integer = (int64_t)number;
		format_cell(&column, &v, &zone_local, text, sizeof(text));
	} else {
		snprintf(text, sizeof(text), "%.9g", number);
	}
	doc_put_at(d, f64_known(number) ? role : ROLE_DIM, x, f64_known(number) ? text : "-");
}

static void compare_put_row(struct doc *d, const struct compare_row *row)
{
	enum column_format format = row->time ? COLUMN_TIME : COLUMN_PLAIN;
	enum role role = row->decides ? ROLE_VALUE : ROLE_NUMBER;

	doc_begin(d, row->decides ? ROLE_KEY : ROLE_DIM,
		  row->decides ? (d->ascii ? ">" : "▸") : " ");
	doc_wrap_at(d, role, 2, row->name);
	if (2 + doc_text_width(d, row->name) >= VALUE_COLUMN)
		doc_line(d);
	compare_put_number(d, VALUE_COLUMN, role, row->a, format);
	compare_put_number(d, VALUE_COLUMN + VALUE_WIDTH, role, row->b, format);
	if (has_difference(d))
		compare_put_number(d, VALUE_COLUMN + 2 * VALUE_WIDTH, role, row->a - row->b,
				   row->time ? COLUMN_DURATION : COLUMN_PLAIN);
	if (row->note[0] == '\0')
		return;
	doc_line(d);
	doc_wrap_at(d, ROLE_HINT, 4, row->note);
}

static void compare_doc(const struct app *a, struct doc *d)
{
	const struct list *l = &app_sheet_get(a)->list;
	uint32_t one = list_row_of(l, a->compare_keys[0]),
		 two = list_row_of(l, a->compare_keys[1]);
	struct compare compare;
	char text[1000];

	if (one == ROW_NONE || two == ROW_NONE) {
		doc_begin(d, ROLE_WARN, "one of the two is gone");
		return;
	}
	for (int i = 0; i < 2; i++) {
		doc_begin(d, ROLE_LABEL, i == 0 ? "a" : "b");
		doc_tab(d, 3);
		app_row_path(a, i == 0 ? one : two, text, sizeof(text));
		doc_put(d, ROLE_ACCENT, text);
	}
	doc_line(d);
	doc_line(d);
	if (a->view == VIEW_CLASSES) {
		classes_difference(a->picture->queue->classes, one, two, text, sizeof(text));
		doc_wrap(d, ROLE_VALUE, 0, text);
		return;
	}
	if (a->view == VIEW_JOBS) {
		compare_jobs(a->picture->queue->jobs, one, two, &compare);
		if (a->picture->queue->classes)
			classes_compare_jobs(a->picture->queue->classes, one, two, &compare);
	} else {
		compare_accounts(a->picture->model, one, two, &compare);
	}
	doc_wrap(d, ROLE_VALUE, 0, compare.sentence);
	doc_line(d);
	doc_line(d);
	doc_put_at(d, ROLE_DIM, VALUE_COLUMN, "a");
	doc_put_at(d, ROLE_DIM, VALUE_COLUMN + VALUE_WIDTH, "b");
	if (has_difference(d))
		doc_put_at(d, ROLE_DIM, VALUE_COLUMN + 2 * VALUE_WIDTH, "a - b");
	compare_sort(&compare);
	for (size_t i = 0; i < compare.count; i++)
		compare_put_row(d, &compare.rows[i]);
	compare_free(&compare);
}

static void compare_title(const struct app *a, char *buf, size_t size)
{
	snprintf(buf, size, "%s", a->view == VIEW_CLASSES ? "Compare classes" :
							    "Compare");
}

const struct pane_ops compare_pane = {
	.titled = compare_title, .place = PANE_BESIDE, .doc = compare_doc,
	.keys = pane_text_keys,
};
