/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Depth-oblivious fair share. Source: priority_multifactor.c, _calc_assoc_fairshare and below; spec
 * of fair share, 3.2.
 *
 *	R_p = E(p) / S(p)		effective usage ratio of the fair-share parent p
 *	r_l = (U / S) / (sum U / S(p))	local usage ratio; the sum is over the siblings that are
 *					not fairshare=parent
 *	k   = 1 if ln R_p * ln r_l >= 0, else 1 / (1 + (5 ln R_p)^2)
 *	R   = R_p * r_l^k		and E = R * S
 *
 * ln R is carried down the tree instead of R, so that a row costs one logarithm and one
 * exponential. Only accounts hand something down: they are computed first, level by level, in an
 * array of their own; then all rows at once in blocks that stay in the cache.
 */
#include "core/share/fairshare_private.h"

#include <math.h>
#include <string.h>

#include "core/share/depth_oblivious_kernel.h"
#include "core/base/mem.h"

/* By family: of the account it belongs to. */
struct work {
	struct do_family *families;
	double *sum;			/* of the members' U, before division */
	double *source, *shares_norm, *effective, *ratio, *log_ratio;
	uint32_t *shares, *family;
};

static struct work *work_of(const struct fs_tree *t, struct fs_result *r)
{
	size_t n = t->families;
	struct work *w = r->work;
	double *next;

	if (w)
		return w;
	w = r->work = mem_alloc(1, sizeof(*w) + n * (sizeof(struct do_family) + 6 * sizeof(double) +
						     2 * sizeof(uint32_t)));
	w->families = (struct do_family *)(w + 1);
	next = (double *)(void *)(w->families + n);
	w->sum = next;
	w->source = next + n;
	w->shares_norm = next + 2 * n;
	w->effective = next + 3 * n;
	w->ratio = next + 4 * n;
	w->log_ratio = next + 5 * n;
	w->shares = (uint32_t *)(void *)(next + 6 * n);
	w->family = w->shares + n;
	return w;
}

/* The siblings' sums, and what is known of the accounts themselves. */
static void gather(const struct fs_tree *t, const double *source, const struct do_usage *usage,
		   struct work *w)
{
	const uint32_t *family = t->family, *shares = t->shares;
	double limit = usage->limit * usage->whole, above = usage->above * usage->whole;
	double *sum = w->sum;

	for (uint32_t f = 0; f < t->families; f++)
		sum[f] = 0;
	for (uint32_t i = 1; i < t->n; i++) {
		double own = source[i] > limit ? above : source[i];

		sum[family[i]] += shares[i] == SHARES_PARENT ? 0 : own;
	}
	for (uint32_t f = 0; f < t->families; f++) {
		uint32_t row = t->family_row[f];

		sum[f] /= usage->whole;
		w->source[f] = source[row];
		w->shares[f] = shares[row];
		w->family[f] = family[row];
	}
}

/* The record of family F, from its account's S, E and ln R. */
static void hand_down(const struct fs_tree *t, struct work *w, uint32_t f)
{
	struct do_family *d = &w->families[f];
	double s = w->shares_norm[f], l = w->log_ratio[f];

	if (!t->family_known[f])
		d->shares_scale = F64_UNKNOWN;
	else
		d->shares_scale = t->family_shares[f] == 0 ? 0 : s / t->family_shares[f];
	d->sum_scale = f == 0 || s == 0 || w->effective[f] == 0 ? 0 : s / w->sum[f];
	d->log_ratio = l;
	d->against = 1 / (1 + 25 * l * l);
}

static void run_accounts(const struct fs_tree *t, const struct do_usage *usage, struct work *w)
{
	const struct do_kernel *kernel = do_kernel_best();

	w->shares_norm[0] = w->effective[0] = w->ratio[0] = 1;
	w->log_ratio[0] = 0;
	hand_down(t, w, 0);
	for (uint32_t l = 1; l < t->levels; l++) {
		uint32_t from = t->level_first[l], end = t->level_first[l + 1];

		for (uint32_t f = from; f < end; f += DO_BLOCK) {
			kernel->accounts(&(struct do_rows){
				.count = end - f < DO_BLOCK ? end - f : DO_BLOCK,
				.source = w->source + f, .shares = w->shares + f,
				.family = w->family + f, .norm_shares = w->shares_norm + f,
				.effective_usage = w->effective + f,
				.effective_ratio = w->ratio + f, .log_ratio = w->log_ratio + f,
			}, w->families, usage);
		}
		for (uint32_t f = from; f < end; f++)
			hand_down(t, w, f);
	}
}

static void set_root(const struct fs_input *in, struct fs_result *r)
{
	r->norm_shares[0] = r->effective_usage[0] = r->effective_ratio[0] = 1;
	r->norm_usage[0] = r->usage_ratio[0] = r->local_ratio[0] = r->k[0] = F64_UNKNOWN;
	r->fairshare[0] = fs_factor(1, in->damping);
	r->branch[0] = FS_BRANCH_ROOT;
}

/*
 * A row with fairshare=parent has the values of its fair-share parent; but E right under the root
 * is U.
 */
static void set_parent_row(const struct fs_tree *t, struct fs_result *r, uint32_t i)
{
	uint32_t p = t->fs_parent[i];
	double s = r->norm_shares[p], u = r->norm_usage[i];

	r->norm_shares[i] = s;
	r->usage_ratio[i] = s == 0 ? F64_UNKNOWN : u / s;
	r->local_ratio[i] = r->k[i] = F64_UNKNOWN;
	r->fairshare[i] = r->fairshare[p];
	if (p == 0) {
		r->effective_usage[i] = u;
		r->effective_ratio[i] = r->usage_ratio[i];
		r->branch[i] = FS_BRANCH_FIRST_LEVEL;
	} else {
		r->effective_usage[i] = r->effective_usage[p];
		r->effective_ratio[i] = r->effective_ratio[p];
		r->branch[i] = FS_BRANCH_PARENT;
	}
	if (isnan(r->effective_usage[i] + s))
		r->branch[i] = FS_BRANCH_UNKNOWN;
}

static void run_rows(const struct fs_input *in, const double *source, const struct do_usage *usage,
		     const struct work *w, struct fs_result *r)
{
	const struct do_kernel *kernel = do_kernel_best();
	const struct fs_tree *t = in->tree;
	uint32_t parents = 0;

	for (uint32_t i = 0; i < t->n; i += DO_BLOCK) {
		kernel->rows(&(struct do_rows){
			.count = t->n - i < DO_BLOCK ? t->n - i : DO_BLOCK, .source = source + i,
			.shares = t->shares + i, .family = t->family + i,
			.norm_shares = r->norm_shares + i, .norm_usage = r->norm_usage + i,
			.effective_usage = r->effective_usage + i,
			.usage_ratio = r->usage_ratio + i, .local_ratio = r->local_ratio + i,
			.k = r->k + i,
			.effective_ratio = r->effective_ratio + i, .fairshare = r->fairshare + i,
			.branch = r->branch + i,
		}, w->families, usage, in->damping);
		if (i == 0)
			set_root(in, r);
		/*
		 * While the block is in the cache. A fair-share parent stands before its members.
		 */
		for (; parents < t->parents && t->parent_rows[parents] - i < DO_BLOCK; parents++)
			set_parent_row(t, r, t->parent_rows[parents]);
	}
}

static void run(const struct fs_input *in, struct fs_result *r)
{
	const struct fs_tree *t = in->tree;
	struct work *w = work_of(t, r);
	struct do_usage usage;
	const double *source = fs_usage_source(in, &usage.whole, &usage.limit, &usage.above);

	/* Unknown throughout: any array of NaN will do, and the one to be filled is at hand. */
	if (!source) {
		for (uint32_t i = 0; i < t->n; i++)
			r->norm_usage[i] = F64_UNKNOWN;
		source = r->norm_usage;
	}
	gather(t, source, &usage, w);
	run_accounts(t, &usage, w);
	run_rows(in, source, &usage, w, r);
}

static const struct fs_quantity quantities[] = {
	FS_QUANTITY(norm_shares, "S", "normalised shares: the part that is deserved"),
	FS_QUANTITY(norm_usage, "U", "normalised usage: the part of all usage"),
	FS_QUANTITY(effective_usage, "E", "effective usage, R * S"),
	FS_QUANTITY(usage_ratio, "r", "usage ratio U / S, the levels above left out of account"),
	FS_QUANTITY(local_ratio, "r_l", "local usage ratio: against the siblings only"),
	FS_QUANTITY(k, "k", "how much of r_l counts: less than 1 where it goes against the parent"),
	FS_QUANTITY(effective_ratio, "R", "effective usage ratio: 1 is fair share, more is over"),
	FS_QUANTITY(fairshare, "F", "fair-share factor 2^(-R/d): 1 unused, 0.5 fair share"),
	FS_RANK(rank, "rank", "Rank", "1 is served first among user associations"),
};

const struct fs_algo fs_depth_oblivious = {
	.id = FS_DEPTH_OBLIVIOUS,
	.name = "depth-oblivious",
	.title = "depth-oblivious",
	.meaning = "each level corrects the one above, and less where it goes against it",
	.quantities = quantities,
	.quantity_count = sizeof(quantities) / sizeof(quantities[0]),
	.run = run,
	.explain = fs_explain_depth_oblivious,
};
