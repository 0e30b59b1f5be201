/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim_heap: what is to come, the first of it on top: by time, then by the order of arrival. */
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
	uint32_t orders;		/* given out */
};

void sim_heap_add(struct sim_heap *h, int64_t time, uint32_t job);
struct sim_event sim_heap_take(struct sim_heap *h);	/* of a heap that is not empty */
void sim_heap_free(struct sim_heap *h);

/* Is there anything at TIME or before? */
static inline bool sim_heap_due(const struct sim_heap *h, int64_t time)
{
	return h->count > 0 && h->events[0].time <= time;
}

#endif
