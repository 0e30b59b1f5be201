/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * TRES lists: the worked cases of weights, counts as a real cluster prints them, units, and texts
 * that are not lists.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/cluster/tres.h"
#include "tests/support/data.h"
#include "tests/support/worked.h"

/* The last value of each name. */
struct bag {
	struct tres_pair pair[16];
	size_t count, calls;
	const json_t *known;	/* existing names, NULL: any */
};

static bool keep(void *context, const struct tres_pair *pair, struct err *err)
{
	struct bag *bag = context;
	size_t i = 0, k = 0;

	bag->calls++;
	while (bag->known && k < json_array_size(bag->known) &&
	       strcmp(json_string_value(json_array_get(bag->known, k)), pair->name) != 0)
		k++;
	if (bag->known && k == json_array_size(bag->known))
		return err_set(err, ERR_INPUT, "\"%s\" is unknown", pair->name);
	while (i < bag->count && strcmp(bag->pair[i].name, pair->name) != 0)
		i++;
	assert_true(i < 16);
	bag->pair[i] = *pair;
	bag->count += i == bag->count;
	return true;
}

static double value(const struct bag *bag, const char *name)
{
	for (size_t i = 0; i < bag->count; i++)
		if (strcmp(bag->pair[i].name, name) == 0)
			return bag->pair[i].value;
	return NAN;
}

static bool check_case(const json_t *one)
{
	const char *text = json_string_value(json_object_get(one, "text"));
	struct bag bag = { .known = json_object_get(one, "known") };
	json_t *expect = json_object_get(one, "expect"), *number;
	struct err err = { 0 };
	bool ok = tres_parse_weights(text, keep, &bag, &err);
	const char *name;

	if (json_is_string(expect)) {
		if (ok || err.code != ERR_INPUT || !err.message[0])
			fail_msg("\"%s\" was taken", text);
		return true;
	}
	if (!ok)
		fail_msg("\"%s\": %s", text, err.message);
	if (bag.count != json_object_size(expect))
		fail_msg("\"%s\": %zu items", text, bag.count);
	json_object_foreach(expect, name, number)
		if (value(&bag, name) != json_number_value(number))
			fail_msg("\"%s\": %s is %.17g", text, name, value(&bag, name));
	return true;
}

static void test_worked_cases(void **state)
{
	(void)state;
	worked_hold("treslist", 13, check_case);
}

static double count_of(const char *text, const char *name)
{
	struct bag bag = { .count = 0 };
	struct err err = { 0 };

	if (!tres_parse_counts(text, keep, &bag, &err))
		fail_msg("\"%s\": %s", text, err.message);
	return value(&bag, name);
}

static void test_counts(void **state)
{
	(void)state;
	assert_true(count_of("cpu=3,mem=31250G,node=1,billing=3", "mem") == 31250.0 * 1024);
	assert_true(count_of("cpu=3,mem=100M,node=1", "mem") == 100);
	assert_true(count_of("mem=1.50T", "mem") == 1.5 * 1024 * 1024);
	assert_true(count_of("mem=512K", "mem") == 0.5);
	assert_true(count_of("mem=100", "mem") == 100);
	assert_true(count_of("bb/cray=2G", "bb/cray") == 2048);
	assert_true(count_of("cpu=2K", "cpu") == 2048);
	assert_true(count_of("cpu=1E", "cpu") == 0x1p60);
	assert_true(count_of("GRES/GPU:A100=4,license/Matlab=2", "gres/gpu:a100") == 4);
	assert_true(count_of("GRES/GPU:A100=4,license/Matlab=2", "license/matlab") == 2);
	assert_true(count_of("cpu=1,cpu=7", "cpu") == 7);
	assert_true(isnan(count_of("", "cpu")));
}

static void test_units_of_weights(void **state)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{ "mem=1P", 0x1p-30 }, { "mem=1T", 0x1p-20 }, { "mem=1G", 0x1p-10 },
		{ "mem=1M", 1 },
		{ "mem=1k", 1 }, { "mem=1", 1 }, { "mem=2Gigabyte", 0x1p-9 }, { "cpu=1K", 0x1p-10 },
		{ "cpu=1m", 0x1p-20 }, { "cpu=-2.5", -2.5 }, { "cpu=+1", 1 }, { "cpu=1e2", 100 },
		{ "cpu=.5", 0.5 }, { "cpu=5.", 5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bag bag = { .count = 0 };
		struct err err = { 0 };

		if (!tres_parse_weights(cases[i].text, keep, &bag, &err))
			fail_msg("\"%s\": %s", cases[i].text, err.message);
		if (bag.pair[0].value != cases[i].value)
			fail_msg("\"%s\" is %.17g", cases[i].text, bag.pair[0].value);
	}
}

static void test_bad(void **state)
{
	static const char *const both[] = {
		"cpu", "cpu=", "=1", ",", "cpu=1,", ",cpu=1", "cpu=1,,mem=1", "cpu=x", "cpu=1Z",
		"cpu=nan", "cpu=inf", "cpu=0x10", "cpu=1e999", "c pu=1", " cpu=1", "cpu= 1",
		"cpu=-", "cpu\t=1", "cpu=--1",
	};
	static const char *const counts[] = { "cpu=-1", "mem=2Gigabyte", "cpu=1KK", "mem=N(0)" };
	char longest[400];
	struct bag bag = { .count = 0 };
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof(both) / sizeof(both[0]); i++) {
		err_clear(&err);
		if (tres_parse_weights(both[i], keep, &bag, &err) || err.code != ERR_INPUT)
			fail_msg("weights: \"%s\" was taken", both[i]);
		err_clear(&err);
		if (tres_parse_counts(both[i], keep, &bag, &err) || err.code != ERR_INPUT)
			fail_msg("counts: \"%s\" was taken", both[i]);
	}
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (tres_parse_counts(counts[i], keep, &bag, NULL))
			fail_msg("counts: \"%s\" was taken", counts[i]);
	assert_false(tres_parse_weights("cpu=1E", keep, &bag, NULL));

	memset(longest, 'a', sizeof(longest));
	memcpy(longest + TRES_NAME_MAX, "=1", 3);
	assert_false(tres_parse_counts(longest, keep, &bag, &err));
	memcpy(longest + TRES_NAME_MAX - 1, "=1", 3);
	assert_true(tres_parse_counts(longest, keep, &bag, &err));
}

/* The message quotes the item, and the receiver's error is passed on. */
static void test_messages(void **state)
{
	json_t *known = json_loads("[\"cpu\"]", 0, NULL);
	struct bag bag = { .known = known };
	struct err err = { 0 };

	(void)state;
	assert_false(tres_parse_weights("cpu=1,tape=2,mem=3", keep, &bag, &err));
	assert_string_equal(err.message, "\"tape\" is unknown");
	assert_int_equal(bag.calls, 2);
	assert_false(tres_parse_weights("cpu=1,mem=2Q", keep, &bag, &err));
	assert_non_null(strstr(err.message, "\"mem=2Q\""));
	json_decref(known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_cases),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_units_of_weights),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_messages),
	};

	return cmocka_run_group_tests_name("tres", tests, NULL, NULL);
}
