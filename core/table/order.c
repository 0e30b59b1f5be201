/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/table/order.h"

#include <math.h>
#include <string.h>

#define SMALL 24u		/* insertion sort is faster up to about this size */
#define MEDIUM 1024u		/* merge sort up to this size; above it radix sort */
#define DIGIT_BITS 11u
#define DIGIT_VALUES (1u << DIGIT_BITS)
#define DIGITS 3u		/* sorted by counting: the upper part of the key */
#define LOWEST_BIT (64u - DIGITS * DIGIT_BITS)

uint64_t order_key(double x)
{
	uint64_t bits;

	if (isnan(x))
		return UINT64_MAX;
	x += 0.0;		/* -0 becomes 0 */
	memcpy(&bits, &x, sizeof(bits));
	/* Doubles sort like their bits once negative ones are inverted and the sign is flipped. */
	bits ^= bits >> 63 ? UINT64_MAX : UINT64_C(1) << 63;
	return ~bits;
}

static void sort_small(struct order_item *items, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct order_item x = items[i];
		uint32_t j = i;

		for (; j > 0 && items[j - 1].key > x.key; j--)
			items[j] = items[j - 1];
		items[j] = x;
	}
}

/* Merges the sorted runs [0, middle) and [middle, count). */
static void order_merge(struct order_item *items, struct order_item *spare, uint32_t middle,
			uint32_t count)
{
	uint32_t a = 0, b = middle, out = 0;

	if (items[middle - 1].key <= items[middle].key)
		return;
	memcpy(spare, items, middle * sizeof(*items));
	while (a < middle && b < count)
		items[out++] = items[b].key < spare[a].key ? items[b++] : spare[a++];
	memcpy(items + out, spare + a, (middle - a) * sizeof(*items));
}

static void sort_medium(struct order_item *items, struct order_item *spare, uint32_t count)
{
	for (uint32_t from = 0; from < count; from += SMALL)
		sort_small(items + from, count - from < SMALL ? count - from : SMALL);
	for (uint64_t run = SMALL; run < count; run *= 2) {
		for (uint64_t from = 0; from + run < count; from += 2 * run)
			order_merge(items + from, spare, (uint32_t)run,
				    (uint32_t)(count - from < 2 * run ? count - from : 2 * run));
	}
}

static unsigned order_digit(uint64_t key, unsigned place)
{
	return (unsigned)(key >> (LOWEST_BIT + place * DIGIT_BITS)) & (DIGIT_VALUES - 1);
}

/* One pass: moves FROM into TO, sorted by one digit. STARTS: how often each value occurs. */
static void order_distribute(const struct order_item *from, struct order_item *to, uint32_t count,
			     unsigned place, uint32_t *starts)
{
	uint32_t next = 0;

	for (unsigned v = 0; v < DIGIT_VALUES; v++) {
		uint32_t here = starts[v];

		starts[v] = next;
		next += here;
	}
	for (uint32_t i = 0; i < count; i++)
		to[starts[order_digit(from[i].key, place)]++] = from[i];
}

/* Sorts runs of items with equal counted digits: short ones, equal items, or all ranks of texts. */
static void order_sort_rest(struct order_item *items, struct order_item *spare, uint32_t count)
{
	for (uint32_t from = 0, to; from < count; from = to) {
		uint64_t upper = items[from].key >> LOWEST_BIT;

		for (to = from + 1; to < count && items[to].key >> LOWEST_BIT == upper;)
			to++;
		if (to - from > 1)
			sort_medium(items + from, spare, to - from);
	}
}

/* Sorts by digits of the upper half, least significant first; skips those that never differ. */
static void sort_large(struct order_item *items, struct order_item *spare, uint32_t count)
{
	uint32_t counts[DIGITS][DIGIT_VALUES];
	struct order_item *from = items, *to = spare;

	memset(counts, 0, sizeof(counts));
	for (uint32_t i = 0; i < count; i++) {
		for (unsigned d = 0; d < DIGITS; d++)
			counts[d][order_digit(items[i].key, d)]++;
	}
	for (unsigned d = 0; d < DIGITS; d++) {
		struct order_item *swap = from;

		if (counts[d][order_digit(items[0].key, d)] == count)
			continue;
		order_distribute(from, to, count, d, counts[d]);
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
	order_sort_rest(items, spare, count);
}

void order_sort(struct order_item *items, struct order_item *spare, uint32_t count)
{
	if (count <= SMALL)
		sort_small(items, count);
	else if (count <= MEDIUM)
		sort_medium(items, spare, count);
	else
		sort_large(items, spare, count);
}
