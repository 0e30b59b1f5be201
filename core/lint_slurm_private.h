/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of lint_slurm(). */
#ifndef FAIRTOP_CORE_LINT_SLURM_PRIVATE_H
#define FAIRTOP_CORE_LINT_SLURM_PRIVATE_H

#include "core/lint_slurm.h"

/* Accounts, QOS and partitions: S11 to S13, S15 to S17. */
void lint_slurm_tree(const struct model *model, struct lint *l);

#endif
