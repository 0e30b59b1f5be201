/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * passes: when the main scheduler of slurmctld runs.
 *
 * A full pass runs every sched_interval since slurmctld started. A submission, whatever its begin
 * time, and a job that ends by itself queue a request for a pass; requests are handled
 * batch_sched_delay after the last pass caused by the queue or the interval. A killed job has an
 * epilog, whose end requests a pass at once, unless "defer" is set. A begin time that comes and a
 * dependency that is met request none. Source: queue_job_scheduler() and its callers,
 * _slurmctld_background(), _slurm_rpc_epilog_complete(), _sched_agent(), 22.05.
 */
#ifndef FAIRTOP_CORE_SIM_PASSES_H
#define FAIRTOP_CORE_SIM_PASSES_H

#include "core/sim/backfill.h"

struct passes {
	const struct backfill_options *o;	/* borrowed */
	int64_t boot;
	int64_t asked, queued;	/* times of the requests; I64_INFINITE: none */
	int64_t last;		/* the last pass */
	int64_t queued_last;	/* the last pass caused by the queue or the interval */
	bool full;		/* the next pass is full */
};

void passes_init(struct passes *p, const struct backfill_options *o, int64_t boot, int64_t now);

/*
 * Call this at each simulated instant. A pass due before NOW had nothing to do, or that instant
 * would have been simulated.
 */
void passes_step(struct passes *p, int64_t now);
void passes_ask(struct passes *p, int64_t now, bool killed);

/*
 * When the next requested pass runs: sched_min_interval after the last. I64_INFINITE if none is
 * requested or none ever runs (sched_interval=-1).
 */
int64_t passes_next(const struct passes *p);
/* Whether a pass runs NOW, which then counts as done; *FULL: it goes beyond default_queue_depth. */
bool passes_take(struct passes *p, int64_t now, bool *full);

/* The first multiple of INTERVAL since BOOT that is after NOW; BOOT may be later than NOW. */
int64_t passes_tick(int64_t boot, int64_t now, int64_t interval);

#endif
