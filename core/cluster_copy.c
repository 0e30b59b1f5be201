/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster_copy.h"

#include <assert.h>
#include <string.h>

#include "core/cluster_private.h"
#include "core/mem.h"

/* Interned in the order of their handles, texts and lists get the same ones again. */
static void copy_texts(struct builder *b, const struct cluster *c)
{
	for (size_t at = 2; at < c->text_length;) {
		size_t length = strlen(c->text + at);
		uint32_t handle = text_intern(b->text, c->text + at, length);

		assert(handle == at);
		(void)handle;
		at += length + 1;
	}
}

static void copy_pools(struct builder *b, const struct cluster *c)
{
	for (uint32_t h = 1; h < c->list_span_count; h++) {
		struct span s = c->list_spans[h];

		pool_intern(&b->lists, c->list_items + s.first, s.count);
	}
	for (uint32_t h = 1; h < c->tres_span_count; h++) {
		struct span s = c->tres_spans[h];

		pool_intern(&b->tres, c->tres_items + s.first, s.count);
	}
}

struct builder *cluster_copy(const struct cluster *c)
{
	struct builder *b = builder_new();

	builder_meta(b, &c->meta);
	b->policy = c->policy;
	b->partial = c->partial;
	b->keep_usage = true;
	for (uint32_t i = 0; i < c->note_count; i++)
		builder_note(b, c->notes[i].subject, "%s", c->notes[i].text);
	copy_texts(b, c);
	copy_pools(b, c);
	memcpy(b->rows, c->rows, sizeof(b->rows));
	for (unsigned f = 0; f < F_COUNT; f++) {
		uint32_t rows = c->rows[field_info[f].table];

		if (c->columns[f] && rows != 0)
			builder_column(b, (enum field)f, c->columns[f], rows);
	}
	return b;
}

/* Moves the rows that stay up to the others; FIRST is the first one that goes. */
#define COMPACT(name, type) \
static uint32_t name(type *values, uint32_t first, uint32_t rows, const bool *drop) \
{ \
	uint32_t kept = first < rows ? first : rows; \
\
	for (uint32_t i = first; i < rows; i++) { \
		values[kept] = values[i]; \
		kept += !drop[i]; \
	} \
	return kept; \
}
COMPACT(compact_8, uint8_t)
COMPACT(compact_32, uint32_t)
COMPACT(compact_64, uint64_t)
#undef COMPACT

static uint32_t compact(void *values, size_t size, uint32_t first, uint32_t rows, const bool *drop)
{
	if (size == 1)
		return compact_8(values, first, rows, drop);
	if (size == 4)
		return compact_32(values, first, rows, drop);
	assert(size == 8);
	return compact_64(values, first, rows, drop);
}

void builder_remove(struct builder *b, enum table table, const bool *drop)
{
	uint32_t rows = b->rows[table], kept = 0, first = 0;

	while (first < rows && !drop[first])
		first++;
	for (uint32_t i = 0; i < rows; i++)
		kept += !drop[i];
	for (unsigned f = table_first_field(table); f < F_COUNT && field_info[f].table == table;
	     f++) {
		struct build_column *column = &b->columns[f];

		if (column->values)
			column->filled = compact(column->values, field_size(field_info[f].type),
						 first, column->filled, drop);
	}
	if (table == TABLE_ASSOC && b->lines)
		(void)compact(b->lines, sizeof(*b->lines), first, rows, drop);
	b->rows[table] = kept;
}
