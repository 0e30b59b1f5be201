/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choose: which nodes a job gets, as select/cons_tres chooses them without topology.
 *
 * Looks at runs of adjacent nodes that have CPUs for the job. Takes the run with the fewest CPUs
 * that suffices (the first of equals). In it, takes the node with the fewest CPUs that holds the
 * whole job, else nodes from the lowest number on. If no run suffices, takes the largest first. A
 * job that asks for a range of nodes gets as many as it may, if there are that many. Source:
 * _eval_nodes() of cons_tres/job_test.c, 22.05.
 */
#ifndef FAIRTOP_CORE_SIM_CHOOSE_H
#define FAIRTOP_CORE_SIM_CHOOSE_H

#include "core/sim/sim_site.h"

/*
 * Fills SHARES (capacity for all nodes) with what JOB would get of the nodes in AVAIL; NODES has
 * what is free on each. Returns how many shares, 0 if the job does not fit.
 */
uint32_t choose_nodes(const struct site *s, const struct site_node *nodes,
		      const struct site_job *job, const uint64_t *avail, struct site_share *shares);

#endif
