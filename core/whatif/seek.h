/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seek: which single edit reaches a goal, and by the smallest change?
 *
 * Goals: an account or user has F (of LSF: a dynamic priority) of a value; a job is among the
 * first N, or begins by a time. Candidates: the raw shares of the association and of every account
 * above it; for a job also each of the six weights and its nice value, of LSF the PRIORITY of its
 * queue. For each the nearest whole number that reaches the goal is looked for, up and down, in
 * steps that grow fourfold and then by halving; the engine computes every try. The candidate with
 * the smallest relative change comes first; one that does not reach the goal says how far it gets
 * and what stands in the way.
 */
#ifndef FAIRTOP_CORE_WHATIF_SEEK_H
#define FAIRTOP_CORE_WHATIF_SEEK_H

#include "core/queue/jobs.h"

struct seek_question {
	uint32_t assoc;			/* row */
	uint32_t entry;			/* of the jobs, ROW_NONE: about F */
	double reach;			/* F, or the rank that is good enough */
	/*
	 * Instead of the rank, seconds until the entry begins as EDITED has it, BASE being without
	 * edits; NaN: nobody knows (core/sim/seek_start.h). NULL: the rank.
	 */
	double (*until)(const struct jobs *base, const struct jobs *edited, uint32_t entry);
};

struct seek_answer {
	char *edit;			/* owned: "shares:/physics = 40" */
	double value;			/* what it would be set to; NaN: cannot be reached */
	double reaches;			/* F, rank or seconds with it; the best there is */
	double change;			/* relative; infinite where it is not reached */
	char note[300];
};

struct seek {
	struct seek_answer *answers;	/* owned; smallest change first */
	uint32_t count;
	bool is_rank;			/* the goal is a rank */
	bool reached;			/* by one of them at least, or already */
	char sentence[800];
};

/* MODEL starts from raw usage or, where nothing but weights is asked, from what is reported. */
bool seek(const struct model *model, const struct jobs *jobs, const struct seek_question *question,
	  struct seek *out, struct err *err);
void seek_free(struct seek *s);

/*
 * The same try by try, for callers with other things to do in between. Model and jobs must outlive
 * the search. seek_step() is false when there is nothing left to try; seek_end() then gives the
 * answer, or gives up where OUT is NULL, and frees the search (NULL is fine).
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
