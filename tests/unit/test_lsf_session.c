/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One dispatch session of LSF on its hosts: every job is tried, and what is the same for all jobs
 * of a queue is looked up once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cluster/host_state.h"
#include "core/cluster/idmap.h"
#include "core/queue/jobs.h"
#include "core/queue/lsf_hosts.h"
#include "core/share/lsf_share.h"
#include "core/sim/cycle_view.h"
#include "tests/support/lsf.h"

/* The hosts of a session with all that is searched by name counted. */
static unsigned searches;
#define cluster_row_of(c, field, handle) (searches++, cluster_row_of(c, field, handle))
#define cluster_row_named(c, field, name, n) (searches++, cluster_row_named(c, field, name, n))
#define policy_param_by_name(name, length) (searches++, policy_param_by_name(name, length))
#define lsf_queue_param(c, queue, name) (searches++, lsf_queue_param(c, queue, name))
#include "core/queue/lsf_hosts.c" /* NOLINT(bugprone-suspicious-include): see above */

#define HOSTS "HOST_NAME STATUS JL/U MAX NJOBS RUN SSUSP USUSP RSV\n"
#define JOBS "JOBID USER STAT QUEUE FROM_HOST EXEC_HOST JOB_NAME SUBMIT_TIME\n"
#define JOB(id, user, queue) \
	id " " user " PEND " queue " h - n Nov 22 11:" id "\n"

/* As one session goes with the hosts of TEXTS: the words for each waiting job; "": it starts. */
static void assert_session(const char *const texts[LSF_KINDS], const char *const wanted[],
			   uint32_t count)
{
	struct cluster *c = lsf_cluster(texts);
	struct model *m = model_new(c, NULL, NULL);
	struct jobs *j = jobs_new(m, NULL);
	struct lsf_jobs *l;

	searches = 0;
	l = lsf_jobs_new(m, j->index, true);
	assert_int_equal(l->n, count);
	for (uint32_t e = 0; e < count; e++)
		assert_string_equal(l->reason[e] ? l->reason[e] : "", wanted[e]);
	lsf_jobs_free(l);
	jobs_free(j);
	model_free(m);
	cluster_free(c);
}

/* COUNT jobs to hosts that take one each in a session: how often a name is searched for. */
static unsigned searches_of(uint32_t count)
{
	static const char just[] = "Just started a job recently";
	const char *wanted[40] = { "", "" }, *texts[LSF_KINDS] = { NULL };
	char told[4000] = JOBS;

	for (uint32_t i = 0; i < count; i++) {
		size_t used = strlen(told);

		(void)snprintf(told + used, sizeof(told) - used, JOB("%u", "a", "q"),
			       (unsigned)(10 + i), (unsigned)(10 + i));
		wanted[i] = i < 2 ? "" : just;
	}
	texts[LSF_PARAMS] = "Begin Parameters\nJOB_ACCEPT_INTERVAL = 1\nEnd Parameters\n";
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nHOSTS = h2 none h1\n"
			    "End Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 90 0 0 0 0 0\nh2 ok - 90 0 0 0 0 0\n"
			      "h3 ok - 90 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = told;
	assert_session(texts, wanted, count);
	return searches;
}

static void test_searches_once(void **state)
{
	unsigned few = searches_of(3);

	(void)state;
	assert_true(few > 0);
	assert_int_equal(searches_of(40), few);
}

/* Who pays for 10 and 11 is unknown, and with it their order: they need slots all the same. */
static void test_unknown_payer(void **state)
{
	static const char closed[] = "Closed, or not available", full[] = "Job slot limit reached";
	static const char one[] = JOBS JOB("10", "a", "q") JOB("12", "z", "p"),
			  two[] = JOBS JOB("10", "a", "q") JOB("11", "b", "q") JOB("12", "z", "p");
	static const char *const none[] = { closed, closed, closed },
			  *const first[] = { "", full }, *const both[] = { "", "", full };
	const char *texts[LSF_KINDS] = { NULL };

	(void)state;
	texts[LSF_PARAMS] = "Begin Parameters\nJOB_ACCEPT_INTERVAL = 0\nEnd Parameters\n";
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\n"
			    "FAIRSHARE = USER_SHARES[[g, 1]]\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = p\nPRIORITY = 5\nEnd Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h closed_Adm - 9 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = one;
	assert_session(texts, none, 2);
	texts[LSF_BHOSTS_W] = HOSTS "h ok - 1 0 0 0 0 0\n";
	assert_session(texts, first, 2);
	texts[LSF_BJOBS_W] = two;
	texts[LSF_BHOSTS_W] = HOSTS "h closed_Adm - 9 0 0 0 0 0\n";
	assert_session(texts, none, 3);
	texts[LSF_BHOSTS_W] = HOSTS "h ok - 2 0 0 0 0 0\n";
	assert_session(texts, both, 3);
	/* MAX_JOBS keeps such a job, too. */
	texts[LSF_BJOBS_W] = one;
	texts[LSF_USERS] = "Begin User\nUSER_NAME MAX_JOBS\na 0\nEnd User\n";
	assert_session(texts, (const char *const[]){
		"The user has reached his/her job slot limit", "" }, 2);
}

/* lsb.hosts and queues mention h2 and g, of which bhosts tells nothing: they offer no slots. */
static void test_hosts_that_are_not_told(void **state)
{
	static const char full[] = "Job slot limit reached",
		untold[] = "not known: the slots of a host, or a group of hosts, of its queue";
	static const char *const partly[] = { "", untold, untold, full };
	const struct class_choice choice = { CLASS_DOCUMENT, NULL, false };
	const char *texts[LSF_KINDS] = { NULL };
	struct cycle_result *r;
	struct classes_data *d;
	struct cluster *c;
	struct model *m;
	struct jobs *j;

	(void)state;
	texts[LSF_HOSTS] = "Begin Host\nHOST_NAME MXJ\nh2 4\nEnd Host\n";
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nHOSTS = g h1\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = r\nPRIORITY = 10\nHOSTS = h2\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = p\nPRIORITY = 5\nEnd Queue\n";
	texts[LSF_BHOSTS_W] = HOSTS "h1 ok - 1 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = JOBS JOB("10", "a", "q") JOB("11", "a", "q") JOB("12", "a", "r")
			     JOB("13", "a", "p");
	assert_session(texts, partly, 4);

	/* Where none is told a cycle goes on without hosts, and says so. */
	texts[LSF_BHOSTS_W] = NULL;
	c = lsf_cluster(texts);
	m = model_new(c, NULL, NULL);
	j = jobs_new(m, NULL);
	d = classes_data_new(j, &choice, NULL, 0);
	r = cycle_of(d, true, 0);
	assert_true(r->hosts > 0);
	assert_true(r->blind);
	assert_int_equal(r->input.jobs, 4);
	for (uint32_t i = 0; i < 4; i++)
		assert_int_equal(r->cycle->status[i], CYCLE_RUN);
	cycle_result_free(r);
	classes_data_free(d);
	jobs_free(j);
	model_free(m);
	cluster_free(c);
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

		assert_int_equal(limit(&room, limits[i].most, limits[i].used), limits[i].keeps);
		assert_int_equal(room, limits[i].room);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_searches_once),
		cmocka_unit_test(test_unknown_payer),
		cmocka_unit_test(test_hosts_that_are_not_told),
		cmocka_unit_test(test_limits_of_any_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
