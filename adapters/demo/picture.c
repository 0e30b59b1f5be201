/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sealed cluster of it all: what stands still as it is, with what has changed set into it.
 */
#include "adapters/demo/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/cluster_copy.h"
#include "core/pools.h"

#define POOLS 2
#define SIM_CYCLE 60
#define BEFORE 86400		/* the pools have lived for a day when the demo begins */
#define PAST_EVERY 1800		/* seconds between two samples of the past */

struct tres_list picture_list(const double *amounts, double times, struct tres_item *items)
{
	struct tres_list list = { items, 0 };

	for (uint32_t t = 0; t < AMOUNTS; t++)
		if (amounts[t] != 0)
			items[list.count++] = (struct tres_item){ t, amounts[t] * times };
	return list;
}

static void set_amounts(struct builder *b, enum field field, uint32_t row, const double *amounts,
			double times)
{
	struct tres_item items[AMOUNTS];

	builder_tres(b, field, row, items, picture_list(amounts, times, items).count);
}

/* "c001", "c[001-004,007]": the notation of the scheduler. */
static void host_list(const struct cluster *c, const struct job *job, char *buf, size_t size)
{
	const char *name = cluster_text(c, F_HOST_NAME, job->placed[0]);
	size_t used = (size_t)snprintf(buf, size, job->hosts > 1 ? "%.1s[" : "%s", name);

	for (uint32_t i = 0, last; i < job->hosts && job->hosts > 1; i = last + 1) {
		last = i;
		while (last + 1 < job->hosts && job->placed[last + 1] == job->placed[last] + 1)
			last++;
		name = cluster_text(c, F_HOST_NAME, job->placed[i]);
		used += (size_t)snprintf(buf + used, size - used, i > 0 ? ",%s" : "%s", name + 1);
		name = cluster_text(c, F_HOST_NAME, job->placed[last]);
		if (last > i)
			used += (size_t)snprintf(buf + used, size - used, "-%s", name + 1);
	}
	if (job->hosts > 1)
		snprintf(buf + used, size - used, "]");
}

static void add_state(struct builder *b, const struct demo *d, const struct job *job, uint32_t row)
{
	static const char *const states[] = { "PENDING", "RUNNING", "COMPLETED" };
	char text[16 * HOSTS_MAX];

	builder_str(b, F_JOB_STATE, row, states[job->state]);
	builder_str(b, F_JOB_REASON, row, job->state == WORKING ? "None" : job->reason);
	if (job->state == WORKING) {
		host_list(d->site, job, text, sizeof(text));
		builder_str(b, F_JOB_NODE_LIST, row, text);
		builder_i64(b, F_JOB_START, row, job->start);
		builder_i64(b, F_JOB_END, row, job->start + job->limit);
		set_amounts(b, F_JOB_TRES_ALLOC, row, job->need, job->hosts);
	} else if (job->depends != 0) {
		snprintf(text, sizeof(text), "afterany:%u(unfulfilled)", (unsigned)job->depends);
		builder_str(b, F_JOB_DEPENDENCY, row, text);
	} else {
		builder_i64(b, F_JOB_ELIGIBLE, row, job->eligible);
		builder_i64(b, F_JOB_ACCRUE, row, job->held ? I64_UNKNOWN : job->eligible);
	}
}

static uint32_t add_job(struct builder *b, const struct demo *d, const struct job *job)
{
	static const char *const names[] = {
		"simulate", "train", "reco", "relax", "align", "sweep", "mesh", "render", "fit",
		"ensemble", "postproc", "tune", "assemble", "dock", "digitize", "interactive",
	};
	const struct cluster *c = d->people;
	const uint32_t row = builder_add(b, TABLE_JOB);
	char text[NAME_SIZE];

	snprintf(text, sizeof(text), "matlab:%u", (unsigned)job->licenses);
	builder_str(b, F_JOB_LICENSES, row, job->licenses > 0 ? text : NULL);
	builder_u32(b, F_JOB_ID, row, job->id);
	builder_str(b, F_JOB_NAME, row, names[job->array % 16]);
	builder_str(b, F_JOB_USER, row, cluster_text(c, F_ASSOC_USER, job->assoc));
	builder_u32(b, F_JOB_UID, row, cluster_u32(c, F_ASSOC_UID, job->assoc));
	builder_str(b, F_JOB_ACCOUNT, row, cluster_text(c, F_ASSOC_ACCOUNT, job->assoc));
	builder_u32(b, F_JOB_ASSOC, row, cluster_u32(c, F_ASSOC_ID, job->assoc));
	builder_str(b, F_JOB_PARTITION, row, cluster_text(c, F_PARTITION_NAME, job->partition));
	builder_str(b, F_JOB_QOS, row, cluster_text(c, F_QOS_NAME, job->qos));
	builder_u32(b, F_JOB_NODES, row, job->hosts);
	builder_u32(b, F_JOB_MIN_NODES, row, job->hosts);
	builder_u32(b, F_JOB_CPUS, row, job->hosts * (uint32_t)job->need[CPU]);
	set_amounts(b, F_JOB_TRES, row, job->need, job->hosts);
	builder_f64(b, F_JOB_BILLING, row, job->billing);
	builder_i64(b, F_JOB_TIME_LIMIT, row, job->limit);
	builder_i64(b, F_JOB_SUBMIT, row, job->submit);
	builder_u32(b, F_JOB_PRIORITY, row, job->held ? 0 : job->priority);
	builder_i64(b, F_JOB_NICE, row, job->nice);
	add_state(b, d, job, row);
	return row;
}

/* As a scheduler has them: what waits of an array is one job with its id, at its first slot. */
static void add_waiting(struct builder *b, const struct demo *d, const struct block *block)
{
	const uint32_t next = jobs_next(d, block);
	struct job job;
	char tasks[NAME_SIZE];
	uint32_t row;
	int used;

	if (next == ROW_NONE)
		return;
	job = d->jobs[next];
	job.id = job.array;
	row = add_job(b, d, &job);
	if (block->count == 1)
		return;
	used = snprintf(tasks, sizeof(tasks), job.task < block->count ? "%u-%u" : "%u",
			(unsigned)job.task, (unsigned)block->count);
	if (block->at_once < block->count)
		snprintf(tasks + used, sizeof(tasks) - (size_t)used, "%%%u",
			 (unsigned)block->at_once);
	builder_u32(b, F_JOB_ARRAY, row, job.array);
	builder_str(b, F_JOB_TASKS, row, tasks);
}

static void add_jobs(struct builder *b, const struct demo *d)
{
	for (uint32_t i = 0, row; i < d->job_count; i++) {
		const struct job *job = &d->jobs[i];
		bool array = job->block->count > 1;

		if (i == job->block->first)
			add_waiting(b, d, job->block);
		if (job->state != WORKING)
			continue;
		row = add_job(b, d, job);
		builder_u32(b, F_JOB_ARRAY, row, array ? job->array : U32_UNKNOWN);
		builder_u32(b, F_JOB_TASK, row, array ? job->task : U32_UNKNOWN);
	}
}

struct cluster *picture_queue(const struct demo *d)
{
	struct builder *b = cluster_copy(d->site);

	for (uint32_t i = 0; i < d->job_count; i++)
		add_job(b, d, &d->jobs[i]);
	return builder_seal(b, NULL);
}

/* Per queue: what arrives in percent of all its slots, how long it runs; pool on its hosts. */
static const struct {
	uint32_t load, runtime_min, runtime_max, hosts;
} traffic[QUEUES] = {
	{ 42, 300, 1800, 0 },		/* short */
	{ 36, 1800, 10800, 0 },		/* normal */
	{ 25, 7200, 43200, 0 },		/* long */
	{ 5, 600, 7200, 0 },		/* interactive */
	{ 62, 7200, 28800, 1 },		/* train */
	{ 24, 300, 1200, 1 },		/* infer */
	{ 20, 1800, 7200, 1 },		/* tune */
	{ 4, 900, 3600, 1 },		/* scavenger */
};

void pools_begin(struct demo *d)
{
	struct pools *p = pools_new(d->site, NULL, false, NULL);
	struct pool_sim_pool pools[POOLS];
	struct pool_sim_queue queues[QUEUES];

	for (uint32_t k = 0; k < POOLS; k++)
		pools[k] = (struct pool_sim_pool){ .host_slots = p->pools[k].slots.host_slots,
						   .max_slots = SLOTS_NO_LIMIT };
	for (uint32_t i = 0; i < QUEUES; i++) {
		const struct pools_queue *q = &p->queues[i];
		uint32_t min = traffic[i].runtime_min, max = traffic[i].runtime_max;
		bool outside = q->pool == POOLS_NONE;

		queues[i] = (struct pool_sim_queue){
			.priority = q->priority, .limit = q->limit, .job_slots = 1,
			.share = outside ? 0 : pools_slots(p, i)->share,
			.pool = outside ? POOL_SIM_OUTSIDE : q->pool, .hosts = traffic[i].hosts,
			.runtime_min = min, .runtime_max = max,
			.per_hour = (uint32_t)((uint64_t)q->host_slots * traffic[i].load * 3600 /
					       (100 * ((min + max) / 2))),
		};
	}
	d->pools = pool_sim_new(&(struct pool_sim_options){
		.pools = pools, .queues = queues, .pool_count = POOLS, .queue_count = QUEUES,
		.cycle = SIM_CYCLE, .hist_hours = p->hist_hours, .seed = d->options.seed });
	pools_free(p);
	pools_advance(d);
}

void pools_advance(struct demo *d)
{
	const int64_t begin = d->start - BEFORE, target = d->now - begin;

	for (; d->next_sample <= target; d->next_sample += PAST_EVERY) {
		pool_sim_advance(d->pools, d->next_sample - pool_sim_time(d->pools));
		for (uint32_t i = 0; i < QUEUES; i++) {
			memmove(d->past[i][0], d->past[i][1], sizeof(d->past[i]) - PAST_SIZE);
			snprintf(d->past[i][PAST_SAMPLES - 1], PAST_SIZE, "%" PRId64 "=%u",
				 begin + d->next_sample,
				 (unsigned)pool_sim_queue(d->pools, i)->used);
		}
	}
	pool_sim_advance(d->pools, target - pool_sim_time(d->pools));
}

static void set_queues(struct builder *b, const struct demo *d)
{
	for (uint32_t i = 0; i < QUEUES; i++) {
		const struct pool_sim_state *q = pool_sim_queue(d->pools, i);
		const char *past[PAST_SAMPLES];

		for (uint32_t k = 0; k < PAST_SAMPLES; k++)
			past[k] = d->past[i][k];
		builder_list(b, F_QUEUE_PAST, i, past, PAST_SAMPLES);
		builder_u32(b, F_QUEUE_RUNNING, i, q->used);
		builder_u32(b, F_QUEUE_PENDING, i, q->waiting);
		if (builder_get_text(b, F_QUEUE_POOL, i))
			builder_f64(b, F_QUEUE_ACCUMULATED, i, q->accumulated);
	}
}

static void set_hosts(struct builder *b, const struct demo *d)
{
	for (uint32_t i = 0; i < d->host_count; i++) {
		const double *used = d->hosts[i].used, all = d->hosts[i].room[CPU];

		builder_str(b, F_HOST_STATE, i, all == 0 ? "DOWN" : used[CPU] == 0 ? "IDLE" :
			    used[CPU] == all ? "ALLOCATED" : "MIXED");
		builder_str(b, F_HOST_REASON, i, all == 0 ? "Not responding" : NULL);
		builder_u32(b, F_HOST_CPUS_USED, i, (uint32_t)used[CPU]);
		set_amounts(b, F_HOST_TRES_USED, i, used, 1);
	}
}

static void set_loads(struct builder *b, const struct demo *d)
{
	for (uint32_t i = 0; i < builder_rows(b, TABLE_ASSOC); i++) {
		struct tres_item left = { CPU, life_run_seconds(d, i) };

		builder_u32(b, F_ASSOC_USED_JOBS, i, d->loads[i].jobs);
		builder_u32(b, F_ASSOC_USED_SUBMIT, i, d->loads[i].submitted);
		set_amounts(b, F_ASSOC_USED_TRES, i, d->loads[i].amounts, 1);
		builder_tres(b, F_ASSOC_USED_TRES_RUN_SECS, i, &left, left.count > 0);
	}
}

struct cluster *demo_picture(const struct demo *d, struct err *err)
{
	struct builder *b;

	overlay_meta(d->live)->time = d->now;
	overlay_meta(d->live)->last_decay = d->last_pass;
	b = cluster_copy(d->people);
	builder_u32(b, F_LICENSE_USED, 0, d->licenses_used);
	set_hosts(b, d);
	set_loads(b, d);
	add_jobs(b, d);
	set_queues(b, d);
	return builder_seal(b, err);
}
