/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_help: what the owner of a waiting job could change so that it starts sooner.
 *
 * Each change is an edit of what-if (edits.h), applied to a copy of the cluster and simulated as
 * starts.h does: the start that is told is that of `fairtop starts --set EDIT`. Only what a user
 * may do to his own job is tried, and only where it was read that he may: a QOS of his association,
 * an account in which he has one, a partition in which his account has a job.
 */
#ifndef FAIRTOP_CORE_WHY_WHY_HELP_H
#define FAIRTOP_CORE_WHY_WHY_HELP_H

#include "core/why/why.h"

struct why_helping;

/*
 * W waits, and has its start (why_put_start()); it must outlive it. NULL: there is nothing to try.
 * WANTED is asked now and then, also in the middle of a try, whether anybody still waits for it;
 * NULL: yes.
 */
struct why_helping *why_help_begin(struct why *w, bool (*wanted)(void *context), void *context);

/* Tries one more; false: all are tried, or it is not wanted. H may be NULL. */
bool why_help_step(struct why_helping *h);

/*
 * Adds the lines of WHY_HELPS to W, the largest gain first, or the one that says that only time
 * helps, but none if not all were tried; frees H (NULL is fine).
 */
void why_help_end(struct why_helping *h);

#endif
