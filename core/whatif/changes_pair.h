/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * changes_pair: a what-if beside its base: which row is which, who moves, and how that sums up.
 *
 * Whoever shows the model and jobs of a what-if points their `changes` here (model.h, jobs.h): then
 * any view of them can show what there was before.
 */
#ifndef FAIRTOP_CORE_WHATIF_CHANGES_PAIR_H
#define FAIRTOP_CORE_WHATIF_CHANGES_PAIR_H

#include "core/share/evenness.h"
#include "core/queue/jobs.h"
#include "core/whatif/whatif.h"

/* Places that a set of edits gives to the rows of the base; NULL, PLACES_UNKNOWN: unknown. */
#define PLACES_UNKNOWN INT32_MIN
struct changes_places {
	int32_t *assoc, *entry;
};

struct changes_pair {
	/* Borrowed. */
	const struct model *base, *model;
	const struct jobs *base_jobs, *jobs;	/* NULL: no jobs */
	/* Owned: the row in base of each row of what is compared with it; NULL: the same rows. */
	uint32_t *assoc, *entry;
	/* The summary. */
	uint32_t moved;			/* entries with another rank */
	uint32_t gain, loss;		/* entries that gain and lose most; ROW_NONE: nobody does */
	uint32_t heads;			/* partitions with another job at the head of their queue */
	uint32_t head;			/* row of the first of them; ROW_NONE */
	struct evenness was, is;
	/* What other sets do to the same rows; borrowed, NULL: nobody asks. */
	const struct changes_places *beside[WHATIF_SETS];
};

/* The jobs may be NULL. WAS: of the base, if the caller has it already; else NULL. */
struct changes_pair *changes_pair_new(const struct model *base, const struct model *model,
				      const struct jobs *base_jobs, const struct jobs *jobs,
				      const struct evenness *was);
void changes_pair_free(struct changes_pair *v);	/* NULL is fine */

/* The entry in BASE of each of NOW (job_index_match()); NULL: the same ones. The caller's. */
uint32_t *changes_match_entries(const struct job_index *base, const struct job_index *now);

/* Row in the base; ROW_NONE: it is new. */
uint32_t changes_assoc(const struct changes_pair *v, uint32_t row);
uint32_t changes_entry(const struct changes_pair *v, uint32_t entry);

/* Places gained, negative ones are lost; NaN where one of the two has no rank. */
double changes_assoc_moves(const struct changes_pair *v, uint32_t row);
double changes_entry_moves(const struct changes_pair *v, uint32_t entry);

/* What V's own edits do, to be shown beside other ones. The caller's. */
struct changes_places *changes_places_new(const struct changes_pair *v);
void changes_places_free(struct changes_places *p);	/* NULL is fine */

/* The same of a row of V by the set at place I of beside. */
double changes_assoc_beside(const struct changes_pair *v, size_t i, uint32_t row);
double changes_entry_beside(const struct changes_pair *v, size_t i, uint32_t entry);

#endif
