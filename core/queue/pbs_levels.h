/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_levels: the levels of preempt_prio, by which PBS sorts its jobs before all else where jobs
 * may preempt others (preemptive_sched).
 *
 * The first level of preempt_prio has 99000, each further one 1000 less; one of express queues has
 * the priority of the job's queue on top. A job is of the first level all words of which are true
 * of it, those of most words tried first; else of normal_jobs. True of it are
 *
 *	express_queue		its queue's Priority is at least preempt_queue_prio
 *	fairshare		its entity has used more than its part of all usage
 *	queue_softlimits	of its user, group or project, or of all, more runs than
 *	server_softlimits	max_run_soft or max_run_res_soft of the queue, the server, lets
 *	normal_jobs		none of these
 *
 * Source: set_preempt_prio() of job_info.cpp, preempt_bit_field() and preempt_cmp() of parse.cpp,
 * over_fs_usage() of fairshare.cpp, limits.cpp of OpenPBS.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_LEVELS_H
#define FAIRTOP_CORE_QUEUE_PBS_LEVELS_H

#include "core/cluster/cluster.h"

struct pbs_levels;

/* Of the policy in force and what runs in C; both must outlive it. */
struct pbs_levels *pbs_levels_new(const struct cluster *c, const struct policy *policy);
void pbs_levels_free(struct pbs_levels *l);		/* NULL is fine */

/*
 * The level of the job at row JOB, whose queue has PRIORITY (NaN unknown); OVER: its entity is over
 * its share (BOOL_UNKNOWN). 0 without preemptive_sched; PBS_LEVEL_UNKNOWN where something unknown
 * would make it another.
 */
#define PBS_LEVEL_UNKNOWN INT32_MIN
int32_t pbs_level(const struct pbs_levels *l, uint32_t job, double priority, uint8_t over);

/* Is that above the level of normal jobs? */
bool pbs_level_is_high(const struct pbs_levels *l, int32_t level);

/* Do levels change as jobs begin? */
bool pbs_levels_move(const struct pbs_levels *l);

/* The job runs from now on; may levels have changed by that? */
bool pbs_levels_run(struct pbs_levels *l, uint32_t job);

#endif
