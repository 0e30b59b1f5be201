/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster_copy: from a sealed cluster back to a builder, for changes of its structure; rows of one
 * cluster in another.
 */
#ifndef FAIRTOP_CORE_CLUSTER_CLUSTER_COPY_H
#define FAIRTOP_CORE_CLUSTER_CLUSTER_COPY_H

#include "core/cluster/cluster.h"

/*
 * A builder that holds C: every row under its number, handles of texts and lists included. Missing
 * usage stays unknown when it is sealed.
 */
struct builder *cluster_copy(const struct cluster *c);

/*
 * Adds rows ROW to ROW + COUNT - 1 of C's TABLE to B, with all their values; returns the number of
 * the first one. What names others by number (ids of parents, the TRES of a list by their rows)
 * stays as it is: for lists of TRES the rows of TABLE_TRES are to be the same in both.
 */
uint32_t builder_append(struct builder *b, const struct cluster *c, enum table table, uint32_t row,
			uint32_t count);

/* Adds ROW of B's own TABLE once more; its number. */
uint32_t builder_repeat(struct builder *b, enum table table, uint32_t row);

/*
 * Forgets the texts and lists that no row has any more: a builder that is used for long would grow
 * with all that it ever held.
 */
void builder_tidy(struct builder *b);

/* Removes the rows I of TABLE with DROP[I], all of them if it is NULL; those behind move up. */
void builder_remove(struct builder *b, enum table table, const bool *drop);

#endif
