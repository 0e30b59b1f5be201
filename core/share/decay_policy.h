/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decay_policy: how the usage of a cluster changes over time under its own policy.
 *
 * Slurm: decay.h and burn.h, a pass every PriorityCalcPeriod. PBS: usage is multiplied by
 * fairshare_decay_factor every fairshare_decay_time after the last decay, and grows evenly in
 * between; it never falls below 1. Source: decay_fairshare_tree() and init_scheduling_cycle() of
 * OpenPBS; spec of PBS, 3.
 */
#ifndef FAIRTOP_CORE_SHARE_DECAY_POLICY_H
#define FAIRTOP_CORE_SHARE_DECAY_POLICY_H

#include "core/cluster/cluster.h"
#include "core/base/timestr.h"
#include "core/share/burn.h"

/* Seconds between passes; I64_UNKNOWN if the settings could not be read. */
int64_t decay_period(const struct cluster *c);

/* Half-life of usage in seconds; 0: no decay. */
int64_t decay_half_life(const struct cluster *c);

/* DT seconds after the time of C (I64_UNKNOWN: after the last decay), ignoring resets. */
struct burn decay_after(const struct cluster *c, int64_t dt);

/*
 * Slurm: the first usage reset after NOW by PriorityUsageResetPeriod (reset_next()), counted from
 * the last reset, else from the start of slurmctld, else from NOW. I64_UNKNOWN: there is none.
 */
int64_t decay_next_reset(const struct cluster *c, const struct calendar *calendar, int64_t now);

/*
 * The first pass at or after a reset zeroes all usage, then charges what ran since the pass before.
 * So DT seconds after NOW, usage is what was charged since that earlier pass. Returns its time in
 * seconds after NOW, for the last reset up to NOW + DT; I64_UNKNOWN: there is none. Passes are
 * decay_period() apart, counted from NOW. Source: spec of fair share, 5 and 5.1.
 */
int64_t decay_reset(const struct cluster *c, const struct calendar *calendar, int64_t now,
		    int64_t dt);

/* The lowest usage that an association can have. */
double decay_least(const struct cluster *c);

#endif
