/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show: which picture is on the screen, and how it gets into the lists of the views.
 *
 * A picture of the source is the base; with active edits the shown picture is computed over it.
 */
#ifndef FAIRTOP_TUI_WHATIF_SHOW_H
#define FAIRTOP_TUI_WHATIF_SHOW_H

#include "tui/rows/state.h"

/* Opens a view, which is kept up to date from then on. */
void app_open_view(struct app *a, enum view_id view);

/* Takes the next picture of the source. */
void app_show_picture(struct app *a, struct picture *picture);

/* Removes all marks of changes. */
void app_forget_before(struct app *a);

/* Changes how terms of jobs are shown; how classes are grouped. */
void app_tell_terms(struct app *a, enum jobs_terms terms);
void app_group_classes(struct app *a);

/* Recomputes the pools with their known past. */
void app_pools_anew(struct app *a);

/* Call it after the edits, the set, or (ANEW) algorithm and start of the model have changed. */
bool whatif_show(struct app *a, bool anew, struct err *err);

/*
 * Appends an edit and shows its effect. ERR_INPUT if it is invalid, or its object does not exist:
 * then nothing has changed.
 */
bool whatif_try(struct app *a, const char *text, struct err *err);

/* What header, tree, columns, orders, filters and edits need of a cluster (enum need). */
uint32_t app_needs(const struct app *a);

#endif
