/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arrivals: the jobs that will come, if they come as they did.
 *
 * What was submitted in the last week comes again a week later; where the past is shorter than a
 * week, that of the last day a day later, else all of it as much later as it is long. So nights and
 * week-ends stay where they are, and after that nobody comes. A job that comes has its partition,
 * size and limit of then, and the priority that its factors give it now, without age.
 */
#ifndef FAIRTOP_CORE_SIM_ARRIVALS_H
#define FAIRTOP_CORE_SIM_ARRIVALS_H

#include "core/replay/replay.h"

struct arrivals {
	struct cluster *c;	/* owned: the picture with the jobs behind its own */
	uint32_t count;		/* so many come ... */
	uint32_t left_out;	/* ... and so many of unknown size or limit do not */
	int64_t shift;		/* s later than they did */
};

/* The jobs of R, of which submissions are known since BEGINS, for C, a Slurm. */
bool arrivals_make(struct arrivals *a, const struct cluster *c, struct replay *r, int64_t begins,
		   struct err *err);
void arrivals_free(struct arrivals *a);

#endif
