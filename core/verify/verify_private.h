/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of verify: bounds (what the inputs allow) and state (of the scheduler). */
#ifndef FAIRTOP_CORE_VERIFY_VERIFY_PRIVATE_H
#define FAIRTOP_CORE_VERIFY_VERIFY_PRIVATE_H

#include "core/verify/verify.h"

/* ---- bounds -------------------------------------------------------------------------------- */

/* A quantity of every row, known to lie in [lo, hi]; NaN if unknown. */
struct bounds {
	double *lo, *hi;
};

struct bounds bounds_new(uint32_t n);
void bounds_free(struct bounds *b);

/* Relative error of doubles that were transferred as value * 10^6. */
#define WIRE_ERROR 0x1p-51

/* Range of a reported ratio: six decimals are rounded, doubles were transferred. */
void bounds_of_ratio(double value, double quantum, double *lo, double *hi);

/* U of every row: as reported, or from raw usage. */
void bounds_norm_usage(const struct cluster *c, enum fs_base base, struct bounds *u);

/* E, R and F of the algorithms that have them, from U. */
struct ratio_bounds {
	struct bounds e, r, f;
};
void bounds_ratios(const struct fs_input *in, const struct fs_result *fs, const struct bounds *u,
		   struct ratio_bounds *out);
void bounds_finish_row(const struct fs_input *in, const struct fs_result *fs,
		       struct ratio_bounds *out, uint32_t i);	/* R and F from E */
void ratio_bounds_free(struct ratio_bounds *b);

/* Fair Tree: E and level_fs, from raw usage or from the reported E. */
void bounds_levels(const struct fs_input *in, const struct fs_result *fs, struct bounds *e,
		   struct bounds *level);

/* The same, narrowed by the reported levels: inf is unused, and two of them are tied. */
void bounds_reported_levels(const struct fs_input *in, const struct bounds *level,
			    struct bounds *reported);

/* ---- two passes ---------------------------------------------------------------------------- */

/*
 * E of depth-oblivious rows from the reported E of their accounts and the reported U of this or the
 * previous pass, for any order of computation.
 */
struct verify_passes {
	double *value;		/* of E; NaN if not reported */
	struct bounds e;	/* its range; away from the reported one if that is impossible */
	bool *undecided;	/* does not fit, but may with the previous pass's U */
};

/*
 * BEFORE: a picture of the previous pass, NULL: unknown. COLD, by family, NULL: none: some U may
 * have been 4294967294, not yet evaluated.
 */
struct verify_passes passes_new(const struct model *m, const struct cluster *before,
				const bool *cold);
void passes_free(struct verify_passes *p);

/* Widens U of accounts to include the usage in BEFORE, which the pass read. */
void passes_account_usage(const struct model *m, const struct cluster *before, struct bounds *u);

/* ---- ranks of Fair Tree -------------------------------------------------------------------- */

/*
 * The lowest and highest number that a user can have with levels within LEVEL; that of FS if the
 * precision leaves no doubt. NaN for accounts and unranked users.
 */
void bounds_ranks(const struct fs_tree *t, const struct bounds *level, const struct fs_result *fs,
		  struct bounds *ranks);

/*
 * Whatever the order, each user has the number of users left, or that of the user before. Returns
 * the first for whom neither number is possible given its F, REPORTED; ROW_NONE if there is none or
 * if an F is unknown. Rows LEFT_OUT (NULL: none) did not exist when ranks were computed.
 */
uint32_t ranks_find_gap(const struct fs_tree *t, const struct bounds *reported,
			const bool *left_out);

/* ---- state --------------------------------------------------------------------------------- */

/* Why the scheduler's numbers cannot be right yet; "" if there is no reason. */
struct verify_state {
	char nothing[300];	/* nothing can be compared at all */
	bool uncomputed;	/* because nothing was computed yet */
	char switched[300];	/* S is that of another algorithm */
	char cold[300];		/* E was computed from siblings that were not yet evaluated */
	bool *cold_family;	/* by family, owned; NULL if none: whose E */
	char behind[300];	/* usage changed after the ratios were computed */
	char young[300];	/* Fair Tree has not processed an association yet */
	/* By row, owned; NULL if nothing is young: young rows; these and their siblings. */
	bool *is_young, *near_young;
};

/* FS is the result from reported usage, by the scheduler's algorithm. */
void verify_state(const struct model *m, struct verify_state *state);
void verify_state_free(struct verify_state *state);	/* frees what it owns */

/* "the next pass, in N s", as far as known. */
void verify_next_pass(const struct cluster *c, char *buf, size_t size);

/*
 * Are the terms of jobs those printed by sprio (which has no JSON in any release)? Only libslurm
 * reports them as doubles, and usage with all digits.
 */
static inline bool verify_terms_printed(const struct cluster *c)
{
	return cluster_meta(c)->ratio_quantum > 0 || cluster_meta(c)->usage_quantum > 0;
}

/*
 * Appends the rows about jobs: every term, and the priorities. Nothing if none are reported.
 * SWITCHED: PriorityFlags may have changed since the last pass, which computed the terms.
 */
void verify_jobs(const struct model *m, bool switched, struct verify *v);

/* ---- PBS ----------------------------------------------------------------------------------- */

/* All rows and the conclusion, for a cluster of kind "pbs". */
void verify_pbs(const struct cluster *c, struct verify *v);
void verify_lsf(const struct cluster *c, struct verify *v);	/* of kind "lsf" */

#endif
