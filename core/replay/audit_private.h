/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of audit: what is charged (audit.c), why it is not what is held (audit_why.c). */
#ifndef FAIRTOP_CORE_REPLAY_AUDIT_PRIVATE_H
#define FAIRTOP_CORE_REPLAY_AUDIT_PRIVATE_H

#include "core/replay/audit.h"
#include "core/replay/replay_charge.h"
#include "core/replay/replay_private.h"

/* An association by itself: without those below it. */
struct own {
	double begin;			/* usage that was there */
	double charged, held, allowed;
	uint32_t reason;		/* text of the audit */
};

struct work {
	struct replay *r;
	const struct audit_options *o;
	struct audit *audit;
	struct charge charge;
	size_t first;			/* the pass of the last reset by the policy, else 0 */
	struct own *own;		/* of nodes */
	uint32_t *jobs, *begin;		/* those of node N: jobs[begin[N]] to jobs[begin[N + 1]] */
	double *billing;		/* of jobs, by the weights of now */
	uint32_t *nodes;		/* at the rows of the tree */
};

/* What a node would have if jobs were billed and weighed so, and usage zeroed at pass FIRST. */
struct terms {
	size_t first;
	bool told;			/* billed as the log says where the weights differ */
	bool more;			/* and by the part behind the point, which it leaves out */
	bool seen;			/* UsageFactor as it was seen then */
	uint32_t qos;			/* of this one alone, and without its factor; 0: of all */
};
double audit_charge(const struct work *w, uint32_t node, const struct terms *t);

/* Sets the reasons of the nodes that differ. */
void audit_explain(struct work *w);

#endif
