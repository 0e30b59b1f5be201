/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

/* The hash beside the handle: most different strings differ in it already. */
struct text_slot {
	uint32_t handle;	/* 0 is an empty slot, since handle 0 is never interned */
	uint32_t hash;
};

/* Open addressing. */
struct text {
	char *bytes;
	size_t used, capacity;
	struct text_slot *slots;
	size_t slot_count;	/* a power of two */
	size_t strings;
};

#define TEXT_SLOTS_MIN 64

static uint64_t text_mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0x9fb21c651e98df25);
	return h ^ h >> 32;
}

/* Eight bytes as one number, the same on every machine. */
static inline uint64_t word_at(const char *s)
{
	const unsigned char *b = (const unsigned char *)s;

	return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
	       (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
	       (uint64_t)b[7] << 56;
}

static inline uint64_t text_hash_seeded(const char *string, size_t length, uint64_t seed)
{
	uint64_t h = (UINT64_C(0xcbf29ce484222325) ^ length) + seed * UINT64_C(0x9e3779b97f4a7c15);
	uint64_t rest = 0;

	if (length >= 8) {
		const char *end = string + length;

		for (; end - string > 8; string += 8)
			h = text_mix(h, word_at(string));
		/* The last eight bytes, overlapping those already read. */
		return text_mix(text_mix(h, word_at(end - 8)), 0);
	}
	for (size_t i = 0; i < length; i++)
		rest |= (uint64_t)(unsigned char)string[i] << 8 * i;
	return text_mix(text_mix(h, rest), 0);
}

uint64_t text_hash(const char *string, size_t length, uint64_t seed)
{
	return text_hash_seeded(string, length, seed);
}

struct text *text_new(void)
{
	struct text *t = mem_zalloc(1, sizeof(*t));

	t->slot_count = TEXT_SLOTS_MIN;
	t->slots = mem_zalloc(t->slot_count, sizeof(*t->slots));
	t->bytes = mem_grow(NULL, &t->capacity, 2, 1);
	t->bytes[0] = '\0';
	t->bytes[1] = '\0';
	t->used = 2;
	return t;
}

void text_free(struct text *t)
{
	if (!t)
		return;
	MEM_FREE(t->bytes, t->slots, t);
}

/* The slot that holds STRING, or the empty one where it belongs. */
static struct text_slot *text_slot(const struct text *t, const char *string, size_t length,
				   uint32_t wanted)
{
	size_t mask = t->slot_count - 1, i = wanted & mask;

	for (; t->slots[i].handle != 0; i = (i + 1) & mask) {
		const char *have = t->bytes + t->slots[i].handle;

		if (t->slots[i].hash == wanted && strncmp(have, string, length) == 0 &&
		    have[length] == '\0')
			break;
	}
	return &t->slots[i];
}

static void text_rehash(struct text *t)
{
	struct text_slot *old = t->slots;
	size_t count = t->slot_count, mask = count * 2 - 1;

	t->slot_count = count * 2;
	t->slots = mem_zalloc(t->slot_count, sizeof(*t->slots));
	for (size_t i = 0; i < count; i++) {
		size_t at = old[i].hash & mask;

		if (old[i].handle == 0)
			continue;
		while (t->slots[at].handle != 0)
			at = (at + 1) & mask;
		t->slots[at] = old[i];
	}
	mem_free(old);
}

uint32_t text_find(const struct text *t, const char *string, size_t length)
{
	if (length == 0)
		return TEXT_EMPTY;
	return text_slot(t, string, length, (uint32_t)text_hash_seeded(string, length, 0))->handle;
}

uint32_t text_intern(struct text *t, const char *string, size_t length)
{
	struct text_slot *slot;
	uint32_t code, handle;

	if (length == 0)
		return TEXT_EMPTY;
	code = (uint32_t)text_hash_seeded(string, length, 0);
	slot = text_slot(t, string, length, code);
	if (slot->handle != 0)
		return slot->handle;
	if (t->used + length + 1 > UINT32_MAX)
		abort();
	t->bytes = mem_grow(t->bytes, &t->capacity, t->used + length + 1, 1);
	handle = (uint32_t)t->used;
	memcpy(t->bytes + t->used, string, length);
	t->bytes[t->used + length] = '\0';
	t->used += length + 1;
	*slot = (struct text_slot){ handle, code };
	if (++t->strings * 4 > t->slot_count * 3)
		text_rehash(t);
	return handle;
}

const char *text_get(const struct text *t, uint32_t handle)
{
	return handle == 0 ? NULL : t->bytes + handle;
}

const char *text_bytes(const struct text *t, size_t *length)
{
	*length = t->used;
	return t->bytes;
}
