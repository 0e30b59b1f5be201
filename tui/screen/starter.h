/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * starter: simulates when jobs begin in a thread of its own, so that no key waits for it.
 *
 * The newest order wins: what is under way for an older one is given up. Answers come better and
 * better; the two threads share an atomic slot for each direction, and two eventfds.
 */
#ifndef FAIRTOP_TUI_SCREEN_STARTER_H
#define FAIRTOP_TUI_SCREEN_STARTER_H

#include "tui/panes/start_times.h"

struct starter;

/* NULL: there can be no thread. Signals must be blocked before. */
struct starter *starter_new(void);
void starter_free(struct starter *s);		/* NULL is fine; joins */

int starter_fd(const struct starter *s);	/* poll for reading; starter_take() drains it */
void starter_order(struct starter *s, struct start_order *order);	/* taken over */
struct start_answer *starter_take(struct starter *s);	/* the caller's; NULL: nothing new */

/* The last answer at once, without a thread. Takes over ORDER. */
struct start_answer *starter_answer(struct start_order *order);

#endif
