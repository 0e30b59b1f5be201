/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/cycle.h"

#include "core/base/mem.h"

/* There may be more jobs than there were. */
static void make_room(struct cycle *c, uint32_t jobs)
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

struct cycle *cycle_run(const struct cycle_input *in)
{
	struct cycle *c = mem_zalloc(1, sizeof(*c));
	const char **blocked = mem_zalloc(in->classes, sizeof(*blocked));
	const char *stopped = NULL;
	uint32_t calendar = 0;

	make_room(c, in->jobs);
	if (in->unknown)
		tell_nothing(c, in);
	for (uint32_t i = 0; i < in->jobs && !in->unknown; i++) {
		uint32_t job = in->order[i];
		const char **class = &blocked[in->class_of[job]];

		if (stopped || (in->enabled && *class && calendar >= in->backfill_depth &&
				!(in->told && !in->start(in->context, job)))) {
			c->status[job] = CYCLE_SKIPPED;
			c->reason[job] = stopped ? stopped : *class;
			c->strict += stopped != NULL;
			continue;
		}
		c->considered++;
		c->reason[job] = in->enabled && in->repeats && *class ?
			*class : in->start(in->context, job);
		if (!c->reason[job]) {
			c->status[job] = CYCLE_RUN;
			if (in->placed)
				in->placed(in->context, i, CYCLE_RUN);
			make_room(c, in->jobs);
			continue;
		}
		if (c->reason[job] != in->own)
			*class = c->reason[job];
		stopped = in->strict;
		c->status[job] = calendar < in->backfill_depth &&
				 (!in->plan || in->plan(in->context, job)) ?
			CYCLE_CALENDARED : CYCLE_BLOCKED;
		if (c->status[job] != CYCLE_CALENDARED)
			continue;
		calendar++;
		if (in->placed)
			in->placed(in->context, i, CYCLE_CALENDARED);
	}
	mem_free(blocked);
	return c;
}

void cycle_free(struct cycle *c)
{
	if (!c)
		return;
	mem_free(c->status);
	mem_free(c->reason);
	mem_free(c);
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
