/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the algorithms share: the source of U, and the factor. */
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

/* Inputs of U: the reported ratios, else usage and its total. */
struct norm {
	const double *source;
	double whole;
	bool reported;
};

static struct norm usage_norm_of(const struct fs_input *in)
{
	bool reported = in->base == FS_BASE_REPORTED;
	const double *source = cluster_col_f64(in->cluster, reported ? F_ASSOC_R_NORM_USAGE :
							      F_ASSOC_USAGE);

	/* Dividing by infinity gives 0 while nothing was used. */
	return (struct norm){ source, source && source[0] != 0 ? source[0] : (double)INFINITY,
			      reported };
}

static inline double norm_usage(const struct norm *n, uint32_t i)
{
	double x = n->source ? n->source[i] : F64_UNKNOWN, u = x / n->whole;

	if (n->reported)
		return fs_is_reported(x) ? x : F64_UNKNOWN;
	return u > 1 ? 1 : u;
}

void fs_norm_usage(const struct fs_input *in, double *out)
{
	const struct norm n = usage_norm_of(in);

	for (uint32_t i = 1; i < in->tree->n; i++)
		out[i] = norm_usage(&n, i);
	out[0] = F64_UNKNOWN;
}

void fs_norm_usage_of(const struct fs_input *in, const uint32_t *rows, uint32_t count, double *out)
{
	const struct norm n = usage_norm_of(in);

	for (uint32_t i = 0; i < count; i++)
		out[rows[i]] = norm_usage(&n, rows[i]);
	out[0] = F64_UNKNOWN;
}
