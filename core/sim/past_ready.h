/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_ready: from when on the jobs of a log may be tried: begin times, dependencies, throttles of
 * arrays.
 *
 * A job that was not eligible at its submission (held, or with a begin time) is not before as much
 * later; where its dependency or the throttle of its array is known, that counts instead. A
 * dependency waits until jobs of the trial that were submitted before it have begun (after) or
 * ended: as the job ran, it was fulfilled, so that afterok, afterany and afternotok are one; what
 * is not in the trial is over. singleton is none here.
 */
#ifndef FAIRTOP_CORE_SIM_PAST_READY_H
#define FAIRTOP_CORE_SIM_PAST_READY_H

#include "core/sim/past_site.h"

struct past_ready *past_ready_new(const struct past *p);	/* P is borrowed */
void past_ready_free(struct past_ready *r);			/* NULL is fine */

int64_t past_ready_at(const struct past_ready *r, uint32_t job);
bool past_ready_let(const struct past_ready *r, uint32_t job);
void past_ready_begin(struct past_ready *r, uint32_t job);
void past_ready_end(struct past_ready *r, uint32_t job);

#endif
