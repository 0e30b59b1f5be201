/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the parts of a message are joined: their order, and what is cut of one that is too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/err.h"

#define MANY 600

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), n = strlen(end);

	return length >= n && strcmp(text + length - n, end) == 0;
}

static void test_order(void **state)
{
	struct err err = { .code = ERR_NONE };

	(void)state;
	assert_false(err_set_line(&err, ERR_INPUT, 7, "\"%s\": expected a number", "x"));
	assert_string_equal(err.message, "\"x\": expected a number");
	assert_false(err_prefix(&err, "%s", "shares"));
	assert_int_equal(err.line, 7);
	assert_false(err_at(&err, "sshare.txt", 0));
	assert_string_equal(err.message, "sshare.txt:7: shares: \"x\": expected a number");
	assert_int_equal(err.line, 0);
	assert_false(err_join(&err, "saved/outputs of today", strlen("saved/outputs"), "/"));
	assert_false(err_at(&err, "slurm:saved", 0));
	assert_string_equal(err.message, "slurm:saved: saved/outputs/sshare.txt:7: shares: \"x\": "
					 "expected a number");
	assert_int_equal(err.code, ERR_INPUT);
}

static void test_inputs(void **state)
{
	struct err err = { .code = ERR_NONE };

	(void)state;
	assert_false(err_about(&err, ERR_SOURCE, "a.log", "larger than %d bytes", 9));
	assert_string_equal(err.message, "a.log: larger than 9 bytes");
	assert_int_equal(err.code, ERR_SOURCE);
	err_set(&err, ERR_INPUT, "empty");
	assert_false(err_at(&err, "a.log", UINT64_C(5000000000)));
	assert_string_equal(err.message, "a.log:5000000000: empty");
	err_set_line(&err, ERR_INPUT, 3, "empty");
	err_at(&err, "a.log", 4);
	assert_string_equal(err.message, "a.log:4: empty");
	err_join(&err, "no directory", 0, "/");
	assert_string_equal(err.message, "a.log:4: empty");
	err_clear(&err);
	assert_int_equal(err.code, ERR_NONE);
}

static void test_nobody_asks(void **state)
{
	(void)state;
	assert_false(err_set(NULL, ERR_INPUT, "%d", 1));
	assert_false(err_set_line(NULL, ERR_INPUT, 1, "%d", 1));
	assert_false(err_about(NULL, ERR_INPUT, "a", "%d", 1));
	assert_false(err_join(NULL, "a", 1, "/"));
	assert_false(err_prefix(NULL, "%d", 1));
	assert_false(err_at(NULL, "a", 1));
	err_clear(NULL);
}

/* A file, then a source, each with a path of any length: the reason is whole, the file named. */
static void test_long_paths(void **state)
{
	char path[MANY + sizeof("/jobs.txt")], reason[384];
	struct err err;

	(void)state;
	for (size_t n = 0; n <= MANY; n++) {
		for (size_t m = 1; m < sizeof(reason); m += 13) {
			memset(path, 'd', n);
			memcpy(path + n, "/jobs.txt", sizeof("/jobs.txt"));
			memset(reason, 'r', m);
			reason[m] = '\0';
			err_set_line(&err, ERR_INPUT, 1234, "%s", reason);
			err_at(&err, path, 0);
			assert_true(ends_with(err.message, reason));
			assert_non_null(strstr(err.message, "/jobs.txt:1234: r"));
			assert_true(n > 45 || !strstr(err.message, "..."));
			err_prefix(&err, "slurm:%s", path);
			assert_true(ends_with(err.message, reason));
			assert_non_null(strstr(err.message, "/jobs.txt: "));
			assert_non_null(strstr(err.message, "/jobs.txt:1234: r"));
			assert_true(strlen(err.message) < sizeof(err.message));
		}
	}
}

static void test_whole_characters(void **state)
{
	char path[MANY + 2];
	struct err err;

	(void)state;
	for (size_t first = 0; first < 2; first++) {
		memset(path, 'a', first);
		for (size_t i = first; i + 1 < sizeof(path); i += 2)
			memcpy(path + i, "\xc3\xa9", 2);
		path[first + MANY] = '\0';
		for (size_t n = 1; n < 10; n++) {
			err_set(&err, ERR_INPUT, "%.*s", (int)n, "rrrrrrrrrr");
			err_prefix(&err, "%s", path);
			assert_memory_equal(err.message, "...\xc3\xa9", 5);
		}
	}
}

/* What is too long by itself, such as a list of columns, gives way to a short prefix. */
static void test_long_reason(void **state)
{
	char list[MANY], expected[ERR_MESSAGE_MAX];
	struct err err;

	(void)state;
	memset(list, 'c', sizeof(list) - 1);
	list[sizeof(list) - 1] = '\0';
	err_set(&err, ERR_INPUT, "%s", list);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
	err_prefix(&err, "filter");
	memset(expected, 'c', sizeof(expected) - 1);
	memcpy(expected, "filter: ", 8);
	expected[sizeof(expected) - 1] = '\0';
	assert_string_equal(err.message, expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_inputs),
		cmocka_unit_test(test_nobody_asks),
		cmocka_unit_test(test_long_paths),
		cmocka_unit_test(test_whole_characters),
		cmocka_unit_test(test_long_reason),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
