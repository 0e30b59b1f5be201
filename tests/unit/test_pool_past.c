/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The past of queues: what a source reports, what the screen remembers, and how the two become one
 * curve.
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

#include "core/base/mem.h"
#include "tests/support/lsf.h"
#include "core/pools/pool_past.h"
#include "tests/support/lab.h"

/* Two queues in one pool; a has the past LIST and uses USED slots (U32_UNKNOWN: unknown). */
static struct cluster *site(const char *const *list, uint32_t count, uint32_t used)
{
	static const char *const names[] = { "a", "b" };
	struct builder *b = builder_new();

	for (int i = 0; i < 2; i++) {
		uint32_t row = builder_add(b, TABLE_QUEUE);

		builder_str(b, F_QUEUE_NAME, row, names[i]);
		builder_str(b, F_QUEUE_POOL, row, "p");
		builder_f64(b, F_QUEUE_SHARE, row, 50);
		if (i == 0 && list)
			builder_list(b, F_QUEUE_PAST, row, list, count);
		if (i == 0 && used != U32_UNKNOWN)
			builder_u32(b, F_QUEUE_RUNNING, row, used);
	}
	return lab_sealed(b);
}

static void is_series(const struct pool_past *past, const struct pools *p, int64_t until,
		      const char *expected)
{
	struct pool_series s = pool_past_get(past, p, 0, until);
	char text[4000] = "";
	size_t used = 0;

	for (size_t i = 0; i < s.count && used + 40 < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%lld=%g ",
					 (long long)s.times[i], (double)s.values[i]);
	assert_string_equal(text, expected);
	pool_series_free(&s);
}

static void remember(struct pool_past *past, uint32_t used, int64_t time)
{
	struct cluster *c = site(NULL, 0, used);
	struct pools *p = pools_new(c, NULL, false, NULL, NULL);

	pool_past_add(past, p, time);
	pools_free(p);
	cluster_free(c);
}

static void test_what_the_source_tells(void **state)
{
	static const char *const list[] = { "100=1", "x", "200", "=4", "300=", "150=7", "140=9",
		"150=8", "160=-1", "170=99999999999", "12345678901234=1", "180=0" };
	struct cluster *c = site(list, sizeof(list) / sizeof(list[0]), 5);
	struct pools *p = pools_new(c, NULL, false, NULL, NULL);
	struct pool_past past = { .samples = 0 };
	size_t count;
	struct pools_sample *samples = pools_past(p, 0, &count);

	(void)state;
	/* Texts that are no samples, and samples out of order, are left out. */
	assert_int_equal(count, 3);
	assert_int_equal(samples[1].time, 150);
	assert_int_equal(samples[1].slots, 7);
	assert_int_equal(samples[2].slots, 0);
	mem_free(samples);
	is_series(&past, p, 400, "100=1 150=7 180=0 400=5 ");
	is_series(&past, p, 150, "100=1 150=7 ");
	is_series(&past, p, 50, "50=5 ");
	mem_free(pools_past(p, 1, &count));
	assert_int_equal(count, 0);
	pools_free(p);
	cluster_free(c);
}

static void test_what_was_seen(void **state)
{
	static const char *const list[] = { "100=1", "150=7" };
	struct cluster *c = site(list, 2, U32_UNKNOWN);
	struct pools *p = pools_new(c, NULL, false, NULL, NULL);
	struct pool_past past = { .samples = 0 };

	(void)state;
	remember(&past, 3, 120);
	remember(&past, 4, 160);
	remember(&past, 5, 155);		/* looked at backwards */
	remember(&past, 6, 160);		/* a repeated time */
	remember(&past, U32_UNKNOWN, 165);	/* unknown at that time */
	remember(&past, 7, 170);
	/* The source's own samples replace remembered ones in their range. */
	is_series(&past, p, 1000, "100=1 150=7 155=5 160=4 170=7 ");
	is_series(&past, p, 165, "100=1 150=7 155=5 160=4 ");
	pool_past_free(&past);
	assert_int_equal(past.samples, 0);
	pools_free(p);
	cluster_free(c);
}

/* Ten times the capacity: the beginning is kept, and samples are evenly spaced. */
static void test_bounded(void **state)
{
	struct cluster *c = site(NULL, 0, U32_UNKNOWN);
	struct pools *p = pools_new(c, NULL, false, NULL, NULL);
	struct pool_past past = { .samples = 0 };
	struct pool_series s;

	(void)state;
	for (uint32_t i = 0; i < 10 * POOL_PAST_SAMPLES; i++) {
		remember(&past, i, 1000 + i);
		assert_true(past.samples <= POOL_PAST_SAMPLES);
	}
	assert_true(past.samples >= POOL_PAST_SAMPLES / 2);
	s = pool_past_get(&past, p, 0, 1000000);
	assert_int_equal(s.count, past.samples);
	for (size_t i = 0; i < s.count; i++) {
		assert_int_equal(s.times[i], 1000 + (int64_t)i * past.stride);
		assert_true(s.values[i] == (float)(i * past.stride));
	}
	pool_series_free(&s);
	pool_past_free(&past);
	pools_free(p);
	cluster_free(c);
}

/*
 * By hand: 4 slots for half an hour, 8 for half an hour, then 10 for two hours, of which only one
 * is known; HIST_HOURS 1, so that a tenth is left after an hour.
 */
static void test_accumulated(void **state)
{
	struct pool_past past = { .samples = 0 };
	double half = pow(0.1, 0.5);

	(void)state;
	assert_true(isnan(pool_past_accumulated(&past, "a", 5000, 1)));
	remember(&past, 4, 0);
	assert_true(isnan(pool_past_accumulated(&past, "a", 0, 1)));
	assert_true(isnan(pool_past_accumulated(&past, "c", 1800, 1)));
	assert_true(fabs(pool_past_accumulated(&past, "a", 1800, 1) - 2) < 1e-12);
	remember(&past, 10, 3600);
	remember(&past, 8, 1800);
	assert_true(fabs(pool_past_accumulated(&past, "a", 1800, 1) - 2) < 1e-12);
	assert_true(fabs(pool_past_accumulated(&past, "a", 3600, 1) - (2 * half + 4)) < 1e-12);
	assert_true(fabs(pool_past_accumulated(&past, "a", 3600, 0) - 6) < 1e-12);
	assert_true(fabs(pool_past_accumulated(&past, "a", 3600 + 7200, 1) -
			 ((2 * half + 4) / 10 + 10) / 10) < 1e-12);
	pool_past_free(&past);
}

/* Samples every second: how many are read, how far back, and that later plans repeat none. */
static void test_plan(void **state)
{
	struct pool_past past = { .samples = 0 };
	struct timeline line = { .count = 0 };
	size_t count, later;
	int64_t *times, *others;

	(void)state;
	for (int64_t i = 0; i < 30000; i++)
		timeline_add(&line, 1000000 + i);
	times = pool_past_plan(&past, &line, 1000010, 5, &count);
	assert_int_equal(count, 10);
	assert_int_equal(times[9], 1000009);
	mem_free(times);
	times = pool_past_plan(&past, &line, 1029999, 1, &count);
	others = pool_past_plan(&past, &line, 1030000, 1, &later);
	assert_true(count > POOL_PAST_LOOKS / 2 && count <= POOL_PAST_LOOKS);
	assert_true(times[0] >= 1029999 - 6 * 3600);
	assert_int_equal(times[count - 1], others[count - 1]);
	for (size_t i = 0; i < count; i++)
		remember(&past, 1, times[i]);
	mem_free(others);
	others = pool_past_plan(&past, &line, 1030000, 1, &later);
	assert_true(later <= 1);
	mem_free(others);
	mem_free(times);
	pool_past_free(&past);
	timeline_free(&line);
}

/* The vendor's log has no year: it is the latest one possible at the picture's time. */
static void test_dispatcher_log(void **state)
{
	static const char *const texts[LSF_KINDS] = {
		[LSF_QUEUES] = "Begin Queue\nQUEUE_NAME=Roma\nSLOT_POOL=p\nSLOT_SHARE=50\n"
			       "End Queue\n",
		[LSF_LOG] = "# clients managed by LSF\n# Roma # Pisa\n31/12 23:59:00 8 1\n"
			    "1/1 0:0:0 7 2\n",
	};
	struct cluster *c = lsf_cluster(texts);
	struct pools *p = pools_new(c, NULL, false, NULL, NULL);
	struct pools_sample *roma;
	size_t count;

	(void)state;
	roma = pools_past(p, pools_find(p, false, "Roma", NULL), &count);
	assert_int_equal(count, 2);
	assert_int_equal(roma[1].time - roma[0].time, 60);
	assert_int_equal(roma[1].slots, 7);
	assert_true(roma[1].time <= cluster_meta(c)->time + 86400);
	assert_true(roma[1].time > cluster_meta(c)->time - 367 * 86400);
	mem_free(roma);
	pools_free(p);
	cluster_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_the_source_tells),
		cmocka_unit_test(test_what_was_seen),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_accumulated),
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_dispatcher_log),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
