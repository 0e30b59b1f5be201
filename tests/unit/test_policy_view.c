/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The policy view: its rows, their texts, and notices in plain words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/format.h"
#include "core/share/model.h"
#include "core/base/timestr.h"

static struct policy policy;
static struct policy_view context;

static void set(const char *name, const char *value)
{
	struct err err = { 0 };

	if (!policy_set_text(&policy, policy_param(name), value, &err))
		fail_msg("%s", err.message);
}

static int setup(void **state)
{
	(void)state;
	policy_init(&policy);
	context = (struct policy_view){ .policy = &policy, .next_reset = I64_UNKNOWN };
	return 0;
}

/* Returns COLUMN of the row NAME as a table shows it; NULL if there is no such row. */
static const char *cell(const char *name, const char *column)
{
	static char text[600];
	struct view view = policy_view(&context);
	const struct column *c = column_find(policy_columns, policy_columns_count, column,
					     strlen(column));
	struct value v;

	assert_non_null(c);
	for (uint32_t row = 0; row < view.rows; row++) {
		column_get(&policy_columns[0], view.context, row, &v);
		if (strcmp(v.text, name) != 0)
			continue;
		column_get(c, view.context, row, &v);
		format_cell(c, &v, NULL, text, sizeof(text));
		return text;
	}
	return NULL;
}

/* Each parameter and flag of the multifactor document has one row. */
static void test_document(void **state)
{
	static const char *const names[] = {
		"PriorityType", "PriorityDecayHalfLife", "PriorityCalcPeriod",
		"PriorityUsageResetPeriod", "PriorityFavorSmall", "PriorityMaxAge",
		"PriorityWeightAge", "PriorityWeightAssoc", "PriorityWeightFairshare",
		"PriorityWeightJobSize", "PriorityWeightPartition", "PriorityWeightQOS",
		"PriorityWeightTRES", "PriorityFlags", "ACCRUE_ALWAYS", "CALCULATE_RUNNING",
		"DEPTH_OBLIVIOUS", "NO_FAIR_TREE", "INCR_ONLY", "MAX_TRES", "MAX_TRES_GRES",
		"NO_NORMAL_ALL", "NO_NORMAL_ASSOC", "NO_NORMAL_PART", "NO_NORMAL_QOS",
		"NO_NORMAL_TRES", "SMALL_RELATIVE_TO_TIME", "FairShareDampeningFactor",
		"NextUsageReset",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!cell(names[i], "meaning") || !cell(names[i], "meaning")[0])
			fail_msg("%s has no row or no meaning", names[i]);
	}
}

static void test_names_once(void **state)
{
	struct view view = policy_view(&context);
	struct value a, b;

	(void)state;
	for (uint32_t i = 0; i < view.rows; i++) {
		for (uint32_t j = 0; j < i; j++) {
			column_get(&policy_columns[0], view.context, i, &a);
			column_get(&policy_columns[0], view.context, j, &b);
			assert_string_not_equal(a.text, b.text);
		}
	}
}

static void test_values(void **state)
{
	(void)state;
	set("PriorityDecayHalfLife", "14-0");
	set("PriorityWeightAge", "1000");
	assert_string_equal(cell("PriorityDecayHalfLife", "value"), "1209600");
	assert_string_equal(cell("PriorityDecayHalfLife", "default"), "604800");
	assert_string_equal(cell("PriorityDecayHalfLife", "unit"), "s");
	assert_string_equal(cell("PriorityDecayHalfLife", "from"), "scheduler");
	assert_string_equal(cell("PriorityWeightAge", "value"), "1000");
	assert_string_equal(cell("PriorityWeightAge", "default"), "0");
	assert_string_equal(cell("PriorityWeightQOS", "from"), "default");
	assert_string_equal(cell("PriorityType", "default"), "priority/multifactor");
	context.for_people = true;
	assert_string_equal(cell("PriorityDecayHalfLife", "value"), "14-00:00:00");
	assert_string_equal(cell("PriorityDecayHalfLife", "default"), "7-00:00:00");
	assert_string_equal(cell("PriorityDecayHalfLife", "unit"), "d-h:m:s");
	assert_string_equal(cell("PriorityFavorSmall", "value"), "NO");
	assert_string_equal(cell("MessageTimeout", "unit"), "s");
}

static void test_unlimited(void **state)
{
	(void)state;
	set("PriorityMaxAge", "UNLIMITED");
	assert_string_equal(cell("PriorityMaxAge", "value"), "inf");
	context.for_people = true;
	assert_string_equal(cell("PriorityMaxAge", "value"), "UNLIMITED");
}

static void test_flags(void **state)
{
	(void)state;
	set("PriorityFlags", "DEPTH_OBLIVIOUS,NO_NORMAL_ALL,FANCY,OTHER");
	assert_string_equal(cell("DEPTH_OBLIVIOUS", "value"), "yes");
	assert_string_equal(cell("DEPTH_OBLIVIOUS", "from"), "scheduler");
	assert_string_equal(cell("NO_FAIR_TREE", "value"), "yes");
	assert_string_equal(cell("NO_FAIR_TREE", "from"), "implied by DEPTH_OBLIVIOUS");
	assert_string_equal(cell("NO_NORMAL_QOS", "value"), "yes");
	assert_string_equal(cell("NO_NORMAL_QOS", "from"), "implied by NO_NORMAL_ALL");
	assert_string_equal(cell("MAX_TRES", "value"), "no");
	assert_string_equal(cell("MAX_TRES", "default"), "no");
	assert_string_equal(cell("FANCY", "value"), "yes");
	assert_non_null(strstr(cell("OTHER", "meaning"), "no effect"));
	assert_string_equal(cell("PriorityUsageResetPeriod", "value"), "NONE");
}

static void test_reset(void **state)
{
	(void)state;
	assert_string_equal(cell("NextUsageReset", "value"), "-");
	assert_string_equal(cell("NextUsageReset", "meaning"), "usage is never set to zero");
	set("PriorityUsageResetPeriod", "NOW");
	assert_non_null(strstr(cell("NextUsageReset", "meaning"), "starts or is reconfigured"));
	set("PriorityUsageResetPeriod", "MONTHLY");
	context.next_reset = 1785542400;
	assert_string_equal(cell("NextUsageReset", "value"), "1785542400");
	assert_string_equal(cell("NextUsageReset", "unit"), "Unix time");
}

/* PriorityType=priority/basic and a missing accounting database. */
static void test_plain_words(void **state)
{
	(void)state;
	assert_null(strstr(cell("PriorityType", "meaning"), "this cluster"));
	set("PriorityType", "priority/basic");
	assert_non_null(strstr(cell("PriorityType", "meaning"), "first in, first out"));
	assert_null(strstr(cell("AccountingStorageType", "meaning"), "no accounting database"));
	set("AccountingStorageType", "accounting_storage/none");
	assert_non_null(strstr(cell("AccountingStorageType", "meaning"),
			       "no accounting database"));
}

static void test_what_if(void **state)
{
	struct policy edited;

	(void)state;
	assert_string_equal(cell("PriorityWeightAge", "what_if"), "-");
	edited = policy;
	policy_set_number(&edited, policy_param("PriorityWeightAge"), 77);
	context.what_if = &edited;
	assert_string_equal(cell("PriorityWeightAge", "what_if"), "77");
	assert_string_equal(cell("PriorityWeightAge", "value"), "0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_document, setup),
		cmocka_unit_test_setup(test_names_once, setup),
		cmocka_unit_test_setup(test_values, setup),
		cmocka_unit_test_setup(test_unlimited, setup),
		cmocka_unit_test_setup(test_flags, setup),
		cmocka_unit_test_setup(test_reset, setup),
		cmocka_unit_test_setup(test_plain_words, setup),
		cmocka_unit_test_setup(test_what_if, setup),
	};

	return cmocka_run_group_tests_name("policy_view", tests, NULL, NULL);
}
