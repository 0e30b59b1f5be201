/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * heap: malloc() for programs whose work is one cluster of many associations after the other.
 *
 * Such a cluster passes through several copies of some megabytes each. Getting that memory page by
 * page from the kernel, and giving it back in between, is a good part of the time an answer takes.
 */
#ifndef FAIRTOP_ADAPTERS_HEAP_H
#define FAIRTOP_ADAPTERS_HEAP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * From now on blocks below KEEP bytes come from the heap, which keeps what is freed there up to
 * KEEP and grows by ROOM bytes at a time. Takes no memory before it is used. Wishes all of them:
 * nothing fails.
 *
 * No huge pages: what they save on a machine that has them at hand is a tenth of what they cost on
 * a virtual one whose host took its free memory back, and it takes back whole huge pages first.
 */
void heap_prepare(size_t room, size_t keep);

/*
 * Gets the memory of the next blocks, BYTES together, from the kernel now: for whoever waits while
 * another thread is about to need it. Stops soon after *ENOUGH is set. Changes no memory.
 */
void heap_warm(size_t bytes, const atomic_bool *enough);

#endif
