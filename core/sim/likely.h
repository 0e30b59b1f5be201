/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * likely: when waiting jobs begin on a count of processors, as draws tell.
 *
 * In each of some rounds every job, running or waiting, gets a length that is drawn from what ended
 * jobs used of their limits (lengths.h), others come as they came on a day of the past that is
 * drawn, and a policy plays them (sim.h). Rounds differ only by their number and the seed: in
 * whatever portions they are asked for, the answer is the same.
 *
 * How often the spans of these rounds hold is not known: calibration.h measures it, and mends them.
 */
#ifndef FAIRTOP_CORE_SIM_LIKELY_H
#define FAIRTOP_CORE_SIM_LIKELY_H

#include "core/sim/joblog.h"
#include "core/sim/lengths.h"
#include "core/sim/sim.h"
#include "core/sim/sim_site.h"

#define LIKELY_ROUNDS 50
#define LIKELY_NEVER UINT32_MAX

struct likely_job {
	struct sim_job sim;		/* without RUN; a START only of one that runs */
	uint64_t user, account;		/* lengths_name() */
	bool endless;			/* nobody knows how long it runs: it is not drawn */
};

struct likely_options {
	enum sim_policy policy;
	uint32_t procs;
	uint32_t depth;			/* of easy: jobs behind the first that are tried; 0: all */
	int64_t now;
	uint64_t seed;
};

/* From now on, s; LIKELY_NEVER. */
struct likely_span {
	uint32_t p10, p50, p90;
};

struct likely;

/*
 * The first RUNNING of COUNT jobs run, the others wait, in the order of their submission, which is
 * now or later. Takes over JOBS; LOG, for who comes, and LENGTHS of it are borrowed. Without
 * jobs that ended, or with LENGTHS NULL, there are no rounds.
 */
struct likely *likely_new(struct likely_job *jobs, uint32_t running, uint32_t count,
			  const struct joblog *log, const struct lengths *lengths,
			  const struct likely_options *o);
void likely_free(struct likely *l);	/* NULL is fine */

bool likely_go(struct likely *l);	/* one more round; false: LIKELY_ROUNDS are done */

/* Of the job WAITING of those that wait: in the rounds until now; if all run to their limits. */
struct likely_span likely_span_of(struct likely *l, uint32_t waiting);
uint32_t likely_by_limits(const struct likely *l, uint32_t waiting);

/*
 * The jobs of a site that wait on all of its CPUs under easy, in the order of its queue: without
 * partitions, nodes, limits and dependencies.
 */
struct likely_site {
	struct likely *likely;
	uint32_t *waiting;	/* by place - 1: which of those that wait; LIKELY_NEVER: none */
	uint32_t until;		/* s from now: later starts by limits are not those of all tasks */
};
void likely_site_make(struct likely_site *l, const struct site *site, const struct joblog *log,
		      const struct lengths *lengths, const struct likely_options *o);
void likely_site_free(struct likely_site *l);
struct likely_options likely_site_options(const struct site *site, uint64_t seed);

#endif
