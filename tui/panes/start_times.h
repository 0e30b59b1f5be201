/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * start_times: when waiting jobs begin, as a simulation tells (core/sim/starts.h): what is to be
 * simulated, which a thread of its own does (screen/starter.h), and what is shown of the answers
 * besides columns. A picture is simulated while its jobs are looked at; of a what-if both are, with
 * the same draws, so that they can be compared.
 */
#ifndef FAIRTOP_TUI_PANES_START_TIMES_H
#define FAIRTOP_TUI_PANES_START_TIMES_H

#include "tui/cells/doc.h"
#include "tui/rows/state.h"

enum { START_BASE, START_EDITED, START_PICTURES };

/* What is to be simulated. */
struct start_order {
	uint32_t pictures;		/* app.pictures that it is of */
	struct cluster *clusters[START_PICTURES];	/* shared; NULL: not wanted */
	int64_t *points;		/* of the edited one (starts.h) */
	struct joblog *log;	/* NULL: none is known, or not yet */
};
void start_order_free(void *order);	/* NULL is fine */

/* An answer: the next ones are better, until one is DONE. */
struct start_answer {
	uint32_t pictures;
	struct starts starts[START_PICTURES];
	bool done;
	char problem[ERR_MESSAGE_MAX];	/* "": none */
};
void start_answer_free(void *answer);	/* NULL is fine */

struct start_times {
	struct start_order *order;	/* of APP_STARTS; NULL: taken */
	uint32_t asked;			/* app.pictures that was ordered last */
	uint32_t gathered;		/* start_past.gathered then */
	uint32_t answers;		/* that were taken */
	char problem[ERR_MESSAGE_MAX];
};
extern const struct feature start_times_feature;

/* For screen/worker.h. */
void *start_times_order(struct app *a);	/* the caller's */
void start_times_take(struct app *a, void *answer);	/* taken over */

bool start_times_simulated(const struct picture *p);	/* is it of a Slurm? */

/*
 * A line over time, and the scheduler's own estimate. Entry ROW waits, and its start is simulated,
 * or is being so.
 */
void start_times_doc(const struct app *a, struct doc *d, uint32_t row, int label);
/*
 * Of a what-if: does it begin earlier or later, and whose jobs pay for that? Its start is known
 * with the edits and without.
 */
void start_times_what_if(const struct app *a, struct doc *d, uint32_t row, int label);
/* What all of them rest on, and what is not modelled. */
void start_times_notes(const struct app *a, struct doc *d);

#endif
