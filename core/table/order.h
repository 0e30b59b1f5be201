/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order: sorts rows by a number, descending; equal numbers keep their order. */
#ifndef FAIRTOP_CORE_TABLE_ORDER_H
#define FAIRTOP_CORE_TABLE_ORDER_H

#include <stdint.h>

/* KEY sorts in the reverse order of its number: the largest number comes first. */
struct order_item {
	uint64_t key;
	uint32_t row;
	uint32_t mark;		/* the caller's; carried along */
};

/* The key of X. -0 and 0 are equal; NaN comes after everything else. */
uint64_t order_key(double x);

/* Sorts COUNT items by ascending key, stable. SPARE holds as many items. */
void order_sort(struct order_item *items, struct order_item *spare, uint32_t count);

#endif
