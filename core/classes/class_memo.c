/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/classes/class_memo.h"

#include "core/base/mem.h"

#define FIRST_SIZE 256

static struct class_memo_entry *slot_of(const struct class_memo *m, uint32_t handle)
{
	size_t i = (size_t)((handle * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (m->size - 1);

	while (m->slots[i].handle != 0 && m->slots[i].handle != handle)
		i = (i + 1) & (m->size - 1);
	return &m->slots[i];
}

static void grow(struct class_memo *m)
{
	struct class_memo old = *m;

	m->size = old.size ? 2 * old.size : FIRST_SIZE;
	m->slots = mem_zalloc(m->size, sizeof(*m->slots));
	for (size_t i = 0; i < old.size; i++) {
		if (old.slots[i].handle != 0)
			*slot_of(m, old.slots[i].handle) = old.slots[i];
	}
	mem_free(old.slots);
}

struct class_memo_entry *class_memo_get(struct class_memo *m, uint32_t handle, bool *is_new)
{
	struct class_memo_entry *e;

	if (m->count * 2 >= m->size)
		grow(m);
	e = slot_of(m, handle);
	*is_new = e->handle == 0;
	if (*is_new) {
		*e = (struct class_memo_entry){ .handle = handle };
		m->count++;
	}
	return e;
}

void class_memo_free(struct class_memo *m)
{
	mem_free(m->slots);
	*m = (struct class_memo){ NULL, 0, 0 };
}
