/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine against independent numbers: the worked cases (an independent implementation, checked
 * against the scheduler's own functions), the expected values of Slurm's own test suite, and
 * recordings of live controllers in which nothing was running, for every mode.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/fairshare.h"
#include "core/share/model.h"
#include "tests/support/compare.h"
#include "tests/support/data.h"
#include "tests/support/dump.h"
#include "tests/support/golden.h"
#include "tests/support/worked.h"

/* One run of the engine over a cluster. */
struct run {
	const struct cluster *cluster;
	struct fs_tree *tree;
	struct fs_result *fs;
};

static struct run run(const struct cluster *c, enum fs_algorithm algorithm, enum fs_base base,
		      enum fs_order order)
{
	struct run x = { c, fs_tree_new(c, order), NULL };
	struct fs_input in = { c, x.tree, base, cluster_policy(c)->damping };

	x.fs = fs_run(fs_algos[algorithm], &in);
	return x;
}

static void run_free(struct run *x)
{
	fs_result_free(x->fs);
	fs_tree_free(x->tree);
}

/* ---- worked cases -------------------------------------------------------------------------- */

static const struct {
	const char *key;
	enum fs_algorithm algorithm;
} expectations[] = {
	{ "depth_oblivious", FS_DEPTH_OBLIVIOUS },
	{ "classic", FS_CLASSIC },
	{ "fair_tree", FS_FAIR_TREE },
	{ "fair_tree_documented", FS_FAIR_TREE_DOCUMENTED },
};

static const struct {
	const char *name;
	enum fs_branch branch;
} branches[] = {
	{ "root", FS_BRANCH_ROOT }, { "first-level", FS_BRANCH_FIRST_LEVEL },
	{ "fairshare=parent", FS_BRANCH_PARENT }, { "fallback", FS_BRANCH_ZERO },
	{ "no sibling shares", FS_BRANCH_NO_SHARES }, { "formula", FS_BRANCH_FORMULA },
};

static bool branch_is(enum fs_branch branch, const char *name)
{
	for (size_t i = 0; i < sizeof(branches) / sizeof(branches[0]); i++) {
		if (strcmp(branches[i].name, name) == 0)
			return branches[i].branch == branch;
	}
	return false;
}

/* Returns NaN for an array that the algorithm lacks, like null in the cases. */
static double item(const double *array, uint32_t row)
{
	return array ? array[row] : NAN;
}

static bool same_ratios(const struct fs_result *r, uint32_t row, const json_t *expected,
			const char *where)
{
	const char *branch = json_string_value(json_object_get(expected, "branch"));
	bool same = compare_close(r->effective_ratio[row], data_number(expected, "R"), 1e-12, where,
				  "R");

	same &= compare_close(r->fairshare[row], data_number(expected, "F"), 1e-12, where, "F");
	same &= compare_close(item(r->local_ratio, row), data_number(expected, "rl"), 1e-12, where,
			      "r_l");
	if (!json_is_true(json_object_get(expected, "k_fragile")))
		same &= compare_close(item(r->k, row), data_number(expected, "k"), 1e-12, where,
				      "k");
	if (!branch_is((enum fs_branch)r->branch[row], branch)) {
		fprintf(stderr, "%s: branch is %d and should be \"%s\"\n", where, r->branch[row],
			branch);
		same = false;
	}
	return same;
}

static bool same_fair_tree(const struct fs_result *r, uint32_t row, const json_t *expected,
			   const char *where)
{
	double rank = r->tree_rank[row] == U32_UNKNOWN ? NAN : r->tree_rank[row];
	bool same = compare_close(r->level_fs[row], data_number(expected, "level_fs"), 1e-12, where,
				  "level_fs");

	same &= compare_close(rank, data_number(expected, "rank"), 0, where, "rank");
	return same & compare_close(r->fairshare[row], data_number(expected, "F"), 0, where, "F");
}

static bool same_row(const struct run *x, const json_t *expected, const char *where)
{
	const char *path = json_string_value(json_object_get(expected, "path"));
	uint32_t row = worked_row(x->cluster, path);
	const struct fs_result *r = x->fs;
	char place[256];
	bool same;

	snprintf(place, sizeof(place), "%s %s", where, path);
	assert_int_not_equal(row, ROW_NONE);
	same = compare_close(r->norm_shares[row], data_number(expected, "S"), 1e-12, place, "S");
	same &= compare_close(r->norm_usage[row], data_number(expected, "U"), 1e-12, place, "U");
	same &= compare_close(r->effective_usage[row], data_number(expected, "Ue"), 1e-12, place,
			      "E");
	if (r->level_fs)
		return same & same_fair_tree(r, row, expected, place);
	return same & same_ratios(r, row, expected, place);
}

static void test_worked_trees(void **state)
{
	json_t *document;
	const json_t *cases = worked_cases(&document), *one, *row;
	unsigned compared = 0, differing = 0;
	size_t i, j;

	(void)state;
	json_array_foreach(cases, i, one) {
		struct cluster *c;

		if (strcmp(json_string_value(json_object_get(one, "kind")), "tree") != 0)
			continue;
		c = worked_cluster(one);
		for (size_t a = 0; a < sizeof(expectations) / sizeof(expectations[0]); a++) {
			struct run x =
				run(c, expectations[a].algorithm, FS_BASE_USAGE, FS_ORDER_LIST);
			char where[128];

			snprintf(where, sizeof(where), "%s %s",
				 json_string_value(json_object_get(one, "name")),
				 expectations[a].key);
			json_array_foreach(json_object_get(json_object_get(one, "expect"),
							   expectations[a].key), j, row) {
				differing += !same_row(&x, row, where);
				compared++;
			}
			run_free(&x);
		}
		cluster_free(c);
	}
	json_decref(document);
	assert_true(compared > 500);
	assert_int_equal(differing, 0);
}

/* ---- Slurm's own tests --------------------------------------------------------------------- */

static bool same_golden(const struct run *x, const struct golden_row *g)
{
	uint32_t row = golden_find(x->cluster, g);
	char where[128];
	bool same;

	assert_int_not_equal(row, ROW_NONE);
	snprintf(where, sizeof(where), "%s %s", g->account, g->user);
	/* sshare prints six decimals. */
#define SAME(what, is, should) \
	(isnan(should) || fabs((is) - (should)) <= 0.5000001e-6 || (isinf(is) && isinf(should)) || \
	 (fprintf(stderr, "%s: %s is %.7f and should be %.6f\n", where, what, is, should), false))
	same = SAME("S", x->fs->norm_shares[row], g->norm_shares);
	same &= SAME("U", x->fs->norm_usage[row], g->norm_usage);
	same &= SAME("E", x->fs->effective_usage[row], g->effective_usage);
	same &= SAME("F", x->fs->fairshare[row], g->fairshare);
	if (x->fs->level_fs)
		same &= SAME("level_fs", x->fs->level_fs[row], g->level_fs);
#undef SAME
	return same;
}

static void check_golden(const char *name, enum fs_algorithm algorithm, uint32_t least)
{
	struct golden *g = golden_read(name, algorithm == FS_FAIR_TREE);
	struct run x = run(g->cluster, algorithm, FS_BASE_USAGE, FS_ORDER_LIST);
	unsigned differing = 0;

	for (uint32_t i = 0; i < g->count; i++)
		differing += !same_golden(&x, &g->rows[i]);
	assert_true(g->count >= least);
	run_free(&x);
	golden_free(g);
	assert_int_equal(differing, 0);
}

static void test_slurm_test24_4(void **state)
{
	(void)state;
	check_golden("fair_tree_test24.4", FS_FAIR_TREE, 35);
}

static void test_slurm_test24_1(void **state)
{
	(void)state;
	check_golden("classic_test24.1", FS_CLASSIC, 5);
}

static void test_slurm_test_130_2(void **state)
{
	(void)state;
	check_golden("classic_parent_test_130_2", FS_CLASSIC, 12);
}

/* ---- live recordings ----------------------------------------------------------------------- */

/* Compares a column with the scheduler's report; rows without a reported value do not count. */
static unsigned differ(const struct cluster *c, const double *is, enum field field,
		       double tolerance, unsigned *compared)
{
	unsigned differing = 0;
	char path[256];

	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		double should = cluster_f64(c, field, i);

		/* level_fs of a transparent account has the scheduler's mark for none. */
		if (isnan(should) || (field == F_ASSOC_R_LEVEL_FS && should == (double)U32_UNKNOWN))
			continue;
		cluster_path(c, i, path, sizeof(path));
		differing += !compare_close(is[i], should, tolerance, path, field_info[field].name);
		(*compared)++;
	}
	return differing;
}

/*
 * Compares F of users with jobs, from their jobs' fair-share terms: the only F in full precision in
 * classic modes.
 */
static unsigned differ_terms(const struct model *m, double tolerance, unsigned *compared)
{
	const struct cluster *c = m->cluster;
	double weight = cluster_policy(c)->weight[PRIO_FAIRSHARE];
	unsigned differing = 0;

	for (uint32_t p = 0; p < cluster_rows(c, TABLE_PRIO); p++) {
		double term = cluster_f64(c, F_PRIO_FAIRSHARE, p);
		uint32_t row = ROW_NONE;
		char where[32];

		for (uint32_t j = 0; j < cluster_rows(c, TABLE_JOB); j++) {
			if (cluster_u32(c, F_JOB_ID, j) == cluster_u32(c, F_PRIO_JOB, p))
				row = cluster_assoc_by_id(c, cluster_u32(c, F_JOB_ASSOC, j));
		}
		if (isnan(term) || row == ROW_NONE)
			continue;
		snprintf(where, sizeof(where), "job %u", (unsigned)cluster_u32(c, F_PRIO_JOB, p));
		if (fabs(m->fs->fairshare[row] - term / weight) > tolerance)
			differing += !compare_close(m->fs->fairshare[row], term / weight, tolerance,
						    where, "F");
		(*compared)++;
	}
	return differing;
}

static void check_recording(const char *name, const struct model_options *options, double tolerance)
{
	struct cluster *c = dump_cluster(name);
	struct err err = { 0 };
	struct model *m = model_new(c, options, &err);
	unsigned differing = 0, compared = 0;

	assert_non_null(m);
	differing += differ(c, m->fs->norm_shares, F_ASSOC_R_NORM_SHARES, tolerance, &compared);
	differing += differ(c, m->fs->norm_usage, F_ASSOC_R_NORM_USAGE, tolerance, &compared);
	differing +=
		differ(c, m->fs->effective_usage, F_ASSOC_R_EFFECTIVE_USAGE, tolerance, &compared);
	if (m->fs->level_fs) {
		differing += differ(c, m->fs->level_fs, F_ASSOC_R_LEVEL_FS, tolerance, &compared);
		differing += differ(c, m->fs->fairshare, F_ASSOC_R_FAIRSHARE, 1e-15, &compared);
	}
	differing += differ_terms(m, tolerance, &compared);
	model_free(m);
	cluster_free(c);
	if (differing > 0)
		fprintf(stderr, "%s: %u of %u values differ\n", name, differing, compared);
	assert_true(compared > 250);
	assert_int_equal(differing, 0);
}

static bool is_quiet(const char *name)
{
	return !strstr(name, "live") && !strstr(name, "cold");
}

static void test_quiet_recordings_from_reported_usage(void **state)
{
	struct model_options options = { -1, FS_BASE_REPORTED, -1 };

	(void)state;
	for (size_t i = 0; i < dump_count; i++) {
		if (is_quiet(dump_names[i]))
			check_recording(dump_names[i], &options, 1e-9);
	}
}

/* Raw usage has six decimals; the smallest usages are about 1, so a ratio is good to about 1e-6. */
static void test_quiet_recordings_from_raw_usage(void **state)
{
	struct model_options options = { -1, FS_BASE_USAGE, -1 };

	(void)state;
	for (size_t i = 0; i < dump_count; i++) {
		if (is_quiet(dump_names[i]))
			check_recording(dump_names[i], &options, 1e-6);
	}
}

/* Fair Tree computes everything in one pass, so running jobs do not matter. */
static void test_live_fair_tree(void **state)
{
	struct model_options options = { -1, FS_BASE_REPORTED, -1 };

	(void)state;
	check_recording("fairtree/live", &options, 1e-9);
}

static enum fs_order order_of(const char *name)
{
	struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct cluster *c = dump_cluster(name);
	struct model *m = model_new(c, &options, NULL);
	enum fs_order order = m->fs->order;

	model_free(m);
	cluster_free(c);
	return order;
}

static void test_order_of_siblings_is_found(void **state)
{
	(void)state;
	assert_int_equal(order_of("fairtree/quiet"), FS_ORDER_LFT);
	assert_int_equal(order_of("fairtree/after_update"), FS_ORDER_LIST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_trees),
		cmocka_unit_test(test_slurm_test24_4),
		cmocka_unit_test(test_slurm_test24_1),
		cmocka_unit_test(test_slurm_test_130_2),
		cmocka_unit_test(test_quiet_recordings_from_reported_usage),
		cmocka_unit_test(test_quiet_recordings_from_raw_usage),
		cmocka_unit_test(test_live_fair_tree),
		cmocka_unit_test(test_order_of_siblings_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
