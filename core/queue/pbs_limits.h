/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_limits: how many jobs of whom, and how much, PBS lets run: max_run and max_run_res of server
 * and queues, and max_running, max_user_run, max_group_run, max_user_res, max_group_res of old.
 *
 * A limit of one user, group or project stands in the place of that of PBS_GENERIC; [o:PBS_ALL=N]
 * is of all together. Against it count the jobs that run, and those that are planned to begin
 * before the job would end. Soft limits (max_run_soft and so on) stop no job, but who is over one
 * may be of another level (pbs_levels.h). Limits on what may be queued are the server's business.
 * So is counted what server and queues have of a resource, if resources_available tells an amount:
 * their supply. Source: limits.cpp of OpenPBS, check_limits() and its tables; is_ok_to_run() and
 * check_avail_resources() of check.cpp.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_LIMITS_H
#define FAIRTOP_CORE_QUEUE_PBS_LIMITS_H

#include "core/cluster/cluster.h"

struct pbs_limits;

enum pbs_limits_of { PBS_HARD, PBS_SOFT, PBS_SUPPLY };

/* Those of C, which must outlive it, with what runs. NULL: none is set. */
struct pbs_limits *pbs_limits_new(const struct cluster *c, enum pbs_limits_of of);
void pbs_limits_free(struct pbs_limits *p);	/* NULL is fine */

/*
 * NULL: the job at row JOB may run from time FROM to TO; else the scheduler's words for why not,
 * which live as long as P, or what is not known about it.
 */
const char *pbs_limits_check(const struct pbs_limits *p, uint32_t job, int64_t from, int64_t to);

/*
 * Of soft limits: does more run now, of who owns the job at row JOB, than QUEUE or SERVER lets?
 * BOOL_UNKNOWN: whose the job or one that runs is, or how much of it counts, is not known.
 */
void pbs_limits_over(const struct pbs_limits *p, uint32_t job, uint8_t *queue, uint8_t *server);

/* It does, or will; false: none of them is of the server or its queue. P may be NULL. */
bool pbs_limits_use(struct pbs_limits *p, uint32_t job, int64_t from, int64_t to);

#endif
