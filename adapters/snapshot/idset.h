/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * idset: a set of 32-bit numbers below 2^32 - 1, a few bytes each.
 */
#ifndef FAIRTOP_ADAPTERS_SNAPSHOT_IDSET_H
#define FAIRTOP_ADAPTERS_SNAPSHOT_IDSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is the empty set. */
struct idset {
	uint32_t *slots;	/* number + 1, 0 is free; owned */
	size_t size, used;	/* size is a power of two */
};

void idset_free(struct idset *set);
bool idset_has(const struct idset *set, uint32_t id);
bool idset_add(struct idset *set, uint32_t id);		/* false if it was there */

#endif
