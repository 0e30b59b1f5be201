/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBS: percentages and usage against what pbsfs prints of the same files.
 *
 * pbsfs prints percent with three decimals, of a number in single precision, and usage in whole
 * numbers: nothing else limits the comparison.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/verify_private.h"

#define PERCENT_DIGIT 1e-5		/* the last digit of Perc, as a ratio */
#define USAGE_DIGIT 1.0

static struct verify_row *add_row(struct verify *v, const char *quantity)
{
	struct verify_row *row;

	v->rows = mem_grow(v->rows, &v->capacity, v->count + 1, sizeof(*v->rows));
	row = &v->rows[v->count++];
	memset(row, 0, sizeof(*row));
	snprintf(row->quantity, sizeof(row->quantity), "%s", quantity);
	row->worst = ROW_NONE;
	return row;
}

/* Own and told numbers agree if rounding to DIGIT, and PRECISION of the number, allow it. */
static void compare_column(struct verify_row *row, const double *own, const double *told,
			   uint32_t n, double digit, double precision)
{
	double worst = -1;
	uint32_t differing = 0;

	for (uint32_t i = 0; own && told && i < n; i++) {
		double off = fabs(own[i] - told[i]), allowed, size = fabs(told[i]);

		if (isnan(off))
			continue;
		allowed = digit / 2 * (1 + 1e-9) + precision * size;
		row->rows++;
		differing += off > allowed;
		row->max_abs = fmax(row->max_abs, off);
		row->max_rel = fmax(row->max_rel, size > 0 ? off / size : 0);
		if (off / allowed > worst) {
			worst = off / allowed;
			row->worst = i;
			row->tolerance = size > 0 ? allowed / size : allowed;
		}
	}
	row->verdict = row->rows == 0 ? VERIFY_NOT_COMPARABLE
				      : differing ? VERIFY_DIFFERS : VERIFY_EQUAL;
	if (differing)
		snprintf(row->why, sizeof(row->why), "%u rows are further apart than the digits of "
			 "pbsfs allow", (unsigned)differing);
}

static void verify_percentages(const struct model *m, struct verify *v)
{
	struct verify_row *row = add_row(v, "S");

	compare_column(row, m->fs->norm_shares, cluster_col_f64(m->cluster, F_ASSOC_R_NORM_SHARES),
		       m->fs->n, PERCENT_DIGIT, 2 * (double)FLT_EPSILON);
	if (row->verdict != VERIFY_DIFFERS)
		snprintf(row->why, sizeof(row->why), "%s",
			 row->rows ? "Perc of pbsfs, three decimals" : "pbsfs was not run");
}

static void verify_usage(const struct model *m, struct verify *v)
{
	struct verify_row *row = add_row(v, "usage");

	if (cluster_meta(m->cluster)->usage_quantum > 0) {
		row->verdict = VERIFY_NOT_COMPARABLE;
		snprintf(row->why, sizeof(row->why),
			 "usage is pbsfs's own: the usage file was not read");
		return;
	}
	compare_column(row, cluster_col_f64(m->cluster, F_ASSOC_USAGE),
		       cluster_col_f64(m->cluster, F_ASSOC_R_USAGE), m->fs->n, USAGE_DIGIT,
		       2 * DBL_EPSILON);
	if (row->verdict != VERIFY_DIFFERS)
		snprintf(row->why, sizeof(row->why), "%s",
			 row->rows ? "Usage of pbsfs, whole numbers" : "pbsfs was not run");
}

void verify_pbs(const struct cluster *c, struct verify *v)
{
	static const struct model_options options = { FS_PBS, FS_BASE_USAGE, -1 };
	struct model *m = model_new(c, &options, NULL);
	bool compared = false;

	v->exit_code = ERR_NOTHING;
	if (!m || m->fs->n < 2) {
		snprintf(v->reason, sizeof(v->reason),
			 "the fair-share tree is not there: root alone may "
			 "read sched_priv and run pbsfs");
		model_free(m);
		return;
	}
	verify_percentages(m, v);
	verify_usage(m, v);
	for (size_t i = 0; i < v->count; i++)
		compared = compared || v->rows[i].verdict != VERIFY_NOT_COMPARABLE;
	if (compared)
		v->exit_code = 0;
	for (size_t i = 0; i < v->count; i++) {
		if (v->rows[i].verdict == VERIFY_DIFFERS)
			v->exit_code = 1;
	}
	if (!compared)
		snprintf(v->reason, sizeof(v->reason), "pbsfs was not run: root alone may run it");
	model_free(m);
}
