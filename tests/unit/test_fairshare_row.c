/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of one association computed alone, against a run over all: equal to the last bit in
 * every algorithm, from the usage of the rows of fs_near() only; and what a forecast draws from
 * them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/cluster/overlay.h"
#include "core/queue/forecast.h"
#include "tests/support/gen_tree.h"

#define ROWS_OF_EACH 60

struct seen {
	unsigned reported, left, wrong;
};

static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof(a)) == 0;
}

/* Compares all quantities of ROW except the rank among all users. */
static bool same_row(const struct fs_algo *algo, const struct fs_result *a,
		     const struct fs_result *b, uint32_t row)
{
	bool all = a->branch[row] == b->branch[row];

	for (size_t q = 0; q < algo->quantity_count; q++) {
		size_t at = algo->quantities[q].offset;

		if (!algo->quantities[q].is_rank)
			all = all && same((*(double *const *)(const void *)
						((const char *)a + at))[row],
					  (*(double *const *)(const void *)
						((const char *)b + at))[row]);
	}
	return all && (!a->tree_rank || a->tree_rank[row] == b->tree_rank[row]);
}

/* Returns C with the usage of only the rows near ROW. */
static struct cluster *only_near(const struct cluster *c, const struct fs_tree *tree, uint32_t row)
{
	struct overlay *o = overlay_over(c);
	double *usage = overlay_f64(o, F_ASSOC_USAGE);
	const double *was = cluster_col_f64(c, F_ASSOC_USAGE);
	uint32_t count, *near = fs_near(tree, row, &count);

	for (uint32_t i = 0; i < tree->n; i++)
		usage[i] = F64_UNKNOWN;
	for (uint32_t i = 0; i < count; i++)
		usage[near[i]] = was[near[i]];
	mem_free(near);
	return overlay_seal(o);
}

static void compare(const struct cluster *c, enum fs_algorithm algorithm, enum fs_order order,
		    uint32_t damping, struct seen *seen)
{
	const struct fs_algo *algo = fs_algos[algorithm];
	struct fs_tree *tree = fs_tree_new(c, order);
	struct fs_input in = { c, tree, FS_BASE_USAGE, damping };
	struct fs_result *whole = fs_run(algo, &in), *one = fs_result_new(algo, tree);
	uint32_t step = tree->n / ROWS_OF_EACH + 1;

	for (uint32_t row = 1; row < tree->n; row += step) {
		struct cluster *few = only_near(c, tree, row);

		in.cluster = few;
		if (!fs_compute_row(algo, &in, row, one)) {
			seen->left++;
		} else {
			seen->reported++;
			seen->wrong += !same_row(algo, one, whole, row);
		}
		cluster_free(few);
	}
	fs_result_free(one);
	fs_result_free(whole);
	fs_tree_free(tree);
}

static struct cluster *generate(uint32_t seed)
{
	struct gen_options o = GEN_MIXED(seed, 2 + seed * 6);
	struct gen_rows *g;
	struct cluster *c;

	o.ties = seed % 5 == 0;
	o.deep = (seed * 37) % 700;
	o.users = seed % 4 == 0 ? 990 : o.users;	/* long lists of siblings */
	o.unused = seed % 7 == 0 ? 900 : o.unused;
	g = gen_rows_new(&o);
	if (seed % 6 == 0)
		g->shares[g->n / 2] = U32_UNKNOWN;
	c = gen_build(g, NULL, 1);
	gen_rows_free(g);
	return c;
}

static void test_row(void **state)
{
	/* At least how many rows of a hundred are computed; Fair Tree ties may leave some out. */
	static const unsigned least[FS_LSF] = {
		[FS_DEPTH_OBLIVIOUS] = 100, [FS_CLASSIC] = 100, [FS_FAIR_TREE] = 85,
		[FS_FAIR_TREE_DOCUMENTED] = 80, [FS_PBS] = 100,
	};

	(void)state;
	for (enum fs_algorithm a = FS_DEPTH_OBLIVIOUS; a <= FS_PBS; a++) {
		struct seen seen = { 0 };

		for (uint32_t seed = 1; seed <= 150; seed++) {
			struct cluster *c = generate(seed);

			compare(c, a, FS_ORDER_LIST, 1 + seed % 3, &seen);
			cluster_free(c);
		}
		printf("  %s: %u rows, %u not told\n", fs_algos[a]->name, seen.reported, seen.left);
		assert_int_equal(seen.wrong, 0);
		assert_true(seen.reported + seen.left > 5000);
		assert_true(100 * seen.reported >= least[a] * (seen.reported + seen.left));
	}
}

/* ---- forecasts ------------------------------------------------------------------------------- */

/* Returns whether POINT is what a run over all gives for ROW after PASSES passes at RATE. */
static bool is_point(const struct forecast_point *point, const struct model *m, uint32_t row,
		     const double *rate, int64_t passes)
{
	struct overlay *o = overlay_over(m->cluster);
	struct fs_input in = m->input;
	struct fs_result *fs;
	struct cluster *c;
	double rank;
	bool all;

	forecast_usage(m->cluster, NULL, rate, passes, overlay_f64(o, F_ASSOC_USAGE));
	c = overlay_seal(o);
	in.cluster = c;
	fs = fs_run(m->algo, &in);
	rank = m->tree->span[row] > 1 || fs->rank[row] == U32_UNKNOWN ? F64_UNKNOWN :
								       fs->rank[row];
	all = same(point->fairshare, fs->fairshare[row]) && same(point->rank, rank) &&
	      same(point->norm_usage, fs->norm_usage[row]);
	fs_result_free(fs);
	cluster_free(c);
	return all;
}

/* Forecasts ROW and its accounts at a constant burn rate. Returns the number of points compared. */
static unsigned check_forecast(const struct model *m, uint32_t row)
{
	struct forecast_question q = { .assoc = row, .entry = ROW_NONE, .burn = FORECAST_RATE,
				       .rate = 3600,	/* per hour */
				       .reach = f64_known(m->fs->fairshare[row]) ?
						0.2 : F64_UNKNOWN };
	double *rate = mem_zalloc(m->tree->n, sizeof(*rate));
	struct forecast f;
	unsigned count;

	for (uint32_t i = row; i != ROW_NONE; i = m->tree->parent[i])
		rate[i] = 1;			/* per second */
	assert_true(forecast(m, NULL, &q, &f, NULL));
	for (uint32_t i = 0; i < f.count; i++) {
		int64_t passes = (f.points[i].time - f.points[0].time) / 300;

		assert_true(is_point(&f.points[i], m, row, rate, passes));
	}
	count = f.count;
	forecast_free(&f);
	mem_free(rate);
	return count;
}

static struct cluster *slurm_of(uint32_t seed, uint32_t flags)
{
	struct gen_options o = GEN_MIXED(seed, 40 + seed * 3);
	struct gen_rows *g = gen_rows_new(&o);
	struct builder *b = gen_builder(g, NULL, 1);
	struct cluster_meta meta = *builder_get_meta(b);

	meta.kind = "slurm";
	meta.time = meta.last_decay = INT64_C(1790000000);
	builder_meta(b, &meta);
	builder_policy(b)->flags = flags;
	builder_policy(b)->half_life = 7200;
	gen_rows_free(g);
	return builder_seal(b, NULL);
}

static void test_forecast(void **state)
{
	static const uint32_t flags[] = { PF_DEPTH_OBLIVIOUS, PF_NO_FAIR_TREE, 0 };
	unsigned points = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 30; seed++) {
		struct cluster *c = slurm_of(seed, flags[seed % 3]);
		struct model *m = model_new(c, NULL, NULL);

		for (uint32_t row = 1; row < m->tree->n; row += m->tree->n / 6)
			points += check_forecast(m, row);
		model_free(m);
		cluster_free(c);
	}
	printf("  %u points\n", points);
	assert_true(points > 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_forecast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
