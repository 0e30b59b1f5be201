/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the demo: data/demo.snapshot, and the state that lives on from it.
 *
 *	source.c	the source, its options
 *	demo.c		the demo as a whole
 *	people.c	the accounts and users of the data, fewer or more
 *	life.c		jobs arrive, start in the engine's order, and end
 *	rewind.c	the past
 */
#ifndef FAIRTOP_ADAPTERS_DEMO_DEMO_STATE_H
#define FAIRTOP_ADAPTERS_DEMO_DEMO_STATE_H

#include "adapters/demo/demo.h"
#include "core/cluster/assoc_load.h"
#include "core/base/dice.h"
#include "core/cluster/overlay.h"
#include "core/queue/placement.h"
#include "core/pools/pool_sim.h"

enum { DICE_PEOPLE, DICE_JOBS };	/* purposes of the dice */

#define NAME_SIZE 64
#define HOSTS_MAX 8		/* of a job of the data */

/* The parts of a job that no row of the queue holds. */
struct job {
	uint32_t like;			/* row of DATA with the same requests */
	uint32_t assoc;			/* row of PEOPLE */
	int64_t end;			/* when it will really end; 0: pending */
	int64_t charged;		/* time up to which it was charged */
	uint32_t running;		/* of an array: its running tasks */
	uint32_t hosts[HOSTS_MAX];	/* rows, while it runs */
};

struct demo {
	struct demo_options options;
	int64_t start, now, last_pass;	/* Unix seconds */
	struct cluster *data;		/* its jobs are the templates of all others */
	struct overlay *live;		/* the site with its associations and their usage ... */
	const struct cluster *people;	/* ... the same to be read; rows of associations index
					 * these: */
	double *usage, *fairshare;	/* F as of the last pass */
	struct assoc_load *load;
	uint32_t *users, user_count;	/* rows of users */
	struct placement *placement;	/* on the nodes of DATA */
	struct builder *queue;		/* the site with the jobs, ids ascending */
	struct job *jobs;		/* by rows of QUEUE */
	size_t job_capacity;
	bool full;			/* a job is pending for capacity, so jobs were before */
	uint32_t next_id, former_id;	/* for the next job; for the last job before the data */
	uint64_t dice;			/* of jobs */
	struct pool_sim *pools;
};

void people_begin(struct demo *d);
struct builder *people_none(const struct demo *d);	/* the site without associations and jobs */
void past_back(struct demo *d, int64_t seconds);	/* in whole passes; only for a new demo */
void life_begin(struct demo *d);
void life_cycle(struct demo *d);	/* DEMO_CYCLE later */

/* Its steps. */
uint32_t life_user(struct demo *d, uint32_t like, bool own);
uint32_t life_length(struct demo *d, uint32_t like);	/* seconds that such a job runs */
uint32_t life_submit(struct demo *d, uint32_t like, uint32_t assoc, int64_t when, uint32_t most);
void life_run(struct demo *d, uint32_t row, int64_t began, int64_t end);	/* on its hosts */
void life_rank(struct demo *d);				/* priorities of pending jobs */

#endif
