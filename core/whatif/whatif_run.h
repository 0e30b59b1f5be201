/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif_run: a what-if evaluated within a frame.
 *
 * The result is a model and jobs that every view can show. What an edit can change is computed
 * anew; the rest is shared with the base: fair share unless shares, usage or its parameters change,
 * the tree's structure unless an association's shares become or cease to be "parent", the resolved
 * names of the jobs unless jobs, partitions, QOS or the structure change.
 */
#ifndef FAIRTOP_CORE_WHATIF_WHATIF_RUN_H
#define FAIRTOP_CORE_WHATIF_WHATIF_RUN_H

#include "core/queue/jobs.h"
#include "core/whatif/whatif.h"

struct whatif_run {
	struct cluster *cluster;
	struct model *model;
	struct jobs *jobs;		/* NULL without base jobs */
	bool shares_model;		/* all but cluster and results belong to the base */
	bool own_tree, own_fs;
};

/*
 * BASE and BASE_JOBS (may be NULL) must outlive the result. If whatif_needs_usage(), BASE has to
 * start from raw usage. NULL and ERR_INPUT as model_new().
 */
struct whatif_run *whatif_run_new(struct whatif *w, const struct model *base,
				  const struct jobs *base_jobs, struct err *err);

/* The same for one of many tries: without ranks of associations; without jobs only ASSOC. */
struct whatif_run *whatif_run_try(struct whatif *w, const struct model *base,
				  const struct jobs *base_jobs, uint32_t assoc, struct err *err);
void whatif_run_free(struct whatif_run *r);

#endif
