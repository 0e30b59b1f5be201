/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/sim_heap.h"

#include "core/base/mem.h"

static bool sim_heap_is_before(const struct sim_event *a, const struct sim_event *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

void sim_heap_add(struct sim_heap *h, int64_t time, uint32_t job)
{
	struct sim_event event = { time, h->orders++, job };
	size_t at = h->count++;

	MEM_GROW(h->events, h->capacity, h->count);
	for (; at > 0 && sim_heap_is_before(&event, &h->events[(at - 1) / 2]); at = (at - 1) / 2)
		h->events[at] = h->events[(at - 1) / 2];
	h->events[at] = event;
}

struct sim_event sim_heap_take(struct sim_heap *h)
{
	struct sim_event first = h->events[0], last = h->events[--h->count];
	size_t at = 0;

	for (size_t next = 1; next < h->count; next = 2 * at + 1) {
		if (next + 1 < h->count &&
		    sim_heap_is_before(&h->events[next + 1], &h->events[next]))
			next++;
		if (!sim_heap_is_before(&h->events[next], &last))
			break;
		h->events[at] = h->events[next];
		at = next;
	}
	h->events[at] = last;
	return first;
}

void sim_heap_free(struct sim_heap *h)
{
	mem_free(h->events);
}
