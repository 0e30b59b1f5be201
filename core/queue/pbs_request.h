/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_request: a PBS job's request for vnodes: its select, chunk by chunk, and its place.
 *
 * Only resources on the resources: line of sched_config count, and all booleans. Source:
 * parse_selspec() and parse_placespec() of OpenPBS's scheduler.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_REQUEST_H
#define FAIRTOP_CORE_QUEUE_PBS_REQUEST_H

#include "core/cluster/cluster.h"

/* name=value of a chunk. */
struct pbs_item {
	const char *name, *value;	/* borrowed, not NUL-ended */
	size_t name_length, length;
	uint32_t tres;			/* ROW_NONE: a word, or 0 of an amount no vnode has */
	double amount;			/* in the unit of the TRES; NaN: a word */
};

/* Reads ITEM from "ncpus=4:mem=1gb+..." at *TEXT and moves past it; false at the chunk's end. */
bool pbs_item_next(const struct cluster *c, const char **text, struct pbs_item *item);
bool pbs_item_is_boolean(const struct pbs_item *item);

/* One kind of chunk: "2:ncpus=4:mem=1gb" requests two of it. */
struct pbs_chunk {
	uint32_t count;
	struct pbs_item *items;		/* in the scheduler's order: words before amounts */
	uint32_t words, items_count;
};

struct pbs_request {
	uint32_t job;			/* row of the JOB table */
	bool pack, scatter, vscatter, excl, exclhost, shared;
	int64_t length;			/* s */
	struct pbs_chunk *chunks;	/* owned */
	uint32_t count;			/* kinds */
	uint64_t total;			/* chunks of all kinds */
	struct pbs_item *items;		/* owned: of all chunks */
};

/* False: the select of the job at row JOB is unknown, or it is in a reservation, with vnodes. */
bool pbs_request_reported(const struct cluster *c, uint32_t job);

/* Reads JOB's request if it is known; CHECKED: the resources: line, NULL or "": all count. */
bool pbs_request_read(const struct cluster *c, const char *checked, uint32_t job,
		      struct pbs_request *r);
void pbs_request_free(struct pbs_request *r);

#endif
