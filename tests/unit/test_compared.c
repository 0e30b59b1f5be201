/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns that compare a what-if with its base, in every view: the base's value is what the base
 * itself shows in that row, the change is the difference, places are gained where ranks fall. New
 * rows, and views without a base, are unknown; and the columns stand beside what they compare.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "core/classes/classes_view.h"
#include "core/whatif/compared.h"
#include "core/base/mem.h"
#include "core/pools/pools.h"
#include "core/whatif/versus.h"
#include "core/whatif/whatif.h"

/* The demo and the same with edits, computed. */
struct sides {
	struct whatif *edits;
	struct cluster *base, *now;
	struct model *base_model, *model;
	struct jobs *base_jobs, *jobs;
	struct versus *versus;
};

static struct sides sides_of(const char *first, ...)
{
	static const struct demo_options options = DEMO_OPTIONS_DEFAULT;
	struct model_options raw = { -1, FS_BASE_USAGE, FS_ORDER_LIST };
	struct demo *d = demo_new(&options);
	struct sides s = { .edits = whatif_new(), .base = demo_picture(d, NULL) };
	struct err err = { .code = ERR_NONE };
	va_list args;

	demo_free(d);
	va_start(args, first);
	for (const char *text = first; text; text = va_arg(args, const char *)) {
		if (!whatif_add(s.edits, text, &err))
			fail_msg("%s: %s", text, err.message);
	}
	va_end(args);
	s.now = whatif_apply(s.edits, s.base);
	if (!whatif_check(s.edits, &err))
		fail_msg("%s", err.message);
	s.base_model = model_new(s.base, &raw, NULL);
	s.model = model_new(s.now, &raw, NULL);
	s.base_jobs = jobs_new(s.base_model, NULL);
	s.jobs = jobs_new(s.model, NULL);
	s.versus = versus_new(s.base_model, s.model, s.base_jobs, s.jobs, NULL);
	s.model->versus = s.versus;
	s.jobs->versus = s.versus;
	return s;
}

static void leave(struct sides *s)
{
	versus_free(s->versus);
	jobs_free(s->jobs);
	jobs_free(s->base_jobs);
	model_free(s->model);
	model_free(s->base_model);
	cluster_free(s->now);
	cluster_free(s->base);
	whatif_free(s->edits);
}

static const struct column *find(const struct column *columns, size_t count, const char *name)
{
	const struct column *c = column_find(columns, count, name, strlen(name));

	if (!c)
		fail_msg("no column %s", name);
	return c;
}

/* NaN for what is no number. */
static double number(const struct column *column, const void *context, uint32_t row)
{
	struct value v = { .kind = VALUE_UNKNOWN };

	column_get(column, context, row, &v);
	return v.kind == VALUE_REAL ? v.real :
	       v.kind == VALUE_INT || v.kind == VALUE_BOOL ? (double)v.integer : F64_UNKNOWN;
}

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b;
}

/* Row NOW of VIEW against row WAS (ROW_NONE: it is new) of BASE, in every column that compares. */
static void check_row(const struct view *base, uint32_t was, const struct view *view, uint32_t now)
{
	const struct compared_table *t = compared_find(view->name);

	for (size_t k = 0; k < t->count; k++) {
		const struct compared *c = &t->columns[k];
		const struct column *of = find(view->columns, view->column_count, c->of);
		double is = number(of, view->context, now), before = F64_UNKNOWN, should;
		double told = number(&c->column, view->context, now);

		if (was != ROW_NONE)
			before = number(of, base->context, was);
		should = c->kind == COMPARED_BASE ? before : c->kind == COMPARED_RANK ?
			 before - is : before == is ? 0 : is - before;
		if (!same(told, should))
			fail_msg("%s of %s, row %u: %g instead of %g", c->column.name, view->name,
				 now, told, should);
	}
}

static void test_accounts(void **state)
{
	struct sides s = sides_of("shares:/physics = 60", "add:/biology:zoe = 3",
				  "remove:/chemistry/polymers = yes", NULL);
	struct view base = accounts_view(s.base_model), view = accounts_view(s.model);
	const struct compared_table *t = compared_find("accounts");
	uint32_t zoe = cluster_by_path(s.now, "/biology:zoe"), moved = 0;
	char path[1024];

	(void)state;
	assert_true(view.rows < base.rows);
	for (uint32_t i = 0; i < view.rows; i++) {
		cluster_path(s.now, i, path, sizeof(path));
		check_row(&base, cluster_by_path(s.base, path), &view, i);
		moved += fabs(versus_assoc_moves(s.versus, i)) > 0;
	}
	assert_true(moved > 10);
	/* Who was not there had nothing: unknown, and not zero. */
	assert_int_not_equal(zoe, ROW_NONE);
	assert_int_equal(cluster_by_path(s.base, "/biology:zoe"), ROW_NONE);
	for (size_t k = 0; k < t->count; k++) {
		struct value v = { .kind = VALUE_INT };

		column_get(&t->columns[k].column, s.model, zoe, &v);
		assert_int_equal(v.kind, VALUE_UNKNOWN);
	}
	leave(&s);
}

/* A value of a text, too: "parent" was there before. */
static void test_parent(void **state)
{
	struct sides s = sides_of("shares:/physics = parent", NULL);
	struct view view = accounts_view(s.model);
	uint32_t row = cluster_by_path(s.now, "/physics");
	const struct compared_table *t = compared_find("accounts");
	struct value v = { .kind = VALUE_UNKNOWN };

	(void)state;
	for (size_t k = 0; k < t->count; k++) {
		if (strcmp(t->columns[k].of, "shares") != 0)
			continue;
		column_get(&t->columns[k].column, view.context, row, &v);
		assert_int_equal(v.kind, t->columns[k].kind == COMPARED_BASE ? VALUE_INT :
									       VALUE_UNKNOWN);
	}
	leave(&s);
}

static uint32_t same_entry(const struct sides *s, uint32_t e)
{
	const struct job_index *x = s->jobs->index, *base = s->base_jobs->index;

	for (uint32_t i = 0; i < base->n; i++) {
		if (cluster_u32(s->base, F_JOB_ID, base->job[i]) ==
			    cluster_u32(s->now, F_JOB_ID, x->job[e]) &&
		    base->partition[i] == x->partition[e])
			return i;
	}
	return ROW_NONE;
}

static void test_jobs(void **state)
{
	struct sides s = sides_of("weight.age = 5000", "new_job:probe = user=grace account=physics "
				  "partition=batch cpus=4", NULL);
	struct view base = jobs_view(s.base_jobs), view = jobs_view(s.jobs);
	const struct column *change;
	size_t joined_count;
	struct column *joined = compared_join(&view, &joined_count);
	uint32_t news = 0, moved = 0;

	(void)state;
	change = find(joined, joined_count, "terms_change");
	for (uint32_t e = 0; e < view.rows; e++) {
		uint32_t was = same_entry(&s, e);
		struct value v = { .kind = VALUE_UNKNOWN };
		double sum = 0;

		check_row(&base, was, &view, e);
		news += was == ROW_NONE;
		column_get(change, s.jobs, e, &v);
		assert_true(v.kind == VALUE_UNKNOWN || v.kind == VALUE_MAP);
		if (was == ROW_NONE)
			assert_int_equal(v.kind, VALUE_UNKNOWN);
		if (v.kind != VALUE_MAP || s.jobs->prio->origin[e] != PRIO_COMPUTED)
			continue;
		for (uint32_t i = 0; i < v.count; i++)
			sum += v.entries[i].number;
		/* Each priority is cut to an integer. */
		assert_true(fabs(sum - (s.jobs->prio->sum[e] - s.base_jobs->prio->sum[was])) <
			    1e-6);
		moved += versus_entry_moves(s.versus, e) != 0;
	}
	assert_int_equal(news, 1);
	assert_true(moved > 10);
	mem_free(joined);
	leave(&s);
}

static void test_pools(void **state)
{
	struct sides s = sides_of("pool:compute.long.share = 60", "queue:long.priority = 90", NULL);
	struct pools *was = pools_new(s.base, NULL, false, NULL);
	struct pools *is = pools_new(s.now, NULL, false, NULL);
	struct view base = pools_view(was), view = pools_view(is);
	const struct compared_table *t = compared_find("pools");
	size_t count;
	struct column *joined = compared_join(&view, &count);
	uint32_t gained = 0;

	(void)state;
	/* Without a base there is nothing to tell. */
	for (size_t k = 0; k < t->count; k++)
		assert_true(isnan(number(&t->columns[k].column, is, 0)));
	is->versus = was;
	for (uint32_t i = 0; i < view.rows; i++) {
		check_row(&base, i, &view, i);
		if (strcmp(is->queues[is->members[i]].name, "long") == 0) {
			assert_true(number(find(joined, count, "base_share"), is, i) == 20);
			assert_true(number(find(joined, count, "share_change"), is, i) == 40);
			assert_true(number(find(joined, count, "allotted_change"), is, i) > 0);
			assert_true(number(find(joined, count, "rank_change"), is, i) > 0);
			gained++;
		}
	}
	assert_int_equal(gained, 1);
	mem_free(joined);
	pools_free(was);
	pools_free(is);
	leave(&s);
}

/* Other classes: what was told apart by its QOS is one, and was the one of its first job. */
static void test_classes(void **state)
{
	struct sides s = sides_of("weight.age = 5000", NULL);
	struct class_choice choice = class_choice_of(s.base), fewer = choice;
	struct classes_data *was = classes_data_new(s.base_jobs, &choice, NULL, 0), *is;
	struct view base = classes_view(was), view;

	(void)state;
	is = classes_data_new(s.jobs, &choice, NULL, 0);
	classes_set_base(is, was);
	view = classes_view(is);
	assert_int_equal(view.rows, base.rows);
	for (uint32_t k = 0; k < view.rows; k++) {
		assert_int_equal(is->base_class[k], k);
		check_row(&base, k, &view, k);
	}
	classes_data_free(is);
	fewer.exclude = "time_limit";
	is = classes_data_new(s.jobs, &fewer, NULL, 0);
	classes_set_base(is, was);
	view = classes_view(is);
	assert_true(view.rows < base.rows);
	for (uint32_t k = 0; k < view.rows; k++) {
		uint32_t first = is->classes->members[is->classes->first[k]];

		assert_int_equal(is->base_class[k], was->classes->class_of[first]);
		check_row(&base, is->base_class[k], &view, k);
	}
	classes_data_free(is);
	classes_data_free(was);
	leave(&s);
}

/* A job that an edit takes out of its class leaves the class what it was, but for one job. */
static void test_class_left(void **state)
{
	struct sides s = sides_of("job:141561.qos = high", NULL);
	struct class_choice choice = class_choice_of(s.base);
	struct classes_data *was = classes_data_new(s.base_jobs, &choice, NULL, 0);
	struct classes_data *is = classes_data_new(s.jobs, &choice, NULL, 0);
	const struct compared_table *t = compared_find("classes");
	double less = 0, more = 0;

	(void)state;
	classes_set_base(is, was);
	for (uint32_t k = 0; k < is->classes->count; k++) {
		for (size_t i = 0; i < t->count; i++) {
			double change = number(&t->columns[i].column, is, k);

			if (strcmp(t->columns[i].column.name, "jobs_change") != 0)
				continue;
			less += change < 0;
			more += change > 0;
		}
	}
	assert_true(less >= 1);
	assert_true(more <= 1);
	classes_data_free(is);
	classes_data_free(was);
	leave(&s);
}

static double difference_of(const struct policy_view *p, const char *parameter, struct value *v)
{
	struct view view = policy_view(p);
	const struct column *column = &compared_find("policy")->columns[0].column;

	for (uint32_t i = 0; i < view.rows; i++) {
		struct value name = { .kind = VALUE_UNKNOWN };

		column_get(&view.columns[0], p, i, &name);
		if (strcmp(name.text, parameter) != 0)
			continue;
		column_get(column, p, i, v);
		return number(column, p, i);
	}
	fail_msg("no parameter %s", parameter);
	return F64_UNKNOWN;
}

static void test_policy(void **state)
{
	struct sides s = sides_of("half_life = 3-0", "weight.qos = 5", "weight.tres = cpu=7",
				  "flags = DEPTH_OBLIVIOUS,MAX_TRES", NULL);
	struct policy_view p = { .policy = cluster_policy(s.base), .meta = cluster_meta(s.base),
				 .next_reset = I64_UNKNOWN };
	struct value v = { .kind = VALUE_UNKNOWN };

	(void)state;
	assert_true(isnan(difference_of(&p, "PriorityWeightQOS", &v)));
	p.what_if = cluster_policy(s.now);
	for (int people = 0; people < 2; people++) {
		p.for_people = people != 0;
		assert_true(difference_of(&p, "PriorityDecayHalfLife", &v) == -4 * 86400);
		assert_true(difference_of(&p, "PriorityWeightQOS", &v) == -1995);
		assert_true(difference_of(&p, "MAX_TRES", &v) == 1);
		assert_true(difference_of(&p, "PriorityWeightAge", &v) == 0);
		(void)difference_of(&p, "PriorityWeightTRES", &v);
		assert_int_equal(v.kind, VALUE_TEXT);
		assert_string_equal(v.text, "changed");
		(void)difference_of(&p, "PriorityType", &v);
		assert_int_equal(v.kind, VALUE_UNKNOWN);
	}
	leave(&s);
}

/* What was stands before, what changes behind; no name twice; nothing where nothing compares. */
static void test_join(void **state)
{
	struct view views[] = {
		{ .name = "accounts", .columns = accounts_columns,
		  .column_count = accounts_columns_count },
		{ .name = "jobs", .columns = jobs_columns, .column_count = jobs_columns_count },
		{ .name = "pools", .columns = pools_columns, .column_count = pools_columns_count },
		{ .name = "classes", .columns = classes_columns,
		  .column_count = classes_columns_count },
		{ .name = "policy", .columns = policy_columns,
		  .column_count = policy_columns_count },
	};
	struct view none = { .name = "explain" };
	size_t count;

	(void)state;
	assert_null(compared_join(&none, &count));
	assert_null(compared_find("cycle"));
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		const struct compared_table *t = compared_find(views[i].name);
		struct column *joined = compared_join(&views[i], &count);
		bool gain = false;

		assert_int_equal(count, views[i].column_count + t->count);
		for (size_t k = 0; k < t->count; k++) {
			const struct compared *c = &t->columns[k];
			const struct column *here = find(joined, count, c->column.name);
			const struct column *of = find(joined, count, c->of);

			assert_true(c->kind == COMPARED_BASE ? here < of : here > of);
			assert_ptr_equal(here->get, c->column.get);
			gain = gain || strcmp(c->column.name, t->gain) == 0;
		}
		assert_true(gain);
		for (size_t k = 0; k < count; k++)
			assert_ptr_equal(find(joined, count, joined[k].name), &joined[k]);
		mem_free(joined);
	}
}

/* What other sets do is told in the rows of this one. */
static void test_beside(void **state)
{
	struct sides s = sides_of("shares:/physics = 60", NULL);
	struct sides other = sides_of("weight.age = 5000", "add:/biology:zoe = 3", NULL);
	struct versus_places *places = versus_places_new(other.versus);
	uint32_t zoe = cluster_by_path(other.now, "/biology:zoe"), told = 0;

	(void)state;
	assert_true(isnan(versus_entry_beside(s.versus, 1, 0)));
	s.versus->beside[1] = places;
	for (uint32_t e = 0; e < s.jobs->index->n; e++) {
		double moves = versus_entry_beside(s.versus, 1, e);

		assert_true(same(moves, versus_entry_moves(other.versus, e)));
		told += moves != 0 && !isnan(moves);
		assert_true(isnan(versus_entry_beside(s.versus, 0, e)));
	}
	assert_true(told > 10);
	for (uint32_t i = 0; i < s.model->fs->n; i++) {
		uint32_t there = i < zoe ? i : i + 1;	/* one row more from there on */

		assert_true(same(versus_assoc_beside(s.versus, 1, i),
				 versus_assoc_moves(other.versus, there)));
	}
	versus_places_free(places);
	versus_places_free(NULL);
	leave(&other);
	leave(&s);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), part = strlen(end);

	return length >= part && strcmp(text + length - part, end) == 0;
}

/* As the manual has it: of ranks and orders a change is places gained, else a difference. */
static void test_kinds(void **state)
{
	(void)state;
	for (size_t i = 0; i < COMPARED_TABLES; i++) {
		const struct compared_table *t = compared_tables[i];

		for (size_t k = 0; k < t->count; k++) {
			const struct compared *c = &t->columns[k];
			bool ranks = ends_with(c->of, "rank") || ends_with(c->of, "order");

			if (c->kind != COMPARED_BASE && (c->kind == COMPARED_RANK) != ranks)
				fail_msg("%s of %s", c->column.name, t->view);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_accounts), cmocka_unit_test(test_parent),
		cmocka_unit_test(test_jobs),	 cmocka_unit_test(test_pools),
		cmocka_unit_test(test_classes),	 cmocka_unit_test(test_class_left),
		cmocka_unit_test(test_policy),	 cmocka_unit_test(test_join),
		cmocka_unit_test(test_beside),
	};

	return cmocka_run_group_tests_name("compared", tests, NULL, NULL);
}
