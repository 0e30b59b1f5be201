/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past_site: what the policies of schedulers need to know of the jobs of a trial besides sim_job:
 * the nodes and partitions of the machine, and what their priorities are computed from.
 *
 * Where no nodes are known each processor is a node of its own, and which of them a job gets is of
 * no account. A job that is larger than its partition may use all nodes; it is counted.
 */
#ifndef FAIRTOP_CORE_SIM_PAST_SITE_H
#define FAIRTOP_CORE_SIM_PAST_SITE_H

#include "core/sim/sim_machine.h"
#include "core/sim/sim_site.h"
#include "core/sim/trial.h"

struct past_job {
	double fixed;		/* the terms of its priority that do not move */
	double rate;		/* billable TRES, times UsageFactor */
	uint32_t assoc;		/* row of ASSOC, ROW_NONE */
	uint32_t qos;		/* row of QOS, ROW_NONE */
	uint32_t place;		/* of the sets of nodes */
	uint32_t nodes;		/* at least */
};

struct past_place {
	uint64_t *nodes;
	uint32_t tier, cpus, count;	/* COUNT: nodes whose CPUs are known */
};

struct past {
	const struct cluster *c;	/* borrowed, like the next two */
	const struct trial *trial;
	struct replay *replay;
	struct past_job *jobs;		/* as those of the trial */
	struct site_node *nodes;
	uint32_t node_count, words;
	bool unit;			/* a node a processor */
	struct past_place *places;	/* a partition each, and the last: all nodes */
	uint32_t place_count;
	bool no_usage;			/* none is known: fair share counts as 0 */
	struct past_limits *limits;	/* past_limits.h */
	struct past_ready *ready;	/* past_ready.h */
	uint32_t too_large;		/* jobs, for their partitions */
	uint32_t no_terms;		/* jobs of which no term that does not move is known */
};

/* What of the scheduler that POLICY is of is not played over a log, in words; NULL: of none. */
const char *past_not_played(enum sim_policy policy);

/* The parameters that it plays by, NULL-ended. */
const char *const *past_params(enum sim_policy policy);

/*
 * The jobs of T, out of R, on the nodes of C, or on PROCS processors where NODES is false or C has
 * no nodes. ERR_INPUT says what of C is wrong.
 */
bool past_make(struct past *p, const struct cluster *c, const struct trial *t, struct replay *r,
	       uint32_t procs, bool nodes, struct err *err);
void past_free(struct past *p);

/* Adds job I of the trial to B, which waits; its row. Ids are those of the rows. */
uint32_t past_put_job(struct builder *b, const struct past *p, uint32_t i);

int64_t past_period(const struct cluster *c);	/* s, between passes of decay */

/* ---- priorities as time passes (past_rank.c) ----------------------------------------------- */

/*
 * As sim_rank.h has it, for the jobs of M: a pass every PriorityCalcPeriod from the beginning on
 * decays and charges usage. It is kept as a part of one scale that falls, so that a pass costs what
 * runs, not what there is; fair share looks at ratios only.
 */
struct past_rank;
struct past_rank *past_rank_new(const struct past *p, const struct sim_machine *m);
void past_rank_free(struct past_rank *r);

int64_t past_rank_next(const struct past_rank *r);	/* the next pass */
void past_rank_catch_up(struct past_rank *r);		/* all passes up to now */
void past_rank_ended(struct past_rank *r, uint32_t job);	/* now */

/* Computes fair share anew; before priorities are asked for after a pass. */
void past_rank_refresh(struct past_rank *r);
uint32_t past_rank_priority(const struct past_rank *r, uint32_t job);

#endif
