/* SPDX-License-Identifier: GPL-2.0-or-later */
/* look: what a view shows until its user chooses: columns, order, folds. */
#ifndef FAIRTOP_TUI_ROWS_LOOK_H
#define FAIRTOP_TUI_ROWS_LOOK_H

#include "core/share/fairshare.h"
#include "tui/cells/command.h"
#include "tui/rows/queue.h"
#include "tui/rows/sheet.h"

/* Before anything is known. */
void look_plain(struct sheet *sheet, enum view_id view);

/* As it is now, unless the user has chosen. */
void look_accounts(struct sheet *sheet, const struct cluster *c, enum fs_algorithm algorithm);
void look_jobs(struct sheet *sheet, const struct queue *q);

/* Unless the user has ordered them. */
void look_order(struct sheet *sheet, const char *name, bool descending);

/*
 * How many times its share a row has got, for telling who is the worst: of what uses less than a
 * hundredth of all, which explains little however far off it is, not more than 1. 0: nothing is
 * known, or it has no share at all (see picture.h, unshared).
 */
double look_served(const struct sheet *sheet, const struct list_data *data, uint32_t row);

/* What the tree of DATA, the first that there is, shows on a page of the list. */
void look_by_need(struct sheet *sheet, const struct list_data *data);

#endif
