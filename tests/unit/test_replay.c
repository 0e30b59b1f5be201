/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay: the usage of every association against a real slurmctld's after each of four decay
 * passes, to nine digits; against a plain simulation job by job on random logs; and what the
 * pictures show.
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

#include "core/share/decay.h"
#include "core/base/dice.h"
#include "core/replay/audit.h"
#include "core/replay/replay.h"
#include "tests/support/data.h"
#include "tests/support/lab.h"
#include "tui/base/zone.h"

static bool drop(void *context, struct cluster *c, struct err *err)
{
	(void)err;
	if (context)
		++*(uint32_t *)context;
	cluster_free(c);
	return true;
}

static struct cluster *last;

static bool keep(void *context, struct cluster *c, struct err *err)
{
	(void)context;
	(void)err;
	cluster_free(last);
	last = c;
	return true;
}

static void run(struct replay *r, const struct replay_options *o, replay_sample *sample,
		void *context)
{
	struct err err = { 0 };

	if (!replay_run(r, o, sample, context, &err))
		fail_msg("%s", err.message);
}

/* ---- a real slurmctld ---------------------------------------------------------------------- */

#define PASSES 4
#define ROWS_MAX 200

struct recorded {
	int64_t half_life, passes[PASSES];
	size_t pass_count, assocs, jobs;
	struct {
		uint32_t id, parent;
		double usage[PASSES];
	} assoc[ROWS_MAX];
	struct {
		uint32_t assoc;
		int64_t start, end;
		double billing, factor;
	} job[ROWS_MAX];
	struct cluster *tree;
};

static void read_assoc(struct recorded *rec, struct builder *b, char **word)
{
	uint32_t row = builder_add(b, TABLE_ASSOC);
	size_t i = rec->assocs++;

	assert_true(i < ROWS_MAX);
	rec->assoc[i].id = (uint32_t)atoi(word[1]);
	rec->assoc[i].parent = (uint32_t)atoi(word[2]);
	builder_u32(b, F_ASSOC_ID, row, rec->assoc[i].id);
	if (word[2][0] != '-')
		builder_u32(b, F_ASSOC_PARENT, row, rec->assoc[i].parent);
	builder_str(b, F_ASSOC_ACCOUNT, row, word[3]);
	if (word[4][0] != '-')
		builder_str(b, F_ASSOC_USER, row, word[4]);
	if (word[5][0] != '-')
		builder_str(b, F_ASSOC_PARTITION, row, word[5]);
	builder_u32(b, F_ASSOC_SHARES, row, 1);
	for (size_t p = 0; p < PASSES; p++)
		rec->assoc[i].usage[p] = strtod(word[6 + p], NULL);
}

static void read_job(struct recorded *rec, char **word)
{
	size_t i = rec->jobs++;

	assert_true(i < ROWS_MAX);
	rec->job[i].assoc = (uint32_t)atoi(word[2]);
	rec->job[i].start = atoll(word[3]);
	rec->job[i].end = word[4][0] == '-' ? I64_UNKNOWN : atoll(word[4]);
	rec->job[i].billing = strtod(word[5], NULL);
	rec->job[i].factor = strtod(word[6], NULL);
}

static void read_recorded(struct recorded *rec)
{
	char path[512], line[1024], *word[16], *rest;
	FILE *f = fopen(data_path("replay/evolution.tsv", path, sizeof(path)), "r");
	struct builder *b = builder_new();

	memset(rec, 0, sizeof(*rec));
	if (!f)
		fail_msg("%s cannot be read", path);
	while (fgets(line, sizeof(line), f)) {
		size_t n = 0;

		for (char *w = strtok_r(line, "\t\n", &rest); w && n < 16;
		     w = strtok_r(NULL, "\t\n", &rest))
			word[n++] = w;
		if (n == 2 && strcmp(word[0], "half-life") == 0)
			rec->half_life = atoll(word[1]);
		else if (n == 2 && strcmp(word[0], "pass") == 0)
			rec->passes[rec->pass_count++] = atoll(word[1]);
		else if (n == 6 + PASSES)
			read_assoc(rec, b, word);
		else if (n == 7 && strcmp(word[0], "job") == 0)
			read_job(rec, word);
	}
	fclose(f);
	rec->tree = lab_sealed(b);
	assert_true(rec->assocs > 50 && rec->jobs > 20 && rec->pass_count == PASSES);
}

static size_t recorded_at(const struct recorded *rec, uint32_t id)
{
	size_t i = 0;

	while (i < rec->assocs && rec->assoc[i].id != id)
		i++;
	assert_true(i < rec->assocs);
	return i;
}

/* Returns an account's usage without its children's. */
static double own_usage(const struct recorded *rec, size_t i)
{
	double own = rec->assoc[i].usage[0];

	for (size_t k = 0; k < rec->assocs; k++) {
		if (rec->assoc[k].parent == rec->assoc[i].id && k != i)
			own -= rec->assoc[k].usage[0];
	}
	return own;
}

static struct replay *replay_of(const struct recorded *rec)
{
	struct replay *r = replay_new();

	replay_tree(r, rec->tree);
	for (uint32_t row = 0; row < cluster_rows(rec->tree, TABLE_ASSOC); row++) {
		uint32_t id = cluster_u32(rec->tree, F_ASSOC_ID, row);

		replay_usage(r, row, own_usage(rec, recorded_at(rec, id)));
	}
	for (size_t i = 0; i < rec->jobs; i++) {
		struct replay_job job = REPLAY_JOB_INIT;

		job.start = rec->job[i].start;
		job.end = rec->job[i].end;
		job.billing = rec->job[i].billing;
		job.factor = rec->job[i].factor;
		job.assoc = cluster_assoc_by_id(rec->tree, rec->job[i].assoc);
		replay_add(r, &job);
	}
	return r;
}

/* The recording has usage with six decimals. */
static void equals_slurmctld_at_every_pass(void **state)
{
	struct recorded *rec = calloc(1, sizeof(*rec));

	(void)state;
	read_recorded(rec);
	for (size_t p = 1; p < PASSES; p++) {
		struct replay_options o = REPLAY_OPTIONS_INIT;
		struct replay *r = replay_of(rec);
		double worst = 0;

		o.half_life = rec->half_life;
		o.since = rec->passes[0];
		o.passes = rec->passes + 1;
		o.pass_count = p;
		run(r, &o, NULL, NULL);
		for (uint32_t row = 0; row < cluster_rows(rec->tree, TABLE_ASSOC); row++) {
			uint32_t id = cluster_u32(rec->tree, F_ASSOC_ID, row);
			double theirs = rec->assoc[recorded_at(rec, id)].usage[p];
			double off = fabs(replay_used(r, row) - theirs);

			worst = fmax(worst, (off - 2e-6) / fmax(theirs, 1));
		}
		print_message("pass %zu: worst %g of the usage\n", p, worst);
		assert_true(worst <= 1e-9);
		replay_free(r);
	}
	cluster_free(rec->tree);
	free(rec);
}

/* ---- job by job ---------------------------------------------------------------------------- */

#define JOBS 300
#define ACCOUNTS 5
#define USERS 4
#define SINCE (1036800 - 3000)		/* before a midnight (UTC) */

/* The decay settings step by step: each job alone, at each pass; RESET zeroes earlier usage. */
static double simulate(const struct replay_job *job, int64_t half_life, const int64_t *passes,
		       size_t count, int64_t since, int64_t reset)
{
	double usage = 0;
	int64_t before = since;

	for (size_t p = 0; p < count; p++) {
		int64_t from = job->start > before ? job->start : before;
		bool ends = job->end != I64_UNKNOWN && job->end <= passes[p] &&
			job->end >= before;

		if (ends && !(job->end == before && job->start < before))
			usage += decay_charge(half_life, job->end - from, job->billing,
					      job->factor);
		usage *= before < reset && passes[p] >= reset ?
			0 : decay_over(half_life, passes[p] - before);
		if (job->end == I64_UNKNOWN || job->end > passes[p])
			usage += decay_charge(half_life, passes[p] - from, job->billing,
					      job->factor);
		before = passes[p];
	}
	return usage;
}

/* The same in closed form; the audit finds nothing in an untouched log. */
static void audit_random(struct replay *r, const struct replay_job *jobs, const int64_t *passes)
{
	struct replay *again = replay_new();
	struct audit_options o = { .held = last, .since = SINCE, .passes = passes,
				   .pass_count = 60, .calendar = &zone_local, .tolerance = 1e-12 };
	struct err err = { 0 };
	struct audit *a;

	replay_tree(again, last);
	for (size_t i = 0; i < JOBS; i++) {
		const char *account = replay_account(r, jobs[i].assoc);
		const char *user = replay_user(r, jobs[i].assoc);
		struct replay_job job = jobs[i];

		job.assoc = replay_assoc(again, replay_text(again, account, strlen(account)),
					 replay_text(again, user, strlen(user)), 0);
		replay_add(again, &job);
	}
	a = audit_run(again, &o, &err);
	if (!a)
		fail_msg("%s", err.message);
	assert_int_equal(a->count, replay_assocs(r));
	assert_false(a->differs);
	for (uint32_t i = 0; i < a->count; i++) {
		assert_true(a->rows[i].reason == 0);
		assert_true(fabs(a->rows[i].held - a->rows[i].charged) <=
			    1e-11 * a->rows[i].charged);
	}
	audit_free(a);
	replay_free(again);
	cluster_free(last);
	last = NULL;
}

static void compare_random(uint64_t seed, bool daily)
{
	struct replay *r = replay_new();
	struct replay_options o = REPLAY_OPTIONS_INIT;
	double expected[64] = { 0 }, root = 0;
	struct replay_job jobs[JOBS];
	int64_t passes[60];

	o.half_life = 3600;
	for (size_t p = 0; p < 60; p++)
		passes[p] = (p ? passes[p - 1] : SINCE) + 1 + dice_below(&seed, 200);
	o.passes = passes;
	o.pass_count = 60;
	o.since = SINCE;
	o.reset_period = daily ? "DAILY" : NULL;
	o.calendar = &zone_local;
	for (size_t i = 0; i < JOBS; i++) {
		struct replay_job job = REPLAY_JOB_INIT;
		char account[16], user[16];

		snprintf(account, sizeof(account), "a%u", dice_below(&seed, ACCOUNTS));
		snprintf(user, sizeof(user), "u%u", dice_below(&seed, USERS));
		job.assoc = replay_assoc(r, replay_text(r, account, strlen(account)),
					 replay_text(r, user, strlen(user)), 0);
		job.start = SINCE + dice_below(&seed, 6000);
		job.end = dice_below(&seed, 5) ? job.start + dice_below(&seed, 1500) : I64_UNKNOWN;
		job.billing = 0.25 * (1 + dice_below(&seed, 100));
		job.factor = 0.5 * dice_below(&seed, 4);
		replay_add(r, &job);
		jobs[i] = job;
	}
	run(r, &o, keep, NULL);
	audit_random(r, jobs, passes);
	for (size_t i = 0; i < JOBS; i++) {
		double usage = simulate(&jobs[i], o.half_life, passes, 60, o.since,
					daily ? 1036800 : INT64_MAX);

		expected[jobs[i].assoc] += usage;
		root += usage;
	}
	assert_true(root > 1000);
	for (uint32_t a = 1; a < replay_assocs(r); a++) {
		if (expected[a] > 0)	/* users; the root's sum checks the accounts */
			assert_true(fabs(replay_used(r, a) - expected[a]) <= 1e-11 * expected[a]);
	}
	assert_true(fabs(replay_used(r, 0) - root) <= 1e-11 * root);
	replay_free(r);
}

static void equals_a_simulation_job_by_job(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++)
		compare_random(seed, seed % 2);
}

/* ---- pictures ------------------------------------------------------------------------------ */

static uint32_t add_job(struct replay *r, uint32_t id, int64_t submit, int64_t start, int64_t end)
{
	struct replay_job job = REPLAY_JOB_INIT;

	job.id = id;
	job.submit = submit;
	job.start = start;
	job.end = end;
	job.billing = 2;
	job.limit = 500;
	job.state = replay_text(r, "TIMEOUT", 7);
	job.assoc = replay_assoc(r, replay_text(r, "physics", 7), replay_text(r, "alice", 5), 0);
	return replay_add(r, &job);
}

struct seen {
	int64_t times[16];
	char states[16][64];	/* "1:PENDING 2:RUNNING" */
	size_t count;
};

static bool see(void *context, struct cluster *c, struct err *err)
{
	struct seen *seen = context;
	size_t n = seen->count++, used = 0;

	(void)err;
	assert_true(n < 16);
	seen->times[n] = cluster_meta(c)->time;
	for (uint32_t j = 0; j < cluster_rows(c, TABLE_JOB); j++)
		used += (size_t)snprintf(seen->states[n] + used, sizeof(seen->states[n]) - used,
					 "%s%u:%s", j ? " " : "", cluster_u32(c, F_JOB_ID, j),
					 cluster_text(c, F_JOB_STATE, j));
	cluster_free(c);
	return true;
}

static void jobs_wait_and_run_as_they_did(void **state)
{
	struct replay *r = replay_new();
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct seen seen = { .count = 0 };

	(void)state;
	o.period = 100;
	add_job(r, 1, 1000, 1150, 1250);
	add_job(r, 2, 1010, 1020, 1030);	/* between two pictures */
	add_job(r, 3, 1100, I64_UNKNOWN, 1310);	/* never ran */
	run(r, &o, see, &seen);
	assert_int_equal(seen.count, 5);
	assert_int_equal(seen.times[4], 1400);
	assert_string_equal(seen.states[0], "1:PENDING");
	assert_string_equal(seen.states[1], "1:PENDING 2:TIMEOUT 3:PENDING");
	assert_string_equal(seen.states[2], "1:RUNNING 3:PENDING");
	assert_string_equal(seen.states[3], "1:TIMEOUT 3:PENDING");
	assert_string_equal(seen.states[4], "3:TIMEOUT");
	replay_free(r);
}

/* A picture shows nothing of the future. */
static void a_picture_knows_its_time_only(void **state)
{
	struct replay *r = replay_new();
	struct replay_options o = REPLAY_OPTIONS_INIT;
	const int64_t at_1100[] = { 1000, 1100 }, at_1200[] = { 1000, 1100, 1200 };
	const struct note note = { .subject = "usage", .text = "rebuilt" };

	(void)state;
	o.passes = at_1100;
	o.pass_count = 2;
	o.notes = &note;
	o.note_count = 1;
	o.kind = "swf";
	add_job(r, 1, 1000, 1150, 1250);
	run(r, &o, keep, NULL);
	assert_true(cluster_i64(last, F_JOB_START, 0) == I64_UNKNOWN);
	assert_true(cluster_i64(last, F_JOB_END, 0) == I64_UNKNOWN);
	assert_string_equal(cluster_note(last, 0).text, "rebuilt");
	assert_int_equal(cluster_policy(last)->half_life, 7 * 86400);
	assert_true(cluster_f64(last, F_ASSOC_USAGE, 0) == 0);
	replay_free(r);

	r = replay_new();
	o.passes = at_1200;
	o.pass_count = 3;
	add_job(r, 1, 1000, 1150, 1250);
	run(r, &o, keep, NULL);
	assert_int_equal(cluster_i64(last, F_JOB_START, 0), 1150);
	assert_int_equal(cluster_i64(last, F_JOB_END, 0), 1650);	/* by its time limit */
	/* One slice of 50 s with 2 billable TRES: T q^T B. */
	assert_true(fabs(cluster_f64(last, F_ASSOC_USAGE, 0) -
			 50 * pow(1 - 0.693 / 604800, 50) * 2) < 1e-12);
	assert_int_equal(cluster_by_path(last, "/physics:alice"), 2);
	cluster_free(last);
	last = NULL;
	replay_free(r);
}

static void pictures_keep_their_distance(void **state)
{
	struct replay *r = replay_new();
	struct replay_options o = REPLAY_OPTIONS_INIT;
	uint32_t count = 0;

	(void)state;
	o.period = 60;
	o.every = 600;
	add_job(r, 1, 0, 0, 3600);
	run(r, &o, drop, &count);
	assert_int_equal(count, 7);
	replay_free(r);
}

static void refuses_what_has_no_time_or_too_much(void **state)
{
	struct replay *r = replay_new();
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct err err = { 0 };

	(void)state;
	assert_false(replay_run(r, &o, drop, NULL, &err));
	assert_non_null(strstr(err.message, "no job has a time"));
	add_job(r, 1, 0, 0, INT64_C(30000000000));
	o.period = 1;
	assert_false(replay_run(r, &o, drop, NULL, &err));
	assert_non_null(strstr(err.message, "passes"));
	replay_free(r);
}

static void partitions_are_told_apart(void **state)
{
	struct builder *b = builder_new();
	static const char *const partition[] = { NULL, NULL, NULL, "gpu" };
	struct replay *r = replay_new();
	uint32_t physics = replay_text(r, "physics", 7), alice = replay_text(r, "alice", 5);
	struct cluster *c;

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, 10 + i);
		if (i > 0)
			builder_u32(b, F_ASSOC_PARENT, row, i == 1 ? 10 : 11);
		builder_str(b, F_ASSOC_ACCOUNT, row, i ? "physics" : "root");
		builder_str(b, F_ASSOC_USER, row, i > 1 ? "alice" : NULL);
		builder_str(b, F_ASSOC_PARTITION, row, partition[i]);
	}
	c = lab_sealed(b);
	replay_tree(r, c);
	assert_int_equal(replay_assoc(r, physics, alice, 0), 2);
	assert_int_equal(replay_assoc(r, physics, alice, replay_text(r, "gpu", 3)), 3);
	assert_int_equal(replay_assoc(r, physics, alice, replay_text(r, "cpu", 3)), 2);
	assert_int_equal(replay_added(r), 0);
	replay_assoc(r, physics, replay_text(r, "bob", 3), 0);
	assert_int_equal(replay_added(r), 1);
	cluster_free(c);
	replay_free(r);
}

/* A given tree keeps its order; rows known only from the log come after it, by name. */
static void siblings_stand_by_name(void **state)
{
	static const char *const jobs[][2] = {
		{ "zoo", "mia" }, { "art", "zoe" }, { "art", "bob" }, { "zoo", "abe" },
		{ "physics", "zed" }, { "physics", "amy" },
	};
	static const char *const paths[] = {
		"/", "/physics", "/physics:walt", "/physics:amy", "/physics:zed", "/art",
		"/art:bob", "/art:zoe", "/zoo", "/zoo:abe", "/zoo:mia",
	};
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct replay *r = replay_new();
	struct builder *b = builder_new();
	struct cluster *tree;
	char path[64];

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, 1 + i);
		if (i > 0)
			builder_u32(b, F_ASSOC_PARENT, row, i);
		builder_str(b, F_ASSOC_ACCOUNT, row, i ? "physics" : "root");
		builder_str(b, F_ASSOC_USER, row, i > 1 ? "walt" : NULL);
	}
	tree = lab_sealed(b);
	replay_tree(r, tree);
	cluster_free(tree);
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct replay_job job = REPLAY_JOB_INIT;

		job.id = (uint32_t)i;
		job.submit = job.start = 1000;
		job.end = 1100;
		job.billing = (double)i + 1;
		job.assoc = replay_assoc(r, replay_text(r, jobs[i][0], strlen(jobs[i][0])),
					 replay_text(r, jobs[i][1], strlen(jobs[i][1])), 0);
		replay_add(r, &job);
	}
	run(r, &o, keep, NULL);
	assert_int_equal(cluster_rows(last, TABLE_ASSOC), sizeof(paths) / sizeof(paths[0]));
	for (uint32_t i = 0; i < cluster_rows(last, TABLE_ASSOC); i++) {
		cluster_path(last, i, path, sizeof(path));
		assert_string_equal(path, paths[i]);
	}
	/* Each has its own usage: zed's job is charged five times as much as mia's. */
	assert_true(fabs(cluster_f64(last, F_ASSOC_USAGE, 4) /
			 cluster_f64(last, F_ASSOC_USAGE, 10) - 5) < 1e-9);
	cluster_free(last);
	last = NULL;
	replay_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equals_slurmctld_at_every_pass),
		cmocka_unit_test(equals_a_simulation_job_by_job),
		cmocka_unit_test(jobs_wait_and_run_as_they_did),
		cmocka_unit_test(a_picture_knows_its_time_only),
		cmocka_unit_test(pictures_keep_their_distance),
		cmocka_unit_test(refuses_what_has_no_time_or_too_much),
		cmocka_unit_test(partitions_are_told_apart),
		cmocka_unit_test(siblings_stand_by_name),
	};

	setenv("TZ", "UTC", 1);	/* the zone of its data */
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
