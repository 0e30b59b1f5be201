/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf_jobs: the order in which LSF considers its pending jobs, and why.
 *
 * Queues go by PRIORITY, the largest first. Plain queues of equal priority form one; fair-share
 * queues of equal priority follow each other as in lsb.queues. A plain queue uses the list of
 * pending jobs in the order of bjobs (job priority, submission, job id; btop and bbot move jobs); a
 * round-robin one always takes a job of the user with the fewest running slots. In a fair-share
 * queue each next job is elected by a walk from the queue down: at each level to the sibling with
 * the largest dynamic priority that has jobs left, then to the first job of the list. A user with
 * several accounts offers his jobs in each. Of equal siblings the one with the job first in the
 * list is next. Priorities use CPU times rounded to 0.1 s, so siblings equal here may differ: those
 * with equal non-zero use keep the printed order, which is the scheduler's. A job that starts
 * counts along its path at once, so the order is that of a session with enough hosts for all; jobs
 * that a limit of queue or user keeps from starting do not count (lsf_session.h). Jobs of users
 * without shares come last in their queue.
 *
 * Jobs not considered have no rank: held ones, those of inactive queues, those that depend on other
 * jobs. The walk still elects them, in vain: with the last job of a user, his group may be passed
 * over (lsf_is_passed_over()). Observed for held jobs; for the others by mbd.policy.c: all pending
 * jobs enter the set, and readyToDisp() checks only elected ones.
 *
 * Ranks are unknown, and PROBLEM says so, in queues whose dynamic priorities, or the formula by
 * which a start changes a compared one, are unknown; in those with FAIRSHARE_QUEUES or
 * APS_PRIORITY, neither of which is modelled; and everywhere if the priority of a queue with
 * pending jobs is unknown. PROBLEM also names limits that are not applied.
 *
 * Sources: "How fair share affects job dispatch order", "Job submission" and bjobs(1) of the IBM
 * documentation of LSF 10.1; volclava 2.2, daemons/mbd.policy.c and mbd.fairshare.c, electAJob().
 */
#ifndef FAIRTOP_CORE_QUEUE_LSF_JOBS_H
#define FAIRTOP_CORE_QUEUE_LSF_JOBS_H

#include "core/base/value.h"
#include "core/queue/job_index.h"
#include "core/share/model.h"

struct lsf_jobs {
	const struct model *model;	/* borrowed, like INDEX */
	const struct job_index *index;
	uint32_t n;			/* entries of the index */
	char problem[240];		/* caveats of the order for the reader; "" */
	uint32_t *queue;		/* per entry: row of QUEUE, or ROW_NONE */
	uint32_t *priority;	/* larger is considered earlier, all distinct; U32_UNKNOWN */
	bool *last;		/* per entry: comes after the elected ones */
	const char **stopped;	/* per entry: NULL, or why it is not considered now */
	bool *vague;		/* per row of QUEUE: the order of its jobs is unknown */
	bool unreported;	/* the priority of a queue is unknown: all are vague */
	const char **reason;	/* per entry with a rank: NULL, or why it does not start */
};

/*
 * ON_HOSTS: simulates one session on the hosts as they are, so jobs without enough free slots do
 * not count; otherwise with slots for all.
 */
struct lsf_jobs *lsf_jobs_new(const struct model *m, const struct job_index *x, bool on_hosts);
void lsf_jobs_free(struct lsf_jobs *l);

/* PRIORITY of the queue; dynamic priority of the charged account; bsub -sp. NaN: unknown. */
double lsf_jobs_queue_priority(const struct lsf_jobs *l, uint32_t entry);
double lsf_jobs_job_priority(const struct lsf_jobs *l, uint32_t entry);

/* The three as a map in ENTRIES, LSF_JOBS_FACTORS long. Returns how many are known. */
#define LSF_JOBS_FACTORS 3
uint32_t lsf_jobs_factors(const struct lsf_jobs *l, uint32_t entry, struct value_entry *entries);

/* Is its rank unknown? */
bool lsf_jobs_vague(const struct lsf_jobs *l, uint32_t entry);

/* What decides between two entries. */
enum lsf_reason {
	LSF_REASON_STOPPED, LSF_REASON_VAGUE, LSF_REASON_QUEUE, LSF_REASON_PLACE,
	LSF_REASON_ACCOUNT, LSF_REASON_NO_SHARES, LSF_REASON_PASSED, LSF_REASON_TURN,
	LSF_REASON_LIST
};
enum lsf_reason lsf_jobs_reason(const struct lsf_jobs *l, uint32_t a, uint32_t b);

void lsf_jobs_explain(const struct lsf_jobs *l, uint32_t entry, struct explain *e);

#endif
