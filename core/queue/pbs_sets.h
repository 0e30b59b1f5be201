/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_sets: the placement sets of a PBS: vnodes that have the same value of a resource.
 *
 * The resource is that of group= in the job's place, else, with node_group_enable, one of the
 * node_group_key of its queue, or where that has none of the server. A vnode of several values is
 * in several sets; those of no value are one set, unless only_explicit_psets is set. A job that no
 * set has enough for gets vnodes of all, or never runs with do_not_span_psets. Only that is told
 * here, and not which set a job gets. Source: create_node_partitions() of node_partition.cpp,
 * check_normal_node_path() of check.cpp, eval_selspec() of node_info.cpp, OpenPBS.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_SETS_H
#define FAIRTOP_CORE_QUEUE_PBS_SETS_H

#include "core/queue/pbs_vnodes.h"

struct pbs_set {
	uint32_t *vnodes;
	uint32_t count;
};

struct pbs_sets;

/* V must outlive it. NULL: jobs may span sets, or nobody knows that they may not. */
struct pbs_sets *pbs_sets_new(const struct pbs_vnodes *v);
void pbs_sets_free(struct pbs_sets *s);		/* NULL is fine */

/* The sets for the job at row JOB, of vnodes of all queues; NULL, COUNT 0: there are none. */
const struct pbs_set *pbs_sets_of(struct pbs_sets *s, uint32_t job, uint32_t *count);

#endif
