/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * choose: which nodes a job gets, as select/cons_tres without topology has it.
 *
 * Of the sets of nodes in a row that have any CPU for the job, the first with the fewest CPUs that
 * is sufficient; in it, where one node can hold the whole job, the one with the fewest CPUs that
 * does, else from the lowest number on; where no set is sufficient, the largest first. One that
 * asks for a range of nodes gets as many as it may, if that many are there. Source: _eval_nodes()
 * of cons_tres/job_test.c, 22.05.
 */
#ifndef FAIRTOP_CORE_SIM_CHOOSE_H
#define FAIRTOP_CORE_SIM_CHOOSE_H

#include "core/sim/sim_site.h"

/*
 * Fills SHARES (room for all nodes) with what JOB would get of the nodes in AVAIL, where NODES say
 * what is free; returns how many, 0 if it does not fit.
 */
uint32_t choose_nodes(const struct site *s, const struct site_node *nodes,
		      const struct site_job *job, const uint64_t *avail,
		      struct site_share *shares);

#endif
