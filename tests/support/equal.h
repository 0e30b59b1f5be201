/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * equal: tests whether two clusters are the same, bit for bit.
 *
 * Compares every field of every row, the tree, TRES, meta, notes and policy. String handles may
 * differ, the strings may not. A column that one cluster does not have equals a column of unknown
 * values. The weights of PriorityWeightTRES are compared by value, since a snapshot holds them as
 * numbers. Parameters may be known in B and unknown in A.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_EQUAL_H
#define FAIRTOP_TESTS_SUPPORT_EQUAL_H

#include "core/cluster/cluster.h"

/* If not, prints the first difference to stderr. */
bool equal_clusters(const struct cluster *a, const struct cluster *b);

#endif
