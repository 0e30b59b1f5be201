/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/slurm_run.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/sim/backfill.h"
#include "core/sim/choose.h"

#define MAIN_INTERVAL 60	/* s, sched_interval */

/* ---- the main scheduler -------------------------------------------------------------------- */

static uint32_t main_pass(struct site *s)
{
	uint64_t *blocked = mem_zalloc(s->words, sizeof(*blocked));
	uint64_t *avail = mem_alloc(s->words, sizeof(*avail));
	struct site_share *shares = NULL;
	uint32_t begun = 0;

	memset(avail, 0xff, s->words * sizeof(*avail));
	site_leave_out_completing(s, avail);
	for (uint32_t w = 0; w < s->words; w++)
		blocked[w] = ~avail[w];
	for (size_t i = 0; i < s->job_count; i++) {
		struct site_job *job = &s->jobs[i];
		const uint64_t *nodes = job->partition == ROW_NONE ? blocked :
					s->partitions[job->partition].nodes;
		uint32_t count;

		if (!site_ready(s, job) || !site_within_limits(s, job))
			continue;
		for (uint32_t w = 0; w < s->words; w++)
			avail[w] = nodes[w] & ~blocked[w];
		shares = mem_realloc(shares, (size_t)s->node_count + 1, sizeof(*shares));
		count = choose_nodes(s, s->nodes, job, avail, shares);
		if (count > 0) {
			site_begin(s, job, shares, count);
			shares = NULL;
			begun++;
			continue;
		}
		for (uint32_t w = 0; w < s->words; w++)
			blocked[w] |= nodes[w];
	}
	mem_free(shares);
	mem_free(avail);
	mem_free(blocked);
	return begun;
}

/* ---- time ---------------------------------------------------------------------------------- */

/* The first time after NOW in the rhythm of INTERVAL since slurmctld began. */
static int64_t next_tick(const struct site *s, int64_t interval)
{
	int64_t since = s->now - s->boot;

	return s->boot + (since / interval + 1) * interval;
}

/* The running job that ends first; NULL: none runs. */
static struct site_job *first_end(struct site *s)
{
	struct site_job *first = NULL;

	for (size_t i = 0; i < s->job_count; i++) {
		struct site_job *job = &s->jobs[i];

		if (job->state != SITE_RUNS)
			continue;
		if (!first || job->end < first->end)
			first = job;
	}
	return first;
}

/* The next begin time to come. */
static int64_t next_begin(const struct site *s)
{
	int64_t next = I64_INFINITE;

	for (size_t i = 0; i < s->job_count; i++) {
		const struct site_job *job = &s->jobs[i];

		if (job->state == SITE_WAITS && job->begin != I64_UNKNOWN && job->begin > s->now &&
		    job->begin < next)
			next = job->begin;
	}
	return next;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void slurm_run(struct site *s)
{
	bool backfills = strcmp(s->policy->scheduler_type, "sched/builtin") != 0;
	struct backfill_options o;
	struct site_job *first;
	int64_t idle = 0;

	backfill_options_of(s->policy, &o);
	for (;;) {
		int64_t backfill = next_tick(s, o.interval), pass = next_tick(s, MAIN_INTERVAL);
		uint32_t changed = 0;

		for (; (first = first_end(s)) && first->end <= s->now; changed++)
			site_end(s, first);
		if (changed > 0 || (s->now - s->boot) % MAIN_INTERVAL == 0)
			changed += main_pass(s);
		if (backfills && (s->now - s->boot) % o.interval == 0)
			changed += backfill_cycle(s, &o);
		/* Nothing runs, nothing is to come, and all schedulers have looked at it. */
		first = first_end(s);
		idle = changed > 0 || first ? 0 : idle + 1;
		if (idle > 2 * (MAIN_INTERVAL / o.interval + 2)) {
			if (next_begin(s) == I64_INFINITE)
				return;
			s->now = next_begin(s);
			idle = 0;
			continue;
		}
		s->now = least(first ? first->end : I64_INFINITE,
			       backfills ? least(backfill, pass) : pass);
	}
}
