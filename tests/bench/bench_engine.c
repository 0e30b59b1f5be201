/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The depth-oblivious engine against the least that any implementation must do.
 *
 * The baseline is a bare scalar loop of one log, one exp and one exp2 of glibc per association,
 * over three independent arrays, compiled with the flags below and not vectorised. The engine's
 * time covers everything from usage and raw shares to S, U, E, r, r_l, k, R, F and the branch of
 * every association. The structure of the tree is built once per cluster and timed separately, as
 * are the other algorithms and the ranks.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "tests/bench/bench.h"
#include "tests/support/gen_tree.h"

#define RUNS 41u

struct bare {
	uint32_t n;
	double *a, *b, *c, *out;
};

#if defined(__GNUC__) && !defined(__clang__)
__attribute__((noinline, optimize("O2", "no-tree-vectorize")))
#endif
static void bare_loop(void *context)
{
	const struct bare *x = context;

	for (uint32_t i = 0; i < x->n; i++)
		x->out[i] = log(x->a[i]) + exp(x->b[i]) + exp2(x->c[i]);
}

static struct bare bare_new(uint32_t n, uint64_t seed)
{
	struct bare x = { n, mem_alloc(n, sizeof(double)), mem_alloc(n, sizeof(double)),
			  mem_alloc(n, sizeof(double)), mem_alloc(n, sizeof(double)) };

	for (uint32_t i = 0; i < n; i++) {
		x.a[i] = exp(6 * gen_unit(&seed) - 3);
		x.b[i] = 6 * gen_unit(&seed) - 3;
		x.c[i] = -4 * gen_unit(&seed);
	}
	return x;
}

static void bare_free(struct bare *x)
{
	mem_free(x->a);
	mem_free(x->b);
	mem_free(x->c);
	mem_free(x->out);
}

struct engine {
	const struct cluster *cluster;
	struct fs_input input;
	const struct fs_algo *algo;
	struct fs_result *result;
};

static void compute(void *context)
{
	const struct engine *x = context;

	fs_compute(x->algo, &x->input, x->result);
}

static void rank(void *context)
{
	const struct engine *x = context;

	fs_rank(x->input.tree, x->result);
}

static void index_tree(void *context)
{
	const struct engine *x = context;

	fs_tree_free(fs_tree_new(x->cluster, FS_ORDER_LIST));
}

static struct engine engine_new(const struct cluster *c, const struct fs_tree *tree,
				enum fs_algorithm algorithm)
{
	struct engine x = { .cluster = c,
			    .input = { c, tree, FS_BASE_USAGE, 1 },
			    .algo = fs_algos[algorithm] };

	x.result = fs_run(x.algo, &x.input);
	return x;
}

static void print_layout(const struct cluster *c, const struct fs_tree *t)
{
	const double *usage = cluster_col_f64(c, F_ASSOC_USAGE);
	uint32_t unused = 0, deepest = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		unused += t->is_user[i] && usage[i] == 0;
		deepest = cluster_depth(c)[i] > deepest ? cluster_depth(c)[i] : deepest;
	}
	printf("%u associations: %u users (%.0f %% unused) in %u accounts, depth %u, %u families; "
	       "%.0f bytes each\n",
	       (unsigned)t->n, (unsigned)t->users, 100.0 * unused / t->users,
	       (unsigned)(t->n - t->users), (unsigned)deepest, (unsigned)t->families,
	       (double)cluster_bytes(c) / t->n);
}

/* A measurement is REPEAT calls, so that small trees take long enough for the clock. */
static void bench_size(uint32_t n, unsigned repeat, double target)
{
	struct gen_options o = GEN_MIXED(7, n);
	struct cluster *c;
	struct fs_tree *tree;
	struct engine oblivious, classic, fair_tree;
	struct bare bare = bare_new(n, 1);
	struct bench benches[6];
	/* Their first measured ratios, plus a tenth. */
	static const double others[4] = { 2.0, 4.9, 1.2, 1.5 };

	o.users = 900;
	o.deep = 0;
	o.balanced = true;
	c = gen_tree(&o);
	tree = fs_tree_new(c, FS_ORDER_LIST);
	oblivious = engine_new(c, tree, FS_DEPTH_OBLIVIOUS);
	classic = engine_new(c, tree, FS_CLASSIC);
	fair_tree = engine_new(c, tree, FS_FAIR_TREE);
	benches[0] = (struct bench){ .name = "bare loop", .run = bare_loop, .context = &bare };
	benches[1] =
		(struct bench){ .name = "depth-oblivious", .run = compute, .context = &oblivious };
	benches[2] = (struct bench){ .name = "classic", .run = compute, .context = &classic };
	benches[3] = (struct bench){ .name = "Fair Tree", .run = compute, .context = &fair_tree };
	benches[4] = (struct bench){ .name = "rank by F", .run = rank, .context = &oblivious };
	benches[5] = (struct bench){ .name = "index of the tree",
				     .run = index_tree,
				     .context = &oblivious };
	bench_run(benches, 2, RUNS, repeat);
	print_layout(c, tree);
	bench_ratio(&benches[1], &benches[0], RUNS, target);
	bench_run(benches, 6, 5, 1 + repeat / 4);
	for (size_t i = 2; i < 6; i++)
		bench_ratio(&benches[i], &benches[0], 5, others[i - 2]);
	fs_result_free(oblivious.result);
	fs_result_free(classic.result);
	fs_result_free(fair_tree.result);
	fs_tree_free(tree);
	cluster_free(c);
	bare_free(&bare);
}

/* Sets a field that the tree does not; many rows have equal limits, as in real clusters. */
static void set_field(struct builder *b, enum field f, uint32_t row, uint32_t cpu)
{
	const char *list[] = { "normal", "high", "low" };
	struct tres_item limit = { cpu, 100.0 * (row % 50) };

	switch (field_info[f].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		builder_u32(b, f, row, row % 1000);
		break;
	case FIELD_I64:
		builder_i64(b, f, row, row);
		break;
	case FIELD_F64:
		builder_f64(b, f, row, row);
		break;
	case FIELD_BOOL:
		builder_bool(b, f, row, true);
		break;
	case FIELD_TEXT:
		builder_str(b, f, row, "normal");
		break;
	case FIELD_LIST:
		builder_list(b, f, row, list, 3);
		break;
	case FIELD_TRES:
		builder_tres(b, f, row, &limit, 1);
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
}

/*
 * The most memory that a sealed cluster takes: every field of every association is set, except
 * those of LSF, which never occur together with Slurm's.
 */
static void bench_memory(uint32_t n)
{
	struct gen_options o = GEN_MIXED(7, n);
	struct gen_rows *g;
	struct builder *b;
	struct cluster *c;

	o.users = 900;
	g = gen_rows_new(&o);
	b = gen_builder(g, NULL, 1);
	for (uint32_t row = 0; row < n; row++) {
		for (enum field f = F_ASSOC_SHARES; field_info[f].table == TABLE_ASSOC; f++) {
			if (!strstr(field_info[f].meaning, "(LSF)"))
				set_field(b, f, row, builder_tres_row(b, "cpu", 3));
		}
	}
	c = builder_seal(b, NULL);
	bench_judge((double)cluster_bytes(c) / n, "bytes each", 256,
		    "%u associations with every field set", (unsigned)n);
	cluster_free(c);
	gen_rows_free(g);
}

int main(void)
{
	printf("depth-oblivious engine against a bare loop of one log, exp and exp2 of glibc "
	       "per association\n(baseline: -O2, scalar, three arrays in, one out; compiler %s; "
	       "medians of %u turns)\n",
	       __VERSION__, RUNS);
	bench_size(2000, 200, 4);
	bench_size(100000, 4, 4);
	bench_size(1000000, 1, 4);
	bench_memory(100000);
	return 0;
}
