/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_site: the nodes, jobs and limits of a Slurm cluster as the simulator changes them.
 *
 * Made from a picture of the cluster: running jobs have their nodes, pending ones what they
 * requested. A set of nodes is an array of WORDS 64-bit words; node I is row I of the HOST table. A
 * pending job array is a job for each of its tasks; a job of several partitions or QOS is one for
 * each of them, and the first that begins removes the others.
 *
 * Arrays may have billions of tasks. If all arrays together have more than SITE_TASKS tasks, each
 * array is one job, a bundle, from which a task is taken when it begins. Such a site is simulated
 * until SITE_BEGUN tasks have begun, or SITE_LOOKS jobs and nodes were examined; the start of jobs
 * that have not begun by then is unknown.
 */
#ifndef FAIRTOP_CORE_SIM_SIM_SITE_H
#define FAIRTOP_CORE_SIM_SIM_SITE_H

#include "core/cluster/idmap.h"
#include "core/cluster/job_tasks.h"
#include "core/queue/job_index.h"

#define SITE_GRES_KINDS 4
#define SITE_TASKS 100000
#define SITE_BEGUN 20000
#define SITE_LOOKS 300000000

struct site_node {
	uint32_t cpus;
	uint32_t free;		/* CPUs */
	double free_memory;	/* MiB */
	int32_t free_gres[SITE_GRES_KINDS];	/* per kind; negative: none is free */
};

/* CPUs of a job on a node. */
struct site_share {
	uint32_t node, cpus;
};

struct site_partition {
	uint64_t *nodes;
	uint32_t tier;
	uint32_t qos;			/* row; ROW_NONE: none, or it was not read */
	bool up;
};

/* SITE_ELSEWHERE: it has begun in another of its partitions or QOS. */
#define SITE_TO_LIMIT (INT64_C(1) << 40)	/* s: a run up to the time limit */

enum site_state { SITE_WAITS, SITE_RUNS, SITE_DONE, SITE_FAILED, SITE_ELSEWHERE };

/* Why a pending job is not tried, and so has no start estimate. */
enum site_obstacle {
	SITE_NO_OBSTACLE, SITE_HELD, SITE_NEVER, SITE_DOWN, SITE_TOO_MANY_NODES, SITE_TOO_LARGE,
	SITE_TOO_LONG, SITE_HIDDEN_JOBS, SITE_LATER,
	/* unknown */
	SITE_NO_PARTITION, SITE_NO_LIMIT, SITE_NO_CPUS, SITE_NO_TRES,
	/* requested, but not modelled */
	SITE_GRES, SITE_LICENSES, SITE_FEATURES, SITE_NAMED_NODES, SITE_RESERVATION, SITE_DEADLINE,
	SITE_UNPLAYED,
	SITE_NO_PRIORITY, /* last, so set only if no other applies: an edit may give a priority */
	SITE_OBSTACLES
};
extern const struct site_obstacle_words {
	const char *text, *brief;	/* BRIEF: for a cell of a table */
} site_obstacles[SITE_OBSTACLES];
/* Returns the brief text, or the reason of the job at ROW if OBSTACLE has none. Static. */
const char *site_obstacle_brief(const struct cluster *c, uint32_t row, enum site_obstacle obstacle);

/* What is assumed although it is unknown; each case is counted. */
enum site_guess {
	SITE_NO_BOOT, SITE_NO_END, SITE_NO_SHARES, SITE_NO_TASKS, SITE_NO_TIER, SITE_NO_NODE_SIZE,
	SITE_ROUGH_RESERVATION, SITE_NO_AGE, SITE_GUESSES
};

/* The nodes of a partition with the features that a job requests and without the excluded names. */
struct site_choice {
	uint32_t features, avoided;	/* the requested texts */
	uint32_t partition;
	uint64_t *nodes;
};

struct site_job {
	uint32_t row;			/* in the JOB table */
	uint32_t entry;			/* in the job_index */
	bool several;			/* the row has other entries */
	enum site_obstacle obstacle;
	uint32_t place;			/* 1: the first of the initially pending; 0: it runs */
	uint64_t ahead;			/* tasks of bundles before it, except one of each */
	uint32_t id, task;		/* U32_UNKNOWN: no task */
	uint32_t count;			/* tasks it represents, TASK first; 1: not a bundle */
	struct job_tasks_walk tasks;	/* the tasks after TASK */
	uint32_t array;			/* index in site.arrays */
	uint32_t at_once;		/* most tasks of its array that may run at once */
	uint32_t partition, assoc, qos;	/* rows, ROW_NONE */
	uint32_t limiters[2];		/* QOS that limit it, in order; ROW_NONE: no more */
	uint32_t priority;		/* 0: held */
	uint32_t cpus, cpus_per_task, tasks_per_node, min_nodes, max_nodes;
	uint32_t wanted_nodes;		/* taken if available; 0: no more than the minimum */
	double memory;			/* MiB per CPU */
	uint16_t gres[SITE_GRES_KINDS];	/* per node */
	bool exclusive;
	const uint64_t *choice;		/* NULL: all nodes of the partition */
	enum site_state state;
	int64_t limit, run;		/* s; RUN: without being killed; or SITE_TO_LIMIT */
	bool endless;			/* it is unknown when its limit ends it */
	bool ignores_term;		/* it is killed only after KillWait */
	int64_t begin;			/* begin time: not before */
	int64_t eligible;		/* eligible since; I64_UNKNOWN: not reported, or not yet */
	int64_t start, end;		/* I64_UNKNOWN: not yet; END: when its nodes are free */
	int64_t completing;		/* from when it is being ended */
	struct site_share *shares;	/* owned */
	uint32_t share_count;
};

struct site {
	const struct cluster *c;	/* borrowed */
	const struct policy *policy;
	int64_t boot, now;
	uint32_t words;
	struct site_node *nodes;
	uint32_t node_count;
	struct site_partition *partitions;
	struct site_choice *choices;
	size_t choice_count, choice_capacity;
	struct site_job *jobs;		/* in queue order: tier, priority, id, task (site_sort) */
	size_t job_count, job_capacity;
	uint32_t waiting;		/* initially pending jobs */
	bool bundles;			/* whether arrays are bundles */
	bool over;			/* the simulation has stopped */
	uint32_t begun;			/* tasks of bundles that have begun */
	uint64_t looks;
	const char *select;		/* SelectTypeParameters, or the default of its version */
	bool counts_memory;
	uint32_t cpu_tres;		/* row; ROW_NONE */
	uint32_t gres[SITE_GRES_KINDS];	/* rows of TRES "gres/..." */
	uint32_t gres_count;
	uint64_t *reserved;		/* rows of reservations times WORDS */
	uint32_t guesses[SITE_GUESSES];
	bool keeps_limits;		/* AccountingStorageEnforce */
	/* Running jobs counted for limits: per association including all below it, and per QOS. */
	double *assoc_tres, *qos_tres;	/* rows times TRES */
	uint32_t *assoc_jobs, *qos_jobs;
	uint32_t *licenses_used;
	struct idmap arrays;		/* by array ID, or the ID of a job without array ... */
	uint32_t *array_jobs;		/* ... how many of its jobs run */
	/* Whether the result is still wanted. NULL: yes. */
	bool (*wanted)(void *context);
	void *context;
};

/* ERR_INPUT says what C does not have: time, nodes, partitions, where a job runs. */
bool site_make(struct site *s, const struct cluster *c, struct err *err);
void site_free(struct site *s);
void site_copy(struct site *to, const struct site *from);	/* borrows choices and cluster */

/*
 * Makes the site with its nodes and running jobs, but without pending ones; X is of C. The pending
 * job of entry ENTRY is then made by site_job_of(), an array as one job, with its obstacle.
 */
bool site_open(struct site *s, const struct cluster *c, const struct job_index *x, struct err *err);
struct site_job site_job_of(struct site *s, const struct job_index *x, uint32_t entry);

void site_sort(struct site *s);
void site_number(struct site *s);	/* numbers the places of pending jobs in sorted order */
void site_number_begun(struct site *s);	/* again, with the begun tasks of bundles */

/* Appends a copy of JOB; the other jobs may move in memory. */
struct site_job *site_add(struct site *s, const struct site_job *job);

/*
 * Begins JOB, or the first task of a bundle, now on SHARES, which it takes over, and returns it;
 * its end follows from its run and its limit.
 */
struct site_job *site_begin(struct site *s, struct site_job *job, struct site_share *shares,
			    uint32_t n);
void site_end(struct site *s, struct site_job *job);

/* Minutes that JOB may exceed its limit: OverTimeLimit of its partition, else the cluster's. */
uint32_t site_over_time(const struct site *s, const struct site_job *job);

/*
 * Sets the end of JOB from its start: by its run, or by the tick at which its limit is seen, plus
 * KillWait if it ignores TERM.
 */
void site_foresee(const struct site *s, struct site_job *job);

/* When slurmctld sees that the time limit of JOB, which has a start, is over. */
int64_t site_limit_seen(const struct site *s, const struct site_job *job);

/*
 * When a plan made NOW expects the end of JOB, whose limit is over: KillWait after OverTimeLimit;
 * if that is UNLIMITED, a time limit from now. Source: _guess_job_end() of cons_common/job_test.c,
 * 22.05.
 */
int64_t site_thought_end(const struct site *s, const struct site_job *job, int64_t now);

/* Removes from SET the nodes with completing jobs: no job begins there. */
void site_leave_out_completing(const struct site *s, uint64_t *set);

/* Returns node NODE with nothing on it. */
struct site_node site_empty_node(const struct site *s, uint32_t node);
/* Takes (TIMES 1) or gives back (TIMES -1) what JOB has on the node. */
void site_use_node(struct site_node *node, const struct site_job *job, uint32_t cpus, int times);

/*
 * Removes from SET the nodes that reservations hold at any time in [FROM, TO), which only jobs that
 * name the reservation may use. Returns when the first of these reservations ends, 0: no node was
 * removed. Source: job_test_resv() of slurmctld/reservation.c, 22.05.
 */
int64_t site_leave_out_reserved(const struct site *s, int64_t from, int64_t to, uint64_t *set);
void site_make_reserved(struct site *s);

/* Whether JOB may be tried: begin time, hold, dependency, array throttle (sim_site_ready.c). */
bool site_ready(const struct site *s, const struct site_job *job);
/*
 * Limits (sim_site_limits.c). site_order_qos() sets which QOS limit JOB: its own and its
 * partition's. site_count_qos() counts JOB with TRES LIST as running (TIMES 1) or ended (-1). The
 * last two check the limits of QOS and associations: on the number and length of jobs, which
 * slurmctld checks before it looks for nodes; and on TRES, which it checks once it has found some.
 */
void site_order_qos(const struct site *s, struct site_job *job);
void site_count_qos(struct site *s, const struct site_job *job, struct tres_list list, int times);
bool site_within_job_limits(const struct site *s, const struct site_job *job);
bool site_within_tres_limits(const struct site *s, const struct site_job *job);
/*
 * How much of T, an item of its list, JOB has or would have. An exclusive job that was pending
 * counts with all CPUs of its nodes; until it begins, each is taken to be like the first allowed.
 */
double site_tres_of(const struct site *s, const struct site_job *job, const struct tres_item *t);

/*
 * Requests (sim_site_asks.c): the nodes of PARTITION that satisfy the job at ROW, NULL: all;
 * whether a request is only words joined by & or by |; whether its licenses are known, are free,
 * and their use (TIMES 1: it begins, -1: ends). Unknown licenses do not count.
 */
const uint64_t *site_choice(struct site *s, uint32_t row, uint32_t partition);
bool site_asks_for_words(const struct cluster *c, enum field field, uint32_t row);
/*
 * GRES: find the cluster's kinds; set what JOB requests, false unless that is a number of one kind
 * per node; set what a running job has on NODES nodes.
 */
void site_make_gres(struct site *s);
bool site_ask_for_gres(const struct site *s, struct site_job *job);
void site_gres_of_running(const struct site *s, struct site_job *job, uint32_t nodes);
bool site_knows_licenses(const struct cluster *c, uint32_t row);
/* Reads the license of "matlab:2,foo" at *AT; false at the end. ROW_NONE: an unknown license. */
bool site_next_license(const struct cluster *c, const char **at, uint32_t *license,
		       uint32_t *count);
bool site_has_licenses(const struct site *s, const struct site_job *job);
void site_use_licenses(struct site *s, const struct site_job *job, int times);

/* Counts LOOKS examined jobs or nodes. */
static inline void site_looked(struct site *s, uint64_t looks)
{
	s->looks += looks;
	s->over |= s->bundles && s->looks > SITE_LOOKS;
}

/* The nodes that JOB, which has a partition, may use. */
static inline const uint64_t *site_nodes(const struct site *s, const struct site_job *job)
{
	return job->choice ? job->choice : s->partitions[job->partition].nodes;
}

/* Whether they are one job in two of its partitions or QOS. */
static inline bool site_same(const struct site_job *a, const struct site_job *b)
{
	return a->row == b->row && a->task == b->task;
}

static inline bool site_has(const uint64_t *set, uint32_t node)
{
	return set[node / 64] >> node % 64 & 1;
}

/* Whether SET has at least LEAST nodes. */
static inline bool site_has_nodes(const struct site *s, const uint64_t *set, uint32_t least)
{
	uint32_t n = 0;

	for (uint32_t w = 0; w < s->words; w++) {
		for (uint64_t x = set[w]; x != 0 && n < least; x &= x - 1)
			n++;
	}
	return n >= least;
}

static inline void site_take(uint64_t *set, uint32_t node)
{
	set[node / 64] &= ~(UINT64_C(1) << node % 64);
}

static inline void site_put(uint64_t *set, uint32_t node)
{
	set[node / 64] |= UINT64_C(1) << node % 64;
}

#endif
