/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slots of users during one session of LSF: those of started jobs and of jobs that the session
 * starts. For lsf_jobs.c and lsf_walk.c only, except the reasons.
 *
 * Limits: QJOB_LIMIT, UJOB_LIMIT and, over all hosts together, HJOB_LIMIT and PJOB_LIMIT of
 * lsb.queues, MAX_JOBS and JL/P of lsb.users, all in slots; hosts (lsf_hosts.h) only on request. A
 * job that requests "2-6" slots gets as many as are free; volclava gives it none if QJOB_LIMIT is
 * less than 6.
 */
#ifndef FAIRTOP_CORE_QUEUE_LSF_SESSION_H
#define FAIRTOP_CORE_QUEUE_LSF_SESSION_H

#include "core/queue/lsf_jobs.h"

struct lsf_session;

struct lsf_session *lsf_session_new(struct lsf_jobs *l, bool on_hosts);
void lsf_session_free(struct lsf_session *s);

/* Number of the entry's user, less than the number of users. */
uint32_t lsf_session_user(const struct lsf_session *s, uint32_t entry);
uint32_t lsf_session_users(const struct lsf_session *s);

/* Slots of a user's running jobs in all queues; suspended ones do not count. */
uint64_t lsf_session_running(const struct lsf_session *s, uint32_t user);

/* HJOB_LIMIT and PJOB_LIMIT over all hosts; U32_UNKNOWN: no limit, or a host is unknown. */
uint64_t lsf_session_on_hosts(const struct lsf_session *s, uint32_t queue);

/*
 * Starts the entry; returns its slots, or 0 if it cannot start: sets its REASON, unless it is
 * STOPPED.
 */
uint32_t lsf_session_start(struct lsf_session *s, uint32_t entry);

#endif
