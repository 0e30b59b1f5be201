/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the algorithms share: where U comes from, and the factor.
 */
#include "core/share/fairshare_private.h"

#include <math.h>

double fs_factor(double ratio, double damping)
{
	return exp2(-ratio / damping);
}

bool fs_is_reported(double ratio)
{
	return f64_known(ratio) && ratio < (double)U32_UNKNOWN;
}

void fs_norm_usage(const struct fs_input *in, double *out)
{
	bool reported = in->base == FS_BASE_REPORTED;
	const double *source = cluster_col_f64(in->cluster, reported ? F_ASSOC_R_NORM_USAGE :
							      F_ASSOC_USAGE);
	/* By an infinite whole: 0 while nothing was used. */
	double whole = source && source[0] != 0 ? source[0] : (double)INFINITY;

	for (uint32_t i = 1; i < in->tree->n; i++) {
		double x = source ? source[i] : F64_UNKNOWN, u = x / whole;

		if (reported)
			out[i] = fs_is_reported(x) ? x : F64_UNKNOWN;
		else
			out[i] = u > 1 ? 1 : u;
	}
	out[0] = F64_UNKNOWN;
}
