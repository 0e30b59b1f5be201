/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time passes: in cycles of 30 seconds, whoever asks how often. Charging and decay follow the
 * scheduler's own order: usage is decayed first, then each job's slice since the last pass is
 * added, and what ends between two passes is charged at once.
 */
#include "adapters/demo/state.h"

#include <stdlib.h>

#include "core/decay.h"
#include "core/fairshare.h"
#include "core/mem.h"

/* ---- priority ------------------------------------------------------------------------------ */

/* F of every association, by the engine, from the tree as it stands. */
static void compute_fairshare(struct demo *d)
{
	struct cluster *c = picture_tree(d);
	struct fs_tree *tree = fs_tree_new(c, FS_ORDER_LIST);
	struct fs_input in = { c, tree, FS_BASE_USAGE, 1.0 };
	const struct fs_algo *algo = fs_algos[FS_DEPTH_OBLIVIOUS];
	struct fs_result *result = fs_result_new(algo, tree);

	fs_compute(algo, &in, result);
	for (uint32_t i = 0; i < d->assoc_count; i++)
		d->assocs[i].fairshare =
			result->fairshare[cluster_assoc_by_id(c, assoc_id(d, i))];
	fs_result_free(result);
	fs_tree_free(tree);
	cluster_free(c);
}

/* The multifactor sum, in the scheduler's order of additions, cut to a whole number. */
static uint32_t priority_of(const struct demo *d, const struct job *job)
{
	double age = (double)(d->last_pass - job->submit) / MAX_AGE;
	double size = (double)job->hosts / d->host_count;
	double sum;

	if (job->held)
		return 0;
	if (age < 0)
		age = 0;
	sum = WEIGHT_AGE * (age < 1 ? age : 1) +
	      WEIGHT_FAIRSHARE * d->assocs[job->assoc].fairshare +
	      WEIGHT_JOBSIZE * size +
	      WEIGHT_PARTITION * partitions[job->partition].job_factor / 100.0 +
	      WEIGHT_QOS * qos_table[job->qos].priority / 100.0 - job->nice;
	return sum < 1 ? 1 : (uint32_t)sum;
}

static void prioritise(struct demo *d)
{
	if (d->job_count == 0)
		return;
	compute_fairshare(d);
	for (uint32_t i = 0; i < d->job_count; i++)
		if (d->jobs[i].state == JOB_PENDING || d->jobs[i].priority == 0)
			d->jobs[i].priority = priority_of(d, &d->jobs[i]);
}

/* ---- usage --------------------------------------------------------------------------------- */

static void charge(struct demo *d, struct job *job, int64_t until)
{
	int64_t from = job->charged > job->start ? job->charged : job->start;

	d->assocs[job->assoc].usage += decay_charge(HALF_LIFE, until - from, job->billing,
						    qos_table[job->qos].usage_factor);
	job->charged = until;
}

static void decay_pass(struct demo *d)
{
	double left = decay_over(HALF_LIFE, d->now - d->last_pass);

	for (uint32_t i = 0; i < d->assoc_count; i++)
		d->assocs[i].usage *= left;
	for (uint32_t i = 0; i < d->job_count; i++)
		if (d->jobs[i].state == JOB_RUNNING)
			charge(d, &d->jobs[i], d->now);
	d->last_pass = d->now;
	prioritise(d);
}

/* ---- the queue ----------------------------------------------------------------------------- */

/* For each job that ends another is submitted. */
static void end_jobs(struct demo *d)
{
	for (uint32_t i = 0; i < d->job_count; i++) {
		struct job *job = &d->jobs[i];

		if (job->state != JOB_RUNNING || job->start + job->runtime > d->now)
			continue;
		charge(d, job, job->start + job->runtime);
		release_job(d, job);
		plan_job(d, &d->arrivals, i, d->now);
		job->priority = priority_of(d, job);
	}
}

/* Higher tier, higher priority, earlier, smaller number first. */
static int compare_jobs(const void *a, const void *b, void *context)
{
	const struct demo *d = context;
	const struct job *x = &d->jobs[*(const uint32_t *)a], *y = &d->jobs[*(const uint32_t *)b];
	uint32_t x_tier = partitions[x->partition].tier, y_tier = partitions[y->partition].tier;

	if (x_tier != y_tier)
		return x_tier > y_tier ? -1 : 1;
	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* May the job start when its turn comes? If not, the reason is set. */
static bool is_eligible(const struct demo *d, struct job *job)
{
	if (job->depends != 0 && d->jobs[job->depends_slot].id != job->depends)
		job->depends = 0;
	if (job->held)
		job->reason = "JobHeldUser";
	else if (job->depends != 0)
		job->reason = "Dependency";
	return !job->held && job->depends == 0;
}

/* In order of priority; in a partition nobody overtakes the first one that finds no room. */
static void start_jobs(struct demo *d)
{
	uint32_t *queue = mem_alloc(d->job_count, sizeof(*queue));
	bool blocked[PARTITIONS] = { false };
	uint32_t n = 0;

	for (uint32_t i = 0; i < d->job_count; i++)
		if (d->jobs[i].state == JOB_PENDING && is_eligible(d, &d->jobs[i]))
			queue[n++] = i;
	qsort_r(queue, n, sizeof(*queue), compare_jobs, d);
	for (uint32_t i = 0; i < n; i++) {
		struct job *job = &d->jobs[queue[i]];

		if (blocked[job->partition]) {
			job->reason = "Priority";
		} else if (!place_job(d, job)) {
			job->reason = d->licenses_used + job->licenses > MATLAB_LICENSES ?
				"Licenses" : "Resources";
			blocked[job->partition] = true;
		} else {
			job->state = JOB_RUNNING;
			job->start = job->charged = d->now;
		}
	}
	mem_free(queue);
}

void life_begin(struct demo *d)
{
	prioritise(d);
	start_jobs(d);
}

void demo_advance(struct demo *d, int64_t seconds)
{
	int64_t target = d->now + seconds;

	while (d->now + CYCLE <= target) {
		d->now += CYCLE;
		end_jobs(d);
		if (d->now - d->last_pass >= CALC_PERIOD)
			decay_pass(d);
		start_jobs(d);
	}
}
