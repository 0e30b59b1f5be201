/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backfill: one cycle of sched/backfill.
 *
 * Every waiting job in the order of the queue is begun if the nodes that nobody before it has
 * reserved have room until it ends; else it reserves whole nodes from the first time at which it
 * can begin. Nothing of a plan outlives its cycle. Source: backfill.c of Slurm 22.05,
 * _attempt_backfill() and below.
 */
#ifndef FAIRTOP_CORE_SIM_BACKFILL_H
#define FAIRTOP_CORE_SIM_BACKFILL_H

#include "core/sim/nodeplan.h"

#define BACKFILL_MAIN_DELAY 3	/* s: batch_sched_delay, unless it is told */

/* SchedulerParameters that count here. */
struct backfill_options {
	int64_t interval, window, resolution;	/* s */
	bool off, main_off;	/* an interval of -1: backfill, the main scheduler, never looks */
	int64_t window_linear;	/* s; 0: windows over what ends double */
	bool reserves_running;	/* whole nodes of what runs: bf_running_job_reserve */
	/*
	 * Of the main scheduler: sched_interval, batch_sched_delay, sched_min_interval, s; is there
	 * "defer", or a word that begins so, which is the same to slurmctld where a job ends;
	 * default_queue_depth, and with 0 for no limit partition_job_depth and sched_max_job_start.
	 */
	int64_t main_interval, main_delay, main_apart;
	bool defers;
	uint32_t main_depth, main_part_depth, main_starts;
	/*
	 * How many jobs a cycle tries, at most: in all, and of a user, a partition, an association
	 * and a user in a partition; how many it begins. 0: no limit, but for the first.
	 */
	uint32_t max_job_test, max_job_user, max_job_part, max_job_assoc, max_job_user_part;
	uint32_t max_job_start;
	uint32_t most_spans;	/* of a plan: bf_node_space_size; a cycle ends there */
	uint32_t max_array;	/* reservations of an array: bf_max_job_array_resv */
	/* A job of lower priority, or that may begin since less s, keeps no place for itself. */
	uint32_t least_priority, least_age;
};
void backfill_options_of(const struct policy *policy, struct backfill_options *o);
/* Does JOB keep resources for itself that it waits for, in backfill and in the main scheduler? */
bool backfill_keeps_place(const struct backfill_options *o, const struct site *s,
			  const struct site_job *job);

/*
 * What a cycle has to ask of what runs, and of the job it tries: of a picture (backfill_cycle()) or
 * of a log (sim_slurm.c).
 */
struct backfill_asks {
	/* The nodes are as they are now. False: SET is too small even when all of it is free. */
	bool (*reset)(void *state);
	/* When number I of what runs ends by its limit, in that order; I64_INFINITE: none. */
	int64_t (*end)(void *state, size_t i);
	/* When number I is thought to end that is past that end; NULL: at once. */
	int64_t (*late)(void *state, size_t i);
	/* Its nodes are free again; false: it has none of SET. */
	bool (*give_back)(void *state, size_t i);
	/* What the job would get of SET, into SHARES; how many, 0: it does not fit. */
	uint32_t (*choose)(void *state);
	/* It begins on COUNT of SHARES; false: a job is completing there, so not yet. */
	bool (*begin)(void *state, uint32_t count);
	/*
	 * Takes out of SET the nodes that are reserved for others from FROM to TO; a time to try
	 * it again, 0: none. NULL: there are no reservations.
	 */
	int64_t (*reserved)(void *state, int64_t from, int64_t to);
};

struct backfill {
	const struct backfill_asks *ask;
	void *state;
	const struct backfill_options *o;
	struct nodeplan plan;
	int64_t now;
	bool now_only;			/* the job that is tried reserves nothing */
	bool full;			/* the plan has no room: the cycle is over */
	bool reserved;			/* the one that was tried last has a reservation */
	uint64_t *set;			/* the nodes that are looked at */
	struct site_share *shares;	/* of them, with room for all nodes */
};

/*
 * Tries a job of time limit LIMIT on NODES, those of its partition, of which it wants CHOICE alone;
 * NULL: all. True if it has begun; else it may have a reservation in the plan.
 */
bool backfill_try(struct backfill *b, int64_t limit, const uint64_t *nodes,
		  const uint64_t *choice);

/* A whole cycle; returns how many jobs it has begun. */
uint32_t backfill_cycle(struct site *s, const struct backfill_options *o);

#endif
