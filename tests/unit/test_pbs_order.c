/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order in which PBS's scheduler considers jobs. Against recordings of a real OpenPBS 23.06.06:
 * the order of the "Considering" lines of its log. Settings not active there are tried on three
 * queues of six jobs from the example in the scheduler's source (next_job() in fifo.cpp): queue 1
 * has J1 and J3, queue 2 J2 and J5, queue 4 J4 and J6, and round_robin takes J1, J2, J4, J3, J5,
 * J6.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/pbs/pbs_text.h"
#include "core/queue/compare.h"
#include "core/queue/jobs.h"
#include "core/queue/pbs_limits.h"
#include "core/queue/pbs_vnodes.h"
#include "core/base/mem.h"
#include "core/share/summary.h"
#include "core/sim/cycle_view.h"
#include "tests/support/kept.h"
#include "tests/support/pbs.h"

#define LINE 512

/* ---- the scheduler's own log ----------------------------------------------------------------- */

/* Checks that the ranks of the log's jobs rise in the order of its lines, but for job EXCEPT. */
static void follow_log(const char *recording, const char *except, const char *problem,
		       uint32_t expected)
{
	char name[100];
	struct cluster *c = kept_cluster(pbs_cluster(recording));
	struct model *m = kept_model(c);
	struct jobs *j = kept_jobs(m);
	uint32_t last = 0, seen = 0;
	char *log, *line, *rest;
	size_t length;

	assert_non_null(strstr(j->order->problem, problem));
	assert_int_equal(j->order->problem[0] == '\0', problem[0] == '\0');
	snprintf(name, sizeof(name), "%s/sched_log", recording);
	rest = log = pbs_text(name, &length);
	while ((line = strtok_r(rest, "\n", &rest))) {
		const char *at = strstr(line, ";Job;");
		char id[64];
		uint32_t job;

		if (!strstr(line, ";Considering job") || !at)
			continue;
		assert_int_equal(sscanf(at + 5, "%63[^;]", id), 1);
		job = pbs_job(c, id);
		assert_int_not_equal(job, ROW_NONE);
		for (uint32_t e = 0; e < j->index->n; e++) {
			uint32_t rank = j->order->rank[e];

			/* A job that the cycle started runs in the picture. */
			if (j->index->job[e] != job || rank == U32_UNKNOWN ||
			    strcmp(id, except) == 0)
				continue;
			if (rank <= last)
				fail_msg("%s has rank %u, the one before it %u", id, rank, last);
			last = rank;
			seen++;
		}
	}
	assert_int_equal(seen, expected);
	mem_free(log);
}

static void test_order_of_the_log(void **state)
{
	(void)state;
	/* 74 lines; 103 was started. */
	follow_log("01_main", "", "", 73);
	/*
	 * By the formula, and by fair share where two jobs have the same value. 114 became a top
	 * job within the cycle, and its entity's usage rose, says the log: so 115, of the same
	 * entity, came after 116.
	 */
	follow_log("02_formula", "115.pbshead", "with strict_ordering, each of up to 5 top jobs",
		   72);
}

/*
 * Checks the log's outcome of the job in PLACE against the cycle's, but for "(R: 2 A: 0 T: 20)",
 * which the cycle does not give; the log may have no such lines.
 */
static void check_outcome(const struct cycle_result *r, uint32_t place, const char *line)
{
	const char *text = strrchr(line, ';') + 1, *reason;
	uint32_t job = r->order[place - 1];
	char name[64], id[64];
	size_t length = strcspn(text, "(");

	assert_int_equal(sscanf(strstr(line, ";Job;") + 5, "%63[^;]", id), 1);
	cycle_job_name(r, job, r->cycle->status[job] == CYCLE_RUN, name, sizeof(name));
	assert_string_equal(name, id);
	reason = r->cycle->reason[job] ? r->cycle->reason[job] : "Job run";
	while (length > 0 && text[length - 1] == ' ')
		length--;
	if (strncmp(reason, text, length) != 0 || reason[length] != '\0')
		fail_msg("%s: \"%s\", and not \"%s\"", id, reason, text);
}

/* Checks that the EXPECTED lines "Considering" of LOG are the order of a cycle over RECORDING. */
static void follow_cycle(const char *recording, const char *file, uint32_t expected)
{
	struct cluster *c = kept_cluster(pbs_cluster(recording));
	struct model *m = kept_model(c);
	struct jobs *j = kept_jobs(m);
	struct class_choice choice = class_choice_of(c);
	struct classes_data *d = classes_data_new(j, &choice, NULL, 0);
	struct cycle_result *r = cycle_of(d, true, cycle_depth(c));
	uint32_t place = 0;
	char *log, *line, *rest;
	size_t length;

	rest = log = pbs_text(file, &length);
	while ((line = strtok_r(rest, "\n", &rest))) {
		const char *at = strstr(line, ";Job;");
		char id[64];

		/*
		 * Jobs that are stopped come before them; jobs that can never run appear a second
		 * time, and also as not to be calendared.
		 */
		if (at && place > 0 && !strstr(at, ";Job will never run") &&
		    !strstr(at, ";Error in calculation") &&
		    (strstr(at, ";Job run") || strstr(line, ";0040;")))
			check_outcome(r, place, line);
		if (!strstr(line, ";Considering job") || !at)
			continue;
		assert_int_equal(sscanf(at + 5, "%63[^;]", id), 1);
		assert_true(place < r->input.jobs);
		if (d->set->job[r->jobs[r->order[place]]] != pbs_job(c, id))
			fail_msg("%s: %s is not number %u", recording, id, place + 1);
		place++;
	}
	assert_int_equal(place, expected);
	assert_true(r->cycle->strict == 0 || r->input.jobs - r->cycle->strict == expected);
	mem_free(log);
	cycle_result_free(r);
	classes_data_free(d);
}

/*
 * The order within the cycle: a job started or made a top job is charged, and the rest is sorted
 * again. All 73 lines "Considering" in their order, 115 after 116.
 */
static void test_within_a_cycle(void **state)
{
	static const struct pbs_file files[] = {
		{ "02_formula/qstat_f_json.json", "qstat_f.json" },
		{ "02_formula/qstat_Bf_json.json", "qstat_Bf.json" },
		{ "02_formula/qstat_Qf_json.json", "qstat_Qf.json" },
		{ "02_formula/qmgr_list_sched.txt", "qmgr_list_sched.txt" },
		{ "02_formula/nodes.json", "pbsnodes_av.json" },
		{ "02_formula/sched_config", "sched_config" },
		{ "02_formula/resource_group", "resource_group" },
		{ "02_formula/usage", "usage" }, { NULL, NULL },
	};

	(void)state;
	follow_cycle(pbs_directory(files), "02_formula/sched_log", 73);
	/*
	 * strict_ordering, backfill_depth 40, by_queue off, and round_robin: 422 to 425 scatter
	 * over one host and do not fit; 463 would fit, but delay top jobs before it.
	 */
	follow_cycle("12_place", "12_place/sched_log", 40);
	follow_cycle("13_round", "13_round/sched_log", 40);
	/*
	 * Limits of the server on users, one of them by name, and on memory; of queues on groups,
	 * all jobs, projects and CPUs; arrays, one of two subjobs at a time, subjob after subjob.
	 */
	follow_cycle("14_limits", "14_limits/sched_log", 35);
	/*
	 * strict_ordering: an array with its maximum running becomes a top job for the time at
	 * which its first subjob ends, and 5081 still fits before then.
	 */
	follow_cycle("15_array", "15_array/sched_log", 75);
	/*
	 * Without fair share: soft limits of the server on users and their CPUs, of a queue on
	 * groups, below normal jobs in preempt_prio; users over a limit move as jobs start.
	 */
	follow_cycle("16_soft", "16_soft/sched_log", 44);
	/* Future reservations, one exclusive: a job that would run into one does not start. */
	follow_cycle("17_reserved", "17_reserved/sched_log", 36);
	/* strict_ordering, backfill_depth 0: the server is out of tokens, no job may overtake. */
	follow_cycle("18_strict", "18_strict/sched_log", 5);
	/*
	 * Seven vnodes of four hosts with CPUs, memory, GPUs, colours and a boolean, some offline;
	 * chunks of all kinds in all places, exclusive or not. "ncpus LOW unused": hosts are sorted
	 * again as jobs start.
	 */
	follow_cycle("19_unused", "19_unused/sched_log", 30);
	/* "ncpus HIGH", strict_ordering with three top jobs, and a queue that has a vnode. */
	follow_cycle("20_queue", "20_queue/sched_log", 18);
	/* Two keys: "ncpus HIGH assigned", then "mem LOW unused"; strict_ordering. */
	follow_cycle("21_assigned", "21_assigned/sched_log", 17);
	/*
	 * Five stale vnodes: the host of one that is listed before its others is tried at the
	 * others' position by sort_priority.
	 */
	follow_cycle("22_stale", "22_stale/sched_log", 24);
	/*
	 * "ncpus LOW unused", strict_ordering: a top job is planned on vnodes in the order in which
	 * their jobs end, and 2158 finds no place that would not delay it.
	 */
	follow_cycle("24_later", "24_later/sched_log", 14);
	/* Fair share of entities egroup:euser: dl:quinn, dl:rosa, and three that are unknown. */
	follow_cycle("23_entity", "23_entity/sched_log", 18);
	/*
	 * strict_ordering, three top jobs: 15 is in the class of 14, and gets its reason while the
	 * calendar has places, too, though it is under a limit that 14 is not.
	 */
	follow_cycle("25_again", "25_again/sched_log", 53);
	/*
	 * All vnodes are full or belong to a reservation that has begun: its two jobs start on
	 * them, the second before others though the first was charged to the same user.
	 */
	follow_cycle("26_begun", "26_begun/sched_log", 8);
	/*
	 * Two future reservations, three top jobs: none is tried at the start of the first, where a
	 * chunk would be split over the vnodes it leaves, but at the ends of jobs.
	 */
	follow_cycle("27_between", "27_between/sched_log", 21);
	pbs_remove();
}

/*
 * Cycles at one time under other limits: every line of their logs, reasons too. sched_config and
 * the tree were not recorded with them; they are those of 01_main, the usage that of 02.
 */
static void test_limits_of_the_log(void **state)
{
	static const char *const names[] = { "a_none", "c_srv_group", "d_srv_project" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char server[64], queues[64], log[64];
		const struct pbs_file files[] = {
			{ "04_limits/qstat_f.json", "qstat_f.json" },
			{ server, "qstat_Bf.json" }, { queues, "qstat_Qf.json" },
			{ "01_main/qmgr_list_sched.txt", "qmgr_list_sched.txt" },
			{ "01_main/pbsnodes_av_json.json", "pbsnodes_av.json" },
			{ "01_main/sched_config", "sched_config" },
			{ "01_main/resource_group", "resource_group" },
			{ "02_formula/usage", "usage" }, { NULL, NULL },
		};

		snprintf(server, sizeof(server), "04_limits/%s.qstat_Bf.json", names[i]);
		snprintf(queues, sizeof(queues), "04_limits/%s.qstat_Qf.json", names[i]);
		snprintf(log, sizeof(log), "04_limits/%s.sched_log", names[i]);
		follow_cycle(pbs_directory(files), log, 73);
		pbs_remove();
	}
}

/*
 * R184 is a reservation that has not begun: the server said of 186, which is in its queue, "Not
 * Running: Queue not started.", and the cycle started with another job.
 */
static void test_a_reservation_that_has_not_begun(void **state)
{
	static const struct pbs_file files[] = {
		{ "05_lifecycle/qstat_f_resv.json", "qstat_f.json" },
		{ "05_lifecycle/qstat_Qf_json.json", "qstat_Qf.json" },
		{ NULL, NULL },
	};
	struct err err = { 0 };
	struct cluster *c = kept_cluster(pbs_try(pbs_directory(files), &err));
	struct model *m;
	struct jobs *j;
	uint32_t ranked = 0;

	(void)state;
	if (!c)
		fail_msg("%s", err.message);
	m = kept_model(c);
	j = kept_jobs(m);
	for (uint32_t e = 0; e < j->index->n; e++) {
		if (j->index->job[e] == pbs_job(c, "186.pbshead"))
			assert_int_equal(j->order->rank[e], U32_UNKNOWN);
		else
			ranked += j->order->rank[e] != U32_UNKNOWN;
	}
	assert_true(ranked > 0);
	pbs_remove();
}

/* ---- the example of the source --------------------------------------------------------------- */

/* By index: queue (one of three), ncpus, mem in GB. Queue 3 is not used. */
static const struct {
	const char *queue;
	int cpus, memory;
} jobs[] = {
	{ "q1", 4, 1 }, { "q2", 1, 3 }, { "q1", 2, 2 },
	{ "q4", 8, 2 }, { "q2", 8, 3 }, { "q4", 1, 1 },
};
#define JOBS (sizeof(jobs) / sizeof(jobs[0]))

static void put(struct pbs_text *t, const char *name, char *text)
{
	*t = (struct pbs_text){ name, text, strlen(text), NULL, true };
}

/* Builds it with PRIORITIES of the three queues and the lines of sched_config. */
static struct cluster *cluster_of(const int priorities[3], const char *config)
{
	static const char *const names[] = { "q1", "q2", "q4" };
	static char queues[2 * LINE], list[8 * LINE], sched_config[LINE];
	static char sched[] = "Sched default\n", group[] = "u 1 root 10\n";
	/* Version 2, last decayed in 1970, without entities. */
	static char usage[33] = "PBS_MAG!\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0@\1";
	struct pbs_texts texts = { .time = 1795146621 };
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *c = NULL;
	int used = snprintf(queues, sizeof(queues), "{\"timestamp\":1795146621,\"Queue\":{");

	for (size_t q = 0; q < 3; q++)
		used += snprintf(queues + used, sizeof(queues) - (size_t)used,
				 "%s\"%s\":{\"Priority\":%d,\"started\":\"True\"}", q ? "," : "",
				 names[q], priorities[q]);
	snprintf(queues + used, sizeof(queues) - (size_t)used, "}}");
	used = snprintf(list, sizeof(list), "{\"timestamp\":1795146621,\"Jobs\":{");
	for (size_t i = 0; i < JOBS; i++)
		used += snprintf(list + used, sizeof(list) - (size_t)used,
				 "%s\"%zu.p\":{\"job_state\":\"Q\",\"queue\":\"%s\","
				 "\"euser\":\"u\",\"queue_rank\":%zu,\"Priority\":0,"
				 "\"Resource_List\":{\"ncpus\":%d,\"mem\":\"%dgb\"}}",
				 i ? "," : "", i + 1, jobs[i].queue, i + 1, jobs[i].cpus,
				 jobs[i].memory);
	snprintf(list + used, sizeof(list) - (size_t)used, "}}");
	snprintf(sched_config, sizeof(sched_config), "%s", config);
	put(&texts.kind[PBS_QUEUE], "qstat -Q", queues);
	put(&texts.kind[PBS_SCHED], "list sched", sched);
	put(&texts.kind[PBS_CONFIG], "sched_config", sched_config);
	if (strstr(config, "fair_share: True")) {
		put(&texts.kind[PBS_GROUP], "resource_group", group);
		texts.kind[PBS_USAGE] = (struct pbs_text){ "usage", usage, 32, NULL, true };
	}
	put(&texts.kind[PBS_JOBS], "qstat", list);
	if (!pbs_text_build(&texts, b, &err) || !(c = builder_seal(b, &err)))
		fail_msg("%s", err.message);
	return c;
}

static struct jobs *jobs_with(const int priorities[3], const char *config)
{
	return kept_jobs(kept_model(kept_cluster(cluster_of(priorities, config))));
}

/* Checks the jobs' numbers in the order considered: "124356". */
static void order_is(const int priorities[3], const char *config, const char *expected,
		     const char *problem)
{
	struct jobs *j = jobs_with(priorities, config);
	char order[JOBS + 1] = "";

	for (uint32_t i = 0; i < j->order->count; i++)
		order[i] = (char)('0' + cluster_u32(j->model->cluster, F_JOB_ID,
						    j->index->job[j->order->order[i]]));
	if (strcmp(order, expected) != 0)
		fail_msg("%s: %s, expected %s", config, order, expected);
	if (problem[0] ? !strstr(j->order->problem, problem) : j->order->problem[0])
		fail_msg("%s: \"%s\", expected \"%s\"", config, j->order->problem, problem);
}

static uint32_t rank_of(const struct jobs *j, const char *id)
{
	uint32_t job = pbs_job(j->model->cluster, id), e = 0;

	while (e < j->index->n && j->index->job[e] != job)
		e++;
	assert_true(e < j->index->n);
	return j->order->rank[e];
}

static const int equal[3] = { 0, 0, 0 }, rising[3] = { 10, 20, 20 }, express[3] = { 0, 150, 200 };
static const int ordered[3] = { 30, 20, 10 };

static void test_queues(void **state)
{
	(void)state;
	order_is(equal, "round_robin: True ALL\n", "124356", "");
	order_is(equal, "by_queue: True ALL\n", "132546", "");
	order_is(equal, "by_queue: False ALL\n", "123456", "");
	order_is(ordered, "round_robin: True ALL\n", "132546", "");
	/* By priority: queues 2 and 4 in turn, then queue 1. */
	order_is(rising, "round_robin: True ALL\n", "245613", "");
	order_is(rising, "by_queue: True ALL\n", "254613", "");
	order_is(rising, "by_queue: False ALL\n", "123456", "");
	/*
	 * Express queues first, by their Priority (set_preempt_prio() adds it; a live 23.06.06 had
	 * this order); with fair_share queue after queue.
	 */
#define PREEMPTS "preemptive_sched: True ALL\n"
	order_is(express, PREEMPTS "by_queue: True ALL\n", "462513", "");
	order_is(express, PREEMPTS "by_queue: True ALL\nfair_share: True ALL\n", "462513", "");
	order_is(express, "by_queue: True ALL\npreemptive_sched: False ALL\n", "462513", "");
	order_is(express, PREEMPTS "by_queue: False ALL\n", "462513", "");
	/* Same as without the line. */
	order_is(express, "by_queue: False ALL\npreemptive_sched: False ALL\n", "123456", "");
	order_is(express, "by_queue: False ALL\n", "123456", "");
#undef PREEMPTS
}

static void test_sort_keys(void **state)
{
	(void)state;
#define ONE "by_queue: False ALL\n"
	order_is(equal, ONE "job_sort_key: \"ncpus HIGH\" ALL\n", "451326", "");
	order_is(equal, ONE "job_sort_key: \"ncpus low\" ALL\n", "263145", "");
	/* The second line decides ties of the first. */
	order_is(equal, ONE "job_sort_key: \"mem HIGH\" ALL\njob_sort_key: \"ncpus LOW\" ALL\n",
		 "253461", "");
	/* Which of them applies depends on the file holidays. */
	order_is(equal, ONE "job_sort_key: \"mem HIGH\" prime\n"
		 "job_sort_key: \"ncpus LOW\" non_prime\n", "",
		 "the order is unknown, as job_sort_key is unknown");
	order_is(equal, ONE "job_sort_key: \"nosuch HIGH\" ALL\n", "123456", "");
	order_is(equal, ONE "job_sort_key: \"ncpus\" ALL\n", "123456",
		 "job_sort_key \"ncpus\" is ignored");
	/* Within each queue, if queues are taken one by one. */
	order_is(equal, "by_queue: True ALL\njob_sort_key: \"ncpus HIGH\" ALL\n", "135246", "");
	order_is(equal, "round_robin: True ALL\njob_sort_key: \"ncpus LOW\" ALL\n", "326154", "");
#undef ONE
}

static void test_levels_of_preemption(void **state)
{
	struct jobs *j = jobs_with(equal, "preemptive_sched: True ALL\n");
	struct policy policy = j->policy;
	struct jobs *other;

	(void)state;
	snprintf(policy.preempt_prio, sizeof(policy.preempt_prio), "%s",
		 "express_queue, normal_jobs, fairshare");
	other = jobs_new(j->model, &policy);
	assert_non_null(strstr(other->order->problem, "of 6 pending jobs is unknown"));
	assert_int_equal(other->order->count, 0);
	jobs_free(other);
	policy.preemptive_sched = false;
	other = jobs_new(j->model, &policy);
	assert_string_equal(other->order->problem, "");
	jobs_free(other);
}

/* A user who cannot read sched_config is told that its defaults are assumed. */
static void test_assumed(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("03_tricky"));
	struct model *m = kept_model(c);
	struct jobs *j = kept_jobs(m);

	(void)state;
	assert_non_null(strstr(j->order->problem, "sched_config was not read"));
	assert_true(j->order->count > 100);
	/* A file that sets nothing: the defaults of config::config(), not of the example file. */
	order_is(equal, "# nothing is set\n", "123456", "");
}

/* A job whose value is at or below the threshold does not run. */
static void test_threshold(void **state)
{
	struct jobs *j = jobs_with(equal, "by_queue: False ALL\n");
	struct policy policy = j->policy;
	uint32_t stopped = 0;

	(void)state;
	snprintf(policy.job_sort_formula, sizeof(policy.job_sort_formula), "ncpus");
	snprintf(policy.job_sort_formula_threshold, sizeof(policy.job_sort_formula_threshold), "2");
	struct jobs *other = jobs_new(j->model, &policy);
	for (uint32_t e = 0; e < other->index->n; e++) {
		bool low = other->pbs->value[e] <= 2;

		assert_int_equal(pbs_jobs_stopped(other->pbs, e) != NULL, low);
		stopped += low;
	}
	assert_int_equal(stopped, 3);
	jobs_free(other);
}

/* A running job's amount is not a number: it is unknown whether a limit on it is reached. */
static void test_unknown_amounts(void **state)
{
	static char queues[] = "{\"Queue\":{\"q1\":"
		"{\"max_run_res\":{\"ncpus\":\"[o:PBS_ALL=4]\"}},"
		"\"q2\":{\"max_run_res\":{\"ncpus\":\"[o:PBS_ALL=4]\"}}}}";
	static char list[] = "{\"timestamp\":1795146621,\"Jobs\":{"
		"\"1.p\":{\"job_state\":\"R\",\"queue\":\"q1\","
		"\"Resource_List\":{\"ncpus\":\"x\"}},"
		"\"2.p\":{\"job_state\":\"Q\",\"queue\":\"q1\","
		"\"Resource_List\":{\"ncpus\":1}},"
		"\"3.p\":{\"job_state\":\"Q\",\"queue\":\"q1\","
		"\"Resource_List\":{\"mem\":\"1gb\"}},"
		"\"4.p\":{\"job_state\":\"R\",\"queue\":\"q2\","
		"\"Resource_List\":{\"ncpus\":5}},"
		"\"5.p\":{\"job_state\":\"Q\",\"queue\":\"q2\","
		"\"Resource_List\":{\"ncpus\":0}},"
		"\"6.p\":{\"job_state\":\"Q\",\"queue\":\"q2\","
		"\"Resource_List\":{\"mem\":\"1gb\"}}}}";
	struct pbs_texts texts = { .time = 1795146621 };
	struct builder *b = builder_new();
	struct pbs_limits *limits;
	struct cluster *c;

	(void)state;
	put(&texts.kind[PBS_QUEUE], "qstat -Q", queues);
	put(&texts.kind[PBS_JOBS], "qstat", list);
	assert_true(pbs_text_build(&texts, b, NULL));
	c = kept_cluster(builder_seal(b, NULL));
	assert_non_null(c);
	limits = pbs_limits_new(c, PBS_HARD);
	assert_non_null(strstr(pbs_limits_check(limits, pbs_job(c, "2.p"), 0, 60), "unknown"));
	assert_null(pbs_limits_check(limits, pbs_job(c, "3.p"), 0, 60));
	/* A job that asks for 0 is subject to an exceeded limit; one that does not ask is not. */
	assert_non_null(strstr(pbs_limits_check(limits, pbs_job(c, "5.p"), 0, 60), "overall"));
	assert_null(pbs_limits_check(limits, pbs_job(c, "6.p"), 0, 60));
	pbs_limits_free(limits);
}

/*
 * Whether a soft limit is exceeded is unknown if the owner or amount of the job, or of a running
 * one, is: then the job has no level and no rank, unless neither matters.
 */
static void test_unknown_soft_limits(void **state)
{
	static char queues[] = "{\"Queue\":{\"q1\":{\"max_run_soft\":\"[g:PBS_GENERIC=1]\"},"
		"\"q2\":{\"max_run_res_soft\":{\"ncpus\":\"[u:PBS_GENERIC=1]\"}},"
		"\"q3\":{\"max_run_soft\":\"[g:PBS_GENERIC=0]\"}}}";
	static char list[] = "{\"timestamp\":1795146621,\"Jobs\":{"
		"\"1.p\":{\"job_state\":\"R\",\"queue\":\"q1\",\"euser\":\"a\",\"egroup\":\"g\"},"
		"\"2.p\":{\"job_state\":\"Q\",\"queue\":\"q1\",\"euser\":\"a\"},"
		"\"3.p\":{\"job_state\":\"Q\",\"queue\":\"q1\",\"euser\":\"a\",\"egroup\":\"g\"},"
		"\"4.p\":{\"job_state\":\"R\",\"queue\":\"q2\",\"euser\":\"a\","
		"\"Resource_List\":{\"ncpus\":\"x\"}},"
		"\"5.p\":{\"job_state\":\"Q\",\"queue\":\"q2\",\"euser\":\"a\","
		"\"Resource_List\":{\"ncpus\":1}},"
		"\"6.p\":{\"job_state\":\"Q\",\"queue\":\"q2\",\"euser\":\"b\","
		"\"Resource_List\":{\"ncpus\":1}},"
		"\"7.p\":{\"job_state\":\"R\",\"queue\":\"q3\",\"euser\":\"a\"},"
		"\"8.p\":{\"job_state\":\"Q\",\"queue\":\"q3\",\"euser\":\"a\",\"egroup\":\"g\"},"
		"\"9.p\":{\"job_state\":\"R\",\"queue\":\"q3\",\"euser\":\"a\",\"egroup\":\"h\"},"
		"\"10.p\":{\"job_state\":\"Q\",\"queue\":\"q3\",\"euser\":\"a\",\"egroup\":\"h\"}"
		"}}";
	static char sched[] = "Sched default\n    preempt_prio = normal_jobs, queue_softlimits\n";
	static char config[] = "preemptive_sched: True ALL\n";
	static const char *const unknown[] = { "2.p", "5.p", "8.p" };
	static const char *const known[] = { "3.p", "6.p", "10.p" };
	struct pbs_texts texts = { .time = 1795146621 };
	struct builder *b = builder_new();
	struct cycle_result *r;
	struct classes_data *d;
	struct cluster *c;
	struct jobs *j;

	(void)state;
	put(&texts.kind[PBS_QUEUE], "qstat -Q", queues);
	put(&texts.kind[PBS_JOBS], "qstat", list);
	put(&texts.kind[PBS_SCHED], "list sched", sched);
	put(&texts.kind[PBS_CONFIG], "sched_config", config);
	assert_true(pbs_text_build(&texts, b, NULL));
	c = kept_cluster(builder_seal(b, NULL));
	assert_non_null(c);
	j = kept_jobs(kept_model(c));
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(rank_of(j, unknown[i]), U32_UNKNOWN);
		assert_int_not_equal(rank_of(j, known[i]), U32_UNKNOWN);
	}
	/* Group h is over its limit: it runs one or two jobs. */
	assert_true(rank_of(j, "10.p") > rank_of(j, "3.p"));
	assert_non_null(strstr(j->order->problem, "of 3 pending jobs is unknown"));
	d = classes_data_new(j, &(struct class_choice){ CLASS_OPENPBS, NULL, false }, NULL, 0);
	r = cycle_of(d, true, 0);
	assert_int_equal(r->input.jobs, 3);
	assert_int_equal(r->left_out, 3);
	cycle_result_free(r);
	classes_data_free(d);
}

/* Checks that the reason of the order is the first difference. */
static void reason_is(const char *config, uint32_t a, uint32_t b, const char *expected)
{
	struct jobs *j = jobs_with(equal, config);
	struct compare c;
	bool decided = false;

	compare_jobs(j, a, b, &c);
	if (!strstr(c.sentence, expected))
		fail_msg("%s: \"%s\", expected \"%s\"", config, c.sentence, expected);
	for (size_t i = 0; i < c.count; i++)
		decided = decided || c.rows[i].decides;
	assert_true(decided);
	compare_free(&c);
}

static void test_reasons(void **state)
{
	(void)state;
	reason_is("round_robin: True ALL\n", 1, 2,
		  "job 2 comes before job 3: it is nearer to the front");
	reason_is("round_robin: True ALL\n", 0, 1,
		  "job 1 comes before job 2: its queue comes before");
	reason_is("by_queue: True ALL\n", 1, 2,
		  "job 3 comes before job 2: its queue comes before");
	reason_is("by_queue: False ALL\njob_sort_key: \"mem LOW\" ALL\n", 1, 2,
		  "job 3 comes before job 2: job_sort_key puts it first");
	reason_is("by_queue: False ALL\n", 1, 2, "job 2 comes before job 3: it arrived earlier");
}

/* ---- vnodes ---------------------------------------------------------------------------------- */

/* Checks the order of vnodes a to d by LINES of sched_config; NULL: it was not read. */
static void vnodes_are(const char *lines, const char *expected)
{
	static const char reported[] = "{\"timestamp\":1795146621,\"nodes\":{"
		"\"a\":{\"resources_available\":{\"ncpus\":4},\"Priority\":10,"
		"\"last_used_time\":300},"
		"\"b\":{\"resources_available\":{\"ncpus\":8},\"last_used_time\":100},"
		"\"c\":{\"resources_available\":{\"ncpus\":4},\"Priority\":50},"
		"\"d\":{\"resources_available\":{\"ncpus\":2},\"Priority\":10,"
		"\"last_used_time\":200}}}";
	char sched[] = "Sched default\n", config[LINE], nodes[sizeof(reported)];
	struct pbs_texts texts = { .time = 1795146621 };
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *c = NULL;
	struct pbs_vnodes v;
	char order[8] = "";
	double left[64] = { 0 };

	memcpy(nodes, reported, sizeof(reported));
	put(&texts.kind[PBS_NODES], "pbsnodes", nodes);
	put(&texts.kind[PBS_SCHED], "list sched", sched);
	snprintf(config, sizeof(config), "%s", lines ? lines : "");
	if (lines)
		put(&texts.kind[PBS_CONFIG], "sched_config", config);
	if (!pbs_text_build(&texts, b, &err) || !(c = kept_cluster(builder_seal(b, &err))))
		fail_msg("%s", err.message);
	pbs_vnodes_open(&v, c);
	assert_int_equal(v.n, 4);
	assert_true(v.n * v.columns <= 64);
	pbs_vnodes_sort(&v, left, v.columns);
	for (uint32_t i = 0; i < v.n; i++)
		order[i] = *cluster_text(c, F_HOST_NAME, v.order[i]);
	if (strcmp(order, expected) != 0)
		fail_msg("%s: %s, expected %s", lines ? lines : "no file", order, expected);
	assert_int_equal(v.key_known, lines != NULL);
	pbs_vnodes_free(&v);
}

/* By hand from parse_config() and multi_node_sort(): unset values are 0, ties keep their order. */
static void test_order_of_vnodes(void **state)
{
	(void)state;
	vnodes_are("node_sort_key: \"sort_priority HIGH\" ALL\n", "cadb");
	vnodes_are("node_sort_key: \"last_used_time LOW\" ALL\n", "cbda");
	vnodes_are("node_sort_key: \"last_used_time HIGH\" ALL\n", "adbc");
	vnodes_are("node_sort_key: \"ncpus HIGH\" ALL\nnode_sort_key: \"last_used_time LOW\" ALL\n",
		   "bcad");
	/* An invalid key is ignored, the others apply. */
	vnodes_are("node_sort_key: \"ncpus MOST\" ALL\n", "abcd");
	vnodes_are("node_sort_key: \"ncpus\" ALL\n", "abcd");
	vnodes_are("node_sort_key: \"ncpus HIGH free\" ALL\nnode_sort_key: \"ncpus LOW\" ALL\n",
		   "dacb");
	/* Without the line, in the server's order; without the file the order is unknown. */
	vnodes_are("fair_share: true ALL\n", "abcd");
	vnodes_are(NULL, "abcd");
	/* Keys of jobs before or after the line do not count. */
	vnodes_are("job_sort_key: \"ncpus HIGH\" ALL\nnode_sort_key: \"ncpus LOW\" ALL\n",
		   "dacb");
	vnodes_are("node_sort_key: \"ncpus LOW\" ALL\njob_sort_key: \"ncpus HIGH\" ALL\n",
		   "dacb");
	vnodes_are("job_sort_key: \"ncpus HIGH\" ALL\n", "abcd");
}

/* ---- several schedulers ---------------------------------------------------------------------- */

/*
 * Queue far and vnode a are in the partition PW: the default scheduler neither ranks nor counts
 * their jobs, and only has vnode b, whether a job has chunks (schedselect) or not (the last one).
 * By hand from query_queues() and query_nodes(). The summary counts the whole cluster, the accounts
 * only jobs of the default scheduler, whose tree it is.
 */
static void test_partitions(void **state)
{
	static char queues[] = "{\"Queue\":{\"far\":{\"partition\":\"PW\",\"started\":\"True\"},"
		"\"near\":{\"partition\":\"pbs-default\",\"started\":\"True\"}}}";
	static char server[] = "{\"Server\":{\"p\":{\"max_run\":\"[u:PBS_GENERIC=1]\"}}}";
	static char nodes[] = "{\"nodes\":{"
		"\"a\":{\"state\":\"free\",\"partition\":\"PW\","
		"\"resources_available\":{\"ncpus\":16},\"resources_assigned\":{\"ncpus\":1}},"
		"\"b\":{\"state\":\"free\",\"resources_available\":{\"ncpus\":4},"
		"\"resources_assigned\":{\"ncpus\":0}}}}";
#define PARTED(id, state, queue, user, cpus) \
	"\"" id "\":{\"job_state\":\"" state "\",\"queue\":\"" queue "\",\"euser\":\"" user \
	"\",\"queue_rank\":" id ",\"schedselect\":\"1:ncpus=" cpus "\"," \
	"\"Resource_List\":{\"ncpus\":" cpus ",\"place\":\"free\"}}"
	static char list[] = "{\"timestamp\":1795146621,\"Jobs\":{"
		PARTED("1", "R", "far", "ann", "1") "," PARTED("2", "Q", "far", "ann", "1") ","
		PARTED("3", "Q", "near", "ann", "2") "," PARTED("4", "Q", "near", "bo", "8") ","
		"\"5\":{\"job_state\":\"Q\",\"queue\":\"near\",\"euser\":\"cy\",\"queue_rank\":5,"
		"\"Resource_List\":{\"ncpus\":2}}}}";
	static char sched[] = "Sched default\n", config[] = "by_queue: False ALL\n";
	static char group[] = "ann 10 root 1\nbo 11 root 1\n";
	struct pbs_texts texts = { .time = 1795146621 };
	struct class_choice choice;
	struct classes_data *d;
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cycle_result *r;
	struct cluster *c = NULL;
	struct summary whole;
	struct model *m;
	struct jobs *j;

	(void)state;
	put(&texts.kind[PBS_QUEUE], "qstat -Q", queues);
	put(&texts.kind[PBS_SERVER], "qstat -B", server);
	put(&texts.kind[PBS_NODES], "pbsnodes", nodes);
	put(&texts.kind[PBS_SCHED], "list sched", sched);
	put(&texts.kind[PBS_CONFIG], "sched_config", config);
	put(&texts.kind[PBS_GROUP], "resource_group", group);
	put(&texts.kind[PBS_JOBS], "qstat", list);
	if (!pbs_text_build(&texts, b, &err) || !(c = kept_cluster(builder_seal(b, &err))))
		fail_msg("%s", err.message);
	m = kept_model(c);
	whole = summary_of(m);
	assert_int_equal(whole.running, 1);
	assert_int_equal(whole.pending, 4);
	assert_int_equal(m->running[0], 0);
	assert_int_equal(m->pending[0], 3);
	assert_int_equal(whole.nodes, 2);
	assert_int_equal(whole.nodes_used, 1);
	assert_true(whole.cpus == 20 && whole.cpus_used == 1);
	j = kept_jobs(m);
	assert_int_equal(rank_of(j, "2"), U32_UNKNOWN);
	assert_int_equal(rank_of(j, "3"), 1);
	assert_int_equal(rank_of(j, "4"), 2);
	choice = class_choice_of(c);
	d = classes_data_new(j, &choice, NULL, 0);
	assert_int_equal(d->classes->count, 4);
	assert_int_equal(classes_own(d), 3);
	r = cycle_of(d, true, 0);
	assert_int_equal(r->hosts, 1);
	assert_int_equal(r->usable, 1);
	assert_int_equal(r->left_out, 1);
	assert_int_equal(r->input.jobs, 3);
	assert_int_equal(r->cycle->status[r->order[0]], CYCLE_RUN);
	assert_string_equal(r->cycle->reason[r->order[1]],
			    "Insufficient amount of resource: ncpus");
	assert_int_equal(r->cycle->status[r->order[2]], CYCLE_RUN);
	cycle_result_free(r);
	classes_data_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_of_the_log),
		cmocka_unit_test(test_within_a_cycle),
		cmocka_unit_test(test_limits_of_the_log),
		cmocka_unit_test(test_a_reservation_that_has_not_begun),
		cmocka_unit_test(test_queues),
		cmocka_unit_test(test_sort_keys),
		cmocka_unit_test(test_levels_of_preemption),
		cmocka_unit_test(test_assumed),
		cmocka_unit_test(test_threshold),
		cmocka_unit_test(test_unknown_amounts),
		cmocka_unit_test(test_unknown_soft_limits),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_order_of_vnodes),
		cmocka_unit_test(test_partitions),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
