/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/overlay.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "core/cluster/cluster_private.h"
#include "core/base/mem.h"

struct overlay {
	struct cluster *c;
	void *own[F_COUNT];		/* NULL: still shared */
};

struct overlay *overlay_over(const struct cluster *base)
{
	const size_t first = offsetof(struct cluster, arena);
	struct overlay *o = mem_zalloc(1, sizeof(*o));

	o->c = mem_alloc(1, sizeof(*o->c));
	/* Copies all but the number of owners, which other threads may be changing. */
	memcpy((char *)o->c + first, (const char *)base + first, sizeof(*base) - first);
	atomic_init(&o->c->shares, 0);
	o->c->arena = NULL;
	o->c->blocks = NULL;
	o->c->block_count = o->c->block_capacity = 0;
	o->c->under = NULL;
	return o;
}

struct overlay *overlay_new(struct cluster *base, bool owned)
{
	struct overlay *o = overlay_over(base);

	o->c->under = owned ? base : NULL;
	return o;
}

const struct cluster *overlay_cluster(const struct overlay *o)
{
	return o->c;
}

struct cluster *overlay_seal(struct overlay *o)
{
	struct cluster *c = o->c;

	mem_free(o);
	return c;
}

struct policy *overlay_policy(struct overlay *o)
{
	return &o->c->policy;
}

void overlay_partial(struct overlay *o)
{
	o->c->hidden |= HIDDEN_ASSOCS;
}

struct cluster_meta *overlay_meta(struct overlay *o)
{
	return &o->c->meta;
}

static void *overlay_keep(struct overlay *o, void *block)
{
	struct cluster *c = o->c;

	MEM_GROW(c->blocks, c->block_capacity, c->block_count + 1);
	c->blocks[c->block_count++] = block;
	return block;
}

static void *overlay_writable(struct overlay *o, enum field field)
{
	uint32_t rows = o->c->rows[field_info[field].table];
	size_t size = field_size(field_info[field].type);

	assert(rows > 0);
	if (o->own[field])
		return o->own[field];
	o->own[field] = overlay_keep(o, mem_alloc(rows, size));
	if (o->c->columns[field])
		memcpy(o->own[field], o->c->columns[field], rows * size);
	else
		column_fill_unknown(field_info[field].type, o->own[field], 0, rows);
	o->c->columns[field] = o->own[field];
	return o->own[field];
}

uint32_t *overlay_u32(struct overlay *o, enum field field)
{
	assert(field_size(field_info[field].type) == sizeof(uint32_t));
	return overlay_writable(o, field);
}

int64_t *overlay_i64(struct overlay *o, enum field field)
{
	assert(field_info[field].type == FIELD_I64);
	return overlay_writable(o, field);
}

double *overlay_f64(struct overlay *o, enum field field)
{
	assert(field_info[field].type == FIELD_F64);
	return overlay_writable(o, field);
}

void overlay_drop(struct overlay *o, enum field field)
{
	/* The cluster still owns the copy, if any. */
	o->own[field] = NULL;
	o->c->columns[field] = NULL;
}

uint32_t overlay_text(struct overlay *o, const char *text)
{
	size_t length = strlen(text), before = o->c->text_length;
	uint32_t handle = cluster_find_string(o->c, text, length);
	char *bytes;

	if (handle != TEXT_NONE)
		return handle;
	bytes = overlay_keep(o, mem_alloc(before + length + 1, 1));
	memcpy(bytes, o->c->text, before);
	memcpy(bytes + before, text, length + 1);
	o->c->text = bytes;
	o->c->text_length = before + length + 1;
	return (uint32_t)before;
}

uint32_t overlay_tres(struct overlay *o, const struct tres_item *items, uint32_t count)
{
	struct cluster *c = o->c;
	uint32_t spans = c->tres_span_count, old = c->tres_item_count;
	struct span *heads = overlay_keep(o, mem_alloc((size_t)spans + 2, sizeof(*heads)));
	struct tres_item *all = overlay_keep(o, mem_zalloc((size_t)old + count + 1, sizeof(*all)));

	/* Handle 0 is "unknown", also where the cluster has no lists at all. */
	if (spans == 0)
		heads[spans++] = (struct span){ 0, 0 };
	else
		memcpy(heads, c->tres_spans, spans * sizeof(*heads));
	if (old != 0)
		memcpy(all, c->tres_items, old * sizeof(*all));
	for (uint32_t i = 0; i < count; i++) {
		all[old + i].tres = items[i].tres;
		all[old + i].count = items[i].count;
	}
	heads[spans] = (struct span){ old, count };
	c->tres_spans = heads;
	c->tres_items = all;
	c->tres_span_count = spans + 1;
	c->tres_item_count = old + count;
	return spans;
}
