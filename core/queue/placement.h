/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement: on which nodes a job fits, and which licenses are left.
 *
 * First fit: the first nodes of its partition, in table order, that each have all TRES the job
 * needs on them; unusable nodes (host_state.h) have none. Nodes are shared as long as capacity is
 * left.
 */
#ifndef FAIRTOP_CORE_QUEUE_PLACEMENT_H
#define FAIRTOP_CORE_QUEUE_PLACEMENT_H

#include "core/cluster/cluster.h"

struct placement;

/* The nodes and licenses of C, which must outlive it; nothing is in use. */
struct placement *placement_new(const struct cluster *c);
void placement_free(struct placement *p);	/* NULL is fine */

/*
 * Finds nodes for the job at row JOB of C: returns NULL, and the rows of its nodes in HOSTS,
 * ascending; or the scheduler's word for what is missing, "Resources" or "Licenses".
 */
const char *placement_find(const struct placement *p, uint32_t job, uint32_t *hosts);

/* Marks HOSTS and licenses as used by such a job (TIMES 1), or no longer (-1). */
void placement_use(struct placement *p, uint32_t job, const uint32_t *hosts, int times);

/* Sets nodes and TRES in row ROW of the jobs of B for such a job. */
void placement_set_job(const struct placement *p, uint32_t job, const uint32_t *hosts,
		       struct builder *b, uint32_t row);

/* Sets state (of usable ones), used CPUs and TRES of B's nodes, which are C's; its licenses. */
void placement_set(const struct placement *p, struct builder *b);

#endif
