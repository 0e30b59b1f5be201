/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waits: how long jobs have waited that began while somebody looked, by partition and by QOS.
 *
 * A job counts once for each begin that was seen: it runs, or has run, in one picture, did not in
 * the picture before, and its start lies behind the first picture. What began and was gone again
 * between two pictures is not known and not counted. A wait is from when the job could have begun
 * (eligible; where that is unknown from its submission) to its start.
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

/* The next picture; one without jobs says nothing. */
void waits_see(struct waits *w, const struct cluster *c);

/* Each partition and QOS that there was, with zeros where nothing began; borrowed. */
const struct wait_counts *waits_counts(const struct waits *w, size_t *number);

#endif
