/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_capacity: the free resources of PBS's vnodes, now and later.
 *
 * Running jobs give back theirs at their end; planned jobs and future reservations hold theirs from
 * begin to end. A try covers the time that a job would run, and takes resources; these are kept, or
 * given back. Only vnodes that a try reads cost time. Source: check_resources_for_node() of
 * node_info.cpp, OpenPBS.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_CAPACITY_H
#define FAIRTOP_CORE_QUEUE_PBS_CAPACITY_H

#include "core/queue/pbs_vnodes.h"

/* An amount of a column of a vnode that is given back (positive) or taken at TIME. */
struct pbs_change {
	int64_t time;
	uint32_t node, column, next;	/* next change of that vnode, by time; ROW_NONE */
	double amount;
};

/* What a try has taken. */
struct pbs_taken {
	uint32_t node, column;
	double amount;
};

/*
 * Columns: those of the TRES, then JOBS and EXCL, which are 0 or negative: minus the jobs on the
 * vnode, and minus the exclusive ones.
 */
struct pbs_capacity {
	const struct pbs_vnodes *v;
	uint32_t columns, jobs, excl;
	int64_t now;
	double *left;			/* vnodes times columns: now */
	double *at_first;		/* the same before any job began */
	bool plans;			/* false: no changes are recorded */
	struct pbs_change *changes;
	size_t count, capacity;
	uint32_t *queue;		/* numbers of changes by time; gains first */
	size_t queue_capacity;
	uint32_t *first;		/* per vnode: its first change; ROW_NONE */
	double *later;			/* what is left at the time of a plan */
	bool *freed;			/* per vnode: a job there has ended by then */
	/* The try: */
	const double *base;		/* LEFT or LATER */
	int64_t from, until;
	uint32_t number, *seen;		/* of the try; per vnode: of the last try that read it */
	double *has, *least, *scratch;	/* at FROM; minimum until UNTIL */
	struct pbs_taken *taken;
	size_t taken_count, taken_capacity;
};

/* V must outlive it. PLANS: pbs_capacity_to() will be called. */
void pbs_capacity_open(struct pbs_capacity *r, const struct pbs_vnodes *v, bool plans);
void pbs_capacity_free(struct pbs_capacity *r);

/* Sets LATER to the present; then to after all changes up to TIME; AT: the next change. */
void pbs_capacity_to_now(struct pbs_capacity *r);
size_t pbs_capacity_to(struct pbs_capacity *r, size_t at, int64_t time);
/*
 * Moves AT and LATER to the first change that gives something back; false if there is none. Only
 * then does the scheduler try again (calc_run_time(), describe_simret() of simulate.cpp).
 */
bool pbs_capacity_next(struct pbs_capacity *r, size_t *at);

/* Begins a try: from now on, or, with LATER, from FROM on. */
void pbs_capacity_try(struct pbs_capacity *r, bool later, int64_t from, int64_t length);
/* Free resources of VNODE in the try: at its beginning, and the minimum until its end. */
const double *pbs_capacity_has(struct pbs_capacity *r, uint32_t vnode);
const double *pbs_capacity_least(struct pbs_capacity *r, uint32_t vnode);
void pbs_capacity_take(struct pbs_capacity *r, uint32_t vnode, uint32_t column, double amount);
/* Gives back all that was taken after the first COUNT. */
void pbs_capacity_undo(struct pbs_capacity *r, size_t count);
void pbs_capacity_keep(struct pbs_capacity *r);

#endif
