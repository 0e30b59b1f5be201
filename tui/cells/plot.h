/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot: curves in characters. Braille dots (two by four a cell) or blocks (two by two) where UTF-8
 * can be shown, else letters.
 */
#ifndef FAIRTOP_TUI_CELLS_PLOT_H
#define FAIRTOP_TUI_CELLS_PLOT_H

#include "tui/cells/doc.h"

/* Where only ASCII can be shown it is letters in any case. */
enum plot_style { PLOT_BRAILLE, PLOT_BLOCKS, PLOT_LETTERS, PLOT_STYLES };
extern const char *const plot_styles[PLOT_STYLES];	/* their names */

struct plot {
	int width, height;	/* cells */
	uint8_t *dots;		/* owned: a Braille pattern a cell */
	uint8_t *roles;		/* owned: enum role of what was drawn last there */
	char *letters;		/* owned: of what was drawn last there */
	enum role role;		/* of what is drawn from now on: CHART and '*' unless changed */
	char letter;
	int point_x, point_y;	/* cell of the one marked point; -1 none */
};

void plot_init(struct plot *p, int width, int height);
void plot_free(struct plot *p);

/* X and Y from 0 (left, bottom) to 1 (right, top); outside is cut. */
void plot_dot(struct plot *p, double x, double y);
void plot_point(struct plot *p, double x, double y);

/* A straight line; only the part that is inside. */
void plot_line(struct plot *p, double x0, double y0, double x1, double y1);

/* Cell row of Y; outside is moved to the border. */
int plot_row(const struct plot *p, double y);

/* What stands in cell I (its row times the width, and its column); false if it is empty. */
#define PLOT_TEXT 8
bool plot_cell(const struct plot *p, int i, enum plot_style style, bool ascii,
	       char text[PLOT_TEXT]);

/* Onto the canvas; empty cells stay as they are. */
void plot_draw(const struct plot *p, struct canvas *c, int x, int y, enum plot_style style);

/* Draws line ROW (0 is the top) at the doc's current column. */
void plot_put(const struct plot *p, struct doc *d, int row);

/*
 * Widens LEAST to MOST to round values; returns their distance on the axis: 1, 2 or 5 times a power
 * of ten, not below LEAST_STEP, for about STEPS of them.
 */
double plot_round(double *least, double *most, int steps, double least_step);

/*
 * Round local times on an axis of WIDTH cells: the first one not before FROM and the seconds
 * between two. plot_time_text() names one: the first of an axis, and where a day begins, with it.
 */
#define PLOT_TIME 64
int64_t plot_times(int64_t from, int64_t to, int width, int64_t *step);
void plot_time_text(int64_t time, int64_t step, bool first, char text[PLOT_TIME]);

/*
 * One line of bars, scaled between the least and the greatest value, where all are the same at half
 * height, and zeros at the bottom; gaps where it is unknown.
 */
void spark_put(struct doc *d, const float *values, uint32_t count, int width);

#endif
