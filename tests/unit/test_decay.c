/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decay: the worked cases (long double, computed independently), and the edges of the settings.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/decay.h"
#include "tests/support/compare.h"
#include "tests/support/data.h"
#include "tests/support/worked.h"

#define TOLERANCE 1e-12

static double charges_of(const json_t *step, int64_t half_life, int64_t dt)
{
	const json_t *charges = json_object_get(step, "charges"), *one;
	double sum = 0;
	size_t i;

	json_array_foreach(charges, i, one)
		sum += decay_charge(half_life, dt, json_number_value(json_array_get(one, 0)),
				    json_number_value(json_array_get(one, 1)));
	return sum;
}

static bool check_case(const json_t *one)
{
	const char *name = json_string_value(json_object_get(one, "name"));
	const json_t *expect = json_object_get(one, "expect"), *step;
	int64_t half_life = json_integer_value(json_object_get(one, "half_life"));
	const json_t *after = json_object_get(expect, "usage");
	double usage = data_number(one, "usage");
	bool ok = compare_close(decay_per_second(half_life), data_number(expect, "decay_factor"), 0,
				name, "factor per second");
	size_t i;

	json_array_foreach(json_object_get(one, "steps"), i, step) {
		int64_t dt = json_integer_value(json_object_get(step, "dt"));

		usage = usage * decay_over(half_life, dt) + charges_of(step, half_life, dt);
		ok &= compare_close(usage, json_number_value(json_array_get(after, i)), TOLERANCE,
				    name, "usage");
	}
	return ok;
}

static void test_worked_cases(void **state)
{
	(void)state;
	worked_hold("decay", 3, check_case);
}

static void test_edges(void **state)
{
	(void)state;
	assert_true(decay_per_second(0) == 1.0);
	assert_true(decay_per_second(-5) == 1.0);
	assert_true(decay_over(604800, 0) == 1.0);
	assert_true(decay_over(604800, -3) == 1.0);
	assert_true(decay_over(0, INT64_C(1) << 40) == 1.0);
	/* never quite zero, as in the scheduler */
	assert_true(decay_over(60, INT64_C(1) << 40) == DBL_MIN);
	assert_true(decay_charge(604800, 0, 4, 1) == 0.0);
	assert_true(decay_charge(604800, -1, 4, 1) == 0.0);
	assert_true(decay_charge(0, 10, 4, 0.5) == 20.0);
	assert_true(decay_charge(0, 10, 4, -1) == 40.0);
	assert_true(decay_charge(0, 10, 4, 0) == 0.0);
}

/* Two passes leave the same as one of twice the length: decay is exponential. */
static void test_passes_multiply(void **state)
{
	(void)state;
	for (int64_t dt = 1; dt < 100000; dt = dt * 3 + 1) {
		double once = decay_over(604800, 2 * dt), half = decay_over(604800, dt);

		assert_true(compare_close(half * half, once, TOLERANCE, "two passes", "left"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_cases),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_passes_multiply),
	};

	return cmocka_run_group_tests_name("decay", tests, NULL, NULL);
}
