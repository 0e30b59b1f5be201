/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_share: the fair share of PBS.
 *
 *	group_percentage = shares / L			L the sum of the siblings' shares
 *	tree_percentage  = group_percentage * tree_percentage(parent)	S; the root has 1
 *	usage_factor     = U				right below the root; U = W / W_root
 *	                 = U + (usage_factor(parent) - U) * group_percentage
 *						E, "fairshare_tree_usage"
 *	fairshare_factor = 2 ^ -(usage_factor / tree_percentage)	F; 0 without shares
 *
 * in single precision like the scheduler's (F in double). Both percentages are 0 where L or the
 * parent's is 0. Shares are a C int and may be negative.
 *
 * Without a formula jobs are not sorted by F: the paths of two entities are walked together from
 * the root, and at the first level where W / tree_percentage differs the smaller one comes first.
 * No percentage loses against any; where one path ends, the entities are equal.
 *
 * fairshare=parent, which PBS does not have, stands for the fair-share parent as in Slurm.
 * Source: fairshare.cpp (calc_fair_share_perc, calc_usage_factor, compare_path), job_info.cpp
 * (formula_evaluate) of OpenPBS 23.06; spec of PBS, 3.
 */
#ifndef FAIRTOP_CORE_SHARE_PBS_SHARE_H
#define FAIRTOP_CORE_SHARE_PBS_SHARE_H

#include "core/share/fairshare.h"

/* The algorithm's own arrays in struct fs_result. */
enum pbs_own { PBS_OWN_GROUP_PERCENTAGE, PBS_OWN_USAGE_PERC };

/*
 * Returns -1 if A comes first, 1 if B does, 0 if they are equal or something is unknown. Sets *X
 * and *Y to the ancestors (or A and B) that decide; if none do, to the deepest ones compared, or
 * the root's row 0 if nothing was.
 */
int pbs_compare_paths(const struct fs_tree *t, const struct fs_result *r, uint32_t a, uint32_t b,
		      uint32_t *x, uint32_t *y);

#endif
