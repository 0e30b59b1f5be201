/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edits_load: the what-if that --set and --what-if ask for.
 */
#ifndef FAIRTOP_TUI_BASE_EDITS_LOAD_H
#define FAIRTOP_TUI_BASE_EDITS_LOAD_H

#include "core/whatif/whatif.h"
#include "cli/options.h"

/*
 * *W is the caller's, NULL without any edit. Returns 0, or an exit status after a message, which
 * names file and line.
 */
int edits_load(const struct options *o, struct whatif **w);

/* The whole of FILE as text (the caller's), NULL and ERR_INPUT if it cannot be read. */
char *file_text(const char *file, struct err *err);

#endif
