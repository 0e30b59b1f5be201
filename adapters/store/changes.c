/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/store/changes.h"

#include <string.h>

#include "core/base/mem.h"

#define SLOTS 16384		/* a power of two */

/* A new handle and the old one that means the same; a slot is taken over by the latest pair. */
struct pair {
	uint32_t handle, old;
};

struct changes {
	const struct cluster *old, *c;
	bool same_texts;	/* handles of old texts are those of the new ones */
	bool same_tres;		/* rows of the TRES table are the same: lists may be compared */
	struct pair *texts, *lists, *tres;	/* NULL where nothing is to be looked up */
};

static bool texts_equal(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool tres_tables_equal(const struct cluster *old, const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_TRES);

	if (cluster_rows(old, TABLE_TRES) != n)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (!texts_equal(cluster_text(old, F_TRES_NAME, i),
				 cluster_text(c, F_TRES_NAME, i)))
			return false;
	}
	return true;
}

static bool has_columns(const struct cluster *c, enum field_type type)
{
	unsigned f = 0;

	while (f < F_COUNT && (field_info[f].type != type || !cluster_col(c, (enum field)f)))
		f++;
	return f < F_COUNT;
}

/* To clear them takes longer than to compare a small cluster. */
static struct pair *pairs_new(bool needed)
{
	return needed ? mem_zalloc(SLOTS, sizeof(struct pair)) : NULL;
}

struct changes *changes_new(const struct cluster *old, const struct cluster *c)
{
	struct changes *x = mem_alloc(1, sizeof(*x));
	bool lists = has_columns(old, FIELD_LIST) && has_columns(c, FIELD_LIST);

	*x = (struct changes){ .old = old, .c = c, .same_texts = cluster_keeps_texts(c, old),
			       .same_tres = tres_tables_equal(old, c) };
	x->texts = pairs_new(!x->same_texts || lists);
	x->lists = pairs_new(lists);
	x->tres = pairs_new(has_columns(old, FIELD_TRES) && has_columns(c, FIELD_TRES));
	return x;
}

void changes_free(struct changes *x)
{
	mem_free(x->texts);
	mem_free(x->lists);
	mem_free(x->tres);
	mem_free(x);
}

static inline struct pair *slot_of(struct pair *pairs, uint32_t handle)
{
	return &pairs[(handle * UINT32_C(2654435761) >> 12) & (SLOTS - 1)];
}

static bool same_text(const struct changes *x, uint32_t old, uint32_t handle)
{
	struct pair *slot = slot_of(x->texts, handle);

	if (old == TEXT_NONE || handle == TEXT_NONE)
		return old == handle;
	if (slot->handle == handle && slot->old == old)
		return true;
	if (strcmp(cluster_string(x->old, old), cluster_string(x->c, handle)) != 0)
		return false;
	*slot = (struct pair){ handle, old };
	return true;
}

static bool lists_equal(const struct changes *x, struct text_list a, struct text_list b)
{
	if (!a.texts || !b.texts)
		return !a.texts && !b.texts;
	if (a.count != b.count)
		return false;
	for (uint32_t i = 0; i < a.count; i++) {
		if (!same_text(x, a.texts[i], b.texts[i]))
			return false;
	}
	return true;
}

static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static bool tres_equal(const struct changes *x, struct tres_list a, struct tres_list b)
{
	if (!a.items || !b.items)
		return !a.items && !b.items;
	if (a.count != b.count || !x->same_tres)
		return false;
	for (uint32_t i = 0; i < a.count; i++) {
		if (a.items[i].tres != b.items[i].tres ||
		    bits_of(a.items[i].count) != bits_of(b.items[i].count))
			return false;
	}
	return true;
}

/* Handles of the two rows; lists are looked into only where the pair is new. */
static bool same_cell(const struct changes *x, enum field field, uint32_t old_row, uint32_t old,
		      uint32_t row, uint32_t handle)
{
	enum field_type type = field_info[field].type;
	struct pair *slot;
	bool same;

	if (type == FIELD_TEXT)
		return same_text(x, old, handle);
	if (old == TEXT_NONE || handle == TEXT_NONE)
		return old == handle;
	slot = slot_of(type == FIELD_LIST ? x->lists : x->tres, handle);
	if (slot->handle == handle && slot->old == old)
		return true;
	same = type == FIELD_LIST ?
	       lists_equal(x, cluster_list(x->old, field, old_row),
			   cluster_list(x->c, field, row)) :
	       tres_equal(x, cluster_tres(x->old, field, old_row),
			  cluster_tres(x->c, field, row));
	if (same)
		*slot = (struct pair){ handle, old };
	return same;
}

static void mark_handles(const struct changes *x, enum field field, const uint32_t *old,
			 const uint32_t *new, const uint32_t *where, uint8_t *marks, uint8_t bit)
{
	uint32_t n = cluster_rows(x->c, field_info[field].table);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t w = where[i];

		if (w != ROW_NONE &&
		    !same_cell(x, field, w, old ? old[w] : TEXT_NONE, i,
			       new ? new[i] : TEXT_NONE))
			marks[i] |= bit;
	}
}

/* Plain values, bit by bit; a column that is not there is full of UNKNOWN. */
#define MARK(name, type) \
static void name(uint32_t n, const type *old, const type *new, type unknown, \
		 const uint32_t *where, uint8_t *marks, uint8_t bit) \
{ \
	for (uint32_t i = 0; i < n; i++) { \
		uint32_t w = where[i]; \
\
		if (w != ROW_NONE && (old ? old[w] : unknown) != (new ? new[i] : unknown)) \
			marks[i] |= bit; \
	} \
}
MARK(mark_8, uint8_t)
MARK(mark_32, uint32_t)
MARK(mark_64, uint64_t)
#undef MARK

static uint64_t bits_of_unknown(enum field_type type)
{
	return type == FIELD_F64 ? bits_of(F64_UNKNOWN) : (uint64_t)I64_UNKNOWN;
}

void changes_mark(const struct changes *x, enum field field, const uint32_t *where, uint8_t *marks,
		  uint8_t bit)
{
	uint32_t n = cluster_rows(x->c, field_info[field].table);
	const void *old = cluster_col(x->old, field), *new = cluster_col(x->c, field);

	if (!old && !new)
		return;
	switch (field_info[field].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		mark_32(n, old, new, U32_UNKNOWN, where, marks, bit);
		break;
	case FIELD_I64:
	case FIELD_F64:
		mark_64(n, old, new, bits_of_unknown(field_info[field].type), where, marks, bit);
		break;
	case FIELD_BOOL:
		mark_8(n, old, new, BOOL_UNKNOWN, where, marks, bit);
		break;
	case FIELD_TEXT:
		if (x->same_texts) {
			mark_32(n, old, new, TEXT_NONE, where, marks, bit);
			break;
		}
		mark_handles(x, field, old, new, where, marks, bit);
		break;
	case FIELD_LIST:
	case FIELD_TRES:
		mark_handles(x, field, old, new, where, marks, bit);
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
}
