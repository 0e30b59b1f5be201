/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_index: the jobs of a cluster as its queue holds them, with names resolved once.
 *
 * One entry per job, partition and QOS: a pending job that names several partitions, or since Slurm
 * 24.11 several QOS, competes in each pair of them on its own. Names are resolved to rows of the
 * other tables, so that neither the factors nor a what-if compare strings. The index depends on the
 * cluster only, not on the policy.
 *
 * Shapes: every array has n entries unless said otherwise; the entries of one job follow each
 * other: the partition with the highest tier first, in each the QOS with the highest priority first
 * (_get_priority_internal(), _get_qos_ptr_list() of Slurm). Rows are ROW_NONE if the cluster does
 * not have the named object.
 */
#ifndef FAIRTOP_CORE_QUEUE_JOB_INDEX_H
#define FAIRTOP_CORE_QUEUE_JOB_INDEX_H

#include "core/cluster/cluster.h"
#include "core/cluster/job_tasks.h"

enum job_kind {
	JOB_PENDING,		/* pending, and competes */
	JOB_HELD,		/* priority 0: not considered until released */
	JOB_FUTURE,		/* its begin time or reservation is in the future */
	JOB_DEPENDENT,		/* waits for another job */
	JOB_RUNNING,		/* runs, is suspended or is being configured */
	JOB_ENDED		/* completing or ended, still in memory */
};

struct job_index {
	const struct cluster *cluster;	/* borrowed */
	uint32_t n;
	uint32_t *job;			/* row of the JOB table */
	uint32_t *partition;		/* row of PARTITION */
	uint32_t *assoc;		/* row of ASSOC */
	uint32_t *qos;			/* row of QOS */
	/* One name each, as the job has it, even without a row. NULL: none. */
	const char **partition_name, **qos_name;
	uint8_t *kind;			/* enum job_kind */
	uint32_t *running, running_count;	/* entries that run, ascending */
	uint32_t *min_nodes;		/* requested nodes; U32_UNKNOWN */
	uint32_t *cpus;			/* CPUs in the job size factor */
	uint32_t *tasks;	/* jobs in the entry: pending tasks of an array, else 1 */
	uint32_t *reported;		/* row of PRIO with the scheduler's own terms */
	uint32_t *direct;		/* set by hand, 0: by the formula; NULL: none is */
	uint32_t *by_submit;	/* entries by submit time, job id, task: the last tie-breakers */

	char **unread;			/* names of partitions and QOS without a row, each once */
	size_t unread_count, unread_capacity;

	/* Totals used by the factors. Unknown ones are U32_UNKNOWN. */
	bool several;			/* some job has several entries */
	uint32_t nodes, cluster_cpus;
	uint32_t node_cpus;		/* CPUs of each node; unknown if they differ */
	uint32_t max_partition, max_qos, max_assoc;
};

struct job_index *job_index_new(const struct cluster *c);

/*
 * All CPUs of the nodes that entry E, pending with --exclusive, requests: slurmctld uses this size
 * from the first pass after it has tried to place the job. U32_UNKNOWN: not such an entry, or nodes
 * differ.
 */
uint32_t job_index_whole(const struct job_index *x, uint32_t e);
void job_index_free(struct job_index *x);

/* Index of a name without a row in x->unread; its count if not found. */
size_t job_index_unread(const struct job_index *x, const char *name);

/*
 * X and OTHER belong to a what-if and its base. Returns the entry of OTHER for the same job,
 * partition and QOS as entry E of X, or for the same job if it has only one; ROW_NONE. Searches
 * from *AT (first 0), for ascending entries.
 */
uint32_t job_index_match(const struct job_index *x, uint32_t e, const struct job_index *other,
			 uint32_t *at);
/* Do entry E of X and entry I of OTHER compete in the same partition and QOS? */
bool job_index_same_place(const struct job_index *x, uint32_t e, const struct job_index *other,
			  uint32_t i);

/*
 * The nodes a job requested, U32_UNKNOWN; NODE_TRES is the row of TRES "node". slurmctld reports an
 * estimate as the node count of a pending job, but its requested TRES hold the requested minimum
 * (checked on recordings: 1 where the estimate says 2).
 */
uint32_t job_min_nodes(const struct cluster *c, uint32_t job, uint32_t node_tres);

enum job_kind job_kind_of(const struct cluster *c, uint32_t job);

/* Does the job at row JOB use a reservation? */
bool job_is_reserved(const struct cluster *c, uint32_t job);
/* Since 25.11: requeued at once after a failure, to be the next one to start. */
bool job_is_expedited(const struct cluster *c, uint32_t job);

#endif
