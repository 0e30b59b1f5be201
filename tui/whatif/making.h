/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * making: the order for a picture, with the edits of a what-if over it, and the answer to it.
 *
 * The screen orders (making_order()), a thread makes (making_run()), the screen shows the answer
 * (making_take() in show.c). An order has all that enters the picture and does not change, so the
 * screen may go on meanwhile: it shows the former picture until the answer comes.
 */
#ifndef FAIRTOP_TUI_WHATIF_MAKING_H
#define FAIRTOP_TUI_WHATIF_MAKING_H

#include "tui/whatif/whatif_sets.h"

struct making {
	/* The order. */
	uint32_t number;		/* of the orders of this app */
	struct picture *of;		/* the source's picture, shared; it may be bare */
	struct picture_order how;	/* CLASSES: the view of classes is kept up to date */
	struct whatif *sets[WHATIF_SETS];	/* copies; NULL: unused */
	uint32_t set;			/* whose edits are wanted over it, if ... */
	bool over;
	bool beside;			/* places by the other sets, too */
	bool sums_up[WHATIF_SETS];	/* the other sets whose sum is not known */
	bool regroups;			/* OF groups its jobs in another way than HOW */
	/* The answer. */
	struct picture *picture;	/* NULL: see ERR. With ERR: OF without the edits */
	struct queue *grouping;		/* for the queue of OF, if REGROUPS; else NULL */
	struct evenness was;		/* of the base, if OVER */
	struct whatif_sum sums[WHATIF_SETS];	/* those that are known */
	struct changes_places *places[WHATIF_SETS];
	struct err err;
};

/* For the screen: what app.whatif->wanted asks for; NULL: nothing. The caller's. */
struct making *making_order(struct app *a);
/* For any thread. */
void making_run(struct making *m);
void making_free(struct making *m);	/* NULL is fine */

/* Whether edits are to be shown. */
bool making_is_over(const struct app *a);
/* Whether OF can be shown as it is: no edits, no other options and no other classes are wanted. */
bool making_is_needless(const struct app *a, const struct picture *of);

#endif
