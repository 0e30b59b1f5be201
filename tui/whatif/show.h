/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show: which picture is on the screen, and how it gets into the lists of the views.
 *
 * A picture of the source is the base; with edits in force the one that is shown lies over it.
 */
#ifndef FAIRTOP_TUI_WHATIF_SHOW_H
#define FAIRTOP_TUI_WHATIF_SHOW_H

#include "tui/rows/state.h"

/* What is open in it is kept up to date from then on. */
void app_open_view(struct app *a, enum view_id view);

/* The next picture of the source, which is taken over. */
void app_show_picture(struct app *a, struct picture *picture);

/* Nothing is marked as changed any longer. */
void app_forget_before(struct app *a);

/* The terms of the jobs are told otherwise, and classes grouped otherwise, from now on. */
void app_tell_terms(struct app *a, enum jobs_terms terms);
void app_group_classes(struct app *a);

/* The pools with what is known of their past now. */
void app_pools_anew(struct app *a);

/* After the edits, the set, or (ANEW) algorithm and start of the model have changed. */
bool whatif_show(struct app *a, bool anew, struct err *err);

/*
 * Appends an edit and shows what it does. ERR_INPUT if it is none, or names what is not there: then
 * nothing has changed.
 */
bool whatif_try(struct app *a, const char *text, struct err *err);

/* What of a cluster header, tree, columns, orders, filters and edits look at (enum need). */
uint32_t app_needs(const struct app *a);

#endif
