/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane_why: why the job under the cursor does not run, when it will, and what would help
 * (core/why): the first lines below the rows, everything in a box (Enter), and as text for a mail.
 *
 * What can be read from the picture is there at once. The start alone and what would help are
 * simulated in a separate thread (screen/whyer.c) while the box is open, for Slurm without edits.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_WHY_H
#define FAIRTOP_TUI_PANES_PANE_WHY_H

#include "core/base/sink.h"
#include "core/why/why.h"
#include "tui/cells/doc.h"
#include "tui/rows/state.h"

/* What to simulate. */
struct why_order {
	uint32_t pictures;		/* app.pictures that it is for */
	uint32_t entry;			/* in the job index */
	struct cluster *cluster;	/* shared */
	struct model_options options;	/* for its model */
};
void why_order_free(void *order);	/* NULL is fine */

/* An answer: the first has the start, the last one is DONE and has what would help. */
struct why_answer {
	uint32_t pictures, entry;
	struct cluster *cluster;	/* for the three below; shared */
	struct model *model;
	struct jobs *jobs;
	struct why *why;
	bool done;
};
void why_answer_free(void *answer);	/* NULL is fine */

struct why_box;			/* app.why */
extern const struct feature why_feature;

void *why_box_order(struct app *a);	/* the caller's; NULL: none */
void why_box_take(struct app *a, void *answer);	/* taken over */

/* Its head and the first line of its reasons. */
void why_short_doc(const struct app *a, struct doc *d, uint32_t row);
/*
 * Its start, with texts from column LABEL on: a line over time if simulated, else in words; nothing
 * if unknown.
 */
void why_start_doc(const struct app *a, struct doc *d, uint32_t row, int label);
/* The whole answer. */
void why_doc(const struct app *a, struct doc *d, uint32_t row);
/* The same as lines of plain text, with uncut commands. */
void why_write(const struct app *a, uint32_t row, struct sink out);

#endif
