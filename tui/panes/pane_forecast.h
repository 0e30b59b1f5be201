/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane_forecast: what becomes of an account or a job by itself, and with which edit: the answers of
 * forecast as a chart, those of seek as a list from which the what-if takes one.
 *
 * Computed when it is asked for, of the picture that is then on the screen, edits included. What
 * becomes of a row is told anew of each later picture, or says of which time it is and why it is
 * no longer told; edits that were looked for are those of their time. In a large cluster it takes
 * its time (foresight.h), while the pane tells how far it is, or what it told before; closing the
 * pane gives it up.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_FORECAST_H
#define FAIRTOP_TUI_PANES_PANE_FORECAST_H

#include "tui/cells/doc.h"
#include "tui/panes/foresight.h"

struct forecasts {
	struct forecast forecast;
	struct seek seek;
	double reach;			/* the F that was asked for; NaN: none */
	char object[600];		/* whose */
	char burn[120];			/* what it is taken to burn */
	char place[200];		/* of a job; "" where nobody asked */
	uint64_t key;			/* of the row, as the list has it */
	bool own_goal;			/* nobody gave one: forecast_goal() */
	uint64_t cursor;		/* the row under it when app.pictures were CURSOR_OF */
	uint32_t cursor_of;
	uint32_t pictures;		/* app.pictures that it is of */
	int64_t time;			/* and its time */
	uint32_t tried;			/* app.pictures that it was last asked of, */
	char problem[ERR_MESSAGE_MAX];	/* and why it is not told of that; "": it is */
	/* What is being looked for now; the answers above are older. */
	uint32_t asked;			/* foresight.h; 0: nothing */
	bool stands;			/* they are shown until there is more */
	char progress[120];
	struct forecast_seek_order order;
};

extern const struct pane_ops forecast_pane, seek_pane;
extern const struct feature forecast_feature;

/* What was asked for, or how far it is. */
void forecast_take(struct app *a, struct foresight *f);

/*
 * What whoever is over-served wants to know: F where usage and share are the same; NaN for all
 * others.
 */
double forecast_goal(const struct app *a, uint32_t assoc);

/* About the row under the cursor; TEXT as the verbs take it, NULL: not given. ERR_INPUT. */
bool forecast_open(struct app *a, const char *reach, const char *burn, struct err *err);
bool seek_open(struct app *a, const char *reach, struct err *err);
/*
 * Which edit lets the job begin by TIME, in the words of timeword.h as of the picture's time;
 * OBJECT is "job:ID", NULL: the row under the cursor.
 */
bool seek_open_start(struct app *a, const char *object, const char *time, struct err *err);

/*
 * The goal of WHAT ("--reach"): F, a number from 0 to 1, where the model is an LSF's a dynamic
 * priority from 0 on, or where IS_RANK a whole number from 1. ERR_INPUT.
 */
bool forecast_read_reach(const char *what, const char *text, bool is_rank,
			 const struct model *m, double *reach, struct err *err);

/* "now" (or NULL), "none", or billable TRES-seconds per hour; resets are of the local calendar. */
bool forecast_read_burn(const char *text, struct forecast_question *question, struct err *err);

/* The sentence with the date at which it comes true, in local time. */
void forecast_tell(const struct forecast *f, char *buf, size_t size);

/*
 * F over time on HEIGHT lines, with a line at REACH and a mark where it is reached; below it round
 * times. Nothing where F is unknown.
 */
void forecast_chart(const struct forecast *f, double reach, struct doc *d, int height);

#endif
