/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_load: counts the running and pending jobs of each association as the scheduler does, and
 * names the limit that keeps a job pending.
 *
 * A job counts at its association and at all above it. Limits checked: MaxJobs of the association
 * itself; then, from it up to the root, GrpJobs, GrpTRES and GrpTRESRunMins (TRES times the seconds
 * that running jobs may still take until their time limit). Source: acct_policy.c,
 * acct_policy_job_runnable_pre_select() and _post_select(); words of job_reason_string().
 */
#ifndef FAIRTOP_CORE_CLUSTER_ASSOC_LOAD_H
#define FAIRTOP_CORE_CLUSTER_ASSOC_LOAD_H

#include "core/cluster/cluster.h"

struct assoc_load;

/* For the associations of C, which must outlive it; without any jobs at first. */
struct assoc_load *assoc_load_new(const struct cluster *c);
void assoc_load_free(struct assoc_load *l);	/* NULL is fine */

/* Counts TASKS more (fewer, below 0) as submitted: pending or running. */
void assoc_load_submit(struct assoc_load *l, uint32_t assoc, int64_t tasks);
uint32_t assoc_load_submitted(const struct assoc_load *l, uint32_t assoc);

/*
 * Counts a job in (TIMES 1) or out again (-1): one like row JOB of JOBS, a cluster with C's TRES,
 * that runs until END at the latest.
 */
void assoc_load_run(struct assoc_load *l, uint32_t assoc, const struct cluster *jobs, uint32_t job,
		    int64_t end, int times);

/* Returns the scheduler's word for what keeps such a job pending at time NOW; NULL: it may run. */
const char *assoc_load_refuses(const struct assoc_load *l, uint32_t assoc,
			       const struct cluster *jobs, uint32_t job, int64_t now);

/* Sets used.jobs, used.submit, used.tres and used.tres_run_secs of B, whose rows are C's. */
void assoc_load_set(const struct assoc_load *l, struct builder *b, int64_t now);

#endif
