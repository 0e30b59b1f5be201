/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decay: the scheduler's own decay by half-life.
 *
 * Usage W is in billable TRES-seconds. Per second a part q of it remains. A pass multiplies usage
 * by q^dt and adds the usage of the jobs running since the last one, each slice decayed by its full
 * length (the scheduler does not integrate over the slice). Source: priority_multifactor.c of
 * Slurm, _apply_decay() and _apply_new_usage().
 */
#ifndef FAIRTOP_CORE_SHARE_DECAY_H
#define FAIRTOP_CORE_SHARE_DECAY_H

#include <stdint.h>

/*
 * q = 1 - 0.693 / half_life: 0.693, not ln 2, and the linear term instead of the exponential, like
 * the scheduler; so 50.007 % remains after a half-life of 7 days. 1 if half_life <= 0.
 */
double decay_per_second(int64_t half_life);

/* Part of the usage that remains after DT seconds: q^dt, at least the smallest normal double. */
double decay_over(int64_t half_life, int64_t dt);

/* Usage added by T seconds of a job: T * q^T * billable * usage_factor (< 0 counts as 1). */
double decay_charge(int64_t half_life, int64_t t, double billable, double usage_factor);

#endif
