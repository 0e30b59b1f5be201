/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * last_pass: when slurmctld last recomputed usage and priorities.
 *
 * No call tells it. But in each pass every waiting job's age is taken at the start of the pass, so
 * each age term that is neither 0 nor full tells that instant as accrue time + age *
 * PriorityMaxAge; the instant most jobs agree on is the pass. (A job that was updated since tells
 * the time of its update.) Source: spec of job priority, 1.1 and 2.1.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_LAST_PASS_H
#define FAIRTOP_ADAPTERS_SLURM_LAST_PASS_H

#include "core/cluster.h"

/*
 * Start of the last decay pass from the jobs, priority terms and policy in B, Unix time;
 * I64_UNKNOWN if they do not tell. EXACT: the terms are doubles as slurmctld holds them; else
 * they were printed, whole numbers rounded.
 */
int64_t slurm_last_pass(struct builder *b, bool exact);

#endif
