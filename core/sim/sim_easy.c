/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fcfs, easy and easy-sjbf: a queue in which the first job that does not fit is promised the
 * earliest time at which it will (the shadow). A later job that fits now goes first if it ends by
 * then, or needs only processors that the first one leaves free then (the extra ones).
 */
#include <string.h>

#include "core/base/mem.h"
#include "core/base/unknown.h"
#include "core/sim/sim_machine.h"

struct easy {
	struct sim_machine *m;
	enum sim_policy policy;
	/* The queue: a ring of jobs, with number COUNT for its beginning and end. */
	uint32_t *next, *before;
	/* For easy-sjbf, all pending jobs, in the order of trying. */
	uint32_t *sorted;
	size_t sorted_count;
};

static void *easy_make(struct sim_machine *m, const struct sim_options *o)
{
	struct easy *e = mem_zalloc(1, sizeof(*e));

	e->m = m;
	e->policy = o->policy;
	e->next = mem_alloc((size_t)m->count + 1, sizeof(*e->next));
	e->before = mem_alloc((size_t)m->count + 1, sizeof(*e->before));
	e->next[m->count] = e->before[m->count] = m->count;
	if (o->policy == SIM_EASY_SJBF)
		e->sorted = mem_alloc((size_t)m->count + 1, sizeof(*e->sorted));
	return e;
}

static void easy_free(void *state)
{
	struct easy *e = state;

	MEM_FREE(e->next, e->before, e->sorted, e);
}

/* ---- the queue ----------------------------------------------------------------------------- */

/* The index of JOB by its estimate, or where it would be. */
static size_t sorted_place(const struct easy *e, uint32_t job)
{
	const struct sim_job *jobs = e->m->jobs;
	size_t low = 0, high = e->sorted_count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		uint32_t other = e->sorted[middle];

		if (jobs[other].estimate < jobs[job].estimate ||
		    (other < job && jobs[other].estimate == jobs[job].estimate))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void sim_easy_queue_put(struct easy *e, uint32_t job)
{
	uint32_t end = e->m->count, last = e->before[end];
	size_t at;

	e->next[last] = job;
	e->before[job] = last;
	e->next[job] = end;
	e->before[end] = job;
	if (!e->sorted)
		return;
	at = sorted_place(e, job);
	memmove(e->sorted + at + 1, e->sorted + at, (e->sorted_count++ - at) * sizeof(*e->sorted));
	e->sorted[at] = job;
}

static void queue_start(struct easy *e, uint32_t job)
{
	size_t at;

	e->next[e->before[job]] = e->next[job];
	e->before[e->next[job]] = e->before[job];
	if (e->sorted) {
		at = sorted_place(e, job);
		memmove(e->sorted + at, e->sorted + at + 1,
			(--e->sorted_count - at) * sizeof(*e->sorted));
	}
	sim_machine_start(e->m, job);
}

/* ---- a pass -------------------------------------------------------------------------------- */

struct gap {
	int64_t room;		/* processors now */
	int64_t shadow;		/* when the first will begin */
	int64_t extra;		/* processors left free then */
};

/* Counts all jobs that end at the shadow. */
static void find_shadow(const struct sim_machine *m, uint32_t first, struct gap *gap)
{
	int64_t room = gap->room, need = m->jobs[first].procs;

	gap->shadow = I64_INFINITE;
	for (size_t i = 0; i < m->running_count; i++) {
		int64_t bound = sim_machine_bound(m, m->running[i]);

		if (bound <= m->now)
			continue;
		if (room >= need && bound > gap->shadow)
			break;
		room += m->jobs[m->running[i]].procs;
		gap->shadow = bound;
	}
	gap->extra = room - need;
}

static bool sim_easy_fill(struct easy *e, uint32_t job, struct gap *gap)
{
	const struct sim_job *j = &e->m->jobs[job];
	bool late = e->m->now + j->estimate > gap->shadow;

	if (j->procs > gap->room || (late && j->procs > gap->extra))
		return false;
	queue_start(e, job);
	gap->room -= j->procs;
	gap->extra -= late ? j->procs : 0;
	return true;
}

static void sim_easy_backfill(struct easy *e, uint32_t first, struct gap *gap)
{
	uint32_t job, next, left = e->m->depth > 0 ? e->m->depth : UINT32_MAX;

	find_shadow(e->m, first, gap);
	if (e->policy == SIM_EASY) {
		for (job = e->next[first]; job != e->m->count && gap->room > 0 && left-- > 0;
		     job = next) {
			next = e->next[job];
			sim_easy_fill(e, job, gap);
		}
		return;
	}
	for (size_t i = 0; i < e->sorted_count && gap->room > 0;) {
		if (e->sorted[i] == first || !sim_easy_fill(e, e->sorted[i], gap))
			i++;
	}
}

static void sim_easy_pass(struct easy *e)
{
	const struct sim_machine *m = e->m;
	struct gap gap = { .room = sim_machine_room(m) };
	uint32_t first;

	while ((first = e->next[m->count]) != m->count && m->jobs[first].procs <= gap.room) {
		gap.room -= m->jobs[first].procs;
		queue_start(e, first);
	}
	if (first != m->count && gap.room > 0 && e->policy != SIM_FCFS)
		sim_easy_backfill(e, first, &gap);
}

static void easy_submitted(void *state, uint32_t job)
{
	sim_easy_queue_put(state, job);
	sim_easy_pass(state);
}

static void easy_ended(void *state, uint32_t job)
{
	(void)job;
	sim_easy_pass(state);
}

const struct sim_rules sim_easy = {
	.make = easy_make, .free = easy_free, .submitted = easy_submitted, .ended = easy_ended,
};
