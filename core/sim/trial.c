/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/trial.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"

#define NEAR 60			/* s: a start counts as met if it is off by at most this */
#define FLOOR 10		/* s, added to waits before their logarithms are taken */

const char *const trial_lack_names[TRIAL_LACKS] = {
	[TRIAL_NEVER_RAN] = "never ran",
	[TRIAL_NOT_ENDED] = "no known end",
	[TRIAL_NO_PROCS] = "no number of processors",
	[TRIAL_NO_LIMIT] = "no time limit",
	[TRIAL_TOO_LARGE] = "more processors than the machine has",
	[TRIAL_NO_SUBMIT] = "no submit time",
	[TRIAL_NEVER_CAME] = "array tasks that waited and never became jobs",
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

static uint32_t trial_procs_of(const struct replay_job *j)
{
	uint32_t procs = j->asked == U32_UNKNOWN ? j->cpus : j->asked;

	return procs == U32_UNKNOWN ? 0 : procs;
}

/* TRIAL_LACKS if the job can be used. */
static enum trial_lack trial_lack_of(const struct replay_job *j, uint32_t procs, bool no_limits)
{
	if (trial_procs_of(j) == 0)
		return TRIAL_NO_PROCS;
	if (j->start != I64_UNKNOWN && j->end == I64_UNKNOWN)
		return TRIAL_NOT_ENDED;
	if (j->start == I64_UNKNOWN || j->end == I64_UNKNOWN || j->end <= j->start)
		return TRIAL_NEVER_RAN;
	if (trial_procs_of(j) > procs || (j->cpus != U32_UNKNOWN && j->cpus > procs))
		return TRIAL_TOO_LARGE;
	return no_limits || has_limit(j) ? TRIAL_LACKS : TRIAL_NO_LIMIT;
}

static uint32_t trial_narrow(double seconds)
{
	return seconds < 1 ? 1 : seconds < U32_UNKNOWN - 1 ? (uint32_t)seconds : U32_UNKNOWN - 1;
}

static struct sim_job trial_job_of(const struct replay_job *j, const struct trial_options *o,
				   bool no_limits)
{
	uint32_t run = trial_narrow((double)(j->end - j->start));
	uint32_t limit = no_limits ? run : j->limit;
	struct sim_job job = { .submit = j->submit, .procs = trial_procs_of(j) };

	job.run = run < limit ? run : limit;
	job.estimate = o->estimates > 0 ? trial_narrow(o->estimates * limit) : job.run;
	job.run = job.run < job.estimate ? job.run : job.estimate;
	return job;
}

/* ---- order --------------------------------------------------------------------------------- */

struct arrival {
	int64_t submit;
	uint32_t source;
};

static int by_arrival(const void *a, const void *b)
{
	const struct arrival *x = a, *y = b;

	return x->submit != y->submit ? (x->submit > y->submit) - (x->submit < y->submit) :
		(x->source > y->source) - (x->source < y->source);
}

/* The usable jobs of the requested time, in order; the caller frees them. */
static struct arrival *trial_arrivals(struct trial *t, struct replay *r,
				      const struct trial_options *o)
{
	uint32_t jobs = replay_jobs(r);
	struct arrival *found = mem_alloc((size_t)jobs + 1, sizeof(*found));

	for (uint32_t i = 0; i < jobs; i++) {
		const struct replay_job *j = replay_job(r, i);
		enum trial_lack obstacle;

		if ((o->from != I64_UNKNOWN && j->submit < o->from) ||
		    (o->to != I64_UNKNOWN && j->submit > o->to))
			continue;
		obstacle = trial_lack_of(j, o->procs, t->no_limits);
		if (obstacle == TRIAL_LACKS)
			found[t->count++] = (struct arrival){ j->submit, i };
		else
			t->left_out[obstacle]++;
	}
	qsort(found, t->count, sizeof(*found), by_arrival);
	return found;
}

bool trial_make(struct trial *t, struct replay *r, const struct trial_options *o, struct err *err)
{
	struct arrival *found;

	*t = (struct trial){ .no_limits = !any_limit(r) };
	found = trial_arrivals(t, r, o);
	t->jobs = mem_alloc((size_t)t->count + 1, sizeof(*t->jobs));
	t->source = mem_alloc((size_t)t->count + 1, sizeof(*t->source));
	for (uint32_t i = 0; i < t->count; i++) {
		const struct replay_job *j = replay_job(r, found[i].source);
		struct sim_job *job = &t->jobs[i];

		t->by_limit += !t->no_limits && j->end - j->start >= j->limit;
		t->source[i] = found[i].source;
		*job = trial_job_of(j, o, t->no_limits);
		if (o->load != 1)
			job->submit = found[0].submit +
				(int64_t)((double)(job->submit - found[0].submit) / o->load);
	}
	mem_free(found);
	return t->count > 0 || err_set(err, ERR_INPUT, "none of its jobs can be simulated");
}

void trial_free(struct trial *t)
{
	mem_free(t->jobs);
	mem_free(t->source);
}

/* ---- the machine --------------------------------------------------------------------------- */

struct trial_change {
	int64_t time, procs;		/* processors taken; below 0: given back */
};

/* Processors given back at a time can be taken at the same time. */
static int trial_by_time(const void *a, const void *b)
{
	const struct trial_change *x = a, *y = b;

	return x->time != y->time ? (x->time > y->time) - (x->time < y->time) :
		(x->procs > y->procs) - (x->procs < y->procs);
}

uint32_t trial_peak(struct replay *r)
{
	uint32_t jobs = replay_jobs(r);
	struct trial_change *changes = mem_alloc(2 * (size_t)jobs + 1, sizeof(*changes));
	int64_t now = 0, peak = 0;
	size_t n = 0;

	for (uint32_t i = 0; i < jobs; i++) {
		const struct replay_job *j = replay_job(r, i);
		uint32_t used = j->cpus == U32_UNKNOWN ? trial_procs_of(j) : j->cpus;
		if (j->start == I64_UNKNOWN || j->end == I64_UNKNOWN)
			continue;
		changes[n++] = (struct trial_change){ j->start, used };
		changes[n++] = (struct trial_change){ j->end, -(int64_t)used };
	}
	qsort(changes, n, sizeof(*changes), trial_by_time);
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

struct trial_fidelity trial_fidelity_of(const struct trial *t, struct replay *r)
{
	double is_sum = 0, should_sum = 0, within = 0;
	struct moments logs = { 0 };
	struct trial_fidelity f;

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
	f = (struct trial_fidelity){ .unknown = t->count - (uint32_t)logs.n,
				     .correlation = F64_UNKNOWN, .within = within / logs.n,
				     .mean = is_sum / logs.n, .mean_true = should_sum / logs.n };
	if (logs.xx > 0 && logs.yy > 0)
		f.correlation = logs.xy / sqrt(logs.xx * logs.yy);
	return f;
}
