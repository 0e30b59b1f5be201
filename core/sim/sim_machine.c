/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/sim_machine.h"

#include <string.h>

#include "core/base/mem.h"

void sim_machine_init(struct sim_machine *m, struct sim_job *jobs, uint32_t count, uint32_t procs)
{
	*m = (struct sim_machine){ .jobs = jobs, .count = count, .procs = procs, .free = procs };
}

void sim_machine_free(struct sim_machine *m)
{
	sim_heap_free(&m->ends);
	mem_free(m->running);
}

/* The index of JOB among the running ones: of the first that is not before it. */
static size_t sim_machine_place(const struct sim_machine *m, uint32_t job)
{
	int64_t bound = sim_machine_bound(m, job);
	size_t low = 0, high = m->running_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		uint32_t other = m->running[middle];
		int64_t others = sim_machine_bound(m, other);

		if (others < bound || (others == bound && other < job))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void sim_machine_start(struct sim_machine *m, uint32_t job)
{
	struct sim_job *j = &m->jobs[job];
	size_t at;

	j->start = m->now;
	m->free -= j->procs;
	sim_heap_add(&m->ends, sim_end(j), job);
	at = sim_machine_place(m, job);
	MEM_GROW(m->running, m->running_capacity, m->running_count + 1);
	memmove(m->running + at + 1, m->running + at,
		(m->running_count++ - at) * sizeof(*m->running));
	m->running[at] = job;
}

void sim_machine_end(struct sim_machine *m, uint32_t job)
{
	size_t at = sim_machine_place(m, job);

	m->free += m->jobs[job].procs;
	memmove(m->running + at, m->running + at + 1,
		(--m->running_count - at) * sizeof(*m->running));
}

int64_t sim_machine_room(const struct sim_machine *m)
{
	int64_t room = m->free;

	for (size_t i = 0; i < m->running_count; i++) {
		if (sim_machine_bound(m, m->running[i]) > m->now)
			break;
		room += m->jobs[m->running[i]].procs;
	}
	return room;
}
