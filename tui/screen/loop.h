/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * loop: the only place where the screen waits: poll() on the terminal, the signals and the
 * collector.
 */
#ifndef FAIRTOP_TUI_SCREEN_LOOP_H
#define FAIRTOP_TUI_SCREEN_LOOP_H

#include "adapters/collector.h"
#include "tui/screen/app.h"
#include "tui/screen/maker.h"
#include "tui/screen/starter.h"
#include "tui/cells/term.h"

/*
 * Blocks the signals the loop handles; before any thread is started. Gives the descriptor they come
 * through, or -1.
 */
int loop_signals(struct err *err);

/* What the header says about the source, from the collector's status. */
void loop_source_state(const struct collector_status *status, const char *name,
		       const struct source_ops *ops, struct source_state *state);

/*
 * Until the user or a signal ends it; returns the exit status. MAKER is that of the collector,
 * STARTER may be NULL; NAME and OPS are of the source. One that is not live and whose first read
 * fails with ERR_INPUT ends it, too: ERR, which is not NULL, says why.
 */
int loop_run(struct app *app, struct term *term, struct collector *collector, struct maker *maker,
	     struct starter *starter, int signals, const char *name, const struct source_ops *ops,
	     struct err *err);

#endif
