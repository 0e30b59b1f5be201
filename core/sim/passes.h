/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * passes: when the main scheduler of slurmctld looks at its queue.
 *
 * A full pass is made each sched_interval since slurmctld began. Submissions, whenever the job may
 * begin, and jobs that end by themselves ask for one in a queue, which is looked at
 * batch_sched_delay after the last pass that it or the interval led to. Who is killed has an
 * epilog, whose end asks for one at once, unless there is "defer". A begin time that comes and a
 * dependency that is met ask for none. Source: queue_job_scheduler() and who calls it,
 * _slurmctld_background(), _slurm_rpc_epilog_complete(), _sched_agent(), 22.05.
 */
#ifndef FAIRTOP_CORE_SIM_PASSES_H
#define FAIRTOP_CORE_SIM_PASSES_H

#include "core/sim/backfill.h"

struct passes {
	const struct backfill_options *o;	/* borrowed */
	int64_t boot;
	int64_t asked, queued;	/* for when; I64_INFINITE: nobody has asked */
	int64_t last;		/* the last pass */
	int64_t queued_last;	/* the last that the queue or the interval led to */
	bool full;		/* the next one */
};

void passes_init(struct passes *p, const struct backfill_options *o, int64_t boot, int64_t now);

/*
 * To be called at each instant that is looked at. What was due before had nothing to see, or it
 * would have been looked at.
 */
void passes_step(struct passes *p, int64_t now);
void passes_ask(struct passes *p, int64_t now, bool killed);

/*
 * When the next pass is made that was asked for: sched_min_interval after the last; I64_INFINITE
 * where none is asked for, or none is ever made (sched_interval=-1).
 */
int64_t passes_next(const struct passes *p);
/* Is one made NOW? It counts as made then; *FULL: is it deeper than default_queue_depth? */
bool passes_take(struct passes *p, int64_t now, bool *full);

/* The first time after NOW in the rhythm of INTERVAL since BOOT, which may be later. */
int64_t passes_tick(int64_t boot, int64_t now, int64_t interval);

#endif
