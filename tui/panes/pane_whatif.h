/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The panel of what-if, and edits made by keys, whose results are reported. */
#ifndef FAIRTOP_TUI_PANES_PANE_WHATIF_H
#define FAIRTOP_TUI_PANES_PANE_WHATIF_H

#include "tui/panes/pane.h"

extern const struct pane_ops whatif_pane;

/* Examples of edits for this scheduler: of shares, another, and the one that a prompt offers. */
struct whatif_example {
	const char *shares, *other, *prompt;
};
const struct whatif_example *whatif_example(const struct app *a);

bool whatif_add_and_tell(struct app *a, const char *text, struct err *err);

/* Call it after the edits were changed in place (DONE), or there was NOTHING to change. */
void whatif_step_done(struct app *a, bool done, const char *nothing);

/* Opens the prompt with an edit whose value is offered. */
void whatif_type_edit(struct app *a, const char *text);

#endif
