/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why one comes before the other, on recordings of a real cluster: the sentence and the row that
 * decides agree with the ranks, whichever way round one asks, and a priority's derivation ends in
 * the scheduler's own number.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/compare.h"
#include "tests/support/jobdump.h"

struct lab {
	struct cluster *c;
	struct model *m;
	struct jobs *j;
};

static struct lab lab_open(const char *name)
{
	struct err err = { 0 };
	struct lab lab = { .c = jobdump_cluster(name) };

	lab.m = model_new(lab.c, NULL, &err);
	lab.j = jobs_new(lab.m, NULL);
	return lab;
}

static void lab_close(struct lab *lab)
{
	jobs_free(lab->j);
	model_free(lab->m);
	cluster_free(lab->c);
}

static uint32_t find(const struct lab *lab, const char *object)
{
	struct err err = { 0 };
	uint32_t row = cluster_find_assoc(lab->c, object, &err);

	if (row == ROW_NONE)
		fail_msg("%s", err.message);
	return row;
}

static uint32_t deciding(const struct compare *c)
{
	uint32_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		n += c->rows[i].decides;
	return n;
}

static void test_every_pair_of_jobs_agrees_with_the_ranks(void **state)
{
	struct lab lab = lab_open("depthobl/quiet");
	uint32_t n = lab.j->index->n;

	(void)state;
	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b < n; b++) {
			uint32_t ra = lab.j->order->rank[a], rb = lab.j->order->rank[b];
			struct compare x, y;

			compare_jobs(lab.j, a, b, &x);
			compare_jobs(lab.j, b, a, &y);
			assert_int_equal(x.order, -y.order);
			if (a != b)
				assert_string_equal(x.order == 0 ? "" : x.sentence,
						    y.order == 0 ? "" : y.sentence);
			if (ra != U32_UNKNOWN && rb != U32_UNKNOWN && ra != rb)
				assert_true((x.order < 0) == (ra < rb) && deciding(&x) >= 1);
			compare_free(&x);
			compare_free(&y);
		}
	}
	lab_close(&lab);
}

static void test_associations_in_words(void **state)
{
	struct lab lab = lab_open("depthobl/quiet");
	struct compare c;

	(void)state;
	compare_accounts(lab.m, find(&lab, "account:cs101"), find(&lab, "account:proteomics"), &c);
	assert_true(c.order > 0);
	assert_string_equal(c.sentence,
			    "/biology/proteomics comes before /class/cs101: F 0.996953 against "
			    "7.09757e-09; below / biology has R 0.01823 and class 20.93");
	compare_free(&c);
	compare_accounts(lab.m, find(&lab, "account:cs101"), find(&lab, "account:class"), &c);
	assert_null(strstr(c.sentence, "below"));
	compare_free(&c);
	lab_close(&lab);
	lab = lab_open("fairtree/quiet");
	compare_accounts(lab.m, find(&lab, "account:class"), find(&lab, "account:biology"), &c);
	assert_true(c.order != 0);
	assert_non_null(strstr(c.sentence, "Level FS"));
	compare_free(&c);
	lab_close(&lab);
}

static void test_a_derivation_ends_in_the_schedulers_number(void **state)
{
	struct lab lab = lab_open("depthobl_xflags/quiet");

	(void)state;
	for (uint32_t e = 0; e < lab.j->index->n; e++) {
		struct explain x;

		explain_init(&x);
		prio_explain(&lab.j->input, lab.j->prio, e, &x);
		assert_true(x.count > 0);
		assert_string_equal(x.steps[x.count - 1].name, "priority");
		if (lab.j->prio->origin[e] == PRIO_COMPUTED)
			assert_true(x.steps[x.count - 1].value == lab.j->prio->priority[e]);
		explain_free(&x);
	}
	lab_close(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_pair_of_jobs_agrees_with_the_ranks),
		cmocka_unit_test(test_associations_in_words),
		cmocka_unit_test(test_a_derivation_ends_in_the_schedulers_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
