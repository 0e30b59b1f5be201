/* SPDX-License-Identifier: GPL-2.0-or-later */
/* look: the defaults of a view until the user changes them: columns, order, folds. */
#ifndef FAIRTOP_TUI_ROWS_LOOK_H
#define FAIRTOP_TUI_ROWS_LOOK_H

#include "core/share/fairshare.h"
#include "tui/cells/command.h"
#include "tui/rows/queue.h"
#include "tui/rows/sheet.h"

/* The look without any data. */
void look_plain(struct sheet *sheet, enum view_id view);

/* The look for the present data, unless the user has chosen. */
void look_accounts(struct sheet *sheet, const struct cluster *c, enum fs_algorithm algorithm);
void look_jobs(struct sheet *sheet, const struct queue *q);

/* Unless the user has chosen an order. */
void look_order(struct sheet *sheet, const char *name, bool descending);

/*
 * Usage over share of a row, for finding the worst: at most 1 for rows with less than a hundredth
 * of all usage, which explain little. 0: unknown, or no share at all (picture.h, unshared).
 */
double look_served(const struct sheet *sheet, const struct list_data *data, uint32_t row);

/* Folds the tree of DATA, the first one, to fit a page of the list. */
void look_by_need(struct sheet *sheet, const struct list_data *data);

#endif
