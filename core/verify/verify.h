/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify: compute what the scheduler reports, and compare.
 *
 * Two passes: from the reported usage ratios, and from raw usage. The tolerance of each quantity
 * follows from the precision of the inputs (cluster_meta: usage_quantum, ratio_quantum), never from
 * what would make it pass. A scheduler that has not finished evaluating (just restarted, mode just
 * switched) is recognised and reported.
 *
 * While jobs run, depth-oblivious ratios mix the usage of two passes. One picture decides part of
 * this; together with one of the previous pass it decides all.
 */
#ifndef FAIRTOP_CORE_VERIFY_VERIFY_H
#define FAIRTOP_CORE_VERIFY_VERIFY_H

#include "core/share/model.h"

enum verify_verdict { VERIFY_EQUAL, VERIFY_DIFFERS, VERIFY_NOT_COMPARABLE };

struct verify_row {
	char quantity[48];	/* "S", "E from reported U", "U from usage", ... */
	uint32_t rows;		/* compared */
	double max_abs, max_rel;
	double tolerance;	/* relative unless the quantity is absolute; see why */
	uint32_t worst;		/* association row, ROW_NONE */
	enum verify_verdict verdict;
	char why[400];
};

struct verify {
	struct verify_row *rows;	/* owned */
	size_t count, capacity;
	int exit_code;		/* 0, 1 or 4 of the contract */
	bool undecided;		/* 0 or 4, but later passes will decide the rest */
	char reason[300];	/* why nothing is comparable now, and how long to wait */
};

struct verify *verify_run(const struct cluster *c, const struct model_options *options);

/* With BEFORE, a picture of the pass before C's; NULL: there is none. */
struct verify *verify_across(const struct cluster *c, const struct cluster *before,
			     const struct model_options *options);

/*
 * How many passes began after picture A and up to the later picture B. Also 0 if they changed
 * nothing that is reported; -1: unknown.
 */
int verify_passes_between(const struct cluster *a, const struct cluster *b);
void verify_free(struct verify *v);

/* "equal", "differs" or "not-comparable". */
const char *verify_word(int exit_code);

/* One row per quantity; context: struct verify_view. */
struct verify_view {
	const struct verify *verify;
	const struct cluster *cluster;
};
extern const struct column verify_columns[];
extern const size_t verify_columns_count;
struct view verify_view(const struct verify_view *v);

#endif
