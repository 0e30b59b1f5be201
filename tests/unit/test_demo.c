/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The demo: the same text gives the same cluster on every machine (compared with a recorded one),
 * it has something of everything, and it grows. How it lives: test_demo_life.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/demo/demo_state.h"
#include "adapters/snapshot/snapshot.h"
#include "core/queue/job_index.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/unknown.h"
#include "tests/support/clock.h"
#include "tests/support/data.h"
#include "tests/support/equal.h"
#include "tests/support/living.h"

/* ---- options ------------------------------------------------------------------------------- */

static void test_options(void **state)
{
	struct demo_options o =
		living_options("18446744073709551615,accounts=7,users=0,jobs=12,speed=0.5");

	(void)state;
	assert_true(o.seed == UINT64_MAX);
	assert_int_equal(o.accounts, 7);
	assert_int_equal(o.users, 0);
	assert_int_equal(o.jobs, 12);
	assert_true(o.speed == 0.5);
	o = living_options(NULL);
	assert_true(o.seed == 1 && o.accounts == 40 && o.users == 150 && o.jobs == 500);
	assert_true(o.speed == 20);
	assert_true(living_options("").seed == 1);
	assert_true(living_options("7").seed == 7);
	assert_true(living_options("users=3").users == 3);
	assert_true(living_options(",users=3").users == 3);
}

static void test_bad_options(void **state)
{
	static const char *const bad[] = {
		"x", "-1", "18446744073709551616", "1,", "1,accounts", "1,accounts=",
		"1,accounts=-3", "1,accounts=1000001", "1,users=1e3", "1,jobs= 3", "1,speed=",
		"1,speed=fast", "1,speed=-1", "1,speed=100001", "1,speed=1e9", "1,speed=1.2.3",
		"1,colour=3", "1,2", "accounts=3 ", "1,accounts=99999999999999999999999",
		"1,step=-30", "1,step=45", "1,step=86430", "step=30,speed=1", "1,speed=1,step=30",
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

/* Byte for byte the recorded output; a change of the demo must be deliberate. */
static void test_recorded(void **state)
{
	struct cluster *c = living_first(NULL);
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

/* The first picture contains every pending job of the data, unchanged. */
static void test_first_is_the_data(void **state)
{
	struct demo *d = living_new(NULL);
	struct cluster *c = living_picture(d);
	uint32_t same = 0, n = cluster_rows(d->data, TABLE_JOB);

	(void)state;
	assert_int_equal(cluster_rows(d->data, TABLE_ASSOC), cluster_rows(c, TABLE_ASSOC));
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		assert_int_equal(cluster_u32(c, F_ASSOC_ID, i),
				 cluster_u32(d->data, F_ASSOC_ID, i));
		assert_true(cluster_f64(c, F_ASSOC_USAGE, i) ==
			    cluster_f64(d->data, F_ASSOC_USAGE, i));
	}
	assert_true(cluster_rows(c, TABLE_JOB) >= n);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(cluster_u32(c, F_JOB_ID, i), cluster_u32(d->data, F_JOB_ID, i));
		assert_int_equal(cluster_u32(c, F_JOB_ASSOC, i),
				 cluster_u32(d->data, F_JOB_ASSOC, i));
		assert_true(cluster_i64(c, F_JOB_SUBMIT, i) ==
			    cluster_i64(d->data, F_JOB_SUBMIT, i));
		same += strcmp(cluster_text(c, F_JOB_STATE, i), "PENDING") == 0;
	}
	assert_true(same > 100 && same < n);
	cluster_free(c);
	demo_free(d);
}

static void test_seeds(void **state)
{
	struct cluster *a = living_first("1"), *b = living_first("1"), *c = living_first("2");

	(void)state;
	assert_true(equal_clusters(a, b));
	assert_false(cluster_f64(a, F_ASSOC_USAGE, 0) == cluster_f64(c, F_ASSOC_USAGE, 0));
	cluster_free(a);
	cluster_free(b);
	cluster_free(c);
}

/* More jobs leave the tree unchanged. */
static void test_streams_are_apart(void **state)
{
	struct cluster *a = living_first("5,jobs=10"), *b = living_first("5,jobs=500");

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
	struct cluster *c = living_first(NULL);
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
	assert_int_equal(running + pending, 500);
	assert_true(zero > 2 && parent > 5 && idle > 20 && partitions_seen > 2);
	assert_true(running > 30 && pending > 100);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		assert_true(cluster_rows(c, tables[i]) > 0);
	cluster_free(c);
}

/* Siblings come as a scheduler lists them: users first, then accounts, each by name. */
static void test_order_of_siblings(void **state)
{
	struct cluster *c = living_first("3,accounts=60");
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

/* Returns the number of jobs; each pending task of an array counts. */
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
		struct demo_options o = living_options(sizes[i]);
		struct demo *d = demo_new(&o);
		struct cluster *c = living_picture(d);

		assert_int_equal(cluster_rows(c, TABLE_USER), o.users);
		assert_int_equal(all_tasks(c), o.users > 0 ? o.jobs : 0);
		assert_true(cluster_rows(c, TABLE_ASSOC) >= 1 + o.accounts + o.users);
		cluster_free(c);
		demo_advance(d, 600);
		cluster_free(living_picture(d));
		demo_free(d);
	}
}

/* Additional users and accounts have unique names; one user in ten has two associations. */
static void test_copies(void **state)
{
	struct cluster *c = living_first("1,accounts=900,users=20000,jobs=0");
	struct text *names = text_new();
	uint32_t assocs = 0, deepest = 0;

	(void)state;
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_USER); i++) {
		const char *name = cluster_text(c, F_USER_NAME, i);

		if (text_find(names, name, strlen(name)) != 0)
			fail_msg("%s, user %u", name, (unsigned)i);
		text_intern(names, name, strlen(name));
	}
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		assocs += cluster_is_user(c, i) && !cluster_text(c, F_ASSOC_PARTITION, i);
		if (!cluster_is_user(c, i) && cluster_depth(c)[i] > deepest)
			deepest = cluster_depth(c)[i];
	}
	assert_int_equal(deepest, 5);
	assert_true(assocs > 20000 * 1.05 && assocs < 20000 * 1.15);
	text_free(names);
	cluster_free(c);
}

/* In a smaller tree each row keeps its account if that remains. */
static void test_fewer(void **state)
{
	struct cluster *all = living_first("1,jobs=0");
	struct cluster *c = living_first("1,accounts=8,users=50");
	uint32_t stayed = 0;

	(void)state;
	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		uint32_t row = cluster_assoc_by_id(all, cluster_u32(c, F_ASSOC_ID, i));

		assert_int_not_equal(row, ROW_NONE);
		assert_true(cluster_is_user(c, i) == cluster_is_user(all, row));
		stayed += strcmp(cluster_text(c, F_ASSOC_ACCOUNT, i),
				 cluster_text(all, F_ASSOC_ACCOUNT, row)) == 0;
	}
	assert_true(stayed > 8 && stayed < cluster_rows(c, TABLE_ASSOC));
	cluster_free(all);
	cluster_free(c);
}

/* ---- the source ---------------------------------------------------------------------------- */

static void test_source(void **state)
{
	struct fetch_request request = { .needs = 0, .deadline_ms = 1000 };
	struct source *s = demo_source.open("2,speed=100000", NULL);
	struct cluster *c = NULL, *later = NULL;
	struct err err;

	(void)state;
	clock_stop(1000);
	assert_string_equal(s->name, "demo:2,speed=100000");
	assert_int_equal(demo_source.fetch(s, &request, &c, &err), FETCH_NEW);
	assert_int_equal(demo_source.fetch(s, &request, &later, &err), FETCH_SAME);
	clock_advance(1);	/* by its own clock: 100 seconds */
	assert_int_equal(demo_source.fetch(s, &request, &later, &err), FETCH_NEW);
	assert_int_equal(cluster_meta(later)->time - cluster_meta(c)->time,
			 100 / DEMO_CYCLE * DEMO_CYCLE);
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

/* Each fetch advances the demo by one full step, however long that takes; nothing else does. */
static void test_step(void **state)
{
	struct fetch_request request = { .needs = 0, .deadline_ms = 0 };
	struct source *s = demo_source.open("2,step=86400", NULL);
	struct demo *d = living_new("2");
	struct cluster *c, *should;
	struct timeline past;
	struct err err;

	(void)state;
	assert_true(s->steps);
	for (int i = 0; i < 3; i++) {
		if (i > 0)
			demo_advance(d, 86400);
		/* A cancelled step is continued. */
		if (i == 2) {
			demo_source.cancel(s);
			assert_int_equal(demo_source.fetch(s, &request, &c, &err), FETCH_SAME);
		}
		for (int n = 0; i == 1 && n < 2; n++) {
			assert_true(source_past(s, &past, &err));
			timeline_free(&past);
		}
		assert_int_equal(demo_source.fetch(s, &request, &c, &err), FETCH_NEW);
		should = living_picture(d);
		assert_int_equal(cluster_meta(c)->time, demo_source.clock + i * 86400);
		assert_true(equal_clusters(c, should));
		cluster_free(c);
		cluster_free(should);
	}
	demo_free(d);
	demo_source.close(s);

	s = demo_source.open("2,step=0", NULL);
	assert_false(s->steps);
	assert_int_equal(demo_source.fetch(s, &request, &c, &err), FETCH_NEW);
	cluster_free(c);
	assert_int_equal(demo_source.fetch(s, &request, &c, &err), FETCH_SAME);
	demo_source.close(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_bad_options),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_first_is_the_data),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_streams_are_apart),
		cmocka_unit_test(test_something_of_everything),
		cmocka_unit_test(test_order_of_siblings),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_fewer),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_step),
	};

	return cmocka_run_group_tests_name("demo", tests, NULL, NULL);
}
