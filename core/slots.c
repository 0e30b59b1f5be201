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

/*
 * Sorting looks at A / share first. A ratio below LOW times another is below it exactly, however
 * the two were rounded; only nearly equal ones need to be compared across.
 */
struct order_key {
	double ratio;
	uint32_t queue;
};

#define LOW (1 - 2e-15)
#define KEYS_AT_HAND 128	/* sorted on the stack */

/* A / share ascending, compared across so that nothing is rounded; then PRIORITY, then the file. */
static bool before_exactly(const struct slots_queue *queues, uint32_t a, uint32_t b)
{
	const struct slots_queue *x = &queues[a], *y = &queues[b];
	double left = x->accumulated * y->share, right = y->accumulated * x->share;

	if (left < right || left > right)
		return left < right;
	if (x->priority != y->priority)
		return x->priority > y->priority;
	return a < b;
}

static inline bool before(const struct slots_queue *queues, const struct order_key *x,
			  const struct order_key *y)
{
	if (x->ratio < y->ratio * LOW)
		return true;
	if (y->ratio < x->ratio * LOW)
		return false;
	return before_exactly(queues, x->queue, y->queue);
}

/* Bottom-up merge sort, for orders that have little to do with the last one. */
static void merge_keys(const struct slots_queue *queues, struct order_key *keys, uint32_t n)
{
	struct order_key *spare = mem_alloc(n, sizeof(*spare));

	for (uint64_t width = 1; width < n; width *= 2) {
		for (uint64_t low = 0; low < n; low += 2 * width) {
			uint64_t middle = low + width < n ? low + width : n;
			uint64_t high = low + 2 * width < n ? low + 2 * width : n;
			uint64_t a = low, b = middle;

			for (uint64_t i = low; i < high; i++) {
				bool right = a == middle ||
					     (b < high && before(queues, &keys[b], &keys[a]));

				spare[i] = right ? keys[b++] : keys[a++];
			}
		}
		memcpy(keys, spare, n * sizeof(*keys));
	}
	mem_free(spare);
}

/*
 * Insertion sort: the order of the last cycle is nearly the order of this one. False, with a
 * permutation left behind, when it has moved more than it is worth.
 */
static bool insert_keys(const struct slots_queue *queues, struct order_key *keys, uint32_t n)
{
	uint64_t moves = 0, worth = 64 * (uint64_t)n;

	for (uint32_t i = 1; i < n; i++) {
		struct order_key key = keys[i];
		uint32_t j = i;

		/* The usual case: it stands behind the one before it by far. */
		if (keys[i - 1].ratio < key.ratio * LOW)
			continue;
		for (; j > 0 && before(queues, &key, &keys[j - 1]); j--)
			keys[j] = keys[j - 1];
		keys[j] = key;
		moves += i - j;
		if (moves > worth)
			return false;
	}
	return true;
}

static uint32_t ceiling_share(uint32_t base, uint32_t share)
{
	return (uint32_t)(((uint64_t)base * share + 99) / 100);
}

/* Nothing is allotted, everybody is entitled, and the order is that of this cycle. */
static void begin_cycle(struct slots_pool *p)
{
	struct order_key at_hand[KEYS_AT_HAND], *keys = at_hand;

	if (p->count > KEYS_AT_HAND)
		keys = mem_alloc(p->count, sizeof(*keys));
	for (uint32_t i = 0; i < p->count; i++) {
		struct slots_queue *q = &p->queues[p->order[i]];
		double ratio = q->accumulated / q->share;

		keys[i] = (struct order_key){ ratio, p->order[i] };
		q->allotted = 0;
		q->entitled = ceiling_share(p->size, q->share);
	}
	if (!insert_keys(p->queues, keys, p->count))
		merge_keys(p->queues, keys, p->count);
	for (uint32_t i = 0; i < p->count; i++) {
		p->order[i] = keys[i].queue;
		p->queues[keys[i].queue].order = i;
	}
	if (keys != at_hand)
		mem_free(keys);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Gives QUEUE up to DESERVED of LEFT; returns what it got. */
static inline uint32_t grant(struct slots_pool *p, uint32_t queue, uint32_t base, uint32_t deserved,
		      uint32_t left, slots_each *each, void *context)
{
	struct slots_queue *q = &p->queues[queue];
	uint32_t can_use = smaller(q->demand, q->limit);
	uint32_t more = can_use - smaller(can_use, q->allotted);
	uint32_t got = smaller(smaller(deserved, left), more);

	q->allotted += got;
	if (each) {
		struct slots_grant g = { p->rounds, queue, base, deserved, got, SLOTS_FULL,
					 left };

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

	/* Without anybody to tell, who comes when nothing is left need not be looked at. */
	for (uint32_t i = 0; i < p->count && (each || left > 0); i++) {
		uint32_t queue = p->order[i];
		const struct slots_queue *q = &p->queues[queue];
		/* All are entitled to a part of the whole pool; the first round shares it out. */
		uint32_t deserved = base == p->size ? q->entitled : ceiling_share(base, q->share);

		left -= grant(p, queue, base, deserved, left, each, context);
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
	begin_cycle(p);
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

/* By pool, then the file. */
static bool pool_before(const struct slots_dispatch *queues, uint32_t a, uint32_t b)
{
	if (queues[a].pool != queues[b].pool)
		return queues[a].pool < queues[b].pool;
	return a < b;
}

static void sort_by_pool(const struct slots_dispatch *queues, uint32_t *list, uint32_t *spare,
			 uint32_t n)
{
	for (uint64_t width = 1; width < n; width *= 2) {
		for (uint64_t low = 0; low < n; low += 2 * width) {
			uint64_t middle = low + width < n ? low + width : n;
			uint64_t high = low + 2 * width < n ? low + 2 * width : n;
			uint64_t a = low, b = middle;

			for (uint64_t i = low; i < high; i++) {
				bool right = a == middle ||
					     (b < high && pool_before(queues, list[b], list[a]));

				spare[i] = right ? list[b++] : list[a++];
			}
		}
		memcpy(list, spare, n * sizeof(*list));
	}
}

/* A pool is one block: it stands where its best queue stands, equals in the order of the file. */
static void make_blocks(const struct slots_dispatch *queues, uint32_t n, struct dispatch_key *keys)
{
	uint32_t *list = mem_alloc(2 * (size_t)n, sizeof(*list));

	for (uint32_t i = 0; i < n; i++)
		list[i] = i;
	sort_by_pool(queues, list, list + n, n);
	for (uint32_t first = 0, end; first < n && queues[list[first]].pool != UINT32_MAX;
	     first = end) {
		int64_t best = queues[list[first]].priority;

		for (end = first; end < n && queues[list[end]].pool == queues[list[first]].pool;
		     end++)
			best = queues[list[end]].priority > best ? queues[list[end]].priority
								 : best;
		for (uint32_t i = first; i < end; i++) {
			keys[list[i]].block = best;
			keys[list[i]].group = list[first];
		}
	}
	mem_free(list);
}

void slots_dispatch_order(const struct slots_dispatch *queues, uint32_t count, bool grouped,
			  uint32_t *order)
{
	struct dispatch_key *keys = mem_alloc(2 * (size_t)count, sizeof(*keys));

	/* Flat: every queue is a block of its own. */
	for (uint32_t i = 0; i < count; i++)
		keys[i] = (struct dispatch_key){ queues[i].priority, queues[i].priority, i, i };
	if (grouped)
		make_blocks(queues, count, keys);
	sort_keys(keys, keys + count, count);
	for (uint32_t i = 0; i < count; i++)
		order[i] = keys[i].queue;
	mem_free(keys);
}
