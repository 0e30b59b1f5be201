/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Properties of any tree, checked on generated ones: the order of siblings and the unit of usage do
 * not matter, a transparent account is transparent, factors lie in [0, 1], a single rank equals
 * that among all, a lone child is treated as its parent, the first level is that of the classic
 * algorithm, and the two limits of the exponent k.
 */
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

#define SEEDS 60u

static const enum fs_algorithm algorithms[] = { FS_DEPTH_OBLIVIOUS, FS_CLASSIC, FS_FAIR_TREE,
						FS_FAIR_TREE_DOCUMENTED };
#define ALGORITHMS (sizeof(algorithms) / sizeof(algorithms[0]))

/* A tree and the result of one algorithm. */
struct run {
	struct cluster *cluster;
	struct fs_tree *tree;
	struct fs_result *fs;
};

static struct run run(struct cluster *c, enum fs_algorithm algorithm)
{
	struct run x = { c, fs_tree_new(c, FS_ORDER_LIST), NULL };
	struct fs_input in = { c, x.tree, FS_BASE_USAGE, cluster_policy(c)->damping };

	x.fs = fs_run(fs_algos[algorithm], &in);
	return x;
}

static void run_free(struct run *x)
{
	fs_result_free(x->fs);
	fs_tree_free(x->tree);
	cluster_free(x->cluster);
}

/* Compares by association what must stay the same: ratios to 1e-12, F to 1e-14. */
static unsigned differing(const struct run *a, const struct run *b, const char *what)
{
	const struct fs_algo *algo = fs_algos[a->fs->algorithm];
	unsigned different = 0;

	for (uint32_t i = 0; i < a->fs->n; i++) {
		uint32_t j =
			cluster_assoc_by_id(b->cluster, cluster_u32(a->cluster, F_ASSOC_ID, i));
		char where[64];

		assert_int_not_equal(j, ROW_NONE);
		snprintf(where, sizeof(where), "%s, %s, id %u", what, algo->name, i + 1);
		for (size_t q = 0; q < algo->quantity_count; q++) {
			const char *x = (const char *)a->fs + algo->quantities[q].offset;
			const char *y = (const char *)b->fs + algo->quantities[q].offset;
			const char *name = algo->quantities[q].name;
			double u, v;

			/* At r_l = 1 any k is valid. Ranks follow from F. */
			if (strcmp(name, "k") == 0 || algo->quantities[q].is_rank)
				continue;
			u = (*(double *const *)x)[i];
			v = (*(double *const *)y)[j];
			if (strcmp(name, "fairshare") != 0 || !(fabs(u - v) <= 1e-14))
				different += !compare_close(u, v, 1e-12, where, name);
		}
	}
	return different;
}

/* Compares G with OTHER, whose rows are in ORDER, by all algorithms. */
static unsigned all_differing(const struct gen_rows *g, const struct gen_rows *other,
			      const uint32_t *order, uint32_t damping, const char *what)
{
	unsigned different = 0;

	for (size_t a = 0; a < ALGORITHMS; a++) {
		struct run x = run(gen_build(g, NULL, damping), algorithms[a]);
		struct run y = run(gen_build(other, order, damping), algorithms[a]);

		different += differing(&x, &y, what);
		run_free(&x);
		run_free(&y);
	}
	return different;
}

/*
 * The order of siblings matters for tied accounts, so there must be none: all have shares and
 * usage.
 */
static void untied(struct gen_options *o)
{
	o->unused = o->zero_shares = 0;
}

static void use_accounts(struct gen_rows *g)
{
	for (uint32_t i = 1; i < g->n; i++)
		g->own[i] += g->user[i] ? 0 : 1 + i;
}

static void test_order_of_siblings(void **state)
{
	unsigned different = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct gen_options o = GEN_MIXED(seed, 300);
		uint64_t random = seed;
		struct gen_rows *g;
		uint32_t *order;

		untied(&o);
		g = gen_rows_new(&o);
		order = mem_alloc(g->n, sizeof(uint32_t));
		for (uint32_t i = 0; i < g->n; i++) {
			uint32_t j = (uint32_t)(gen_next(&random) % (i + 1));

			order[i] = order[j];
			order[j] = i;
		}
		use_accounts(g);
		different += all_differing(g, g, order, 1, "shuffled");
		mem_free(order);
		gen_rows_free(g);
	}
	assert_int_equal(different, 0);
}

static void test_unit_of_usage(void **state)
{
	/* A power of two rounds nothing, so even ties stay. */
	static const double factors[] = { 0x1p20, 0x1p-10 };
	unsigned different = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct gen_options o = GEN_MIXED(seed, 300);

		o.ties = seed % 2 == 0;
		for (size_t f = 0; f < 2; f++) {
			struct gen_rows *g = gen_rows_new(&o), *scaled = gen_rows_new(&o);

			for (uint32_t i = 0; i < g->n; i++)
				scaled->own[i] *= factors[f];
			different += all_differing(g, scaled, NULL, 2, "scaled");
			gen_rows_free(scaled);
			gen_rows_free(g);
		}
	}
	assert_int_equal(different, 0);
}

/*
 * Puts a new account with fairshare=parent between an account and the later half of its children.
 */
static void splice(struct gen_rows *g, uint32_t account)
{
	uint32_t row = g->n++, children = 0, moved = 0;

	for (uint32_t i = 1; i < row; i++)
		children += g->parent[i] == account;
	for (uint32_t i = row; i-- > 1 && moved < (children + 1) / 2;) {
		if (g->parent[i] == account) {
			g->parent[i] = row;
			moved++;
		}
	}
	g->parent[row] = account;
	g->user[row] = 0;
	g->shares[row] = SHARES_PARENT;
	g->own[row] = 0;
	g->partition[row] = 0;
	g->name[row] = row;
}

static void test_transparent_account(void **state)
{
	unsigned different = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct gen_options o = GEN_MIXED(seed, 300);
		struct gen_rows *g, *spliced;

		untied(&o);
		g = gen_rows_new(&o);
		spliced = gen_rows_new(&o);
		use_accounts(g);
		use_accounts(spliced);
		splice(spliced, g->parent[g->n - 1 - seed]);
		different += all_differing(g, spliced, NULL, 1, "spliced");
		gen_rows_free(spliced);
		gen_rows_free(g);
	}
	assert_int_equal(different, 0);
}

static void test_range_of_factors(void **state)
{
	unsigned users = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct gen_options o = GEN_MIXED(seed, 300);

		o.ties = seed % 2 == 0;
		for (size_t a = 0; a < ALGORITHMS; a++) {
			struct run x = run(gen_tree(&o), algorithms[a]);

			for (uint32_t i = 1; i < x.fs->n; i++) {
				bool has = x.tree->is_user[i] || !x.fs->tree_rank;

				assert_true(has ? x.fs->fairshare[i] >= 0 && x.fs->fairshare[i] <= 1
						: isnan(x.fs->fairshare[i]));
				if (x.tree->is_user[i])
					assert_true(x.fs->rank[i] >= 1 &&
						    x.fs->rank[i] <= x.tree->users);
				assert_int_equal(fs_rank_of(x.tree, x.fs, i), x.fs->rank[i]);
				users += x.tree->is_user[i];
			}
			run_free(&x);
		}
	}
	assert_true(users > 10000);
}

/* Returns how many members of family F are not fairshare=parent. */
static uint32_t competitors(const struct fs_tree *t, uint32_t f)
{
	uint32_t count = 0;

	for (uint32_t j = t->family_first[f]; j < t->family_first[f + 1]; j++)
		count += t->shares[t->members[j]] != SHARES_PARENT;
	return count;
}

static void test_a_lone_child(void **state)
{
	unsigned found = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct gen_options o = GEN_MIXED(seed, 1000);
		struct run x;

		o.users = 500;
		o.deep = 300;
		x = run(gen_tree(&o), FS_DEPTH_OBLIVIOUS);
		for (uint32_t i = 1; i < x.fs->n; i++) {
			double above = x.fs->effective_ratio[x.tree->fs_parent[i]];

			if (x.fs->branch[i] != FS_BRANCH_FORMULA ||
			    competitors(x.tree, x.tree->family[i]) != 1)
				continue;
			assert_true(compare_relative(x.fs->effective_ratio[i], above) <= 1e-14);
			assert_true(x.fs->k[i] == 1);
			found++;
		}
		run_free(&x);
	}
	assert_true(found > 500);
}

static void test_first_level_is_classic(void **state)
{
	unsigned found = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct gen_options o = GEN_MIXED(seed, 300);
		struct run x = run(gen_tree(&o), FS_DEPTH_OBLIVIOUS),
			   y = run(gen_tree(&o), FS_CLASSIC);

		for (uint32_t i = 1; i < x.fs->n; i++) {
			if (x.tree->fs_parent[i] != 0)
				continue;
			assert_true(compare_relative(x.fs->effective_usage[i],
						     y.fs->effective_usage[i]) == 0);
			assert_true(compare_relative(x.fs->effective_ratio[i],
						     y.fs->effective_ratio[i]) <= 1e-15);
			assert_true(fabs(x.fs->fairshare[i] - y.fs->fairshare[i]) <= 1e-15);
			found++;
		}
		run_free(&x);
		run_free(&y);
	}
	assert_true(found > 300);
}

/* ---- limits of k --------------------------------------------------------------------------- */

/*
 * Account A has half of the shares and USED of all usage; the first of its two users with equal
 * shares has OWN of A's usage. Sets R_parent, r, R and k of that user.
 */
static void two_levels(double used, double own, double *above, double *r, double *ratio, double *k)
{
	uint32_t parents[] = { ROW_NONE, 0, 0, 1, 1, 2 }, shares[] = { 1, 1, 1, 1, 1, 1 };
	uint8_t users[] = { 0, 0, 0, 1, 1, 1 };
	uint32_t partitions[6] = { 0 }, names[] = { 0, 1, 2, 3, 4, 5 };
	double usage[] = { 0, 0, 0, 1e9 * used * own, 1e9 * used * (1 - own), 1e9 * (1 - used) };
	struct gen_rows g = { 6, parents, shares, users, partitions, usage, names };
	struct run x = run(gen_build(&g, NULL, 1), FS_DEPTH_OBLIVIOUS);
	uint32_t row = cluster_assoc_by_id(x.cluster, 4);

	*above = x.fs->effective_ratio[x.tree->fs_parent[row]];
	*r = x.fs->usage_ratio[row];
	*ratio = x.fs->effective_ratio[row];
	*k = x.fs->k[row];
	run_free(&x);
}

/* An account approaches its fair share from above, with a user far below the user's own. */
static void test_k_tends_to_1(void **state)
{
	double last = INFINITY, above, r, ratio, k;

	(void)state;
	for (double off = 0.1; off > 1e-7; off /= 4) {
		two_levels(0.5 * (1 + off), 0.1, &above, &r, &ratio, &k);
		assert_true(k < 1 && ratio > r && ratio < above);
		assert_true(fabs(ratio - r) < 0.5 * last);
		last = fabs(ratio - r);
	}
	assert_true(k > 1 - 1e-11);
	assert_true(last < 1e-11);
}

/*
 * An account falls ever further below its fair share, with a user above the user's own: the user is
 * treated like the account.
 */
static void test_k_tends_to_0(void **state)
{
	double last = INFINITY, above, r, ratio, k;

	(void)state;
	for (double part = 0.1; part > 1e-280; part *= 1e-10) {
		two_levels(0.5 * part, 0.9, &above, &r, &ratio, &k);
		assert_true(k < 1 && ratio > above && ratio < r);
		assert_true(ratio / above - 1 < last);
		last = ratio / above - 1;
	}
	assert_true(k < 1e-6);
	assert_true(last < 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_of_siblings),
		cmocka_unit_test(test_unit_of_usage),
		cmocka_unit_test(test_transparent_account),
		cmocka_unit_test(test_range_of_factors),
		cmocka_unit_test(test_a_lone_child),
		cmocka_unit_test(test_first_level_is_classic),
		cmocka_unit_test(test_k_tends_to_1),
		cmocka_unit_test(test_k_tends_to_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
