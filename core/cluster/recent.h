/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recent: the last pictures of a live source, within a memory limit, so that the screen can step
 * back in time without a file.
 *
 * When memory for another is missing, the least useful picture is dropped, so that older ones are
 * further apart. The first and the last stay.
 */
#ifndef FAIRTOP_CORE_CLUSTER_RECENT_H
#define FAIRTOP_CORE_CLUSTER_RECENT_H

#include "core/cluster/cluster.h"
#include "core/cluster/timeline.h"

#define RECENT_BYTES ((size_t)96 << 20)
#define RECENT_MOST 1440

struct recent_picture {
	int64_t time;
	struct cluster *cluster;	/* a share of it */
	int64_t gap_since, gap_until;	/* gap before TIME without data; I64_UNKNOWN */
	bool changed;			/* not the policy of the one before */
};

struct recent {
	struct recent_picture *pictures;	/* owned, ascending by time */
	size_t count, capacity;
	size_t bytes;
	size_t bytes_most;		/* 0: RECENT_BYTES */
};

void recent_free(struct recent *r);

/*
 * Shares C, taken at TIME; ignored unless later than the last one. AFTER_OUTAGE: nothing was known
 * since the one before.
 */
void recent_add(struct recent *r, struct cluster *c, int64_t time, bool after_outage);

/* The last picture not later than TIME, borrowed; NULL. */
struct cluster *recent_at(const struct recent *r, int64_t time);

/* Writes the timeline of the pictures into T, whose former contents are freed. */
void recent_timeline(const struct recent *r, struct timeline *t);

#endif
