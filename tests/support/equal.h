/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equal: are two clusters the same, bit for bit?
 *
 * Every field of every row, the tree, TRES, meta, notes and policy; handles of strings may differ,
 * what they name may not. A column that one cluster lacks equals one of unknown values. The weights
 * of PriorityWeightTRES are compared by value, since a snapshot holds them as numbers; parameters
 * may be known in B and not in A.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_EQUAL_H
#define FAIRTOP_TESTS_SUPPORT_EQUAL_H

#include "core/cluster/cluster.h"

/* Prints the first difference to stderr. */
bool equal_clusters(const struct cluster *a, const struct cluster *b);

#endif
