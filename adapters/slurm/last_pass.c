/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/last_pass.h"

#include <math.h>
#include <stdlib.h>

#include "core/mem.h"

/* Where the instants told by the jobs overlap in more than this, they tell nothing. */
#define WIDEST_SECONDS 5.0

/* The pass began somewhere between these two instants, says one job. */
struct told {
	double from, to;
};

/* One end of such a stretch. */
struct edge {
	double at;
	int step;			/* 1 where it begins, -1 where it ends */
};

/* A job's number and since when it accrues age. */
struct accrual {
	uint32_t id;
	int64_t since;
};

static int compare_accruals(const void *a, const void *b)
{
	const struct accrual *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return y->step - x->step;
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

		if (job.id != U32_UNKNOWN && job.since != I64_UNKNOWN)
			jobs[(*count)++] = job;
	}
	qsort(jobs, *count, sizeof(*jobs), compare_accruals);
	return jobs;
}

/* How far an age term may be off, in points. */
static double doubt(double age, double weight, bool exact)
{
	if (exact)
		return 1e-6;
	/* sprio -l rounds to whole points; a factor with seven decimals came with its weight. */
	return age == floor(age) ? 0.5 : 6e-8 * weight;
}

static uint32_t collect(const struct builder *b, const struct policy *policy, bool exact,
			struct edge *edges)
{
	double weight = policy->weight_age, max_age = (double)policy->max_age;
	uint32_t jobs_count, count = 0;
	struct accrual *jobs = accruals_new(b, policy->flags, &jobs_count);

	for (uint32_t row = 0; row < builder_rows(b, TABLE_PRIO); row++) {
		double age = builder_get_f64(b, F_PRIO_AGE, row);
		struct accrual key = { builder_get_u32(b, F_PRIO_JOB, row), 0 };
		const struct accrual *job =
			bsearch(&key, jobs, jobs_count, sizeof(*jobs), compare_accruals);
		double half = doubt(age, weight, exact);

		if (!job || !(age > half && age < weight - half))
			continue;
		edges[count].at = (double)job->since + (age - half) / weight * max_age;
		edges[count++].step = 1;
		edges[count].at = (double)job->since + (age + half) / weight * max_age;
		edges[count++].step = -1;
	}
	mem_free(jobs);
	return count;
}

/* The stretch that lies in most of those whose ends EDGES are; of several the last. */
static struct told agreed(struct edge *edges, uint32_t count)
{
	struct told best = { 0, -1 };
	int votes = 0, most = 1;
	bool open = false;

	qsort(edges, count, sizeof(*edges), compare_edges);
	for (uint32_t i = 0; i < count; i++) {
		votes += edges[i].step;
		if (edges[i].step > 0 && votes >= most) {
			most = votes;
			best.from = edges[i].at;
			open = true;
		} else if (edges[i].step < 0 && open) {
			best.to = edges[i].at;
			open = false;
		}
	}
	return best;
}

int64_t slurm_last_pass(struct builder *b, bool exact)
{
	const struct policy *policy = builder_policy(b);
	struct edge *edges;
	struct told best;

	if (policy->weight_age == 0 || policy->max_age <= 0 || policy->max_age == I64_INFINITE)
		return I64_UNKNOWN;
	edges = mem_alloc((size_t)builder_rows(b, TABLE_PRIO) * 2 + 1, sizeof(*edges));
	best = agreed(edges, collect(b, policy, exact, edges));
	mem_free(edges);
	if (!(best.to >= best.from && best.to - best.from <= WIDEST_SECONDS))
		return I64_UNKNOWN;
	return (int64_t)llround((best.from + best.to) / 2);
}
