/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inspect: what follows the cursor below the rows (or beside them) while no box is open: a plain
 * sentence about the row, and a line for each question that comes next. It takes no keys.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_INSPECT_H
#define FAIRTOP_TUI_PANES_PANE_INSPECT_H

#include "tui/cells/doc.h"
#include "tui/panes/foresight.h"

#define INSPECT_LOOKS 24		/* pictures of the past, at most */

struct inspect {
	/* Of the past: times to look at, the latest first; how many were looked at. */
	int64_t times[INSPECT_LOOKS];
	size_t count, next;
	bool asks;			/* they are being asked for */
	size_t line;			/* pictures of the time line, as last seen; 0: plan anew */
	/* Of the coming days: the row, what is known, what is being computed, since when. */
	uint64_t key;
	uint32_t seen;			/* app.pictures */
	bool begun, known;
	bool edited;			/* the picture was that of a what-if */
	struct forecast ahead;
	uint32_t asked;			/* foresight.h; 0: nothing */
	int64_t asked_ms;
	char progress[120];		/* "": it is not worth a word */
	/* What is drawn, and of what; a tree of many rows is not summed for each frame. */
	struct doc doc;
	struct inspect_of {
		uint64_t key;
		int64_t time;
		uint32_t pictures, view, off, samples, width, told, starts;
	} of;
};

extern const struct pane_ops inspect_pane;
extern const struct feature inspect_feature;

/*
 * What becomes of the row under the cursor: up to MOST values of F from now to UNTIL, in equal
 * steps; how many, 0 while nobody knows.
 */
uint32_t inspect_ahead(const struct app *a, int64_t *until, float *values, uint32_t most);
void inspect_take(struct app *a, struct foresight *f);	/* or how far that is */
void inspect_forget(struct app *a);	/* values of the past are no longer true */

/* "on", "off" or the parts to be told, "who,limits"; ERR_INPUT names those that there are. */
bool inspect_choose(struct app *a, const char *text, struct err *err);
/* The same as inspect_choose() reads it. */
void inspect_chosen(const struct app *a, char *buf, size_t size);

#endif
