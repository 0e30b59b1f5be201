/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_rank: the priorities of a site's jobs as time passes.
 *
 * slurmctld recomputes them only at decay passes (every PriorityCalcPeriod since its start). A pass
 * decays all usage for the time since the last pass, then charges each running job's association,
 * and all above, for that time; a job that ends in between is charged for its last part at once
 * (core/share/decay.h). Without Fair Tree, a pass sees only the usage added so far when slurmctld
 * computes each factor. Factors are those of core/queue/priority.h.
 */
#ifndef FAIRTOP_CORE_SIM_SIM_RANK_H
#define FAIRTOP_CORE_SIM_SIM_RANK_H

#include "core/sim/sim_site.h"

struct sim_rank;

/* NULL where priorities cannot be computed: they then stay unchanged. */
struct sim_rank *sim_rank_new(const struct site *s);
void sim_rank_free(struct sim_rank *r);		/* NULL is fine, as below */

/* Runs all passes up to now and sorts the jobs of S again. Call it before anything begins. */
void sim_rank_catch_up(struct sim_rank *r, struct site *s);
/* Charges JOB up to now; call it before the job ends. */
void sim_rank_ended(struct sim_rank *r, const struct site *s, const struct site_job *job);

#endif
