/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/reference.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"

#define NOT_COMPUTED ((long double)U32_UNKNOWN)

/* ---- tree ---------------------------------------------------------------------------------- */

static uint32_t direct_shares_sum(const struct fs_tree *t, uint32_t p)
{
	uint32_t sum = 0;

	for (uint32_t j = t->family_first[t->own_family[p]];
	     j < t->family_first[t->own_family[p] + 1]; j++) {
		if (t->shares[t->members[j]] != SHARES_PARENT)
			sum += t->shares[t->members[j]];
	}
	return sum;
}

/* L (the sum of siblings' shares) of each family, indexed by family. */
static uint32_t *level_shares(const struct fs_tree *t)
{
	uint32_t *sums = mem_alloc(t->families, sizeof(uint32_t));

	for (uint32_t f = 0; f < t->families; f++)
		sums[f] = direct_shares_sum(t, t->family_row[f]);
	return sums;
}

static double product_of_shares(const struct fs_tree *t, const uint32_t *level, uint32_t i)
{
	double s = 1;

	for (; i != 0; i = t->parent[i]) {
		if (t->shares[i] == SHARES_PARENT)
			continue;
		s *= level[t->family[i]] == 0 ? 0 : (double)t->shares[i] / level[t->family[i]];
	}
	return s;
}

static double part_of_level(const struct fs_tree *t, const uint32_t *level, uint32_t i)
{
	while (i != 0 && t->shares[i] == SHARES_PARENT)
		i = t->fs_parent[i];
	if (i == 0)
		return t->shares[0] / (double)U32_UNKNOWN;
	return level[t->family[i]] == 0 ? 0 : (double)t->shares[i] / level[t->family[i]];
}

struct reference *reference_new(const struct cluster *c, const struct fs_tree *tree,
				enum fs_algorithm algorithm)
{
	struct reference *r = mem_zalloc(1, sizeof(*r));
	uint32_t *level = level_shares(tree);
	bool fair_tree = algorithm == FS_FAIR_TREE || algorithm == FS_FAIR_TREE_DOCUMENTED;

	r->cluster = c;
	r->tree = tree;
	r->algorithm = algorithm;
	r->damping = cluster_policy(c)->damping;
	r->norm_shares = mem_alloc(tree->n, sizeof(double));
	r->norm_usage = mem_alloc(tree->n, sizeof(long double));
	r->effective_usage = mem_alloc(tree->n, sizeof(long double));
	r->local_ratio = mem_alloc(tree->n, sizeof(double));
	r->k = mem_alloc(tree->n, sizeof(double));
	r->fairshare = mem_alloc(tree->n, sizeof(double));
	r->level_fs = mem_alloc(tree->n, sizeof(long double));
	r->tree_rank = mem_alloc(tree->n, sizeof(uint32_t));
	for (uint32_t i = 0; i < tree->n; i++) {
		r->norm_shares[i] = fair_tree ? part_of_level(tree, level, i) :
				    product_of_shares(tree, level, i);
		r->norm_usage[i] = r->effective_usage[i] = NOT_COMPUTED;
		r->local_ratio[i] = r->k[i] = r->fairshare[i] = NAN;
		r->level_fs[i] = NAN;
		r->tree_rank[i] = U32_UNKNOWN;
	}
	r->effective_usage[0] = 1;
	mem_free(level);
	return r;
}

void reference_free(struct reference *r)
{
	mem_free(r->norm_shares);
	mem_free(r->norm_usage);
	mem_free(r->effective_usage);
	mem_free(r->local_ratio);
	mem_free(r->k);
	mem_free(r->fairshare);
	mem_free(r->level_fs);
	mem_free(r->tree_rank);
	mem_free(r);
}

/* ---- classic and depth-oblivious ----------------------------------------------------------- */

static void set_usage(struct reference *r, uint32_t i)
{
	long double own = cluster_f64(r->cluster, F_ASSOC_USAGE, i);
	long double all = cluster_f64(r->cluster, F_ASSOC_USAGE, 0);

	r->norm_usage[i] = all == 0 ? 0 : own / all > 1 ? 1 : own / all;
}

static void set_oblivious(struct reference *r, uint32_t i)
{
	const struct fs_tree *t = r->tree;
	uint32_t p = t->fs_parent[i], f = t->family[i];
	long double above, sum = 0, local, k = 1;

	if (r->norm_shares[i] == 0 || r->norm_shares[p] == 0 || r->effective_usage[p] == 0 ||
	    r->norm_usage[i] == 0) {
		r->effective_usage[i] = r->norm_usage[i];
		return;
	}
	above = r->effective_usage[p] / r->norm_shares[p];
	for (uint32_t j = t->family_first[f]; j < t->family_first[f + 1]; j++) {
		if (t->shares[t->members[j]] != SHARES_PARENT)
			sum += r->norm_usage[t->members[j]];
	}
	local = r->norm_usage[i] / r->norm_shares[i] / (sum / r->norm_shares[p]);
	if (logl(above) * logl(local) < 0)
		k = 1 / (1 + (5 * logl(above)) * (5 * logl(above)));
	r->effective_usage[i] = above * pow((double)local, (double)k) * r->norm_shares[i];
	r->local_ratio[i] = (double)local;
	r->k[i] = (double)k;
}

static void set_classic(struct reference *r, uint32_t i)
{
	const struct fs_tree *t = r->tree;
	uint32_t p = t->fs_parent[i], level = 0;
	long double above = r->effective_usage[p];

	fs_level_shares(t, i, &level);
	if (level == 0)
		r->effective_usage[i] = above;
	else
		r->effective_usage[i] = r->norm_usage[i] + (above - r->norm_usage[i]) *
					((long double)t->shares[i] / level);
}

/* Reads the siblings' U as last computed, computes that of row I. */
static void evaluate(struct reference *r, uint32_t i)
{
	const struct fs_tree *t = r->tree;

	set_usage(r, i);
	if (t->fs_parent[i] == 0)
		r->effective_usage[i] = r->norm_usage[i];
	else if (t->shares[i] == SHARES_PARENT)
		r->effective_usage[i] = r->effective_usage[t->fs_parent[i]];
	else if (r->algorithm == FS_CLASSIC)
		set_classic(r, i);
	else
		set_oblivious(r, i);
}

static void set_factors(struct reference *r)
{
	for (uint32_t i = 0; i < r->tree->n; i++) {
		uint32_t x =
			i != 0 && r->tree->shares[i] == SHARES_PARENT ? r->tree->fs_parent[i] : i;
		long double ratio = r->effective_usage[x] / r->norm_shares[x];

		r->fairshare[i] =
			r->norm_shares[x] <= 0 ? 0 : pow(2.0, (double)-(ratio / r->damping));
	}
}

/* Visits accounts from the root down, depth first. */
static void pass_accounts(struct reference *r)
{
	const struct fs_tree *t = r->tree;
	uint32_t *stack = mem_alloc(t->n, sizeof(uint32_t)), depth = 0;

	stack[depth++] = 0;
	while (depth > 0) {
		uint32_t i = stack[--depth], f = t->own_family[i];

		if (i != 0)
			evaluate(r, i);
		if (f == ROW_NONE)
			continue;
		for (uint32_t j = t->family_first[f + 1]; j-- > t->family_first[f];) {
			if (!t->is_user[t->members[j]])
				stack[depth++] = t->members[j];
		}
	}
	mem_free(stack);
}

void reference_pass_busy(struct reference *r, const struct cluster *after, uint32_t step)
{
	pass_accounts(r);
	r->cluster = after;
	for (uint32_t k = 0; k < r->tree->n; k++) {
		uint32_t i = (uint32_t)((uint64_t)k * step % r->tree->n);

		if (i != 0 && r->tree->is_user[i])
			evaluate(r, i);
	}
	set_factors(r);
}

void reference_pass(struct reference *r)
{
	reference_pass_busy(r, r->cluster, 1);
}

/* ---- Fair Tree ----------------------------------------------------------------------------- */

struct ranking {
	struct reference *r;
	uint32_t next, rank;
};

static void set_level(struct reference *r, uint32_t i)
{
	const struct fs_tree *t = r->tree;
	long double own = cluster_f64(r->cluster, F_ASSOC_USAGE, i);
	long double above = cluster_f64(r->cluster, F_ASSOC_USAGE, t->fs_parent[i]);
	long double used = above == 0 ? 0 : own / above;

	r->effective_usage[i] = used;
	if (t->shares[i] == SHARES_PARENT)
		r->level_fs[i] = t->is_user[i] ? INFINITY : NOT_COMPUTED;
	else if (r->norm_shares[i] == 0)
		r->level_fs[i] = 0;
	else
		r->level_fs[i] = used == 0 ? INFINITY : r->norm_shares[i] / used;
}

/* Does A come before B? Equal rows keep their order. */
static bool goes_before(const struct reference *r, uint32_t a, uint32_t b)
{
	if (r->level_fs[a] != r->level_fs[b])
		return r->level_fs[a] > r->level_fs[b];
	return r->tree->is_user[a] && !r->tree->is_user[b];
}

/* A stable merge sort, as glibc's qsort() is. */
static void sort_rows(const struct reference *r, uint32_t *rows, uint32_t *spare, uint32_t count)
{
	uint32_t half = count / 2, a = 0, b = half, out = 0;

	if (count < 2)
		return;
	sort_rows(r, rows, spare, half);
	sort_rows(r, rows + half, spare, count - half);
	while (a < half && b < count)
		spare[out++] = goes_before(r, rows[b], rows[a]) ? rows[b++] : rows[a++];
	while (a < half)
		spare[out++] = rows[a++];
	while (b < count)
		spare[out++] = rows[b++];
	for (uint32_t j = 0; j < count; j++)
		rows[j] = spare[j];
}

/* Appends the children of ROW; returns the new count. */
static uint32_t append_children(const struct fs_tree *t, uint32_t row, uint32_t *rows,
				uint32_t count)
{
	uint32_t f = t->own_family[row];

	if (f == ROW_NONE)
		return count;
	for (uint32_t j = t->family_first[f]; j < t->family_first[f + 1]; j++)
		rows[count++] = t->members[j];
	return count;
}

static uint32_t children_of(const struct fs_tree *t, uint32_t row)
{
	uint32_t f = t->own_family[row];

	return f == ROW_NONE ? 0 : t->family_first[f + 1] - t->family_first[f];
}

static void rank_list(struct ranking *x, uint32_t *rows, uint32_t count, bool account_tied);

/* Ranks the children of the accounts rows[0 .. count), merged into one list. */
static void rank_accounts(struct ranking *x, const uint32_t *rows, uint32_t count, bool tied)
{
	uint32_t children = 0, filled = 0, *list;

	for (uint32_t j = 0; j < count; j++)
		children += children_of(x->r->tree, rows[j]);
	list = mem_alloc(children, sizeof(uint32_t));
	for (uint32_t j = 0; j < count; j++)
		filled = append_children(x->r->tree, rows[j], list, filled);
	rank_list(x, list, filled, tied);
	mem_free(list);
}

static void rank_list(struct ranking *x, uint32_t *rows, uint32_t count, bool account_tied)
{
	struct reference *r = x->r;
	uint32_t *spare = mem_alloc(count, sizeof(uint32_t));
	long double previous = NOT_COMPUTED;

	sort_rows(r, rows, spare, count);
	mem_free(spare);
	for (uint32_t j = 0; j < count; j++) {
		uint32_t i = rows[j], together = 1;
		bool tied = account_tied || previous == r->level_fs[i];

		account_tied = false;
		previous = r->level_fs[i];
		if (r->tree->is_user[i]) {
			if (!tied)
				x->rank = x->next;
			x->next--;
			r->tree_rank[i] = x->rank;
			r->fairshare[i] = x->rank / (double)r->tree->users;
			continue;
		}
		while (r->algorithm == FS_FAIR_TREE_DOCUMENTED && j + together < count &&
		       !r->tree->is_user[rows[j + together]] &&
		       r->level_fs[rows[j + together]] == r->level_fs[i])
			together++;
		rank_accounts(x, rows + j, together, tied);
		j += together - 1;
	}
}

static void settle_fair_tree(struct reference *r)
{
	struct ranking x = { r, r->tree->users, r->tree->users };

	for (uint32_t i = 1; i < r->tree->n; i++) {
		set_usage(r, i);
		set_level(r, i);
	}
	rank_accounts(&x, &(uint32_t){ 0 }, 1, false);
}

void reference_settle(struct reference *r)
{
	if (r->algorithm == FS_FAIR_TREE || r->algorithm == FS_FAIR_TREE_DOCUMENTED) {
		settle_fair_tree(r);
		return;
	}
	for (uint32_t i = 1; i < r->tree->n; i++)
		set_usage(r, i);
	reference_pass(r);
}
