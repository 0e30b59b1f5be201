/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/snapshot/idset.h"

#include "core/base/mem.h"

void idset_free(struct idset *set)
{
	mem_free(set->slots);
	*set = (struct idset){ NULL, 0, 0 };
}

/* The slot that holds ID, or the free one where it belongs. */
static uint32_t *slot_of(const struct idset *set, uint32_t id)
{
	uint64_t hash = (id + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(hash >> 32) & (set->size - 1);

	while (set->slots[i] != 0 && set->slots[i] != id + 1)
		i = (i + 1) & (set->size - 1);
	return &set->slots[i];
}

static void grow(struct idset *set)
{
	struct idset larger = { NULL, set->size > 0 ? set->size * 2 : 64, set->used };

	larger.slots = mem_zalloc(larger.size, sizeof(*larger.slots));
	for (size_t i = 0; i < set->size; i++)
		if (set->slots[i] != 0)
			*slot_of(&larger, set->slots[i] - 1) = set->slots[i];
	mem_free(set->slots);
	*set = larger;
}

bool idset_has(const struct idset *set, uint32_t id)
{
	return set->size > 0 && *slot_of(set, id) != 0;
}

bool idset_add(struct idset *set, uint32_t id)
{
	uint32_t *slot;

	if (set->used * 4 >= set->size * 3)
		grow(set);
	slot = slot_of(set, id);
	if (*slot != 0)
		return false;
	*slot = id + 1;
	set->used++;
	return true;
}
