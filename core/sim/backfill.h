/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * backfill: one cycle of sched/backfill.
 *
 * Takes the pending jobs in the order of the queue. A job begins if enough nodes that no earlier
 * job has reserved are free until it ends; else it reserves whole nodes from the first time at
 * which it can begin. No plan outlives its cycle. Source: backfill.c of Slurm 22.05,
 * _attempt_backfill() and below.
 */
#ifndef FAIRTOP_CORE_SIM_BACKFILL_H
#define FAIRTOP_CORE_SIM_BACKFILL_H

#include "core/sim/nodeplan.h"

#define BACKFILL_MAIN_DELAY 3	/* s: batch_sched_delay if it is not set */

/* The SchedulerParameters used here. */
struct backfill_options {
	int64_t interval, window, resolution;	/* s */
	bool off, main_off;	/* interval -1: backfill, or the main scheduler, never runs */
	int64_t window_linear;	/* s; 0: windows over ending jobs double each time */
	bool reserves_running;	/* running jobs reserve whole nodes: bf_running_job_reserve */
	/*
	 * The main scheduler: sched_interval, batch_sched_delay, sched_min_interval, in s; whether
	 * "defer" or a word that begins with it is set (slurmctld treats both alike when a job
	 * ends); default_queue_depth; partition_job_depth and sched_max_job_start, 0: no limit.
	 */
	int64_t main_interval, main_delay, main_apart;
	bool defers;
	uint32_t main_depth, main_part_depth, main_starts;
	/*
	 * The most jobs that a cycle tries: in total, per user, partition, association, and user in
	 * a partition; and the most it begins. 0: no limit, except for the total.
	 */
	uint32_t max_job_test, max_job_user, max_job_part, max_job_assoc, max_job_user_part;
	uint32_t max_job_start;
	uint32_t most_spans;	/* most spans in a plan: bf_node_space_size; a cycle ends there */
	uint32_t max_array;	/* most reservations of an array: bf_max_job_array_resv */
	/* A job of lower priority, or eligible for fewer s, reserves nothing. */
	uint32_t least_priority, least_age;
};
void backfill_options_of(const struct policy *policy, struct backfill_options *o);
/* Whether JOB may reserve the resources it waits for, in backfill and in the main scheduler. */
bool backfill_keeps_place(const struct backfill_options *o, const struct site *s,
			  const struct site_job *job);

/*
 * What a cycle needs from its caller about running jobs and the job being tried: implemented for a
 * picture (backfill_cycle()) and for a log (sim_slurm.c).
 */
struct backfill_asks {
	/* Resets the nodes to the present. False: SET is too small even when all of it is free. */
	bool (*reset)(void *state);
	/* When running job I ends by its limit; I is in that order. I64_INFINITE: no such job. */
	int64_t (*end)(void *state, size_t i);
	/* When job I, which is past its limit, is assumed to end; NULL: at once. */
	int64_t (*late)(void *state, size_t i);
	/* Frees the nodes of job I; false: it has none of SET. */
	bool (*give_back)(void *state, size_t i);
	/* Puts what the job would get of SET into SHARES; returns how many, 0: it does not fit. */
	uint32_t (*choose)(void *state);
	/* Begins the job on COUNT of SHARES; false: not yet, a job is completing there. */
	bool (*begin)(void *state, uint32_t count);
	/*
	 * Removes from SET the nodes reserved for others between FROM and TO; returns a time at
	 * which to try again, 0: none. NULL: there are no reservations.
	 */
	int64_t (*reserved)(void *state, int64_t from, int64_t to);
};

struct backfill {
	const struct backfill_asks *ask;
	void *state;
	const struct backfill_options *o;
	struct nodeplan plan;
	int64_t now;
	bool now_only;			/* the job being tried reserves nothing */
	bool full;			/* the plan is full: the cycle is over */
	bool reserved;			/* the job tried last has a reservation */
	uint64_t *set;			/* the nodes considered */
	struct site_share *shares;	/* from SET; capacity for all nodes */
};

/*
 * Tries a job of time limit LIMIT on NODES, those of its partition; of these it accepts only CHOICE
 * (NULL: all). Returns true if it has begun; else it may have a reservation in the plan.
 */
bool backfill_try(struct backfill *b, int64_t limit, const uint64_t *nodes, const uint64_t *choice);

/* Runs a whole cycle; returns the number of jobs it has begun. */
uint32_t backfill_cycle(struct site *s, const struct backfill_options *o);

#endif
