/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The election of jobs in a fair-share queue of LSF; for lsf_jobs.c only. */
#ifndef FAIRTOP_CORE_QUEUE_LSF_WALK_H
#define FAIRTOP_CORE_QUEUE_LSF_WALK_H

#include "core/queue/lsf_session.h"

/*
 * Brings ENTRIES, the waiting ones of QUEUE in the order of the list, into the order in which they
 * are elected; those that no account offers come last, and are marked so. False, and all is left as
 * it was, where a dynamic priority or the account that pays is unknown. Sets PROBLEM, if that is
 * empty, where a priority is known as printed alone, and stays so whatever starts.
 */
bool lsf_walk(struct lsf_jobs *l, struct lsf_session *s, uint32_t queue, uint32_t *entries,
	      uint32_t count);

#endif
