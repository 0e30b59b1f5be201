/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/pbs_share.h"

#include <math.h>
#include <stdlib.h>

#include "core/share/fairshare_private.h"
#include "core/base/mem.h"
#include "core/base/value.h"

/* ---- shares ---------------------------------------------------------------------------------- */

/* Shares as PBS stores them: an int. */
static bool pbs_shares(const struct fs_input *in, uint32_t row, int32_t *shares)
{
	int64_t below_zero = cluster_i64(in->cluster, F_ASSOC_SIGNED_SHARES, row);
	uint32_t plain = in->tree->shares[row];

	if (below_zero != I64_UNKNOWN && below_zero >= INT32_MIN && below_zero <= INT32_MAX) {
		*shares = (int32_t)below_zero;
		return true;
	}
	*shares = plain <= INT32_MAX ? (int32_t)plain : INT32_MAX;
	return plain != U32_UNKNOWN && plain != SHARES_PARENT;
}

/* Does the row have the values of its fair-share parent? */
static bool pbs_share_is_parent(const struct fs_input *in, uint32_t row)
{
	return in->tree->shares[row] == SHARES_PARENT;
}

/* Sum of a family's shares, wrapping like an int; false if one is unknown. */
static bool family_sum(const struct fs_input *in, uint32_t family, int32_t *sum)
{
	const struct fs_tree *t = in->tree;
	uint32_t bits = 0;

	for (uint32_t j = t->family_first[family]; j < t->family_first[family + 1]; j++) {
		int32_t shares;

		if (pbs_share_is_parent(in, t->members[j]))
			continue;
		if (!pbs_shares(in, t->members[j], &shares))
			return false;
		bits += (uint32_t)shares;
	}
	*sum = bits > INT32_MAX ? (int32_t)(bits - (uint32_t)INT32_MAX - 1) + INT32_MIN
				: (int32_t)bits;
	return true;
}

/* Sum of the shares of ROW and its siblings, wrapping like an int. */
static bool pbs_level_shares(const struct fs_input *in, uint32_t row, int32_t *sum)
{
	return row != 0 && family_sum(in, in->tree->family[row], sum);
}

/* ---- percentages and factors ----------------------------------------------------------------- */

/* The sum of a family by which the scheduler divides; NaN if unknown. */
static double pbs_share_sum_of(const struct fs_input *in, uint32_t family)
{
	int32_t sum;

	return family_sum(in, family, &sum) ? sum : F64_UNKNOWN;
}

static double *all_sums(const struct fs_input *in)
{
	double *sums = mem_alloc(in->tree->families, sizeof(double));

	for (uint32_t f = 0; f < in->tree->families; f++)
		sums[f] = pbs_share_sum_of(in, f);
	return sums;
}

static void run_percentages(const struct fs_input *in, struct fs_result *r, uint32_t i, double sum)
{
	double *group = &r->own[PBS_OWN_GROUP_PERCENTAGE][i];
	double above = r->norm_shares[in->tree->fs_parent[i]];
	int32_t shares;

	if (pbs_share_is_parent(in, i)) {
		*group = 1;
		r->norm_shares[i] = above;
		return;
	}
	if (isnan(sum) || isnan(above) || !pbs_shares(in, i, &shares))
		*group = F64_UNKNOWN;
	else
		*group = sum == 0 || above == 0 ? 0 : (double)((float)shares / (float)sum);
	r->norm_shares[i] = isnan(*group) ? F64_UNKNOWN : (double)((float)*group * (float)above);
}

static void run_factors(const struct fs_input *in, struct fs_result *r, uint32_t i)
{
	const struct fs_tree *t = in->tree;
	float u = (float)r->norm_usage[i], s = (float)r->norm_shares[i];
	float group = (float)r->own[PBS_OWN_GROUP_PERCENTAGE][i];
	float above = (float)r->effective_usage[t->fs_parent[i]];
	enum fs_branch branch = FS_BRANCH_FORMULA;
	float e = u + (above - u) * group;

	if (pbs_share_is_parent(in, i)) {
		branch = FS_BRANCH_PARENT;
		e = above;
	} else if (t->family[i] == 0) {
		branch = FS_BRANCH_FIRST_LEVEL;
		e = u;
	}
	r->effective_usage[i] = (double)e;
	r->effective_ratio[i] = s == 0 ? F64_UNKNOWN : (double)(e / s);
	r->fairshare[i] = s == 0 ? 0 : exp2(-r->effective_ratio[i]);
	if (isnan(e) || isnan(s))
		branch = FS_BRANCH_UNKNOWN;
	else if (s == 0 && branch == FS_BRANCH_FORMULA)
		branch = FS_BRANCH_NO_SHARES;
	r->branch[i] = (uint8_t)branch;
}

static const double *pbs_share_usage_of(const struct fs_input *in, const struct fs_result *r)
{
	return in->base == FS_BASE_USAGE ? cluster_col_f64(in->cluster, F_ASSOC_USAGE) :
					   r->norm_usage;
}

static void pbs_share_set_root(const struct fs_input *in, struct fs_result *r)
{
	const double *usage = pbs_share_usage_of(in, r);

	r->norm_shares[0] = r->effective_usage[0] = r->effective_ratio[0] = 1;
	r->own[PBS_OWN_GROUP_PERCENTAGE][0] = 1;
	r->fairshare[0] = fs_factor(1, 1);
	r->branch[0] = FS_BRANCH_ROOT;
	r->own[PBS_OWN_USAGE_PERC][0] = in->base == FS_BASE_USAGE && usage ? usage[0] : F64_UNKNOWN;
}

static void pbs_share_run_row(const struct fs_input *in, struct fs_result *r, uint32_t i,
			      double sum)
{
	const double *usage = pbs_share_usage_of(in, r);

	run_percentages(in, r, i, sum);
	run_factors(in, r, i);
	/* pbsfs prints -1 for these; they come last. */
	r->own[PBS_OWN_USAGE_PERC][i] = r->norm_shares[i] <= 0 ? (double)INFINITY :
					(usage ? usage[i] : F64_UNKNOWN) / r->norm_shares[i];
}

static void pbs_share_run(const struct fs_input *in, struct fs_result *r)
{
	double *sums = all_sums(in);

	fs_norm_usage(in, r->norm_usage);
	pbs_share_set_root(in, r);
	for (uint32_t i = 1; i < in->tree->n; i++)
		pbs_share_run_row(in, r, i, sums[in->tree->family[i]]);
	mem_free(sums);
}

static bool pbs_share_run_path(const struct fs_input *in, struct fs_result *r, const uint32_t *path,
			       uint32_t count)
{
	fs_norm_usage_of(in, path, count, r->norm_usage);
	pbs_share_set_root(in, r);
	for (uint32_t i = 0; i < count; i++)
		pbs_share_run_row(in, r, path[i], pbs_share_sum_of(in, in->tree->family[path[i]]));
	return true;
}

/* ---- order ----------------------------------------------------------------------------------- */

static uint32_t steps_to_root(const struct fs_tree *t, uint32_t row)
{
	uint32_t steps = 0;

	for (; t->fs_parent[row] != ROW_NONE; row = t->fs_parent[row])
		steps++;
	return steps;
}

static uint32_t pbs_share_ancestor(const struct fs_tree *t, uint32_t row, uint32_t steps)
{
	while (steps-- > 0)
		row = t->fs_parent[row];
	return row;
}

/* Compares two values of one level: the smaller comes first. */
static int pbs_share_compare_values(double a, double b)
{
	return a < b ? -1 : a > b;
}

int pbs_compare_paths(const struct fs_tree *t, const struct fs_result *r, uint32_t a, uint32_t b,
		      uint32_t *x, uint32_t *y)
{
	const double *perc = r->own[PBS_OWN_USAGE_PERC];
	uint32_t depth_a = steps_to_root(t, a), depth_b = steps_to_root(t, b);
	uint32_t common = depth_a < depth_b ? depth_a : depth_b;

	*x = *y = 0;
	for (uint32_t level = 1; level <= common; level++) {
		uint32_t i = pbs_share_ancestor(t, a, depth_a - level),
			 j = pbs_share_ancestor(t, b, depth_b - level);
		int order;

		if (i == j)
			continue;
		*x = i;
		*y = j;
		order = pbs_share_compare_values(perc[i], perc[j]);
		if (order != 0 || isnan(perc[i]) || isnan(perc[j]))
			return order;
	}
	return 0;
}

/* An entity and the values along its path, from the top level down. */
struct path {
	const double *values;
	uint32_t count, row;
};

static int compare_entities(const void *left, const void *right)
{
	const struct path *a = left, *b = right;

	for (uint32_t i = 0; i < a->count && i < b->count; i++) {
		int order = pbs_share_compare_values(a->values[i], b->values[i]);

		if (order != 0)
			return order;
	}
	return 0;
}

static int compare_then_row(const void *left, const void *right)
{
	const struct path *a = left, *b = right;
	int order = compare_entities(left, right);

	return order != 0 ? order : a->row < b->row ? -1 : a->row > b->row;
}

/* Fills VALUES with the path of ROW; false if a value on it is unknown. */
static bool fill_path(const struct fs_tree *t, const double *perc, uint32_t row, double *values,
		      uint32_t count)
{
	bool known = true;

	for (; count > 0; row = t->fs_parent[row]) {
		values[--count] = perc[row];
		known = known && f64_known(perc[row]);
	}
	return known;
}

static void pbs_share_rank(const struct fs_tree *t, struct fs_result *r)
{
	const double *perc = r->own[PBS_OWN_USAGE_PERC];
	struct path *paths = mem_alloc(t->users, sizeof(*paths));
	size_t room = 0, used = 0;
	uint32_t count = 0, place = 1;
	double *values;

	for (uint32_t i = 0; i < t->n; i++)
		room += t->is_user[i] ? steps_to_root(t, i) : 0;
	values = mem_alloc(room, sizeof(double));
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t steps;

		r->rank[i] = U32_UNKNOWN;
		if (!t->is_user[i])
			continue;
		steps = steps_to_root(t, i);
		if (fill_path(t, perc, i, values + used, steps))
			paths[count++] = (struct path){ values + used, steps, i };
		used += steps;
	}
	qsort(paths, count, sizeof(*paths), compare_then_row);
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0 && compare_entities(&paths[i - 1], &paths[i]) != 0)
			place = i + 1;
		r->rank[paths[i].row] = place;
	}
	mem_free(values);
	mem_free(paths);
}

static const struct fs_quantity quantities[] = {
	{ "group_percentage", "Group", "group percentage: shares / sum of the siblings' shares",
	  offsetof(struct fs_result, own[PBS_OWN_GROUP_PERCENTAGE]), false },
	FS_QUANTITY(norm_shares, "S", "tree percentage: the promised part of the machine"),
	FS_QUANTITY(norm_usage, "U", "fraction of all usage"),
	FS_QUANTITY(effective_usage, "E",
		    "fairshare_tree_usage: own usage and a part of the group's"),
	FS_QUANTITY(effective_ratio, "R",
		    "fairshare_tree_usage / tree percentage: 1 is fair share"),
	{ "usage_perc", "Usage/S",
	  "usage / tree percentage: the smallest is served first, at the first level that differs",
	  offsetof(struct fs_result, own[PBS_OWN_USAGE_PERC]), false },
	FS_QUANTITY(fairshare, "F", "fairshare_factor 2^-R: 1 unused, 0.5 fair share, 0 far over"),
	FS_RANK(rank, "rank", "Rank",
		"1 is served first among entities, level by level along their paths"),
};

/* ---- the derivation, level by level from the root, with the numbers of the run --------------- */

struct pbs_share_place {
	const struct fs_input *in;
	const struct fs_result *r;
	struct explain *e;
	uint32_t row, parent;
	char name[128];
};

static void explain_percentages(struct pbs_share_place *p)
{
	const double *group = p->r->own[PBS_OWN_GROUP_PERCENTAGE], *s = p->r->norm_shares;
	int32_t shares = 0, sum = 0;
	bool known = pbs_shares(p->in, p->row, &shares);
	bool known_sum = pbs_level_shares(p->in, p->row, &sum);
	struct explain_step *step = explain_add(p->e, "shares", known ? shares : F64_UNKNOWN,
						"shares in resource_group");

	explain_note(step, "%s", p->name);
	explain_add(p->e, "L", known_sum ? sum : F64_UNKNOWN,
		    "sum of the siblings' shares, including the group \"unknown\"");
	step = explain_add(p->e, "Group", group[p->row], "shares / L");
	if (group[p->row] == 0 && shares != 0)
		explain_note(step, "0: %s", sum == 0 ? "no sibling has shares"
						      : "the group above has no percentage");
	else if (known && known_sum && sum != 0)
		explain_with(step, "%d / %d", shares, sum);
	else
		explain_note(step, "the shares of a sibling are unknown, or there are none");
	step = explain_add(p->e, "S", s[p->row], "Group * S_parent");
	explain_with(step, "%s * %s", explain_number(group[p->row]).s,
		     explain_number(s[p->parent]).s);
	if (s[p->row] == 0)
		explain_note(step,
			     "no percentage: jobs never run if fairshare_enforce_no_shares is set");
}

static void explain_usage(struct pbs_share_place *p)
{
	const struct cluster *c = p->in->cluster;
	struct explain_step *step = explain_add(p->e, "U", p->r->norm_usage[p->row], NULL);

	if (p->in->base == FS_BASE_REPORTED) {
		explain_formula(step, "as the scheduler reports it");
	} else {
		double own = cluster_f64(c, F_ASSOC_USAGE, p->row);
		double all = cluster_f64(c, F_ASSOC_USAGE, 0);

		explain_formula(step, "W / W_root");
		if (all == 0)
			explain_note(step, "there is no usage at all: every U is 0");
		else if (own > all)
			explain_note(step, "more than the root's: cut to 1");
		else
			explain_with(step, "%s / %s", explain_number(own).s, explain_number(all).s);
	}
}

static void pbs_share_explain_factor(struct pbs_share_place *p)
{
	const struct fs_result *r = p->r;
	double u = r->norm_usage[p->row];
	struct explain_step *step = explain_add(p->e, "E", r->effective_usage[p->row], NULL);

	if (p->in->tree->family[p->row] == 0) {
		explain_formula(step, "U");
		explain_with(step, "%s", explain_number(u).s);
		explain_note(step, "directly below the root it is the usage itself");
		return;
	}
	explain_formula(step, "U + (E_parent - U) * Group");
	explain_with(step, "%s + (%s - %s) * %s", explain_number(u).s,
		     explain_number(r->effective_usage[p->parent]).s, explain_number(u).s,
		     explain_number(r->own[PBS_OWN_GROUP_PERCENTAGE][p->row]).s);
	explain_note(step, "fairshare_tree_usage: own usage plus, by share, a part of the group's");
}

/* Explains the order of entities without a formula. */
static void explain_measure(struct pbs_share_place *p)
{
	double s = p->r->norm_shares[p->row];
	struct explain_step *step = explain_add(p->e, "Usage/S",
						p->r->own[PBS_OWN_USAGE_PERC][p->row], NULL);

	explain_formula(step, p->in->base == FS_BASE_USAGE ? "W / S" : "U / S");
	if (s <= 0)
		explain_note(step, "no percentage: ranked after all that have one");
	else
		explain_with(step, "%s / %s", explain_number(p->in->base == FS_BASE_USAGE ?
			     cluster_f64(p->in->cluster, F_ASSOC_USAGE, p->row) :
			     p->r->norm_usage[p->row]).s, explain_number(s).s);
}

static void pbs_share_explain_level(struct pbs_share_place *p, uint32_t row)
{
	struct explain_step *step;

	p->row = row;
	p->parent = p->in->tree->fs_parent[row];
	cluster_path(p->in->cluster, row, p->name, sizeof(p->name));
	if (pbs_share_is_parent(p->in, p->row)) {
		step = explain_add(p->e, "shares", F64_UNKNOWN, NULL);
		explain_note(step, "%s has fairshare=parent: same as the group above it", p->name);
		return;
	}
	explain_percentages(p);
	explain_usage(p);
	pbs_share_explain_factor(p);
	explain_measure(p);
}

static void explain_end(struct pbs_share_place *p, uint32_t row)
{
	double e = p->r->effective_usage[row], s = p->r->norm_shares[row];
	struct explain_step *step = explain_add(p->e, "R", p->r->effective_ratio[row], "E / S");

	if (s == 0)
		explain_note(step, "no percentage");
	else
		explain_with(step, "%s / %s", explain_number(e).s, explain_number(s).s);
	step = explain_add(p->e, "F", p->r->fairshare[row], "2 ^ -R");
	if (s == 0)
		explain_note(step, "fairshare_factor is 0 without shares");
	else
		explain_with(step, "2 ^ -(%s)", explain_number(p->r->effective_ratio[row]).s);
	if (p->r->rank[row] != U32_UNKNOWN) {
		step = explain_add(p->e, "rank", p->r->rank[row],
				   "rank by Usage/S, at the first level of the path that differs");
		explain_note(step, "the order of jobs if no job_sort_formula is set");
	}
}

static void pbs_share_explain(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			      struct explain *e)
{
	struct pbs_share_place p = { .in = in, .r = r, .e = e };
	const uint32_t *parent = in->tree->fs_parent;
	uint32_t steps = 0;

	for (uint32_t i = row; parent[i] != ROW_NONE; i = parent[i])
		steps++;
	if (steps == 0)
		explain_add(e, "S", 1, "the root has everything");
	for (; steps > 0; steps--) {
		uint32_t i = row;

		for (uint32_t up = 1; up < steps; up++)
			i = parent[i];
		pbs_share_explain_level(&p, i);
	}
	explain_end(&p, row);
}

const struct fs_algo fs_pbs = {
	.id = FS_PBS,
	.name = "pbs",
	.title = "PBS",
	.meaning = "usage against tree percentage, level by level from the root",
	.quantities = quantities,
	.quantity_count = sizeof(quantities) / sizeof(quantities[0]),
	.run = pbs_share_run,
	.run_path = pbs_share_run_path,
	.explain = pbs_share_explain,
	.rank = pbs_share_rank,
};
