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

/* Do so many of JOBS wait that it goes by a pool of CPUs? Then its answer is about right. */
bool seek_start_is_rough(const struct jobs *jobs);

#endif
