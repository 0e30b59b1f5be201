/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lint_pools: the restrictions on queue pools, as checks E1-E7 and W1-W9.
 *
 *	E1 SLOT_SHARE is no integer from 1 to 100	E2 SLOT_POOL's name
 *	E3 only one of SLOT_POOL and SLOT_SHARE		E4 queues of a pool on different hosts
 *	E5 a host of a pool without a slot limit	E6 a pool queue preempts or is preempted
 *	E7 a pool queue in a FAIRSHARE_QUEUES set
 *	W1 SLOT_RESERVE in a pool queue			W2 SLOT_RESERVE and BACKFILL in one queue
 *	W3 shares that do not add up to 100		W4 a pool's parameter in a later queue
 *	W5 a host of a pool in a host partition		W6 an outside queue that comes first there
 *	W7 MAX_SLOTS_IN_POOL without effect		W8 two pools on the same hosts
 *	W9 a queue that gets nothing at first
 *
 * They read the parameters as configured (QUEUE.PARAMETERS), so that what no number can hold is
 * still told with its line. Where a source gives no parameters, the checks of them find nothing.
 */
#ifndef FAIRTOP_CORE_LINT_POOLS_H
#define FAIRTOP_CORE_LINT_POOLS_H

#include "core/lint.h"

void lint_pools(const struct cluster *c, struct lint *l);

#endif
