/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The demo: the same text gives the same cluster on every machine (a recorded one is the judge),
 * it has something of everything, it grows, and it lives by the scheduler's rules.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "adapters/demo/state.h"
#include "adapters/snapshot/snapshot.h"
#include "core/decay.h"
#include "core/job_index.h"
#include "core/mem.h"
#include "core/text.h"
#include "core/unknown.h"
#include "tests/support/compare.h"
#include "tests/support/data.h"
#include "tests/support/equal.h"

#define HALF_LIFE (7 * 86400)	/* of data/demo.snapshot */
#define CALC_PERIOD 300
#define LICENSES 40

static struct demo_options parsed(const char *text)
{
	struct demo_options options;
	struct err err = { 0 };

	if (!demo_options_parse(text, &options, &err))
		fail_msg("%s: %s", text, err.message);
	return options;
}

static struct demo *demo_of(const char *text)
{
	struct demo_options options = parsed(text);

	return demo_new(&options);
}

static struct cluster *picture(const struct demo *d)
{
	struct err err = { 0 };
	struct cluster *c = demo_picture(d, &err);

	if (!c)
		fail_msg("%s", err.message);
	return c;
}

static struct cluster *first_picture(const char *text)
{
	struct demo *d = demo_of(text);
	struct cluster *c = picture(d);

	demo_free(d);
	return c;
}

/* ---- options ------------------------------------------------------------------------------- */

static void test_options(void **state)
{
	struct demo_options o = parsed("18446744073709551615,accounts=7,users=0,jobs=12,speed=0.5");

	(void)state;
	assert_true(o.seed == UINT64_MAX);
	assert_int_equal(o.accounts, 7);
	assert_int_equal(o.users, 0);
	assert_int_equal(o.jobs, 12);
	assert_true(o.speed == 0.5);
	o = parsed(NULL);
	assert_true(o.seed == 1 && o.accounts == 40 && o.users == 150 && o.jobs == 300);
	assert_true(o.speed == 20);
	assert_true(parsed("").seed == 1);
	assert_true(parsed("7").seed == 7);
	assert_true(parsed("users=3").users == 3);
	assert_true(parsed(",users=3").users == 3);
}

static void test_bad_options(void **state)
{
	static const char *const bad[] = {
		"x", "-1", "18446744073709551616", "1,", "1,accounts", "1,accounts=",
		"1,accounts=-3", "1,accounts=1000001", "1,users=1e3", "1,jobs= 3", "1,speed=",
		"1,speed=fast", "1,speed=-1", "1,speed=100001", "1,speed=1e9", "1,speed=1.2.3",
		"1,colour=3", "1,2", "accounts=3 ", "1,accounts=99999999999999999999999",
		"1,speed=nan", "1,speed=inf", "users=4000001", "jobs=1000001",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct demo_options options;
		struct err err = { 0 };

		if (demo_options_parse(bad[i], &options, &err) || err.code != ERR_INPUT)
			fail_msg("\"%s\" was taken", bad[i]);
		err_clear(&err);
		assert_null(demo_source.open(bad[i], &err));
	}
}

/* ---- the plan ------------------------------------------------------------------------------ */

static bool append(void *context, const char *bytes, size_t length, struct err *err)
{
	(void)err;
	return fwrite(bytes, 1, length, context) == length;
}

/* Byte for byte what was recorded once; a change of the demo must be made on purpose. */
static void test_recorded(void **state)
{
	struct cluster *c = first_picture(NULL);
	char path[1200], *is, *should;
	size_t is_length, should_length = 0;
	FILE *memory = open_memstream(&is, &is_length), *file;

	(void)state;
	assert_true(snapshot_write(c, (struct sink){ append, memory }, NULL));
	fclose(memory);
	file = fopen(data_path("demo.snapshot", path, sizeof(path)), "r");
	assert_non_null(file);
	should = mem_alloc(is_length + 1, 1);
	should_length = fread(should, 1, is_length + 1, file);
	fclose(file);
	for (size_t i = 0; i < is_length && i < should_length; i++)
		if (is[i] != should[i])
			fail_msg("differs from %s: %.200s", path, is + i);
	assert_int_equal(is_length, should_length);
	mem_free(should);
	free(is);
	cluster_free(c);
}

static void test_seeds(void **state)
{
	struct cluster *a = first_picture("1"), *b = first_picture("1"), *c = first_picture("2");

	(void)state;
	assert_true(equal_clusters(a, b));
	assert_false(cluster_f64(a, F_ASSOC_USAGE, 0) == cluster_f64(c, F_ASSOC_USAGE, 0));
	cluster_free(a);
	cluster_free(b);
	cluster_free(c);
}

/* More jobs are more jobs, on the same tree. */
static void test_streams_are_apart(void **state)
{
	struct cluster *a = first_picture("5,jobs=10"), *b = first_picture("5,jobs=500");

	(void)state;
	assert_int_equal(cluster_rows(a, TABLE_ASSOC), cluster_rows(b, TABLE_ASSOC));
	for (uint32_t i = 0; i < cluster_rows(a, TABLE_ASSOC); i++) {
		assert_string_equal(cluster_text(a, F_ASSOC_ACCOUNT, i),
				    cluster_text(b, F_ASSOC_ACCOUNT, i));
		assert_true(cluster_f64(a, F_ASSOC_USAGE, i) == cluster_f64(b, F_ASSOC_USAGE, i));
	}
	cluster_free(a);
	cluster_free(b);
}

static void test_something_of_everything(void **state)
{
	static const enum table tables[] = {
		TABLE_ASSOC, TABLE_USER, TABLE_TRES, TABLE_PARTITION, TABLE_QOS, TABLE_JOB,
		TABLE_HOST, TABLE_RESERVATION, TABLE_LICENSE,
	};
	struct cluster *c = first_picture(NULL);
	const uint16_t *depth = cluster_depth(c);
	unsigned zero = 0, parent = 0, idle = 0, partitions_seen = 0, running = 0, pending = 0;
	unsigned deepest = 0, accounts = 0;

	(void)state;
	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		zero += cluster_u32(c, F_ASSOC_SHARES, i) == 0;
		parent += cluster_u32(c, F_ASSOC_SHARES, i) == SHARES_PARENT;
		idle += cluster_f64(c, F_ASSOC_USAGE, i) == 0;
		partitions_seen += cluster_text(c, F_ASSOC_PARTITION, i) != NULL;
		if (!cluster_is_user(c, i)) {
			accounts++;
			deepest = depth[i] > deepest ? depth[i] : deepest;
		}
	}
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *tasks = cluster_text(c, F_JOB_TASKS, i);

		running += strcmp(cluster_text(c, F_JOB_STATE, i), "RUNNING") == 0;
		if (strcmp(cluster_text(c, F_JOB_STATE, i), "PENDING") == 0)
			pending += tasks ? job_tasks(tasks) : 1;
	}
	assert_int_equal(accounts, 40);
	assert_int_equal(deepest, 5);
	assert_int_equal(running + pending, 300);
	assert_true(zero > 2 && parent > 5 && idle > 20 && partitions_seen > 2);
	assert_true(running > 30 && pending > 100);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		assert_true(cluster_rows(c, tables[i]) > 0);
	cluster_free(c);
}

/* Siblings stand as a scheduler lists them: users first, then accounts, each by name. */
static void test_order_of_siblings(void **state)
{
	struct cluster *c = first_picture("3,accounts=60");
	const uint32_t *parents = cluster_parent(c);
	const uint32_t *span = cluster_span(c);
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	(void)state;
	for (uint32_t i = 1; i < n; i++) {
		uint32_t next = i + span[i];
		bool user = cluster_is_user(c, i);

		if (next >= n || parents[next] != parents[i])
			continue;
		if (user && cluster_is_user(c, next))
			assert_true(strcmp(cluster_text(c, F_ASSOC_USER, i),
					   cluster_text(c, F_ASSOC_USER, next)) <= 0);
		else if (!user)
			assert_true(!cluster_is_user(c, next) &&
				    strcmp(cluster_text(c, F_ASSOC_ACCOUNT, i),
					   cluster_text(c, F_ASSOC_ACCOUNT, next)) < 0);
	}
	cluster_free(c);
}

/* Jobs, each waiting task of an array counted. */
static uint32_t all_tasks(const struct cluster *c)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *tasks = cluster_text(c, F_JOB_TASKS, i);

		sum += tasks ? job_tasks(tasks) : 1;
	}
	return sum;
}

static void test_sizes(void **state)
{
	static const char *const sizes[] = {
		"1,accounts=0,users=0,jobs=0", "1,accounts=0,users=9,jobs=9",
		"1,accounts=1,users=40", "1,accounts=9,users=0,jobs=5", "1,accounts=41,users=30",
		"1,accounts=3000,users=9000,jobs=0", "1,jobs=1", "1,jobs=5000",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct demo_options o = parsed(sizes[i]);
		struct demo *d = demo_new(&o);
		struct cluster *c = picture(d);

		assert_int_equal(cluster_rows(c, TABLE_USER), o.users);
		assert_int_equal(all_tasks(c), o.users > 0 ? o.jobs : 0);
		assert_true(cluster_rows(c, TABLE_ASSOC) >= 1 + o.accounts + o.users);
		cluster_free(c);
		demo_advance(d, 600);
		cluster_free(picture(d));
		demo_free(d);
	}
}

static void test_names_are_distinct(void **state)
{
	struct text *names = text_new();

	(void)state;
	for (uint32_t i = 0; i < 200000; i++) {
		char name[NAME_SIZE];

		people_name(i, name);
		if (text_find(names, name, strlen(name)) != 0)
			fail_msg("%s, number %u", name, (unsigned)i);
		text_intern(names, name, strlen(name));
	}
	text_free(names);
}

/* ---- life ---------------------------------------------------------------------------------- */

/* However the time is cut, the cluster comes to the same state. */
static void test_time_is_one(void **state)
{
	struct demo *once = demo_of("8"), *often = demo_of("8");
	struct cluster *a, *b;

	(void)state;
	demo_advance(once, 3 * 3600);
	for (int i = 0; i < 3 * 3600 / 90; i++)
		demo_advance(often, 90);
	a = picture(once);
	b = picture(often);
	assert_true(equal_clusters(a, b));
	cluster_free(a);
	cluster_free(b);
	demo_free(once);
	demo_free(often);
}

/* Without jobs only decay is left: the law of core, pass after pass. */
static void test_decay(void **state)
{
	struct demo *d = demo_of("1,jobs=0");
	const double *usage = &d->usage[d->assocs[4].row];
	double expected = *usage;

	(void)state;
	assert_true(expected > 0);
	demo_advance(d, 299);
	assert_true(*usage == expected);
	demo_advance(d, 86400);
	for (int i = 0; i < 288; i++)
		expected *= decay_over(HALF_LIFE, CALC_PERIOD);
	assert_true(compare_close(*usage, expected, 1e-12, "after a day", "usage"));
	demo_free(d);
}

/* What each user must have after a pass in which no job ended, by row, from the state before. */
static double *expected_usage(const struct demo *d)
{
	uint32_t n = cluster_rows(d->people, TABLE_ASSOC);
	double *usage = mem_alloc(n, sizeof(*usage));

	for (uint32_t i = 0; i < n; i++)
		usage[i] = d->usage[i] * decay_over(HALF_LIFE, CALC_PERIOD);
	for (uint32_t i = 0; i < d->job_count; i++) {
		const struct job *job = &d->jobs[i];
		int64_t now = d->last_pass + CALC_PERIOD, from = d->last_pass;

		if (job->state != WORKING)
			continue;
		from = job->start > from ? job->start : from;
		usage[job->assoc] += decay_charge(HALF_LIFE, now - from, job->billing,
						  cluster_f64(d->site, F_QOS_USAGE_FACTOR,
							      job->qos));
	}
	return usage;
}

static uint32_t jobs_over(const struct demo *d)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < d->job_count; i++)
		count += d->jobs[i].state == OVER;
	return count;
}

static void test_charging(void **state)
{
	struct demo *d = demo_of("4");
	unsigned compared = 0;

	(void)state;
	for (int pass = 0; pass < 100; pass++) {
		uint32_t next_job, over;
		double *usage;

		demo_advance(d, CALC_PERIOD - DEMO_CYCLE);
		next_job = d->next_job;
		over = jobs_over(d);
		usage = expected_usage(d);
		demo_advance(d, DEMO_CYCLE);
		for (uint32_t i = 0; d->next_job == next_job && jobs_over(d) == over &&
				     i < d->assoc_count; i++) {
			uint32_t row = d->assocs[i].row;

			compared++;
			if (!compare_close(d->usage[row], usage[row], 1e-12, "pass", "usage"))
				fail();
		}
		mem_free(usage);
	}
	assert_true(compared > 1000);
	demo_free(d);
}

/* Nobody gets what is not there, and what is in use is what the running jobs have. */
static void check_resources(const struct demo *d)
{
	double *cpus = mem_zalloc(d->host_count, sizeof(*cpus));
	uint32_t licenses = 0;

	for (uint32_t i = 0; i < d->job_count; i++) {
		const struct job *job = &d->jobs[i];

		if (job->state != WORKING)
			continue;
		assert_true(job->start <= d->now && job->start + job->runtime > d->now);
		assert_true(job->runtime <= job->limit + DEMO_CYCLE && job->start >= job->submit);
		licenses += job->licenses;
		for (uint32_t h = 0; h < job->hosts; h++)
			cpus[job->placed[h]] += job->need[CPU];
	}
	for (uint32_t h = 0; h < d->host_count; h++) {
		const struct host *host = &d->hosts[h];

		assert_true(cpus[h] == host->used[CPU]);
		for (uint32_t t = 0; t < AMOUNTS; t++)
			assert_true(host->used[t] <= host->room[t]);
		assert_true(host->room[CPU] == 0 ||
			    host->room[CPU] == cluster_u32(d->site, F_HOST_CPUS, h));
	}
	assert_int_equal(licenses, d->licenses_used);
	assert_true(licenses <= LICENSES);
	mem_free(cpus);
}

/* The first that waits for room in its partition has the highest priority of those that wait. */
static void check_order(const struct demo *d)
{
	for (uint32_t i = 0; i < d->job_count; i++) {
		const struct job *first = &d->jobs[i];

		if (first->state != WAITING || (strcmp(first->reason, "Resources") != 0 &&
						    strcmp(first->reason, "Licenses") != 0))
			continue;
		for (uint32_t k = 0; k < d->job_count; k++) {
			const struct job *other = &d->jobs[k];

			/* Of an array only the next task has its turn. */
			if (jobs_next(d, other->block) != k)
				continue;
			if (other->state == WAITING && other->partition == first->partition &&
			    strcmp(other->reason, "Priority") == 0)
				assert_true(other->priority <= first->priority);
		}
	}
}

/* What is counted of an account is what its jobs sum up to, and within its limits. */
static void check_loads(const struct demo *d)
{
	const struct cluster *c = d->people;

	for (uint32_t a = 0; a < cluster_rows(c, TABLE_ASSOC); a++) {
		const struct load *load = &d->loads[a];
		struct tres_list limits = cluster_tres(c, F_ASSOC_GRP_TRES, a);
		uint32_t jobs = 0, submitted = 0;
		double cpus = 0;

		for (uint32_t i = 0; i < d->job_count; i++) {
			const struct job *job = &d->jobs[i];

			if (job->state == OVER || job->assoc < a ||
			    job->assoc >= a + cluster_span(c)[a])
				continue;
			submitted++;
			jobs += job->state == WORKING;
			cpus += job->state == WORKING ? job->hosts * job->need[CPU] : 0;
		}
		assert_int_equal(load->jobs, jobs);
		assert_int_equal(load->submitted, submitted);
		assert_true(load->amounts[CPU] == cpus);
		assert_true(jobs <= cluster_u32(c, F_ASSOC_GRP_JOBS, a));
		for (uint32_t i = 0; i < limits.count; i++)
			assert_true(load->amounts[limits.items[i].tres] <= limits.items[i].count);
	}
}

/* The tasks of an array are alike, start one after another, and no more than it allows itself. */
static void check_arrays(const struct demo *d)
{
	for (uint32_t i = 0; i < d->job_count; i++) {
		const struct job *job = &d->jobs[i];
		const struct block *block = job->block;

		assert_int_equal(job->array, d->jobs[block->first].id);
		assert_int_equal(job->assoc, d->jobs[block->first].assoc);
		assert_int_equal(job->submit, d->jobs[block->first].submit);
		assert_true(block->count > 1 || job->state != OVER);
		if (i + 1 < block->first + block->count && i > block->first &&
		    job->state == WAITING)
			assert_int_equal(d->jobs[i + 1].state, WAITING);
		if (job->state == WAITING)
			assert_int_equal(d->jobs[block->first].state, WAITING);
		assert_true(jobs_count(d, block, WORKING) <= block->at_once);
	}
}

static void check_all(const struct demo *d)
{
	check_resources(d);
	check_order(d);
	check_loads(d);
	check_arrays(d);
}

static void test_days(void **state)
{
	struct demo *d = demo_of("6");
	uint32_t first = d->next_job;

	(void)state;
	check_all(d);
	for (int hour = 0; hour < 72; hour++) {
		demo_advance(d, 3600);
		check_all(d);
	}
	/* it did live: jobs came and went */
	assert_true(d->next_job > first + 100);
	demo_free(d);
}

/* An array as the scheduler has it: what waits is one job, what runs are others. */
static void test_arrays(void **state)
{
	struct cluster *c = first_picture(NULL);
	unsigned waiting = 0, running = 0;

	(void)state;
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *tasks = cluster_text(c, F_JOB_TASKS, i);
		uint32_t array = cluster_u32(c, F_JOB_ARRAY, i);

		if (array == U32_UNKNOWN)
			continue;
		if (tasks) {
			waiting++;
			assert_int_equal(cluster_u32(c, F_JOB_ID, i), array);
			assert_string_equal(cluster_text(c, F_JOB_STATE, i), "PENDING");
		} else {
			running++;
			assert_true(cluster_u32(c, F_JOB_TASK, i) > 0);
			assert_string_equal(cluster_text(c, F_JOB_STATE, i), "RUNNING");
		}
	}
	assert_true(waiting > 3 && running > 3);
	cluster_free(c);
}

/* Limits are told with what counts against them, and the words of who waits for them. */
static void test_limits(void **state)
{
	struct cluster *c = first_picture(NULL);
	unsigned limited = 0, refused = 0;

	(void)state;
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		struct tres_list limit = cluster_tres(c, F_ASSOC_GRP_TRES, i);
		struct tres_list used = cluster_tres(c, F_ASSOC_USED_TRES, i);

		assert_true(cluster_u32(c, F_ASSOC_USED_JOBS, i) <=
			    cluster_u32(c, F_ASSOC_USED_SUBMIT, i));
		assert_non_null(used.items);
		limited += limit.count > 0;
	}
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++)
		refused += strncmp(cluster_text(c, F_JOB_REASON, i), "Assoc", 5) == 0;
	assert_true(limited >= 5 && refused > 3);
	cluster_free(c);
}

/* ---- the source ---------------------------------------------------------------------------- */

static void test_source(void **state)
{
	struct fetch_request request = { .needs = 0, .deadline_ms = 1000 };
	struct source *s = demo_source.open("2,speed=100000", NULL);
	struct cluster *c = NULL, *later = NULL;
	enum fetch_result result;
	struct err err;

	(void)state;
	assert_string_equal(s->name, "demo:2,speed=100000");
	assert_int_equal(demo_source.fetch(s, &request, &c, &err), FETCH_NEW);
	/* 30 seconds of its own time are 0.3 ms */
	while ((result = demo_source.fetch(s, &request, &later, &err)) == FETCH_SAME)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	assert_int_equal(result, FETCH_NEW);
	assert_true(cluster_meta(later)->time > cluster_meta(c)->time);
	assert_true((cluster_meta(later)->time - cluster_meta(c)->time) % DEMO_CYCLE == 0);
	cluster_free(c);
	cluster_free(later);
	demo_source.close(s);

	s = demo_source.open("2,speed=0", NULL);
	assert_int_equal(demo_source.fetch(s, &request, &c, &err), FETCH_NEW);
	assert_int_equal(demo_source.fetch(s, &request, &later, &err), FETCH_SAME);
	demo_source.cancel(s);
	assert_int_equal(demo_source.fetch(s, &request, &later, &err), FETCH_SAME);
	cluster_free(c);
	demo_source.close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_bad_options),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_streams_are_apart),
		cmocka_unit_test(test_something_of_everything),
		cmocka_unit_test(test_order_of_siblings),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_names_are_distinct),
		cmocka_unit_test(test_time_is_one),
		cmocka_unit_test(test_decay),
		cmocka_unit_test(test_charging),
		cmocka_unit_test(test_days),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_source),
	};

	return cmocka_run_group_tests_name("demo", tests, NULL, NULL);
}
