/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif_view: what a what-if changes, object by object, and in sum.
 *
 * Rows of the contract: object column base value difference rank_change. Accounts: what the tree
 * shows, rank_change for users. Jobs: priority, ranks, and the terms with a weight. Pools: what a
 * queue is entitled to and gets, rank_change in the order of dispatch. Classes: their jobs and
 * ranks; which class is the same tells classes_same(). Then a summary, whose object is
 * "summary" (of the largest gain and loss, the job):
 *
 *	jobs_moved	jobs with another rank
 *	largest_gain, largest_loss	base and value are the ranks
 *	heads_changed	partitions with another job at the head of their queue
 *	jain, gini	how evenly the users with shares are served (evenness.h)
 *
 * Several sets side by side: the rows of one after the other, and the column "set" tells which.
 */
#ifndef FAIRTOP_CORE_WHATIF_WHATIF_VIEW_H
#define FAIRTOP_CORE_WHATIF_WHATIF_VIEW_H

#include "core/classes/classes_view.h"
#include "core/pools/pools.h"
#include "core/whatif/versus.h"

enum whatif_kind { WHATIF_ASSOC, WHATIF_JOB, WHATIF_POOL, WHATIF_CLASS, WHATIF_SUMMARY };

/* One set of edits and the base, computed. All borrowed; NULL: there is none, and none is asked. */
struct whatif_side {
	const char *set;			/* its name, "" without */
	const struct model *base, *model;
	const struct jobs *base_jobs, *jobs;
	const struct pools *base_pools, *pools;
	const struct classes_data *base_classes, *classes;
};

struct whatif_row {
	const struct whatif_side *side;
	uint8_t kind;
	const char *column;
	/* Association, entry, row of pools, class; ROW_NONE where it is missing. */
	uint32_t base_row, row;
	double base, value;		/* NaN unknown; SHARES_PARENT stands for parent */
	double rank_change;		/* positive is better; NaN: has none */
};

struct whatif_diff {
	struct whatif_row *rows;		/* owned */
	uint32_t count;
	size_t capacity;
	uint32_t sides;				/* several: the view has a column for the set */
};

enum whatif_what { WHATIF_ACCOUNTS, WHATIF_JOBS, WHATIF_POOLS, WHATIF_CLASSES };

struct whatif_diff *whatif_diff_new(void);
void whatif_diff_free(struct whatif_diff *d);

/*
 * Appends the rows of SIDE, which must outlive D, and its summary. ONLY_CHANGED: rows without a
 * difference are left out; the summary stays.
 */
void whatif_diff_add(struct whatif_diff *d, const struct whatif_side *side, enum whatif_what what,
		     bool only_changed);

/* Rows of pools and of classes (whatif_groups.c), and what puts a row where it belongs. */
void whatif_diff_pools(struct whatif_diff *d, const struct whatif_side *side, bool only_changed);
void whatif_diff_classes(struct whatif_diff *d, const struct whatif_side *side, bool only_changed);
void whatif_diff_put(struct whatif_diff *d, bool only_changed, struct whatif_row row);

extern const struct column whatif_columns[];	/* the last one is the set */
extern const size_t whatif_columns_count;
struct view whatif_view(const struct whatif_diff *d);

#endif
