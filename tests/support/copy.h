/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * copy: clusters like another one, except for some numbers.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_COPY_H
#define FAIRTOP_TESTS_SUPPORT_COPY_H

#include "core/cluster/cluster.h"

/* What a number of the original becomes; called for every known double of the association table. */
typedef double copy_change(void *context, enum field field, uint32_t row, double value);

/* Copies associations, jobs, priorities, QOS, partitions, policy and meta; no TRES lists. */
struct cluster *copy_changed(const struct cluster *c, copy_change *change, void *context);

/* One number multiplied. */
struct cluster *copy_scaled(const struct cluster *c, enum field field, uint32_t row, double factor);

/* FIELD of the associations of FROM instead of the own one. */
struct cluster *copy_with_column(const struct cluster *c, const struct cluster *from,
				 enum field field);

/* As sshare would print it: ratios rounded to six decimals, usage cut off to whole numbers. */
struct cluster *copy_coarse(const struct cluster *c);

#endif
