/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The derivation of PBS's fair share, level by level from the root, with the numbers of the run.
 */
#include <math.h>
#include <stdio.h>

#include "core/share/fairshare_private.h"
#include "core/base/mem.h"
#include "core/share/pbs_share.h"
#include "core/base/value.h"

struct place {
	const struct fs_input *in;
	const struct fs_result *r;
	struct explain *e;
	uint32_t row, parent;
	char name[128];
};

struct text {
	char s[VALUE_DOUBLE_MAX];
};

static struct text number(double x)
{
	struct text t = { "unknown" };

	if (!isnan(x))
		value_print_double(x, t.s);
	return t;
}

static bool is_parent(const struct place *p)
{
	return p->in->tree->shares[p->row] == SHARES_PARENT;
}

static void explain_percentages(struct place *p)
{
	const double *group = p->r->own[PBS_OWN_GROUP_PERCENTAGE], *s = p->r->norm_shares;
	int32_t shares = 0, sum = 0;
	bool known = pbs_shares(p->in, p->row, &shares);
	bool known_sum = pbs_level_shares(p->in, p->row, &sum);
	struct explain_step *step = explain_add(p->e, "shares", known ? shares : F64_UNKNOWN);

	explain_formula(step, "shares in resource_group");
	explain_note(step, "%s", p->name);
	step = explain_add(p->e, "L", known_sum ? sum : F64_UNKNOWN);
	explain_formula(step, "sum of the siblings' shares, the group \"unknown\" included");
	step = explain_add(p->e, "Group", group[p->row]);
	explain_formula(step, "shares / L");
	if (group[p->row] == 0 && shares != 0)
		explain_note(step, "0: %s", sum == 0 ? "no sibling has shares"
						      : "the group above has no percentage");
	else if (known && known_sum && sum != 0)
		explain_with(step, "%d / %d", shares, sum);
	else
		explain_note(step, "the shares of a sibling are unknown, or there are none");
	step = explain_add(p->e, "S", s[p->row]);
	explain_formula(step, "Group * S_parent");
	explain_with(step, "%s * %s", number(group[p->row]).s, number(s[p->parent]).s);
	if (s[p->row] == 0)
		explain_note(step,
			     "no percentage: with fairshare_enforce_no_shares jobs never run");
}

static void explain_usage(struct place *p)
{
	const struct cluster *c = p->in->cluster;
	struct explain_step *step = explain_add(p->e, "U", p->r->norm_usage[p->row]);

	if (p->in->base == FS_BASE_REPORTED) {
		explain_formula(step, "as the scheduler reports it");
	} else {
		double own = cluster_f64(c, F_ASSOC_USAGE, p->row);
		double all = cluster_f64(c, F_ASSOC_USAGE, 0);

		explain_formula(step, "W / W_root");
		if (all == 0)
			explain_note(step, "nothing has been used at all: every U is 0");
		else if (own > all)
			explain_note(step, "more than the root's: cut to 1");
		else
			explain_with(step, "%s / %s", number(own).s, number(all).s);
	}
}

static void explain_factor(struct place *p)
{
	const struct fs_result *r = p->r;
	double u = r->norm_usage[p->row];
	struct explain_step *step = explain_add(p->e, "E", r->effective_usage[p->row]);

	if (p->in->tree->family[p->row] == 0) {
		explain_formula(step, "U");
		explain_with(step, "%s", number(u).s);
		explain_note(step, "right below the root fairshare_tree_usage is the usage itself");
		return;
	}
	explain_formula(step, "U + (E_parent - U) * Group");
	explain_with(step, "%s + (%s - %s) * %s", number(u).s,
		     number(r->effective_usage[p->parent]).s, number(u).s,
		     number(r->own[PBS_OWN_GROUP_PERCENTAGE][p->row]).s);
	explain_note(step,
		     "fairshare_tree_usage: own usage and, by the share, a part of the group's");
}

/* What orders entities where no formula does. */
static void explain_measure(struct place *p)
{
	double s = p->r->norm_shares[p->row];
	struct explain_step *step = explain_add(p->e, "Usage/S",
						p->r->own[PBS_OWN_USAGE_PERC][p->row]);

	explain_formula(step, p->in->base == FS_BASE_USAGE ? "W / S" : "U / S");
	if (s <= 0)
		explain_note(step, "no percentage: after all that have one");
	else
		explain_with(step, "%s / %s", number(p->in->base == FS_BASE_USAGE ?
			     cluster_f64(p->in->cluster, F_ASSOC_USAGE, p->row) :
			     p->r->norm_usage[p->row]).s, number(s).s);
}

static void explain_level(struct place *p, uint32_t row)
{
	struct explain_step *step;

	p->row = row;
	p->parent = p->in->tree->fs_parent[row];
	cluster_path(p->in->cluster, row, p->name, sizeof(p->name));
	if (is_parent(p)) {
		step = explain_add(p->e, "shares", F64_UNKNOWN);
		explain_note(step, "%s has fairshare=parent: all is as for the group above it",
			     p->name);
		return;
	}
	explain_percentages(p);
	explain_usage(p);
	explain_factor(p);
	explain_measure(p);
}

static void explain_end(struct place *p, uint32_t row)
{
	double e = p->r->effective_usage[row], s = p->r->norm_shares[row];
	struct explain_step *step = explain_add(p->e, "R", p->r->effective_ratio[row]);

	explain_formula(step, "E / S");
	if (s == 0)
		explain_note(step, "no percentage");
	else
		explain_with(step, "%s / %s", number(e).s, number(s).s);
	step = explain_add(p->e, "F", p->r->fairshare[row]);
	explain_formula(step, "2 ^ -R");
	if (s == 0)
		explain_note(step, "fairshare_factor is 0 without shares");
	else
		explain_with(step, "2 ^ -(%s)", number(p->r->effective_ratio[row]).s);
	if (p->r->rank[row] != U32_UNKNOWN) {
		step = explain_add(p->e, "rank", p->r->rank[row]);
		explain_formula(step, "place by Usage/S, the first level of the path that differs");
		explain_note(step, "the order of jobs where no job_sort_formula is set");
	}
}

void fs_explain_pbs(const struct fs_input *in, const struct fs_result *r, uint32_t row,
		    struct explain *e)
{
	struct place p = { .in = in, .r = r, .e = e };
	const uint32_t *parent = in->tree->fs_parent;
	uint32_t steps = 0;

	for (uint32_t i = row; parent[i] != ROW_NONE; i = parent[i])
		steps++;
	if (steps == 0) {
		struct explain_step *s = explain_add(e, "S", 1);

		explain_formula(s, "the root has all");
	}
	for (; steps > 0; steps--) {
		uint32_t i = row;

		for (uint32_t up = 1; up < steps; up++)
			i = parent[i];
		explain_level(&p, i);
	}
	explain_end(&p, row);
}
