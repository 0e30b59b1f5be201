/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_levels: the levels of preempt_prio, by which PBS sorts its jobs before all else if jobs may
 * preempt others (preemptive_sched).
 *
 * The first level of preempt_prio has 99000, each further one 1000 less; a level with express_queue
 * adds the priority of the job's queue. A job has the first level whose words all hold for it,
 * levels with more words first; else that of normal_jobs. Words (soft limits: max_run_soft,
 * max_run_res_soft):
 *
 *	express_queue		the Priority of its queue is at least preempt_queue_prio
 *	fairshare		its entity has used more than its share of all usage
 *	queue_softlimits	its user, group or project, or all jobs, exceed one of the queue
 *	server_softlimits	the same, of the server
 *	normal_jobs		none of these
 *
 * Source: set_preempt_prio() of job_info.cpp, preempt_bit_field() and preempt_cmp() of parse.cpp,
 * over_fs_usage() of fairshare.cpp, limits.cpp of OpenPBS.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_LEVELS_H
#define FAIRTOP_CORE_QUEUE_PBS_LEVELS_H

#include "core/cluster/cluster.h"

struct pbs_levels;

/* From POLICY and the running jobs of C; both must outlive it. */
struct pbs_levels *pbs_levels_new(const struct cluster *c, const struct policy *policy);
void pbs_levels_free(struct pbs_levels *l);		/* NULL is fine */

/*
 * Level of the job at row JOB, whose queue has PRIORITY (NaN unknown); OVER: its entity exceeds its
 * share (BOOL_UNKNOWN). 0 without preemptive_sched; PBS_LEVEL_UNKNOWN if it depends on something
 * unknown.
 */
#define PBS_LEVEL_UNKNOWN INT32_MIN
int32_t pbs_level(const struct pbs_levels *l, uint32_t job, double priority, uint8_t over);

/* Is LEVEL above that of normal jobs? */
bool pbs_level_is_high(const struct pbs_levels *l, int32_t level);

/* Do levels change when jobs start? */
bool pbs_levels_move(const struct pbs_levels *l);

/* Counts the job as running; may this have changed levels? */
bool pbs_levels_run(struct pbs_levels *l, uint32_t job);

#endif
