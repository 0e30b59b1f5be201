/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/last_pass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/cluster/lastpass.h"
#include "core/base/mem.h"

/* A job's number and the time since which it accrues age. */
struct accrual {
	uint32_t id;
	int64_t since;
};

static int compare_accruals(const void *a, const void *b)
{
	const struct accrual *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static struct accrual *accruals_new(const struct builder *b, uint32_t flags, uint32_t *count)
{
	enum field since = flags & PF_ACCRUE_ALWAYS ? F_JOB_SUBMIT : F_JOB_ACCRUE;
	uint32_t n = builder_rows(b, TABLE_JOB);
	struct accrual *jobs = mem_alloc(n + 1, sizeof(*jobs));

	*count = 0;
	for (uint32_t row = 0; row < n; row++) {
		struct accrual job = { builder_get_u32(b, F_JOB_ID, row),
				       builder_get_i64(b, since, row) };

		if (job.id != U32_UNKNOWN && job.since != I64_UNKNOWN && job.since > 0)
			jobs[(*count)++] = job;
	}
	qsort(jobs, *count, sizeof(*jobs), compare_accruals);
	return jobs;
}

/* The possible error of an age term, in points. */
static double last_pass_doubt(double age, double weight, bool exact)
{
	if (exact)
		return 0;
	/* sprio -l rounds to whole points; a factor with seven decimals came with its weight. */
	return age == floor(age) ? 0.5 : 6e-8 * weight;
}

static size_t last_pass_collect(const struct builder *b, const struct policy *policy, bool exact,
				struct lastpass_reported *reported)
{
	uint32_t jobs_count;
	size_t count = 0;
	struct accrual *jobs = accruals_new(b, policy->flags, &jobs_count);

	for (uint32_t row = 0; row < builder_rows(b, TABLE_PRIO); row++) {
		double age = builder_get_f64(b, F_PRIO_AGE, row);
		uint32_t weight = policy->weight[PRIO_AGE];
		struct accrual key = { builder_get_u32(b, F_PRIO_JOB, row), 0 };
		const struct accrual *job =
			bsearch(&key, jobs, jobs_count, sizeof(*jobs), compare_accruals);

		if (job && lastpass_of_job(age, last_pass_doubt(age, weight, exact), weight,
					   policy->max_age, job->since, &reported[count]))
			count++;
	}
	mem_free(jobs);
	return count;
}

int64_t slurm_last_pass(struct builder *b, bool exact)
{
	size_t rows = builder_rows(b, TABLE_PRIO);
	struct lastpass_reported *reported = mem_alloc(rows, sizeof(*reported));
	int64_t pass = lastpass_agree(reported,
				      last_pass_collect(b, builder_policy(b), exact, reported));

	mem_free(reported);
	return pass;
}

/* ---- seen by its effect -------------------------------------------------------------------- */

static bool last_pass_same_rows(const struct pass_watch *w, const uint32_t *ids, size_t count,
				double quantum)
{
	return count > 0 && w->count == count && w->quantum == quantum &&
	       memcmp(w->ids, ids, count * sizeof(*ids)) == 0;
}

int64_t pass_watch_look(struct pass_watch *w, struct builder *b, double quantum, int64_t now)
{
	uint32_t count = builder_rows(b, TABLE_ASSOC);
	uint32_t *ids = mem_alloc(count + 1, sizeof(*ids));
	double *usages = mem_alloc(count + 1, sizeof(*usages));

	for (uint32_t row = 0; row < count; row++) {
		ids[row] = builder_get_u32(b, F_ASSOC_ID, row);
		usages[row] = builder_get_f64(b, F_ASSOC_USAGE, row);
	}
	if (last_pass_same_rows(w, ids, count, quantum) &&
	    lastpass_between(w->usages, usages, count)) {
		w->seen = now;
		builder_note(b, "decay pass",
			     "seen by its effect: it may have started up to %lld s earlier",
			     (long long)(now - w->taken));
	}
	pass_watch_free(w);
	w->ids = ids;
	w->usages = usages;
	w->count = count;
	w->quantum = quantum;
	w->taken = now;
	return now - w->seen <= builder_policy(b)->calc_period ? w->seen : I64_UNKNOWN;
}

void pass_watch_free(struct pass_watch *w)
{
	mem_free(w->ids);
	mem_free(w->usages);
}
