/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool_past: the slots in use of every queue as fairtop watched them or as a recording has them,
 * for sources that tell nothing of the past themselves: a curve, and the slots that the queue has
 * accumulated, which order the queues of a pool.
 *
 * Bounded as history.h: when it is full, every second sample is forgotten and from then on only
 * every second one is kept. Samples of a recording may come in any order. The same picture again,
 * and one without any known number, is not kept.
 */
#ifndef FAIRTOP_CORE_POOLS_POOL_PAST_H
#define FAIRTOP_CORE_POOLS_POOL_PAST_H

#include "core/cluster/idmap.h"
#include "core/cluster/timeline.h"
#include "core/pools/pools.h"

#define POOL_PAST_SAMPLES 4096
#define POOL_PAST_NEEDS (NEED_PARTITIONS | NEED_JOBS)	/* what the slots in use are told by */
#define POOL_PAST_HOLD 3600	/* seconds that a sample stands for at most: longer is a gap */

/* All zeros is an empty one. */
struct pool_past {
	struct idmap slots;		/* hash of a queue's name to its place in values */
	float *values;			/* [place][sample]; NaN: not known */
	size_t capacity;
	int64_t times[POOL_PAST_SAMPLES];
	uint32_t samples, stride, skipped;
	int64_t offered;		/* the time of the last one, where it was skipped */
};

void pool_past_free(struct pool_past *past);	/* leaves an empty one */

/* The queues of P at TIME. */
void pool_past_add(struct pool_past *past, const struct pools *p, int64_t time);

/*
 * Slot-hours of QUEUE up to TIME by slots_accumulate(), each sample's slots until the next one;
 * from where they are known on. Unknown while nothing was watched before TIME.
 */
double pool_past_accumulated(const struct pool_past *past, const char *queue, int64_t time,
			     double hist_hours);

/*
 * Which samples of LINE to look at for what is accumulated at TIME: those earlier than it that
 * still count for a millionth (HIST_HOURS) and are not in PAST; of too many every second, third,
 * ... one. Ascending, to be freed with mem_free().
 */
#define POOL_PAST_LOOKS 2000
int64_t *pool_past_plan(const struct pool_past *past, const struct timeline *line, int64_t time,
			double hist_hours, size_t *count);

/* A curve: slots at times, oldest first. */
struct pool_series {
	int64_t *times;		/* owned, as are the values */
	float *values;		/* NaN: not known */
	size_t count;
};

/*
 * What the source tells of row ROW of P, then what was seen since; nothing after UNTIL. To be freed
 * by pool_series_free().
 */
struct pool_series pool_past_get(const struct pool_past *past, const struct pools *p, uint32_t row,
				 int64_t until);
void pool_series_free(struct pool_series *series);

#endif
