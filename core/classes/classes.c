/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grouping by hashing: turns a block of jobs from columns into rows of ids and 64-bit hashes. Each
 * job then finds its class in an open-addressed table and compares its whole row with that of the
 * class's first job, so a hash collision never merges two classes. The rows of the classes are
 * contiguous: comparing with the columns of the first job would miss the cache once per component.
 */
#include "core/classes/classes.h"

#include <stdlib.h>

#include "core/base/mem.h"

#define BLOCK 256U

struct classes_slot {
	uint32_t class;		/* + 1, 0 empty */
	uint32_t tag;		/* the upper half of its hash */
};

struct grouping {
	const uint32_t *const *columns;	/* of the components that count */
	size_t width;			/* how many */
	uint32_t *rows;			/* WIDTH ids of each class */
	uint64_t *hashes;		/* of each class */
	struct classes_slot *slots;
	size_t slot_count, capacity, row_capacity;
	uint32_t classes;
	uint32_t *block;		/* BLOCK rows */
};

static uint64_t classes_finish(uint64_t h)
{
	h ^= h >> 32;
	h *= UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

static void hash_block(const struct grouping *g, uint32_t from, uint32_t n, uint64_t *hashes)
{
	for (uint32_t i = 0; i < n; i++)
		hashes[i] = UINT64_C(0x9e3779b97f4a7c15);
	for (size_t c = 0; c < g->width; c++) {
		const uint32_t *ids = g->columns[c] + from;
		uint32_t *row = g->block + c;

		for (uint32_t i = 0; i < n; i++) {
			hashes[i] = (hashes[i] ^ ids[i]) * UINT64_C(0xff51afd7ed558ccd) +
				    (hashes[i] >> 29);
			row[i * g->width] = ids[i];
		}
	}
	for (uint32_t i = 0; i < n; i++)
		hashes[i] = classes_finish(hashes[i]);
}

static bool classes_same_keys(const uint32_t *a, const uint32_t *b, size_t width)
{
	uint32_t difference = 0;

	for (size_t c = 0; c < width; c++)
		difference |= a[c] ^ b[c];
	return difference == 0;
}

static void grow_slots(struct grouping *g)
{
	mem_free(g->slots);
	g->slot_count *= 4;
	g->slots = mem_zalloc(g->slot_count, sizeof(*g->slots));
	for (uint32_t c = 0; c < g->classes; c++) {
		size_t i = (size_t)g->hashes[c] & (g->slot_count - 1);

		while (g->slots[i].class != 0)
			i = (i + 1) & (g->slot_count - 1);
		g->slots[i] = (struct classes_slot){ c + 1, (uint32_t)(g->hashes[c] >> 32) };
	}
}

static uint32_t new_class(struct grouping *g, size_t slot, const uint32_t *row, uint64_t hash)
{
	size_t n = g->classes;

	MEM_GROW(g->hashes, g->capacity, n + 1);
	/* One extra: rows without columns must still have an address. */
	MEM_GROW(g->rows, g->row_capacity, (n + 1) * g->width + 1);
	g->hashes[n] = hash;
	for (size_t c = 0; c < g->width; c++)
		g->rows[n * g->width + c] = row[c];
	g->slots[slot] = (struct classes_slot){ ++g->classes, (uint32_t)(hash >> 32) };
	if ((size_t)g->classes * 2 > g->slot_count)
		grow_slots(g);
	return (uint32_t)n;
}

static uint32_t class_of_row(struct grouping *g, const uint32_t *row, uint64_t hash)
{
	size_t i = (size_t)hash & (g->slot_count - 1);
	uint32_t tag = (uint32_t)(hash >> 32);

	for (; g->slots[i].class != 0; i = (i + 1) & (g->slot_count - 1)) {
		size_t c = g->slots[i].class - 1;

		if (g->slots[i].tag == tag &&
		    classes_same_keys(g->rows + c * g->width, row, g->width))
			return (uint32_t)c;
	}
	return new_class(g, i, row, hash);
}

/*
 * Sets the class + 1 of each job of the block whose class is in the first slot probed, else 0. Free
 * of data-dependent branches, so that cache misses overlap.
 */
static void look_up(const struct grouping *g, uint32_t n, const uint64_t *hashes, uint32_t *found)
{
	size_t mask = g->slot_count - 1;

	for (uint32_t i = 0; i < n; i++) {
		struct classes_slot s = g->slots[(size_t)hashes[i] & mask];

		found[i] = s.tag == (uint32_t)(hashes[i] >> 32) ? s.class : 0;
	}
	for (uint32_t i = 0; g->classes != 0 && i < n; i++) {
		size_t c = found[i] - (found[i] != 0);

		if (!classes_same_keys(g->rows + c * g->width, g->block + i * g->width, g->width))
			found[i] = 0;
	}
}

static uint32_t classes_group(const struct class_component *components, size_t count, uint32_t jobs,
			      uint32_t *class_of)
{
	const uint32_t **columns = mem_alloc(count, sizeof(*columns));
	struct grouping g = { .columns = columns, .slot_count = 1024 };
	uint64_t hashes[BLOCK];
	uint32_t found[BLOCK];

	for (size_t c = 0; c < count; c++) {
		if (!components[c].excluded)
			columns[g.width++] = components[c].ids;
	}
	g.slots = mem_zalloc(g.slot_count, sizeof(*g.slots));
	g.block = mem_alloc(BLOCK, g.width * sizeof(*g.block));
	for (uint32_t from = 0; from < jobs; from += BLOCK) {
		uint32_t n = jobs - from < BLOCK ? jobs - from : BLOCK;

		hash_block(&g, from, n, hashes);
		look_up(&g, n, hashes, found);
		for (uint32_t i = 0; i < n; i++)
			class_of[from + i] = found[i] != 0 ? found[i] - 1 :
					     class_of_row(&g, g.block + i * g.width, hashes[i]);
	}
	mem_free(columns);
	mem_free(g.block);
	mem_free(g.slots);
	mem_free(g.hashes);
	mem_free(g.rows);
	return g.classes;
}

static void list_members(struct classes *c)
{
	uint32_t *next = mem_zalloc((size_t)c->count + 1, sizeof(*next));

	c->first = mem_zalloc((size_t)c->count + 1, sizeof(*c->first));
	c->members = mem_alloc(c->jobs, sizeof(*c->members));
	for (uint32_t j = 0; j < c->jobs; j++)
		c->first[c->class_of[j] + 1]++;
	for (uint32_t k = 0; k < c->count; k++) {
		c->first[k + 1] += c->first[k];
		next[k] = c->first[k];
	}
	for (uint32_t j = 0; j < c->jobs; j++)
		c->members[next[c->class_of[j]]++] = j;
	mem_free(next);
}

struct classes *classes_new(const struct class_component *components, size_t component_count,
			    uint32_t jobs)
{
	struct classes *c = mem_zalloc(1, sizeof(*c));

	c->jobs = jobs;
	c->class_of = mem_alloc(jobs, sizeof(*c->class_of));
	c->count = classes_group(components, component_count, jobs, c->class_of);
	list_members(c);
	return c;
}

void classes_free(struct classes *c)
{
	if (!c)
		return;
	mem_free(c->class_of);
	mem_free(c->first);
	mem_free(c->members);
	mem_free(c);
}

uint32_t classes_moved(const struct classes *before, const struct classes *after)
{
	uint32_t *largest = mem_zalloc(after->count, sizeof(*largest)), kept = 0;

	for (uint32_t c = 0; c < before->count; c++) {
		uint32_t size = before->first[c + 1] - before->first[c];
		uint32_t into = after->class_of[before->members[before->first[c]]];

		if (size > largest[into])
			largest[into] = size;
	}
	for (uint32_t c = 0; c < after->count; c++)
		kept += largest[c];
	mem_free(largest);
	return before->jobs - kept;
}
