/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_ready: from when the jobs of a log may be tried: begin times, dependencies, array throttles.
 *
 * A job that was not eligible at its submission (held, or with a begin time) becomes eligible with
 * the same delay here; if its dependency or the throttle of its array is known, that counts
 * instead. A dependency is met once the named jobs of the log, submitted before, have begun
 * (after) or ended. The job did run, so afterok, afterany and afternotok are the same. Jobs outside
 * the log count as ended. singleton is not modelled here.
 */
#ifndef FAIRTOP_CORE_SIM_PAST_READY_H
#define FAIRTOP_CORE_SIM_PAST_READY_H

#include "core/sim/past_cluster.h"

struct past_ready *past_ready_new(const struct past *p);	/* P is borrowed */
void past_ready_free(struct past_ready *r);			/* NULL is fine */

int64_t past_ready_at(const struct past_ready *r, uint32_t job);
bool past_ready_let(const struct past_ready *r, uint32_t job);
void past_ready_begin(struct past_ready *r, uint32_t job);
void past_ready_end(struct past_ready *r, uint32_t job);

#endif
