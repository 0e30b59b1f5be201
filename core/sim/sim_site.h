/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_site: the nodes, jobs and limits of a Slurm cluster as its simulator moves them.
 *
 * Made from a picture of the cluster: what runs has its nodes, what waits has what it asked for.
 * Sets of nodes are words of 64 bits, WORDS of them; node I is row I of the HOST table. A job array
 * that waits is a job for each of its tasks, a job of several partitions or QOS one for each of
 * them, of which the first that begins takes the others out.
 *
 * Arrays may have billions of tasks. Where all together have more than SITE_TASKS, those of each
 * are one job, a bundle, out of which a task is taken as it begins. Such a site is simulated until
 * SITE_BEGUN tasks have begun, or SITE_LOOKS jobs and nodes were looked at: what has not begun by
 * then has no start that is told.
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
	double memory;		/* MiB */
	uint32_t free;		/* CPUs */
	double free_memory;
	int32_t free_gres[SITE_GRES_KINDS];	/* of each kind of the site; below 0: none */
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
#define SITE_TO_LIMIT (INT64_C(1) << 40)	/* s: a run as long as its limit lets it */

enum site_state { SITE_WAITS, SITE_RUNS, SITE_DONE, SITE_FAILED, SITE_ELSEWHERE };

/* Why a waiting job is not tried, so that no start of it is told. */
enum site_lack {
	SITE_NO_LACK, SITE_HELD, SITE_NEVER, SITE_DOWN, SITE_TOO_MANY_NODES, SITE_TOO_LARGE,
	SITE_TOO_LONG, SITE_HIDDEN_JOBS, SITE_LATER,
	/* unknown */
	SITE_NO_PARTITION, SITE_NO_LIMIT, SITE_NO_CPUS, SITE_NO_TRES,
	/* asked for, and not modelled */
	SITE_GRES, SITE_LICENSES, SITE_FEATURES, SITE_NAMED_NODES, SITE_RESERVATION, SITE_DEADLINE,
	SITE_UNPLAYED,
	SITE_NO_PRIORITY,	/* the last, and so the only one: an edit may give it */
	SITE_LACKS
};
extern const struct site_lack_words {
	const char *text, *brief;	/* BRIEF: for a cell of a table */
} site_lacks[SITE_LACKS];
/* The brief text; where LACK says nothing, the reason of the job at ROW. Static. */
const char *site_lack_brief(const struct cluster *c, uint32_t row, enum site_lack lack);

/* What is assumed although it is not known; each case is counted. */
enum site_guess {
	SITE_NO_BOOT, SITE_NO_END, SITE_NO_SHARES, SITE_NO_TASKS, SITE_NO_TIER, SITE_NO_NODE_SIZE,
	SITE_ROUGH_RESERVATION, SITE_NO_AGE, SITE_GUESSES
};

/* Those of a partition that have the features, but not the names, that a job asks for. */
struct site_choice {
	uint32_t features, avoided;	/* texts of its words */
	uint32_t partition;
	uint64_t *nodes;
};

struct site_job {
	uint32_t row;			/* of the JOB table */
	uint32_t entry;			/* of the job_index */
	bool several;			/* the row has other entries */
	enum site_lack lack;
	uint32_t place;			/* 1: the first of those that wait at first; 0: it runs */
	uint64_t ahead;			/* tasks of bundles before it, but one of each */
	uint32_t id, task;		/* U32_UNKNOWN: no task */
	uint32_t count;			/* tasks that it stands for, TASK first; 1: no bundle */
	struct job_tasks_walk tasks;	/* behind TASK */
	uint32_t array;			/* of site.arrays */
	uint32_t at_once;		/* tasks of its array that may run at a time */
	uint32_t partition, assoc, qos;	/* rows, ROW_NONE */
	uint32_t limiters[2];		/* QOS that limit it, in order; ROW_NONE: no more */
	uint32_t priority;		/* 0: held */
	uint32_t cpus, cpus_per_task, tasks_per_node, min_nodes, max_nodes;
	uint32_t wanted_nodes;		/* if there are as many; 0: no more than it must have */
	double memory;			/* MiB for each CPU */
	uint16_t gres[SITE_GRES_KINDS];	/* on each of its nodes */
	bool exclusive;
	const uint64_t *choice;		/* NULL: all nodes of the partition */
	enum site_state state;
	int64_t limit, run;		/* s; RUN: if nobody ends it, SITE_TO_LIMIT */
	bool endless;			/* its limit ends it at no time that is known */
	bool ignores_term;		/* is killed only after KillWait */
	int64_t begin;			/* not before */
	int64_t eligible;		/* since when it may; I64_UNKNOWN: nobody told, or not */
	int64_t start, end;		/* I64_UNKNOWN: not yet; END: when its nodes are free */
	int64_t completing;		/* from then on it is told to end */
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
	struct site_job *jobs;		/* as the queue: tier, priority, id, task (site_sort) */
	size_t job_count, job_capacity;
	uint32_t waiting;		/* at first */
	bool bundles;			/* arrays are */
	bool over;			/* simulated no further */
	uint32_t begun;			/* tasks of bundles */
	uint64_t looks;
	const char *select;		/* SelectTypeParameters, or the default of its version */
	bool counts_memory;
	uint32_t cpu_tres;		/* row; ROW_NONE */
	uint32_t gres[SITE_GRES_KINDS];	/* rows of TRES "gres/..." */
	uint32_t gres_count;
	uint64_t *reserved;		/* rows of reservations times WORDS */
	uint32_t guesses[SITE_GUESSES];
	bool keeps_limits;		/* AccountingStorageEnforce */
	/* What runs, for limits: per association, with all below it, and per QOS. */
	double *assoc_tres, *qos_tres;	/* rows times TRES */
	uint32_t *assoc_jobs, *qos_jobs;
	uint32_t *licenses_used;
	struct idmap arrays;		/* by the ID of an array, or of a job that is of none ... */
	uint32_t *array_jobs;		/* ... how many of it run */
	/* Does anybody want to know what becomes of it? NULL: yes. */
	bool (*wanted)(void *context);
	void *context;
};

/* ERR_INPUT says what of C is missing: its time, nodes, partitions, where a job runs. */
bool site_make(struct site *s, const struct cluster *c, struct err *err);
void site_free(struct site *s);
void site_copy(struct site *to, const struct site *from);	/* borrows choices and cluster */

/*
 * The same with its nodes and what runs, and nothing that waits; X is of C. What waits is then made
 * one by one, with its lack: entry ENTRY, an array as one job.
 */
bool site_open(struct site *s, const struct cluster *c, const struct job_index *x,
	       struct err *err);
struct site_job site_job_of(struct site *s, const struct job_index *x, uint32_t entry);

void site_sort(struct site *s);
void site_number(struct site *s);	/* places, of those that wait, as they are sorted */
void site_number_begun(struct site *s);	/* again, with the tasks of bundles that have begun */

/* A copy of JOB behind all others, which may have moved. */
struct site_job *site_add(struct site *s, const struct site_job *job);

/*
 * JOB, or the first task of a bundle, begins now on SHARES, which it takes over, and is returned;
 * its end follows from its run and its limit.
 */
struct site_job *site_begin(struct site *s, struct site_job *job, struct site_share *shares,
			    uint32_t n);
void site_end(struct site *s, struct site_job *job);

/* Minutes that JOB may run beyond its limit: OverTimeLimit of its partition, else the cluster's. */
uint32_t site_over_time(const struct site *s, const struct site_job *job);

/*
 * Sets the end of JOB from its start: by its run, or by the tick at which its limit is seen; who
 * ignores TERM then lives on for KillWait.
 */
void site_foresee(const struct site *s, struct site_job *job);

/* When slurmctld sees that the time limit of JOB is over, which has a start. */
int64_t site_limit_seen(const struct site *s, const struct site_job *job);

/*
 * When a plan that is made NOW has JOB end, whose limit is over: KillWait after OverTimeLimit;
 * where that is UNLIMITED, a time limit from now. Source: _guess_job_end() of
 * cons_common/job_test.c, 22.05.
 */
int64_t site_thought_end(const struct site *s, const struct site_job *job, int64_t now);

/* Takes the nodes on which jobs are completing out of SET: no job begins there. */
void site_leave_out_completing(const struct site *s, uint64_t *set);

/* Node NODE with nothing on it. */
struct site_node site_empty_node(const struct site *s, uint32_t node);
/* Nodes that JOB runs on, TIMES 1, give TIMES -1 back what it has there. */
void site_use_node(struct site_node *node, const struct site_job *job, uint32_t cpus, int times);

/*
 * Takes out of SET the nodes that reservations hold at some time from FROM to before TO, which no
 * job may have that does not ask for them; when the first of these ends, 0: none is taken. Source:
 * job_test_resv() of slurmctld/reservation.c, 22.05.
 */
int64_t site_leave_out_reserved(const struct site *s, int64_t from, int64_t to, uint64_t *set);
void site_make_reserved(struct site *s);

/* May it be tried: begin time, hold, dependency, throttle of its array (sim_site_ready.c)? */
bool site_ready(const struct site *s, const struct site_job *job);
/* Has QOS, a row or ROW_NONE, this flag? */
bool site_qos_has(const struct site *s, uint32_t qos, const char *flag);
/*
 * Limits (sim_site_limits.c): which QOS limit JOB, its own and its partition's; JOB, that has LIST
 * of TRES, is one of theirs that run, TIMES 1, or no longer, -1; do they, its association and
 * those above have room for it: first for its number and length, which slurmctld asks before it
 * looks for nodes, then for its TRES, which it asks once it has found some?
 */
void site_order_qos(const struct site *s, struct site_job *job);
void site_count_qos(struct site *s, const struct site_job *job, struct tres_list list, int times);
bool site_within_job_limits(const struct site *s, const struct site_job *job);
bool site_within_tres_limits(const struct site *s, const struct site_job *job);
/*
 * What JOB has, or before it has begun would have, of T, which is of its list: an exclusive one
 * that waited counts with all CPUs of its nodes, as many as the first node that it may have has.
 */
double site_tres_of(const struct site *s, const struct site_job *job, const struct tres_item *t);

/*
 * What it asks for (sim_site_asks.c): the nodes of PARTITION that have it, NULL for all of them; is
 * it no more than words joined by & or by |; are its licenses known, free, in use from now on
 * (those that are not known do not count)?
 */
const uint64_t *site_choice(struct site *s, uint32_t row, uint32_t partition);
bool site_asks_for_words(const struct cluster *c, enum field field, uint32_t row);
/*
 * The kinds of GRES of the cluster; those that JOB asks for: a number of one kind on each of its
 * nodes, else false; of one that runs, on NODES nodes.
 */
void site_make_gres(struct site *s);
bool site_ask_for_gres(const struct site *s, struct site_job *job);
void site_gres_of_running(const struct site *s, struct site_job *job, uint32_t nodes);
bool site_knows_licenses(const struct cluster *c, uint32_t row);
/* The license of "matlab:2,foo" that *AT is at; false behind the last one. ROW_NONE: no such. */
bool site_next_license(const struct cluster *c, const char **at, uint32_t *license,
		       uint32_t *count);
bool site_has_licenses(const struct site *s, const struct site_job *job);
void site_use_licenses(struct site *s, const struct site_job *job, int times);

/* So many jobs or nodes have been looked at. */
static inline void site_looked(struct site *s, uint64_t looks)
{
	s->looks += looks;
	s->over |= s->bundles && s->looks > SITE_LOOKS;
}

/* The nodes that JOB, which has a partition, may have. */
static inline const uint64_t *site_nodes(const struct site *s, const struct site_job *job)
{
	return job->choice ? job->choice : s->partitions[job->partition].nodes;
}

/* Are they one job in two of its partitions or QOS? */
static inline bool site_same(const struct site_job *a, const struct site_job *b)
{
	return a->row == b->row && a->task == b->task;
}

static inline bool site_has(const uint64_t *set, uint32_t node)
{
	return set[node / 64] >> node % 64 & 1;
}

/* Has SET as many as LEAST? */
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
