/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting by descending numbers, stable: every size at which the method changes, and difficult
 * keys.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/table/order.h"
#include "tests/support/gen_tree.h"

static void test_keys(void **state)
{
	static const double descending[] = { INFINITY, 1e300, 2, 1 + 0x1p-52, 1, 0x1p-1074, 0,
					     -0x1p-1074, -1, -INFINITY, NAN };

	(void)state;
	for (size_t i = 1; i < sizeof(descending) / sizeof(descending[0]); i++)
		assert_true(order_key(descending[i - 1]) < order_key(descending[i]));
	assert_true(order_key(0.0) == order_key(-0.0));
	assert_true(order_key(NAN) == order_key(-NAN));
}

/*
 * Kinds of numbers: spread, few values, all equal, equal in the upper bits, already in order.
 */
static double number(unsigned kind, uint32_t i, uint64_t *seed)
{
	switch (kind) {
	case 0:
		return exp(100 * gen_unit(seed) - 50);
	case 1:
		return (double)(gen_next(seed) % 5) - 2;
	case 2:
		return 1;
	case 3:
		return 1 + 0x1p-50 * (double)(gen_next(seed) % 16);
	case 4:
		return i;
	default:
		return -(double)i;
	}
}

static void check(uint32_t count, unsigned kind)
{
	struct order_item *items = mem_alloc(count, sizeof(*items));
	struct order_item *spare = mem_alloc(count, sizeof(*items));
	uint64_t seed = count + kind, sum = 0;

	for (uint32_t i = 0; i < count; i++)
		items[i] = (struct order_item){ order_key(number(kind, i, &seed)), i, ~i };
	order_sort(items, spare, count);
	for (uint32_t i = 0; i < count; i++) {
		sum += items[i].row;
		assert_int_equal(items[i].mark, ~items[i].row);
		if (i > 0)
			assert_true(items[i - 1].key < items[i].key ||
				    (items[i - 1].key == items[i].key &&
				     items[i - 1].row < items[i].row));
	}
	assert_int_equal(sum, (uint64_t)count * (count - 1) / 2);
	mem_free(spare);
	mem_free(items);
}

static void test_sizes(void **state)
{
	static const uint32_t sizes[] = { 1,  2,   3,	 23,   24,   25,   47,	  48,
					  49, 100, 1023, 1024, 1025, 2049, 30000, 100000 };

	(void)state;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		for (unsigned kind = 0; kind < 6; kind++)
			check(sizes[s], kind);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
