/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One dispatch session of LSF on its hosts: every job is tried, and what is common to a queue's
 * jobs is looked up once.
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

#include "core/cluster/host_state.h"
#include "core/cluster/idmap.h"
#include "core/queue/jobs.h"
#include "core/queue/lsf_hosts.h"
#include "core/share/lsf_share.h"
#include "core/sim/cycle_view.h"
#include "tests/support/kept.h"
#include "tests/support/lsf.h"

/* Includes lsf_hosts.c with every search by name counted. */
static unsigned searches;
#define cluster_row_of(c, field, handle) (searches++, cluster_row_of(c, field, handle))
#define cluster_row_named(c, field, name, n) (searches++, cluster_row_named(c, field, name, n))
#define policy_param(name) (searches++, policy_param(name))
#define lsf_queue_param(c, queue, name) (searches++, lsf_queue_param(c, queue, name))
#include "core/queue/lsf_hosts.c" /* NOLINT(bugprone-suspicious-include): see above */

#define HOSTS "HOST_NAME STATUS JL/U MAX NJOBS RUN SSUSP USUSP RSV\n"
#define JOBS "JOBID USER STAT QUEUE FROM_HOST EXEC_HOST JOB_NAME SUBMIT_TIME\n"
#define JOB(id, user, queue) \
	id " " user " PEND " queue " h - n Nov 22 11:" id "\n"

/* The outputs and files; by default a queue "q" and no interval between two jobs of a host. */
static const char *texts[LSF_KINDS];

static int set_up(void **state)
{
	(void)state;
	memset(texts, 0, sizeof(texts));
	texts[LSF_PARAMS] = "Begin Parameters\nJOB_ACCEPT_INTERVAL = 0\nEnd Parameters\n";
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nEnd Queue\n";
	return 0;
}

/* Runs a session with TEXTS; checks each pending job's reason, "" for a job that starts. */
static void assert_session(const char *const wanted[], uint32_t count)
{
	const struct jobs *j = lsf_told_jobs(texts);
	struct lsf_jobs *l;

	searches = 0;
	l = lsf_jobs_new(j->model, j->index, true);
	assert_int_equal(l->n, count);
	for (uint32_t e = 0; e < count; e++)
		assert_string_equal(l->reason[e] ? l->reason[e] : "", wanted[e]);
	lsf_jobs_free(l);
}

/* Returns the number of searches by name for COUNT jobs on hosts that each take one of them. */
static unsigned searches_of(uint32_t count)
{
	static const char just[] = "Just started a job recently";
	const char *wanted[40] = { "", "" };
	char reported[4000] = JOBS;

	for (uint32_t i = 0; i < count; i++) {
		size_t used = strlen(reported);

		(void)snprintf(reported + used, sizeof(reported) - used, JOB("%u", "a", "q"),
			       (unsigned)(10 + i), (unsigned)(10 + i));
		wanted[i] = i < 2 ? "" : just;
	}
	texts[LSF_PARAMS] = "Begin Parameters\nJOB_ACCEPT_INTERVAL = 1\nEnd Parameters\n";
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nHOSTS = h2 none h1\n"
			    "End Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 90 0 0 0 0 0\nh2 ok - 90 0 0 0 0 0\n"
			      "h3 ok - 90 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = reported;
	assert_session(wanted, count);
	return searches;
}

static void test_searches_once(void **state)
{
	unsigned few = searches_of(3);

	(void)state;
	assert_true(few > 0);
	assert_int_equal(searches_of(40), few);
}

/* The account charged for 10 and 11 is unknown, and so is their order, but they need slots. */
static void test_unknown_payer(void **state)
{
	static const char closed[] = "Closed, or not available", full[] = "Job slot limit reached";
	static const char one[] = JOBS JOB("10", "a", "q") JOB("12", "z", "p"),
			  two[] = JOBS JOB("10", "a", "q") JOB("11", "b", "q") JOB("12", "z", "p");
	static const char *const none[] = { closed, closed, closed },
			  *const first[] = { "", full }, *const both[] = { "", "", full };

	(void)state;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\n"
			    "FAIRSHARE = USER_SHARES[[g, 1]]\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = p\nPRIORITY = 5\nEnd Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h closed_Adm - 9 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = one;
	assert_session(none, 2);
	texts[LSF_BHOSTS_W] = HOSTS "h ok - 1 0 0 0 0 0\n";
	assert_session(first, 2);
	texts[LSF_BJOBS_W] = two;
	texts[LSF_BHOSTS_W] = HOSTS "h closed_Adm - 9 0 0 0 0 0\n";
	assert_session(none, 3);
	texts[LSF_BHOSTS_W] = HOSTS "h ok - 2 0 0 0 0 0\n";
	assert_session(both, 3);
	/* MAX_JOBS applies to such a job, too. */
	texts[LSF_BJOBS_W] = one;
	texts[LSF_USERS] = "Begin User\nUSER_NAME MAX_JOBS\na 0\nEnd User\n";
	assert_session((const char *const[]){
		"The user has reached his/her job slot limit", "" }, 2);
}

/* h2 and g are in lsb.hosts and queues, but not in bhosts: they offer no slots. */
static void test_hosts_that_are_not_told(void **state)
{
	static const char full[] = "Job slot limit reached",
		unreported[] = "unknown: the slots of a host, or a host group, of its queue";
	static const char *const partly[] = { "", unreported, unreported, full };
	const struct class_choice choice = { CLASS_DOCUMENT, NULL, false };
	struct cycle_result *r;
	struct classes_data *d;
	const struct jobs *j;

	(void)state;
	texts[LSF_PARAMS] = NULL;
	texts[LSF_HOSTS] = "Begin Host\nHOST_NAME MXJ\nh2 4\nEnd Host\n";
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nHOSTS = g h1\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = r\nPRIORITY = 10\nHOSTS = h2\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = p\nPRIORITY = 5\nEnd Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 1 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q") JOB("11", "a", "q") JOB("12", "a", "r")
			     JOB("13", "a", "p");
	assert_session(partly, 4);

	/* Without any bhosts it is unknown which jobs start. */
	texts[LSF_BHOSTS_W] = NULL;
	j = lsf_told_jobs(texts);
	d = classes_data_new(j, &choice, NULL, 0);
	r = cycle_of(d, true, 0);
	assert_true(r->hosts > 0);
	assert_true(r->blind);
	assert_int_equal(r->input.jobs, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(r->cycle->status[i], CYCLE_UNKNOWN);
	cycle_result_free(r);
	classes_data_free(d);
}

/* Recordings may hold any number. */
static void test_limits_of_any_size(void **state)
{
	static const struct { double most; uint32_t used; bool keeps; uint64_t room; } limits[] = {
		{ 1e300, 0, false, 7 }, { HUGE_VAL, 2, false, 7 }, { F64_UNKNOWN, 2, false, 7 },
		{ 6, 2, false, 4 }, { 2, 2, true, 0 }, { -1e300, 0, true, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		uint64_t room = 7;

		assert_int_equal(hosts_limit(&room, limits[i].most, limits[i].used),
				 limits[i].keeps);
		assert_int_equal(room, limits[i].room);
	}
}

/* A pending job in the words of bjobs -l; ASKED says what it needs of hosts. */
#define ASKS(id, asked) \
	"Job <" id ">, User <a>, Project <default>, Status <PEND>, Queue <q>, Command <c>\n" \
	"Sun Nov 22 11:" id ": Submitted from host <h1>, CWD </>" asked ";\n" \
	" PENDING REASONS:\n New job is waiting for scheduling: 1 host;\n\n"

static void test_asked_of_hosts(void **state)
{
	static const char alone[] = "Job's requirement for exclusive execution not satisfied",
		span[] = "Not enough slots on hosts for the job to span",
		full[] = "Job slot limit reached";

	(void)state;
	texts[LSF_HOSTS] = "Begin HostGroup\nGROUP_NAME GROUP_MEMBER\ng (h2)\nEnd HostGroup\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 4 0 0 0 0 0\nh2 ok - 3 1 1 0 0 0\n";
	/* 10 takes a slot of h2 though h1 comes first; 12 has the idle h1 exclusively. */
	texts[LSF_BJOBS_L] = ASKS("10", ", Specified Hosts <h1>, <g/+2>")
			     ASKS("11", ", Exclusive Execution, Specified Hosts <h2>")
			     ASKS("12", ", Exclusive Execution") ASKS("13", "")
			     ASKS("14", "");
	assert_session((const char *const[]){ "", alone, "", "", full }, 5);
	texts[LSF_HOSTS] = NULL;
	texts[LSF_BMGROUP] = "GROUP_NAME    HOSTS\ng            h2 \n";
	assert_session((const char *const[]){ "", alone, "", "", full }, 5);
	/* 10 needs all three slots on one host: only h1. That leaves one slot there, two on h2. */
	texts[LSF_BJOBS_L] =
		ASKS("10", ", 3 Processors Requested, Requested Resources <span[hosts=1]>")
		ASKS("11", ", 3 Processors Requested, Requested Resources <span[hosts=1]>")
		ASKS("12", ", 4 Processors Requested, Requested Resources <span[ptile=2]>")
		ASKS("13", ", 2 Processors Requested, Requested Resources <span[ptile=1]>")
		ASKS("14", "") ASKS("15", "");
	assert_session((const char *const[]){ "", span, span, "", "", full }, 6);
	/* Only -R leaves the hosts unknown; a reason that holds for all of them is kept. */
	texts[LSF_BJOBS_L] =
		ASKS("10", ", Requested Resources <select[mem>500000] span[hosts=1]>")
		"Job <11>, User <a>, Project <default>, Status <PEND>, Queue <q>, Command <c>\n"
		"Sun Nov 22 11:11: Submitted from host <h1>, Requested Resources <big>;\n"
		" PENDING REASONS:\n Job's resource requirements not satisfied: 2 hosts;\n\n";
	assert_session((const char *const[]){
		"", "Job's resource requirements not satisfied" }, 2);
}

/* Checks the problem of the session; "": none. */
static void assert_problem(const char *problem)
{
	const struct jobs *j = lsf_told_jobs(texts);
	struct lsf_jobs *l = lsf_jobs_new(j->model, j->index, true);

	assert_string_equal(l->problem, problem);
	lsf_jobs_free(l);
}

/* Lists of -m: preferred hosts first; "all" and "others" stand for hosts not named. */
static void test_lists_of_hosts(void **state)
{
	static const char unknown[] = "unknown: a host, or a host group, that it asks for";

	(void)state;
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 1 0 0 0 0 0\nh2 ok - 1 0 0 0 0 0\n"
			      "h3 ok - 1 0 0 0 0 0\n";
	/* 10 takes h2, 11 finds it full, 12 takes h1 as others rank before h3, 13 the last one. */
	texts[LSF_BJOBS_L] = ASKS("10", ", Specified Hosts <h1>, <h2!+1>")
			     ASKS("11", ", Specified Hosts <h2!>")
			     ASKS("12", ", Specified Hosts <h3>, <others+2>")
			     ASKS("13", ", Specified Hosts <all>");
	assert_session((const char *const[]){ "", "Job slot limit reached", "", "" }, 4);
	assert_problem("");
	/* A pattern with * matches hosts in the order of bhosts. */
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nHOSTS = h* ~h1\n"
			    "End Queue\n";
	texts[LSF_BJOBS_L] = ASKS("10", ", Specified Hosts <*3>") ASKS("11", "") ASKS("12", "");
	assert_session((const char *const[]){ "", "", "Job slot limit reached" }, 3);
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nEnd Queue\n";
	/* A pattern is followed; an exclusion or an unreported name is unknown. */
	texts[LSF_BJOBS_L] = ASKS("10", ", Specified Hosts <h[1-2]>")
			     ASKS("11", ", Specified Hosts <~h1>")
			     ASKS("12", ", Specified Hosts <h9>");
	assert_session((const char *const[]){ "", unknown, unknown }, 3);
	assert_problem("not all that job 11 asks for with -m (~h1) are known hosts: "
		       "it may start elsewhere, or not at all");
}

/* Only bjobs -l reports what jobs need; of span[] only ptile=N and hosts=1 are supported. */
static void test_what_is_not_told(void **state)
{
	static const char *const odd[] = { "span[ptile='!']", "span[ptile=0]", "span[stride=2]",
					   "span[block=2]", "order[mem] span[hosts=2]" };
	static const char *const good[] = { "span[ptile=1]", "span[hosts=1]", "span[hosts=-1]",
					    "order[mem]" };
	char reported[600], problem[240];

	(void)state;
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 1 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q");
	assert_problem("only bjobs -l shows what jobs need of hosts (-m, -R, -x): job "
		       "10 may not start");
	texts[LSF_BJOBS_W] = NULL;
	for (size_t i = 0; i < 9; i++) {
		const char *span = i < 5 ? odd[i] : good[i - 5];

		(void)snprintf(reported, sizeof(reported), ASKS("10", ", Requested Resources <%s>"),
			       span);
		(void)snprintf(problem, sizeof(problem), "the hosts that satisfy job 10 "
			       "(-R %s) are unknown: it may not start", span);
		texts[LSF_BJOBS_L] = reported;
		assert_problem(i < 5 ? problem : "");
	}
}

/* A host that took a job of a queue with an interval takes no other job; other hosts do. */
static void test_accept_interval(void **state)
{
	static const char just[] = "Just started a job recently";

	(void)state;
	texts[LSF_PARAMS] = "Begin Parameters\nJOB_ACCEPT_INTERVAL = 0\nMBD_SLEEP_TIME = 10\n"
			    "End Parameters\n";
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = r\nPRIORITY = 10\n"
			    "JOB_ACCEPT_INTERVAL = 1\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = s\nPRIORITY = 5\nEnd Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 9 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q") JOB("11", "a", "q") JOB("12", "a", "r")
			     JOB("13", "a", "r") JOB("14", "a", "s");
	assert_session((const char *const[]){ "", "", "", just, just }, 5);
}

/* Without lsb.params the interval is unknown: not the default, and not a number. */
static void test_untold_interval(void **state)
{
	static const char unreported[] =
		"JOB_ACCEPT_INTERVAL, or MBD_SLEEP_TIME, is unknown "
		"(expected lsb.params or bparams -l): a host may take fewer jobs";

	(void)state;
	texts[LSF_PARAMS] = NULL;
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 9 0 0 0 0 0\n";
	texts[LSF_BJOBS_L] = ASKS("10", "");
	assert_problem("");
	texts[LSF_BJOBS_L] = ASKS("10", "") ASKS("11", "");
	assert_session((const char *const[]){ "", "" }, 2);
	assert_problem(unreported);
	/* A line missing from bparams -l is as unknown as a missing file. */
	texts[LSF_BPARAMS_L] = " X:\n    MBD_SLEEP_TIME = 10 (seconds)\n";
	assert_problem(unreported);
	texts[LSF_BPARAMS_L] = " X:\n    JOB_ACCEPT_INTERVAL = 0 (* MBD_SLEEP_TIME)\n";
	assert_problem("");
	texts[LSF_BPARAMS_L] = NULL;
	texts[LSF_PARAMS] = "Begin Parameters\nEnd Parameters\n";
	assert_session((const char *const[]){ "", "Just started a job recently" }, 2);
}

/* A queue's RES_REQ is named as unknown, as a job's -R is. */
static void test_resources_of_a_queue(void **state)
{
	(void)state;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\n"
			    "RES_REQ = select[mem>500]\nEnd Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 9 0 0 0 0 0\n";
	texts[LSF_BJOBS_L] = ASKS("10", "");
	assert_problem("the hosts that satisfy queue q (RES_REQ select[mem>500]) are "
		       "unknown: its jobs may not start");
}

/* A queue's span[] applies to its jobs unless a job has its own. */
static void test_span_of_a_queue(void **state)
{
	static const char none[] = "Not enough slots on hosts for the job to span";

	(void)state;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\n"
			    "RES_REQ = span[hosts=1]\nEnd Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 2 0 0 0 0 0\nh2 ok - 3 0 0 0 0 0\n";
	texts[LSF_BJOBS_L] = ASKS("10", ", 4 Processors Requested")
		ASKS("11", ", 3 Processors Requested")
		ASKS("12", ", 2 Processors Requested, Requested Resources <span[ptile=1]>");
	assert_session((const char *const[]){ none, "", none }, 3);
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 2 0 0 0 0 0\nh2 ok - 4 0 0 0 0 0\n";
	texts[LSF_BJOBS_L] = ASKS("10", ", 3 Processors Requested")
		ASKS("12", ", 2 Processors Requested, Requested Resources <span[ptile=1]>");
	assert_session((const char *const[]){ "", "" }, 2);
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 9 0 0 0 0 0\n";
	texts[LSF_BJOBS_L] = ASKS("10", "");
	assert_problem("");
}

/* Only the reason reveals an array's limit: as many as run. The held job is not checked. */
static void test_limit_of_an_array(void **state)
{
	static const char limit[] = "The job array has reached its running element limit";

	(void)state;
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 9 1 1 0 0 0\n";
	texts[LSF_BJOBS_L] =
		"Job <10[1]>, Job Name <n[1]>, User <a>, Project <p>, Status <RUN>, Queue <q>\n"
		"Sun Nov 22 11:10: Submitted from host <h1>, CWD </>;\n"
		"Sun Nov 22 11:11: Started on <h1>, Execution Home </>;\n\n"
		"Job <10[2]>, Job Name <n[2]>, User <a>, Project <p>, Status <PEND>, Queue <q>\n"
		"Sun Nov 22 11:10: Submitted from host <h1>, CWD </>;\n PENDING REASONS:\n"
		" The job array has reached its running element limit: 1 host;\n\n"
		ASKS("11", "");
	assert_session((const char *const[]){ "", limit, "" }, 3);
}

#define VOLCLAVA "volclava project 2.2, Nov 22 2026\nMy cluster name is c\n"
#define RUNS(id, user, queue, host) id " " user " RUN " queue " h " host " n Nov 22 11:09\n"

/*
 * Seen in volclava: a job whose first host is full by HJOB_LIMIT or JL/U is tried on no host. Other
 * jobs go on.
 */
static void test_first_host(void **state)
{
	static const char queue[] = "Queue's per-host job slot limit reached",
			  user[] = "Host's per-user job slot limit reached";

	(void)state;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nHJOB_LIMIT = 1\n"
			    "End Queue\nBegin Queue\nQUEUE_NAME = r\nPRIORITY = 10\nEnd Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 4 1 1 0 0 0\nh2 ok - 4 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = JOBS RUNS("9", "a", "q", "h1") JOB("10", "b", "q") JOB("11", "b", "r");
	assert_session((const char *const[]){ "", "", "" }, 3);
	texts[LSF_LSID] = VOLCLAVA;
	assert_session((const char *const[]){ "", queue, "" }, 3);
	texts[LSF_BJOBS_W] = JOBS RUNS("9", "a", "q", "h2") JOB("10", "b", "q") JOB("11", "b", "q");
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 4 0 0 0 0 0\nh2 ok - 4 1 1 0 0 0\n";
	assert_session((const char *const[]){ "", "", queue }, 3);
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok 1 4 1 1 0 0 0\nh2 ok - 4 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = JOBS RUNS("9", "a", "r", "h1") JOB("10", "a", "q") JOB("11", "b", "q");
	assert_session((const char *const[]){ "", user, "" }, 3);
}

/* Seen in volclava: a job that can never have a whole tile gets none, even with one slot. */
static void test_tiles(void **state)
{
	static const char span[] = "Not enough slots on hosts for the job to span";

	(void)state;
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 4 0 0 0 0 0\nh2 ok 1 4 0 0 0 0 0\n";
	texts[LSF_USERS] = "Begin User\nUSER_NAME MAX_JOBS\na 1\nEnd User\n";
	texts[LSF_BJOBS_L] = ASKS("10", ", Requested Resources <span[ptile=2]>") ASKS("11", "");
	assert_session((const char *const[]){
		"", "The user has reached his/her job slot limit" }, 2);
	texts[LSF_LSID] = VOLCLAVA;
	assert_session((const char *const[]){ span, "" }, 2);
	/* 10 has two slots of h1 and none of h2, whose JL/U is 1. */
	texts[LSF_USERS] = NULL;
	texts[LSF_BJOBS_L] = ASKS("10", ", Requested Resources <span[ptile=2]>")
			     ASKS("11", ", 3 Processors Requested, Requested Resources "
				  "<span[ptile=2]>");
	assert_session((const char *const[]){ "", span }, 2);
	texts[LSF_LSID] = NULL;
	assert_session((const char *const[]){ "", "" }, 2);
}

/* Seen in volclava: a user with a row by "group@" is in "others", too; by name or group, not. */
static void test_others(void **state)
{
	static const uint32_t of_ibm[] = { 0, 0, 0, 0 }, of_volclava[] = { 2, 2, 0, 0 };

	(void)state;
	texts[LSF_PARAMS] = NULL;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\n"
			    "FAIRSHARE = USER_SHARES[[g@, 1] [c, 1] [h, 1] [others, 1]]\n"
			    "End Queue\n";
	texts[LSF_USERS] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER USER_SHARES\n"
			   "g (a b) ()\nh (d) ()\nEnd UserGroup\n";
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q") JOB("11", "b", "q") JOB("12", "c", "q")
			     JOB("13", "d", "q");
	for (int k = 0; k < 2; k++) {
		const struct cluster *c;

		texts[LSF_LSID] = k == 0 ? NULL : VOLCLAVA;
		c = lsf_told(texts);
		for (uint32_t row = 0; row < 4; row++)
			assert_int_equal(cluster_list(c, F_JOB_CHARGED, row).count,
					 k == 0 ? of_ibm[row] : of_volclava[row]);
	}
}

/* Seen in volclava: a host taken exclusively is closed only from the next session on. */
static void test_alone(void **state)
{
	(void)state;
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 4 0 0 0 0 0\n";
	texts[LSF_BJOBS_L] = ASKS("10", ", Exclusive Execution") ASKS("11", "");
	assert_session((const char *const[]){ "", "Closed, or not available" }, 2);
	assert_problem("");
	texts[LSF_LSID] = VOLCLAVA;
	assert_session((const char *const[]){ "", "" }, 2);
	assert_problem("a job starts on a host that another job of this session has "
		       "exclusively (-x): it might not start there");
}

/* LSF picks one of several hosts by load; where that matters, the problem says so. */
static void test_load_decides(void **state)
{
	static const char load[] = "LSF chooses among the hosts of a job by load, which is "
		"unknown: jobs tried after it may start or not";

	(void)state;
	texts[LSF_BJOBS_L] = ASKS("10", "") ASKS("11", ", 2 Processors Requested, Requested "
						 "Resources <span[hosts=1]>");
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 2 0 0 0 0 0\nh2 ok - 1 0 0 0 0 0\n";
	assert_problem(load);
	/* Whichever host the first job takes, the second one fits, or does not. */
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 2 0 0 0 0 0\nh2 ok - 2 0 0 0 0 0\n";
	assert_problem("");
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 1 0 0 0 0 0\nh2 ok - 1 0 0 0 0 0\n";
	assert_problem("");
	/* It starts here, but its only host might be taken. */
	texts[LSF_BJOBS_L] = ASKS("10", "") ASKS("11", ", Specified Hosts <h2>");
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nHOSTS = h1 h2\n"
			    "End Queue\n";
	assert_session((const char *const[]){ "", "" }, 2);
	assert_problem(load);
}

/* A host that took a job within the interval, in sessions, takes none; the queue's value wins. */
static void test_recent_job(void **state)
{
	static const char just[] = "Just started a job recently";
	static const struct {
		const char *started, *queue, *reason;
	} cases[] = {
		{ "01:46:25", "", just }, { "01:46:15", "", "" },
		{ "01:46:25", "JOB_ACCEPT_INTERVAL = 1\n", "" },
		{ "01:46:25", "JOB_ACCEPT_INTERVAL = 0\n", "" },
		{ "01:46:15", "JOB_ACCEPT_INTERVAL = 4\n", just },
	};
	char reported[900], queues[200];

	(void)state;
	texts[LSF_PARAMS] = "Begin Parameters\nJOB_ACCEPT_INTERVAL = 3\nMBD_SLEEP_TIME = 10\n"
			    "End Parameters\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 9 1 1 0 0 0\n";
	texts[LSF_BJOBS_L] = reported;
	texts[LSF_QUEUES] = queues;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		/* The picture is of Sun Sep  9 01:46:40 2001. */
		(void)snprintf(reported, sizeof(reported),
			       "Job <9>, User <a>, Project <p>, Status <RUN>, "
			       "Queue <q>\n"
			       "Sun Sep  9 01:40:00: Submitted from host <h1>, CWD </>;\n"
			       "Sun Sep  9 %s: Started on <h1>, Execution Home </>;\n\n%s",
			       cases[i].started, ASKS("10", ""));
		(void)snprintf(queues, sizeof(queues), "Begin Queue\nQUEUE_NAME = q\n"
			       "PRIORITY = 20\n%sEnd Queue\n", cases[i].queue);
		assert_session((const char *const[]){ "", cases[i].reason }, 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_searches_once, set_up),
		cmocka_unit_test_setup(test_unknown_payer, set_up),
		cmocka_unit_test_setup(test_hosts_that_are_not_told, set_up),
		cmocka_unit_test_setup(test_limits_of_any_size, set_up),
		cmocka_unit_test_setup(test_asked_of_hosts, set_up),
		cmocka_unit_test_setup(test_lists_of_hosts, set_up),
		cmocka_unit_test_setup(test_what_is_not_told, set_up),
		cmocka_unit_test_setup(test_accept_interval, set_up),
		cmocka_unit_test_setup(test_untold_interval, set_up),
		cmocka_unit_test_setup(test_resources_of_a_queue, set_up),
		cmocka_unit_test_setup(test_span_of_a_queue, set_up),
		cmocka_unit_test_setup(test_limit_of_an_array, set_up),
		cmocka_unit_test_setup(test_first_host, set_up),
		cmocka_unit_test_setup(test_tiles, set_up),
		cmocka_unit_test_setup(test_others, set_up),
		cmocka_unit_test_setup(test_alone, set_up),
		cmocka_unit_test_setup(test_load_decides, set_up),
		cmocka_unit_test_setup(test_recent_job, set_up),
	};

	setenv("TZ", "UTC", 1);	/* the zone of its data */
	tzset();
	return cmocka_run_group_tests(tests, NULL, kept_free);
}
