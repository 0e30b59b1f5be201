/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_jobs: the order in which PBS's scheduler considers its jobs, and why.
 *
 * First difference decides: jobs that can run at all (pbs_jobs_stopped() says why not; those of
 * another scheduler have no rank), the queue if queues are taken one by one (below), the level of
 * preempt_prio (pbs_levels.h), the value of job_sort_formula (larger first), with fair_share the
 * paths of the fair-share tree, the lines of job_sort_key in their order, and queue_rank, the time
 * of arrival. Jobs in reservations come first (queue_order).
 *
 * by_queue	all jobs of a queue, then those of the next: by priority, equal ones in the server's
 *		order. Without fair_share the jobs of all express queues come first, as one queue.
 * round_robin	(outranks by_queue) level by level of the queues' priority; within one, the first
 *		job of each queue, then the second of each, and so on.
 *
 * This is the order at the start of a cycle: jobs that the scheduler starts, or plans, count as
 * usage of their entity at once, and the rest is sorted again (pbs_cycle_new()). qstat does not
 * report who was preempted (PBS resumes those first), so this is not modelled. Source: sort.cpp and
 * fifo.cpp, next_job(), of OpenPBS; spec of PBS, 8.
 *
 * The names of a formula: eligible_time (s), queue_priority, job_priority, fairshare_perc (tree
 * percentage), fairshare_tree_usage, fairshare_factor (these three with six decimals, as written
 * into the formula), accrue_type; others are resources of the job, in kB or s, 0 if not requested.
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
	bool high;			/* the largest comes first */
};

struct pbs_jobs {
	const struct model *model;	/* borrowed, like INDEX */
	const struct job_index *index;
	const struct policy *policy;
	uint32_t n;			/* entries of the index */
	struct pbs_formula *formula;	/* NULL: not set, or not supported */
	bool has_threshold;		/* job_sort_formula_threshold is set */
	double threshold;
	char problem[400];		/* caveats of the order for the reader; "" */
	uint32_t *queue;		/* per entry: row of QUEUE, or ROW_NONE */
	uint32_t *level, *place;	/* per row of QUEUE, from 1: level of priority; order */
	uint32_t *turn;			/* per entry, with round_robin; else 0 */
	struct pbs_levels *levels;	/* of preempt_prio */
	int32_t *standing;		/* per entry: its level, or PBS_LEVEL_UNKNOWN */
	struct pbs_sort_key *keys;	/* job_sort_key */
	size_t key_count;
	double *key_values;		/* per entry and key; NaN unknown */
	double *value;			/* per entry, of the formula; NaN unknown */
	double *inputs;			/* per entry and name of the formula, row-major */
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
	PBS_REASON_PLACE,		/* by_queue: one queue after the other */
	PBS_REASON_STANDING,		/* level of preempt_prio */
	PBS_REASON_FORMULA,
	PBS_REASON_FAIRSHARE,
	PBS_REASON_KEY,			/* job_sort_key */
	PBS_REASON_RANK
};
/* KEY (may be NULL) receives the index of the deciding key for PBS_REASON_KEY. */
enum pbs_reason pbs_jobs_reason(const struct pbs_jobs *p, uint32_t a, uint32_t b, size_t *key);

/* NULL, or why the entry cannot run as things are. */
const char *pbs_jobs_stopped(const struct pbs_jobs *p, uint32_t entry);

/* Why the rank of an entry with priority U32_UNKNOWN is unknown. */
const char *pbs_jobs_unplaced(const struct pbs_jobs *p, uint32_t entry);

/* Was sched_config not read, so that PBS's defaults are assumed for it? */
bool pbs_jobs_assumed(const struct pbs_jobs *p);
/* The unknown setting that decides the order, so that no job has a rank; NULL: none. */
const char *pbs_jobs_undecided(const struct pbs_jobs *p);
double pbs_jobs_queue_priority(const struct pbs_jobs *p, uint32_t entry);
double pbs_jobs_standing(const struct pbs_jobs *p, uint32_t entry);	/* level; NaN unknown */

/*
 * Value of the formula for the entry at TIME, before now: eligible_time was smaller then if the job
 * is eligible. All else is assumed unchanged, except that the entity's fairshare_tree_usage was
 * larger by DRIFT. NaN without a formula.
 */
double pbs_jobs_value_at(const struct pbs_jobs *p, uint32_t entry, int64_t time, double drift);

/*
 * The order within a cycle. A job that starts or becomes a top job is charged to its entity at
 * once, by fairshare_usage_res of its request, and the rest is sorted again; a round of round_robin
 * continues where it was. The same for soft limits, by who then exceeds one. NULL if nothing
 * changes: without either, or if usage or that formula is unknown. Source: update_usage_on_run() of
 * fairshare.cpp, next_job() of fifo.cpp.
 */
struct pbs_cycle;
struct pbs_cycle *pbs_cycle_new(const struct pbs_jobs *p);
void pbs_cycle_free(struct pbs_cycle *c);		/* NULL is fine */
void pbs_cycle_charge(struct pbs_cycle *c, uint32_t entry, bool runs);	/* false: it is planned */
void pbs_cycle_sort(struct pbs_cycle *c, uint32_t *entries, uint32_t n);

/* Appends the derivation of one entry's rank: names, terms, value. */
void pbs_jobs_explain(const struct pbs_jobs *p, uint32_t entry, struct explain *e);

#endif
