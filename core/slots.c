/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/slots.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

void slots_pool_init(struct slots_pool *p, struct slots_queue *queues, uint32_t *order,
		     uint32_t count)
{
	memset(p, 0, sizeof(*p));
	p->max_slots = SLOTS_NO_LIMIT;
	p->queues = queues;
	p->order = order;
	p->count = count;
	for (uint32_t i = 0; i < count; i++) {
		order[i] = i;
		if (queues[i].limit == 0)
			queues[i].limit = SLOTS_NO_LIMIT;
	}
}

uint32_t slots_size(const struct slots_pool *p)
{
	uint32_t free_of_others = p->foreign >= p->host_slots ? 0 : p->host_slots - p->foreign;

	return free_of_others < p->max_slots ? free_of_others : p->max_slots;
}

/* A / share ascending, compared across so that nothing is rounded; then PRIORITY, then the file. */
static bool before(const struct slots_pool *p, uint32_t a, uint32_t b)
{
	const struct slots_queue *x = &p->queues[a], *y = &p->queues[b];
	double left = x->accumulated * y->share, right = y->accumulated * x->share;

	if (left < right || left > right)
		return left < right;
	if (x->priority != y->priority)
		return x->priority > y->priority;
	return a < b;
}

/* Insertion sort: the order of the last cycle is nearly the order of this one. */
static void sort_order(struct slots_pool *p)
{
	for (uint32_t i = 1; i < p->count; i++) {
		uint32_t queue = p->order[i], j = i;

		for (; j > 0 && before(p, queue, p->order[j - 1]); j--)
			p->order[j] = p->order[j - 1];
		p->order[j] = queue;
	}
	for (uint32_t i = 0; i < p->count; i++)
		p->queues[p->order[i]].order = i;
}

static uint32_t ceiling_share(uint32_t base, uint32_t share)
{
	return (uint32_t)(((uint64_t)base * share + 99) / 100);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Gives QUEUE up to DESERVED of LEFT; returns what it got. */
static uint32_t grant(struct slots_pool *p, uint32_t queue, uint32_t base, uint32_t deserved,
		      uint32_t left, slots_each *each, void *context)
{
	struct slots_queue *q = &p->queues[queue];
	uint32_t can_use = smaller(q->demand, q->limit);
	uint32_t more = can_use > q->allotted ? can_use - q->allotted : 0;
	uint32_t got = smaller(smaller(deserved, left), more);

	q->allotted += got;
	if (each) {
		struct slots_grant g = { p->rounds, queue, base, deserved, got, SLOTS_FULL };

		if (got < deserved && got == more)
			g.cut = q->limit < q->demand ? SLOTS_CUT_LIMIT : SLOTS_CUT_NEED;
		else if (got < deserved)
			g.cut = SLOTS_CUT_LEFT;
		each(context, &g);
	}
	return got;
}

static uint32_t share_round(struct slots_pool *p, uint32_t base, slots_each *each, void *context)
{
	uint32_t left = base;

	for (uint32_t i = 0; i < p->count; i++) {
		uint32_t queue = p->order[i];

		left -= grant(p, queue, base, ceiling_share(base, p->queues[queue].share), left,
			      each, context);
	}
	return left;
}

/* Everything left to the queue of the highest PRIORITY, then the next: one round ends it. */
static uint32_t priority_round(struct slots_pool *p, uint32_t base, slots_each *each, void *context)
{
	struct slots_dispatch *by = mem_alloc(p->count, sizeof(*by));
	uint32_t *order = mem_alloc(p->count, sizeof(*order)), left = base;

	for (uint32_t i = 0; i < p->count; i++)
		by[i] = (struct slots_dispatch){ p->queues[i].priority, UINT32_MAX };
	slots_dispatch_order(by, p->count, false, order);
	for (uint32_t i = 0; i < p->count; i++)
		left -= grant(p, order[i], base, left, left, each, context);
	mem_free(by);
	mem_free(order);
	return left;
}

void slots_allocate(struct slots_pool *p, slots_each *each, void *context)
{
	uint32_t left = p->size = slots_size(p), base;

	p->rounds = 0;
	for (uint32_t i = 0; i < p->count; i++) {
		p->queues[i].allotted = 0;
		p->queues[i].entitled = ceiling_share(p->size, p->queues[i].share);
	}
	sort_order(p);
	do {
		base = left;
		p->rounds++;
		if (p->rounds > 1 && p->use_priority)
			left = priority_round(p, base, each, context);
		else
			left = share_round(p, base, each, context);
	} while (left != 0 && left != base && !p->strict);
	p->idle = left;
}

double slots_accumulate(double accumulated, uint32_t slots, double hours, double hist_hours)
{
	double kept = hist_hours > 0 ? pow(0.1, hours / hist_hours) : 1;

	return accumulated * kept + slots * hours;
}

/* ---- dispatch order ------------------------------------------------------------------------- */

struct dispatch_key {
	int64_t block;		/* PRIORITY of the best queue of the block */
	int64_t priority;
	uint32_t group;		/* first queue of the block in the file */
	uint32_t queue;
};

static bool key_before(const struct dispatch_key *a, const struct dispatch_key *b)
{
	if (a->block != b->block)
		return a->block > b->block;
	if (a->group != b->group)
		return a->group < b->group;
	if (a->priority != b->priority)
		return a->priority > b->priority;
	return a->queue < b->queue;
}

/* Bottom-up merge sort: clusters of some sites have thousands of queues. */
static void sort_keys(struct dispatch_key *keys, struct dispatch_key *spare, uint32_t n)
{
	for (uint64_t width = 1; width < n; width *= 2) {
		for (uint64_t low = 0; low < n; low += 2 * width) {
			uint64_t middle = low + width < n ? low + width : n;
			uint64_t high = low + 2 * width < n ? low + 2 * width : n;
			uint64_t a = low, b = middle;

			for (uint64_t i = low; i < high; i++) {
				bool right = a == middle ||
					     (b < high && key_before(&keys[b], &keys[a]));

				spare[i] = right ? keys[b++] : keys[a++];
			}
		}
		memcpy(keys, spare, n * sizeof(*keys));
	}
}

/* Flat: every queue is a block of its own, so that equal priorities keep the order of the file. */
static struct dispatch_key key_of(const struct slots_dispatch *queues, uint32_t count, uint32_t i,
				  bool grouped)
{
	struct dispatch_key key = { queues[i].priority, queues[i].priority, i, i };

	for (uint32_t j = 0; grouped && queues[i].pool != UINT32_MAX && j < count; j++) {
		if (queues[j].pool != queues[i].pool)
			continue;
		if (queues[j].priority > key.block)
			key.block = queues[j].priority;
		if (j < key.group)
			key.group = j;
	}
	return key;
}

void slots_dispatch_order(const struct slots_dispatch *queues, uint32_t count, bool grouped,
			  uint32_t *order)
{
	struct dispatch_key *keys = mem_alloc(count, sizeof(*keys));
	struct dispatch_key *spare = mem_alloc(count, sizeof(*spare));

	for (uint32_t i = 0; i < count; i++)
		keys[i] = key_of(queues, count, i, grouped);
	sort_keys(keys, spare, count);
	for (uint32_t i = 0; i < count; i++)
		order[i] = keys[i].queue;
	mem_free(keys);
	mem_free(spare);
}
