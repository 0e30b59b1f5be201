/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_pbs: what is wrong with a PBS's policy, fair-share tree, queues and jobs.
 */
#ifndef FAIRTOP_CORE_LINT_LINT_PBS_H
#define FAIRTOP_CORE_LINT_LINT_PBS_H

#include "core/lint/lint.h"
#include "core/share/model.h"

/* Appends what it finds (rules P*), nothing for another scheduler. */
void lint_pbs(const struct model *model, struct lint *l);

#endif
