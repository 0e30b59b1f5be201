/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify: recompute what the scheduler reports and compare.
 *
 * Two passes: from the reported usage ratios, and from raw usage. The tolerance of each quantity
 * follows from the precision of the inputs (cluster_meta: usage_quantum, ratio_quantum), never from
 * what would make it pass. A scheduler that has not finished evaluating (just restarted, mode just
 * switched) is recognised and named.
 *
 * While jobs run depth-oblivious ratios mix usage of two passes. One picture decides what it can;
 * with one of the pass before everything is decided.
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
	bool undecided;		/* 0 or 4, and the next passes will decide what is left */
	char reason[300];	/* why nothing is comparable now, with how long to wait */
};

struct verify *verify_run(const struct cluster *c, const struct model_options *options);

/* With BEFORE, a picture of the pass before that of C; NULL: there is none. */
struct verify *verify_across(const struct cluster *c, const struct cluster *before,
			     const struct model_options *options);

/*
 * How many passes have begun after picture A and up to picture B, the later one: 0 too where they
 * changed nothing that is reported; -1: that cannot be told.
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
