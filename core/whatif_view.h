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
 *	jain, gini	how evenly the users with shares are served (evenness.h)
 */
#ifndef FAIRTOP_CORE_WHATIF_VIEW_H
#define FAIRTOP_CORE_WHATIF_VIEW_H

#include "core/versus.h"

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

#endif
