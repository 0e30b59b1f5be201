/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time passes in cycles, however often the source is asked. Charging and decay follow the
 * scheduler's order: usage is decayed, then each job's slice since the last pass is added; jobs
 * that end between two passes are charged at once. Jobs are rows as in a scheduler's list: the
 * pending tasks of an array are one row; each task that starts gets a new row, the last one keeps
 * the array's.
 */
#include "adapters/demo/demo_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cluster/cluster_copy.h"
#include "core/share/decay.h"
#include "core/base/mem.h"
#include "core/share/model.h"
#include "core/queue/priority.h"
#include "core/queue/queue_order.h"

#define SPREAD (3 * 86400)	/* time over which the first jobs were submitted */
#define PATIENCE (7 * 86400)	/* jobs pending longer are cancelled */
#define PARTITIONS 4		/* of the data */
#define AFTER "afterany:"
#define SWEEP 200		/* jobs of a parameter sweep ... */
#define SWEEP_LIKE 141504	/* ... with the requests of this job of the data ... */
#define SWEEP_CAME 2400		/* ... submitted so long before the demo begins */

/* Adds the data of the new row ROW. */
static uint32_t demo_life_add(struct demo *d, uint32_t row, struct job job)
{
	MEM_GROW(d->jobs, d->job_capacity, (size_t)row + 1);
	d->jobs[row] = job;
	builder_u32(d->queue, F_JOB_ID, row, d->next_id++);
	return row;
}

/* Job LIKE's OWN user, or one who may use its partition, preferably not idle. */
uint32_t life_user(struct demo *d, uint32_t like, bool own)
{
	uint32_t tries = 0, row = own ?
		cluster_assoc_by_id(d->people, cluster_u32(d->data, F_JOB_ASSOC, like)) : ROW_NONE;
	const char *only = NULL;

	while (row == ROW_NONE || (d->usage[row] == 0 && !own && tries++ < 16) ||
	       (only && strcmp(only, cluster_text(d->data, F_JOB_PARTITION, like)) != 0)) {
		row = d->users[dice_below(&d->dice, d->user_count)];
		only = cluster_text(d->people, F_ASSOC_PARTITION, row);
	}
	return row;
}

/* Submits a job like LIKE of the data; an array of more than MOST tasks becomes a single job. */
uint32_t life_submit(struct demo *d, uint32_t like, uint32_t assoc, int64_t when, uint32_t most)
{
	const uint32_t row = demo_life_add(d, builder_append(d->queue, d->data, TABLE_JOB, like, 1),
					   (struct job){ .like = like, .assoc = assoc });
	const char *tasks = cluster_text(d->data, F_JOB_TASKS, like);
	const bool after = cluster_text(d->data, F_JOB_DEPENDENCY, like) && row > 0 &&
			   builder_get_u32(d->queue, F_JOB_ARRAY, row - 1) == U32_UNKNOWN;
	const bool held = cluster_u32(d->data, F_JOB_PRIORITY, like) == 0;
	char text[NAME_SIZE];

	if (job_tasks(tasks) > most) {
		builder_unknown(d->queue, F_JOB_TASKS, row);
		tasks = NULL;
	}
	builder_u32(d->queue, F_JOB_ARRAY, row, tasks ? d->next_id - 1 : U32_UNKNOWN);
	builder_str(d->queue, F_JOB_USER, row, cluster_text(d->people, F_ASSOC_USER, assoc));
	builder_u32(d->queue, F_JOB_UID, row, cluster_u32(d->people, F_ASSOC_UID, assoc));
	builder_str(d->queue, F_JOB_ACCOUNT, row, cluster_text(d->people, F_ASSOC_ACCOUNT, assoc));
	builder_u32(d->queue, F_JOB_ASSOC, row, cluster_u32(d->people, F_ASSOC_ID, assoc));
	builder_unknown(d->queue, F_JOB_DEPENDENCY, row);
	if (after) {
		snprintf(text, sizeof(text), AFTER "%u(unfulfilled)",
			 (unsigned)builder_get_u32(d->queue, F_JOB_ID, row - 1));
		builder_str(d->queue, F_JOB_DEPENDENCY, row, text);
	}
	builder_i64(d->queue, F_JOB_SUBMIT, row, when);
	builder_i64(d->queue, F_JOB_ELIGIBLE, row, after ? I64_UNKNOWN : when);
	builder_i64(d->queue, F_JOB_ACCRUE, row, after || held ? I64_UNKNOWN : when);
	assoc_load_submit(d->load, assoc, job_tasks(tasks));
	return row;
}

/* With so many jobs or more: adds jobs of one user that differ only in a parameter. */
static void submit_sweep(struct demo *d)
{
	const uint32_t like = builder_find_u32(d->queue, F_JOB_ID, SWEEP_LIKE);
	uint32_t jobs = d->options.jobs < DEMO_JOBS || like == ROW_NONE ? 0 : SWEEP;

	while (jobs-- > 0)
		life_submit(d, d->jobs[like].like, d->jobs[like].assoc, d->now - SWEEP_CAME, 1);
}

/* Adds jobs up to the requested number of tasks: first the data's, submitted over some days. */
static void demo_life_fill(struct demo *d)
{
	const bool first = d->now == d->start;
	const uint32_t models = cluster_rows(d->data, TABLE_JOB);
	const uint32_t jobs = d->options.jobs -
			      (first && d->options.jobs >= DEMO_JOBS ? SWEEP : 0);

	for (uint32_t i = 0, there, like; d->user_count > 0; i++) {
		there = assoc_load_submitted(d->load, 0);
		if (there >= jobs)
			return;
		like = first && i < models ? i : dice_below(&d->dice, models);
		life_submit(d, like, life_user(d, like, first && i < models &&
					  d->options.seed == DEMO_SEED),
		       d->now - (first ? (int64_t)(jobs - there) * SPREAD / jobs : 0),
		       first ? jobs - there : UINT32_MAX);
	}
}

/* ---- starts and ends ----------------------------------------------------------------------- */

uint32_t life_length(struct demo *d, uint32_t like)
{
	const int64_t limit = cluster_i64(d->data, F_JOB_TIME_LIMIT, like);

	return (uint32_t)(limit * (20 + dice_below(&d->dice, 81)) / 100);
}

void life_run(struct demo *d, uint32_t row, int64_t began, int64_t end)
{
	struct job *job = &d->jobs[row];
	const int64_t limit = cluster_i64(d->data, F_JOB_TIME_LIMIT, job->like);

	job->charged = d->now;
	job->end = end;
	builder_str(d->queue, F_JOB_STATE, row, "RUNNING");
	builder_str(d->queue, F_JOB_REASON, row, "None");
	builder_i64(d->queue, F_JOB_START, row, began);
	builder_i64(d->queue, F_JOB_END, row, began + limit);
	placement_set_job(d->placement, job->like, job->hosts, d->queue, row);
	placement_use(d->placement, job->like, job->hosts, 1);
	assoc_load_run(d->load, job->assoc, d->data, job->like, began + limit, 1);
}

/* Runs a job on the hosts found; jobs that run when the demo begins started some time before. */
static void demo_life_run(struct demo *d, uint32_t row)
{
	const int64_t submitted = builder_get_i64(d->queue, F_JOB_SUBMIT, row);
	const uint32_t needs = life_length(d, d->jobs[row].like);
	int64_t began = d->now - (d->now == d->start ? dice_below(&d->dice, needs) : 0);

	began = began > submitted ? began : submitted;
	life_run(d, row, began, began + needs);
}

/* Starts ROW, or the next task of an array. */
static void demo_life_start(struct demo *d, uint32_t row)
{
	const char *tasks = builder_get_text(d->queue, F_JOB_TASKS, row);
	char rest[NAME_SIZE] = "";
	uint32_t task = tasks ? job_tasks_take(tasks, rest, sizeof(rest)) : U32_UNKNOWN;

	d->jobs[row].running++;
	if (*rest) {
		builder_str(d->queue, F_JOB_TASKS, row, rest);
		row = demo_life_add(d, builder_repeat(d->queue, TABLE_JOB, row), d->jobs[row]);
	}
	builder_unknown(d->queue, F_JOB_TASKS, row);
	builder_u32(d->queue, F_JOB_TASK, row, task);
	demo_life_run(d, row);
}

static void demo_life_charge(struct demo *d, struct job *job, int64_t until)
{
	double charged = decay_charge(cluster_policy(d->data)->half_life, until - job->charged,
				      job_burn(d->data, job->like), 1);

	for (uint32_t a = job->assoc; a != ROW_NONE; a = cluster_parent(d->people)[a])
		d->usage[a] += charged;
	job->charged = until;
}

/* Ends a job that is over or was pending too long; true if so. */
static bool demo_life_end(struct demo *d, uint32_t row)
{
	struct job *job = &d->jobs[row];
	const uint32_t array = builder_find_u32(d->queue, F_JOB_ID,
						builder_get_u32(d->queue, F_JOB_ARRAY, row));

	if (d->now < (job->end != 0 ? job->end :
		      builder_get_i64(d->queue, F_JOB_SUBMIT, row) + PATIENCE))
		return false;
	assoc_load_submit(d->load, job->assoc,
			  -(int64_t)job_tasks(builder_get_text(d->queue, F_JOB_TASKS, row)));
	if (job->end == 0)
		return true;
	demo_life_charge(d, job, job->end);
	placement_use(d->placement, job->like, job->hosts, -1);
	assoc_load_run(d->load, job->assoc, d->data, job->like,
		       builder_get_i64(d->queue, F_JOB_END, row), -1);
	if (array != ROW_NONE)
		d->jobs[array].running--;
	return true;
}

static void demo_life_end_jobs(struct demo *d)
{
	const uint32_t n = builder_rows(d->queue, TABLE_JOB);
	bool *over = mem_alloc(n, sizeof(*over));
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		over[i] = demo_life_end(d, i);
	for (uint32_t i = 0; i < n; i++)
		if (!over[i])
			d->jobs[kept++] = d->jobs[i];
	builder_remove(d->queue, TABLE_JOB, over);
	mem_free(over);
}

/* ---- a cycle ------------------------------------------------------------------------------- */

static void decay_pass(struct demo *d)
{
	const double left = decay_over(cluster_policy(d->data)->half_life, d->now - d->last_pass);
	const uint32_t n = cluster_rows(d->people, TABLE_ASSOC);
	struct model *model;

	for (uint32_t i = 0; i < n; i++)
		d->usage[i] *= left;
	for (uint32_t i = 0; i < builder_rows(d->queue, TABLE_JOB); i++)
		if (d->jobs[i].end != 0)
			demo_life_charge(d, &d->jobs[i], d->now);
	d->last_pass = d->now;
	model = model_new(d->people, NULL, NULL);
	memcpy(d->fairshare, model->fs->fairshare, n * sizeof(*d->fairshare));
	model_free(model);
	builder_tidy(d->queue);
}

/* The queue as a cluster; jobs that are not held are pending for priority or a dependency. */
static struct cluster *demo_life_cluster(struct demo *d)
{
	for (uint32_t i = 0; i < builder_rows(d->queue, TABLE_JOB); i++) {
		const char *after = builder_get_text(d->queue, F_JOB_DEPENDENCY, i);

		if (d->jobs[i].end != 0 || builder_get_u32(d->queue, F_JOB_PRIORITY, i) == 0)
			continue;
		if (after && builder_find_u32(d->queue, F_JOB_ID, (uint32_t)
					      atol(after + strlen(AFTER))) == ROW_NONE) {
			builder_unknown(d->queue, F_JOB_DEPENDENCY, i);
			builder_i64(d->queue, F_JOB_ELIGIBLE, i, d->now);
			builder_i64(d->queue, F_JOB_ACCRUE, i, d->now);
			after = NULL;
		}
		builder_str(d->queue, F_JOB_REASON, i, after ? "Dependency" : "Priority");
	}
	return builder_picture(d->queue, NULL);
}

/* Priorities and the order of starting. Each job is in one partition: entries are rows. */
static struct queue_order *demo_life_rank(struct demo *d, struct job_index *index)
{
	const struct policy *policy = cluster_policy(index->cluster);
	const struct prio_input in = { index, policy, d->fairshare, d->last_pass };
	struct preempt *preempt = preempt_new(index->cluster, policy);
	struct prio_result *prio;
	struct queue_order *order;

	for (uint32_t i = 0; i < index->n; i++)
		index->assoc[i] = d->jobs[i].assoc;	/* row of F */
	prio = prio_run(&in);
	for (uint32_t i = 0; i < index->n; i++)
		if (index->kind[i] != JOB_RUNNING)
			builder_u32(d->queue, F_JOB_PRIORITY, i, prio->priority[i]);
	order = queue_order_new(index, policy, preempt, prio->priority);
	preempt_free(preempt);
	prio_result_free(prio);
	return order;
}

/* NULL: it or a task of it started; else why not. *FULL: its partition is, or becomes, full. */
static const char *demo_life_try(struct demo *d, uint32_t row, bool *full)
{
	struct job *job = &d->jobs[row];
	const char *reason = assoc_load_refuses(d->load, job->assoc, d->data, job->like, d->now);

	if (job->running >= job_tasks_at_once(builder_get_text(d->queue, F_JOB_TASKS, row)))
		return "JobArrayTaskLimit";
	if (reason || *full)
		return reason ? reason : "Priority";
	reason = placement_find(d->placement, job->like, job->hosts);
	*full = reason != NULL;
	if (!reason)
		demo_life_start(d, row);
	return reason;
}

/* In the engine's order; skips jobs at a limit; a job that does not fit blocks its partition. */
static void demo_life_start_jobs(struct demo *d)
{
	bool full[PARTITIONS] = { false };
	struct cluster *queue = demo_life_cluster(d);
	struct job_index *index = job_index_new(queue);
	struct queue_order *order = demo_life_rank(d, index);

	d->full = false;
	for (uint32_t i = 0; i < order->count; i++) {
		const uint32_t row = order->order[i];
		const char *reason = NULL;

		while (!reason && d->jobs[row].end == 0)
			reason = demo_life_try(d, row, &full[index->partition[row]]);
		if (reason)
			builder_str(d->queue, F_JOB_REASON, row, reason);
		d->full = d->full || full[index->partition[row]];
	}
	queue_order_free(order);
	job_index_free(index);
	cluster_free(queue);
}

void life_rank(struct demo *d)
{
	struct cluster *queue = builder_picture(d->queue, NULL);
	struct job_index *index = job_index_new(queue);

	queue_order_free(demo_life_rank(d, index));
	job_index_free(index);
	cluster_free(queue);
}

void life_begin(struct demo *d)
{
	d->load = assoc_load_new(d->people);
	d->placement = placement_new(d->data);
	d->queue = people_none(d);
	d->next_id = d->former_id = cluster_u32(d->data, F_JOB_ID, 0);
	d->dice = dice_stream(d->options.seed, DICE_JOBS);
	decay_pass(d);
	demo_life_fill(d);
	submit_sweep(d);
	demo_life_start_jobs(d);
}

void life_cycle(struct demo *d)
{
	d->now += DEMO_CYCLE;
	demo_life_end_jobs(d);
	demo_life_fill(d);
	if (d->now - d->last_pass >= cluster_policy(d->data)->calc_period)
		decay_pass(d);
	demo_life_start_jobs(d);
}
