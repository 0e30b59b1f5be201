/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The examples of the multifactor document that are whole configurations or tables, word for word:
 * both slurm.conf examples, read by the parser with their comments and carried through to the
 * priorities of jobs, and the billing table. (Partition 20 and 10, and .59534 against .50002, are
 * in test_priority.c.)
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/slurm/parse_conf.h"
#include "core/share/billing.h"
#include "core/share/decay.h"
#include "core/queue/priority.h"
#include "core/cluster/tres.h"

#define DAY 86400
#define NOW 2000000000

/* ---- the two slurm.conf -------------------------------------------------------------------- */

#define WEIGHTS \
	"# The larger the job, the greater its job size priority.\n" \
	"PriorityFavorSmall=NO\n" \
	"# The job's age factor reaches 1.0 after waiting in the queue for 2 weeks.\n" \
	"PriorityMaxAge=14-0\n" \
	"# This next group determines the weighting of each of the components of the\n" \
	"# Multifactor Job Priority Plugin. The default value for each of the following is 1.\n" \
	"PriorityWeightAge=1000\n" \
	"PriorityWeightFairshare=10000\n" \
	"PriorityWeightJobSize=1000\n" \
	"PriorityWeightPartition=1000\n" \
	"PriorityWeightQOS=0 # don't use the qos factor\n"

static const char with_decay[] =
	"# Activate the Multifactor Job Priority Plugin with decay\n"
	"PriorityType=priority/multifactor\n"
	"# 2 week half-life\n"
	"PriorityDecayHalfLife=14-0\n" WEIGHTS;

static const char without_decay[] =
	"# Activate the Multifactor Job Priority Plugin without decay\n"
	"PriorityType=priority/multifactor\n"
	"# apply no decay\n"
	"PriorityDecayHalfLife=0\n"
	"# reset usage after 1 month\n"
	"PriorityUsageResetPeriod=MONTHLY\n" WEIGHTS;

static bool take(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	bool cut;

	assert_true(slurm_conf_is_global(pair));
	return slurm_conf_policy(context, pair->key, pair->value, &cut, err);
}

static void read_conf(const char *text, struct policy *policy)
{
	const struct slurm_text source = { "slurm.conf", text, strlen(text) };
	struct err err = { 0 };

	policy_init(policy);
	if (!slurm_conf_scan(&source, take, policy, &err))
		fail_msg("%s", err.message);
	assert_true(policy_is_multifactor(policy));
	assert_false(policy->favor_small);
	assert_int_equal(policy->max_age, 14 * DAY);
	/* The example's comment says 1, but a weight not set is 0. */
	assert_int_equal(policy->weight[PRIO_ASSOC], 0);
	assert_int_equal(policy->weight[PRIO_QOS], 0);
}

static void add_job(struct builder *b, uint32_t id, const char *partition, uint32_t nodes,
		    int64_t waited)
{
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	builder_u32(b, F_JOB_ASSOC, row, id);
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_str(b, F_JOB_PARTITION, row, partition);
	builder_str(b, F_JOB_QOS, row, "high");
	builder_u32(b, F_JOB_PRIORITY, row, 1);
	builder_u32(b, F_JOB_MIN_NODES, row, nodes);
	builder_u32(b, F_JOB_CPUS, row, nodes * 16);
	builder_i64(b, F_JOB_ACCRUE, row, NOW - waited);
	builder_i64(b, F_JOB_NICE, row, 0);
	builder_i64(b, F_JOB_SITE, row, 0);
}

/* Four nodes of 16 CPUs, a better and a worse partition, a QOS that must not matter. */
static struct cluster *make_cluster(void)
{
	struct builder *b = builder_new();
	struct err err = { 0 };
	uint32_t row;

	for (uint32_t i = 1; i <= 3; i++) {
		row = builder_add(b, TABLE_ASSOC);
		builder_u32(b, F_ASSOC_ID, row, i);
		builder_str(b, F_ASSOC_ACCOUNT, row, "root");
		if (i > 1) {
			builder_u32(b, F_ASSOC_PARENT, row, 1);
			builder_str(b, F_ASSOC_USER, row, i == 2 ? "x" : "y");
		}
	}
	for (uint32_t i = 0; i < 4; i++)
		builder_u32(b, F_HOST_CPUS, builder_add(b, TABLE_HOST), 16);
	row = builder_add(b, TABLE_QOS);
	builder_str(b, F_QOS_NAME, row, "high");
	builder_u32(b, F_QOS_PRIORITY, row, 100);
	row = builder_add(b, TABLE_PARTITION);
	builder_str(b, F_PARTITION_NAME, row, "PartitionA");
	builder_u32(b, F_PARTITION_JOB_FACTOR, row, 20);
	row = builder_add(b, TABLE_PARTITION);
	builder_str(b, F_PARTITION_NAME, row, "PartitionB");
	builder_u32(b, F_PARTITION_JOB_FACTOR, row, 10);
	add_job(b, 1, "PartitionA", 4, 14 * DAY);
	add_job(b, 2, "PartitionB", 2, 7 * DAY);
	add_job(b, 3, "PartitionA", 1, 28 * DAY);
	return builder_seal(b, &err);
}

/* All factors 1; all one half; a small job past the maximum age. */
static void check_priorities(const struct policy *policy)
{
	static const double fairshare[] = { 1, .5, .59534 };
	struct cluster *c = make_cluster();
	struct job_index *x = job_index_new(c);
	struct prio_input in = { x, policy, fairshare, NOW };
	struct prio_result *r = prio_run(&in);

	assert_null(r->factor[PRIO_QOS]);
	assert_null(r->factor[PRIO_ASSOC]);
	assert_int_equal(r->priority[0], 1000 + 10000 + 1000 + 1000);
	assert_int_equal(r->priority[1], 500 + 5000 + 500 + 500);
	assert_float_equal(prio_term(r, PRIO_FAIRSHARE, 2), 5953.4, 1e-9);
	assert_int_equal(r->priority[2], 8203);	/* 1000 + 5953.4 + 250 + 1000 */
	prio_result_free(r);
	job_index_free(x);
	cluster_free(c);
}

static void test_seed_configuration_with_decay(void **state)
{
	struct policy policy;

	(void)state;
	read_conf(with_decay, &policy);
	assert_int_equal(policy.half_life, 14 * DAY);
	assert_string_equal(policy.reset_period, "NONE");
	/* The scheduler decays by 1 - 0.693 / half-life per second: nearly a half. */
	assert_float_equal(decay_over(policy.half_life, 14 * DAY), exp(-0.693), 1e-6);
	check_priorities(&policy);
}

static void test_seed_configuration_without_decay(void **state)
{
	struct policy policy;

	(void)state;
	read_conf(without_decay, &policy);
	assert_int_equal(policy.half_life, 0);
	assert_string_equal(policy.reset_period, "MONTHLY");
	assert_true(decay_over(policy.half_life, 365 * DAY) == 1);
	check_priorities(&policy);
}

/* ---- the billing table --------------------------------------------------------------------- */

struct weights {
	struct tres_pair list[8];
	uint32_t count;
};

static bool keep(void *context, const struct tres_pair *pair, struct err *err)
{
	struct weights *w = context;

	(void)err;
	w->list[w->count++] = *pair;
	return true;
}

/* Bills CPUs and GB on a partition with TRESBillingWeights="CPU=1.0,Mem=0.25G". */
static double bill(double cpus, double gigabytes, enum billing_mode mode)
{
	struct tres_pair counts[] = { { "cpu", cpus }, { "mem", gigabytes * 1024 } };
	struct weights w = { .count = 0 };

	assert_true(tres_parse_weights("CPU=1.0,Mem=0.25G", keep, &w, NULL));
	return billing_of(counts, 2, w.list, w.count, mode);
}

static void test_seed_billing_table_of_sums(void **state)
{
	(void)state;
	assert_true(bill(1, 60, BILLING_SUM) == 16);
	assert_true(bill(16, 1, BILLING_SUM) == 16.25);
	assert_true(bill(16, 60, BILLING_SUM) == 31);
}

/* The document's MAX_TRES table has 15 CPUs for the second job and 64 GB for the third. */
static void test_seed_billing_table_of_max_tres(void **state)
{
	(void)state;
	assert_true(bill(1, 60, BILLING_MAX_TRES) == 15);
	assert_true(bill(15, 1, BILLING_MAX_TRES) == 15);
	assert_true(bill(16, 64, BILLING_MAX_TRES) == 16);
	assert_true(bill(16, 60, BILLING_MAX_TRES) == 16);
}

/* "If only CPUs are billed, a job of 1 CPU and 64 GB on such a node is charged for 1 CPU." */
static void test_seed_whole_node_for_one_cpu(void **state)
{
	struct tres_pair counts[] = { { "cpu", 1 }, { "mem", 64 * 1024 } };

	(void)state;
	assert_true(billing_of(counts, 2, NULL, 0, BILLING_SUM) == 1);
	assert_true(bill(1, 64, BILLING_SUM) == 17);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seed_configuration_with_decay),
		cmocka_unit_test(test_seed_configuration_without_decay),
		cmocka_unit_test(test_seed_billing_table_of_sums),
		cmocka_unit_test(test_seed_billing_table_of_max_tres),
		cmocka_unit_test(test_seed_whole_node_for_one_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
