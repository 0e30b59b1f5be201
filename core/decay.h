/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decay: the scheduler's own half-life law. Source: priority_multifactor.c; spec of fair share, 5.
 */
#ifndef FAIRTOP_CORE_DECAY_H
#define FAIRTOP_CORE_DECAY_H

#include <stdint.h>

/* Factor per second: 1 - 0.693 / half_life (0.693 and not ln 2, as the code has it); 1 if half_life <= 0. */
double decay_per_second(int64_t half_life);

/* What is left of usage after one pass DT seconds after the last: q^dt, at least the smallest normal double. */
double decay_over(int64_t half_life, int64_t dt);

/* What a slice of T seconds of a job adds: T * q^T * billable * usage_factor (usage_factor < 0 counts as 1). */
double decay_charge(int64_t half_life, int64_t t, double billable, double usage_factor);

#endif
