/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values: doubles in the fewest digits, compared with the C library.
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
		/* a power of two: 16 digits read back, too, but are not what it rounds to */
		{ 0x1p-24, "5.9604644775390625e-08" }, { 9007199254740992, "9007199254740992" },
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

/* Gets the library's digits, as many as needed. */
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

/* As few digits as a search from one digit up finds, and the same ones. */
static void test_fewest_digits(void **state)
{
	uint64_t seed = 2;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		char digits[VALUE_DIGITS], expected[24];
		double x = fabs(dice_double(&seed));
		int n, m, point, expected_point;

		if (x == 0)
			continue;
		n = value_digits(x, digits, &point);
		m = by_library(x, expected, &expected_point);
		if (n != m || point != expected_point || memcmp(digits, expected, (size_t)n) != 0)
			fail_msg("%.17g: 0.%.*se%d, not 0.%.*se%d", x, n, digits, point, m,
				 expected, expected_point);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_reads_back),
		cmocka_unit_test(test_fewest_digits),
	};

	return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
