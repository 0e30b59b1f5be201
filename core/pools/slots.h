/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slots: queue-based fair share, LSF's slot pools.
 *
 * A pool is a set of queues that share the slots of some hosts by percentages. In every scheduling
 * cycle the slots are handed out in rounds: in allocation order each queue gets the ceiling of its
 * share of what is left, but no more than is left and than it can use; what remains goes round
 * again. Less accumulated use per share comes first in the allocation order. Sources: LSF
 * documents "Queue-based fair share", "Typical slot allocation scenarios"; where those are silent
 * the rule is ours and says so below (spec of slot pools, 2 to 4).
 */
#ifndef FAIRTOP_CORE_POOLS_SLOTS_H
#define FAIRTOP_CORE_POOLS_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOTS_NO_LIMIT UINT32_MAX

/* One queue of a pool. Input unless said otherwise. */
struct slots_queue {
	int64_t priority;	/* PRIORITY: larger is more important */
	uint32_t share;		/* SLOT_SHARE, percent, 1 .. 100 */
	uint32_t demand;	/* slots its jobs use plus those its pending jobs ask for */
	uint32_t limit;		/* smallest job limit that applies, SLOTS_NO_LIMIT */
	uint32_t used;		/* slots in use now */
	double accumulated;	/* decayed slot-hours in use, see slots_accumulate() */
	uint32_t allotted;	/* out: slots of this cycle */
	uint32_t entitled;	/* out: ceiling of its share of the whole pool, before any cut */
	uint32_t order;		/* out: place in the allocation order, 0 first */
	uint32_t entitled_share;	/* the engine's: the share that ENTITLED was made from */
};

struct slots_pool {
	uint32_t host_slots;	/* limits of the pool's hosts, each host once */
	uint32_t foreign;	/* slots used there by queues outside the pool */
	uint32_t max_slots;	/* MAX_SLOTS_IN_POOL, SLOTS_NO_LIMIT */
	/* USE_PRIORITY_IN_POOL: what round 1 leaves goes by priority (ours) */
	bool use_priority;
	bool strict;		/* stop after round 1 even if slots idle (ours) */
	struct slots_queue *queues;
	uint32_t count;
	/*
	 * Allocation order, kept from cycle to cycle so that it hardly needs sorting: COUNT queue
	 * numbers. Filled with 0, 1, ... by slots_pool_init().
	 */
	uint32_t *order;
	uint32_t size;		/* out: slots of the pool */
	uint32_t idle;		/* out: slots that nobody can use */
	uint32_t rounds;	/* out */
};

/* What kept a queue from getting more in a round. */
enum slots_cut {
	SLOTS_FULL,		/* nothing: it got its share of the round */
	SLOTS_CUT_NEED,		/* it has no more work */
	SLOTS_CUT_LIMIT,	/* its job limit */
	SLOTS_CUT_LEFT		/* the pool has no more slots */
};

/* One grant of one round: each slot can be explained by the list of these. */
struct slots_grant {
	uint32_t round;		/* 1, 2, ... */
	uint32_t queue;
	uint32_t base;		/* slots at the beginning of the round */
	uint32_t deserved;	/* ceiling of base * share / 100, or the rest with use_priority */
	uint32_t granted;
	enum slots_cut cut;
	uint32_t left;		/* slots of the round not handed out yet when its turn came */
};

typedef void slots_each(void *context, const struct slots_grant *grant);

/* Zero limits become SLOTS_NO_LIMIT; ORDER is file order. The caller owns queues and order. */
void slots_pool_init(struct slots_pool *p, struct slots_queue *queues, uint32_t *order,
		     uint32_t count);

/* Size of the pool: host slots less foreign use, at most max_slots, never below 0. */
uint32_t slots_size(const struct slots_pool *p);

/* One allocation. EACH (may be NULL) sees every grant, those of 0 slots included. */
void slots_allocate(struct slots_pool *p, slots_each *each, void *context);

/*
 * A <- A * 0.1^(dt / hist_hours) + slots * dt, dt in hours; hist_hours 0: no decay, NaN: unknown,
 * as is what it gives then. The law and its default of 5 hours are HIST_HOURS of user-based fair
 * share; that pools use it is ours.
 */
double slots_accumulate(double accumulated, uint32_t slots, double hours, double hist_hours);

/* ---- dispatch order ------------------------------------------------------------------------- */

struct slots_dispatch {
	int64_t priority;
	uint32_t pool;		/* number of its pool, UINT32_MAX outside */
};

/*
 * Fills ORDER (COUNT queue numbers, first tried first): by PRIORITY, then the order of the file.
 * GROUPED: each pool stands as one block where its best queue stands (ours; the document's example
 * cannot tell the two apart).
 */
void slots_dispatch_order(const struct slots_dispatch *queues, uint32_t count, bool grouped,
			  uint32_t *order);

#endif
