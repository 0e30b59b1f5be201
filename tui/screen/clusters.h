/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clusters: the sources of an overview, read in turns (adapters/turns.h). The reading thread
 * reduces each answer to a few facts, with the alarms of the app's rules.
 */
#ifndef FAIRTOP_TUI_SCREEN_CLUSTERS_H
#define FAIRTOP_TUI_SCREEN_CLUSTERS_H

#include "tui/rows/overview.h"
#include "tui/screen/screen.h"

struct clusters;

/* A has its rules already, and gets its overview. */
struct clusters *clusters_new(struct app *a, const struct screen_cluster *list, size_t count,
			      struct err *err);
void clusters_free(struct clusters *c);

int clusters_fd(const struct clusters *c);	/* readable when there is news */
void clusters_wait(const struct clusters *c);
void clusters_drain(struct clusters *c);

/* The next news for EVENT_FLEET, borrowed until the next call; false: none. */
bool clusters_next(struct clusters *c, struct fleet_news *news);

/* How many have neither answered nor failed yet. */
uint32_t clusters_silent(const struct clusters *c);

/* Opens a new source for row I. */
struct source *clusters_open(struct clusters *c, uint32_t i, struct err *err);
void clusters_refresh(struct clusters *c);
void clusters_freeze(struct clusters *c, bool frozen);

#endif
