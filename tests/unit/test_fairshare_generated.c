/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine against the scheduler's own form in long double, on trees generated from seeds: small
 * ones of every kind, and one of a million associations (200,000 in make check). Fair Tree must
 * give every rank exactly, ties included.
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "tests/support/compare.h"
#include "tests/support/gen_tree.h"
#include "tests/support/reference.h"
#include "tests/support/walk.h"

/* The largest errors found. */
struct errors {
	double shares, usage, effective, ratio, factor;
	unsigned rows, with_k;
};

static void worse(double *error, double other)
{
	if (!(other <= *error))
		*error = other;
}

static void measure(const struct fs_result *fs, const struct reference *ref, struct errors *e)
{
	for (uint32_t i = 1; i < fs->n; i++) {
		double s = ref->norm_shares[i];
		double ratio = s == 0 ? NAN : (double)(ref->effective_usage[i] / s);

		worse(&e->shares, compare_relative(fs->norm_shares[i], s));
		worse(&e->usage, compare_relative(fs->norm_usage[i], (double)ref->norm_usage[i]));
		worse(&e->effective, compare_relative(fs->effective_usage[i],
						      (double)ref->effective_usage[i]));
		worse(&e->ratio, compare_relative(fs->effective_ratio[i], ratio));
		worse(&e->factor, fabs(fs->fairshare[i] - ref->fairshare[i]));
		e->with_k += ref->k[i] < 1;
		e->rows++;
	}
}

static void run_ratios(const struct gen_options *o, uint32_t damping, enum fs_algorithm algorithm,
		       struct errors *e)
{
	struct gen_rows *g = gen_rows_new(o);
	struct cluster *c = gen_build(g, NULL, damping);
	struct fs_tree *tree = fs_tree_new(c, FS_ORDER_LIST);
	struct fs_input in = { c, tree, FS_BASE_USAGE, damping };
	struct fs_result *fs = fs_run(fs_algos[algorithm], &in);
	struct reference *ref = reference_new(c, tree, algorithm);

	reference_settle(ref);
	measure(fs, ref, e);
	reference_free(ref);
	fs_result_free(fs);
	fs_tree_free(tree);
	cluster_free(c);
	gen_rows_free(g);
}

static void check(const struct errors *e, double ratio)
{
	printf("  %u rows, %u with k < 1: S %.1e U %.1e E %.1e R %.1e F %.1e\n", e->rows, e->with_k,
	       e->shares, e->usage, e->effective, e->ratio, e->factor);
	assert_true(e->shares <= 1e-12);
	assert_true(e->usage <= 1e-15);
	assert_true(e->effective <= ratio);
	assert_true(e->ratio <= ratio);
	assert_true(e->factor <= 1e-11);
}

static void check_many(enum fs_algorithm algorithm)
{
	struct errors e = { 0 };

	for (uint32_t seed = 1; seed <= 300; seed++) {
		struct gen_options o = GEN_MIXED(seed, 2 + seed * 6);

		o.deep = (seed * 37) % 700;
		o.ties = seed % 5 == 0;
		o.balanced = seed % 3 == 0;
		o.unused = seed % 7 == 0 ? 900 : o.unused;
		run_ratios(&o, 1 + seed % 3, algorithm, &e);
	}
	assert_true(e.rows > 250000);
	assert_true(algorithm == FS_CLASSIC || e.with_k > 10000);
	check(&e, 1e-12);
}

static void test_depth_oblivious(void **state)
{
	(void)state;
	check_many(FS_DEPTH_OBLIVIOUS);
}

static void test_classic(void **state)
{
	(void)state;
	check_many(FS_CLASSIC);
}

static void test_a_million(void **state)
{
	struct gen_options o = GEN_MIXED(20, walk_steps(200000, 1000000));
	struct errors oblivious = { 0 }, classic = { 0 };

	(void)state;
	run_ratios(&o, 1, FS_DEPTH_OBLIVIOUS, &oblivious);
	check(&oblivious, 1e-10);
	run_ratios(&o, 1, FS_CLASSIC, &classic);
	check(&classic, 1e-10);
}

static unsigned wrong_ranks(const struct gen_options *o, enum fs_algorithm algorithm,
			    unsigned *ties)
{
	struct cluster *c = gen_tree(o);
	struct fs_tree *tree = fs_tree_new(c, FS_ORDER_LIST);
	struct fs_input in = { c, tree, FS_BASE_USAGE, 1 };
	struct fs_result *fs = fs_run(fs_algos[algorithm], &in);
	struct reference *ref = reference_new(c, tree, algorithm);
	uint32_t *holders = mem_zalloc((size_t)tree->users + 1, sizeof(uint32_t));
	unsigned wrong = 0;

	reference_settle(ref);
	for (uint32_t i = 1; i < fs->n; i++) {
		wrong += fs->tree_rank[i] != ref->tree_rank[i];
		wrong += compare_relative(fs->fairshare[i], ref->fairshare[i]) > 0;
		wrong += compare_relative(fs->effective_usage[i], (double)ref->effective_usage[i]) >
			 0;
		wrong += compare_relative(fs->norm_shares[i], ref->norm_shares[i]) > 0;
		if (tree->is_user[i])
			holders[fs->tree_rank[i]]++;
	}
	for (uint32_t v = 1; v <= tree->users; v++)
		*ties += holders[v] > 1 ? holders[v] : 0;
	mem_free(holders);
	reference_free(ref);
	fs_result_free(fs);
	fs_tree_free(tree);
	cluster_free(c);
	return wrong;
}

static void check_ranks(enum fs_algorithm algorithm)
{
	unsigned ties = 0, wrong = 0;

	for (uint32_t seed = 1; seed <= 300; seed++) {
		struct gen_options o = GEN_MIXED(seed, 2 + seed * 6);

		o.ties = seed % 2 == 0;
		o.deep = (seed * 37) % 700;
		o.users = seed % 5 == 0 ? 990 : o.users;	/* long lists of siblings */
		wrong += wrong_ranks(&o, algorithm, &ties);
	}
	printf("  %u users in ties\n", ties);
	assert_true(ties > 30000);
	assert_int_equal(wrong, 0);
}

static void test_fair_tree(void **state)
{
	(void)state;
	check_ranks(FS_FAIR_TREE);
}

static void test_fair_tree_documented(void **state)
{
	(void)state;
	check_ranks(FS_FAIR_TREE_DOCUMENTED);
}

static void test_fair_tree_of_a_million(void **state)
{
	struct gen_options o = GEN_MIXED(21, walk_steps(200000, 1000000));
	unsigned ties = 0;

	(void)state;
	assert_int_equal(wrong_ranks(&o, FS_FAIR_TREE, &ties), 0);
}

/* ---- on every processor -------------------------------------------------------------------- */

static uint64_t mix(uint64_t digest, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
	return digest;
}

static bool nearly_tied(double a, double b)
{
	return a > 0 && a < INFINITY && fabs(a - b) <= 4e-16 * a;
}

/* Marks rows with a sibling whose level_fs is equal but for the last bits, and all rows below. */
static unsigned mark_exposed(const struct fs_tree *t, const double *level, uint8_t *exposed)
{
	unsigned count = 0;

	for (uint32_t f = 0; f < t->families; f++) {
		for (uint32_t a = t->family_first[f]; a < t->family_first[f + 1]; a++)
			for (uint32_t b = t->family_first[f]; b < t->family_first[f + 1]; b++)
				exposed[t->members[a]] |= a != b &&
					nearly_tied(level[t->members[a]], level[t->members[b]]);
	}
	for (uint32_t i = 1; i < t->n; i++) {
		exposed[i] |= exposed[t->fs_parent[i]];
		count += exposed[i] && t->is_user[i];
	}
	return count;
}

static uint64_t digest_of(const struct gen_options *o, enum fs_algorithm algorithm,
			  unsigned *exposed_users)
{
	struct cluster *c = gen_tree(o);
	struct fs_tree *tree = fs_tree_new(c, FS_ORDER_LIST);
	struct fs_input in = { c, tree, FS_BASE_USAGE, 1 };
	struct fs_result *fs = fs_run(fs_algos[algorithm], &in);
	uint8_t *exposed = mem_zalloc(fs->n, 1);
	uint64_t digest = mix(0, fs->norm_shares, fs->n * sizeof(double));

	if (fs->level_fs) {
		*exposed_users += mark_exposed(tree, fs->level_fs, exposed);
		for (uint32_t i = 1; i < fs->n; i++)
			if (!exposed[i])
				digest = mix(digest, &fs->tree_rank[i], sizeof(uint32_t));
	} else {
		digest = mix(digest, fs->norm_usage, fs->n * sizeof(double));
		digest = mix(digest, fs->effective_usage, fs->n * sizeof(double));
		digest = mix(digest, fs->effective_ratio, fs->n * sizeof(double));
	}
	mem_free(exposed);
	fs_result_free(fs);
	fs_tree_free(tree);
	cluster_free(c);
	return digest;
}

/*
 * Where long double does not have the 80 bits of x86-64, only two things may differ: ranks of Fair
 * Tree between (nearly) tied siblings and below them, and the last bits of F outside Fair Tree,
 * which come from the C library.
 */
static void test_the_same_on_every_processor(void **state)
{
	static const uint64_t seen_on_x86_64[] = {
		0x2dbf5138bfd1dc85, 0xca46e250d3671052, 0xd08ad6bb5ac82c22
	};
	unsigned exposed = 0;

	(void)state;
	for (enum fs_algorithm a = FS_DEPTH_OBLIVIOUS; a <= FS_FAIR_TREE; a++) {
		uint64_t digest = 0, one;

		for (uint32_t seed = 1; seed <= 120; seed++) {
			struct gen_options o = GEN_MIXED(seed, 2 + seed * 6);

			o.ties = seed % 4 == 0;
			o.parent_accounts = 0;
			one = digest_of(&o, a, &exposed);
			digest = mix(digest, &one, sizeof(one));
		}
		printf("  %016" PRIx64 "\n", digest);
		assert_true(digest == seen_on_x86_64[a]);
	}
	printf("  %u users are beside a tie\n", exposed);
	assert_true(exposed > 1000 && exposed < 15000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_depth_oblivious),
		cmocka_unit_test(test_classic),
		cmocka_unit_test(test_a_million),
		cmocka_unit_test(test_fair_tree),
		cmocka_unit_test(test_fair_tree_documented),
		cmocka_unit_test(test_fair_tree_of_a_million),
		cmocka_unit_test(test_the_same_on_every_processor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
