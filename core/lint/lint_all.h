/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_all: every check that the scheduler of a model has.
 */
#ifndef FAIRTOP_CORE_LINT_LINT_ALL_H
#define FAIRTOP_CORE_LINT_LINT_ALL_H

#include "core/lint/lint.h"
#include "core/queue/jobs.h"

/* Appends, and puts all in order. JOBS as lint_slurm() has them. */
void lint_all(const struct model *model, const struct jobs *jobs, struct lint *l);

#endif
