/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job priority: the worked cases of the kinds "priority", the examples of the multifactor document
 * by name, and rules that the order of the queue obeys. The order of additions and the truncation
 * are the scheduler's, so priorities are compared as integers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/queue/priority.h"
#include "core/queue/queue_order.h"
#include "tests/support/worked.h"

/* ---- small clusters for the cases ---------------------------------------------------------- */

struct lab {
	struct builder *b;
	struct cluster *c;
	struct job_index *x;
	struct policy policy;
	struct prio_input in;
	struct prio_result *r;
	struct preempt *preempt;
	struct queue_order *q;
	double fairshare[64];
};

static void set(struct lab *lab, const char *name, const char *value)
{
	struct err err = { 0 };

	if (!policy_set_text(&lab->policy, policy_param(name), value, &err))
		fail_msg("%s", err.message);
}

static void set_number(struct lab *lab, const char *name, uint32_t value)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%lu", (unsigned long)value);
	set(lab, name, text);
}

static struct lab *lab_new(void)
{
	struct lab *lab = mem_zalloc(1, sizeof(*lab));

	lab->b = builder_new();
	policy_init(&lab->policy);
	return lab;
}

static void lab_hosts(struct lab *lab, uint32_t nodes, uint32_t cpus)
{
	for (uint32_t i = 0; i < nodes; i++) {
		uint32_t row = builder_add(lab->b, TABLE_HOST);

		builder_u32(lab->b, F_HOST_CPUS, row, cpus / nodes);
	}
}

static void lab_partition(struct lab *lab, const char *name, uint32_t factor, uint32_t tier)
{
	uint32_t row = builder_add(lab->b, TABLE_PARTITION);

	builder_str(lab->b, F_PARTITION_NAME, row, name);
	builder_u32(lab->b, F_PARTITION_JOB_FACTOR, row, factor);
	builder_u32(lab->b, F_PARTITION_TIER, row, tier);
}

static void lab_qos(struct lab *lab, const char *name, uint32_t priority, const char *preempt)
{
	uint32_t row = builder_add(lab->b, TABLE_QOS);

	builder_str(lab->b, F_QOS_NAME, row, name);
	builder_u32(lab->b, F_QOS_PRIORITY, row, priority);
	if (preempt)
		builder_list(lab->b, F_QOS_PREEMPT, row, &preempt, 1);
}

static uint32_t lab_job(struct lab *lab, uint32_t id, const char *partition, const char *qos)
{
	uint32_t row = builder_add(lab->b, TABLE_JOB);

	builder_u32(lab->b, F_JOB_ID, row, id);
	builder_str(lab->b, F_JOB_STATE, row, "PENDING");
	builder_str(lab->b, F_JOB_PARTITION, row, partition);
	builder_str(lab->b, F_JOB_QOS, row, qos);
	builder_u32(lab->b, F_JOB_PRIORITY, row, 1);
	builder_i64(lab->b, F_JOB_SUBMIT, row, 1000);
	builder_i64(lab->b, F_JOB_NICE, row, 0);
	builder_i64(lab->b, F_JOB_SITE, row, 0);
	return row;
}

static void lab_run(struct lab *lab, int64_t now)
{
	struct err err = { 0 };

	if (!lab->c)
		lab->c = builder_seal(lab->b, &err);
	if (!lab->c)
		fail_msg("%s", err.message);
	if (!lab->x)
		lab->x = job_index_new(lab->c);
	prio_result_free(lab->r);
	lab->in = (struct prio_input){ lab->x, &lab->policy, lab->fairshare, now };
	lab->r = prio_run(&lab->in);
}

static void run_with(struct lab *lab, const char *name, const char *value)
{
	set(lab, name, value);
	lab_run(lab, 2000);
}

static void lab_free(struct lab *lab)
{
	queue_order_free(lab->q);
	preempt_free(lab->preempt);
	prio_result_free(lab->r);
	job_index_free(lab->x);
	cluster_free(lab->c);
	mem_free(lab);
}

static int lab_close(void **state)
{
	lab_free(*state);
	return 0;
}

/* ---- worked cases -------------------------------------------------------------------------- */

static double number(json_t *o, const char *key, double otherwise)
{
	json_t *v = json_object_get(o, key);

	return v ? json_number_value(v) : otherwise;
}

static uint32_t whole(json_t *o, const char *key, uint32_t otherwise)
{
	return (uint32_t)number(o, key, otherwise);
}

static uint32_t tres_items(struct lab *lab, json_t *o, struct tres_item *items)
{
	const char *name;
	json_t *v;
	uint32_t n = 0;

	json_object_foreach(o, name, v)
	{
		items[n].tres = builder_tres_row(lab->b, name, strlen(name));
		items[n++].count = json_number_value(v);
	}
	return n;
}

static void case_policy(struct lab *lab, json_t *config)
{
	static const char *const keys[][2] = {
		{ "age", "PriorityWeightAge" }, { "assoc", "PriorityWeightAssoc" },
		{ "fs", "PriorityWeightFairshare" }, { "js", "PriorityWeightJobSize" },
		{ "part", "PriorityWeightPartition" }, { "qos", "PriorityWeightQOS" },
	};
	json_t *flags = json_object_get(config, "flags"), *flag,
	       *tres = json_object_get(config, "tres");
	char all[256] = "";
	size_t i;

	for (i = 0; i < 6; i++)
		set_number(lab, keys[i][1],
			   whole(json_object_get(config, "weights"), keys[i][0], 0));
	lab->policy.max_age = (int64_t)number(config, "max_age", 604800);
	lab->policy.favor_small = json_is_true(json_object_get(config, "favor_small"));
	if (tres)
		set(lab, "PriorityWeightTRES", json_string_value(tres));
	json_array_foreach(flags, i, flag)
	{
		strcat(all, json_string_value(flag));
		strcat(all, ",");
	}
	set(lab, "PriorityFlags", all);
}

static void case_partition(struct lab *lab, const char *name, json_t *o, json_t *from)
{
	struct tres_item items[16];
	uint32_t n = tres_items(lab, json_object_get(from, "part_tres"), items);

	lab_partition(lab, name, whole(o, "part_prio", 0), 1);
	builder_tres(lab->b, F_PARTITION_TRES, builder_rows(lab->b, TABLE_PARTITION) - 1, items, n);
}

static void case_job(struct lab *lab, json_t *job, bool several)
{
	struct tres_item items[16];
	uint32_t row = lab_job(lab, 1, several ? "p0,p1" : "p0", "q"), n;

	builder_u32(lab->b, F_JOB_ASSOC, row, 1);
	builder_i64(lab->b, F_JOB_ACCRUE, row, (int64_t)number(job, "accrue", 0));
	builder_u32(lab->b, F_JOB_MIN_NODES, row, whole(job, "min_nodes", 1));
	builder_u32(lab->b, F_JOB_CPUS, row, whole(job, "cpus", 0));
	builder_i64(lab->b, F_JOB_TIME_LIMIT, row, (int64_t)number(job, "time_limit", 0) * 60);
	builder_i64(lab->b, F_JOB_SITE, row, (int64_t)number(job, "site", 0));
	builder_i64(lab->b, F_JOB_NICE, row, (int64_t)number(job, "nice", 0));
	if (json_is_true(json_object_get(job, "held")))
		builder_u32(lab->b, F_JOB_PRIORITY, row, 0);
	n = tres_items(lab, json_object_get(job, "tres"), items);
	builder_tres(lab->b, F_JOB_TRES, row, items, n);
	if (json_object_get(job, "direct_prio")) {
		uint32_t p = builder_add(lab->b, TABLE_PRIO);

		builder_u32(lab->b, F_PRIO_JOB, p, 1);
		builder_u32(lab->b, F_PRIO_DIRECT, p, whole(job, "direct_prio", 0));
	}
}

/* The other rows only set the maxima of the case. */
static void case_cluster(struct lab *lab, json_t *cluster, json_t *job)
{
	json_t *parts = json_object_get(job, "partitions"), *part;
	char name[32];
	size_t i;
	uint32_t row = builder_add(lab->b, TABLE_ASSOC);

	builder_u32(lab->b, F_ASSOC_ID, row, 1);
	builder_str(lab->b, F_ASSOC_ACCOUNT, row, "root");
	builder_u32(lab->b, F_ASSOC_PRIORITY, row, whole(job, "assoc_prio", 0));
	row = builder_add(lab->b, TABLE_ASSOC);
	builder_u32(lab->b, F_ASSOC_ID, row, 2);
	builder_u32(lab->b, F_ASSOC_PARENT, row, 1);
	builder_str(lab->b, F_ASSOC_ACCOUNT, row, "top");
	builder_u32(lab->b, F_ASSOC_PRIORITY, row, whole(cluster, "max_assoc", 0));
	lab_hosts(lab, whole(cluster, "nodes", 1), whole(cluster, "cpus", 1));
	lab_qos(lab, "q", whole(job, "qos_prio", 0), NULL);
	lab_qos(lab, "top", whole(cluster, "max_qos", 0), NULL);
	json_array_foreach(parts, i, part)
	{
		(void)snprintf(name, sizeof(name), "p%zu", i);
		case_partition(lab, name, part, part);
	}
	if (json_array_size(parts) == 0)
		case_partition(lab, "p0", job, job);
	lab_partition(lab, "top", whole(cluster, "max_part", 1), 1);
	case_job(lab, job, json_array_size(parts) > 1);
}

static void near_to(double have, double want)
{
	if (fabs(have - want) > 1e-12 * (1 + fabs(want)))
		fail_msg("%.17g is not %.17g", have, want);
}

static void check_case(struct lab *lab, json_t *expect, bool several)
{
	static const char *const keys[PRIO_FACTORS] = { "age", "assoc", "fs", "js", "part", "qos" };
	json_t *factors = json_object_get(expect, "factors"), *per;
	json_t *weighted = json_object_get(expect, "weighted");
	size_t i;

	if (several) {
		json_array_foreach(json_object_get(expect, "per_partition"), i, per)
			assert_int_equal(lab->r->priority[i], json_integer_value(per));
		return;
	}
	assert_int_equal(lab->r->priority[0],
			 json_integer_value(json_object_get(expect, "priority")));
	for (unsigned f = 0; factors && f < PRIO_FACTORS; f++) {
		near_to(lab->r->factor[f] ? lab->r->factor[f][0] : 0, number(factors, keys[f], 0));
		near_to(prio_term(lab->r, (enum prio_factor)f, 0), number(weighted, keys[f], 0));
	}
	if (json_object_get(expect, "sum"))
		near_to(lab->r->sum[0], number(expect, "sum", 0));
}

/* Checks it as a job of one partition (its own), and with the list if there is one. */
static bool check_priority(const json_t *one)
{
	json_t *job = json_object_get(one, "job");
	struct lab *lab = lab_new();

	case_policy(lab, json_object_get(one, "config"));
	case_cluster(lab, json_object_get(one, "cluster"), job);
	lab->fairshare[0] = number(job, "fs", 0);
	lab_run(lab, (int64_t)number(job, "now", 0));
	check_case(lab, json_object_get(one, "expect"), json_object_get(job, "partitions") != NULL);
	lab_free(lab);
	return true;
}

static void test_worked_cases(void **state)
{
	(void)state;
	worked_hold("priority", 12, check_priority);
}

/* ---- examples of the multifactor document -------------------------------------------------- */

static void test_seed_partition_20_and_10(void **state)
{
	struct lab *lab = *state = lab_new();

	lab_partition(lab, "PartitionA", 20, 1);
	lab_partition(lab, "PartitionB", 10, 1);
	lab_job(lab, 1, "PartitionA", NULL);
	lab_job(lab, 2, "PartitionB", NULL);
	run_with(lab, "PriorityWeightPartition", "5000");
	assert_int_equal(lab->r->priority[0], 5000);
	assert_int_equal(lab->r->priority[1], 2500);
	run_with(lab, "PriorityFlags", "NO_NORMAL_PART");
	assert_int_equal(lab->r->priority[0], 100000);
	assert_int_equal(lab->r->priority[1], 50000);
}

static void test_seed_weight_too_small_to_tell_59534_from_50002(void **state)
{
	struct lab *lab = *state = lab_new();

	for (uint32_t i = 0; i < 3; i++) {
		uint32_t row = builder_add(lab->b, TABLE_ASSOC);

		builder_u32(lab->b, F_ASSOC_ID, row, i + 1);
		builder_str(lab->b, F_ASSOC_ACCOUNT, row, i == 0 ? "root" : "a");
		if (i > 0) {
			builder_u32(lab->b, F_ASSOC_PARENT, row, 1);
			builder_str(lab->b, F_ASSOC_USER, row, i == 1 ? "x" : "y");
			builder_u32(lab->b, F_JOB_ASSOC, lab_job(lab, i, "p", NULL), i + 1);
		}
	}
	lab->fairshare[1] = .59534;
	lab->fairshare[2] = .50002;
	run_with(lab, "PriorityWeightFairshare", "10");
	assert_int_equal(lab->r->priority[0], 5);
	assert_int_equal(lab->r->priority[1], 5);
	run_with(lab, "PriorityWeightFairshare", "10000");
	assert_int_equal(lab->r->priority[0], 5953);
	assert_int_equal(lab->r->priority[1], 5000);
}

/* ---- flags and special cases --------------------------------------------------------------- */

static void test_without_accounting_age_and_fair_share_count_nothing(void **state)
{
	struct lab *lab = *state = lab_new();

	lab_hosts(lab, 2, 8);
	builder_i64(lab->b, F_JOB_ACCRUE, lab_job(lab, 1, "p", NULL), 1000);
	builder_u32(lab->b, F_JOB_MIN_NODES, 0, 1);
	builder_u32(lab->b, F_JOB_CPUS, 0, 4);
	set(lab, "PriorityWeightAge", "1000");
	set(lab, "PriorityWeightJobSize", "100");
	lab->policy.max_age = 100;
	lab_run(lab, 2000);
	assert_int_equal(lab->r->priority[0], 1050);
	run_with(lab, "AccountingStorageType", "accounting_storage/none");
	assert_int_equal(lab->r->priority[0], 50);
}

/* Checks that entry 0's derivation has a step NAME of VALUE with WORDS in formula or note. */
static void says(struct lab *lab, const char *name, double value, const char *words)
{
	struct explain e;
	bool found = false;

	explain_init(&e);
	prio_explain(&lab->in, lab->r, 0, &e);
	for (size_t i = 0; i < e.count; i++) {
		const struct explain_step *s = &e.steps[i];

		found = found || (strcmp(s->name, name) == 0 && s->value == value &&
				  (strstr(s->note, words) || strstr(s->formula, words)));
	}
	explain_free(&e);
	if (!found)
		fail_msg("%s is not %g with \"%s\"", name, value, words);
}

/* The multifactor document, job 3: 16 CPUs, 60 GB; with all nodes, and with one. */
static void test_the_document_and_the_scheduler(void **state)
{
	struct lab *lab = *state = lab_new();
	struct tres_item items[2];
	uint32_t job;

	lab_hosts(lab, 4, 64);
	lab_partition(lab, "p", 1, 1);
	builder_str(lab->b, F_PARTITION_BILLING_WEIGHTS, 0, "CPU=1.0,Mem=0.25G");
	job = lab_job(lab, 1, "p", NULL);
	items[0] = (struct tres_item){ builder_tres_row(lab->b, "cpu", 3), 16 };
	items[1] = (struct tres_item){ builder_tres_row(lab->b, "mem", 3), 60 * 1024 };
	builder_tres(lab->b, F_JOB_TRES, job, items, 2);
	builder_u32(lab->b, F_JOB_CPUS, job, 16);
	builder_u32(lab->b, F_JOB_MIN_NODES, job, 4);
	run_with(lab, "PriorityWeightJobSize", "1000");
	says(lab, "jobsize", 0.625, "documented: all nodes give 1");
	says(lab, "bill", 31, "sum of count * weight");
	says(lab, "bill", 31, "reports only the weights");
	run_with(lab, "PriorityFlags", "MAX_TRES");
	says(lab, "bill", 16, "largest count * weight of cpu, mem, node and gres");
	run_with(lab, "PriorityFlags", "MAX_TRES_GRES");
	says(lab, "bill", 16, "largest count * weight of cpu, mem and node");
}

static void test_favor_small_of_one_node(void **state)
{
	struct lab *lab = *state = lab_new();
	uint32_t job;

	lab_hosts(lab, 4, 64);
	lab_partition(lab, "p", 1, 1);
	job = lab_job(lab, 1, "p", NULL);
	builder_u32(lab->b, F_JOB_CPUS, job, 16);
	builder_u32(lab->b, F_JOB_MIN_NODES, job, 1);
	set(lab, "PriorityWeightJobSize", "1000");
	run_with(lab, "PriorityFavorSmall", "YES");
	says(lab, "jobsize", 0.75, "documented: a job of one node gets 1");
}

/* Association priorities were not read: the factor is unknown, not 0. */
static void test_unread_association_priorities(void **state)
{
	struct lab *lab = *state = lab_new();
	struct explain e;
	uint32_t assoc, job;

	lab_partition(lab, "p", 1, 1);
	assoc = builder_add(lab->b, TABLE_ASSOC);
	builder_u32(lab->b, F_ASSOC_ID, assoc, 1);
	builder_str(lab->b, F_ASSOC_ACCOUNT, assoc, "root");
	job = lab_job(lab, 1, "p", NULL);
	builder_u32(lab->b, F_JOB_ASSOC, job, 1);
	builder_u32(lab->b, F_JOB_PRIORITY, job, 700);
	run_with(lab, "PriorityWeightPartition", "500");
	assert_int_equal(lab->r->priority[0], 500);
	run_with(lab, "PriorityWeightAssoc", "1000");
	assert_true(isnan(lab->r->factor[PRIO_ASSOC][0]));
	assert_int_equal(lab->r->origin[0], PRIO_ORIGIN_UNREPORTED);
	assert_int_equal(lab->r->priority[0], 700);
	says(lab, "priority", 700, "as reported, as a term is unknown");
	explain_init(&e);
	prio_explain(&lab->in, lab->r, 0, &e);
	assert_string_equal(e.steps[e.count - 1].note, "");
	explain_free(&e);
}

static void test_incr_only_keeps_the_larger(void **state)
{
	struct lab *lab = *state = lab_new();

	lab_partition(lab, "p", 1, 1);
	builder_u32(lab->b, F_JOB_PRIORITY, lab_job(lab, 1, "p", NULL), 700);
	run_with(lab, "PriorityWeightPartition", "500");
	assert_int_equal(lab->r->priority[0], 500);
	run_with(lab, "PriorityFlags", "INCR_ONLY");
	assert_int_equal(lab->r->priority[0], 700);
	says(lab, "priority", 700, "INCR_ONLY: it was 700 before");
}

static void test_priorities_whose_weights_nobody_told(void **state)
{
	struct lab *lab = *state = lab_new();

	builder_u32(lab->b, F_JOB_PRIORITY, lab_job(lab, 1, "p", NULL), 4242);
	run_with(lab, "PriorityType", POLICY_TYPE_UNKNOWN);
	assert_int_equal(lab->r->origin[0], PRIO_ORIGIN_UNREPORTED);
	assert_int_equal(lab->r->priority[0], 4242);
}

static void test_unknown_inputs_make_an_unknown_priority(void **state)
{
	struct lab *lab = *state = lab_new();

	builder_u32(lab->b, F_JOB_PRIORITY, lab_job(lab, 1, "p", NULL), 4242);
	builder_u32(lab->b, F_JOB_PRIORITY, lab_job(lab, 2, "p", NULL), U32_UNKNOWN);
	run_with(lab, "PriorityWeightJobSize", "100");
	/* A reported priority is known. */
	assert_int_equal(lab->r->origin[0], PRIO_ORIGIN_UNREPORTED);
	assert_int_equal(lab->r->priority[0], 4242);
	assert_int_equal(lab->r->origin[1], PRIO_ORIGIN_UNKNOWN);
	assert_int_equal(lab->r->priority[1], U32_UNKNOWN);
}

static void test_array_tasks(void **state)
{
	(void)state;
	assert_int_equal(job_tasks(NULL), 1);
	assert_int_equal(job_tasks("0-30"), 31);
	assert_int_equal(job_tasks("1,5,9-40:7%3"), 7);
	assert_int_equal(job_tasks("3"), 1);
	assert_int_equal(job_tasks("30-3"), 1);
	assert_int_equal(job_tasks("garbage"), 1);
	assert_int_equal(job_tasks("[0-30%4]"), 31);
	assert_int_equal(job_tasks("0-4294967295:1,0-4294967295"), UINT32_MAX);
}

/* Takes TEXT task by task: TASKS and LEFT are each task and the rest after it. */
static void check_taking(const char *text, size_t count, const uint32_t *tasks,
			 const char *const *left)
{
	char now[64], rest[64];

	strcpy(now, text);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(job_tasks_take(now, rest, sizeof(rest)), tasks[i]);
		assert_string_equal(rest, left[i]);
		assert_int_equal(job_tasks(now), *rest ? job_tasks(rest) + 1 : 1);
		strcpy(now, rest);
	}
}

static void test_taking_tasks(void **state)
{
	char rest[16];

	(void)state;
	check_taking("3-5%2", 3, (const uint32_t[]){ 3, 4, 5 },
		     (const char *const[]){ "4-5%2", "5%2", "" });
	check_taking("1,5,9-23:7%3", 5, (const uint32_t[]){ 1, 5, 9, 16, 23 },
		     (const char *const[]){ "5,9-23:7%3", "9-23:7%3", "16-23:7%3", "23%3", "" });
	check_taking("[0-1,9%4]", 3, (const uint32_t[]){ 0, 1, 9 },
		     (const char *const[]){ "1,9%4]", "9%4]", "" });
	assert_int_equal(job_tasks_take("garbage", rest, sizeof(rest)), U32_UNKNOWN);
	assert_string_equal(rest, "");
	assert_int_equal(job_tasks_at_once("3-5%2"), 2);
	assert_int_equal(job_tasks_at_once("[0-30%14]"), 14);
	assert_int_equal(job_tasks_at_once("3-5"), U32_INFINITE);
	assert_int_equal(job_tasks_at_once(NULL), U32_INFINITE);
}

/* ---- the order of the queue ---------------------------------------------------------------- */

static const struct queue_order *order(struct lab *lab)
{
	if (!lab->preempt)
		lab->preempt = preempt_new(lab->c, &lab->policy);
	queue_order_free(lab->q);
	lab->q = queue_order_new(lab->x, &lab->policy, lab->preempt, lab->r->priority);
	queue_order_ahead(lab->q, lab->x);
	return lab->q;
}

/* Returns why the job in entry A comes before the one in entry B. */
static enum queue_reason reason(struct lab *lab, uint32_t a, uint32_t b)
{
	return queue_reason(lab->x, &lab->policy, lab->preempt, lab->r->priority, a, b);
}

static void test_first_difference_decides(void **state)
{
	struct lab *lab = *state = lab_new();
	const struct queue_order *q;
	/* Expected order: an expedited requeue, reservation, tier, priority, submit time, id. */
	static const uint32_t expected[] = { 8, 6, 5, 4, 3, 1, 2 };

	lab_partition(lab, "p", 1, 1);
	lab_partition(lab, "high", 1, 9);
	lab_job(lab, 1, "p", NULL);
	lab_job(lab, 2, "p", NULL);
	builder_i64(lab->b, F_JOB_SUBMIT, lab_job(lab, 3, "p", NULL), 999);
	builder_i64(lab->b, F_JOB_NICE, lab_job(lab, 4, "p", NULL), -1000);
	lab_job(lab, 5, "high", NULL);
	builder_str(lab->b, F_JOB_RESERVATION, lab_job(lab, 6, "p", NULL), "maint");
	builder_u32(lab->b, F_JOB_PRIORITY, lab_job(lab, 7, "high", NULL), 0);
	builder_str(lab->b, F_JOB_STATE, lab_job(lab, 8, "p", NULL), "EXPEDITING");
	lab_run(lab, 2000);
	q = order(lab);
	assert_int_equal(q->count, 7);
	for (uint32_t i = 0; i < 7; i++) {
		assert_int_equal(lab->x->job[q->order[i]] + 1, expected[i]);
		assert_int_equal(q->rank[q->order[i]], i + 1);
		assert_int_equal(q->ahead[q->order[i]], i);
	}
	assert_int_equal(q->rank[6], U32_UNKNOWN);
	assert_int_equal(q->partition_rank[4], 1);
	assert_int_equal(reason(lab, 7, 5), QUEUE_EXPEDITED);
	assert_int_equal(reason(lab, 5, 4), QUEUE_RESERVATION);
	assert_int_equal(reason(lab, 4, 3), QUEUE_TIER);
	assert_int_equal(reason(lab, 3, 2), QUEUE_PRIORITY);
	assert_int_equal(reason(lab, 2, 0), QUEUE_SUBMIT);
	assert_int_equal(reason(lab, 0, 1), QUEUE_ID);
	/* priority/basic: by submit time, within the criteria before it. */
	run_with(lab, "PriorityType", "priority/basic");
	q = order(lab);
	assert_int_equal(lab->x->job[q->order[3]] + 1, 3);
	assert_int_equal(lab->x->job[q->order[4]] + 1, 1);
}

static void test_preemption_chain_and_cycle(void **state)
{
	struct lab *lab = *state = lab_new();
	const struct queue_order *q;
	const struct preempt *preempt;

	lab_partition(lab, "p", 1, 1);
	lab_qos(lab, "low", 1, NULL);
	lab_qos(lab, "mid", 1, "low");
	lab_qos(lab, "top", 1, "mid");
	lab_qos(lab, "x", 1, "y");
	lab_qos(lab, "y", 1, "x");
	lab_qos(lab, "z", 1, NULL);
	builder_i64(lab->b, F_JOB_NICE, lab_job(lab, 1, "p", "low"), -5000);
	lab_job(lab, 2, "p", "mid");
	lab_job(lab, 3, "p", "top");
	run_with(lab, "PreemptType", "preempt/qos");
	q = order(lab);
	assert_int_equal(lab->x->job[q->order[0]] + 1, 3);
	assert_int_equal(lab->x->job[q->order[2]] + 1, 1);
	preempt = lab->preempt;
	assert_true(preempt->cyclic);
	assert_true(preempt->in_cycle[3] && preempt->in_cycle[4] && !preempt->in_cycle[5]);
	assert_int_equal(preempt->level[3], preempt->level[4]);
	assert_true(strlen(q->problem) > 0);
}

/* A thousand generated jobs; with the rows reversed they must rank the same. */
static uint32_t draw(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(*seed >> 33);
}

static struct lab *many_jobs(bool turned)
{
	struct lab *lab = lab_new();
	static const char *const partitions[] = { "a", "b", "c", "a,b", "c,a,b" };
	static const char *const qos[] = { "q0", "q1", "q2" };

	lab_partition(lab, "a", 1, 1);
	lab_partition(lab, "b", 7, 2);
	lab_partition(lab, "c", 3, 1);
	lab_hosts(lab, 4, 64);
	for (uint32_t i = 0; i < 3; i++)
		lab_qos(lab, qos[i], i * 10, NULL);
	for (uint32_t i = 0; i < 1000; i++) {
		uint32_t id = turned ? 1000 - i : i + 1, row;
		uint64_t seed = id;

		(void)draw(&seed);
		row = lab_job(lab, id, partitions[draw(&seed) % 5], qos[draw(&seed) % 3]);
		builder_i64(lab->b, F_JOB_SUBMIT, row, 1000 + draw(&seed) % 7);
		builder_i64(lab->b, F_JOB_ACCRUE, row, 1000 + draw(&seed) % 900);
		builder_i64(lab->b, F_JOB_NICE, row, draw(&seed) % 300);
		builder_u32(lab->b, F_JOB_MIN_NODES, row, 1 + draw(&seed) % 4);
		builder_u32(lab->b, F_JOB_CPUS, row, 1 + draw(&seed) % 64);
	}
	set(lab, "PriorityWeightAge", "1000");
	set(lab, "PriorityWeightJobSize", "300");
	set(lab, "PriorityWeightPartition", "200");
	set(lab, "PriorityWeightQOS", "150");
	lab->policy.max_age = 800;
	lab_run(lab, 2000);
	return lab;
}

static uint32_t job_id(const struct lab *lab, uint32_t entry)
{
	return cluster_u32(lab->c, F_JOB_ID, lab->x->job[entry]);
}

static void test_permuting_the_input_changes_nothing(void **state)
{
	struct lab *one = *state = many_jobs(false), *two = many_jobs(true);
	const struct queue_order *a = order(one), *b = order(two);

	assert_int_equal(a->count, b->count);
	assert_true(a->count > 1000);
	for (uint32_t i = 0; i < a->count; i++) {
		assert_int_equal(job_id(one, a->order[i]), job_id(two, b->order[i]));
		assert_int_equal(one->r->priority[a->order[i]], two->r->priority[b->order[i]]);
		assert_int_equal(a->ahead[a->order[i]], b->ahead[b->order[i]]);
	}
	lab_free(two);
}

static void test_the_order_is_total_and_explained(void **state)
{
	struct lab *lab = *state = many_jobs(false);
	const struct queue_order *q = order(lab);

	for (uint32_t i = 1; i < q->count; i++) {
		uint32_t a = q->order[i - 1], b = q->order[i];
		enum queue_reason why = reason(lab, a, b);

		assert_true(why == QUEUE_TIER || why == QUEUE_PRIORITY || why == QUEUE_SUBMIT ||
			    why == QUEUE_ID);
		if (why == QUEUE_PRIORITY)
			assert_true(lab->r->priority[a] > lab->r->priority[b]);
	}
}

/* Raising a weight never lowers the rank of the job with the largest factor in its tier. */
static void test_raising_a_weight_favours_the_largest_factor(void **state)
{
	static const char *const names[] = { "PriorityWeightAge", "PriorityWeightJobSize",
					     "PriorityWeightQOS" };
	static const enum prio_factor factors[] = { PRIO_AGE, PRIO_JOBSIZE, PRIO_QOS };

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		struct lab *lab = many_jobs(false);
		uint32_t best = 0, before;

		for (uint32_t e = 1; e < lab->x->n; e++) {
			if (lab->r->factor[factors[k]][e] > lab->r->factor[factors[k]][best])
				best = e;
		}
		before = order(lab)->rank[best];
		run_with(lab, names[k], "50000");
		assert_true(order(lab)->rank[best] <= before);
		lab_free(lab);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_cases),
		cmocka_unit_test_teardown(test_seed_partition_20_and_10, lab_close),
		cmocka_unit_test_teardown(test_seed_weight_too_small_to_tell_59534_from_50002,
					  lab_close),
		cmocka_unit_test_teardown(test_without_accounting_age_and_fair_share_count_nothing,
					  lab_close),
		cmocka_unit_test_teardown(test_incr_only_keeps_the_larger, lab_close),
		cmocka_unit_test_teardown(test_the_document_and_the_scheduler, lab_close),
		cmocka_unit_test_teardown(test_favor_small_of_one_node, lab_close),
		cmocka_unit_test_teardown(test_unread_association_priorities, lab_close),
		cmocka_unit_test_teardown(test_unknown_inputs_make_an_unknown_priority, lab_close),
		cmocka_unit_test_teardown(test_priorities_whose_weights_nobody_told, lab_close),
		cmocka_unit_test(test_array_tasks),
		cmocka_unit_test(test_taking_tasks),
		cmocka_unit_test_teardown(test_first_difference_decides, lab_close),
		cmocka_unit_test_teardown(test_preemption_chain_and_cycle, lab_close),
		cmocka_unit_test_teardown(test_permuting_the_input_changes_nothing, lab_close),
		cmocka_unit_test_teardown(test_the_order_is_total_and_explained, lab_close),
		cmocka_unit_test(test_raising_a_weight_favours_the_largest_factor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
