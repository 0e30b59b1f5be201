/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw: the parts of the picture, one file each. */
#ifndef FAIRTOP_TUI_SCREEN_DRAW_H
#define FAIRTOP_TUI_SCREEN_DRAW_H

#include "tui/rows/state.h"

void draw_header(const struct app *a, struct canvas *c);
void draw_sheet(struct app *a, struct canvas *c, struct area area);

/* When the header's clock texts change next, monotonic; -1: never. */
int64_t header_next_ms(const struct app *a);

#endif
