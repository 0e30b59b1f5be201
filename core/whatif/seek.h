/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seek: which single edit reaches a goal, and by the smallest change?
 *
 * Goals: an account or user has a given F (LSF: dynamic priority); a job is among the first N, or
 * begins by a time. Candidates: the raw shares of the association and of every account above it;
 * for a job also each of the six weights and its nice value (LSF: the PRIORITY of its queue). For
 * each candidate the search finds the nearest whole number that reaches the goal, up and down, in
 * steps that grow fourfold and then by halving; the engine computes every try. The smallest
 * relative change comes first. A candidate that cannot reach the goal reports how far it gets and
 * what is in the way.
 */
#ifndef FAIRTOP_CORE_WHATIF_SEEK_H
#define FAIRTOP_CORE_WHATIF_SEEK_H

#include "core/queue/jobs.h"

struct seek_question {
	uint32_t assoc;			/* row */
	uint32_t entry;			/* of the jobs; ROW_NONE: the goal is an F */
	double reach;			/* F, or the worst acceptable rank */
	/*
	 * Instead of the rank: seconds until the entry begins with EDITED, where BASE is without
	 * edits; NaN: unknown (core/sim/seek_start.h). NULL: the goal is a rank.
	 */
	double (*until)(const struct jobs *base, const struct jobs *edited, uint32_t entry);
};

struct seek_answer {
	char *edit;			/* owned: "shares:/physics = 40" */
	double value;			/* the new value; NaN: cannot be reached */
	double reaches;			/* F, rank or seconds with that value; the best found */
	double change;			/* relative; infinite if the goal is not reached */
	char note[300];
};

struct seek {
	struct seek_answer *answers;	/* owned; smallest change first */
	uint32_t count;
	bool is_rank;			/* the goal is a rank */
	bool reached;			/* by at least one answer, or already without edits */
	char sentence[800];
};

/* MODEL starts from raw usage or, if only weights are searched, from the reported ratios. */
bool seek(const struct model *model, const struct jobs *jobs, const struct seek_question *question,
	  struct seek *out, struct err *err);
void seek_free(struct seek *s);

/*
 * The same search step by step, for callers with other things to do in between. Model and jobs must
 * outlive it. seek_step() returns false when nothing is left to try. seek_end() gives the answer,
 * or gives up if OUT is NULL, and frees the search (NULL is fine).
 */
struct seeking;
struct seeking *seek_begin(const struct model *model, const struct jobs *jobs,
			   const struct seek_question *question, struct err *err);
bool seek_step(struct seeking *s);
void seek_progress(const struct seeking *s, uint32_t *at, uint32_t *count);	/* candidates */
void seek_end(struct seeking *s, struct seek *out);

extern const struct column seek_columns[];
extern const size_t seek_columns_count;
struct view seek_view(const struct seek *s);

#endif
