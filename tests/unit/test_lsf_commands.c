/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live LSF whose commands support neither -o nor -json: stand-ins (tests/mock/lsf) print the
 * output of volclava 2.2, exit as its commands do without mbatchd, hang as they do while mbatchd is
 * stopped, and print half an output or a usage text.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/base/mem.h"
#include "tests/support/await.h"
#include "tests/support/clock.h"
#include "tests/support/data.h"
#include "tests/support/note.h"
#include "tests/support/scratch.h"

#define PATH_SIZE 4096

static char calls[SCRATCH_PATH_MAX], old_path[PATH_SIZE];

/* Of the current test. */
static struct source *s;
static struct cluster *c;		/* the last fetch */
static struct err err;

static void absolute(const char *below, char *path)
{
	char relative[PATH_SIZE];

	if (!realpath(data_path(below, relative, sizeof(relative)), path))
		fail_msg("%s is not there", relative);
}

static void write_conf(const char *confdir)
{
	char path[SCRATCH_PATH_MAX];
	FILE *f = fopen(scratch_path("lsf.conf", path), "w");

	assert_non_null(f);
	fprintf(f, "LSF_LIM_PORT=6322\nLSB_CONFDIR=%s\n", confdir);
	fclose(f);
}

static void open_source(void)
{
	source_close(s);
	s = source_open("lsf", NULL);
	assert_non_null(s);
}

static int set_up(void **state)
{
	char mock[PATH_SIZE], path[2 * PATH_SIZE + 2], recording[PATH_SIZE], conf[PATH_SIZE];

	(void)state;
	scratch_path("calls", calls);
	absolute("../mock/lsf", mock);
	absolute("lsf/volclava/t1", recording);
	absolute("lsf/volclava/conf", conf);
	write_conf(conf);
	snprintf(old_path, sizeof(old_path), "%s", getenv("PATH"));
	snprintf(path, sizeof(path), "%s:%s", mock, old_path);
	setenv("PATH", path, 1);
	setenv("LSF_ENVDIR", scratch_directory(), 1);
	setenv("LSF_RECORDING", recording, 1);
	setenv("LSF_CALLS", calls, 1);
	setenv("LSF_MOCK", "", 1);
	open_source();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	cluster_free(c);
	c = NULL;
	source_close(s);
	s = NULL;
	setenv("PATH", old_path, 1);
	return 0;
}

static enum fetch_result fetch(int64_t deadline)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = deadline };

	cluster_free(c);
	c = NULL;
	err = (struct err){ .code = ERR_NONE };
	return source_fetch(s, &request, &c, &err);
}

static void assert_fetched(int64_t deadline)
{
	if (fetch(deadline) != FETCH_NEW)
		fail_msg("%s", err.message);
}

/* Returns how many calls contain WORDS; checks that each tries only once. */
static unsigned called(const char *words)
{
	char line[1000];
	unsigned n = 0;
	FILE *file = fopen(calls, "r");

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		assert_non_null(strstr(line, " LSB_NTRIES=1\n"));
		n += strstr(line, words) != NULL;
	}
	fclose(file);
	return n;
}

/* The source finds out the plain forms once, and calls nothing else from then on. */
static void test_plain(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_fetched(-1);
		assert_string_equal(note_about(c, "hosts"), "");
		assert_int_equal(cluster_rows(c, TABLE_QUEUE), 8);
		assert_int_equal(cluster_rows(c, TABLE_HOST), 5);
		assert_true(cluster_rows(c, TABLE_JOB) > 50);
		assert_int_not_equal(cluster_by_path(c, "/phys/theory/deep:u3"), ROW_NONE);
		assert_string_equal(cluster_meta(c)->name, "lab");
		assert_true(strncmp(cluster_meta(c)->version, "volclava", 8) == 0);
		/* The files in LSB_CONFDIR are read, too. */
		assert_string_equal(cluster_policy(c)->cpu_time_factor, "40");
	}
	assert_int_equal(called("-json"), 3);
	assert_int_equal(called("bqueues -r"), 3);
	assert_int_equal(called("bjobs -u all -l"), 3);
	assert_int_equal(called("bparams"), 0);
}

/* Exit code 254 with "No unfinished job found" means an empty queue. */
static void test_no_jobs(void **state)
{
	(void)state;
	setenv("LSF_MOCK", "idle", 1);
	assert_fetched(-1);
	assert_false(note_says(c, "No unfinished job"));
	assert_int_equal(cluster_rows(c, TABLE_JOB), 0);
}

static void fails(const char *mock, int64_t deadline, const char *words)
{
	open_source();
	setenv("LSF_MOCK", mock, 1);
	assert_int_equal(fetch(deadline), FETCH_FAILED);
	assert_null(c);
	assert_int_equal(err.code, ERR_SOURCE);
	if (!strstr(err.message, words))
		fail_msg("%s: %s", mock, err.message);
	/* A source that answers again has no problem left. */
	setenv("LSF_MOCK", "", 1);
	assert_fetched(-1);
}

static void test_faults(void **state)
{
	(void)state;
	fails("gone", -1, "bqueues -r: Connection refused by server");
	fails("usage", -1, "bqueues -r: printed its usage");
	fails("half", -1, "bqueues:");
	fails("hang", 300, "bqueues -r: ");
}

/* After CALLS calls, of which only the hanging one still runs, the clock advances by MS. */
struct hanging {
	pid_t thread;
	unsigned calls;
	int64_t ms;
};

static void *time_is_up(void *hanging)
{
	const struct hanging *h = hanging;

	do {
		await_only_child(h->thread, "tail");
	} while (called("") < h->calls);
	clock_advance(h->ms);
	return NULL;
}

/* Fetches with a deadline of 5 s while MOCK hangs; MS pass after CALLS calls. */
static void fetch_hanging(const char *mock, unsigned calls_made, int64_t ms)
{
	struct hanging h = { getpid(), calls_made, ms };
	pthread_t thread;

	unlink(calls);
	setenv("LSF_MOCK", mock, 1);
	alarm(60);		/* a fetch that has not given up by then hangs */
	clock_stop(1000);
	pthread_create(&thread, NULL, time_is_up, &h);
	assert_fetched(5000);
	pthread_join(thread, NULL);
	alarm(0);
	clock_go();
}

/* The hanging command is named; the others' data are used, though none supports -o. */
static void test_one_hangs(void **state)
{
	(void)state;
	fetch_hanging("hang-bhosts", 5, 2500);
	assert_string_equal(note_about(c, "hosts"), "bhosts -o: no answer in time");
	assert_string_equal(note_about(c, "jobs"), "");
	assert_true(cluster_rows(c, TABLE_JOB) > 50);
	fetch_hanging("hang-bjobs", 4, 2500);
	assert_string_equal(note_about(c, "hosts"), "");
	assert_string_equal(note_about(c, "jobs"), "bjobs -u: no answer in time");
	assert_int_equal(cluster_rows(c, TABLE_HOST), 5);
	setenv("LSF_MOCK", "", 1);
	assert_fetched(-1);
	assert_string_equal(note_about(c, "jobs"), "");
}

/* The plain forms end by the deadline, too; alone they would wait 60 s. */
static void test_deadline(void **state)
{
	(void)state;
	fetch_hanging("late", 7, 5000);
	assert_string_equal(note_about(c, "jobs"), "bjobs -u: no answer in time");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_plain, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_jobs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_faults, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_one_hangs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_deadline, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
