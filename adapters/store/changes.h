/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes: which rows of a cluster differ from those of the one before it.
 *
 * Column by column; texts and lists of two clusters have different handles, so pairs of handles
 * that were found equal are remembered.
 */
#ifndef FAIRTOP_ADAPTERS_STORE_CHANGES_H
#define FAIRTOP_ADAPTERS_STORE_CHANGES_H

#include "core/cluster/cluster.h"

struct changes;

struct changes *changes_new(const struct cluster *old, const struct cluster *c);
void changes_free(struct changes *x);

/*
 * Sets BIT in MARKS[row] where FIELD of row differs from the same object's in the old cluster.
 * WHERE[row] is the object's old row; rows without one (ROW_NONE) are left alone.
 */
void changes_mark(const struct changes *x, enum field field, const uint32_t *where, uint8_t *marks,
		  uint8_t bit);

#endif
