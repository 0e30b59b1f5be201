/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time passes, in cycles, whoever asks how often. Charging and decay follow the scheduler's own
 * order: usage is decayed first, then each job's slice since the last pass is added, and what ends
 * between two passes is charged at once. Who comes next is the engine's business: the demo asks it
 * as any view does.
 */
#include "adapters/demo/state.h"

#include <string.h>

#include "core/decay.h"
#include "core/fairshare.h"
#include "core/mem.h"
#include "core/priority.h"
#include "core/queue_order.h"

static bool fits(const struct host *h, const struct job *job)
{
	for (uint32_t t = 0; t < AMOUNTS; t++)
		if (t != NODE && h->used[t] + job->need[t] > h->room[t])
			return false;
	return true;
}

static void use_hosts(struct demo *d, const struct job *job, int times)
{
	for (uint32_t i = 0; i < job->hosts; i++)
		for (uint32_t t = 0; t < AMOUNTS; t++)
			d->hosts[job->placed[i]].used[t] += t == NODE ? 0 : job->need[t] * times;
	d->licenses_used += job->licenses * (uint32_t)times;
}

const char *life_place(struct demo *d, struct job *job)
{
	uint32_t host = d->first_host[job->partition], found = 0;
	uint32_t end = host + cluster_u32(d->site, F_PARTITION_NODES, job->partition);

	if (d->licenses_used + job->licenses > cluster_u32(d->site, F_LICENSE_TOTAL, 0))
		return "Licenses";
	for (; host < end && found < job->hosts; host++)
		if (fits(&d->hosts[host], job))
			job->placed[found++] = host;
	if (found < job->hosts)
		return "Resources";
	use_hosts(d, job, 1);
	return NULL;
}

void life_run(struct demo *d, struct job *job, int64_t start)
{
	job->state = WORKING;
	job->start = start;
	job->charged = d->now;
	life_tally(d, job, 1, 0);
}

void life_tally(struct demo *d, const struct job *job, int running, int submitted)
{
	double times = (double)running * job->hosts;

	for (uint32_t row = job->assoc; row != ROW_NONE; row = cluster_parent(d->people)[row]) {
		struct load *load = &d->loads[row];

		load->jobs += (uint32_t)running;
		load->submitted += (uint32_t)submitted;
		for (uint32_t t = 0; t < AMOUNTS; t++)
			load->amounts[t] += times * job->need[t];
		load->cpu_ends += times * job->need[CPU] * (double)(job->start + job->limit);
	}
}

double life_run_seconds(const struct demo *d, uint32_t row)
{
	const struct load *load = &d->loads[row];
	double seconds = load->cpu_ends - load->amounts[CPU] * (double)d->now;

	return seconds > 0 ? seconds : 0;
}

static const char *row_refuses(const struct demo *d, uint32_t row, const struct job *job)
{
	struct tres_list most = cluster_tres(d->people, F_ASSOC_GRP_TRES, row);
	struct tres_list minutes = cluster_tres(d->people, F_ASSOC_GRP_TRES_RUN_MINS, row);
	double seconds = job->need[CPU] * job->hosts * (double)job->limit;

	if (d->loads[row].jobs >= cluster_u32(d->people, F_ASSOC_GRP_JOBS, row))
		return "AssocGrpJobsLimit";
	for (const struct tres_item *t = most.items; t < most.items + most.count; t++)
		if (job->need[t->tres] > 0 && d->loads[row].amounts[t->tres] +
		    job->need[t->tres] * job->hosts > t->count)
			return t->tres == CPU ? "AssocGrpCpuLimit" : "AssocGrpGRES";
	if (minutes.count > 0 && life_run_seconds(d, row) + seconds > minutes.items->count * 60)
		return "AssocGrpCPURunMinutesLimit";
	return NULL;
}

const char *life_refuses(const struct demo *d, uint32_t slot)
{
	const struct block *block = d->jobs[slot].block;
	uint32_t row = d->jobs[slot].assoc;
	const char *reason = NULL;

	if (jobs_count(d, block, WORKING) >= block->at_once)
		return "JobArrayTaskLimit";
	if (d->loads[row].jobs >= cluster_u32(d->people, F_ASSOC_MAX_JOBS, row))
		return "AssocMaxJobsLimit";
	for (; row != ROW_NONE && !reason; row = cluster_parent(d->people)[row])
		reason = row_refuses(d, row, &d->jobs[slot]);
	return reason;
}

static void charge(struct demo *d, struct job *job, int64_t until)
{
	const struct policy *policy = cluster_policy(d->site);
	double factor = cluster_f64(d->site, F_QOS_USAGE_FACTOR, job->qos);

	d->usage[job->assoc] += decay_charge(policy->half_life, until - job->charged, job->billing,
					     factor);
	job->charged = until;
}

/* The accounts' usage from their users'. */
static void sum_usage(struct demo *d)
{
	uint32_t n = cluster_rows(d->people, TABLE_ASSOC);

	for (uint32_t i = 0; i < n; i++)
		d->usage[i] = cluster_is_user(d->people, i) ? d->usage[i] : 0;
	for (uint32_t i = n; i-- > 1;)
		d->usage[cluster_parent(d->people)[i]] += d->usage[i];
}

static void rate(struct demo *d)
{
	struct fs_tree *tree = fs_tree_new(d->people, FS_ORDER_LIST);
	struct fs_result *result = fs_result_new(fs_algos[FS_DEPTH_OBLIVIOUS], tree);

	sum_usage(d);
	fs_compute(fs_algos[FS_DEPTH_OBLIVIOUS],
		   &(struct fs_input){ d->people, tree, FS_BASE_USAGE, 1.0 }, result);
	memcpy(d->fairshare, result->fairshare, result->n * sizeof(*d->fairshare));
	fs_result_free(result);
	fs_tree_free(tree);
}

static void decay_pass(struct demo *d)
{
	double left = decay_over(cluster_policy(d->site)->half_life, d->now - d->last_pass);

	for (uint32_t i = 0; i < d->assoc_count; i++)
		d->usage[d->assocs[i].row] *= left;
	for (uint32_t i = 0; i < d->job_count; i++)
		if (d->jobs[i].state == WORKING)
			charge(d, &d->jobs[i], d->now);
	d->last_pass = d->now;
	rate(d);
}

/* Priorities, and who may start in which order: COUNT slots in *ORDER, to be freed. */
static uint32_t rank(struct demo *d, uint32_t **order)
{
	struct cluster *c = picture_queue(d);
	struct job_index *index = job_index_new(c);
	struct prio_input in = { index, cluster_policy(c), d->fairshare, d->last_pass };
	struct preempt *preempt = preempt_new(c, in.policy);
	struct prio_result *prio;
	struct queue_order *queue;
	uint32_t count;

	for (uint32_t e = 0; e < index->n; e++)
		index->assoc[e] = d->jobs[index->job[e]].assoc;	/* row of F */
	prio = prio_run(&in);
	queue = queue_order_new(index, in.policy, preempt, prio->priority);
	count = queue->count;
	*order = mem_alloc(count, sizeof(**order));
	for (uint32_t i = 0; i < count; i++)
		(*order)[i] = index->job[queue->order[i]];
	for (uint32_t e = 0; e < index->n; e++)
		if (index->kind[e] != JOB_RUNNING)
			d->jobs[index->job[e]].priority = prio->priority[e];
	queue_order_free(queue);
	prio_result_free(prio);
	preempt_free(preempt);
	job_index_free(index);
	cluster_free(c);
	return count;
}

/*
 * In the engine's order; who has reached a limit is passed by, but in a partition nobody overtakes
 * the first one that finds no room. Of an array it is the next task that starts.
 */
static void start_jobs(struct demo *d)
{
	bool blocked[PARTITIONS] = { false };
	uint32_t *order, count;

	for (struct job *job = d->jobs; job < d->jobs + d->job_count; job++) {
		if (job->depends != 0 && d->jobs[job->depends_slot].id != job->depends) {
			job->depends = 0;
			job->eligible = d->now;
		}
		job->reason = job->held ? "JobHeldUser" : job->depends != 0 ? "Dependency" :
			"Priority";
	}
	count = rank(d, &order);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t slot = jobs_next(d, d->jobs[order[i]].block);
		struct job *job = &d->jobs[slot];
		const char *limit = life_refuses(d, slot), *reason = limit;

		if (!limit && blocked[job->partition])
			continue;
		if (!limit)
			reason = life_place(d, job);
		if (!reason) {
			life_run(d, job, d->now);
			continue;
		}
		job->reason = reason;
		blocked[job->partition] |= !limit;
	}
	mem_free(order);
}

/* For each job that ends another is submitted; for an array when all of it is over. */
static void end_jobs(struct demo *d)
{
	for (uint32_t i = 0; i < d->job_count; i++) {
		struct job *job = &d->jobs[i];
		const struct block *block = job->block;

		if (job->state != WORKING || job->start + job->runtime > d->now)
			continue;
		charge(d, job, job->start + job->runtime);
		use_hosts(d, job, -1);
		life_tally(d, job, -1, -1);
		job->state = OVER;
		if (jobs_count(d, block, OVER) < block->count)
			continue;
		for (uint32_t k = 0; k < block->count; k++)
			jobs_submit(d, &d->arrivals, block->first + k, d->now);
	}
}

/* What runs already had a priority when it waited: as if it still did. */
void life_begin(struct demo *d)
{
	uint32_t *order;

	rate(d);
	for (uint32_t i = 0; i < d->job_count; i++)
		d->jobs[i].state = WAITING;
	rank(d, &order);
	mem_free(order);
	for (uint32_t i = 0; i < d->job_count; i++)
		d->jobs[i].state = d->jobs[i].start != 0 ? WORKING : WAITING;
	start_jobs(d);
}

void demo_advance(struct demo *d, int64_t seconds)
{
	int64_t target = d->now + seconds;

	while (d->now + DEMO_CYCLE <= target) {
		d->now += DEMO_CYCLE;
		end_jobs(d);
		if (d->now - d->last_pass >= cluster_policy(d->site)->calc_period)
			decay_pass(d);
		start_jobs(d);
	}
	sum_usage(d);
	pools_advance(d);
}
