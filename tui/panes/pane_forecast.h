/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane_forecast: what becomes of an account or a job by itself, and with which edit: the answers of
 * forecast as a chart, those of seek as a list from which the what-if takes one.
 *
 * Computed when it is asked for, of the picture that is then on the screen, edits included; it does
 * not follow later pictures, and says of which time it is. In a large cluster it takes its time
 * (forecast_seek.h), while the pane tells how far it is; closing the pane gives it up.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_FORECAST_H
#define FAIRTOP_TUI_PANES_PANE_FORECAST_H

#include "tui/cells/doc.h"
#include "core/whatif/forecast_seek.h"
#include "tui/rows/state.h"

struct forecasts {
	struct forecast forecast;
	struct seek seek;
	double reach;			/* the F that was asked for; NaN: none */
	char object[600];		/* whose */
	char burn[120];			/* what it is taken to burn */
	char place[200];		/* of a job; "" where nobody asked */
	uint32_t pictures;		/* app.pictures that it is of */
	/* What is being looked for now; the answers above are older. NULL: nothing. */
	struct forecast_seek *asked;
	struct forecast_seek_order order;
};

extern const struct pane_ops forecast_pane, seek_pane;
extern const struct feature forecast_feature;

/*
 * What whoever is over-served wants to know: F where usage and share are the same; NaN for all
 * others.
 */
double forecast_goal(const struct app *a, uint32_t assoc);

/* About the row under the cursor; TEXT as the verbs take it, NULL: not given. ERR_INPUT. */
bool forecast_open(struct app *a, const char *reach, const char *burn, struct err *err);
bool seek_open(struct app *a, const char *reach, struct err *err);

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
 * F over time on HEIGHT lines, with a line at REACH and a mark where it is reached; below it the
 * first and the last time. Nothing where F is unknown.
 */
void forecast_chart(const struct forecast *f, double reach, struct doc *d, int height);

#endif
