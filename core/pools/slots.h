/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slots: queue-based fair share, LSF's slot pools.
 *
 * A pool is a set of queues that share the slots of some hosts by percentages. Every scheduling
 * cycle hands out the slots in rounds: in allocation order each queue gets the ceiling of its share
 * of the slots left, but at most what is left and what it can use; the rest goes to the next round.
 * The allocation order starts with the least accumulated use per share. Sources: LSF documents
 * "Queue-based fair share", "Typical slot allocation scenarios"; rules that they do not define are
 * marked "fairtop's" below (spec of slot pools, 2 to 4).
 */
#ifndef FAIRTOP_CORE_POOLS_SLOTS_H
#define FAIRTOP_CORE_POOLS_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#define SLOTS_NO_LIMIT UINT32_MAX

/* One queue of a pool. Fields are input unless marked "out". */
struct slots_queue {
	int64_t priority;	/* PRIORITY: larger is more important */
	uint32_t share;		/* SLOT_SHARE, percent, 1 .. 100 */
	uint32_t demand;	/* slots of its running and pending jobs */
	uint32_t limit;		/* smallest job limit that applies, SLOTS_NO_LIMIT */
	double accumulated;	/* decayed slot-hours in use, see slots_accumulate() */
	uint32_t allotted;	/* out: slots of this cycle */
	uint32_t entitled;	/* out: ceiling of its share of the whole pool, before any cut */
	uint32_t order;		/* out: position in the allocation order, 0 first */
};

struct slots_pool {
	uint32_t host_slots;	/* limits of the pool's hosts, each host once */
	uint32_t foreign;	/* slots used there by queues outside the pool */
	uint32_t max_slots;	/* MAX_SLOTS_IN_POOL, SLOTS_NO_LIMIT */
	/* USE_PRIORITY_IN_POOL: the rest of round 1 goes by priority (fairtop's) */
	bool use_priority;
	bool strict;		/* stop after round 1 even with idle slots (fairtop's) */
	struct slots_queue *queues;
	uint32_t count;
	uint32_t *order;	/* out: allocation order, COUNT queue numbers */
	uint32_t size;		/* out: slots of the pool */
	uint32_t idle;		/* out: slots that no queue can use */
	uint32_t rounds;	/* out */
};

/* Why a queue did not get more in a round. */
enum slots_cut {
	SLOTS_FULL,		/* not cut: it got its share of the round */
	SLOTS_CUT_NEED,		/* it has no more work */
	SLOTS_CUT_LIMIT,	/* its job limit */
	SLOTS_CUT_LEFT		/* the pool has no more slots */
};

/* One grant of one round: the list of these explains each slot. */
struct slots_grant {
	uint32_t round;		/* 1, 2, ... */
	uint32_t queue;
	uint32_t base;		/* slots at the beginning of the round */
	uint32_t deserved;	/* ceiling of base * share / 100, or the rest with use_priority */
	uint32_t granted;
	enum slots_cut cut;
	uint32_t left;		/* slots of the round left at its turn */
};

typedef void slots_each(void *context, const struct slots_grant *grant);

/* Sets zero limits to SLOTS_NO_LIMIT. The caller owns queues and order. */
void slots_pool_init(struct slots_pool *p, struct slots_queue *queues, uint32_t *order,
		     uint32_t count);

/* Size of the pool: host slots less foreign use, at most max_slots, never below 0. */
uint32_t slots_size(const struct slots_pool *p);

/* Runs one allocation. EACH (may be NULL) gets every grant, including those of 0 slots. */
void slots_allocate(struct slots_pool *p, slots_each *each, void *context);

/*
 * A <- A * 0.1^(dt / hist_hours) + slots * dt, dt in hours; hist_hours 0: no decay; NaN: the result
 * is unknown. The formula and its default of 5 hours are HIST_HOURS of user-based fair share; using
 * it for pools is fairtop's.
 */
double slots_accumulate(double accumulated, uint32_t slots, double hours, double hist_hours);

/* ---- dispatch order ------------------------------------------------------------------------- */

struct slots_dispatch {
	int64_t priority;
	uint32_t pool;		/* number of its pool, UINT32_MAX outside */
};

/*
 * Fills ORDER (COUNT queue numbers, tried in this order): by PRIORITY, then file order. GROUPED:
 * each pool is one block at the position of its best queue (fairtop's; the document's example fits
 * both).
 */
void slots_dispatch_order(const struct slots_dispatch *queues, uint32_t count, bool grouped,
			  uint32_t *order);

#endif
