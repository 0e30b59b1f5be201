/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of lint_slurm(). */
#ifndef FAIRTOP_CORE_LINT_LINT_SLURM_PRIVATE_H
#define FAIRTOP_CORE_LINT_LINT_SLURM_PRIVATE_H

#include "core/lint/lint_slurm.h"

#define LINT_PRIORITY "Multifactor Priority Plugin"
#define LINT_CONF "slurm.conf(5), "	/* and the parameter */

/* Accounts, QOS and partitions: S11 to S13, S15 to S17. */
void lint_slurm_tree(const struct model *model, struct lint *l);

/*
 * Suggests the words of PriorityFlags that P has, with the nearest that exist in place of those
 * that do not.
 */
void lint_mend_flags(struct lint_item *item, const struct policy *p);

#endif
