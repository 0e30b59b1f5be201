/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pools over time: the slots in use converge to the shares and never exceed the hosts' slots, a
 * queue that was idle comes first, and the same seed gives the same course.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/pools/pool_sim.h"

#define QUEUES 5
#define DAY 86400

static const struct pool_sim_pool pools[] = { { 100, SLOTS_NO_LIMIT, false, false } };

/* Three queues with more work than slots. */
static const struct pool_sim_queue busy[] = {
	{ 50, 50, 0, 0, SLOTS_NO_LIMIT, 1, 600, 1800, 400, 100, 0, 0 },
	{ 48, 30, 0, 0, SLOTS_NO_LIMIT, 1, 600, 1800, 400, 100, 0, 0 },
	{ 46, 20, 0, 0, SLOTS_NO_LIMIT, 1, 600, 1800, 400, 100, 0, 0 },
};

static struct pool_sim_options options_of(const struct pool_sim_queue *queues, uint32_t count)
{
	return (struct pool_sim_options){ .pools = pools, .queues = queues, .pool_count = 1,
					  .queue_count = count, .cycle = 60, .hist_hours = 5,
					  .seed = 7 };
}

static void test_settles_at_the_shares(void **state)
{
	struct pool_sim_options o = options_of(busy, 3);
	struct pool_sim *s = pool_sim_new(&o);
	double sum[3] = { 0 };

	(void)state;
	pool_sim_advance(s, DAY);
	for (int cycle = 0; cycle < 1440; cycle++) {
		pool_sim_cycle(s);
		for (uint32_t i = 0; i < 3; i++)
			sum[i] += pool_sim_queue(s, i)->used / 1440.0;
	}
	assert_true(fabs(sum[0] - 50) < 1 && fabs(sum[1] - 30) < 1 && fabs(sum[2] - 20) < 1);
	assert_int_equal(pool_sim_time(s), 2 * DAY);
	pool_sim_free(s);
}

/* Odd slots: the last queue of the first order gets less at first, but its share in the long
 * run. */
static void test_rounding_evens_out(void **state)
{
	static const struct pool_sim_pool odd[] = { { 21, SLOTS_NO_LIMIT, false, false } };
	struct pool_sim_queue queues[10] = { 0 };
	struct pool_sim_options o = options_of(queues, 10);
	double least = 1e9, most = 0;
	struct pool_sim *s;

	(void)state;
	for (uint32_t i = 0; i < 10; i++)
		queues[i] = (struct pool_sim_queue){ 50 - (int64_t)i, 10, 0, 0, SLOTS_NO_LIMIT, 1,
						     300, 900, 100, 50, 0, 0 };
	o.pools = odd;
	s = pool_sim_new(&o);
	pool_sim_cycle(s);
	assert_int_equal(pool_sim_queue(s, 0)->used, 3);
	assert_int_equal(pool_sim_queue(s, 9)->used, 0);
	pool_sim_advance(s, 2 * DAY);
	for (uint32_t i = 0; i < 10; i++) {
		double a = pool_sim_queue(s, i)->accumulated;

		least = a < least ? a : least;
		most = a > most ? a : most;
	}
	assert_true(least > 0.9 * most);
	pool_sim_free(s);
}

/* The past kept is what each cycle showed, as far back as requested. */
static void test_past(void **state)
{
	struct pool_sim_options o = options_of(busy, 3);
	uint32_t seen[40][3] = { { 0 } };
	struct pool_sim *s;

	(void)state;
	o.remember = 20 * o.cycle;
	s = pool_sim_new(&o);
	assert_int_equal(pool_sim_past(s, 0, o.cycle), 0);
	for (int64_t k = 1; k < 40; k++) {
		pool_sim_cycle(s);
		for (uint32_t i = 0; i < 3; i++)
			seen[k][i] = pool_sim_queue(s, i)->used;
		for (int64_t ago = 0; ago <= 20 && ago <= k; ago++)
			for (uint32_t i = 0; i < 3; i++)
				assert_int_equal(pool_sim_past(s, i, ago * o.cycle),
						 seen[k - ago][i]);
	}
	assert_true(seen[30][0] > 0);
	pool_sim_free(s);
}

static void test_never_beyond_the_slots(void **state)
{
	static const struct pool_sim_queue queues[QUEUES] = {
		{ 50, 50, 0, 0, SLOTS_NO_LIMIT, 1, 60, 3600, 90, 0, 0, 0 },
		{ 48, 30, 0, 0, 10, 2, 60, 7200, 60, 5, 0, 0 },
		{ 46, 20, 0, 0, SLOTS_NO_LIMIT, 4, 60, 600, 30, 0, 20000, 50000 },
		{ 60, 0, POOL_SIM_OUTSIDE, 0, 40, 1, 600, 6000, 100, 0, 0, 40000 },
		{ 10, 0, POOL_SIM_OUTSIDE, 0, SLOTS_NO_LIMIT, 3, 60, 600, 20, 0, 0, 0 },
	};
	struct pool_sim_options o = options_of(queues, QUEUES);
	struct pool_sim *s = pool_sim_new(&o);

	(void)state;
	for (int cycle = 0; cycle < 1440; cycle++) {
		uint32_t sum = 0;

		pool_sim_cycle(s);
		for (uint32_t i = 0; i < QUEUES; i++) {
			const struct pool_sim_state *q = pool_sim_queue(s, i);

			sum += q->used;
			assert_true(q->used <= queues[i].limit);
			assert_int_equal((q->started - q->ended) * queues[i].job_slots, q->used);
		}
		assert_true(sum <= 100);
	}
	assert_true(pool_sim_queue(s, 2)->ended > 0 && pool_sim_queue(s, 3)->ended > 0);
	pool_sim_free(s);
}

/* A queue without work lends its slots, and gets them back as jobs end. */
static void test_who_was_away_comes_first(void **state)
{
	struct pool_sim_queue queues[3] = { 0 };
	struct pool_sim_options o = options_of(queues, 3);
	struct pool_sim *s;

	(void)state;
	memcpy(queues, busy, sizeof(queues));
	queues[2].waiting = 0;
	queues[2].from = DAY / 2;
	queues[2].until = DAY;
	s = pool_sim_new(&o);
	pool_sim_advance(s, DAY / 2 - 60);
	assert_int_equal(pool_sim_queue(s, 2)->used, 0);
	assert_int_equal(pool_sim_queue(s, 0)->used + pool_sim_queue(s, 1)->used, 100);
	pool_sim_advance(s, 2 * 3600);
	assert_true(pool_sim_queue(s, 2)->used >= 20);
	pool_sim_free(s);
}

static void test_same_seed_same_course(void **state)
{
	struct pool_sim_options o = options_of(busy, 3);
	struct pool_sim *a = pool_sim_new(&o), *b = pool_sim_new(&o), *c;

	(void)state;
	o.seed = 8;
	c = pool_sim_new(&o);
	pool_sim_advance(a, DAY);
	for (int i = 0; i < 24; i++)
		pool_sim_advance(b, 3600);
	pool_sim_advance(c, DAY);
	for (uint32_t i = 0; i < 3; i++)
		assert_memory_equal(pool_sim_queue(a, i), pool_sim_queue(b, i),
				    sizeof(struct pool_sim_state));
	assert_true(pool_sim_queue(a, 0)->ended != pool_sim_queue(c, 0)->ended);
	pool_sim_free(a);
	pool_sim_free(b);
	pool_sim_free(c);
}

/* When starts are counted, a short job costs its queue as much as a long one. */
static void test_counting_starts(void **state)
{
	struct pool_sim_queue queues[2] = {
		{ 50, 50, 0, 0, SLOTS_NO_LIMIT, 1, 600, 600, 4000, 500, 0, 0 },
		{ 50, 50, 0, 0, SLOTS_NO_LIMIT, 1, 6000, 6000, 4000, 500, 0, 0 },
	};
	struct pool_sim_options o = options_of(queues, 2);
	struct pool_sim *s;

	(void)state;
	o.by_starts = true;
	s = pool_sim_new(&o);
	pool_sim_advance(s, DAY);
	assert_true(pool_sim_queue(s, 0)->accumulated > pool_sim_queue(s, 1)->accumulated);
	pool_sim_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settles_at_the_shares),
		cmocka_unit_test(test_rounding_evens_out),
		cmocka_unit_test(test_past),
		cmocka_unit_test(test_never_beyond_the_slots),
		cmocka_unit_test(test_who_was_away_comes_first),
		cmocka_unit_test(test_same_seed_same_course),
		cmocka_unit_test(test_counting_starts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
