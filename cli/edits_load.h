/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edits_load: the what-if that --set and --what-if ask for.
 */
#ifndef FAIRTOP_CLI_EDITS_LOAD_H
#define FAIRTOP_CLI_EDITS_LOAD_H

#include "cli/options.h"
#include "core/whatif/whatif.h"

/*
 * *W is the caller's, NULL without any edit. Returns 0, or an exit status after a message, which
 * names file and line.
 */
int edits_load(const struct options *o, struct whatif **w);

#endif
