/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif_apply: a cluster with a list of edits.
 *
 * Nothing is patched in place: applying the list makes another sealed cluster, which the same
 * engine computes (model_new(), jobs_new()). If an edit changes the tree or its usage, the reported
 * ratios are no longer true and are left out: the engine then starts from raw usage, on both sides
 * of a comparison.
 */
#ifndef FAIRTOP_CORE_WHATIF_WHATIF_APPLY_H
#define FAIRTOP_CORE_WHATIF_WHATIF_APPLY_H

#include "core/cluster/cluster.h"
#include "core/whatif/whatif.h"

/*
 * Returns BASE with the active edits and sets the problems of the entries. An edit that cannot be
 * made (its object vanished, for example) is left out. Without edits the result has every value of
 * BASE. BASE must outlive the result, which the caller frees with cluster_free().
 */
struct cluster *whatif_apply(struct whatif *w, const struct cluster *base);

/* The same if the caller has the tree of BASE, which knows whether it is an excerpt. */
struct fs_tree;
struct cluster *whatif_apply_tree(struct whatif *w, const struct cluster *base,
				  const struct fs_tree *tree);

/* Writes to OUT the policy with the active edits. */
void whatif_policy(struct whatif *w, const struct policy *base, struct policy *out);

/* Do active edits change the inputs or the algorithm of fair share? Then raw usage is needed. */
bool whatif_needs_usage(const struct whatif *w, const struct cluster *base);

#endif
