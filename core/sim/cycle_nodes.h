/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle_nodes: on which nodes of a Slurm cluster the jobs of a cycle begin, one by one.
 *
 * Nodes are chosen as by select/cons_tres (choose.h), within limits of associations and QOS. GRES
 * are assumed to be spread evenly over the job's minimum number of nodes.
 */
#ifndef FAIRTOP_CORE_SIM_CYCLE_NODES_H
#define FAIRTOP_CORE_SIM_CYCLE_NODES_H

#include "core/queue/job_index.h"

struct cycle_nodes;

/* X is of C; both must outlive it. NULL: nodes, partitions or where jobs run are unknown. */
struct cycle_nodes *cycle_nodes_new(const struct cluster *c, const struct job_index *x);
void cycle_nodes_free(struct cycle_nodes *n);	/* NULL is fine */

/*
 * Tries to begin the job of ENTRY, the first entry of its job, or one task of its array in one of
 * its partitions. Returns NULL if it has begun, else why not: for instance, its partition or its
 * CPUs are unknown. Requests that are not modelled are ignored.
 */
const char *cycle_nodes_start(struct cycle_nodes *n, uint32_t entry);

/* The number of jobs that have begun with some request ignored. */
uint32_t cycle_nodes_guessed(const struct cycle_nodes *n);

#endif
