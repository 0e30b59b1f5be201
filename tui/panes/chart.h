/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chart: columns over time, for rows of the open view: the marked ones, else the one under the
 * cursor.
 *
 * The points are pictures of the time line, about one per dot: the first of each slice of time.
 * They come one by one, coarse ones first, from the source (as EVENT_LOOK) or from what the screen
 * has kept (APP_MORE). Points are kept while rows and columns stay, so that zooming and stepping
 * need few new ones.
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
	double values[CHART_COLUMNS][CHART_ROWS];	/* NaN: unknown, absent */
};

struct chart {
	enum view_id view;		/* the rows' view */
	uint64_t keys[CHART_ROWS];
	char names[CHART_ROWS][CHART_NAME];
	uint32_t rows;
	const struct column *columns[CHART_COLUMNS];
	size_t column_count;
	bool chosen[VIEW_COUNT];	/* the user has chosen the columns */
	const struct column *choice[VIEW_COUNT][CHART_COLUMNS];
	size_t counts[VIEW_COUNT];
	struct chart_point *points;	/* owned, ascending */
	size_t count, capacity;
	int64_t *wanted;		/* owned: times to read, in this order */
	size_t wanted_count, wanted_next, wanted_capacity;
	uint64_t plan;			/* identifies the request; 0: start again */
	/* At the last event: to detect movement. */
	uint32_t seen;			/* app.pictures */
	uint64_t cursor;
	size_t marks;
	const struct column *column;	/* the column cursor */
};

extern const struct pane_ops chart_pane;
extern const struct feature chart_feature;

/* Chooses "fairshare,norm_usage": columns of the open view, at most CHART_COLUMNS; ERR_INPUT. */
bool chart_choose(struct app *a, const char *text, struct err *err);

/*
 * Opens it on the rows of the open view, of which there must be at least one. BY_CURSOR: only the
 * column under the cursor, if it can be drawn.
 */
void chart_open(struct app *a, bool by_cursor);

void chart_forget(struct app *a);	/* an algorithm changed: the values are invalid */

/* The point at TIME or the last one before; NULL (chart_points.c). */
const struct chart_point *chart_at(const struct chart *c, int64_t time);
bool chart_has(const struct chart *c, int64_t time);
/* The point at TIME, a new one if there was none. */
struct chart_point *chart_place(struct chart *c, int64_t time);

/* Draws into a box (chart_draw.c). */
void chart_draw(struct app *a, struct canvas *c, struct area box);

#endif
