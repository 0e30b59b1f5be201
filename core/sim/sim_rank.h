/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_rank: the priorities of a site's jobs as time passes.
 *
 * slurmctld computes them anew at each decay pass (PriorityCalcPeriod, counted from its start) and
 * leaves them alone in between. A pass decays all usage by the time since the one before and then
 * adds to each running job's association, and all above, its slice since then; what ends in between
 * adds its last slice at once (core/share/decay.h). Without Fair Tree a pass sees of this what
 * slurmctld has added when it asks. Factors are those of core/queue/priority.h.
 */
#ifndef FAIRTOP_CORE_SIM_SIM_RANK_H
#define FAIRTOP_CORE_SIM_SIM_RANK_H

#include "core/sim/sim_site.h"

struct sim_rank;

/* NULL where priorities cannot be computed: they then stay as they are. */
struct sim_rank *sim_rank_new(const struct site *s);
void sim_rank_free(struct sim_rank *r);		/* NULL is fine, as below */

/* All passes up to now; the jobs of S are then sorted anew. Call before anything begins. */
void sim_rank_catch_up(struct sim_rank *r, struct site *s);
/* What runs until now is charged; before the job ends. */
void sim_rank_ended(struct sim_rank *r, const struct site *s, const struct site_job *job);

#endif
