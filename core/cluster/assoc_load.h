/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * assoc_load: what runs and waits of each association, counted as the scheduler counts it, and
 * the limit that lets a job wait.
 *
 * A job counts at its association and all above it. Limits that are looked at: MaxJobs of the
 * association itself, then from it up to the root GrpJobs, GrpTRES and GrpTRESRunMins, the TRES
 * times the seconds that running jobs may still take until their time limit. Source:
 * acct_policy.c, acct_policy_job_runnable_pre_select() and _post_select(); words of
 * job_reason_string().
 */
#ifndef FAIRTOP_CORE_CLUSTER_ASSOC_LOAD_H
#define FAIRTOP_CORE_CLUSTER_ASSOC_LOAD_H

#include "core/cluster/cluster.h"

struct assoc_load;

/* For the associations of C, which must outlive it: nothing runs or waits yet. */
struct assoc_load *assoc_load_new(const struct cluster *c);
void assoc_load_free(struct assoc_load *l);	/* NULL is fine */

/* TASKS more (fewer, below 0) are submitted, waiting or running. */
void assoc_load_submit(struct assoc_load *l, uint32_t assoc, int64_t tasks);
uint32_t assoc_load_submitted(const struct assoc_load *l, uint32_t assoc);

/*
 * Counts a job like row JOB of JOBS, a cluster with C's TRES, that runs until END at the latest in
 * (TIMES 1) or out again (-1).
 */
void assoc_load_run(struct assoc_load *l, uint32_t assoc, const struct cluster *jobs, uint32_t job,
		    int64_t end, int times);

/* The scheduler's word for why such a job must wait at the time NOW; NULL: it may run. */
const char *assoc_load_refuses(const struct assoc_load *l, uint32_t assoc,
			       const struct cluster *jobs, uint32_t job, int64_t now);

/* Sets used.jobs, used.submit, used.tres and used.tres_run_secs of B, which has C's rows. */
void assoc_load_set(const struct assoc_load *l, struct builder *b, int64_t now);

#endif
