/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim_heap: future events, the first on top: by time, then by the order of insertion. */
#ifndef FAIRTOP_CORE_SIM_SIM_HEAP_H
#define FAIRTOP_CORE_SIM_SIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_event {
	int64_t time;
	uint32_t order, job;
};

struct sim_heap {
	struct sim_event *events;	/* EVENTS[0] is the first */
	size_t count, capacity;
	uint32_t orders;		/* number given so far */
};

void sim_heap_add(struct sim_heap *h, int64_t time, uint32_t job);
struct sim_event sim_heap_take(struct sim_heap *h);	/* the heap must not be empty */
void sim_heap_free(struct sim_heap *h);

/* Whether an event is due at TIME or before. */
static inline bool sim_heap_due(const struct sim_heap *h, int64_t time)
{
	return h->count > 0 && h->events[0].time <= time;
}

#endif
