/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * remember: the last layout, and named ones (workspaces): files of the command language in their
 * own directory in XDG_STATE_HOME, never fairtop.conf.
 *
 * They have what each view shows (columns, order), the open view and the theme; and for their
 * source its filters, folds and the open box, which are not restored for another source. Lines that
 * no longer work are reported and skipped. Only files written by fairtop are replaced. The
 * directory also has the typed lines (history).
 */
#ifndef FAIRTOP_TUI_SCREEN_REMEMBER_H
#define FAIRTOP_TUI_SCREEN_REMEMBER_H

#include "tui/screen/app.h"

/*
 * Restores the last layout, and keeps the next one; not with "set remember no". An OVERVIEW has its
 * own file, in which SOURCE names all that it shows.
 */
void remember_last(struct app *a, const char *source, bool overview);
void remember_this(struct app *a);	/* without changes from the command line */

/* Deletes the last layout, even if this run's options changed it; not the history. */
bool remember_nothing(struct app *a, struct err *err);

/* NAME of a workspace: letters, digits, - and _. ERR_INPUT for others. */
bool workspace_recall(struct app *a, const char *name, struct err *err);
bool workspace_keep(struct app *a, const char *name, struct err *err);

#endif
