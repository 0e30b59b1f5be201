/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of verify: what the inputs allow (bounds), and in which state the scheduler was
 * (state).
 */
#ifndef FAIRTOP_CORE_VERIFY_VERIFY_PRIVATE_H
#define FAIRTOP_CORE_VERIFY_VERIFY_PRIVATE_H

#include "core/verify/verify.h"

/* ---- bounds -------------------------------------------------------------------------------- */

/* A quantity of every row is known to lie in [lo, hi]; NaN where it is unknown. */
struct bounds {
	double *lo, *hi;
};

struct bounds bounds_new(uint32_t n);
void bounds_free(struct bounds *b);

/* Doubles that travelled as value * 10^6 come back with an error of this part of themselves. */
#define WIRE_ERROR 0x1p-51

/* What a reported ratio stands for: six decimals are rounded, doubles travelled. */
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

/*
 * The same, as narrow as the levels that the scheduler reports make it: inf is unused, and two of
 * them are tied.
 */
void bounds_told_levels(const struct fs_input *in, const struct bounds *level, struct bounds *told);

/* ---- two passes ---------------------------------------------------------------------------- */

/*
 * E of depth-oblivious rows from the E that is reported of their accounts and the U that is
 * reported now or was in the pass before, in which order ever they were computed.
 */
struct passes {
	double *value;		/* of E; NaN where nothing is reported */
	struct bounds e;	/* where it can lie; beside what is reported if it cannot be that */
	bool *undecided;	/* it does not fit, but the U of the pass before may make it */
};

/*
 * BEFORE: a picture of the pass before, NULL: unknown. COLD, by family, NULL: none: some U may have
 * been 4294967294, not evaluated yet.
 */
struct passes passes_new(const struct model *m, const struct cluster *before, const bool *cold);
void passes_free(struct passes *p);

/* U of accounts may also be that of the usage in BEFORE, which the pass found. */
void passes_account_usage(const struct model *m, const struct cluster *before, struct bounds *u);

/* ---- ranks of Fair Tree -------------------------------------------------------------------- */

/*
 * The least and the greatest number that a user can have with levels within LEVEL: that of FS where
 * the precision leaves nothing open on its way. NaN for accounts and for who is not ranked.
 */
void bounds_ranks(const struct fs_tree *t, const struct bounds *level, const struct fs_result *fs,
		  struct bounds *ranks);

/*
 * Whatever the order: each user has the number of those who are left, or the one of the user
 * before. The first for whom no such number can be meant by TOLD, its F; ROW_NONE if there is none,
 * or if F of somebody is unknown. Rows that are LEFT_OUT (NULL: none) were not there to be ranked.
 */
uint32_t ranks_find_gap(const struct fs_tree *t, const struct bounds *told, const bool *left_out);

/* ---- state --------------------------------------------------------------------------------- */

/* Why the scheduler's numbers cannot be what they should be; "" if there is nothing to say. */
struct verify_state {
	char nothing[300];	/* nothing can be compared at all */
	bool uncomputed;	/* that is: not yet */
	char switched[300];	/* S is the other algorithm's */
	char cold[300];		/* E was computed from siblings that had not been evaluated */
	bool *cold_family;	/* by family, owned; NULL if nothing was: of which E */
	char behind[300];	/* usage moved since the ratios were computed */
	char young[300];	/* Fair Tree has not seen an association yet */
	/* By row, owned; NULL if nothing is young: such ones, and they and their siblings. */
	bool *is_young, *near_young;
};

/* FS is the result from reported usage, of the same algorithm as the scheduler's. */
void verify_state(const struct model *m, struct verify_state *state);
void verify_state_free(struct verify_state *state);	/* what it owns */

/* "the next pass, in N s", as far as it can be told. */
void verify_next_pass(const struct cluster *c, char *buf, size_t size);

/*
 * Are the terms of jobs those that sprio prints, which has no JSON in any release? Only libslurm
 * tells them as doubles, and usage with all digits, too.
 */
static inline bool verify_terms_printed(const struct cluster *c)
{
	return cluster_meta(c)->ratio_quantum > 0 || cluster_meta(c)->usage_quantum > 0;
}

/*
 * Appends the rows about jobs: every term, and the priorities. Nothing if none are reported.
 * SWITCHED: PriorityFlags may have changed since the last pass, when terms were computed.
 */
void verify_jobs(const struct model *m, bool switched, struct verify *v);

/* ---- PBS ----------------------------------------------------------------------------------- */

/* All rows and the conclusion, for a cluster of kind "pbs". */
void verify_pbs(const struct cluster *c, struct verify *v);
void verify_lsf(const struct cluster *c, struct verify *v);	/* of kind "lsf" */

#endif
