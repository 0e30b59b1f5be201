/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/sim/backfill.h"
#include "core/sim/likely.h"
#include "core/sim/sim.h"
#include "core/sim/slurm_run.h"

/* The number of each job of SITE, by its place; those that run come behind. */
static uint32_t number(const struct site *site, const struct site_job *job, uint32_t *running)
{
	return job->place > 0 ? job->place - 1 : site->waiting + (*running)++;
}

static void play(void *context, const int64_t *runs, uint32_t *starts)
{
	const struct site *site = context;
	uint32_t running = 0;
	struct site s;

	site_copy(&s, site);
	for (size_t i = 0; i < s.job_count; i++) {
		int64_t run = runs[number(site, &s.jobs[i], &running)];

		s.jobs[i].run = run == LENGTHS_TO_LIMIT ? SITE_TO_LIMIT : run;
		if (s.jobs[i].state == SITE_RUNS)
			site_foresee(&s, &s.jobs[i]);
	}
	slurm_run(&s, false);
	for (uint32_t i = 0; i < s.waiting; i++)
		starts[i] = LIKELY_NEVER;
	for (size_t i = 0; i < s.job_count; i++) {
		const struct site_job *job = &s.jobs[i];
		int64_t after = job->start == I64_UNKNOWN ? LIKELY_NEVER : job->start - site->now;

		if (job->place > 0 && after < LIKELY_NEVER)
			starts[job->place - 1] = (uint32_t)after;
	}
	site_free(&s);
}

/* ---- a pool of CPUs ------------------------------------------------------------------------ */

/* A job of the pool, and its number. */
struct pooled {
	struct sim_job job;
	uint32_t number;
	bool runs, more;	/* MORE: tasks of its bundle come behind, that are not played */
};

static uint32_t narrow(int64_t seconds)
{
	return seconds < 1 ? 1 : seconds < UINT32_MAX / 2 ? (uint32_t)seconds : UINT32_MAX / 2;
}

static struct pooled pooled_of(const struct site *s, const struct site_job *job, int64_t run)
{
	bool runs = job->state == SITE_RUNS;
	int64_t elapsed = runs ? s->now - job->start : 0;
	int64_t limit = job->limit > elapsed ? job->limit : elapsed + 1;
	struct pooled p = { .runs = runs };

	p.job = (struct sim_job){ .submit = s->now, .start = job->start, .procs = job->cpus,
				  .estimate = narrow(job->endless ? INT64_MAX : limit) };
	if (!runs && job->begin != I64_UNKNOWN && job->begin > s->now)
		p.job.submit = job->begin;
	p.job.run = run < (int64_t)p.job.estimate ? narrow(run) : p.job.estimate;
	return p;
}

/* What runs, then what waits by the time from which it may begin; the order of the queue stays. */
static int by_turn(const void *a, const void *b)
{
	const struct pooled *x = a, *y = b;

	if (x->runs != y->runs)
		return x->runs ? -1 : 1;
	if (!x->runs && x->job.submit != y->job.submit)
		return x->job.submit > y->job.submit ? 1 : -1;
	if (x->number != y->number)
		return x->number > y->number ? 1 : -1;
	return x->more - y->more;
}

static uint32_t pool_of(const struct site *s)
{
	uint32_t cpus = 0;

	for (uint32_t i = 0; i < s->node_count; i++)
		cpus += s->nodes[i].cpus;
	return cpus;
}

/* Of several entries of a job the first is played, of bundles one task, and SITE_TASKS in all. */
static uint32_t fill_pool(const struct site *s, const int64_t *runs, struct pooled *jobs)
{
	uint32_t count = 0, running = 0, last = 0, left = SITE_TASKS;

	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *job = &s->jobs[i];
		uint32_t at = number(s, job, &running);

		if (job->place > 0 && (job->lack != SITE_NO_LACK || job->place <= last))
			continue;
		last = job->place > 0 ? job->place : last;
		if (job->cpus == 0 || job->cpus > pool_of(s))
			continue;
		jobs[count] = pooled_of(s, job, runs[at]);
		jobs[count++].number = at;
		for (uint32_t k = 1; k < job->count && left > 0; k++, left--, count++)
			jobs[count] = jobs[count - 1];
		jobs[count - 1].more = job->count > 1 && left == 0;
	}
	qsort(jobs, count, sizeof(*jobs), by_turn);
	return count;
}

static void play_pool(void *context, const int64_t *runs, uint32_t *starts)
{
	const struct site *s = context;
	struct pooled *pooled = mem_alloc(s->job_count + SITE_TASKS + 1, sizeof(*pooled));
	uint32_t count = fill_pool(s, runs, pooled);
	struct sim_job *jobs = mem_alloc((size_t)count + 1, sizeof(*jobs));
	struct sim_options o = { .policy = SIM_EASY, .procs = pool_of(s), .now = s->now };
	struct backfill_options backfill;
	int64_t until = I64_INFINITE;
	struct err err;

	backfill_options_of(s->policy, &backfill);
	o.depth = backfill.max_job_test;
	for (uint32_t i = 0; i < count; i++) {
		jobs[i] = pooled[i].job;
		o.running += pooled[i].runs;
	}
	for (uint32_t i = 0; i < s->waiting; i++)
		starts[i] = LIKELY_NEVER;
	sim_run(jobs, count, &o, &err);
	for (uint32_t i = o.running; i < count; i++) {
		if (pooled[i].more && jobs[i].start < until)
			until = jobs[i].start;
	}
	for (uint32_t i = o.running; i < count; i++) {
		uint32_t *start = &starts[pooled[i].number];

		if (jobs[i].start <= until && jobs[i].start - s->now < *start)
			*start = (uint32_t)(jobs[i].start - s->now);
	}
	mem_free(jobs);
	mem_free(pooled);
}

/* ---- both ---------------------------------------------------------------------------------- */

/* One that is completing, or has no limit that is known, is not drawn. */
static struct likely_job job_of(const struct site *s, const struct site_job *job,
				const struct lengths *lengths)
{
	bool runs = job->state == SITE_RUNS;

	return (struct likely_job){
		.group = lengths_group(lengths, cluster_text(s->c, F_JOB_USER, job->row),
				       cluster_text(s->c, F_JOB_ACCOUNT, job->row)),
		.limit = job->endless || (runs && job->completing <= s->now) ? I64_INFINITE :
			 job->limit,
		.elapsed = runs ? s->now - job->start : LIKELY_WAITS };
}

struct likely *likely_of_site(struct site *site, const struct lengths *lengths,
			      uint64_t seed)
{
	struct likely_job *jobs = mem_alloc(site->job_count + 1, sizeof(*jobs));
	uint32_t running = 0;

	for (size_t i = 0; i < site->job_count; i++) {
		uint32_t at = number(site, &site->jobs[i], &running);

		jobs[at] = job_of(site, &site->jobs[i], lengths);
	}
	return likely_new(jobs, site->waiting, site->waiting + running, lengths, seed,
			  site->waiting > LIKELY_EXACT ? play_pool : play, site);
}

void likely_by_limits(struct site *site, uint32_t *starts)
{
	int64_t *runs = mem_alloc(site->job_count + 1, sizeof(*runs));

	for (size_t i = 0; i < site->job_count; i++)
		runs[i] = LENGTHS_TO_LIMIT;
	play_pool(site, runs, starts);
	mem_free(runs);
}
