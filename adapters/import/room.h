/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * room: place for the jobs of a long log in files without a name, so that the system need not hold
 * them in memory. They vanish with the program, however it ends.
 */
#ifndef FAIRTOP_ADAPTERS_IMPORT_ROOM_H
#define FAIRTOP_ADAPTERS_IMPORT_ROOM_H

#include "core/replay/replay.h"

struct room;

/* The files are made in the directory of BESIDE, now: who is shut in can make none. */
struct room *room_new(const char *beside);
void room_close(struct room *room);		/* NULL is fine; after the replay */

struct replay_room room_of(struct room *room);	/* for replay_use_room() */

#endif
