/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A state as a sealed cluster. Accounts carry no usage of their own: it is summed from the users'.
 */
#include "adapters/demo/state.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/unknown.h"

#define FIRST_UID 10000

/* Rows of the TRES table, in this order. */
enum { TRES_CPU, TRES_MEM, TRES_NODE, TRES_BILLING, TRES_GPU, TRES_MATLAB, TRES_ROWS };

static const struct {
	const char *name;
	uint32_t id;
} tres_table[TRES_ROWS] = {
	[TRES_CPU] = { "cpu", 1 }, [TRES_MEM] = { "mem", 2 }, [TRES_NODE] = { "node", 4 },
	[TRES_BILLING] = { "billing", 5 }, [TRES_GPU] = { "gres/gpu", 1001 },
	[TRES_MATLAB] = { "license/matlab", 1002 },
};

static const char *const all_qos[QOS_COUNT] = { "normal", "high", "low" };

/* ---- amounts of TRES ------------------------------------------------------------------------ */

static uint32_t put_tres(struct tres_item *items, uint32_t n, uint32_t tres, double count)
{
	if (count == 0)
		return n;
	items[n].tres = tres;
	items[n].count = count;
	return n + 1;
}

static void set_tres(struct builder *b, enum field field, uint32_t row, double cpus, double memory,
		     double nodes, double gpus)
{
	struct tres_item items[4];
	uint32_t n = put_tres(items, 0, TRES_CPU, cpus);

	n = put_tres(items, n, TRES_MEM, memory);
	n = put_tres(items, n, TRES_NODE, nodes);
	n = put_tres(items, n, TRES_GPU, gpus);
	builder_tres(b, field, row, items, n);
}

/* ---- limits -------------------------------------------------------------------------------- */

static void add_load(struct builder *b, const struct demo *d, uint32_t row, const struct load *load)
{
	struct tres_item run = { .tres = TRES_CPU };
	int64_t seconds = load->cpu_ends - (int64_t)load->cpus * d->now;

	builder_u32(b, F_ASSOC_USED_JOBS, row, load->jobs);
	builder_u32(b, F_ASSOC_USED_SUBMIT, row, load->submitted);
	set_tres(b, F_ASSOC_USED_TRES, row, (double)load->cpus, (double)load->memory,
		 (double)load->hosts, (double)load->gpus);
	run.count = seconds > 0 ? (double)seconds : 0;
	builder_tres(b, F_ASSOC_USED_TRES_RUN_SECS, row, &run, run.count > 0);
}

static void add_limits(struct builder *b, const struct demo *d, uint32_t row,
		       const struct limit_info *limits)
{
	struct tres_item minutes = { .tres = TRES_CPU };

	if (!limits)
		return;
	if (limits->jobs > 0)
		builder_u32(b, F_ASSOC_GRP_JOBS, row, limits->jobs * d->scale);
	if (limits->cpus > 0 || limits->gpus > 0)
		set_tres(b, F_ASSOC_GRP_TRES, row, (double)limits->cpus * d->scale, 0, 0,
			 (double)limits->gpus * d->scale);
	if (limits->user_jobs > 0)
		builder_u32(b, F_ASSOC_MAX_JOBS, row, limits->user_jobs);
	minutes.count = limits->cpu_hours * 60.0 * d->scale;
	if (limits->cpu_hours > 0)
		builder_tres(b, F_ASSOC_GRP_TRES_RUN_MINS, row, &minutes, 1);
}

/* MaxJobs is passed down; the nearest account that has it counts. */
static void add_user_limits(struct builder *b, const struct demo *d, uint32_t row, uint32_t account)
{
	for (; account != NONE; account = d->accounts[account].parent) {
		const struct limit_info *limits = d->accounts[account].limits;

		if (limits && limits->user_jobs > 0) {
			builder_u32(b, F_ASSOC_MAX_JOBS, row, limits->user_jobs);
			return;
		}
	}
}

/* ---- associations -------------------------------------------------------------------------- */

static const char *account_name(const struct demo *d, uint32_t account)
{
	return account == NONE ? "root" : d->accounts[account].name;
}

static uint32_t add_root(struct builder *b)
{
	uint32_t row = builder_add(b, TABLE_ASSOC);

	builder_u32(b, F_ASSOC_ID, row, account_id(NONE));
	builder_str(b, F_ASSOC_ACCOUNT, row, "root");
	builder_u32(b, F_ASSOC_SHARES, row, 1);
	return row;
}

static uint32_t add_account(struct builder *b, const struct demo *d, uint32_t i)
{
	const struct account *a = &d->accounts[i];
	uint32_t row = builder_add(b, TABLE_ASSOC);

	builder_u32(b, F_ASSOC_ID, row, account_id(i));
	builder_u32(b, F_ASSOC_PARENT, row, account_id(a->parent));
	builder_str(b, F_ASSOC_ACCOUNT, row, a->name);
	builder_u32(b, F_ASSOC_SHARES, row, a->shares);
	return row;
}

static uint32_t add_assoc(struct builder *b, const struct demo *d, uint32_t i)
{
	const struct assoc *a = &d->assocs[i];
	uint32_t row = builder_add(b, TABLE_ASSOC);

	builder_u32(b, F_ASSOC_ID, row, assoc_id(d, i));
	builder_u32(b, F_ASSOC_PARENT, row, account_id(a->account));
	builder_str(b, F_ASSOC_ACCOUNT, row, account_name(d, a->account));
	builder_str(b, F_ASSOC_USER, row, d->users[a->user].name);
	if (a->partition != NONE)
		builder_str(b, F_ASSOC_PARTITION, row, partitions[a->partition].name);
	builder_u32(b, F_ASSOC_SHARES, row, a->shares);
	builder_f64(b, F_ASSOC_USAGE, row, a->usage);
	return row;
}

struct cluster *picture_tree(const struct demo *d)
{
	struct builder *b = builder_new();
	struct cluster *c;

	add_root(b);
	for (uint32_t i = 0; i < d->assoc_count; i++)
		add_assoc(b, d, i);
	for (uint32_t i = 0; i < d->options.accounts; i++)
		add_account(b, d, i);
	c = builder_seal(b, NULL);
	assert(c);
	return c;
}

/* As a scheduler lists siblings: users first, then accounts, each by name. */
static void add_tree(struct builder *b, const struct demo *d)
{
	add_load(b, d, add_root(b), &d->load);
	for (uint32_t i = 0; i < d->assoc_count; i++) {
		uint32_t index = d->assoc_order[i];
		const struct assoc *a = &d->assocs[index];
		uint32_t row = add_assoc(b, d, index);

		builder_u32(b, F_ASSOC_UID, row, FIRST_UID + a->user);
		builder_bool(b, F_ASSOC_DEFAULT, row,
			     a->partition == NONE && d->users[a->user].account == a->account);
		builder_str(b, F_ASSOC_DEFAULT_QOS, row, "normal");
		builder_list(b, F_ASSOC_QOS, row, all_qos, QOS_COUNT);
		add_load(b, d, row, &a->load);
		add_user_limits(b, d, row, a->account);
	}
	for (uint32_t i = 0; i < d->options.accounts; i++) {
		const struct account *a = &d->accounts[d->account_order[i]];
		uint32_t row = add_account(b, d, d->account_order[i]);

		add_load(b, d, row, &a->load);
		add_limits(b, d, row, a->limits);
	}
}

static void add_users(struct builder *b, const struct demo *d)
{
	for (uint32_t i = 0; i < d->options.users; i++) {
		uint32_t row = builder_add(b, TABLE_USER);

		builder_str(b, F_USER_NAME, row, d->users[i].name);
		builder_u32(b, F_USER_UID, row, FIRST_UID + i);
		builder_str(b, F_USER_DEFAULT_ACCOUNT, row, account_name(d, d->users[i].account));
		builder_str(b, F_USER_ADMIN, row, i == 0 ? "Administrator" : "None");
	}
}

/* ---- hardware ------------------------------------------------------------------------------ */

static void host_name(const struct host *h, char *buf, size_t size)
{
	snprintf(buf, size, "%c%03u", partitions[h->partition].letter, (unsigned)h->number);
}

static void add_hosts(struct builder *b, const struct demo *d)
{
	for (uint32_t i = 0; i < d->host_count; i++) {
		const struct host *h = &d->hosts[i];
		const struct partition_info *p = &partitions[h->partition];
		const char *in[2] = { p->name, partitions[PART_DEBUG].name };
		bool debug = h->partition == PART_BATCH && h->number <= DEBUG_HOSTS;
		uint32_t row = builder_add(b, TABLE_HOST);
		char name[16];

		host_name(h, name, sizeof(name));
		builder_str(b, F_HOST_NAME, row, name);
		builder_str(b, F_HOST_STATE, row, h->down ? "DOWN" : h->cpus_used == 0 ? "IDLE" :
			    h->cpus_used == p->cpus ? "ALLOCATED" : "MIXED");
		builder_u32(b, F_HOST_CPUS, row, p->cpus);
		builder_u32(b, F_HOST_CPUS_USED, row, h->cpus_used);
		builder_f64(b, F_HOST_MEMORY, row, p->memory);
		if (demo_host_slots(h))
			builder_u32(b, F_HOST_SLOTS, row, demo_host_slots(h));
		set_tres(b, F_HOST_TRES, row, p->cpus, p->memory, 1, p->gpus);
		set_tres(b, F_HOST_TRES_USED, row, h->cpus_used, h->memory_used, 0, h->gpus_used);
		builder_list(b, F_HOST_PARTITIONS, row, in, debug ? 2 : 1);
		if (h->down)
			builder_str(b, F_HOST_REASON, row, "Not responding");
	}
}

static void partition_host_list(const struct demo *d, uint32_t p, char *buf, size_t size)
{
	snprintf(buf, size, "%c[001-%03u]", partitions[p].letter, (unsigned)d->host_total[p]);
}

static void add_partitions(struct builder *b, const struct demo *d)
{
	for (uint32_t p = 0; p < PARTITIONS; p++) {
		const struct partition_info *info = &partitions[p];
		uint32_t row = builder_add(b, TABLE_PARTITION), n = d->host_total[p];
		char list[40];

		partition_host_list(d, p, list, sizeof(list));
		builder_str(b, F_PARTITION_NAME, row, info->name);
		builder_str(b, F_PARTITION_STATE, row, "UP");
		builder_u32(b, F_PARTITION_JOB_FACTOR, row, info->job_factor);
		builder_u32(b, F_PARTITION_TIER, row, info->tier);
		builder_u32(b, F_PARTITION_NODES, row, n);
		builder_u32(b, F_PARTITION_CPUS, row, n * info->cpus);
		builder_str(b, F_PARTITION_NODE_LIST, row, list);
		builder_i64(b, F_PARTITION_MAX_TIME, row, info->max_time);
		builder_i64(b, F_PARTITION_DEFAULT_TIME, row, info->default_time);
		builder_u32(b, F_PARTITION_MIN_NODES, row, 1);
		builder_u32(b, F_PARTITION_MAX_NODES, row, U32_INFINITE);
		set_tres(b, F_PARTITION_TRES, row, (double)n * info->cpus, (double)n * info->memory,
			 n, (double)n * info->gpus);
		builder_str(b, F_PARTITION_BILLING_WEIGHTS, row, info->billing_weights);
	}
}

static void add_tres(struct builder *b, const struct demo *d)
{
	double total[TRES_ROWS] = { 0 };

	for (uint32_t p = 0; p < PART_DEBUG; p++) {
		double n = d->host_total[p];

		total[TRES_CPU] += n * partitions[p].cpus;
		total[TRES_MEM] += n * partitions[p].memory;
		total[TRES_NODE] += n;
		total[TRES_GPU] += n * partitions[p].gpus;
	}
	total[TRES_BILLING] = total[TRES_CPU];
	total[TRES_MATLAB] = MATLAB_LICENSES;
	for (uint32_t i = 0; i < TRES_ROWS; i++) {
		uint32_t row = builder_tres_row(b, tres_table[i].name, strlen(tres_table[i].name));

		builder_u32(b, F_TRES_ID, row, tres_table[i].id);
		builder_f64(b, F_TRES_COUNT, row, total[i]);
	}
}

static void add_qos(struct builder *b)
{
	for (uint32_t i = 0; i < QOS_COUNT; i++) {
		uint32_t row = builder_add(b, TABLE_QOS);

		builder_str(b, F_QOS_NAME, row, qos_table[i].name);
		builder_u32(b, F_QOS_ID, row, i + 1);
		builder_u32(b, F_QOS_PRIORITY, row, qos_table[i].priority);
		builder_f64(b, F_QOS_USAGE_FACTOR, row, qos_table[i].usage_factor);
	}
}

static void add_reservations(struct builder *b, const struct demo *d)
{
	static const char *const maintenance[] = { "MAINT", "IGNORE_JOBS" };
	static const char *const users[] = { "root" }, *const accounts[] = { "training" };
	int64_t day = d->start - d->start % 86400;
	uint32_t row = builder_add(b, TABLE_RESERVATION);
	char list[40];

	partition_host_list(d, PART_BATCH, list, sizeof(list));
	builder_str(b, F_RESERVATION_NAME, row, "maintenance");
	builder_i64(b, F_RESERVATION_START, row, day + 5 * 86400 + 6 * 3600);
	builder_i64(b, F_RESERVATION_END, row, day + 5 * 86400 + 18 * 3600);
	builder_list(b, F_RESERVATION_FLAGS, row, maintenance, 2);
	builder_list(b, F_RESERVATION_USERS, row, users, 1);
	builder_str(b, F_RESERVATION_NODE_LIST, row, list);
	builder_u32(b, F_RESERVATION_NODES, row, d->host_total[PART_BATCH]);
	builder_u32(b, F_RESERVATION_CPUS, row,
		    d->host_total[PART_BATCH] * partitions[PART_BATCH].cpus);

	row = builder_add(b, TABLE_RESERVATION);
	builder_str(b, F_RESERVATION_NAME, row, "course");
	builder_i64(b, F_RESERVATION_START, row, day + 13 * 3600);
	builder_i64(b, F_RESERVATION_END, row, day + 17 * 3600);
	builder_list(b, F_RESERVATION_FLAGS, row, NULL, 0);
	builder_list(b, F_RESERVATION_ACCOUNTS, row, accounts, 1);
	builder_str(b, F_RESERVATION_PARTITION, row, "debug");
	builder_str(b, F_RESERVATION_NODE_LIST, row, "c[001-002]");
	builder_u32(b, F_RESERVATION_NODES, row, 2);
	builder_u32(b, F_RESERVATION_CPUS, row, 2 * partitions[PART_DEBUG].cpus);
}

static void add_licenses(struct builder *b, const struct demo *d)
{
	uint32_t row = builder_add(b, TABLE_LICENSE);

	builder_str(b, F_LICENSE_NAME, row, "matlab");
	builder_u32(b, F_LICENSE_TOTAL, row, MATLAB_LICENSES);
	builder_u32(b, F_LICENSE_USED, row, d->licenses_used);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

/* "c001", "c[001-004,007]": the notation of the scheduler; hosts of one partition, ascending. */
static void job_host_list(const struct demo *d, const struct job *job, char *buf, size_t size)
{
	const struct host *h = &d->hosts[job->placed[0]];
	size_t used;

	if (job->hosts == 1) {
		host_name(h, buf, size);
		return;
	}
	used = (size_t)snprintf(buf, size, "%c[", partitions[h->partition].letter);
	for (uint32_t i = 0; i < job->hosts;) {
		uint32_t last = i;

		while (last + 1 < job->hosts && job->placed[last + 1] == job->placed[last] + 1)
			last++;
		used += (size_t)snprintf(buf + used, size - used,
					 i == last ? "%s%03u" : "%s%03u-%03u", i > 0 ? "," : "",
					 (unsigned)d->hosts[job->placed[i]].number,
					 (unsigned)d->hosts[job->placed[last]].number);
		i = last + 1;
	}
	snprintf(buf + used, size - used, "]");
}

static void add_running(struct builder *b, const struct demo *d, const struct job *job,
			uint32_t row)
{
	char list[16 * HOSTS_MAX];

	job_host_list(d, job, list, sizeof(list));
	builder_str(b, F_JOB_STATE, row, "RUNNING");
	builder_str(b, F_JOB_REASON, row, "None");
	builder_i64(b, F_JOB_START, row, job->start);
	builder_i64(b, F_JOB_END, row, job->start + job->limit);
	builder_str(b, F_JOB_NODE_LIST, row, list);
	set_tres(b, F_JOB_TRES_ALLOC, row, (double)job->hosts * job->cpus,
		 (double)job->hosts * job->memory, job->hosts, (double)job->hosts * job->gpus);
}

static void add_pending(struct builder *b, const struct job *job, uint32_t row)
{
	char text[40];

	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_str(b, F_JOB_REASON, row, job->reason);
	if (job->depends != 0) {
		snprintf(text, sizeof(text), "afterany:%u(unfulfilled)", (unsigned)job->depends);
		builder_str(b, F_JOB_DEPENDENCY, row, text);
		return;
	}
	builder_i64(b, F_JOB_ELIGIBLE, row, job->eligible);
	if (!job->held)
		builder_i64(b, F_JOB_ACCRUE, row, job->eligible);
}

static uint32_t add_job(struct builder *b, const struct demo *d, const struct job *job)
{
	const struct assoc *a = &d->assocs[job->assoc];
	uint32_t row = builder_add(b, TABLE_JOB);
	char text[40];

	builder_u32(b, F_JOB_ID, row, job->id);
	builder_str(b, F_JOB_NAME, row, demo_job_name(job->array != 0 ? job->array : job->id));
	builder_str(b, F_JOB_USER, row, d->users[a->user].name);
	builder_u32(b, F_JOB_UID, row, FIRST_UID + a->user);
	builder_str(b, F_JOB_ACCOUNT, row, account_name(d, a->account));
	builder_u32(b, F_JOB_ASSOC, row, assoc_id(d, job->assoc));
	builder_str(b, F_JOB_PARTITION, row, partitions[job->partition].name);
	builder_str(b, F_JOB_QOS, row, qos_table[job->qos].name);
	if (job->licenses > 0) {
		snprintf(text, sizeof(text), "matlab:%u", (unsigned)job->licenses);
		builder_str(b, F_JOB_LICENSES, row, text);
	}
	builder_u32(b, F_JOB_NODES, row, job->hosts);
	builder_u32(b, F_JOB_MIN_NODES, row, job->hosts);
	builder_u32(b, F_JOB_CPUS, row, job->hosts * job->cpus);
	set_tres(b, F_JOB_TRES, row, (double)job->hosts * job->cpus,
		 (double)job->hosts * job->memory, job->hosts, (double)job->hosts * job->gpus);
	builder_f64(b, F_JOB_BILLING, row, job->billing);
	builder_i64(b, F_JOB_TIME_LIMIT, row, job->limit);
	builder_i64(b, F_JOB_SUBMIT, row, job->submit);
	/* 0 is held; who has just come has none yet. */
	if (job->priority != 0 || job->held)
		builder_u32(b, F_JOB_PRIORITY, row, job->priority);
	builder_i64(b, F_JOB_NICE, row, job->nice);
	if (job->state == WORKING)
		add_running(b, d, job, row);
	else
		add_pending(b, job, row);
	return row;
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void set_parameter(struct policy *p, const char *name, const char *text)
{
	bool ok = policy_set_text(p, policy_param_by_name(name, strlen(name)), text, NULL);

	assert(ok);
	(void)ok;
}

static void set_weight(struct policy *p, const char *name, uint32_t weight)
{
	policy_set_number(p, policy_param_by_name(name, strlen(name)), weight);
}

static void set_policy(struct policy *p)
{
	set_parameter(p, "PriorityType", "priority/multifactor");
	set_parameter(p, "PriorityFlags", "DEPTH_OBLIVIOUS");
	set_weight(p, "PriorityDecayHalfLife", HALF_LIFE);
	set_weight(p, "PriorityCalcPeriod", CALC_PERIOD);
	set_weight(p, "PriorityMaxAge", MAX_AGE);
	set_parameter(p, "PriorityUsageResetPeriod", "NONE");
	set_parameter(p, "PriorityFavorSmall", "NO");
	set_weight(p, "FairShareDampeningFactor", 1);
	set_weight(p, "PriorityWeightAge", WEIGHT_AGE);
	set_weight(p, "PriorityWeightFairshare", WEIGHT_FAIRSHARE);
	set_weight(p, "PriorityWeightJobSize", WEIGHT_JOBSIZE);
	set_weight(p, "PriorityWeightPartition", WEIGHT_PARTITION);
	set_weight(p, "PriorityWeightQOS", WEIGHT_QOS);
	set_parameter(p, "AccountingStorageType", "accounting_storage/slurmdbd");
	set_parameter(p, "AccountingStorageEnforce", "associations,limits,qos");
	set_parameter(p, "AccountingStorageTRES", "gres/gpu,license/matlab");
}

/* What surrounds the associations and the jobs. */
static void add_surroundings(struct builder *b, const struct demo *d)
{
	builder_meta(b, &(struct cluster_meta){
		.kind = "demo", .name = "demo", .zone = "UTC", .time = d->now,
		.last_decay = d->last_pass, .boot = d->start - 12 * 86400,
		.last_reset = I64_UNKNOWN });
	set_policy(builder_policy(b));
	add_tres(b, d);
	add_qos(b);
	add_partitions(b, d);
	add_hosts(b, d);
	add_reservations(b, d);
	add_licenses(b, d);
}

/* As a scheduler has them: what waits of an array is one job with its id. */
static void add_array(struct builder *b, const struct demo *d, const struct block *block)
{
	uint32_t next = array_next(d, block), row;
	char tasks[32];

	if (next != NONE) {
		struct job job = d->jobs[next];

		job.id = job.array;
		row = add_job(b, d, &job);
		array_waiting(d, block, tasks, sizeof(tasks));
		builder_u32(b, F_JOB_ARRAY, row, job.array);
		builder_str(b, F_JOB_TASKS, row, tasks);
	}
	for (uint32_t k = 0; k < block->count; k++) {
		const struct job *job = &d->jobs[block->first + k];

		if (job->state != WORKING)
			continue;
		row = add_job(b, d, job);
		builder_u32(b, F_JOB_ARRAY, row, job->array);
		builder_u32(b, F_JOB_TASK, row, job->task);
	}
}

static void add_jobs(struct builder *b, const struct demo *d)
{
	for (uint32_t i = 0; i < d->job_count; i++) {
		const struct block *block = array_of(d, i);

		if (!block)
			add_job(b, d, &d->jobs[i]);
		else if (i == block->first)
			add_array(b, d, block);
	}
}

struct cluster *demo_picture(const struct demo *d, struct err *err)
{
	struct builder *b = builder_new();

	add_surroundings(b, d);
	add_users(b, d);
	add_tree(b, d);
	add_jobs(b, d);
	demo_pools_picture(b, d);
	return builder_seal(b, err);
}

struct cluster *picture_queue(const struct demo *d)
{
	struct builder *b = builder_new();
	bool *added = mem_zalloc(d->assoc_count, sizeof(*added));
	struct cluster *c;

	add_surroundings(b, d);
	add_root(b);
	for (uint32_t i = 0; i < d->job_count; i++) {
		uint32_t assoc = d->jobs[i].assoc;

		if (!added[assoc])
			builder_u32(b, F_ASSOC_PARENT, add_assoc(b, d, assoc), account_id(NONE));
		added[assoc] = true;
	}
	for (uint32_t i = 0; i < d->job_count; i++) {
		uint32_t row = add_job(b, d, &d->jobs[i]);

		if (d->jobs[i].state == OVER)
			builder_str(b, F_JOB_STATE, row, "COMPLETED");
	}
	mem_free(added);
	c = builder_seal(b, NULL);
	assert(c);
	return c;
}
