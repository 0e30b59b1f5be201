/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model: which base and order of siblings it takes, what it counts of jobs, limits, unknown
 * inputs, and that the columns of the accounts view are those of the contract and show the engine's
 * results.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/model.h"
#include "tests/support/assoc.h"
#include "tests/support/copy.h"
#include "tests/support/dump.h"
#include "tests/support/lab.h"

/* root - a (x, y), b (z); by row: 0 root, 1 a, 2 x, 3 y, 4 b, 5 z. */
static struct builder *small_tree(void)
{
	struct builder *b = builder_new();

	builder_policy(b)->flags = PF_DEPTH_OBLIVIOUS;
	assoc_add(b, 1, 0, "root", NULL, 1, 100);
	assoc_add(b, 2, 1, "a", NULL, 3, 60);
	assoc_add(b, 3, 2, "a", "x", 1, 20);
	assoc_add(b, 4, 2, "a", "y", 2, 40);
	assoc_add(b, 5, 1, "b", NULL, 1, 40);
	assoc_add(b, 6, 5, "b", "z", 1, 40);
	return b;
}

static void report_usage(struct builder *b, uint32_t from, uint32_t to)
{
	for (uint32_t row = from; row < to; row++)
		builder_f64(b, F_ASSOC_R_NORM_USAGE, row, 0.1 * row);
}

static struct model *model_of(struct builder *b, const struct model_options *options,
			      struct err *err)
{
	return model_new(lab_sealed(b), options, err);
}

static void model_end(struct model *m)
{
	struct cluster *c = (struct cluster *)(uintptr_t)m->cluster;

	model_free(m);
	cluster_free(c);
}

/* ---- base and algorithm -------------------------------------------------------------------- */

static enum fs_base base_taken(uint32_t reported_from, uint32_t reported_to)
{
	struct builder *b = small_tree();
	struct model *m;
	enum fs_base base;

	report_usage(b, reported_from, reported_to);
	m = model_of(b, NULL, NULL);
	base = m->fs->base;
	model_end(m);
	return base;
}

static void test_base(void **state)
{
	(void)state;
	assert_int_equal(base_taken(1, 6), FS_BASE_REPORTED);	/* the root has none */
	assert_int_equal(base_taken(2, 6), FS_BASE_USAGE);	/* a is missing */
	assert_int_equal(base_taken(0, 0), FS_BASE_USAGE);
}

static void test_base_that_is_not_there(void **state)
{
	struct model_options options = { -1, FS_BASE_REPORTED, -1 };
	struct cluster *c = builder_seal(small_tree(), NULL);
	struct err err = { 0 };

	(void)state;
	assert_null(model_new(c, &options, &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_string_equal(err.message, "base \"reported\": the source reports no usage ratios");
	cluster_free(c);
}

/* 4294967294 is the scheduler's "not evaluated yet". */
static void test_not_evaluated_is_unknown(void **state)
{
	struct model_options options = { -1, FS_BASE_REPORTED, -1 };
	struct builder *b = small_tree();
	struct model *m;

	(void)state;
	report_usage(b, 1, 6);
	builder_f64(b, F_ASSOC_R_NORM_USAGE, 2, 4294967294.0);
	m = model_of(b, &options, NULL);
	assert_true(isnan(m->fs->norm_usage[2]));
	assert_true(isnan(m->fs->effective_usage[2]));
	assert_int_equal(m->fs->branch[2], FS_BRANCH_UNKNOWN);
	/* The sibling's ratio depends on it; those of its account and of others do not. */
	assert_true(isnan(m->fs->effective_ratio[3]) && isnan(m->fs->fairshare[3]));
	assert_int_equal(m->fs->branch[3], FS_BRANCH_UNKNOWN);
	assert_true(fabs(m->fs->effective_ratio[1] - 0.1 / 0.75) < 1e-15);
	assert_true(f64_known(m->fs->fairshare[5]));
	assert_int_equal(m->fs->rank[2], U32_UNKNOWN);
	assert_int_equal(m->fs->rank[5], U32_UNKNOWN);	/* an unknown one may rank higher */
	model_end(m);
}

static void test_algorithm_of_flags(void **state)
{
	(void)state;
	assert_int_equal(fs_algorithm_of(0), FS_FAIR_TREE);
	assert_int_equal(fs_algorithm_of(PF_NO_FAIR_TREE), FS_CLASSIC);
	assert_int_equal(fs_algorithm_of(PF_DEPTH_OBLIVIOUS), FS_DEPTH_OBLIVIOUS);
	assert_int_equal(fs_algorithm_of(PF_DEPTH_OBLIVIOUS | PF_NO_FAIR_TREE | PF_MAX_TRES),
			 FS_DEPTH_OBLIVIOUS);
	for (int a = 0; a < FS_ALGORITHMS; a++) {
		assert_int_equal(fs_algos[a]->id, a);
		assert_ptr_equal(fs_algo_by_name(fs_algos[a]->name), fs_algos[a]);
	}
	assert_null(fs_algo_by_name("lottery"));
}

static void test_every_algorithm_of_nothing(void **state)
{
	(void)state;
	for (int a = 0; a < FS_ALGORITHMS; a++) {
		struct model_options options = { a, -1, -1 };
		struct builder *b = builder_new();
		struct model *m = model_of(b, &options, NULL);

		assert_int_equal(m->fs->n, 0);
		model_end(m);
		b = builder_new();
		assoc_add(b, 1, 0, "root", NULL, 1, NAN);
		m = model_of(b, &options, NULL);
		assert_int_equal(m->fs->n, 1);
		assert_int_equal(m->fs->branch[0], FS_BRANCH_ROOT);
		model_end(m);
	}
}

/* Unknown shares make the siblings' values unknown, but no others. */
static void test_unknown_shares(void **state)
{
	/* LSF has no factor. */
	for (int a = 0; a < FS_LSF; a++) {
		struct model_options options = { a, FS_BASE_USAGE, -1 };
		struct builder *b = small_tree();
		struct model *m;

		builder_u32(b, F_ASSOC_SHARES, 3, U32_UNKNOWN);
		m = model_of(b, &options, NULL);
		assert_true(isnan(m->fs->norm_shares[2]) && isnan(m->fs->norm_shares[3]));
		assert_true(isnan(m->fs->fairshare[2]) && isnan(m->fs->fairshare[3]));
		assert_true(f64_known(m->fs->fairshare[5]));
		assert_true(f64_known(m->fs->norm_shares[1]));
		model_end(m);
	}
	(void)state;
}

/* Fair Tree: users of unknown usage are counted, so that those behind keep their numbers. */
static void test_fair_tree_around_the_unknown(void **state)
{
	struct model_options options = { FS_FAIR_TREE, FS_BASE_USAGE, -1 };
	struct builder *b = small_tree();
	struct model *m;

	(void)state;
	builder_keep_usage(b);
	builder_f64(b, F_ASSOC_USAGE, 2, NAN);
	m = model_of(b, &options, NULL);
	/*
	 * a (3 shares of 4, 60 % of usage) goes before b (1 of 4, 40 %): x and y have ranks 3 and 2
	 * in some order.
	 */
	assert_int_equal(m->fs->tree_rank[2], U32_UNKNOWN);
	assert_int_equal(m->fs->tree_rank[3], U32_UNKNOWN);
	assert_int_equal(m->fs->tree_rank[5], 1);
	assert_true(fabs(m->fs->fairshare[5] - 1 / 3.0) < 1e-15);
	model_end(m);
}

/*
 * PrivateData: users see themselves in an account that they do not see: no share is known.
 */
static void test_shares_among_the_hidden(void **state)
{
	static const char *const accounts[] = { "root", "hidden", "hidden" };
	struct model_options options = { FS_FAIR_TREE, -1, -1 };

	(void)state;
	for (unsigned partial = 0; partial < 2; partial++) {
		struct builder *b = builder_new();
		struct model *m;

		for (uint32_t i = 0; i < 3; i++) {
			uint32_t row = builder_add(b, TABLE_ASSOC);

			builder_u32(b, F_ASSOC_ID, row, i + 1);
			builder_str(b, F_ASSOC_ACCOUNT, row, accounts[i]);
			if (i > 0)
				builder_u32(b, F_ASSOC_PARENT, row, i);
		}
		builder_str(b, F_ASSOC_USER, 2, "me");
		builder_u32(b, F_ASSOC_SHARES, 2, 5);
		builder_f64(b, F_ASSOC_R_EFFECTIVE_USAGE, 2, 0.5);
		builder_f64(b, F_ASSOC_R_NORM_USAGE, 2, 0.5);
		if (partial)
			builder_hidden(b, HIDDEN_ASSOCS);
		m = model_of(b, &options, NULL);
		assert_int_equal(f64_known(m->fs->norm_shares[2]), !partial);
		model_end(m);
	}
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static void add_job(struct builder *b, uint32_t id, uint32_t assoc, const char *state,
		    const char *tasks, const char *qos, double billing)
{
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	if (assoc != 0)
		builder_u32(b, F_JOB_ASSOC, row, assoc);
	builder_str(b, F_JOB_STATE, row, state);
	builder_str(b, F_JOB_TASKS, row, tasks);
	builder_str(b, F_JOB_QOS, row, qos);
	if (!isnan(billing))
		builder_f64(b, F_JOB_BILLING, row, billing);
}

static void add_qos(struct builder *b, const char *name, double factor)
{
	uint32_t row = builder_add(b, TABLE_QOS);

	builder_str(b, F_QOS_NAME, row, name);
	builder_f64(b, F_QOS_USAGE_FACTOR, row, factor);
}

static void test_workload(void **state)
{
	struct builder *b = small_tree();
	struct model *m;

	(void)state;
	add_qos(b, "normal", 1);
	add_qos(b, "high", 2);
	add_qos(b, "free", 0);
	add_job(b, 1, 3, "RUNNING", NULL, "normal", 4);
	add_job(b, 2, 3, "RUNNING", NULL, "high", 4);
	add_job(b, 3, 4, "SUSPENDED", NULL, NULL, 1);
	add_job(b, 4, 4, "COMPLETED", NULL, "normal", 100);
	add_job(b, 5, 4, "PENDING", NULL, "normal", NAN);
	add_job(b, 6, 6, "PENDING", "0-9%4", "normal", NAN);
	add_job(b, 7, 6, "RUNNING", NULL, "free", 1000);
	add_job(b, 8, 99, "RUNNING", NULL, "normal", 1000);	/* of no listed user */
	/* By names, where the source gives no association. */
	add_job(b, 9, 0, "RUNNING", NULL, "normal", 2);
	builder_str(b, F_JOB_ACCOUNT, 8, "b");
	builder_str(b, F_JOB_USER, 8, "z");
	m = model_of(b, NULL, NULL);
	assert_int_equal(m->running[2], 2);
	assert_int_equal(m->running[3], 0);	/* a suspended job does not run, but is charged */
	assert_int_equal(m->running[5], 2);
	assert_int_equal(m->running[0], 4);
	assert_int_equal(m->pending[3], 1);
	assert_int_equal(m->pending[5], 10);
	assert_int_equal(m->pending[0], 11);
	assert_true(m->burn[2] == 3600 * (4 + 8.0));
	assert_true(m->burn[1] == 3600 * (4 + 8 + 1.0));
	assert_true(m->burn[5] == 3600 * 2.0);
	assert_true(m->burn[0] == 3600 * 15.0);
	model_end(m);
}

/* The burn rate has one unit and format everywhere: the column's, which is that of usage. */
static void test_burn_text(void **state)
{
	char text[80];

	(void)state;
	burn_text(64 * 3600, text, sizeof(text));
	assert_string_equal(text, "230.40k billable TRES-seconds an hour");
	burn_text(0, text, sizeof(text));
	assert_string_equal(text, "0.00 billable TRES-seconds an hour");
}

static void test_unknown_burn(void **state)
{
	struct builder *b = small_tree();
	struct model *m;

	(void)state;
	add_job(b, 1, 3, "RUNNING", NULL, NULL, NAN);
	m = model_of(b, NULL, NULL);
	assert_int_equal(m->running[0], 1);
	assert_true(isnan(m->burn[2]) && isnan(m->burn[1]) && isnan(m->burn[0]));
	assert_true(m->burn[5] == 0);
	model_end(m);
	m = model_of(small_tree(), NULL, NULL);
	assert_null(m->running);
	assert_null(m->burn);
	model_end(m);
}

/* ---- columns ------------------------------------------------------------------------------- */

static struct value cell(const struct model *m, const char *name, uint32_t row)
{
	const struct column *column =
		column_find(accounts_columns, accounts_columns_count, name, strlen(name));
	static struct value v;

	assert_non_null(column);
	memset(&v, 0, sizeof(v));
	column_get(column, m, row, &v);
	return v;
}

static void test_columns_are_those_of_the_contract(void **state)
{
	static const char *const names[] = {
		"path", "account", "user", "partition", "depth", "shares", "norm_shares", "usage",
		"norm_usage", "effective_usage", "usage_ratio", "local_ratio", "k",
		"effective_ratio", "fairshare", "level_fs", "rank", "fair_tree_rank", "running",
		"pending", "burn", "limits",
		/* only for clusters of PBS */
		"group_percentage", "usage_perc",
		/* only for clusters of LSF */
		"dynamic_priority", "started", "cpu_time", "run_time",
	};

	size_t at = 0;

	(void)state;
	/* In this order; new columns may come in between. */
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++, at++) {
		while (at < accounts_columns_count &&
		       strcmp(accounts_columns[at].name, names[i]) != 0)
			at++;
		if (at >= accounts_columns_count)
			fail_msg("no column %s where it belongs", names[i]);
	}
	for (size_t i = 0; i < accounts_columns_count; i++) {
		assert_true(accounts_columns[i].legend[0] != '\0');
		assert_true(accounts_columns[i].needs != 0);
	}
}

static void test_cells(void **state)
{
	struct builder *b = small_tree();
	struct tres_item limits[2];
	struct model *m;
	struct value v;

	(void)state;
	limits[0] = (struct tres_item){ builder_tres_row(b, "cpu", 3), 12 };
	limits[1] = (struct tres_item){ builder_tres_row(b, "gres/gpu", 8), INFINITY };
	builder_tres(b, F_ASSOC_GRP_TRES, 3, limits, 2);
	builder_u32(b, F_ASSOC_MAX_JOBS, 3, 5);
	builder_u32(b, F_ASSOC_GRP_JOBS, 3, U32_INFINITE);
	builder_u32(b, F_ASSOC_SHARES, 2, SHARES_PARENT);
	m = model_of(b, NULL, NULL);

	assert_string_equal(cell(m, "path", 3).text, "/a:y");
	v = cell(m, "path", 0);
	assert_string_equal(v.text, "/");
	assert_string_equal(cell(m, "account", 3).text, "a");
	assert_string_equal(cell(m, "user", 3).text, "y");
	assert_int_equal(cell(m, "user", 1).kind, VALUE_UNKNOWN);
	assert_int_equal(cell(m, "partition", 3).kind, VALUE_UNKNOWN);
	assert_int_equal(cell(m, "depth", 3).integer, 2);
	assert_string_equal(cell(m, "shares", 2).text, "parent");
	assert_int_equal(cell(m, "shares", 3).integer, 2);
	assert_true(cell(m, "usage", 3).real == 40);
	assert_true(cell(m, "norm_usage", 3).real == 0.4);
	assert_int_equal(cell(m, "norm_usage", 0).kind, VALUE_UNKNOWN);
	assert_int_equal(cell(m, "level_fs", 3).kind, VALUE_UNKNOWN);
	assert_int_equal(cell(m, "fair_tree_rank", 3).kind, VALUE_UNKNOWN);
	assert_int_equal(cell(m, "rank", 1).kind, VALUE_UNKNOWN);
	assert_true(cell(m, "rank", 3).integer >= 1);
	assert_int_equal(cell(m, "running", 0).kind, VALUE_UNKNOWN);

	v = cell(m, "limits", 3);
	assert_int_equal(v.kind, VALUE_MAP);
	assert_int_equal(v.count, 2);
	assert_string_equal(v.entries[0].key, "max_jobs");
	assert_true(v.entries[0].number == 5);
	assert_string_equal(v.entries[1].key, "grp_tres.cpu");
	assert_true(v.entries[1].number == 12);
	assert_int_equal(cell(m, "limits", 2).count, 0);
	model_end(m);
}

/* Of equal six decimals of Level FS, raw usage decides. */
static void test_ranks_of_rounded_numbers(void **state)
{
	struct cluster *c = dump_cluster("fairtree/after_update"), *coarse = copy_coarse(c);
	struct model *exact = model_new(c, NULL, NULL), *rounded = model_new(coarse, NULL, NULL);
	unsigned different = 0;

	(void)state;
	assert_int_equal(rounded->fs->base, FS_BASE_REPORTED);
	for (uint32_t i = 0; i < exact->fs->n; i++)
		different += exact->fs->tree_rank[i] != rounded->fs->tree_rank[i];
	assert_int_equal(different, 0);
	model_free(exact);
	model_free(rounded);
	cluster_free(coarse);
	cluster_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_base),
		cmocka_unit_test(test_base_that_is_not_there),
		cmocka_unit_test(test_not_evaluated_is_unknown),
		cmocka_unit_test(test_algorithm_of_flags),
		cmocka_unit_test(test_every_algorithm_of_nothing),
		cmocka_unit_test(test_unknown_shares),
		cmocka_unit_test(test_fair_tree_around_the_unknown),
		cmocka_unit_test(test_shares_among_the_hidden),
		cmocka_unit_test(test_workload),
		cmocka_unit_test(test_burn_text),
		cmocka_unit_test(test_unknown_burn),
		cmocka_unit_test(test_columns_are_those_of_the_contract),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_ranks_of_rounded_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
