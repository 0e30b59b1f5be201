/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * law: what becomes of the usage of a cluster as time goes by, under its own policy.
 *
 * Slurm: decay.h and burn.h, a pass every PriorityCalcPeriod. PBS: usage is multiplied with
 * fairshare_decay_factor every fairshare_decay_time after the last decay, and grows evenly between;
 * none falls below 1. Source: decay_fairshare_tree() and init_scheduling_cycle() of OpenPBS; spec
 * of PBS, 3.
 */
#ifndef FAIRTOP_CORE_SHARE_LAW_H
#define FAIRTOP_CORE_SHARE_LAW_H

#include "core/cluster/cluster.h"
#include "core/base/timestr.h"
#include "core/share/burn.h"

/* Seconds from one pass to the next; I64_UNKNOWN where what sets them could not be read. */
int64_t law_period(const struct cluster *c);

/* The time in which usage fades to half, in seconds; 0: it does not. */
int64_t law_half_life(const struct cluster *c);

/* DT seconds after the time of C (I64_UNKNOWN: after the last decay), resets left out. */
struct burn law_over(const struct cluster *c, int64_t dt);

/*
 * Slurm: the first usage reset after NOW by PriorityUsageResetPeriod (reset_next()), counted from
 * the last one, else from the start of slurmctld, else from NOW. I64_UNKNOWN: none is to come.
 */
int64_t law_next_reset(const struct cluster *c, const struct calendar *calendar, int64_t now);

/*
 * The first pass at or after a reset's time zeroes all usage and then charges what ran since the
 * pass before: so DT seconds after NOW usage is what was charged from that pass on. It is told in
 * seconds after NOW, for the last reset until then; I64_UNKNOWN: there is none. Passes are a
 * law_period() apart, from NOW on. Source: spec of fair share, 5 and 5.1.
 */
int64_t law_reset(const struct cluster *c, const struct calendar *calendar, int64_t now,
		  int64_t dt);

/* The least usage that an association can have. */
double law_least(const struct cluster *c);

#endif
