/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF without some of its files and outputs: values in the others are known, the rest are not. The
 * recordings are those of test_lsf_shares.c; results are compared with their configuration.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/queue/jobs.h"
#include "core/queue/lsf_jobs.h"
#include "core/share/lsf_share.h"
#include "tests/support/kept.h"
#include "tests/support/lab.h"
#include "tests/support/lsf.h"
#include "tests/support/note.h"

#define JOBS "JOBID USER STAT QUEUE FROM_HOST EXEC_HOST JOB_NAME SUBMIT_TIME\n"
#define JOB(id, user, queue) id " " user " PEND " queue " h - n Nov 22 11:" id "\n"
#define QUEUE(name, lines) \
	"QUEUE: " name "\n\nPARAMETERS/STATISTICS\nPRIO NICE STATUS MAX JL/U JL/P JL/H NJOBS " \
	"PEND RUN SSUSP USUSP RSV\n 20 0 Open:Active - - - - 1 1 0 0 0 0\n" lines \
	"\nUSERS: all\nHOSTS: all\n\n"

static const char volclava[] = "volclava project 2.2, Nov 22 2026\nMy cluster name is lab\n";

/* Each rank without lsb.queues is unknown or the same as with it; those of queue rr are known. */
static void compare_places(const struct lab *with, const struct lab *without)
{
	uint32_t turns = 0;

	assert_int_equal(with->j->index->n, without->j->index->n);
	for (uint32_t e = 0; e < with->j->index->n; e++) {
		uint32_t wanted = with->j->order->rank[e], found = without->j->order->rank[e];
		const char *queue = cluster_text(with->c, F_JOB_PARTITION, with->j->index->job[e]);
		bool round = strcmp(queue, "rr") == 0;

		if (found != U32_UNKNOWN || round)
			assert_int_equal(found, wanted);
		turns += round && found != U32_UNKNOWN;
	}
	assert_true(turns > 1);
}

static void test_without_lsb_queues(void **state)
{
	static const char *const instants[] = { "t2", "t3" };

	(void)state;
	for (size_t i = 0; i < sizeof(instants) / sizeof(instants[0]); i++) {
		static const struct { enum lsf_kind kind; const char *name; } files[] = {
			{ LSF_LSID, "lsid.txt" }, { LSF_BQUEUES_R, "bqueues_r.txt" },
			{ LSF_BJOBS_L, "bjobs_l.txt" }, { LSF_BHOSTS_W, "bhosts_w.txt" },
		};
		const char *texts[LSF_KINDS] = { NULL };
		char *owned[8], name[100];
		struct lab *with, *without;
		size_t n = 0;
		uint32_t flat, low;

		for (size_t k = 0; k < sizeof(files) / sizeof(files[0]); k++) {
			snprintf(name, sizeof(name), "%s/%s", instants[i], files[k].name);
			texts[files[k].kind] = owned[n++] = lsf_recorded_text(name);
		}
		texts[LSF_PARAMS] = owned[n++] = lsf_recorded_text("conf/lsb.params");
		texts[LSF_USERS] = owned[n++] = lsf_recorded_text("conf/lsb.users");
		without = lab_of(lsf_cluster(texts));
		texts[LSF_QUEUES] = owned[n++] = lsf_recorded_text("conf/lsb.queues");
		with = lab_of(lsf_cluster(texts));
		compare_places(with, without);

		/* bqueues prints HIST_HOURS as 1.000000, but it is an integer. */
		low = cluster_row_named(without->c, F_QUEUE_NAME, "low", 3);
		assert_string_equal(lsf_queue_param(without->c, low, "PRIORITY"), "5");
		assert_string_equal(lsf_queue_param(without->c, low, "PJOB_LIMIT"), "1");
		assert_null(lsf_queue_param(without->c, low, "UJOB_LIMIT"));
		flat = cluster_row_named(without->c, F_QUEUE_NAME, "flat", 4);
		assert_true(lsf_hist_hours(without->c, cluster_policy(without->c), flat) == 1);
		lab_free(with);
		lab_free(without);
		while (n > 0)
			free(owned[--n]);
	}
}

/* JOB_ACCEPT_INTERVAL counts sessions, bqueues prints seconds; volclava prints nothing for 1. */
static void test_interval_of_a_queue(void **state)
{
	static const char name[] = "JOB_ACCEPT_INTERVAL";
	const char *texts[LSF_KINDS] = { [LSF_LSID] = volclava };
	const struct cluster *c;

	(void)state;
	texts[LSF_BPARAMS_L] = "X:\n    MBD_SLEEP_TIME = 10 (seconds)\n"
			       "    JOB_ACCEPT_INTERVAL = 3 (* MBD_SLEEP_TIME)\n";
	texts[LSF_BQUEUES_R] =
		QUEUE("a", "Interval for a host to accept two jobs is 20 seconds\n")
		QUEUE("b", "Interval for a host to accept two jobs is 0 seconds\n")
		QUEUE("c", "");
	c = lsf_told(texts);
	assert_string_equal(lsf_queue_param(c, 0, name), "2");
	assert_string_equal(lsf_queue_param(c, 1, name), "0");
	assert_string_equal(lsf_queue_param(c, 2, name), "1");

	/* Other versions imply nothing by omission; seconds alone give no number of sessions. */
	texts[LSF_LSID] = texts[LSF_BPARAMS_L] = NULL;
	c = lsf_told(texts);
	assert_null(lsf_queue_param(c, 0, name));
	assert_true(lsf_queue_unreported(c, 0, name));
	assert_string_equal(lsf_queue_param(c, 1, name), "0");
	assert_null(lsf_queue_param(c, 2, name));
	assert_false(lsf_queue_unreported(c, 2, name));

	/* daemons.h, DEF_MSLEEPTIME: if lsb.params does not set it, it is 2 s. */
	texts[LSF_LSID] = volclava;
	texts[LSF_PARAMS] = "Begin Parameters\nEnd Parameters\n";
	c = lsf_told(texts);
	assert_string_equal(lsf_queue_param(c, 0, name), "10");
}

/* Without bqueues it is unknown which queue is first, whatever the order of the jobs. */
static void test_priority_not_told(void **state)
{
	const char *texts[LSF_KINDS] = { [LSF_LSID] = volclava };
	const struct jobs *j;

	(void)state;
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "p") JOB("11", "b", "q");
	j = lsf_told_jobs(texts);
	assert_string_equal(j->lsf->problem, "the priority of queue p is unknown (expected "
			    "bqueues -r): the ranks of all jobs are unknown");
	for (uint32_t e = 0; e < 2; e++)
		assert_int_equal(j->order->rank[e], U32_UNKNOWN);
	texts[LSF_BQUEUES_R] = QUEUE("p", "") QUEUE("q", "");
	j = lsf_told_jobs(texts);
	assert_string_equal(j->lsf->problem, "");
	for (uint32_t e = 0; e < 2; e++)
		assert_int_equal(j->order->rank[e], e + 1);
}

/* An unknown formula matters once a user's second job competes with another user's. */
static void test_formula_not_told(void **state)
{
	const char *texts[LSF_KINDS] = { [LSF_LSID] = volclava };
	const struct jobs *j;

	(void)state;
	texts[LSF_BQUEUES_R] = QUEUE("q", "\nUSER_SHARES:  [a,1][b,9]\n\nSHARE_INFO_FOR: q/\n"
		"USER/GROUP SHARES PRIORITY STARTED CPU_TIME RUN_TIME\n"
		"b 9 3.000 0 0.0 0\na 1 0.333 0 0.0 0\n");
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q") JOB("11", "b", "q");
	j = lsf_told_jobs(texts);
	assert_int_equal(j->order->rank[0], 2);
	assert_int_equal(j->order->rank[1], 1);
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q") JOB("11", "b", "q") JOB("12", "b", "q");
	j = lsf_told_jobs(texts);
	for (uint32_t e = 0; e < 3; e++)
		assert_int_equal(j->order->rank[e], U32_UNKNOWN);
}

/* Absolute priority scheduling of IBM LSF has its own order. */
static void test_aps_is_not_computed(void **state)
{
	const char *texts[LSF_KINDS] = { NULL };
	const struct jobs *j;

	(void)state;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\n"
			    "APS_PRIORITY = WEIGHT[[JPRIORITY, 1]]\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = p\nPRIORITY = 10\nEnd Queue\n";
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q") JOB("11", "b", "q") JOB("12", "b", "p");
	j = lsf_told_jobs(texts);
	assert_non_null(strstr(j->lsf->problem, "queue q orders its jobs by APS_PRIORITY"));
	assert_int_equal(j->order->rank[0], U32_UNKNOWN);
	assert_int_equal(j->order->rank[1], U32_UNKNOWN);
	assert_int_equal(j->order->rank[2], 3);

	/* A queue that was not reported may come first: the problem says so. */
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q") JOB("11", "b", "z") JOB("12", "b", "p");
	j = lsf_told_jobs(texts);
	assert_string_equal(j->lsf->problem, "the priority of queue z is unknown (expected "
			    "bqueues -r): the ranks of all jobs are unknown");
	for (uint32_t e = 0; e < 3; e++)
		assert_int_equal(j->order->rank[e], U32_UNKNOWN);
}

/* daemons.h, DEF_MSLEEPTIME: not the default that IBM documents. */
static void test_default_sleep(void **state)
{
	static const char name[] = "MBD_SLEEP_TIME";
	static const struct { const char *version; double seconds; } cases[] = {
		{ volclava, 2 }, { "IBM Spectrum LSF Standard 10.1.0.14\n", 20 },
	};
	const char *texts[LSF_KINDS] = { NULL };

	(void)state;
	texts[LSF_PARAMS] = "Begin Parameters\nEnd Parameters\n";
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nEnd Queue\n";
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct cluster *c;
		double seconds;

		texts[LSF_LSID] = cases[i].version;
		c = lsf_told(texts);
		assert_true(policy_real(cluster_policy(c), policy_param(name), &seconds));
		assert_true(seconds >= cases[i].seconds && seconds <= cases[i].seconds);
	}
}

/* A factor printed as 1.000000 is shortened; a text with a dot is not. */
static void test_values_of_bparams(void **state)
{
	static const struct { const char *name, *printed, *value; } cases[] = {
		{ "RUN_TIME_FACTOR", "0.700000", "0.7" }, { "RUN_JOB_FACTOR", "3.000000", "3" },
		{ "DEFAULT_QUEUE", "v1.10", "v1.10" }, { "DEFAULT_QUEUE", "a.b.00", "a.b.00" },
		{ "DEFAULT_QUEUE", "q.0", "q.0" }, { "DEFAULT_QUEUE", ".0", ".0" },
		{ "DEFAULT_QUEUE", "1.10", "1.10" },
		{ "CPU_TIME_FACTOR", "10.00", "10" }, { "CPU_TIME_FACTOR", ".0", ".0" },
		{ "JOB_PRIORITY_OVER_TIME", "0.5/10", "0.5/10" },
	};
	const char *texts[LSF_KINDS] = { [LSF_LSID] = volclava };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[200], found[100];
		const struct cluster *c;
		size_t param;

		(void)snprintf(text, sizeof(text), "X:\n    %s = %s\n", cases[i].name,
			       cases[i].printed);
		texts[LSF_BPARAMS_L] = text;
		c = lsf_told(texts);
		param = policy_param(cases[i].name);
		assert_true(policy_is_known(cluster_policy(c), param));
		policy_value_text(cluster_policy(c), param, found, sizeof(found));
		assert_string_equal(found, cases[i].value);
	}
}

/* mbd.misc.c, getUserData(): with the parameter, the row "default" applies to users only. */
static void test_default_spares_groups(void **state)
{
	static const struct { const char *params; uint32_t limits; } cases[] = {
		{ "Begin Parameters\nEnd Parameters\n", 2 },
		{ "Begin Parameters\nDEFAULT_LIMIT_IGNORE_USER_GROUP = Y\nEnd Parameters\n", 1 },
		{ "Begin Parameters\nDEFAULT_LIMIT_IGNORE_USER_GROUP = N\nEnd Parameters\n", 2 },
	};
	const char *texts[LSF_KINDS] = { [LSF_LSID] = volclava };

	(void)state;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nEnd Queue\n";
	texts[LSF_USERS] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER\ng (a b)\nEnd UserGroup\n"
			   "Begin User\nUSER_NAME MAX_JOBS\ndefault 3\nEnd User\n";
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct cluster *c;

		texts[LSF_PARAMS] = cases[i].params;
		c = lsf_told(texts);
		assert_int_equal(cluster_list(c, F_USER_LIMITS, 0).count, cases[i].limits);
	}
}

#define SLOTS(id, stat, slots) \
	"{\"JOBID\":\"" id "\",\"USER\":\"a\",\"STAT\":\"" stat "\",\"QUEUE\":\"q\"," \
	"\"NREQ_SLOT\":\"" slots "\",\"SUBMIT_TIME\":\"Nov 22 11:10\"}"

static void assert_instants(const char *const texts[LSF_KINDS], const char *said)
{
	const struct cluster *c = lsf_told(texts);

	assert_string_equal(note_about(c, "instants"), said);
}

/* A dispatch session between bqueues and bjobs: the sum is equal, the slots in use differ. */
static void test_instants(void **state)
{
	static const struct { const char *numbers, *said; } cases[] = {
		{ "5 4 0 1 0 0", "" }, { "5 2 2 1 0 0", "queue q has 3 slots in use in bqueues, 1 "
		  "in bjobs: jobs started or ended between the two, and shares and order may be "
		  "out of date" },
	};
	const char *texts[LSF_KINDS] = { [LSF_LSID] = volclava };

	(void)state;
	texts[LSF_BJOBS] = "{\"RECORDS\":[" SLOTS("10", "PEND", "4") "," SLOTS("11", "USUSP", "1")
			   "]}";
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[500];

		(void)snprintf(text, sizeof(text), "QUEUE: q\n\nPARAMETERS/STATISTICS\nPRIO NICE "
			       "STATUS MAX JL/U JL/P JL/H NJOBS PEND RUN SSUSP USUSP RSV\n 20 0 "
			       "Open:Active - - - - %s\n\nUSERS: all\nHOSTS: all\n",
			       cases[i].numbers);
		texts[LSF_BQUEUES_R] = text;
		assert_instants(texts, cases[i].said);
	}
}

/* A dispatch session between bqueues and bhosts. */
static void test_instants_of_hosts(void **state)
{
	static const struct { const char *host, *said; } cases[] = {
		{ "hosta ok - 8 3 2 1 0 0", "" },
		{ "hosta ok - 8 5 2 1 0 2", "" },
		{ "hosta ok - 8 5 4 1 0 0", "bhosts shows 5 slots in use, bqueues 3: jobs started "
					    "or ended between the two" },
		/* A host without numbers may have the others. */
		{ "hosta ok - 8 5 4 1 0 0\nhostb unreach - 8 - - - - -", "" },
	};
	const char *texts[LSF_KINDS] = { [LSF_LSID] = volclava };

	(void)state;
	texts[LSF_BQUEUES_R] = "QUEUE: q\n\nPARAMETERS/STATISTICS\nPRIO NICE STATUS MAX JL/U JL/P "
			       "JL/H NJOBS PEND RUN SSUSP USUSP RSV\n 20 0 Open:Active - - - - 6 2 "
			       "2 1 0 1\n\nUSERS: all\nHOSTS: all\n";
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[200];

		(void)snprintf(text, sizeof(text),
			       "HOST_NAME STATUS JL/U MAX NJOBS RUN SSUSP USUSP RSV\n%s\n",
			       cases[i].host);
		texts[LSF_BHOSTS_W] = text;
		assert_instants(texts, cases[i].said);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_lsb_queues),
		cmocka_unit_test(test_interval_of_a_queue),
		cmocka_unit_test(test_priority_not_told),
		cmocka_unit_test(test_formula_not_told),
		cmocka_unit_test(test_aps_is_not_computed),
		cmocka_unit_test(test_default_sleep),
		cmocka_unit_test(test_values_of_bparams),
		cmocka_unit_test(test_default_spares_groups),
		cmocka_unit_test(test_instants),
		cmocka_unit_test(test_instants_of_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
