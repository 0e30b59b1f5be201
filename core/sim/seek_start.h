/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seek_start: which edit lets a job begin sooner, for seek.h: by limits, where many wait as in a
 * pool of CPUs (starts.h).
 */
#ifndef FAIRTOP_CORE_SIM_SEEK_START_H
#define FAIRTOP_CORE_SIM_SEEK_START_H

#include "core/queue/jobs.h"

/* seek_question.until */
double seek_start_until(const struct jobs *base, const struct jobs *edited, uint32_t entry);

/*
 * The seconds from C until START for seek_question.reach. ERR_INPUT, which begins with WHAT, where
 * that is over, or C is no Slurm; ERR_SOURCE where it does not tell its time.
 */
bool seek_start_reach(const struct cluster *c, const char *what, int64_t start, double *reach,
		      struct err *err);

/* Do so many of JOBS wait that it goes by a pool of CPUs? Then its answer is about right. */
bool seek_start_is_rough(const struct jobs *jobs);

#endif
