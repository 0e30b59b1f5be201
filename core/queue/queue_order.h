/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue_order: the order in which the scheduler considers pending jobs.
 *
 * First difference decides: an expedited requeue (since Slurm 25.11), level of preemption
 * (preempt.h), reservation, PriorityTier, priority, submit time, job id, array task. The order is
 * total, apart from the members of a reported cycle of preemptions, which share their level.
 * Source: job_scheduler.c, sort_job_queue2(); spec of job priority, 4.
 *
 * priority/basic gives every job at submission a priority one lower than the last: the order is
 * that of submission, and nothing else counts.
 */
#ifndef FAIRTOP_CORE_QUEUE_QUEUE_ORDER_H
#define FAIRTOP_CORE_QUEUE_QUEUE_ORDER_H

#include "core/queue/job_index.h"
#include "core/queue/preempt.h"

struct queue_order {
	uint32_t n;			/* entries of the job index */
	uint32_t count;			/* ranked entries: pending ones that compete */
	uint32_t *order;		/* COUNT entries, first considered first */
	uint64_t doubt;	/* the first of CLASSES with an unknown priority, or UINT64_MAX */
	/*
	 * Per entry, 1 = first; U32_UNKNOWN if it does not compete, or an entry with an unknown
	 * priority may come before it.
	 */
	uint32_t *rank;
	uint32_t *partition_rank;	/* within the entry's partition */
	const char *problem;	/* "" or a caveat for the reader: a cycle of preemptions */
	uint64_t *classes;		/* per entry: what outranks the priority, least first */
	bool borrows_classes;		/* they belong to another order */
	/* Filled by queue_order_ahead(). */
	uint32_t *ahead;		/* distinct jobs (array tasks counted) before it */
	double *ahead_cpu_hours; /* their CPUs times time limits; infinite if one is unlimited */
};

/* What decided between two entries. */
enum queue_reason {
	QUEUE_SAME, QUEUE_EXPEDITED, QUEUE_PREEMPTION, QUEUE_RESERVATION, QUEUE_TIER,
	QUEUE_PRIORITY, QUEUE_SUBMIT, QUEUE_ID, QUEUE_NOT_RANKED
};

/* PRIORITY: per entry, as prio_run() computes it. */
struct queue_order *queue_order_new(const struct job_index *x, const struct policy *policy,
				    const struct preempt *preempt, const uint32_t *priority);
/*
 * The same if only priorities may differ from those of BASE, which must outlive it: same index, and
 * equal preemption levels, of which PREEMPT has its own rows.
 */
struct queue_order *queue_order_over(const struct queue_order *base, const struct job_index *x,
				     const struct policy *policy, const struct preempt *preempt,
				     const uint32_t *priority);
void queue_order_free(struct queue_order *q);

/* Counts the jobs before each entry. */
void queue_order_ahead(struct queue_order *q, const struct job_index *x);

/* Why A comes before B (or after): the first difference. */
enum queue_reason queue_reason(const struct job_index *x, const struct policy *policy,
			       const struct preempt *preempt, const uint32_t *priority, uint32_t a,
			       uint32_t b);

#endif
