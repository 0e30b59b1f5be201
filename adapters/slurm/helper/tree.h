/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree: the associations by number and by name while they are read, and replacements for parents
 * that were not sent.
 *
 * With PrivateData a plain user is sent only his own associations, not the accounts they belong to.
 * Then the tree cannot be rebuilt. What is known is kept: each association is below its account,
 * the accounts below a root; these replacements have only names, and a note says so.
 */
#ifndef FAIRTOP_SLURM_HELPER_TREE_H
#define FAIRTOP_SLURM_HELPER_TREE_H

#include "adapters/slurm/helper/shares.h"
#include "core/cluster/cluster.h"

struct tree;

struct tree *tree_new(struct builder *b, const struct shares *shares);	/* SHARES may be NULL */
void tree_free(struct tree *t);			/* NULL is fine */

/*
 * Adds row ROW of the builder as association ID below association PARENT (0: unknown). NAME is its
 * own name if it is an account, else NULL; ACCOUNT the account it belongs to. Sets the row's id and
 * parent.
 */
void tree_add(struct tree *t, uint32_t row, uint32_t id, uint32_t parent, const char *name,
	      const char *account);
uint32_t tree_row(const struct tree *t, uint32_t id);	/* ROW_NONE if not added */
uint32_t tree_account(const struct tree *t, const char *name);	/* its id, 0 if not added */
const struct share_row *tree_share(const struct tree *t, uint32_t id);	/* NULL if there is none */

/* Adds replacements for missing parents. PRIVATE_DATA is slurm.conf's, for the note. */
void tree_finish(struct tree *t, uint64_t private_data);

#endif
