/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers that the algorithms share; private to them. */
#ifndef FAIRTOP_CORE_SHARE_FAIRSHARE_PRIVATE_H
#define FAIRTOP_CORE_SHARE_FAIRSHARE_PRIVATE_H

#include <stddef.h>

#include "core/share/fairshare.h"

extern const struct fs_algo fs_depth_oblivious, fs_classic, fs_fair_tree, fs_fair_tree_documented,
	fs_pbs, fs_lsf;

/* Slurm's level_fs mark for "not computed" and for accounts that have none. */
#define FS_NO_LEVEL ((double)U32_UNKNOWN)

/*
 * Computes U of every row: W / W_root, at most 1, and 0 while nothing was used; or the reported
 * one, unknown where the scheduler has not evaluated it. NaN for the root. The tree has rows.
 */
void fs_norm_usage(const struct fs_input *in, double *out);
/* The same for ROWS only; the root is not among them. */
void fs_norm_usage_of(const struct fs_input *in, const uint32_t *rows, uint32_t count, double *out);

/* Marks the families of T with siblings missing in C, judging by the scheduler's report. */
void fs_find_excerpt(const struct cluster *c, struct fs_tree *t);

/* F = 2^-(ratio / damping). */
double fs_factor(double ratio, double damping);

void fs_explain_depth_oblivious(const struct fs_input *in, const struct fs_result *r, uint32_t row,
				struct explain *e);
void fs_explain_classic(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			struct explain *e);
void fs_explain_fair_tree(const struct fs_input *in, const struct fs_result *r, uint32_t row,
			  struct explain *e);

#define FS_QUANTITY(member, title, meaning) \
	{ #member, title, meaning, offsetof(struct fs_result, member), false }
#define FS_RANK(member, name, title, meaning) \
	{ name, title, meaning, offsetof(struct fs_result, member), true }

#endif
