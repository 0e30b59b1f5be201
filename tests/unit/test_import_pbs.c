/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accounting logs of PBS and Torque: a job from its records, reruns, deletions, CPUs in all their
 * spellings, and bytes that are not text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/support/imported.h"

static void good(const char *text)
{
	imported_text(&import_pbs, text);
}

/* 10:00:00 of that day is 1743415200 UTC. */
#define AT(time, type, rest) "03/31/2025 " time ";" type ";" rest "\n"
#define WHO "user=alice group=g account=\"P 1\" project=_pbs_project_default jobname=j queue=q "

static void a_job_out_of_its_records(void **state)
{
	const struct replay_job *job;

	(void)state;
	good(AT("10:00:00", "Q", "5.srv;" WHO "ctime=1743415200 qtime=1743415200")
	     AT("10:00:10", "S", "5.srv;" WHO "qtime=1743415200 start=1743415210 "
		"exec_host=n1/0*13+n2/0*3 Resource_List.ncpus=4")
	     AT("10:01:40", "E", "5.srv;" WHO "qtime=1743415200 start=1743415210 end=1743415299 "
		"exec_host=n1/0*13+n2/0*3 Resource_List.ncpus=4 Resource_List.walltime=01:00:00 "
		"Exit_status=1"));
	assert_int_equal(replay_jobs(im.replay), 1);
	assert_int_equal(im.used, 3);
	job = replay_job(im.replay, 0);
	assert_int_equal(job->id, 5);
	assert_int_equal(job->submit, 1743415200);
	assert_int_equal(job->start, 1743415210);
	assert_int_equal(job->end, 1743415299);
	assert_int_equal(job->cpus, 16);
	assert_int_equal(job->limit, 3600);
	assert_true(imported_is(job->state, "FAILED"));
	assert_int_equal(job->assoc, imported_assoc("P 1", "alice"));
}

static void reruns_and_deletions(void **state)
{
	(void)state;
	good(AT("10:00:00", "Q", "5.srv;" WHO "qtime=1743415200")
	     AT("10:00:10", "S", "5.srv;" WHO "start=1743415210 Resource_List.ncpus=2")
	     AT("10:00:50", "R", "5.srv;" WHO)
	     AT("10:01:00", "S", "5.srv;" WHO "start=1743415260 Resource_List.ncpus=2")
	     AT("10:01:30", "D", "5.srv;requestor=alice@n1")
	     AT("10:01:31", "E", "5.srv;" WHO "start=1743415260 end=1743415291 Exit_status=271")
	     AT("10:00:00", "Q", "6.srv;" WHO "qtime=1743415200")
	     AT("10:02:00", "D", "6.srv;requestor=alice@n1")
	     AT("10:00:00", "Q", "7[3].srv;" WHO "qtime=1743415200")
	     AT("10:03:00", "A", "7[3].srv;")
	     AT("10:03:00", "D", "99.srv;requestor=alice@n1")
	     AT("10:04:00", "S", "8.srv;" WHO "start=1743415440 Resource_List.ncpus=2")
	     AT("10:05:00", "L", "license;floating license hour:3")
	     AT("10:05:00", "k", "R12.srv;whatever"));
	assert_int_equal(replay_jobs(im.replay), 5);
	assert_int_equal(replay_job(im.replay, 0)->end, 1743415250);
	assert_true(imported_is(replay_job(im.replay, 0)->state, "REQUEUED"));
	assert_int_equal(replay_job(im.replay, 1)->start, 1743415260);
	assert_int_equal(replay_job(im.replay, 1)->end, 1743415291);
	assert_true(replay_job(im.replay, 2)->start == I64_UNKNOWN);
	assert_int_equal(replay_job(im.replay, 2)->end, 1743415320);
	assert_true(imported_is(replay_job(im.replay, 2)->state, "CANCELLED"));
	assert_int_equal(replay_job(im.replay, 3)->array, 7);
	assert_int_equal(replay_job(im.replay, 3)->task, 3);
	assert_true(replay_job(im.replay, 4)->end == I64_UNKNOWN);	/* still running */
	assert_int_equal(im.skipped, 3);
}

static void processors_in_all_spellings(void **state)
{
	static const struct { const char *hosts; uint32_t cpus; } cases[] = {
		{ "n404/2+n404/3+n404/4", 3 }, { "c1/0*13+c2/0*13", 26 }, { "c1/0-3+c2/0-7", 12 },
		{ "crhtc65/34", 1 }, { "n1/1*2", 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[300];

		snprintf(text, sizeof(text), AT("10:00:00", "E", "5;" WHO "start=1743415100 "
			 "end=1743415200 exec_host=%s"), cases[i].hosts);
		good(text);
		assert_int_equal(replay_job(im.replay, 0)->cpus, cases[i].cpus);
	}
}

static void survives_junk(void **state)
{
	static const char bytes[] = "\x7f" "ELF\0\x01\xff\xfe;;;\n"
		"03/31/2025 10:00:00;E;5;" WHO "start=1743415100 end=1743415200 junk=\0\xff x\n"
		"99/99/2025 10:00:00;E;5;user=x\n03/31/2025 10:00:00;EE;5;user=x\n"
		"03/31/2025 10:00:00;E;five;user=x\n;;;;;\n03/31/2025 10:00:00;E";
	struct err err = { 0 };

	(void)state;
	imported_open(&import_pbs);
	assert_true(imported_more(bytes, sizeof(bytes) - 1, &err));
	assert_int_equal(replay_jobs(im.replay), 1);
	assert_int_equal(im.skipped, 6);
	imported_refused(&import_pbs, "PK\3\4zip\n", "not an accounting record");
}

static void public_logs(void **state)
{
	static const struct { const char *file; uint32_t jobs; uint64_t used; } logs[] = {
		{ "ncar-casper-qhist.acct", 5, 18 }, { "xdmod-accounting-logs.log", 9, 9 },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		imported_shared(&import_pbs, "traces/pbs/accounting", logs[i].file);
		assert_int_equal(replay_jobs(im.replay), logs[i].jobs);
		assert_int_equal(im.used, logs[i].used);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_out_of_its_records),
		cmocka_unit_test(reruns_and_deletions),
		cmocka_unit_test(processors_in_all_spellings),
		cmocka_unit_test(survives_junk),
		cmocka_unit_test(public_logs),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, imported_close);
}
