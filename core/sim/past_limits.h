/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_limits: limits of associations and QOS over a log: MaxJobs, GrpJobs and GrpTRES, for QOS
 * also MaxJobsPerUser and -PerAccount, MaxTRESPerUser and -PerAccount. The TRES are CPUs, and nodes
 * if the log runs on nodes. Other limits need data that no log has, or ignore the running jobs.
 *
 * A limit of the job's QOS replaces the same one of its associations (acct_policy.c, "Resource
 * Limits" of Slurm). A job that alone exceeds a limit did run, so the limit was different then: it
 * is not applied to that job.
 */
#ifndef FAIRTOP_CORE_SIM_PAST_LIMITS_H
#define FAIRTOP_CORE_SIM_PAST_LIMITS_H

#include "core/sim/past_cluster.h"

/* NULL: no limit is set, or AccountingStorageEnforce enforces none. P is borrowed. */
struct past_limits *past_limits_new(const struct past *p);
void past_limits_free(struct past_limits *l);		/* NULL is fine */

/* Writes which possible limits are not enforced over P, and why; "": there are none. */
void past_limits_note(const struct past *p, char *buf, size_t size);

/* Whether JOB, in addition to what runs, is within all limits. True if L is NULL. */
bool past_limits_let(const struct past_limits *l, uint32_t job);
/* Counts JOB, which begins or ends on NODES nodes. L may be NULL. */
void past_limits_begin(struct past_limits *l, uint32_t job, uint32_t nodes);
void past_limits_end(struct past_limits *l, uint32_t job, uint32_t nodes);

#endif
