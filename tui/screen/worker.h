/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker: a thread of its own for what takes its time, so that no key waits for it.
 *
 * The newest order wins: what is under way for an older one is given up. Answers may come better
 * and better; the two threads share an atomic slot for each direction, and two eventfds.
 */
#ifndef FAIRTOP_TUI_SCREEN_WORKER_H
#define FAIRTOP_TUI_SCREEN_WORKER_H

#include <stdint.h>

#include "core/base/err.h"

struct app;
struct worker;

/* A kind of work: what asks for it, what it does, and who takes the answers. */
struct work {
	uint32_t effect;			/* enum app_effect: there is an order */
	void *(*order)(struct app *a);		/* the caller's; NULL: there is none */
	void (*take)(struct app *a, void *answer);	/* ANSWER is taken over */
	void (*run)(struct worker *w, void *order);	/* in the thread; ORDER is taken over */
	void *(*answer)(void *order);		/* the last answer at once, without a thread */
	void (*order_free)(void *order);	/* NULL is fine for both */
	void (*answer_free)(void *answer);
};

/* All kinds; each has a thread. */
#define WORKS 3
extern const struct work *const works[WORKS];

/* NULL and ERR_SOURCE: there can be no thread. Signals must be blocked before. */
struct worker *worker_new(const struct work *work, struct err *err);
void worker_free(struct worker *w);		/* NULL is fine; joins */

/* The screen's side. */
int worker_fd(const struct worker *w);		/* poll for reading; worker_take() drains it */
void worker_order(struct worker *w, void *order);	/* taken over */
void *worker_take(struct worker *w);		/* the caller's; NULL: nothing new */

/* The thread's side: is the order of RUN still the newest one? And an answer, taken over. */
bool worker_wanted(struct worker *w);
void worker_publish(struct worker *w, void *answer);
/* May the next answer that is not the last one go out? The first may at once. */
bool worker_due(struct worker *w);

#endif
