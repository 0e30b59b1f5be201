/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/depth_oblivious_kernel.h"

#include <math.h>

#include "core/fairshare.h"

static const double ln2 = 0.693147180559945309417;

/* Logarithms this close to 0 are rounding: the ratio is 1, and k is 1 by definition. */
#define ROUNDING 1e-15

void do_kernel_accounts(const struct do_rows *r, const struct do_family *families)
{
	for (uint32_t i = 0; i < r->count; i++) {
		const struct do_family *f = &families[r->family[i]];
		double s = r->shares[i] * f->shares_scale;
		double u = r->norm_usage[i];
		double own = s > 0 ? u / s : NAN;
		bool formula = f->applies > 0 && !(s == 0) && !(u == 0);
		double l = log(formula ? own * f->sum_scale : own);
		double k = f->log_ratio * l >= 0 || fabs(l) < ROUNDING ? 1 : f->against;

		l = formula ? f->log_ratio + k * l : l;
		r->norm_shares[i] = s;
		r->effective_ratio[i] = formula ? exp(l) : own;
		r->effective_usage[i] = formula ? r->effective_ratio[i] * s : u;
		r->log_ratio[i] = l;
	}
}

void do_kernel_rows(const struct do_rows *r, const struct do_family *families, double damping)
{
	double scale = -ln2 / damping;

	for (uint32_t i = 0; i < r->count; i++) {
		const struct do_family *f = &families[r->family[i]];
		bool parent = r->shares[i] == SHARES_PARENT, first = f->applies < 0;
		bool borrows = parent && !first;
		double s = parent ? f->shares : r->shares[i] * f->shares_scale;
		double u = r->norm_usage[i];
		double own = s > 0 ? u / s : NAN;
		bool formula = f->applies > 0 && !parent && !(s == 0) && !(u == 0);
		double local = formula ? own * f->sum_scale : NAN;
		double l = log(formula ? local : 1);
		double k = f->log_ratio * l >= 0 || fabs(l) < ROUNDING ? 1 : f->against;
		double ratio = formula ? exp(f->log_ratio + k * l) : borrows ? f->ratio : own;
		double e = formula ? ratio * s : borrows ? f->effective : u;
		double factor = exp(scale * (parent && first ? 1 : ratio));

		r->norm_shares[i] = s;
		r->effective_usage[i] = e;
		r->usage_ratio[i] = own;
		r->local_ratio[i] = local;
		r->k[i] = isnan(local) ? NAN : k;
		r->effective_ratio[i] = ratio;
		r->fairshare[i] = s == 0 ? 0 : factor;
		r->branch[i] = isnan(e + s) ? FS_BRANCH_UNKNOWN : first ? FS_BRANCH_FIRST_LEVEL :
			       parent ? FS_BRANCH_PARENT : formula ? FS_BRANCH_FORMULA : FS_BRANCH_ZERO;
	}
}
