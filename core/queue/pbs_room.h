/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_room: what is left on the vnodes of a PBS, now and later.
 *
 * What runs gives back what it has at its end; what is planned, and reservations to come, take
 * theirs from their beginning to their end. A try looks at it for as long as a job would run, and
 * takes from it; what it took is kept, or given back. Only vnodes that a try looks at cost
 * something. Source: check_resources_for_node() of node_info.cpp, OpenPBS.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_ROOM_H
#define FAIRTOP_CORE_QUEUE_PBS_ROOM_H

#include "core/queue/pbs_vnodes.h"

/* An amount of a column of a vnode that is given back (more than 0) or taken at TIME. */
struct pbs_change {
	int64_t time;
	uint32_t node, column, next;	/* of that vnode, by time; ROW_NONE */
	double amount;
};

/* What a try has taken. */
struct pbs_taken {
	uint32_t node, column;
	double amount;
};

/*
 * Columns: those of the TRES, then JOBS and EXCL, which are 0 or less: jobs on the vnode, and those
 * that have it for themselves.
 */
struct pbs_room {
	const struct pbs_vnodes *v;
	uint32_t columns, jobs, excl;
	int64_t now;
	double *left;			/* vnodes times columns: now */
	double *at_first;		/* the same before anything began */
	bool plans;			/* else changes are of no use, and there are none */
	struct pbs_change *changes;
	size_t count, capacity;
	uint32_t *queue;		/* numbers of changes by time; those back first */
	size_t queue_capacity;
	uint32_t *first;		/* per vnode: its first change; ROW_NONE */
	double *later;			/* what is left at the time of a plan */
	bool *freed;			/* per vnode: a job there has ended by then */
	/* The try: */
	const double *base;		/* LEFT or LATER */
	int64_t from, until;
	uint32_t number, *seen;		/* of the try; per vnode: of the last that looked at it */
	double *has, *least, *scratch;	/* at FROM; the least until UNTIL */
	struct pbs_taken *taken;
	size_t taken_count, taken_capacity;
};

/* V must outlive it. PLANS: pbs_room_to() will be asked. */
void pbs_room_open(struct pbs_room *r, const struct pbs_vnodes *v, bool plans);
void pbs_room_free(struct pbs_room *r);

/* LATER as it is now; then after all changes up to TIME; AT: the first one not in it yet. */
void pbs_room_to_now(struct pbs_room *r);
size_t pbs_room_to(struct pbs_room *r, size_t at, int64_t time);
/*
 * AT, LATER: up to the first change at whose time something is given back; false if there is none.
 * Only then the scheduler tries again (calc_run_time(), describe_simret() of simulate.cpp).
 */
bool pbs_room_next(struct pbs_room *r, size_t *at);

/* A try: from now on, or from FROM on if LATER stands there. */
void pbs_room_try(struct pbs_room *r, bool later, int64_t from, int64_t length);
/* What VNODE has in it: at its beginning, and at least until its end. */
const double *pbs_room_has(struct pbs_room *r, uint32_t vnode);
const double *pbs_room_least(struct pbs_room *r, uint32_t vnode);
void pbs_room_take(struct pbs_room *r, uint32_t vnode, uint32_t column, double amount);
/* Gives back what was taken behind the first COUNT. */
void pbs_room_undo(struct pbs_room *r, size_t count);
void pbs_room_keep(struct pbs_room *r);

#endif
