/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sheet_filter: what a filter of a sheet may name. */
#ifndef FAIRTOP_TUI_WHATIF_SHEET_FILTER_H
#define FAIRTOP_TUI_WHATIF_SHEET_FILTER_H

#include "tui/rows/sheet.h"

/*
 * The columns of the view, of the screen's own those that have a value, and while a what-if is
 * shown those that compare it. For the life of the program; only for the one thread of the screen.
 */
const struct column *sheet_filter_columns(const struct sheet *t, size_t *count);

#endif
