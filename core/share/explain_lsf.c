/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The walk from a queue down to an account, with the numbers of the run: at each level the load,
 * the dynamic priority and the place among the siblings.
 */
#include <math.h>
#include <stdio.h>

#include "core/base/value.h"
#include "core/share/fairshare_private.h"
#include "core/share/lsf_share.h"

struct text {
	char s[VALUE_DOUBLE_MAX];
};

static struct text number(double x)
{
	struct text t = { "unknown" };

	if (!isnan(x))
		value_print_double(x, t.s);
	return t;
}

static void explain_queue(const struct cluster *c, uint32_t queue, const struct lsf_factors *f,
			  struct explain *e)
{
	int64_t priority = queue == ROW_NONE ? I64_UNKNOWN :
					       cluster_i64(c, F_QUEUE_PRIORITY, queue);
	const char *name = queue == ROW_NONE ? "" : cluster_text(c, F_QUEUE_NAME, queue);
	struct explain_step *s;

	s = explain_add(e, "queue", priority == I64_UNKNOWN ? F64_UNKNOWN : (double)priority);
	explain_formula(s, "PRIORITY of the queue");
	explain_note(s, "%.100s: queues of higher priority are emptied first", name);
	s = explain_add(e, "RUN_JOB_FACTOR", f->job);
	explain_formula(s, "of the queue, else of lsb.params");
	if (f->slipped)
		explain_note(s, "volclava takes the queue's RUN_TIME_FACTOR here (-1 if not set)");
}

static void explain_load(const struct lsf_factors *f, const struct lsf_use *use,
			 struct explain *e)
{
	double load = lsf_load(f, use);
	struct explain_step *s = explain_add(e, "load", load);

	explain_formula(s, "CPU_TIME/3600 * CPU_TIME_FACTOR + RUN_TIME/3600 * RUN_TIME_FACTOR + "
			   "(1 + STARTED) * RUN_JOB_FACTOR%s",
			use->adjust < 0 || use->adjust > 0
				? " + ADJUST * FAIRSHARE_ADJUSTMENT_FACTOR" : "");
	explain_with(s, "%s/3600 * %s + %s/3600 * %s + (1 + %s) * %s", number(use->cpu).s,
		     number(f->cpu).s, number(use->run).s, number(f->run).s,
		     number(use->slots).s, number(f->job).s);
	if (isnan(load))
		explain_note(s, "something in it is unknown");
	else if (load <= f->least)
		explain_note(s, "volclava takes no load below %s", number(f->least).s);
}

/* Siblings that are served before ROW, and how many there are. */
static uint32_t siblings(const struct fs_tree *t, const double *p, uint32_t row, uint32_t *before)
{
	uint32_t parent = t->parent[row], n = 0;

	*before = 0;
	for (uint32_t i = parent + 1; i < parent + t->span[parent]; i += t->span[i]) {
		n++;
		*before += p[i] > p[row];
	}
	return n;
}

static void explain_level(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			  const struct lsf_factors *f, struct explain *e)
{
	const double *p = r->own[LSF_OWN_PRIORITY];
	uint32_t raw = in->tree->shares[row], before, n = siblings(in->tree, p, row, &before);
	double shares = raw < U32_UNKNOWN && raw != SHARES_PARENT ? raw : F64_UNKNOWN;
	struct lsf_use use = lsf_use_of(in->cluster, row);
	struct explain_step *s = explain_add(e, "SHARES", shares);
	char path[128];

	cluster_path(in->cluster, row, path, sizeof(path));
	explain_formula(s, "shares among the siblings");
	explain_note(s, "%s", path);
	explain_load(f, &use, e);
	s = explain_add(e, "Priority", p[row]);
	explain_formula(s, "SHARES / load");
	if (r->branch[row] == FS_BRANCH_FORMULA)
		explain_with(s, "%s / %s", number(shares).s, number(lsf_load(f, &use)).s);
	else
		explain_note(s, "as bqueues prints it: the formula lacks something");
	if (isnan(p[row]))
		return;
	s = explain_add(e, "place", before + 1);
	explain_formula(s, "place among the siblings, the largest Priority first");
	explain_note(s, "of %u: the walk goes on below the first one that has a job to offer",
		     (unsigned)n);
}

void fs_explain_lsf(const struct fs_input *in, const struct fs_result *r, uint32_t row,
		    struct explain *e)
{
	const struct fs_tree *t = in->tree;
	uint32_t queue = lsf_queue_of(in->cluster, row);
	struct lsf_factors f = lsf_factors_of(in->cluster, cluster_policy(in->cluster), queue);

	if (row == 0) {
		explain_note(explain_add(e, "queue", F64_UNKNOWN),
			     "the queues stand by their PRIORITY; shares count within one");
		return;
	}
	explain_queue(in->cluster, queue, &f, e);
	for (uint16_t d = 2; d <= t->depth[row]; d++) {
		uint32_t i = row;

		while (t->depth[i] > d)
			i = t->parent[i];
		explain_level(in, r, i, &f, e);
	}
	if (r->rank[row] != U32_UNKNOWN) {
		struct explain_step *s = explain_add(e, "rank", r->rank[row]);

		explain_formula(s, "place among all accounts that are charged");
	}
}
