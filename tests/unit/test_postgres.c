/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Data to and from a PostgreSQL server, without one: rows in both directions, what is refused, and
 * that a copy reads only what is new. tests/scripts/cli_postgres.sh has a real one.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "core/base/dice.h"
#include "tests/fuzz/fake_postgres.h"
#include "tests/support/scratch.h"

#define NAME "0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210"

static const struct raw_table kinds = {
	.name = "kinds", .count = 6, .by = 0, .samples = true,
	.columns = { { .name = "sample", .type = RAW_INTEGERS, .needed = true, .key = 1 },
		     { .name = "number", .type = RAW_INTEGERS },
		     { .name = "real", .type = RAW_REALS }, { .name = "text", .type = RAW_TEXTS },
		     { .name = "bytes", .type = RAW_BLOBS }, { .name = "any", .type = RAW_ANY } },
};

static struct raw_value integer(int64_t n)
{
	return (struct raw_value){ .class = RAW_INTEGER, .integer = n };
}

static struct raw_value real(double x)
{
	return (struct raw_value){ .class = RAW_REAL, .real = x };
}

static struct raw_value text(const char *s)
{
	return (struct raw_value){ .class = RAW_TEXT, .bytes = s, .length = strlen(s) };
}

static struct raw_value blob(const char *s, size_t length)
{
	return (struct raw_value){ .class = RAW_BLOB, .bytes = s, .length = length };
}

static void assert_same(const struct raw_value *a, const struct raw_value *b)
{
	assert_int_equal(a->class, b->class);
	if (a->class == RAW_INTEGER)
		assert_true(a->integer == b->integer);
	else if (a->class == RAW_REAL)
		assert_memory_equal(&a->real, &b->real, sizeof(a->real));
	else if (a->class != RAW_NULL) {
		assert_int_equal(a->length, b->length);
		assert_memory_equal(a->bytes, b->bytes, a->length);
	}
}

static void there_and_back(const struct raw_value *values)
{
	struct raw_value again[RAW_COLUMNS_MAX];
	const bool has[RAW_COLUMNS_MAX] = { true, true, true, true, true, true };
	struct bytes line = { NULL, 0, 0 };
	struct err err;

	row_encode(&line, "c", &kinds, values);
	assert_memory_equal(line.data, "c\t", 2);
	assert_int_equal(line.data[line.length - 1], '\n');
	assert_ptr_equal(memchr(line.data, '\n', line.length),
			 line.data + line.length - 1);
	line.data[line.length - 1] = '\0';
	if (!row_decode(line.data + 2, &kinds, has, again, &err))
		fail_msg("%s", err.message);
	for (size_t i = 0; i < kinds.count; i++)
		assert_same(&values[i], &again[i]);
	bytes_free(&line);
}

static void test_rows(void **state)
{
	const struct raw_value odd[] = {
		integer(0), integer(INT64_MIN), integer(INT64_MAX), real(0.1), real(5e-324),
		real(-INFINITY), real(INFINITY), text(""), text("\\N"), text("a\tb\nc\\d\re"),
		text("12"), text("-0"), text("inf"), text("parent"), text("Infinity"),
		text("\xff\xfe"), text("M\xc3\xbcnchen"), blob("-0", 2), blob("\0x", 2),
		blob("", 0), text("x=t00 y"), { .class = RAW_NULL },
	};
	const size_t count = sizeof(odd) / sizeof(odd[0]);
	uint64_t dice = 22;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		struct raw_value values[6] = { integer(round) };

		for (size_t i = 1; i < 6; i++)
			values[i] = odd[dice_below(&dice, (uint32_t)count)];
		there_and_back(values);
	}
}

static void test_rows_refused(void **state)
{
	static const char *const bad[] = {
		"", "1", "1\t2\t3\tx\t\\\\x00\ty", "1\t2\t3\tx\t\\\\x00\ty\t\\N\tz",
		"Infinity\t2\t3\tx\t\\N\ty\t\\N", "x\t2\t3\tx\t\\N\ty\t\\N",
		"9223372036854775808\t2\t3\tx\t\\N\ty\t\\N", "1\t2x\t3\tx\t\\N\ty\t\\N",
		"1\t2\tnan\tx\t\\N\ty\t\\N", "1\t2\t\tx\t\\N\ty\t\\N", "1\t2\t3\tx\tab\ty\t\\N",
		"1\t2\t3\tx\t\\\\x0\ty\t\\N", "1\t2\t3\tx\t\\\\x0G\ty\t\\N",
		"1\t2\t3\tx\t\\N\ty\tz",
		"1\t2\t3\tx\t\\N\ty\tnumber=", "1\t2\t3\tx\t\\N\ty\tnumber=z00",
		"1\t2\t3\tx\t\\N\ty\tnumber=t0", "1\t2\t3\tx\t\\N\ty\tnumber=i61",
		"1\t2\t3\tx\t\\N\ty\t number=t00",
	};
	const bool has[RAW_COLUMNS_MAX] = { true, true, true, true, true, true };
	struct raw_value values[RAW_COLUMNS_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *line = mem_strdup(bad[i]);
		struct err err = { .code = ERR_NONE };

		if (row_decode(line, &kinds, has, values, &err))
			fail_msg("\"%s\" is taken", bad[i]);
		assert_int_equal(err.code, ERR_INPUT);
		assert_non_null(strstr(err.message, "the server's table kinds"));
		mem_free(line);
	}
}

static void test_names(void **state)
{
	struct bytes sql = { NULL, 0, 0 };

	(void)state;
	assert_true(server_is_name(NAME));
	assert_false(server_is_name("0123456789abcdef0123456789abcde"));
	assert_false(server_is_name("0123456789abcdef0123456789abcdeG"));
	assert_false(server_is_name("';DROP TABLE x;--aaaaaaaaaaaaaaaa"));
	server_range(&sql, "c", &kinds, 3, 7);
	assert_string_equal(sql.data, "cluster = 'c' AND \"sample\" >= 3 AND \"sample\" < 8");
	bytes_free(&sql);
}

/* ---- a copy -------------------------------------------------------------------------------- */

#define SAMPLE(N) N "\t100\t100\t100\t0\t\\N\t\\N\t\\N\t0\t1\t\\N\t\\N"

static char schema[12];

static void begin_server(const char *samples, const char *stamp)
{
	fake = (struct fake_server){ .replica = { NAME, OTHER, schema, samples, stamp },
				     .first = "0" };
	fake_line("sample", 1, SAMPLE("1"));
	fake_line("sample", 2, SAMPLE("2"));
	fake_line("word", 1, "1\tphysics\t\\N");
	fake_line("word", 2, "2\tchemistry\t\\N");
}

static bool pull(struct raw *copy, struct err *err)
{
	*err = (struct err){ .code = ERR_NONE };
	fake.tables = raw_tables(copy, &fake.count);
	fake.sent = 0;
	return pull_all(NULL, "c", copy, err);
}

static struct raw *open_copy(const char *path)
{
	struct err err;
	struct raw *copy = raw_open_copy(path, &err);

	if (!copy)
		fail_msg("%s", err.message);
	return copy;
}

static struct raw *new_copy(void)
{
	char path[SCRATCH_PATH_MAX];

	return open_copy(scratch_path("copy.rec", path));
}

static void assert_holds(struct raw *copy, int64_t samples, int64_t words)
{
	int64_t first, last;

	raw_samples(copy, &first, &last);
	assert_int_equal(last, samples);
	assert_int_equal(raw_words(copy), words);
}

static int64_t number_of(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st = NULL;
	int64_t number = -1;

	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW)
		number = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return number;
}

/* A copy with another schema is made anew; a reader of the old one can go on. */
static void test_another_schema(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct raw *copy = open_copy(scratch_path("older.rec", path));
	struct err err;
	sqlite3 *old;

	(void)state;
	begin_server("2", "5");
	assert_true(pull(copy, &err));
	raw_close(copy);
	assert_int_equal(sqlite3_open(path, &old), SQLITE_OK);
	assert_int_equal(sqlite3_exec(old, "PRAGMA user_version = 1", NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(number_of(old, "SELECT count(*) FROM sample"), 2);
	copy = open_copy(path);
	fake.replica[3] = "3";
	fake_line("sample", 3, SAMPLE("3"));
	assert_true(pull(copy, &err));
	assert_holds(copy, 3, 2);
	assert_int_equal(number_of(old, "SELECT count(*) FROM sample"), 2);
	assert_int_equal(number_of(old, "PRAGMA user_version"), 1);
	sqlite3_close(old);
	raw_close(copy);
	copy = open_copy(path);
	assert_holds(copy, 3, 2);
	raw_close(copy);
}

/* Known words and samples are not read again, whatever else has changed. */
static void test_only_new(void **state)
{
	struct raw *copy = new_copy();
	struct err err;

	(void)state;
	begin_server("2", "5");
	assert_true(pull(copy, &err));
	assert_holds(copy, 2, 2);
	assert_int_equal(fake.sent, 4);
	assert_true(pull(copy, &err));
	assert_int_equal(fake.sent, 0);

	fake.replica[3] = "3";
	fake.replica[4] = "6";
	fake_line("sample", 3, SAMPLE("3"));
	fake_line("word", 3, "3\tbiology\t\\N");
	assert_true(pull(copy, &err));
	assert_holds(copy, 3, 3);
	/* The last known sample is sent again for the time until which it held. */
	assert_int_equal(fake.sent, 3);

	/* The server got a new column, for this cluster or another one. */
	fake.missing = "reported_fairshare";
	fake.replica[4] = "7";
	assert_true(pull(copy, &err));
	fake.missing = NULL;
	fake.replica[4] = "8";
	assert_true(pull(copy, &err));
	assert_int_equal(fake.sent, 1);
	assert_holds(copy, 3, 3);

	/* Another spool took over. */
	fake.replica[1] = NAME;
	fake.replica[4] = "9";
	assert_true(pull(copy, &err));
	assert_int_equal(fake.sent, 6);
	assert_holds(copy, 3, 3);
	raw_close(copy);
}

static void assert_refused(const char *says)
{
	struct raw *copy = new_copy();
	struct err err;

	if (pull(copy, &err))
		fail_msg("taken, instead of \"%s\"", says);
	if (!strstr(err.message, says))
		fail_msg("\"%s\" does not say \"%s\"", err.message, says);
	assert_int_equal(err.code, ERR_INPUT);
	assert_holds(copy, 0, 0);
	raw_close(copy);
}

static void test_refused(void **state)
{
	(void)state;
	begin_server("2", "5");
	fake.replica[0] = NULL;
	assert_refused("the server has no cluster c");
	begin_server("2", "5");
	fake.replica[0] = "'; DROP TABLE x; --";
	assert_refused("table replica: a row that is not fairtop's");
	begin_server("-2", "5");
	assert_refused("table replica: a row that is not fairtop's");
	begin_server("9223372036854775807", "5");
	assert_refused("table replica: a row that is not fairtop's");
	begin_server("2", "5");
	fake.replica[2] = "999";
	assert_refused("recorded by a newer fairtop");
	begin_server("2", "5");
	fake.missing = "next_object";
	assert_refused("the server has no fairtop.sample.next_object");
	begin_server("2", "5");
	fake.replaced[0] = "7";
	fake.replaced[1] = "3";
	assert_refused("table replaced: a row that is not fairtop's");
	begin_server("2", "5");
	fake_line("job", -1, "nothing");
	assert_refused("the server's table job");
	begin_server("2", "5");
	fake_line("word", 2, "2\ttwice\t\\N");
	assert_refused("UNIQUE constraint failed");
}

static int group_setup(void **state)
{
	snprintf(schema, sizeof(schema), "%d", STORE_VERSION);
	return scratch_open(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_rows_refused),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_another_schema),
		cmocka_unit_test(test_only_new),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, group_setup, scratch_close);
}
