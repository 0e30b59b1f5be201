/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forecast: usage in closed form equals stepping pass by pass; the named pass is the first that
 * meets the goal, checked against every pass before it; a goal never reached is reported.
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

#include "core/share/decay.h"
#include "core/queue/forecast.h"
#include "core/base/mem.h"
#include "core/whatif/whatif_apply.h"
#include "tests/support/assoc.h"
#include "tui/base/zone.h"

#define NOW INT64_C(1790000000)

static void running(struct builder *b, uint32_t id, uint32_t assoc, double billing)
{
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	builder_u32(b, F_JOB_ASSOC, row, assoc);
	builder_str(b, F_JOB_STATE, row, "RUNNING");
	builder_f64(b, F_JOB_BILLING, row, billing);
}

/* root - a (x burns 4), b (z burns 40); b has used little so far. */
static struct cluster *busy(void)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = *builder_get_meta(b);

	meta.kind = "slurm";
	meta.time = meta.last_decay = NOW;
	builder_meta(b, &meta);
	builder_policy(b)->flags = PF_DEPTH_OBLIVIOUS;
	builder_policy(b)->half_life = 86400;
	assoc_add(b, 1, 0, "root", NULL, 1, 2e6);
	assoc_add(b, 2, 1, "a", NULL, 1, 1.8e6);
	assoc_add(b, 3, 2, "a", "x", 1, 1.8e6);
	assoc_add(b, 4, 1, "b", NULL, 1, 2e5);
	assoc_add(b, 5, 4, "b", "z", 1, 2e5);
	running(b, 10, 3, 4);
	running(b, 11, 5, 40);
	return builder_seal(b, NULL);
}

static struct model *model_of(const struct cluster *c)
{
	struct model_options options = { -1, FS_BASE_USAGE, FS_ORDER_LIST };

	return model_new(c, &options, NULL);
}

/* One decay pass of the scheduler. */
static void step(double *usage, const double *rate, uint32_t n, int64_t half_life, int64_t period)
{
	for (uint32_t i = 0; i < n; i++)
		usage[i] = usage[i] * decay_over(half_life, period) +
			   decay_charge(half_life, period, rate[i], 1);
}

static void test_closed_form(void **state)
{
	(void)state;
	struct cluster *c = busy();
	double rate[5] = { 44, 4, 4, 40, 40 }, usage[5], closed[5];

	memcpy(usage, cluster_col_f64(c, F_ASSOC_USAGE), sizeof(usage));
	for (int64_t pass = 1; pass <= 3000; pass++) {
		step(usage, rate, 5, 86400, 300);
		forecast_usage(c, NULL, rate, pass, closed);
		for (int i = 0; i < 5; i++)
			assert_true(fabs(usage[i] - closed[i]) <= 1e-10 * usage[i]);
	}
	cluster_free(c);
}

/* F = 2^-(U_b / S_b): returns the first pass at which stepping reaches the goal. */
static int64_t first_pass(const struct cluster *c, double rate_b, double goal)
{
	double rate[5] = { 4 + rate_b, 4, 4, rate_b, rate_b }, usage[5];

	memcpy(usage, cluster_col_f64(c, F_ASSOC_USAGE), sizeof(usage));
	for (int64_t pass = 0; pass < 6000; pass++) {
		double f = exp2(-(usage[3] / usage[0]) / 0.5);

		if (goal < 0.8 ? f <= goal : f >= goal)
			return pass;
		step(usage, rate, 5, 86400, 300);
	}
	return -1;
}

static void check(enum forecast_burn burn, double per_hour, double goal, double rate_b)
{
	struct cluster *c = busy();
	struct model *m = model_of(c);
	struct forecast_question q = { cluster_by_path(c, "/b"), ROW_NONE, burn, per_hour, goal,
				       NULL, false };
	struct forecast f;
	int64_t expected = first_pass(c, rate_b, goal);
	bool shown = false;

	assert_true(forecast(m, NULL, &q, &f, NULL));
	if (expected < 0)
		assert_true(f.reached == I64_UNKNOWN && strstr(f.sentence, "not within"));
	else
		assert_int_equal(f.reached, NOW + expected * 300);
	assert_true(f.points[0].time == NOW);
	assert_true(fabs(f.points[0].fairshare - exp2(-0.2)) < 1e-12);
	for (uint32_t i = 1; i < f.count; i++) {
		assert_true(f.points[i].time > f.points[i - 1].time);
		shown = shown || f.points[i].time == f.reached;
	}
	assert_true(shown || expected < 0);
	forecast_free(&f);
	model_free(m);
	cluster_free(c);
}

static void test_reach(void **state)
{
	(void)state;
	check(FORECAST_NOW, 0, 0.5, 40);
	check(FORECAST_NOW, 0, 0.3, 40);
	check(FORECAST_NOW, 0, 0.1, 40);	/* never: U stays below 40/44 */
	check(FORECAST_NONE, 0, 0.9, 0);
	check(FORECAST_NONE, 0, 0.99, 0);
	check(FORECAST_RATE, 3600 * 8, 0.5, 8);
	check(FORECAST_RATE, 3600 * 0.1, 0.95, 0.1);
}

/*
 * Computes usage after PASSES passes, one by one, as slurmctld does: the first pass at or after a
 * midnight (UTC) zeroes it, then charges what ran since the pass before.
 */
static void step_daily(const struct cluster *c, const double *rate, int64_t passes, double *usage)
{
	int64_t midnight = (NOW / 86400 + 1) * 86400;

	memcpy(usage, cluster_col_f64(c, F_ASSOC_USAGE), 5 * sizeof(*usage));
	for (int64_t pass = 1; pass <= passes; pass++) {
		if (NOW + pass * 300 >= midnight) {
			memset(usage, 0, 5 * sizeof(*usage));
			midnight += 86400;
		}
		step(usage, rate, 5, 86400, 300);
	}
}

static struct cluster *busy_daily(void)
{
	struct cluster *c = busy();

	strcpy(((struct policy *)(uintptr_t)cluster_policy(c))->reset_period, "DAILY");
	return c;
}

/* The first midnight after NOW is 117.3 passes away. */
static void test_reset(void **state)
{
	static const int64_t passes[] = { 1, 117, 118, 119, 405, 406, 1000 };
	double rate[5] = { 44, 4, 4, 40, 40 }, usage[5], closed[5];
	struct cluster *c = busy_daily();

	(void)state;
	for (size_t p = 0; p < sizeof(passes) / sizeof(passes[0]); p++) {
		struct whatif *w = whatif_new();
		char text[40];
		struct cluster *later;

		step_daily(c, rate, passes[p], usage);
		forecast_usage(c, &zone_local, rate, passes[p], closed);
		snprintf(text, sizeof(text), "advance = %llds", (long long)passes[p] * 300);
		w->calendar = &zone_local;
		assert_true(whatif_add(w, text, NULL));
		later = whatif_apply(w, c);
		assert_true(whatif_check(w, NULL));
		for (uint32_t i = 0; i < 5; i++) {
			double advanced = cluster_f64(later, F_ASSOC_USAGE, i);

			assert_true(fabs(usage[i] - closed[i]) <= 1e-10 * usage[i]);
			assert_true(fabs(usage[i] - advanced) <= 1e-10 * usage[i]);
		}
		cluster_free(later);
		whatif_free(w);
	}
	cluster_free(c);
}

/* Only the reset meets this goal; the reset lies between two points of the search. */
static void test_reset_is_found(void **state)
{
	struct cluster *c = busy_daily();
	struct model *m = model_of(c);
	struct forecast_question q = { cluster_by_path(c, "/a"), ROW_NONE, FORECAST_NOW, 0, 0.85,
				       &zone_local, false };
	double rate[5] = { 44, 4, 4, 40, 40 }, usage[5];
	struct forecast f;
	int64_t pass = 0;

	(void)state;
	do
		step_daily(c, rate, ++pass, usage);
	while (exp2(-(usage[1] / usage[0]) / 0.5) < 0.85);
	assert_true(forecast(m, NULL, &q, &f, NULL));
	assert_int_equal(f.reached, NOW + pass * 300);
	assert_non_null(strstr(f.sentence, "usage is reset in 09:46:40: in "));
	forecast_free(&f);
	q.zone_is_ours = true;
	assert_true(forecast(m, NULL, &q, &f, NULL));
	assert_non_null(strstr(f.sentence, "usage is reset in 09:46:40 (at midnight here, which "
					   "may differ from the cluster's): in "));
	forecast_free(&f);
	model_free(m);
	cluster_free(c);
}

static void test_refused(void **state)
{
	(void)state;
	struct builder *b = builder_new();
	struct cluster_meta meta = *builder_get_meta(b);
	struct err err = { .code = ERR_NONE };
	struct forecast_question q = { 0, ROW_NONE, FORECAST_NOW, 0, 0.5, NULL, false };
	struct forecast f;
	struct cluster *c;
	struct model *m;

	meta.kind = "pbs";
	meta.time = NOW;
	builder_meta(b, &meta);
	assoc_add(b, 1, 0, "root", NULL, 1, 2e6);
	c = builder_seal(b, NULL);
	m = model_new(c, NULL, NULL);
	assert_false(forecast(m, NULL, &q, &f, &err));
	assert_non_null(strstr(err.message, "the decay of usage could not be read"));
	model_free(m);
	cluster_free(c);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_closed_form),
		cmocka_unit_test(test_reach),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_reset_is_found),
		cmocka_unit_test(test_refused),
	};

	setenv("TZ", "UTC", 1);	/* the zone of its data */
	tzset();
	return cmocka_run_group_tests_name("forecast", tests, NULL, NULL);
}
