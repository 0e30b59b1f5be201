/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Storage for the jobs of a long log: memory while they are few, then struct replay_room. */
#include "core/replay/replay_private.h"

#include <string.h>

#include "core/base/mem.h"

void replay_use_room(struct replay *r, const struct replay_room *room)
{
	r->room = *room;
}

void room_rest(struct replay *r)
{
	r->touched = 0;
	if (r->room.rest)
		r->room.rest(r->room.context);
}

/* Step by step, so that the blocks need not be in memory as a whole. */
static void replay_room_copy(struct replay *r, char *to, const char *from, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += ROOM_STEP) {
		memcpy(to + at, from + at, bytes - at < ROOM_STEP ? bytes - at : ROOM_STEP);
		room_rest(r);
	}
}

void *room_grow(struct replay *r, void *block, bool *in_room, size_t old, size_t need)
{
	void *larger = NULL;

	if (r->room.resize && (need >= ROOM_BYTES || r->jobs_in_room))
		larger = r->room.resize(r->room.context, *in_room ? block : NULL, need);
	if (larger && *in_room)
		return larger;
	if (!larger && !*in_room)
		return mem_realloc(block, need, 1);
	/* Moves it to the storage; or back, if that is full. */
	if (!larger)
		larger = mem_alloc(need, 1);
	replay_room_copy(r, larger, block, old);
	room_free(r, block, *in_room);
	*in_room = !*in_room;
	return larger;
}

void room_free(struct replay *r, void *block, bool in_room)
{
	if (in_room && r->room.resize)
		r->room.resize(r->room.context, block, 0);
	else
		mem_free(block);
}
