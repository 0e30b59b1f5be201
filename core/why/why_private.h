/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts that why_new() puts together.
 *
 * One module of several files: why why_holds why_limits why_needs why_place why_runs
 */
#ifndef FAIRTOP_CORE_WHY_WHY_PRIVATE_H
#define FAIRTOP_CORE_WHY_WHY_PRIVATE_H

#include "core/why/why.h"

/* WHY_HOLDS of a job that waits, and its cause: what the scheduler says first. */
void why_holds(struct why *w);

/* WHY_PLACE and WHY_AHEAD of a job that waits. */
void why_place(struct why *w);

/* Does the simulation know all that its dependency names? */
bool why_dependency_is_played(const struct why *w);

/* Is the limit that REASON means one that was read, is reached, and is simulated? */
bool why_limit_is_played(struct why *w, const char *reason);

/* WHY_START of a job that runs or has ended. */
void why_runs(struct why *w);

#endif
