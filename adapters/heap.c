/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/heap.h"

#include <malloc.h>

void heap_prepare(size_t room, size_t keep)
{
	mallopt(M_TRIM_THRESHOLD, (int)keep);
	mallopt(M_MMAP_THRESHOLD, (int)keep);
	mallopt(M_TOP_PAD, (int)room);
}
