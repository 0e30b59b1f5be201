/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_jobs_private: between the files of pbs_jobs.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_JOBS_PRIVATE_H
#define FAIRTOP_CORE_QUEUE_PBS_JOBS_PRIVATE_H

#include "core/queue/pbs_jobs.h"

/* Amount of a resource that a job asks for, as the scheduler counts it; 0 if it does not ask. */
double pbs_jobs_resource(const struct pbs_jobs *p, uint32_t entry, const char *name);

/* Appends to p->problem. */
void pbs_jobs_note(struct pbs_jobs *p, const char *format, ...)
	ERR_PRINTF(2, 3);

/*
 * Queues, their places, and what of the order is not followed; to be called before the formula is
 * evaluated, for which the queues must be known.
 */
void pbs_order_queues(struct pbs_jobs *p);

/* Keys, turns, and p->priority; after the formula. */
void pbs_order_set(struct pbs_jobs *p);

void pbs_order_free(struct pbs_jobs *p);

#endif
