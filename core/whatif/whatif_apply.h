/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif_apply: a cluster with a list of edits.
 *
 * Nothing is ever patched in place: applying the list makes another sealed cluster, which the same
 * engine computes (model_new(), jobs_new()). Where an edit changes the tree or its usage, the
 * ratios that the scheduler reports are no longer true and are left out: the engine then starts
 * from raw usage, on both sides of a comparison.
 */
#ifndef FAIRTOP_CORE_WHATIF_WHATIF_APPLY_H
#define FAIRTOP_CORE_WHATIF_WHATIF_APPLY_H

#include "core/cluster/cluster.h"
#include "core/whatif/whatif.h"

/*
 * BASE with the edits in force; the problems of the entries are set. An edit that cannot be made
 * (its object vanished, for example) is left out. Without edits the result has every value of BASE.
 * BASE must outlive the result, which is the caller's to cluster_free().
 */
struct cluster *whatif_apply(struct whatif *w, const struct cluster *base);

/* The same for who has the tree of BASE, which tells whether that is an excerpt. */
struct fs_tree;
struct cluster *whatif_apply_tree(struct whatif *w, const struct cluster *base,
				  const struct fs_tree *tree);

/* The policy with the edits in force. */
void whatif_policy(struct whatif *w, const struct policy *base, struct policy *out);

/* Do the edits in force change what fair share is computed from, or how? Then raw usage counts. */
bool whatif_needs_usage(const struct whatif *w, const struct cluster *base);

#endif
