/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster_copy: from a sealed cluster back to a builder, for changes of its structure.
 */
#ifndef FAIRTOP_CORE_CLUSTER_COPY_H
#define FAIRTOP_CORE_CLUSTER_COPY_H

#include "core/cluster.h"

/*
 * A builder that holds C: every row under its number, handles of texts and lists included. Missing
 * usage stays unknown when it is sealed.
 */
struct builder *cluster_copy(const struct cluster *c);

/* Removes the rows I of TABLE with DROP[I]; those behind move up. */
void builder_remove(struct builder *b, enum table table, const bool *drop);

#endif
