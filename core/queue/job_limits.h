/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_limits: the limits of associations and QOS that a pending job would exceed if it began now.
 *
 * The scheduler reports the kind of the limit (AssocGrpCpuLimit), not whose it is, so this finds
 * every limit of that kind (Grp, Max, Min) that the job would exceed. QOS limits: those of the
 * job's own QOS and of its partition's. Amounts that the source does not report for a QOS are
 * summed over the running jobs; limits with unknown amounts are left out.
 */
#ifndef FAIRTOP_CORE_QUEUE_JOB_LIMITS_H
#define FAIRTOP_CORE_QUEUE_JOB_LIMITS_H

#include "core/queue/jobs.h"

#define JOB_LIMIT_HOLDERS 4

struct job_limit {
	char name[160];		/* the scheduler's name: "GrpJobs", "GrpTRES cpu" */
	char *whose;		/* "/physics", "QOS x", "QOS x of partition y"; owned */
	uint32_t tres;		/* row of the limited TRES, ROW_NONE: jobs or time */
	bool minutes;		/* the numbers are minutes, or TRES times minutes */
	bool each;		/* per job; USED is 0 */
	bool least;		/* also per job, and MOST is a minimum */
	bool doubtful;		/* from job_limits_find_all(): a QOS may override it */
	bool spent;		/* USED is past usage: jobs that end do not lower it */
	bool decays;		/* also past usage, and decaying */
	double used, most;
	double asks;		/* what the job would add; NaN: unknown */
	/* The users with most of what runs, for a Grp limit on that, if no job is hidden. */
	struct job_limit_holder {
		uint32_t user;		/* text */
		double has;
	} holders[JOB_LIMIT_HOLDERS];
	uint32_t holder_count;
	int64_t next_end;	/* first end among the jobs that count; I64_UNKNOWN */
};

/* A QOS that limits the job; from job_limits_find() for a limit of a QOS. */
struct job_limit_qos {
	char *whose;			/* owned */
	double jobs, of_user;		/* running; NaN: jobs of others are hidden */
	char unreported[300];		/* limits that were not read: "GrpJobs, GrpWall" */
};

struct job_limits {
	struct job_limit *reached;	/* owned */
	size_t count, capacity;
	struct job_limit_qos qos[2];
	uint32_t qos_count;
};

enum job_limits_of { JOB_LIMITS_NONE, JOB_LIMITS_ASSOC, JOB_LIMITS_QOS };

/* Whose limit does REASON refer to? */
enum job_limits_of job_limits_of(const char *reason);

/* Finds the limits that REASON may refer to, for ENTRY. */
void job_limits_find(struct job_limits *l, const struct jobs *j, uint32_t entry,
		     const char *reason);

/*
 * Finds the limits of all kinds that Slurm would check for ENTRY. A QOS of the job overrides the
 * same limit of an association, and the first of two QOS that of the second; limits on used minutes
 * count only once used up. Doubtful if such a QOS, or whether it sets the limit, is unknown.
 */
void job_limits_find_all(struct job_limits *l, const struct jobs *j, uint32_t entry);
void job_limits_free(struct job_limits *l);

#endif
