/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start_times: simulated starts of pending jobs (core/sim/starts.h): the order for a separate
 * thread (screen/starter.c), and what is shown of the answers besides columns. A picture is
 * simulated while its jobs are shown; with a what-if, both pictures are, with the same draws, so
 * that they can be compared.
 */
#ifndef FAIRTOP_TUI_PANES_START_TIMES_H
#define FAIRTOP_TUI_PANES_START_TIMES_H

#include "tui/cells/doc.h"
#include "tui/rows/state.h"

enum { START_BASE, START_EDITED, START_PICTURES };

/* What to simulate. */
struct start_order {
	uint32_t pictures;		/* app.pictures that it is for */
	struct cluster *clusters[START_PICTURES];	/* shared; NULL: not needed */
	int64_t *points;		/* for the edited one (starts.h) */
	struct joblog *log;	/* NULL: none, or not known yet */
};
void start_order_free(void *order);	/* NULL is fine */

/* An answer: later ones are better. */
struct start_answer {
	uint32_t pictures;
	struct starts starts[START_PICTURES];
	char problem[ERR_MESSAGE_MAX];	/* "": none */
};
void start_answer_free(void *answer);	/* NULL is fine */

struct start_times {
	struct start_order *order;	/* NULL: taken */
	uint32_t asked;			/* app.pictures of the last order */
	uint32_t gathered;		/* start_past.gathered at that time */
	uint32_t answers;		/* number taken */
	char problem[ERR_MESSAGE_MAX];
};
extern const struct feature start_times_feature;

/* For screen/worker.h. */
void *start_times_order(struct app *a);	/* the caller's */
void start_times_take(struct app *a, void *answer);	/* taken over */

bool start_times_simulated(const struct picture *p);	/* whether it is Slurm */

/*
 * Shows a line over time, and the scheduler's own estimate. Entry ROW is pending, and its start is
 * simulated, now or already.
 */
void start_times_doc(const struct app *a, struct doc *d, uint32_t row, int label);
/*
 * For a what-if: whether it begins earlier or later, and whose jobs are delayed in return. Its
 * start must be known with the edits and without.
 */
void start_times_what_if(const struct app *a, struct doc *d, uint32_t row, int label);
/* The assumptions behind all of them, and what is not modelled. */
void start_times_notes(const struct app *a, struct doc *d);

#endif
