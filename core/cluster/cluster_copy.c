/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/cluster_copy.h"

#include <assert.h>
#include <string.h>

#include "core/cluster/cluster_private.h"
#include "core/base/mem.h"

/* Interned in the order of their handles, texts and lists keep the same handles. */
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
	b->hidden = c->hidden;
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

/* Source and target of copied texts and lists. */
struct carrier {
	struct builder *b;
	const char *text;
	const struct span *lists, *tres;
	const uint32_t *list_items;
	const struct tres_item *tres_items;
};

static uint32_t carry_text(const struct carrier *from, uint32_t handle)
{
	const char *s = from->text + handle;

	return handle == TEXT_NONE ? TEXT_NONE : text_intern(from->b->text, s, strlen(s));
}

static uint32_t carry_list(const struct carrier *from, struct span span)
{
	uint32_t *texts = mem_alloc(span.count, sizeof(*texts)), handle;

	for (uint32_t i = 0; i < span.count; i++)
		texts[i] = carry_text(from, from->list_items[span.first + i]);
	handle = pool_intern(&from->b->lists, texts, span.count);
	mem_free(texts);
	return handle;
}

static uint32_t builder_carry(const struct carrier *from, enum field_type type, uint32_t handle)
{
	struct span span;

	if (type == FIELD_TEXT)
		return carry_text(from, handle);
	if (handle == TEXT_NONE)
		return TEXT_NONE;
	if (type == FIELD_LIST)
		return carry_list(from, from->lists[handle]);
	span = from->tres[handle];
	return pool_intern(&from->b->tres, from->tres_items + span.first, span.count);
}

/* Translates VALUES to the builder's handles, if they are handles; often one repeats. */
static void carry_all(const struct carrier *from, enum field_type type, void *values,
		      uint32_t count)
{
	uint32_t *handles = values, last = TEXT_NONE, carried = TEXT_NONE;

	if (type != FIELD_TEXT && type != FIELD_LIST && type != FIELD_TRES)
		return;
	for (uint32_t i = 0; i < count; i++) {
		if (handles[i] != last) {
			last = handles[i];
			carried = builder_carry(from, type, last);
		}
		handles[i] = carried;
	}
}

void builder_tidy(struct builder *b)
{
	struct text *text = b->text;
	struct pool lists = b->lists, tres = b->tres;
	size_t length;
	const struct carrier from = {
		b, text_bytes(text, &length), lists.spans, tres.spans,
		(const uint32_t *)(void *)lists.items, (const struct tres_item *)(void *)tres.items,
	};

	b->text = text_new();
	pool_init(&b->lists, lists.item_size);
	pool_init(&b->tres, tres.item_size);
	for (unsigned f = 0; f < F_COUNT; f++)
		carry_all(&from, field_info[f].type, b->columns[f].values, b->columns[f].filled);
	text_free(text);
	pool_release(&lists);
	pool_release(&tres);
}

uint32_t builder_append(struct builder *b, const struct cluster *c, enum table table, uint32_t row,
			uint32_t count)
{
	const struct carrier from = {
		b, c->text, c->list_spans, c->tres_spans, c->list_items, c->tres_items,
	};
	uint32_t first = b->rows[table];

	for (uint32_t i = 0; i < count; i++)
		builder_add(b, table);
	for (unsigned f = table_first_field(table); f < F_COUNT && field_info[f].table == table;
	     f++) {
		const enum field_type type = field_info[f].type;
		const size_t size = field_size(type);
		uint32_t filled = b->columns[f].filled;
		char *values;

		if (!c->columns[f] || count == 0)
			continue;
		values = builder_column_room(b, (enum field)f, first + count);
		column_fill_unknown(type, values, filled, first);
		values += first * size;
		memcpy(values, (const char *)c->columns[f] + row * size, count * size);
		carry_all(&from, type, values, count);
	}
	return first;
}

uint32_t builder_repeat(struct builder *b, enum table table, uint32_t row)
{
	const uint32_t new = builder_add(b, table);

	for (unsigned f = table_first_field(table); f < F_COUNT && field_info[f].table == table;
	     f++) {
		const size_t size = field_size(field_info[f].type);
		const uint32_t filled = b->columns[f].filled;
		char *values;

		if (row >= filled)
			continue;
		values = builder_column_room(b, (enum field)f, new + 1);
		column_fill_unknown(field_info[f].type, values, filled, new);
		memcpy(values + new * size, values + row * size, size);
	}
	return new;
}

/* Moves the rows that stay to the front; FIRST is the first one to go. */
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

static uint32_t builder_compact(void *values, size_t size, uint32_t first, uint32_t rows,
				const bool *drop)
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

	while (drop && first < rows && !drop[first])
		first++;
	for (uint32_t i = 0; drop && i < rows; i++)
		kept += !drop[i];
	for (unsigned f = table_first_field(table); f < F_COUNT && field_info[f].table == table;
	     f++) {
		struct build_column *column = &b->columns[f];

		if (!drop)
			column->filled = 0;
		else if (column->values)
			column->filled = builder_compact(column->values,
							 field_size(field_info[f].type), first,
							 column->filled, drop);
	}
	if (table == TABLE_ASSOC && b->lines && drop)
		(void)builder_compact(b->lines, sizeof(*b->lines), first, rows, drop);
	b->rows[table] = kept;
}
