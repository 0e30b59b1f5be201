/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_run: what slurmctld would do with the jobs of a site from now on, if no more arrive.
 *
 * The main scheduler runs at each end of a job and every minute. It takes the queue in order; the
 * first job of a partition that does not fit keeps its nodes from all later jobs. The backfill
 * scheduler (not with sched/builtin) has a cycle every bf_interval since slurmctld's start. Source:
 * job_scheduler.c, backfill.c of Slurm 22.05.
 */
#ifndef FAIRTOP_CORE_SIM_SLURM_RUN_H
#define FAIRTOP_CORE_SIM_SLURM_RUN_H

#include "core/sim/sim_site.h"

/*
 * Runs until every job that can begin has begun and ended; START of the others is I64_UNKNOWN.
 * RANKS: priorities change as time passes (sim_rank.h); else they stay.
 */
void slurm_run(struct site *s, bool ranks);

#endif
