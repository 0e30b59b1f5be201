/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/pools/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/unknown.h"
#include "core/table/order.h"

void slots_pool_init(struct slots_pool *p, struct slots_queue *queues, uint32_t *order,
		     uint32_t count)
{
	memset(p, 0, sizeof(*p));
	p->max_slots = SLOTS_NO_LIMIT;
	p->queues = queues;
	p->order = order;
	p->count = count;
	for (uint32_t i = 0; i < count; i++) {
		if (queues[i].limit == 0)
			queues[i].limit = SLOTS_NO_LIMIT;
	}
}

uint32_t slots_size(const struct slots_pool *p)
{
	uint32_t free_of_others = p->foreign >= p->host_slots ? 0 : p->host_slots - p->foreign;

	return free_of_others < p->max_slots ? free_of_others : p->max_slots;
}

/* ---- allocation order ------------------------------------------------------------------------ */

/*
 * Compares A / share by cross multiplication and, if the rounded products are equal, by their
 * rounding errors: a consistent order. Then PRIORITY, then file order.
 */
static int slots_compare(const void *a, const void *b)
{
	const struct slots_queue *x = *(const struct slots_queue *const *)a;
	const struct slots_queue *y = *(const struct slots_queue *const *)b;
	double left = x->accumulated * y->share, right = y->accumulated * x->share;

	if (left == right) {
		left = fma(x->accumulated, y->share, -left);
		right = fma(y->accumulated, x->share, -right);
	}
	if (left < right || left > right)
		return left < right ? -1 : 1;
	if (x->priority != y->priority)
		return x->priority > y->priority ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void slots_sort(struct slots_pool *p)
{
	const struct slots_queue **queues = mem_alloc(p->count, sizeof(*queues));

	for (uint32_t i = 0; i < p->count; i++)
		queues[i] = &p->queues[i];
	qsort(queues, p->count, sizeof(*queues), slots_compare);
	for (uint32_t i = 0; i < p->count; i++)
		p->order[i] = (uint32_t)(queues[i] - p->queues);
	mem_free(queues);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static uint32_t ceiling_share(uint32_t base, uint32_t share)
{
	return (uint32_t)(((uint64_t)base * share + 99) / 100);
}

static uint32_t slots_smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

struct audience {
	slots_each *each;	/* NULL: no listener */
	void *context;
};

/* MORE is what the queue could have used; the rest is as in the grant. */
static void slots_tell(const struct audience *to, const struct slots_queue *q, uint32_t more,
		       struct slots_grant g)
{
	if (g.granted < g.deserved && g.granted == more)
		g.cut = q->limit < q->demand ? SLOTS_CUT_LIMIT : SLOTS_CUT_NEED;
	else if (g.granted < g.deserved)
		g.cut = SLOTS_CUT_LEFT;
	to->each(to->context, &g);
}

/* Gives QUEUE up to DESERVED of LEFT; returns what it got. */
static uint32_t slots_grant_deserved(struct slots_pool *p, uint32_t queue, uint32_t base,
				     uint32_t deserved, uint32_t left, const struct audience *to)
{
	struct slots_queue *q = &p->queues[queue];
	uint32_t more = slots_smaller(q->demand, q->limit) - q->allotted;
	uint32_t got = slots_smaller(slots_smaller(deserved, left), more);

	q->allotted += got;
	if (to->each)
		slots_tell(to, q, more,
			   (struct slots_grant){ .round = p->rounds, .queue = queue, .base = base,
					   .deserved = deserved, .granted = got, .left = left });
	return got;
}

/* Each queue gets its share of BASE. Returns what is left. */
static uint32_t share_round(struct slots_pool *p, uint32_t base, const struct audience *to)
{
	uint32_t left = base;

	/* Without a listener, queues after the last slot are skipped. */
	for (uint32_t i = 0; i < p->count && (to->each || left > 0); i++) {
		uint32_t queue = p->order[i];

		left -= slots_grant_deserved(p, queue, base,
					     ceiling_share(base, p->queues[queue].share), left, to);
	}
	return left;
}

/* Gives the rest to the queue with the highest PRIORITY, then to the next: a single round. */
static uint32_t priority_round(struct slots_pool *p, uint32_t base, const struct audience *to)
{
	struct slots_dispatch *by = mem_alloc(p->count, sizeof(*by));
	uint32_t *order = mem_alloc(p->count, sizeof(*order)), left = base;

	for (uint32_t i = 0; i < p->count; i++)
		by[i] = (struct slots_dispatch){ p->queues[i].priority, UINT32_MAX };
	slots_dispatch_order(by, p->count, false, order);
	for (uint32_t i = 0; i < p->count; i++)
		left -= slots_grant_deserved(p, order[i], base, left, left, to);
	mem_free(by);
	mem_free(order);
	return left;
}

void slots_allocate(struct slots_pool *p, slots_each *each, void *context)
{
	struct audience to = { each, context };
	uint32_t left = slots_size(p), base;

	p->size = left;
	p->rounds = 0;
	slots_sort(p);
	for (uint32_t i = 0; i < p->count; i++) {
		struct slots_queue *q = &p->queues[p->order[i]];

		q->order = i;
		q->entitled = ceiling_share(p->size, q->share);
		q->allotted = 0;
	}
	do {
		base = left;
		left = p->rounds++ > 0 && p->use_priority ? priority_round(p, base, &to) :
							    share_round(p, base, &to);
	} while (left != 0 && left != base && !p->strict);
	p->idle = left;
}

double slots_accumulate(double accumulated, uint32_t slots, double hours, double hist_hours)
{
	double kept = !f64_known(hist_hours) ? F64_UNKNOWN
		      : hist_hours > 0	     ? pow(0.1, hours / hist_hours)
					     : 1;

	return accumulated * kept + slots * hours;
}

/* ---- dispatch order ------------------------------------------------------------------------- */

/* A block of the dispatch order: a pool, or a queue outside. */
struct slots_block {
	int64_t best;		/* PRIORITY of its best queue */
	uint32_t first;		/* its first queue in the file */
};

/* Makes the block of each queue; ITEMS holds twice as many. */
static void make_blocks(const struct slots_dispatch *queues, uint32_t n, struct order_item *items,
			struct slots_block *blocks)
{
	for (uint32_t i = 0; i < n; i++)
		items[i] = (struct order_item){ .key = queues[i].pool, .row = i };
	order_sort(items, items + n, n);
	for (uint32_t from = 0, to; from < n; from = to) {
		struct slots_block b = { queues[items[from].row].priority, items[from].row };

		for (to = from + 1; to < n && items[from].key != UINT32_MAX &&
				    items[to].key == items[from].key; to++) {
			int64_t priority = queues[items[to].row].priority;

			b.best = priority > b.best ? priority : b.best;
		}
		for (uint32_t i = from; i < to; i++)
			blocks[items[i].row] = b;
	}
}

/* Sorts items, already sorted within blocks, by block; equal blocks in file order. */
static void sort_blocks(struct order_item *items, uint32_t n, const struct slots_block *blocks)
{
	for (uint32_t i = 0; i < n; i++)
		items[i].key = blocks[items[i].row].first;
	order_sort(items, items + n, n);
	for (uint32_t i = 0; i < n; i++)
		items[i].key = ~order_key_rising(blocks[items[i].row].best);
	order_sort(items, items + n, n);
}

void slots_dispatch_order(const struct slots_dispatch *queues, uint32_t count, bool grouped,
			  uint32_t *order)
{
	struct order_item *items = mem_alloc(2 * (size_t)count, sizeof(*items));
	struct slots_block *blocks = grouped ? mem_alloc(count, sizeof(*blocks)) : NULL;

	if (grouped)
		make_blocks(queues, count, items, blocks);
	for (uint32_t i = 0; i < count; i++)
		items[i] = (struct order_item){ .key = ~order_key_rising(queues[i].priority),
						.row = i };
	order_sort(items, items + count, count);
	if (grouped)
		sort_blocks(items, count, blocks);
	for (uint32_t i = 0; i < count; i++)
		order[i] = items[i].row;
	mem_free(blocks);
	mem_free(items);
}
