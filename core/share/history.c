/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/history.h"

#include <string.h>

#include "core/base/mem.h"

#define SAMPLES_LEAST 8

void history_free(struct history *h)
{
	idmap_free(&h->slots);
	mem_free(h->values);
	memset(h, 0, sizeof *h);
}

static float *samples_of(const struct history *h, uint32_t slot, int quantity)
{
	return h->values + ((size_t)slot * HISTORY_QUANTITIES + (size_t)quantity) * h->capacity;
}

/* The slot of a row; a new one remembers that the row was not there before. */
static uint32_t slot_of(struct history *h, uint64_t key)
{
	uint32_t slot = idmap_get(&h->slots, key, UINT32_MAX);
	size_t per_slot = (size_t)HISTORY_QUANTITIES * h->capacity;

	if (slot != UINT32_MAX)
		return slot;
	slot = (uint32_t)h->slots.count;
	h->values =
		mem_grow(h->values, &h->slot_capacity, (size_t)slot + 1, per_slot * sizeof(float));
	for (size_t i = 0; i < per_slot; i++)
		h->values[slot * per_slot + i] = (float)F64_UNKNOWN;
	idmap_put(&h->slots, key, slot);
	return slot;
}

static void begin(struct history *h, uint32_t rows)
{
	size_t room = HISTORY_BYTES / (sizeof(float) * HISTORY_QUANTITIES) / (rows > 0 ? rows : 1);

	if (room < SAMPLES_LEAST)
		return;
	h->capacity = room < HISTORY_SAMPLES ? (uint32_t)room : HISTORY_SAMPLES;
	h->stride = 1;
}

/* Forgets every second sample of everything. */
static void thin(struct history *h)
{
	for (size_t slot = 0; slot < h->slots.count; slot++) {
		for (int q = 0; q < HISTORY_QUANTITIES; q++) {
			float *v = samples_of(h, (uint32_t)slot, q);
			for (uint32_t i = 0; i < h->samples; i += 2)
				v[i / 2] = v[i];
			for (uint32_t i = (h->samples + 1) / 2; i < h->capacity; i++)
				v[i] = (float)F64_UNKNOWN;
		}
	}
	h->samples = (h->samples + 1) / 2;
	h->stride *= 2;
}

static float value(const double *array, uint32_t row)
{
	return (float)(array != NULL ? array[row] : F64_UNKNOWN);
}

void history_add(struct history *h, const struct model *m, const uint64_t *keys, int64_t time)
{
	/* Rows that came and went stay in their slots; when they are most of it, begin anew. */
	if (h->slots.count > 4 * (size_t)m->fs->n + 1000)
		history_free(h);
	if (h->capacity == 0)
		begin(h, m->fs->n);
	if (h->capacity == 0)
		return;
	if (h->samples > 0 && ++h->skipped < h->stride)
		return;
	if (h->samples == h->capacity)
		thin(h);
	h->skipped = 0;
	for (uint32_t i = 0; i < m->fs->n; i++) {
		uint32_t slot = slot_of(h, keys[i]);
		samples_of(h, slot, HISTORY_U)[h->samples] = value(m->fs->norm_usage, i);
		samples_of(h, slot, HISTORY_R)[h->samples] = value(m->fs->effective_ratio, i);
		samples_of(h, slot, HISTORY_F)[h->samples] = value(m->fs->fairshare, i);
	}
	if (h->samples == 0)
		h->begin = time;
	h->end = time;
	h->samples++;
}

const float *history_get(const struct history *h, uint64_t key, enum history_quantity quantity,
			 uint32_t *count)
{
	uint32_t slot = idmap_get(&h->slots, key, UINT32_MAX);

	*count = h->samples;
	return slot != UINT32_MAX ? samples_of(h, slot, (int)quantity) : NULL;
}
