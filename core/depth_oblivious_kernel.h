/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The depth-oblivious formulas for a run of rows at once.
 *
 * Everything that a row takes from its fair-share parent stands in one record per family, so that a row is computed from its
 * own usage and shares and that record alone, without a branch.
 */
#ifndef FAIRTOP_CORE_DEPTH_OBLIVIOUS_KERNEL_H
#define FAIRTOP_CORE_DEPTH_OBLIVIOUS_KERNEL_H

#include <stdint.h>

/* What the members of a family take from their account p. One cache line. */
struct do_family {
	double shares_scale;	/* S(p) / L: S of a member is its shares times this */
	double shares;		/* S(p) */
	double sum_scale;	/* S(p) / sum of the members' U: r_l of a member is its U/S times this */
	double log_ratio;	/* ln R(p) */
	double against;		/* k of members on the other side of their fair share than p */
	double applies;		/* 1 if the formula applies to members, 0 if S(p) or E(p) is 0 or p is the root */
	double ratio;		/* R of members with fairshare=parent */
	double effective;	/* and their E */
};

/* Rows [0, count) of arrays that may start anywhere. */
struct do_rows {
	uint32_t count;
	const double *norm_usage;
	const uint32_t *shares;
	const uint32_t *family;
	double *norm_shares;
	double *effective_usage;
	double *usage_ratio;
	double *local_ratio;
	double *k;
	double *effective_ratio;
	double *fairshare;
	double *log_ratio;	/* ln R */
	uint8_t *branch;
};

/* The two passes: of accounts, whose ln R is wanted and whose F and branch are not; and of all rows, the other way. */
void do_kernel_accounts(const struct do_rows *rows, const struct do_family *families);
void do_kernel_rows(const struct do_rows *rows, const struct do_family *families, double damping);

#endif
