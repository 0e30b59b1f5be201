/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle_reserved: what reservations of PBS have left for their jobs, which run on the vnodes of
 * their own and on no others. In sums over these: how chunks go to them is not followed. Source:
 * is_ok_to_run() of check.cpp, OpenPBS, where their jobs pass the checks of all vnodes by.
 */
#ifndef FAIRTOP_CORE_SIM_CYCLE_RESERVED_H
#define FAIRTOP_CORE_SIM_CYCLE_RESERVED_H

#include "core/cluster/cluster.h"

struct cycle_reserved;

/* Those of C, which must outlive it, less what runs in them. */
struct cycle_reserved *cycle_reserved_new(const struct cluster *c);
void cycle_reserved_free(struct cycle_reserved *r);	/* NULL is fine */

/* Is it told what the reservation of the job at row JOB has? */
bool cycle_reserved_told(const struct cycle_reserved *r, uint32_t job);

/* The TRES that is short for the job; ROW_NONE. */
uint32_t cycle_reserved_short(const struct cycle_reserved *r, uint32_t job);

/* The job begins. */
void cycle_reserved_take(struct cycle_reserved *r, uint32_t job);

#endif
