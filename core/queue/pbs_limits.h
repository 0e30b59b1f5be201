/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_limits: how many jobs, and how much, PBS lets users, groups and projects run: max_run and
 * max_run_res of server and queues, and the old max_running, max_user_run, max_group_run,
 * max_user_res, max_group_res.
 *
 * A limit of one user, group or project replaces that of PBS_GENERIC; [o:PBS_ALL=N] is for all
 * together. Running jobs count against it, and jobs planned to begin before the job would end. Soft
 * limits (max_run_soft and so on) stop no job, but may change its level (pbs_levels.h). Limits on
 * queued jobs are the server's business. The supply of server and queues is counted the same way,
 * if resources_available has an amount of a resource. Source: limits.cpp of OpenPBS, check_limits()
 * and its tables; is_ok_to_run() and check_avail_resources() of check.cpp.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_LIMITS_H
#define FAIRTOP_CORE_QUEUE_PBS_LIMITS_H

#include "core/cluster/cluster.h"

struct pbs_limits;

enum pbs_limits_of { PBS_HARD, PBS_SOFT, PBS_SUPPLY };

/* The limits of C, which must outlive it, and the running jobs. NULL: no limits are set. */
struct pbs_limits *pbs_limits_new(const struct cluster *c, enum pbs_limits_of of);
void pbs_limits_free(struct pbs_limits *p);	/* NULL is fine */

/*
 * NULL: the job at row JOB may run from time FROM to TO; else the scheduler's words for why not
 * (valid as long as P), or what is unknown about it.
 */
const char *pbs_limits_check(const struct pbs_limits *p, uint32_t job, int64_t from, int64_t to);

/*
 * Soft limits: does the owner of the job at row JOB run more than QUEUE or SERVER allows?
 * BOOL_UNKNOWN: the owner of this job or of a running one, or its amount, is unknown.
 */
void pbs_limits_over(const struct pbs_limits *p, uint32_t job, uint8_t *queue, uint8_t *server);

/* Counts a running or planned job; false: no limit applies to it. P may be NULL. */
bool pbs_limits_use(struct pbs_limits *p, uint32_t job, int64_t from, int64_t to);

#endif
