/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timeline: what is known of a cluster's past: the times of its pictures, gaps in which nothing is
 * known, changes of policy. Times are Unix seconds.
 */
#ifndef FAIRTOP_CORE_CLUSTER_TIMELINE_H
#define FAIRTOP_CORE_CLUSTER_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMELINE_REASON 120
#define TIMELINE_NONE UINT32_MAX

/* All times are within this many seconds of 1970: differences cannot overflow. */
#define TIMELINE_MOST INT64_C(1000000000000000)

/* Nothing is known after SINCE and before UNTIL. */
struct timeline_gap {
	int64_t since, until;	/* until I64_UNKNOWN: it lasts */
	char reason[TIMELINE_REASON];	/* "" unknown */
};

struct timeline {
	/* Owned, strictly ascending: times of the pictures. */
	int64_t *samples;
	size_t count, capacity;
	/* Owned, ascending by since. */
	struct timeline_gap *gaps;
	size_t gap_count, gap_capacity;
	/* Owned, ascending: pictures with another policy than the one before. */
	int64_t *changes;
	size_t change_count, change_capacity;
	/* Until when the last picture is known to hold; its own time if that is later. */
	int64_t end;
};

void timeline_free(struct timeline *t);		/* frees and empties it */

/*
 * Adds a picture later than all before it; ignores others, and those whose time is out of range
 * (TIMELINE_MOST).
 */
void timeline_add(struct timeline *t, int64_t time);
void timeline_add_gap(struct timeline *t, int64_t since, int64_t until, const char *reason);
void timeline_add_change(struct timeline *t, int64_t time);

/* The last picture not later than TIME; the first not earlier. TIMELINE_NONE: there is none. */
uint32_t timeline_at(const struct timeline *t, int64_t time);
uint32_t timeline_from(const struct timeline *t, int64_t time);

/* A gap that overlaps the span between the two times; NULL if there is none. */
const struct timeline_gap *timeline_gap(const struct timeline *t, int64_t from, int64_t to);

/* Did the policy change after FROM, at TO at the latest? */
bool timeline_changed(const struct timeline *t, int64_t from, int64_t to);

/* From the first picture to the end; false without pictures. */
bool timeline_range(const struct timeline *t, int64_t *from, int64_t *to);

#endif
