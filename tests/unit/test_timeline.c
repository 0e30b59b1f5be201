/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The past on a time line: finding pictures, gaps and changes of the policy, and the pictures of a
 * live source that are kept in bounded memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/share/fairshare.h"
#include "core/cluster/timeline.h"
#include "core/base/unknown.h"
#include "tests/support/sketch.h"
#include "core/cluster/recent.h"

/* ---- time lines ---------------------------------------------------------------------------- */

static void test_finding(void **state)
{
	struct timeline t = { .count = 0 };
	int64_t from, to;

	(void)state;
	assert_int_equal(timeline_at(&t, 5), TIMELINE_NONE);
	assert_int_equal(timeline_from(&t, 5), TIMELINE_NONE);
	assert_false(timeline_range(&t, &from, &to));
	timeline_add(&t, 100);
	timeline_add(&t, 130);
	timeline_add(&t, 130);		/* not later: left out */
	timeline_add(&t, 90);
	timeline_add(&t, 160);
	assert_int_equal(t.count, 3);
	assert_int_equal(timeline_at(&t, 99), TIMELINE_NONE);
	assert_int_equal(timeline_at(&t, 100), 0);
	assert_int_equal(timeline_at(&t, 159), 1);
	assert_int_equal(timeline_at(&t, 1000), 2);
	assert_int_equal(timeline_from(&t, 0), 0);
	assert_int_equal(timeline_from(&t, 100), 0);
	assert_int_equal(timeline_from(&t, 101), 1);
	assert_int_equal(timeline_from(&t, 160), 2);
	assert_int_equal(timeline_from(&t, 161), TIMELINE_NONE);
	assert_true(timeline_range(&t, &from, &to));
	assert_int_equal(to, 160);
	t.end = 175;
	assert_true(timeline_range(&t, &from, &to));
	assert_int_equal(from, 100);
	assert_int_equal(to, 175);
	timeline_free(&t);
	assert_int_equal(t.count, 0);
}

/* Impossible times, as a damaged file may contain. */
static void test_no_times(void **state)
{
	struct timeline t = { .end = INT64_MAX };
	int64_t from, to;

	(void)state;
	timeline_add(&t, INT64_MIN);
	timeline_add(&t, -5);
	timeline_add(&t, INT64_MAX);
	timeline_add(&t, TIMELINE_MOST);
	timeline_add_gap(&t, INT64_MIN + 1, 7, "");
	timeline_add_gap(&t, 7, INT64_MAX, "");
	timeline_add_change(&t, INT64_MAX);
	assert_int_equal(t.count, 2);
	assert_int_equal(t.gap_count + t.change_count, 0);
	assert_true(timeline_range(&t, &from, &to));
	assert_int_equal(from, -5);
	assert_true(to == TIMELINE_MOST);
	timeline_free(&t);
}

static void test_gaps(void **state)
{
	struct timeline t = { .count = 0 };

	(void)state;
	timeline_add_gap(&t, 100, 130, "no answer");
	timeline_add_gap(&t, 150, 150, "none at all");
	timeline_add_gap(&t, 200, I64_UNKNOWN, "");
	assert_int_equal(t.gap_count, 2);
	assert_null(timeline_gap(&t, 90, 100));
	assert_non_null(timeline_gap(&t, 90, 101));
	assert_string_equal(timeline_gap(&t, 110, 111)->reason, "no answer");
	assert_null(timeline_gap(&t, 130, 200));
	assert_non_null(timeline_gap(&t, 1000, 1001));	/* not ended yet */
	timeline_free(&t);
}

static void test_changes(void **state)
{
	struct timeline t = { .count = 0 };

	(void)state;
	timeline_add_change(&t, 100);
	timeline_add_change(&t, 200);
	assert_false(timeline_changed(&t, 0, 99));
	assert_true(timeline_changed(&t, 0, 100));
	assert_false(timeline_changed(&t, 100, 199));
	assert_true(timeline_changed(&t, 199, 200));
	timeline_free(&t);
}

/* ---- the recent past ----------------------------------------------------------------------- */

static void add(struct recent *r, int64_t time, const char *text, bool outage)
{
	struct cluster *c = sketch_cluster(text, FS_DEPTH_OBLIVIOUS);

	recent_add(r, c, time, outage);
	cluster_free(c);
}

#define TEXT "physics 40\n\t+alice 1 5\n"

/* A shared picture lives as long as one of its owners. */
static void test_shared(void **state)
{
	struct recent r = { .count = 0 };
	struct cluster *c;

	(void)state;
	add(&r, 100, TEXT, false);
	c = cluster_share(recent_at(&r, 100));
	assert_null(recent_at(&r, 99));
	recent_free(&r);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 3);
	cluster_free(c);
}

/* The first and the last are kept; the older, the further apart. */
static void test_bounded(void **state)
{
	struct recent r = { .count = 0 };
	size_t each;

	(void)state;
	add(&r, 0, TEXT, false);
	each = r.bytes;
	r.bytes_most = each * 20;
	for (int64_t i = 1; i <= 2000; i++) {
		add(&r, 30 * i, TEXT, false);
		assert_true(r.bytes <= r.bytes_most && r.bytes == r.count * each);
	}
	assert_int_equal(r.count, 20);
	assert_int_equal(r.pictures[0].time, 0);
	assert_int_equal(r.pictures[19].time, 60000);
	assert_true(r.pictures[19].time - r.pictures[16].time <= 30 * 10);
	for (size_t i = 2; i < 20; i++)
		assert_true(r.pictures[i].time - r.pictures[i - 1].time <=
			    4 * (r.pictures[i - 1].time - r.pictures[i - 2].time));
	recent_free(&r);
}

/* A picture above the bound is kept alone: it is the one shown. */
static void test_too_large(void **state)
{
	struct recent r = { .bytes_most = 1 };

	(void)state;
	add(&r, 1, TEXT, false);
	add(&r, 2, TEXT, false);
	assert_int_equal(r.count, 1);
	assert_int_equal(r.pictures[0].time, 2);
	recent_free(&r);
}

/* Outages and changes of the policy are kept, whatever pictures are forgotten. */
static void test_what_happened(void **state)
{
	struct recent r = { .count = 0 };
	struct timeline t = { .count = 0 };

	(void)state;
	add(&r, 0, TEXT, false);
	r.bytes_most = r.bytes * 4;
	add(&r, 100, TEXT, true);
	add(&r, 110, TEXT "=PriorityWeightAge 7\n", false);
	for (int64_t i = 12; i < 300; i++)
		add(&r, 10 * i, TEXT "=PriorityWeightAge 7\n", false);
	recent_timeline(&r, &t);
	assert_true(t.count <= 4);
	assert_int_equal(t.gap_count, 1);
	assert_int_equal(t.gaps[0].since, 0);
	assert_int_equal(t.gaps[0].until, 100);
	assert_int_equal(t.change_count, 1);
	timeline_free(&t);
	recent_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finding),
		cmocka_unit_test(test_no_times),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_shared),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_what_happened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
