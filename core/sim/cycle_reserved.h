/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle_reserved: what PBS reservations have left for their jobs, which run only on the vnodes of
 * the reservation. Only sums over these vnodes are compared, not the placement of chunks. Source:
 * is_ok_to_run() of check.cpp, OpenPBS, in which such jobs skip the checks of all vnodes.
 */
#ifndef FAIRTOP_CORE_SIM_CYCLE_RESERVED_H
#define FAIRTOP_CORE_SIM_CYCLE_RESERVED_H

#include "core/cluster/cluster.h"

struct cycle_reserved;

/* The resources of the reservations of C, which must outlive it, less what runs in them. */
struct cycle_reserved *cycle_reserved_new(const struct cluster *c);
void cycle_reserved_free(struct cycle_reserved *r);	/* NULL is fine */

/* Whether the resources of the reservation of the job at row JOB are known. */
bool cycle_reserved_reported(const struct cycle_reserved *r, uint32_t job);

/* The TRES that the reservation has too little of for the job; ROW_NONE. */
uint32_t cycle_reserved_short(const struct cycle_reserved *r, uint32_t job);

/* Takes the resources of the job, which begins. */
void cycle_reserved_take(struct cycle_reserved *r, uint32_t job);

#endif
