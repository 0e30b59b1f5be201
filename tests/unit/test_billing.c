/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Billing: the worked cases, the rules that separate the three modes, and what billing ignores.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/billing.h"
#include "core/cluster/policy.h"
#include "tests/support/compare.h"
#include "tests/support/data.h"
#include "tests/support/worked.h"

#define PAIRS 16

struct pairs {
	struct tres_pair pair[PAIRS];
	uint32_t count;
};

static bool keep(void *context, const struct tres_pair *pair, struct err *err)
{
	struct pairs *p = context;

	(void)err;
	assert_true(p->count < PAIRS);
	p->pair[p->count++] = *pair;
	return true;
}

static void parse(const char *text, bool weights, struct pairs *p)
{
	struct err err = { 0 };

	p->count = 0;
	if (!(weights ? tres_parse_weights : tres_parse_counts)(text, keep, p, &err))
		fail_msg("%s: %s", text, err.message);
}

static double bill(const char *counts, const char *weights, enum billing_mode mode)
{
	struct pairs c, w;

	parse(counts, false, &c);
	if (!weights)
		return billing_of(c.pair, c.count, NULL, 0, mode);
	parse(weights, true, &w);
	return billing_of(c.pair, c.count, w.pair, w.count, mode);
}

static uint32_t flags_of(const json_t *one)
{
	const json_t *word;
	uint32_t flags = 0;
	size_t i;

	json_array_foreach(json_object_get(one, "flags"), i, word)
		for (size_t f = 0; f < policy_flags_count; f++)
			if (strcmp(policy_flags[f].name, json_string_value(word)) == 0)
				flags |= policy_flags[f].bit;
	return flags;
}

/* Returns what bill() does, for a job's row and a partition with these weights. */
static double bill_row(const struct pairs *counts, const char *text, enum billing_mode mode)
{
	struct builder *b = builder_new();
	struct billing_weights weights;
	struct tres_item items[8];
	struct cluster *c;
	double billable;

	for (uint32_t i = 0; i < counts->count; i++)
		items[i] = (struct tres_item){ builder_tres_row(b, counts->pair[i].name,
								strlen(counts->pair[i].name)),
					       counts->pair[i].value };
	builder_tres(b, F_JOB_TRES, builder_add(b, TABLE_JOB), items, counts->count);
	c = builder_seal(b, NULL);
	billing_read(&weights, text);
	billable = billing_of_list(&weights, c, cluster_tres(c, F_JOB_TRES, 0), mode);
	cluster_free(c);
	return billable;
}

static bool check_case(const json_t *one)
{
	const char *text = json_string_value(json_object_get(one, "weights"));
	struct pairs counts = { .count = 0 }, weights;
	json_t *alloc = json_object_get(one, "alloc"), *value;
	const char *key;

	json_object_foreach(alloc, key, value) {
		struct tres_pair *pair = &counts.pair[counts.count++];

		snprintf(pair->name, sizeof(pair->name), "%s", key);
		pair->value = json_number_value(value);
	}
	parse(text, true, &weights);
	assert_true(bill_row(&counts, text, billing_mode_of(flags_of(one))) ==
		    billing_of(counts.pair, counts.count, weights.pair, weights.count,
			       billing_mode_of(flags_of(one))));
	assert_true(bill_row(&counts, NULL, BILLING_SUM) ==
		    billing_of(counts.pair, counts.count, NULL, 0, BILLING_SUM) ||
		    !json_object_get(alloc, "cpu"));
	return compare_close(billing_of(counts.pair, counts.count, weights.pair, weights.count,
					billing_mode_of(flags_of(one))),
			     data_number(json_object_get(one, "expect"), "billable"), 1e-12,
			     json_string_value(json_object_get(one, "name")), "billable");
}

static void test_worked_cases(void **state)
{
	(void)state;
	worked_hold("billing", 8, check_case);
}

static void test_no_weights(void **state)
{
	(void)state;
	assert_true(bill("cpu=12,mem=4G", NULL, BILLING_SUM) == 12);
	assert_true(bill("cpu=12,mem=4G", NULL, BILLING_MAX_TRES) == 12);
	assert_true(isnan(bill("mem=4G", NULL, BILLING_SUM)));
	assert_true(isnan(bill("", NULL, BILLING_SUM)));
	/* No weight matches the job's TRES: the job is free of charge. */
	assert_true(bill("cpu=12", "mem=1", BILLING_SUM) == 0);
}

static void test_modes(void **state)
{
	const char *counts = "cpu=4,mem=1000,node=2,gres/gpu=3,license/x=5,billing=99";
	const char *weights = "cpu=1,mem=0.01,node=1,gres/gpu=10,license/x=2,billing=7";

	(void)state;
	assert_true(bill(counts, weights, BILLING_SUM) == 4 + 10 + 2 + 30 + 10);
	assert_true(bill(counts, weights, BILLING_MAX_TRES) == 30 + 10);
	assert_true(bill(counts, weights, BILLING_MAX_TRES_GRES) == 10 + 30 + 10);
	/* the maximum starts at zero */
	assert_true(bill("cpu=4", "cpu=-1", BILLING_MAX_TRES) == 0);
	assert_true(bill("cpu=4", "cpu=-1", BILLING_SUM) == -4);
	/* if a TRES is named twice, the last weight counts */
	assert_true(bill("cpu=4", "cpu=1,cpu=3", BILLING_SUM) == 12);
}

static void test_mode_of_flags(void **state)
{
	(void)state;
	assert_int_equal(billing_mode_of(0), BILLING_SUM);
	assert_int_equal(billing_mode_of(PF_MAX_TRES | PF_DEPTH_OBLIVIOUS), BILLING_MAX_TRES);
	assert_int_equal(billing_mode_of(PF_MAX_TRES_GRES), BILLING_MAX_TRES_GRES);
	assert_int_equal(billing_mode_of(PF_MAX_TRES | PF_MAX_TRES_GRES), BILLING_MAX_TRES_GRES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_cases),
		cmocka_unit_test(test_no_weights),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_mode_of_flags),
	};

	return cmocka_run_group_tests_name("billing", tests, NULL, NULL);
}
