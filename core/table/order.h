/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order: sorts rows by a number; equal numbers keep their order. */
#ifndef FAIRTOP_CORE_TABLE_ORDER_H
#define FAIRTOP_CORE_TABLE_ORDER_H

#include <stdint.h>

struct order_item {
	uint64_t key;		/* the lowest comes first */
	uint32_t row;
	uint32_t mark;		/* the caller's; carried along */
};

/* The key for descending numbers. -0 and 0 are equal; NaN comes after everything else. */
uint64_t order_key(double x);

/* The key for ascending whole numbers. */
static inline uint64_t order_key_rising(int64_t x)
{
	return (uint64_t)x ^ UINT64_C(1) << 63;
}

/* Sorts COUNT items by ascending key, stable. SPARE holds as many items. */
void order_sort(struct order_item *items, struct order_item *spare, uint32_t count);

#endif
