/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conservative: each job gets a reservation at its submission. At each end all pending jobs are
 * replanned in the order of submission: each is taken out and put back at the earliest time with
 * the others in place, which is never later than before.
 */
#include "core/base/mem.h"
#include "core/base/unknown.h"
#include "core/sim/sim_machine.h"
#include "core/sim/sim_profile.h"

struct conservative {
	struct sim_machine *m;
	struct sim_profile profile;
	/* Pending jobs by submission, including those begun since the last end. */
	uint32_t *waiting;
	size_t waiting_count, waiting_capacity;
	struct sim_heap plans;		/* starts; an entry of a job that has moved is void */
};

static void *conservative_make(struct sim_machine *m, const struct sim_options *o)
{
	struct conservative *c = mem_zalloc(1, sizeof(*c));

	(void)o;
	c->m = m;
	sim_profile_init(&c->profile, m->now, m->procs);
	for (size_t i = 0; i < m->running_count; i++)
		sim_profile_add(&c->profile, m->now, sim_machine_bound(m, m->running[i]),
				-(int64_t)m->jobs[m->running[i]].procs);
	return c;
}

static void conservative_free(void *state)
{
	struct conservative *c = state;

	sim_profile_free(&c->profile);
	sim_heap_free(&c->plans);
	mem_free(c->waiting);
	mem_free(c);
}

/* Reserves for JOB; the START of a pending job is the plan. */
static void sim_conservative_reserve(struct conservative *c, uint32_t job, int64_t before)
{
	struct sim_job *j = &c->m->jobs[job];

	j->start = sim_profile_find(&c->profile, c->m->now, j->estimate, j->procs);
	sim_profile_add(&c->profile, j->start, j->start + j->estimate, -(int64_t)j->procs);
	if (j->start != before)
		sim_heap_add(&c->plans, j->start, job);
}

static void conservative_submitted(void *state, uint32_t job)
{
	struct conservative *c = state;

	sim_profile_forget(&c->profile, c->m->now);
	MEM_GROW(c->waiting, c->waiting_capacity, c->waiting_count + 1);
	c->waiting[c->waiting_count++] = job;
	sim_conservative_reserve(c, job, I64_UNKNOWN);
}

static void conservative_ended(void *state, uint32_t job)
{
	struct conservative *c = state;
	int64_t now = c->m->now;
	size_t kept = 0;

	sim_profile_forget(&c->profile, now);
	sim_profile_add(&c->profile, now, sim_machine_bound(c->m, job), c->m->jobs[job].procs);
	for (size_t i = 0; i < c->waiting_count; i++) {
		struct sim_job *j = &c->m->jobs[c->waiting[i]];

		if (j->start <= now)
			continue;
		sim_profile_add(&c->profile, j->start, j->start + j->estimate, j->procs);
		sim_conservative_reserve(c, c->waiting[i], j->start);
		c->waiting[kept++] = c->waiting[i];
	}
	c->waiting_count = kept;
}

static int64_t conservative_next(void *state)
{
	const struct conservative *c = state;

	return c->plans.count ? c->plans.events[0].time : I64_INFINITE;
}

static void conservative_start(void *state)
{
	struct conservative *c = state;

	while (sim_heap_due(&c->plans, c->m->now)) {
		struct sim_event plan = sim_heap_take(&c->plans);

		if (c->m->jobs[plan.job].start == plan.time)
			sim_machine_start(c->m, plan.job);
	}
}

const struct sim_rules sim_conservative = {
	.make = conservative_make, .free = conservative_free,
	.submitted = conservative_submitted, .ended = conservative_ended,
	.next = conservative_next, .start = conservative_start,
};
