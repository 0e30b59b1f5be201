/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * difference: what has changed between another time and the one shown, in a pane.
 *
 * The picture of the other time is kept while the pane is open, so that each step compares with it.
 */
#ifndef FAIRTOP_TUI_PANES_DIFFERENCE_H
#define FAIRTOP_TUI_PANES_DIFFERENCE_H

#include "tui/rows/state.h"

extern const struct pane_ops difference_pane;
extern const struct feature difference_feature;

/* Opens the pane for a time in words, "": the picture before this one; ERR_INPUT. */
bool difference_from(struct app *a, const char *text, struct err *err);

#endif
