/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_cluster: what the policies of schedulers need about the jobs of a log besides sim_job: the
 * nodes and partitions of the machine, and the input of their priorities.
 *
 * Where no nodes are known, each processor is a node, and it does not matter which ones a job gets.
 * A job that is larger than its partition may use all nodes; such jobs are counted.
 */
#ifndef FAIRTOP_CORE_SIM_PAST_CLUSTER_H
#define FAIRTOP_CORE_SIM_PAST_CLUSTER_H

#include "core/sim/sim_machine.h"
#include "core/sim/sim_site.h"
#include "core/sim/sim_log.h"

struct past_job {
	double fixed;		/* sum of the constant terms of its priority */
	double rate;		/* billable TRES, times UsageFactor */
	uint32_t assoc;		/* row of ASSOC, ROW_NONE */
	uint32_t qos;		/* row of QOS, ROW_NONE */
	uint32_t place;		/* index in PAST.places */
	uint32_t nodes;		/* minimum */
};

struct past_place {
	uint64_t *nodes;
	uint32_t tier, cpus, count;	/* COUNT: nodes with known CPUs */
};

struct past {
	const struct cluster *c;	/* borrowed, like the next two */
	const struct sim_log *sim_log;
	struct replay *replay;
	struct past_job *jobs;		/* parallel to those of the log */
	struct site_node *nodes;
	uint32_t node_count, words;
	bool unit;			/* each processor is a node */
	struct past_place *places;	/* one per partition; the last one: all nodes */
	uint32_t place_count;
	bool no_usage;			/* usage is unknown: fair share counts as 0 */
	struct past_limits *limits;	/* past_limits.h */
	struct past_ready *ready;	/* past_ready.h */
	uint32_t too_large;		/* jobs larger than their partitions */
	uint32_t no_terms;		/* jobs without any known constant term */
};

/* What is not modelled of POLICY's scheduler over a log, in words; NULL: POLICY is of none. */
const char *past_not_played(enum sim_policy policy);

/* The scheduler parameters it uses, NULL-ended. */
const char *const *past_params(enum sim_policy policy);

/*
 * Makes P from the jobs of T, made from R, on the nodes of C, or on PROCS processors if NODES is
 * false or C has no nodes. ERR_INPUT says what is wrong with C.
 */
bool past_make(struct past *p, const struct cluster *c, const struct sim_log *t, struct replay *r,
	       uint32_t procs, bool nodes, struct err *err);
void past_free(struct past *p);

/* Adds job I of the log to B as a pending job; returns its row. Ids are row numbers. */
uint32_t past_put_job(struct builder *b, const struct past *p, uint32_t i);

int64_t past_period(const struct cluster *c);	/* s, between passes of decay */

/* ---- priorities as time passes (past_rank.c) ----------------------------------------------- */

/*
 * As in sim_rank.h, for the jobs of M: a pass every PriorityCalcPeriod from the beginning decays
 * and charges usage. Usage is kept relative to one falling scale, so a pass costs time only for
 * running jobs; fair share depends on ratios only.
 */
struct past_rank;
struct past_rank *past_rank_new(const struct past *p, const struct sim_machine *m);
void past_rank_free(struct past_rank *r);

int64_t past_rank_next(const struct past_rank *r);	/* time of the next pass */
void past_rank_catch_up(struct past_rank *r);		/* runs all passes up to now */
void past_rank_ended(struct past_rank *r, uint32_t job);	/* JOB ends now */

/* Recomputes fair share; call it before asking for priorities after a pass. */
void past_rank_refresh(struct past_rank *r);
uint32_t past_rank_priority(const struct past_rank *r, uint32_t job);

#endif
