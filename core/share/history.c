/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/history.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

#define SAMPLES_LEAST 8

void history_free(struct history *h)
{
	idmap_free(&h->slots);
	mem_free(h->values);
	memset(h, 0, sizeof(*h));
}

static float *samples_of(const struct history *h, uint32_t slot, int quantity)
{
	return h->values + ((size_t)slot * HISTORY_QUANTITIES + (size_t)quantity) * h->capacity;
}

/* Returns the slot of a row; a new one has NaN for all earlier samples. */
static uint32_t history_slot_of(struct history *h, uint64_t key)
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

static void history_begin(struct history *h, uint32_t rows)
{
	size_t room = HISTORY_BYTES / (sizeof(float) * HISTORY_QUANTITIES) / (rows > 0 ? rows : 1);

	if (room >= SAMPLES_LEAST)
		h->capacity = room < HISTORY_SAMPLES ? (uint32_t)room : HISTORY_SAMPLES;
}

/* Moves COUNT samples of every row from FROM to TO. */
static void history_move(struct history *h, uint32_t to, uint32_t from, uint32_t count)
{
	memmove(h->times + to, h->times + from, count * sizeof(*h->times));
	for (size_t slot = 0; slot < h->slots.count; slot++) {
		for (int q = 0; q < HISTORY_QUANTITIES; q++) {
			float *v = samples_of(h, (uint32_t)slot, q);

			memmove(v + to, v + from, count * sizeof(*v));
		}
	}
}

static void forget_one(struct history *h)
{
	uint32_t best = 1;

	for (uint32_t i = 2; i + 1 < h->samples; i++) {
		if (h->times[i + 1] - h->times[i - 1] < h->times[best + 1] - h->times[best - 1])
			best = i;
	}
	history_move(h, best, best + 1, --h->samples - best);
}

/* Returns the index of a new sample at TIME; UINT32_MAX if there already is one. */
static uint32_t history_make_room(struct history *h, int64_t time)
{
	uint32_t at;

	for (at = h->samples; at > 0 && h->times[at - 1] >= time; at--) {
		if (h->times[at - 1] == time)
			return UINT32_MAX;
	}
	if (h->samples == h->capacity) {
		forget_one(h);
		return history_make_room(h, time);
	}
	history_move(h, at + 1, at, h->samples - at);
	for (size_t slot = 0; slot < h->slots.count; slot++) {
		for (int q = 0; q < HISTORY_QUANTITIES; q++)
			samples_of(h, (uint32_t)slot, q)[at] = (float)F64_UNKNOWN;
	}
	h->times[at] = time;
	h->samples++;
	return at;
}

static float history_value(const double *array, uint32_t row)
{
	return (float)(array ? array[row] : F64_UNKNOWN);
}

void history_add(struct history *h, const struct model *m, const uint64_t *keys, int64_t time)
{
	const struct fs_result *fs = m->fs;
	uint32_t at;

	/* Vanished rows keep their slots; starts over once they are the majority. */
	if (h->slots.count > 4 * (size_t)fs->n + 1000)
		history_free(h);
	if (h->capacity == 0)
		history_begin(h, fs->n);
	at = h->capacity > 0 ? history_make_room(h, time) : UINT32_MAX;
	for (uint32_t i = 0; at != UINT32_MAX && i < fs->n; i++) {
		uint32_t slot = history_slot_of(h, keys[i]);

		samples_of(h, slot, HISTORY_U)[at] = history_value(fs->norm_usage, i);
		samples_of(h, slot, HISTORY_R)[at] = fs->effective_ratio ?
			(float)fs_ratio(fs, i) : 1 / history_value(fs->level_fs, i);
		samples_of(h, slot, HISTORY_F)[at] = history_value(fs->fairshare, i);
	}
}

const float *history_get(const struct history *h, uint64_t key, enum history_quantity quantity,
			 uint32_t *count)
{
	uint32_t slot = idmap_get(&h->slots, key, UINT32_MAX);

	*count = h->samples;
	return slot != UINT32_MAX ? samples_of(h, slot, (int)quantity) : NULL;
}

int64_t history_since(const struct history *h, uint64_t key, enum history_quantity quantity,
		      double line, bool over, int64_t now, bool *always)
{
	uint32_t count, end, i;
	const float *v = history_get(h, key, quantity, &count);

	for (end = count; end > 0 && h->times[end - 1] > now; )
		end--;
	for (i = end; v && i > 0 && !isnan(v[i - 1]) && ((double)v[i - 1] > line) == over; )
		i--;
	*always = i == 0;
	return v && end > 1 && i < end ? h->times[i] : I64_UNKNOWN;
}
