/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the parts of a message are joined: their order, and what is cut of one that is too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/err.h"
#include "core/base/visible.h"

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
	err_join(&err, "saved//", strlen("saved//"), "/");
	assert_string_equal(err.message, "saved/a.log:4: empty");
	err_join(&err, "/", 1, "/");
	assert_string_equal(err.message, "/saved/a.log:4: empty");
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

/* Left out of the beginning of a URL is also what tells that it holds a password. */
static void test_hides_passwords(void **state)
{
	static const char *const urls[][2] = {
		{ "postgresql://127.0.0.1:1/db?cluster=x&key=", "&password=secret" },
		{ "ssh:a/postgres://h/db?key=", "&password=secret&cluster=x" },
		{ "postgresql://u:", "secret@127.0.0.1:1/db?cluster=x" },
		{ "postgresql://u:", "secretsecretsecret@h" },
		{ "https://", "secret@127.0.0.1:1" },
	};
	char many[MANY + 1], url[2 * MANY];
	struct err err;

	(void)state;
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		for (int n = 0; n <= MANY; n++) {
			memset(many, 'd', sizeof(many) - 1);
			many[n] = '\0';
			(void)snprintf(url, sizeof(url), "%s%s%s", urls[i][0], many, urls[i][1]);
			for (int layer = 0; layer < 3; layer++) {
				err_set(&err, ERR_INPUT, "%.300s", layer == 0 ? "refused" : many);
				err_at(&err, url, layer == 1 ? 7 : 0);
				if (layer == 2)
					err_prefix(&err, "source %s", url);
				visible_hide_passwords(err.message);
				assert_null(strstr(err.message, "secret"));
				assert_null(strstr(err.message, "ecret@"));
			}
		}
	}
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
		cmocka_unit_test(test_hides_passwords),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
