/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recent: pictures of a live source, as many as fit, so that the screen can step back in time
 * without a file.
 *
 * Bounded: when there is no room for another, the picture that will be missed least is forgotten,
 * so that those kept lie further apart the further back they are. The first and the last stay.
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
	int64_t gap_since, gap_until;	/* nothing was known then, before TIME; I64_UNKNOWN */
	bool changed;			/* another policy than the one before */
};

struct recent {
	struct recent_picture *pictures;	/* owned, ascending by time */
	size_t count, capacity;
	size_t bytes;
	size_t bytes_most;		/* 0: RECENT_BYTES */
};

void recent_free(struct recent *r);

/*
 * Shares C, taken at TIME; what is not later than the last one is left out. AFTER_OUTAGE: nothing
 * was known since the one before.
 */
void recent_add(struct recent *r, struct cluster *c, int64_t time, bool after_outage);

/* The last picture not later than TIME, borrowed; NULL. */
struct cluster *recent_at(const struct recent *r, int64_t time);

/* What there is, into T, whose former contents are freed. */
void recent_timeline(const struct recent *r, struct timeline *t);

#endif
