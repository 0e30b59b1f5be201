/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane_forecast: the future of an account or a job by itself, or with which edit it reaches a goal:
 * the answers of forecast as a chart, those of seek as a list from which the what-if takes one.
 *
 * Computed on request from the picture then on the screen, including edits. A forecast is repeated
 * for each later picture; otherwise it shows its time and why it was not repeated. Edits found by
 * seek are those of their time. In a large cluster this is slow (foresight.h), and the pane shows
 * the progress, or the former answer; closing the pane cancels it.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_FORECAST_H
#define FAIRTOP_TUI_PANES_PANE_FORECAST_H

#include "tui/cells/doc.h"
#include "tui/panes/foresight.h"

struct forecasts {
	struct forecast forecast;
	struct seek seek;
	double reach;			/* the requested F; NaN: none */
	char object[600];		/* the object in question */
	char burn[120];			/* its assumed burn rate */
	char place[200];		/* of a job; "": not requested */
	uint64_t key;			/* of the row in the list */
	bool own_goal;			/* none was given: forecast_goal() */
	uint64_t cursor;		/* the row under it when app.pictures was CURSOR_OF */
	uint32_t cursor_of;
	uint32_t pictures;		/* app.pictures that the answer is for */
	int64_t time;			/* and its time */
	uint32_t tried;			/* app.pictures of the last attempt, */
	char problem[ERR_MESSAGE_MAX];	/* and why it failed; "": it did not */
	/* The running request; the answers above are older. */
	uint32_t asked;			/* foresight.h; 0: none */
	bool stands;			/* the answers stay visible until then */
	char progress[120];
	struct forecast_seek_order order;
};

extern const struct pane_ops forecast_pane, seek_pane;
extern const struct feature forecast_feature;

/* Takes an answer, or progress. */
void forecast_take(struct app *a, struct foresight *f);

/* The default goal of an over-served association: F where usage equals share; NaN for others. */
double forecast_goal(const struct app *a, uint32_t assoc);

/* About the row under the cursor; texts as for the verbs, NULL: not given. ERR_INPUT. */
bool forecast_open(struct app *a, const char *reach, const char *burn, struct err *err);
bool seek_open(struct app *a, const char *reach, struct err *err);
/*
 * Which edit lets the job begin by TIME, a text for timeword.h relative to the picture's time;
 * OBJECT is "job:ID", NULL: the row under the cursor.
 */
bool seek_open_start(struct app *a, const char *object, const char *time, struct err *err);

/*
 * Reads the goal for WHAT ("--reach"): F from 0 to 1; if the model is LSF's a dynamic priority from
 * 0 on; if IS_RANK a whole number from 1. ERR_INPUT.
 */
bool forecast_read_reach(const char *what, const char *text, bool is_rank,
			 const struct model *m, double *reach, struct err *err);

/* "now" (or NULL), "none", or billable TRES-seconds per hour; resets follow the local calendar. */
bool forecast_read_burn(const char *text, struct forecast_question *question, struct err *err);

/* The sentence with the date at which the goal is reached, in local time. */
void forecast_tell(const struct forecast *f, char *buf, size_t size);

/*
 * Draws F over time on HEIGHT lines, with a line at REACH, a mark where it is reached, and round
 * times below. Nothing if F is unknown.
 */
void forecast_chart(const struct forecast *f, double reach, struct doc *d, int height);

#endif
