/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every rule of lint_slurm() fires just beyond its threshold and not just before it, with a
 * complete finding; its suggestion, where that is an edit, removes the finding. Far beyond, the
 * finding has the numbers of the cluster. Also lint of the text of slurm.conf.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/lint/lint_conf.h"
#include "core/lint/lint_slurm.h"
#include "core/whatif/whatif_apply.h"
#include "tests/support/assoc.h"
#include "tests/support/lab.h"

#define NOW 1790000000
#define WEEK (7 * 86400)

/* A cluster without findings. */
static struct builder *clean(void)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = *builder_get_meta(b);
	struct policy *p = builder_policy(b);

	meta.kind = "slurm";
	meta.time = meta.last_decay = NOW;
	builder_meta(b, &meta);
	p->flags = PF_DEPTH_OBLIVIOUS;
	p->weight[PRIO_AGE] = 1000;
	p->weight[PRIO_FAIRSHARE] = 10000;
	policy_set_text(p, policy_param("AccountingStorageType"),
			"accounting_storage/slurmdbd", NULL);
	assoc_add(b, 1, 0, "root", NULL, 1, 100);
	assoc_add(b, 2, 1, "a", NULL, 30, 40);
	assoc_add(b, 3, 2, "a", "x", 1, 40);
	assoc_add(b, 4, 1, "b", NULL, 70, 60);
	assoc_add(b, 5, 4, "b", "y", 1, 60);
	return b;
}

static void job(struct builder *b, uint32_t id, uint32_t assoc, int64_t waited, int64_t limit)
{
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	builder_u32(b, F_JOB_ASSOC, row, assoc);
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_i64(b, F_JOB_SUBMIT, row, NOW - waited);
	builder_i64(b, F_JOB_ELIGIBLE, row, NOW - waited);
	builder_i64(b, F_JOB_ACCRUE, row, NOW - waited);
	builder_i64(b, F_JOB_TIME_LIMIT, row, limit);
	builder_i64(b, F_JOB_NICE, row, 0);
	builder_i64(b, F_JOB_SITE, row, 0);
}

static uint32_t named(struct builder *b, enum table table, enum field field, const char *name)
{
	uint32_t row = builder_add(b, table);

	builder_str(b, field, row, name);
	return row;
}

static void text(struct builder *b, const char *param, const char *value)
{
	assert_true(policy_set_text(builder_policy(b), policy_param(param), value, NULL));
}

/* ---- the cases: BEYOND the threshold, or as near to it as possible --------------------------- */

static void small(struct builder *b, bool beyond)
{
	builder_policy(b)->weight[PRIO_AGE] = beyond ? 999 : 1000;
}

static void small_plain(struct builder *b, bool beyond)
{
	/* Not normalised, so the factor is not between 0 and 1. */
	builder_policy(b)->weight[PRIO_QOS] = 10;
	builder_policy(b)->flags |= beyond ? PF_NO_NORMAL_PART : PF_NO_NORMAL_QOS;
}

static void small_tres(struct builder *b, bool beyond)
{
	text(b, "PriorityWeightTRES", beyond ? "cpu=999,mem=5000" : "cpu=1000,mem=5000");
}

static void nobody(struct builder *b, bool beyond)
{
	uint32_t row = named(b, TABLE_QOS, F_QOS_NAME, "high");

	builder_policy(b)->weight[PRIO_QOS] = 1000;
	builder_u32(b, F_QOS_PRIORITY, row, beyond ? 0 : 1);
}

static void same(struct builder *b, bool beyond)
{
	builder_policy(b)->weight[PRIO_FAIRSHARE] = 5000;
	job(b, 1, 3, 60, 3600);
	job(b, 2, beyond ? 3 : 5, 120, 3600);
}

static void alone(struct builder *b, bool beyond)
{
	job(b, 1, 3, 60, 3600);
	if (beyond)
		job(b, 2, 3, 60, 3600);
}

static void wins(struct builder *b, bool beyond)
{
	/* 2^(-0.6/0.7) - 2^(-0.4/0.3) = 0.1552; 1000 / 0.1552 = 6443. */
	builder_policy(b)->weight[PRIO_FAIRSHARE] = beyond ? 6450 : 6440;
	job(b, 1, 3, 60, 3600);
	job(b, 2, 5, 120, 3600);
}

static void uncounted(struct builder *b, bool beyond)
{
	named(b, TABLE_TRES, F_TRES_NAME, "cpu");
	text(b, "PriorityWeightTRES", beyond ? "cpu=2000,gres/gpu=3000" : "cpu=2000");
}

static void saturated(struct builder *b, bool beyond)
{
	for (uint32_t i = 0; i < 10; i++)
		job(b, i + 1, 3, i < 5 ? 60 : WEEK + beyond, 3600);
}

static void too_much(struct builder *b, bool beyond)
{
	builder_policy(b)->weight[PRIO_AGE] = UINT32_MAX - 10000 + beyond;
}

static void long_job(struct builder *b, bool beyond)
{
	job(b, 1, 3, 60, WEEK + 60 * beyond);
}

static void few_passes(struct builder *b, bool beyond)
{
	builder_policy(b)->half_life = 3000 - 60 * beyond;
}

static void fewer_passes(struct builder *b, bool beyond)
{
	builder_policy(b)->calc_period = 60;
	builder_policy(b)->half_life = 600 - 60 * beyond;
}

static void no_decay(struct builder *b, bool beyond)
{
	builder_policy(b)->half_life = 0;
	text(b, "PriorityUsageResetPeriod", beyond ? "NONE" : "MONTHLY");
}

static void no_such_reset(struct builder *b, bool beyond)
{
	text(b, "PriorityUsageResetPeriod", beyond ? "HOURLY" : "DAILY");
}

static void unknown_word(struct builder *b, bool beyond)
{
	text(b, "PriorityFlags", beyond ? "DEPTH_OBLIVOUS,MAX_TRES" : "DEPTH_OBLIVIOUS,MAX_TRES");
}

static void max_tres(struct builder *b, bool beyond)
{
	builder_policy(b)->flags |= PF_MAX_TRES_GRES | (beyond ? PF_MAX_TRES : 0);
}

static void only_up(struct builder *b, bool beyond)
{
	/* A flag that slurmctld itself adds is not a finding. */
	builder_policy(b)->flags |= PF_INCR_ONLY | (beyond ? PF_CALCULATE_RUNNING :
						    PF_NO_FAIR_TREE | PF_NO_NORMAL_ALL |
						    PF_NO_NORMAL_QOS);
}

static void basic(struct builder *b, bool beyond)
{
	text(b, "PriorityType", beyond ? "priority/basic" : "priority/multifactor");
}

static void no_accounting(struct builder *b, bool beyond)
{
	text(b, "AccountingStorageType",
	     beyond ? "accounting_storage/none" : "accounting_storage/slurmdbd");
}

static void used(struct builder *b, bool beyond)
{
	assoc_add(b, 6, 4, "b", "z=1;2#%@", beyond ? 0 : 1, 5);
}

static void unused(struct builder *b, bool beyond)
{
	assoc_add(b, 6, 4, "b", "z", beyond ? 0 : 1, 0);
}

static void below(struct builder *b, bool beyond)
{
	assoc_add(b, 6, 4, "c", NULL, beyond ? SHARES_PARENT : 1, 0);
	assoc_add(b, 7, 6, "d", NULL, SHARES_PARENT, 0);
}

static void damped(struct builder *b, bool beyond)
{
	builder_policy(b)->damping = beyond ? 10 : 9;
}

static void damped_tree(struct builder *b, bool beyond)
{
	builder_policy(b)->flags = 0;
	builder_policy(b)->damping = beyond ? 2 : 1;
}

static void free_qos(struct builder *b, bool beyond)
{
	uint32_t row = named(b, TABLE_QOS, F_QOS_NAME, "a = b; c.d%");

	builder_f64(b, F_QOS_USAGE_FACTOR, row, beyond ? 0 : 0.001);
}

static void bills(struct builder *b, const char *weights)
{
	uint32_t row = named(b, TABLE_PARTITION, F_PARTITION_NAME, "g.1=x");

	named(b, TABLE_TRES, F_TRES_NAME, "cpu");
	named(b, TABLE_TRES, F_TRES_NAME, "mem");
	builder_str(b, F_PARTITION_BILLING_WEIGHTS, row, weights);
}

static void bills_nothing(struct builder *b, bool beyond)
{
	bills(b, beyond ? "cpu=0" : "cpu=0.001");
}

static void bills_unknown(struct builder *b, bool beyond)
{
	bills(b, beyond ? "cpu=1,gres/gpu=2,mem=0.25G" : "cpu=1,mem=0.25G");
}

static void by_shares(struct builder *b, bool beyond)
{
	builder_u32(b, F_ASSOC_SHARES, 1, 630 + beyond);
}

static void by_usage(struct builder *b, bool beyond)
{
	builder_f64(b, F_ASSOC_USAGE, 1, 90 + beyond);
}

static const struct rule_case {
	const char *code, *object, *message;
	void (*set)(struct builder *b, bool beyond);
	bool no_edit;			/* no edit helps */
} cases[] = {
	{ "S1", "PriorityWeightAge", "999 steps", small, false },
	{ "S1", "PriorityWeightQOS", "0.1", small_plain, false },
	{ "S1", "PriorityWeightTRES", "cpu=999", small_tres, false },
	{ "S2", "PriorityWeightQOS", "no QOS has a priority", nobody, false },
	{ "S2", "PriorityWeightFairshare", "same for all 2 pending jobs", same, false },
	{ "S2", "PriorityWeightAge", "decides nothing", alone, false },
	{ "S2", "PriorityWeightFairshare", "always wins", wins, false },
	{ "S2", "PriorityWeightTRES", "gres/gpu=3000", uncounted, false },
	{ "S3", "PriorityMaxAge", "7-00:00:01", saturated, false },
	{ "S4", "PriorityWeight*", "4294967296", too_much, false },
	{ "S5", "PriorityDecayHalfLife", "28 percent", long_job, false },
	{ "S5", "PriorityCalcPeriod", "7 percent", few_passes, false },
	{ "S5", "PriorityCalcPeriod", "7 percent", fewer_passes, false },
	{ "S6", "PriorityDecayHalfLife", "for ever", no_decay, false },
	{ "S7", "PriorityFlags", "DEPTH_OBLIVOUS", unknown_word, false },
	{ "S9", "PriorityFlags", "MAX_TRES_GRES wins", max_tres, false },
	{ "S9", "PriorityFlags", "only rise", only_up, false },
	{ "S10", "PriorityType", "priority/basic", basic, false },
	{ "S10", "AccountingStorageType", "no accounting", no_accounting, false },
	{ "S11", "/b:z%3D1;2#%25%40", "usage of 5", used, false },
	{ "S12", "/b/c/d", "two levels higher", below, false },
	{ "S13", "/b:z", "its siblings have 1", unused, false },
	{ "S14", "FairShareDampeningFactor", "F = 0.500", damped, false },
	{ "S14", "FairShareDampeningFactor", "no effect", damped_tree, false },
	{ "S15", "qos:a = b; c.d%", "never charged", free_qos, false },
	{ "S16", "partition:g.1=x", "bills nothing", bills_nothing, false },
	{ "S16", "partition:g.1=x", "gres/gpu", bills_unknown, false },
	{ "S17", "/a", "631 of the 701 shares", by_shares, false },
	{ "S17", "/a", "91 percent", by_usage, true },
	{ "S19", "PriorityUsageResetPeriod", "HOURLY: expected NONE, NOW", no_such_reset, false },
};
#define CASES (sizeof(cases) / sizeof(cases[0]))

/* ---- findings -------------------------------------------------------------------------------- */

/* Frees C. */
static void run(struct cluster *c, struct lint *l)
{
	struct lab *lab = lab_of(c);

	lint_init(l);
	lint_slurm(lab->m, lab->j, l);
	lab_free(lab);
}

/* Returns NULL if the rule did not fire. */
static const struct lint_item *find(const struct lint *l, const struct rule_case *r)
{
	for (size_t i = 0; i < l->count; i++) {
		if (strcmp(l->items[i].code, r->code) == 0 &&
		    strcmp(l->items[i].object, r->object) == 0)
			return &l->items[i];
	}
	return NULL;
}

static struct cluster *cluster_of(const struct rule_case *r, bool beyond)
{
	struct builder *b = clean();

	r->set(b, beyond);
	return lab_sealed(b);
}

static void test_thresholds(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASES; i++) {
		const struct rule_case *r = &cases[i];
		const struct lint_item *item;
		struct lint l;

		run(cluster_of(r, true), &l);
		item = find(&l, r);
		if (!item)
			fail_msg("%s %s: not told beyond its threshold", r->code, r->object);
		if (!strstr(item->message, r->message))
			fail_msg("%s: \"%s\" does not say \"%s\"", r->code, item->message,
				 r->message);
		if (!item->source[0] || !lint_rule(item->code))
			fail_msg("%s: where is it from?", r->code);
		if (lint_edits(item, NULL, NULL) == r->no_edit)
			fail_msg("%s %s: \"%s\" %s an edit", r->code, r->object, item->suggestion,
				 r->no_edit ? "is" : "is not");
		lint_free(&l);
		run(cluster_of(r, false), &l);
		item = find(&l, r);
		if (item)
			fail_msg("%s: told before its threshold: %s", r->code, item->message);
		lint_free(&l);
	}
}

static bool add(void *context, const char *edit)
{
	return whatif_add(context, edit, NULL);
}

static void test_cures(void **state)
{
	(void)state;
	for (size_t i = 0; i < CASES; i++) {
		const struct rule_case *r = &cases[i];
		struct cluster *c = cluster_of(r, true), *cured;
		struct whatif *w = whatif_new();
		const struct lint_item *item;
		char suggestion[600];
		struct err err = { .code = ERR_NONE };
		struct lint l;

		run(cluster_of(r, true), &l);
		item = find(&l, r);
		snprintf(suggestion, sizeof(suggestion), "%s", item->suggestion);
		assert_true(r->no_edit || lint_edits(item, add, w));
		lint_free(&l);
		cured = whatif_apply(w, c);
		if (!whatif_check(w, &err))
			fail_msg("%s: %s", r->code, err.message);
		run(cured, &l);
		if (!r->no_edit && find(&l, r))
			fail_msg("%s %s: \"%s\" does not cure it: %s", r->code, r->object,
				 suggestion, find(&l, r)->message);
		lint_free(&l);
		whatif_free(w);
		cluster_free(c);
	}
}

/* ---- far beyond ------------------------------------------------------------------------------ */

/* Returns the first item with CODE, or NULL. Checks that a suggested edit can be parsed. */
static const struct lint_item *first(const struct lint *l, const char *code)
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

static void reported(struct builder *b, const char *code, const char *object, const char *message)
{
	struct lint l;
	const struct lint_item *item;

	run(lab_sealed(b), &l);
	item = first(&l, code);
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

	run(lab_sealed(clean()), &l);
	if (l.count > 0)
		fail_msg("%s %s: %s", l.items[0].code, l.items[0].object, l.items[0].message);
	lint_free(&l);
}

static void test_policy(void **state)
{
	(void)state;
	struct builder *b = clean();

	builder_policy(b)->weight[PRIO_AGE] = 10;
	reported(b, "S1", "PriorityWeightAge", "10 steps");
	b = clean();
	builder_policy(b)->weight[PRIO_AGE] = builder_policy(b)->weight[PRIO_QOS] = 4000000000u;
	reported(b, "S4", "PriorityWeight*", "8000010000");
	b = clean();
	builder_policy(b)->half_life = 600;
	reported(b, "S5", "PriorityCalcPeriod", "29 percent");
	b = clean();
	builder_policy(b)->half_life = 0;
	reported(b, "S6", "PriorityDecayHalfLife", "for ever");
	b = clean();
	memcpy(builder_policy(b)->unknown_flags, "BEST", 5);
	reported(b, "S7", "PriorityFlags", "BEST");
	b = clean();
	builder_policy(b)->flags |= PF_MAX_TRES | PF_MAX_TRES_GRES;
	reported(b, "S9", "PriorityFlags", "MAX_TRES adds nothing");
	b = clean();
	memcpy(builder_policy(b)->storage_type, "accounting_storage/none", 24);
	reported(b, "S10", "AccountingStorageType", "no accounting database");
	b = clean();
	builder_policy(b)->damping = 50;
	reported(b, "S14", "FairShareDampeningFactor", "0.871");
	b = clean();
	builder_policy(b)->damping = 2;
	builder_policy(b)->flags = 0;
	reported(b, "S14", "FairShareDampeningFactor", "no effect");
}

static void test_tree(void **state)
{
	(void)state;
	struct builder *b = clean();
	uint32_t row;

	builder_u32(b, F_ASSOC_SHARES, 2, 0);
	reported(b, "S11", "/a:x", "usage of 40");
	b = clean();
	assoc_add(b, 6, 4, "b", "z", 0, 0);
	reported(b, "S13", "/b:z", "siblings have 1");
	b = clean();
	assoc_add(b, 6, 4, "c", NULL, SHARES_PARENT, 0);
	assoc_add(b, 7, 6, "d", NULL, SHARES_PARENT, 0);
	reported(b, "S12", "/b/c/d", "two levels higher");
	b = clean();
	builder_u32(b, F_ASSOC_SHARES, 1, 7000);
	reported(b, "S17", "/a", "7000 of the 7070 shares");
	b = clean();
	builder_f64(b, F_QOS_USAGE_FACTOR, named(b, TABLE_QOS, F_QOS_NAME, "free"), 0);
	reported(b, "S15", "qos:free", "never charged");
	b = clean();
	row = named(b, TABLE_PARTITION, F_PARTITION_NAME, "gpu");
	builder_str(b, F_PARTITION_BILLING_WEIGHTS, row, "cpu=0");
	reported(b, "S16", "partition:gpu", "bills nothing");
}

static void test_jobs(void **state)
{
	(void)state;
	struct builder *b = clean();
	struct lint l;

	for (uint32_t i = 0; i < 12; i++)
		job(b, i + 1, i % 2 ? 3 : 5, 30 * 86400, 20 * 86400);
	run(lab_sealed(b), &l);
	assert_non_null(first(&l, "S2"));	/* every job's age factor is 1 */
	assert_non_null(first(&l, "S3"));
	assert_non_null(first(&l, "S5"));	/* 20 days, with a half-life of 7 */
	lint_free(&l);
}

/* ---- from the text --------------------------------------------------------------------------- */

/* A wrong second line, and its correction. */
static const struct text_case {
	const char *code, *object, *wrong[2], *suggestion, *right[2];
} texts[] = {
	{ "S7", "PriorityFlags", { "PriorityFlags", "MAX_TRES,DEPTH_OBLIVOUS" },
	  "flags = DEPTH_OBLIVIOUS,MAX_TRES", { "PriorityFlags", "DEPTH_OBLIVIOUS,MAX_TRES" } },
	{ "S7", "PriorityFlags", { "PriorityFlags", "zzzz" }, "flags = ",
	  { "PriorityFlags", "FAIR_TREE" } },
	{ "S8", "PriorityWeigthQOS", { "PriorityWeigthQOS", "5" }, "PriorityWeightQOS = 5",
	  { "priorityweightqos", "5" } },
	{ "S9", "PriorityFlags", { "PriorityFlags", "NO_FAIR_TREE,depth_oblivious" },
	  "flags = DEPTH_OBLIVIOUS", { "PriorityFlags", "DEPTH_OBLIVIOUS" } },
	{ "S9", "PriorityFlags", { "PriorityFlags", "NO_NORMAL_ALL,NO_NORMAL_QOS" },
	  "flags = NO_NORMAL_ALL", { "PriorityFlags", "NO_NORMAL_ALL" } },
	{ "S18", "priorityweightage", { "priorityweightage", "7" }, "remove line 3 of f",
	  { "PriorityWeightQOS", "7" } },
};

static void read_text(struct lint *l, const char *const pair[2])
{
	struct lint_conf conf;

	lint_init(l);
	lint_conf_init(&conf, l);
	lint_conf_pair(&conf, "f", 3, false, "PriorityWeightAge", "5000");
	lint_conf_pair(&conf, "g", 4, false, pair[0], pair[1]);
	lint_conf_pair(&conf, "g", 5, false, "ClusterName", "x");
	lint_conf_end(&conf);
}

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct text_case *t = &texts[i];
		struct lint l;

		read_text(&l, t->wrong);
		assert_int_equal(l.count, 1);
		assert_string_equal(l.items[0].code, t->code);
		assert_string_equal(l.items[0].object, t->object);
		assert_string_equal(l.items[0].file, "g");
		assert_int_equal(l.items[0].line, 4);
		assert_true(l.items[0].message[0] && l.items[0].source[0]);
		assert_string_equal(l.items[0].suggestion, t->suggestion);
		lint_free(&l);
		read_text(&l, t->right);
		if (l.count > 0)
			fail_msg("%s: told without a reason: %s", t->code, l.items[0].message);
		lint_free(&l);
	}
}

/* Several findings in one file, each with its line. */
static void test_whole_text(void **state)
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
	assert_int_equal(first(&l, "S7")->line, 3);
	assert_non_null(strstr(first(&l, "S7")->suggestion, "DEPTH_OBLIVIOUS"));
	assert_int_equal(first(&l, "S8")->line, 5);
	assert_int_equal(first(&l, "S18")->line, 7);
	lint_free(&l);
}

/* A finding about a number has the line that set it: the last one. */
static void test_places(void **state)
{
	(void)state;
	struct lint_conf conf;
	struct lint l;

	run(cluster_of(&cases[0], true), &l);
	assert_int_equal(l.count, 1);
	lint_conf_init(&conf, &l);
	lint_conf_pair(&conf, "f", 3, false, "PriorityWeightFairshare", "10000");
	lint_conf_pair(&conf, "g", 4, false, "PRIORITYWEIGHTAGE", "999");
	lint_conf_end(&conf);
	assert_int_equal(l.count, 1);
	assert_string_equal(l.items[0].file, "g");
	assert_int_equal(l.items[0].line, 4);
	lint_free(&l);
}

/* Every rule of Slurm has a case above. */
static void test_complete(void **state)
{
	(void)state;
	for (size_t i = 0; i < lint_rules_count; i++) {
		bool there = strcmp(lint_rules[i].of, "Slurm") != 0;

		for (size_t k = 0; k < CASES; k++)
			there = there || strcmp(cases[k].code, lint_rules[i].code) == 0;
		for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++)
			there = there || strcmp(texts[k].code, lint_rules[i].code) == 0;
		if (!there)
			fail_msg("%s has no case", lint_rules[i].code);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thresholds), cmocka_unit_test(test_cures),
		cmocka_unit_test(test_clean), cmocka_unit_test(test_policy),
		cmocka_unit_test(test_tree), cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_texts), cmocka_unit_test(test_whole_text),
		cmocka_unit_test(test_places), cmocka_unit_test(test_complete),
	};

	return cmocka_run_group_tests_name("lint_rules", tests, NULL, NULL);
}
