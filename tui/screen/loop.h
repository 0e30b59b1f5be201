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
 * Blocks the signals that the loop handles; call it before any thread is started. Returns the
 * descriptor that reports them, or -1.
 */
int loop_signals(struct err *err);

/* The source's state for the header, from the collector's status. */
void loop_source_state(const struct collector_status *status, const char *name,
		       const struct source_ops *ops, struct source_state *state);

/* A cluster on the screen: its app and its readers. An overview has only APP. */
struct showing {
	struct app *app;
	struct collector *collector;
	struct maker *maker;		/* the collector's */
	struct worker *workers[WORKS];
	char name[256];			/* of the source */
	const struct source_ops *ops;
};

/* Takes over SOURCE, and begins to read it; APP stays the caller's. */
bool showing_begin(struct showing *s, struct app *app, struct source *source, struct err *err);
void showing_end(struct showing *s);

/*
 * showing_leave() ends it in a separate thread, so that no key waits for a source that hangs.
 * showings_wait() waits for all of these threads, once the shell has the terminal again.
 */
void showing_leave(struct showing *s);
void showings_wait(void);

/* How an overview opens one of its clusters: makes an app for it, which has no source yet. */
struct loop_fleet {
	struct clusters *clusters;
	struct app *(*open)(void *context, uint32_t row, struct err *err);
	void (*close)(void *context, struct app *app);
	void *context;
};

/*
 * Runs until the user or a signal ends it; returns the exit status. FLEET NULL: S is one cluster.
 * Also ends if a source that is not live fails its first read with ERR_INPUT: ERR, which is not
 * NULL, says why.
 */
int loop_run(struct showing *s, const struct loop_fleet *fleet, struct term *term, int signals,
	     struct err *err);

#endif
