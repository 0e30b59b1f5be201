/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lessons: what to learn first, each lesson with its own key. In a tour (fairtop demo --tour) step
 * by step until all are done; for a new user as hints, for ten minutes, each after the keys of the
 * earlier ones were used.
 */
#ifndef FAIRTOP_TUI_ACTS_LESSONS_H
#define FAIRTOP_TUI_ACTS_LESSONS_H

#include "tui/rows/state.h"

#define LESSONS 7

/* Call it when a command was run by its key. */
void lessons_ran(struct app *a, const char *command);
/* The line for the bottom; false: none. */
bool lessons_line(const struct app *a, bool ascii, char *buf, size_t size);

extern const struct feature lessons_feature;

#endif
