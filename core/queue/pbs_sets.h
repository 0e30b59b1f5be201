/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_sets: the placement sets of a PBS: vnodes with the same value of a resource.
 *
 * The resource is that of group= in the job's place, else, with node_group_enable, one of the
 * node_group_key of its queue, or, if unset, of the server. A vnode with several values is in
 * several sets; those without a value form one set, unless only_explicit_psets is set. A job that
 * fits in no set gets vnodes of all, or never runs with do_not_span_psets. Only the latter is known
 * here, not which set a job gets. Source: create_node_partitions() of node_partition.cpp,
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

/* V must outlive it. NULL: jobs may span sets, or this is unknown. */
struct pbs_sets *pbs_sets_new(const struct pbs_vnodes *v);
void pbs_sets_free(struct pbs_sets *s);		/* NULL is fine */

/* The sets for the job at row JOB, with vnodes of all queues; NULL, COUNT 0: there are none. */
const struct pbs_set *pbs_sets_of(struct pbs_sets *s, uint32_t job, uint32_t *count);

#endif
