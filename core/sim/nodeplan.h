/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodeplan: which nodes are free of reservations when, for one cycle of sched/backfill. */
#ifndef FAIRTOP_CORE_SIM_NODEPLAN_H
#define FAIRTOP_CORE_SIM_NODEPLAN_H

#include "core/sim/sim_site.h"

/* A span of a plan; each begins where the one before ends. */
struct nodeplan_span {
	int64_t begin, end;
	uint64_t *avail;		/* WORDS words, a bit for each node */
};

struct nodeplan {
	struct nodeplan_span *spans;	/* at least one */
	size_t count, capacity;
	uint32_t words;
	uint32_t made;			/* spans made, including those joined again */
};

/* All nodes are free in [BEGIN, END). */
void nodeplan_init(struct nodeplan *p, uint32_t words, int64_t begin, int64_t end);
void nodeplan_free(struct nodeplan *p);

/* Takes the nodes of COUNT shares out of [BEGIN, END), and joins spans that become equal. */
void nodeplan_reserve(struct nodeplan *p, int64_t begin, int64_t end,
		      const struct site_share *shares, uint32_t count);
bool nodeplan_overlaps(const struct nodeplan *p, int64_t begin, int64_t end,
		       const struct site_share *shares, uint32_t count);

/*
 * Puts into SET the nodes of PARTITION that are free of reservations from FROM to TO, inclusive.
 * Returns the first time after FROM at which nodes of it become available, 0 if never.
 */
int64_t nodeplan_find(const struct nodeplan *p, const uint64_t *partition, int64_t from, int64_t to,
		      uint64_t *set);

#endif
