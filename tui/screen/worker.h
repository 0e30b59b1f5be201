/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * worker: a separate thread for slow work, so that no key waits for it.
 *
 * The newest order wins: work on an older one is cancelled. Answers may improve step by step; the
 * two threads share an atomic slot for each direction, and two eventfds.
 */
#ifndef FAIRTOP_TUI_SCREEN_WORKER_H
#define FAIRTOP_TUI_SCREEN_WORKER_H

#include <stdint.h>

#include "core/base/err.h"

struct app;
struct worker;

/* A kind of work: its order, the computation, and the receiver of the answers. */
struct work {
	void *(*order)(struct app *a);		/* the caller's; NULL: none, or taken */
	void (*take)(struct app *a, void *answer);	/* ANSWER is taken over */
	void (*run)(struct worker *w, void *order);	/* in the thread; ORDER is taken over */
	void *(*answer)(void *order);		/* the final answer, without a thread */
	void (*order_free)(void *order);	/* NULL is fine for both */
	void (*answer_free)(void *answer);
};

/* All kinds; each has a thread. The first one makes pictures. */
#define WORKS 4
#define WORK_PICTURES 0
extern const struct work *const works[WORKS];
extern const struct work maker_work;	/* what the screen asks for (whatif/making.h) */
extern const struct work starter_work;	/* when jobs begin (panes/start_times.h) */
extern const struct work foreseer_work;	/* forecasts and searches (panes/foresight.h) */
extern const struct work whyer_work;	/* starts of a job, what helps it (panes/pane_why.h) */

/* NULL and ERR_SOURCE: no thread could be started. Signals must be blocked before. */
struct worker *worker_new(const struct work *work, struct err *err);
void worker_free(struct worker *w);		/* NULL is fine; joins */

/* For the screen. */
int worker_fd(const struct worker *w);		/* poll for reading; worker_take() drains it */
void worker_order(struct worker *w, void *order);	/* taken over */
void *worker_take(struct worker *w);		/* the caller's; NULL: nothing new */

/* For the thread: is RUN's order still the newest? Publishes an answer, which is taken over. */
bool worker_wanted(struct worker *w);
void worker_publish(struct worker *w, void *answer);
/* Whether an intermediate answer may be published now. The first may at once. */
bool worker_due(struct worker *w);

#endif
