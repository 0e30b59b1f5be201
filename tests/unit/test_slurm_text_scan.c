/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words in Slurm's outputs: numbers, durations, times, names with numbers; and its tables in their
 * three forms, with cells that overflow, are truncated, or are missing.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adapters/slurm/text_reader.h"
#include "adapters/slice.h"
#include "adapters/slurm/text_table.h"
#include "core/base/unknown.h"

static void whole_numbers(void **state)
{
	static const struct {
		const char *text;
		uint32_t value;
	} good[] = {
		{ "0", 0 }, { "42", 42 }, { "4294967295", UINT32_MAX }, { "2K", 2048 },
		{ "1M", 1048576 }, { "UNLIMITED", U32_INFINITE }, { "Infinite", U32_INFINITE },
	};
	static const char *const bad[] = { "", "-1", "4294967296", "1.5", "K", "12x", "5G", "0x10",
					   "1 ", "99999999999999999999999" };
	uint32_t value;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(slice_u32(slice_of(good[i].text), &value));
		assert_int_equal(value, good[i].value);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(slice_u32(slice_of(bad[i]), &value));
}

static void signed_numbers(void **state)
{
	int64_t value;

	(void)state;
	assert_true(slice_i64(slice_of("-2481"), &value) && value == -2481);
	assert_true(slice_i64(slice_of("9000000000"), &value) && value == 9000000000);
	assert_false(slice_i64(slice_of("-"), &value));
	assert_false(slice_i64(slice_of(""), &value));
	assert_false(slice_i64(slice_of("99999999999999999999"), &value));
}

static void real_numbers(void **state)
{
	static const char *const bad[] = { "", "nan", "infinity", "0x1p3", "1e", "1.2.3", "e5",
					   "1e999" };
	double value;

	(void)state;
	assert_true(slice_f64(slice_of("0.072876"), &value) && value == 0.072876);
	assert_true(slice_f64(slice_of("1.646e+09"), &value) && value == 1.646e9);
	assert_true(slice_f64(slice_of("-3"), &value) && value == -3);
	assert_true(slice_f64(slice_of("inf"), &value) && isinf(value));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(slice_f64(slice_of(bad[i]), &value));
}

static void last_digits(void **state)
{
	(void)state;
	assert_float_equal(slice_quantum(slice_of("7849.44")), 0.01, 1e-17);
	assert_float_equal(slice_quantum(slice_of("253994.831991")), 1e-6, 1e-20);
	assert_float_equal(slice_quantum(slice_of("12")), 1, 0);
	assert_float_equal(slice_quantum(slice_of("1.2346e+07")), 1000, 0);
	assert_float_equal(slice_quantum(slice_of("1e-3")), 1e-3, 1e-17);
}

static void durations(void **state)
{
	static const struct {
		const char *text;
		int64_t seconds;
	} good[] = {
		{ "5", 300 }, { "1:00", 60 }, { "1:00:00", 3600 }, { "7-00:00:00", 604800 },
		{ "2-18:40:00", 240000 }, { "14-0", 1209600 }, { "1-12:30", 131400 },
		{ "UNLIMITED", I64_INFINITE },
	};
	static const char *const bad[] = { "", "-", "1-", "-1", "1:2:3:4", "1::2", ":5", "1:",
					   "abc", "1-2-3", "99999999999-0" };
	int64_t seconds;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_true(slice_duration(slice_of(good[i].text), &seconds));
		assert_int_equal(seconds, good[i].seconds);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(slice_duration(slice_of(bad[i]), &seconds));
}

static void times(void **state)
{
	static const char *const bad[] = { "", "2026-11-20", "2026-11-20 03:50:28", "Unknown",
					   "2026-13-01T00:00:00", "2026-11-20T24:00:00",
					   "2026-11-20T03:50:2x" };
	int64_t at;

	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	assert_true(slice_time(slice_of("2026-11-20T03:50:28"), &at));
	assert_int_equal(at, 1795146628);
	setenv("TZ", "EST5", 1);
	tzset();
	assert_true(slice_time(slice_of("2026-11-20T03:50:28"), &at));
	assert_int_equal(at, 1795146628 + 5 * 3600);
	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(slice_time(slice_of(bad[i]), &at));
}

static void numbered_names(void **state)
{
	struct slice name;
	uint32_t number;

	(void)state;
	slice_numbered(slice_of("alice(7131)"), &name, &number);
	assert_true(slice_is(name, "alice") && number == 7131);
	slice_numbered(slice_of("a(b)(7)"), &name, &number);
	assert_true(slice_is(name, "a(b)") && number == 7);
	slice_numbered(slice_of("alice"), &name, &number);
	assert_true(slice_is(name, "alice") && number == U32_UNKNOWN);
	slice_numbered(slice_of("x(y)"), &name, &number);
	assert_true(slice_is(name, "x(y)") && number == U32_UNKNOWN);
	slice_numbered(slice_of(")"), &name, &number);
	assert_true(slice_is(name, ")"));
	slice_numbered(slice_of(""), &name, &number);
	assert_int_equal(name.length, 0);
}

/* ---- tables -------------------------------------------------------------------------------- */

static struct text_table open_table(const char *text, const char *first, bool words)
{
	/* Must outlive the table. */
	static struct slurm_text source;
	struct text_table t;
	struct err err = { 0 };

	source = (struct slurm_text){ "table", text, strlen(text) };
	if (!table_open(&t, &source, first, words, &err))
		fail_msg("%s", err.message);
	return t;
}

static void next_is(struct text_table *t, size_t count, const char *const *cells)
{
	struct err err = { 0 };

	if (table_next(t, &err) != TABLE_ROW)
		fail_msg("%s", err.message);
	for (size_t i = 0; i < count; i++) {
		struct slice cell = table_cell(t, i);

		if (!slice_is(cell, cells[i]))
			fail_msg("line %u: \"%.*s\", not \"%s\"", (unsigned)t->line,
				 SLICE_PRINT(cell), cells[i]);
	}
}

static void delimited(void **state)
{
	static const char *const texts[] = {
		"Account|User|Raw\nroot||1\nphysics|alice|\n\n a| |  3 \n",
		"Account|User|Raw|\nroot||1|\nphysics|alice||\n\n a| |  3 |\n",
		"Account|User|Raw\r\nroot||1\r\nphysics|alice|\r\n a||3\r\n",
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct text_table t = open_table(texts[i], "account", false);

		assert_int_equal(t.form, TABLE_DELIMITED);
		assert_int_equal(t.columns, 3);
		next_is(&t, 3, (const char *const[]){ "root", "", "1" });
		next_is(&t, 3, (const char *const[]){ "physics", "alice", "" });
		next_is(&t, 3, (const char *const[]){ "a", "", "3" });
		assert_int_equal(table_next(&t, NULL), TABLE_END);
	}
}

/* A number wider than its column shifts what follows; a text is truncated instead. */
static void ruled(void **state)
{
	struct text_table t = open_table(
		"Account             User   RawUsage  FairShare\n"
		"---------- ---------- ---------- ----------\n"
		"root                          12   0.500000\n"
		" physics        alice 123456789012   0.250000\n"
		" verylong+        bob          7\n", "Account", false);
	size_t blanks;

	(void)state;
	assert_int_equal(t.form, TABLE_RULED);
	next_is(&t, 4, (const char *const[]){ "root", "", "12", "0.500000" });
	next_is(&t, 4, (const char *const[]){ "physics", "alice", "123456789012", "0.250000" });
	assert_int_equal(t.line, 4);
	assert_true(table_indent(&t, 0, &blanks) && blanks == 1);
	assert_false(table_is_cut(&t, 0));
	next_is(&t, 4, (const char *const[]){ "verylong+", "bob", "7", "" });
	assert_true(table_is_cut(&t, 0));
	assert_int_equal(table_next(&t, NULL), TABLE_END);
}

/* Right-aligned: cells end below the ends of the titles, and names may contain blanks. */
static void aligned_right(void **state)
{
	struct text_table t = open_table(
		"     JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n"
		"       177      bill   my job      tu3 PD       0:00      1 (Nodes required)\n"
		"189_[0-18] normal,bi sleepers verylong  R    1:00:00     12 n[1-12]\n",
		"JOBID", false);

	(void)state;
	assert_int_equal(t.form, TABLE_ALIGNED);
	next_is(&t, 8, (const char *const[]){ "177", "bill", "my job", "tu3", "PD", "0:00", "1",
					      "(Nodes required)" });
	assert_false(table_is_cut(&t, 1));
	next_is(&t, 8, (const char *const[]){ "189_[0-18]", "normal,bi", "sleepers", "verylong",
					      "R", "1:00:00", "12", "n[1-12]" });
	assert_true(table_is_cut(&t, 1));
	assert_true(table_is_cut(&t, 2));
	assert_true(table_is_cut(&t, 3));
	assert_false(table_is_cut(&t, 6));
}

/* Remains of a folded or cut line may fit the header by chance. */
static void folded_and_cut(void **state)
{
	struct text_table t = open_table("     JOBID PARTITION  PRIORITY\n"
					 "     31842 cpu             310\n"
					 "77 gpu 9\n"
					 "     31\n", "JOBID", true);

	(void)state;
	next_is(&t, 3, (const char *const[]){ "31842", "cpu", "310" });
	assert_int_equal(table_next(&t, NULL), TABLE_BAD_ROW);
	assert_int_equal(table_next(&t, NULL), TABLE_BAD_ROW);
	assert_int_equal(table_next(&t, NULL), TABLE_END);
	t = open_table("     JOBID PARTITION  NODES\n     31842       cpu      2\n        31\n"
		       "      3184", "JOBID", false);
	next_is(&t, 3, (const char *const[]){ "31842", "cpu", "2" });
	assert_int_equal(table_next(&t, NULL), TABLE_BAD_ROW);
	assert_int_equal(table_next(&t, NULL), TABLE_BAD_ROW);
	t = open_table("Account    RawUsage  FairShare\n------- ---------- ----------\n"
		       "root           4711   0.640000\noptics         4711   0.64", "Account",
		       false);
	next_is(&t, 3, (const char *const[]){ "root", "4711", "0.640000" });
	assert_int_equal(table_next(&t, NULL), TABLE_BAD_ROW);
}

/* Mixed alignment, and an empty cell in the middle: words are below their titles. */
static void aligned_words(void **state)
{
	struct text_table t = open_table(
		"   JOBID PARTITION     USER  ACCOUNT   PRIORITY        AGE                 TRES\n"
		"     163 high            s1   physic     111001       1162        cpu=816,mem=0\n"
		"     222 bill            s6                4242          0                     \n"
		"     223 bill            s6     phys       4242          0                     \n"
		"     224 bill            s6  nowhere  here 5   4242          0 x y z\n",
		"JOBID", true);

	(void)state;
	next_is(&t, 7, (const char *const[]){ "163", "high", "s1", "physic", "111001", "1162",
					      "cpu=816,mem=0" });
	next_is(&t, 7, (const char *const[]){ "222", "bill", "s6", "", "4242", "0", "" });
	next_is(&t, 7, (const char *const[]){ "223", "bill", "s6", "phys", "4242", "0", "" });
	assert_int_equal(table_next(&t, NULL), TABLE_BAD_ROW);
	assert_int_equal(table_next(&t, NULL), TABLE_END);
}

static void padded_and_delimited(void **state)
{
	struct text_table t = open_table("JOBID     |ACCOUNT   |REASON    |\n"
					 "163       |cs102     |Resources |\n"
					 "164       |averylonga|Priority  |\n", "JOBID", false);

	(void)state;
	assert_int_equal(t.columns, 3);
	next_is(&t, 3, (const char *const[]){ "163", "cs102", "Resources" });
	assert_false(table_is_cut(&t, 1));
	next_is(&t, 3, (const char *const[]){ "164", "averylonga", "Priority" });
	assert_true(table_is_cut(&t, 1));
}

/* The header shows the delimiter of the cells. */
static void other_delimiters(void **state)
{
	static const char *const texts[] = {
		"Account;User;Raw\nroot;;1\na;bo,b;2\n",
		"Account\tUser\tRaw\nroot\t\t1\na\tbo,b\t2\n",
		"User\u2603Account\u2603Raw\n\u2603root\u26031\nbo,b\u2603a\u26032\n",
		"Raw;User;Account;\n1;;root;\n2;bo,b;a;\n",
		"Raw##User##Account\n1####root\n2##bo,b##a\n",
	};
	static const char *const titles[] = { "Account", "User", "Raw" };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct text_table t = open_table(texts[i], "Account", false);
		static const char *const cells[2][3] = { { "root", "", "1" },
							 { "a", "bo,b", "2" } };

		assert_int_equal(t.form, TABLE_DELIMITED);
		for (size_t k = 0; k < 2; k++) {
			assert_int_equal(table_next(&t, NULL), TABLE_ROW);
			for (size_t n = 0; n < 3; n++)
				assert_true(slice_is(table_cell(&t, table_column(&t, titles[n],
										 0)), cells[k][n]));
		}
		assert_int_equal(table_next(&t, NULL), TABLE_END);
	}
}

/* A comma may be in cells, too: such a row has more cells than titles. */
static void commas(void **state)
{
	struct text_table t = open_table("JOBID,PARTITION,TRES\n1,gpu,cpu=1\n2,gpu,cpu=1,mem=2\n",
					 "JOBID", false);

	(void)state;
	next_is(&t, 3, (const char *const[]){ "1", "gpu", "cpu=1" });
	assert_int_equal(table_next(&t, NULL), TABLE_BAD_ROW);
	assert_int_equal(table_next(&t, NULL), TABLE_END);
}

/* A line that mentions titles is no header; one table of jobs follows the other. */
static void pasted_around(void **state)
{
	struct text_table t = open_table(
		"Note: the JOBID and PARTITION columns are cut\nJOBID: see squeue\n"
		"$ squeue -o JOBID USER\nslurm_load_jobs error: try again\n"
		"Fri Nov 20 04:04:27 2026\n"
		"JOBID USER NAME\n1 ann train:\nsqueue: error: lost\n[a@b ~]$ sprio -l\n"
		"4 5 6\nUSER JOBID NAME\nbo 2 x\n", "JOBID", true);

	(void)state;
	assert_true(slice_is(t.remark, "slurm_load_jobs error: try again"));
	next_is(&t, 3, (const char *const[]){ "1", "ann", "train:" });
	assert_int_equal(t.headers, 1);
	next_is(&t, 3, (const char *const[]){ "bo", "2", "x" });
	assert_int_equal(t.headers, 2);
	assert_int_equal(table_next(&t, NULL), TABLE_END);
}

/* A line that begins like a remark is a row if it fits and has a job number. */
static void rows_like_remarks(void **state)
{
	struct text_table t = open_table("NAME JOBID USER\ntrain: 12 ann\nsqueue: error: lost\n",
					 "JOBID", false);

	(void)state;
	next_is(&t, 3, (const char *const[]){ "train:", "12", "ann" });
	assert_int_equal(table_next(&t, NULL), TABLE_END);
	assert_true(slice_is(t.remark, "squeue: error: lost"));
	t = open_table("Account|User|Raw\na: b|c|1\n", "Account", false);
	next_is(&t, 3, (const char *const[]){ "a: b", "c", "1" });
}

static void refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "table: empty" },
		{ "\n  \n", "table: empty" },
		{ "root|1|2\n", "table:1: no column \"Account\"" },
		{ "\n\nUser|Raw\n", "table:3: no column \"Account\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct slurm_text source = { "table", cases[i].text, strlen(cases[i].text) };
		struct text_table t;
		struct err err = { 0 };

		assert_false(table_open(&t, &source, "Account", false, &err));
		assert_int_equal(err.code, ERR_INPUT);
		if (strncmp(err.message, cases[i].message, strlen(cases[i].message)) != 0)
			fail_msg("%s", err.message);
	}
}

static void too_short_rows(void **state)
{
	struct text_table t = open_table("Account|User|Raw\na|b\nc|d|1\ne|f|1|2\n", "Account",
					 false);
	struct err err = { 0 };

	(void)state;
	assert_int_equal(table_next(&t, &err), TABLE_BAD_ROW);
	assert_string_equal(err.message,
			    "table:2: the row does not match the header (expected 3 columns)");
	next_is(&t, 3, (const char *const[]){ "c", "d", "1" });
	assert_int_equal(table_next(&t, &err), TABLE_BAD_ROW);
}

static void more_columns_than_anybody_prints(void **state)
{
	struct slurm_text source = { "wide", NULL, 400 };
	struct text_table t;
	struct err err = { 0 };
	char text[401];

	(void)state;
	memset(text, '|', sizeof(text));
	memcpy(text, "Account", 7);
	text[400] = '\0';
	source.text = text;
	assert_false(table_open(&t, &source, "Account", false, &err));
	assert_non_null(strstr(err.message, "wide:1: no column \"Account\" in \"Account|"));
}

/* ---- Key=Value ----------------------------------------------------------------------------- */

static void pairs(void **state)
{
	static const struct {
		const char *key, *value;
		bool start;
	} expected[] = {
		{ "JobId", "163", true }, { "JobName", "a name", false },
		{ "UserId", "s1(7148)", false }, { "Dependency", "", false },
		{ "OS", "Linux 6.1 #1 SMP", false }, { "NtasksPerN:B:S:C", "0:0:*:*", false },
		{ "JobId", "164", true },
	};
	struct slurm_text text = { "pairs",
				   "JobId=163 JobName=a name\n   UserId=s1(7148) Dependency= \n"
				   "\n   OS=Linux 6.1 #1 SMP \n stray NtasksPerN:B:S:C=0:0:*:*\n"
				   "JobId=164", 0 };
	struct pairs p;

	(void)state;
	text.length = strlen(text.text);
	pairs_open(&p, &text, "JobId");
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		assert_true(pairs_next(&p));
		if (!slice_is(p.key, expected[i].key) || !slice_is(p.value, expected[i].value))
			fail_msg("%.*s=\"%.*s\"", SLICE_PRINT(p.key), SLICE_PRINT(p.value));
		assert_int_equal(p.line_start, expected[i].start);
	}
	assert_false(pairs_next(&p));
}

/* Output of another command, after a prompt or in the same file, belongs to no record here. */
static void pasted_records(void **state)
{
	static const char text[] =
		"Load=3.2\nJobId=1 A=1\n   B=2\nsqueue: error: C=3\n[a@b ~]$ scontrol D=4\n   E=5\n"
		"PartitionName=x F=6\nJobId=2 G=7\nNodeName=n1\n   TRES=cpu=1\nJobId=3\n";
	char seen[100] = "";
	struct pairs p;

	(void)state;
	pairs_open(&p, &(struct slurm_text){ "pairs", text, sizeof(text) - 1 }, "JobId");
	while (pairs_next(&p))
		snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%.*s=%.*s ",
			 SLICE_PRINT(p.key), SLICE_PRINT(p.value));
	assert_string_equal(seen, "Load=3.2 JobId=1 A=1 B=2 JobId=2 G=7 JobId=3 ");
	assert_true(slice_is(p.remark, "squeue: error: C=3"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(signed_numbers),
		cmocka_unit_test(real_numbers),
		cmocka_unit_test(last_digits),
		cmocka_unit_test(durations),
		cmocka_unit_test(times),
		cmocka_unit_test(numbered_names),
		cmocka_unit_test(delimited),
		cmocka_unit_test(ruled),
		cmocka_unit_test(aligned_right),
		cmocka_unit_test(folded_and_cut),
		cmocka_unit_test(aligned_words),
		cmocka_unit_test(padded_and_delimited),
		cmocka_unit_test(other_delimiters), cmocka_unit_test(commas),
		cmocka_unit_test(pasted_around), cmocka_unit_test(rows_like_remarks),
		cmocka_unit_test(refused),
		cmocka_unit_test(too_short_rows),
		cmocka_unit_test(more_columns_than_anybody_prints),
		cmocka_unit_test(pasted_records), cmocka_unit_test(pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
