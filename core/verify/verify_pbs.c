/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBS: compares percentages and usage with pbsfs's output from the same files, and values of
 * job_sort_formula with the scheduler's log, as of when it was written.
 *
 * pbsfs prints percentages with three decimals, from single precision, and usage in whole numbers.
 * The log has four decimals of a number in single precision, or fewer before three digits 0 or 9
 * (float_digits() of OpenPBS): 0.0004 is 0 there.
 *
 * The scheduler lets no usage decay below 1 (FAIRSHARE_MIN_USAGE), for entities and groups alike.
 * So a group's usage in its memory is not quite the sum of its entities, which is what its usage
 * file holds and pbsfs reads. No sum is off by more than the number of entities, plus 1.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/queue/jobs.h"
#include "core/share/pbs_share.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/verify/verify_private.h"

#define PERCENT_DIGIT 1e-5		/* last digit of Perc, as a ratio */
#define USAGE_DIGIT 1.0
#define FORMULA_DIGIT 1e-4

static struct verify_row *verify_pbs_add_row(struct verify *v, const char *quantity)
{
	struct verify_row *row;

	MEM_GROW(v->rows, v->capacity, v->count + 1);
	row = &v->rows[v->count++];
	memset(row, 0, sizeof(*row));
	snprintf(row->quantity, sizeof(row->quantity), "%s", quantity);
	row->worst = ROW_NONE;
	return row;
}

/*
 * The numbers agree if rounding to DIGIT, the relative PRECISION, and MORE per row (NULL: none)
 * allow it.
 */
static void compare_column(struct verify_row *row, const double *own, const double *reported,
			   const double *more, uint32_t n, double digit, double precision,
			   const char *whose)
{
	double worst = -1;
	uint32_t differing = 0;

	row->rows = 0;
	for (uint32_t i = 0; own && reported && i < n; i++) {
		double off = fabs(own[i] - reported[i]), allowed, size = fabs(reported[i]);

		if (isnan(off))
			continue;
		allowed = digit / 2 * (1 + 1e-9) + precision * size + (more ? more[i] : 0);
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
		snprintf(row->why, sizeof(row->why), "%u %s further apart than the digits of "
			 "%s allow", (unsigned)differing, plural(differing, "row is", "rows are"),
			 whose);
}

static void verify_percentages(const struct model *m, struct verify *v)
{
	struct verify_row *row = verify_pbs_add_row(v, "S");

	compare_column(row, m->fs->norm_shares, cluster_col_f64(m->cluster, F_ASSOC_R_NORM_SHARES),
		       NULL, m->fs->n, PERCENT_DIGIT, 2 * (double)FLT_EPSILON, "pbsfs");
	if (row->verdict != VERIFY_DIFFERS)
		snprintf(row->why, sizeof(row->why), "%s",
			 row->rows ? "Perc of pbsfs, three decimals" : "pbsfs was not run");
}

static void verify_usage(const struct model *m, struct verify *v)
{
	struct verify_row *row = verify_pbs_add_row(v, "usage");

	if (cluster_meta(m->cluster)->usage_quantum > 0) {
		row->verdict = VERIFY_NOT_COMPARABLE;
		snprintf(row->why, sizeof(row->why),
			 "usage is from pbsfs: the usage file was not read");
		return;
	}
	compare_column(row, cluster_col_f64(m->cluster, F_ASSOC_USAGE),
		       cluster_col_f64(m->cluster, F_ASSOC_R_USAGE), NULL, m->fs->n, USAGE_DIGIT,
		       2 * DBL_EPSILON, "pbsfs");
	if (row->verdict != VERIFY_DIFFERS)
		snprintf(row->why, sizeof(row->why), "%s",
			 row->rows ? "Usage of pbsfs, whole numbers" : "pbsfs was not run");
}

/* The error of a logged number beyond its four decimals. */
static double left_out(double reported)
{
	for (double scale = 1; scale < 1 / FORMULA_DIGIT; scale *= 10) {
		if (fabs(reported * scale - round(reported * scale)) < 1e-6)
			return 1e-3 / scale;
	}
	return 0;
}

struct formula_values {
	const struct jobs *j;
	double *own, *reported, *more;	/* per entry of the index; more: error beyond the digits */
};

/*
 * Bound of the error of fairshare_tree_usage: usages are divided by the root's, and the group's
 * part depends on the group's.
 */
static double drift_of(const struct model *m, uint32_t assoc)
{
	double root = cluster_f64(m->cluster, F_ASSOC_USAGE, 0);

	return assoc == ROW_NONE || !(root > 0) ? 0 :
	       (m->fs->effective_usage[assoc] + m->fs->own[PBS_OWN_GROUP_PERCENTAGE][assoc]) *
	       (m->tree->users + 1) / root;
}

static void take_values(const struct formula_values *f, bool with_drift)
{
	const struct cluster *c = f->j->model->cluster;

	for (uint32_t e = 0; e < f->j->index->n; e++) {
		int64_t time = cluster_i64(c, F_JOB_FORMULA_TIME, f->j->index->job[e]);
		double x = pbs_jobs_value_at(f->j->pbs, e, time, 0);
		double drift = with_drift ? drift_of(f->j->model, f->j->index->assoc[e]) : 0;

		f->reported[e] = cluster_f64(c, F_JOB_R_FORMULA, f->j->index->job[e]);
		f->own[e] = f64_known(f->reported[e]) ? x : F64_UNKNOWN;
		f->more[e] = left_out(f->reported[e]);
		if (drift > 0)
			f->more[e] += fmax(fabs(pbs_jobs_value_at(f->j->pbs, e, time, drift) - x),
					   fabs(pbs_jobs_value_at(f->j->pbs, e, time, -drift) - x));
	}
}

static void verify_pbs_compare_values(const struct formula_values *f, struct verify_row *row)
{
	int most = f->j->model->fs->n > 1;	/* without a tree, no usage drifts */

	for (int with_drift = 0; with_drift <= most; with_drift++) {
		take_values(f, with_drift);
		compare_column(row, f->own, f->reported, f->more, f->j->index->n, FORMULA_DIGIT,
			       (double)FLT_EPSILON, "the log");
		if (row->verdict != VERIFY_DIFFERS) {
			snprintf(row->why, sizeof(row->why), "Formula Evaluation in the "
				 "scheduler's log, four decimals%s", !with_drift ? "" :
				 "; decays make its memory and its usage file differ by that");
			return;
		}
	}
	format_append(row->why, sizeof(row->why), ", unless the formula was set after that cycle");
}

/* Why nothing was compared. */
static const char *verify_pbs_incomparable(const struct formula_values *f)
{
	const struct jobs *j = f->j;

	if (j->order->problem[0] && !j->pbs->formula)
		return j->order->problem;
	for (uint32_t e = 0; e < j->index->n; e++) {
		if (f64_known(f->reported[e]))
			return "for no job in the scheduler's log are all inputs of the formula "
			       "known (fair share is in sched_priv)";
	}
	return "the scheduler's log has no values (log_events with 0x100), or could not be read";
}

/* Compares jobs with a logged value; adds a row only if there are any, or a formula. */
static void verify_formula(const struct model *m, struct verify *v)
{
	struct jobs *j = jobs_new(m, NULL);
	size_t n = j->index->n;
	struct formula_values f = { j, mem_alloc(n, sizeof(double)), mem_alloc(n, sizeof(double)),
				    mem_alloc(n, sizeof(double)) };
	struct verify_row *row;

	if (j->policy.job_sort_formula[0]) {
		row = verify_pbs_add_row(v, "formula of jobs");
		verify_pbs_compare_values(&f, row);
		row->worst = ROW_NONE;
		if (row->rows == 0)
			snprintf(row->why, sizeof(row->why), "%s", verify_pbs_incomparable(&f));
	}
	MEM_FREE(f.own, f.reported, f.more);
	jobs_free(j);
}

void verify_pbs(const struct cluster *c, struct verify *v)
{
	static const struct model_options options = { FS_PBS, FS_BASE_USAGE, -1 };
	struct model *m = model_new(c, &options, NULL);
	bool compared = false, tree = m && m->fs->n > 1;

	v->exit_code = ERR_NOTHING;
	if (tree) {
		verify_percentages(m, v);
		verify_usage(m, v);
	}
	/* The formula is evaluated with or without a tree. */
	if (m)
		verify_formula(m, v);
	for (size_t i = 0; i < v->count; i++)
		compared = compared || v->rows[i].verdict != VERIFY_NOT_COMPARABLE;
	if (compared)
		v->exit_code = 0;
	for (size_t i = 0; i < v->count; i++) {
		if (v->rows[i].verdict == VERIFY_DIFFERS)
			v->exit_code = 1;
	}
	if (!compared)
		snprintf(v->reason, sizeof(v->reason), "%s", tree ?
			 "there is nothing to compare with (expected the output of pbsfs)" :
			 "the fair-share tree was not read (expected resource_group and usage from "
			 "sched_priv, and the output of pbsfs)");
	model_free(m);
}
