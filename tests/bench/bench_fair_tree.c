/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ranking a million users by Fair Tree against glibc's qsort() of as many random doubles.
 *
 * Fair Tree's time covers everything from raw usage and shares on: S, U, E and level_fs of every
 * association in the scheduler's precision, sorting each list of siblings with its ties, the walk,
 * and F. Three shapes: accounts of some ten users; one account with all users; and the first shape
 * with only a few values, so that nearly everything is tied.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "tests/bench/bench.h"
#include "tests/support/gen_tree.h"

#define RUNS 15u
#define USERS 1000000u

struct numbers {
	uint32_t n;
	double *random, *sorted;
};

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort_doubles(void *context)
{
	struct numbers *x = context;

	memcpy(x->sorted, x->random, x->n * sizeof(double));
	qsort(x->sorted, x->n, sizeof(double), compare);
}

struct ranking {
	struct fs_input input;
	struct fs_result *result;
};

static void rank(void *context)
{
	const struct ranking *x = context;

	fs_compute(fs_algos[FS_FAIR_TREE], &x->input, x->result);
}

static void bench_shape(const char *name, const struct gen_options *o)
{
	struct cluster *c = gen_tree(o);
	struct fs_tree *tree = fs_tree_new(c, FS_ORDER_LIST);
	struct ranking ranking = { { c, tree, FS_BASE_USAGE, 1 }, NULL };
	struct numbers numbers = { tree->users, mem_alloc(tree->users, sizeof(double)),
				   mem_alloc(tree->users, sizeof(double)) };
	struct bench benches[] = {
		{ .name = "qsort", .run = sort_doubles, .context = &numbers },
		{ .name = "Fair Tree", .run = rank, .context = &ranking },
	};
	uint64_t seed = 1;

	for (uint32_t i = 0; i < numbers.n; i++)
		numbers.random[i] = gen_unit(&seed);
	ranking.result = fs_run(fs_algos[FS_FAIR_TREE], &ranking.input);
	bench_run(benches, 2, RUNS, 1);
	printf("%s: %u users in %u families\n", name, (unsigned)tree->users,
	       (unsigned)tree->families);
	bench_ratio(&benches[1], &benches[0], RUNS, 0.6);
	mem_free(numbers.random);
	mem_free(numbers.sorted);
	fs_result_free(ranking.result);
	fs_tree_free(tree);
	cluster_free(c);
}

int main(void)
{
	struct gen_options o = GEN_MIXED(7, USERS + USERS / 9);

	printf("Fair Tree against glibc's qsort() of as many doubles (medians of %u turns)\n",
	       RUNS);
	o.users = 900;
	o.deep = 0;
	bench_shape("accounts of ten users", &o);
	o.ties = true;
	bench_shape("the same, nearly all tied", &o);
	o = (struct gen_options){ .seed = 7, .nodes = USERS + 1, .users = 1000 };
	bench_shape("one list of siblings", &o);
	return 0;
}
