/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job arrays. Their tasks are jobs in slots that lie together: 1, 2, ... from the second slot on,
 * and the last one in the first slot, which starts last.
 */
#include "adapters/demo/state.h"

#include <stdio.h>

#include "core/mem.h"

#define PERCENT 3		/* of the slots begin an array; */
#define OLDEST 2		/* this one does, too: what came first has found room */
#define FEWEST 3
#define MOST 12

/* A purpose of its own, behind those of plan.c: arrays leave the rest of the plan alone. */
#define DICE_ARRAYS 100

void arrays_plan(struct demo *d)
{
	struct random r = random_stream(d->options.seed, DICE_ARRAYS);
	uint32_t used = 0;

	d->blocks = mem_zalloc(d->job_count / FEWEST + 1, sizeof(*d->blocks));
	d->block_of = mem_alloc(d->job_count, sizeof(*d->block_of));
	for (uint32_t i = 0; i < d->job_count; i++) {
		struct block *block = &d->blocks[used];

		d->block_of[i] = NONE;
		if (!random_percent(&r, PERCENT) && i != OLDEST)
			continue;
		*block = (struct block){ .first = i,
					 .count = FEWEST + random_below(&r, MOST - FEWEST + 1),
					 .at_once = random_percent(&r, 40) ? 2 : 0 };
		if (block->count > d->job_count - i)
			continue;
		for (uint32_t k = 0; k < block->count; k++)
			d->block_of[i + k] = used;
		i += block->count - 1;
		used++;
	}
}

const struct block *array_of(const struct demo *d, uint32_t slot)
{
	return d->block_of[slot] != NONE ? &d->blocks[d->block_of[slot]] : NULL;
}

void array_join(struct demo *d, uint32_t slot)
{
	const struct block *block = array_of(d, slot);
	struct job *job = &d->jobs[slot], own = *job;

	if (!block)
		return;
	if (slot != block->first) {
		*job = d->jobs[block->first];
		job->id = own.id;
		job->runtime = job->limit * own.runtime / own.limit;
	}
	job->array = d->jobs[block->first].id;
	job->task = slot != block->first ? slot - block->first : block->count;
}

/* Slot of the task with NUMBER. */
static uint32_t task_slot(const struct block *block, uint32_t number)
{
	return number < block->count ? block->first + number : block->first;
}

uint32_t array_next(const struct demo *d, const struct block *block)
{
	for (uint32_t task = 1; task <= block->count; task++) {
		if (d->jobs[task_slot(block, task)].state == WAITING)
			return task_slot(block, task);
	}
	return NONE;
}

uint32_t array_count(const struct demo *d, const struct block *block, enum activity state)
{
	uint32_t count = 0;

	for (uint32_t k = 0; k < block->count; k++)
		count += d->jobs[block->first + k].state == state;
	return count;
}

void array_waiting(const struct demo *d, const struct block *block, char *buf, size_t size)
{
	uint32_t first = d->jobs[array_next(d, block)].task, last = block->count;
	int used = snprintf(buf, size, first < last ? "%u-%u" : "%u", (unsigned)first,
			    (unsigned)last);

	if (block->at_once > 0)
		snprintf(buf + used, size - (size_t)used, "%%%u", (unsigned)block->at_once);
}
