/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_limits: limits of associations and QOS over a log: MaxJobs, GrpJobs and GrpTRES, of QOS also
 * MaxJobsPerUser and -PerAccount, MaxTRESPerUser and -PerAccount; of TRES CPUs, and nodes where the
 * log runs on nodes. Nothing else of them is known of a log's jobs, or moves with what runs.
 *
 * A limit of the job's QOS stands in the place of the same limit of its associations
 * (acct_policy.c, "Resource Limits" of Slurm). What alone is above a limit ran nonetheless: then it
 * was another one, and is not kept for that job.
 */
#ifndef FAIRTOP_CORE_SIM_PAST_LIMITS_H
#define FAIRTOP_CORE_SIM_PAST_LIMITS_H

#include "core/sim/past_site.h"

/* NULL: no limit is set, or AccountingStorageEnforce keeps none. P is borrowed. */
struct past_limits *past_limits_new(const struct past *p);
void past_limits_free(struct past_limits *l);		/* NULL is fine */

/* Which limits that may be are not kept over P, and why; "": there are none. */
void past_limits_note(const struct past *p, char *buf, size_t size);

/* Would JOB, besides what runs, be within all of them? It is where L is NULL. */
bool past_limits_let(const struct past_limits *l, uint32_t job);
/* JOB begins on so many nodes, or ends there. L may be NULL. */
void past_limits_begin(struct past_limits *l, uint32_t job, uint32_t nodes);
void past_limits_end(struct past_limits *l, uint32_t job, uint32_t nodes);

#endif
