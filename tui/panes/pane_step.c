/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One step of a derivation, as all the panes show it: name = formula = with numbers = value. */
#include "tui/panes/pane.h"

#include <string.h>

#include "core/base/value.h"

/* "= TEXT" behind what is there if it fits, else on a line of its own. */
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

void step_doc(struct doc *d, int indent, const struct explain_step *step)
{
	char digits[32];

	value_print_double(step->value, digits);
	doc_line(d);
	doc_put(d, ROLE_VALUE, step->name);
	doc_tab(d, indent);
	if (step->formula[0] != '\0')
		put_equals(d, ROLE_FORMULA, indent, step->formula);
	/* A value that was read and not computed stands once. */
	if (step->with[0] != '\0' && strcmp(step->with, digits) != 0)
		put_equals(d, ROLE_FORMULA, indent, step->with);
	if (f64_known(step->value))
		put_equals(d, ROLE_VALUE, indent, digits);
	if (step->note[0] == '\0')
		return;
	if (d->column > indent + 1) {
		doc_line(d);
		doc_tab(d, indent + 2);
	}
	doc_wrap(d, ROLE_HINT, indent + 2, step->note);
}
