/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes_list: what differs between two clusters, value by value, and in sum.
 *
 * Rows of a what-if: object column base value difference rank_change. Accounts: what the tree
 * shows, rank_change for users. Jobs: priority, ranks, and the terms with a weight. Pools: what a
 * queue is entitled to and gets, rank_change in the order of dispatch. Classes: their jobs and
 * ranks; classes_same() tells which class is which. Then a summary, whose object is
 * "summary" (of the largest gain and loss, the job):
 *
 *	jobs_moved	jobs with another rank
 *	largest_gain, largest_loss	base and value are the ranks
 *	heads_changed	partitions with another job at the head of their queue
 *	jain, gini	how evenly the users with shares are served (evenness.h)
 *
 * Several sets side by side: the rows of one after the other, and the column "set" tells which.
 *
 * Rows between two pictures of a cluster (diff): object column before after difference.
 * Associations are the same where their paths are. What has no size (texts, what came or went)
 * stands first; then the largest change, as a part of the whole: of all usage, of all ranks, of
 * F = 1, of the raw shares or the parameter itself.
 */
#ifndef FAIRTOP_CORE_WHATIF_CHANGES_LIST_H
#define FAIRTOP_CORE_WHATIF_CHANGES_LIST_H

#include "core/classes/classes_view.h"
#include "core/pools/pools.h"
#include "core/base/past.h"
#include "core/whatif/changes_pair.h"

/* What a diff looks at, besides all of the policy. */
#define DIFF_NEEDS (NEED_SHARES | NEED_LIMITS | NEED_POLICY)

/* What one tells a colleague first stands first. */
enum change_kind { CHANGE_STARTED, CHANGE_ENDED, CHANGE_CROSSED, CHANGE_RANKED, CHANGE_OTHER };
#define CHANGE_KINDS (CHANGE_OTHER + 1)

struct change {
	uint32_t object;		/* text */
	const char *column;
	struct past_value was, is;	/* unknown: it came, or went */
	double difference;		/* NaN: none */
	double places;			/* that the object gains; NaN: has no rank */
	bool summary;
	const char *set;		/* of a what-if: its name */
	enum change_kind kind;		/* OTHER without changes_add_news() */
	double size;			/* of a diff: of the change, of the whole; else infinite */
	uint32_t number;		/* as found: for what is of one size */
};

struct changes_list {
	struct text *texts;
	struct change *rows;
	uint32_t count;
	size_t capacity;
	uint32_t sides;			/* several: the view has a column for the set */
};

/* One set of edits and the base, computed. All borrowed; NULL: there is none, and none is asked. */
struct whatif_side {
	const char *set;			/* its name, "" without; outlives the list */
	const struct model *base, *model;
	const struct jobs *base_jobs, *jobs;
	const struct pools *base_pools, *pools;
	struct classes_data *base_classes, *classes;
};

enum whatif_what { WHATIF_ACCOUNTS, WHATIF_JOBS, WHATIF_POOLS, WHATIF_CLASSES };

struct changes_list *changes_list_new(void);
void changes_list_free(struct changes_list *l);		/* NULL is fine */

/*
 * Appends the rows of SIDE and its summary. ONLY_CHANGED: rows without a difference are left out;
 * the summary stays.
 */
void changes_list_add(struct changes_list *l, const struct whatif_side *side,
		      enum whatif_what what, bool only_changed);

/* Between two pictures, in the order of their size; keeps nothing of the models. */
struct changes_list *changes_between(const struct model *before, const struct model *after);

/*
 * Of such a list: puts jobs that started, that ended, and where the jobs are given those with
 * another rank, and rows whose usage crossed their share, before all others, each kind in the order
 * of its size. KEYS: which job and place an entry is, in both.
 */
struct changes_moment {
	const struct model *model;
	const struct jobs *jobs;	/* NULL: ranks are not compared */
	const uint64_t *keys;
};
void changes_add_news(struct changes_list *l, const struct changes_moment *before,
		      const struct changes_moment *after);

/*
 * Less than a thousandth of the value, or 0.001 of a ratio; of a job's rank less than a tenth,
 * since each job that comes or goes moves all behind it.
 */
bool change_is_small(const struct change *change);

extern const struct column whatif_columns[], diff_columns[];	/* whatif: the last is the set */
extern const size_t whatif_columns_count, diff_columns_count;
struct view whatif_view(const struct changes_list *l);
struct view diff_view(const struct changes_list *l);

#endif
