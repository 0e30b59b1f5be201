/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_jobs: in which order PBS's scheduler looks at its jobs, and why.
 *
 * First difference decides: jobs that can run at all (their queue is started, and, where fair share
 * is enforced, their entity has shares), with by_queue the queue's priority, express queues
 * (Priority of at least preempt_queue_prio, where jobs may preempt), the value of job_sort_formula
 * (larger first) or, if there is none and fair_share is on, the paths of the fair-share tree; then
 * queue_rank, which is the time of arrival. Source: sort.cpp of OpenPBS; spec of PBS, 8.
 *
 * The names of a formula: eligible_time (s), queue_priority, job_priority, fairshare_perc (tree
 * percentage), fairshare_tree_usage, fairshare_factor (the three with six decimals, as the
 * scheduler writes them into the formula), accrue_type; every other name is a resource the job asks
 * for, sizes in kB, times in s, 0 if it does not.
 */
#ifndef FAIRTOP_CORE_PBS_JOBS_H
#define FAIRTOP_CORE_PBS_JOBS_H

#include "core/job_index.h"
#include "core/model.h"
#include "core/pbs_formula.h"

struct pbs_jobs {
	const struct model *model;	/* borrowed, like INDEX */
	const struct job_index *index;
	const struct policy *policy;
	uint32_t n;			/* entries of the index */
	struct pbs_formula *formula;	/* NULL: none is set, or it is not understood */
	char problem[300];		/* what the reader must know about the order; "" */
	double *value;			/* per entry, of the formula; NaN unknown */
	double *inputs;			/* per entry and name of the formula, row after row */
	uint32_t *priority; /* larger is considered earlier, all distinct; U32_UNKNOWN */
};

struct pbs_jobs *pbs_jobs_new(const struct model *m, const struct job_index *x,
			      const struct policy *policy);
void pbs_jobs_free(struct pbs_jobs *p);

/* What decides between two entries. */
enum pbs_reason {
	PBS_REASON_RUNNABLE,
	PBS_REASON_QUEUE,
	PBS_REASON_EXPRESS,
	PBS_REASON_FORMULA,
	PBS_REASON_FAIRSHARE,
	PBS_REASON_RANK
};
enum pbs_reason pbs_jobs_reason(const struct pbs_jobs *p, uint32_t a, uint32_t b);

/* NULL, or why the entry will not be run as things are. */
const char *pbs_jobs_stopped(const struct pbs_jobs *p, uint32_t entry);
double pbs_jobs_queue_priority(const struct pbs_jobs *p, uint32_t entry);
bool pbs_jobs_is_express(const struct pbs_jobs *p, uint32_t entry);

/* Appends the derivation of one entry's place: names, terms, value. */
void pbs_jobs_explain(const struct pbs_jobs *p, uint32_t entry, struct explain *e);

#endif
