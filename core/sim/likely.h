/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * likely: between which times waiting jobs will likely begin.
 *
 * In each of some rounds every job, running or waiting, gets a length that is drawn from what ended
 * jobs used of their limits (lengths.h), and a simulator plays them. Rounds differ only by their
 * number and the seed: in whatever portions they are asked for, the answer is the same.
 */
#ifndef FAIRTOP_CORE_SIM_LIKELY_H
#define FAIRTOP_CORE_SIM_LIKELY_H

#include "core/sim/lengths.h"
#include "core/sim/sim_site.h"

#define LIKELY_ROUNDS 200
#define LIKELY_NEVER UINT32_MAX
#define LIKELY_WAITS (-1)

struct likely_job {
	uint32_t group;		/* lengths_group() */
	int64_t limit;		/* s; I64_INFINITE: nobody knows how long it runs */
	int64_t elapsed;	/* s; LIKELY_WAITS */
};

/*
 * Plays a round. RUNS: s of each job, LENGTHS_TO_LIMIT; STARTS to be filled: s from now of each job
 * that waits, LIKELY_NEVER.
 */
typedef void likely_play(void *context, const int64_t *runs, uint32_t *starts);

struct likely;

/* Of COUNT jobs the first WAITING wait. Takes over JOBS; LENGTHS and CONTEXT are borrowed. */
struct likely *likely_new(struct likely_job *jobs, uint32_t waiting, uint32_t count,
			  const struct lengths *lengths, uint64_t seed, likely_play *play,
			  void *context);
void likely_free(struct likely *l);	/* NULL is fine */

bool likely_go(struct likely *l);	/* one more round; false: LIKELY_ROUNDS are done */

/* P10, the median and P90 of the starts of JOB until now, s from now. */
struct likely_span {
	uint32_t p10, p50, p90;		/* LIKELY_NEVER: it did not begin in so many rounds */
};
struct likely_span likely_span_of(struct likely *l, uint32_t job);

/*
 * Of a site, which is played from what it is now on; a job that waits has the place before its
 * number. Where more than LIKELY_EXACT wait, its CPUs are one pool under easy in the order of the
 * queue, without limits and dependencies: that puts mean waits 5 to 30 % low.
 */
#define LIKELY_EXACT 100
struct likely *likely_of_site(struct site *site, const struct lengths *lengths,
			      uint64_t seed);

/* Starts in that pool if all run to their limits, s from now by place; LIKELY_NEVER. */
void likely_by_limits(struct site *site, uint32_t *starts);

#endif
