/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grouping by hashing: the components of a block of jobs are folded into 64-bit hashes column by
 * column, then each job looks for its class in an open-addressed table and compares all components
 * with those of the class's first job, so that a collision of hashes never merges two classes.
 */
#include "core/classes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

#define BLOCK 256U

struct grouping {
	const struct class_component *components;
	size_t count;
	uint64_t *hashes;	/* of each class */
	uint32_t *leaders;	/* first job of each class */
	uint32_t *slots;	/* class + 1, 0 empty */
	size_t slot_count, capacity, leader_capacity;
	uint32_t classes;
};

static uint64_t finish(uint64_t h)
{
	h ^= h >> 32;
	h *= UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

static void hash_block(const struct grouping *g, uint32_t from, uint32_t n, uint64_t *hashes)
{
	for (uint32_t i = 0; i < n; i++)
		hashes[i] = UINT64_C(0x9e3779b97f4a7c15);
	for (size_t c = 0; c < g->count; c++) {
		const uint32_t *ids = g->components[c].ids + from;

		for (uint32_t i = 0; !g->components[c].excluded && i < n; i++)
			hashes[i] = (hashes[i] ^ ids[i]) * UINT64_C(0xff51afd7ed558ccd) +
				    (hashes[i] >> 29);
	}
	for (uint32_t i = 0; i < n; i++)
		hashes[i] = finish(hashes[i]);
}

static bool same(const struct grouping *g, uint32_t a, uint32_t b)
{
	for (size_t c = 0; c < g->count; c++) {
		if (!g->components[c].excluded &&
		    g->components[c].ids[a] != g->components[c].ids[b])
			return false;
	}
	return true;
}

static void grow_slots(struct grouping *g)
{
	mem_free(g->slots);
	g->slot_count *= 4;
	g->slots = mem_zalloc(g->slot_count, sizeof(*g->slots));
	for (uint32_t c = 0; c < g->classes; c++) {
		size_t i = (size_t)g->hashes[c] & (g->slot_count - 1);

		while (g->slots[i] != 0)
			i = (i + 1) & (g->slot_count - 1);
		g->slots[i] = c + 1;
	}
}

static uint32_t class_of_job(struct grouping *g, uint32_t job, uint64_t hash)
{
	size_t i = (size_t)hash & (g->slot_count - 1);

	for (; g->slots[i] != 0; i = (i + 1) & (g->slot_count - 1)) {
		uint32_t c = g->slots[i] - 1;

		assert(g->hashes);	/* a slot is in use */
		if (g->hashes[c] == hash && same(g, g->leaders[c], job))
			return c;
	}
	g->hashes = mem_grow(g->hashes, &g->capacity, (size_t)g->classes + 1, sizeof(*g->hashes));
	g->leaders = mem_grow(g->leaders, &g->leader_capacity, (size_t)g->classes + 1,
			      sizeof(*g->leaders));
	g->hashes[g->classes] = hash;
	g->leaders[g->classes] = job;
	g->slots[i] = ++g->classes;
	if ((size_t)g->classes * 2 > g->slot_count)
		grow_slots(g);
	return g->classes - 1;
}

/* CLASS_OF may be NULL when only the number of classes is wanted. */
static uint32_t group(const struct class_component *components, size_t count, uint32_t jobs,
		      uint32_t *class_of)
{
	struct grouping g = { .components = components, .count = count, .slot_count = 1024 };
	uint64_t hashes[BLOCK];

	g.slots = mem_zalloc(g.slot_count, sizeof(*g.slots));
	for (uint32_t from = 0; from < jobs; from += BLOCK) {
		uint32_t n = jobs - from < BLOCK ? jobs - from : BLOCK;

		hash_block(&g, from, n, hashes);
		for (uint32_t i = 0; i < n; i++)
			class_of[from + i] = class_of_job(&g, from + i, hashes[i]);
	}
	mem_free(g.slots);
	mem_free(g.hashes);
	mem_free(g.leaders);
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
	c->count = group(components, component_count, jobs, c->class_of);
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

static int more_jobs_first(const void *a, const void *b)
{
	const struct class_merge *x = a, *y = b;

	if (x->jobs != y->jobs)
		return x->jobs > y->jobs ? -1 : 1;
	return x->component < y->component ? -1 : x->component > y->component;
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

size_t classes_near(const struct class_component *components, size_t component_count, uint32_t jobs,
		    struct class_merge *merges)
{
	struct class_component *one = mem_alloc(component_count, sizeof(*one));
	struct classes *before = classes_new(components, component_count, jobs), *after;
	size_t n = 0;

	memcpy(one, components, component_count * sizeof(*one));
	for (size_t c = 0; c < component_count; c++) {
		if (components[c].excluded)
			continue;
		one[c].excluded = true;
		after = classes_new(one, component_count, jobs);
		merges[n++] = (struct class_merge){ c, after->count, classes_moved(before, after) };
		classes_free(after);
		one[c].excluded = false;
	}
	qsort(merges, n, sizeof(*merges), more_jobs_first);
	classes_free(before);
	mem_free(one);
	return n;
}
