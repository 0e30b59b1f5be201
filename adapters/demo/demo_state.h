/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the demo: data/demo.snapshot, and what comes to life of it.
 *
 *	source.c	the source, its options
 *	demo.c		the demo as a whole
 *	people.c	who there is: the accounts and users of the data, fewer or more
 *	life.c		jobs come, start in the engine's order, and end
 *	rewind.c	what was before
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

/* What stands in no row of the queue. */
struct job {
	uint32_t like;			/* row of DATA: what it needs */
	uint32_t assoc;			/* row of PEOPLE */
	int64_t end;			/* when it will really end; 0: it waits */
	int64_t charged;		/* until when it was charged */
	uint32_t running;		/* of an array, its tasks that do */
	uint32_t hosts[HOSTS_MAX];	/* rows, while it runs */
};

struct demo {
	struct demo_options options;
	int64_t start, now, last_pass;	/* Unix seconds */
	struct cluster *data;		/* whose jobs are the models of all others */
	struct overlay *live;		/* the site with its people and their usage ... */
	const struct cluster *people;	/* ... to be read, and by its rows of associations: */
	double *usage, *fairshare;	/* F as of the last pass */
	struct assoc_load *load;
	uint32_t *users, user_count;	/* rows of users */
	struct placement *placement;	/* on the nodes of DATA */
	struct builder *queue;		/* the site with the jobs, ids ascending */
	struct job *jobs;		/* by its rows */
	size_t job_capacity;
	bool full;			/* somebody waits for room: so there was a line before */
	uint32_t next_id, former_id;	/* of who comes next; of who came last before the data */
	uint64_t dice;			/* of jobs */
	struct pool_sim *pools;
};

void people_begin(struct demo *d);
struct builder *people_none(const struct demo *d);	/* the site without people and jobs */
void past_back(struct demo *d, int64_t seconds);	/* to whole passes; of one just begun */
void life_begin(struct demo *d);
void life_cycle(struct demo *d);	/* DEMO_CYCLE later */

/* The steps of it. */
uint32_t life_user(struct demo *d, uint32_t like, bool own);
uint32_t life_length(struct demo *d, uint32_t like);	/* seconds that such a job runs */
uint32_t life_submit(struct demo *d, uint32_t like, uint32_t assoc, int64_t when, uint32_t most);
void life_run(struct demo *d, uint32_t row, int64_t began, int64_t end);	/* on its hosts */
void life_rank(struct demo *d);				/* priorities of who waits */

#endif
