/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * likely: when pending jobs begin on a count of processors, estimated by random draws.
 *
 * Each round draws the length of every running and pending job from the fraction of their limits
 * that ended jobs used (lengths.h). Other jobs arrive as on a past day that is drawn, and a policy
 * schedules all of them (sim.h). A round depends only on its number and the seed, so the answer is
 * the same however the rounds are split up.
 *
 * How often these spans hold is unknown; calibration.h measures and corrects it.
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
	struct sim_job sim;		/* RUN is unused; START only for a running job */
	uint64_t user, account;		/* lengths_name() */
	bool endless;			/* its run time is unknown: it is not drawn */
};

struct likely_options {
	enum sim_policy policy;
	uint32_t procs;
	uint32_t depth;			/* for easy: jobs tried behind the first; 0: all */
	int64_t now;
	uint64_t seed;
};

/* s from now; LIKELY_NEVER. */
struct likely_span {
	uint32_t p10, p50, p90;
};

struct likely;

/*
 * The first RUNNING of COUNT jobs run. The others are pending, in the order of submission, which is
 * now or later. Takes over JOBS; borrows LOG, for arrivals, and LENGTHS of it. There are no rounds
 * if no job has ended or LENGTHS is NULL.
 */
struct likely *likely_new(struct likely_job *jobs, uint32_t running, uint32_t count,
			  const struct joblog *log, const struct lengths *lengths,
			  const struct likely_options *o);
void likely_free(struct likely *l);	/* NULL is fine */

bool likely_go(struct likely *l);	/* plays one more round; false: LIKELY_ROUNDS are done */

/* For pending job WAITING: its span in the rounds so far; its start if all run to their limits. */
struct likely_span likely_span_of(struct likely *l, uint32_t waiting);
uint32_t likely_by_limits(const struct likely *l, uint32_t waiting);

/*
 * The pending jobs of a site on all of its CPUs under easy, in the order of its queue, without
 * partitions, nodes, limits and dependencies.
 */
struct likely_site {
	struct likely *likely;
	uint32_t *waiting;	/* by place - 1: index of the pending job; LIKELY_NEVER: none */
	uint32_t until;		/* s from now: later starts by limits do not include all tasks */
};
void likely_pool_make(struct likely_site *l, const struct site *site, const struct joblog *log,
		      const struct lengths *lengths, const struct likely_options *o);
void likely_pool_free(struct likely_site *l);
struct likely_options likely_pool_options(const struct site *site, uint64_t seed);

#endif
