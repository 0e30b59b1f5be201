/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overlay: a sealed cluster that differs from another one in some values.
 *
 * It shares every column, text and list with the cluster below and copies only the columns that
 * differ, so a what-if costs only what it changes. The tree is that of the cluster below; rows are
 * neither added nor removed (cluster_copy.h does that). The cluster below must outlive the overlay,
 * unless the overlay owns it.
 */
#ifndef FAIRTOP_CORE_CLUSTER_OVERLAY_H
#define FAIRTOP_CORE_CLUSTER_OVERLAY_H

#include "core/cluster/cluster.h"

struct overlay;

/* OWNED: free BASE together with the overlay. */
struct overlay *overlay_new(struct cluster *base, bool owned);
struct overlay *overlay_over(const struct cluster *base);	/* the caller owns BASE */

/* The cluster in its current state; overlay_seal() hands it to the caller and frees the rest. */
const struct cluster *overlay_cluster(const struct overlay *o);
struct cluster *overlay_seal(struct overlay *o);

struct policy *overlay_policy(struct overlay *o);
struct cluster_meta *overlay_meta(struct overlay *o);	/* to set times; texts do not change */

/*
 * Returns the column of FIELD for writing: from the first call on a copy of its own, unknown where
 * the cluster below has no such column. The table must have rows.
 */
uint32_t *overlay_u32(struct overlay *o, enum field field);	/* and SHARES, texts and lists */
int64_t *overlay_i64(struct overlay *o, enum field field);
double *overlay_f64(struct overlay *o, enum field field);

/* Makes every value of FIELD unknown. */
void overlay_drop(struct overlay *o, enum field field);

/* Marks rows as hidden: cluster_is_partial(). */
void overlay_partial(struct overlay *o);

uint32_t overlay_text(struct overlay *o, const char *text);	/* handle of a text */
/* Handle of a list of TRES. */
uint32_t overlay_tres(struct overlay *o, const struct tres_item *items, uint32_t count);

#endif
