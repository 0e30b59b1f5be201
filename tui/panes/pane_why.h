/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pane_why: why the job under the cursor does not run, when it will, and what would help
 * (core/why): its first lines below the rows, all of it in a box (Enter), and as text for a mail.
 *
 * What is read off the picture is there at once. Its start alone and what would help are simulated
 * by a thread of their own (screen/whyer.h) while the box is open, of a Slurm without edits.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_WHY_H
#define FAIRTOP_TUI_PANES_PANE_WHY_H

#include "core/base/sink.h"
#include "core/why/why.h"
#include "tui/cells/doc.h"
#include "tui/rows/state.h"

/* What is to be simulated. */
struct why_order {
	uint32_t pictures;		/* app.pictures that it is of */
	uint32_t entry;			/* of the job index */
	struct cluster *cluster;	/* shared */
	struct model_options options;	/* of its model */
};
void why_order_free(void *order);	/* NULL is fine */

/* An answer: the first has the start, the last one is DONE and has what would help. */
struct why_answer {
	uint32_t pictures, entry;
	struct cluster *cluster;	/* of the three below; shared */
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

/* Its head and the first line of what holds it. */
void why_short_doc(const struct app *a, struct doc *d, uint32_t row);
/*
 * Its start, texts from column LABEL on: of one that is simulated a line over time, else in words;
 * nothing where nobody knows any.
 */
void why_start_doc(const struct app *a, struct doc *d, uint32_t row, int label);
/* All of it. */
void why_doc(const struct app *a, struct doc *d, uint32_t row);
/* The same as lines of plain text, commands uncut. */
void why_write(const struct app *a, uint32_t row, struct sink out);

#endif
