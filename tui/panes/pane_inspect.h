/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * inspect: shown below the rows (or beside them) while no box is open, for the row under the
 * cursor: a plain sentence, and a line for each question that comes next. It takes no keys.
 */
#ifndef FAIRTOP_TUI_PANES_PANE_INSPECT_H
#define FAIRTOP_TUI_PANES_PANE_INSPECT_H

#include "tui/cells/doc.h"
#include "tui/panes/foresight.h"

#define INSPECT_LOOKS 24		/* most pictures of the past */

struct inspect {
	/* The past: times to read, the latest first; how many were read. */
	int64_t times[INSPECT_LOOKS];
	size_t count, next;
	bool asks;			/* a request is pending */
	size_t line;			/* pictures of the time line, last time; 0: plan again */
	/* The future: the row, the known forecast, the running request and its start. */
	uint64_t key;
	uint32_t seen;			/* app.pictures */
	bool begun, known;
	bool edited;			/* the picture was a what-if's */
	struct forecast ahead;
	uint32_t asked;			/* foresight.h; 0: none */
	int64_t asked_ms;
	char progress[120];		/* "": not worth showing */
	/* What is drawn, and its input; a large tree is not summed up for each frame. */
	struct doc doc;
	struct inspect_of {
		uint64_t key;
		int64_t time;
		uint32_t pictures, view, off, samples, width, reported, starts;
	} of;
};

extern const struct pane_ops inspect_pane;
extern const struct feature inspect_feature;

/*
 * The future of the row under the cursor: up to MOST values of F from now to UNTIL, in equal steps;
 * returns how many, 0: unknown.
 */
uint32_t inspect_ahead(const struct app *a, int64_t *until, float *values, uint32_t most);
void inspect_take(struct app *a, struct foresight *f);	/* or its progress */
void inspect_forget(struct app *a);	/* past values are invalid */

/* Sets "on", "off" or the parts to show, "who,limits"; ERR_INPUT names the existing ones. */
bool inspect_choose(struct app *a, const char *text, struct err *err);
/* The setting, as inspect_choose() reads it. */
void inspect_chosen(const struct app *a, char *buf, size_t size);

#endif
