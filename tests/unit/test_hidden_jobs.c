/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hidden jobs are not absent: unlike the same picture with all jobs shown, there are no ranks, no
 * counts that hidden jobs may add to, no numbers that need all jobs; sure values stay.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/classes/classes_view.h"
#include "core/cluster/cluster_copy.h"
#include "core/queue/compare.h"
#include "core/queue/forecast.h"
#include "core/queue/jobs.h"
#include "core/share/summary.h"
#include "core/whatif/seek.h"
#include "tests/support/jobdump.h"
#include "tests/support/lab.h"

/* A picture, and the same for a user from whom jobs may be hidden. */
struct both {
	struct lab *of[2];
};

static struct both both_of(const char *name)
{
	struct cluster *c = jobdump_cluster(name);
	struct builder *b = cluster_copy(c);

	builder_hidden(b, HIDDEN_JOBS);
	return (struct both){ { lab_of(c), lab_of(lab_sealed(b)) } };
}

static void both_free(struct both *x)
{
	for (int i = 0; i < 2; i++)
		lab_free(x->of[i]);
}

static void test_no_rank(void **state)
{
	struct both x = both_of("fairtree/quiet");
	const struct queue_order *all = x.of[0]->j->order, *o = jobs_ahead(x.of[1]->j);
	struct compare whole, part;

	(void)state;
	assert_true(all->count > 40);
	for (uint32_t e = 0; e < o->n; e++) {
		assert_int_equal(o->rank[e], U32_UNKNOWN);
		assert_int_equal(o->partition_rank[e], U32_UNKNOWN);
		assert_int_equal(o->ahead[e], U32_UNKNOWN);
		assert_true(isnan(o->ahead_cpu_hours[e]));
		assert_int_equal(x.of[0]->j->prio->priority[e], x.of[1]->j->prio->priority[e]);
	}
	/* The order of two jobs does not depend on the others. */
	for (uint32_t i = 1; i < all->count; i++) {
		compare_jobs(x.of[0]->j, all->order[i - 1], all->order[i], &whole);
		compare_jobs(x.of[1]->j, all->order[i - 1], all->order[i], &part);
		assert_int_equal(part.order, -1);
		assert_string_equal(part.sentence, whole.sentence);
		compare_free(&whole);
		compare_free(&part);
		compare_jobs(x.of[1]->j, all->order[i], all->order[i - 1], &part);
		assert_int_equal(part.order, 1);
		compare_free(&part);
	}
	both_free(&x);
}

static void test_no_count(void **state)
{
	struct both x = both_of("fairtree/live");
	uint32_t own = 0, unknown = 0;
	struct summary whole = summary_of(x.of[0]->m), part = summary_of(x.of[1]->m);

	(void)state;
	for (uint32_t i = 0; i < x.of[0]->m->tree->n; i++) {
		bool jobs = cluster_is_user(x.of[0]->c, i) &&
			    x.of[0]->m->running[i] + x.of[0]->m->pending[i] > 0;

		if (jobs) {
			/* A user who sees one job of a user in an account sees all of them. */
			assert_int_equal(x.of[1]->m->running[i], x.of[0]->m->running[i]);
			assert_int_equal(x.of[1]->m->pending[i], x.of[0]->m->pending[i]);
			assert_true(x.of[1]->m->burn[i] == x.of[0]->m->burn[i]);
			own++;
			continue;
		}
		/* A user whose jobs have all ended is not checked further. */
		if (cluster_is_user(x.of[0]->c, i) && x.of[1]->m->running[i] == 0)
			continue;
		assert_int_equal(x.of[1]->m->running[i], U32_UNKNOWN);
		assert_int_equal(x.of[1]->m->pending[i], U32_UNKNOWN);
		assert_true(isnan(x.of[1]->m->burn[i]));
		unknown++;
	}
	assert_true(own > 5 && unknown > 5);
	assert_true(whole.pending > 0 && whole.pending != U32_UNKNOWN);
	assert_int_equal(part.running, U32_UNKNOWN);
	assert_int_equal(part.pending, U32_UNKNOWN);
	assert_int_equal(part.accounts, whole.accounts);
	assert_int_equal(part.users, whole.users);
	both_free(&x);
}

static void test_no_classes_counted(void **state)
{
	struct both x = both_of("fairtree/quiet");

	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct class_choice choice = class_choice_of(x.of[i]->c);
		struct classes_data *d = classes_data_new(x.of[i]->j, &choice, NULL, 0);
		struct view view = classes_view(d);
		unsigned counts = 0;

		for (size_t k = 0; k < view.column_count; k++) {
			const char *name = view.columns[k].name;
			struct value v;

			if (strcmp(name, "jobs") != 0 && strcmp(name, "waiting") != 0 &&
			    strcmp(name, "running") != 0 && strcmp(name, "users") != 0 &&
			    strcmp(name, "first_rank") != 0)
				continue;
			column_get(&view.columns[k], view.context, 0, &v);
			assert_int_equal(v.kind == VALUE_UNKNOWN, i);
			counts++;
		}
		assert_int_equal(counts, 5);
		classes_data_free(d);
	}
	both_free(&x);
}

/* A question that needs all jobs is refused, as an error of the source. */
static void test_no_future(void **state)
{
	struct both x = both_of("fairtree/quiet");
	struct forecast_question q = { .assoc = 1, .entry = ROW_NONE, .reach = F64_UNKNOWN };
	struct seek_question s = { .assoc = ROW_NONE, .reach = 1 };
	struct forecasting *f;
	struct seeking *k;
	struct err err = { 0 };

	(void)state;
	s.entry = x.of[0]->j->order->order[5];
	for (int i = 0; i < 2; i++) {
		err_clear(&err);
		f = forecast_begin(x.of[i]->m, NULL, &q, &err);
		assert_int_equal(!f, i);
		assert_int_equal(err.code, i ? ERR_SOURCE : ERR_NONE);
		if (f)
			forecast_end(f, NULL);
		err_clear(&err);
		k = seek_begin(x.of[i]->m, x.of[i]->j, &s, &err);
		assert_int_equal(!k, i);
		assert_int_equal(err.code, i ? ERR_SOURCE : ERR_NONE);
		if (k)
			seek_end(k, NULL);
	}
	both_free(&x);
}

/* Unknown associations are not zero associations. */
static void test_no_associations(void **state)
{
	(void)state;
	for (uint32_t hidden = 0; hidden < 2; hidden++) {
		struct builder *b = builder_new();
		struct err err = { 0 };
		struct cluster *c;
		struct model *m;
		struct summary s;

		if (hidden)
			builder_hidden(b, HIDDEN_JOBS);
		c = lab_sealed(b);
		m = model_new(c, NULL, NULL);
		s = summary_of(m);
		assert_int_equal(s.accounts, U32_UNKNOWN);
		assert_int_equal(s.users, U32_UNKNOWN);
		assert_int_equal(cluster_knows_jobs(c, &err), !hidden);
		assert_int_equal(err.code, hidden ? ERR_SOURCE : ERR_NONE);
		model_free(m);
		cluster_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_rank),
		cmocka_unit_test(test_no_count),
		cmocka_unit_test(test_no_classes_counted),
		cmocka_unit_test(test_no_future),
		cmocka_unit_test(test_no_associations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
