/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Excerpts have incomplete families: "sshare -A x" or "-u u" lists some of the siblings, so the sum
 * of the listed shares is not the scheduler's L, and the number of users is not its N. Its report
 * shows this: a reported L, the L that follows from NormShares, and Fair Tree's factors, which
 * count the users before and behind each.
 */
#include "core/share/fairshare_private.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/table/order.h"

/* Rounding errors of reported doubles, over a few levels. */
#define SLACK 1e-12

enum verdict {
	SILENT,			/* the report has no evidence */
	LIKELY,			/* L may be the listed sum, given the digits of the report */
	WHOLE,			/* the listed siblings are all that have shares */
	CUT,			/* the scheduler's L is larger */
	ODD			/* its L is smaller, or the members do not agree */
};

struct excerpt_range {
	double lo, hi;
};

struct judge {
	const struct fs_tree *t;
	const double *norm;		/* NormShares as reported, NULL */
	const uint32_t *level;		/* L as reported, NULL */
	double quantum;
	bool computed;			/* some S is above 0: then a 0 is a rounded number */
};

/* Range of the reported S of ROW, given its digits; false if it was not computed. */
static bool excerpt_norm_of(const struct judge *j, uint32_t row, struct excerpt_range *out)
{
	double x = j->norm ? j->norm[row] : F64_UNKNOWN;

	if (!fs_is_reported(x) || (x == 0 && !(j->computed && j->quantum > 0)))
		return false;
	out->lo = fmax(x - j->quantum / 2, 0) * (1 - SLACK);
	out->hi = (x + j->quantum / 2) * (1 + SLACK);
	return true;
}

static enum verdict excerpt_compare(const struct excerpt_range *l, uint32_t listed)
{
	if (l->lo > l->hi || listed > l->hi)
		return ODD;
	if (listed < l->lo)
		return CUT;
	return l->lo > listed - 1.0 && l->hi < listed + 1.0 ? WHOLE : LIKELY;
}

/* Judges by the L that members report. */
static enum verdict judge_level(const struct judge *j, uint32_t f)
{
	const struct fs_tree *t = j->t;
	struct excerpt_range l = { 0, INFINITY };
	bool reported = false;

	for (uint32_t m = t->family_first[f]; j->level && m < t->family_first[f + 1]; m++) {
		uint32_t own = j->level[t->members[m]];

		if (own == U32_UNKNOWN)
			continue;
		reported = true;
		l.lo = fmax(l.lo, own);
		l.hi = fmin(l.hi, own);
	}
	return reported ? excerpt_compare(&l, t->family_shares[f]) : SILENT;
}

/*
 * Judges by L = s / S, or, with S a PRODUCT over the levels, L = S(p) s / S. If members disagree on
 * L, all may still have too little of S(p); unless one has not: then the S of another is wrong.
 */
static enum verdict judge_norm(const struct judge *j, uint32_t f, bool product)
{
	const struct fs_tree *t = j->t;
	struct excerpt_range l = { 0, INFINITY }, above = { 1, 1 }, s;
	double sum = 0, least = INFINITY;
	bool reported = false;

	if (product && t->family_row[f] != 0 && !excerpt_norm_of(j, t->family_row[f], &above))
		return SILENT;
	for (uint32_t m = t->family_first[f]; m < t->family_first[f + 1]; m++) {
		uint32_t i = t->members[m];

		if (t->shares[i] == 0)
			continue;
		if (t->shares[i] == SHARES_PARENT) {	/* has S(p) */
			if (product && excerpt_norm_of(j, i, &s) && s.hi < above.lo)
				return CUT;
			continue;
		}
		if (!excerpt_norm_of(j, i, &s)) {
			sum = (double)INFINITY;
			continue;
		}
		reported = true;
		sum += s.hi;
		least = fmin(least, t->shares[i] * above.lo / s.hi);
		l.lo = fmax(l.lo, t->shares[i] * above.lo / s.hi);
		l.hi = fmin(l.hi, s.lo > 0 ? t->shares[i] * above.hi / s.lo : (double)INFINITY);
	}
	if (reported && sum < above.lo * (1 - SLACK) && least > t->family_shares[f])
		return CUT;
	return reported ? excerpt_compare(&l, t->family_shares[f]) : SILENT;
}

/*
 * Judges all families but those of orphans. Returns how many contradict the listed sums; all, if
 * none agrees.
 */
static uint32_t judge_all(const struct judge *j, bool product, uint8_t *verdicts)
{
	const struct fs_tree *t = j->t;
	uint32_t contradict = 0, agree = 0;

	for (uint32_t f = 0; f < t->families - t->orphans; f++) {
		enum verdict v = t->family_known[f] ? judge_level(j, f) : SILENT;

		if (v == SILENT && t->family_known[f])
			v = judge_norm(j, f, product);
		verdicts[f] = (uint8_t)v;
		contradict += v == CUT || v == ODD;
		agree += v == WHOLE || v == LIKELY;
	}
	return agree > 0 ? contradict : t->families;
}

/*
 * After a reconfigure changes PriorityFlags, NormShares may be those of another algorithm: then all
 * families agree with the other formula.
 */
static void judge_families(const struct judge *j, bool product, uint8_t *verdicts)
{
	uint8_t *others;

	if (judge_all(j, product, verdicts) == 0)
		return;
	others = mem_zalloc(j->t->families, 1);
	if (judge_all(j, !product, others) == 0)
		memcpy(verdicts, others, j->t->families);
	mem_free(others);
}

uint32_t fs_misplaced(const struct fs_tree *t, const struct cluster *c, uint32_t *telling,
		      uint32_t *row)
{
	double digits = cluster_meta(c)->ratio_quantum;
	uint32_t count = 0;

	*telling = 0;
	for (uint32_t m = t->family_first[0]; m < t->family_first[1]; m++) {
		uint32_t i = t->members[m];
		double u = cluster_f64(c, F_ASSOC_R_NORM_USAGE, i);
		double e = cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, i);

		if (!fs_is_reported(u) || !fs_is_reported(e))
			continue;
		++*telling;
		if (fabs(e - u) <= digits + SLACK * u)
			continue;
		count++;
		*row = i;
	}
	return count;
}

/* ---- users that are missing ---------------------------------------------------------------- */

/* Can unlisted users exist anywhere in the tree? */
static bool excerpt_has_room(const struct fs_tree *t, const uint8_t *verdicts)
{
	for (uint32_t f = 0; f < t->families - t->orphans; f++) {
		if (verdicts[f] != WHOLE)
			return true;
	}
	for (uint32_t i = 1; i < t->n; i++) {
		if (!t->is_user[i] && t->span[i] == 1)
			return true;
	}
	return false;
}

/*
 * Fair Tree's F is the number of users not before one, divided by N. True if at least half of the
 * users have more users listed before or behind them than their F allows with N = listed users,
 * plus some that may have been deleted since F was computed. (Fewer may simply be off.)
 */
static bool misses_users(const struct fs_tree *t, const double *factors, double quantum, bool room)
{
	struct order_item *items = mem_alloc(t->users, 2 * sizeof(*items));
	uint32_t n = 0, before = 0, wrong = 0, gone;

	for (uint32_t i = 0; i < t->n; i++) {
		if (t->is_user[i] && factors[i] > 0 && factors[i] <= 1)
			items[n++] = (struct order_item){ order_key(factors[i]), i, 0 };
	}
	order_sort(items, items + n, n);
	gone = !room || n >= 50 ? 2 : n / 25;
	for (uint32_t j = 0; j < n; j++) {
		double f = factors[items[j].row], slack = n * quantum / 2 + 0.01;

		if (j > 0 && items[j].key != items[j - 1].key)
			before = j;
		wrong += before > (n + gone) * (1 - f) + slack ||
			 n - before > (n + gone) * f + slack;
	}
	mem_free(items);
	return wrong > 0 && wrong >= n - wrong;
}

/*
 * Factors of the other algorithms do not show this. But if the listed users have less than half of
 * the root's usage, users are missing: deleted ones leave less behind.
 */
static bool misses_usage(const struct fs_tree *t, const double *usage)
{
	double of_users = 0;

	for (uint32_t i = 1; usage && i < t->n; i++)
		of_users += t->is_user[i] ? usage[i] : 0;
	return usage && of_users < usage[0] / 2;
}

static bool is_any_above_0(const struct fs_tree *t, const double *values)
{
	uint32_t i = 0;

	while (values && i < t->n && !(values[i] > 0))
		i++;
	return values && i < t->n;
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* With hidden rows, a family counts only if the scheduler's numbers confirm it. */
static void cut_families(struct fs_tree *t, const uint8_t *verdicts)
{
	for (uint32_t f = 0; f < t->families - t->orphans; f++) {
		if (verdicts[f] == WHOLE)
			continue;
		t->family_known[f] = 0;
		t->family_cut[f] = verdicts[f] == CUT ? 1 : 2;
	}
}

static bool is_any_cut(const struct fs_tree *t, const uint8_t *verdicts)
{
	uint32_t f = 0;

	while (f < t->families && verdicts[f] != CUT)
		f++;
	return f < t->families;
}

void fs_find_excerpt(const struct cluster *c, struct fs_tree *t)
{
	struct judge j = { t, cluster_col_f64(c, F_ASSOC_R_NORM_SHARES),
			   cluster_col_u32(c, F_ASSOC_R_LEVEL_SHARES),
			   cluster_meta(c)->ratio_quantum, false };
	const double *factors = cluster_col_f64(c, F_ASSOC_R_FAIRSHARE);
	bool fair_tree, misplaced, room;
	uint32_t telling, row;
	uint8_t *verdicts;

	t->reported_by = fs_algorithm_of_cluster(c);
	fair_tree = t->reported_by == FS_FAIR_TREE;
	t->excerpt = cluster_is_partial(c);
	t->tells_factors = is_any_above_0(t, factors);
	j.computed = is_any_above_0(t, j.norm);
	if (policy_scheduler_of(cluster_meta(c)->kind) != POLICY_OF_SLURM ||
	    (!t->excerpt && !j.norm && !j.level && !t->tells_factors))
		return;
	verdicts = mem_zalloc(t->families, 1);
	judge_families(&j, !fair_tree, verdicts);
	misplaced = fs_misplaced(t, c, &telling, &row) != 0;
	if (misplaced && verdicts[0] == WHOLE)
		verdicts[0] = LIKELY;	/* a wrong E proves nothing */
	room = excerpt_has_room(t, verdicts);
	t->excerpt = t->excerpt || misplaced || is_any_cut(t, verdicts) ||
		     (fair_tree && t->tells_factors ?
		      misses_users(t, factors, j.quantum, room) :
		      room && misses_usage(t, cluster_col_f64(c, F_ASSOC_USAGE)));
	if (t->excerpt)
		cut_families(t, verdicts);
	t->unplaced = t->excerpt && t->family_cut[0];
	mem_free(verdicts);
}
