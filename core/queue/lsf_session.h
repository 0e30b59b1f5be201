/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The slots that users have as one session of LSF goes on: those of their started jobs, and of what
 * the session starts. For lsf_jobs.c and lsf_walk.c only, but for its words.
 *
 * Limits: QJOB_LIMIT, UJOB_LIMIT and, of all hosts together, HJOB_LIMIT and PJOB_LIMIT of
 * lsb.queues, MAX_JOBS and JL/P of lsb.users, all in slots; hosts (lsf_hosts.h) only if asked. A
 * job that asks for "2-6" slots gets as many as there are; volclava gives it none where QJOB_LIMIT
 * is less than 6.
 */
#ifndef FAIRTOP_CORE_QUEUE_LSF_SESSION_H
#define FAIRTOP_CORE_QUEUE_LSF_SESSION_H

#include "core/queue/lsf_jobs.h"

struct lsf_session;

struct lsf_session *lsf_session_new(struct lsf_jobs *l, bool on_hosts);
void lsf_session_free(struct lsf_session *s);

/* Who submitted the entry, below the number of users. */
uint32_t lsf_session_user(const struct lsf_session *s, uint32_t entry);
uint32_t lsf_session_users(const struct lsf_session *s);

/* Slots of the running jobs of a user in all queues; suspended ones do not count. */
uint64_t lsf_session_running(const struct lsf_session *s, uint32_t user);

/* Its HJOB_LIMIT and PJOB_LIMIT on all hosts; U32_UNKNOWN: none, or not each host is known. */
uint64_t lsf_session_on_hosts(const struct lsf_session *s, uint32_t queue);

/*
 * Counts the entry as started; returns its slots, 0 where something keeps it: its REASON then, or
 * it is STOPPED.
 */
uint32_t lsf_session_start(struct lsf_session *s, uint32_t entry);

#endif
