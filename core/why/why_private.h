/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts that why_new() puts together.
 *
 * One module of several files: why why_holds why_limits why_needs why_place why_runs
 */
#ifndef FAIRTOP_CORE_WHY_WHY_PRIVATE_H
#define FAIRTOP_CORE_WHY_WHY_PRIVATE_H

#include "core/why/why.h"

/* Adds WHY_HOLDS of a pending job, and its cause: the scheduler's reason first. */
void why_holds(struct why *w);

/* Adds WHY_PLACE and WHY_AHEAD of a pending job. */
void why_place(struct why *w);

/* Whether the simulation knows all jobs that its dependency names. */
bool why_dependency_is_played(const struct why *w);

/* Whether the limit that REASON means is known, reached, and simulated. */
bool why_limit_is_played(struct why *w, const char *reason);

/* Adds WHY_START of a job that runs or has ended. */
void why_runs(struct why *w);

#endif
