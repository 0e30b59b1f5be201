/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/mem.h"
#include "core/sim/likely.h"
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
	return likely_new(jobs, site->waiting, site->waiting + running, lengths, seed, play,
			  site);
}
