/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * difference: what has changed between another time and the one that is shown, in a pane.
 *
 * The picture of the other time is kept while the pane is open, so that stepping compares with it
 * again and again.
 */
#ifndef FAIRTOP_TUI_PANES_DIFFERENCE_H
#define FAIRTOP_TUI_PANES_DIFFERENCE_H

#include "core/share/diff.h"
#include "tui/cells/doc.h"

struct app;
struct picture;

struct difference {
	int64_t time;			/* of the other picture */
	bool wanted;			/* it is to come from the source */
	struct picture *other;		/* NULL: it has not come, or could not be read */
	struct diff *diff;		/* NULL: to be made */
	uint32_t seen;			/* app.pictures when it was made */
};

void difference_free(struct difference *d);

/* Opens the pane, for a time in words, "" for the picture before this one; ERR_INPUT. */
bool difference_from(struct app *a, const char *text, struct err *err);

/* The other picture; CLUSTER is taken over, NULL where there was none. */
void difference_take(struct app *a, struct cluster *cluster);

/* After each event. */
void difference_settle(struct app *a);

void difference_doc(const struct app *a, struct doc *d);

#endif
