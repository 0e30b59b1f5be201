/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/cluster_private.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

void pool_init(struct pool *pool, size_t item_size)
{
	memset(pool, 0, sizeof(*pool));
	pool->item_size = item_size;
	pool->spans = mem_grow(NULL, &pool->span_capacity, 1, sizeof(*pool->spans));
	pool->spans[0] = (struct span){ 0, 0 };
	pool->span_count = 1;
	pool->slot_count = 64;
	pool->slots = mem_zalloc(pool->slot_count, sizeof(*pool->slots));
}

void pool_release(struct pool *pool)
{
	MEM_FREE(pool->spans, pool->items, pool->slots);
}

static const void *pool_items(const struct pool *pool, struct span span)
{
	return pool->items ? pool->items + (size_t)span.first * pool->item_size : "";
}

static size_t pool_slot(const struct pool *pool, const void *items, uint32_t count)
{
	size_t mask = pool->slot_count - 1;
	size_t length = count * pool->item_size;
	size_t i = (size_t)text_hash(items, length, count) & mask;

	for (; pool->slots[i] != 0; i = (i + 1) & mask) {
		struct span span = pool->spans[pool->slots[i]];

		if (span.count == count && memcmp(pool_items(pool, span), items, length) == 0)
			break;
	}
	return i;
}

static void pool_rehash(struct pool *pool)
{
	mem_free(pool->slots);
	pool->slot_count *= 2;
	pool->slots = mem_zalloc(pool->slot_count, sizeof(*pool->slots));
	for (uint32_t h = 1; h < pool->span_count; h++) {
		struct span span = pool->spans[h];

		pool->slots[pool_slot(pool, pool_items(pool, span), span.count)] = h;
	}
}

uint32_t pool_intern(struct pool *pool, const void *items, uint32_t count)
{
	uint32_t handle = count == 0 ? pool->empty : 0;
	size_t slot;

	if (handle != 0)
		return handle;
	slot = pool_slot(pool, items ? items : "", count);
	handle = pool->slots[slot];
	if (handle != 0)
		return handle;
	MEM_GROW(pool->spans, pool->span_capacity, pool->span_count + 1);
	pool->items = mem_grow(pool->items, &pool->item_capacity, pool->item_count + count + 1,
			       pool->item_size);
	if (count != 0)
		memcpy(pool->items + pool->item_count * pool->item_size, items,
		       count * pool->item_size);
	handle = (uint32_t)pool->span_count++;
	pool->spans[handle] = (struct span){ (uint32_t)pool->item_count, count };
	pool->item_count += count;
	pool->slots[slot] = handle;
	if (count == 0)
		pool->empty = handle;
	if (pool->span_count * 4 > pool->slot_count * 3)
		pool_rehash(pool);
	return handle;
}

struct builder *builder_new(void)
{
	struct builder *b = mem_zalloc(1, sizeof(*b));

	b->text = text_new();
	pool_init(&b->lists, sizeof(uint32_t));
	pool_init(&b->tres, sizeof(struct tres_item));
	policy_init(&b->policy);
	builder_meta(b, &(struct cluster_meta){ .time = I64_UNKNOWN, .last_decay = I64_UNKNOWN,
						.boot = I64_UNKNOWN, .last_reset = I64_UNKNOWN });
	return b;
}

void builder_free(struct builder *b)
{
	if (!b)
		return;
	text_free(b->text);
	pool_release(&b->lists);
	pool_release(&b->tres);
	for (unsigned f = 0; f < F_COUNT; f++)
		mem_free(b->columns[f].values);
	builder_forget_notes(b);
	for (size_t i = 0; i < sizeof(b->meta_texts) / sizeof(b->meta_texts[0]); i++)
		mem_free(b->meta_texts[i]);
	mem_free(b->notes);
	mem_free(b->lines);
	mem_free(b);
}

void builder_meta(struct builder *b, const struct cluster_meta *meta)
{
	const char *texts[4] = { meta->kind, meta->name, meta->version, meta->zone };
	char *copies[4];

	for (size_t i = 0; i < 4; i++)
		copies[i] = mem_strdup(texts[i] ? texts[i] : "");
	for (size_t i = 0; i < 4; i++) {
		mem_free(b->meta_texts[i]);
		b->meta_texts[i] = copies[i];
	}
	b->meta = *meta;
	b->meta.kind = copies[0];
	b->meta.name = copies[1];
	b->meta.version = copies[2];
	b->meta.zone = copies[3];
}

const struct cluster_meta *builder_get_meta(const struct builder *b)
{
	return &b->meta;
}

struct policy *builder_policy(struct builder *b)
{
	return &b->policy;
}

void builder_note(struct builder *b, const char *subject, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	MEM_GROW(b->notes, b->note_capacity, b->note_count + 1);
	b->notes[b->note_count++] = (struct note){ mem_strdup(subject), mem_strdup(text), format };
}

void builder_forget_notes(struct builder *b)
{
	for (size_t i = 0; i < b->note_count; i++) {
		mem_free((void *)(uintptr_t)b->notes[i].subject);
		mem_free((void *)(uintptr_t)b->notes[i].text);
	}
	b->note_count = 0;
}

void builder_line(struct builder *b, uint32_t line)
{
	b->line = line;
}

void builder_parents_first(struct builder *b)
{
	b->parents_first = true;
}

void builder_hidden(struct builder *b, uint32_t what)
{
	b->hidden |= what;
	b->keep_usage = b->keep_usage || what & HIDDEN_ASSOCS;
}

void builder_keep_usage(struct builder *b)
{
	b->keep_usage = true;
}

uint32_t builder_add(struct builder *b, enum table table)
{
	uint32_t row = b->rows[table]++;

	if (row == UINT32_MAX - 2)
		mem_alloc(SIZE_MAX, SIZE_MAX);	/* more rows than row numbers */
	if (table == TABLE_ASSOC && (b->line != 0 || b->lines)) {
		size_t had = b->lines_capacity;

		MEM_GROW(b->lines, b->lines_capacity, (size_t)row + 1);
		if (b->lines_capacity > had)
			memset(b->lines + had, 0, (b->lines_capacity - had) * sizeof(*b->lines));
		b->lines[row] = b->line;
	}
	return row;
}

uint32_t builder_rows(const struct builder *b, enum table table)
{
	return b->rows[table];
}

void column_fill_unknown(enum field_type type, void *values, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++) {
		switch (type) {
		case FIELD_U32:
		case FIELD_SHARES:
			((uint32_t *)values)[i] = U32_UNKNOWN;
			break;
		case FIELD_I64:
			((int64_t *)values)[i] = I64_UNKNOWN;
			break;
		case FIELD_F64:
			((double *)values)[i] = F64_UNKNOWN;
			break;
		case FIELD_BOOL:
			((uint8_t *)values)[i] = BOOL_UNKNOWN;
			break;
		case FIELD_TEXT:
		case FIELD_LIST:
		case FIELD_TRES:
			((uint32_t *)values)[i] = TEXT_NONE;
			break;
		case FIELD_TYPE_COUNT:
			break;
		}
	}
}

/* Makes storage for ROW, if it is not the next one or does not fit. */
static void column_reach(struct build_column *column, enum field_type type, uint32_t row)
{
	if (row >= column->capacity)
		column->values = mem_grow(column->values, &column->capacity, (size_t)row + 1,
					  field_size(type));
	column_fill_unknown(type, column->values, column->filled, row);
}

/* Returns the values of FIELD, with storage for ROW; all before it are filled. */
static void *column_to(struct builder *b, enum field field, uint32_t row)
{
	struct build_column *column = &b->columns[field];

	assert(row < b->rows[field_info[field].table]);
	if (row >= column->filled) {
		if (row > column->filled || row >= column->capacity)
			column_reach(column, field_info[field].type, row);
		column->filled = row + 1;
	}
	return column->values;
}

void builder_u32(struct builder *b, enum field field, uint32_t row, uint32_t value)
{
	assert(field_info[field].type == FIELD_U32 || field_info[field].type == FIELD_SHARES);
	((uint32_t *)column_to(b, field, row))[row] = value;
}

void builder_i64(struct builder *b, enum field field, uint32_t row, int64_t value)
{
	assert(field_info[field].type == FIELD_I64);
	/* 2^63 seconds from a scheduler are unknown. */
	((int64_t *)column_to(b, field, row))[row] =
		i64_fits(value) || value == I64_INFINITE ? value : I64_UNKNOWN;
}

void builder_f64(struct builder *b, enum field field, uint32_t row, double value)
{
	assert(field_info[field].type == FIELD_F64);
	((double *)column_to(b, field, row))[row] = value;
}

void builder_bool(struct builder *b, enum field field, uint32_t row, bool value)
{
	assert(field_info[field].type == FIELD_BOOL);
	((uint8_t *)column_to(b, field, row))[row] = value;
}

uint32_t builder_handle(struct builder *b, const char *s, size_t length)
{
	/* An embedded NUL ends the string here, as it would for every reader. */
	const char *nul = length != 0 ? memchr(s, 0, length) : NULL;

	return text_intern(b->text, s, nul ? (size_t)(nul - s) : length);
}

void builder_text(struct builder *b, enum field field, uint32_t row, const char *s, size_t length)
{
	uint32_t handle = builder_handle(b, s, length);

	assert(field_info[field].type == FIELD_TEXT);
	((uint32_t *)column_to(b, field, row))[row] = handle;
}

void builder_str(struct builder *b, enum field field, uint32_t row, const char *s)
{
	assert(field_info[field].type == FIELD_TEXT);
	if (s)
		((uint32_t *)column_to(b, field, row))[row] = text_intern(b->text, s, strlen(s));
}

void builder_list(struct builder *b, enum field field, uint32_t row, const char *const *strings,
		  uint32_t count)
{
	uint32_t few[64], *texts = count <= 64 ? few : mem_alloc(count, sizeof(*texts));

	assert(field_info[field].type == FIELD_LIST);
	for (uint32_t i = 0; i < count; i++)
		texts[i] = text_intern(b->text, strings[i], strlen(strings[i]));
	((uint32_t *)column_to(b, field, row))[row] = pool_intern(&b->lists, texts, count);
	if (texts != few)
		mem_free(texts);
}

void builder_tres(struct builder *b, enum field field, uint32_t row, const struct tres_item *items,
		  uint32_t count)
{
	struct tres_item few[64], *clean = count <= 64 ? few : mem_alloc(count, sizeof(*clean));

	assert(field_info[field].type == FIELD_TRES);
	/* Lists are compared by their bytes, so the padding of an item must have one value. */
	memset(clean, 0, count * sizeof(*clean));
	for (uint32_t i = 0; i < count; i++) {
		assert(items[i].tres < b->rows[TABLE_TRES]);
		clean[i].tres = items[i].tres;
		clean[i].count = items[i].count;
	}
	((uint32_t *)column_to(b, field, row))[row] = pool_intern(&b->tres, clean, count);
	if (clean != few)
		mem_free(clean);
}

void builder_unknown(struct builder *b, enum field field, uint32_t row)
{
	struct build_column *column = &b->columns[field];

	if (row < column->filled)
		column_fill_unknown(field_info[field].type, column->values, row, row + 1);
}

void *builder_column_room(struct builder *b, enum field field, uint32_t rows)
{
	struct build_column *column = &b->columns[field];

	assert(rows <= b->rows[field_info[field].table]);
	if (rows > column->capacity)
		column->values = mem_grow(column->values, &column->capacity, rows,
					  field_size(field_info[field].type));
	if (rows > column->filled)
		column->filled = rows;
	return column->values;
}

void builder_column(struct builder *b, enum field field, const void *values, uint32_t rows)
{
	if (rows != 0)
		memcpy(builder_column_room(b, field, rows), values,
		       (size_t)rows * field_size(field_info[field].type));
}

uint32_t builder_tres_row(struct builder *b, const char *name, size_t length)
{
	const struct build_column *names = &b->columns[F_TRES_NAME];
	uint32_t handle = text_find(b->text, name, length), row;

	for (row = 0; handle != 0 && row < names->filled; row++) {
		if (((const uint32_t *)names->values)[row] == handle)
			return row;
	}
	row = builder_add(b, TABLE_TRES);
	builder_text(b, F_TRES_NAME, row, name, length);
	return row;
}

uint32_t builder_get_u32(const struct builder *b, enum field field, uint32_t row)
{
	const struct build_column *column = &b->columns[field];

	return row < column->filled ? ((const uint32_t *)column->values)[row] : U32_UNKNOWN;
}

int64_t builder_get_i64(const struct builder *b, enum field field, uint32_t row)
{
	const struct build_column *column = &b->columns[field];

	return row < column->filled ? ((const int64_t *)column->values)[row] : I64_UNKNOWN;
}

double builder_get_f64(const struct builder *b, enum field field, uint32_t row)
{
	const struct build_column *column = &b->columns[field];

	return row < column->filled ? ((const double *)column->values)[row] : F64_UNKNOWN;
}

const char *builder_get_text(const struct builder *b, enum field field, uint32_t row)
{
	const struct build_column *column = &b->columns[field];

	if (row >= column->filled)
		return NULL;
	return text_get(b->text, ((const uint32_t *)column->values)[row]);
}

uint32_t builder_find_u32(const struct builder *b, enum field field, uint32_t value)
{
	const struct build_column *column = &b->columns[field];
	const uint32_t *values = column->values;
	uint32_t low = 0, high = column->filled;

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (values[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < column->filled && values[low] == value ? low : ROW_NONE;
}
