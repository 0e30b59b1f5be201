/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copy: copies of a cluster in which some numbers differ.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_COPY_H
#define FAIRTOP_TESTS_SUPPORT_COPY_H

#include "core/cluster/cluster.h"

/* Returns the new value; called for every known double of the association table. */
typedef double copy_change(void *context, enum field field, uint32_t row, double value);

/* Copies associations, jobs, priorities, QOS, partitions, policy and meta; no TRES lists. */
struct cluster *copy_changed(const struct cluster *c, copy_change *change, void *context);

/* Copies C and multiplies one number by FACTOR. */
struct cluster *copy_scaled(const struct cluster *c, enum field field, uint32_t row, double factor);

/* Copies C, but takes FIELD of the associations from FROM. */
struct cluster *copy_with_column(const struct cluster *c, const struct cluster *from,
				 enum field field);

/* Copies C as sshare would print it: ratios rounded to six decimals, whole numbers of usage. */
struct cluster *copy_coarse(const struct cluster *c);

#endif
