/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines, compressed and not, and the Standard Workload Format; the public logs of SWF if they are
 * available (FAIRTOP_SHARED).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cmocka.h>

#include "tests/support/imported.h"

static void good(const char *text)
{
	imported_text(&import_swf, text);
}

/* ---- the format ---------------------------------------------------------------------------- */

static void header_and_jobs(void **state)
{
	const struct replay_job *job;

	(void)state;
	good("; Version: 2.2\n; Computer: IBM SP2\n; UnixStartTime: 1000\n"
	     "; TimeZoneString: Europe/Stockholm\n; Queue: 4 batch\n;\n"
	     "  7  10 20 30 4 -1 -1 8 600 -1 1 3 2 -1 4 -1 -1 -1\n"
	     "  8  11 25 -1 -1 -1 -1 8 600 -1 5 3 2 -1 4 -1 -1 -1\n");
	assert_string_equal(im.name, "IBM SP2");
	assert_string_equal(im.zone, "Europe/Stockholm");
	assert_non_null(strstr(im.header, "; Version: 2.2\n; Computer"));
	assert_int_equal(im.used, 2);
	job = replay_job(im.replay, 0);
	assert_int_equal(job->id, 7);
	assert_int_equal(job->submit, 1010);
	assert_int_equal(job->start, 1030);
	assert_int_equal(job->end, 1060);
	assert_true(job->billing == 4);
	assert_int_equal(job->limit, 600);
	assert_true(imported_is(job->partition, "batch"));
	assert_int_equal(job->assoc, imported_assoc("g2", "u3"));
	job = replay_job(im.replay, 1);			/* cancelled before its start */
	assert_true(job->start == I64_UNKNOWN);
	assert_int_equal(job->end, 1036);
	assert_true(job->billing == 8);
}

static void what_is_tolerated(void **state)
{
	(void)state;
	good("1 10 20 30.7 4 -1 -1 8 600 -1 1 3 2 -1 4 -1 -1 -1\n"		/* decimals */
	     "2 10 20 30 4 -1 -1 8 600 -1 1 3 2 -1 4 -1 -1 -1 {1,2} q x\n"	/* extra fields */
	     "3\t10 20 30 4\r\n"						/* missing fields */
	     "4 10 -1 30 -1 -1 -1 -1 600 -1 1 3 2 -1 4 -1 -1 -1\n"
	     "5 10 20 30 4 -1 -1 8 600 -1 2 3 2 -1 4 -1 -1 -1\n"		/* partial */
	     "hello world\n6 10 20\n7 -1 20 30 4 -1\n"
	     "8 99999999999999999999 0 1 1\n");
	assert_int_equal(im.used, 4);
	assert_int_equal(im.skipped, 5);
	assert_int_equal(replay_job(im.replay, 0)->end, 60);
	assert_int_equal(imported_tally("no header"), 1);
	assert_int_equal(imported_tally("decimals"), 1);
	assert_int_equal(imported_tally("more than 18"), 1);
	assert_int_equal(imported_tally("fewer than 18"), 3);
	assert_int_equal(imported_tally("no number of processors"), 1);
	assert_int_equal(imported_tally("part of a job"), 1);
	assert_int_equal(imported_tally("not only numbers"), 1);
	assert_int_equal(imported_tally("fewer than 5"), 1);
	assert_int_equal(imported_tally("no submit time"), 1);
	assert_int_equal(imported_tally("times before 1970"), 1);
}

static void refuses_other_files(void **state)
{
	(void)state;
	imported_refused(&import_swf, "; a comment\nOnce upon a time\nthere were jobs\n",
			 "log: no usable record; lines: 3, 2 of them not only numbers (expected 18 "
			 "numbers per line and comments that begin with ;)");
}

/* ---- lines --------------------------------------------------------------------------------- */

static char path[] = "/tmp/fairtop-lines-XXXXXX";

static void write_gzip(const char *text, size_t repeat)
{
	gzFile f = gzopen(path, "wb");

	assert_non_null(f);
	for (size_t i = 0; i < repeat; i++)
		assert_int_equal(gzwrite(f, text, (unsigned)strlen(text)), (int)strlen(text));
	assert_int_equal(gzclose(f), Z_OK);
}

static uint64_t count_lines(enum lines_next *last, struct err *err)
{
	struct lines *l = lines_open(path, err);
	struct slice line;
	uint64_t n = 0;

	assert_non_null(l);
	while ((*last = lines_next(l, &line, err)) == LINES_LINE)
		n++;
	lines_close(l);
	return n;
}

static void compressed_lines(void **state)
{
	struct err err = { 0 };
	enum lines_next last;
	struct stat st;

	(void)state;
	write_gzip("12345 678\n", 200000);
	assert_int_equal(count_lines(&last, &err), 200000);
	assert_int_equal(last, LINES_END);
	assert_int_equal(stat(path, &st), 0);
	/* A complete file ends with its trailer; any cut is an error. */
	for (off_t cut = 1; cut <= 20; cut++) {
		assert_int_equal(truncate(path, st.st_size - cut), 0);
		count_lines(&last, &err);
		assert_int_equal(last, LINES_FAILED);
		assert_non_null(strstr(err.message, "end early"));
	}
}

static void append(const void *bytes, size_t size)
{
	FILE *f = fopen(path, "ab");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	fclose(f);
}

/* Logs compressed one by one and joined, followed by the zeros of a tape. */
static void members_and_what_follows(void **state)
{
	unsigned char member[4096];
	struct err err = { 0 };
	enum lines_next last;
	size_t size;
	FILE *f;

	(void)state;
	write_gzip("12345 678\n", 1000);
	f = fopen(path, "rb");
	assert_non_null(f);
	size = fread(member, 1, sizeof(member), f);
	fclose(f);
	append("\0\0\0", 3);
	append(member, size);
	append("\0\0\0", 3);
	assert_int_equal(count_lines(&last, &err), 2000);
	assert_int_equal(last, LINES_END);
	append("12345 678\n", 10);
	count_lines(&last, &err);
	assert_int_equal(last, LINES_FAILED);
	assert_non_null(strstr(err.message, "damaged"));
}

static void damaged_data(void **state)
{
	struct err err = { 0 };
	enum lines_next last;
	FILE *f;

	(void)state;
	write_gzip("12345 678\n", 100000);
	f = fopen(path, "r+");
	assert_non_null(f);
	fseek(f, 60, SEEK_SET);
	fputs("garbage garbage garbage garbage", f);
	fclose(f);
	count_lines(&last, &err);
	assert_int_equal(last, LINES_FAILED);
}

static void long_and_last_lines(void **state)
{
	size_t length = (size_t)LINE_BYTES_MAX * 2 + 100;
	char *text = malloc(length);
	struct lines *l;
	struct slice line;

	(void)state;
	memset(text, 'x', length);
	memcpy(text, "one\r\n\n", 6);
	memcpy(text + length - 5, "\nlast", 5);
	l = lines_of(text, length);
	assert_int_equal(lines_next(l, &line, NULL), LINES_LINE);
	assert_true(slice_is(line, "one"));
	assert_int_equal(lines_next(l, &line, NULL), LINES_LINE);
	assert_int_equal(line.length, 0);
	assert_int_equal(lines_next(l, &line, NULL), LINES_LONG);
	assert_int_equal(lines_next(l, &line, NULL), LINES_LINE);
	assert_true(slice_is(line, "last"));
	assert_int_equal(lines_next(l, &line, NULL), LINES_END);
	lines_close(l);
	free(text);
}

static void files_that_are_none(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_null(lines_open("/nonexistent/log", &err));
	assert_string_equal(err.message, "/nonexistent/log: No such file or directory");
	assert_null(lines_open("/tmp", &err));
	assert_string_equal(err.message, "/tmp: Is a directory");
}

/* ---- public logs --------------------------------------------------------------------------- */

static void public_logs(void **state)
{
	static const struct {
		const char *file;
		uint32_t jobs, assocs;
	} logs[] = {
		{ "CEA-Curie-2011-sample30k.swf.gz", 29998, 466 },
		{ "KTH-SP2-1996-2.1-cln.swf.gz", 28489, 572 },
		{ "LCG-2005-1.swf.gz", 188041, 260 },
		{ "MetaCentrum-wagap-2013-extended.swf.gz", 17900, 77 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		imported_shared(&import_swf, "traces/swf", logs[i].file);
		assert_int_equal(replay_jobs(im.replay), logs[i].jobs);
		assert_int_equal(replay_assocs(im.replay), logs[i].assocs);
		assert_int_equal(im.skipped, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_and_jobs),
		cmocka_unit_test(what_is_tolerated),
		cmocka_unit_test(refuses_other_files),
		cmocka_unit_test(compressed_lines),
		cmocka_unit_test(members_and_what_follows),
		cmocka_unit_test(damaged_data),
		cmocka_unit_test(long_and_last_lines),
		cmocka_unit_test(files_that_are_none),
		cmocka_unit_test(public_logs),
	};
	int fd = mkstemp(path), failed;

	if (fd < 0)
		return 1;
	close(fd);
	failed = cmocka_run_group_tests(tests, NULL, imported_close);
	unlink(path);
	return failed;
}
