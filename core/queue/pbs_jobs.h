/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_jobs: in which order PBS's scheduler looks at its jobs, and why.
 *
 * First difference decides: jobs that can run at all (pbs_jobs_stopped() tells why not; those of
 * another scheduler have no place), the queue where queues are taken one by one (below), the level
 * of preempt_prio (pbs_levels.h), the value of job_sort_formula (larger first), with fair_share the
 * paths of the fair-share tree, the lines of job_sort_key in their order, and queue_rank, which is
 * the time of arrival. Jobs in reservations stand before all (queue_order).
 *
 * by_queue	all jobs of a queue, then those of the next: by priority, equal ones in the server's
 *		order. Without fair_share the jobs of all express queues come first, as one queue.
 * round_robin	(outranks by_queue) level by level of the queues' priority; within one, the first
 *		job of each queue, then the second of each, and so on.
 *
 * It is the order at the start of a cycle: jobs that the scheduler starts, or plans for, count as
 * usage of their entity at once, and what is left is sorted anew (pbs_cycle_new()). Not told by
 * qstat, and so not followed: who was preempted (PBS takes those up again first). Source: sort.cpp
 * and fifo.cpp, next_job(), of OpenPBS; spec of PBS, 8.
 *
 * The names of a formula: eligible_time (s), queue_priority, job_priority, fairshare_perc (tree
 * percentage), fairshare_tree_usage, fairshare_factor (the three with six decimals, as the
 * scheduler writes them into the formula), accrue_type; every other name is a resource the job asks
 * for, sizes in kB, times in s, 0 if it does not.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_JOBS_H
#define FAIRTOP_CORE_QUEUE_PBS_JOBS_H

#include "core/queue/job_index.h"
#include "core/share/model.h"
#include "core/queue/pbs_formula.h"
#include "core/queue/pbs_levels.h"

/* One line of job_sort_key: a resource, job_priority, fair_share_perc or preempt_priority. */
struct pbs_sort_key {
	char name[64];
	bool high;			/* the largest first */
};

struct pbs_jobs {
	const struct model *model;	/* borrowed, like INDEX */
	const struct job_index *index;
	const struct policy *policy;
	uint32_t n;			/* entries of the index */
	struct pbs_formula *formula;	/* NULL: none is set, or it is not understood */
	bool has_threshold;		/* job_sort_formula_threshold is set */
	double threshold;
	char problem[400];		/* what the reader must know about the order; "" */
	uint32_t *queue;		/* per entry: row of QUEUE, or ROW_NONE */
	uint32_t *level, *place;	/* per row of QUEUE, from 1: by priority; in order */
	uint32_t *turn;			/* per entry, by round_robin; 0 without it */
	struct pbs_levels *levels;	/* of preempt_prio */
	int32_t *standing;		/* per entry: its level, PBS_LEVEL_UNKNOWN */
	struct pbs_sort_key *keys;	/* job_sort_key */
	size_t key_count;
	double *key_values;		/* per entry and key; NaN unknown */
	double *value;			/* per entry, of the formula; NaN unknown */
	double *inputs;			/* per entry and name of the formula, row after row */
	uint32_t *priority; /* larger is considered earlier, all distinct; U32_UNKNOWN */
};

struct pbs_jobs *pbs_jobs_new(const struct model *m, const struct job_index *x,
			      const struct policy *policy);
void pbs_jobs_free(struct pbs_jobs *p);

/* What decides between two entries. */
enum pbs_reason {
	PBS_REASON_RUNNABLE,
	PBS_REASON_QUEUE,		/* priority of the queue */
	PBS_REASON_TURN,		/* round_robin */
	PBS_REASON_PLACE,		/* by_queue: the queues follow each other */
	PBS_REASON_STANDING,		/* level of preempt_prio */
	PBS_REASON_FORMULA,
	PBS_REASON_FAIRSHARE,
	PBS_REASON_KEY,			/* job_sort_key */
	PBS_REASON_RANK
};
/* KEY becomes the number of the key that decides, for PBS_REASON_KEY; it may be NULL. */
enum pbs_reason pbs_jobs_reason(const struct pbs_jobs *p, uint32_t a, uint32_t b, size_t *key);

/* NULL, or why the entry will not be run as things are. */
const char *pbs_jobs_stopped(const struct pbs_jobs *p, uint32_t entry);

/* Why its place is not known, of one whose priority is U32_UNKNOWN. */
const char *pbs_jobs_unplaced(const struct pbs_jobs *p, uint32_t entry);

/* Was sched_config not read, so that PBS's defaults stand for what it sets? */
bool pbs_jobs_assumed(const struct pbs_jobs *p);
/* The setting that makes the order and is unknown, so that no job has a place; NULL: none is. */
const char *pbs_jobs_undecided(const struct pbs_jobs *p);
double pbs_jobs_queue_priority(const struct pbs_jobs *p, uint32_t entry);
double pbs_jobs_standing(const struct pbs_jobs *p, uint32_t entry);	/* level; NaN unknown */

/*
 * What the formula gave the entry at TIME, before now: eligible_time has grown since then if the
 * job is eligible. All else is taken to be as it was, except that the entity's
 * fairshare_tree_usage was larger by DRIFT. NaN without a formula.
 */
double pbs_jobs_value_at(const struct pbs_jobs *p, uint32_t entry, int64_t time, double drift);

/*
 * The order within a cycle. What is started or becomes a top job is charged to its entity at once,
 * by what fairshare_usage_res makes of what it asks for, and the rest is sorted anew; a round of
 * round_robin goes on where it was. So it is where soft limits are set, by who is over one then.
 * NULL where nothing is: without both, or where usage or that formula is unknown.
 * Source: update_usage_on_run() of fairshare.cpp, next_job() of fifo.cpp.
 */
struct pbs_cycle;
struct pbs_cycle *pbs_cycle_new(const struct pbs_jobs *p);
void pbs_cycle_free(struct pbs_cycle *c);		/* NULL is fine */
void pbs_cycle_charge(struct pbs_cycle *c, uint32_t entry, bool runs);	/* else it is planned */
void pbs_cycle_sort(struct pbs_cycle *c, uint32_t *entries, uint32_t n);

/* Appends the derivation of one entry's place: names, terms, value. */
void pbs_jobs_explain(const struct pbs_jobs *p, uint32_t entry, struct explain *e);

#endif
