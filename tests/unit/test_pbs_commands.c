/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A live PBS. Debian has none: qstat, pbsnodes, qmgr and pbsfs are stand-ins (tests/mock/pbs) that
 * replay the output of a real OpenPBS 23.06.06, exit as its commands did when the server was down,
 * or hang as they did when it was stopped. The adapter runs them as it runs the real ones.
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

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/base/mem.h"
#include "core/cluster/sched_view.h"
#include "core/verify/verify.h"
#include "tests/support/clock.h"
#include "tests/support/data.h"
#include "tests/support/note.h"
#include "tests/support/scratch.h"

#define PATH_SIZE 4096

static char calls[SCRATCH_PATH_MAX], old_path[PATH_SIZE];

static void absolute(const char *below, char *path)
{
	char relative[PATH_SIZE];

	if (!realpath(data_path(below, relative, sizeof(relative)), path))
		fail_msg("%s is not there", relative);
}

static int set_up(void **state)
{
	char mock[PATH_SIZE], path[2 * PATH_SIZE + 2], recording[PATH_SIZE];

	(void)state;
	scratch_path("calls", calls);
	absolute("../mock/pbs", mock);
	absolute("pbs/01_main", recording);
	snprintf(old_path, sizeof(old_path), "%s", getenv("PATH"));
	snprintf(path, sizeof(path), "%s:%s", mock, old_path);
	setenv("PATH", path, 1);
	setenv("TZ", "UTC", 1);
	setenv("PBS_RECORDING", recording, 1);
	setenv("PBS_CALLS", calls, 1);
	setenv("PBS_LOGS", "/nonexistent", 1);
	setenv("PBS_MOCK", "", 1);
	setenv("PBS_CONF_FILE", "/dev/null", 1);
	unsetenv("PBS_SERVER");
	return 0;
}

/* Of the current test: what was fetched last, or the error. */
static struct cluster *c;
static struct err err;

static int tear_down(void **state)
{
	(void)state;
	cluster_free(c);
	c = NULL;
	setenv("PATH", old_path, 1);
	return 0;
}

static bool fetch(const char *spec, uint32_t needs, int64_t deadline)
{
	struct fetch_request request = { .needs = needs, .deadline_ms = deadline };
	struct source *s = source_open(spec, &err);
	bool good;

	assert_non_null(s);
	assert_true(s->ops->live);
	cluster_free(c);
	c = NULL;
	good = source_fetch(s, &request, &c, &err) == FETCH_NEW;
	source_close(s);
	return good;
}

static void assert_fetched(const char *spec, uint32_t needs)
{
	if (!fetch(spec, needs, -1))
		fail_msg("%s", err.message);
}

static void assert_fails(const char *spec, int64_t deadline, const char *words)
{
	assert_false(fetch(spec, NEED_ALL, deadline));
	assert_null(c);
	assert_int_equal(err.code, ERR_SOURCE);
	if (!strstr(err.message, words))
		fail_msg("%s", err.message);
}

/* Returns how often CALL was run; a whole line without the server. */
static unsigned called(const char *call)
{
	char line[1000];
	unsigned n = 0;
	FILE *file = fopen(calls, "r");

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		char *end = strstr(line, " PBS_SERVER=");

		assert_non_null(end);
		*end = '\0';
		n += !call || strcmp(line, call) == 0;
	}
	fclose(file);
	return n;
}

static void test_good(void **state)
{
	unsigned root = geteuid() == 0;

	(void)state;
	assert_fetched("pbs", NEED_ALL);
	assert_string_equal(cluster_meta(c)->kind, "pbs");
	assert_string_equal(cluster_meta(c)->name, "pbshead");
	assert_int_equal(cluster_rows(c, TABLE_JOB), 142);
	assert_int_equal(cluster_rows(c, TABLE_QUEUE), 6);
	assert_int_equal(cluster_rows(c, TABLE_HOST), 7);
	/* sched_priv is found where the scheduler reports it. */
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 27);
	assert_int_equal(cluster_policy(c)->unknown_shares, 5);
	/* Each of these commands ran once, and no other. */
	assert_int_equal(called("qstat -B -f -F json"), 1);
	assert_int_equal(called("qstat -Q -f -F json"), 1);
	assert_int_equal(called("qstat -f -t -F json"), 1);
	assert_int_equal(called("pbsnodes -av -F json"), 1);
	assert_int_equal(called("qmgr -c list sched"), 1);
	assert_int_equal(called("pbsfs "), root);
	assert_int_equal(called("pbs_rstat -F"), 1);
	assert_int_equal(called(NULL), 6 + root);
}

static void test_needs(void **state)
{
	(void)state;
	assert_fetched("pbs", NEED_POLICY);
	assert_int_equal(called("qstat -f -t -F json"), 0);
	assert_int_equal(called("pbsnodes -av -F json"), 0);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 0);
}

static void test_down(void **state)
{
	(void)state;
	setenv("PBS_MOCK", "down", 1);
	assert_fails("pbs", -1, "cannot connect to server pbshead (errno=15010)");
}

/* The same JSON as above, but the queue is really empty. */
static void test_empty(void **state)
{
	(void)state;
	setenv("PBS_MOCK", "empty", 1);
	assert_fetched("pbs", NEED_ALL);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 0);
	assert_int_equal(cluster_rows(c, TABLE_QUEUE), 6);
}

static void test_hang(void **state)
{
	(void)state;
	setenv("PBS_MOCK", "hang", 1);
	assert_fails("pbs", 300, "qstat");
}

/* Data not asked for is not reported as missing. */
static void test_only_shares(void **state)
{
	(void)state;
	assert_fetched("pbs", NEED_SHARES | NEED_POLICY);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 0);
	assert_int_equal(called("qstat -f -t -F json"), 0);
	assert_false(note_says(c, "not told"));
}

static void test_without_nodes(void **state)
{
	(void)state;
	setenv("PBS_MOCK", "nodes", 1);
	assert_fetched("pbs", NEED_ALL);
	assert_int_equal(cluster_rows(c, TABLE_HOST), 0);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 142);
	assert_true(note_says(c, "cannot connect to server pbshead"));
}

static struct verify_row formula_row(void)
{
	static const struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct verify *v = verify_run(c, &options);
	struct verify_row row = { .rows = 0 };

	for (size_t i = 0; i < v->count; i++) {
		if (strcmp(v->rows[i].quantity, "formula of jobs") == 0)
			row = v->rows[i];
	}
	verify_free(v);
	return row;
}

/* Today's log in the directory that the scheduler's attribute names; the rest is recorded. */
static void test_log(void **state)
{
	char recording[PATH_SIZE], log[PATH_SIZE + 20], file[SCRATCH_PATH_MAX];
	struct verify_row row;

	(void)state;
	absolute("pbs/02_formula", recording);
	snprintf(log, sizeof(log), "%s/sched_log", recording);
	assert_int_equal(symlink(log, scratch_path("20261124", file)), 0);
	setenv("PBS_RECORDING", recording, 1);
	setenv("PBS_LOGS", scratch_directory(), 1);
	/* One second before midnight of the day of the log. */
	clock_stop(1000);
	clock_set_time(1795564799);
	assert_fetched("pbs", NEED_ALL);
	row = formula_row();
	assert_int_equal(row.verdict, VERIFY_EQUAL);
	assert_int_equal(row.rows, 139);
	/* The log is read only when needed. */
	assert_fetched("pbs", NEED_ALL & ~(uint32_t)NEED_PRIO);
	assert_int_equal(formula_row().rows, 0);
	/* Tomorrow's log does not exist yet. */
	clock_advance(1000);
	assert_fetched("pbs", NEED_ALL);
	assert_int_equal(formula_row().rows, 0);
	clock_go();
}

/* For another server neither the files here nor pbsfs apply. */
static void test_host(void **state)
{
	char line[1000];
	FILE *file;

	(void)state;
	assert_fetched("pbs:@otherhost", NEED_ALL);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 0);
	assert_true(note_says(c, "the tree was not read"));
	file = fopen(calls, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		assert_non_null(strstr(line, "PBS_SERVER=otherhost\n"));
	fclose(file);
	assert_null(source_open("pbs:@", &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_null(source_open("pbs:/nonexistent/dir", &err));
	assert_int_equal(err.code, ERR_INPUT);
}

/* Another scheduler than the default one has its own directory and tree. */
static void test_sched(void **state)
{
	(void)state;
	setenv("PBS_MOCK", "owl", 1);
	assert_fetched("pbs,sched=owl", NEED_ALL);
	assert_string_equal(sched_name(c, sched_shown(c)), "owl");
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 27);
	assert_int_equal(cluster_policy(c)->unknown_shares, 5);
	assert_int_equal(called("pbsfs -I owl"), geteuid() == 0);
	assert_int_equal(called("pbsfs "), 0);
	assert_fetched("pbs,sched=default", NEED_ALL);
	assert_string_equal(sched_name(c, sched_shown(c)), "default");
	assert_true(note_says(c, "sched_config was not read"));
	assert_fails("pbs:sched=bat", -1, "no such scheduler");
	assert_null(source_open("pbs,sched=", &err));
	assert_null(source_open("pbs,sched=../owl", &err));
	assert_null(source_open("pbs:@lake,shed=owl", &err));
	assert_int_equal(err.code, ERR_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_good, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_needs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_only_shares, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_down, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hang, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_without_nodes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_log, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_host, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sched, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
