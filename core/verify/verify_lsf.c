/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF: computes every dynamic priority from the other columns. bqueues prints CPU_TIME with one
 * decimal and PRIORITY with three: the printed priority must lie between the rounded results for
 * both ends of CPU_TIME.
 */
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/share/lsf_share.h"
#include "core/verify/verify_private.h"

#define CPU_DIGIT 0.1
#define PRIORITY_DIGIT 0.001

static bool is_within(const struct lsf_factors *f, double shares, struct lsf_use use,
		      double reported)
{
	double half = (1 + 1e-6) * PRIORITY_DIGIT / 2, high, low;

	use.cpu = fmax(0, use.cpu - CPU_DIGIT / 2);
	high = lsf_priority(f, shares, &use);
	use.cpu += CPU_DIGIT;
	low = lsf_priority(f, shares, &use);
	return reported >= fmin(low, high) - half && reported <= fmax(low, high) + half;
}

static void verify_lsf_compare_row(const struct model *m, uint32_t i, struct verify_row *row,
				   uint32_t *differing)
{
	double reported = cluster_f64(m->cluster, F_ASSOC_R_DYNAMIC_PRIORITY, i), off;
	uint32_t shares = m->tree->shares[i];
	struct lsf_factors f = lsf_factors_of(m->cluster, cluster_policy(m->cluster),
					      lsf_queue_of(m->cluster, i));

	if (!f64_known(reported) || m->fs->branch[i] != FS_BRANCH_FORMULA)
		return;
	row->rows++;
	off = fabs(m->fs->own[LSF_OWN_PRIORITY][i] - reported);
	if (row->worst == ROW_NONE || off > row->max_abs) {
		row->max_abs = off;
		row->worst = i;
	}
	if (reported > 0)
		row->max_rel = fmax(row->max_rel, off / reported);
	*differing += !is_within(&f, shares, lsf_use_of(m->cluster, i), reported);
}

void verify_lsf(const struct cluster *c, struct verify *v)
{
	static const struct model_options options = { FS_LSF, -1, -1 };
	struct model *m = model_new(c, &options, NULL);
	struct verify_row *row;
	uint32_t differing = 0;

	MEM_GROW(v->rows, v->capacity, v->count + 1);
	row = &v->rows[v->count++];
	*row = (struct verify_row){ .worst = ROW_NONE, .tolerance = PRIORITY_DIGIT / 2 };
	snprintf(row->quantity, sizeof(row->quantity), "dynamic priority");
	for (uint32_t i = 1; m && i < m->fs->n; i++)
		verify_lsf_compare_row(m, i, row, &differing);
	row->verdict = row->rows == 0 ? VERIFY_NOT_COMPARABLE :
		       differing ? VERIFY_DIFFERS : VERIFY_EQUAL;
	v->exit_code = row->rows == 0 ? ERR_NOTHING : differing ? 1 : 0;
	if (differing)
		snprintf(row->why, sizeof(row->why), "%u of them differ by more than the digits of "
			 "CPU_TIME and PRIORITY allow", (unsigned)differing);
	else if (row->rows > 0)
		snprintf(row->why, sizeof(row->why), "PRIORITY of SHARE_INFO_FOR, three decimals");
	else
		snprintf(v->reason, sizeof(v->reason), "no queue's share accounts were printed, or "
			 "their factors are unknown (expected bqueues -r and lsb.params), or a "
			 "term is not computed here");
	model_free(m);
}
