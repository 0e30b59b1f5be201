/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23	/* Linux 5.14 */
#endif

#define PIECE ((size_t)1 << 20)

void heap_prepare(size_t room, size_t keep)
{
	mallopt(M_TRIM_THRESHOLD, (int)keep);
	mallopt(M_MMAP_THRESHOLD, (int)keep);
	mallopt(M_TOP_PAD, (int)room);
}

void heap_warm(size_t bytes, const atomic_bool *enough)
{
	uintptr_t block = (uintptr_t)malloc(bytes);
	uintptr_t at = (block + PIECE - 1) / PIECE * PIECE;
	uintptr_t end = block + bytes;

	/* The block is where the next ones will lie, which is all it is for. */
	free((void *)block);
	for (; block != 0 && at + PIECE <= end && !atomic_load(enough); at += PIECE)
		madvise((void *)at, PIECE, MADV_POPULATE_WRITE);
}
