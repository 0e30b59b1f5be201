/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_view: answers as rows, one per job, for programs; and the headings of answers, for people. */
#ifndef FAIRTOP_CORE_WHY_WHY_VIEW_H
#define FAIRTOP_CORE_WHY_WHY_VIEW_H

#include "core/why/why.h"

/* All zero: none. */
struct whys {
	struct why **list;		/* owned */
	size_t count, capacity;
	/* The job is gone from the requested picture: nothing is simulated. */
	bool gone;
	bool simulated;			/* starts are simulated: an empty WHY_BEHIND means none */
	bool helped;			/* likewise WHY_HELPS */
	struct value_entry *scratch;	/* values of a cell, valid until the next call */
};

void whys_add(struct whys *all, struct why *w);		/* W goes over to ALL */

/* Adds the pending jobs of USER, each by its first entry. PEOPLE as for why_new(). */
void whys_of_user(struct whys *all, const struct jobs *jobs, const char *user,
		  const struct calendar *people);

/* The worst first: jobs that never start, those with an unknown start, then the latest start. */
void whys_sort(struct whys *all);
void whys_free(struct whys *all);

/* ALL and its answers must not change while the view is used. */
extern const struct column why_columns[];
extern const size_t why_columns_count;
struct view whys_view(struct whys *all);

/* "job 141648 of alice (/physics) is pending in batch, submitted 09:10 (3 h ago)"; caller frees. */
char *why_head(const struct why *w);

/*
 * Line N of PART as shown to people, NULL: there are no more. Permanent reasons come first;
 * WHY_HELPS has only as many as keep the lines below the head to a page.
 */
const struct why_line *why_shown(const struct why *w, enum why_part part, size_t n);

/* The label before the first line of PART: "Reason"; for a job that has started "Waited". */
const char *why_label(const struct why *w, enum why_part part);

/* The command of a line of WHY_HELPS, as one line; NULL: it has none. */
const char *why_command(const struct why_line *line);

/*
 * "14 jobs of alice wait: 12 for the group limit of /physics, 2 for ...; the first starts about
 * 14:20", or that none does; the caller frees it.
 */
char *whys_head(const struct whys *all, const struct jobs *jobs, const char *user);

#endif
