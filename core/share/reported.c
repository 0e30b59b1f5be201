/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's own values of quantities computed here: taken if an input is unknown, otherwise
 * compared.
 */
#include "core/share/fairshare_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/mem.h"

/* Rounding errors of doubles that passed a protocol and a formula. */
#define SLACK 1e-9

/* Last digit of pbsfs, which prints a percentage with three decimals. */
#define PERCENT_DIGIT 1e-5

#define LN2 0.69314718055994531

static const struct {
	size_t offset;
	enum field field;
} quantities[FS_NUMBER_COUNT] = {
	[FS_NUMBER_S] = { offsetof(struct fs_result, norm_shares), F_ASSOC_R_NORM_SHARES },
	[FS_NUMBER_U] = { offsetof(struct fs_result, norm_usage), F_ASSOC_R_NORM_USAGE },
	[FS_NUMBER_E] = { offsetof(struct fs_result, effective_usage), F_ASSOC_R_EFFECTIVE_USAGE },
	[FS_NUMBER_LEVEL] = { offsetof(struct fs_result, level_fs), F_ASSOC_R_LEVEL_FS },
	[FS_NUMBER_F] = { offsetof(struct fs_result, fairshare), F_ASSOC_R_FAIRSHARE },
};

static double *reported_array_of(const struct fs_result *r, enum fs_number what)
{
	double *array;

	memcpy(&array, (const char *)r + quantities[what].offset, sizeof(array));
	return array;
}

enum fs_number fs_number_of(size_t offset)
{
	enum fs_number what = 0;

	while (what < FS_NUMBER_COUNT && quantities[what].offset != offset)
		what++;
	return what;
}

/* ---- what is reported ---------------------------------------------------------------------- */

/* Does the scheduler's algorithm have this number, and was it computed? */
static bool is_quantity(const struct fs_tree *t, enum fs_number what, uint32_t row)
{
	bool fair_tree = t->reported_by == FS_FAIR_TREE, parent = t->shares[row] == SHARES_PARENT;

	switch (what) {
	case FS_NUMBER_U:
		return row != 0;
	case FS_NUMBER_LEVEL:
		return fair_tree && row != 0 && !parent;
	case FS_NUMBER_F:
		/* Up to 25.05 sshare and jobs disagree for fairshare=parent under the root. */
		return fair_tree ? t->is_user[row] :
		       t->tells_factors && !(parent && t->fs_parent[row] == 0);
	case FS_NUMBER_S:
	case FS_NUMBER_E:
	case FS_NUMBER_COUNT:
		break;
	}
	return what != FS_NUMBER_COUNT;
}

double fs_reported(const struct fs_input *in, enum fs_number what, uint32_t row)
{
	double x = what == FS_NUMBER_COUNT ? F64_UNKNOWN :
		   cluster_f64(in->cluster, quantities[what].field, row);

	if (!is_quantity(in->tree, what, row) || !(fs_is_reported(x) || isinf(x)))
		return F64_UNKNOWN;
	return x;
}

/* Is the reported number the same quantity? U is the same everywhere; pbsfs only prints S. */
static bool is_the_same(const struct fs_input *in, const struct fs_result *r, enum fs_number what)
{
	enum fs_algorithm theirs = in->tree->reported_by;

	if (theirs == FS_PBS || theirs == FS_LSF)
		return theirs == FS_PBS && r->algorithm == FS_PBS && what == FS_NUMBER_S;
	return what == FS_NUMBER_U || r->algorithm == theirs ||
	       (what != FS_NUMBER_F && theirs == FS_FAIR_TREE &&
		r->algorithm == FS_FAIR_TREE_DOCUMENTED);
}

double fs_reported_number(const struct fs_input *in, const struct fs_result *r, enum fs_number what,
			  uint32_t row)
{
	if (!reported_array_of(r, what) || !is_the_same(in, r, what) ||
	    (in->tree->detached && in->tree->detached[row]))
		return F64_UNKNOWN;
	return fs_reported(in, what, row);
}

/* ---- taken --------------------------------------------------------------------------------- */

/*
 * Is the number of ROW not computed? With reported values Fair Tree uses the reported level_fs,
 * whatever S is.
 */
static bool reported_is_open(const struct fs_input *in, const double *array, enum fs_number what,
			     uint32_t row)
{
	return !f64_known(array[row]) ||
	       (what == FS_NUMBER_LEVEL && in->base == FS_BASE_REPORTED && row != 0 &&
		!in->tree->family_known[in->tree->family[row]]);
}

static void reported_take(const struct fs_input *in, struct fs_result *r, enum fs_number what)
{
	double *array = reported_array_of(r, what);

	for (uint32_t i = 0; array && i < r->n; i++) {
		double reported = reported_is_open(in, array, what, i)
					  ? fs_reported_number(in, r, what, i)
					  : F64_UNKNOWN;

		if (!f64_known(reported))
			continue;
		if (!r->reported)
			r->reported = mem_zalloc(r->n, 1);
		array[i] = reported;
		r->reported[i] |= (uint8_t)(1u << what);
	}
}

void fs_take_reported(const struct fs_input *in, struct fs_result *r)
{
	/* Not for PBS, whose other values must be computed from the same S. */
	for (enum fs_number what = 0; r->algorithm != FS_PBS && what < FS_NUMBER_COUNT; what++) {
		if (is_the_same(in, r, what))
			reported_take(in, r, what);
	}
}

void fs_leave_reported(struct fs_result *r)
{
	for (enum fs_number what = 0; r->reported && what < FS_NUMBER_COUNT; what++) {
		for (uint32_t i = 0; i < r->n; i++) {
			if (fs_is_taken(r, what, i))
				reported_array_of(r, what)[i] = F64_UNKNOWN;
		}
	}
	mem_free(r->reported);
	r->reported = NULL;
}

/* ---- compared ------------------------------------------------------------------------------ */

/* Relative error of the usage of ROW; infinite if it was rounded to 0. */
static double usage_error(const struct fs_input *in, uint32_t row)
{
	const struct cluster_meta *meta = cluster_meta(in->cluster);
	bool reported = in->base == FS_BASE_REPORTED;
	double quantum = reported ? meta->ratio_quantum / 2 : meta->usage_quantum;

	if (!(quantum > 0))
		return 0;
	return quantum / cluster_f64(in->cluster, reported ? F_ASSOC_R_NORM_USAGE : F_ASSOC_USAGE,
				     row);
}

/* Relative error of E and R, which depend on the usage of siblings and ancestors, too. */
static double ratio_error(const struct fs_input *in, uint32_t row)
{
	double error = 0;

	for (uint32_t i = row; i != 0; i = in->tree->fs_parent[i])
		error += 2 * usage_error(in, i);
	return in->base == FS_BASE_USAGE ? error + usage_error(in, 0) : error;
}

/* Bound of the error of the computed number X due to its inputs. */
static double own_error(const struct fs_input *in, const struct fs_result *r, enum fs_number what,
			uint32_t row, double x)
{
	switch (what) {
	case FS_NUMBER_U:
		return x * (usage_error(in, row) + usage_error(in, 0));
	case FS_NUMBER_E:
	case FS_NUMBER_LEVEL:
		if (r->level_fs)
			return x * (usage_error(in, row) +
				    usage_error(in, in->tree->fs_parent[row]));
		return x * ratio_error(in, row);
	case FS_NUMBER_F:
		if (r->level_fs)
			return 0.4 / in->tree->users;
		return x * LN2 / in->damping * r->effective_ratio[row] * ratio_error(in, row);
	case FS_NUMBER_S:
	case FS_NUMBER_COUNT:
		break;
	}
	return 0;
}

/* Error due to the last digit of REPORTED. pbsfs prints percentages that are floats. */
static double digits_of(const struct fs_input *in, double reported)
{
	bool pbs = in->tree->reported_by == FS_PBS;
	double quantum = pbs ? PERCENT_DIGIT : cluster_meta(in->cluster)->ratio_quantum;

	return quantum / 2 * (1 + 1e-6) + (pbs ? 4 * (double)FLT_EPSILON : SLACK) * fabs(reported);
}

enum value_origin fs_origin(const struct fs_input *in, const struct fs_result *r,
			    enum fs_number what, uint32_t row)
{
	double reported =
		what == FS_NUMBER_COUNT ? F64_UNKNOWN : fs_reported_number(in, r, what, row);
	double x, digits;

	if (!f64_known(reported))
		return VALUE_COMPUTED;
	if (fs_is_taken(r, what, row))
		return VALUE_REPORTED;
	x = reported_array_of(r, what)[row];
	digits = digits_of(in, reported);
	if (x == reported || !f64_known(x) || fabs(x - reported) <= digits)
		return VALUE_COMPUTED;
	return row != 0 && fabs(x - reported) > digits + own_error(in, r, what, row, x) ?
	       VALUE_DIFFERS : VALUE_COMPUTED;
}
