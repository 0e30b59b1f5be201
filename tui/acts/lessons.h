/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lessons: what is worth knowing first, each learned by its own key. As a tour (fairtop demo
 * --tour) step by step until all are done; to whoever is here for the first time as a hint, for
 * ten minutes, one after the other as the keys before them are used.
 */
#ifndef FAIRTOP_TUI_ACTS_LESSONS_H
#define FAIRTOP_TUI_ACTS_LESSONS_H

#include "tui/rows/state.h"

#define LESSONS 7

/* A command was run: a key was used. */
void lessons_ran(struct app *a, const char *command);
/* The line that stands at the bottom now; false if there is none. */
bool lessons_line(const struct app *a, bool ascii, char *buf, size_t size);

extern const struct feature lessons_feature;

#endif
