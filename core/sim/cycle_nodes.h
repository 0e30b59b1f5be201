/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle_nodes: on which nodes of a Slurm the jobs of a cycle begin, one after the other.
 *
 * Nodes as select/cons_tres chooses them (choose.h), limits of associations and QOS; GRES are
 * taken to be asked for evenly of the least number of nodes.
 */
#ifndef FAIRTOP_CORE_SIM_CYCLE_NODES_H
#define FAIRTOP_CORE_SIM_CYCLE_NODES_H

#include "core/queue/job_index.h"

struct cycle_nodes;

/* X is of C; both must outlive it. NULL: nodes, partitions or where a job runs are unknown. */
struct cycle_nodes *cycle_nodes_new(const struct cluster *c, const struct job_index *x);
void cycle_nodes_free(struct cycle_nodes *n);	/* NULL is fine */

/*
 * NULL: the job of ENTRY, its first one, or one task of its array has begun in one of its
 * partitions; else why not: it does not where its partition or its CPUs are unknown. What it asks
 * for of which nothing is modelled is left out.
 */
const char *cycle_nodes_start(struct cycle_nodes *n, uint32_t entry);

/* How many have begun with something left out. */
uint32_t cycle_nodes_guessed(const struct cycle_nodes *n);

#endif
