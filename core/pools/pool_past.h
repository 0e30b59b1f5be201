/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool_past: past slots in use of every queue, as fairtop read them or from a recording, for
 * sources without a past of their own: a curve, and the accumulated slots that order the queues of
 * a pool.
 *
 * Bounded like history.h: when full, it drops every second sample and from then on keeps only every
 * second one. Samples of a recording may come in any order. Repeated pictures, and those without
 * any known number, are ignored.
 */
#ifndef FAIRTOP_CORE_POOLS_POOL_PAST_H
#define FAIRTOP_CORE_POOLS_POOL_PAST_H

#include "core/cluster/idmap.h"
#include "core/cluster/timeline.h"
#include "core/pools/pools.h"

#define POOL_PAST_SAMPLES 4096
#define POOL_PAST_NEEDS (NEED_PARTITIONS | NEED_JOBS)	/* needed for slots in use */
#define POOL_PAST_HOLD 3600	/* seconds that a sample is valid; longer is a gap */

/* All zeros is empty. */
struct pool_past {
	struct idmap slots;		/* hash of a queue's name to its index in values */
	float *values;			/* [index][sample]; NaN: unknown */
	size_t capacity;
	int64_t times[POOL_PAST_SAMPLES];
	uint32_t samples, stride, skipped;
	int64_t offered;		/* time of the last sample if it was skipped */
};

void pool_past_free(struct pool_past *past);	/* leaves an empty one */

/* Adds the queues of P at TIME. */
void pool_past_add(struct pool_past *past, const struct pools *p, int64_t time);

/*
 * Accumulated slot-hours of QUEUE up to TIME by slots_accumulate(), each sample valid until the
 * next; starts at the first known one. NaN without samples before TIME.
 */
double pool_past_accumulated(const struct pool_past *past, const char *queue, int64_t time,
			     double hist_hours);

/*
 * The samples of LINE to read for the accumulated slots at TIME: those before it that still count
 * for a millionth (HIST_HOURS) and are not in PAST; with too many, every second, third, ... one.
 * Ascending; free with mem_free().
 */
#define POOL_PAST_LOOKS 2000
int64_t *pool_past_plan(const struct pool_past *past, const struct timeline *line, int64_t time,
			double hist_hours, size_t *count);

/* A curve: slots at times, oldest first. */
struct pool_series {
	int64_t *times;		/* owned, as are the values */
	float *values;		/* NaN: unknown */
	size_t count;
};

/*
 * The past that the source reports of row ROW of P, then the samples; nothing after UNTIL. Free
 * with pool_series_free().
 */
struct pool_series pool_past_get(const struct pool_past *past, const struct pools *p, uint32_t row,
				 int64_t until);
void pool_series_free(struct pool_series *series);

#endif
