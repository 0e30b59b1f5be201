/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_pools: the restrictions on queue pools: checks E1 to E8 and W1 to W9 of the table of rules.
 *
 * They read the parameters as configured (QUEUE.PARAMETERS), so that values that no number
 * can hold are also reported, with their line. If a source has no parameters, their checks find
 * nothing.
 */
#ifndef FAIRTOP_CORE_LINT_LINT_POOLS_H
#define FAIRTOP_CORE_LINT_LINT_POOLS_H

#include "core/lint/lint.h"
#include "core/cluster/cluster.h"

void lint_pools(const struct cluster *c, struct lint *l);

/* For a source with faults (volclava): queue factors without the effect they should have. */
void lint_lsf_shares(const struct cluster *c, struct lint *l);

#endif
