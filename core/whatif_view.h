/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif_view: what a what-if changes, object by object, and in sum.
 *
 * Rows of the contract: object column base value difference rank_change. Accounts: what the tree
 * shows, rank_change for users. Jobs: priority, ranks, and the terms with a weight. Then a summary,
 * whose object is "summary" (of the largest gain and loss, the job):
 *
 *	jobs_moved	jobs with another rank
 *	largest_gain, largest_loss	base and value are the ranks
 *	heads_changed	partitions with another job at the head of their queue
 *	jain		Jain's index of R over the users with shares, (sum R)^2 / (n sum R^2): 1 is
 *			perfectly even
 *	gini		Gini coefficient of the same: 0 is perfectly even
 *
 * Sources: R. Jain, D. Chiu, W. Hawe, DEC-TR-301 (1984); C. Gini (1912), in the sorted form
 * (2 sum i x_i) / (n sum x) - (n + 1) / n.
 */
#ifndef FAIRTOP_CORE_WHATIF_VIEW_H
#define FAIRTOP_CORE_WHATIF_VIEW_H

#include "core/jobs.h"

enum whatif_kind { WHATIF_ASSOC, WHATIF_JOB, WHATIF_SUMMARY };

struct whatif_row {
	uint8_t kind;
	const char *column;
	uint32_t base_row, row;		/* association or entry; ROW_NONE where it is missing */
	double base, value;		/* NaN unknown; SHARES_PARENT stands for parent */
	double rank_change;		/* positive is better; NaN: has none */
};

struct whatif_diff {
	const struct model *base, *model;	/* borrowed */
	const struct jobs *base_jobs, *jobs;	/* borrowed; NULL: no jobs */
	struct whatif_row *rows;		/* owned */
	uint32_t count;
	size_t capacity;
};

enum whatif_what { WHATIF_ACCOUNTS, WHATIF_JOBS };

/* ONLY_CHANGED: rows without a difference are left out; the summary stays. */
struct whatif_diff *whatif_diff_new(const struct model *base, const struct model *model,
				    const struct jobs *base_jobs, const struct jobs *jobs,
				    enum whatif_what what, bool only_changed);
void whatif_diff_free(struct whatif_diff *d);

extern const struct column whatif_columns[];
extern const size_t whatif_columns_count;
struct view whatif_view(const struct whatif_diff *d);

/* NaN without a value. VALUES is sorted by gini_index(). */
double jain_index(const double *values, size_t n);
double gini_index(double *values, size_t n);

#endif
