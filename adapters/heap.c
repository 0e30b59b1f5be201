/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)

void heap_prepare(size_t room, size_t keep)
{
	char *block;

	mallopt(M_TRIM_THRESHOLD, (int)keep);
	mallopt(M_MMAP_THRESHOLD, (int)keep);
	block = malloc(room);
	if (block && room > HUGE_PAGE)
		madvise(block + HUGE_PAGE - (uintptr_t)block % HUGE_PAGE, room - HUGE_PAGE,
			MADV_HUGEPAGE);
	free(block);
}
