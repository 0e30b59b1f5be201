/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pane_source: what is told of the source, in its box and in the header. */
#ifndef FAIRTOP_TUI_PANES_PANE_SOURCE_H
#define FAIRTOP_TUI_PANES_PANE_SOURCE_H

#include "tui/rows/state.h"

/* Seconds until the source is asked; I64_UNKNOWN where nobody says, or it is asked right now. */
int64_t source_until_asked(const struct app *a);

/* "next request in 40 s", "asking"; "" where that will not be, or nobody knows when. */
void source_asked(const struct app *a, char *buf, size_t size);

#endif
