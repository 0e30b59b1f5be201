/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The range of results that the precision of the inputs allows.
 *
 * A source gives numbers with a last digit: ratios of sshare have six decimals (rounded, so
 * +-5e-7), raw usage is an integer cut off (between W and W + 1) or has six decimals, and doubles
 * come through the scheduler's protocol multiplied by 10^6 (an error of a unit in the last place or
 * so). Each formula of the two ratio algorithms is monotonic in each input:
 *
 *	classic		E = U (1 - s/L) + E(p) s/L grows with U and with E(p)
 *	depth-oblivious	r_l grows with U and falls with the siblings' usage;
 *			ln R = ln R_p + k(R_p) ln r_l grows with ln r_l since k >= 0, and with
 *			ln R_p: where k = 1 evidently; elsewhere its derivative is
 *			1 - 50 ln R_p ln r_l k^2 and the logarithms have opposite signs, so it is
 *			above 1
 *	F		falls with R
 *	Fair Tree	S / (W / W_p) falls with W and grows with W_p
 *
 * So the ends of the results follow from the ends of the inputs, without assumptions about how
 * errors add up. To cover rounding in the formulas, each level is widened by a few units in the
 * last place, times what a logarithm loses.
 */
#include "core/verify/verify_private.h"

#include <float.h>
#include <math.h>

#include "core/base/mem.h"

/* Relative rounding error of one level of a formula; the library functions are good to 4 units. */
#define ROUNDING (32 * DBL_EPSILON)

/*
 * With at least six decimals, raw usage shown as 0 is 0: half a millionth of a TRES-second does not
 * occur.
 */
#define FINE_QUANTUM 1e-6

/* The engine sets factors below about this size to 0. */
#define NO_FACTOR 1e-290

struct bounds bounds_new(uint32_t n)
{
	return (struct bounds){ mem_alloc(n, sizeof(double)), mem_alloc(n, sizeof(double)) };
}

void bounds_free(struct bounds *b)
{
	mem_free(b->lo);
	mem_free(b->hi);
}

static double at_least_zero(double x)
{
	return x < 0 ? 0 : x;
}

static double at_most_one(double x)
{
	return x > 1 ? 1 : x;
}

void bounds_of_ratio(double value, double quantum, double *lo, double *hi)
{
	double error = quantum > 0 ? quantum / 2 * (1 + 1e-9) : 0;

	*lo = at_least_zero(value - error) * (1 - WIRE_ERROR);
	*hi = (value + error) * (1 + WIRE_ERROR);
}

/* W: truncated if the last digit is a whole number, else rounded. */
static void bounds_of_usage(double value, double quantum, double *lo, double *hi)
{
	double error = quantum / 2;

	if (value == 0 && quantum <= FINE_QUANTUM) {
		*lo = *hi = 0;
	} else if (quantum >= 1) {
		*lo = value;
		*hi = value + quantum;
	} else {
		*lo = at_least_zero(value - error);
		*hi = value + error;
	}
}

static double divide_usage(double part, double whole, double rounding)
{
	if (part == 0)
		return 0;
	return part / whole * rounding;
}

void bounds_norm_usage(const struct cluster *c, enum fs_base base, struct bounds *u)
{
	const struct cluster_meta *meta = cluster_meta(c);
	double root_lo, root_hi, lo, hi;

	bounds_of_usage(cluster_f64(c, F_ASSOC_USAGE, 0), meta->usage_quantum, &root_lo, &root_hi);
	u->lo[0] = u->hi[0] = F64_UNKNOWN;
	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		double reported = cluster_f64(c, F_ASSOC_R_NORM_USAGE, i);

		if (base == FS_BASE_REPORTED) {
			if (!fs_is_reported(reported))
				reported = F64_UNKNOWN;
			bounds_of_ratio(reported, meta->ratio_quantum, &u->lo[i], &u->hi[i]);
		} else {
			bounds_of_usage(cluster_f64(c, F_ASSOC_USAGE, i), meta->usage_quantum, &lo,
					&hi);
			u->lo[i] = divide_usage(lo, root_hi, 1 - ROUNDING);
			u->hi[i] = divide_usage(hi, root_lo, 1 + ROUNDING);
		}
		u->hi[i] = at_most_one(u->hi[i]);
	}
}

/* ---- depth-oblivious and classic ----------------------------------------------------------- */

/* Usage of a family without members with fairshare=parent. */
struct bounds_sums {
	double *lo, *hi;
};

static struct bounds_sums bounds_sums_new(const struct fs_tree *t, const struct bounds *u)
{
	struct bounds_sums s = { mem_zalloc(t->families, sizeof(double)),
			  mem_zalloc(t->families, sizeof(double)) };

	for (uint32_t i = 1; i < t->n; i++) {
		if (t->shares[i] != SHARES_PARENT) {
			s.lo[t->family[i]] += u->lo[i];
			s.hi[t->family[i]] += u->hi[i];
		}
	}
	return s;
}

static double bounds_widen(double x, double by)
{
	return x * (1 + by * (2 + (x > 0 && isfinite(x) ? fabs(log(x)) : 0)));
}

/* R of a row with local ratio LOCAL below a parent with ratio ABOVE. */
static double effective_ratio(double above, double local)
{
	double a = log(above), b = log(local);

	if (above == 0 || local == 0)
		return 0;
	return exp(a + (a * b >= 0 ? b : b / (1 + 25 * a * a)));
}

static double local_ratio(double own, double others, double shares, double above_shares)
{
	return own == 0 ? 0 : own / shares * above_shares / (own + others);
}

/* The depth-oblivious formula for both ends of E. */
static void oblivious_row(const struct fs_tree *t, const struct fs_result *fs,
			  const struct bounds *u, const struct bounds_sums *sums,
			  const struct ratio_bounds *out, uint32_t i, double *lo, double *hi)
{
	uint32_t p = t->fs_parent[i], f = t->family[i];
	double s = fs->norm_shares[i], above = fs->norm_shares[p];
	double slack = ROUNDING * sums->hi[f];
	double others_lo = at_least_zero(sums->lo[f] - u->lo[i] - slack);
	double others_hi = at_least_zero(sums->hi[f] - u->hi[i] + slack);

	if (s == 0 || above == 0 || u->hi[i] == 0 || out->e.hi[p] == 0) {
		*lo = u->lo[i];
		*hi = u->hi[i];
		return;
	}
	*lo = s * bounds_widen(
			  effective_ratio(out->r.lo[p], local_ratio(u->lo[i], others_hi, s, above)),
			  -ROUNDING);
	*hi = s * bounds_widen(
			  effective_ratio(out->r.hi[p], local_ratio(u->hi[i], others_lo, s, above)),
			  ROUNDING);
	/* If the parent may be unused, E may be U. */
	if (out->e.lo[p] == 0 && u->hi[i] > *hi)
		*hi = u->hi[i];
}

static void classic_row(const struct fs_tree *t, const struct bounds *u,
			const struct ratio_bounds *out, uint32_t i, double *lo, double *hi)
{
	uint32_t p = t->fs_parent[i], f = t->family[i];
	double part = t->family_shares[f] == 0 ? 1 : (double)t->shares[i] / t->family_shares[f];

	if (!t->family_known[f])
		part = F64_UNKNOWN;
	if (t->family_shares[f] == 0 && t->family_known[f]) {
		*lo = out->e.lo[p];
		*hi = out->e.hi[p];
		return;
	}
	*lo = (u->lo[i] + (out->e.lo[p] - u->lo[i]) * part) * (1 - ROUNDING);
	*hi = (u->hi[i] + (out->e.hi[p] - u->hi[i]) * part) * (1 + ROUNDING);
}

void bounds_finish_row(const struct fs_input *in, const struct fs_result *fs,
		       struct ratio_bounds *out, uint32_t i)
{
	const struct fs_tree *t = in->tree;
	double s = fs->norm_shares[i], lo, hi;

	out->r.lo[i] = s == 0 ? F64_UNKNOWN : out->e.lo[i] / s * (1 - ROUNDING);
	out->r.hi[i] = s == 0 ? F64_UNKNOWN : out->e.hi[i] / s * (1 + ROUNDING);
	lo = out->r.lo[i];
	hi = out->r.hi[i];
	if (i == 0 || (t->shares[i] == SHARES_PARENT && t->fs_parent[i] == 0))
		lo = hi = 1;
	if (s == 0) {
		out->f.lo[i] = out->f.hi[i] = 0;
		return;
	}
	/* Rounding of the exponent is absolute. */
	out->f.lo[i] = exp2(-hi / in->damping) * (1 - ROUNDING * (1 + hi / in->damping));
	if (out->f.lo[i] < NO_FACTOR)
		out->f.lo[i] = 0;
	out->f.hi[i] = exp2(-lo / in->damping) * (1 + ROUNDING * (1 + lo / in->damping));
}

void bounds_ratios(const struct fs_input *in, const struct fs_result *fs, const struct bounds *u,
		   struct ratio_bounds *out)
{
	const struct fs_tree *t = in->tree;
	struct bounds_sums sums = bounds_sums_new(t, u);

	*out = (struct ratio_bounds){ bounds_new(t->n), bounds_new(t->n), bounds_new(t->n) };
	out->e.lo[0] = out->e.hi[0] = 1;
	bounds_finish_row(in, fs, out, 0);
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t p = t->fs_parent[i];

		if (p == 0) {
			out->e.lo[i] = u->lo[i];
			out->e.hi[i] = u->hi[i];
		} else if (t->shares[i] == SHARES_PARENT) {
			out->e.lo[i] = out->e.lo[p];
			out->e.hi[i] = out->e.hi[p];
		} else if (fs->algorithm == FS_CLASSIC) {
			classic_row(t, u, out, i, &out->e.lo[i], &out->e.hi[i]);
		} else {
			oblivious_row(t, fs, u, &sums, out, i, &out->e.lo[i], &out->e.hi[i]);
		}
		bounds_finish_row(in, fs, out, i);
	}
	mem_free(sums.lo);
	mem_free(sums.hi);
}

void ratio_bounds_free(struct ratio_bounds *b)
{
	bounds_free(&b->e);
	bounds_free(&b->r);
	bounds_free(&b->f);
}

/* ---- Fair Tree ----------------------------------------------------------------------------- */

static void level_row(double part, double e_lo, double e_hi, double *lo, double *hi)
{
	if (part == 0) {
		*lo = *hi = 0;
		return;
	}
	*lo = e_hi == 0 ? INFINITY : part / e_hi * (1 - ROUNDING);
	*hi = e_lo == 0 ? INFINITY : part / e_lo * (1 + ROUNDING);
	if (isnan(e_lo) || isnan(part))
		*lo = *hi = F64_UNKNOWN;
}

void bounds_levels(const struct fs_input *in, const struct fs_result *fs, struct bounds *e,
		   struct bounds *level)
{
	const struct fs_tree *t = in->tree;
	const struct cluster *c = in->cluster;
	const struct cluster_meta *meta = cluster_meta(c);
	double lo, hi, above_lo, above_hi;

	*e = bounds_new(t->n);
	*level = bounds_new(t->n);
	e->lo[0] = e->hi[0] = 1;
	level->lo[0] = level->hi[0] = F64_UNKNOWN;
	for (uint32_t i = 1; i < t->n; i++) {
		if (in->base == FS_BASE_REPORTED) {
			bounds_of_ratio(cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, i),
					meta->ratio_quantum, &e->lo[i], &e->hi[i]);
		} else {
			bounds_of_usage(cluster_f64(c, F_ASSOC_USAGE, i), meta->usage_quantum, &lo,
					&hi);
			bounds_of_usage(cluster_f64(c, F_ASSOC_USAGE, t->fs_parent[i]),
					meta->usage_quantum, &above_lo, &above_hi);
			e->lo[i] = divide_usage(lo, above_hi, 1 - ROUNDING);
			e->hi[i] = divide_usage(hi, above_lo, 1 + ROUNDING);
		}
		level_row(fs->norm_shares[i], e->lo[i], e->hi[i], &level->lo[i], &level->hi[i]);
		if (t->shares[i] == SHARES_PARENT)
			level->lo[i] = level->hi[i] =
				t->is_user[i] ? INFINITY : (double)U32_UNKNOWN;
	}
}

void bounds_reported_levels(const struct fs_input *in, const struct bounds *level,
			    struct bounds *reported)
{
	const struct cluster *c = in->cluster;
	double lo, hi;

	*reported = bounds_new(in->tree->n);
	for (uint32_t i = 0; i < in->tree->n; i++) {
		double value = cluster_f64(c, F_ASSOC_R_LEVEL_FS, i);

		reported->lo[i] = level->lo[i];
		reported->hi[i] = level->hi[i];
		if (isnan(value) || in->tree->shares[i] == SHARES_PARENT)
			continue;
		bounds_of_ratio(value, cluster_meta(c)->ratio_quantum, &lo, &hi);
		/* If the two are apart, those of the reported level count. */
		if (!(lo <= level->hi[i] && level->lo[i] <= hi)) {
			reported->lo[i] = lo;
			reported->hi[i] = hi;
			continue;
		}
		reported->lo[i] = fmax(lo, level->lo[i]);
		reported->hi[i] = fmin(hi, level->hi[i]);
	}
}
