/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of pools: shared by pools.c and pools_load.c only. */
#ifndef FAIRTOP_CORE_POOLS_POOLS_PRIVATE_H
#define FAIRTOP_CORE_POOLS_POOLS_PRIVATE_H

#include "core/pools/pools.h"

/* Fills what each queue uses, waits for and may use. PARTITIONS: the rows are Slurm's. */
void pools_load(struct pools *p, bool partitions);
void pools_load_free(struct pools *p);

/* Host slots and foreign use of pool K, after pools_load(). */
void pools_size(struct pools *p, uint32_t k);

#endif
