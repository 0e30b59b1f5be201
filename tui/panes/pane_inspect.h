/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inspect: what follows the cursor below the rows (or beside them) while no box is open: a plain
 * sentence about the row, and a line for each question that comes next. It takes no keys.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_INSPECT_H
#define FAIRTOP_TUI_PANES_PANE_INSPECT_H

#include "tui/rows/state.h"

extern const struct pane_ops inspect_pane;

/* "on", "off" or the parts to be told, "who,limits"; ERR_INPUT names those that there are. */
bool inspect_choose(struct app *a, const char *text, struct err *err);
/* The same as inspect_choose() reads it. */
void inspect_chosen(const struct app *a, char *buf, size_t size);

#endif
