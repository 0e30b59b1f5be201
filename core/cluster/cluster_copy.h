/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster_copy: turns a sealed cluster back into a builder, to change its structure; copies rows
 * from one cluster to another.
 */
#ifndef FAIRTOP_CORE_CLUSTER_CLUSTER_COPY_H
#define FAIRTOP_CORE_CLUSTER_CLUSTER_COPY_H

#include "core/cluster/cluster.h"

/*
 * Returns a builder with all of C: row numbers and the handles of texts and lists are the same.
 * Missing usage stays unknown when it is sealed.
 */
struct builder *cluster_copy(const struct cluster *c);

/*
 * Adds rows ROW to ROW + COUNT - 1 of C's TABLE to B, with all their values; returns the number of
 * the first one. References by number (ids of parents, TRES rows in lists) are copied as they are:
 * for lists of TRES, TABLE_TRES must have the same rows in both.
 */
uint32_t builder_append(struct builder *b, const struct cluster *c, enum table table, uint32_t row,
			uint32_t count);

/* Adds a copy of ROW of B's own TABLE; returns its number. */
uint32_t builder_repeat(struct builder *b, enum table table, uint32_t row);

/*
 * Drops the texts and lists that no row refers to any more, so that a long-lived builder does not
 * grow without bound.
 */
void builder_tidy(struct builder *b);

/* Removes the rows I of TABLE with DROP[I], or all if DROP is NULL; later rows move up. */
void builder_remove(struct builder *b, enum table table, const bool *drop);

#endif
