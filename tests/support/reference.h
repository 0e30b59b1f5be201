/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reference: fair share as the scheduler computes it, row by row in long double, for comparison
 * with the engine.
 *
 * Written from the scheduler's formulas, independently of the engine: R_p is E / S and not a
 * carried logarithm, S is multiplied from the leaf upwards, r_l^k is the double pow(), Fair Tree is
 * a recursion that sorts with long double comparisons. It is slow and allocates per row.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_REFERENCE_H
#define FAIRTOP_TESTS_SUPPORT_REFERENCE_H

#include "core/share/fairshare.h"

struct reference {
	const struct cluster *cluster;
	const struct fs_tree *tree;	/* gives the order of siblings */
	enum fs_algorithm algorithm;
	double damping;
	double *norm_shares;		/* S */
	long double *norm_usage;	/* U; 4294967294 before the first computation */
	long double *effective_usage;	/* E; likewise */
	double *local_ratio, *k;	/* NaN: none */
	double *fairshare;		/* F; NaN for accounts in Fair Tree */
	long double *level_fs;
	uint32_t *tree_rank;
};

struct reference *reference_new(const struct cluster *c, const struct fs_tree *tree,
				enum fs_algorithm algorithm);
void reference_free(struct reference *r);

/* Computes the fixed point: what the scheduler shows when nothing changes. */
void reference_settle(struct reference *r);

/*
 * Does one pass of a controller that has just started (depth-oblivious, classic): accounts in list
 * order from the root down, then the users in the order of "sshare -a". The U of a sibling is the
 * one computed last.
 */
void reference_pass(struct reference *r);

/*
 * The same while jobs run: accounts are computed from the usage after the previous pass, users from
 * that of AFTER, with which the next pass begins. Users are visited STEP rows apart; STEP and the
 * number of rows have no common divisor, so that each gets its turn.
 */
void reference_pass_busy(struct reference *r, const struct cluster *after, uint32_t step);

#endif
