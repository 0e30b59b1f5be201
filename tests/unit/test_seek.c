/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seek: the answer reaches the goal, and the next integer towards the present value does not; for
 * shares a formula gives that number.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "core/whatif/seek.h"
#include "tests/support/assoc.h"
#include "tests/support/lab.h"

static struct lab *two(void)
{
	struct builder *b = builder_new();

	builder_policy(b)->flags = PF_DEPTH_OBLIVIOUS;
	assoc_add(b, 1, 0, "root", NULL, 1, 100);
	assoc_add(b, 2, 1, "a", NULL, 30, 40);
	assoc_add(b, 3, 1, "b", NULL, 70, 60);
	return lab_of(lab_sealed(b));
}

static struct lab *of_demo(void)
{
	static const struct demo_options options = DEMO_OPTIONS_DEFAULT;
	static const struct model_options usage = { -1, FS_BASE_USAGE, -1 };
	struct demo *d = demo_new(&options);
	struct lab *lab = lab_by(demo_picture(d, NULL), &usage);

	demo_free(d);
	return lab;
}

/* F = 2^-(0.4 (s + 70) / s) >= goal: s >= 28 / (-log2(goal) - 0.4). */
static void test_formula(void **state)
{
	struct lab *lab = *state = two();

	for (double goal = 0.45; goal < 0.75; goal += 0.05) {
		struct seek_question q = { .assoc = cluster_by_path(lab->c, "/a"),
					   .entry = ROW_NONE, .reach = goal };
		double expected = ceil(28 / (-log2(goal) - 0.4));
		struct seek s;

		assert_true(seek(lab->m, NULL, &q, &s, NULL));
		assert_true(s.reached);
		assert_true(s.answers[0].value == expected);
		assert_true(s.answers[0].reaches >= goal);
		seek_free(&s);
	}
}

/* 2^-0.4 is the limit. */
static void test_out_of_reach(void **state)
{
	struct lab *lab = *state = two();
	struct seek_question q = { .assoc = cluster_by_path(lab->c, "/a"), .entry = ROW_NONE,
				   .reach = 0.76 };
	struct seek s;

	assert_true(exp2(-0.4) < 0.76);
	assert_true(seek(lab->m, NULL, &q, &s, NULL));
	assert_false(s.reached);
	assert_true(isnan(s.answers[0].value));
	assert_non_null(strstr(s.answers[0].note, "cannot be reached, because"));
	assert_true(fabs(s.answers[0].reaches - exp2(-0.4)) < 1e-6);
	seek_free(&s);
}

/* For a job: an answer that reaches the rank also does in the engine; one less does not. */
static void test_job(void **state)
{
	struct lab *lab = *state = of_demo();
	const struct jobs *j = lab->j;
	uint32_t entry = j->order->order[j->order->count / 2];
	struct seek_question q = { .assoc = j->index->assoc[entry], .entry = entry,
				   .reach = 0 };
	struct seek s;
	uint32_t reached = 0;

	q.reach = j->order->rank[entry] - 5;
	assert_true(seek(lab->m, lab->j, &q, &s, NULL));
	for (uint32_t i = 0; i < s.count; i++) {
		if (isnan(s.answers[i].value)) {
			assert_non_null(strstr(s.answers[i].note, "because"));
			continue;
		}
		reached++;
		assert_true(s.answers[i].reaches <= q.reach);
		assert_true(i == 0 || s.answers[i - 1].change <= s.answers[i].change);
	}
	assert_true(reached > 0 && s.reached);
	seek_free(&s);
}

/* A reason must be real: not "because 0 jobs", even for a rank that no job can have. */
static void test_reason(void **state)
{
	struct lab *lab = *state = of_demo();
	const struct jobs *j = lab->j;
	uint32_t entry = j->order->order[3];
	struct seek_question q = { .assoc = j->index->assoc[entry], .entry = entry,
				   .reach = 0 };
	struct seek s;

	assert_true(seek(lab->m, lab->j, &q, &s, NULL));
	for (uint32_t i = 0; i < s.count; i++)
		assert_null(strstr(s.answers[i].note, "because 0 jobs"));
	seek_free(&s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		lab_test(test_formula),
		lab_test(test_out_of_reach),
		lab_test(test_job),
		lab_test(test_reason),
	};

	return cmocka_run_group_tests_name("seek", tests, NULL, NULL);
}
