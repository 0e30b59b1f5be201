/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop: the only place where the screen waits: poll() on the terminal, the signals and the
 * collector.
 */
#ifndef FAIRTOP_TUI_SCREEN_LOOP_H
#define FAIRTOP_TUI_SCREEN_LOOP_H

#include "adapters/collector.h"
#include "tui/screen/app.h"
#include "tui/screen/clusters.h"
#include "tui/screen/maker.h"
#include "tui/screen/worker.h"
#include "tui/cells/term.h"

/*
 * Blocks the signals the loop handles; before any thread is started. Gives the descriptor they come
 * through, or -1.
 */
int loop_signals(struct err *err);

/* What the header says about the source, from the collector's status. */
void loop_source_state(const struct collector_status *status, const char *name,
		       const struct source_ops *ops, struct source_state *state);

/* A cluster on the screen: the app, and who asks its source. Of an overview there is but APP. */
struct showing {
	struct app *app;
	struct collector *collector;
	struct maker *maker;		/* the collector's */
	struct worker *workers[WORKS];
	char name[256];			/* of the source */
	const struct source_ops *ops;
};

/* Takes over SOURCE, and begins to ask it; APP stays the caller's. */
bool showing_begin(struct showing *s, struct app *app, struct source *source, struct err *err);
void showing_end(struct showing *s);

/*
 * The same in a thread of its own, so that no key waits for a source that hangs; and until all that
 * were left so have ended, which is for when the terminal is the shell's again.
 */
void showing_leave(struct showing *s);
void showings_wait(void);

/* How an overview opens one of its clusters: an app for it, which knows no source yet. */
struct loop_fleet {
	struct clusters *clusters;
	struct app *(*open)(void *context, uint32_t row, struct err *err);
	void (*close)(void *context, struct app *app);
	void *context;
};

/*
 * Until the user or a signal ends it; returns the exit status. FLEET NULL: S is of one cluster. A
 * source that is not live and whose first read fails with ERR_INPUT ends it, too: ERR, which is not
 * NULL, says why.
 */
int loop_run(struct showing *s, const struct loop_fleet *fleet, struct term *term, int signals,
	     struct err *err);

#endif
