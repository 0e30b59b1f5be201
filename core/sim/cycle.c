/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/cycle.h"

#include "core/base/mem.h"
#include "core/base/unknown.h"

/* Grows the arrays: jobs may have been added. */
static void cycle_make_room(struct cycle *c, uint32_t jobs)
{
	if (jobs <= c->jobs)
		return;
	c->status = mem_realloc(c->status, jobs, sizeof(*c->status));
	c->reason = mem_realloc(c->reason, jobs, sizeof(*c->reason));
	c->jobs = jobs;
}

static void tell_nothing(struct cycle *c, const struct cycle_input *in)
{
	for (uint32_t i = 0; i < in->jobs; i++) {
		c->status[i] = CYCLE_UNKNOWN;
		c->reason[i] = in->unknown;
	}
}

/* Jobs that share places and are stopped together: those of a queue; the last group is all jobs. */
struct cycle_group {
	uint32_t taken;
	bool stopped;
};

struct cycle_run_state {
	const struct cycle_input *in;
	struct cycle *c;
	const char **blocked;		/* per class: why its jobs cannot run; or NULL */
	struct cycle_group *groups;
};

/* The job at PLACE cannot run: gives it one of PLACES if any are LEFT. */
static void set_back(struct cycle_run_state *r, uint32_t place, struct cycle_group *places,
		     bool left)
{
	const struct cycle_input *in = r->in;
	uint32_t job = in->order[place];

	if (r->c->reason[job] != in->own)
		r->blocked[in->class_of[job]] = r->c->reason[job];
	r->c->status[job] = left && (!in->plan || in->plan(in->context, job)) ?
		CYCLE_CALENDARED : CYCLE_BLOCKED;
	if (r->c->status[job] != CYCLE_CALENDARED)
		return;
	places->taken++;
	if (in->placed)
		in->placed(in->context, place, CYCLE_CALENDARED);
}

static void cycle_consider(struct cycle_run_state *r, uint32_t place)
{
	const struct cycle_input *in = r->in;
	uint32_t job = in->order[place], q = in->queue ? in->queue(in->context, job) : 0;
	struct cycle_queue queue = in->queue ? in->queues[q] :
				   (struct cycle_queue){ U32_UNKNOWN, CYCLE_STOP_NONE };
	struct cycle_group *own = &r->groups[q], *all = &r->groups[in->queue_count];
	struct cycle_group *places = queue.depth == U32_UNKNOWN ? all : own;
	bool left = places->taken < (places == all ? in->backfill_depth : queue.depth);
	bool stopped = own->stopped || all->stopped;
	const char *class = r->blocked[in->class_of[job]];
	struct cycle *c = r->c;

	if (stopped || (in->enabled && class && !left &&
			!(in->reported && !in->start(in->context, job)))) {
		c->status[job] = CYCLE_SKIPPED;
		c->reason[job] = stopped ? in->strict : class;
		c->strict += stopped;
		return;
	}
	c->considered++;
	c->reason[job] = in->enabled && in->repeats && class ? class :
			 in->start(in->context, job);
	if (c->reason[job]) {
		own->stopped = queue.stop == CYCLE_STOP_QUEUE;
		all->stopped = queue.stop == CYCLE_STOP_ALL;
		set_back(r, place, places, left);
		return;
	}
	c->status[job] = CYCLE_RUN;
	if (in->placed)
		in->placed(in->context, place, CYCLE_RUN);
	cycle_make_room(c, in->jobs);
}

struct cycle *cycle_run(const struct cycle_input *in)
{
	struct cycle_run_state r = { .in = in, .c = mem_zalloc(1, sizeof(*r.c)) };

	r.blocked = mem_zalloc(in->classes, sizeof(*r.blocked));
	r.groups = mem_zalloc((size_t)in->queue_count + 1, sizeof(*r.groups));
	cycle_make_room(r.c, in->jobs);
	if (in->unknown)
		tell_nothing(r.c, in);
	for (uint32_t i = 0; i < in->jobs && !in->unknown; i++)
		cycle_consider(&r, i);
	mem_free(r.blocked);
	mem_free(r.groups);
	return r.c;
}

void cycle_free(struct cycle *c)
{
	if (!c)
		return;
	MEM_FREE(c->status, c->reason, c);
}

void cycle_log(const struct cycle_input *in, const struct cycle *c, bool later_considered,
	       cycle_line *line, void *context)
{
	for (uint32_t i = 0; i < in->jobs; i++) {
		uint32_t job = in->order[i];

		if (c->status[job] < CYCLE_SKIPPED ||
		    (c->status[job] == CYCLE_SKIPPED && later_considered &&
		     c->reason[job] != in->strict))
			line(context, job, "Considering job to run");
		line(context, job, c->reason[job] ? c->reason[job] : "Job run");
	}
}
