/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Storage for the jobs of a long log: memory while they are few, then struct replay_storage. */
#include "core/replay/replay_private.h"

#include <string.h>

#include "core/base/mem.h"

void replay_use_storage(struct replay *r, const struct replay_storage *storage)
{
	r->storage = *storage;
}

void storage_rest(struct replay *r)
{
	r->touched = 0;
	if (r->storage.rest)
		r->storage.rest(r->storage.context);
}

/* Step by step, so that the blocks need not be in memory as a whole. */
static void replay_storage_copy(struct replay *r, char *to, const char *from, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += ROOM_STEP) {
		memcpy(to + at, from + at, bytes - at < ROOM_STEP ? bytes - at : ROOM_STEP);
		storage_rest(r);
	}
}

void *storage_grow(struct replay *r, void *block, bool *in_room, size_t old, size_t need)
{
	void *larger = NULL;

	if (r->storage.resize && (need >= ROOM_BYTES || r->jobs_in_room))
		larger = r->storage.resize(r->storage.context, *in_room ? block : NULL, need);
	if (larger && *in_room)
		return larger;
	if (!larger && !*in_room)
		return mem_realloc(block, need, 1);
	/* Moves it to the storage; or back, if that is full. */
	if (!larger)
		larger = mem_alloc(need, 1);
	replay_storage_copy(r, larger, block, old);
	storage_free(r, block, *in_room);
	*in_room = !*in_room;
	return larger;
}

void storage_free(struct replay *r, void *block, bool in_room)
{
	if (in_room && r->storage.resize)
		r->storage.resize(r->storage.context, block, 0);
	else
		mem_free(block);
}
