/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remember: the layout as it was left, and named ones (workspaces): files of the command language
 * in a directory of their own under XDG_STATE_HOME, never fairtop.conf.
 *
 * They hold what each view shows (columns, order), which one is open and the theme; and of their
 * source filters, folds and the open box: those are not brought back on another source. What cannot
 * be run any more is told and left out; what is written replaces only what fairtop wrote. Beside
 * them lies what was typed (history).
 */
#ifndef FAIRTOP_TUI_SCREEN_REMEMBER_H
#define FAIRTOP_TUI_SCREEN_REMEMBER_H

#include "tui/screen/app.h"

/*
 * What was left is brought back, and kept; not with "set remember no". An OVERVIEW has a file of
 * its own, and SOURCE stands for all that it shows.
 */
void remember_last(struct app *a, const char *source, bool overview);
void remember_this(struct app *a);	/* but for what options of the command line made */

/* Takes away what was left, whatever the options of this run made of it; not what was typed. */
bool remember_nothing(struct app *a, struct err *err);

/* The workspace NAME: a word of letters, digits, - and _. ERR_INPUT. */
bool workspace_recall(struct app *a, const char *name, struct err *err);
bool workspace_keep(struct app *a, const char *name, struct err *err);

#endif
