/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs and the terms of their priority: squeue in its forms, scontrol over several lines and one,
 * JSON of several versions, sprio with terms and factors; and what a hostile job name may do.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/share/model.h"
#include "tests/support/kept.h"
#include "tests/support/note.h"
#include "tests/support/slurm.h"

/* ---- scontrol show job --------------------------------------------------------------------- */

static const char job_lines[] =
	"JobId=236 ArrayJobId=169 ArrayTaskId=3 JobName=p06\n"
	"   UserId=bob(7132) GroupId=users(100) MCS_label=N/A\n"
	"   Priority=102759 Nice=-5 Account=atlas_mc QOS=low\n"
	"   JobState=RUNNING Reason=None Dependency=(null)\n"
	"   Requeue=1 Restarts=2 BatchFlag=1 Reboot=0 ExitCode=0:0\n"
	"   RunTime=00:01:32 TimeLimit=00:10:00 TimeMin=N/A\n"
	"   SubmitTime=2026-11-20T03:50:28 EligibleTime=2026-11-20T03:50:29\n"
	"   AccrueTime=2026-11-20T03:50:30\n"
	"   StartTime=2026-11-20T04:05:55 EndTime=2026-11-20T04:15:55 Deadline=N/A\n"
	"   SuspendTime=None SecsPreSuspend=0 LastSchedEval=2026-11-20T04:05:55\n"
	"   Partition=normal AllocNode:Sid=localhost:2354\n"
	"   NodeList=n8\n   BatchHost=n8\n"
	"   NumNodes=1 NumCPUs=3 NumTasks=3 CPUs/Task=1 ReqB:S:C:T=0:0:*:*\n"
	"   TRES=cpu=3,mem=9000M,node=1,billing=3\n"
	"   Features=gpu Licenses=matlab:2 Network=(null)\n   Power=\n\n"
	"JobId=189 ArrayJobId=189 ArrayTaskId=0-18%4 ArrayTaskThrottle=4 JobName=p26\n"
	"   UserId=tu1(7162) GroupId=users(100) MCS_label=N/A\n"
	"   Priority=0 Nice=0 Account=tie_a QOS=low\n"
	"   JobState=PENDING Reason=ReqNodeNotAvail,_UnavailableNodes:n[1-8] "
	"Dependency=afterok:7(unfulfilled)\n"
	"   RunTime=00:00:00 TimeLimit=UNLIMITED TimeMin=N/A\n"
	"   StartTime=Unknown EndTime=Unknown Deadline=N/A\n"
	"   Partition=bill,high NodeList=\n"
	"   NumNodes=2-4 NumCPUs=7 NumTasks=7 CPUs/Task=1\n"
	"   TRES=cpu=7,mem=350M,node=1,billing=7\n"
	"   Reservation=lab_future\n";

static void job_records(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_JOB, job_lines);

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_JOB), 2);
	assert_int_equal(cluster_u32(c, F_JOB_ID, 0), 236);
	assert_int_equal(cluster_u32(c, F_JOB_ARRAY, 0), 169);
	assert_int_equal(cluster_u32(c, F_JOB_TASK, 0), 3);
	assert_string_equal(cluster_text(c, F_JOB_USER, 0), "bob");
	assert_int_equal(cluster_u32(c, F_JOB_UID, 0), 7132);
	assert_int_equal(cluster_i64(c, F_JOB_NICE, 0), -5);
	assert_int_equal(cluster_u32(c, F_JOB_RESTARTS, 0), 2);
	assert_int_equal(cluster_i64(c, F_JOB_SUBMIT, 0), 1795146628);
	assert_int_equal(cluster_i64(c, F_JOB_ELIGIBLE, 0), 1795146629);
	assert_int_equal(cluster_i64(c, F_JOB_ACCRUE, 0), 1795146630);
	assert_int_equal(cluster_i64(c, F_JOB_TIME_LIMIT, 0), 600);
	assert_true(isnan(slurm_tres(c, F_JOB_TRES, 0, "cpu")));
	assert_float_equal(slurm_tres(c, F_JOB_TRES_ALLOC, 0, "mem"), 9000, 0);
	assert_float_equal(cluster_f64(c, F_JOB_BILLING, 0), 3, 0);
	assert_string_equal(cluster_text(c, F_JOB_LICENSES, 0), "matlab:2");

	assert_int_equal(cluster_u32(c, F_JOB_TASK, 1), U32_UNKNOWN);
	assert_string_equal(cluster_text(c, F_JOB_TASKS, 1), "0-18%4");
	assert_string_equal(cluster_text(c, F_JOB_STATE, 1), "PENDING");
	assert_string_equal(cluster_text(c, F_JOB_REASON, 1), "ReqNodeNotAvail");
	assert_string_equal(cluster_text(c, F_JOB_REASON_TEXT, 1),
			    "ReqNodeNotAvail, UnavailableNodes:n[1-8]");
	assert_string_equal(cluster_text(c, F_JOB_DEPENDENCY, 1), "afterok:7(unfulfilled)");
	assert_int_equal(cluster_i64(c, F_JOB_TIME_LIMIT, 1), I64_INFINITE);
	assert_int_equal(cluster_i64(c, F_JOB_START, 1), I64_UNKNOWN);
	assert_int_equal(cluster_i64(c, F_JOB_SUBMIT, 1), I64_UNKNOWN);
	assert_int_equal(cluster_u32(c, F_JOB_NODES, 1), 2);
	assert_float_equal(slurm_tres(c, F_JOB_TRES, 1, "cpu"), 7, 0);
	assert_string_equal(cluster_text(c, F_JOB_RESERVATION, 1), "lab_future");
}

/* Since 23.02 both lists are printed; on one line with -o. */
static void job_on_one_line(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_JOB,
		"JobId=6833 JobName=a b UserId=joe(1337) GroupId=joe(1337) Priority=1 Nice=0 "
		"Account=(null) QOS=(null) JobState=RUNNING Reason=None NodeList=linux1 NumNodes=1 "
		"ReqTRES=cpu=1,mem=2T,node=1,billing=1 AllocTRES=cpu=2,mem=2T,node=1,billing=9 "
		"Features=(null)\n"
		"JobId=6834 JobName=x UserId=joe(1337) JobState=PENDING Reason=Priority NodeList= "
		"ReqTRES=cpu=4,mem=1G AllocTRES=(null)\n");

	(void)state;
	assert_string_equal(cluster_text(c, F_JOB_NAME, 0), "a b");
	assert_null(cluster_text(c, F_JOB_ACCOUNT, 0));
	assert_float_equal(slurm_tres(c, F_JOB_TRES, 0, "mem"), 2097152, 0);
	assert_float_equal(slurm_tres(c, F_JOB_TRES_ALLOC, 0, "cpu"), 2, 0);
	assert_float_equal(cluster_f64(c, F_JOB_BILLING, 0), 9, 0);
	assert_true(isnan(cluster_f64(c, F_JOB_BILLING, 1)));
	assert_float_equal(slurm_tres(c, F_JOB_TRES, 1, "mem"), 1024, 0);
}

/* A name full of keys changes nothing, and an unreadable value affects only itself. */
static void hostile_jobs(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_JOB,
		"JobId=7 JobName=x Priority=999999999 UserId=root(0)\n"
		"   UserId=eve(42) GroupId=users(100)\n"
		"   Priority=5 Nice=0 Account=a QOS=low\n"
		"JobId=8 JobName=y\n   UserId=eve(42)\n   Priority=none TimeLimit=ever\n"
		"   NumNodes= NumCPUs=\n   TRES=\n   UserId=\n"
		"JobId=huge JobName=z\n   UserId=eve(42)\n");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_JOB), 2);
	assert_string_equal(cluster_text(c, F_JOB_USER, 0), "eve");
	assert_int_equal(cluster_u32(c, F_JOB_PRIORITY, 0), 5);
	assert_int_equal(cluster_u32(c, F_JOB_PRIORITY, 1), U32_UNKNOWN);
	assert_int_equal(cluster_u32(c, F_JOB_NODES, 1), U32_UNKNOWN);
	assert_non_null(strstr(note_about(c, "file"), "3 values or rows could not be read: "
			       "line 6: Priority \"none\": expected a number"));
	slurm_refused(SLURM_JOB, "something else\n", "expected records that begin with JobId=");
	c = slurm_cluster_of(SLURM_JOB, "No jobs in the system\n");
	assert_int_equal(cluster_rows(c, TABLE_JOB), 0);
}

/* A job is charged to the association with its partition, else to the one without. */
static void charged_associations(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_ASSOC, "Account|User|Partition|Share|ParentName|ID|ParentID\nroot|||1||1|\n"
			       "a|||1|root|2|1\na|u||1||3|2\na|u|gpu|1||4|2\n" },
		{ SLURM_JOB, "JobId=1 JobName=x\n   UserId=u(1) Account=a Partition=gpu\n"
			     "JobId=2 JobName=x\n   UserId=u(1) Account=a Partition=cpu\n"
			     "JobId=3 JobName=x\n   UserId=w(1) Account=a Partition=cpu\n" },
	};
	const struct cluster *c = slurm_cluster(inputs, 2);

	(void)state;
	assert_int_equal(cluster_u32(c, F_JOB_ASSOC, 0), 4);
	assert_int_equal(cluster_u32(c, F_JOB_ASSOC, 1), 3);
	assert_int_equal(cluster_u32(c, F_JOB_ASSOC, 2), U32_UNKNOWN);
}

/* ---- squeue -------------------------------------------------------------------------------- */

static void squeue_delimited(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_SQUEUE,
		"PRIORITY|JOBID|PARTITION|NAME|USER|ACCOUNT|ST|PRIORITY|NODELIST(REASON)|CPUS|"
		"JOBID|TIME_LIMIT|START_TIME|COMMENT\n"
		"0.00002|169_11|normal|p|bob|a|R|102759|n8|3|247|10:00|2026-11-20T04:05:55|c\n"
		"0.00002|189_[0-18]|bill|p|tu1|b|PD|104888|(Nodes required for job are DOWN, "
		"DRAINED or reserved for jobs in higher priority partitions)|7|189|2-18:40:00|N/A|"
		"c\n"
		"0.00002|300+1|bill|p|tu1|b|PD|104888|(None)|7|x|1:00|N/A|c\n"
		"0.00002|190|bill|a|b|tu1|b|PD|104888|(None)|7|190|1:00|N/A|c\n");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_JOB), 2);
	assert_int_equal(cluster_u32(c, F_JOB_ID, 0), 247);
	assert_int_equal(cluster_u32(c, F_JOB_ARRAY, 0), 169);
	assert_int_equal(cluster_u32(c, F_JOB_TASK, 0), 11);
	assert_int_equal(cluster_u32(c, F_JOB_PRIORITY, 0), 102759);
	assert_string_equal(cluster_text(c, F_JOB_STATE, 0), "RUNNING");
	assert_string_equal(cluster_text(c, F_JOB_NODE_LIST, 0), "n8");
	assert_int_equal(cluster_i64(c, F_JOB_TIME_LIMIT, 0), 600);
	assert_int_equal(cluster_u32(c, F_JOB_ID, 1), 189);
	assert_string_equal(cluster_text(c, F_JOB_TASKS, 1), "0-18");
	assert_string_equal(cluster_text(c, F_JOB_REASON, 1), "Resources");
	/* A part of a heterogeneous job, and a name with a delimiter. */
	assert_non_null(strstr(note_about(c, "file"), "2 values or rows could not be read"));
}

/* The default format truncates user names to eight characters: resolved, or unknown. */
static void squeue_cut(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_USER, "User|Def Acct|Admin\nalexandra|a|None\nchristopher|a|None\n"
			      "christophe|a|None\nexactly8|a|None\n" },
		{ SLURM_SQUEUE,
		  "             JOBID PARTITION     NAME     USER ST       TIME  NODES "
		  "NODELIST(REASON)\n"
		  "                 1     short my sleep alexandr PD       0:00      1 (Priority)\n"
		  "                 2     short    sleep christop PD       0:00      1 (Priority)\n"
		  "                 3     short    sleep exactly8 PD       0:00      1 (Priority)\n"
		  "                 4 verylongp    sleep      bob  R       0:00   2048 n[1-2]\n" },
	};
	const struct cluster *c = slurm_cluster(inputs, 2);

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_JOB), 4);
	assert_string_equal(cluster_text(c, F_JOB_USER, 0), "alexandra");
	assert_null(cluster_text(c, F_JOB_USER, 1));
	assert_string_equal(cluster_text(c, F_JOB_USER, 2), "exactly8");
	assert_string_equal(cluster_text(c, F_JOB_USER, 3), "bob");
	assert_null(cluster_text(c, F_JOB_PARTITION, 3));
	assert_string_equal(cluster_text(c, F_JOB_PARTITION, 0), "short");
	assert_null(cluster_text(c, F_JOB_NAME, 0));
	assert_int_equal(cluster_u32(c, F_JOB_NODES, 3), 2048);
	assert_string_equal(cluster_text(c, F_JOB_REASON, 0), "Priority");
}

static void squeue_refused(void **state)
{
	(void)state;
	slurm_refused(SLURM_SQUEUE, "", "file: empty (expected a header line with \"JOBID\")");
	slurm_refused(SLURM_SQUEUE, "101|alice|R|compute\n", "file:1: no column \"JOBID\"");
	slurm_refused(SLURM_SQUEUE_JSON, "{\"jobs\":", "file:1: ");
	slurm_refused(SLURM_SQUEUE_JSON, "{}", "file:1: no list \"jobs\"");
}

/* Up to 22.05 plain numbers, later {set, infinite, number}; the state is a word or a list. */
static void squeue_json(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_SQUEUE_JSON,
		"{\"jobs\": ["
		"{\"job_id\": 1, \"job_state\": \"PENDING\", \"priority\": 111001, \"nice\": null,"
		" \"time_limit\": 1440, \"submit_time\": 1795146628, \"start_time\": 0,"
		" \"array_job_id\": 0, \"array_task_id\": null, \"billable_tres\": null,"
		" \"association_id\": 68, \"user_name\": \"s1\","
		" \"tres_req_str\": \"cpu=2,mem=1G\"},"
		"{\"job_id\": 2, \"job_state\": [\"RUNNING\", \"COMPLETING\"],"
		" \"priority\": {\"set\": true, \"infinite\": false, \"number\": 5},"
		" \"time_limit\": {\"set\": true, \"infinite\": true, \"number\": 0},"
		" \"accrue_time\": {\"set\": false, \"infinite\": false, \"number\": 7},"
		" \"array_task_id\": {\"set\": true, \"infinite\": false, \"number\": 0},"
		" \"billable_tres\": {\"set\": true, \"infinite\": false, \"number\": 2.5},"
		" \"nice\": 4294967291, \"name\": 5, \"state_reason\": \"None\"},"
		"{\"job_id\": \"x\"}, 7]}");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_JOB), 2);
	assert_int_equal(cluster_u32(c, F_JOB_PRIORITY, 0), 111001);
	assert_int_equal(cluster_i64(c, F_JOB_NICE, 0), I64_UNKNOWN);
	assert_int_equal(cluster_i64(c, F_JOB_TIME_LIMIT, 0), 86400);
	assert_int_equal(cluster_i64(c, F_JOB_START, 0), I64_UNKNOWN);
	assert_int_equal(cluster_u32(c, F_JOB_ARRAY, 0), U32_UNKNOWN);
	assert_int_equal(cluster_u32(c, F_JOB_ASSOC, 0), 68);
	assert_float_equal(slurm_tres(c, F_JOB_TRES, 0, "mem"), 1024, 0);
	assert_string_equal(cluster_text(c, F_JOB_STATE, 1), "COMPLETING");
	assert_int_equal(cluster_u32(c, F_JOB_PRIORITY, 1), 5);
	assert_int_equal(cluster_i64(c, F_JOB_TIME_LIMIT, 1), I64_INFINITE);
	assert_int_equal(cluster_i64(c, F_JOB_ACCRUE, 1), I64_UNKNOWN);
	assert_int_equal(cluster_u32(c, F_JOB_TASK, 1), 0);
	assert_float_equal(cluster_f64(c, F_JOB_BILLING, 1), 2.5, 0);
	assert_int_equal(cluster_i64(c, F_JOB_NICE, 1), -5);
	assert_null(cluster_text(c, F_JOB_NAME, 1));
}

/* ---- sprio --------------------------------------------------------------------------------- */

#define WEIGHTS \
	"Configuration data as of 2026-11-20T04:04:27\n" \
	"PriorityWeightAge = 10000\nPriorityWeightFairShare = 100000\nPriorityWeightAssoc = 0\n" \
	"PriorityWeightPartition = 8000\nPriorityMaxAge = 02:00:00\nPriorityWeightTRES = (null)\n"

/* Terms and factors in one table, as fairtop requests them: the factors have more digits. */
static void terms_and_factors(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_CONFIG, WEIGHTS },
		{ SLURM_SPRIO,
		  "JOBID|PARTITION|USER|PRIORITY|SITE|AGE|FAIRSHARE|PARTITION|NICE|AGE|FAIRSHARE|"
		  "PARTITION\n"
		  "163|high|s1|108162|-3|1162|99000|8000|7|0.1162500|0.9900000|1.0000000\n"
		  "164|high|s1|108162|0|1162|99000|8000|0|0.5000000|0.9900000|1.0000000\n"
		  "165|high|s1|4242|0|0|0|0|0|0.0000000|0.0000000|0.0000000\n" },
	};
	const struct cluster *c = slurm_cluster(inputs, 2);

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_PRIO), 3);
	assert_string_equal(cluster_text(c, F_PRIO_PARTITION, 0), "high");
	assert_float_equal(cluster_f64(c, F_PRIO_AGE, 0), 1162.5, 1e-9);
	assert_float_equal(cluster_f64(c, F_PRIO_FAIRSHARE, 0), 99000, 1e-9);
	assert_float_equal(cluster_f64(c, F_PRIO_PARTITION_TERM, 0), 8000, 1e-9);
	assert_int_equal(cluster_i64(c, F_PRIO_SITE, 0), -3);
	assert_int_equal(cluster_i64(c, F_PRIO_NICE, 0), 7);
	/* A term without weight is 0 even if sprio omits it; else it is unknown. */
	assert_float_equal(cluster_f64(c, F_PRIO_ASSOC, 0), 0, 0);
	assert_true(isnan(cluster_f64(c, F_PRIO_QOS_TERM, 0)));
	assert_int_equal(cluster_tres(c, F_PRIO_TRES, 0).count, 0);
	assert_non_null(cluster_tres(c, F_PRIO_TRES, 0).items);
	/* A factor that does not round to its term is from another time. */
	assert_float_equal(cluster_f64(c, F_PRIO_AGE, 1), 1162, 0);
	assert_int_equal(cluster_u32(c, F_PRIO_DIRECT, 1), 0);
	assert_int_equal(cluster_u32(c, F_PRIO_DIRECT, 2), 4242);
}

static void sprio_widths(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_SPRIO,
		"  JOBID PARTITION   PRIORITY     SITE      AGE      QOS                 TRES\n"
		"Weights                             1    10000    20000             CPU=2000\n"
		"    163 high            1374        0     1162      200         cpu=12,mem=0\n"
		"    164 high            1374        0     1162      200 cpu=13,mem=22,gres/g\n"
		"    165 high            1374        0     1162      200                     \n"
		"    166 high            1374        0     1162      200\n");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_PRIO), 4);
	assert_float_equal(slurm_tres(c, F_PRIO_TRES, 0, "cpu"), 12, 0);
	assert_null(cluster_tres(c, F_PRIO_TRES, 1).items);
	assert_int_equal(cluster_tres(c, F_PRIO_TRES, 2).count, 0);
	assert_float_equal(cluster_f64(c, F_PRIO_QOS_TERM, 3), 200, 0);
	assert_true(isnan(cluster_f64(c, F_PRIO_PARTITION_TERM, 3)));
	slurm_refused(SLURM_SPRIO, "You are not running a supported priority plugin\n",
		"file:1: no column \"JOBID\"");
}

/* Since 24.11 a job has terms per partition and QOS. */
static void terms_per_partition_and_qos(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_SPRIO,
		"JOBID|PARTITION|QOSNAME|PRIORITY|AGE|QOS\n1|a|low|10|5|5\n1|a|high|20|5|15\n"
		"1|b|low|11|6|5\n1|b|low|12|7|5\n");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_PRIO), 3);
	assert_string_equal(cluster_text(c, F_PRIO_QOS, 1), "high");
	assert_float_equal(cluster_f64(c, F_PRIO_QOS_TERM, 1), 15, 0);
}

/* ---- the last decay pass ------------------------------------------------------------------- */

#define JOB(id, accrue) \
	"JobId=" id " JobName=x\n   UserId=u(1)\n   AccrueTime=2026-11-20T" accrue "\n"

static void last_pass(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_CONFIG, WEIGHTS },
		{ SLURM_JOB, JOB("1", "03:00:00") JOB("2", "03:30:00") JOB("3", "03:59:00")
			     JOB("4", "01:00:00") JOB("5", "04:00:30") JOB("6", "03:45:00") },
		/* At 04:00:00: 3600, 1800, 60 s of 7200; full; none; and one updated since. */
		{ SLURM_SPRIO, "JOBID|PRIORITY|AGE\n1|1|5000\n2|1|2500\n3|1|83\n4|1|10000\n5|1|0\n"
			       "6|1|1300\n" },
	};
	const struct slurm_input vague[] = {
		{ SLURM_CONFIG, "Configuration data as of 2026-11-20T04:04:27\n"
				"PriorityWeightAge = 10\nPriorityMaxAge = 7-0\n" },
		{ SLURM_JOB, JOB("1", "03:00:00") },
		{ SLURM_SPRIO, "JOBID|PRIORITY|AGE\n1|1|5\n" },
	};
	const struct cluster *c = slurm_cluster(inputs, 3);

	(void)state;
	assert_int_equal(cluster_meta(c)->last_decay, 1795147200);
	/* A tenth of a week is too coarse for a time. */
	c = slurm_cluster(vague, 3);
	assert_int_equal(cluster_meta(c)->last_decay, I64_UNKNOWN);
	c = slurm_cluster(inputs, 2);
	assert_int_equal(cluster_meta(c)->last_decay, I64_UNKNOWN);
}

/* ---- the time zone of the texts ------------------------------------------------------------ */

static void other_zone(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_SDIAG, "***\nsdiag output at Fri Nov 20 05:04:27 2026 (1795147467)\n"
		  "\tLast cycle:   148\n"
		  "\tLast cycle when: Fri Nov 20 05:04:14 2026 (1795147454)\n" },
		{ SLURM_CONFIG, "Configuration data as of 2026-11-20T05:04:27\n"
				"BOOT_TIME = 2026-11-20T05:01:24\n" },
		{ SLURM_JOB, JOB("1", "05:00:00") },
	};
	const struct slurm_input odd[] = {
		{ SLURM_SDIAG, "sdiag output at Fri Nov 20 05:04:27 2026 (1795140000)\n" },
		{ SLURM_JOB, JOB("1", "05:00:00") },
	};
	const struct cluster *c = slurm_cluster(inputs, 3);

	(void)state;
	assert_int_equal(cluster_meta(c)->time, 1795147467);
	assert_int_equal(cluster_meta(c)->boot, 1795147284);
	assert_int_equal(cluster_meta(c)->last_backfill, 1795147454);
	assert_int_equal(cluster_i64(c, F_JOB_ACCRUE, 0), 1795147200);
	assert_non_null(strstr(note_about(c, "times"), "-1.00 h"));
	/* No time zone is off by 2 h 4 min 27 s: the two clocks differ. */
	c = slurm_cluster(odd, 2);
	assert_int_equal(cluster_i64(c, F_JOB_ACCRUE, 0), 1795150800);
	slurm_refused(SLURM_SDIAG, "nothing\n", "expected \"sdiag output at \"");
}

/* ---- what is hidden ------------------------------------------------------------------------ */

#define HIS(id, user, state) \
	"JobId=" id " JobName=x\n   UserId=" user "(1) Account=a\n   JobState=" state "\n\n"
#define CONFIG(data) \
	"Configuration data as of 2026-11-20T03:50:28\nClusterName = x\nPrivateData = " data "\n"

/* Returns what READER, named USER, sees in INPUTS (NULL: not read); the caller frees it. */
static struct cluster *seen_by(enum slurm_text_reader reader, const char *user,
			       const char *const inputs[SLURM_KINDS])
{
	struct slurm_texts texts = { .time = 1000, .from = "x", .reader = reader, .user = user };
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *c;

	for (size_t i = 0; i < SLURM_KINDS; i++) {
		if (inputs[i])
			texts.kind[i] = (struct slurm_text){ "file", inputs[i], strlen(inputs[i]) };
	}
	assert_true(slurm_text_build(&texts, b, &err));
	c = builder_seal(b, &err);
	assert_non_null(c);
	return c;
}

/* Returns whether jobs are hidden, and checks the note; COUNTED is sdiag's output (NULL: none). */
static bool hides(enum slurm_text_reader reader, const char *config, const char *jobs,
		  const char *counted)
{
	struct cluster *c = seen_by(reader, NULL, (const char *const[SLURM_KINDS]){
		[SLURM_CONFIG] = config, [SLURM_JOB] = jobs, [SLURM_SDIAG] = counted });
	bool hidden = cluster_hides_jobs(c);

	assert_int_equal(strstr(note_about(c, "jobs"), "those of others") != NULL, hidden);
	if (hidden && cluster_rows(c, TABLE_JOB) == 0)
		assert_false(cluster_knows_jobs(c, NULL));
	cluster_free(c);
	return hidden;
}

static void private_jobs(void **state)
{
	static const char one[] = HIS("1", "ann", "PENDING") HIS("2", "ann", "RUNNING");
	static const char two[] = HIS("1", "ann", "PENDING") HIS("2", "bob", "RUNNING");
	static const char same[] = "sdiag output at Fri Nov 20 04:04:27 2026 (1795147467)\n"
				   "Jobs pending:   1\nJobs running:   1\n";
	static const char more[] = "sdiag output at Fri Nov 20 04:04:27 2026 (1795147467)\n"
				   "Jobs pending:   1\nJobs running:   2\n";
	static const char many[] = "sdiag output at Fri Nov 20 04:04:27 2026 (1795147467)\n"
				   "Jobs pending:   4\nJobs running:   1\n";
	static const char *const open[] = { CONFIG("none"), CONFIG("accounts,usage"), NULL };
	static const char *const private[] = { CONFIG("jobs"), CONFIG("accounts,jobs,usage") };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const char *p = private[i];

		/* Known rights decide. */
		assert_false(hides(SLURM_OPERATOR, p, one, more));
		assert_true(hides(SLURM_USER_HIMSELF, p, one, NULL));
		assert_true(hides(SLURM_USER_HIMSELF, p, two, same));	/* a coordinator */
		assert_true(hides(SLURM_USER_HIMSELF, p, "No jobs in the system\n", NULL));
		/* Otherwise slurmctld's counts and the users of the jobs decide. */
		assert_true(hides(SLURM_ANYBODY, p, one, NULL));
		assert_true(hides(SLURM_ANYBODY, p, "No jobs in the system\n", NULL));
		assert_true(hides(SLURM_ANYBODY, p, one, more));
		assert_true(hides(SLURM_ANYBODY, p, two, many));
		assert_false(hides(SLURM_ANYBODY, p, two, more));	/* one has ended since */
		assert_false(hides(SLURM_ANYBODY, p, one, same));
		assert_false(hides(SLURM_ANYBODY, p, two, NULL));
		/* Jobs were not read. */
		assert_false(hides(SLURM_USER_HIMSELF, p, NULL, NULL));
	}
	for (size_t i = 0; i < 2; i++) {
		assert_false(hides(SLURM_ANYBODY, open[i], one, more));
		assert_false(hides(SLURM_USER_HIMSELF, open[i], one, more));
	}
	/* Without the configuration: a higher count, beside jobs of one user, means hidden jobs. */
	assert_true(hides(SLURM_ANYBODY, NULL, one, more));
	assert_false(hides(SLURM_ANYBODY, NULL, one, same));
	assert_false(hides(SLURM_ANYBODY, NULL, two, many));
	assert_false(hides(SLURM_ANYBODY, NULL, one, NULL));
}

static const char two_users[] =
	"Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare\n"
	"root|||1.0|0|1.0|\n a||1|1.0|0|1.0|\n"
	"  a|ann|1|0.5|0|0.0|1.0\n  a|bob|1|0.5|0|0.0|1.0\n";

/* A user without jobs knows only of the own rows that they have none. */
static void own_rows(void **state)
{
	(void)state;
	for (int named = 0; named < 2; named++) {
		struct cluster *c = seen_by(SLURM_USER_HIMSELF, named ? "ann" : NULL,
					    (const char *const[SLURM_KINDS]){
			[SLURM_CONFIG] = CONFIG("jobs"), [SLURM_SSHARE] = two_users,
			[SLURM_JOB] = "No jobs in the system\n" });
		struct model *m = model_new(c, NULL, NULL);

		assert_int_equal(m->pending != NULL, named);
		for (uint32_t row = 0; named && row < m->tree->n; row++)
			assert_int_equal(m->pending[row], row == cluster_by_path(c, "/a:ann") ?
					 0 : U32_UNKNOWN);
		model_free(m);
		cluster_free(c);
	}
}

/* slurmrestd gives no configuration, but the number of jobs. */
static void private_rest(void **state)
{
	static const char jobs[] = "{\"jobs\":[{\"job_id\":1,\"account\":\"a\",\"user_name\":"
				   "\"ann\",\"job_state\":\"PENDING\"}]}";
	struct slurm_input inputs[] = { { SLURM_REST_DIAG, NULL }, { SLURM_SQUEUE_JSON, jobs } };
	char diag[120];

	(void)state;
	for (unsigned n = 0; n < 4; n++) {
		const struct cluster *c;

		snprintf(diag, sizeof(diag), "{\"statistics\":{\"req_time\":1795147467,"
			 "\"jobs_pending\":%u,\"jobs_running\":0}}", n);
		inputs[0].text = diag;
		c = slurm_cluster(inputs, 2);
		assert_int_equal(cluster_hides_jobs(c), n > 1);
	}
}

/* Ids made up for a tree without any do not match those of jobs. */
static void numbers_of_others(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_SSHARE, two_users },
		{ SLURM_SQUEUE_JSON, "{\"jobs\":[{\"job_id\":1,\"account\":\"a\",\"user_name\":"
				     "\"ann\",\"association_id\":4,\"job_state\":\"PENDING\"}]}" },
	};
	const struct cluster *c = slurm_cluster(inputs, 2);
	uint32_t row = cluster_by_path(c, "/a:ann");

	(void)state;
	assert_int_not_equal(row, ROW_NONE);
	assert_int_equal(cluster_u32(c, F_JOB_ASSOC, 0), cluster_u32(c, F_ASSOC_ID, row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(job_records),
		cmocka_unit_test(job_on_one_line),
		cmocka_unit_test(hostile_jobs),
		cmocka_unit_test(charged_associations),
		cmocka_unit_test(squeue_delimited),
		cmocka_unit_test(squeue_cut),
		cmocka_unit_test(squeue_refused),
		cmocka_unit_test(squeue_json),
		cmocka_unit_test(terms_and_factors),
		cmocka_unit_test(sprio_widths),
		cmocka_unit_test(terms_per_partition_and_qos),
		cmocka_unit_test(last_pass),
		cmocka_unit_test(other_zone),
		cmocka_unit_test(private_jobs),
		cmocka_unit_test(own_rows),
		cmocka_unit_test(private_rest),
		cmocka_unit_test(numbers_of_others),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, kept_free);
}
