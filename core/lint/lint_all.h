/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_all: every check that the scheduler of a model has.
 */
#ifndef FAIRTOP_CORE_LINT_LINT_ALL_H
#define FAIRTOP_CORE_LINT_LINT_ALL_H

#include "core/lint/lint.h"
#include "core/queue/jobs.h"

/* Appends all findings, and sorts them. JOBS as for lint_slurm(). */
void lint_all(const struct model *model, const struct jobs *jobs, struct lint *l);

#endif
