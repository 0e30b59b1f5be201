/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The depth-oblivious formulas for a block of rows at once.
 *
 * All that a row takes from its fair-share parent stands in one record per family, so that a row is
 * computed from its own usage and shares and that record alone. Rows with fairshare=parent come out
 * as if they had 2147483647 shares; the caller sets them right afterwards, as they are copies of
 * their parent.
 */
#ifndef FAIRTOP_CORE_SHARE_DEPTH_OBLIVIOUS_KERNEL_H
#define FAIRTOP_CORE_SHARE_DEPTH_OBLIVIOUS_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DO_BLOCK 512u

/* What the members of a family take from their account p. */
struct do_family {
	double shares_scale;	/* S(p) / L: S of a member is its shares times this */
	/*
	 * S(p) / sum of the members' U: r_l is U / S times this. 0 where the formula does not
	 * apply.
	 */
	double sum_scale;
	double log_ratio;	/* ln R(p) */
	double against;		/* k of members on the other side of their fair share than p */
};

/* Where U comes from: SOURCE / WHOLE, and ABOVE where that exceeds LIMIT (NaN stays NaN). */
struct do_usage {
	double whole, limit, above;
};

/* COUNT rows, at most DO_BLOCK, of arrays that may start anywhere. */
struct do_rows {
	uint32_t count;
	const double *source;
	const uint32_t *shares, *family;
	double *norm_shares, *norm_usage, *effective_usage, *usage_ratio, *local_ratio, *k;
	double *effective_ratio, *fairshare;
	double *log_ratio;	/* ln R; only of do_kernel_accounts() */
	uint8_t *branch;	/* only of do_kernel_rows() */
};

struct do_kernel {
	const char *name;
	bool (*runs_here)(void);
	/* Everything of a row. */
	void (*rows)(const struct do_rows *rows, const struct do_family *families,
		     const struct do_usage *usage, double damping);
	/* S, E, R and ln R only: what accounts hand down. */
	void (*accounts)(const struct do_rows *rows, const struct do_family *families,
			 const struct do_usage *usage);
};

/* The same formulas for each kind of processor, the fastest first; the last one runs everywhere. */
extern const struct do_kernel do_kernels[];
extern const size_t do_kernel_count;
const struct do_kernel *do_kernel_best(void);

#endif
