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
void ratio_bounds_free(struct ratio_bounds *b);

/* Fair Tree: E and level_fs, from raw usage or from the reported E. */
void bounds_levels(const struct fs_input *in, const struct fs_result *fs, struct bounds *e,
		   struct bounds *level);

/*
 * Rows whose place the precision of LEVEL leaves open: siblings whose bounds overlap could stand in
 * either order, which moves all users below them. OPEN has n entries.
 */
void bounds_open_ranks(const struct fs_tree *t, const struct bounds *level, bool *open);

/* ---- state --------------------------------------------------------------------------------- */

/* Why the scheduler's numbers cannot be what they should be; "" if there is nothing to say. */
struct verify_state {
	char nothing[300];	/* nothing can be compared at all */
	char switched[300];	/* S is the other algorithm's */
	char cold[300];		/* E was computed from siblings that had not been evaluated */
	char behind[300];	/* usage moved since the ratios were computed */
	char young[300];	/* Fair Tree has not seen an association yet */
};

/* FS is the result from reported usage, of the same algorithm as the scheduler's. */
void verify_state(const struct model *m, struct verify_state *state);

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
