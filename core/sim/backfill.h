/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backfill: one cycle of sched/backfill.
 *
 * Every waiting job in the order of the queue is begun if the nodes that nobody before it has
 * reserved have room until it ends; else it reserves whole nodes from the first time at which it
 * can begin. Nothing of a plan outlives its cycle. Source: backfill.c of Slurm 22.05,
 * _attempt_backfill() and below.
 */
#ifndef FAIRTOP_CORE_SIM_BACKFILL_H
#define FAIRTOP_CORE_SIM_BACKFILL_H

#include "core/sim/sim_site.h"

/* SchedulerParameters that count here. */
struct backfill_options {
	int64_t interval, window, resolution;	/* s */
	int64_t main_interval;			/* s, sched_interval of the main scheduler */
	uint32_t max_job_test, max_job_user;	/* the latter 0: no limit */
};
void backfill_options_of(const struct policy *policy, struct backfill_options *o);

/* Returns how many jobs it has begun. */
uint32_t backfill_cycle(struct site *s, const struct backfill_options *o);

#endif
