/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of all details: "label text", and name = formula = with numbers = value. */
#include "tui/panes/detail.h"

#include <string.h>

#include "core/base/value.h"

void pane_pair(struct doc *d, const char *label, enum role role, const char *text)
{
	if (!text || text[0] == '\0')
		return;
	doc_begin(d, ROLE_LABEL, label);
	doc_wrap_at(d, role, PANE_LABEL, text);
}

/* Puts "= TEXT" on the present line if it fits, else on its own. */
static void put_equals(struct doc *d, enum role role, int indent, const char *text)
{
	if (d->column > indent + 1 && d->column + 3 + doc_text_width(d, text) > d->width) {
		doc_line(d);
		doc_tab(d, indent);
	} else if (d->column > indent + 1) {
		doc_put(d, ROLE_DIM, " ");
	}
	doc_put(d, ROLE_DIM, "= ");
	doc_wrap(d, role, indent + 2, text);
}

/* Puts it on new lines, unless the present line is empty. */
static void put_below(struct doc *d, int indent, const char *text)
{
	if (text[0] == '\0')
		return;
	if (d->column > indent + 1) {
		doc_line(d);
		doc_tab(d, indent + 2);
	}
	doc_wrap(d, ROLE_HINT, indent + 2, text);
}

void step_doc(struct doc *d, int indent, const struct explain_step *step)
{
	char digits[32];

	value_print_double(step->value, digits);
	doc_begin(d, ROLE_VALUE, step->name);
	doc_tab(d, indent);
	if (step->formula[0] != '\0')
		put_equals(d, ROLE_FORMULA, indent, step->formula);
	/* A value that was read, not computed, is shown once. */
	if (step->with[0] != '\0' && strcmp(step->with, digits) != 0)
		put_equals(d, ROLE_FORMULA, indent, step->with);
	if (f64_known(step->value))
		put_equals(d, ROLE_VALUE, indent, digits);
	put_below(d, indent, explain_reported(step).s);
	put_below(d, indent, step->note);
}
