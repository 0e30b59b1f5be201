/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/sim_log.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/table/order.h"

#define NEAR 60			/* s: a start counts as met if it is off by at most this */
#define FLOOR 10		/* s, added to waits before their logarithms are taken */

const char *const sim_log_skip_names[SIM_LOG_SKIPS] = {
	[SIM_LOG_NEVER_RAN] = "never ran",
	[SIM_LOG_NOT_ENDED] = "no known end",
	[SIM_LOG_NO_PROCS] = "no number of processors",
	[SIM_LOG_NO_LIMIT] = "no time limit",
	[SIM_LOG_TOO_LARGE] = "more processors than the machine has",
	[SIM_LOG_NO_SUBMIT] = "no submit time",
	[SIM_LOG_NEVER_CAME] = "array tasks that waited and never became jobs",
};

static bool has_limit(const struct replay_job *j)
{
	return j->limit != U32_UNKNOWN && j->limit > 0;
}

static bool any_limit(struct replay *r)
{
	for (uint32_t i = 0; i < replay_jobs(r); i++) {
		if (has_limit(replay_job(r, i)))
			return true;
	}
	return false;
}

static uint32_t sim_log_procs_of(const struct replay_job *j)
{
	uint32_t procs = j->asked == U32_UNKNOWN ? j->cpus : j->asked;

	return procs == U32_UNKNOWN ? 0 : procs;
}

/* SIM_LOG_SKIPS if the job can be used. */
static enum sim_log_skip sim_log_skip_of(const struct replay_job *j, uint32_t procs, bool no_limits)
{
	if (sim_log_procs_of(j) == 0)
		return SIM_LOG_NO_PROCS;
	if (j->start != I64_UNKNOWN && j->end == I64_UNKNOWN)
		return SIM_LOG_NOT_ENDED;
	if (j->start == I64_UNKNOWN || j->end == I64_UNKNOWN || j->end <= j->start)
		return SIM_LOG_NEVER_RAN;
	if (sim_log_procs_of(j) > procs || (j->cpus != U32_UNKNOWN && j->cpus > procs))
		return SIM_LOG_TOO_LARGE;
	return no_limits || has_limit(j) ? SIM_LOG_SKIPS : SIM_LOG_NO_LIMIT;
}

static uint32_t sim_log_narrow(double seconds)
{
	return seconds < 1 ? 1 : seconds < U32_UNKNOWN - 1 ? (uint32_t)seconds : U32_UNKNOWN - 1;
}

static struct sim_job sim_log_job_of(const struct replay_job *j, const struct sim_log_options *o,
				     bool no_limits)
{
	uint32_t run = sim_log_narrow((double)(j->end - j->start));
	uint32_t limit = no_limits ? run : j->limit;
	struct sim_job job = { .submit = j->submit, .procs = sim_log_procs_of(j) };

	job.run = run < limit ? run : limit;
	job.estimate = o->estimates > 0 ? sim_log_narrow(o->estimates * limit) : job.run;
	job.run = job.run < job.estimate ? job.run : job.estimate;
	return job;
}

/* ---- order --------------------------------------------------------------------------------- */

/* The usable jobs of the requested time, in order; the caller frees them. */
static struct order_item *sim_log_arrivals(struct sim_log *t, struct replay *r,
					   const struct sim_log_options *o)
{
	uint32_t jobs = replay_jobs(r);
	struct order_item *found = mem_alloc((size_t)jobs + 1, 2 * sizeof(*found));

	for (uint32_t i = 0; i < jobs; i++) {
		const struct replay_job *j = replay_job(r, i);
		enum sim_log_skip obstacle;

		if ((o->from != I64_UNKNOWN && j->submit < o->from) ||
		    (o->to != I64_UNKNOWN && j->submit > o->to))
			continue;
		obstacle = sim_log_skip_of(j, o->procs, t->no_limits);
		if (obstacle == SIM_LOG_SKIPS)
			found[t->count++] =
				(struct order_item){ order_key_rising(j->submit), i, 0 };
		else
			t->left_out[obstacle]++;
	}
	order_sort(found, found + t->count, t->count);
	return found;
}

bool sim_log_make(struct sim_log *t, struct replay *r, const struct sim_log_options *o,
		  struct err *err)
{
	struct order_item *found;
	int64_t first = 0;

	*t = (struct sim_log){ .no_limits = !any_limit(r) };
	found = sim_log_arrivals(t, r, o);
	t->jobs = mem_alloc((size_t)t->count + 1, sizeof(*t->jobs));
	t->source = mem_alloc((size_t)t->count + 1, sizeof(*t->source));
	for (uint32_t i = 0; i < t->count; i++) {
		const struct replay_job *j = replay_job(r, found[i].row);
		struct sim_job *job = &t->jobs[i];

		t->by_limit += !t->no_limits && j->end - j->start >= j->limit;
		t->source[i] = found[i].row;
		first = i == 0 ? j->submit : first;
		*job = sim_log_job_of(j, o, t->no_limits);
		if (o->load != 1)
			job->submit = first + (int64_t)((double)(job->submit - first) / o->load);
	}
	mem_free(found);
	return t->count > 0 || err_set(err, ERR_INPUT, "none of its jobs can be simulated");
}

void sim_log_free(struct sim_log *t)
{
	mem_free(t->jobs);
	mem_free(t->source);
}

/* ---- the machine --------------------------------------------------------------------------- */

struct sim_log_change {
	int64_t time, procs;		/* processors taken; below 0: given back */
};

/* Processors given back at a time can be taken at the same time. */
static int sim_log_by_time(const void *a, const void *b)
{
	const struct sim_log_change *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time) - (x->time < y->time) :
		(x->procs > y->procs) - (x->procs < y->procs);
}

uint32_t sim_log_peak(struct replay *r)
{
	uint32_t jobs = replay_jobs(r);
	struct sim_log_change *changes = mem_alloc(2 * (size_t)jobs + 1, sizeof(*changes));
	int64_t now = 0, peak = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < jobs; i++) {
		const struct replay_job *j = replay_job(r, i);
		uint32_t used = j->cpus == U32_UNKNOWN ? sim_log_procs_of(j) : j->cpus;
		if (j->start == I64_UNKNOWN || j->end == I64_UNKNOWN)
			continue;
		changes[n++] = (struct sim_log_change){ j->start, used };
		changes[n++] = (struct sim_log_change){ j->end, -(int64_t)used };
	}
	qsort(changes, n, sizeof(*changes), sim_log_by_time);
	for (size_t i = 0; i < n; i++) {
		now += changes[i].procs;
		peak = now > peak ? now : peak;
	}
	mem_free(changes);
	return peak < U32_UNKNOWN ? (uint32_t)peak : 0;
}

/* ---- fidelity ------------------------------------------------------------------------------ */

/* Means, and sums of products of deviations (B. Welford, Technometrics 4(3), 1962). */
struct moments {
	double n, x, y, xx, yy, xy;
};

static void moments_add(struct moments *s, double x, double y)
{
	double dx = x - s->x, dy = y - s->y;

	s->n += 1;
	s->x += dx / s->n;
	s->y += dy / s->n;
	s->xx += dx * (x - s->x);
	s->yy += dy * (y - s->y);
	s->xy += dx * (y - s->y);
}

struct sim_log_fidelity sim_log_fidelity_of(const struct sim_log *t, struct replay *r)
{
	double is_sum = 0, should_sum = 0, within = 0;
	struct moments logs = { 0 };
	struct sim_log_fidelity f;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct replay_job *j = replay_job(r, t->source[i]);
		double is = (double)(t->jobs[i].start - t->jobs[i].submit);
		double should = (double)(j->start - j->submit);

		if (j->flags & REPLAY_WAIT_UNKNOWN)
			continue;
		is_sum += is;
		should_sum += should;
		within += fabs(is - should) <= NEAR;
		moments_add(&logs, log(FLOOR + is), log(FLOOR + should));
	}
	f = (struct sim_log_fidelity){ .unknown = t->count - (uint32_t)logs.n,
				     .correlation = F64_UNKNOWN, .within = within / logs.n,
				     .mean = is_sum / logs.n, .mean_true = should_sum / logs.n };
	if (logs.xx > 0 && logs.yy > 0)
		f.correlation = logs.xy / sqrt(logs.xx * logs.yy);
	return f;
}
