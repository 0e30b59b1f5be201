/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The free slots of hosts during one session of LSF. For lsf_session.c only.
 *
 * A host that takes jobs (host_state.h) has MAX - NJOBS free slots; a job gets at most what
 * HJOB_LIMIT and PJOB_LIMIT of its queue and JL/U of the host leave. A job may span hosts: those of
 * its queue, in the order of bhosts (LSF takes the least loaded first). A host that took a job of a
 * queue with JOB_ACCEPT_INTERVAL takes no other job in this session, from any queue (mbd.policy.c,
 * setExecHostsAcceptInterval()), and none of a queue with a longer interval until as many sessions
 * have passed. Jobs that request hosts (-m), exclusive hosts (-x), a single host or a number of
 * slots per host (span[hosts=1], span[ptile=N]) get exactly that. Hosts that bhosts does not report
 * offer no slots.
 */
#ifndef FAIRTOP_CORE_QUEUE_LSF_HOSTS_H
#define FAIRTOP_CORE_QUEUE_LSF_HOSTS_H

#include "core/queue/lsf_jobs.h"

struct lsf_hosts;

struct lsf_hosts *lsf_hosts_new(const struct cluster *c);
void lsf_hosts_free(struct lsf_hosts *h);	/* NULL is fine */

/* A job of the queue (row of QUEUE or ROW_NONE), its user's number, and its request. */
struct lsf_asked {
	uint32_t queue, user;
	bool alone, one;	/* exclusive hosts; a single host */
	uint32_t tile;		/* slots per host, 0: any */
	const char *names;	/* "hosta hostb": only these, in this order; NULL: any */
	uint64_t least, most;	/* slots */
	uint64_t ever;		/* slots that limits of user and queue allow if all were free */
};

/* Does bhosts report each host of "hosta hostb"? NULL: yes. */
bool lsf_hosts_named(const struct lsf_hosts *h, const char *names);

/*
 * Gives the job LEAST to MOST slots, as available, and returns how many. 0 if there are too few:
 * WHY has LSF's words, or says that a host of its queue or request is unknown.
 */
uint64_t lsf_hosts_start(struct lsf_hosts *h, const struct lsf_asked *a, const char **why);

/*
 * NULL, or why no job of the queue or the user is tried: volclava records a limit on its first host
 * where it records what closes a queue or a user as a whole (mbd.init.c, updHostList(), numbers
 * hosts from 0; mbd.policy.c, getQUsable() and readyToDisp(), read reasonTb[1][0]).
 */
const char *lsf_hosts_closed(const struct lsf_hosts *h, const struct lsf_asked *a);

/* NULL, or which outcome of the session so far is uncertain. */
const char *lsf_hosts_doubt(const struct lsf_hosts *h);

/* A job runs on the hosts of LIST, "hosta:2*hostb", since START or I64_UNKNOWN. */
void lsf_hosts_running(struct lsf_hosts *h, const struct lsf_asked *a, const char *list,
		       int64_t start);

#endif
