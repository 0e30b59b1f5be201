/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grouping one component after the other: jobs of one class stay together if they are equal in the
 * next component, too. Each pass numbers the pairs of class and id in the order of their first
 * jobs.
 */
#include "core/classes/classes.h"

#include "core/base/mem.h"
#include "core/base/unknown.h"
#include "core/cluster/idmap.h"

/* Splits the classes by the IDS of a component; returns how many there are then. */
static uint32_t classes_split(uint32_t *class_of, const uint32_t *ids, uint32_t jobs)
{
	struct idmap pairs = { .count = 0 };
	uint32_t count = 0;

	for (uint32_t j = 0; j < jobs; j++) {
		uint64_t pair = (uint64_t)class_of[j] << 32 | ids[j];

		class_of[j] = idmap_get(&pairs, pair, ROW_NONE);
		if (class_of[j] == ROW_NONE)
			idmap_put(&pairs, pair, class_of[j] = count++);
	}
	idmap_free(&pairs);
	return count;
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
	c->class_of = mem_zalloc(jobs, sizeof(*c->class_of));
	c->count = jobs > 0;
	for (size_t i = 0; i < component_count; i++) {
		if (!components[i].excluded)
			c->count = classes_split(c->class_of, components[i].ids, jobs);
	}
	list_members(c);
	return c;
}

void classes_free(struct classes *c)
{
	if (!c)
		return;
	MEM_FREE(c->class_of, c->first, c->members, c);
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
