/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/pools/slots.h"

#include <math.h>
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

/* Ascending keys mean descending priorities. */
static uint64_t priority_key(int64_t priority)
{
	return ~((uint64_t)priority ^ UINT64_C(1) << 63);
}

/* ---- allocation order ------------------------------------------------------------------------ */

#define AT_HAND 128u		/* number of queues sorted on the stack */
#define WORTH 64u		/* moves per queue after which a full sort is faster */
#define LEAST_PLACES 31u	/* keys are never rounded to less than 32 units in the last place */

/*
 * Sorting compares keys first: A / share, never negative, as the bits of the double, which sort
 * like the numbers. The lowest bits hold the queue's position in the last order, so equal ones keep
 * their order. Keys further apart than CLOSE are in the order of the exact ratios despite rounding;
 * only closer ones need the exact comparison.
 */
struct slots_ranking {
	const struct slots_queue *queues;
	const uint32_t *last;	/* queue numbers in the order of the last cycle */
	uint64_t *keys, *spare;
	uint32_t count;
	uint64_t places;	/* mask of the position bits of a key */
	uint64_t close;		/* keys up to this far apart need the exact comparison */
};

/*
 * Compares A / share by cross multiplication and, if the rounded products are equal, by their
 * rounding errors: a consistent order for any sort. Then PRIORITY, then file order.
 */
static bool before_exactly(const struct slots_queue *queues, uint32_t a, uint32_t b)
{
	const struct slots_queue *x = &queues[a], *y = &queues[b];
	double left = x->accumulated * y->share, right = y->accumulated * x->share;

	if (left == right) {
		left = fma(x->accumulated, y->share, -left);
		right = fma(y->accumulated, x->share, -right);
	}
	if (left < right || left > right)
		return left < right;
	if (x->priority != y->priority)
		return x->priority > y->priority;
	return a < b;
}


static bool slots_before(const struct slots_ranking *r, uint64_t x, uint64_t y)
{
	if (x + r->close < y || y + r->close < x)
		return x < y;
	return before_exactly(r->queues, r->last[x & r->places], r->last[y & r->places]);
}

#define ONE_PER(n) 1.0 / (n)
#define TEN_PER(n) ONE_PER(n), ONE_PER(n + 1), ONE_PER(n + 2), ONE_PER(n + 3), ONE_PER(n + 4), \
	ONE_PER(n + 5), ONE_PER(n + 6), ONE_PER(n + 7), ONE_PER(n + 8), ONE_PER(n + 9)

/* Multiplying is faster than dividing; its rounding error is far below CLOSE. */
static const double one_per_share[] = {
	0, TEN_PER(1), TEN_PER(11), TEN_PER(21), TEN_PER(31), TEN_PER(41), TEN_PER(51), TEN_PER(61),
	TEN_PER(71), TEN_PER(81), TEN_PER(91)
};

static uint64_t ratio_bits(const struct slots_queue *q)
{
	double ratio = q->accumulated *
		       (q->share <= 100 ? one_per_share[q->share] : 1.0 / q->share);
	uint64_t bits;

	memcpy(&bits, &ratio, sizeof(bits));
	return bits >> 63 ? 0 : bits;
}

/*
 * Carries the greatest key along until a greater one comes: queues that only swapped with a
 * neighbour, like most that move, are then already sorted, without unpredictable branches.
 */
static void make_keys(struct slots_ranking *r)
{
	const uint64_t ratio = ~r->places;
	const uint32_t *last = r->last, count = r->count;
	uint64_t *keys = r->keys, greatest = ratio_bits(&r->queues[last[0]]) & ratio;

	for (uint32_t i = 1; i < count; i++) {
		uint64_t key = (ratio_bits(&r->queues[last[i]]) & ratio) | i;

		keys[i - 1] = key < greatest ? key : greatest;
		greatest = key < greatest ? greatest : key;
	}
	keys[count - 1] = greatest;
}

/*
 * Insertion sort, as the last cycle's order is nearly right. False, leaving a permutation, if it
 * takes more than WORTH moves.
 */
static bool insert_keys(uint64_t *keys, uint32_t n, uint64_t worth)
{
	uint64_t moves = 0;

	for (uint32_t i = 1; i < n; i++) {
		uint64_t key = keys[i];
		uint32_t j = i;

		if (keys[i - 1] < key)
			continue;
		for (; j > 0 && key < keys[j - 1]; j--)
			keys[j] = keys[j - 1];
		keys[j] = key;
		moves += i - j;
		if (moves > worth)
			return false;
	}
	return true;
}

/* Start of the sorted run at the end. */
static uint32_t find_tail(const struct slots_ranking *r)
{
	const uint64_t *keys = r->keys;
	uint32_t tail = r->count - 1;

	while (tail > 0 && keys[tail - 1] < keys[tail])
		tail--;
	return tail;
}

/* Merges the sorted keys before TAIL and from TAIL on, from the back; keys in place do not move. */
static void merge_tail(struct slots_ranking *r, uint32_t tail)
{
	uint64_t *keys = r->keys, *spare = r->spare;
	uint32_t rest = r->count - tail;

	memcpy(spare, keys + tail, rest * sizeof(*keys));
	while (rest > 0) {
		if (tail > 0 && spare[rest - 1] < keys[tail - 1]) {
			tail--;
			keys[tail + rest] = keys[tail];
		} else {
			rest--;
			keys[tail + rest] = spare[rest];
		}
	}
}

/* Full sort, for orders far from the last one: by PRIORITY, then by keys. */
static void sort_anew(struct slots_ranking *r)
{
	struct order_item *items = mem_alloc(2 * (size_t)r->count, sizeof(*items));

	for (uint32_t i = 0; i < r->count; i++)
		items[i] = (struct order_item){
			.key = priority_key(r->queues[r->last[i]].priority), .row = i };
	order_sort(items, items + r->count, r->count);
	for (uint32_t i = 0; i < r->count; i++) {
		const struct slots_queue *q = &r->queues[r->last[items[i].row]];

		items[i].key = ratio_bits(q) & ~r->places;
	}
	order_sort(items, items + r->count, r->count);
	for (uint32_t i = 0; i < r->count; i++)
		r->keys[i] = items[i].key | items[i].row;
	mem_free(items);
}

/* Sorts neighbours with close keys exactly; false if that takes more than WORTH moves. */
static bool finish_tie(struct slots_ranking *r, uint64_t worth)
{
	uint64_t *keys = r->keys, close = r->close, moves = 0;
	uint32_t count = r->count;
	bool any = false;

	for (uint32_t i = 1; i < count; i++)
		any |= keys[i] <= keys[i - 1] + close;
	for (uint32_t i = 1; any && i < count && moves <= worth; i++) {
		uint64_t key = keys[i];
		uint32_t j = i;

		for (; j > 0 && slots_before(r, key, keys[j - 1]); j--)
			keys[j] = keys[j - 1];
		keys[j] = key;
		moves += i - j;
	}
	return moves <= worth;
}

/*
 * Queues without new slots keep their order, and the others move behind some of them: sorts the
 * head and merges it with the sorted tail.
 */
static void sort_keys(struct slots_ranking *r)
{
	uint64_t worth = WORTH * (uint64_t)r->count;
	uint32_t tail;

	make_keys(r);
	tail = find_tail(r);
	if (insert_keys(r->keys, tail, worth)) {
		merge_tail(r, tail);
		if (finish_tie(r, worth))
			return;
	}
	sort_anew(r);
	finish_tie(r, UINT64_MAX);
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

/*
 * Sets the order of this cycle and does round 1, which shares out the whole pool. Returns what is
 * left. Uses prefix sums instead of a running rest, so that no queue depends on the one before.
 * With the same size as last time, what a queue is entitled to only changes with its share.
 */
static uint32_t first_round(struct slots_pool *p, const struct slots_ranking *r, bool same_size)
{
	const uint64_t *keys = r->keys, places = r->places;
	const uint32_t *last = r->last, count = r->count, size = p->size;
	struct slots_queue *queues = p->queues;
	uint32_t *order = p->order, given = 0;
	uint64_t wanted = 0;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t queue = last[keys[i] & places], so_far = given;
		struct slots_queue *q = &queues[queue];
		uint32_t deserved = q->entitled;

		if (!same_size || q->entitled_share != q->share) {
			deserved = q->entitled = ceiling_share(size, q->share);
			q->entitled_share = q->share;
		}
		wanted += slots_smaller(deserved, slots_smaller(q->demand, q->limit));
		given = wanted < size ? (uint32_t)wanted : size;
		order[i] = queue;
		q->order = i;
		q->allotted = given - so_far;
	}
	return size - given;
}

static void tell_first_round(const struct slots_pool *p, const struct audience *to)
{
	uint32_t left = p->size;

	for (uint32_t i = 0; i < p->count; i++) {
		const struct slots_queue *q = &p->queues[p->order[i]];

		slots_tell(to, q, slots_smaller(q->demand, q->limit),
			   (struct slots_grant){ .round = 1, .queue = p->order[i], .base = p->size,
					   .deserved = q->entitled, .granted = q->allotted,
					   .left = left });
		left -= q->allotted;
	}
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

/* Shares out the rest again. */
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

/* Sorts the queues, with storage for two keys each in STORE, and does round 1. */
static uint32_t begin_cycle(struct slots_pool *p, bool same_size, uint64_t *store, uint32_t *last)
{
	struct slots_ranking r = { .queues = p->queues, .last = last, .keys = store,
			     .spare = store + p->count, .count = p->count,
			     .places = LEAST_PLACES };

	while (r.places < r.count)
		r.places = 2 * r.places + 1;
	r.close = 2 * (r.places + 1);
	memcpy(last, p->order, p->count * sizeof(*last));
	sort_keys(&r);
	return first_round(p, &r, same_size);
}

static uint32_t first_of_all(struct slots_pool *p, bool same_size)
{
	uint64_t at_hand[2 * AT_HAND], *store;
	uint32_t last_at_hand[AT_HAND], left;

	if (p->count == 0)
		return p->size;
	if (p->count <= AT_HAND)
		return begin_cycle(p, same_size, at_hand, last_at_hand);
	store = mem_alloc(3 * (size_t)p->count, sizeof(*store));
	left = begin_cycle(p, same_size, store, (uint32_t *)(void *)(store + 2 * (size_t)p->count));
	mem_free(store);
	return left;
}

void slots_allocate(struct slots_pool *p, slots_each *each, void *context)
{
	struct audience to = { each, context };
	uint32_t base = slots_size(p), left;
	bool same_size = base == p->size;

	p->size = base;
	p->rounds = 1;
	left = first_of_all(p, same_size);
	if (each)
		tell_first_round(p, &to);
	while (left != 0 && left != base && !p->strict) {
		base = left;
		p->rounds++;
		left = p->use_priority ? priority_round(p, base, &to) : share_round(p, base, &to);
	}
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
		items[i].key = priority_key(blocks[items[i].row].best);
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
		items[i] = (struct order_item){ .key = priority_key(queues[i].priority),
						.row = i };
	order_sort(items, items + count, count);
	if (grouped)
		sort_blocks(items, count, blocks);
	for (uint32_t i = 0; i < count; i++)
		order[i] = items[i].row;
	mem_free(blocks);
	mem_free(items);
}
