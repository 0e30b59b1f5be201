/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim: when the jobs of a log would have begun under another policy, on a count of processors.
 *
 * DESIGN. Time jumps from event to event. At one instant come first the submissions in log order,
 * then the ends in the order in which the jobs started, then the starts planned for it. The policy
 * is called after each event, not once per instant. In its plans, a job whose estimate is over
 * counts as ended even before its end is handled. A job needs its processors from its start for RUN
 * seconds; policies know only ESTIMATE, which is never less. Under slurm, a job that its limit
 * ended keeps its processors until slurmctld sees that the limit is over.
 *
 * Policies (D. Feitelson, L. Rudolph, U. Schwiegelshohn, K. Sevcik, P. Wong, "Theory and practice
 * in parallel job scheduling", JSSPP 1997; A. Mu'alem, D. Feitelson, TPDS 12(6), 2001):
 *	fcfs		in order of submission; a job that does not fit stops all behind it
 *	easy		likewise, but a job that does not delay the first pending one may overtake
 *	easy-sjbf	likewise, tried in the order of their estimates (D. Tsafrir, Y. Etsion,
 *			D. Feitelson, TPDS 18(6), 2007)
 *	conservative	each has a reservation from its submission on, which only moves forward
 *	slurm		slurmctld's main and backfill schedulers on nodes, by its priorities
 *	slurm-builtin	the main scheduler alone
 *	pbs		cycles of PBS's scheduler, on one pool of processors
 */
#ifndef FAIRTOP_CORE_SIM_SIM_H
#define FAIRTOP_CORE_SIM_SIM_H

#include "core/base/err.h"

struct sim_job {
	int64_t submit;		/* s, in ascending order */
	int64_t start;		/* output */
	uint32_t run;		/* s, at least 1, at most ESTIMATE */
	uint32_t estimate;	/* s */
	uint32_t procs;		/* at least 1, at most those of the machine */
	uint32_t over;		/* output of slurm: s after RUN until its limit is seen */
};

/* How long a job has its processors, and when it frees them. */
static inline int64_t sim_length(const struct sim_job *job)
{
	return (int64_t)job->run + job->over;
}

static inline int64_t sim_end(const struct sim_job *job)
{
	return job->start + sim_length(job);
}

/* Named in policy_schedules. */
enum sim_policy {
	SIM_FCFS, SIM_EASY, SIM_EASY_SJBF, SIM_CONSERVATIVE, SIM_SLURM, SIM_SLURM_BUILTIN, SIM_PBS,
	SIM_POLICIES
};

struct past;

struct sim_options {
	enum sim_policy policy;
	uint32_t procs;
	uint32_t running;	/* the first jobs run at NOW since START; not with PAST */
	int64_t now;		/* if some run; no other job is submitted before it */
	const struct past *past;	/* required by slurm, slurm-builtin, pbs; borrowed */
	uint32_t depth;		/* for easy: jobs tried behind the first; 0: all */
	/* Called after each instant, so it must be cheap; false stops. May be NULL. */
	bool (*progress)(void *context, uint32_t ended, uint32_t jobs);
	void *context;
};

/* Fills START and OVER of jobs that do not run. ERR_INPUT: PROGRESS stops it, or jobs never fit. */
bool sim_run(struct sim_job *jobs, uint32_t count, const struct sim_options *o, struct err *err);

#endif
