/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The election of jobs in a fair-share queue of LSF; for lsf_jobs.c only. */
#ifndef FAIRTOP_CORE_QUEUE_LSF_WALK_H
#define FAIRTOP_CORE_QUEUE_LSF_WALK_H

#include "core/queue/lsf_session.h"

/*
 * Sorts ENTRIES, the pending ones of QUEUE in the order of the list, into the order of their
 * election; those that no account offers come last and are marked. False, changing nothing, if a
 * dynamic priority or a charged account is unknown. Sets PROBLEM, if empty, when a priority is
 * known only as printed and stays the same whatever starts.
 */
bool lsf_walk(struct lsf_jobs *l, struct lsf_session *s, uint32_t queue, uint32_t *entries,
	      uint32_t count);

#endif
