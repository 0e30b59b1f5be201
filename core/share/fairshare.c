/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registry of algorithms, and their results. usage.c has what the algorithms share. */
#include "core/share/fairshare.h"
#include "core/share/fairshare_private.h"

#include <assert.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/table/order.h"

const struct fs_algo *const fs_algos[FS_ALGORITHMS] = {
	[FS_DEPTH_OBLIVIOUS] = &fs_depth_oblivious,
	[FS_CLASSIC] = &fs_classic,
	[FS_FAIR_TREE] = &fs_fair_tree,
	[FS_FAIR_TREE_DOCUMENTED] = &fs_fair_tree_documented,
	[FS_PBS] = &fs_pbs,
	[FS_LSF] = &fs_lsf,
};

const struct fs_algo *fs_algo_by_name(const char *name)
{
	for (size_t i = 0; i < FS_ALGORITHMS; i++) {
		if (strcmp(fs_algos[i]->name, name) == 0)
			return fs_algos[i];
	}
	return NULL;
}

const char *fs_order_name(enum fs_order order)
{
	return order == FS_ORDER_LFT ? "lft" : "list";
}

/* Counts the rows, without the root, for which the base has a number. */
static uint32_t base_rows(const struct cluster *c, enum fs_base base)
{
	const double *values = cluster_col_f64(c, base == FS_BASE_USAGE ? F_ASSOC_USAGE :
							  F_ASSOC_R_NORM_USAGE);
	uint32_t n = cluster_rows(c, TABLE_ASSOC), known = 0;

	if (!values)
		return 0;
	if (base == FS_BASE_USAGE && n > 0 && !f64_known(values[0]))
		return 0;
	for (uint32_t i = 1; i < n; i++)
		known += base == FS_BASE_USAGE ? f64_known(values[i]) : fs_is_reported(values[i]);
	return known;
}

/* LSF does not normalise usage: there is only one base. */
static bool fairshare_is_lsf(const struct cluster *c)
{
	return policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF;
}

bool fs_base_available(const struct cluster *c, enum fs_base base)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	return n < 2 || fairshare_is_lsf(c) || base_rows(c, base) > 0;
}

bool fs_base_complete(const struct cluster *c, enum fs_base base)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	return n < 2 || fairshare_is_lsf(c) || base_rows(c, base) == n - 1;
}

/* ---- results ------------------------------------------------------------------------------- */

struct fs_result *fs_result_new(const struct fs_algo *algo, const struct fs_tree *tree)
{
	struct fs_result *r = mem_zalloc(1, sizeof(*r));
	size_t doubles = 0, ranks = 0, n = tree->n;
	double *next;
	uint32_t *next_rank;

	for (size_t i = 0; i < algo->quantity_count; i++)
		*(algo->quantities[i].is_rank ? &ranks : &doubles) += 1;
	r->algorithm = algo->id;
	r->n = tree->n;
	r->order = tree->order;
	r->memory = mem_alloc(n, doubles * sizeof(double) + ranks * sizeof(uint32_t) + 1);
	next = r->memory;
	next_rank = (uint32_t *)(void *)(next + n * doubles);
	r->branch = (uint8_t *)(next_rank + n * ranks);
	for (size_t i = 0; i < algo->quantity_count; i++) {
		void *slot = (char *)r + algo->quantities[i].offset;

		if (algo->quantities[i].is_rank) {
			*(uint32_t **)slot = next_rank;
			next_rank += n;
		} else {
			*(double **)slot = next;
			next += n;
		}
	}
	return r;
}

/* Slurmctld's values for rows in no family; outside Fair Tree sshare shows F 1. */
static void set_detached(const struct fs_tree *t, struct fs_result *r)
{
	for (uint32_t i = 0; t->detached && i < r->n; i++) {
		if (!t->detached[i])
			continue;
		r->norm_usage[i] = F64_UNKNOWN;
		r->effective_usage[i] = 0;
		r->branch[i] = FS_BRANCH_ORPHAN;
		r->fairshare[i] = t->is_user[i] ? 0 : F64_UNKNOWN;
		if (r->level_fs) {
			r->level_fs[i] = 0;
			r->tree_rank[i] = t->is_user[i] ? 0 : U32_UNKNOWN;
		} else {
			r->effective_ratio[i] = F64_UNKNOWN;
		}
	}
}

static void fairshare_begin(const struct fs_algo *algo, const struct fs_input *in,
			    struct fs_result *r)
{
	assert(r->algorithm == algo->id && r->n == in->tree->n);
	r->base = in->base;
	r->order = in->tree->order;
	r->damping = in->damping;
	mem_free(r->reported);
	r->reported = NULL;
}

void fs_compute(const struct fs_algo *algo, const struct fs_input *in, struct fs_result *r)
{
	fairshare_begin(algo, in, r);
	if (r->n > 0)
		algo->run(in, r);
	set_detached(in->tree, r);
}

/* Returns ROW and its fair-share parents, from below the root on. */
static uint32_t *path_to(const struct fs_tree *t, uint32_t row, uint32_t *count)
{
	uint32_t *path;

	*count = 0;
	for (uint32_t i = row; i != 0; i = t->fs_parent[i])
		++*count;
	path = mem_alloc(*count, sizeof(*path));
	for (uint32_t i = row, at = *count; i != 0; i = t->fs_parent[i])
		path[--at] = i;
	return path;
}

bool fs_compute_row(const struct fs_algo *algo, const struct fs_input *in, uint32_t row,
		    struct fs_result *r)
{
	uint32_t *path, count;
	bool reported;

	fairshare_begin(algo, in, r);
	if (!algo->run_path || r->n == 0 || row == 0 || in->tree->orphans > 0)
		return false;
	path = path_to(in->tree, row, &count);
	reported = algo->run_path(in, r, path, count);
	mem_free(path);
	return reported;
}

uint32_t *fs_near(const struct fs_tree *t, uint32_t row, uint32_t *count)
{
	uint32_t steps, *path = path_to(t, row, &steps), *near;

	*count = 1;
	for (uint32_t i = 0; i < steps; i++) {
		uint32_t f = t->family[path[i]];

		*count += t->family_first[f + 1] - t->family_first[f];
	}
	near = mem_alloc(*count, sizeof(*near));
	near[0] = 0;
	*count = 1;
	for (uint32_t i = 0; i < steps; i++) {
		uint32_t f = t->family[path[i]];

		for (uint32_t m = t->family_first[f]; m < t->family_first[f + 1]; m++)
			near[(*count)++] = t->members[m];
	}
	mem_free(path);
	return near;
}

/* Fair Tree numbers users from N down: the rank counts those with a higher number. */
static void rank_from_tree(const struct fs_tree *tree, struct fs_result *r)
{
	uint32_t *better = mem_zalloc((size_t)tree->users + 2, sizeof(uint32_t));

	for (uint32_t i = 0; i < r->n; i++) {
		if (r->tree_rank[i] != U32_UNKNOWN)
			better[r->tree_rank[i]]++;
	}
	for (uint32_t v = tree->users; v > 0; v--)
		better[v] += better[v + 1];
	for (uint32_t i = 0; i < r->n; i++) {
		uint32_t own = r->tree_rank[i];

		r->rank[i] = own == U32_UNKNOWN ? U32_UNKNOWN : better[own + 1] + 1;
	}
	mem_free(better);
}

/* A single unknown F may be the highest: then all ranks are unknown. */
static bool knows_factors(const struct fs_tree *tree, const struct fs_result *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		if (tree->is_user[i] && !f64_known(r->fairshare[i]))
			return false;
	}
	return !tree->excerpt;
}

static void rank_by_factor(const struct fs_tree *tree, struct fs_result *r)
{
	struct order_item *items = mem_alloc(tree->users, 2 * sizeof(*items));
	bool known = knows_factors(tree, r);
	uint32_t users = 0, rank = 1;

	for (uint32_t i = 0; i < r->n; i++) {
		r->rank[i] = U32_UNKNOWN;
		if (tree->is_user[i] && known)
			items[users++] = (struct order_item){ order_key(r->fairshare[i]), i, 0 };
	}
	order_sort(items, items + users, users);
	for (uint32_t i = 0; i < users; i++) {
		if (i > 0 && items[i].key != items[i - 1].key)
			rank = i + 1;
		r->rank[items[i].row] = rank;
	}
	mem_free(items);
}

void fs_rank(const struct fs_tree *tree, struct fs_result *r)
{
	if (r->n == 0)
		return;
	if (fs_algos[r->algorithm]->rank)
		fs_algos[r->algorithm]->rank(tree, r);
	else if (r->tree_rank)
		rank_from_tree(tree, r);
	else
		rank_by_factor(tree, r);
}

uint32_t fs_rank_of(const struct fs_tree *tree, struct fs_result *r, uint32_t row)
{
	uint32_t rank = 1;

	if (fs_algos[r->algorithm]->rank) {
		fs_rank(tree, r);
		return r->rank[row];
	}
	if (r->tree_rank ? r->tree_rank[row] == U32_UNKNOWN :
			   !tree->is_user[row] || !knows_factors(tree, r))
		return U32_UNKNOWN;
	for (uint32_t i = 0; i < r->n; i++)
		rank += r->tree_rank ? r->tree_rank[i] != U32_UNKNOWN &&
				       r->tree_rank[i] > r->tree_rank[row] :
				       tree->is_user[i] && r->fairshare[i] > r->fairshare[row];
	return rank;
}

struct fs_result *fs_run(const struct fs_algo *algo, const struct fs_input *in)
{
	struct fs_result *r = fs_result_new(algo, in->tree);

	fs_compute(algo, in, r);
	fs_rank(in->tree, r);
	return r;
}

void fs_result_free(struct fs_result *r)
{
	if (!r)
		return;
	MEM_FREE(r->reported, r->memory, r->work, r);
}
