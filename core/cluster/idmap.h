/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * idmap: 64-bit identities to row numbers; with no values, a set. Open addressing, grows by itself.
 *
 * Keys without a 64-bit identity, such as names, are found by a hash: idmap_add() stores several
 * rows under one, and the caller of idmap_next() compares them.
 */
#ifndef FAIRTOP_CORE_CLUSTER_IDMAP_H
#define FAIRTOP_CORE_CLUSTER_IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idmap_slot {
	uint64_t key;
	uint32_t value;
	bool used;
};

struct idmap {
	struct idmap_slot *slots;	/* owned */
	size_t size;			/* a power of two, or 0 */
	size_t count;
};

void idmap_free(struct idmap *m);	/* leaves an empty map; an empty one is all zeros */
void idmap_clear(struct idmap *m);
void idmap_reserve(struct idmap *m, size_t count);	/* prepares for COUNT in all */
void idmap_put(struct idmap *m, uint64_t key, uint32_t value);
bool idmap_has(const struct idmap *m, uint64_t key);
uint32_t idmap_get(const struct idmap *m, uint64_t key, uint32_t missing);
bool idmap_remove(struct idmap *m, uint64_t key);
void idmap_add(struct idmap *m, uint64_t hash, uint32_t value);
/*
 * Returns the next value of HASH; *AT starts at 0. ROW_NONE after the last. May also return values
 * of other hashes.
 */
uint32_t idmap_next(const struct idmap *m, uint64_t hash, size_t *at);
bool idmap_toggle(struct idmap *m, uint64_t key);	/* returns: is it in now? */

#endif
