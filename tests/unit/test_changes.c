/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns that compare a what-if with its base, in every view: the base's value is what the base
 * shows in that row, the change is the difference, and a falling rank is a gain of places. New
 * rows, and views without a base, are unknown. The columns stand beside what they compare.
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
#include "core/whatif/changes_columns.h"
#include "core/base/mem.h"
#include "core/pools/pools.h"
#include "core/whatif/changes_pair.h"
#include "core/whatif/whatif_apply.h"

/* The demo and the same with edits, computed. */
struct sides {
	struct whatif *edits;
	struct cluster *base, *now;
	struct model *base_model, *model;
	struct jobs *base_jobs, *jobs;
	struct changes_pair *changes;
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
	s.changes = changes_pair_new(s.base_model, s.model, s.base_jobs, s.jobs, NULL);
	s.model->changes = s.changes;
	s.jobs->changes = s.changes;
	return s;
}

static void leave(struct sides *s)
{
	changes_pair_free(s->changes);
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

/* Returns the number of a cell, NaN if it has none. */
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

/* Checks ROW of VIEW against row WAS of BASE (ROW_NONE: new) in every column of changes. */
static void check_row(const struct view *base, uint32_t was, const struct view *view, uint32_t now)
{
	struct changes_columns *t = changes_columns_new(view, NULL, false);

	for (size_t k = t->own; k < t->count; k++) {
		const struct column *c = &t->columns[k], *of = c->of;
		double is = number(of, view->context, now), before = F64_UNKNOWN, should;
		double reported = number(c, view->context, now);

		if (was != ROW_NONE)
			before = number(of, base->context, was);
		should = c->kind == COLUMN_BASE ? before : c->kind == COLUMN_PLACES ?
			 before - is : before == is ? 0 : is - before;
		if (!same(reported, should))
			fail_msg("%s of %s, row %u: %g instead of %g", c->name, view->name, now,
				 reported, should);
	}
	changes_columns_free(t);
}

static void test_accounts(void **state)
{
	struct sides s = sides_of("shares:/physics = 60", "add:/biology:zoe = 3",
				  "remove:/chemistry/polymers = yes", NULL);
	struct view base = accounts_view(s.base_model), view = accounts_view(s.model);
	struct changes_columns *t = changes_columns_new(&view, NULL, false);
	uint32_t zoe = cluster_by_path(s.now, "/biology:zoe"), moved = 0;
	char path[1024];

	(void)state;
	assert_true(view.rows < base.rows);
	for (uint32_t i = 0; i < view.rows; i++) {
		cluster_path(s.now, i, path, sizeof(path));
		check_row(&base, cluster_by_path(s.base, path), &view, i);
		moved += fabs(changes_assoc_moves(s.changes, i)) > 0;
	}
	assert_true(moved > 10);
	/* A new user had nothing before: unknown, not zero. */
	assert_int_not_equal(zoe, ROW_NONE);
	assert_int_equal(cluster_by_path(s.base, "/biology:zoe"), ROW_NONE);
	for (size_t k = t->own; k < t->count; k++) {
		struct value v = { .kind = VALUE_INT };

		column_get(&t->columns[k], s.model, zoe, &v);
		assert_int_equal(v.kind, VALUE_UNKNOWN);
	}
	changes_columns_free(t);
	leave(&s);
}

/* A cell that is text compares, too: before the edit it was "parent". */
static void test_parent(void **state)
{
	struct sides s = sides_of("shares:/physics = parent", NULL);
	struct view view = accounts_view(s.model);
	uint32_t row = cluster_by_path(s.now, "/physics");
	struct changes_columns *t = changes_columns_new(&view, NULL, false);
	struct value v = { .kind = VALUE_UNKNOWN };

	(void)state;
	for (size_t k = t->own; k < t->count; k++) {
		if (strcmp(t->columns[k].of->name, "shares") != 0)
			continue;
		column_get(&t->columns[k], view.context, row, &v);
		assert_int_equal(v.kind, t->columns[k].kind == COLUMN_BASE ? VALUE_INT :
									       VALUE_UNKNOWN);
	}
	changes_columns_free(t);
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
	struct changes_columns *t = changes_columns_new(&view, NULL, false);
	uint32_t news = 0, moved = 0;

	(void)state;
	change = find(t->columns, t->count, "terms_change");
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
		moved += changes_entry_moves(s.changes, e) != 0;
	}
	assert_int_equal(news, 1);
	assert_true(moved > 10);
	changes_columns_free(t);
	leave(&s);
}

static void test_pools(void **state)
{
	struct sides s = sides_of("pool:compute.long.share = 60", "queue:long.priority = 90", NULL);
	struct pools *was = pools_new(s.base, NULL, false, NULL, NULL);
	struct pools *is = pools_new(s.now, NULL, false, NULL, NULL);
	struct view base = pools_view(was), view = pools_view(is);
	struct changes_columns *t = changes_columns_new(&view, NULL, false);
	uint32_t gained = 0;

	(void)state;
	/* Without a base the changes are unknown. */
	for (size_t k = t->own; k < t->count; k++)
		assert_true(isnan(number(&t->columns[k], is, 0)));
	is->base = was;
	for (uint32_t i = 0; i < view.rows; i++) {
		check_row(&base, i, &view, i);
		if (strcmp(is->queues[is->members[i]].name, "long") == 0) {
			assert_true(number(find(t->columns, t->count, "base_share"), is, i) == 20);
			assert_true(number(find(t->columns, t->count, "share_change"), is, i) ==
				    40);
			assert_true(number(find(t->columns, t->count, "allotted_change"), is, i) >
				    0);
			assert_true(number(find(t->columns, t->count, "rank_change"), is, i) > 0);
			gained++;
		}
	}
	assert_int_equal(gained, 1);
	changes_columns_free(t);
	pools_free(was);
	pools_free(is);
	leave(&s);
}

/* Other components: classes that the time limit separated merge; the first job's is the base. */
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

/* A class that loses one job to an edit stays the same class with one job less. */
static void test_class_left(void **state)
{
	struct sides s = sides_of("job:141561.qos = high", NULL);
	struct class_choice choice = class_choice_of(s.base);
	struct classes_data *was = classes_data_new(s.base_jobs, &choice, NULL, 0);
	struct classes_data *is = classes_data_new(s.jobs, &choice, NULL, 0);
	struct view view = classes_view(is);
	struct changes_columns *t = changes_columns_new(&view, NULL, false);
	double less = 0, more = 0;

	(void)state;
	classes_set_base(is, was);
	for (uint32_t k = 0; k < is->classes->count; k++) {
		for (size_t i = t->own; i < t->count; i++) {
			double change = number(&t->columns[i], is, k);

			if (strcmp(t->columns[i].name, "jobs_change") != 0)
				continue;
			less += change < 0;
			more += change > 0;
		}
	}
	assert_true(less >= 1);
	assert_true(more <= 1);
	classes_data_free(is);
	classes_data_free(was);
	changes_columns_free(t);
	leave(&s);
}

static double difference_of(const struct policy_view *p, const char *parameter, struct value *v)
{
	struct view view = policy_view(p);
	struct changes_columns *t = changes_columns_new(&view, NULL, false);
	const struct column *column = &t->columns[t->own];
	double reported;

	for (uint32_t i = 0; i < view.rows; i++) {
		struct value name = { .kind = VALUE_UNKNOWN };

		column_get(&view.columns[0], p, i, &name);
		if (strcmp(name.text, parameter) != 0)
			continue;
		column_get(column, p, i, v);
		reported = number(column, p, i);
		changes_columns_free(t);
		return reported;
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

static struct view views[] = {
	{ .name = "accounts", .columns = accounts_columns },
	{ .name = "jobs", .columns = jobs_columns },
	{ .name = "pools", .columns = pools_columns },
	{ .name = "classes", .columns = classes_columns },
	{ .name = "policy", .columns = policy_columns },
};

static int count_columns(void **state)
{
	(void)state;
	views[0].column_count = accounts_columns_count;
	views[1].column_count = jobs_columns_count;
	views[2].column_count = pools_columns_count;
	views[3].column_count = classes_columns_count;
	views[4].column_count = policy_columns_count;
	return 0;
}

/* Base columns stand before, changes behind; names are unique; nothing without a comparison. */
static void test_join(void **state)
{
	struct view none = { .name = "explain" };

	(void)state;
	assert_null(changes_columns_new(&none, NULL, false));
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		struct changes_columns *t = changes_columns_new(&views[i], NULL, false);

		assert_int_equal(t->own, views[i].column_count);
		assert_true(t->count > t->own);
		assert_non_null(t->gain);
		changes_columns_join(t);
		for (size_t k = 0; k < t->count; k++) {
			const struct column *c = &t->columns[k], *of;

			assert_ptr_equal(find(t->columns, t->count, c->name), c);
			if (!c->of)
				continue;
			of = find(t->columns, t->count, c->of->name);
			assert_true(c->kind == COLUMN_BASE ? c < of : c > of);
		}
		assert_true(t->gain >= t->columns && t->gain < t->columns + t->count);
		changes_columns_free(t);
	}
	changes_columns_free(NULL);
}

/* A new column gets columns of changes by default; columns of texts and times get none. */
static void test_new_column(void **state)
{
	struct column columns[] = {
		{ .name = "path", .title = "Path", .left = true },
		{ .name = "weather", .title = "Weather", .width = 9, .decimals = 3, .keep = 50,
		  .format = COLUMN_RATIO, .needs = NEED_SHARES, .only = UINT32_MAX },
		{ .name = "when", .title = "When", .format = COLUMN_TIME },
		{ .name = "fixed", .title = "Fixed", .changes.none = true },
		{ .name = "rank", .title = "Rank", .changes = { .places = true, .heading = "Up" } },
	};
	struct view view = { .name = "accounts", .columns = columns, .column_count = 5 };
	struct changes_columns *t = changes_columns_new(&view, NULL, true);
	static const char *const names[] = { "base_weather", "weather_change", "base_rank",
					     "rank_change", "rank_change_a", "rank_change_b",
					     "rank_change_c", "rank_change_d" };

	(void)state;
	assert_int_equal(t->count - t->own, sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < t->count - t->own; i++) {
		assert_string_equal(t->columns[t->own + i].name, names[i]);
		assert_int_equal(changes_set(&t->columns[t->own + i]), i < 4 ? 4 : i - 4);
	}
	assert_string_equal(t->columns[5].title, "Weather was");
	assert_string_equal(t->columns[6].title, "Weather diff");
	assert_int_equal(t->columns[6].width, 10);
	assert_int_equal(t->columns[6].decimals, 3);
	assert_int_equal(t->columns[6].format, COLUMN_RATIO);
	assert_int_equal(t->columns[6].needs, NEED_SHARES);
	assert_int_equal(t->columns[6].only, 0);
	assert_string_equal(t->columns[8].title, "Up");
	assert_ptr_equal(t->gain, &t->columns[8]);
	changes_columns_free(t);
}

/* Rows of this set also show the moves that other sets cause. */
static void test_beside(void **state)
{
	struct sides s = sides_of("shares:/physics = 60", NULL);
	struct sides other = sides_of("weight.age = 5000", "add:/biology:zoe = 3", NULL);
	struct changes_places *places = changes_places_new(other.changes);
	uint32_t zoe = cluster_by_path(other.now, "/biology:zoe"), reported = 0;

	(void)state;
	assert_true(isnan(changes_entry_beside(s.changes, 1, 0)));
	s.changes->beside[1] = places;
	for (uint32_t e = 0; e < s.jobs->index->n; e++) {
		double moves = changes_entry_beside(s.changes, 1, e);

		assert_true(same(moves, changes_entry_moves(other.changes, e)));
		reported += moves != 0 && !isnan(moves);
		assert_true(isnan(changes_entry_beside(s.changes, 0, e)));
	}
	assert_true(reported > 10);
	for (uint32_t i = 0; i < s.model->fs->n; i++) {
		uint32_t there = i < zoe ? i : i + 1;	/* rows from zoe on shift by one */

		assert_true(same(changes_assoc_beside(s.changes, 1, i),
				 changes_assoc_moves(other.changes, there)));
	}
	changes_places_free(places);
	changes_places_free(NULL);
	leave(&other);
	leave(&s);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), part = strlen(end);

	return length >= part && strcmp(text + length - part, end) == 0;
}

/* As the manual says: for ranks and orders a change is places gained, else the difference. */
static void test_kinds(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		struct changes_columns *t = changes_columns_new(&views[i], NULL, false);

		for (size_t k = t->own; k < t->count; k++) {
			const struct column *c = &t->columns[k];
			bool ranks = ends_with(c->of->name, "rank") ||
				     ends_with(c->of->name, "order");

			if (c->kind != COLUMN_BASE && (c->kind == COLUMN_PLACES) != ranks)
				fail_msg("%s of %s", c->name, views[i].name);
		}
		changes_columns_free(t);
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
		cmocka_unit_test(test_beside),	 cmocka_unit_test(test_new_column),
	};

	return cmocka_run_group_tests_name("changes", tests, count_columns, NULL);
}
