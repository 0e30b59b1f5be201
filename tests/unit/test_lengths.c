/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long jobs run, drawn from what ended jobs used of their limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/sim/lengths.h"

/*
 * Of those that ran longer each is as likely as the other: many short ones before one of them do
 * not count for it.
 */
static void longer_alike(void **state)
{
	struct lengths *l = lengths_new();
	unsigned series = 0;

	(void)state;
	for (unsigned i = 0; i < 10; i++)
		lengths_add(l, "u1", NULL, i == 0 ? 40000 : i == 9 ? 20000 : 1, 1000000);
	for (uint32_t n = 0; n < 20; n++) {
		struct lengths_draws *d = lengths_draws_new(l, 1, n);
		uint32_t group = lengths_group(l, "u1", NULL);
		int64_t first = lengths_draw_running(d, group, 1000000, 5000);
		unsigned same = 1;

		for (unsigned i = 1; i < 1000; i++)
			same += lengths_draw_running(d, group, 1000000, 5000) == first;
		if (first != LENGTHS_TO_LIMIT && first < 100000) {	/* not stretched that far */
			assert_in_range(same, 400, 600);
			series++;
		}
		lengths_draws_free(d);
	}
	assert_true(series > 10);
	lengths_free(l);
}

/* Who has enough of its own is drawn from that; else from its account, else from everyone. */
static void groups(void **state)
{
	struct lengths *l = lengths_new();
	struct lengths_draws *d;
	uint32_t own, of_account;

	(void)state;
	for (uint32_t i = 0; i < 40; i++)
		lengths_add(l, i % 2 ? "u1" : "u2", "physics", 1 + i * 10, 400);
	lengths_add(l, "u3", "chemistry", 7, 7);
	own = lengths_group(l, "u1", "physics");
	of_account = lengths_group(l, "new", "physics");
	assert_int_not_equal(own, of_account);
	assert_int_equal(lengths_group(l, "u3", "physics"), of_account);
	assert_int_equal(lengths_group(l, "u3", "chemistry"), lengths_group(l, NULL, NULL));
	assert_int_equal(lengths_group(l, "new", "new"), lengths_group(l, NULL, NULL));
	d = lengths_draws_new(l, 5, 0);
	for (unsigned i = 0; i < 100; i++) {
		assert_true(lengths_draw(d, own, 800) > 0);
		assert_true(lengths_draw_running(d, own, 400, 200) > 200);
	}
	assert_int_equal(lengths_draw_running(d, own, 400, 399), LENGTHS_TO_LIMIT);
	lengths_draws_free(d);
	lengths_free(l);
	l = lengths_new();
	assert_int_equal(lengths_group(l, "u1", "physics"), LENGTHS_NOBODY);
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
