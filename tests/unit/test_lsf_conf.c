/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's configuration language: sections in both forms, continuation, comments, conditionals, and
 * errors with their line; every available configuration file of the traces (under FAIRTOP_SHARED)
 * is read or refused with a line; the dispatcher log, read and written.
 */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adapters/lsf/conf.h"
#include "adapters/lsf/dispatch_log.h"
#include "adapters/lsf/lsf_text.h"
#include "core/base/mem.h"
#include "core/base/unknown.h"
#include "tests/support/data.h"

/* ---- the language -------------------------------------------------------------------------- */

struct said {
	char text[4000];
};

/* "Queue@3 A=1 B=2;" */
static bool say(void *context, const struct lsf_record *r, struct err *err)
{
	struct said *s = context;
	size_t used = strlen(s->text);

	(void)err;
	used += (size_t)snprintf(s->text + used, sizeof(s->text) - used, "%.*s@%u",
				 SLICE_PRINT(r->section), r->line);
	for (uint32_t i = 0; i < r->count; i++)
		used += (size_t)snprintf(s->text + used, sizeof(s->text) - used, " %.*s=%.*s",
					 SLICE_PRINT(r->cells[i].name),
					 SLICE_PRINT(r->cells[i].value));
	snprintf(s->text + used, sizeof(s->text) - used, ";");
	return true;
}

static void reads_at(const char *text, int weekday, int minute, const char *expected)
{
	struct lsf_when when = { weekday, minute };
	struct said said = { "" };
	struct err err = { 0 };

	if (!lsf_conf_read(text, strlen(text), &when, say, &said, &err))
		fail_msg("%s: line %u: %s", text, (unsigned)err.line, err.message);
	assert_string_equal(said.text, expected);
}

static void reads(const char *text, const char *expected)
{
	reads_at(text, 3, 600, expected);
}

static void refuses(const char *text, uint32_t line, const char *part)
{
	struct lsf_when when = { 3, 600 };
	struct said said = { "" };
	struct err err = { 0 };

	if (lsf_conf_read(text, strlen(text), &when, say, &said, &err))
		fail_msg("taken: %s", text);
	assert_int_equal(err.code, ERR_INPUT);
	assert_int_equal(err.line, line);
	if (!strstr(err.message, part))
		fail_msg("%s: %s", text, err.message);
}

static void test_vertical(void **state)
{
	(void)state;
	reads("Begin Queue\nQUEUE_NAME = q # its name\n# all a comment\n  PRIORITY=3\nEnd Queue\n",
	      "Queue@1 QUEUE_NAME=q PRIORITY=3;");
	reads("begin queue\r\nA = \"x # y\"\r\nB = 'it''s'\nRUN_WINDOW\nend QUEUE",
	      "queue@1 A=x # y B=it''s RUN_WINDOW=;");
	reads("Begin Q\nA = one \\\n two\\\n  three\nB = 1\nEnd Q\n", "Q@1 A=one two three B=1;");
	reads("\n\nBegin P\nEnd P\n", "P@3;");
	reads("", "");
}

static void test_horizontal(void **state)
{
	(void)state;
	reads("Begin Host\nHOST_NAME MXJ r1m\n#no\nh1 6 3.5/4.5 # x\n"
	      "h2 () (a b (c))\n\"h 3\" !\nEnd Host\n",
	      "Host@4 HOST_NAME=h1 MXJ=6 r1m=3.5/4.5;Host@5 HOST_NAME=h2 MXJ= r1m=a b (c);"
	      "Host@6 HOST_NAME=h 3 MXJ=!;");
	reads("Begin G\nN M\ng (h1 \\\n h2)\nEnd G\n", "G@3 N=g M=h1 h2;");
}

static void test_conditionals(void **state)
{
	static const char text[] =
		"Begin Q\n#if time(8:30-18:30 EDT)\nA = day\n"
		"#elif time(5:18:30-1:8:30)\nA = weekend\n"
		"#else\nA = night\n#endif # done\nEnd Q\n";

	(void)state;
	reads_at(text, 3, 510, "Q@1 A=day;");
	reads_at(text, 3, 1110, "Q@1 A=night;");
	reads_at(text, 6, 0, "Q@1 A=weekend;");
	reads_at(text, 5, 1110, "Q@1 A=weekend;");
	reads_at(text, 1, 509, "Q@1 A=weekend;");
	reads_at(text, 5, 509, "Q@1 A=night;");
	reads("# if this is a comment\n#if !time(12-13) && (time(1-2) || time(9-11))\n"
	      "Begin X\nEnd X\n"
	      "#endif\n",
	      "X@3;");
	reads("#if time(22-6)\n#if time(1-2)\nnot read\n#else\nnor this\n#endif\n"
	      "anything\n#endif\n",
	      "");
}

static void test_refused(void **state)
{
	(void)state;
	refuses("A = 1\n", 1, "outside of any section");
	refuses("Begin Q\nA = 1\n", 1, "Begin without End");
	refuses("Begin Q\nBegin R\n", 2, "the section before has no End");
	refuses("Begin Q\nEnd R\n", 2, "ends a section that is not open");
	refuses("End R\n", 1, "End without Begin");
	refuses("Begin\nEnd\n", 1, "expected Begin and");
	refuses("Begin H\nA B\n1 2 3\nEnd H\n", 3, "more cells");
	refuses("Begin H\n = 3\nEnd H\n", 2, "a keyword is missing");
	refuses("\n#if time(8:30)\n#endif\n", 2, "not understood");
	refuses("#if time(25:00-26:00\n#endif\n", 1, "not understood");
	refuses("#if user(bob)\n#endif\n", 1, "not understood");
	refuses("#else\n", 1, "without #if");
	refuses("#if time(1-2)\n#else\n#elif time(1-2)\n", 3, "after #else");
	refuses("\n#if time(1-2)\n", 2, "without #endif");
}

/* ---- every available file -------------------------------------------------------------------- */

static unsigned read_files(const char *directory)
{
	struct lsf_when when = { 3, 600 };
	struct dirent **list;
	unsigned read = 0;
	int n = scandir(directory, &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char path[1200], *text = mem_alloc(100000, 1);
		struct err err = { 0 };
		struct said *said = mem_zalloc(1, sizeof(*said));
		FILE *f;

		snprintf(path, sizeof(path), "%s/%.200s", directory, list[i]->d_name);
		f = strstr(list[i]->d_name, "lsb.") ? fopen(path, "r") : NULL;
		if (f) {
			size_t length = fread(text, 1, 99999, f);
			bool good = lsf_conf_read(text, length, &when, say, said, &err);

			fclose(f);
			if (good)
				print_message("%s: %.100s\n", list[i]->d_name, said->text);
			else
				print_message("%s:%u: %s\n", path, (unsigned)err.line, err.message);
			assert_true(good ? said->text[0] != '\0' || strstr(path, "users") :
				    err.line > 0 && err.message[0]);
			read++;
		}
		mem_free(said);
		mem_free(text);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	return read;
}

static void test_files_of_others(void **state)
{
	char path[1100];

	(void)state;
	if (!data_shared("traces/lsf/conf-openlava", path, sizeof(path)))
		skip();
	assert_true(read_files(path) > 0);
	assert_true(read_files(data_shared("traces/lsf/conf-volclava", path, sizeof(path))) >= 4);
}

/* Names end at a NUL, which a broken file may have: two queues do not get the same name. */
static void test_nul_in_names(void **state)
{
	static const char nul_queues[] =
		"Begin Queue\nQUEUE_NAME = q\nHOSTS = h1\0x h2\nEnd Queue\n"
		"Begin Queue\nQUEUE_NAME = q\0r\nEnd Queue\n";
	static const char nul_params[] = "Begin Parameters\nHIST_HOURS\0x = 7\nEnd Parameters\n";
	size_t first = strlen(nul_queues) + sizeof("x h2\nEnd Queue\n") - 1;
	struct lsf_texts texts = { .time = 1000000000 };
	struct builder *b = builder_new();
	struct err err = { 0 };
	double hours;
	size_t i = policy_param("HIST_HOURS");

	(void)state;
	texts.kind[LSF_QUEUES] = (struct lsf_text){ .name = "lsb.queues", .length = first,
						    .text = mem_strndup(nul_queues, first) };
	texts.kind[LSF_PARAMS] = (struct lsf_text){
		.name = "lsb.params", .length = sizeof(nul_params) - 1,
		.text = mem_strndup(nul_params, sizeof(nul_params) - 1) };
	assert_true(lsf_text_build(&texts, b, &err));
	assert_int_equal(builder_rows(b, TABLE_QUEUE), 1);
	assert_int_equal(builder_rows(b, TABLE_HOST), 1);
	assert_true(policy_real(builder_policy(b), i, &hours) && hours == 7);
	builder_free(b);

	b = builder_new();
	mem_free(texts.kind[LSF_QUEUES].text);
	texts.kind[LSF_QUEUES].text = mem_strndup(nul_queues, sizeof(nul_queues) - 1);
	texts.kind[LSF_QUEUES].length = sizeof(nul_queues) - 1;
	assert_false(lsf_text_build(&texts, b, &err));
	assert_non_null(strstr(err.message, "q: this queue is already defined in line 1"));
	builder_free(b);
	mem_free(texts.kind[LSF_QUEUES].text);
	mem_free(texts.kind[LSF_PARAMS].text);
}

/* ---- the dispatcher log -------------------------------------------------------------------- */

/* The documentation's example, in numbers. */
static const char log_text[] =
	"# clients managed by LSF\n# Roma # Verona # Genova # Pisa # Venezia # Bologna\n"
	"15/3 19:4:50 0 0 0 0 0 0\n15/3 19:5:51 8 5 2 5 2 0\n15/3 19:6:51 8 5 2 5 5 1\n"
	"15/3 19:7:53 8 5 2 5 5 5\n15/3 19:8:54 8 5 2 5 5 0\n15/3 19:9:55 8 5 0 5 4 2\n";

static bool append(void *context, const char *bytes, size_t length, struct err *err)
{
	struct said *s = context;

	(void)err;
	strncat(s->text, bytes, length);
	return true;
}

static void test_dispatcher_log(void **state)
{
	struct dispatch_log log;
	struct said said = { "" };
	struct sink out = { append, &said };
	struct err err = { 0 };
	double roma;

	(void)state;
	assert_true(dispatch_log_read(log_text, strlen(log_text), &log, &err));
	assert_int_equal(log.queue_count, 6);
	assert_int_equal(log.count, 6);
	assert_string_equal(log.queues[2], "Genova");
	assert_int_equal(log.lines[5].slots[4], 4);
	assert_int_equal(log.lines[0].day, 15);
	assert_int_equal(log.lines[0].month, 3);
	assert_true(dispatch_log_begin((const char *const *)log.queues, log.queue_count, out,
				       &err));
	for (size_t i = 0; i < log.count; i++)
		assert_true(dispatch_log_line(&log.lines[i], log.queue_count, out, &err));
	assert_string_equal(said.text, log_text);
	/* 8 slots from 19:5:51 to 19:9:55 and the minute after, with little decay. */
	roma = dispatch_log_accumulated(&log, 0, 0);
	assert_true(fabs(roma - 8 * (244 + 60) / 3600.0) < 1e-12);
	assert_true(dispatch_log_accumulated(&log, 0, 5) < roma);
	dispatch_log_free(&log);
}

/* A line gets the last year that LATEST allows; writing a time gives the line's date and time. */
static void test_log_times(void **state)
{
	static const struct {
		int day, month;
		int64_t latest, time;
	} cases[] = {
		{ 15, 3, 1710536400, 1710529490 },	/* 15 March 2024, 19:04:50, LATEST 21:00 */
		{ 16, 3, 1710536400, 1710615890 },	/* the next day: that clock is ahead */
		{ 18, 3, 1710536400, 1679166290 },	/* 2023 */
		{ 31, 12, 1704067200, 1704049490 },	/* the year before */
	};

	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dispatch_line line = { .day = cases[i].day, .month = cases[i].month,
					      .hour = 19, .minute = 4, .second = 50 };
		struct dispatch_line back = dispatch_line_at(cases[i].time);

		assert_int_equal(dispatch_line_time(&line, cases[i].latest), cases[i].time);
		assert_int_equal(back.day, line.day);
		assert_int_equal(back.month, line.month);
		assert_int_equal(back.hour * 3600 + back.minute * 60 + back.second,
				 19 * 3600 + 4 * 60 + 50);
	}
	assert_int_equal(dispatch_line_time(&(struct dispatch_line){ .day = 1, .month = 1 },
					    I64_UNKNOWN), I64_UNKNOWN);
}

/* Written names can be read again, or are refused. */
static void test_log_names(void **state)
{
	static const char *const one[] = { "Roma" };
	static const char *const bad[] = { "a#b", " a", "a ", "", "a\nb" };
	struct said said = { "" };
	struct dispatch_log log;
	struct err err = { 0 };

	(void)state;
	assert_true(dispatch_log_begin(one, 1, (struct sink){ append, &said }, &err));
	assert_true(dispatch_log_read(said.text, strlen(said.text), &log, &err));
	assert_int_equal(log.queue_count, 1);
	assert_string_equal(log.queues[0], "Roma");
	dispatch_log_free(&log);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct err){ 0 };
		assert_false(dispatch_log_begin(&bad[i], 1, (struct sink){ append, &said }, &err));
		assert_int_equal(err.code, ERR_INPUT);
	}
}

static void test_bad_logs(void **state)
{
	static const struct {
		const char *text;
		uint32_t line;
	} bad[] = {
		{ "15/3 19:4:50 1\n", 1 },
		{ "# a # b\n15/3 19:4:50 1\n", 2 },
		{ "# a # b\n15/3 19:4:50 1 2 3\n", 2 },
		{ "# a # b\n\n15/13 19:4:50 1 2\n", 3 },
		{ "# a # b\n15/3 24:4:50 1 2\n", 2 },
		{ "# a # b\n15/3 2:4 1 2\n", 2 },
		{ "# a # b\n15/3 2:4:1 1 -2\n", 2 },
		{ "# a # b\n# c # d\n", 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct dispatch_log log;
		struct err err = { 0 };

		if (dispatch_log_read(bad[i].text, strlen(bad[i].text), &log, &err))
			fail_msg("taken: %s", bad[i].text);
		assert_int_equal(err.line, bad[i].line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vertical),
		cmocka_unit_test(test_horizontal),
		cmocka_unit_test(test_conditionals),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_files_of_others),
		cmocka_unit_test(test_nul_in_names),
		cmocka_unit_test(test_dispatcher_log),
		cmocka_unit_test(test_log_times),
		cmocka_unit_test(test_log_names),
		cmocka_unit_test(test_bad_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
