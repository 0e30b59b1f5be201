/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * last_pass: when slurmctld last recomputed usage and priorities, from the jobs of a builder.
 * The arithmetic is core/lastpass.h's.
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
