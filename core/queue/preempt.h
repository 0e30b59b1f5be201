/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preempt: which jobs may preempt which, as levels.
 *
 * "May preempt" is pairwise and not transitive, so it does not define an order. The classes (QOS,
 * or partition tiers) form a graph with an edge from the preemptor to the preempted; the level of a
 * class is the longest chain of preemptors above it, 0 if no class preempts it. Classes that
 * preempt each other in a cycle share a level, and the cycle is reported.
 */
#ifndef FAIRTOP_CORE_QUEUE_PREEMPT_H
#define FAIRTOP_CORE_QUEUE_PREEMPT_H

#include "core/cluster/cluster.h"

enum preempt_kind { PREEMPT_NONE, PREEMPT_QOS, PREEMPT_PARTITION };

struct preempt {
	enum preempt_kind kind;
	uint32_t n;		/* rows of QOS */
	uint32_t *level;	/* per QOS row; lower is considered first */
	bool *in_cycle;		/* per QOS row */
	bool cyclic;
};

/* From PreemptType of POLICY and the preempt lists of the QOS table. */
struct preempt *preempt_new(const struct cluster *c, const struct policy *policy);
void preempt_free(struct preempt *p);

/* Do both rank every job alike, in a cluster with the same partitions and QOS? */
bool preempt_equal(const struct preempt *a, const struct preempt *b);

#endif
