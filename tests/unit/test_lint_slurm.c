/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lint of Slurm: each code is told where its reason is there and not where it is not; suggestions
 * that are edits can be read as edits; the text of slurm.conf.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/lint/lint_conf.h"
#include "core/lint/lint_slurm.h"
#include "tests/support/assoc.h"

/* Nothing to find: two accounts, sensible weights. */
static struct builder *clean(void)
{
	struct builder *b = builder_new();
	struct policy *p = builder_policy(b);

	p->flags = PF_DEPTH_OBLIVIOUS;
	p->weight_age = 1000;
	p->weight_fairshare = 10000;
	policy_set_text(p, policy_param_by_name("AccountingStorageType", 21),
			"accounting_storage/slurmdbd", NULL);
	assoc_add(b, 1, 0, "root", NULL, 1, 100);
	assoc_add(b, 2, 1, "a", NULL, 30, 40);
	assoc_add(b, 3, 2, "a", "x", 1, 40);
	assoc_add(b, 4, 1, "b", NULL, 70, 60);
	assoc_add(b, 5, 4, "b", "y", 1, 60);
	return b;
}

/* The item with CODE; NULL without one. The suggestion is read if it is an edit. */
static const struct lint_item *find(const struct lint *l, const char *code)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct lint_item *item = &l->items[i];

		assert_true(item->message[0] && item->source[0]);
		if (strstr(item->suggestion, " = "))
			assert_true(lint_edits(item, NULL, NULL));
		if (strcmp(item->code, code) == 0)
			return item;
	}
	return NULL;
}

static void run(struct builder *b, struct lint *l)
{
	struct cluster *c = builder_seal(b, NULL);
	struct model *m = model_new(c, NULL, NULL);
	struct jobs *j = jobs_new(m, NULL);

	lint_init(l);
	lint_slurm(m, j, l);
	jobs_free(j);
	model_free(m);
	cluster_free(c);
}

static void told(struct builder *b, const char *code, const char *object, const char *message)
{
	struct lint l;
	const struct lint_item *item;

	run(b, &l);
	item = find(&l, code);
	if (!item)
		fail_msg("%s is not told", code);
	assert_string_equal(item->object, object);
	if (!strstr(item->message, message))
		fail_msg("%s: \"%s\" does not say \"%s\"", code, item->message, message);
	lint_free(&l);
}

static void test_clean(void **state)
{
	(void)state;
	struct lint l;

	run(clean(), &l);
	if (l.count > 0)
		fail_msg("%s %s: %s", l.items[0].code, l.items[0].object, l.items[0].message);
	lint_free(&l);
}

static void test_policy(void **state)
{
	(void)state;
	struct builder *b = clean();

	builder_policy(b)->weight_age = 10;
	told(b, "S1", "PriorityWeightAge", "10 steps");
	b = clean();
	builder_policy(b)->weight_age = builder_policy(b)->weight_qos = 4000000000u;
	told(b, "S4", "PriorityWeight*", "8000010000");
	b = clean();
	builder_policy(b)->half_life = 600;
	told(b, "S5", "PriorityCalcPeriod", "29 percent");
	b = clean();
	builder_policy(b)->half_life = 0;
	told(b, "S6", "PriorityDecayHalfLife", "for ever");
	b = clean();
	memcpy(builder_policy(b)->unknown_flags, "BEST", 5);
	told(b, "S7", "PriorityFlags", "BEST");
	b = clean();
	builder_policy(b)->flags |= PF_MAX_TRES | PF_MAX_TRES_GRES;
	told(b, "S9", "PriorityFlags", "MAX_TRES adds nothing");
	b = clean();
	memcpy(builder_policy(b)->storage_type, "accounting_storage/none", 24);
	told(b, "S10", "AccountingStorageType", "no accounting database");
	b = clean();
	builder_policy(b)->damping = 50;
	told(b, "S14", "FairShareDampeningFactor", "0.871");
	b = clean();
	builder_policy(b)->damping = 2;
	builder_policy(b)->flags = 0;
	told(b, "S14", "FairShareDampeningFactor", "no effect");
}

static void test_tree(void **state)
{
	(void)state;
	struct builder *b = clean();
	uint32_t row;

	builder_u32(b, F_ASSOC_SHARES, 2, 0);
	told(b, "S11", "/a:x", "usage of 40");
	b = clean();
	assoc_add(b, 6, 4, "b", "z", 0, 0);
	told(b, "S13", "/b:z", "siblings have 1");
	b = clean();
	assoc_add(b, 6, 4, "c", NULL, SHARES_PARENT, 0);
	assoc_add(b, 7, 6, "d", NULL, SHARES_PARENT, 0);
	told(b, "S12", "/b/c/d", "two levels higher");
	b = clean();
	builder_u32(b, F_ASSOC_SHARES, 1, 7000);
	told(b, "S17", "/a", "7000 of the 7070 shares");
	b = clean();
	row = builder_add(b, TABLE_QOS);
	builder_str(b, F_QOS_NAME, row, "free");
	builder_f64(b, F_QOS_USAGE_FACTOR, row, 0);
	told(b, "S15", "qos:free", "never charged");
	b = clean();
	row = builder_add(b, TABLE_PARTITION);
	builder_str(b, F_PARTITION_NAME, row, "gpu");
	builder_str(b, F_PARTITION_BILLING_WEIGHTS, row, "cpu=0");
	told(b, "S16", "partition:gpu", "bills nothing");
}

static void test_jobs(void **state)
{
	(void)state;
	struct builder *b = clean();
	struct cluster_meta meta = *builder_get_meta(b);

	meta.kind = "slurm";
	meta.time = meta.last_decay = 1790000000;
	builder_meta(b, &meta);
	for (uint32_t i = 0; i < 12; i++) {
		uint32_t row = builder_add(b, TABLE_JOB);

		builder_u32(b, F_JOB_ID, row, i + 1);
		builder_u32(b, F_JOB_ASSOC, row, i % 2 ? 3 : 5);
		builder_str(b, F_JOB_STATE, row, "PENDING");
		builder_i64(b, F_JOB_SUBMIT, row, meta.time - 30 * 86400);
		builder_i64(b, F_JOB_ELIGIBLE, row, meta.time - 30 * 86400);
		builder_i64(b, F_JOB_ACCRUE, row, meta.time - 30 * 86400);
		builder_i64(b, F_JOB_TIME_LIMIT, row, 20 * 86400);
		builder_i64(b, F_JOB_NICE, row, 0);
		builder_i64(b, F_JOB_SITE, row, 0);
	}
	struct lint l;

	run(b, &l);
	assert_non_null(find(&l, "S2"));	/* age is 1 for all */
	assert_non_null(find(&l, "S3"));
	assert_non_null(find(&l, "S5"));	/* 20 days against a half-life of 7 */
	lint_free(&l);
}

static void test_text(void **state)
{
	(void)state;
	struct lint l;
	struct lint_conf conf;

	lint_init(&l);
	lint_conf_init(&conf, &l);
	lint_conf_pair(&conf, "slurm.conf", 3, false, "PriorityFlags",
		       "MAX_TRES,DEPTH_OBLIVOUS,FAIR_TREE");
	lint_conf_pair(&conf, "slurm.conf", 4, false, "priorityweightage", "5");
	lint_conf_pair(&conf, "slurm.conf", 5, false, "PriorityWeigthQOS", "5");
	lint_conf_pair(&conf, "slurm.conf", 6, false, "ClusterName", "x");
	lint_conf_pair(&conf, "slurm.conf", 7, false, "PriorityWeightAge", "6");
	lint_conf_end(&conf);
	assert_int_equal(l.count, 3);
	assert_int_equal(find(&l, "S7")->line, 3);
	assert_non_null(strstr(find(&l, "S7")->suggestion, "DEPTH_OBLIVIOUS"));
	assert_int_equal(find(&l, "S8")->line, 5);
	assert_int_equal(find(&l, "S18")->line, 7);
	lint_free(&l);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean), cmocka_unit_test(test_policy),
		cmocka_unit_test(test_tree),  cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests_name("lint_slurm", tests, NULL, NULL);
}
