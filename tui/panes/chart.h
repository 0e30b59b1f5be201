/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chart: columns of rows over time, of the open view: of the marked rows, else of the row under the
 * cursor.
 *
 * What is drawn are points: pictures of the time line, about as many as there are dots, the first
 * of each slice of time. They come one after the other, coarse ones first, from the source (as
 * EVENT_LOOK) or out of what the screen has kept (APP_MORE). Points stay while rows and columns
 * do, so that zooming and stepping ask for little.
 */
#ifndef FAIRTOP_TUI_PANES_CHART_H
#define FAIRTOP_TUI_PANES_CHART_H

#include "core/base/column.h"
#include "tui/rows/state.h"

#define CHART_ROWS 6
#define CHART_COLUMNS 3
#define CHART_NAME 96

struct chart_point {
	int64_t time;
	double values[CHART_COLUMNS][CHART_ROWS];	/* NaN: unknown, not there */
};

struct chart {
	enum view_id view;		/* that the rows are of */
	uint64_t keys[CHART_ROWS];
	char names[CHART_ROWS][CHART_NAME];
	uint32_t rows;
	const struct column *columns[CHART_COLUMNS];
	size_t column_count;
	bool chosen[VIEW_COUNT];	/* the columns are the user's */
	const struct column *choice[VIEW_COUNT][CHART_COLUMNS];
	size_t counts[VIEW_COUNT];
	struct chart_point *points;	/* owned, ascending */
	size_t count, capacity;
	int64_t *wanted;		/* owned: times to look at, in this order */
	size_t wanted_count, wanted_next, wanted_capacity;
	uint64_t plan;			/* tells whether something else is wanted; 0: begin anew */
	/* As of the last event: has the user moved? */
	uint32_t seen;			/* app.pictures */
	uint64_t cursor;
	size_t marks;
	const struct column *column;	/* the column cursor */
};

extern const struct pane_ops chart_pane;
extern const struct feature chart_feature;

/* "fairshare,norm_usage": columns of the open view, at most CHART_COLUMNS; ERR_INPUT. */
bool chart_choose(struct app *a, const char *text, struct err *err);

/*
 * On the rows of the open view; there must be one. BY_CURSOR: of the column under the cursor alone,
 * if there is one that can be drawn.
 */
void chart_open(struct app *a, bool by_cursor);

void chart_forget(struct app *a);	/* the values are no longer true: an algorithm changed */

/* The point at TIME or the last one before it; NULL (chart_points.c). */
const struct chart_point *chart_at(const struct chart *c, int64_t time);
bool chart_has(const struct chart *c, int64_t time);
/* The place of the point at TIME, a new one where there was none. */
struct chart_point *chart_place(struct chart *c, int64_t time);

/* Into a box (chart_draw.c). */
void chart_draw(struct app *a, struct canvas *c, struct area box);

#endif
