/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values: doubles in their fewest digits, judged by the C library, and the order of cells.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/shortest.h"
#include "core/base/value.h"
#include "tests/support/dice.h"

#define ROUNDS 200000

/* ---- printing ------------------------------------------------------------------------------ */

static void test_forms(void **state)
{
	static const struct {
		double x;
		const char *text;
	} cases[] = {
		{ 0, "0" }, { -0.0, "-0.0" }, { 1, "1" }, { -1, "-1" }, { 10, "10" },
		{ 0.1, "0.1" }, { 1.5, "1.5" }, { -2.25, "-2.25" }, { 0.001, "0.001" },
		{ 1e-6, "0.000001" },
		{ 1.5e-6, "0.0000015" }, { 1e-7, "1e-07" }, { 1.25e-7, "1.25e-07" },
		{ 100000, "100000" },
		{ 123456.789, "123456.789" }, { 9007199254740991, "9007199254740991" },
		{ 9007199254740993e1, "90071992547409940" }, { 1e16, "10000000000000000" },
		{ 99999999999999984, "99999999999999980" }, { 1e17, "1e+17" }, { 1e22, "1e+22" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" }, { 5e-324, "5e-324" },
		{ 2.2250738585072014e-308, "2.2250738585072014e-308" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 2.0 / 3, "0.6666666666666666" }, { 4294967294.0, "4294967294" },
		{ 0.30000000000000004, "0.30000000000000004" },
		/* a power of two: its neighbour below is closer than the one above */
		{ 0x1p-24, "5.960464477539063e-08" }, { 9007199254740992, "9007199254740992" },
	};
	char buf[VALUE_DOUBLE_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(value_print_double(cases[i].x, buf), strlen(cases[i].text));
		assert_string_equal(buf, cases[i].text);
	}
	value_print_double(NAN, buf);
	assert_string_equal(buf, "nan");
	value_print_double(-(double)NAN, buf);
	assert_string_equal(buf, "nan");
	value_print_double(INFINITY, buf);
	assert_string_equal(buf, "inf");
	value_print_double(-INFINITY, buf);
	assert_string_equal(buf, "-inf");
}

static void must_read_back(double x)
{
	char buf[VALUE_DOUBLE_MAX];
	size_t length = value_print_double(x, buf);
	double back = strtod(buf, NULL);

	if (length != strlen(buf) || length >= VALUE_DOUBLE_MAX ||
	    memcmp(&back, &x, sizeof(x)) != 0)
		fail_msg("%.17g became \"%s\"", x, buf);
}

static void test_reads_back(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < ROUNDS; i++)
		must_read_back(dice_double(&seed));
	for (int e = -1074; e < 1024; e++) {
		must_read_back(ldexp(1, e));
		must_read_back(-nextafter(ldexp(1, e), 0));
		must_read_back(nextafter(ldexp(1, e), DBL_MAX));
	}
	for (int e = -323; e < 309; e++) {
		char text[16];

		snprintf(text, sizeof(text), "1e%d", e);
		must_read_back(strtod(text, NULL));
	}
}

/* Digits of the library, as many as it takes. */
static int by_library(double x, char *digits, int *point)
{
	char text[40];
	int n = 0;

	do
		snprintf(text, sizeof(text), "%.*e", n++, x);
	while (strtod(text, NULL) != x);
	digits[0] = text[0];
	memcpy(digits + 1, text + 2, (size_t)n);
	*point = atoi(strchr(text, 'e') + 1) + 1;
	return n;
}

/*
 * As few digits as the library needs, and then the same ones. Fewer are possible only at powers of
 * two, where the interval that rounds to the double is not centred on it.
 */
static void test_fewest_digits(void **state)
{
	uint64_t seed = 2;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		char digits[SHORTEST_DIGITS_MAX], expected[24];
		double x = fabs(dice_double(&seed));
		int n, m, point, expected_point, exponent;

		if (x == 0)
			continue;
		n = shortest_digits(x, digits, &point);
		m = by_library(x, expected, &expected_point);
		if (n < m && frexp(x, &exponent) == 0.5)
			continue;
		if (n != m || point != expected_point || memcmp(digits, expected, (size_t)n) != 0)
			fail_msg("%.17g: 0.%.*se%d, not 0.%.*se%d", x, n, digits, point, m,
				 expected, expected_point);
	}
}

/* ---- order --------------------------------------------------------------------------------- */

static struct value integer(int64_t x)
{
	return (struct value){ .kind = VALUE_INT, .integer = x };
}

static struct value real(double x)
{
	return (struct value){ .kind = VALUE_REAL, .real = x };
}

static struct value text(const char *s)
{
	return (struct value){ .kind = VALUE_TEXT, .text = s };
}

static int sign(int x)
{
	return (x > 0) - (x < 0);
}

/* Every pair of a list that is in order, both ways round. */
static void check_order(const struct value *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (sign(value_compare(&values[i], &values[k])) != (i > k) - (i < k))
				fail_msg("%zu and %zu", i, k);
}

static void test_numbers(void **state)
{
	const int64_t edge = INT64_C(1) << 53;
	const struct value values[] = {
		real(-INFINITY), real(-1e300), integer(INT64_MIN), real(-1.5), integer(-1),
		real(-0.5), integer(0), real(5e-324), integer(1), real(1.5), integer(edge),
		integer(edge + 1),
		real((double)edge + 2), integer(edge + 3), integer(INT64_MAX), real(0x1p63),
		real(INFINITY), real(NAN),
	};
	struct value a = integer(3), b = real(3), nothing = { .kind = VALUE_UNKNOWN };
	struct value not_a_number = real(NAN), no_text = text(NULL);

	(void)state;
	check_order(values, sizeof(values) / sizeof(values[0]));
	assert_int_equal(value_compare(&a, &b), 0);
	assert_int_equal(value_compare(&nothing, &not_a_number), 0);
	assert_int_equal(value_compare(&nothing, &no_text), 0);
	assert_true(value_compare(&nothing, &a) > 0);
}

static void test_texts(void **state)
{
	const struct value values[] = {
		text(""), text("A"), text("B"), text("a"), text("aa"), text("b"), text("\xc3\xa9"),
		text(NULL),
	};

	(void)state;
	check_order(values, sizeof(values) / sizeof(values[0]));
}

static void test_maps_and_lists(void **state)
{
	static const struct value_entry cpu1[] = { { "cpu", 1, NULL, NULL } };
	static const struct value_entry cpu2[] = { { "cpu", 2, NULL, NULL } };
	static const struct value_entry both[] = { { "cpu", 1, NULL, NULL },
						   { "mem", 1, NULL, NULL } };
	static const struct value_entry word[] = { { "cpu", 0, "x", NULL } };
	static const struct value_entry a[] = { { NULL, 0, "a", NULL } };
	static const struct value_entry b[] = { { NULL, 0, "b", NULL } };
	const struct value maps[] = {
		{ .kind = VALUE_MAP }, { .kind = VALUE_MAP, .entries = cpu1, .count = 1 },
		{ .kind = VALUE_MAP, .entries = both, .count = 2 },
		{ .kind = VALUE_MAP, .entries = cpu2, .count = 1 },
		{ .kind = VALUE_MAP, .entries = word, .count = 1 },
	};
	const struct value lists[] = {
		{ .kind = VALUE_LIST }, { .kind = VALUE_LIST, .entries = a, .count = 1 },
		{ .kind = VALUE_LIST, .entries = b, .count = 1 },
	};

	(void)state;
	check_order(maps, sizeof(maps) / sizeof(maps[0]));
	check_order(lists, sizeof(lists) / sizeof(lists[0]));
}

/* Columns hold one kind, but any mixture has one order. */
static void test_mixture(void **state)
{
	struct value values[] = {
		integer(1), real(2), text("x"), { .kind = VALUE_BOOL, .integer = 0 },
		{ .kind = VALUE_BOOL, .integer = 1 }, { .kind = VALUE_MAP }, { .kind = VALUE_LIST },
		{ .kind = VALUE_UNKNOWN },
	};

	(void)state;
	check_order(values, sizeof(values) / sizeof(values[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_reads_back),
		cmocka_unit_test(test_fewest_digits),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_maps_and_lists),
		cmocka_unit_test(test_mixture),
	};

	return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
