/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/idmap.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/unknown.h"

void idmap_free(struct idmap *m)
{
	mem_free(m->slots);
	memset(m, 0, sizeof(*m));
}

void idmap_clear(struct idmap *m)
{
	if (m->size > 0)
		memset(m->slots, 0, m->size * sizeof(*m->slots));
	m->count = 0;
}

/* Uses the upper half, too: of doubles the lower one is often zero. */
static size_t idmap_place_of(const struct idmap *m, uint64_t key)
{
	return (size_t)(((key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (m->size - 1);
}

/* Where KEY is, or the free slot where it would be. There is always a free one. */
static struct idmap_slot *idmap_probe(const struct idmap *m, uint64_t key)
{
	size_t mask = m->size - 1, i = idmap_place_of(m, key);

	while (m->slots[i].used && m->slots[i].key != key)
		i = (i + 1) & mask;
	return &m->slots[i];
}

void idmap_reserve(struct idmap *m, size_t count)
{
	struct idmap old = *m;

	m->size = old.size == 0 ? 16 : old.size;
	while (m->size < 2 * (count + 1))
		m->size *= 2;
	if (m->size == old.size)
		return;
	m->slots = mem_zalloc(m->size, sizeof(*m->slots));
	for (size_t i = 0; i < old.size; i++) {
		if (old.slots[i].used)
			*idmap_probe(m, old.slots[i].key) = old.slots[i];
	}
	mem_free(old.slots);
}

void idmap_put(struct idmap *m, uint64_t key, uint32_t value)
{
	struct idmap_slot *slot;

	idmap_reserve(m, m->count);
	slot = idmap_probe(m, key);
	m->count += !slot->used;
	*slot = (struct idmap_slot){ key, value, true };
}

bool idmap_has(const struct idmap *m, uint64_t key)
{
	return m->count > 0 && idmap_probe(m, key)->used;
}

uint32_t idmap_get(const struct idmap *m, uint64_t key, uint32_t missing)
{
	const struct idmap_slot *slot = m->count > 0 ? idmap_probe(m, key) : NULL;

	return slot && slot->used ? slot->value : missing;
}

bool idmap_remove(struct idmap *m, uint64_t key)
{
	struct idmap_slot *slot = m->count > 0 ? idmap_probe(m, key) : NULL;
	size_t mask = m->size - 1, i;

	if (!slot || !slot->used)
		return false;
	slot->used = false;
	m->count--;
	/* Entries that the hole had displaced must be inserted again. */
	i = (size_t)(slot - m->slots);
	for (i = (i + 1) & mask; m->slots[i].used; i = (i + 1) & mask) {
		struct idmap_slot moved = m->slots[i];
		m->slots[i].used = false;
		*idmap_probe(m, moved.key) = moved;
	}
	return true;
}

bool idmap_toggle(struct idmap *m, uint64_t key)
{
	if (idmap_remove(m, key))
		return false;
	idmap_put(m, key, 0);
	return true;
}

void idmap_add(struct idmap *m, uint64_t hash, uint32_t value)
{
	while (idmap_has(m, hash))
		hash++;
	idmap_put(m, hash, value);
}

uint32_t idmap_next(const struct idmap *m, uint64_t hash, size_t *at)
{
	return idmap_get(m, hash + (*at)++, ROW_NONE);
}
