/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jobs: the queue of a cluster with everything computed about it, ready for any view.
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

/* column.only of what Slurm alone has. */
#define JOBS_OF_SLURM (((UINT32_C(1) << FS_ALGORITHMS) - 1) & ~(UINT32_C(1) << FS_PBS | \
								UINT32_C(1) << FS_LSF))

/* "partition"; of PBS and LSF "queue". */
const char *jobs_queue_word(const struct cluster *c);

/* When a job begins by a simulation (core/sim/starts.h): I64_UNKNOWN, or Unix seconds. */
struct jobs_start {
	int64_t start;			/* nothing more comes, all run to their limits */
	int64_t p10, p50, p90;
	const char *brief;		/* why START is unknown, in short; NULL */
};

struct jobs {
	const struct model *model;	/* borrowed */
	const struct jobs_start *starts;	/* by row of the JOB table; NULL: not simulated */
	/* By row of the JOB table: what classes_tell() says; ROW_NONE: of none. Owned; NULL. */
	uint32_t *class_of;
	enum jobs_terms terms_as;	/* for jobs_term(); JOBS_POINTS at first */
	struct job_index *index;
	bool borrowed_index;		/* of jobs_over(): not freed with these */
	struct policy policy;
	struct prio_input input;
	struct prio_result *prio;
	struct pbs_jobs *pbs; /* of a PBS, whose order and priorities count then; else NULL */
	struct lsf_jobs *lsf;		/* the same of an LSF */
	struct preempt *preempt;
	struct queue_order *order;
	/*
	 * Keys of the maps factors{} and terms{}: the factors with a weight, then TRES, site, nice.
	 */
	uint32_t map_count;
	const char **map_keys;
	char *map_names;
	struct value_entry *scratch;	/* what a map cell points to until the next call */
	struct value_entry *tres_scratch;	/* the same for tres{}; tres_count of them */
	uint32_t tres_count;
	const struct changes_pair *changes;	/* of a what-if: beside its base; else NULL */
	bool forgot;		/* jobs_forget_reported() made priorities, and so ranks, unknown */
};

/* Start of the scheduler's last pass: what it told, else the time of the picture. */
int64_t jobs_now(const struct cluster *c);

/* POLICY NULL: the cluster's own. The model must outlive the result. */
struct jobs *jobs_new(const struct model *m, const struct policy *policy);

/*
 * With the resolved names of BASE, a queue of the same jobs, partitions and QOS, which must outlive
 * the result.
 */
struct jobs *jobs_over(const struct model *m, const struct jobs *base);
void jobs_free(struct jobs *j);

/*
 * J is of a what-if, or of later, BASE of the cluster as it is, whichever index they have. What the
 * scheduler reports is no answer there: a priority that could not be computed becomes unknown,
 * unless nothing differs of what is known to enter it. Then every rank is unknown, too.
 */
void jobs_forget_reported(struct jobs *j, const struct jobs *base);
bool jobs_has_reported(const struct jobs *j);	/* is there one that could not be computed? */

/* The order with what stands before each entry, which is counted when first asked for. */
const struct queue_order *jobs_ahead(const struct jobs *j);

/* Why the scheduler does not look at an entry that waits; NULL: it does, or it does not wait. */
const char *jobs_stopped(const struct jobs *j, uint32_t entry);
/*
 * Why the scheduler does not look at an entry that waits, or why nobody can tell its place; NULL:
 * it has one, or does not wait.
 */
const char *jobs_left_out(const struct jobs *j, uint32_t entry);

/* Appends the derivation of one entry's priority. */
void jobs_explain(const struct jobs *j, uint32_t entry, struct explain *e);

/* The getters, for the columns of the screen, too, which stand in another order (queue.h). */
column_getter jobs_get_text, jobs_get_count, jobs_get_time,	/* of the field `which` */
	jobs_get_id, jobs_get_rank, jobs_get_partition_rank, jobs_get_ahead, jobs_get_partition,
	jobs_get_queue, jobs_get_qos, jobs_get_nodes, jobs_get_tres, jobs_get_time_limit,
	jobs_get_age, jobs_get_start_estimate, jobs_get_billing, jobs_get_priority, jobs_get_class;

extern const struct column jobs_columns[];
extern const size_t jobs_columns_count;
struct view jobs_view(const struct jobs *j);

/* Has the formula terms for this row? What is held, runs or was set by hand has none. */
bool jobs_has_terms(const struct jobs *j, uint32_t row);

/*
 * Term I (place in map_keys) of a row as terms_as wants it, and where it comes from; percent is of
 * the sum of what adds to the priority. NaN if it is unknown, or the job has no terms.
 */
double jobs_term(const struct jobs *j, uint32_t i, uint32_t row, enum value_origin *origin);

/* Rows of the job an OBJECT names: job:ID or job:ID_TASK. The first row, ROW_NONE and ERR_INPUT. */
uint32_t jobs_find(const struct jobs *j, const char *object, struct err *err);

#endif
