/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show: which picture is on the screen, and how it gets into the lists of the views.
 *
 * A picture of the source is the base; with active edits the shown picture is computed over it.
 */
#ifndef FAIRTOP_TUI_WHATIF_SHOW_H
#define FAIRTOP_TUI_WHATIF_SHOW_H

#include "tui/rows/state.h"

struct making;

/* Opens a view, which is kept up to date from then on. */
void app_open_view(struct app *a, enum view_id view);

/*
 * Takes over the next picture of the source. With edits, or if it is bare, it is shown once the
 * maker has made it.
 */
void app_show_picture(struct app *a, struct picture *picture);

/* Removes all marks of changes. */
void app_forget_before(struct app *a);

/* Changes how terms of jobs are shown. */
void app_tell_terms(struct app *a, enum jobs_terms terms);

/* Recomputes the pools with their known past. */
void app_pools_anew(struct app *a);

/*
 * Call it after the edits, the set, algorithm and start of the model, or the choice of classes have
 * changed: shows the picture that they ask for, or orders it.
 */
void whatif_show(struct app *a);

/* Shows the answer to an order, if it is still wanted; the picture is then the screen's. */
void making_take(struct app *a, struct making *m);

/*
 * Whether the cluster on the screen can be computed with the edits of W, whose entries learn their
 * problems. ERR_INPUT: not from the usage that they need.
 */
bool whatif_can(struct app *a, struct whatif *w, struct err *err);

/*
 * Appends an edit and shows its effect. ERR_INPUT if it is invalid, or its object does not exist:
 * then nothing has changed.
 */
bool whatif_try(struct app *a, const char *text, struct err *err);

/* What header, tree, columns, orders, filters and edits need of a cluster (enum need). */
uint32_t app_needs(const struct app *a);

#endif
