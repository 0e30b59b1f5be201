/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each block is a mapped file without a name. */
#include "adapters/import/room.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/mem.h"

#define BLOCKS_MAX 8

struct room {
	struct import_room_block {
		void *at;		/* NULL: free */
		size_t bytes;
		int fd;			/* -1: could not be created */
	} blocks[BLOCKS_MAX];
};

static int nameless_file(const char *beside)
{
	size_t size = strlen(beside) + sizeof(".jobs-XXXXXX");
	char *name = mem_alloc(size, 1);
	int fd;

	snprintf(name, size, "%s.jobs-XXXXXX", beside);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	mem_free(name);
	return fd;
}

struct room *room_new(const char *beside)
{
	struct room *room = mem_zalloc(1, sizeof(*room));

	for (size_t i = 0; i < BLOCKS_MAX; i++)
		room->blocks[i].fd = nameless_file(beside);
	return room;
}

static void give_back(struct import_room_block *b)
{
	if (!b->at)
		return;
	munmap(b->at, b->bytes);
	(void)!ftruncate(b->fd, 0);
	b->at = NULL;
	b->bytes = 0;
}

void room_close(struct room *room)
{
	if (!room)
		return;
	for (size_t i = 0; i < BLOCKS_MAX; i++) {
		give_back(&room->blocks[i]);
		if (room->blocks[i].fd >= 0)
			close(room->blocks[i].fd);
	}
	mem_free(room);
}

static struct import_room_block *import_room_find(struct room *room, const void *at)
{
	for (size_t i = 0; i < BLOCKS_MAX; i++) {
		if (room->blocks[i].at == at)
			return &room->blocks[i];
	}
	return NULL;
}

/* Allocates the disk space at once: later a page without space would end the program. */
static bool import_room_extend(int fd, size_t from, size_t to)
{
	if (to <= from || posix_fallocate(fd, (off_t)from, (off_t)(to - from)) == 0)
		return true;
	/* Give back what it took before the disk was full. */
	(void)!ftruncate(fd, (off_t)from);
	return false;
}

static void *import_room_make(struct import_room_block *b, size_t bytes)
{
	void *at = MAP_FAILED;

	if (b->fd >= 0 && import_room_extend(b->fd, 0, bytes))
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
	if (at == MAP_FAILED)
		return NULL;
	b->at = at;
	b->bytes = bytes;
	return at;
}

static void *import_room_resize(void *context, void *at, size_t bytes)
{
	struct room *room = context;
	struct import_room_block *b = import_room_find(room, at);
	void *moved;

	if (!b)
		return NULL;
	if (bytes == 0)
		give_back(b);
	if (bytes == 0 || !at)
		return bytes == 0 ? NULL : import_room_make(b, bytes);
	if (!import_room_extend(b->fd, b->bytes, bytes))
		return NULL;
	moved = mremap(b->at, b->bytes, bytes, MREMAP_MAYMOVE);
	if (moved == MAP_FAILED)
		return NULL;
	b->at = moved;
	b->bytes = bytes;
	return moved;
}

/* For a shared mapping this loses nothing: what was written is in the file. */
static void import_room_rest(void *context)
{
	struct room *room = context;

	for (size_t i = 0; i < BLOCKS_MAX; i++) {
		if (room->blocks[i].at)
			madvise(room->blocks[i].at, room->blocks[i].bytes, MADV_DONTNEED);
	}
}

struct replay_room room_of(struct room *room)
{
	return (struct replay_room){ .context = room,
				     .resize = import_room_resize,
				     .rest = import_room_rest };
}
