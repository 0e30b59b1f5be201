/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_run: what slurmctld would do with the jobs of a site from now on, if no more come.
 *
 * The main scheduler passes at each end of a job and every minute: in the order of the queue, and
 * the first that lacks room keeps its partition's nodes from all behind it. The backfill scheduler
 * (not with sched/builtin) has its cycles every bf_interval from slurmctld's start on. Source:
 * job_scheduler.c, backfill.c of Slurm 22.05.
 */
#ifndef FAIRTOP_CORE_SIM_SLURM_RUN_H
#define FAIRTOP_CORE_SIM_SLURM_RUN_H

#include "core/sim/sim_site.h"

/*
 * Runs until every job that ever will has begun and ended; START of the others is I64_UNKNOWN.
 * RANKS: priorities move as time passes (sim_rank.h); else they are those of now.
 */
void slurm_run(struct site *s, bool ranks);

#endif
