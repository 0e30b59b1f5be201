/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pane_source: texts about the source, in its box and in the header. */
#ifndef FAIRTOP_TUI_PANES_PANE_SOURCE_H
#define FAIRTOP_TUI_PANES_PANE_SOURCE_H

#include "tui/rows/state.h"

/* Seconds until the next read of the source; I64_UNKNOWN if unknown, or it is being read. */
int64_t source_until_asked(const struct app *a);

/* "next request in 40 s", "asking"; "" if there is none, or the time is unknown. */
void source_asked(const struct app *a, char *buf, size_t size);

#endif
