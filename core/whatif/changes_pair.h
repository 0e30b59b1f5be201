/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes_pair: a what-if beside its base: pairs the rows, finds who moves, and sums that up.
 *
 * Callers that show the model and jobs of a what-if set their `changes` to a pair (model.h,
 * jobs.h); any view of them can then show the values of the base.
 */
#ifndef FAIRTOP_CORE_WHATIF_CHANGES_PAIR_H
#define FAIRTOP_CORE_WHATIF_CHANGES_PAIR_H

#include "core/share/evenness.h"
#include "core/queue/jobs.h"
#include "core/whatif/whatif.h"

/* Places that the rows of the base gain by a set of edits; NULL, PLACES_UNKNOWN: unknown. */
#define PLACES_UNKNOWN INT32_MIN
struct changes_places {
	int32_t *assoc, *entry;
};

struct changes_pair {
	/* Borrowed. */
	const struct model *base, *model;
	const struct jobs *base_jobs, *jobs;	/* NULL: no jobs */
	/* Owned: the base row of each row compared with it; NULL: the rows are the same. */
	uint32_t *assoc, *entry;
	/* The summary. */
	uint32_t moved;			/* entries with another rank */
	uint32_t gain, loss;		/* entries that gain and lose most; ROW_NONE: none */
	uint32_t heads;			/* partitions with another next job */
	uint32_t head;			/* row of the first such partition; ROW_NONE */
	struct evenness was, is;
	/* Changes by other sets to the same rows; borrowed, NULL: not compared. */
	const struct changes_places *beside[WHATIF_SETS];
};

/* The jobs may be NULL. WAS: the evenness of the base if the caller has computed it, else NULL. */
struct changes_pair *changes_pair_new(const struct model *base, const struct model *model,
				      const struct jobs *base_jobs, const struct jobs *jobs,
				      const struct evenness *was);
void changes_pair_free(struct changes_pair *v);	/* NULL is fine */

/* The entry in BASE of each entry of NOW (job_index_match()); NULL: the same. The caller's. */
uint32_t *changes_match_entries(const struct job_index *base, const struct job_index *now);

/* Row in the base; ROW_NONE: new. */
uint32_t changes_assoc(const struct changes_pair *v, uint32_t row);
uint32_t changes_entry(const struct changes_pair *v, uint32_t entry);

/* Places gained (negative: lost); NaN if there is no rank on either side. */
double changes_assoc_moves(const struct changes_pair *v, uint32_t row);
double changes_entry_moves(const struct changes_pair *v, uint32_t entry);

/* The places that V's own edits give, to be shown beside other sets. The caller's. */
struct changes_places *changes_places_new(const struct changes_pair *v);
void changes_places_free(struct changes_places *p);	/* NULL is fine */

/* Like changes_*_moves(), by the set at index I of BESIDE. */
double changes_assoc_beside(const struct changes_pair *v, size_t i, uint32_t row);
double changes_entry_beside(const struct changes_pair *v, size_t i, uint32_t entry);

#endif
