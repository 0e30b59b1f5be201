/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_index: the jobs of a cluster as the scheduler's queue sees them, resolved once.
 *
 * One entry per job, partition and QOS: a pending job that names several partitions, or since
 * Slurm 24.11 several QOS, competes in each pair of them on its own. Names are resolved to rows of
 * the other tables, so that neither the factors nor a what-if ever look at a string again.
 * Everything here depends on the cluster only, not on the policy.
 *
 * Shapes: every array has n entries unless said otherwise; the entries of one job follow each
 * other: the partition with the highest tier first, in each the QOS with the highest priority first
 * (_get_priority_internal(), _get_qos_ptr_list() of Slurm). Rows are ROW_NONE where the cluster
 * does not have what the job names.
 */
#ifndef FAIRTOP_CORE_QUEUE_JOB_INDEX_H
#define FAIRTOP_CORE_QUEUE_JOB_INDEX_H

#include "core/cluster/cluster.h"
#include "core/cluster/job_tasks.h"

enum job_kind {
	JOB_PENDING,		/* waits and competes */
	JOB_HELD,		/* priority 0: not considered until released */
	JOB_FUTURE,		/* its begin time or reservation has not come */
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
	/* What the job calls them, each alone; also where the row is not there. NULL: nothing. */
	const char **partition_name, **qos_name;
	uint8_t *kind;			/* enum job_kind */
	uint32_t *running, running_count;	/* entries that run, rising */
	uint32_t *min_nodes;		/* nodes asked for; U32_UNKNOWN */
	uint32_t *cpus;			/* CPUs that count for the job size factor */
	uint32_t *tasks;	/* jobs the entry stands for: pending tasks of an array, else 1 */
	uint32_t *reported;		/* row of PRIO with the scheduler's own terms */
	uint32_t *direct;		/* priority set by hand, 0: by the formula; NULL: none is */
	uint32_t *by_submit;	/* entries by submit time, job id, task: the last tie-breakers */

	char **unread;			/* names of partitions and QOS without a row, each once */
	size_t unread_count, unread_capacity;

	/* Totals the factors are measured by. Unknown ones are U32_UNKNOWN. */
	bool several;			/* some job has several entries */
	uint32_t nodes, cluster_cpus;
	uint32_t node_cpus;		/* of every node; where they differ, unknown */
	uint32_t max_partition, max_qos, max_assoc;
};

struct job_index *job_index_new(const struct cluster *c);

/*
 * All CPUs of the nodes that entry E, which waits with --exclusive, asks for: slurmctld counts so
 * many in its size from the first pass after it has tried to place it. U32_UNKNOWN: it is no such
 * entry, or nodes differ.
 */
uint32_t job_index_whole(const struct job_index *x, uint32_t e);
void job_index_free(struct job_index *x);

/* Place of a name without a row in x->unread, its count if it is not there. */
size_t job_index_unread(const struct job_index *x, const char *name);

/*
 * X and OTHER are of a what-if and its base. The entry of OTHER for the same job, partition and QOS
 * as entry E of X, else for the same job where it has one only; ROW_NONE. It is searched from *AT
 * (0 at first) on, for entries that rise.
 */
uint32_t job_index_match(const struct job_index *x, uint32_t e, const struct job_index *other,
			 uint32_t *at);
/* Do entry E of X and entry I of OTHER compete in the same partition and QOS? */
bool job_index_same_place(const struct job_index *x, uint32_t e, const struct job_index *other,
			  uint32_t i);

/*
 * The nodes a job asked for, U32_UNKNOWN; NODE_TRES is the row of TRES "node". slurmctld reports an
 * estimate as the node count of a pending job, but the TRES it asked for hold the requested minimum
 * (checked on recordings: 1 where the estimate says 2).
 */
uint32_t job_min_nodes(const struct cluster *c, uint32_t job, uint32_t node_tres);

enum job_kind job_kind_of(const struct cluster *c, uint32_t job);

/* Is the job at row JOB one of a reservation? */
bool job_is_reserved(const struct cluster *c, uint32_t job);
/* Since 25.11: requeued at once after a failure, to be the next one started. */
bool job_is_expedited(const struct cluster *c, uint32_t job);

#endif
