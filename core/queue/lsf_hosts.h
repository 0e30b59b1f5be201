/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slots that hosts have left as one session of LSF goes on. For lsf_session.c only.
 *
 * A host that takes jobs (host_state.h) has its MAX less NJOBS; a job has no more of that on it
 * than HJOB_LIMIT, PJOB_LIMIT of its queue and JL/U of the host leave. It may be on several hosts,
 * those of its queue in the order in which bhosts tells them: LSF takes the least loaded first.
 * With JOB_ACCEPT_INTERVAL a host that took a job takes no other in the session. What a job asks
 * for of hosts (-m, -R, -x) is not known. A host of which bhosts told nothing offers no slots.
 */
#ifndef FAIRTOP_CORE_QUEUE_LSF_HOSTS_H
#define FAIRTOP_CORE_QUEUE_LSF_HOSTS_H

#include "core/queue/lsf_jobs.h"

struct lsf_hosts;

struct lsf_hosts *lsf_hosts_new(const struct cluster *c);
void lsf_hosts_free(struct lsf_hosts *h);	/* NULL is fine */

/* A job of the queue, row of QUEUE or ROW_NONE, and of the USER-th user; most slots it may have. */
struct lsf_asked {
	uint32_t queue, user;
	uint64_t most;
};

/* The slots there are for it, no more than asked. If fewer, WHY is told in LSF's words, or that a
 * host of its queue is not known. */
uint64_t lsf_hosts_room(const struct lsf_hosts *h, const struct lsf_asked *a, const char **why);

/* Gives it so many, which there are. */
void lsf_hosts_take(struct lsf_hosts *h, const struct lsf_asked *a, uint64_t slots);

/* It runs on the hosts of LIST, "hosta:2*hostb". */
void lsf_hosts_running(struct lsf_hosts *h, const struct lsf_asked *a, const char *list);

#endif
