/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's lsb.acct and lsb.events: fields after lists of any length, arrays, requeued jobs, records
 * that do not fit.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/data.h"
#include "tests/support/imported.h"
#include "tests/support/lsf.h"
#include "tests/support/scratch.h"

static void good(const char *text)
{
	imported_text(&import_lsf, text);
}

#define RUSAGE "1.0 2.0 0 0 -1 0 0 436 4 0 928 0 -1 0 0 0 19 2 -1 "

/* ID, slots, submission, start, end, hosts, state, index */
#define FINISH(id, slots, start, hosts, state, index) \
	"\"JOB_FINISH\" \"10.108\" 2000 " id " 1501 33554434 " slots " 1000 0 0 " start \
	" \"alice\" \"long\" " \
	"\"span[hosts=1]\" \"\" \"\" \"h\" \"/root\" \"\" \"\" \"\" \"1.5\" " hosts " " \
	state " 100.0 \"a \"\"b\"\"\" \"/bin/sleep 3\" " RUSAGE "\"\" \"default\" 0 1 \"\" \"\" " \
	index " 2048 0 \"\"\n"

static void finished_jobs(void **state)
{
	const struct replay_job *job;

	(void)state;
	good("# a comment\n"
	     FINISH("386", "4", "1500", "0 2 \"16*n1\" \"n2\"", "64", "0")
	     FINISH("387", "0", "1500", "2 \"x\" \"y\" 2 \"16*n1\" \"n2\"", "32", "9")
	     FINISH("388", "1", "0", "0 0", "32", "0"));
	assert_int_equal(im.used, 3);
	assert_string_equal(im.version, "10.108");
	job = replay_job(im.replay, 0);
	assert_int_equal(job->id, 386);
	assert_int_equal(job->submit, 1000);
	assert_int_equal(job->start, 1500);
	assert_int_equal(job->end, 2000);
	assert_int_equal(job->cpus, 4);
	assert_true(imported_is(job->state, "COMPLETED"));
	assert_true(imported_is(job->partition, "long"));
	assert_int_equal(job->assoc, imported_assoc("default", "alice"));
	job = replay_job(im.replay, 1);
	assert_int_equal(job->cpus, 17);
	assert_int_equal(job->array, 387);
	assert_int_equal(job->task, 9);
	assert_true(imported_is(job->state, "FAILED"));
	assert_true(replay_job(im.replay, 2)->start == I64_UNKNOWN);
	assert_true(imported_is(replay_job(im.replay, 2)->state, "CANCELLED"));
}

#define NEW(time, id) NEW_OF(time, id, "alice")
#define NEW_OF(time, id, user) "\"JOB_NEW\" \"10.108\" " time " " id " 1501 33570818 2 " time \
	" 0 0 -65535 0 0 \"" user "\" -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 \"\"   1.00 2 " \
	"\"long\" \"\" " \
	"\"h\" \"/root\" \"\" \"\" \"\" \"\" \"/home\" \"1.1\" 0 \"\" \"\" \"name\" \"cmd\" 0 " \
	"\"\" \"proj\" 1 \"\"\n"
#define START(time, id, index) "\"JOB_START\" \"10.108\" " time " " id " 4 0 0 100.0 1 \"n1\" " \
	"\"\" \"\" 0 \"\" " index " \"\" 2147483647\n"
#define STATUS(time, id, state, index) "\"JOB_STATUS\" \"10.108\" " time " " id " " state \
	" 0 0 0.01 " time " 1 " RUSAGE "0 " index " 0 0\n"

static void events(void **state)
{
	const struct replay_job *job;

	(void)state;
	good("#80\n" NEW("1000", "101") START("1100", "101", "0")
	     STATUS("1200", "101", "1", "0")			/* requeued */
	     START("1300", "101", "0") STATUS("1400", "101", "64", "0")
	     NEW("1000", "102") START("1100", "102", "1") START("1150", "102", "2")
	     STATUS("1200", "102", "32", "1")
	     STATUS("1205", "102", "288", "1")			/* its post_exec ends, too */
	     START("1300", "999", "0")
	     "\"JOB_CLEAN\" \"10.108\" 1500 101 0 0\n\"FOO\" \"10.1\" 3\n");
	assert_int_equal(replay_jobs(im.replay), 4);
	job = replay_job(im.replay, 0);
	assert_int_equal(job->start, 1100);
	assert_int_equal(job->end, 1200);
	assert_true(imported_is(job->state, "REQUEUED"));
	job = replay_job(im.replay, 1);
	assert_int_equal(job->submit, 1200);
	assert_int_equal(job->start, 1300);
	assert_int_equal(job->end, 1400);
	assert_true(imported_is(job->state, "COMPLETED"));
	assert_true(imported_is(job->name, "name"));
	job = replay_job(im.replay, 2);
	assert_int_equal(job->task, 1);
	assert_int_equal(job->end, 1200);
	job = replay_job(im.replay, 3);
	assert_int_equal(job->task, 2);
	assert_int_equal(job->start, 1150);
	assert_true(job->end == I64_UNKNOWN);
	assert_int_equal(im.skipped, 3);
}

/* A job requeued after its end (brequeue) ran until that end, and is pending from then on. */
static void put_back_after_its_end(void **state)
{
	const struct replay_job *job;

	(void)state;
	good(NEW("1000", "101") START("1100", "101", "0") STATUS("1200", "101", "32", "0")
	     "\"JOB_STATUS\" \"10.108\" 5000 101 1 0 0 0.0 0 0 0 0 0 0\n");
	assert_int_equal(replay_jobs(im.replay), 2);
	job = replay_job(im.replay, 0);
	assert_int_equal(job->start, 1100);
	assert_int_equal(job->end, 1200);
	assert_true(imported_is(job->state, "FAILED"));
	assert_true(fabs((double)job->cpu_time - 0.01) < 1e-6);
	job = replay_job(im.replay, 1);
	assert_int_equal(job->submit, 5000);
	assert_true(job->start == I64_UNKNOWN && job->end == I64_UNKNOWN);
	assert_true(imported_is(job->state, ""));
	assert_true(job->cpu_time < 0);
}

static void records_that_do_not_fit(void **state)
{
	(void)state;
	good(FINISH("1", "4", "1500", "0 1 \"n1\"", "64", "0")
	     FINISH("2", "4", "1500", "02 \"n1\" \"n1\"", "64", "0")
	     FINISH("3", "4", "1500", "0 99999999 \"n1\"", "64", "0")
	     FINISH("4", "4", "1500", "-3 \"n1\"", "64", "0")
	     "\"JOB_FINISH\" \"10.108\" 2000 5\n\"JOB_FINISH\n\"\n");
	assert_int_equal(im.used, 1);
	assert_int_equal(im.skipped, 6);
	imported_refused(&import_lsf, "Accounting information about jobs that are:\n",
			 "not a record: it does not begin with a quoted word");
}

static void public_logs(void **state)
{
	static const struct { const char *file; uint32_t jobs; } logs[] = {
		{ "lsf/aws/lsb.acct", 4 }, { "lsf/aws/lsb.acct.16", 82 },
		{ "lsf/aws/lsb.events", 87 },
		{ "lsf/xdmod/accounting-logs.log", 2 }, { "lsf/xdmod/utf8-multibyte-chars.log", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		imported_shared(&import_lsf, "traces", logs[i].file);
		print_message("%s: %u jobs, %llu lines skipped\n", logs[i].file,
			      replay_jobs(im.replay), (unsigned long long)im.skipped);
		assert_int_equal(replay_jobs(im.replay), logs[i].jobs);
	}
}

/* ---- by LSF's decay ------------------------------------------------------------------------ */

static const char *instant;		/* a directory of tests/data/lsf/volclava */
static int64_t instant_time;
static uint32_t equal, unknown;

/* Compares STARTED, RUN_TIME and, if known, CPU_TIME within its printed digit. */
static void compare_rows(const struct cluster *ours, const struct cluster *theirs)
{
	for (uint32_t i = 1; i < cluster_rows(theirs, TABLE_ASSOC); i++) {
		uint32_t started = cluster_u32(theirs, F_ASSOC_STARTED, i), row;
		char path[200];
		double cpu, run;

		if (started == U32_UNKNOWN)
			continue;
		cluster_path(theirs, i, path, sizeof(path));
		row = cluster_by_path(ours, path);
		if (row == ROW_NONE)
			fail_msg("%s: %s is not there", instant, path);
		assert_int_equal(cluster_u32(ours, F_ASSOC_STARTED, row), started);
		run = cluster_f64(ours, F_ASSOC_RUN_TIME, row);
		if (fabs(run - cluster_f64(theirs, F_ASSOC_RUN_TIME, i)) > 0.5)
			fail_msg("%s: %s: RUN_TIME %.1f, printed %.0f", instant, path, run,
				 cluster_f64(theirs, F_ASSOC_RUN_TIME, i));
		cpu = cluster_f64(ours, F_ASSOC_CPU_TIME, row);
		unknown += !f64_known(cpu);
		if (!f64_known(cpu))
			continue;
		if (!(fabs(cpu - cluster_f64(theirs, F_ASSOC_CPU_TIME, i)) <= 0.05001))
			fail_msg("%s: %s: CPU_TIME %.4f, printed %.1f", instant, path, cpu,
				 cluster_f64(theirs, F_ASSOC_CPU_TIME, i));
		equal++;
	}
}

static bool take_picture(void *context, struct cluster *c, struct err *err)
{
	(void)err;
	if (cluster_meta(c)->time == instant_time)
		compare_rows(c, context);
	cluster_free(c);
	return true;
}

/* Compares the picture that LOG gives for the time of INSTANT with what bqueues printed then. */
static void check_usage(const char *log, const char *name, uint32_t rows, uint32_t running)
{
	struct replay_options o = REPLAY_OPTIONS_INIT;
	char path[4096], conf[4096], full[100];
	struct err err = { 0 };
	struct cluster *theirs = lsf_recorded(name);
	int64_t first, last;

	instant = name;
	instant_time = cluster_meta(theirs)->time;
	equal = unknown = 0;
	o.period = 100000;		/* no other picture in between */
	imported_open(&import_lsf);
	snprintf(full, sizeof(full), "lsf/volclava/%s", name);
	if (!import_read(&im, data_path(log, path, sizeof(path)), &err) ||
	    !replay_range(im.replay, &o, &first, &last) ||
	    !import_lsf_run(&im, data_path(full, conf, sizeof(conf)), &o, first, instant_time,
			    take_picture, theirs, &err))
		fail_msg("%s: %s", log, err.message);
	assert_int_equal(equal, rows);
	assert_int_equal(unknown, running);
	cluster_free(theirs);
}

/*
 * lsb.acct has only ended jobs: it is compared where nothing runs. The times of t3 and t4 of decay/
 * are after decays.
 */
static void usage(void **state)
{
	static const char *const idle[] = { "decay/t1", "decay/t2", "decay/t3", "decay/t4" };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		check_usage("lsf/volclava/decay/lsb.acct", idle[i], 19, 0);
		check_usage("lsf/volclava/decay/lsb.events", idle[i], 19, 0);
	}
	check_usage("lsf/volclava/lsb.events", "t1", 12, 11);
	check_usage("lsf/volclava/lsb.events", "t2", 11, 12);
	check_usage("lsf/volclava/lsb.events", "t3", 14, 10);
	check_usage("lsf/volclava/lsb.events", "t4", 18, 6);
}

static void put_file(const char *name, const char *text)
{
	char path[SCRATCH_PATH_MAX];
	FILE *f = fopen(scratch_path(name, path), "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static bool keep_last(void *context, struct cluster *c, struct err *err)
{
	struct cluster **last = context;

	(void)err;
	cluster_free(*last);
	*last = c;
	return true;
}

/* Returns the picture of IM at NOW, from 1000 on, with the scratch directory's configuration. */
static struct cluster *picture_at(int64_t now)
{
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct cluster *last = NULL;
	struct err err = { 0 };

	o.period = 100000;
	if (!import_lsf_run(&im, scratch_directory(), &o, 1000, now, keep_last, &last, &err))
		fail_msg("%s", err.message);
	assert_non_null(last);
	return last;
}

static double number_at(int64_t now, enum field field, const char *path)
{
	struct cluster *c = picture_at(now);
	double x = cluster_f64(c, field, cluster_by_path(c, path));

	cluster_free(c);
	return x;
}

static uint32_t started_at_1200(const char *path)
{
	struct cluster *c = picture_at(1200);
	uint32_t started = cluster_u32(c, F_ASSOC_STARTED, cluster_by_path(c, path));

	cluster_free(c);
	return started;
}

static void shared_by(const char *shares)
{
	char text[2000];

	(void)snprintf(text, sizeof(text), "Begin Queue\nQUEUE_NAME = long\nPRIORITY = 20\n"
		       "FAIRSHARE = USER_SHARES[%s]\nEnd Queue\n", shares);
	put_file("lsb.queues", text);
}

/*
 * mbatchd starts ten days after a job of 100 s. volclava 2.2, lsb.conf.c, my_atoi(): values not
 * between 1 and 2147483646 are ignored; the default of 3600 stays.
 */
static void clean_period(void **state)
{
	static const struct { const char *line; double cpu; } periods[] = {
		{ "CLEAN_PERIOD = 1209600\n", 100 }, { "CLEAN_PERIOD = 863999\n", 0 },
		{ "CLEAN_PERIOD = 2147483646\n", 100 }, { "CLEAN_PERIOD = 2147483647\n", 0 },
		{ "CLEAN_PERIOD = 0\n", 0 }, { "", 0 },
	};

	(void)state;
	shared_by("[alice, 1]");
	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		double cpu;
		char text[200];

		(void)snprintf(text, sizeof(text), "Begin Parameters\nHIST_HOURS = 0\n%s"
			       "End Parameters\n", periods[i].line);
		put_file("lsb.params", text);
		good(NEW("1000", "101") START("1100", "101", "0")
		     "\"JOB_STATUS\" \"10.108\" 1400 101 64 0 0 100.0 1400 0 0 0\n"
		     "\"MBD_START\" \"22\" 865400 \"hosta\" \"lab\" 1 8\n");
		cpu = number_at(865400, F_ASSOC_CPU_TIME, "/long:alice");
		if (!(fabs(cpu - periods[i].cpu) < 1e-9))
			fail_msg("%s: %f", periods[i].line, cpu);
	}
}

/*
 * mbatchd asks for loads every 16 s from its start on: at 1112 and 1128. From then on the run time
 * up to each suspension counts, and no pause.
 */
static void suspensions(void **state)
{
#define STOP(time) STATUS(time, "101", "16", "0")
#define RESUME(time) STATUS(time, "101", "4", "0")
	static const struct { const char *pauses; int64_t now; double run; } logs[] = {
		{ "", 1127, 0 }, { "", 1131, 12 }, { STOP("1118"), 1127, 2 },
		{ STOP("1118") RESUME("1120") STOP("1122"), 1127, 4 },
		{ STOP("1118") RESUME("1120") STOP("1122") RESUME("1123") STOP("1125"), 1127, 6 },
		{ STOP("1118") RESUME("1130") STOP("1132"), 1133, 4 },
	};

	(void)state;
	shared_by("[alice, 1]");
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		char text[2000];
		double run;

		(void)snprintf(text, sizeof(text), "%s%s",
			       "\"MBD_START\" \"22\" 1000 \"hosta\" \"lab\" 1 8\n"
			       NEW("1000", "101") START("1116", "101", "0"), logs[i].pauses);
		good(text);
		run = number_at(logs[i].now, F_ASSOC_RUN_TIME, "/long:alice");
		if (!(fabs(run - logs[i].run) < 1e-9))
			fail_msg("%zu: %f", i, run);
	}
}

/* Checks the slots started at 1200 for a job of alice: in account a, in hers below it, in b, c. */
static void assert_started(const uint32_t wanted[4])
{
	static const char *const paths[] = { "/long/a", "/long/a:alice", "/long/b", "/long/c" };

	put_file("lsb.params", "Begin Parameters\nHIST_HOURS = 0\nEnd Parameters\n");
	good("\"MBD_START\" \"22\" 1000 \"hosta\" \"lab\" 1 8\n"
	     NEW("1000", "101") START("1116", "101", "0"));
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(started_at_1200(paths[i]), wanted[i]);
}

/* Which of alice's two accounts is charged is unknown: so are the values of both once she runs. */
static void several_accounts(void **state)
{
	(void)state;
	shared_by("[a, 1] [b, 1] [c, 1]");
	put_file("lsb.users", "Begin UserGroup\nGROUP_NAME GROUP_MEMBER USER_SHARES\n"
		 "a (alice) ([alice, 1])\nb (alice bob) ()\nc (bob) ()\nEnd UserGroup\n");
	assert_started((const uint32_t[]){ U32_UNKNOWN, U32_UNKNOWN, U32_UNKNOWN, 0 });
}

/* With more accounts than are kept for one user, any of the queue's may be charged. */
static void unknown_accounts(void **state)
{
	char groups[2000] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER USER_SHARES\n"
			    "a (alice) ([alice, 1])\nb (bob) ()\nc (bob) ()\n";
	char shares[1000] = "[a, 1] [b, 1] [c, 1]";

	(void)state;
	for (unsigned i = 0; i < 33; i++) {
		(void)snprintf(shares + strlen(shares), sizeof(shares) - strlen(shares),
			       " [g%u, 1]", i);
		(void)snprintf(groups + strlen(groups), sizeof(groups) - strlen(groups),
			       "g%u (alice) ()\n", i);
	}
	shared_by(shares);
	put_file("lsb.users", strcat(groups, "End UserGroup\n"));
	assert_started((const uint32_t[]){ U32_UNKNOWN, U32_UNKNOWN, U32_UNKNOWN, U32_UNKNOWN });
}

/*
 * Seen in volclava: "others" is charged for alice's job, her last one, and for no later job in that
 * session: the account charged for those is unknown. While she has another job, bob's are charged,
 * too, and a start of mbatchd charges all running jobs. The earlier job is elected first.
 */
static void passed_over(void **state)
{
	static const struct {
		const char *jobs, *more;
		uint32_t started;
	} cases[] = {
		{ NEW("1000", "101") NEW_OF("1001", "102", "bob"), "", U32_UNKNOWN },
		{ NEW("1000", "101") NEW_OF("1001", "102", "bob"),
		  "\"MBD_START\" \"22\" 1150 \"hosta\" \"lab\" 1 8\n", 4 },
		{ NEW("1000", "101") NEW_OF("1001", "102", "bob") NEW("1002", "103"), "", 4 },
		{ NEW("1001", "101") NEW_OF("1000", "102", "bob"), "", U32_UNKNOWN },
		{ NEW("1001", "101") NEW_OF("1000", "102", "bob") NEW_OF("1002", "104", "bob"), "",
		  4 },
	};

	(void)state;
	put_file("lsid.txt", "volclava project 2.2, Nov 22 2026\nMy cluster name is lab\n");
	put_file("lsb.users", "Begin UserGroup\nGROUP_NAME GROUP_MEMBER\ng (zoe)\n"
		 "End UserGroup\n");
	shared_by("[zoe, 1] [others, 1]");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t started;
		char text[4000];

		(void)snprintf(text, sizeof(text),
			       "\"MBD_START\" \"22\" 1000 \"hosta\" \"lab\" 1 8\n%s%s%s",
			       cases[i].jobs,
			       START("1116", "101", "0") START("1116", "102", "0"), cases[i].more);
		good(text);
		started = started_at_1200("/long/others");
		if (started != cases[i].started)
			fail_msg("%zu: %u", i, (unsigned)started);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finished_jobs),
		cmocka_unit_test(events),
		cmocka_unit_test(put_back_after_its_end),
		cmocka_unit_test(records_that_do_not_fit),
		cmocka_unit_test(usage),
		cmocka_unit_test_setup_teardown(clean_period, scratch_open, scratch_close),
		cmocka_unit_test_setup_teardown(suspensions, scratch_open, scratch_close),
		cmocka_unit_test_setup_teardown(several_accounts, scratch_open, scratch_close),
		cmocka_unit_test_setup_teardown(passed_over, scratch_open, scratch_close),
		cmocka_unit_test_setup_teardown(unknown_accounts, scratch_open, scratch_close),
		cmocka_unit_test(public_logs),
	};

	return cmocka_run_group_tests(tests, NULL, imported_close);
}
