/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slots that hosts have left as one session of LSF goes on. For lsf_session.c only.
 *
 * A host that takes jobs (host_state.h) has its MAX less NJOBS; a job has no more of that on it
 * than HJOB_LIMIT, PJOB_LIMIT of its queue and JL/U of the host leave. It may be on several hosts,
 * those of its queue in the order in which bhosts tells them: LSF takes the least loaded first.
 * A host that took a job of a queue with JOB_ACCEPT_INTERVAL takes no other in the session, of
 * whatever queue (mbd.policy.c, setExecHostsAcceptInterval()), and none of a queue whose interval
 * is longer until as many sessions are over. A job that asks for hosts (-m), for them alone (-x),
 * for one or so many slots of each (span[hosts=1], span[ptile=N]) gets just those. A host of which
 * bhosts told nothing offers no slots.
 */
#ifndef FAIRTOP_CORE_QUEUE_LSF_HOSTS_H
#define FAIRTOP_CORE_QUEUE_LSF_HOSTS_H

#include "core/queue/lsf_jobs.h"

struct lsf_hosts;

struct lsf_hosts *lsf_hosts_new(const struct cluster *c);
void lsf_hosts_free(struct lsf_hosts *h);	/* NULL is fine */

/* A job of the queue, row of QUEUE or ROW_NONE, and of the USER-th user, and what it asks for. */
struct lsf_asked {
	uint32_t queue, user;
	bool alone, one;	/* no other on its hosts; on one */
	uint32_t tile;		/* slots of each host, 0: any */
	const char *names;	/* "hosta hostb": of these, the first first; NULL: any */
	uint64_t least, most;	/* slots */
	uint64_t ever;		/* slots that limits of user and queue let it have, were all free */
};

/* Is each of "hosta hostb" a host of which bhosts tells? NULL: yes. */
bool lsf_hosts_named(const struct lsf_hosts *h, const char *names);

/*
 * Gives it as many slots as there are, LEAST to MOST, and returns how many; 0 if there are not as
 * many, and WHY in LSF's words, or that a host of its queue, or that it asks for, is not known.
 */
uint64_t lsf_hosts_start(struct lsf_hosts *h, const struct lsf_asked *a, const char **why);

/*
 * NULL, or why no job of its queue or its user is tried at all: volclava notes a limit on its
 * first host where it notes what closes a queue, or a user, altogether (mbd.init.c, updHostList(),
 * numbers hosts from 0; mbd.policy.c, getQUsable() and readyToDisp(), look at reasonTb[1][0]).
 */
const char *lsf_hosts_closed(const struct lsf_hosts *h, const struct lsf_asked *a);

/* NULL, or what of the session so far may have gone another way. */
const char *lsf_hosts_doubt(const struct lsf_hosts *h);

/* It runs on the hosts of LIST, "hosta:2*hostb", since START or I64_UNKNOWN. */
void lsf_hosts_running(struct lsf_hosts *h, const struct lsf_asked *a, const char *list,
		       int64_t start);

#endif
