/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool_sim: queues of pools over time, in scheduling cycles.
 *
 * In every cycle jobs that have ended give their slots back, jobs arrive, each pool is allocated by
 * slots_allocate(), and jobs are started in the dispatch order: a queue of a pool until its
 * allotted slots are in use, a queue outside as long as its hosts have free slots. What is in use
 * is accumulated with decay, so that the allocation order turns and the slots settle at the shares.
 * A running job is never taken back: a queue over its allotment merely starts no more jobs. Then
 * there are fewer free slots than allotted ones; so that a queue of low PRIORITY gets its share
 * nevertheless, the places of a pool in the dispatch order are taken in the allocation order
 * ("accumulated slots in use are used to sort the queues for dispatch", Queue-based fair share; the
 * reading is ours).
 *
 * Deterministic: the same options and seed give the same course on every machine; only integers
 * decide about arrivals and run times.
 */
#ifndef FAIRTOP_CORE_POOLS_POOL_SIM_H
#define FAIRTOP_CORE_POOLS_POOL_SIM_H

#include "core/pools/slots.h"

#define POOL_SIM_OUTSIDE UINT32_MAX

struct pool_sim_pool {
	uint32_t host_slots;
	uint32_t max_slots;	/* SLOTS_NO_LIMIT */
	bool use_priority, strict;
};

struct pool_sim_queue {
	int64_t priority;
	uint32_t share;		/* percent; of no account outside */
	uint32_t pool;		/* its pool; POOL_SIM_OUTSIDE */
	uint32_t hosts;		/* outside: number of the pool whose hosts it runs on */
	uint32_t limit;		/* most slots in use, SLOTS_NO_LIMIT */
	uint32_t job_slots;	/* of each job */
	uint32_t runtime_min, runtime_max;	/* seconds of a job */
	uint32_t per_hour;	/* jobs that arrive in an hour, on average */
	uint32_t waiting;	/* jobs that wait at the beginning */
	uint32_t from, until;	/* seconds after the beginning in which jobs arrive; 0, 0 always */
};

struct pool_sim_options {
	const struct pool_sim_pool *pools;	/* borrowed during pool_sim_new() */
	const struct pool_sim_queue *queues;
	uint32_t pool_count, queue_count;
	uint32_t cycle;		/* seconds */
	double hist_hours;	/* 0: no decay */
	bool by_starts;		/* accumulate slots handed out, not slot-hours (ours) */
	bool grouped;		/* dispatch order with pools as blocks */
	uint32_t remember;	/* seconds that pool_sim_past() goes back */
	uint64_t seed;
};

/* What one queue is doing now. */
struct pool_sim_state {
	uint32_t used;		/* slots */
	uint32_t waiting;	/* jobs */
	uint32_t allotted;	/* slots of the last cycle; 0 outside */
	double accumulated;
	uint64_t started, ended;	/* jobs so far */
};

struct pool_sim;

struct pool_sim *pool_sim_new(const struct pool_sim_options *options);
void pool_sim_free(struct pool_sim *s);

void pool_sim_cycle(struct pool_sim *s);
/* As many whole cycles as fit into SECONDS. */
void pool_sim_advance(struct pool_sim *s, int64_t seconds);

int64_t pool_sim_time(const struct pool_sim *s);	/* seconds since the beginning */
const struct pool_sim_state *pool_sim_queue(const struct pool_sim *s, uint32_t queue);
/* Slots that QUEUE had in use AGO seconds before, up to what is remembered; 0 before all began. */
uint32_t pool_sim_past(const struct pool_sim *s, uint32_t queue, int64_t ago);

#endif
