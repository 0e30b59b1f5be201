/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmocka.h of our own: as much of cmocka as the tests of the core need where cmocka is not (make
 * check-musl). The first assertion that fails says where, and ends the program with status 1.
 */
#ifndef FAIRTOP_TESTS_MUSL_CMOCKA_H
#define FAIRTOP_TESTS_MUSL_CMOCKA_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define print_message(...) printf(__VA_ARGS__)
#define fail_msg(...) (printf("%s:%d: ", __FILE__, __LINE__), printf(__VA_ARGS__), exit(1))
#define assert_true(x) ((x) ? (void)0 : fail_msg("%s\n", #x))
#define assert_false(x) assert_true(!(x))
#define assert_non_null(x) assert_true((x) != NULL)
#define assert_null(x) assert_true(!(x))
#define assert_int_equal(a, b) assert_true((uintmax_t)(a) == (uintmax_t)(b))
#define assert_int_not_equal(a, b) assert_true((uintmax_t)(a) != (uintmax_t)(b))
#define assert_ptr_equal(a, b) assert_true((a) == (b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, n) assert_true(memcmp(a, b, n) == 0)

struct CMUnitTest {
	const char *name;
	void (*run)(void **state);
};

#define cmocka_unit_test(function) { #function, function }
#define cmocka_run_group_tests(tests, up, down) \
	run_tests(tests, sizeof(tests) / sizeof((tests)[0]))
#define cmocka_run_group_tests_name(name, tests, up, down) cmocka_run_group_tests(tests, up, down)

static inline int run_tests(const struct CMUnitTest *tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		void *state = NULL;

		printf("%s\n", tests[i].name);
		tests[i].run(&state);
	}
	printf("%zu passed, 0 failed\n", count);
	return 0;
}

#endif
