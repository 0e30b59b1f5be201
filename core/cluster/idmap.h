/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * idmap: 64-bit identities to row numbers; with no values, a set. Open addressing, grows by itself.
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
void idmap_put(struct idmap *m, uint64_t key, uint32_t value);
bool idmap_has(const struct idmap *m, uint64_t key);
uint32_t idmap_get(const struct idmap *m, uint64_t key, uint32_t missing);
bool idmap_remove(struct idmap *m, uint64_t key);
bool idmap_toggle(struct idmap *m, uint64_t key);	/* is it in now? */

#endif
