/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spill: storage for the jobs of a long log in nameless files, so that they need not stay in
 * memory. The files vanish with the program, however it ends.
 */
#ifndef FAIRTOP_ADAPTERS_IMPORT_SPILL_H
#define FAIRTOP_ADAPTERS_IMPORT_SPILL_H

#include "core/replay/replay.h"

struct spill;

/* Creates the files in the directory of BESIDE, now: a sandboxed process cannot create any. */
struct spill *spill_new(const char *beside);
void spill_close(struct spill *spill);		/* NULL is fine; after the replay */

struct replay_storage spill_storage(struct spill *spill);	/* for replay_use_storage() */

#endif
