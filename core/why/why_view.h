/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * why_view: answers as rows, one a job, for programs; and the sentences that stand above answers,
 * for people.
 */
#ifndef FAIRTOP_CORE_WHY_WHY_VIEW_H
#define FAIRTOP_CORE_WHY_WHY_VIEW_H

#include "core/why/why.h"

/* All zero: none. */
struct whys {
	struct why **list;		/* owned */
	size_t count, capacity;
	/* Of one that is gone from the picture asked for: nothing of it is simulated. */
	bool gone;
	bool simulated;			/* starts are: what has no WHY_BEHIND has none behind it */
	bool helped;			/* likewise what helps was tried */
	struct value_entry *scratch;	/* what a cell points to until the next call */
};

void whys_add(struct whys *all, struct why *w);		/* W goes over to ALL */

/* Those of USER that wait, a job with several entries by its first. PEOPLE: of why_new(). */
void whys_of_user(struct whys *all, const struct jobs *jobs, const char *user,
		  const struct calendar *people);

/* The worst first: who can never start, whose start is unknown, then who starts last. */
void whys_sort(struct whys *all);
void whys_free(struct whys *all);

/* ALL and its answers stay as they are while the view is used. */
extern const struct column why_columns[];
extern const size_t why_columns_count;
struct view whys_view(struct whys *all);

/* "job 141648 of alice (/physics) is pending in batch, submitted 09:10 (3 h ago)"; the caller's. */
char *why_head(const struct why *w);

/*
 * Line N of PART as people are shown it, NULL: there are no more. What can never start comes first;
 * of WHY_HELPS there are as many as keep all below the head to a page.
 */
const struct why_line *why_shown(const struct why *w, enum why_part part, size_t n);

/* What stands before the first line of PART: "Reason"; of a job that started "Waited". */
const char *why_label(const struct why *w, enum why_part part);

/* The command of a line of WHY_HELPS, in one line; NULL: it has none. */
const char *why_command(const struct why_line *line);

/*
 * "14 jobs of alice wait: 12 for the group limit of /physics, 2 for ...; the first starts about
 * 14:20", or that none does; the caller's.
 */
char *whys_head(const struct whys *all, const struct jobs *jobs, const char *user);

#endif
