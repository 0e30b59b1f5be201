/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool_sim: simulates queues of pools over time, in scheduling cycles.
 *
 * In every cycle jobs end and free their slots, jobs arrive, slots_allocate() runs for each pool,
 * and jobs start in the dispatch order: a queue of a pool until its allotted slots are in use, a
 * queue outside as long as its hosts have free slots. Slots in use accumulate with decay, so that
 * the allocation order rotates and usage converges to the shares. Running jobs are never preempted:
 * a queue above its allotment merely starts no more jobs. Fewer slots are then free than allotted;
 * so that a queue of low PRIORITY still gets its share, the places of a pool in the dispatch order
 * are filled in the allocation order ("accumulated slots in use are used to sort the queues for
 * dispatch", Queue-based fair share; this is fairtop's reading).
 *
 * Deterministic: the same options and seed give the same result on every machine; only integers
 * decide arrivals and run times.
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
	uint32_t share;		/* percent; ignored outside */
	uint32_t pool;		/* its pool; POOL_SIM_OUTSIDE */
	uint32_t hosts;		/* outside: number of the pool whose hosts it uses */
	uint32_t limit;		/* limit of slots in use, SLOTS_NO_LIMIT */
	uint32_t job_slots;	/* per job */
	uint32_t runtime_min, runtime_max;	/* of a job, in seconds */
	uint32_t per_hour;	/* arriving jobs per hour, on average */
	uint32_t waiting;	/* jobs pending at the beginning */
	uint32_t from, until;	/* arrivals: seconds after the beginning; 0, 0: always */
};

struct pool_sim_options {
	const struct pool_sim_pool *pools;	/* borrowed during pool_sim_new() */
	const struct pool_sim_queue *queues;
	uint32_t pool_count, queue_count;
	uint32_t cycle;		/* seconds */
	double hist_hours;	/* 0: no decay */
	bool by_starts;		/* accumulate slots as jobs start, not slot-hours (fairtop's) */
	bool grouped;		/* dispatch order with pools as blocks */
	uint32_t remember;	/* how far pool_sim_past() goes back, in seconds */
	uint64_t seed;
};

/* The current state of one queue. */
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
/* Runs as many whole cycles as fit into SECONDS. */
void pool_sim_advance(struct pool_sim *s, int64_t seconds);

int64_t pool_sim_time(const struct pool_sim *s);	/* seconds since the beginning */
const struct pool_sim_state *pool_sim_queue(const struct pool_sim *s, uint32_t queue);
/* Slots of QUEUE in use AGO seconds ago, within what is remembered; 0 before the beginning. */
uint32_t pool_sim_past(const struct pool_sim *s, uint32_t queue, int64_t ago);

#endif
