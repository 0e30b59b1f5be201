/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The demo follows the scheduler's rules: each picture is what these rules make of the one before.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/demo/demo_state.h"
#include "core/share/decay.h"
#include "core/queue/job_index.h"
#include "core/base/mem.h"
#include "core/base/unknown.h"
#include "tests/support/compare.h"
#include "tests/support/equal.h"
#include "tests/support/living.h"

#define HALF_LIFE (7 * 86400)	/* of data/demo.snapshot */
#define CALC_PERIOD 300
#define LICENSES 40

/* The state does not depend on the size of the time steps. */
static void test_time_is_one(void **state)
{
	struct demo *once = living_new("8,jobs=300"), *often = living_new("8,jobs=300");
	struct cluster *a, *b;

	(void)state;
	demo_advance(once, 3 * 3600);
	for (int i = 0; i < 3 * 3600 / 90; i++)
		demo_advance(often, 90);
	a = living_picture(once);
	b = living_picture(often);
	assert_true(equal_clusters(a, b));
	cluster_free(a);
	cluster_free(b);
	demo_free(once);
	demo_free(often);
}

/* Without jobs only decay is left: the decay of core, pass after pass. */
static void test_decay(void **state)
{
	struct demo *d = living_new("1,jobs=0");
	const double *usage = &d->usage[d->users[4]];
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

static bool is_running(const struct cluster *c, uint32_t job)
{
	return strcmp(cluster_text(c, F_JOB_STATE, job), "RUNNING") == 0;
}

static uint32_t owner_of(const struct cluster *c, uint32_t job)
{
	return cluster_assoc_by_id(c, cluster_u32(c, F_JOB_ASSOC, job));
}

static double usage_factor(const struct cluster *c, uint32_t job)
{
	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QOS); q++)
		if (strcmp(cluster_text(c, F_QOS_NAME, q), cluster_text(c, F_JOB_QOS, job)) == 0)
			return cluster_f64(c, F_QOS_USAGE_FACTOR, q);
	fail();
	return 0;
}

/* Returns each row's expected usage after a pass in which no job ended, from picture C. */
static double *expected_usage(const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	int64_t last = cluster_meta(c)->last_decay;
	double *usage = mem_zalloc(n, sizeof(*usage));

	for (uint32_t i = 0; i < n; i++)
		if (cluster_is_user(c, i))
			usage[i] = cluster_f64(c, F_ASSOC_USAGE, i) *
				   decay_over(HALF_LIFE, CALC_PERIOD);
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		int64_t start = cluster_i64(c, F_JOB_START, i);

		if (is_running(c, i))
			usage[owner_of(c, i)] += decay_charge(
				HALF_LIFE, last + CALC_PERIOD - (start > last ? start : last),
				cluster_f64(c, F_JOB_BILLING, i), usage_factor(c, i));
	}
	for (uint32_t i = n; i-- > 1;)
		usage[cluster_parent(c)[i]] += usage[i];
	return usage;
}

static bool ends_in_next_cycle(const struct demo *d)
{
	for (uint32_t i = 0; i < builder_rows(d->queue, TABLE_JOB); i++)
		if (d->jobs[i].end != 0 && d->jobs[i].end <= d->now + DEMO_CYCLE)
			return true;
	return false;
}

static void test_charging(void **state)
{
	struct demo *d = living_new("4,jobs=300");
	unsigned compared = 0;

	(void)state;
	for (int pass = 0; pass < 100; pass++) {
		struct cluster *before, *after;
		double *usage;
		bool some;

		demo_advance(d, CALC_PERIOD - DEMO_CYCLE);
		before = living_picture(d);
		some = ends_in_next_cycle(d);
		demo_advance(d, DEMO_CYCLE);
		after = living_picture(d);
		usage = expected_usage(before);
		assert_true(cluster_meta(after)->last_decay == cluster_meta(after)->time);
		for (uint32_t i = 0; !some && i < cluster_rows(after, TABLE_ASSOC); i++) {
			compared++;
			if (!compare_close(cluster_f64(after, F_ASSOC_USAGE, i), usage[i], 1e-12,
					   "pass", "usage"))
				fail();
		}
		mem_free(usage);
		cluster_free(before);
		cluster_free(after);
	}
	assert_true(compared > 1000);
	demo_free(d);
}

static double amount(struct tres_list list, uint32_t tres)
{
	for (uint32_t i = 0; i < list.count; i++)
		if (list.items[i].tres == tres)
			return list.items[i].count;
	return 0;
}

static uint32_t licenses(const struct cluster *c, uint32_t job)
{
	const char *text = cluster_text(c, F_JOB_LICENSES, job);

	return text ? (uint32_t)atoi(text + strlen("matlab:")) : 0;
}

/* No job gets resources that do not exist; resources in use are those of the running jobs. */
static void check_resources(const struct demo *d, const struct cluster *c)
{
	uint32_t hosts = cluster_rows(c, TABLE_HOST), tres = cluster_rows(c, TABLE_TRES), sum = 0;
	double *used = mem_zalloc((size_t)hosts * tres, sizeof(*used));

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const struct job *job = &d->jobs[i];
		struct tres_list need = cluster_tres(c, F_JOB_TRES_ALLOC, i);
		uint32_t nodes = cluster_u32(c, F_JOB_NODES, i);
		int64_t start = cluster_i64(c, F_JOB_START, i);

		assert_true(is_running(c, i) == (job->end != 0));
		assert_true(is_running(c, i) == (cluster_text(c, F_JOB_NODE_LIST, i) != NULL));
		if (!is_running(c, i))
			continue;
		assert_true(start <= d->now && job->end > d->now);
		assert_true(start >= cluster_i64(c, F_JOB_SUBMIT, i));
		assert_true(job->end - start <= cluster_i64(c, F_JOB_TIME_LIMIT, i) + DEMO_CYCLE);
		assert_int_equal(nodes, amount(need, cluster_find_tres(c, "node")));
		sum += licenses(c, i);
		for (uint32_t h = 0; h < nodes; h++)
			for (uint32_t t = 0; t < tres; t++)
				used[job->hosts[h] * tres + t] += amount(need, t) / nodes;
	}
	for (uint32_t h = 0; h < hosts; h++)
		for (uint32_t t = 0; t < tres; t++) {
			bool down = strcmp(cluster_text(c, F_HOST_STATE, h), "DOWN") == 0;

			if (t == cluster_find_tres(c, "node"))
				continue;
			assert_true(used[h * tres + t] ==
				    amount(cluster_tres(c, F_HOST_TRES_USED, h), t));
			assert_true(used[h * tres + t] <=
				    (down ? 0 : amount(cluster_tres(c, F_HOST_TRES, h), t)));
		}
	assert_int_equal(sum, cluster_u32(c, F_LICENSE_USED, 0));
	assert_true(sum <= LICENSES);
	mem_free(used);
}

/* The first job of a partition that waits for resources has the highest pending priority. */
static void check_order(const struct cluster *c)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *reason = cluster_text(c, F_JOB_REASON, i);

		if (strcmp(reason, "Resources") != 0 && strcmp(reason, "Licenses") != 0)
			continue;
		for (uint32_t k = 0; k < cluster_rows(c, TABLE_JOB); k++)
			if (strcmp(cluster_text(c, F_JOB_REASON, k), "Priority") == 0 &&
			    strcmp(cluster_text(c, F_JOB_PARTITION, i),
				   cluster_text(c, F_JOB_PARTITION, k)) == 0)
				assert_true(cluster_u32(c, F_JOB_PRIORITY, k) <=
					    cluster_u32(c, F_JOB_PRIORITY, i));
	}
}

/* Usage against an account's limits is the sum of its jobs, and within the limits. */
static void check_loads(const struct cluster *c)
{
	for (uint32_t a = 0; a < cluster_rows(c, TABLE_ASSOC); a++) {
		struct tres_list limits = cluster_tres(c, F_ASSOC_GRP_TRES, a);
		struct tres_list used = cluster_tres(c, F_ASSOC_USED_TRES, a);
		uint32_t jobs = 0, submitted = 0;
		double cpus = 0;

		for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
			uint32_t owner = owner_of(c, i);

			if (owner < a || owner >= a + cluster_span(c)[a])
				continue;
			submitted += job_tasks(cluster_text(c, F_JOB_TASKS, i));
			jobs += is_running(c, i);
			cpus += is_running(c, i) ? cluster_u32(c, F_JOB_CPUS, i) : 0;
		}
		assert_int_equal(cluster_u32(c, F_ASSOC_USED_JOBS, a), jobs);
		assert_int_equal(cluster_u32(c, F_ASSOC_USED_SUBMIT, a), submitted);
		assert_true(amount(used, cluster_find_tres(c, "cpu")) == cpus);
		assert_true(jobs <= cluster_u32(c, F_ASSOC_GRP_JOBS, a));
		assert_true(!cluster_is_user(c, a) || jobs <= cluster_u32(c, F_ASSOC_MAX_JOBS, a));
		for (uint32_t i = 0; i < limits.count; i++)
			assert_true(amount(used, limits.items[i].tres) <= limits.items[i].count);
	}
}

/* Tasks of an array are alike, start one after another, and respect the array's own limit. */
static void check_arrays(const struct cluster *c)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *tasks = cluster_text(c, F_JOB_TASKS, i);
		uint32_t running = 0;

		assert_true(i == 0 ||
			    cluster_u32(c, F_JOB_ID, i) > cluster_u32(c, F_JOB_ID, i - 1));
		for (uint32_t k = 0; tasks && k < cluster_rows(c, TABLE_JOB); k++) {
			if (k == i || cluster_u32(c, F_JOB_ARRAY, k) != cluster_u32(c, F_JOB_ID, i))
				continue;
			running++;
			assert_true(is_running(c, k));
			assert_true(cluster_u32(c, F_JOB_TASK, k) < (uint32_t)atoi(tasks));
			assert_string_equal(cluster_text(c, F_JOB_USER, i),
					    cluster_text(c, F_JOB_USER, k));
			assert_string_equal(cluster_text(c, F_JOB_NAME, i),
					    cluster_text(c, F_JOB_NAME, k));
			assert_true(cluster_i64(c, F_JOB_SUBMIT, i) ==
				    cluster_i64(c, F_JOB_SUBMIT, k));
		}
		assert_true(running <= job_tasks_at_once(tasks));
	}
}

/* A job that waits for another job names one that exists. */
static void check_dependencies(const struct cluster *c)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *after = cluster_text(c, F_JOB_DEPENDENCY, i);
		uint32_t found = 0;

		assert_true(!after ==
			    (strcmp(cluster_text(c, F_JOB_REASON, i), "Dependency") != 0));
		for (uint32_t k = 0; after && k < i; k++)
			found += cluster_u32(c, F_JOB_ID, k) ==
				 (uint32_t)atol(after + strlen("afterany:"));
		assert_true(!after || found == 1);
	}
}

static void check_all(const struct demo *d)
{
	struct cluster *c = living_picture(d);

	check_resources(d, c);
	check_order(c);
	check_loads(c);
	check_arrays(c);
	check_dependencies(c);
	cluster_free(c);
}

static void test_days(void **state)
{
	struct demo *d = living_new("6,jobs=300");
	uint32_t first = d->next_id;

	(void)state;
	check_all(d);
	for (int hour = 0; hour < 72; hour++) {
		demo_advance(d, 3600);
		check_all(d);
	}
	/* jobs came and went */
	assert_true(d->next_id > first + 100);
	demo_free(d);
}

/* Returns whether the same jobs of WHO ran at A's time as at B's. */
static bool same_jobs(const struct demo *a, const struct demo *b, uint32_t who)
{
	for (uint32_t i = 0; i < builder_rows(a->queue, TABLE_JOB); i++)
		if (a->jobs[i].assoc == who && a->jobs[i].end != 0 && a->jobs[i].end <= b->now)
			return false;
	for (uint32_t i = 0; i < builder_rows(b->queue, TABLE_JOB); i++)
		if (b->jobs[i].assoc == who && b->jobs[i].end != 0 &&
		    builder_get_i64(b->queue, F_JOB_START, i) > a->now)
			return false;
	return true;
}

/*
 * The past leads to the first picture: no job has resources that do not exist or exceeds a limit,
 * and one decay pass turns each picture's usage into the next one's.
 */
static void test_past(void **state)
{
	unsigned compared = 0;

	(void)state;
	for (int hours = 1; hours <= 24; hours += 7) {
		struct demo *earlier = living_new(NULL), *later = living_new(NULL);
		struct cluster *before, *after;
		double *usage;

		demo_rewind(earlier, hours * 3600);
		demo_rewind(later, hours * 3600 - CALC_PERIOD);
		before = living_picture(earlier);
		after = living_picture(later);
		assert_true(cluster_meta(before)->time == earlier->start - hours * 3600);
		check_resources(earlier, before);
		check_loads(before);
		usage = expected_usage(before);
		for (uint32_t i = 0; i < cluster_rows(before, TABLE_ASSOC); i++) {
			if (!cluster_is_user(before, i) || !same_jobs(earlier, later, i) ||
			    cluster_f64(before, F_ASSOC_USAGE, i) == 0)
				continue;
			compared++;
			assert_true(compare_close(cluster_f64(after, F_ASSOC_USAGE, i), usage[i],
						  1e-9, "pass", "usage"));
		}
		mem_free(usage);
		cluster_free(before);
		cluster_free(after);
		demo_free(earlier);
		demo_free(later);
	}
	assert_true(compared > 200);
}

/* Jobs of one user that do not differ are one class. */
static void test_sweep(void **state)
{
	struct cluster *c = living_first(NULL);
	uint32_t like = 0, same = 0;

	(void)state;
	while (cluster_u32(c, F_JOB_ID, like) != 141504)
		like++;
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++)
		same += cluster_u32(c, F_JOB_ASSOC, i) == cluster_u32(c, F_JOB_ASSOC, like) &&
			strcmp(cluster_text(c, F_JOB_NAME, i),
			       cluster_text(c, F_JOB_NAME, like)) == 0 &&
			cluster_i64(c, F_JOB_TIME_LIMIT, i) ==
				cluster_i64(c, F_JOB_TIME_LIMIT, like);
	assert_true(same >= 200);
	cluster_free(c);
}

static size_t queue_bytes(const struct demo *d)
{
	struct cluster *c = builder_picture(d->queue, NULL);
	size_t bytes = cluster_bytes(c);

	cluster_free(c);
	return bytes;
}

/* Ended jobs are freed and users keep submitting: the queue's size is the same after weeks. */
static void test_weeks(void **state)
{
	struct demo *d = living_new("3,jobs=300");
	size_t first = queue_bytes(d), most = 0;

	(void)state;
	for (int day = 0; day < 21; day++) {
		uint32_t before = d->next_id;
		size_t bytes;

		demo_advance(d, 86400);
		bytes = queue_bytes(d);
		most = bytes > most ? bytes : most;
		assert_true(d->next_id > before + 50);
		assert_true(assoc_load_submitted(d->load, 0) >= 300 &&
			    assoc_load_submitted(d->load, 0) < 320);
	}
	assert_true(most < first + first / 4);
	demo_free(d);
}

/* An array as the scheduler has it: one pending job, and one job for each running task. */
static void test_arrays(void **state)
{
	struct cluster *c = living_first(NULL);
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

/* Limits come with the usage that counts against them, and pending jobs name them as reasons. */
static void test_limits(void **state)
{
	struct cluster *c = living_first(NULL);
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

/* The pools live: slots move between the queues, and their past covers the last day. */
static void test_pools(void **state)
{
	struct demo *d = living_new(NULL);
	struct cluster *a = living_picture(d), *b;
	unsigned moved = 0;

	(void)state;
	demo_advance(d, 3600);
	b = living_picture(d);
	for (uint32_t i = 0; i < cluster_rows(a, TABLE_QUEUE); i++) {
		struct text_list then = cluster_list(a, F_QUEUE_PAST, i);
		struct text_list now = cluster_list(b, F_QUEUE_PAST, i);

		moved += cluster_u32(a, F_QUEUE_RUNNING, i) != cluster_u32(b, F_QUEUE_RUNNING, i);
		assert_int_equal(then.count, 49);
		assert_int_equal(now.count, 49);
		for (uint32_t k = 0; k + 2 < now.count; k++)
			assert_string_equal(cluster_string(a, then.texts[k + 2]),
					    cluster_string(b, now.texts[k]));
		assert_true(atoll(cluster_string(b, now.texts[48])) == cluster_meta(b)->time);
	}
	assert_true(moved > 3);
	cluster_free(a);
	cluster_free(b);
	demo_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time_is_one),
		cmocka_unit_test(test_decay),
		cmocka_unit_test(test_charging),
		cmocka_unit_test(test_days), cmocka_unit_test(test_past),
		cmocka_unit_test(test_sweep),
		cmocka_unit_test(test_weeks),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_pools),
	};

	return cmocka_run_group_tests_name("demo life", tests, NULL, NULL);
}
