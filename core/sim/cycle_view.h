/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle_view: a cycle over the classes of a queue as rows, ready for any view.
 */
#ifndef FAIRTOP_CORE_SIM_CYCLE_VIEW_H
#define FAIRTOP_CORE_SIM_CYCLE_VIEW_H

#include "core/classes/classes_view.h"
#include "core/cluster/job_tasks.h"
#include "core/sim/cycle.h"
#include "core/sim/cycle_nodes.h"
#include "core/sim/cycle_reserved.h"

/* What a cycle looks at, for people: within the width of a box. */
enum cycle_method { CYCLE_TOTALS, CYCLE_NODES, CYCLE_VNODES, CYCLE_VNODES_UNSORTED,
		    CYCLE_SLOTS };
extern const char *const cycle_methods[];

/* One task of an array. */
struct cycle_task {
	struct job_tasks_walk left;	/* behind it; without text they are another job's */
	uint32_t number;		/* U32_UNKNOWN: no array */
	uint32_t room;			/* so many may begin, it included; U32_INFINITE */
};

/*
 * A cycle over the jobs that wait, with the free resources of the usable hosts of the picture: what
 * each job asks for in total against what is free in total, and then on which vnodes of a PBS
 * (pbs_place.h) or nodes of a Slurm (cycle_nodes.h) it fits. What no host has blocks; what is asked
 * for of PBS's server and not of hosts is endless unless the server has an amount of it. Jobs that
 * are not looked at (held, a stopped queue, no shares) are not part of it, nor are those whose
 * place is not known: they stand behind those that are, with the reason. With PBS's fair share,
 * what is started or calendared counts as usage at once, and the rest is sorted anew. Of an array
 * one task after the other is a job of the cycle, until one cannot run. Of an LSF it is a session
 * as lsf_jobs.h has it. ENABLED: with classes. The texts live as long as the result.
 */
struct cycle_result {
	struct cycle_input input;
	struct cycle *cycle;
	uint32_t *jobs;			/* number in the class set of each job */
	uint32_t *order, *class_of;	/* owned; input points to them */
	uint32_t *entry;		/* of the job index, of each job of the cycle */
	struct cycle_task *tasks;	/* of each job of the cycle */
	size_t capacity;		/* of these arrays */
	struct pbs_place *place;	/* PBS: what is left on each vnode, and words; or NULL */
	struct cycle_reserved *reserved;	/* PBS: what reservations have left; or NULL */
	struct cycle_queue *queues;	/* PBS: owned; input points to it */
	struct cycle_nodes *nodes;	/* while it runs, Slurm; or NULL */
	struct lsf_jobs *session;	/* LSF: all that happens in it; or NULL */
	enum cycle_method method;
	uint32_t guessed;		/* jobs that began with something left out */
	struct pbs_cycle *within;	/* while it runs: PBS sorts anew; or NULL */
	uint32_t hosts, usable;		/* hosts; those on which jobs may start (host_state.h) */
	uint32_t unknown;		/* hosts of which nobody can tell that */
	double *free, *total;		/* per TRES row: left on usable hosts, on all */
	double *at_first;		/* FREE before the cycle */
	/* Jobs that wait and are not part of it, behind input.jobs in these arrays; and why. */
	uint32_t left_out;
	const char **why;
	size_t why_capacity;
	/*
	 * Of no host it is known that it takes jobs, and of some not that it does not: what comes
	 * of each job is unknown.
	 */
	bool blind;
	const struct classes_data *data;
	char (*reasons)[96];		/* per TRES row */
};
struct cycle_result *cycle_of(const struct classes_data *d, bool enabled, uint32_t backfill_depth);
void cycle_result_free(struct cycle_result *r);

/* "70[].pbshead", "204"; with TASK, or of a row of its own, "70[3].pbshead", "204_3". */
void cycle_job_name(const struct cycle_result *r, uint32_t job, bool task, char *buf, size_t size);

/* Is the I-th that is left out so because its place is not known, and may be looked at? */
bool cycle_is_unplaced(const struct cycle_result *r, uint32_t i);

/* The same as rows, in the order of the cycle. LATER_CONSIDERED as for cycle_log(). */
struct cycle_rows {
	const struct cycle_result *result;
	bool later_considered;
};
extern const struct column cycle_columns[];
extern const size_t cycle_columns_count;
struct view cycle_view(const struct cycle_rows *rows);

/*
 * Places on the calendar: the backfill_depth of PBS's server under strict_ordering, else none;
 * those of queues (cycle_queues.h) do not count in.
 */
uint32_t cycle_depth(const struct cluster *c);

/* What these classes save in a cycle of the picture: considerations with them and without. */
struct cycle_saving {
	uint32_t jobs, with, without;
	const char *unknown;		/* why nobody can tell; NULL */
	enum cycle_method method;
};
struct cycle_saving cycle_saving_of(const struct classes_data *d);

#endif
