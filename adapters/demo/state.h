/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the demo: what its little cluster consists of, and who works on it.
 *
 *	plan.c		makes the first state from the options
 *	array.c		job arrays: who belongs to one, whose turn it is
 *	place.c		gives jobs their nodes and takes them back
 *	tally.c		what accounts and users have running, and the limits of that
 *	life.c		lets time pass: decay passes, ends, arrivals, starts
 *	queue.c		who comes next, by the engine
 *	pools.c		queue pools, simulated beside all that
 *	picture.c	turns a state into a sealed cluster
 *	names.c		words, and the fixed tables of partitions, QOS and the first accounts
 */
#ifndef FAIRTOP_ADAPTERS_DEMO_STATE_H
#define FAIRTOP_ADAPTERS_DEMO_STATE_H

#include "adapters/demo/demo.h"
#include "adapters/demo/random.h"
#include "core/pool_sim.h"
#include "core/tres.h"

#define DEMO_NAME 32
#define NONE UINT32_MAX

#define CYCLE 30		/* seconds between two looks at the queue */
#define CALC_PERIOD 300		/* seconds between two decay passes */
#define HALF_LIFE (7 * 86400)
#define MAX_AGE (7 * 86400)

#define WEIGHT_AGE 1000
#define WEIGHT_FAIRSHARE 10000
#define WEIGHT_JOBSIZE 500
#define WEIGHT_PARTITION 1000
#define WEIGHT_QOS 2000

/* ---- fixed tables (names.c) ---------------------------------------------------------------- */

enum partition { PART_BATCH, PART_GPU, PART_BIGMEM, PART_DEBUG, PARTITIONS };

struct partition_info {
	const char *name;
	char letter;		/* its nodes are c001, c002, ... */
	uint32_t hosts;		/* of the default cluster */
	uint32_t cpus, gpus;	/* of one node */
	uint32_t memory;	/* MiB of one node */
	int64_t max_time, default_time;
	uint32_t job_factor, tier;
	const char *billing_weights;	/* NULL: billable is the number of CPUs */
};
/* PART_DEBUG has no nodes of its own: it shares the first ones of PART_BATCH. */
#define DEBUG_HOSTS 4
extern const struct partition_info partitions[PARTITIONS];

enum qos { QOS_NORMAL, QOS_HIGH, QOS_LOW, QOS_COUNT };

struct qos_info {
	const char *name;
	uint32_t priority;
	double usage_factor;
};
extern const struct qos_info qos_table[QOS_COUNT];

struct account_info {
	const char *name, *parent;	/* parent NULL: below the root */
	uint32_t shares;		/* SHARES_PARENT allowed */
};
extern const struct account_info account_table[];
extern const uint32_t account_table_count;

/* Limits of some of these accounts, in a cluster of the default size; 0: none. */
struct limit_info {
	const char *account;
	uint32_t jobs, cpus, gpus;	/* GrpJobs, GrpTRES */
	uint32_t cpu_hours;		/* GrpTRESRunMins, told in hours */
	uint32_t user_jobs;		/* MaxJobs of each user below it */
};
extern const struct limit_info limit_table[];
extern const uint32_t limit_table_count;

/* Distinct names for distinct numbers. */
void demo_user_name(uint32_t number, char name[DEMO_NAME]);
const char *demo_job_name(uint32_t number);

/* ---- state --------------------------------------------------------------------------------- */

/* What runs and waits; of an account, with all that is below it. */
struct load {
	uint32_t jobs, submitted;	/* running; running and waiting */
	uint64_t cpus, memory, hosts, gpus;
	int64_t cpu_ends;		/* sum of CPUs times the time when they are free at last */
};

struct account {
	char name[DEMO_NAME];
	uint32_t parent;	/* index, NONE: the root */
	uint32_t shares;
	uint16_t depth;		/* 1 below the root */
	uint16_t appetite;	/* percent of what others use; 0 idle, 300 greedy */
	const struct limit_info *limits;	/* NULL: none */
	struct load load;
};

struct user {
	char name[DEMO_NAME];
	uint32_t account;	/* default account */
};

/* A user in an account, and perhaps only in one partition. */
struct assoc {
	uint32_t account, user;
	uint32_t partition;	/* enum partition, NONE */
	uint32_t shares;
	uint16_t appetite;
	double usage;		/* billable TRES-seconds, decayed */
	double fairshare;	/* F as of the last pass */
	struct load load;
};

struct host {
	uint32_t cpus_used, gpus_used, memory_used;
	uint8_t partition;	/* enum partition */
	bool down;
	uint32_t number;	/* within its partition, from 1 */
};

enum activity { WAITING, WORKING, OVER };	/* OVER: a task whose array is not */

#define HOSTS_MAX 16

struct job {
	uint32_t id, assoc;
	uint32_t array, task;		/* id of its array, 0: none; tasks count from 1 */
	enum activity state;
	enum partition partition;
	enum qos qos;
	uint32_t hosts, cpus, gpus, memory;	/* cpus, gpus and memory (MiB) on each host */
	uint32_t licenses;		/* matlab */
	int64_t submit, eligible, limit;
	int64_t runtime;		/* what it will really need */
	int64_t start;			/* while running */
	int64_t charged;		/* until when it was charged */
	uint32_t depends;		/* id of the job it waits for, 0 none ... */
	uint32_t depends_slot;		/* ... and where that is, while it is there */
	bool held;
	int32_t nice;
	uint32_t priority;
	double billing;
	const char *reason;		/* while pending */
	uint32_t placed[HOSTS_MAX];	/* indices of hosts, ascending */
};

/*
 * Slots that hold the tasks of one array, and when that is over those of another. The first slot
 * has the array's id and its last task, since a scheduler gives the others ids as they start.
 */
struct block {
	uint32_t first, count;
	uint32_t at_once;		/* no more tasks than that run at a time; 0: any number */
};

struct demo {
	struct demo_options options;
	int64_t start, now;		/* Unix seconds */
	int64_t last_pass;
	struct random arrivals;		/* dice of the living part */
	uint32_t next_job;
	struct account *accounts;
	struct user *users;
	struct assoc *assocs;
	struct host *hosts;
	struct job *jobs;
	uint32_t job_count;		/* options.jobs, 0 where nobody could submit one */
	uint32_t assoc_count, host_count;
	uint32_t *account_order, *assoc_order;	/* by name, as a scheduler lists them */
	uint32_t first_host[PARTITIONS + 1];	/* hosts of partition p, PART_DEBUG's are batch's */
	uint32_t host_total[PARTITIONS];
	uint32_t scale;			/* how much larger than the default cluster */
	uint32_t licenses_used;
	struct load load;		/* of the root */
	struct block *blocks;
	uint32_t *block_of;		/* per slot of jobs; NONE */
	struct tres_pair weights[PARTITIONS][8];
	uint32_t weight_count[PARTITIONS];
	struct pool_sim *pools;
	struct demo_past *pools_past;	/* of the last day (pools.c) */
};

#define MATLAB_LICENSES 40

/* Ids in the pictures: the root is 1, accounts and associations follow. */
static inline uint32_t account_id(uint32_t account)
{
	return account == NONE ? 1 : account + 2;
}

static inline uint32_t assoc_id(const struct demo *d, uint32_t assoc)
{
	return d->options.accounts + 2 + assoc;
}

static inline uint32_t assoc_of_id(const struct demo *d, uint32_t id)
{
	return id - d->options.accounts - 2;
}

/* plan.c: fills SLOT with a job that somebody submits at time SUBMIT. */
void plan_job(struct demo *d, struct random *r, uint32_t slot, int64_t submit);

/* array.c: which slots belong together, once job_count is known. */
void arrays_plan(struct demo *d);
const struct block *array_of(const struct demo *d, uint32_t slot);	/* NULL: none */
/* SLOT was planned as any job, and its array's first slot before it: makes a task of it. */
void array_join(struct demo *d, uint32_t slot);
/* The task of the array that starts next; NONE: none waits. */
uint32_t array_next(const struct demo *d, const struct block *block);
uint32_t array_count(const struct demo *d, const struct block *block, enum activity state);
/* "3-8%2": those that wait. */
void array_waiting(const struct demo *d, const struct block *block, char *buf, size_t size);

/* place.c: gives JOB the nodes it needs; false if there are too few. */
bool place_job(struct demo *d, struct job *job);
void release_job(struct demo *d, struct job *job);

/* tally.c: counts JOB in (TIMES 1) or out (-1) when it is submitted or over; runs or does not. */
void tally_submit(struct demo *d, const struct job *job, int times);
void tally_run(struct demo *d, const struct job *job, int times);
/* The reason of the limit that JOB would break; NULL: it may start. */
const char *tally_refuses(const struct demo *d, const struct job *job);

/* life.c: the first pass without anything to charge, and the first look at the queue. */
void life_begin(struct demo *d);

/* queue.c: F of every association from its usage now. */
void queue_rate(struct demo *d);

/* queue.c: priorities, and who may start in which order: COUNT slots in *ORDER, to be freed. */
uint32_t queue_sort(struct demo *d, uint32_t **order);

/* pools.c: the queue pools: their first day, until now, as rows; LSF's slots of a node, 0 none. */
void demo_pools_begin(struct demo *d);
void demo_pools_end(struct demo *d);
void demo_pools_advance(struct demo *d);
void demo_pools_picture(struct builder *b, const struct demo *d);
uint32_t demo_host_slots(const struct host *h);

/*
 * picture.c: parts of the cluster, for the engine. The associations alone; and all that decides
 * about the queue, with job I in row I and the associations that have jobs below the root, whose
 * ids name them. Neither fails.
 */
struct cluster *picture_tree(const struct demo *d);
struct cluster *picture_queue(const struct demo *d);

#endif
