/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why one comes before the other, on recordings of a real cluster: the sentence and the deciding
 * row agree with the ranks in both directions, and a priority's derivation ends in the scheduler's
 * own number.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/queue/compare.h"
#include "tests/support/jobdump.h"
#include "tests/support/lab.h"
#include "tests/support/sketch.h"

static struct lab *lab_open(const char *name)
{
	return lab_of(jobdump_cluster(name));
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
	struct lab *lab = *state = lab_open("depthobl/quiet");
	uint32_t n = lab->j->index->n;

	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b < n; b++) {
			uint32_t ra = lab->j->order->rank[a], rb = lab->j->order->rank[b];
			struct compare x, y;

			compare_jobs(lab->j, a, b, &x);
			compare_jobs(lab->j, b, a, &y);
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
}

/* ---- what it would take -------------------------------------------------------------------- */

/* Parses "1-02:03:04" or "02:03:04" after WORDS; returns seconds, -1 without WORDS. */
static double seconds_after(const char *sentence, const char *words)
{
	const char *at = strstr(sentence, words);
	unsigned days = 0, hours, minutes, seconds;

	if (!at)
		return -1;
	at += strlen(words);
	if (sscanf(at, "%u-%u:%u:%u", &days, &hours, &minutes, &seconds) != 4) {
		days = 0;
		assert_int_equal(sscanf(at, "%u:%u:%u", &hours, &minutes, &seconds), 3);
	}
	return ((days * 24.0 + hours) * 60 + minutes) * 60 + seconds;
}

static int64_t submitted(const struct lab *lab, uint32_t e)
{
	return cluster_i64(lab->c, F_JOB_SUBMIT, lab->j->index->job[e]);
}

/* Returns whether B precedes A (priority, submit time, number) when only SECONDS passed. */
static bool turned(const struct lab *lab, uint32_t a, uint32_t b, double seconds)
{
	struct prio_input in = lab->j->input;
	struct prio_result *r;
	uint32_t x, y;

	in.now += (int64_t)seconds;
	r = prio_run(&in);
	x = r->priority[a];
	y = r->priority[b];
	prio_result_free(r);
	if (x != y)
		return y > x;
	if (submitted(lab, a) != submitted(lab, b))
		return submitted(lab, b) < submitted(lab, a);
	return b < a;
}

/*
 * Advancing the clock by the sentence's time reverses the order, a little less does not; where the
 * sentence says never, no time does. Priorities are integers, so "a little" is three points.
 */
static void check_promise(const struct lab *lab, uint32_t a, uint32_t b, unsigned *seen)
{
	const struct policy *p = &lab->j->policy;
	double slack = 3.0 * (double)p->max_age / p->weight[PRIO_AGE] + 1, seconds;
	struct compare x;

	compare_jobs(lab->j, a, b, &x);
	seconds = seconds_after(x.sentence, "age alone makes up in ");
	if (seconds >= 0) {
		assert_true(turned(lab, a, b, seconds + slack));
		if (seconds > slack)
			assert_false(turned(lab, a, b, seconds - slack));
		seen[0]++;
	} else if (strstr(x.sentence, "never makes up")) {
		for (double part = 0.25; part <= 2; part += 0.25)
			assert_false(turned(lab, a, b, part * (double)p->max_age - slack));
		seen[1]++;
	}
	compare_free(&x);
}

static void check_promises(const struct lab *lab, unsigned *seen)
{
	const struct queue_order *o = lab->j->order;

	for (uint32_t i = 0; i + 1 < o->count; i++) {
		for (uint32_t step = 1; i + step < o->count; step += 3)
			check_promise(lab, o->order[i], o->order[i + step], seen);
	}
}

static void test_age_turns_the_order_when_the_sentence_says_so(void **state)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct lab *lab = *state = lab_open("depthobl/quiet"), *demo;
	struct cluster *c;
	unsigned seen[2] = { 0 };
	struct err err = { 0 };
	struct source *source = source_open("demo:1,jobs=200", &err);

	check_promises(lab, seen);
	assert_non_null(source);
	assert_int_equal(source_fetch(source, &request, &c, &err), FETCH_NEW);
	demo = lab_of(c);
	check_promises(demo, seen);
	lab_free(demo);
	source_close(source);
	print_message("%u pairs that age turns, %u that it never does\n", seen[0], seen[1]);
	assert_true(seen[0] >= 10 && seen[1] >= 100);
}

static void test_associations_in_words(void **state)
{
	struct lab *lab = *state = lab_open("depthobl/quiet");
	struct compare c;

	compare_accounts(lab->m, find(lab, "account:cs101"), find(lab, "account:proteomics"), &c);
	assert_true(c.order > 0);
	assert_string_equal(c.sentence,
			    "/biology/proteomics comes before /class/cs101: F 0.996953 against "
			    "7.09757e-09; below /, biology has R 0.01823 and class 20.93");
	compare_free(&c);
	compare_accounts(lab->m, find(lab, "account:cs101"), find(lab, "account:class"), &c);
	assert_null(strstr(c.sentence, "below"));
	compare_free(&c);
	/* Without shares any usage is infinitely over-served, as in the table of accounts. */
	compare_accounts(lab->m, find(lab, "account:visitors"), find(lab, "account:class"), &c);
	assert_non_null(strstr(c.sentence, "class has R 20.93 and visitors inf"));
	assert_true(isinf(c.rows[1].a));
	assert_string_equal(c.rows[1].note, "first ancestors that differ; the smaller one is "
					    "served first");
	compare_free(&c);
	lab_free(lab);
	lab = *state = lab_open("fairtree/quiet");
	compare_accounts(lab->m, find(lab, "account:class"), find(lab, "account:biology"), &c);
	assert_true(c.order != 0);
	assert_non_null(strstr(c.sentence, "Level FS"));
	compare_free(&c);
	/* Both have no shares: neither is served first, as neither is larger. */
	compare_accounts(lab->m, find(lab, "account:guests"), find(lab, "account:visitors"), &c);
	assert_non_null(strstr(c.rows[1].note, "a tie, which the scheduler's own order"));
	compare_free(&c);
}

static void test_a_derivation_ends_in_the_schedulers_number(void **state)
{
	struct lab *lab = *state = lab_open("depthobl_xflags/quiet");

	for (uint32_t e = 0; e < lab->j->index->n; e++) {
		struct explain x;

		explain_init(&x);
		prio_explain(&lab->j->input, lab->j->prio, e, &x);
		assert_true(x.count > 0);
		assert_string_equal(x.steps[x.count - 1].name, "priority");
		if (lab->j->prio->origin[e] == PRIO_COMPUTED)
			assert_true(x.steps[x.count - 1].value == lab->j->prio->priority[e]);
		explain_free(&x);
	}
}

/* Checks the note of each job's age in turn. */
static void check_age_notes(const char *text, const char *const *notes, uint32_t count)
{
	struct lab *lab = lab_of(sketch_cluster(text, FS_DEPTH_OBLIVIOUS));

	assert_int_equal(lab->j->index->n, count);
	for (uint32_t e = 0; e < count; e++) {
		struct explain x;

		explain_init(&x);
		prio_explain(&lab->j->input, lab->j->prio, e, &x);
		assert_string_equal(x.steps[0].name, "age");
		assert_string_equal(x.steps[0].note, notes[e]);
		explain_free(&x);
	}
	lab_free(lab);
}

/* The deciding row, points by size of difference, differing times, equal rows, unknown rows. */
static void test_order_for_people(void **state)
{
	static const char *const wanted[] = { "decides", "many", "few", "submit", "equal", "begin",
					      "unknown" };
	struct compare c = { 0 };

	(void)state;
	compare_add(&c, NAN, 1, "unknown");
	compare_add(&c, 3, 3, "equal");
	compare_add(&c, 1794000000, 1794003600, "submit")->time = true;
	compare_add(&c, 5, 6, "few");
	compare_add(&c, 1794000000, 1794000000, "begin")->time = true;
	compare_add(&c, 1, 1.5, "decides")->decides = true;
	compare_add(&c, 9, 2, "many");
	compare_sort(&c);
	assert_int_equal(c.count, sizeof(wanted) / sizeof(wanted[0]));
	for (size_t i = 0; i < c.count; i++)
		assert_string_equal(c.rows[i].name, wanted[i]);
	compare_free(&c);
}

#define JOB "*job user=alice account=physics assoc=2 partition=p state=PENDING submit=1794000000 "

static void test_why_age_stands_still(void **state)
{
	static const char *const notes[] = {
		"no accrue time yet: MaxJobsAccruePerUser of QOS small is 5, which it would exceed",
		"no accrue time yet: GrpJobsAccrue of /physics is 9, which it would exceed",
		"no accrue time before its dependency is satisfied",
		("documented: age stops while a partition limit keeps the job pending "
		 "/ the scheduler lets it grow"),
		"",
	};

	(void)state;
	check_age_notes("physics 40\n*assoc grp_accrue=9\n\t+alice 3 900000\n"
			"=PriorityWeightAge 1000\n*partition name=p\n"
			"*qos name=small max_accrue_user=5\n*qos name=free\n"
			JOB "id=1 qos=small accrue=0 reason=Priority\n"
			JOB "id=2 qos=free accrue=0 reason=Priority\n"
			JOB "id=4 qos=free accrue=0 reason=Dependency dependency=afterok:3\n"
			JOB "id=5 qos=free accrue=1794000000 reason=PartitionTimeLimit\n"
			JOB "id=6 qos=free accrue=1794000000 reason=Priority\n",
			notes, sizeof(notes) / sizeof(notes[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		lab_test(test_every_pair_of_jobs_agrees_with_the_ranks),
		lab_test(test_age_turns_the_order_when_the_sentence_says_so),
		lab_test(test_associations_in_words),
		cmocka_unit_test(test_order_for_people),
		cmocka_unit_test(test_why_age_stands_still),
		lab_test(test_a_derivation_ends_in_the_schedulers_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
