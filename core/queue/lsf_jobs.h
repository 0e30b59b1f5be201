/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf_jobs: in which order LSF looks at its waiting jobs, and why.
 *
 * Queue after queue by PRIORITY, the largest first; plain queues of equal priority are one, fair-
 * share queues of equal priority follow each other as in lsb.queues. A plain queue goes by the list
 * of waiting jobs as bjobs prints it (job priority, submission, job id; btop and bbot move jobs);
 * one of round robin always takes a job of the user with the fewest slots running.
 * In a fair-share queue each next job is elected by a walk from the queue down: the sibling of the
 * largest dynamic priority that has a job left, and in the last account the first of the list. Of
 * somebody with several accounts each one offers his jobs. Of equal siblings the one whose job
 * stands first in the list is next; priorities are computed from CPU times to 0.1 s, so two that
 * are equal here may not be: those that have used as much, and not none, go in the order in which
 * they are printed, which is that of the scheduler. A job that starts counts at once along its
 * path, so that the order is that of a session in which hosts have room for all; one that a limit
 * of its queue or user keeps from starting does not count (lsf_session.h). Jobs of users without
 * shares come last in their queue.
 *
 * Jobs that are not looked at have no place: held ones, those of an inactive queue, those that wait
 * for others. The walk elects them all the same, in vain: with the last job of a user its group may
 * be passed over (lsf_is_passed_over()). Seen of held ones; of the others mbd.policy.c says so: all
 * pending jobs come into the set, and only of an elected one readyToDisp() asks for all of that.
 *
 * Places are unknown, and PROBLEM says so, in queues whose dynamic priorities are unknown, or the
 * formula by which a start changes one that others are compared with; in those that share one fair
 * share (FAIRSHARE_QUEUES) or go by APS_PRIORITY, neither of which is modelled; and in all where
 * the priority of one with waiting jobs is not told. It names a limit that is not applied, too.
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
	char problem[240];		/* what the reader must know about the order; "" */
	uint32_t *queue;		/* per entry: row of QUEUE, or ROW_NONE */
	uint32_t *priority;	/* larger is considered earlier, all distinct; U32_UNKNOWN */
	bool *last;		/* per entry: comes after those that the walk elects */
	const char **stopped;	/* per entry: NULL, or why it is not looked at as things are */
	bool *vague;		/* per row of QUEUE: how its jobs stand is unknown */
	bool untold;		/* the priority of a queue is: all are vague */
	const char **reason;	/* per entry that has a place: NULL, or why it does not start */
};

/*
 * ON_HOSTS: as one session goes with the hosts as they are, so that what finds no room on them does
 * not count; else with room for all.
 */
struct lsf_jobs *lsf_jobs_new(const struct model *m, const struct job_index *x, bool on_hosts);
void lsf_jobs_free(struct lsf_jobs *l);

/* NaN where it is unknown: PRIORITY of the queue; dynamic priority of who pays; bsub -sp. */
double lsf_jobs_queue_priority(const struct lsf_jobs *l, uint32_t entry);
double lsf_jobs_job_priority(const struct lsf_jobs *l, uint32_t entry);

/* The three as a map; ENTRIES has room for LSF_JOBS_FACTORS. Returns how many are known. */
#define LSF_JOBS_FACTORS 3
uint32_t lsf_jobs_factors(const struct lsf_jobs *l, uint32_t entry, struct value_entry *entries);

/* Is its place unknown? */
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
