/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodeplan: which nodes are free of reservations at which time, for one cycle of sched/backfill. */
#ifndef FAIRTOP_CORE_SIM_NODEPLAN_H
#define FAIRTOP_CORE_SIM_NODEPLAN_H

#include "core/sim/sim_site.h"

/* The spans follow each other. */
struct nodeplan_span {
	int64_t begin, end;
	uint64_t *avail;		/* WORDS words, a bit for each node */
};

struct nodeplan {
	struct nodeplan_span *spans;	/* at least one */
	size_t count, capacity;
	uint32_t words;
	uint32_t made;			/* spans, with those that were joined again */
};

/* All nodes are free in [BEGIN, END). */
void nodeplan_init(struct nodeplan *p, uint32_t words, int64_t begin, int64_t end);
void nodeplan_free(struct nodeplan *p);

/* Takes the nodes of COUNT shares out of [BEGIN, END), and joins spans that became alike. */
void nodeplan_reserve(struct nodeplan *p, int64_t begin, int64_t end,
		      const struct site_share *shares, uint32_t count);
bool nodeplan_overlaps(const struct nodeplan *p, int64_t begin, int64_t end,
		       const struct site_share *shares, uint32_t count);

/*
 * The nodes of PARTITION that are free of reservations from FROM to TO, both included, into SET;
 * returns when after FROM there are nodes of it that were not there before, 0 if never.
 */
int64_t nodeplan_find(const struct nodeplan *p, const uint64_t *partition, int64_t from, int64_t to,
		      uint64_t *set);

#endif
