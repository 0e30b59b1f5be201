/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What list.c, list_build.c and list_carry.c share. */
#ifndef FAIRTOP_TUI_ROWS_LIST_PRIVATE_H
#define FAIRTOP_TUI_ROWS_LIST_PRIVATE_H

#include "tui/rows/list.h"

void list_build_sequence(struct list *l);	/* from order and flat */
void list_build_match(struct list *l);		/* from filter */
void list_build_items(struct list *l);		/* from folds, match, sequence and ghosts */

/* Puts the cursor on ITEM, LINE lines below the top of the window where that is possible. */
void list_place_cursor(struct list *l, uint32_t item, uint32_t line, bool at_top);

#endif
