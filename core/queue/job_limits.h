/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_limits: the limits of associations and QOS that a waiting job would pass if it began now.
 *
 * The scheduler says of which kind the limit is (AssocGrpCpuLimit), not whose: so every limit of
 * that kind (Grp, Max, Min) that the job would pass is found. A limit of a QOS counts for the job's
 * own and for the QOS of its partition. What the source does not tell of a QOS is counted over the
 * running jobs; a limit of which either is unknown is left out.
 */
#ifndef FAIRTOP_CORE_QUEUE_JOB_LIMITS_H
#define FAIRTOP_CORE_QUEUE_JOB_LIMITS_H

#include "core/queue/jobs.h"

#define JOB_LIMIT_HOLDERS 4

struct job_limit {
	char name[160];		/* the scheduler's word: "GrpJobs", "GrpTRES cpu" */
	char *whose;		/* "/physics", "QOS x", "QOS x of partition y"; owned */
	uint32_t tres;		/* row of the TRES that is limited, ROW_NONE: jobs or time */
	bool minutes;		/* the numbers are minutes, or of TRES times minutes */
	bool each;		/* of each job by itself; USED is 0 */
	bool least;		/* the same, and MOST is the least that it wants */
	bool doubtful;		/* of job_limits_find_all(): a QOS may stand in its place */
	bool spent;		/* USED has been used: no end of a job changes it */
	bool decays;		/* the same, and it falls with time */
	double used, most;
	double asks;		/* what the job would add; NaN: unknown */
	/* The users who have most of what runs, where it limits that and no job is hidden. */
	struct job_limit_holder {
		uint32_t user;		/* text */
		double has;
	} holders[JOB_LIMIT_HOLDERS];
	uint32_t holder_count;
	int64_t next_end;	/* of what runs and counts; I64_UNKNOWN */
};

/* A QOS that limits the job; of job_limits_find() for a limit of QOS. */
struct job_limit_qos {
	char *whose;			/* owned */
	double jobs, of_user;		/* that run; NaN: jobs of others are hidden */
	char untold[300];		/* limits that were not read: "GrpJobs, GrpWall" */
};

struct job_limits {
	struct job_limit *reached;	/* owned */
	size_t count, capacity;
	struct job_limit_qos qos[2];
	uint32_t qos_count;
};

enum job_limits_of { JOB_LIMITS_NONE, JOB_LIMITS_ASSOC, JOB_LIMITS_QOS };

/* Whose limit does REASON mean? */
enum job_limits_of job_limits_of(const char *reason);

/* Those that REASON may mean that ENTRY waits for. */
void job_limits_find(struct job_limits *l, const struct jobs *j, uint32_t entry,
		     const char *reason);

/*
 * Those of all kinds that Slurm would ask ENTRY for: none of an association that a QOS of the job
 * sets, too, or the first QOS of two; of used minutes only what is used up. Where such a QOS was
 * not read, or not whether it sets the limit, that is doubtful.
 */
void job_limits_find_all(struct job_limits *l, const struct jobs *j, uint32_t entry);
void job_limits_free(struct job_limits *l);

#endif
