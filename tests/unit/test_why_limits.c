/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which limit a job waits for, how much of it is used, by whom, what else stops the job, and what
 * was not read: on clusters small enough to count by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cluster/policy.h"
#include "tests/support/held.h"

/* ---- limits --------------------------------------------------------------------------------- */

static void test_group_limits(void **state)
{
	struct builder *b = held_site("AssocGrpJobsLimit", 1);
	struct held s;

	(void)state;
	builder_u32(b, F_ASSOC_GRP_JOBS, PHYSICS, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, PHYSICS, 1);
	s = held_say(b);
	held_is_line(&s, 0, "limit",
		"group limit: 1 of 1 job of /physics is running (anna 1; GrpJobs); the next ends "
		"by 12:10");
	assert_string_equal(s.w->cause, "the group limit of /physics");
	assert_string_equal(held_fact(&s.w->lines[0], "holders")->text, "anna 1");
	held_is_number(&s, 0, "used", 1);
	held_is_number(&s, 0, "most", 1);
	held_is_number(&s, 0, "until", NOW + 3 * HOUR + 600);
	held_free(&s);

	b = held_site("AssocGrpCpuLimit", 4);
	held_limit_tres(b, F_ASSOC_GRP_TRES, PHYSICS, CPU, 8);
	held_limit_tres(b, F_ASSOC_USED_TRES, PHYSICS, CPU, 6);
	held_once(b, "limit", "the group limit of /physics",
	    "group limit: /physics uses 6 of 8 CPUs (anna 6; GrpTRES cpu), this job asks for 4 "
	    "more; the next of its jobs ends by 12:10");
	b = held_site("AssocGrpCpuLimit", 12);
	held_limit_tres(b, F_ASSOC_GRP_TRES, PHYSICS, CPU, 8);
	held_limit_tres(b, F_ASSOC_USED_TRES, PHYSICS, CPU, 6);
	held_once(b, "never", "a limit of /physics",
	    "asks for 12 CPUs, /physics may use 8 at most (GrpTRES cpu)");
	b = held_site("AssocMaxJobsLimit", 1);
	builder_u32(b, F_ASSOC_MAX_JOBS, ANNA, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, ANNA, 1);
	held_once(b, "limit", "the limit of /physics/hep:anna",
	    "limit: 1 of 1 job of /physics/hep:anna is running (MaxJobs); the next ends by 12:10");
	b = held_site("AssocGrpCPUMinutesLimit", 1);
	held_limit_tres(b, F_ASSOC_GRP_TRES_MINS, PHYSICS, CPU, 100);
	builder_policy(b)->half_life = 604800;
	held_limit_tres(b, F_ASSOC_USED_TRES_SECS, PHYSICS, CPU, 6000);
	held_once(b, "limit", "the group limit of /physics",
	    "group limit: /physics has used 100 of 100 CPU-minutes (GrpTRESMins cpu); that falls "
	    "only over time");
	/* With "safe" the job's own request counts, too: then not only time helps. */
	b = held_site("AssocGrpCPUMinutesLimit", 1);
	held_limit_tres(b, F_ASSOC_GRP_TRES_MINS, PHYSICS, CPU, 100);
	held_limit_tres(b, F_ASSOC_USED_TRES_SECS, PHYSICS, CPU, 3000);
	held_once(b, "limit", "the group limit of /physics",
	    "group limit: /physics has used 50 of 100 CPU-minutes (GrpTRESMins cpu), this job asks "
	    "for 60 more");
	/* Without a half-life usage never decays. */
	b = held_site("AssocGrpCPUMinutesLimit", 1);
	builder_policy(b)->half_life = 0;
	held_limit_tres(b, F_ASSOC_GRP_TRES_MINS, PHYSICS, CPU, 100);
	held_limit_tres(b, F_ASSOC_USED_TRES_SECS, PHYSICS, CPU, 6000);
	held_once(b, "limit", "the group limit of /physics",
	    "group limit: /physics has used 100 of 100 CPU-minutes (GrpTRESMins cpu)");
}

/* The largest users of a limit; of minutes only names. */
static void test_holders(void **state)
{
	static const char *const users[] = { "bob", "bob", "carl", "dora", "eva" };
	static const char *const texts[] = { "bob 2, anna 1", "bob 2, anna 1, carl 1",
					     "bob 2, anna 1, carl 1, others" };
	static const uint32_t counts[] = { 2, 3, 5 };
	char name[101] = "", text[300];
	struct builder *b;

	(void)state;
	for (size_t k = 0; k < 3; k++) {
		uint32_t n = counts[k];

		b = held_site("QOSGrpJobsLimit", 1);
		builder_u32(b, F_QOS_GRP_JOBS, 0, n + 1);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t row = held_add_job(b, 80 + i, "None", 1);

			builder_str(b, F_JOB_STATE, row, "RUNNING");
			builder_str(b, F_JOB_USER, row, users[i]);
		}
		snprintf(text, sizeof(text), "group limit: %u of %u jobs of QOS normal are running "
			 "(%s; GrpJobs); the next ends by 12:10", n + 1, n + 1, texts[k]);
		held_once(b, "limit", "the group limit of QOS normal", text);
	}
	memset(name, 'x', 100);
	b = held_site("QOSGrpJobsLimit", 1);
	builder_u32(b, F_QOS_GRP_JOBS, 0, 1);
	builder_str(b, F_JOB_USER, 0, name);
	snprintf(text, sizeof(text), "group limit: 1 of 1 job of QOS normal is running (%.64s 1; "
		 "GrpJobs); the next ends by 12:10", name);
	held_once(b, "limit", "the group limit of QOS normal", text);
	b = held_site("AssocGrpCPURunMinutesLimit", 1);
	held_limit_tres(b, F_ASSOC_GRP_TRES_RUN_MINS, PHYSICS, CPU, 1170);
	held_limit_tres(b, F_ASSOC_USED_TRES_RUN_SECS, PHYSICS, CPU, 1140 * 60);
	held_once(b, "limit", "the group limit of /physics",
	    "group limit: running jobs of /physics have 1,140 of 1,170 CPU-minutes to go (anna; "
	    "GrpTRESRunMins cpu), this job asks for 60 more; the next of its jobs ends by 12:10");
	/* Two jobs on one node use one node. */
	b = held_site("AssocGrpNodeLimit", 1);
	held_limit_tres(b, F_ASSOC_GRP_TRES, PHYSICS, NODE, 1);
	held_limit_tres(b, F_ASSOC_USED_TRES, PHYSICS, NODE, 1);
	builder_str(b, F_JOB_STATE, held_add_job(b, 80, "None", 1), "RUNNING");
	held_once(b, "limit", "the group limit of /physics",
		  "group limit: /physics uses 1 of 1 node (anna; GrpTRES node), this job asks for "
		  "1 more; the next of its jobs ends by 12:10");
	/* With hidden jobs, its users and the next end are uncertain. */
	b = held_site("AssocGrpJobsLimit", 1);
	builder_u32(b, F_ASSOC_GRP_JOBS, PHYSICS, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, PHYSICS, 1);
	builder_hidden(b, HIDDEN_JOBS);
	held_once(b, "limit", "the group limit of /physics",
	    "group limit: 1 of 1 job of /physics is running (GrpJobs)");
}

/* Further limits of the same kind that stop it. */
static void test_other_limits(void **state)
{
	struct builder *b = held_site("AssocGrpJobsLimit", 1);

	(void)state;
	builder_u32(b, F_ASSOC_GRP_JOBS, PHYSICS, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, PHYSICS, 1);
	held_limit_tres(b, F_ASSOC_GRP_TRES, HEP, CPU, 6);
	held_limit_tres(b, F_ASSOC_USED_TRES, HEP, CPU, 6);
	held_once(b, "limit", "the group limit of /physics",
	    "group limit: 1 of 1 job of /physics is running (anna 1; GrpJobs); the next ends by "
	    "12:10; also limited by GrpTRES cpu of /physics/hep");
}

static void test_limits_of_qos(void **state)
{
	struct builder *b = held_site("QOSMaxJobsPerUserLimit", 1);

	(void)state;
	builder_u32(b, F_QOS_MAX_JOBS_USER, 0, 1);
	held_once(b, "limit", "the limit of user anna under QOS normal",
	    "limit: 1 of 1 job of user anna under QOS normal is running (MaxJobsPerUser); the next "
	    "ends by 12:10");
	b = held_site("MaxCpuPerAccount", 4);
	held_limit_tres(b, F_QOS_MAX_TRES_ACCOUNT, 0, CPU, 8);
	held_once(b, "limit", "the limit of account hep under QOS normal",
	    "limit: account hep under QOS normal uses 6 of 8 CPUs (MaxTRESPerAccount cpu), this "
	    "job asks for 4 more; the next of its jobs ends by 12:10");
	b = held_site("QOSMaxCPURunMinsPerUser", 1);
	held_limit_tres(b, F_QOS_MAX_TRES_RUN_MINS_USER, 0, CPU, 1170);
	held_once(b, "limit", "the limit of user anna under QOS normal",
	    "limit: running jobs of user anna under QOS normal have 1,140 of 1,170 CPU-minutes to "
	    "go (MaxTRESRunMinsPerUser cpu), this job asks for 60 more; the next of its jobs ends "
	    "by 12:10");
	b = held_site("QOSMaxWallDurationPerJobLimit", 1);
	builder_i64(b, F_QOS_MAX_WALL, 0, HOUR / 2);
	held_once(b, "never", "a limit of QOS normal", "its time limit is 1 h, QOS normal allows "
		  "30 min at most (MaxWallDurationPerJob)");
	b = held_site("QOSMaxCpuPerJobLimit", 12);
	held_limit_tres(b, F_QOS_MAX_TRES, 0, CPU, 10);
	held_once(b, "never", "a limit of QOS normal",
	    "asks for 12 CPUs, QOS normal allows a job 10 at most (MaxTRESPerJob cpu)");
	b = held_site("QOSMinCpuNotSatisfied", 1);
	held_limit_tres(b, F_QOS_MIN_TRES, 0, CPU, 2);
	held_once(b, "never", "a limit of QOS normal",
	    "asks for 1 CPU, QOS normal requires 2 at least (MinTRESPerJob cpu)");
}

static void test_no_limit_reached(void **state)
{
	static const char none[] =
		"group limit: its association, or an account above, has reached a group limit "
		"(AssocGrpCpuLimit); no such limit that was read is reached now; one may "
		"have been when the scheduler last tried";
	struct builder *b = held_site("AssocGrpCpuLimit", 1);
	char text[400];
	struct held s;

	(void)state;
	held_once(b, "limit", "a limit", none);
	/* Another reached limit is not the one in the reason. */
	b = held_site("AssocGrpCpuLimit", 1);
	builder_u32(b, F_ASSOC_GRP_JOBS, PHYSICS, 1);
	builder_u32(b, F_ASSOC_USED_JOBS, PHYSICS, 1);
	snprintf(text, sizeof(text), "%s; also limited by GrpJobs of /physics", none);
	held_once(b, "limit", "a limit", text);
	/* Running jobs, and limits not read, may explain a QOS limit. */
	b = held_site("QOSGrpJobsLimit", 1);
	builder_unknown(b, F_QOS_GRP_JOBS, 0);
	s = held_say(b);
	held_is_line(&s, 0, "limit",
		"group limit: all jobs of its QOS together have reached a limit (QOSGrpJobsLimit); "
		"no such limit that was read is reached now; one may have been when the "
		"scheduler last tried; 1 job runs under QOS normal, 1 of them by anna");
	assert_string_equal(why_line_of(s.w, WHY_UNKNOWN)->text,
			    "limits of QOS normal that were not read: GrpJobs");
	held_free(&s);
}

static void test_array(void **state)
{
	struct builder *b = held_site("JobArrayTaskLimit", 1);

	(void)state;
	builder_u32(b, F_JOB_ARRAY, 0, JOB);
	builder_u32(b, F_JOB_TASK, 0, 0);
	builder_u32(b, F_JOB_ARRAY, 1, JOB);
	builder_str(b, F_JOB_TASKS, 1, "1-9%1");
	held_once(b, "limit", "the task limit of its array",
	    "limit: its array runs 1 of at most 1 task at once (%1)");
	/* Fewer run than allowed: no number explains the reason. */
	b = held_site("JobArrayTaskLimit", 1);
	builder_u32(b, F_JOB_ARRAY, 1, JOB);
	builder_str(b, F_JOB_TASKS, 1, "1-9%1");
	held_once(b, "limit", "the task limit of its array",
	    "limit: its array runs its maximum number of tasks at once "
	    "(JobArrayTaskLimit)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_group_limits),
		cmocka_unit_test(test_holders),
		cmocka_unit_test(test_other_limits),
		cmocka_unit_test(test_limits_of_qos),
		cmocka_unit_test(test_no_limit_reached),
		cmocka_unit_test(test_array),
	};

	return cmocka_run_group_tests_name("why_limits", tests, NULL, NULL);
}
