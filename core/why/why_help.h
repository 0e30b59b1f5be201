/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_help: what the owner of a pending job could change so that it starts sooner.
 *
 * Each change is an edit of what-if (edits.h), applied to a copy of the cluster and simulated as in
 * starts.h: the reported start is that of `fairtop starts --set EDIT`. Only tries what users may do
 * to their own jobs, and only where the permission is known: a QOS of the association, an account
 * in which the user has one, a partition in which the account has a job.
 */
#ifndef FAIRTOP_CORE_WHY_WHY_HELP_H
#define FAIRTOP_CORE_WHY_WHY_HELP_H

#include "core/why/why.h"

struct why_helping;

/*
 * W is pending, has its start (why_put_start()), and must outlive the result. NULL: there is
 * nothing to try. WANTED is called now and then, also during a try: whether the result is still
 * wanted; NULL: always.
 */
struct why_helping *why_help_begin(struct why *w, bool (*wanted)(void *context), void *context);

/* Tries one more; false: all are tried, or the result is not wanted. H may be NULL. */
bool why_help_step(struct why_helping *h);

/*
 * Adds the lines of WHY_HELPS to W, the largest gain first, or a line that only time helps; none if
 * not all were tried. Frees H (NULL is fine).
 */
void why_help_end(struct why_helping *h);

#endif
