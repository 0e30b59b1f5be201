/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of audit: charges (audit.c), and why they differ from the usage held (audit_why.c). */
#ifndef FAIRTOP_CORE_REPLAY_AUDIT_PRIVATE_H
#define FAIRTOP_CORE_REPLAY_AUDIT_PRIVATE_H

#include "core/replay/audit.h"
#include "core/replay/replay_charge.h"
#include "core/replay/replay_private.h"

/* An association alone, without those below it. */
struct own {
	double begin;			/* usage at the beginning */
	double charged, held, allowed;
	uint32_t reason;		/* text of the audit */
};

struct audit_state {
	struct replay *r;
	const struct audit_options *o;
	struct audit *audit;
	struct charge charge;
	size_t first;			/* the pass of the last reset by the policy, else 0 */
	struct own *own;		/* per node */
	uint32_t *jobs, *begin;		/* those of node N: jobs[begin[N]] to jobs[begin[N + 1]] */
	double *billing;		/* per job, by the present weights */
	uint32_t *nodes;		/* by row of the tree */
};

/*
 * The conditions of a computation: how jobs are billed and weighed; usage was zeroed at pass FIRST.
 */
struct terms {
	size_t first;
	bool reported;			/* billed as the log reports, where the weights differ */
	bool more;			/* plus the fraction, which the log leaves out */
	bool seen;			/* UsageFactor as recorded at that time */
	uint32_t qos;			/* only its jobs, without its factor; 0: all jobs */
};
double audit_charge(const struct audit_state *w, uint32_t node, const struct terms *t);

/* Sets the reasons of the nodes that differ. */
void audit_explain(struct audit_state *w);

#endif
