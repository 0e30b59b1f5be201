/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the algorithms share among themselves; not for others.
 */
#ifndef FAIRTOP_CORE_SHARE_FAIRSHARE_PRIVATE_H
#define FAIRTOP_CORE_SHARE_FAIRSHARE_PRIVATE_H

#include <stddef.h>

#include "core/share/fairshare.h"

extern const struct fs_algo fs_depth_oblivious, fs_classic, fs_fair_tree, fs_fair_tree_documented,
	fs_pbs, fs_lsf;

/* Slurm's mark "not computed" of a fair tree level_fs and of an account that has none. */
#define FS_NO_LEVEL ((double)U32_UNKNOWN)

/*
 * U of every row: W / W_root, at most 1, and 0 while nothing was used; or as reported, unknown for
 * the scheduler's "not evaluated yet". NaN for the root. The tree has rows.
 */
void fs_norm_usage(const struct fs_input *in, double *out);
/* The same of ROWS, which are not the root. */
void fs_norm_usage_of(const struct fs_input *in, const uint32_t *rows, uint32_t count, double *out);

/* Marks the families of T of which siblings are missing in C, by what the scheduler reports. */
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
