/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the demo: what its little cluster consists of, and who works on it.
 *
 *	source.c	the source; the demo as a whole
 *	people.c	data/demo.snapshot on the day the dice gave, with accounts and users
 *	jobs.c		what people submit: jobs and arrays
 *	life.c		time passes: ends, arrivals, decay passes, starts by the engine's order
 *	picture.c	a sealed cluster of it all; the queue pools that are simulated beside it
 */
#ifndef FAIRTOP_ADAPTERS_DEMO_STATE_H
#define FAIRTOP_ADAPTERS_DEMO_STATE_H

#include "adapters/demo/demo.h"
#include "core/dice.h"
#include "core/overlay.h"
#include "core/pool_sim.h"

/* Purposes of the dice. */
enum { DICE_TIME, DICE_ACCOUNTS, DICE_USERS, DICE_HOSTS, DICE_JOBS, DICE_ARRIVALS,
       DICE_ARRAYS = 100 };

/* Rows of data/demo.snapshot. */
enum { PART_BATCH, PART_GPU, PART_BIGMEM, PART_DEBUG, PARTITIONS };
enum { CPU, MEM, NODE, BILLING, GPU, AMOUNTS };
#define QUEUES 8

#define NAME_SIZE 32
#define HOSTS_MAX 8		/* of a job */
#define PAST_SAMPLES 49		/* of the pools: a day */
#define PAST_SIZE 40

/* A user in an account, and perhaps only in one partition. */
struct assoc {
	uint32_t row;		/* of PEOPLE */
	uint32_t appetite;	/* percent of what others use; 0 idle, 300 greedy */
};

/* What runs of an association, with all that is below it. */
struct load {
	uint32_t jobs, submitted;	/* those that run; with those that wait */
	double amounts[AMOUNTS];
	double cpu_ends;	/* sum of CPUs times the time when they are free at last */
};

struct host {
	double room[AMOUNTS], used[AMOUNTS];	/* no room: it is down */
};

/*
 * Slots of jobs that hold the tasks of one array, and when that is over those of another: 1, 2, ...
 * from the second slot on. The first slot has the array's id and its last task, which starts last,
 * since a scheduler gives the others ids as they start. A block of one is a job without array.
 */
struct block {
	uint32_t first, count;
	uint32_t at_once;		/* no more tasks than that run at a time */
};

enum activity { WAITING, WORKING, OVER };	/* OVER: a task whose array is not */

struct job {
	const struct block *block;	/* what its slot belongs to */
	uint32_t id, assoc;		/* row of PEOPLE */
	uint32_t array, task;		/* id of its array; tasks count from 1 */
	uint32_t partition, qos;	/* rows */
	enum activity state;
	uint32_t hosts, licenses;
	double need[AMOUNTS];		/* on each host */
	double billing;
	int64_t submit, eligible, limit;
	int64_t runtime;		/* what it will really need */
	int64_t start;			/* 0: has not started */
	int64_t charged;		/* until when it was charged */
	uint32_t depends;		/* id of the job it waits for, 0 none ... */
	uint32_t depends_slot;		/* ... and where that is, while it is there */
	bool held;
	uint32_t nice, priority;	/* U32_UNKNOWN: has just come */
	const char *reason;		/* while it waits */
	uint32_t placed[HOSTS_MAX];	/* hosts, ascending */
};

struct demo {
	struct demo_options options;
	int64_t start, now, last_pass;	/* Unix seconds */
	uint64_t arrivals;		/* dice of the living part */
	struct cluster *site;		/* what stands still, without people and jobs */
	struct overlay *live;		/* the site with its people and their usage ... */
	const struct cluster *people;	/* ... to be read, and by its rows of associations: */
	double *usage, *fairshare;	/* F as of the last pass */
	struct load *loads;
	struct assoc *assocs;		/* in the order of their making */
	struct host *hosts;
	uint32_t assoc_count, host_count, licenses_used;
	uint32_t first_host[PARTITIONS];
	struct job *jobs;
	uint32_t job_count;		/* options.jobs, 0 where nobody could submit one */
	uint32_t next_job;
	struct block *blocks;
	struct pool_sim *pools;
	char past[QUEUES][PAST_SAMPLES][PAST_SIZE];	/* "TIME=SLOTS" of the last day ... */
	int64_t next_sample;		/* ... in seconds since the pools began */
};

/* people.c; names are distinct for distinct numbers. */
void people_begin(struct demo *d);
void people_name(uint32_t number, char name[NAME_SIZE]);

/* jobs.c: the first jobs; another one in SLOT; of a block the next task (ROW_NONE: none waits). */
void jobs_begin(struct demo *d);
void jobs_submit(struct demo *d, uint64_t *dice, uint32_t slot, int64_t submit);
uint32_t jobs_next(const struct demo *d, const struct block *block);
uint32_t jobs_count(const struct demo *d, const struct block *block, enum activity state);

/* life.c: why SLOT may not start now, why there is no room for JOB; NULL: it may, it has nodes. */
const char *life_refuses(const struct demo *d, uint32_t slot);
const char *life_place(struct demo *d, struct job *job);
void life_run(struct demo *d, struct job *job, int64_t start);
/* Counts JOB in (1) and out (-1) as one that runs, and as one that is submitted. */
void life_tally(struct demo *d, const struct job *job, int running, int submitted);
double life_run_seconds(const struct demo *d, uint32_t row);	/* of CPUs, still to be used */
void life_begin(struct demo *d);

/* picture.c: AMOUNTS times TIMES as a list; the queue, job I in row I, without associations. */
struct tres_list picture_list(const double *amounts, double times, struct tres_item *items);
struct cluster *picture_queue(const struct demo *d);
void pools_begin(struct demo *d);
void pools_advance(struct demo *d);

#endif
