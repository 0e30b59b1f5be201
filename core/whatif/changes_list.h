/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes_list: what differs between two clusters, value by value, and in sum.
 *
 * Rows of a what-if: object column base value difference rank_change. Accounts: the columns of the
 * tree, rank_change for users. Jobs: priority, ranks, and the terms with a weight. Pools: what a
 * queue is entitled to and gets; rank_change is in the order of dispatch. Classes: their jobs and
 * ranks, paired by classes_set_base(). A summary follows; its object is "summary", or the job for
 * the largest gain and loss:
 *
 *	jobs_moved	jobs with another rank
 *	largest_gain, largest_loss	base and value are the ranks
 *	heads_changed	partitions with another next job
 *	jain, gini	how evenly the users with shares are served (evenness.h)
 *
 * With several sets their rows follow one another, and the column "set" names the set.
 *
 * Rows between two pictures of a cluster (diff): object column before after difference.
 * Associations with the same path are the same. Changes without a size (texts, objects that came or
 * went) come first; then the largest change relative to the whole: all usage, all ranks, F = 1, the
 * raw shares or the parameter itself.
 */
#ifndef FAIRTOP_CORE_WHATIF_CHANGES_LIST_H
#define FAIRTOP_CORE_WHATIF_CHANGES_LIST_H

#include "core/classes/classes_view.h"
#include "core/pools/pools.h"
#include "core/base/past.h"
#include "core/whatif/changes_pair.h"

/* What a diff reads, besides all of the policy. */
#define DIFF_NEEDS (NEED_SHARES | NEED_LIMITS | NEED_POLICY)

/* In the order of the list: the changes most worth reporting come first. */
enum change_kind { CHANGE_STARTED, CHANGE_ENDED, CHANGE_CROSSED, CHANGE_RANKED, CHANGE_OTHER };
#define CHANGE_KINDS (CHANGE_OTHER + 1)

struct change {
	uint32_t object;		/* text */
	const char *column;
	struct past_value was, is;	/* unknown: the object came, or went */
	double difference;		/* NaN: none */
	double places;			/* gained by the object; NaN: has no rank */
	bool summary;
	const char *set;		/* of a what-if: the name of its set */
	enum change_kind kind;		/* OTHER without changes_add_news() */
	double size;			/* of a diff: relative to the whole; else infinite */
	uint32_t number;		/* in the order found; breaks ties of size */
};

struct changes_list {
	struct text *texts;
	struct change *rows;
	uint32_t count;
	size_t capacity;
	uint32_t sides;			/* more than one: the view has a column for the set */
};

/* One set of edits and the base, computed. All borrowed; NULL: absent and not needed. */
struct whatif_side {
	const char *set;			/* its name, "" without one; outlives the list */
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

/* Compares two pictures; the largest change comes first. Keeps no reference to the models. */
struct changes_list *changes_between(const struct model *before, const struct model *after);

/*
 * For a list of changes_between(): moves jobs that started, jobs that ended, rows whose usage
 * crossed their share and, if jobs are given, jobs with another rank before all other rows; within
 * a kind the largest change comes first. KEYS: the identity of each job entry, comparable between
 * both moments.
 */
struct changes_moment {
	const struct model *model;
	const struct jobs *jobs;	/* NULL: ranks are not compared */
	const uint64_t *keys;
};
void changes_add_news(struct changes_list *l, const struct changes_moment *before,
		      const struct changes_moment *after);

/*
 * A change is small below a thousandth of the value, or 0.001 of a ratio; for a job's rank below a
 * tenth, since each job that comes or goes moves all behind it.
 */
bool change_is_small(const struct change *change);

extern const struct column whatif_columns[], diff_columns[];	/* whatif: the last is the set */
extern const size_t whatif_columns_count, diff_columns_count;
struct view whatif_view(const struct changes_list *l);
struct view diff_view(const struct changes_list *l);

#endif
