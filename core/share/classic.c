/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classic fair share. Source: priority_multifactor.c; spec of fair share, 3.1.
 *
 *	E = U + (E(p) - U) * s / L	p the fair-share parent; E(p) if no sibling has shares
 *	F = 2^(-(E / S) / d)
 */
#include "core/share/fairshare_private.h"

#include <math.h>

/* Shares of row I as a part of family F's sum; 0 if that is 0. */
static double classic_level_part(const struct fs_tree *t, uint32_t i, uint32_t f)
{
	if (!t->family_known[f])
		return F64_UNKNOWN;
	return t->family_shares[f] == 0 ? 0 : (double)t->shares[i] / t->family_shares[f];
}

/* Computes E and R from S and U. Returns the ratio that determines F. */
static double run_usage(const struct fs_tree *t, struct fs_result *r, uint32_t i)
{
	uint32_t p = t->fs_parent[i], f = t->family[i];
	double u = r->norm_usage[i], s = r->norm_shares[i], above = r->effective_usage[p];
	double *e = &r->effective_usage[i];
	enum fs_branch branch;

	if (f == 0) {
		branch = FS_BRANCH_FIRST_LEVEL;
		*e = t->unplaced ? F64_UNKNOWN : u;
	} else if (t->shares[i] == SHARES_PARENT) {
		branch = FS_BRANCH_PARENT;
		*e = above;
	} else if (t->family_known[f] && t->family_shares[f] == 0) {
		branch = FS_BRANCH_NO_SHARES;
		*e = above;
	} else {
		branch = FS_BRANCH_FORMULA;
		*e = u + (above - u) * classic_level_part(t, i, f);
	}
	r->branch[i] = (uint8_t)(isnan(*e) ? FS_BRANCH_UNKNOWN : branch);
	r->effective_ratio[i] = s == 0 ? F64_UNKNOWN : *e / s;
	if (t->shares[i] == SHARES_PARENT)
		return r->effective_ratio[p];
	return r->effective_ratio[i];
}

/* U is already computed. */
static void classic_run_row(const struct fs_input *in, struct fs_result *r, uint32_t i)
{
	const struct fs_tree *t = in->tree;
	uint32_t p = t->fs_parent[i];
	double s = p == 0 && t->unplaced ? F64_UNKNOWN : r->norm_shares[p], ratio;

	if (t->shares[i] != SHARES_PARENT)
		s *= classic_level_part(t, i, t->family[i]);
	r->norm_shares[i] = s;
	r->usage_ratio[i] = s == 0 ? F64_UNKNOWN : r->norm_usage[i] / s;
	ratio = run_usage(t, r, i);
	r->fairshare[i] = isnan(s) ? F64_UNKNOWN : s == 0 ? 0 : fs_factor(ratio, in->damping);
}

static void classic_set_root(const struct fs_input *in, struct fs_result *r)
{
	r->norm_shares[0] = r->effective_usage[0] = r->effective_ratio[0] = 1;
	r->usage_ratio[0] = F64_UNKNOWN;
	r->fairshare[0] = fs_factor(1, in->damping);
	r->branch[0] = FS_BRANCH_ROOT;
}

/* If no parameter was read, the algorithm may be depth-oblivious, with other E and R. */
static void forget_usage(const struct fs_input *in, struct fs_result *r)
{
	for (uint32_t i = 1; i < in->tree->n; i++) {
		r->effective_ratio[i] = F64_UNKNOWN;
		r->effective_usage[i] = F64_UNKNOWN;
		r->branch[i] = FS_BRANCH_UNKNOWN;
	}
}

static void classic_run(const struct fs_input *in, struct fs_result *r)
{
	fs_norm_usage(in, r->norm_usage);
	classic_set_root(in, r);
	for (uint32_t i = 1; i < in->tree->n; i++)
		classic_run_row(in, r, i);
	if (!f64_known(in->damping))
		forget_usage(in, r);
}

static bool classic_run_path(const struct fs_input *in, struct fs_result *r, const uint32_t *path,
			     uint32_t count)
{
	fs_norm_usage_of(in, path, count, r->norm_usage);
	classic_set_root(in, r);
	for (uint32_t i = 0; i < count; i++)
		classic_run_row(in, r, path[i]);
	return true;
}

static const struct fs_quantity quantities[] = {
	FS_QUANTITY(norm_shares, "S", "normalised shares: the part promised"),
	FS_QUANTITY(norm_usage, "U", "normalised usage: fraction of all usage"),
	FS_QUANTITY(effective_usage, "E", "effective usage: own usage and a part of the parent's"),
	FS_QUANTITY(usage_ratio, "r", "usage ratio U / S, ignoring the levels above"),
	FS_QUANTITY(effective_ratio, "R", "effective usage ratio: 1 = fair, above = over-served"),
	FS_QUANTITY(fairshare, "F", "fair-share factor 2^(-R/d): 1 unused, 0.5 fair share"),
	FS_RANK(rank, "rank", "Rank", "1 is served first among user associations"),
};

const struct fs_algo fs_classic = {
	.id = FS_CLASSIC,
	.name = "classic",
	.title = "classic",
	.meaning = "own usage plus, by share in the account, a part of the account's usage",
	.quantities = quantities,
	.quantity_count = sizeof(quantities) / sizeof(quantities[0]),
	.run = classic_run,
	.run_path = classic_run_path,
	.explain = fs_explain_classic,
};
