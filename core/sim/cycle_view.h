/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cycle_view: a cycle over the classes of a queue as rows for any view. */
#ifndef FAIRTOP_CORE_SIM_CYCLE_VIEW_H
#define FAIRTOP_CORE_SIM_CYCLE_VIEW_H

#include "core/classes/classes_view.h"
#include "core/cluster/job_tasks.h"
#include "core/sim/cycle.h"
#include "core/sim/cycle_nodes.h"
#include "core/sim/cycle_reserved.h"

/* What a cycle compares; the texts for people fit the width of a box. */
enum cycle_method { CYCLE_TOTALS, CYCLE_NODES, CYCLE_VNODES, CYCLE_VNODES_UNSORTED,
		    CYCLE_SLOTS };
extern const char *const cycle_methods[];

/* One task of an array. */
struct cycle_task {
	struct job_tasks_walk left; /* the tasks after it; without text they are another job's */
	uint32_t number;		/* U32_UNKNOWN: not an array */
	uint32_t room;			/* how many may still begin, including it; U32_INFINITE */
};

/*
 * A cycle over the pending jobs, with the free resources of the picture's usable hosts. Compares
 * the total request of each job with the total free, then places it on vnodes (PBS, pbs_place.h) or
 * nodes (Slurm, cycle_nodes.h). A resource that no host has blocks. A resource that PBS jobs
 * request of the server and not of hosts is unlimited unless the server has an amount of it. Jobs
 * that are not considered (held, stopped queue, no shares) or whose rank is unknown are not part of
 * the cycle; they follow the others, with the reason. With PBS fair share, started and calendared
 * jobs count as usage at once and the rest is sorted again. The tasks of an array take part one by
 * one until one cannot run. For LSF the cycle is a session (lsf_jobs.h). ENABLED: with classes. The
 * texts live as long as the result.
 */
struct cycle_result {
	struct cycle_input input;
	struct cycle *cycle;
	uint32_t *jobs;			/* per job, its number in the class set */
	uint32_t *order, *class_of;	/* owned; input points to them */
	uint32_t *entry;		/* per job of the cycle, its entry of the job index */
	struct cycle_task *tasks;	/* per job of the cycle */
	size_t capacity;		/* of these arrays */
	struct pbs_place *place;	/* PBS: what is left on each vnode, and words; or NULL */
	struct cycle_reserved *reserved;	/* PBS: what reservations have left; or NULL */
	struct cycle_queue *queues;	/* PBS: owned; input points to it */
	struct cycle_nodes *nodes;	/* while it runs, Slurm; or NULL */
	struct lsf_jobs *session;	/* LSF: the session with all its events; or NULL */
	enum cycle_method method;
	uint32_t guessed;		/* jobs that began with a request ignored */
	struct pbs_cycle *within;	/* while it runs: PBS sorts again; or NULL */
	uint32_t hosts, usable;		/* hosts; those on which jobs may start (host_state.h) */
	uint32_t unknown;		/* hosts whose state is unknown */
	double *free, *total;		/* per TRES row: left on usable hosts, on all */
	double *at_first;		/* FREE before the cycle */
	/* Pending jobs outside the cycle, which follow input.jobs in these arrays; and why. */
	uint32_t left_out;
	const char **why;
	size_t why_capacity;
	/* No host is known to take jobs, and some may: every job's outcome is unknown. */
	bool blind;
	const struct classes_data *data;
	char (*reasons)[96];		/* per TRES row */
};
struct cycle_result *cycle_of(const struct classes_data *d, bool enabled, uint32_t backfill_depth);
void cycle_result_free(struct cycle_result *r);

/* "70[].pbshead", "204"; with TASK, or for a task with its own row, "70[3].pbshead", "204_3". */
void cycle_job_name(const struct cycle_result *r, uint32_t job, bool task, char *buf, size_t size);

/* Whether the I-th job outside the cycle is so only because its rank is unknown. */
bool cycle_is_unplaced(const struct cycle_result *r, uint32_t i);

/* The result as rows, in the order of the cycle. LATER_CONSIDERED as for cycle_log(). */
struct cycle_rows {
	const struct cycle_result *result;
	bool later_considered;
};
extern const struct column cycle_columns[];
extern const size_t cycle_columns_count;
struct view cycle_view(const struct cycle_rows *rows);

/*
 * The number of calendar places: backfill_depth of the PBS server under strict_ordering, else 0;
 * places of queues (cycle_queues.h) are not included.
 */
uint32_t cycle_depth(const struct cluster *c);

/* What classes save in a cycle of the picture: the considerations with and without them. */
struct cycle_saving {
	uint32_t jobs, with, without;
	const char *unknown;		/* why it is unknown; or NULL */
	enum cycle_method method;
};
struct cycle_saving cycle_saving_of(const struct classes_data *d);

#endif
