/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/store/objects.h"

#include <string.h>

#include "core/base/mem.h"

void objects_free(struct objects *o)
{
	mem_free(o->numbers);
	mem_free(o->rows);
	*o = (struct objects){ NULL, NULL, 0, 0 };
}

static size_t object_slot(const struct objects *o, int64_t number)
{
	size_t i = (size_t)((uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (o->size - 1);

	while (o->numbers[i] != 0 && o->numbers[i] != number)
		i = (i + 1) & (o->size - 1);
	return i;
}

bool objects_find(const struct objects *o, int64_t number, uint32_t *row)
{
	size_t slot;

	if (o->used == 0)
		return false;
	slot = object_slot(o, number);
	*row = o->rows[slot];
	return o->numbers[slot] != 0;
}

void objects_add(struct objects *o, int64_t number, uint32_t row)
{
	size_t slot;

	if (o->used * 2 >= o->size) {
		struct objects larger = { .size = o->size ? o->size * 2 : 256, .used = o->used };

		larger.numbers = mem_zalloc(larger.size, sizeof(*larger.numbers));
		larger.rows = mem_alloc(larger.size, sizeof(*larger.rows));
		for (size_t i = 0; i < o->size; i++) {
			if (o->numbers[i] == 0)
				continue;
			slot = object_slot(&larger, o->numbers[i]);
			larger.numbers[slot] = o->numbers[i];
			larger.rows[slot] = o->rows[i];
		}
		objects_free(o);
		*o = larger;
	}
	slot = object_slot(o, number);
	o->used += o->numbers[slot] == 0;
	o->numbers[slot] = number;
	o->rows[slot] = row;
}

void objects_set(struct objects *o, const int64_t *numbers, uint32_t n)
{
	if (o->size > 0)
		memset(o->numbers, 0, o->size * sizeof(*o->numbers));
	o->used = 0;
	for (uint32_t i = 0; i < n; i++)
		objects_add(o, numbers[i], i);
}
