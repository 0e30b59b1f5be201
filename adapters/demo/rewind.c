/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time before the first picture, simulated backwards, pass by pass: running jobs had not
 * started, pending jobs had not been submitted, jobs that have ended ran on free nodes; usage is as
 * before their charges and decay. So the past leads exactly to the first picture.
 */
#include "adapters/demo/demo_state.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"
#include "core/queue/job_index.h"
#include "core/share/decay.h"
#include "core/share/model.h"

#define ENDED 8			/* most jobs that ended in one pass */
#define TRIES 12		/* attempts to find a user who may be charged for a job */
#define LINE (9 * 3600)		/* duration of the day's backlog, which first grew: ... */
#define RUSH 7			/* ... jobs arrived this many times as fast as they started ... */
#define CALM 4			/* ... and later started this many times as fast as they arrived */

static double rewind_charge_of(const struct demo *d, const struct job *job, int64_t seconds)
{
	return decay_charge(cluster_policy(d->data)->half_life, seconds,
			    job_burn(d->data, job->like), 1);
}

/* A user with such a job in the data, or another one, with so much usage; else ROW_NONE. */
static uint32_t rewind_charged(struct demo *d, uint32_t like, int64_t seconds)
{
	const struct job job = { .like = like };
	uint32_t row = life_user(d, like, true);

	for (int i = 0; i < TRIES && d->usage[row] < 2 * rewind_charge_of(d, &job, seconds); i++)
		row = life_user(d, like, false);
	return d->usage[row] < 2 * rewind_charge_of(d, &job, seconds) ? ROW_NONE : row;
}

/*
 * How long a job was pending that began at START: until the next cycle, unless there was a backlog.
 * Jobs of a backlog start in order, so simulating the past forwards gives it again.
 */
static int64_t rewind_waited(struct demo *d, int64_t start)
{
	const int64_t since = start - (d->start - DEMO_PAST);
	const int64_t grown = since - since / RUSH, left = (LINE - since) * (CALM - 1);
	const int64_t line = d->full ? grown < left ? grown : left : 0;

	return (line > 0 ? line : 0) + dice_below(&d->dice, DEMO_CYCLE);
}

/* Adds a job that ended in the pass before now, if there are free nodes. */
static void bring_back(struct demo *d, int64_t pass)
{
	const uint32_t like = dice_below(&d->dice, cluster_rows(d->data, TABLE_JOB));
	const int64_t end = d->now - dice_below(&d->dice, (uint32_t)pass);
	const int64_t length = life_length(d, like), start = end - length;
	uint32_t row = rewind_charged(d, like, length), hosts[HOSTS_MAX];

	if (row == ROW_NONE || cluster_u32(d->data, F_JOB_PRIORITY, like) == 0 ||
	    cluster_text(d->data, F_JOB_DEPENDENCY, like) ||
	    assoc_load_refuses(d->load, row, d->data, like, d->now) ||
	    placement_find(d->placement, like, hosts))
		return;
	row = life_submit(d, like, row, start - rewind_waited(d, start), 1);
	memcpy(d->jobs[row].hosts, hosts, sizeof(hosts));
	life_run(d, row, start, end);
	/* New jobs must not get these numbers. */
	builder_u32(d->queue, F_JOB_ID, row, --d->former_id);
	d->next_id--;
}

/* Undoes the charges of the pass until now, and the decay of all usage in it. */
static void rewind_uncharge(struct demo *d, int64_t pass)
{
	const double left = decay_over(cluster_policy(d->data)->half_life, pass);
	const uint32_t n = cluster_rows(d->people, TABLE_ASSOC);

	for (uint32_t i = 0; i < builder_rows(d->queue, TABLE_JOB); i++) {
		const struct job *job = &d->jobs[i];
		const int64_t start = builder_get_i64(d->queue, F_JOB_START, i);
		const int64_t from = start > d->now - pass ? start : d->now - pass;

		if (job->end != 0)
			d->usage[job->assoc] -= rewind_charge_of(d, job, (job->end < d->now ?
								 job->end : d->now) - from);
	}
	for (uint32_t i = 0; i < n; i++)
		d->usage[i] = cluster_is_user(d->people, i) ? fmax(d->usage[i], 0) / left : 0;
	for (uint32_t i = n; i-- > 1;)
		d->usage[cluster_parent(d->people)[i]] += d->usage[i];
}

static void wait_again(struct demo *d, uint32_t row)
{
	static const enum field unknown[] = { F_JOB_START, F_JOB_END, F_JOB_NODE_LIST,
					      F_JOB_TRES_ALLOC };
	struct job *job = &d->jobs[row];

	placement_use(d->placement, job->like, job->hosts, -1);
	assoc_load_run(d->load, job->assoc, d->data, job->like,
		       builder_get_i64(d->queue, F_JOB_END, row), -1);
	job->end = 0;
	builder_str(d->queue, F_JOB_STATE, row, "PENDING");
	builder_str(d->queue, F_JOB_REASON, row, "Priority");
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		builder_unknown(d->queue, unknown[i], row);
}

/* Jobs that had not started become pending; jobs that had not been submitted are removed. */
static void rewind_take_back(struct demo *d)
{
	const uint32_t n = builder_rows(d->queue, TABLE_JOB);
	bool *gone = mem_zalloc(n > 0 ? n : 1, sizeof(*gone));
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (d->jobs[i].end != 0 && builder_get_i64(d->queue, F_JOB_START, i) > d->now)
			wait_again(d, i);
		gone[i] = builder_get_i64(d->queue, F_JOB_SUBMIT, i) > d->now;
		if (gone[i])
			assoc_load_submit(d->load, d->jobs[i].assoc, -(int64_t)job_tasks(
				builder_get_text(d->queue, F_JOB_TASKS, i)));
		else
			d->jobs[kept++] = d->jobs[i];
	}
	builder_remove(d->queue, TABLE_JOB, gone);
	mem_free(gone);
}

void past_back(struct demo *d, int64_t seconds)
{
	const int64_t pass = cluster_policy(d->data)->calc_period, until = d->now - seconds;
	struct model *model;

	while (d->now - pass >= until) {
		for (int i = 0; i < ENDED && d->user_count > 0; i++)
			bring_back(d, pass);
		rewind_uncharge(d, pass);
		d->now -= pass;
		rewind_take_back(d);
	}
	d->last_pass = d->now;
	builder_tidy(d->queue);
	model = model_new(d->people, NULL, NULL);
	memcpy(d->fairshare, model->fs->fairshare, model->fs->n * sizeof(*d->fairshare));
	model_free(model);
	life_rank(d);
}
