/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The derivation of one association's factor, level by level from the root. Every number comes from
 * the result or its inputs; only sums over siblings are computed again, in the order of the run.
 */
#include "core/share/fairshare_private.h"

#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/value.h"

#define NAME_MAX_SHOWN 128

/* The current position of the explanation. */
struct fs_place {
	const struct fs_input *in;
	const struct fs_tree *tree;
	const struct fs_result *r;
	struct explain *e;
	uint32_t row, parent;		/* the association and its fair-share parent */
	char name[NAME_MAX_SHOWN];	/* path of the row */
	char above[NAME_MAX_SHOWN];	/* path of the fair-share parent */
};

static void step_to(struct fs_place *p, uint32_t row)
{
	p->row = row;
	p->parent = p->tree->fs_parent[row];
	cluster_path(p->in->cluster, row, p->name, sizeof(p->name));
	if (p->parent != ROW_NONE)
		cluster_path(p->in->cluster, p->parent, p->above, sizeof(p->above));
}

static bool fs_is_parent(const struct fs_place *p)
{
	return p->tree->shares[p->row] == SHARES_PARENT;
}

/* ---- what is not computed ------------------------------------------------------------------ */

#define AS_REPORTED "as the scheduler reports it"

/* Why L of the row's family is unknown; NULL if it is known. */
static const char *why_no_sum(const struct fs_place *p)
{
	uint32_t f = p->tree->family[p->row];

	if (p->tree->family_known[f])
		return NULL;
	return p->tree->family_cut[f] == 1 ? "an excerpt: siblings are missing" :
	       p->tree->family_cut[f] == 2 ? "an excerpt: siblings may be missing" :
	       "the shares of a sibling are unknown";
}

/* Why a number of the row could not be computed. */
static const char *why_unknown(const struct fs_place *p, enum fs_number what)
{
	const struct fs_tree *t = p->tree;
	uint32_t above = p->parent;

	if (why_no_sum(p))
		return why_no_sum(p);
	/* Only Fair Tree's S and Level FS depend on the siblings alone. */
	while (!p->r->level_fs && above != ROW_NONE && above != 0) {
		if (t->family_cut[t->family[above]])
			return "an excerpt: siblings of an account above may be missing";
		above = t->fs_parent[above];
	}
	if (what == FS_NUMBER_F && p->r->level_fs && t->excerpt)
		return "an excerpt: users may be missing";
	return "an input is unknown";
}

/* Adds the scheduler's own value. */
static void explain_beside(const struct fs_place *p, struct explain_step *s, enum fs_number what)
{
	s->reported = fs_reported_number(p->in, p->r, what, p->row);
	s->origin = fs_origin(p->in, p->r, what, p->row);
}

/*
 * True if the number of step S was not computed: it is as reported, or unknown, and has no formula.
 */
static bool explain_open(const struct fs_place *p, struct explain_step *s, enum fs_number what)
{
	explain_beside(p, s, what);
	if (s->origin == VALUE_REPORTED)
		explain_formula(s, AS_REPORTED);
	else if (f64_known(s->value))
		return false;
	explain_note(s, "%s", why_unknown(p, what));
	return true;
}

/* ---- shares, usage and the factor ---------------------------------------------------------- */

/* Writes the heading of each level. */
static void explain_row(struct fs_place *p)
{
	const struct fs_tree *t = p->tree;
	uint32_t shares = t->shares[p->row];
	struct explain_step *s;

	if (fs_is_parent(p)) {
		s = explain_add(p->e, "shares", F64_UNKNOWN, NULL);
		explain_note(s, "%s has fairshare=parent: it counts as its fair-share parent %s",
			     p->name, p->above);
		return;
	}
	s = explain_add(p->e, "shares", shares == U32_UNKNOWN ? F64_UNKNOWN : (double)shares,
			"raw shares");
	explain_note(s, "%s", p->name);
}

static void explain_level_shares(struct fs_place *p)
{
	uint32_t shares = 0, f = p->tree->family[p->row], counted = 0;
	bool known = fs_level_shares(p->tree, p->row, &shares);
	struct explain_step *s = explain_add(p->e, "L", known ? (double)shares : F64_UNKNOWN, NULL);
	uint32_t reported = cluster_u32(p->in->cluster, F_ASSOC_R_LEVEL_SHARES, p->row);
	uint64_t sum = 0;

	for (uint32_t j = p->tree->family_first[f]; j < p->tree->family_first[f + 1]; j++) {
		uint32_t own = p->tree->shares[p->tree->members[j]];

		counted += own != SHARES_PARENT;
		sum += own != SHARES_PARENT ? own : 0;
	}
	explain_formula(s, "sum of the siblings' shares, except those with fairshare=parent");
	if (reported != U32_UNKNOWN)
		s->reported = reported;
	if (!known)
		explain_note(s, "%s", why_no_sum(p));
	else if (sum != shares)
		explain_note(s, "%u siblings in the family of %s have %llu, which wraps at 2^32 "
			     "as in the scheduler", counted, p->above, (unsigned long long)sum);
	else
		explain_note(s, counted == 1 ? "%u sibling in the family of %s" :
			     "%u siblings in the family of %s", counted, p->above);
}

static void explain_norm_shares(struct fs_place *p)
{
	const double *norm = p->r->norm_shares;
	uint32_t shares = 0;
	struct explain_step *s;

	if (fs_is_parent(p)) {
		s = explain_add(p->e, "S", norm[p->row], "S of the fair-share parent");
		if (!explain_open(p, s, FS_NUMBER_S))
			explain_with(s, "%s", explain_number(norm[p->parent]).s);
		return;
	}
	explain_level_shares(p);
	s = explain_add(p->e, "S", norm[p->row], "S_parent * shares / L");
	if (explain_open(p, s, FS_NUMBER_S))
		return;
	fs_level_shares(p->tree, p->row, &shares);
	if (shares == 0)
		explain_note(s, "no sibling has shares: no share is promised");
	else
		explain_with(s, "%s * %u / %u", explain_number(norm[p->parent]).s,
			     p->tree->shares[p->row], shares);
}

/* Explains the base; false if that is raw usage. */
static bool explain_base(const struct fs_place *p, struct explain_step *s, enum fs_number what)
{
	if (p->in->base != FS_BASE_REPORTED)
		return false;
	explain_beside(p, s, what);
	explain_formula(s, AS_REPORTED);
	if (isnan(s->value))
		explain_note(s, "the scheduler has not computed it, or does not report it");
	return true;
}

static void explain_norm_usage(struct fs_place *p)
{
	const struct cluster *c = p->in->cluster;
	struct explain_step *s = explain_add(p->e, "U", p->r->norm_usage[p->row], NULL);
	double own = cluster_f64(c, F_ASSOC_USAGE, p->row), all = cluster_f64(c, F_ASSOC_USAGE, 0);

	if (explain_base(p, s, FS_NUMBER_U))
		return;
	explain_formula(s, "W / W_root");
	if (explain_open(p, s, FS_NUMBER_U))
		return;
	if (all == 0)
		explain_note(s, "there is no usage at all: every U is 0");
	else if (own > all)
		explain_note(s, "%s, more than the root's %s: cut to 1", explain_number(own).s,
			     explain_number(all).s);
	else
		explain_with(s, "%s / %s", explain_number(own).s, explain_number(all).s);
}

/* 2^-(R / d), the last step of both algorithms with R. */
static void fs_explain_factor(struct fs_place *p)
{
	uint32_t from = fs_is_parent(p) ? p->parent : p->row;
	double ratio = from == 0 ? 1 : p->r->effective_ratio[from];
	struct explain_step *s = explain_add(p->e, "F", p->r->fairshare[p->row], "2 ^ -(R / d)");

	if (explain_open(p, s, FS_NUMBER_F))
		return;
	if (p->r->norm_shares[p->row] == 0) {
		explain_note(s, "no shares: the factor is 0 for any usage");
		return;
	}
	if (p->r->branch[p->row] == FS_BRANCH_ORPHAN) {
		explain_note(s, "0 in slurmctld; sshare computes it on its own and prints 1");
		return;
	}
	explain_with(s, "2 ^ -(%s / %s)", explain_number(ratio).s,
		     explain_number(p->in->damping).s);
	if (fs_is_parent(p))
		explain_note(s, "fairshare=parent: R is that of %s", p->above);
	else if (f64_known(ratio))
		explain_note(s, ratio == 1 ? "exactly its fair share" : ratio < 1 ?
			     "under its fair share: favoured" : "over its fair share: held back");
}

static void explain_rank(struct fs_place *p)
{
	struct explain_step *s;

	if (!p->tree->is_user[p->row] || !p->r->rank || p->r->rank[p->row] == U32_UNKNOWN)
		return;
	s = explain_add(p->e, "rank", p->r->rank[p->row],
			"1 + number of user associations with a higher F");
	explain_note(s, "of %u; equal F share a rank", p->tree->users);
}

/* R = E / S where the branch has no formula of its own for it. */
static void explain_ratio(struct fs_place *p)
{
	bool none = fs_has_no_shares(p->r, p->row);
	struct explain_step *s = explain_add(p->e, "R", fs_ratio(p->r, p->row), "E / S");

	if (isnan(s->value) && !none) {
		explain_note(s, "%s", why_unknown(p, FS_NUMBER_COUNT));
		return;
	}
	explain_with(s, "%s / %s", explain_number(p->r->effective_usage[p->row]).s,
		     explain_number(p->r->norm_shares[p->row]).s);
	if (none)
		explain_note(s, isnan(s->value) ? "without shares there is no ratio" :
			     "it has usage but no shares");
}

static const char *what_is_zero(const struct fs_place *p)
{
	if (p->r->norm_usage[p->row] == 0)
		return "its usage";
	if (p->r->norm_shares[p->row] == 0)
		return "its S";
	return p->r->norm_shares[p->parent] == 0 ? "the parent's S" : "the parent's E";
}

static void explain_orphan(struct fs_place *p)
{
	struct explain_step *s = explain_add(p->e, "E", p->r->effective_usage[p->row], NULL);

	explain_note(s, "an account above it was deleted: it belongs to no family, its usage does "
		     "not count, and the F of its jobs is 0");
}

/* An E that equals another number. */
static void explain_same(struct fs_place *p, const char *which, const char *note)
{
	struct explain_step *s = explain_add(p->e, "E", p->r->effective_usage[p->row], which);

	if (!explain_open(p, s, FS_NUMBER_E))
		explain_note(s, "%s", note);
}

/* Branches common to classic and depth-oblivious; false if ROW is in none of them. */
static bool explain_plain_branch(struct fs_place *p)
{
	char note[EXPLAIN_TEXT_MAX];

	switch ((enum fs_branch)p->r->branch[p->row]) {
	case FS_BRANCH_FIRST_LEVEL:
		explain_same(p, "U", "its fair-share parent is the root: nothing above counts");
		break;
	case FS_BRANCH_PARENT:
		snprintf(note, sizeof(note), "fairshare=parent: the values of %s", p->above);
		explain_same(p, "E_parent", note);
		break;
	case FS_BRANCH_NO_SHARES:
		explain_same(p, "E_parent",
			     "no sibling has shares: the parent's usage counts in full");
		break;
	case FS_BRANCH_ZERO:
		snprintf(note, sizeof(note), "%s is 0: the formula does not apply",
			 what_is_zero(p));
		explain_same(p, "U", note);
		break;
	case FS_BRANCH_ORPHAN:
		explain_orphan(p);
		break;
	case FS_BRANCH_UNKNOWN:
		explain_same(p, NULL, "");
		break;
	case FS_BRANCH_ROOT:
	case FS_BRANCH_FORMULA:
		return false;
	}
	explain_ratio(p);
	return true;
}

static void explain_root(struct fs_place *p)
{
	struct explain_step *s = explain_add(p->e, "R", p->r->effective_ratio[0], "E / S");

	explain_with(s, "1 / 1");
	explain_note(s, "the root has its fair share by definition");
}

/* ---- depth-oblivious ----------------------------------------------------------------------- */

static double siblings_usage(const struct fs_place *p)
{
	const struct fs_tree *t = p->tree;
	uint32_t f = t->family[p->row];
	double sum = 0;

	for (uint32_t j = t->family_first[f]; j < t->family_first[f + 1]; j++) {
		if (t->shares[t->members[j]] != SHARES_PARENT)
			sum += p->r->norm_usage[t->members[j]];
	}
	return sum;
}

static void explain_local_ratio(struct fs_place *p)
{
	const struct fs_result *r = p->r;
	double sum = siblings_usage(p);
	struct explain_step *s;

	explain_add(p->e, "U_all", sum,
		    "sum of the siblings' U, except those with fairshare=parent");
	s = explain_add(p->e, "r_l", r->local_ratio[p->row], "(U / S) / (U_all / S_parent)");
	explain_with(s, "(%s / %s) / (%s / %s)", explain_number(r->norm_usage[p->row]).s,
		     explain_number(r->norm_shares[p->row]).s, explain_number(sum).s,
		     explain_number(r->norm_shares[p->parent]).s);
	explain_note(s, "above 1: it used more than its part of the siblings' usage");
}

static void explain_exponent(struct fs_place *p)
{
	double k = p->r->k[p->row], above = p->r->effective_ratio[p->parent];
	struct explain_step *s = explain_add(p->e, "R_parent", above, "E_parent / S_parent");

	explain_with(s, "%s / %s", explain_number(p->r->effective_usage[p->parent]).s,
		     explain_number(p->r->norm_shares[p->parent]).s);
	s = explain_add(p->e, "k", k, NULL);
	if (k < 1) {
		explain_formula(s, "1 / (1 + (5 * ln R_parent)^2)");
		explain_with(s, "1 / (1 + (5 * %s)^2)", explain_number(log(above)).s);
		explain_note(s, "%s its part of the account, whose R is on the other side of 1",
			     p->r->local_ratio[p->row] < 1 ? "under" : "over");
	} else {
		explain_formula(s, "1");
		explain_note(s, "ln R_parent and ln r_l do not have opposite signs");
	}
}

static void explain_depth_oblivious_row(struct fs_place *p)
{
	const struct fs_result *r = p->r;
	struct explain_step *s;

	explain_row(p);
	explain_norm_shares(p);
	explain_norm_usage(p);
	if (explain_plain_branch(p))
		return;
	s = explain_add(p->e, "r", r->usage_ratio[p->row], "U / S");
	explain_with(s, "%s / %s", explain_number(r->norm_usage[p->row]).s,
		     explain_number(r->norm_shares[p->row]).s);
	explain_local_ratio(p);
	explain_exponent(p);
	s = explain_add(p->e, "R", r->effective_ratio[p->row], "R_parent * r_l ^ k");
	explain_with(s, "%s * %s ^ %s", explain_number(r->effective_ratio[p->parent]).s,
		     explain_number(r->local_ratio[p->row]).s, explain_number(r->k[p->row]).s);
	s = explain_add(p->e, "E", r->effective_usage[p->row], "R * S");
	explain_beside(p, s, FS_NUMBER_E);
	explain_with(s, "%s * %s", explain_number(r->effective_ratio[p->row]).s,
		     explain_number(r->norm_shares[p->row]).s);
}

/* ---- classic ------------------------------------------------------------------------------- */

static void explain_classic_row(struct fs_place *p)
{
	const struct fs_result *r = p->r;
	uint32_t shares = 0;
	struct explain_step *s;
	double u = r->norm_usage[p->row];

	explain_row(p);
	explain_norm_shares(p);
	explain_norm_usage(p);
	if (explain_plain_branch(p))
		return;
	fs_level_shares(p->tree, p->row, &shares);
	s = explain_add(p->e, "E", r->effective_usage[p->row], "U + (E_parent - U) * shares / L");
	explain_beside(p, s, FS_NUMBER_E);
	explain_with(s, "%s + (%s - %s) * %u / %u", explain_number(u).s,
		     explain_number(r->effective_usage[p->parent]).s, explain_number(u).s,
		     p->tree->shares[p->row], shares);
	explain_note(s, "own usage plus, by shares, a part of the usage of the rest of %s",
		     p->above);
	explain_ratio(p);
}

/* ---- Fair Tree ----------------------------------------------------------------------------- */

static void explain_fair_tree_usage(struct fs_place *p)
{
	const struct cluster *c = p->in->cluster;
	struct explain_step *s = explain_add(p->e, "E", p->r->effective_usage[p->row], NULL);
	double above = cluster_f64(c, F_ASSOC_USAGE, p->parent);

	if (explain_base(p, s, FS_NUMBER_E))
		return;
	explain_formula(s, "W / W_parent");
	if (explain_open(p, s, FS_NUMBER_E))
		return;
	if (above == 0)
		explain_note(s, "nothing was used in %s", p->above);
	else
		explain_with(s, "%s / %s", explain_number(cluster_f64(c, F_ASSOC_USAGE, p->row)).s,
			     explain_number(above).s);
}

/* Is LEVEL the quotient of the two shown numbers? A reported one need not be. */
static bool is_quotient(double level, double part, double used)
{
	double x = part == 0 ? 0 : part / used;

	return x == level || (isfinite(level) && fabs(x - level) <= 1e-12 * fabs(level));
}

static void explain_fair_tree_level(struct fs_place *p)
{
	const struct fs_result *r = p->r;
	double part = r->norm_shares[p->row], level = r->level_fs[p->row];
	double used = r->effective_usage[p->row];
	struct explain_step *s = explain_add(p->e, "Level FS", level, NULL);

	if (fs_is_parent(p)) {
		if (p->tree->is_user[p->row])
			explain_note(s, "a user with fairshare=parent comes first in its account");
		else
			explain_note(s, "transparent: its children compete with the children of %s",
				     p->above);
		return;
	}
	explain_formula(s, "S / E");
	if (explain_open(p, s, FS_NUMBER_LEVEL))
		return;
	if (is_quotient(level, part, used))
		explain_with(s, "%s / %s", explain_number(part).s, explain_number(used).s);
	else
		explain_formula(s, AS_REPORTED);
	if (part == 0)
		explain_note(s, "no shares: last among its siblings, even unused");
	else if (isinf(level))
		explain_note(s, "unused: first among its siblings");
	else if (f64_known(level))
		explain_note(s, level < 1 ? "over-served among its siblings" :
			     level > 1 ? "under-served among its siblings" :
			     "exactly its fair share among its siblings");
}

static void explain_fair_tree_place(struct fs_place *p)
{
	const struct fs_tree *t = p->tree;
	uint32_t f = t->family[p->row], better = 0, equal = 0;
	double level = p->r->level_fs[p->row];
	bool known = !t->family_cut[f];
	struct explain_step *s;

	s = explain_add(p->e, "place", F64_UNKNOWN,
			"1 + number of siblings with a higher Level FS");
	for (uint32_t j = t->family_first[f]; j < t->family_first[f + 1]; j++) {
		uint32_t i = t->members[j];
		double other = p->r->level_fs[i];

		better += other > level;
		equal += other == level;
		known = known && (f64_known(other) || t->shares[i] == SHARES_PARENT);
	}
	if (!known) {
		explain_note(s, "%s", t->family_cut[f] ? why_no_sum(p) :
			     "the Level FS of a sibling is unknown");
		return;
	}
	s->value = better + 1;
	explain_note(s, "of %u in the family of %s%s", t->family_first[f + 1] - t->family_first[f],
		     p->above, equal > 1 ? "; tied with a sibling: their own order decides" : "");
}

static void explain_fair_tree_row(struct fs_place *p)
{
	const struct fs_result *r = p->r;
	uint32_t shares = 0;
	struct explain_step *s;
	bool open;

	explain_row(p);
	if (r->branch[p->row] == FS_BRANCH_ORPHAN) {
		explain_orphan(p);
		return;
	}
	if (!fs_is_parent(p)) {
		explain_level_shares(p);
		s = explain_add(p->e, "S", r->norm_shares[p->row], "shares / L");
		open = explain_open(p, s, FS_NUMBER_S);
		fs_level_shares(p->tree, p->row, &shares);
		if (!open && shares == 0)
			explain_note(s, "no sibling has shares: no share is promised");
		else if (!open)
			explain_with(s, "%u / %u", p->tree->shares[p->row], shares);
		explain_fair_tree_usage(p);
	}
	explain_fair_tree_level(p);
	if (!fs_is_parent(p) || p->tree->is_user[p->row])
		explain_fair_tree_place(p);
}

static void explain_fair_tree_factor(struct fs_place *p)
{
	const struct fs_result *r = p->r;
	double number = r->tree_rank[p->row] == U32_UNKNOWN ? F64_UNKNOWN : r->tree_rank[p->row];
	struct explain_step *s;

	if (!p->tree->is_user[p->row]) {
		s = explain_add(p->e, "F", F64_UNKNOWN, NULL);
		explain_note(s, "Fair Tree gives factors to users only");
		return;
	}
	s = explain_add(p->e, "fair_tree_rank", number,
			"N - number of users visited earlier, walking the best sibling first");
	if (isnan(number))
		explain_note(s, "%s", why_unknown(p, FS_NUMBER_F));
	else
		explain_note(s, "ties share the number; siblings with equal Level FS: %s order",
			     r->order == FS_ORDER_LFT ? "database (lft)" : "list");
	s = explain_add(p->e, "F", r->fairshare[p->row], "fair_tree_rank / N");
	if (!explain_open(p, s, FS_NUMBER_F))
		explain_with(s, "%s / %u", explain_number(number).s, p->tree->users);
}

/* ---- all ----------------------------------------------------------------------------------- */

/* Calls EACH for every row from the root's child down to ROW. */
static void each_level(struct fs_place *p, uint32_t row, void (*each)(struct fs_place *))
{
	uint32_t *chain = mem_alloc(p->tree->levels + 1, sizeof(*chain));
	uint32_t count = 0;

	for (uint32_t i = row; i != 0; i = p->tree->fs_parent[i])
		chain[count++] = i;
	while (count > 0) {
		step_to(p, chain[--count]);
		each(p);
	}
	mem_free(chain);
}

static void explain_ratios(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			   struct explain *e, void (*each)(struct fs_place *))
{
	struct fs_place p = { .in = in, .tree = in->tree, .r = r, .e = e };

	step_to(&p, 0);
	explain_root(&p);
	each_level(&p, row, each);
	fs_explain_factor(&p);
	explain_rank(&p);
}

void fs_explain_depth_oblivious(const struct fs_input *in, const struct fs_result *r, uint32_t row,
				struct explain *e)
{
	explain_ratios(in, r, row, e, explain_depth_oblivious_row);
}

void fs_explain_classic(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			struct explain *e)
{
	explain_ratios(in, r, row, e, explain_classic_row);
}

void fs_explain_fair_tree(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			  struct explain *e)
{
	struct fs_place p = { .in = in, .tree = in->tree, .r = r, .e = e };

	step_to(&p, 0);
	each_level(&p, row, explain_fair_tree_row);
	explain_fair_tree_factor(&p);
	explain_rank(&p);
}
