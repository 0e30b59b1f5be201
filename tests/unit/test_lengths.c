/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Run times, drawn from the part of their limits that ended jobs used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/sim/lengths.h"

#define U1 lengths_name("u1")
#define U2 lengths_name("u2")
#define PHYSICS lengths_name("physics")
#define CHEMISTRY lengths_name("chemistry")

/*
 * Each job that ran longer is equally likely: many short jobs before one of them add nothing to its
 * chance.
 */
static void longer_alike(void **state)
{
	struct lengths *l = lengths_new();

	(void)state;
	for (unsigned i = 0; i < 10; i++)
		lengths_add(l, U1, 0, i == 0 ? 40000 : i == 9 ? 20000 : 1, 1000000);
	for (uint32_t n = 0; n < 20; n++) {
		struct lengths_draws *d = lengths_draws_new(l, 1, n);
		uint32_t group = lengths_group(l, U1, 0, 1000000);
		int64_t first = lengths_draw_running(d, group, 1000000, 5000);
		unsigned same = 1;

		for (unsigned i = 1; i < 1000; i++)
			same += lengths_draw_running(d, group, 1000000, 5000) == first;
		assert_true(first == 20000 || first == 40000);
		assert_in_range(same, 400, 600);
		lengths_draws_free(d);
	}
	lengths_free(l);
}

/*
 * A user with enough jobs of this limit is drawn from those; else from all the user's jobs, the
 * account's, everyone's.
 */
static void groups(void **state)
{
	struct lengths *l = lengths_new();
	struct lengths_draws *d;
	uint32_t own, of_account, everyone;

	(void)state;
	assert_int_equal(lengths_group(l, U1, PHYSICS, 400), LENGTHS_NOBODY);
	for (uint32_t i = 0; i < 40; i++)
		lengths_add(l, i % 2 ? U1 : U2, PHYSICS, 1 + i * 10, 400 + i / 2 % 2);
	lengths_add(l, lengths_name("u3"), CHEMISTRY, 7, 7);
	own = lengths_group(l, U1, PHYSICS, 800);
	of_account = lengths_group(l, lengths_name("new"), PHYSICS, 400);
	everyone = lengths_group(l, 0, 0, 400);
	assert_int_not_equal(own, of_account);
	assert_int_not_equal(own, everyone);
	assert_int_not_equal(lengths_group(l, U1, PHYSICS, 400), own);
	assert_int_not_equal(lengths_group(l, U1, PHYSICS, 400),
			     lengths_group(l, U1, PHYSICS, 401));
	assert_int_equal(lengths_group(l, lengths_name("u3"), PHYSICS, 400), of_account);
	assert_int_equal(lengths_group(l, lengths_name("u3"), CHEMISTRY, 7), everyone);
	assert_int_equal(lengths_group(l, lengths_name("new"), lengths_name("new"), 7), everyone);
	d = lengths_draws_new(l, 5, 0);
	for (unsigned i = 0; i < 100; i++) {
		assert_true(lengths_draw(d, own, 800) > 0);
		assert_true(lengths_draw_running(d, own, 400, 200) > 200);
	}
	assert_int_equal(lengths_draw_running(d, own, 400, 399), LENGTHS_TO_LIMIT);
	lengths_draws_free(d);
	lengths_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(longer_alike),
		cmocka_unit_test(groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
