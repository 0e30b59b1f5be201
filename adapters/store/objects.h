/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * objects: a map from the numbers of objects to rows. Number 0 is no object.
 */
#ifndef FAIRTOP_ADAPTERS_STORE_OBJECTS_H
#define FAIRTOP_ADAPTERS_STORE_OBJECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty one. */
struct objects {
	int64_t *numbers;
	uint32_t *rows;
	size_t size, used;
};

void objects_free(struct objects *o);
void objects_add(struct objects *o, int64_t number, uint32_t row);	/* or sets it anew */
bool objects_find(const struct objects *o, int64_t number, uint32_t *row);

/* Number NUMBERS[i] is at row i, and nothing else is anywhere. */
void objects_set(struct objects *o, const int64_t *numbers, uint32_t n);

#endif
