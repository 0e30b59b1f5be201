/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pbs_asked: amounts and times of job requests as PBS's scheduler counts them. */
#ifndef FAIRTOP_CORE_QUEUE_PBS_ASKED_H
#define FAIRTOP_CORE_QUEUE_PBS_ASKED_H

#include "core/cluster/cluster.h"

/*
 * "16gb" in kB, "05:00:00" in seconds, "128", "-2"; NaN if TEXT is no amount. Source: openpbs,
 * src/scheduler/misc.cpp, res_to_num() and is_num().
 */
double pbs_amount(const char *text);

/* Seconds that the job may run; without a walltime five years (JOB_INFINITY). */
int64_t pbs_job_length(const struct cluster *c, uint32_t job);

/* Time at which a running job ends by its walltime, or soon if that has passed. */
int64_t pbs_job_end(const struct cluster *c, uint32_t job, int64_t now);

#endif
