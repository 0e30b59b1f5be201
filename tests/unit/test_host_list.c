/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of nodes as "scontrol show hostlist" writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/cluster/host_list.h"

static void check(const char *const *names, uint32_t count, const char *expected)
{
	struct bytes text = { NULL, 0, 0 };

	bytes_append(&text, "", 0);
	host_list_write(names, count, &text);
	assert_string_equal(text.data ? text.data : "", expected);
	bytes_free(&text);
}

#define CHECK(expected, ...) do { \
	static const char *const names[] = { __VA_ARGS__ }; \
	check(names, sizeof(names) / sizeof(names[0]), expected); \
} while (0)

static void has(void **state)
{
	(void)state;
	assert_true(host_list_has("c001", "c001"));
	assert_false(host_list_has("c001", "c0011"));
	assert_true(host_list_has("c[001-004,007],g1", "c003"));
	assert_true(host_list_has("c[001-004,007],g1", "c007"));
	assert_true(host_list_has("c[001-004,007],g1", "g1"));
	assert_false(host_list_has("c[001-004,007],g1", "c005"));
	assert_false(host_list_has("c[001-004]", "c3"));
	assert_false(host_list_has("c[001-004]", "c"));
	assert_true(host_list_has("c[9-10]", "c10"));
	assert_true(host_list_has("r[1-2]x,n[3,5]", "r2x"));
	assert_true(host_list_has("r[1-2]x,n[3,5]", "n5"));
	assert_false(host_list_has("r[1-2]x", "r2"));
	assert_false(host_list_has("", "r2"));
	assert_false(host_list_has("r[1-", "r2"));
}

static void test_lists(void **state)
{
	(void)state;
	check(NULL, 0, "");
	CHECK("c001", "c001");
	CHECK("c[001-003]", "c001", "c002", "c003");
	CHECK("c[001-002,004,007-008]", "c001", "c002", "c004", "c007", "c008");
	CHECK("c[1,3]", "c1", "c3");
	CHECK("c[009-010]", "c009", "c010");
	CHECK("c9,c10", "c9", "c10");
	CHECK("c[01-02],g[01-02],login", "c01", "c02", "g01", "g02", "login");
	CHECK("r1n[1-2],r2n[1-2]", "r1n1", "r1n2", "r2n1", "r2n2");
	CHECK("[1-2]", "1", "2");
	CHECK("login,login", "login", "login");
	CHECK("n12345678901234567890,n12345678901234567891", "n12345678901234567890",
	      "n12345678901234567891");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(has),
	};

	return cmocka_run_group_tests_name("host_list", tests, NULL, NULL);
}
