/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time passes: in cycles of 30 seconds, whoever asks how often. Charging and decay follow the
 * scheduler's own order: usage is decayed first, then each job's slice since the last pass is
 * added, and what ends between two passes is charged at once.
 */
#include "adapters/demo/state.h"

#include "core/decay.h"
#include "core/mem.h"

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
		if (d->jobs[i].state == WORKING)
			charge(d, &d->jobs[i], d->now);
	d->last_pass = d->now;
	queue_rate(d);
}

/* ---- the queue ----------------------------------------------------------------------------- */

static void submit(struct demo *d, uint32_t slot)
{
	plan_job(d, &d->arrivals, slot, d->now);
	array_join(d, slot);
	tally_submit(d, &d->jobs[slot], 1);
}

/* For each job that ends another is submitted; for an array when all of it is over. */
static void replace(struct demo *d, uint32_t slot)
{
	const struct block *block = array_of(d, slot);

	if (!block) {
		submit(d, slot);
		return;
	}
	d->jobs[slot].state = OVER;
	if (array_count(d, block, OVER) < block->count)
		return;
	for (uint32_t k = 0; k < block->count; k++)
		submit(d, block->first + k);
}

static void end_jobs(struct demo *d)
{
	for (uint32_t i = 0; i < d->job_count; i++) {
		struct job *job = &d->jobs[i];

		if (job->state != WORKING || job->start + job->runtime > d->now)
			continue;
		charge(d, job, job->start + job->runtime);
		release_job(d, job);
		tally_run(d, job, -1);
		tally_submit(d, job, -1);
		replace(d, i);
	}
}

/* What a job waits for apart from its turn. */
static void see_reasons(struct demo *d)
{
	for (uint32_t i = 0; i < d->job_count; i++) {
		struct job *job = &d->jobs[i];

		if (job->state != WAITING)
			continue;
		if (job->depends != 0 && d->jobs[job->depends_slot].id != job->depends) {
			job->depends = 0;
			job->eligible = d->now;
		}
		job->reason = job->held ? "JobHeldUser" : job->depends != 0 ? "Dependency" :
			"Priority";
	}
}

/* The job in SLOT, or of an array whose turn it is the task that would start. */
static struct job *task_of(struct demo *d, uint32_t slot)
{
	const struct block *block = array_of(d, slot);

	return &d->jobs[block ? array_next(d, block) : slot];
}

/* Does an array allow itself no more? */
static bool array_is_full(struct demo *d, uint32_t slot)
{
	const struct block *block = array_of(d, slot);

	return block && block->at_once != 0 && array_count(d, block, WORKING) >= block->at_once;
}

/*
 * In the engine's order; who has reached a limit is passed by, but in a partition nobody overtakes
 * the first one that finds no room.
 */
static void start_jobs(struct demo *d)
{
	bool blocked[PARTITIONS] = { false };
	uint32_t *order, count;

	see_reasons(d);
	count = queue_sort(d, &order);
	for (uint32_t i = 0; i < count; i++) {
		struct job *job = task_of(d, order[i]);
		const char *refused = array_is_full(d, order[i]) ? "JobArrayTaskLimit" :
			tally_refuses(d, job);

		if (refused)
			job->reason = refused;
		if (refused || blocked[job->partition])
			continue;
		if (place_job(d, job)) {
			job->state = WORKING;
			job->start = job->charged = d->now;
			tally_run(d, job, 1);
			continue;
		}
		job->reason = d->licenses_used + job->licenses > MATLAB_LICENSES ?
			"Licenses" : "Resources";
		blocked[job->partition] = true;
	}
	mem_free(order);
}

/* What runs already had a priority when it waited: as if it still did. */
static void prioritise_running(struct demo *d)
{
	enum activity *states = mem_alloc(d->job_count, sizeof(*states));
	uint32_t *order;

	for (uint32_t i = 0; i < d->job_count; i++) {
		states[i] = d->jobs[i].state;
		d->jobs[i].state = WAITING;
	}
	queue_sort(d, &order);
	for (uint32_t i = 0; i < d->job_count; i++)
		d->jobs[i].state = states[i];
	mem_free(order);
	mem_free(states);
}

void life_begin(struct demo *d)
{
	queue_rate(d);
	prioritise_running(d);
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
	demo_pools_advance(d);
}
