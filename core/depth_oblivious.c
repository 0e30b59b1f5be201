/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Depth-oblivious fair share. Source: priority_multifactor.c, _calc_assoc_fairshare and below; spec of fair share, 3.2.
 *
 *	R_p = E(p) / S(p)		effective usage ratio of the fair-share parent p
 *	r_l = (U / S) / (sum U / S(p))	local usage ratio; the sum is over the siblings that are not fairshare=parent
 *	k   = 1 if ln R_p * ln r_l >= 0, else 1 / (1 + (5 ln R_p)^2)
 *	R   = R_p * r_l^k		and E = R * S
 *
 * ln R is carried down the tree instead of R, so that a row costs one logarithm and one exponential. Only accounts hand
 * something down: they are computed first, level by level, in an array of their own; then all rows at once in blocks that
 * stay in the cache.
 */
#include "core/fairshare_private.h"

#include <math.h>
#include <string.h>

#include "core/depth_oblivious_kernel.h"
#include "core/mem.h"

#define BLOCK 512u

/* One number per family and quantity: of the account the family belongs to. */
struct work {
	struct do_family *families;
	double *sum;			/* of the members' U */
	double *usage, *shares_norm, *effective, *ratio, *log_ratio;
	uint32_t *shares, *family;
};

static struct work *work_of(const struct fs_tree *t, struct fs_result *r)
{
	size_t n = t->families;
	struct work *w = r->work;
	double *next;

	if (w)
		return w;
	w = r->work = mem_alloc(1, sizeof(*w) + 64 + n * (sizeof(struct do_family) +
				6 * sizeof(double) + 2 * sizeof(uint32_t)));
	w->families = (struct do_family *)(((uintptr_t)(w + 1) + 63) & ~(uintptr_t)63);
	next = (double *)(w->families + n);
	w->sum = next;
	w->usage = next + n;
	w->shares_norm = next + 2 * n;
	w->effective = next + 3 * n;
	w->ratio = next + 4 * n;
	w->log_ratio = next + 5 * n;
	w->shares = (uint32_t *)(next + 6 * n);
	w->family = w->shares + n;
	return w;
}

/* The sums of the siblings' usage, and what is known of the accounts themselves. */
static void gather(const struct fs_tree *t, const double *usage, struct work *w)
{
	for (uint32_t f = 0; f < t->families; f++) {
		uint32_t row = t->family_row[f];
		double sum = 0;

		for (uint32_t j = t->family_first[f]; j < t->family_first[f + 1]; j++) {
			uint32_t i = t->members[j];

			sum += t->shares[i] == SHARES_PARENT ? 0 : usage[i];
		}
		w->sum[f] = sum;
		w->usage[f] = usage[row];
		w->shares[f] = t->shares[row];
		w->family[f] = t->family[row];
	}
}

/* The record of family F, from its account's S, E, R and ln R. */
static void hand_down(const struct fs_tree *t, struct work *w, uint32_t f)
{
	struct do_family *d = &w->families[f];
	double s = w->shares_norm[f], e = w->effective[f], l = w->log_ratio[f];
	double level = t->family_shares[f];

	if (!t->family_known[f])
		d->shares_scale = F64_UNKNOWN;
	else
		d->shares_scale = t->family_shares[f] == 0 ? 0 : s / level;
	d->shares = s;
	d->sum_scale = s / w->sum[f];
	d->log_ratio = l;
	d->against = 1 / (1 + 25 * l * l);
	d->applies = f == 0 ? -1 : !(s == 0 || e == 0);
	d->ratio = w->ratio[f];
	d->effective = e;
}

static void run_accounts(const struct fs_tree *t, struct work *w)
{
	w->shares_norm[0] = w->effective[0] = w->ratio[0] = 1;
	w->log_ratio[0] = 0;
	hand_down(t, w, 0);
	for (uint32_t l = 1; l < t->levels; l++) {
		uint32_t from = t->level_first[l];

		do_kernel_accounts(&(struct do_rows){
			.count = t->level_first[l + 1] - from,
			.norm_usage = w->usage + from, .shares = w->shares + from,
			.family = w->family + from, .norm_shares = w->shares_norm + from,
			.effective_usage = w->effective + from, .effective_ratio = w->ratio + from,
			.log_ratio = w->log_ratio + from,
		}, w->families);
		for (uint32_t f = from; f < t->level_first[l + 1]; f++)
			hand_down(t, w, f);
	}
}

static void run(const struct fs_input *in, struct fs_result *r)
{
	const struct fs_tree *t = in->tree;
	struct work *w = work_of(t, r);

	fs_norm_usage(in, r->norm_usage);
	gather(t, r->norm_usage, w);
	run_accounts(t, w);
	for (uint32_t from = 0; from < t->n; from += BLOCK) {
		do_kernel_rows(&(struct do_rows){
			.count = t->n - from < BLOCK ? t->n - from : BLOCK,
			.norm_usage = r->norm_usage + from, .shares = t->shares + from,
			.family = t->family + from, .norm_shares = r->norm_shares + from,
			.effective_usage = r->effective_usage + from,
			.usage_ratio = r->usage_ratio + from, .local_ratio = r->local_ratio + from,
			.k = r->k + from, .effective_ratio = r->effective_ratio + from,
			.fairshare = r->fairshare + from, .branch = r->branch + from,
		}, w->families, in->damping);
	}
	r->norm_shares[0] = r->effective_usage[0] = r->effective_ratio[0] = 1;
	r->usage_ratio[0] = r->local_ratio[0] = r->k[0] = F64_UNKNOWN;
	r->fairshare[0] = fs_factor(1, in->damping);
	r->branch[0] = FS_BRANCH_ROOT;
}

static const struct fs_quantity quantities[] = {
	FS_QUANTITY(norm_shares, "S", "normalised shares: the part of the cluster that is deserved"),
	FS_QUANTITY(norm_usage, "U", "normalised usage: the part of all usage"),
	FS_QUANTITY(effective_usage, "E", "effective usage, R * S"),
	FS_QUANTITY(usage_ratio, "r", "usage ratio U / S, the levels above left out of account"),
	FS_QUANTITY(local_ratio, "r_l", "local usage ratio: against the siblings only"),
	FS_QUANTITY(k, "k", "how much of r_l counts: less than 1 where it goes against the parent"),
	FS_QUANTITY(effective_ratio, "R", "effective usage ratio: 1 is fair share, above is over-served"),
	FS_QUANTITY(fairshare, "F", "fair-share factor 2^(-R/d): 1 unused, 0.5 fair share, 0 far over"),
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
