/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loop over events, and the table of policies. */
#include "core/sim/sim.h"

#include "core/base/unknown.h"
#include "core/cluster/policy.h"
#include "core/sim/sim_machine.h"

static const struct sim_rules *const rules[SIM_POLICIES] = {
	&sim_easy, &sim_easy, &sim_easy, &sim_conservative, &sim_slurm, &sim_slurm, &sim_pbs
};

static int64_t sim_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The time of the next event, I64_INFINITE if there is none. */
static int64_t sim_next_time(const struct sim_machine *m, uint32_t submitted,
			     const struct sim_rules *r, void *state)
{
	int64_t time = submitted < m->count ? m->jobs[submitted].submit : I64_INFINITE;

	if (m->ends.count > 0)
		time = sim_least(time, m->ends.events[0].time);
	return r->next ? sim_least(time, r->next(state)) : time;
}

/* Runs one instant; *SUBMITTED jobs were submitted before. Returns how many have ended. */
static uint32_t sim_instant(struct sim_machine *m, uint32_t *submitted, const struct sim_rules *r,
			    void *state)
{
	uint32_t ended = 0;

	for (; *submitted < m->count && m->jobs[*submitted].submit == m->now; ++*submitted)
		r->submitted(state, *submitted);
	for (; sim_heap_due(&m->ends, m->now); ended++) {
		uint32_t job = sim_heap_take(&m->ends).job;

		sim_machine_end(m, job);
		r->ended(state, job);
	}
	if (r->start)
		r->start(state);
	return ended;
}

bool sim_run(struct sim_job *jobs, uint32_t count, const struct sim_options *o, struct err *err)
{
	const struct sim_rules *r = rules[o->policy];
	uint32_t submitted = 0, ended = 0;
	struct sim_machine m;
	bool good = true;
	void *state;

	for (uint32_t i = 0; i < count; i++)
		jobs[i].over = 0;
	sim_machine_init(&m, jobs, count, o->procs);
	m.depth = o->depth;
	for (; submitted < o->running; submitted++) {
		m.now = jobs[submitted].start;
		sim_machine_start(&m, submitted);
	}
	m.now = submitted > 0 ? o->now : count > 0 ? jobs[0].submit : 0;
	state = r->make(&m, o);
	while (good && (m.now = sim_next_time(&m, submitted, r, state)) != I64_INFINITE) {
		ended += sim_instant(&m, &submitted, r, state);
		good = !o->progress || o->progress(o->context, ended, count);
	}
	r->free(state);
	sim_machine_free(&m);
	if (!good)
		return err_set(err, ERR_INPUT, "stopped after %lu of %lu jobs",
			       (unsigned long)ended, (unsigned long)count);
	return ended == count || err_set(err, ERR_INPUT, "%lu of %lu jobs never start under %s",
					 (unsigned long)(count - ended), (unsigned long)count,
					 policy_schedules[o->policy]);
}
