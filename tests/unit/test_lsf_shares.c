/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's user fair share, on recordings of a system of its family (volclava 2.2): every row of every
 * SHARE_INFO_FOR is computed to within the rounding of its printed columns; jobs, queues and hosts
 * equal the printed ones; the next jobs dispatched are in the computed order.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"
#include "core/queue/jobs.h"
#include "core/queue/lsf_jobs.h"
#include "core/share/lsf_share.h"
#include "tests/support/kept.h"
#include "tests/support/lsf.h"

static const char *const instants[] = { "t1", "t2", "t3", "t4", "decay/t1", "decay/t2", "decay/t3",
					"decay/t4" };
#define INSTANTS (sizeof(instants) / sizeof(instants[0]))

/* ---- shares -------------------------------------------------------------------------------- */

/* Bounds of the true value: PRIORITY is printed to three decimals, CPU_TIME to one. */
static void in_bounds(const struct lsf_factors *f, double shares, struct lsf_use use,
		      double reported, const char *path)
{
	double high, low;

	use.cpu = fmax(0, use.cpu - 0.05);
	high = lsf_priority(f, shares, &use) + 0.0005001;
	use.cpu += 0.1;
	low = lsf_priority(f, shares, &use) - 0.0005001;
	if (reported < low || reported > high)
		fail_msg("%s: %.3f is not within %.6f .. %.6f", path, reported, low, high);
}

static uint32_t check_rows(const struct cluster *c)
{
	struct model *m = kept_model(c);
	uint32_t rows = 0;

	assert_int_equal(m->algo->id, FS_LSF);
	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		double reported = cluster_f64(c, F_ASSOC_R_DYNAMIC_PRIORITY, i);
		struct lsf_factors f = lsf_factors_of(c, cluster_policy(c), lsf_queue_of(c, i));
		char path[200];

		if (isnan(reported))
			continue;
		cluster_path(c, i, path, sizeof(path));
		assert_int_equal(m->fs->branch[i], FS_BRANCH_FORMULA);
		in_bounds(&f, cluster_u32(c, F_ASSOC_SHARES, i), lsf_use_of(c, i), reported, path);
		assert_true(fabs(m->fs->own[LSF_OWN_PRIORITY][i] - reported) <= 0.0015);
		rows++;
	}
	return rows;
}

static void test_every_row(void **state)
{
	uint32_t rows = 0;

	(void)state;
	for (size_t i = 0; i < INSTANTS; i++) {
		struct cluster *c = kept_cluster(lsf_recorded(instants[i]));

		rows += check_rows(c);
	}
	assert_int_equal(rows, 170);
}

/* The rows worked out by hand in the notes of the recording. */
static void test_worked_rows(void **state)
{
	static const struct {
		const char *instant, *path;
		double load, shown;
	} worked[] = {
		{ "t1", "/phys/exper", 15.4878, 1.291 }, { "t1", "/flat:u5", 12.3869, 0.323 },
		{ "t2", "/phys/theory:u2", 12.4656, 0.080 },
		{ "t2", "/phys/theory/deep:u3", 6.3811, 0.313 },
		{ "decay/t4", "/phys/theory", 3.0178, 9.941 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(worked) / sizeof(worked[0]); i++) {
		struct cluster *c = kept_cluster(lsf_recorded(worked[i].instant));
		uint32_t row = cluster_by_path(c, worked[i].path);
		struct lsf_factors f;
		struct lsf_use use;

		assert_int_not_equal(row, ROW_NONE);
		f = lsf_factors_of(c, cluster_policy(c), lsf_queue_of(c, row));
		use = lsf_use_of(c, row);
		assert_true(fabs(lsf_load(&f, &use) - worked[i].load) < 0.0002);
		assert_true(fabs(cluster_f64(c, F_ASSOC_R_DYNAMIC_PRIORITY, row) -
				 worked[i].shown) < 1e-9);
	}
}

/* In other systems the queue's own RUN_JOB_FACTOR counts, and there is no least load. */
static void test_slip_is_volclavas(void **state)
{
	static const char queues[] =
		"Begin Queue\nQUEUE_NAME = q\nPRIORITY = 3\nRUN_JOB_FACTOR = 7\n"
		"FAIRSHARE = USER_SHARES[[a, 10] [default, 1]]\nEnd Queue\n";
	static const char factors[] = "Begin Parameters\nCPU_TIME_FACTOR = 1\nEnd Parameters\n";
	static const char reported[] =
		"\nQUEUE: q\n\nPARAMETERS/STATISTICS\n"
		"PRIO NICE STATUS MAX JL/U JL/P JL/H NJOBS PEND RUN SSUSP USUSP RSV\n"
		"  3 20 Open:Active - - - - 3 1 2 0 0 0\n\nSHARE_INFO_FOR: q/\n"
		"USER/GROUP SHARES PRIORITY STARTED RESERVED CPU_TIME RUN_TIME ADJUST\n"
		"a 10 0.312 2 1 3600.0 7200 0.000\n\nUSERS: all\nHOSTS: all\n";
	const char *outputs[LSF_KINDS] = { [LSF_QUEUES] = queues, [LSF_PARAMS] = factors,
					   [LSF_BQUEUES_R] = reported };
	static const struct {
		const char *lsid;
		double priority;
	} versions[] = {
		{ "IBM Platform LSF 10.1.0.0, May 10 2023\nMy cluster name is c\n",
		  10 / (1 + 2 * 0.7 + 4 * 7) },
		{ "volclava project 2.2, Nov 22 2026\nMy cluster name is c\n", 10 / 0.01 },
		{ "", 0.312 },		/* unknown version: as printed */
	};
	const struct column *priority = column_find(accounts_columns, accounts_columns_count,
						    "dynamic_priority", 16);
	struct value v;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		const struct cluster *c;
		const struct model *m;
		uint32_t row;

		outputs[LSF_LSID] = versions[i].lsid;
		m = lsf_told_model(outputs);
		c = m->cluster;
		row = cluster_by_path(c, "/q:a");
		assert_int_not_equal(row, ROW_NONE);
		assert_true(fabs(m->fs->own[LSF_OWN_PRIORITY][row] - versions[i].priority) < 1e-9);
		column_get(priority, m, row, &v);
		assert_int_equal(v.origin, i == 2 ? VALUE_REPORTED : VALUE_COMPUTED);
		assert_string_equal(cluster_meta(c)->name, versions[i].lsid[0] ? "c" : "");
	}
}

/* Without a version it is unknown whether a load below 0.01 is raised to it. */
static void test_least_load(void **state)
{
	const struct lsf_use none = { 0, 0, 0, 0 };
	struct lsf_factors f = { .job = 0.005, .least = F64_UNKNOWN };

	(void)state;
	assert_true(fabs(lsf_load(&f, &none) - 0.005) < 1e-12);
	f.unsure = true;
	assert_true(isnan(lsf_load(&f, &none)));
	f.job = 0.02;
	assert_true(fabs(lsf_load(&f, &none) - 0.02) < 1e-12);
}

/* Without the files nothing is assumed: the printed priorities are shown. */
static void test_unread_files(void **state)
{
	const char *outputs[LSF_KINDS] = { NULL };
	char *reported = lsf_recorded_text("t2/bqueues_r.txt");
	const struct cluster *c;
	const struct model *m;

	(void)state;
	outputs[LSF_BQUEUES_R] = reported;
	m = lsf_told_model(outputs);
	c = m->cluster;
	for (uint32_t i = 1; i < m->fs->n; i++) {
		double shown = cluster_f64(c, F_ASSOC_R_DYNAMIC_PRIORITY, i);

		if (!isnan(shown)) {
			assert_int_equal(m->fs->branch[i], FS_BRANCH_UNKNOWN);
			assert_true(m->fs->own[LSF_OWN_PRIORITY][i] == shown);
		}
	}
	free(reported);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static const char *word(const char *line, char *buf, size_t size)
{
	size_t n;

	line += strspn(line, " ");
	n = strcspn(line, " \n");
	snprintf(buf, size, "%.*s", (int)n, line);
	return line + n;
}

/* Line N of bjobs -w describes job N, read from bjobs -l. */
static uint32_t check_jobs(const struct cluster *c, char *wide)
{
	uint32_t row = 0;

	for (char *line = strchr(wide, '\n'); line && line[1];
	     line = strchr(line + 1, '\n'), row++) {
		char id[20], user[40], stat[20], queue[40];
		const char *at = word(line + 1, id, sizeof(id));

		at = word(at, user, sizeof(user));
		at = word(at, stat, sizeof(stat));
		word(at, queue, sizeof(queue));
		assert_true(row < cluster_rows(c, TABLE_JOB));
		assert_int_equal(cluster_u32(c, F_JOB_ID, row), atoi(id));
		assert_string_equal(cluster_text(c, F_JOB_USER, row), user);
		assert_string_equal(cluster_text(c, F_JOB_JOB_STATE, row), stat);
		assert_string_equal(cluster_text(c, F_JOB_PARTITION, row), queue);
	}
	assert_int_equal(row, cluster_rows(c, TABLE_JOB));
	return row;
}

static void test_jobs(void **state)
{
	uint32_t jobs = 0;

	(void)state;
	for (size_t i = 0; i < INSTANTS; i++) {
		char name[100], *wide;
		struct cluster *c;

		snprintf(name, sizeof(name), "%s/bjobs_w.txt", instants[i]);
		wide = lsf_recorded_text(name);
		if (!wide)
			continue;
		c = kept_cluster(lsf_recorded(instants[i]));
		jobs += check_jobs(c, wide);
		free(wide);
	}
	assert_true(jobs > 250);
}

/* The same jobs from bjobs -w alone, odd names included. */
static void test_wide(void **state)
{
	const char *outputs[LSF_KINDS] = { NULL };
	char *wide = lsf_recorded_text("t1/bjobs_w.txt");
	struct cluster *c, *other = kept_cluster(lsf_recorded("t1"));
	uint32_t odd = 0;

	(void)state;
	outputs[LSF_BJOBS_W] = wide;
	c = kept_cluster(lsf_cluster(outputs));
	assert_int_equal(cluster_rows(c, TABLE_JOB), cluster_rows(other, TABLE_JOB));
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		uint32_t task = cluster_u32(c, F_JOB_TASK, i);

		assert_int_equal(task, cluster_u32(other, F_JOB_TASK, i));
		assert_string_equal(cluster_text(c, F_JOB_NAME, i),
				    cluster_text(other, F_JOB_NAME, i));
		odd += cluster_u32(c, F_JOB_ID, i) == 82 || cluster_u32(c, F_JOB_ID, i) == 83;
	}
	assert_int_equal(odd, 2);
	free(wide);
}

/* PEND and started slots of each account and queue are those that bqueues counts. */
static void test_slots_are_counted(void **state)
{
	(void)state;
	for (size_t k = 0; k < INSTANTS; k++) {
		struct cluster *c = kept_cluster(lsf_recorded(instants[k]));
		struct model *m = kept_model(c);

		for (uint32_t i = 1; m->running && i < m->fs->n; i++) {
			uint32_t started = cluster_u32(c, F_ASSOC_STARTED, i);
			uint32_t queue = lsf_queue_of(c, i);
			char path[200];

			cluster_path(c, i, path, sizeof(path));
			if (started != U32_UNKNOWN && m->running[i] != started)
				fail_msg("%s %s: %u slots, %u started", instants[k], path,
					 m->running[i], started);
			if (cluster_parent(c)[i] == 0 &&
			    m->pending[i] != cluster_u32(c, F_QUEUE_PENDING, queue))
				fail_msg("%s %s: %u slots wait, bqueues says %u", instants[k],
					 path, m->pending[i],
					 cluster_u32(c, F_QUEUE_PENDING, queue));
		}
	}
}

/* ---- order --------------------------------------------------------------------------------- */

static uint32_t rank_of(const struct jobs *j, uint32_t id, uint32_t task)
{
	for (uint32_t e = 0; e < j->index->n; e++) {
		uint32_t job = j->index->job[e];

		if (cluster_u32(j->model->cluster, F_JOB_ID, job) == id &&
		    (task == 0 || cluster_u32(j->model->cluster, F_JOB_TASK, job) == task))
			return j->order->rank[e];
	}
	return U32_UNKNOWN;
}

/* Checks that the next session started pending jobs in the order of the computed ranks. */
static uint32_t check_next(const struct cluster *c, const char *dispatched)
{
	struct model *m = kept_model(c);
	struct jobs *j = kept_jobs(m);
	int64_t session = I64_UNKNOWN;
	uint32_t last = 0, checked = 0;

	for (const char *line = strchr(dispatched, '\n'); line && line[1];
	     line = strchr(line + 1, '\n')) {
		unsigned id, task = 0, rank;
		long long time;

		if (sscanf(line + 1, "%lld %u[%u]", &time, &id, &task) < 2 ||
		    time <= cluster_meta(c)->time)
			continue;
		if (session == I64_UNKNOWN)
			session = time;
		if (time != session)
			break;
		rank = rank_of(j, id, task);
		if (rank == U32_UNKNOWN)
			continue;
		if (rank < last)
			fail_msg("job %u[%u] of rank %u was started after rank %u", id, task, rank,
				 last);
		last = rank;
		checked++;
	}
	return checked;
}

static void test_next_dispatches(void **state)
{
	char *dispatched = lsf_recorded_text("dispatch.tsv");
	uint32_t checked = 0;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct cluster *c = kept_cluster(lsf_recorded(instants[i]));

		checked += check_next(c, dispatched);
	}
	assert_true(checked >= 4);
	free(dispatched);
}

/* ---- other configurations ------------------------------------------------------------------ */

#define HEAD "JOBID USER STAT QUEUE FROM_HOST EXEC_HOST JOB_NAME SUBMIT_TIME\n"
#define JOB(id, user, stat, queue, host) \
	id " " user " " stat " " queue " h " host " n Nov 22 11:" id "\n"
#define WAITS(id, user) JOB(id, user, "PEND", "q", "-")
#define TABLE(path, rows) \
	"SHARE_INFO_FOR: " path "\nUSER/GROUP SHARES PRIORITY STARTED CPU_TIME RUN_TIME\n" rows \
	"\n"
#define QUEUE(name, prio, shares) \
	"QUEUE: " name "\n\nPARAMETERS/STATISTICS\nPRIO NICE STATUS MAX JL/U JL/P JL/H NJOBS " \
	"PEND RUN SSUSP USUSP RSV\n " prio " 0 Open:Active - - - - 1 1 0 0 0 0\n\n" shares \
	"USERS: all\nHOSTS: all\n\n"
#define QUEUE_BY(shares) \
	"Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\n" \
	"FAIRSHARE = USER_SHARES[" shares "]\nEnd Queue\n"
static const char ours[] = "volclava project 2.2, Nov 22 2026\nMy cluster name is lab\n";
static const char params[] =
	"Begin Parameters\nCPU_TIME_FACTOR = 1\nRUN_TIME_FACTOR = 1\nRUN_JOB_FACTOR = 1\n"
	"HIST_HOURS = 5\nEnd Parameters\n";

/* The outputs and files; by default the version and the factors. */
static const char *texts[LSF_KINDS];

static int set_up(void **state)
{
	(void)state;
	memset(texts, 0, sizeof(texts));
	texts[LSF_LSID] = ours;
	texts[LSF_PARAMS] = params;
	return 0;
}

/* Checks the ids of the ranked jobs, in order. */
static void assert_order(const char *wanted)
{
	const struct jobs *j = lsf_told_jobs(texts);
	char order[400] = "";
	size_t used = 0;

	for (uint32_t k = 0; k < j->order->count; k++)
		used += (size_t)snprintf(order + used, sizeof(order) - used, "%s%u",
					 used ? " " : "",
					 cluster_u32(j->model->cluster, F_JOB_ID,
						     j->index->job[j->order->order[k]]));
	assert_string_equal(order, wanted);
}

/*
 * volclava 2.2, mbd.policy.c: the plain queue of the same priority is emptied first; then always
 * the job of the user with the fewest running slots, counting other queues and jobs just started.
 */
static void test_round_robin(void **state)
{
	(void)state;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = rr\nPRIORITY = 20\n"
			    "ROUND_ROBIN_POLICY = Y\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = p\nPRIORITY = 20\nEnd Queue\n";
	texts[LSF_BJOBS_W] = HEAD
		JOB("10", "c", "RUN", "p", "h:h") JOB("11", "b", "USUSP", "p", "h")
		JOB("12", "a", "PEND", "rr", "-") JOB("13", "a", "PEND", "rr", "-")
		JOB("14", "a", "PEND", "rr", "-") JOB("15", "b", "PEND", "rr", "-")
		JOB("16", "c", "PEND", "rr", "-") JOB("17", "d", "PEND", "p", "-");
	/* 17; a and b run none (b's is suspended), a is first; 1 each; 2, c has 2 */
	assert_order("17 12 15 13 14 16");
}

/* A queue ordered by users' shares: three jobs of a, two of b, one of c. */
#define BY_SHARES "FAIRSHARE = USER_SHARES[[a, 10] [b, 6] [c, 5]]\nEnd Queue\n"
static const char three_users[] = QUEUE("q", "20", TABLE("q/", "a 10 10.000 0 0.0 0\n"
							 "b 6 6.000 0 0.0 0\n"
							 "c 5 5.000 0 0.0 0\n"));
static const char six_jobs[] = HEAD WAITS("10", "a") WAITS("11", "a") WAITS("12", "a")
	WAITS("13", "b") WAITS("14", "b") WAITS("15", "c");

/* A job that a limit keeps back changes neither the turn nor the priorities. */
static void test_limits_of_users(void **state)
{
	(void)state;
	texts[LSF_QUEUES] = QUEUE_BY("[a, 10] [b, 6] [c, 5]");
	texts[LSF_BQUEUES_R] = three_users;
	texts[LSF_BJOBS_W] = six_jobs;
	/* 10, 6, 5; 5, 6, 5; 5, 3, 5: a is first; 3.3, 3, 5; 3.3, 3 */
	assert_order("10 13 11 15 12 14");
	texts[LSF_USERS] = "Begin User\nUSER_NAME MAX_JOBS\na 1\nEnd User\n";
	/* 10, 6, 5; 5, 6, 5: 13; 5, 3, 5: 11 may not start: no change; 12 likewise */
	assert_order("10 13 11 12 15 14");
	texts[LSF_USERS] = NULL;
	texts[LSF_BUSERS] =
		"USER/GROUP JL/P MAX NJOBS PEND RUN SSUSP USUSP RSV\na - 1 3 3 0 0 0 0\n";
	assert_order("10 13 11 12 15 14");
	texts[LSF_BUSERS] = NULL;
	texts[LSF_USERS] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER\ng (a b)\nEnd UserGroup\n"
			   "Begin User\nUSER_NAME MAX_JOBS\ng 2\nEnd User\n";
	/* 10 and 13 are the group's two */
	assert_order("10 13 11 12 15 14");
	texts[LSF_USERS] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER\ng (a b)\nEnd UserGroup\n"
			   "Begin User\nUSER_NAME MAX_JOBS\ng@ 2\ndefault 0\nEnd User\n";
	/* two each; c by default none: 15 may not start, which changes nothing for the others */
	assert_order("10 13 11 15 12 14");
	texts[LSF_USERS] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER\ng (a b)\nEnd UserGroup\n"
			   "Begin User\nUSER_NAME MAX_JOBS\ndefault 2\nEnd User\n";
	/* by default a whole group has the limit of one user */
	assert_order("10 13 11 12 15 14");
}

/* The queue of the largest PRIORITY is emptied first; of equal ones the first in the file. */
static void test_rank_of_queues(void **state)
{
	static const char *const paths[] = { "/high:a", "/low:a", "/same:a" };
	const struct cluster *c;
	const struct model *m;

	(void)state;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = low\nPRIORITY = 5\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = same\nPRIORITY = 5\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = high\nPRIORITY = 20\nEnd Queue\n";
	texts[LSF_BQUEUES_R] = QUEUE("high", "20", TABLE("high/", "a 1 1.000 0 0.0 0\n"))
		QUEUE("low", "5", TABLE("low/", "a 9 9.000 0 0.0 0\n"))
		QUEUE("same", "5", TABLE("same/", "a 9 9.000 0 0.0 0\n"));
	m = lsf_told_model(texts);
	c = m->cluster;
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(m->fs->rank[cluster_by_path(c, paths[i])], i + 1);
}

/* ceil(limit * CPUs) on each host, where lshosts reports the CPUs. */
static void test_limits_per_cpu(void **state)
{
	(void)state;
	texts[LSF_BHOSTS_W] = "HOST_NAME STATUS JL/U MAX NJOBS RUN SSUSP USUSP RSV\n"
			      "h ok - - 0 0 0 0 0\n";
	texts[LSF_LSHOSTS_W] = "HOST_NAME type model cpuf ncpus\nh L M 1.0 2\nfar L M 1.0 8\n";
	texts[LSF_QUEUES] = QUEUE_BY("[a, 10] [b, 6] [c, 5]");
	texts[LSF_BQUEUES_R] = three_users;
	texts[LSF_BJOBS_W] = six_jobs;
	assert_order("10 13 11 15 12 14");
	/* One job of a: as with MAX_JOBS = 1. */
	texts[LSF_USERS] = "Begin User\nUSER_NAME MAX_JOBS JL/P\na 5 0.3\nEnd User\n";
	assert_order("10 13 11 12 15 14");
	texts[LSF_USERS] = NULL;
	/* Two jobs of the queue, 10 and 13: then 5, 3, 5 does not change. */
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nPJOB_LIMIT = 0.6\n"
			    BY_SHARES;
	assert_order("10 13 11 12 15 14");
	/* volclava takes MXJ as a host's number of CPUs: six slots, all jobs may start. */
	texts[LSF_BHOSTS_W] = "HOST_NAME STATUS JL/U MAX NJOBS RUN SSUSP USUSP RSV\n"
			      "h ok - 9 0 0 0 0 0\n";
	assert_order("10 13 11 15 12 14");
}

/* mbd.policy.c, cntUQSlots(): a job whose maximum of slots exceeds QJOB_LIMIT gets none. */
static void test_wide_range(void **state)
{
	static const char jobs[] =
		"\nJob <10>, User <a>, Project <default>, Status <PEND>, Queue <q>, Command <x>\n"
		"Sun Nov 22 16:40:39: Submitted from host <node>, 1-4 Processors Requested;\n\n"
		"Job <11>, User <a>, Project <default>, Status <PEND>, Queue <q>, Command <x>\n"
		"Sun Nov 22 16:40:39: Submitted from host <node>;\n\n"
		"Job <12>, User <b>, Project <default>, Status <PEND>, Queue <q>, Command <x>\n"
		"Sun Nov 22 16:40:39: Submitted from host <node>;\n";

	(void)state;
	texts[LSF_BJOBS_L] = jobs;
	texts[LSF_BQUEUES_R] = QUEUE("q", "20", TABLE("q/", "a 10 10.000 0 0.0 0\n"
						      "b 9 9.000 0 0.0 0\n"));
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nQJOB_LIMIT = 4\n"
			    "FAIRSHARE = USER_SHARES[[a, 10] [b, 9]]\nEnd Queue\n";
	assert_order("10 12 11");
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nQJOB_LIMIT = 3\n"
			    "FAIRSHARE = USER_SHARES[[a, 10] [b, 9]]\nEnd Queue\n";
	assert_order("10 11 12");
}

/*
 * mbd.fairshare.c, electAJob(): of equal siblings, the one with the earlier job. CPU times are
 * printed to 0.1 s: nonzero ones are equal in print only, so the rows' printed order counts.
 */
static void test_equal_siblings(void **state)
{
	(void)state;
	texts[LSF_QUEUES] = QUEUE_BY("[a, 10] [b, 10] [c, 10]");
	texts[LSF_BJOBS_W] = HEAD WAITS("10", "a") WAITS("11", "b") WAITS("12", "c");
	texts[LSF_BQUEUES_R] =
		QUEUE("q", "20", TABLE("q/", "c 10 10.000 0 0.0 0\nb 10 10.000 0 0.0 0\n"
				       "a 10 10.000 0 0.0 0\n"));
	assert_order("10 11 12");
	texts[LSF_BQUEUES_R] =
		QUEUE("q", "20", TABLE("q/", "c 10 9.999 0 0.5 0\nb 10 9.999 0 0.5 0\n"
				       "a 10 9.999 0 0.5 0\n"));
	assert_order("12 11 10");
	/* Different run times are not a matter of rounding. */
	texts[LSF_BQUEUES_R] =
		QUEUE("q", "20", TABLE("q/", "a 10 10.000 0 0.0 0\nc 10 9.970 0 0.5 10\n"
				       "b 10 9.970 0 10.5 0\n"));
	assert_order("10 11 12");
}

/*
 * mbd.fairshare.c, electAJob(): a job may be charged to its user's own row or to groups without
 * rows inside alike; "others" is for users in none.
 */
static void test_who_pays(void **state)
{
	static const char *const accounts[] = { "g", "g", "others" };
	const struct cluster *c;

	(void)state;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nFAIRSHARE = "
			    "USER_SHARES[[a, 1] [g, 6] [others, 5]]\nEnd Queue\n";
	texts[LSF_BQUEUES_R] =
		QUEUE("q", "20", TABLE("q/", "g 6 6.000 0 0.0 0\nothers 5 5.000 0 0.0 0\n"
				       "a 1 1.000 0 0.0 0\n"));
	texts[LSF_BJOBS_W] = HEAD WAITS("10", "a") WAITS("11", "b") WAITS("12", "z");
	texts[LSF_USERS] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER\ng (a b)\nEnd UserGroup\n";
	c = lsf_told(texts);
	for (uint32_t i = 0; i < 3; i++)
		assert_string_equal(cluster_text(c, F_JOB_ACCOUNT, i), accounts[i]);
	assert_int_equal(cluster_list(c, F_JOB_CHARGED, 0).count, 2);
	assert_int_equal(cluster_list(c, F_JOB_CHARGED, 1).count, 0);
	/* Members of a group without a row inside it are in its "others", and in no other. */
	texts[LSF_USERS] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER USER_SHARES\n"
			   "h (a b) ([a, 2] [others, 1])\nEnd UserGroup\n";
	texts[LSF_BQUEUES_R] =
		QUEUE("q", "20", TABLE("q/", "others 5 5.000 0 0.0 0\nh 2 2.000 0 0.0 0\n")
		      TABLE("q/h/", "a 2 2.000 0 0.0 0\nothers 1 1.000 0 0.0 0\n"));
	c = lsf_told(texts);
	assert_int_equal(cluster_u32(c, F_JOB_ASSOC, 1),
			 cluster_u32(c, F_ASSOC_ID, cluster_by_path(c, "/q/h/others")));
	assert_int_equal(cluster_u32(c, F_JOB_ASSOC, 2),
			 cluster_u32(c, F_ASSOC_ID, cluster_by_path(c, "/q/others")));
	/* Without the groups only a user's own row is known to be charged. */
	texts[LSF_USERS] = NULL;
	c = lsf_told(texts);
	assert_string_equal(cluster_text(c, F_JOB_ACCOUNT, 0), "h");
	assert_null(cluster_text(c, F_JOB_ACCOUNT, 1));
	assert_null(cluster_text(c, F_JOB_ACCOUNT, 2));
}

/* IBM LSF only: the problem names what is not computed. */
static void test_shared_fair_share(void **state)
{
	const struct jobs *j;

	(void)state;
	texts[LSF_LSID] = NULL;
	texts[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME = a\nPRIORITY = 50\nFAIRSHARE_QUEUES = b\n"
			    "FAIRSHARE = USER_SHARES[[default, 1]]\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = b\nPRIORITY = 40\nEnd Queue\n"
			    "Begin Queue\nQUEUE_NAME = c\nPRIORITY = 3\nEnd Queue\n";
	texts[LSF_BJOBS_W] = HEAD JOB("10", "z", "PEND", "a", "-") JOB("11", "y", "PEND", "b", "-")
			     JOB("12", "x", "PEND", "c", "-");
	j = lsf_told_jobs(texts);
	assert_non_null(strstr(j->lsf->problem, "a shares its fair share with b"));
	/* Two of three ranks are unknown; the third job is the third. */
	assert_int_equal(jobs_ahead(j)->rank[0], U32_UNKNOWN);
	assert_int_equal(j->order->rank[1], U32_UNKNOWN);
	assert_int_equal(j->order->ahead[1], U32_UNKNOWN);
	assert_int_equal(j->order->rank[2], 3);
	assert_int_equal(j->order->ahead[2], 2);
	assert_int_equal(lsf_jobs_reason(j->lsf, 0, 2), LSF_REASON_VAGUE);
}

/* Limits that are not modelled are named. */
static void test_named_limits(void **state)
{
	static const char *const named[] = { "the limit in line 1 is not",
					     "JL/P of 1 of them is not" };
	const struct cluster *c;

	(void)state;
	texts[LSF_LSID] = NULL;
	texts[LSF_USERS] = "Begin User\nUSER_NAME MAX_JOBS JL/P\na 3 0.5\nb 1 -\nEnd User\n";
	texts[LSF_HOSTS] = "Begin Host\nHOST_NAME MXJ\nh 4\nEnd Host\n";
	texts[LSF_RESOURCES] = "Begin Limit\nNAME = x\nPER_USER = all\nSLOTS = 4\nEnd Limit\n";
	texts[LSF_BJOBS_W] = HEAD;
	c = lsf_told(texts);
	assert_int_equal(cluster_notes(c), 2);
	for (uint32_t i = 0; i < 2; i++)
		assert_non_null(strstr(cluster_note(c, i).text, named[i]));
}

/* SECURE_JOB_INFO_LEVEL of IBM LSF and the like: bqueues counts more jobs than bjobs shows. */
static void test_hidden_jobs(void **state)
{
	static const char one[] = "\nJob <64>, Job Name <n>, User <u4>, Project <default>, "
				  "Status <PEND>, Queue <a>, Command </bin/true>\n"
				  "Sun Nov 22 16:40:39: Submitted from host <node>%s;\n";
	char job[400];
	const struct cluster *c;

	(void)state;
	texts[LSF_LSID] = NULL;
	texts[LSF_BQUEUES_R] = QUEUE("a", "20", "") QUEUE("b", "10", "");
	texts[LSF_HOSTS] = "Begin Host\nHOST_NAME MXJ\nh 4\nEnd Host\n";
	texts[LSF_BJOBS_L] = job;
	snprintf(job, sizeof(job), one, "");
	c = lsf_told(texts);
	assert_non_null(strstr(cluster_note(c, cluster_notes(c) - 1).text,
			       "bjobs shows 1 of the 2 slots that bqueues counts"));
	assert_true(cluster_hides_jobs(c));
	snprintf(job, sizeof(job), one, ", 2 Processors Requested");
	c = lsf_told(texts);
	assert_int_equal(cluster_notes(c), 0);
	assert_false(cluster_hides_jobs(c));
	/* bqueues counts the maximum that such a job requests. */
	snprintf(job, sizeof(job), one, ", 1-2 Processors Requested");
	c = lsf_told(texts);
	assert_int_equal(cluster_notes(c), 0);
}

/* A job name that bsub -J accepts. */
static void test_odd_name(void **state)
{
	const struct cluster *c;

	(void)state;
	texts[LSF_LSID] = texts[LSF_PARAMS] = NULL;
	texts[LSF_BJOBS_L] =
		"\nJob <64>, Job Name <wide [x] <y>, User <z>>, User <w4>, Project <default>, "
		"Status <PEND>, Queue <tree>, Job Priority <25>, Command </bin/true>\n"
		"Sun Nov 22 16:40:39: Submitted from host <node>, CWD <$HOME>, Output File </dev/\n"
		"                     null>, 3 Processors Requested;\n";
	c = lsf_told(texts);
	assert_string_equal(cluster_text(c, F_JOB_USER, 0), "w4");
	assert_string_equal(cluster_text(c, F_JOB_NAME, 0), "wide [x] <y>, User <z>");
	assert_string_equal(cluster_text(c, F_JOB_PARTITION, 0), "tree");
	assert_int_equal(cluster_u32(c, F_JOB_CPUS, 0), 3);
}

/* sch_fs_electJob(): jobs of users without shares come after all others. */
static void test_without_shares(void **state)
{
	(void)state;
	texts[LSF_QUEUES] = QUEUE_BY("[a, 1] [b, 9]");
	texts[LSF_USERS] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER\ng (a)\nEnd UserGroup\n";
	texts[LSF_BQUEUES_R] =
		QUEUE("q", "20", TABLE("q/", "b 9 9.000 0 0.0 0\na 1 1.000 0 0.0 0\n"));
	texts[LSF_BJOBS_W] = HEAD WAITS("10", "z") WAITS("11", "a") WAITS("12", "b");
	assert_order("12 11 10");
}

/* Checks what the order of the pending jobs leaves out. */
static void assert_problem(const char *wanted)
{
	const struct jobs *j = lsf_told_jobs(texts);

	assert_string_equal(j->lsf->problem, wanted);
}

/* HJOB_LIMIT bounds a queue by its hosts in bhosts: "hg" may be any number of them. */
static void test_unknown_hosts(void **state)
{
	static const char queue[] = "Begin Queue\nQUEUE_NAME = q\nPRIORITY = 20\nHOSTS = %s\n"
				    "HJOB_LIMIT = 1\n"
				    BY_SHARES;
	char queues[400];

	(void)state;
	texts[LSF_QUEUES] = queues;
	texts[LSF_BQUEUES_R] = three_users;
	texts[LSF_BHOSTS_W] = "HOST_NAME STATUS JL/U MAX NJOBS RUN SSUSP USUSP RSV\n"
			      "h ok - 9 0 0 0 0 0\n";
	texts[LSF_BJOBS_W] = six_jobs;
	(void)snprintf(queues, sizeof(queues), queue, "h");
	/* 10 takes the only slot: 5, 6, 5, and no further change */
	assert_order("10 13 14 11 12 15");
	assert_problem("");
	(void)snprintf(queues, sizeof(queues), queue, "hg");
	/* As without a limit: 10, 6, 5; 5, 6, 5; 5, 3, 5; 3.3, 3, 5; 3.3, 3 */
	assert_order("10 13 11 15 12 14");
	assert_problem("HJOB_LIMIT of queue q is not applied: not all of its hosts are known");
}

/* More accounts than are kept for one user: the charged one is unknown, with one note. */
static void test_many_payers(void **state)
{
	char rows[2000] = "", groups[2000] = "Begin UserGroup\nGROUP_NAME GROUP_MEMBER\n";
	char reported[4000];
	const struct cluster *c;
	uint32_t notes = 0;

	(void)state;
	for (unsigned i = 0; i < 33; i++) {
		(void)snprintf(rows + strlen(rows), sizeof(rows) - strlen(rows),
			       "g%u 1 1.000 0 0.0 0\n", i);
		(void)snprintf(groups + strlen(groups), sizeof(groups) - strlen(groups),
			       "g%u (a)\n", i);
	}
	(void)snprintf(groups + strlen(groups), sizeof(groups) - strlen(groups),
		       "End UserGroup\n");
	(void)snprintf(reported, sizeof(reported), QUEUE("q", "20", TABLE("q/", "%s")), rows);
	texts[LSF_USERS] = groups;
	texts[LSF_BQUEUES_R] = reported;
	texts[LSF_BJOBS_W] = HEAD WAITS("11", "a") WAITS("12", "a");
	c = lsf_told(texts);
	for (uint32_t i = 0; i < cluster_notes(c); i++)
		notes += strcmp(cluster_note(c, i).text, "more than 32 accounts may pay for a: "
							 "who pays is unknown") == 0;
	assert_int_equal(notes, 1);
	assert_int_equal(cluster_u32(c, F_JOB_ASSOC, 0), U32_UNKNOWN);
	assert_int_equal(cluster_list(c, F_JOB_CHARGED, 0).count, 0);
}

/* Priorities below the formula's range, as printed for a queue without a formula. */
static void test_negative_priorities(void **state)
{
	(void)state;
	texts[LSF_LSID] = texts[LSF_PARAMS] = NULL;
	texts[LSF_QUEUES] = QUEUE_BY("[a, 1] [b, 9]");
	texts[LSF_BQUEUES_R] =
		QUEUE("q", "20", TABLE("q/", "b 9 -5.000 0 0.0 0\na 1 -7.000 0 0.0 0\n"));
	texts[LSF_BJOBS_W] = HEAD WAITS("11", "a") WAITS("12", "b");
	assert_order("12 11");
	assert_problem("");
	/* The priority of b after a start is unknown: a may come next. */
	texts[LSF_BJOBS_W] = HEAD WAITS("11", "a") WAITS("12", "b") WAITS("13", "b");
	assert_problem("the priority formula of queue q is unknown (expected lsb.params or "
		       "bparams -l), and so are the ranks of its jobs");
}

/* A picture from a file may hold anything: more accounts and levels than LSF allows. */
static void test_hostile_pictures(void **state)
{
	const char *charged[65];
	struct cluster *reported;

	(void)state;
	texts[LSF_QUEUES] = QUEUE_BY("[a, 1]");
	texts[LSF_BQUEUES_R] = QUEUE("q", "20", TABLE("q/", "a 1 1.000 0 0.0 0\n"));
	texts[LSF_BJOBS_W] = HEAD WAITS("11", "a") WAITS("12", "a");
	reported = kept_cluster(lsf_cluster(texts));
	for (uint32_t i = 0; i < 65; i++)
		charged[i] = "1";
	for (int deep = 0; deep < 2; deep++) {
		struct builder *b = cluster_copy(reported);
		struct err err = { 0 };
		struct cluster *c;
		struct model *m;
		struct jobs *j;

		if (!deep)
			builder_list(b, F_JOB_CHARGED, 0, charged, 65);
		for (uint32_t i = 0; deep && i < 70; i++) {
			uint32_t row = builder_add(b, TABLE_ASSOC);
			char name[20];

			snprintf(name, sizeof(name), "deep%u", i);
			builder_str(b, F_ASSOC_ACCOUNT, row, name);
			builder_u32(b, F_ASSOC_ID, row, 1000 + i);
			builder_u32(b, F_ASSOC_PARENT, row,
				    i > 0 ? 999 + i
					  : cluster_u32(reported, F_ASSOC_ID,
							cluster_by_path(reported, "/q")));
		}
		c = kept_cluster(builder_seal(b, &err));
		if (!c)
			fail_msg("%s", err.message);
		m = kept_model(c);
		j = kept_jobs(m);
		assert_true(lsf_jobs_vague(j->lsf, 0));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_least_load),
		cmocka_unit_test(test_every_row),
		cmocka_unit_test(test_worked_rows),
		cmocka_unit_test(test_slip_is_volclavas),
		cmocka_unit_test(test_unread_files),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_slots_are_counted),
		cmocka_unit_test(test_next_dispatches),
		cmocka_unit_test_setup(test_round_robin, set_up),
		cmocka_unit_test_setup(test_limits_of_users, set_up),
		cmocka_unit_test_setup(test_rank_of_queues, set_up),
		cmocka_unit_test_setup(test_limits_per_cpu, set_up),
		cmocka_unit_test_setup(test_wide_range, set_up),
		cmocka_unit_test_setup(test_equal_siblings, set_up),
		cmocka_unit_test_setup(test_who_pays, set_up),
		cmocka_unit_test_setup(test_named_limits, set_up),
		cmocka_unit_test_setup(test_hidden_jobs, set_up),
		cmocka_unit_test_setup(test_odd_name, set_up),
		cmocka_unit_test_setup(test_shared_fair_share, set_up),
		cmocka_unit_test_setup(test_without_shares, set_up),
		cmocka_unit_test_setup(test_unknown_hosts, set_up),
		cmocka_unit_test_setup(test_many_payers, set_up),
		cmocka_unit_test_setup(test_negative_priorities, set_up),
		cmocka_unit_test_setup(test_hostile_pictures, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
