/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_slurm: what is wrong or surprising in how a Slurm cluster decides the order of jobs: checks
 * S... of the table of rules, except those that need the text of slurm.conf (lint_conf.h). Sources
 * of the rules: slurm.conf(5), "Multifactor Priority Plugin", "Fair Tree" and "Depth-Oblivious
 * Fair-share Factor" of Slurm's documents.
 */
#ifndef FAIRTOP_CORE_LINT_LINT_SLURM_H
#define FAIRTOP_CORE_LINT_LINT_SLURM_H

#include "core/queue/jobs.h"
#include "core/lint/lint.h"

/* JOBS may be NULL: checks that need pending jobs are then skipped. */
void lint_slurm(const struct model *model, const struct jobs *jobs, struct lint *l);

#endif
