/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs: the queue of a cluster and everything computed about it, ready for any view.
 *
 * One row per job, partition and QOS, in the order of the source. Built from a model (the fair-
 * share factors come from there) and a policy, which may be a what-if's.
 */
#ifndef FAIRTOP_CORE_QUEUE_JOBS_H
#define FAIRTOP_CORE_QUEUE_JOBS_H

#include "core/share/model.h"
#include "core/queue/lsf_jobs.h"
#include "core/queue/pbs_jobs.h"
#include "core/queue/preempt.h"
#include "core/queue/priority.h"
#include "core/queue/queue_order.h"

/* What the columns of single terms show. */
enum jobs_terms { JOBS_POINTS, JOBS_FACTORS, JOBS_PERCENT, JOBS_TERMS_COUNT };

/* column.only of columns for Slurm only. */
#define JOBS_OF_SLURM (((UINT32_C(1) << FS_ALGORITHMS) - 1) & ~(UINT32_C(1) << FS_PBS | \
								UINT32_C(1) << FS_LSF))

/* Returns "partition"; for PBS and LSF "queue". */
const char *jobs_queue_word(const struct cluster *c);

/* Start of a job by the simulation (core/sim/starts.h): Unix seconds, or I64_UNKNOWN. */
struct jobs_start {
	int64_t start;			/* if no jobs are added and all run to their limits */
	int64_t p10, p50, p90;
	const char *brief;		/* why START is unknown, in short; NULL */
};

struct jobs {
	const struct model *model;	/* borrowed */
	const struct jobs_start *starts;	/* by row of the JOB table; NULL: not simulated */
	/* By row of the JOB table, from classes_tell(); ROW_NONE: in no class. Owned; NULL. */
	uint32_t *class_of;
	enum jobs_terms terms_as;	/* for jobs_term(); JOBS_POINTS by default */
	struct job_index *index;
	bool borrowed_index;		/* from jobs_over(): not freed with this */
	struct policy policy;
	struct prio_input input;
	struct prio_result *prio;
	struct pbs_jobs *pbs; /* PBS only; then it determines order and priorities */
	struct lsf_jobs *lsf;		/* the same for LSF */
	struct preempt *preempt;
	struct queue_order *order;
	/* Keys of the maps factors{} and terms{}: the weighted factors, then TRES, site, nice. */
	uint32_t map_count;
	const char **map_keys;
	char *map_names;
	struct value_entry *scratch;	/* entries of a map cell, valid until the next call */
	struct value_entry *tres_scratch;	/* the same for tres{}; tres_count of them */
	uint32_t tres_count;
	const struct changes_pair *changes;	/* of a what-if, relative to its base; else NULL */
	bool forgot;		/* jobs_forget_reported() made priorities, and so ranks, unknown */
};

/* Start of the scheduler's last pass as reported, else the time of the picture. */
int64_t jobs_now(const struct cluster *c);

/* POLICY NULL: the cluster's own. The model must outlive the result. */
struct jobs *jobs_new(const struct model *m, const struct policy *policy);

/*
 * Like jobs_new(), with the resolved names of BASE, which has the same jobs, partitions and QOS and
 * must outlive the result.
 */
struct jobs *jobs_over(const struct model *m, const struct jobs *base);
void jobs_free(struct jobs *j);

/*
 * For J of a what-if, or of a later time, and BASE of the cluster as it is, with any index.
 * Reported values are not valid in J: a priority that was not computed becomes unknown, unless all
 * of its known inputs are those of BASE. Then every rank becomes unknown, too.
 */
void jobs_forget_reported(struct jobs *j, const struct jobs *base);
bool jobs_has_reported(const struct jobs *j);	/* is some priority not computed? */

/* The order with the counts before each entry; counted on the first call. */
const struct queue_order *jobs_ahead(const struct jobs *j);

/* Why the scheduler does not consider a pending entry; NULL: it does, or is not pending. */
const char *jobs_stopped(const struct jobs *j, uint32_t entry);
/*
 * Why the scheduler does not consider a pending entry, or why its rank is unknown; NULL: it has a
 * rank, or is not pending.
 */
const char *jobs_left_out(const struct jobs *j, uint32_t entry);

/* Appends the derivation of one entry's priority. */
void jobs_explain(const struct jobs *j, uint32_t entry, struct explain *e);

/* The getters, also for the columns of the screen, which have another order (queue.h). */
column_getter jobs_get_text, jobs_get_count, jobs_get_time,	/* of the field `which` */
	jobs_get_id, jobs_get_rank, jobs_get_partition_rank, jobs_get_ahead, jobs_get_partition,
	jobs_get_queue, jobs_get_qos, jobs_get_nodes, jobs_get_tres, jobs_get_time_limit,
	jobs_get_age, jobs_get_start_estimate, jobs_get_billing, jobs_get_priority, jobs_get_class;

extern const struct column jobs_columns[];
extern const size_t jobs_columns_count;
struct view jobs_view(const struct jobs *j);

/* Does the formula have terms for this row? Held, running and hand-set jobs have none. */
bool jobs_has_terms(const struct jobs *j, uint32_t row);

/*
 * Returns term I (index in map_keys) of a row in the unit terms_as, and its origin; percent is
 * relative to the sum of the positive terms. NaN if it is unknown, or the job has no terms.
 */
double jobs_term(const struct jobs *j, uint32_t i, uint32_t row, enum value_origin *origin);

/* Returns the first row of the job OBJECT: job:ID or job:ID_TASK. ROW_NONE and ERR_INPUT. */
uint32_t jobs_find(const struct jobs *j, const char *object, struct err *err);

#endif
