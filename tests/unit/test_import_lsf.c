/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's lsb.acct and lsb.events: fields behind lists of any length, arrays, jobs that are put back
 * into the queue, records that do not fit.
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

#include "adapters/import/import.h"
#include "adapters/lsf/lsf.h"
#include "tests/support/data.h"
#include "tests/support/scratch.h"

static struct import im;

static bool read_text(const char *text, struct err *err)
{
	struct lines *l = lines_of(text, strlen(text));
	bool good;

	import_init(&im, &import_lsf);
	good = import_read_lines(&im, l, "log", err);
	lines_close(l);
	return good;
}

static void good(const char *text)
{
	struct err err = { 0 };

	if (!read_text(text, &err))
		fail_msg("%s", err.message);
}

static bool is_text(uint32_t text, const char *name)
{
	return text == replay_text(im.replay, name, strlen(name));
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
	assert_true(is_text(job->state, "COMPLETED"));
	assert_true(is_text(job->partition, "long"));
	assert_int_equal(job->assoc, replay_assoc(im.replay, replay_text(im.replay, "default", 7),
						  replay_text(im.replay, "alice", 5), 0));
	job = replay_job(im.replay, 1);
	assert_int_equal(job->cpus, 17);
	assert_int_equal(job->array, 387);
	assert_int_equal(job->task, 9);
	assert_true(is_text(job->state, "FAILED"));
	assert_true(replay_job(im.replay, 2)->start == I64_UNKNOWN);
	assert_true(is_text(replay_job(im.replay, 2)->state, "CANCELLED"));
	import_free(&im);
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
	     STATUS("1200", "101", "1", "0")			/* put back */
	     START("1300", "101", "0") STATUS("1400", "101", "64", "0")
	     NEW("1000", "102") START("1100", "102", "1") START("1150", "102", "2")
	     STATUS("1200", "102", "32", "1")
	     STATUS("1205", "102", "288", "1")			/* its post_exec has, too */
	     START("1300", "999", "0")
	     "\"JOB_CLEAN\" \"10.108\" 1500 101 0 0\n\"FOO\" \"10.1\" 3\n");
	assert_int_equal(replay_jobs(im.replay), 4);
	job = replay_job(im.replay, 0);
	assert_int_equal(job->start, 1100);
	assert_int_equal(job->end, 1200);
	assert_true(is_text(job->state, "REQUEUED"));
	job = replay_job(im.replay, 1);
	assert_int_equal(job->submit, 1200);
	assert_int_equal(job->start, 1300);
	assert_int_equal(job->end, 1400);
	assert_true(is_text(job->state, "COMPLETED"));
	assert_true(is_text(job->name, "name"));
	job = replay_job(im.replay, 2);
	assert_int_equal(job->task, 1);
	assert_int_equal(job->end, 1200);
	job = replay_job(im.replay, 3);
	assert_int_equal(job->task, 2);
	assert_int_equal(job->start, 1150);
	assert_true(job->end == I64_UNKNOWN);
	assert_int_equal(im.skipped, 3);
	import_free(&im);
}

/* What has ended and is put back later (brequeue) ran until its end, and waits since then. */
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
	assert_true(is_text(job->state, "FAILED"));
	assert_true(fabs((double)job->cpu_time - 0.01) < 1e-6);
	job = replay_job(im.replay, 1);
	assert_int_equal(job->submit, 5000);
	assert_true(job->start == I64_UNKNOWN && job->end == I64_UNKNOWN);
	assert_true(is_text(job->state, ""));
	assert_true(job->cpu_time < 0);
	import_free(&im);
}

static void records_that_do_not_fit(void **state)
{
	struct err err = { 0 };

	(void)state;
	good(FINISH("1", "4", "1500", "0 1 \"n1\"", "64", "0")
	     FINISH("2", "4", "1500", "02 \"n1\" \"n1\"", "64", "0")
	     FINISH("3", "4", "1500", "0 99999999 \"n1\"", "64", "0")
	     FINISH("4", "4", "1500", "-3 \"n1\"", "64", "0")
	     "\"JOB_FINISH\" \"10.108\" 2000 5\n\"JOB_FINISH\n\"\n");
	assert_int_equal(im.used, 1);
	assert_int_equal(im.skipped, 6);
	import_free(&im);
	assert_false(read_text("Accounting information about jobs that are:\n", &err));
	assert_non_null(strstr(err.message, "not a record: it does not begin with a quoted word"));
	import_free(&im);
}

static void public_logs(void **state)
{
	static const struct { const char *file; uint32_t jobs; } logs[] = {
		{ "lsf/aws/lsb.acct", 4 }, { "lsf/aws/lsb.acct.16", 82 },
		{ "lsf/aws/lsb.events", 87 },
		{ "lsf/xdmod/accounting-logs.log", 2 }, { "lsf/xdmod/utf8-multibyte-chars.log", 1 },
	};
	char traces[500];

	(void)state;
	if (!data_shared("traces", traces, sizeof(traces)))
		skip();
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		char name[600];
		struct err err = { 0 };

		snprintf(name, sizeof(name), "%s/%s", traces, logs[i].file);
		import_init(&im, &import_lsf);
		if (!import_read(&im, name, &err))
			fail_msg("%s", err.message);
		print_message("%s: %u jobs, %llu lines skipped\n", logs[i].file,
			      replay_jobs(im.replay), (unsigned long long)im.skipped);
		assert_int_equal(replay_jobs(im.replay), logs[i].jobs);
		import_free(&im);
	}
}

/* ---- by LSF's law -------------------------------------------------------------------------- */

static const char *instant;		/* a directory of tests/data/lsf/volclava */
static int64_t instant_time;
static uint32_t equal, unknown;

static struct cluster *printed(const char *name)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	char path[4096], full[100];
	struct cluster *c = NULL;
	struct err err = { 0 };
	struct source *s;

	snprintf(full, sizeof(full), "lsf/volclava/%s", name);
	s = lsf_saved_open(data_path(full, path, sizeof(path)), &err);
	if (!s || s->ops->fetch(s, &request, &c, &err) != FETCH_NEW)
		fail_msg("%s: %s", name, err.message);
	s->ops->close(s);
	return c;
}

/* STARTED, RUN_TIME and, where it is known, CPU_TIME within its printed digit. */
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

/* The picture that LOG gives for the time of INSTANT, against what bqueues printed then. */
static void check_usage(const char *log, const char *name, uint32_t rows, uint32_t running)
{
	struct replay_options o = REPLAY_OPTIONS_INIT;
	char path[4096], conf[4096], full[100];
	struct err err = { 0 };
	struct cluster *theirs = printed(name);
	int64_t first, last;

	instant = name;
	instant_time = cluster_meta(theirs)->time;
	equal = unknown = 0;
	o.period = 100000;		/* no other picture between */
	import_init(&im, &import_lsf);
	snprintf(full, sizeof(full), "lsf/volclava/%s", name);
	if (!import_read(&im, data_path(log, path, sizeof(path)), &err) ||
	    !replay_range(im.replay, &o, &first, &last) ||
	    !import_lsf_run(&im, data_path(full, conf, sizeof(conf)), &o, first, instant_time,
			    take_picture, theirs, &err))
		fail_msg("%s: %s", log, err.message);
	assert_int_equal(equal, rows);
	assert_int_equal(unknown, running);
	import_free(&im);
	cluster_free(theirs);
}

/*
 * lsb.acct knows of what has ended: it is compared where nothing runs. The times of t3 and t4 of
 * decay/ are after decays.
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

static bool take_cpu_time(void *context, struct cluster *c, struct err *err)
{
	(void)err;
	*(double *)context = cluster_f64(c, F_ASSOC_CPU_TIME, cluster_by_path(c, "/long:alice"));
	cluster_free(c);
	return true;
}

/*
 * A start of mbatchd ten days after a job of 100 s. volclava 2.2, lsb.conf.c, my_atoi(): what is
 * not between 1 and 2147483646 is ignored, and 3600 stays.
 */
static void clean_period(void **state)
{
	static const struct { const char *line; double cpu; } periods[] = {
		{ "CLEAN_PERIOD = 1209600\n", 100 }, { "CLEAN_PERIOD = 863999\n", 0 },
		{ "CLEAN_PERIOD = 2147483646\n", 100 }, { "CLEAN_PERIOD = 2147483647\n", 0 },
		{ "CLEAN_PERIOD = 0\n", 0 }, { "", 0 },
	};
	struct replay_options o = REPLAY_OPTIONS_INIT;

	(void)state;
	o.period = 100000;
	put_file("lsb.queues", "Begin Queue\nQUEUE_NAME = long\nPRIORITY = 20\n"
		 "FAIRSHARE = USER_SHARES[[alice, 1]]\nEnd Queue\n");
	for (size_t i = 0; i < sizeof(periods) / sizeof(periods[0]); i++) {
		struct err err = { 0 };
		double cpu = F64_UNKNOWN;
		char text[200];

		(void)snprintf(text, sizeof(text), "Begin Parameters\nHIST_HOURS = 0\n%s"
			       "End Parameters\n", periods[i].line);
		put_file("lsb.params", text);
		good(NEW("1000", "101") START("1100", "101", "0")
		     "\"JOB_STATUS\" \"10.108\" 1400 101 64 0 0 100.0 1400 0 0 0\n"
		     "\"MBD_START\" \"22\" 865400 \"hosta\" \"lab\" 1 8\n");
		if (!import_lsf_run(&im, scratch_directory(), &o, 1000, 865400, take_cpu_time,
				    &cpu, &err))
			fail_msg("%s", err.message);
		if (!(fabs(cpu - periods[i].cpu) < 1e-9))
			fail_msg("%s: %f", periods[i].line, cpu);
		import_free(&im);
	}
}

static bool take_run_time(void *context, struct cluster *c, struct err *err)
{
	(void)err;
	*(double *)context = cluster_f64(c, F_ASSOC_RUN_TIME, cluster_by_path(c, "/long:alice"));
	cluster_free(c);
	return true;
}

/*
 * mbatchd asks for loads each 16 s from its start on: at 1112 and 1128. Since then what a job ran
 * till it was suspended counts, and no pause.
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
	struct replay_options o = REPLAY_OPTIONS_INIT;

	(void)state;
	o.period = 100000;
	put_file("lsb.queues", "Begin Queue\nQUEUE_NAME = long\nPRIORITY = 20\n"
		 "FAIRSHARE = USER_SHARES[[alice, 1]]\nEnd Queue\n");
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		struct err err = { 0 };
		double run = F64_UNKNOWN;
		char text[2000];

		(void)snprintf(text, sizeof(text), "%s%s",
			       "\"MBD_START\" \"22\" 1000 \"hosta\" \"lab\" 1 8\n"
			       NEW("1000", "101") START("1116", "101", "0"), logs[i].pauses);
		good(text);
		if (!import_lsf_run(&im, scratch_directory(), &o, 1000, logs[i].now,
				    take_run_time, &run, &err))
			fail_msg("%s", err.message);
		if (!(fabs(run - logs[i].run) < 1e-9))
			fail_msg("%zu: %f", i, run);
		import_free(&im);
	}
}

static bool take_started(void *context, struct cluster *c, struct err *err)
{
	static const char *const paths[] = { "/long/a", "/long/a:alice", "/long/b", "/long/c" };
	uint32_t *started = context;

	(void)err;
	for (size_t i = 0; i < 4; i++)
		started[i] = cluster_u32(c, F_ASSOC_STARTED, cluster_by_path(c, paths[i]));
	cluster_free(c);
	return true;
}

/* Nobody told which of her two accounts paid for alice: nothing of both is known once she runs. */
static void several_accounts(void **state)
{
	struct replay_options o = REPLAY_OPTIONS_INIT;
	uint32_t started[4] = { 0 };
	struct err err = { 0 };

	(void)state;
	o.period = 100000;
	put_file("lsb.params", "Begin Parameters\nHIST_HOURS = 0\nEnd Parameters\n");
	put_file("lsb.queues", "Begin Queue\nQUEUE_NAME = long\nPRIORITY = 20\n"
		 "FAIRSHARE = USER_SHARES[[a, 1] [b, 1] [c, 1]]\nEnd Queue\n");
	put_file("lsb.users", "Begin UserGroup\nGROUP_NAME GROUP_MEMBER USER_SHARES\n"
		 "a (alice) ([alice, 1])\nb (alice bob) ()\nc (bob) ()\nEnd UserGroup\n");
	good("\"MBD_START\" \"22\" 1000 \"hosta\" \"lab\" 1 8\n"
	     NEW("1000", "101") START("1116", "101", "0"));
	if (!import_lsf_run(&im, scratch_directory(), &o, 1000, 1200, take_started, started, &err))
		fail_msg("%s", err.message);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(started[i], U32_UNKNOWN);
	assert_int_equal(started[3], 0);
	import_free(&im);
}

/* More accounts than are kept for one user: any of the queue's may pay. */
static void unknown_accounts(void **state)
{
	struct replay_options o = REPLAY_OPTIONS_INIT;
	uint32_t started[4] = { 0 };
	struct err err = { 0 };
	char groups[2000] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER USER_SHARES\n"
			    "a (alice) ([alice, 1])\nb (bob) ()\nc (bob) ()\n", queues[2000];

	(void)state;
	o.period = 100000;
	(void)snprintf(queues, sizeof(queues), "Begin Queue\nQUEUE_NAME = long\nPRIORITY = 20\n"
		       "FAIRSHARE = USER_SHARES[[a, 1] [b, 1] [c, 1]");
	for (unsigned i = 0; i < 33; i++) {
		(void)snprintf(queues + strlen(queues), sizeof(queues) - strlen(queues),
			       " [g%u, 1]", i);
		(void)snprintf(groups + strlen(groups), sizeof(groups) - strlen(groups),
			       "g%u (alice) ()\n", i);
	}
	put_file("lsb.params", "Begin Parameters\nHIST_HOURS = 0\nEnd Parameters\n");
	put_file("lsb.queues", strcat(queues, "]\nEnd Queue\n"));
	put_file("lsb.users", strcat(groups, "End UserGroup\n"));
	good("\"MBD_START\" \"22\" 1000 \"hosta\" \"lab\" 1 8\n"
	     NEW("1000", "101") START("1116", "101", "0"));
	if (!import_lsf_run(&im, scratch_directory(), &o, 1000, 1200, take_started, started, &err))
		fail_msg("%s", err.message);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(started[i], U32_UNKNOWN);
	import_free(&im);
}

static bool take_others(void *context, struct cluster *c, struct err *err)
{
	(void)err;
	*(uint32_t *)context = cluster_u32(c, F_ASSOC_STARTED, cluster_by_path(c, "/long/others"));
	cluster_free(c);
	return true;
}

/*
 * Seen of volclava: "others" pays for alice's job, the last one of hers, and in that session no
 * more: who pays for what starts after it is unknown. While she has another one, bob is charged,
 * too, and a start of mbatchd charges all that runs. The earlier one in the list is elected first.
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
	struct replay_options o = REPLAY_OPTIONS_INIT;

	(void)state;
	o.period = 100000;
	put_file("lsid.txt", "volclava project 2.2, Nov 22 2026\nMy cluster name is lab\n");
	put_file("lsb.users", "Begin UserGroup\nGROUP_NAME GROUP_MEMBER\ng (zoe)\n"
		 "End UserGroup\n");
	put_file("lsb.queues", "Begin Queue\nQUEUE_NAME = long\nPRIORITY = 20\n"
		 "FAIRSHARE = USER_SHARES[[zoe, 1] [others, 1]]\nEnd Queue\n");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err err = { 0 };
		uint32_t started = 0;
		char text[4000];

		(void)snprintf(text, sizeof(text),
			       "\"MBD_START\" \"22\" 1000 \"hosta\" \"lab\" 1 8\n%s%s%s",
			       cases[i].jobs,
			       START("1116", "101", "0") START("1116", "102", "0"), cases[i].more);
		good(text);
		if (!import_lsf_run(&im, scratch_directory(), &o, 1000, 1200, take_others, &started,
				    &err))
			fail_msg("%s", err.message);
		if (started != cases[i].started)
			fail_msg("%zu: %u", i, (unsigned)started);
		import_free(&im);
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

	return cmocka_run_group_tests(tests, NULL, NULL);
}
