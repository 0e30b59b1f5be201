/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits: how long jobs waited that began while fairtop watched, by partition and by QOS.
 *
 * A job counts once for each observed start: it runs, or has run, in one picture, did not in the
 * one before, and its start is later than the first picture. Jobs that began and ended between two
 * pictures are unknown and do not count. The wait is from when the job could have begun (eligible
 * time, else submit time) to its start.
 */
#ifndef FAIRTOP_CORE_QUEUE_WAITS_H
#define FAIRTOP_CORE_QUEUE_WAITS_H

#include "core/cluster/cluster.h"

#define WAITS_BOUNDS 10
extern const double waits_bounds[WAITS_BOUNDS];		/* seconds, ascending; the last infinite */

struct wait_counts {
	char *name;			/* of the partition or QOS */
	bool qos;
	uint64_t counts[WAITS_BOUNDS];	/* waits above the bound before and up to this one */
	double sum;			/* seconds */
};

struct waits;
struct waits *waits_new(void);
void waits_free(struct waits *w);	/* NULL is fine */

/* Adds the next picture; one without jobs is ignored. */
void waits_see(struct waits *w, const struct cluster *c);

/* All partitions and QOS so far, with zeros if nothing began; borrowed. */
const struct wait_counts *waits_counts(const struct waits *w, size_t *number);

#endif
