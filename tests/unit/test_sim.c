/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulator on a number of processors: the schedules of pyss, an independent simulator, job by
 * job (58 small cases and three logs, under FAIRTOP_SHARED); published averages; a case worked by
 * hand; properties of every schedule, on generated workloads.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/import/import.h"
#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"
#include "core/sim/backfill.h"
#include "core/sim/backtest.h"
#include "core/sim/past_limits.h"
#include "tests/support/data.h"

/* Parameters of PBS for the next runs. */
static struct {
	const char *formula, *threshold;
	const char *limits[2];		/* of the server */
	bool fair_share, strict_ordering;
	uint32_t backfill_depth;
} pbs = { .formula = "", .threshold = "", .backfill_depth = 1 };

/* Limits of Slurm for the next runs: GrpTRES and GrpJobs of all, MaxJobs of user a. */
static struct {
	bool set;
	const char *enforce;
	uint32_t cpus, grp_jobs, max_jobs;	/* U32_UNKNOWN: none */
	uint32_t qos_jobs;		/* GrpJobs of the QOS of all jobs */
	uint32_t user_cpus;		/* its MaxTRESPerUser */
	char note[200];			/* of the last run */
} limits;

static void put_cpus(struct builder *b, enum field field, uint32_t row, uint32_t cpus)
{
	struct tres_item item = { builder_tres_row(b, "cpu", 3), cpus };

	if (cpus != U32_UNKNOWN)
		builder_tres(b, field, row, &item, 1);
}

static void put_limits(struct builder *b)
{
	static const char enforce[] = "AccountingStorageEnforce";
	uint32_t qos = 0;		/* the QOS of the jobs */

	assert_int_equal(builder_rows(b, TABLE_QOS), 1);
	if (limits.qos_jobs != U32_UNKNOWN)
		builder_u32(b, F_QOS_GRP_JOBS, qos, limits.qos_jobs);
	put_cpus(b, F_QOS_MAX_TRES_USER, qos, limits.user_cpus);
	for (uint32_t a = 0; a < builder_rows(b, TABLE_ASSOC); a++) {
		const char *account = builder_get_text(b, F_ASSOC_ACCOUNT, a);
		const char *user = builder_get_text(b, F_ASSOC_USER, a);

		if (user && strcmp(user, "a") == 0 && limits.max_jobs != U32_UNKNOWN)
			builder_u32(b, F_ASSOC_MAX_JOBS, a, limits.max_jobs);
		if (user || !account || strcmp(account, "all") != 0)
			continue;
		if (limits.grp_jobs != U32_UNKNOWN)
			builder_u32(b, F_ASSOC_GRP_JOBS, a, limits.grp_jobs);
		put_cpus(b, F_ASSOC_GRP_TRES, a, limits.cpus);
	}
	if (limits.enforce)
		assert_true(policy_set_text(builder_policy(b), policy_param(enforce),
					    limits.enforce, NULL));
}

/* Returns slurmctld's jobs of five users; nodes have four processors if PROCS is a multiple. */
static struct cluster *site_of(struct replay *r, uint32_t jobs, uint32_t procs)
{
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct replay_job job = REPLAY_JOB_INIT;
	struct err err = { .code = ERR_NONE };
	struct cluster *plain, *c;
	struct builder *b;

	for (uint32_t i = 0; i < jobs; i++) {
		char user[] = { (char)('a' + i * i % 5) };

		job.assoc = replay_assoc(r, replay_text(r, "all", 3), replay_text(r, user, 1), 0);
		job.qos = limits.set ? replay_text(r, "q", 1) : 0;
		replay_add(r, &job);
	}
	plain = replay_cluster(r, &o, 0, &err);
	assert_non_null(plain);
	b = cluster_copy(plain);
	builder_policy(b)->weight[PRIO_AGE] = 10;
	builder_policy(b)->weight[PRIO_FAIRSHARE] = limits.set ? 0 : 1000;
	snprintf(builder_policy(b)->job_sort_formula, sizeof(builder_policy(b)->job_sort_formula),
		 "%s", pbs.formula);
	snprintf(builder_policy(b)->job_sort_formula_threshold,
		 sizeof(builder_policy(b)->job_sort_formula_threshold), "%s", pbs.threshold);
	if (pbs.limits[0])
		builder_list(b, F_SERVER_LIMITS, builder_add(b, TABLE_SERVER), pbs.limits, 2);
	builder_policy(b)->fair_share = pbs.fair_share;
	builder_policy(b)->strict_ordering = pbs.strict_ordering;
	builder_policy(b)->backfill_depth = pbs.backfill_depth;
	if (limits.set)
		put_limits(b);
	for (uint32_t i = 0; procs % 4 == 0 && i < procs / 4; i++)
		builder_u32(b, F_HOST_CPUS, builder_add(b, TABLE_HOST), 4);
	c = builder_seal(b, &err);
	cluster_free(plain);
	assert_non_null(c);
	return c;
}

static void run_site(struct sim_job *jobs, uint32_t count, struct sim_options o)
{
	struct replay *r = replay_new();
	struct cluster *c = site_of(r, count, o.procs);
	struct sim_log t = { .jobs = jobs, .count = count };
	struct err err = { .code = ERR_NONE };
	struct past past;

	t.source = mem_alloc((size_t)count + 1, sizeof(*t.source));
	for (uint32_t i = 0; i < count; i++)
		t.source[i] = i;
	o.past = &past;
	if (!past_make(&past, c, &t, r, o.procs, true, &err) || !sim_run(jobs, count, &o, &err))
		fail_msg("%s", err.message);
	past_limits_note(&past, limits.note, sizeof(limits.note));
	mem_free(t.source);
	past_free(&past);
	cluster_free(c);
	replay_free(r);
}

static void run(struct sim_job *jobs, uint32_t count, enum sim_policy policy, uint32_t procs)
{
	struct sim_options o = { .policy = policy, .procs = procs };
	struct err err = { .code = ERR_NONE };

	if (policy >= SIM_SLURM)
		run_site(jobs, count, o);
	else if (!sim_run(jobs, count, &o, &err))
		fail_msg("%s", err.message);
}

/* Returns PATH below the reference schedules; skips the test if it is missing. */
static const char *reference(const char *path, char *buf, size_t size)
{
	char file[300];

	snprintf(file, sizeof(file), "reference/schedules/%s", path);
	if (!data_shared(file, buf, size))
		skip();
	return buf;
}

/* ---- small cases --------------------------------------------------------------------------- */

#define CASE_JOBS 4096

/* Reads a case and its expected ENDS. */
static uint32_t read_case(const char *path, struct sim_job *jobs, int64_t *ends)
{
	FILE *file = fopen(path, "r");
	long long submit, end;
	uint32_t n = 0;

	assert_non_null(file);
	assert_int_equal(fscanf(file, "%*[^\n]"), 0);
	while (n < CASE_JOBS && fscanf(file, "%lld %lld %u %u %u", &submit, &end,
				       &jobs[n].estimate, &jobs[n].procs, &jobs[n].run) == 5) {
		jobs[n].submit = submit;
		ends[n++] = end;
	}
	assert_true(feof(file));
	fclose(file);
	return n;
}

static bool case_holds(const char *path, enum sim_policy policy)
{
	struct sim_job jobs[CASE_JOBS];
	int64_t ends[CASE_JOBS];
	uint32_t n = read_case(path, jobs, ends);
	bool good = n > 0;

	run(jobs, n, policy, 100);
	for (uint32_t i = 0; i < n; i++) {
		if (jobs[i].start + jobs[i].run == ends[i])
			continue;
		print_error("%s: %s: job %u ends at %lld, should at %lld\n", path,
			    policy_schedules[policy], i, (long long)jobs[i].start + jobs[i].run,
			    (long long)ends[i]);
		good = false;
	}
	return good;
}

/* Returns how many cases hold for one line of tiny/POLICIES: "bf_input.* easy conservative". */
static int cases_hold(const char *stem, const char *policies)
{
	char path[512], name[32];
	int checked = 0;

	for (unsigned p = 0; p < SIM_SLURM; p++) {
		snprintf(name, sizeof(name), " %s ", policy_schedules[p]);
		if (!strstr(policies, name))
			continue;
		for (int i = 0; i < 100; i++) {
			FILE *file;

			snprintf(path, sizeof(path), "%s/reference/schedules/tiny/%s%d.tsv",
				 getenv("FAIRTOP_SHARED"), stem, i);
			if (!(file = fopen(path, "r")))
				continue;
			fclose(file);
			assert_true(case_holds(path, (enum sim_policy)p));
			checked++;
		}
	}
	return checked;
}

static void small_cases(void **state)
{
	static const struct {
		const char *stem, *policies;
	} kinds[] = {
		{ "basic_input.", " fcfs easy conservative easy-sjbf " },
		{ "extreme_input.", " fcfs easy conservative easy-sjbf " },
		{ "fcfs_input.", " fcfs " },
		{ "bf_input.", " easy conservative " },
		{ "easy_bf_input.", " easy " },
		{ "cons_bf_input.", " conservative " },
		{ "sjbf.", " easy-sjbf " },
	};
	char path[512];
	int checked = 0;

	(void)state;
	reference("tiny/POLICIES", path, sizeof(path));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		checked += cases_hold(kinds[i].stem, kinds[i].policies);
	assert_true(checked >= 58);
}

/* ---- logs ---------------------------------------------------------------------------------- */

static struct import im;

static void read_log(const char *name)
{
	char path[512], file[64];
	struct err err = { .code = ERR_NONE };

	snprintf(file, sizeof(file), "%s.in.swf.gz", name);
	reference(file, path, sizeof(path));
	import_init(&im, &import_swf);
	if (!import_read(&im, path, &err))
		fail_msg("%s", err.message);
}

/* Simulates the log that read_log() read. */
static void play_log(struct sim_log *t, enum sim_policy policy, double estimates)
{
	struct sim_log_options o = SIM_LOG_OPTIONS_INIT;
	struct err err = { .code = ERR_NONE };

	o.procs = im.procs;
	o.estimates = estimates;
	if (!sim_log_make(t, im.replay, &o, &err))
		fail_msg("%s", err.message);
	run(t->jobs, t->count, policy, im.procs);
}

/* Returns how many jobs of T start at another time than in the reference, one per line. */
static uint32_t count_moved(const struct sim_log *t, const char *path)
{
	struct err err = { .code = ERR_NONE };
	struct lines *l = lines_open(path, &err);
	uint32_t at = 0, moved = 0;
	struct slice line;

	assert_non_null(l);
	while (lines_next(l, &line, &err) == LINES_LINE) {
		char text[128];
		unsigned id;
		long long start;

		snprintf(text, sizeof(text), "%.*s", SLICE_PRINT(line));
		if (sscanf(text, "%u %*d %lld", &id, &start) != 2)
			continue;
		assert_true(at < t->count);
		assert_int_equal(replay_job(im.replay, t->source[at])->id, id);
		moved += t->jobs[at++].start != start;
	}
	lines_close(l);
	assert_int_equal(at, t->count);
	return moved;
}

static void log_is_exact(const char *name)
{
	static const char *const files[SIM_POLICIES] = {
		"fcfs", "easy", "easy_sjbf", "conservative"
	};
	char path[512], file[64];
	struct sim_log t;

	read_log(name);
	for (unsigned p = 0; p < SIM_SLURM; p++) {
		play_log(&t, (enum sim_policy)p, 1);
		snprintf(file, sizeof(file), "%s.%s.pyss.tsv.gz", name, files[p]);
		assert_int_equal(count_moved(&t, reference(file, path, sizeof(path))), 0);
		sim_log_free(&t);
	}
	import_free(&im);
}

static void log_of_kth(void **state)
{
	(void)state;
	log_is_exact("KTH");
}

static void log_of_metacentrum(void **state)
{
	(void)state;
	log_is_exact("METAWAGAP");
}

static void log_of_curie(void **state)
{
	(void)state;
	log_is_exact("CURIE30k");
}

/* Returns how many of T's first COUNT jobs start at another time than under OTHER. */
static uint32_t moved_from(const struct sim_log *t, uint32_t count, enum sim_policy other)
{
	struct sim_job *jobs = mem_alloc(count, sizeof(*jobs));
	uint32_t moved = 0;

	memcpy(jobs, t->jobs, count * sizeof(*jobs));
	run(jobs, count, other, im.procs);
	run(t->jobs, count, SIM_PBS, im.procs);
	for (uint32_t i = 0; i < count; i++)
		moved += jobs[i].start != t->jobs[i].start;
	mem_free(jobs);
	return moved;
}

/*
 * PBS with strict_ordering in the order of submission equals fcfs without calendared jobs, and
 * nearly easy with one: PBS runs once a second, easy after each event. On the whole log 0 and 456
 * of 28481 jobs differ.
 */
static void pbs_on_log(void **state)
{
	struct sim_log t;

	(void)state;
	read_log("KTH");
	play_log(&t, SIM_FCFS, 1);
	pbs.strict_ordering = true;
	pbs.backfill_depth = 0;
	assert_int_equal(moved_from(&t, 1000, SIM_FCFS), 0);
	pbs.backfill_depth = 1;
	assert_true(moved_from(&t, 1000, SIM_EASY) <= 20);
	pbs.strict_ordering = false;
	assert_true(moved_from(&t, 1000, SIM_EASY) > 20);
	sim_log_free(&t);
	import_free(&im);
}

/* E. Gaussier, D. Glesser, V. Reis, D. Trystram, SC'15: the paper's data, KTH-SP2. */
static void published(void **state)
{
	static const struct {
		enum sim_policy policy;
		double estimates, slowdown;
	} rows[] = {
		{ SIM_EASY, 1, 92.5765397336295 },
		{ SIM_EASY_SJBF, 1, 69.4054005803035 },
		{ SIM_EASY_SJBF, 0, 49.8477189313406 },
		{ SIM_EASY_SJBF, 2, 58.9125322399729 },
	};

	(void)state;
	read_log("KTH");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct backtest b = { .count = 0 };
		struct sim_log t;

		play_log(&t, rows[i].policy, rows[i].estimates);
		assert_true(backtest_add(&b, "it", &t, im.replay, im.procs, NULL, NULL));
		assert_true(fabs(b.rows[0].slowdown / rows[i].slowdown - 1) <= 1e-12);
		if (i == 0)
			assert_true(fabs(b.rows[0].response / 15696.7981812436 - 1) <= 1e-12);
		backtest_free(&b);
		sim_log_free(&t);
	}
	import_free(&im);
}

/* ---- by hand ------------------------------------------------------------------------------- */

/*
 * Ten processors. Job 0 has 6 until 100, job 1 needs 8 and is promised 100. Of the others, 2 and 3
 * end exactly at 100, 4 ends later but fits in the 2 that job 1 leaves over, and 5 does not fit.
 */
static void shadow_by_hand(void **state)
{
	static const struct sim_job given[] = {
		{ 0, 0, 100, 100, 6, 0 }, { 1, 0, 10, 10, 8, 0 }, { 2, 0, 98, 98, 1, 0 },
		{ 3, 0, 97, 97, 2, 0 }, { 4, 0, 500, 500, 1, 0 }, { 5, 0, 500, 500, 2, 0 },
	};
	static const int64_t starts[SIM_POLICIES][6] = {
		[SIM_FCFS] = { 0, 100, 100, 110, 110, 110 },
		[SIM_EASY] = { 0, 100, 2, 3, 4, 110 },
		[SIM_EASY_SJBF] = { 0, 100, 2, 3, 4, 110 },
		[SIM_CONSERVATIVE] = { 0, 100, 2, 3, 4, 110 },
	};

	(void)state;
	for (unsigned p = 0; p < SIM_SLURM; p++) {
		struct sim_job jobs[6];

		memcpy(jobs, given, sizeof(jobs));
		run(jobs, 6, (enum sim_policy)p, 10);
		for (uint32_t i = 0; i < 6; i++)
			assert_int_equal(jobs[i].start, starts[p][i]);
	}
}

/* The same under PBS: not strict, strict, and strict with a calendared start for job 1. */
static void pbs_by_hand(void **state)
{
	static const struct sim_job given[] = {
		{ 0, 0, 100, 100, 6, 0 }, { 1, 0, 10, 10, 8, 0 }, { 2, 0, 98, 98, 1, 0 },
		{ 3, 0, 500, 500, 3, 0 }, { 4, 0, 97, 500, 1, 0 }, { 5, 0, 10, 10, 10, 0 },
	};
	static const int64_t starts[][6] = {
		{ 0, 503, 2, 3, 100, 513 },	/* job 3 takes what job 1 needs */
		{ 0, 100, 100, 110, 110, 610 },
		{ 0, 100, 2, 110, 4, 610 },
	};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct sim_job jobs[6];

		memcpy(jobs, given, sizeof(jobs));
		pbs.strict_ordering = i > 0;
		pbs.backfill_depth = i == 2;
		run(jobs, 6, SIM_PBS, 10);
		for (uint32_t k = 0; k < 6; k++)
			assert_int_equal(jobs[k].start, starts[i][k]);
	}
	pbs.strict_ordering = false;
	pbs.backfill_depth = 1;
}

/*
 * One processor, which job 0 of user a has until 100. By -walltime the shortest job is next, with
 * fair_share that of the user with the least usage: the users are a b e e b a (site_of()).
 */
static void pbs_order_by_hand(void **state)
{
	static const struct sim_job given[] = {
		{ 0, 0, 100, 100, 1, 0 }, { 1, 0, 30, 30, 1, 0 }, { 2, 0, 50, 50, 1, 0 },
		{ 3, 0, 10, 10, 1, 0 }, { 4, 0, 5, 5, 1, 0 }, { 5, 0, 40, 40, 1, 0 },
	};
	static const int64_t by_length[] = { 0, 115, 185, 105, 100, 145 };
	static const int64_t by_share[] = { 0, 100, 130, 185, 180, 195 };
	struct sim_job jobs[6];

	(void)state;
	memcpy(jobs, given, sizeof(jobs));
	pbs.formula = "-walltime";
	run(jobs, 6, SIM_PBS, 1);
	for (uint32_t k = 0; k < 6; k++)
		assert_int_equal(jobs[k].start, by_length[k]);
	pbs.formula = "";
	pbs.fair_share = true;
	memcpy(jobs, given, sizeof(jobs));
	run(jobs, 6, SIM_PBS, 1);
	for (uint32_t k = 0; k < 6; k++)
		assert_int_equal(jobs[k].start, by_share[k]);
	pbs.fair_share = false;
}

/* Logs have no groups and projects: limits on these hold no job. Jobs 0 and 5 are of user a. */
static void pbs_limits_by_hand(void **state)
{
	struct sim_job jobs[] = {
		{ 0, 0, 100, 100, 1, 0 }, { 1, 0, 9, 9, 1, 0 }, { 2, 0, 9, 9, 1, 0 },
		{ 3, 0, 9, 9, 1, 0 },
		{ 4, 0, 9, 9, 1, 0 }, { 5, 0, 9, 9, 1, 0 },
	};

	(void)state;
	pbs.limits[0] = "max_run=[g:PBS_GENERIC=1],[u:a=1],[p:x=0]";
	pbs.limits[1] = "max_group_run=1";
	run(jobs, 6, SIM_PBS, 10);
	for (uint32_t k = 0; k < 6; k++)
		assert_int_equal(jobs[k].start, k < 5 ? k : 100);
	pbs.limits[0] = NULL;
}

/* A single job, started by the first cycle, every 600 s, in which it exceeds the threshold. */
static void pbs_threshold_by_hand(void **state)
{
	struct sim_job job = { 0, 0, 100, 100, 1, 0 };

	(void)state;
	pbs.formula = "eligible_time";
	pbs.threshold = "1200";
	run(&job, 1, SIM_PBS, 10);
	assert_int_equal(job.start, 1800);
	pbs.formula = pbs.threshold = "";
}

/* ---- properties of every schedule ---------------------------------------------------------- */

#define JOBS 400

static void generate(struct sim_job *jobs, uint64_t seed, uint32_t procs)
{
	uint64_t dice = dice_stream(seed, 1);
	int64_t now = 1000;

	for (uint32_t i = 0; i < JOBS; i++) {
		now += dice_below(&dice, 40);
		jobs[i] = (struct sim_job){ .submit = now,
					    .estimate = 1 + dice_below(&dice, 300),
					    .procs = 1 + dice_below(&dice, procs) };
		jobs[i].run = 1 + dice_below(&dice, jobs[i].estimate);
	}
}

/* No job starts before its submission, and jobs never use more than PROCS. */
static void check_possible(const struct sim_job *jobs, uint32_t procs)
{
	for (uint32_t i = 0; i < JOBS; i++) {
		uint64_t used = 0;

		assert_true(jobs[i].start >= jobs[i].submit);
		for (uint32_t k = 0; k < JOBS; k++)
			used += jobs[k].start <= jobs[i].start &&
				jobs[i].start < sim_end(&jobs[k]) ? jobs[k].procs : 0;
		assert_true(used <= procs);
	}
}

static void possible(void **state)
{
	struct sim_job jobs[JOBS], again[JOBS];

	(void)state;
	for (uint64_t seed = 0; seed < 40; seed++) {
		uint32_t procs = 4 + (uint32_t)seed;

		/* Making a picture for each cycle of pbs is slow. */
		for (unsigned p = 0; p < SIM_POLICIES - (seed > 2); p++) {
			generate(jobs, seed, procs);
			memcpy(again, jobs, sizeof(jobs));
			run(jobs, JOBS, (enum sim_policy)p, procs);
			check_possible(jobs, procs);
			run(again, JOBS, (enum sim_policy)p, procs);
			assert_memory_equal(jobs, again, sizeof(jobs));
			for (uint32_t i = 1; p == SIM_FCFS && i < JOBS; i++)
				assert_true(jobs[i].start >= jobs[i - 1].start);
		}
	}
}

/*
 * A job that is first when submitted is not delayed by later ones: under easy, with exact
 * estimates, removing all later jobs does not make it start earlier.
 */
static void head_is_not_delayed(void **state)
{
	struct sim_job jobs[JOBS], alone[JOBS];
	uint32_t heads = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 10; seed++) {
		generate(jobs, seed, 16);
		for (uint32_t i = 0; i < JOBS; i++)
			jobs[i].run = jobs[i].estimate;
		memcpy(alone, jobs, sizeof(jobs));
		run(jobs, JOBS, SIM_EASY, 16);
		for (uint32_t i = 1; i < JOBS; i++) {
			bool head = true;

			for (uint32_t k = 0; k < i; k++)
				head = head && jobs[k].start <= jobs[i].submit;
			if (!head || jobs[i].start == jobs[i].submit)
				continue;
			run(alone, i + 1, SIM_EASY, 16);
			assert_int_equal(jobs[i].start, alone[i].start);
			heads++;
		}
	}
	assert_true(heads > 10);
}

static bool stop_at_once(void *context, uint32_t ended, uint32_t jobs)
{
	(void)context;
	(void)ended;
	(void)jobs;
	return false;
}

/* A run can stop at each event; one event of pbs is a whole cycle. */
static void can_be_stopped(void **state)
{
	struct sim_job jobs[] = { { 0, 0, 1, 1, 1, 0 }, { 5, 0, 1, 1, 1, 0 } };
	struct sim_options o = { .policy = SIM_EASY, .procs = 1, .progress = stop_at_once };
	struct err err = { .code = ERR_NONE };

	(void)state;
	assert_false(sim_run(jobs, 2, &o, &err));
	assert_string_equal(err.message, "stopped after 0 of 2 jobs");
}

/*
 * Six jobs of two CPUs and 100 s that all fit at once, of the users a b e e b a: limits spread
 * their starts over hundreds of seconds.
 */
static void limits_by_hand(void **state)
{
	static const uint32_t none = U32_UNKNOWN;
	static const struct {
		const char *enforce;
		uint32_t cpus, grp_jobs, max_jobs, qos_jobs, user_cpus;
		const char *hundreds, *note;
	} cases[] = {
		{ NULL, none, none, none, none, none, "000000", "are unknown: none is enforced" },
		{ NULL, none, none, 1, none, none, "000001", "" },
		{ NULL, 5, none, none, none, none, "001122", "" },
		{ NULL, none, 1, none, none, none, "012345", "" },
		{ NULL, none, none, none, 3, none, "000111", "" },
		{ NULL, none, none, none, none, 2, "000111", "" },
		{ NULL, none, 1, 1, 3, none, "000111", "" },	/* the QOS overrides */
		{ "associations,limits", none, 1, none, none, none, "012345", "" },
		{ "associations", none, 1, none, none, none, "000000", "does not list limits" },
		{ NULL, 1, none, none, none, none, "000000", "6 jobs are above a limit" },
	};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		for (int builtin = 0; builtin < 2; builtin++) {
			struct sim_job jobs[6];
			char hundreds[7] = "";

			for (int64_t i = 0; i < 6; i++)
				jobs[i] = (struct sim_job){ .submit = i, .run = 100,
							    .estimate = 100, .procs = 2 };
			limits.set = true;
			limits.enforce = cases[k].enforce;
			limits.cpus = cases[k].cpus;
			limits.grp_jobs = cases[k].grp_jobs;
			limits.max_jobs = cases[k].max_jobs;
			limits.qos_jobs = cases[k].qos_jobs;
			limits.user_cpus = cases[k].user_cpus;
			run(jobs, 6, builtin ? SIM_SLURM_BUILTIN : SIM_SLURM, 12);
			for (int i = 0; i < 6; i++)
				hundreds[i] = (char)('0' + jobs[i].start / 100);
			if (strcmp(hundreds, cases[k].hundreds) != 0)
				fail_msg("case %zu: %s", k, hundreds);
			if (cases[k].note[0] ? !strstr(limits.note, cases[k].note) :
			    limits.note[0] != '\0')
				fail_msg("case %zu: \"%s\"", k, limits.note);
			limits.set = false;
		}
	}
}

/* Nodes with unknown CPUs run no job; a job that needs them never starts. */
static void never_begins(void **state)
{
	struct replay *r = replay_new();
	struct cluster *plain = site_of(r, 2, 8), *c;
	struct builder *b = cluster_copy(plain);
	struct sim_job jobs[] = { { .run = 1, .estimate = 1, .procs = 8 },
				  { .run = 1, .estimate = 1, .procs = 9 } };
	uint32_t source[] = { 0, 1 };
	struct sim_log t = { .jobs = jobs, .count = 2, .source = source };
	struct sim_options o = { .policy = SIM_SLURM, .procs = 9 };
	struct err err = { .code = ERR_NONE };
	struct past past;

	(void)state;
	builder_add(b, TABLE_HOST);
	c = builder_seal(b, &err);
	assert_true(past_make(&past, c, &t, r, 9, true, &err));
	assert_int_equal(past.places[past.place_count - 1].count, 2);
	o.past = &past;
	assert_false(sim_run(jobs, 2, &o, &err));
	assert_string_equal(err.message, "1 of 2 jobs never start under slurm");
	past_free(&past);
	assert_false(past_make(&past, c, &t, r, UINT32_MAX, false, &err));
	assert_string_equal(err.message,
			    "4294967295 processors are too many for the policies of schedulers");
	past_free(&past);
	jobs[1].submit = INT64_C(1000000000000000);
	assert_false(past_make(&past, c, &t, r, 9, true, &err));
	assert_non_null(strstr(err.message, "more than 50000000 decay passes"));
	past_free(&past);
	cluster_free(c);
	cluster_free(plain);
	replay_free(r);
}

/* A job in two partitions with unknown priorities counts as one job. */
static void no_terms(void **state)
{
	struct replay *r = replay_new();
	struct cluster *plain = site_of(r, 0, 8), *c;
	struct builder *b = cluster_copy(plain);
	struct replay_job given = REPLAY_JOB_INIT;
	struct sim_job job = { .run = 1, .estimate = 1, .procs = 1 };
	uint32_t source = 0;
	struct sim_log t = { .jobs = &job, .count = 1, .source = &source };
	struct err err = { .code = ERR_NONE };
	struct past past;

	(void)state;
	given.assoc = replay_assoc(r, replay_text(r, "all", 3), replay_text(r, "a", 1), 0);
	given.partition = replay_text(r, "p,q", 3);
	replay_add(r, &given);
	strcpy(builder_policy(b)->type, "priority/multifactor");
	builder_policy(b)->weight[PRIO_PARTITION] = 100;
	builder_str(b, F_PARTITION_NAME, builder_add(b, TABLE_PARTITION), "p");
	builder_str(b, F_PARTITION_NAME, builder_add(b, TABLE_PARTITION), "q");
	c = builder_seal(b, &err);
	assert_true(past_make(&past, c, &t, r, 8, true, &err));
	assert_int_equal(past.no_terms, 1);
	past_free(&past);
	cluster_free(c);
	cluster_free(plain);
	replay_free(r);
}

/* Values that slurmctld refuses, or that would overflow, are ignored. */
static void odd_parameters(void **state)
{
	static struct policy policy;
	struct backfill_options o;

	(void)state;
	strcpy(policy.scheduler_parameters, "bf_interval=9000000000000000000,bf_max_job_test=0,"
	       "bf_max_job_user=0,bf_window=9000000000000000000,bf_resolution=-1");
	backfill_options_of(&policy, &o);
	assert_int_equal(o.interval, 30);
	assert_int_equal(o.window, 86400);
	assert_int_equal(o.resolution, 60);
	assert_int_equal(o.max_job_test, 500);
	assert_int_equal(o.max_job_user, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_cases),
		cmocka_unit_test(log_of_kth),
		cmocka_unit_test(log_of_metacentrum),
		cmocka_unit_test(log_of_curie),
		cmocka_unit_test(published),
		cmocka_unit_test(pbs_on_log),
		cmocka_unit_test(shadow_by_hand),
		cmocka_unit_test(pbs_by_hand),
		cmocka_unit_test(pbs_order_by_hand),
		cmocka_unit_test(pbs_limits_by_hand),
		cmocka_unit_test(pbs_threshold_by_hand),
		cmocka_unit_test(possible),
		cmocka_unit_test(head_is_not_delayed),
		cmocka_unit_test(can_be_stopped),
		cmocka_unit_test(limits_by_hand),
		cmocka_unit_test(never_begins),
		cmocka_unit_test(no_terms),
		cmocka_unit_test(odd_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
