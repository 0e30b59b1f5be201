/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim_machine: a count of processors, the jobs running on them, and the interface of a policy. */
#ifndef FAIRTOP_CORE_SIM_SIM_MACHINE_H
#define FAIRTOP_CORE_SIM_SIM_MACHINE_H

#include "core/sim/sim.h"
#include "core/sim/sim_heap.h"

struct sim_machine {
	struct sim_job *jobs;
	uint32_t count;
	int64_t now;
	uint32_t procs;
	uint32_t depth;		/* of struct sim_options */
	/* Negative if the processors of a job past its estimate were given away before its end. */
	int64_t free;
	struct sim_heap ends;
	uint32_t *running;	/* by the end of their estimates */
	size_t running_count, running_capacity;
};

/* The calls of the loop to a policy; STATE is what make() returned. */
struct sim_rules {
	void *(*make)(struct sim_machine *m, const struct sim_options *o);
	void (*free)(void *state);
	void (*submitted)(void *state, uint32_t job);
	void (*ended)(void *state, uint32_t job);	/* its processors are free again */
	/* Time of the next planned start, and the starts of now; NULL: none is ever planned. */
	int64_t (*next)(void *state);			/* I64_INFINITE: none */
	void (*start)(void *state);
};
extern const struct sim_rules sim_easy, sim_conservative, sim_slurm, sim_pbs;

void sim_machine_init(struct sim_machine *m, struct sim_job *jobs, uint32_t count, uint32_t procs);
void sim_machine_free(struct sim_machine *m);
void sim_machine_start(struct sim_machine *m, uint32_t job);	/* starts it now */
void sim_machine_end(struct sim_machine *m, uint32_t job);

/* The free processors, including those of jobs whose estimates are over. */
int64_t sim_machine_room(const struct sim_machine *m);

/* When a running job ends by its estimate. */
static inline int64_t sim_machine_bound(const struct sim_machine *m, uint32_t job)
{
	return m->jobs[job].start + m->jobs[job].estimate;
}

#endif
