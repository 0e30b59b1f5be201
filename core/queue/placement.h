/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement: on which nodes a job finds room, and which licenses are left.
 *
 * First fit: the first nodes of its partition, in the order of their table, that have all TRES it
 * needs on each of them; a node that is not usable (host_state.h) has none. Nodes are shared as
 * long as there is room.
 */
#ifndef FAIRTOP_CORE_QUEUE_PLACEMENT_H
#define FAIRTOP_CORE_QUEUE_PLACEMENT_H

#include "core/cluster/cluster.h"

struct placement;

/* The nodes and licenses of C, which must outlive it; nothing is in use. */
struct placement *placement_new(const struct cluster *c);
void placement_free(struct placement *p);	/* NULL is fine */

/*
 * Where the job at row JOB of C would run: NULL, and the rows of its nodes in HOSTS, ascending; or
 * the scheduler's word for what is missing, "Resources" or "Licenses".
 */
const char *placement_find(const struct placement *p, uint32_t job, uint32_t *hosts);

/* A job like that uses these HOSTS and its licenses (TIMES 1), or no longer (-1). */
void placement_use(struct placement *p, uint32_t job, const uint32_t *hosts, int times);

/* Sets nodes and TRES of row ROW of the jobs of B, one like that. */
void placement_set_job(const struct placement *p, uint32_t job, const uint32_t *hosts,
		       struct builder *b, uint32_t row);

/* Sets state (of usable ones), CPUs and TRES in use of B's nodes, which are C's; its licenses. */
void placement_set(const struct placement *p, struct builder *b);

#endif
