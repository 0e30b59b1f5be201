/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/verify/verify.h"
#include "core/verify/verify_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/queue/job_index.h"
#include "core/base/mem.h"
#include "core/base/plural.h"

/* The two sides of a comparison. */
struct side {
	const double *value;		/* computed, and its range */
	const double *lo, *hi;
	double *reported;		/* reported, and its range */
	double *reported_lo, *reported_hi;
	const bool *excused;			/* rows to which an excuse applies; NULL: all */
};

struct verifying {
	const struct cluster *c, *before;	/* BEFORE is of the previous pass; or NULL */
	const struct model *m;		/* computed from one of the bases */
	const struct fs_tree *tree;
	struct verify *v;
	struct verify_state state;
	struct bounds reported;		/* storage for the reported numbers */
	double *reported_value;
	bool compared;			/* a result, not only S or U, was found equal */
	bool undecided;			/* a reported result could not be compared */
	const char *excused;		/* why something could not be compared, "" */
};

/* ---- rows of the answer -------------------------------------------------------------------- */

static struct verify_row *verify_add_row(struct verifying *x, const char *what, const char *from)
{
	struct verify *v = x->v;
	struct verify_row *row;

	MEM_GROW(v->rows, v->capacity, v->count + 1);
	row = &v->rows[v->count++];
	memset(row, 0, sizeof(*row));
	snprintf(row->quantity, sizeof(row->quantity), "%s%s%s", what, *from ? " from " : "", from);
	row->worst = ROW_NONE;
	return row;
}

/* Adds a quantity that is not compared at all. */
static void add_absent(struct verifying *x, const char *what, const char *from, const char *why)
{
	struct verify_row *row = verify_add_row(x, what, from);

	row->verdict = VERIFY_NOT_COMPARABLE;
	snprintf(row->why, sizeof(row->why), "%s", why);
}

static double verify_distance(double a, double b)
{
	if (a == b)
		return 0;
	return isinf(a) || isinf(b) ? INFINITY : fabs(a - b);
}

/*
 * Adds one comparison to ROW: the numbers agree if their ranges overlap and the computed one is
 * within its own. BADNESS is the largest used part of a tolerance so far; its row is recorded as
 * the worst, one with an EXCUSE only if no other differs.
 */
static bool verify_compare(struct verify_row *row, const struct side *s, uint32_t i, bool excuse,
			   double *badness)
{
	double value = s->value[i], reported = s->reported[i];
	double off = verify_distance(value, reported), allowed;
	bool same = value >= s->lo[i] && value <= s->hi[i] && s->lo[i] <= s->reported_hi[i] &&
		    s->reported_lo[i] <= s->hi[i];
	double relative = off == 0 ? 0 : off / fmax(fabs(reported), fabs(value));
	double bad;

	row->rows++;
	if (isinf(off))
		relative = 1;
	else
		row->max_abs = fmax(row->max_abs, off);
	row->max_rel = fmax(row->max_rel, relative);
	allowed = fmax(verify_distance(s->hi[i], value), verify_distance(value, s->lo[i])) +
		  fmax(verify_distance(s->reported_hi[i], reported),
		       verify_distance(reported, s->reported_lo[i]));
	bad = off == 0 && same ? 0 : fmin(off / allowed, same ? 1 : 1e300);
	if (!same)
		bad = excuse ? 1 + bad / (1 + bad) : 2 + bad;
	if (row->worst == ROW_NONE || bad > *badness) {
		*badness = bad;
		row->worst = i;
		row->tolerance =
			reported != 0 && isfinite(reported) ? allowed / fabs(reported) : allowed;
	}
	return same;
}

/*
 * Compares a quantity over all rows but the root. EXCUSE says why the scheduler's numbers cannot be
 * right, "" without a reason.
 */
static void verify_compare_all(struct verifying *x, const char *what, const char *from,
			       const struct side *s, const char *precision, const char *excuse,
			       bool result)
{
	struct verify_row *row = verify_add_row(x, what, from);
	uint32_t differing = 0, waiting = 0;
	double badness = 0;
	bool excused;

	for (uint32_t i = 1; i < x->tree->n; i++) {
		/* Rows outside all families are not computed. */
		if (isnan(s->reported[i]) || isnan(s->value[i]) || isnan(s->lo[i]) ||
		    (x->tree->detached && x->tree->detached[i]))
			continue;
		excused = *excuse && (!s->excused || s->excused[i]);
		if (verify_compare(row, s, i, excused, &badness))
			continue;
		if (excused)
			waiting++;
		else
			differing++;
	}
	if (row->rows == 0) {
		row->verdict = VERIFY_NOT_COMPARABLE;
		snprintf(row->why, sizeof(row->why), "the scheduler reports none here");
	} else if (differing != 0) {
		row->verdict = VERIFY_DIFFERS;
		snprintf(row->why, sizeof(row->why), "%u %s further apart than %s allow",
			 (unsigned)differing, plural(differing, "row is", "rows are"), precision);
	} else if (waiting != 0) {
		row->verdict = VERIFY_NOT_COMPARABLE;
		x->excused = *x->excused ? x->excused : excuse;
		snprintf(row->why, sizeof(row->why), "%u of them: %.330s", (unsigned)waiting,
			 excuse);
	} else {
		row->verdict = VERIFY_EQUAL;
		x->compared = x->compared || result;
		snprintf(row->why, sizeof(row->why), "%s", precision);
	}
}

/* ---- the scheduler's side ------------------------------------------------------------------ */

/* Fills the reported numbers of FIELD; some are marks for "none". */
static void verify_tell(struct verifying *x, enum field field)
{
	double quantum = cluster_meta(x->c)->ratio_quantum;

	for (uint32_t i = 0; i < x->tree->n; i++) {
		double value = cluster_f64(x->c, field, i);

		if ((field == F_ASSOC_R_NORM_USAGE && !fs_is_reported(value)) ||
		    (field == F_ASSOC_R_LEVEL_FS && x->tree->shares[i] == SHARES_PARENT))
			value = F64_UNKNOWN;
		x->reported_value[i] = value;
		bounds_of_ratio(value, quantum, &x->reported.lo[i], &x->reported.hi[i]);
	}
}

/* R is not reported itself, but its two parts are. */
static void tell_ratio(struct verifying *x)
{
	double quantum = cluster_meta(x->c)->ratio_quantum;

	for (uint32_t i = 0; i < x->tree->n; i++) {
		double e = cluster_f64(x->c, F_ASSOC_R_EFFECTIVE_USAGE, i), e_lo, e_hi;
		double s = cluster_f64(x->c, F_ASSOC_R_NORM_SHARES, i), s_lo, s_hi;

		bounds_of_ratio(e, quantum, &e_lo, &e_hi);
		bounds_of_ratio(s, quantum, &s_lo, &s_hi);
		x->reported_value[i] = s_lo > 0 ? e / s : F64_UNKNOWN;
		x->reported.lo[i] = e_lo / s_hi * (1 - WIRE_ERROR);
		x->reported.hi[i] = e_hi / s_lo * (1 + WIRE_ERROR);
	}
}

static bool only_zeros(const double *values, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		if (values[i] > 0)
			return false;
	}
	return true;
}

/*
 * Fills the reported F. Up to 25.05 slurmctld leaves it at 0 outside Fair Tree, and sshare and job
 * priorities disagree for fairshare=parent directly under the root.
 */
static void tell_factor(struct verifying *x, const double *own)
{
	verify_tell(x, F_ASSOC_R_FAIRSHARE);
	if (only_zeros(x->reported_value, x->tree->n) && !only_zeros(own, x->tree->n)) {
		for (uint32_t i = 0; i < x->tree->n; i++)
			x->reported_value[i] = F64_UNKNOWN;
	}
	for (uint32_t i = 1; i < x->tree->n; i++) {
		if (x->tree->shares[i] == SHARES_PARENT && x->tree->fs_parent[i] == 0)
			x->reported_value[i] = F64_UNKNOWN;
	}
}

static struct side verify_side_of(struct verifying *x, const double *value, const double *lo,
				  const double *hi)
{
	return (struct side){
		value, lo, hi, x->reported_value, x->reported.lo, x->reported.hi, NULL
	};
}

static struct side side_of_bounds(struct verifying *x, const double *value, const struct bounds *b)
{
	return verify_side_of(x, value, b->lo, b->hi);
}

/* The source of the tolerance, in words. */
static const char *precision_of(const struct cluster *c, enum fs_base base)
{
	const struct cluster_meta *meta = cluster_meta(c);

	if (meta->ratio_quantum > 0)
		return base == FS_BASE_USAGE && meta->usage_quantum >= 1 ?
		       "whole numbers of usage and six decimals" : "six decimals";
	if (base == FS_BASE_REPORTED)
		return "rounding errors of doubles";
	return meta->usage_quantum >= 1 ? "whole numbers of usage" : meta->usage_quantum > 0 ?
	       "six decimals of usage" : "rounding errors of doubles";
}

/* ---- quantities ---------------------------------------------------------------------------- */

/* Doubles computed from whole numbers: one rounding per level. */
static void compare_shares(struct verifying *x)
{
	const double *s = x->m->fs->norm_shares;
	struct bounds b = bounds_new(x->tree->n);
	struct verify_row *row;
	struct side side;
	uint32_t compared = 0, wrong = 0;

	for (uint32_t i = 0; i < x->tree->n; i++) {
		double error = 4 * (x->tree->levels + 1) * 0x1p-52 * s[i];

		b.lo[i] = s[i] - error;
		b.hi[i] = s[i] + error;
	}
	verify_tell(x, F_ASSOC_R_NORM_SHARES);
	side = side_of_bounds(x, s, &b);
	verify_compare_all(x, "S", "", &side, precision_of(x->c, FS_BASE_REPORTED),
			   x->state.switched, false);
	bounds_free(&b);

	if (!cluster_col(x->c, F_ASSOC_R_LEVEL_SHARES))
		return;
	row = verify_add_row(x, "L", "");
	for (uint32_t i = 1; i < x->tree->n; i++) {
		uint32_t reported = cluster_u32(x->c, F_ASSOC_R_LEVEL_SHARES, i), own = 0;

		if (reported == U32_UNKNOWN || !fs_level_shares(x->tree, i, &own))
			continue;
		row->rows++;
		if (reported != own && wrong++ == 0)
			row->worst = i;
		row->max_abs = fmax(row->max_abs, fabs((double)reported - own));
		compared++;
	}
	if (compared == 0)
		row->verdict = VERIFY_NOT_COMPARABLE;
	else
		row->verdict = wrong ? VERIFY_DIFFERS : VERIFY_EQUAL;
	snprintf(row->why, sizeof(row->why), "%s",
		 wrong ? "whole numbers must be equal: are siblings hidden?" : "whole numbers");
}

static void compare_norm_usage(struct verifying *x)
{
	struct bounds u = bounds_new(x->tree->n);
	double *value = mem_alloc(x->tree->n, sizeof(*value));
	struct side s;

	bounds_norm_usage(x->c, FS_BASE_USAGE, &u);
	verify_tell(x, F_ASSOC_R_NORM_USAGE);
	if (x->before && !x->m->fs->tree_rank)
		passes_account_usage(x->m, x->before, &u);
	for (uint32_t i = 0; i < x->tree->n; i++)
		value[i] = fmin(fmax(x->m->fs->norm_usage[i], u.lo[i]), u.hi[i]);
	s = side_of_bounds(x, value, &u);
	verify_compare_all(x, "U", "usage", &s, precision_of(x->c, FS_BASE_USAGE), x->state.behind,
			   false);
	mem_free(value);
	bounds_free(&u);
}

/* F from the priorities of pending jobs: the term divided by the weight. */
static void tell_terms(struct verifying *x)
{
	double weight = cluster_policy(x->c)->weight[PRIO_FAIRSHARE];
	double half = verify_terms_printed(x->c) ? 0.5 : 0;	/* sprio rounds them */
	struct job_index *jobs = job_index_new(x->c);

	for (uint32_t i = 0; i < x->tree->n; i++)
		x->reported_value[i] = x->reported.lo[i] = x->reported.hi[i] = F64_UNKNOWN;
	for (uint32_t e = 0; weight > 0 && e < jobs->n; e++) {
		uint32_t p = jobs->reported[e], i = jobs->assoc[e];
		double term = p == ROW_NONE ? F64_UNKNOWN : cluster_f64(x->c, F_PRIO_FAIRSHARE, p);

		if (isnan(term) || i == ROW_NONE || (jobs->direct && jobs->direct[e] != 0))
			continue;
		/* Several jobs must agree: if not, LO is above HI. */
		x->reported_value[i] = term / weight;
		x->reported.lo[i] = fmax(x->reported.lo[i],
					 fmax(term - half, 0) / weight * (1 - 2 * WIRE_ERROR));
		x->reported.hi[i] = fmin(x->reported.hi[i],
					 (term + half) / weight * (1 + 2 * WIRE_ERROR));
	}
	job_index_free(jobs);
}

static void compare_factors(struct verifying *x, const double *f, const struct bounds *b,
			    const char *from, const char *precision, const char *excuse)
{
	struct side s;

	tell_factor(x, f);
	s = side_of_bounds(x, f, b);
	verify_compare_all(x, "F", from, &s, precision, excuse, true);
	if (cluster_rows(x->c, TABLE_PRIO) == 0)
		return;
	tell_terms(x);
	s = side_of_bounds(x, f, b);
	verify_compare_all(x, "F of jobs", from, &s, precision, excuse, true);
}

/* Compares F with the reported E, in B: F follows from E at any time. */
static void compare_reported_factors(struct verifying *x, struct ratio_bounds *b, const char *from,
				     const char *precision)
{
	const struct fs_result *fs = x->m->fs;
	double *f = mem_alloc(x->tree->n, sizeof(*f));

	verify_tell(x, F_ASSOC_R_EFFECTIVE_USAGE);
	for (uint32_t i = 0; i < x->tree->n; i++) {
		double s = fs->norm_shares[i];

		b->e.lo[i] = x->reported.lo[i];
		b->e.hi[i] = x->reported.hi[i];
		bounds_finish_row(&x->m->input, fs, b, i);
		f[i] = s == 0 ? 0 : exp2(-(x->reported_value[i] / s) / x->m->input.damping);
		f[i] = fmin(fmax(f[i], b->f.lo[i]), b->f.hi[i]);
	}
	compare_factors(x, f, &b->f, from, precision, "");
	mem_free(f);
}

/*
 * Depth-oblivious, not settled: E and R from what each pass read, F from E. B is storage for the
 * bounds.
 */
static void compare_passes(struct verifying *x, struct ratio_bounds *b, const char *from,
			   const char *precision)
{
	const char *excuse = *x->state.cold ? x->state.cold : x->state.behind;
	struct verify_passes p = passes_new(x->m, x->before, x->state.cold_family);
	double *r = mem_alloc(x->tree->n, sizeof(*r));
	struct side s = side_of_bounds(x, p.value, &p.e);
	struct verify_row *row;

	verify_tell(x, F_ASSOC_R_EFFECTIVE_USAGE);
	s.excused = p.undecided;
	verify_compare_all(x, "E", from, &s, precision, excuse, true);
	row = &x->v->rows[x->v->count - 1];
	x->undecided = row->verdict == VERIFY_NOT_COMPARABLE;
	if (row->verdict == VERIFY_EQUAL)
		snprintf(row->why, sizeof(row->why), "%s; usage of two passes is mixed", precision);
	for (uint32_t i = 0; i < x->tree->n; i++) {
		b->e.lo[i] = p.e.lo[i];
		b->e.hi[i] = p.e.hi[i];
		bounds_finish_row(&x->m->input, x->m->fs, b, i);
		r[i] = fmin(fmax(p.value[i] / x->m->fs->norm_shares[i], b->r.lo[i]), b->r.hi[i]);
	}
	tell_ratio(x);
	s = side_of_bounds(x, r, &b->r);
	s.excused = p.undecided;
	verify_compare_all(x, "R", from, &s, precision, excuse, true);
	compare_reported_factors(x, b, from, precision);
	mem_free(r);
	passes_free(&p);
}

/* Does every reported E follow from the reported U? */
static bool is_explained(struct verifying *x, const struct bounds *e)
{
	verify_tell(x, F_ASSOC_R_EFFECTIVE_USAGE);
	for (uint32_t i = 1; i < x->tree->n; i++) {
		if (!isnan(x->reported_value[i]) && !isnan(e->lo[i]) &&
		    !(x->tree->detached && x->tree->detached[i]) &&
		    (e->lo[i] > x->reported.hi[i] || x->reported.lo[i] > e->hi[i]))
			return false;
	}
	return true;
}

/* E, R and F of depth-oblivious and classic. */
static void compare_ratios(struct verifying *x, enum fs_base base, const char *from)
{
	const struct fs_result *fs = x->m->fs;
	const char *precision = precision_of(x->c, base), *excuse = x->state.cold;
	struct bounds u = bounds_new(x->tree->n);
	struct ratio_bounds b;
	struct side s;

	bounds_norm_usage(x->c, base, &u);
	bounds_ratios(&x->m->input, fs, &u, &b);
	if (base == FS_BASE_REPORTED && fs->algorithm == FS_DEPTH_OBLIVIOUS &&
	    !*x->state.switched && !is_explained(x, &b.e)) {
		compare_passes(x, &b, from, precision);
	} else {
		/* Classic computes a row from its own U and its account's E. */
		if (!*excuse && base == FS_BASE_USAGE)
			excuse = x->state.behind;
		if (*x->state.switched)
			excuse = x->state.switched;
		verify_tell(x, F_ASSOC_R_EFFECTIVE_USAGE);
		s = side_of_bounds(x, fs->effective_usage, &b.e);
		verify_compare_all(x, "E", from, &s, precision, excuse, true);
		tell_ratio(x);
		s = side_of_bounds(x, fs->effective_ratio, &b.r);
		verify_compare_all(x, "R", from, &s, precision, excuse, true);
		compare_factors(x, fs->fairshare, &b.f, from, precision, excuse);
	}
	ratio_bounds_free(&b);
	bounds_free(&u);
}

/*
 * F of Fair Tree is a quotient of whole numbers, within RANKS as far as the precision of levels
 * allows. OURS is storage for the range of a row; if no number fits, it is the computed value.
 */
static uint32_t allow_ranks(struct verifying *x, const struct bounds *ranks, struct bounds *ours)
{
	const double *f = x->m->fs->fairshare;
	double users = x->tree->users;
	uint32_t open = 0;

	for (uint32_t i = 0; i < x->tree->n; i++) {
		double lo = x->reported.lo[i], hi = x->reported.hi[i], rank;

		ours->lo[i] = f[i] * (1 - 2 * WIRE_ERROR);
		ours->hi[i] = f[i] * (1 + 2 * WIRE_ERROR);
		rank = fmax(ranks->lo[i], ceil(lo * users * (1 - 1e-12)));
		if (isnan(ranks->lo[i]) || isnan(lo) || rank > ranks->hi[i] ||
		    rank > hi * users * (1 + 1e-12) || (lo <= ours->hi[i] && ours->lo[i] <= hi))
			continue;
		ours->lo[i] = fmin(ours->lo[i], lo);
		ours->hi[i] = fmax(ours->hi[i], hi);
		open++;
	}
	return open;
}

/* Checks the reported numbers against each other, whatever the levels. */
static void verify_find_gap(struct verifying *x, struct verify_row *row)
{
	uint32_t gap = ranks_find_gap(x->tree, &x->reported, x->state.is_young);

	if (gap == ROW_NONE || *x->state.switched || row->verdict == VERIFY_DIFFERS)
		return;
	row->verdict = VERIFY_DIFFERS;
	row->worst = gap;
	snprintf(row->why, sizeof(row->why), "no order of %u users gives these numbers: one user's "
		 "is neither the number of users left nor that of the user before",
		 (unsigned)x->tree->users);
}

static void compare_tree_factor(struct verifying *x, const struct bounds *ranks, const char *what,
				const char *from, const char *excuse)
{
	struct bounds ours = bounds_new(x->tree->n);
	uint32_t open = allow_ranks(x, ranks, &ours);
	struct side s = side_of_bounds(x, x->m->fs->fairshare, &ours);
	struct verify_row *row;

	verify_compare_all(x, what, from, &s, "whole numbers", excuse, true);
	row = &x->v->rows[x->v->count - 1];
	if (excuse == x->state.young && row->rows > 0 && row->verdict == VERIFY_NOT_COMPARABLE)
		x->undecided = true;
	if (row->verdict == VERIFY_EQUAL)
		snprintf(row->why, sizeof(row->why),
			 "whole numbers out of %u; siblings in %s order%s",
			 (unsigned)x->tree->users, fs_order_name(x->tree->order),
			 open ? "; some ranks are closer than the precision" : "");
	bounds_free(&ours);
}

static void compare_tree_factors(struct verifying *x, const struct bounds *level, const char *from,
				 const char *excuse)
{
	struct bounds ranks = bounds_new(x->tree->n);

	bounds_ranks(x->tree, level, x->m->fs, &ranks);
	verify_tell(x, F_ASSOC_R_FAIRSHARE);
	compare_tree_factor(x, &ranks, "F", from, excuse);
	verify_find_gap(x, &x->v->rows[x->v->count - 1]);
	if (cluster_rows(x->c, TABLE_PRIO) > 0) {
		tell_terms(x);
		compare_tree_factor(x, &ranks, "F of jobs", from, excuse);
	}
	bounds_free(&ranks);
}

static void compare_fair_tree(struct verifying *x, enum fs_base base, const char *from)
{
	const struct fs_result *fs = x->m->fs;
	const char *precision = precision_of(x->c, base);
	const char *excuse = *x->state.switched ? x->state.switched : x->state.young;
	const bool reported = base == FS_BASE_REPORTED;
	const bool *near = excuse == x->state.young ? x->state.near_young : NULL;
	struct bounds e, level, levels;
	struct side s;

	if (!*excuse && !reported)
		excuse = x->state.behind;
	bounds_levels(&x->m->input, fs, &e, &level);
	if (!reported) {
		verify_tell(x, F_ASSOC_R_EFFECTIVE_USAGE);
		s = side_of_bounds(x, fs->effective_usage, &e);
		s.excused = near;
		verify_compare_all(x, "E", from, &s, precision, excuse, true);
	}
	/*
	 * From reported usage the engine uses the reported level_fs; here the formula is applied.
	 */
	for (uint32_t i = 0; i < x->tree->n && reported; i++)
		e.lo[i] = level.lo[i] == level.hi[i] ? level.lo[i] :
			  fs->norm_shares[i] / fs->effective_usage[i];
	verify_tell(x, F_ASSOC_R_LEVEL_FS);
	s = side_of_bounds(x, reported ? e.lo : fs->level_fs, &level);
	s.excused = near;
	verify_compare_all(x, "Level FS", reported ? "reported E" : from, &s, precision, excuse,
			   true);
	bounds_reported_levels(&x->m->input, &level, &levels);
	compare_tree_factors(x, reported ? &levels : &level,
			     reported ? "reported Level FS" : from, excuse);
	bounds_free(&levels);
	bounds_free(&e);
	bounds_free(&level);
}

/*
 * Directly under the root E is U in all algorithms. The engine removes a single row that differs
 * from the tree, as it may belong elsewhere (excerpt.c): so it is compared here.
 */
static void compare_first_level(struct verifying *x)
{
	uint32_t telling, worst;
	struct verify_row *row;

	if (!x->tree->unplaced || cluster_is_partial(x->c) ||
	    fs_misplaced(x->tree, x->c, &telling, &worst) != 1 || telling < 3)
		return;
	row = verify_add_row(x, "E below the root", "reported U");
	row->rows = telling;
	row->worst = worst;
	row->verdict = VERIFY_DIFFERS;
	row->max_abs = fabs(cluster_f64(x->c, F_ASSOC_R_EFFECTIVE_USAGE, worst) -
			    cluster_f64(x->c, F_ASSOC_R_NORM_USAGE, worst));
	snprintf(row->why, sizeof(row->why), "directly below the root E is U in all algorithms");
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void verify_base(struct verifying *x, const struct model *m, enum fs_base base)
{
	const char *from = base == FS_BASE_REPORTED ? "reported U" : "usage";

	x->m = m;
	x->tree = m->tree;
	if (base == FS_BASE_USAGE && fs_base_available(x->c, FS_BASE_REPORTED))
		compare_norm_usage(x);
	if (m->fs->tree_rank)
		compare_fair_tree(x, base, from);
	else
		compare_ratios(x, base, from);
}

static struct model *model_of(const struct cluster *c, const struct model_options *options,
			      enum fs_base base)
{
	struct model_options wish = { -1, (int)base, -1 };
	struct model *m;

	if (options) {
		wish.algorithm = options->algorithm;
		wish.order = options->order;
	}
	m = model_new(c, &wish, NULL);
	if (m)
		fs_leave_reported(m->fs);	/* otherwise it would be compared with itself */
	return m;
}

static void verify_conclude(struct verifying *x)
{
	struct verify *v = x->v;
	const char *reason = *x->state.nothing ? x->state.nothing : x->excused;

	/* With another algorithm's shares no agreement counts as a result. */
	v->undecided = x->undecided || *x->state.cold || x->state.uncomputed;
	v->exit_code = x->compared && !*x->state.switched && !x->undecided ? 0 : ERR_NOTHING;
	for (size_t i = 0; i < v->count; i++) {
		if (v->rows[i].verdict == VERIFY_DIFFERS)
			v->exit_code = 1;
	}
	if (!*reason && v->exit_code == ERR_NOTHING)
		reason = "the scheduler reports nothing that could be compared";
	snprintf(v->reason, sizeof(v->reason), "%s", reason);
}

struct verify *verify_run(const struct cluster *c, const struct model_options *options)
{
	return verify_across(c, NULL, options);
}

struct verify *verify_across(const struct cluster *c, const struct cluster *before,
			     const struct model_options *options)
{
	struct verify *v = mem_zalloc(1, sizeof(*v));
	struct verifying x = { .c = c, .before = before, .v = v, .excused = "" };
	struct model *reported, *usage;
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	if (fs_algorithm_of_cluster(c) == FS_PBS) {
		verify_pbs(c, v);
		return v;
	}
	if (fs_algorithm_of_cluster(c) == FS_LSF) {
		verify_lsf(c, v);
		return v;
	}
	reported = model_of(c, options, FS_BASE_REPORTED);
	usage = model_of(c, options, FS_BASE_USAGE);
	x.reported = bounds_new(n);
	x.reported_value = mem_alloc(n, sizeof(double));
	x.m = reported ? reported : usage;
	if (x.m)
		verify_state(x.m, &x.state);
	if (before && *x.state.behind)
		snprintf(x.state.behind, sizeof(x.state.behind),
			 "raw usage has changed since these were computed: they are compared from "
			 "the reported values, across two passes");
	if (!x.m)
		snprintf(x.state.nothing, sizeof(x.state.nothing),
			 "the source reports neither usage ratios nor raw usage");
	if (!*x.state.nothing) {
		x.tree = x.m->tree;
		compare_shares(&x);
		compare_first_level(&x);
		if (reported)
			verify_base(&x, reported, FS_BASE_REPORTED);
		if (usage)
			verify_base(&x, usage, FS_BASE_USAGE);
		else
			add_absent(&x, "U", "usage", "the source reports no raw usage");
		verify_jobs(x.m, *x.state.switched != '\0', v);
	}
	verify_conclude(&x);
	verify_state_free(&x.state);
	mem_free(x.reported_value);
	bounds_free(&x.reported);
	model_free(usage);
	model_free(reported);
	return v;
}

void verify_free(struct verify *v)
{
	if (!v)
		return;
	mem_free(v->rows);
	mem_free(v);
}
