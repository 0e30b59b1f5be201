/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/sim/backfill.h"
#include "core/sim/likely.h"

/* A job of the pool, by its place; 0: it runs. */
struct pooled {
	struct likely_job job;
	uint32_t place, order;
	bool more;	/* its bundle has more tasks, which are not simulated */
};

static uint32_t likely_pool_narrow(int64_t seconds)
{
	return seconds < 1 ? 1 : seconds < UINT32_MAX / 2 ? (uint32_t)seconds : UINT32_MAX / 2;
}

/* A job that is completing, or has no known limit, is not drawn. */
static struct pooled pooled_of(const struct site *s, const struct site_job *job)
{
	bool runs = job->state == SITE_RUNS;
	int64_t elapsed = runs ? s->now - job->start : 0;
	int64_t limit = job->limit > elapsed ? job->limit : elapsed + 1;
	struct pooled p = { .place = job->place };

	p.job.sim = (struct sim_job){ .submit = s->now,
				      .start = job->start,
				      .procs = job->cpus,
				      .estimate = likely_pool_narrow(job->endless ? INT64_MAX
										  : limit) };
	if (!runs && job->begin != I64_UNKNOWN && job->begin > s->now)
		p.job.sim.submit = job->begin;
	p.job.endless = job->endless || job->limit == I64_INFINITE ||
			(runs && job->completing <= s->now);
	p.job.user = lengths_name(cluster_text(s->c, F_JOB_USER, job->row));
	p.job.account = lengths_name(cluster_text(s->c, F_JOB_ACCOUNT, job->row));
	return p;
}

/* Running jobs first, then by the time from which they may begin, else in queue order. */
static int by_turn(const void *a, const void *b)
{
	const struct pooled *x = a, *y = b;

	if ((x->place == 0) != (y->place == 0))
		return x->place == 0 ? -1 : 1;
	if (x->place > 0 && x->job.sim.submit != y->job.sim.submit)
		return x->job.sim.submit > y->job.sim.submit ? 1 : -1;
	if (x->place != y->place)
		return x->place > y->place ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

static uint32_t likely_pool_of(const struct site *s)
{
	uint32_t cpus = 0;

	for (uint32_t i = 0; i < s->node_count; i++)
		cpus += s->nodes[i].cpus;
	return cpus;
}

struct likely_options likely_pool_options(const struct site *site, uint64_t seed)
{
	struct backfill_options backfill;

	backfill_options_of(site->policy, &backfill);
	return (struct likely_options){
		.policy = strcmp(site->policy->scheduler_type, "sched/builtin") == 0 ? SIM_FCFS :
			  SIM_EASY,
		.procs = likely_pool_of(site), .depth = backfill.max_job_test,
		.now = site->now, .seed = seed };
}

/* Simulates the first of a job's entries, one task per bundle, and at most SITE_TASKS jobs. */
static uint32_t fill_pool(const struct site *s, struct pooled *jobs)
{
	uint32_t count = 0, last = 0, left = SITE_TASKS, pool = likely_pool_of(s);

	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *job = &s->jobs[i];

		if (job->place > 0 && (job->obstacle != SITE_NO_OBSTACLE || job->place <= last))
			continue;
		last = job->place > 0 ? job->place : last;
		if (job->cpus == 0 || job->cpus > pool)
			continue;
		jobs[count++] = pooled_of(s, job);
		for (uint32_t k = 1; k < job->count && left > 0; k++, left--, count++)
			jobs[count] = jobs[count - 1];
		jobs[count - 1].more = job->count > 1 && left == 0;
	}
	for (uint32_t i = 0; i < count; i++)
		jobs[i].order = i;
	qsort(jobs, count, sizeof(*jobs), by_turn);
	return count;
}

void likely_pool_make(struct likely_site *l, const struct site *site, const struct joblog *log,
		      const struct lengths *lengths, const struct likely_options *o)
{
	struct pooled *pooled = mem_alloc(site->job_count + SITE_TASKS + 1, sizeof(*pooled));
	uint32_t count = fill_pool(site, pooled), running = 0;
	struct likely_job *jobs = mem_alloc((size_t)count + 1, sizeof(*jobs));

	*l = (struct likely_site){ .until = LIKELY_NEVER };
	l->waiting = mem_alloc((size_t)site->waiting + 1, sizeof(*l->waiting));
	for (uint32_t i = 0; i < site->waiting; i++)
		l->waiting[i] = LIKELY_NEVER;
	for (uint32_t i = 0; i < count; i++) {
		jobs[i] = pooled[i].job;
		running += pooled[i].place == 0;
	}
	for (uint32_t i = count; i-- > running;)
		l->waiting[pooled[i].place - 1] = i - running;
	l->likely = likely_new(jobs, running, count, log, lengths, o);
	for (uint32_t i = running; i < count; i++) {
		uint32_t start = likely_by_limits(l->likely, i - running);

		l->until = pooled[i].more && start < l->until ? start : l->until;
	}
	mem_free(pooled);
}

void likely_pool_free(struct likely_site *l)
{
	likely_free(l->likely);
	mem_free(l->waiting);
	*l = (struct likely_site){ NULL, NULL, 0 };
}
