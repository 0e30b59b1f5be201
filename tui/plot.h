/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot: curves in characters. Braille dots (two by four a cell) where UTF-8 can be shown, else
 * stars.
 */
#ifndef FAIRTOP_TUI_PLOT_H
#define FAIRTOP_TUI_PLOT_H

#include "tui/doc.h"

struct plot {
	int width, height;	/* cells */
	uint8_t *dots;		/* owned: a Braille pattern a cell */
	int point_x, point_y;	/* cell of the one marked point; -1 none */
};

void plot_init(struct plot *p, int width, int height);
void plot_free(struct plot *p);

/* X and Y from 0 (left, bottom) to 1 (right, top); outside is cut. */
void plot_dot(struct plot *p, double x, double y);
void plot_point(struct plot *p, double x, double y);

/* Draws line ROW (0 is the top) at the doc's current column. */
void plot_put(const struct plot *p, struct doc *d, int row);

/* One line of bars, scaled between the least and the greatest value; gaps where it is unknown. */
void spark_put(struct doc *d, const float *values, uint32_t count, int width);

#endif
