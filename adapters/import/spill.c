/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Storage for the jobs of a long log, so that they need not stay in memory. Each block is a mapped
 * file without a name, which vanishes with the program, however it ends.
 */
#include "adapters/import/import.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/mem.h"

#define BLOCKS_MAX 8

struct spill {
	struct spill_block {
		void *at;		/* NULL: free */
		size_t bytes;
		int fd;			/* -1: could not be created */
	} blocks[BLOCKS_MAX];
};

static int nameless_file(const char *beside)
{
	char *name = mem_format("%s.jobs-XXXXXX", beside);
	int fd = mkostemp(name, O_CLOEXEC);

	if (fd >= 0)
		unlink(name);
	mem_free(name);
	return fd;
}

struct spill *spill_new(const char *beside)
{
	struct spill *spill = mem_zalloc(1, sizeof(*spill));

	for (size_t i = 0; i < BLOCKS_MAX; i++)
		spill->blocks[i].fd = nameless_file(beside);
	return spill;
}

static void give_back(struct spill_block *b)
{
	if (!b->at)
		return;
	munmap(b->at, b->bytes);
	(void)!ftruncate(b->fd, 0);
	b->at = NULL;
	b->bytes = 0;
}

void spill_close(struct spill *spill)
{
	if (!spill)
		return;
	for (size_t i = 0; i < BLOCKS_MAX; i++) {
		give_back(&spill->blocks[i]);
		if (spill->blocks[i].fd >= 0)
			close(spill->blocks[i].fd);
	}
	mem_free(spill);
}

static struct spill_block *spill_find(struct spill *spill, const void *at)
{
	for (size_t i = 0; i < BLOCKS_MAX; i++) {
		if (spill->blocks[i].at == at)
			return &spill->blocks[i];
	}
	return NULL;
}

/* Allocates the disk space at once: later a page without space would end the program. */
static bool spill_extend(int fd, size_t from, size_t to)
{
	if (to <= from || posix_fallocate(fd, (off_t)from, (off_t)(to - from)) == 0)
		return true;
	/* Give back what it took before the disk was full. */
	(void)!ftruncate(fd, (off_t)from);
	return false;
}

static void *spill_make(struct spill_block *b, size_t bytes)
{
	void *at = MAP_FAILED;

	if (b->fd >= 0 && spill_extend(b->fd, 0, bytes))
		at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
	if (at == MAP_FAILED)
		return NULL;
	b->at = at;
	b->bytes = bytes;
	return at;
}

static void *spill_resize(void *context, void *at, size_t bytes)
{
	struct spill *spill = context;
	struct spill_block *b = spill_find(spill, at);
	void *moved;

	if (!b)
		return NULL;
	if (bytes == 0)
		give_back(b);
	if (bytes == 0 || !at)
		return bytes == 0 ? NULL : spill_make(b, bytes);
	if (!spill_extend(b->fd, b->bytes, bytes))
		return NULL;
	moved = mremap(b->at, b->bytes, bytes, MREMAP_MAYMOVE);
	if (moved == MAP_FAILED)
		return NULL;
	b->at = moved;
	b->bytes = bytes;
	return moved;
}

/* For a shared mapping this loses nothing: what was written is in the file. */
static void spill_rest(void *context)
{
	struct spill *spill = context;

	for (size_t i = 0; i < BLOCKS_MAX; i++) {
		if (spill->blocks[i].at)
			madvise(spill->blocks[i].at, spill->blocks[i].bytes, MADV_DONTNEED);
	}
}

struct replay_storage spill_storage(struct spill *spill)
{
	return (struct replay_storage){ .context = spill,
				     .resize = spill_resize,
				     .rest = spill_rest };
}
