/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overlay: a sealed cluster like another one, except for some values.
 *
 * It shares every column, text and list with the cluster below it and has copies of its own of the
 * columns that differ: what a what-if costs is what it changes. The tree is that of the cluster
 * below; rows are neither added nor removed (cluster_copy.h does that). The cluster below must
 * outlive the overlay, unless it is handed over.
 */
#ifndef FAIRTOP_CORE_CLUSTER_OVERLAY_H
#define FAIRTOP_CORE_CLUSTER_OVERLAY_H

#include "core/cluster/cluster.h"

struct overlay;

/* OWNED: free BASE together with the overlay. */
struct overlay *overlay_new(struct cluster *base, bool owned);
struct overlay *overlay_over(const struct cluster *base);	/* somebody else owns it */

/* The cluster as it is so far; overlay_seal() gives it away and frees the rest. */
const struct cluster *overlay_cluster(const struct overlay *o);
struct cluster *overlay_seal(struct overlay *o);

struct policy *overlay_policy(struct overlay *o);
struct cluster_meta *overlay_meta(struct overlay *o);	/* times; texts stay as they are */

/*
 * The column of FIELD to write into: a copy of its own from the first call on, unknown where the
 * cluster below had none. The table must have rows.
 */
uint32_t *overlay_u32(struct overlay *o, enum field field);	/* and SHARES, texts and lists */
int64_t *overlay_i64(struct overlay *o, enum field field);
double *overlay_f64(struct overlay *o, enum field field);

/* From now on every value of FIELD is unknown. */
void overlay_drop(struct overlay *o, enum field field);

/* From now on rows are hidden: cluster_is_partial(). */
void overlay_partial(struct overlay *o);

uint32_t overlay_text(struct overlay *o, const char *text);	/* handle of a text */
/* Handle of a list of TRES. */
uint32_t overlay_tres(struct overlay *o, const struct tres_item *items, uint32_t count);

#endif
