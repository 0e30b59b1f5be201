/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seek_start: for seek.h, which edit lets a job begin sooner: by time limits, or as in a pool of
 * CPUs if many jobs are pending (starts.h).
 */
#ifndef FAIRTOP_CORE_SIM_SEEK_START_H
#define FAIRTOP_CORE_SIM_SEEK_START_H

#include "core/queue/jobs.h"

/* seek_question.until */
double seek_start_until(const struct jobs *base, const struct jobs *edited, uint32_t entry);

/*
 * Sets *REACH to the seconds from C until START, for seek_question.reach. ERR_INPUT, with WHAT
 * first, if START is past or C is not Slurm; ERR_SOURCE if the time of C is unknown.
 */
bool seek_start_reach(const struct cluster *c, const char *what, int64_t start, double *reach,
		      struct err *err);

/* Whether so many of JOBS are pending that a pool of CPUs is used and the answer is approximate. */
bool seek_start_is_rough(const struct jobs *jobs);

#endif
