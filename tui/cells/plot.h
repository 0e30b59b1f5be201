/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plot: curves in characters: Braille dots (two by four per cell) or blocks (two by two) in UTF-8,
 * else letters.
 */
#ifndef FAIRTOP_TUI_CELLS_PLOT_H
#define FAIRTOP_TUI_CELLS_PLOT_H

#include "tui/cells/doc.h"

/* In ASCII mode always letters. */
enum plot_style { PLOT_BRAILLE, PLOT_BLOCKS, PLOT_LETTERS, PLOT_STYLES };
extern const char *const plot_styles[PLOT_STYLES];	/* their names */

struct plot {
	int width, height;	/* cells */
	uint8_t *dots;		/* owned: a Braille pattern per cell */
	uint8_t *roles;		/* owned: enum role drawn last, per cell */
	char *letters;		/* owned: letter drawn last, per cell */
	enum role role;		/* for drawing from now on: CHART and '*' by default */
	char letter;
	int point_x, point_y;	/* cell of the marked point; -1: none */
};

void plot_init(struct plot *p, int width, int height);
void plot_free(struct plot *p);

/* X and Y from 0 (left, bottom) to 1 (right, top); points outside are cut. */
void plot_dot(struct plot *p, double x, double y);
void plot_point(struct plot *p, double x, double y);

/* A straight line; only the part inside is drawn. */
void plot_line(struct plot *p, double x0, double y0, double x1, double y1);

/* Cell row of Y; outside values move to the border. */
int plot_row(const struct plot *p, double y);

/* The text of cell I (row times the width, plus column); false if it is empty. */
#define PLOT_TEXT 8
bool plot_cell(const struct plot *p, int i, enum plot_style style, bool ascii,
	       char text[PLOT_TEXT]);

/* Draws on the canvas; empty cells are unchanged. */
void plot_draw(const struct plot *p, struct canvas *c, int x, int y, enum plot_style style);

/* Draws line ROW (0 is the top) at the doc's current column. */
void plot_put(const struct plot *p, struct doc *d, int row);

/*
 * Widens LEAST and MOST to round values; returns the axis step: 1, 2 or 5 times a power of ten, at
 * least LEAST_STEP, for about STEPS steps.
 */
double plot_round(double *least, double *most, int steps, double least_step);

/*
 * Round local times on an axis of WIDTH cells: the first one from FROM on, and in *STEP the seconds
 * between two. plot_time_text() writes one, with the day at the start of an axis and of a day.
 */
#define PLOT_TIME 64
int64_t plot_times(int64_t from, int64_t to, int width, int64_t *step);
void plot_time_text(int64_t time, int64_t step, bool first, char text[PLOT_TIME]);

/*
 * One line of bars, scaled between the least and the greatest value; equal values are at half
 * height, zeros at the bottom, unknown ones are gaps.
 */
void spark_put(struct doc *d, const float *values, uint32_t count, int width);

#endif
