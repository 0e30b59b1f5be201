/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draw: the parts of the screen, one file each. */
#ifndef FAIRTOP_TUI_SCREEN_DRAW_H
#define FAIRTOP_TUI_SCREEN_DRAW_H

#include "tui/rows/state.h"

void draw_header(const struct app *a, struct canvas *c);
/* For the overview: cells of a cluster, which may be old; and the two lines at the top. */
void draw_spark(const struct app *a, struct canvas *c, int x, int y, int width, uint32_t row);
void draw_cluster_cell(const struct app *a, struct canvas *c, const struct sheet_slot *slot, int x,
		       int y, uint32_t row);
/* Shown instead of cells for a cluster that has not answered yet; false: it has. */
bool draw_cluster_silent(const struct app *a, struct canvas *c, int x, int y, int width,
			 uint32_t row);
void draw_overview(const struct app *a, struct canvas *c);

/* The line above the accounts; AREA is the accounts'. */
void draw_unshared(const struct app *a, struct canvas *c, struct area area);
void draw_sheet(struct app *a, struct canvas *c, struct area area);

/* When the header's times change next, monotonic; -1: never. */
int64_t header_next_ms(const struct app *a);

#endif
