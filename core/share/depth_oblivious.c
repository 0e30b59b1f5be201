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
 * ln R is passed down the tree, so that a row costs one logarithm and one exponential, and one more
 * for F. Only accounts pass values down, so they are computed first, from the root down.
 */
#include "core/share/fairshare_private.h"

#include <math.h>

#include "core/base/mem.h"

/* Values that the members of a family get from their account p. */
struct depth_family {
	double shares;			/* S(p) / L: S of a member is its shares times this */
	double usage;			/* S(p) / sum U: r_l is r times this; 0: no formula */
	double log_ratio;		/* ln R(p) */
	double against;			/* k of members on the other side of 1 than R(p) */
};

/* Result of a row. Without the formula E = U and R = r; r_l, k and ln R are unknown. */
struct depth_row {
	double s, e, r, local, k, log_ratio, ratio;
	bool formula;
};

/* A logarithm this close to 0 is a rounding error: the ratio is 1, and k is 1 by definition. */
#define ROUNDING 1e-15

/* 2^-1022 is the smallest number with full precision; a smaller F is 0. */
#define LEAST_EXPONENT (-1022.0)

static inline struct depth_row depth_row_of(const struct depth_family *f, uint32_t shares, double u)
{
	struct depth_row x = { .s = (double)shares * f->shares, .e = u, .local = F64_UNKNOWN,
			 .k = F64_UNKNOWN, .log_ratio = F64_UNKNOWN };
	double l;

	x.r = x.ratio = x.s == 0 ? F64_UNKNOWN : u / x.s;
	x.formula = u != 0 && x.s != 0 && f->usage != 0;
	if (!x.formula)
		return x;
	x.local = x.r * f->usage;
	l = log(x.local);
	if (!isnan(l))
		x.k = f->log_ratio * l >= 0 || fabs(l) < ROUNDING ? 1 : f->against;
	x.log_ratio = f->log_ratio + x.k * l;
	x.ratio = exp(x.log_ratio);
	x.e = x.ratio * x.s;
	return x;
}

static struct depth_family family_of(const struct fs_tree *t, uint32_t f, double sum,
				     const struct depth_row *p)
{
	double l = p->formula ? p->log_ratio : log(p->ratio);

	return (struct depth_family){
		.shares = !t->family_known[f] ? F64_UNKNOWN :
			  t->family_shares[f] == 0 ? 0 : p->s / t->family_shares[f],
		.usage = f == 0 && t->unplaced ? F64_UNKNOWN :
			 f == 0 || p->s == 0 || p->e == 0 ? 0 : p->s / sum,
		.log_ratio = l,
		.against = 1 / (1 + 25 * l * l),
	};
}

/* sum U of each family */
static double *depth_sums_new(const struct fs_tree *t, const double *usage)
{
	double *sum = mem_zalloc(t->families, sizeof(*sum));

	for (uint32_t i = 1; i < t->n; i++)
		sum[t->family[i]] += t->shares[i] == SHARES_PARENT ? 0 : usage[i];
	return sum;
}

static const struct depth_row root = { .s = 1, .e = 1, .ratio = 1 };

static struct depth_family *families_new(const struct fs_tree *t, const double *usage)
{
	struct depth_family *families = mem_alloc(t->families, sizeof(*families));
	double *sum = depth_sums_new(t, usage);

	families[0] = family_of(t, 0, sum[0], &root);
	/* Orphans first: the loop below needs the values they pass down. */
	for (uint32_t f = t->families - t->orphans; f < t->families; f++)
		families[f] = family_of(t, f, sum[f], &root);
	for (uint32_t f = 1; f < t->families - t->orphans; f++) {
		uint32_t i = t->family_row[f];
		struct depth_row p = depth_row_of(&families[t->family[i]], t->shares[i], usage[i]);

		families[f] = family_of(t, f, sum[f], &p);
	}
	mem_free(sum);
	return families;
}

static void depth_run_row(const struct fs_tree *t, const struct depth_family *family,
			  double damping, struct fs_result *r, uint32_t i)
{
	const struct depth_row x = depth_row_of(family, t->shares[i], r->norm_usage[i]);
	double exponent = -x.ratio / damping;

	r->norm_shares[i] = x.s;
	r->effective_usage[i] = x.e;
	r->usage_ratio[i] = x.r;
	r->local_ratio[i] = x.local;
	r->k[i] = x.k;
	r->effective_ratio[i] = x.ratio;
	r->fairshare[i] = x.s == 0 || exponent < LEAST_EXPONENT ? 0 : exp2(exponent);
	if (isnan(x.e))
		r->branch[i] = FS_BRANCH_UNKNOWN;
	else if (x.formula)
		r->branch[i] = FS_BRANCH_FORMULA;
	else
		r->branch[i] = t->family[i] == 0 ? FS_BRANCH_FIRST_LEVEL : FS_BRANCH_ZERO;
}

static void depth_set_root(const struct fs_input *in, struct fs_result *r)
{
	r->norm_shares[0] = r->effective_usage[0] = r->effective_ratio[0] = 1;
	r->norm_usage[0] = r->usage_ratio[0] = r->local_ratio[0] = r->k[0] = F64_UNKNOWN;
	r->fairshare[0] = fs_factor(1, in->damping);
	r->branch[0] = FS_BRANCH_ROOT;
}

/*
 * A row with fairshare=parent has the values of its fair-share parent, but directly under the root
 * E is U.
 */
static void set_parent_row(const struct fs_tree *t, struct fs_result *r, uint32_t i)
{
	uint32_t p = t->fs_parent[i];
	double s = r->norm_shares[p], u = r->norm_usage[i];

	if (p == 0 && t->unplaced)
		s = u = F64_UNKNOWN;
	r->norm_shares[i] = s;
	r->usage_ratio[i] = s == 0 ? F64_UNKNOWN : u / s;
	r->local_ratio[i] = r->k[i] = F64_UNKNOWN;
	r->fairshare[i] = isnan(s) ? F64_UNKNOWN : r->fairshare[p];
	if (p == 0) {
		r->effective_usage[i] = u;
		r->effective_ratio[i] = r->usage_ratio[i];
		r->branch[i] = FS_BRANCH_FIRST_LEVEL;
	} else {
		r->effective_usage[i] = r->effective_usage[p];
		r->effective_ratio[i] = r->effective_ratio[p];
		r->branch[i] = FS_BRANCH_PARENT;
	}
	if (isnan(r->effective_usage[i]))
		r->branch[i] = FS_BRANCH_UNKNOWN;
}

static void depth_run(const struct fs_input *in, struct fs_result *r)
{
	const struct fs_tree *t = in->tree;
	struct depth_family *families;

	fs_norm_usage(in, r->norm_usage);
	families = families_new(t, r->norm_usage);
	for (uint32_t i = 1; i < t->n; i++)
		depth_run_row(t, &families[t->family[i]], in->damping, r, i);
	depth_set_root(in, r);
	/* A fair-share parent comes before its members. */
	for (uint32_t i = 0; i < t->parents; i++)
		set_parent_row(t, r, t->parent_rows[i]);
	mem_free(families);
}

/* Same sums as depth_sums_new(), to the last bit, if siblings are in the order of their rows. */
static bool depth_run_path(const struct fs_input *in, struct fs_result *r, const uint32_t *path,
			   uint32_t count)
{
	const struct fs_tree *t = in->tree;
	struct depth_row above = root;

	if (t->order != FS_ORDER_LIST)
		return false;
	depth_set_root(in, r);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t f = t->family[path[i]], end = t->family_first[f + 1];
		const uint32_t *members = t->members + t->family_first[f];
		struct depth_family family;
		double sum = 0;

		fs_norm_usage_of(in, members, end - t->family_first[f], r->norm_usage);
		for (uint32_t m = t->family_first[f]; m < end; m++)
			sum += t->shares[t->members[m]] == SHARES_PARENT ? 0 :
			       r->norm_usage[t->members[m]];
		family = family_of(t, f, sum, &above);
		depth_run_row(t, &family, in->damping, r, path[i]);
		above = depth_row_of(&family, t->shares[path[i]], r->norm_usage[path[i]]);
	}
	if (t->shares[path[count - 1]] == SHARES_PARENT)
		set_parent_row(t, r, path[count - 1]);
	return true;
}

static const struct fs_quantity quantities[] = {
	FS_QUANTITY(norm_shares, "S", "normalised shares: the part promised"),
	FS_QUANTITY(norm_usage, "U", "normalised usage: fraction of all usage"),
	FS_QUANTITY(effective_usage, "E", "effective usage, R * S"),
	FS_QUANTITY(usage_ratio, "r", "usage ratio U / S, ignoring the levels above"),
	FS_QUANTITY(local_ratio, "r_l", "local usage ratio: against the siblings only"),
	FS_QUANTITY(k, "k", "how much of r_l counts: less than 1 if it opposes the parent"),
	FS_QUANTITY(effective_ratio, "R", "effective usage ratio: 1 = fair, above = over-served"),
	FS_QUANTITY(fairshare, "F", "fair-share factor 2^(-R/d): 1 unused, 0.5 fair share"),
	FS_RANK(rank, "rank", "Rank", "1 is served first among user associations"),
};

const struct fs_algo fs_depth_oblivious = {
	.id = FS_DEPTH_OBLIVIOUS,
	.name = "depth-oblivious",
	.title = "depth-oblivious",
	.meaning = "each level corrects the one above, less if it opposes it",
	.quantities = quantities,
	.quantity_count = sizeof(quantities) / sizeof(quantities[0]),
	.run = depth_run,
	.run_path = depth_run_path,
	.explain = fs_explain_depth_oblivious,
};
