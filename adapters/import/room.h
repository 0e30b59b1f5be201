/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * room: storage for the jobs of a long log in nameless files, so that they need not stay in memory.
 * The files vanish with the program, however it ends.
 */
#ifndef FAIRTOP_ADAPTERS_IMPORT_ROOM_H
#define FAIRTOP_ADAPTERS_IMPORT_ROOM_H

#include "core/replay/replay.h"

struct room;

/* Creates the files in the directory of BESIDE, now: a sandboxed process cannot create any. */
struct room *room_new(const char *beside);
void room_close(struct room *room);		/* NULL is fine; after the replay */

struct replay_room room_of(struct room *room);	/* for replay_use_room() */

#endif
