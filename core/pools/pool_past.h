/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool_past: the slots in use of every queue since the screen was opened, for sources that tell
 * nothing of the past themselves.
 *
 * Bounded as history.h: when it is full, every second sample is forgotten and from then on only
 * every second one is kept. A recording that is looked at backwards fills the curve from behind.
 * The same picture again, and one without any known number, is not kept.
 */
#ifndef FAIRTOP_CORE_POOLS_POOL_PAST_H
#define FAIRTOP_CORE_POOLS_POOL_PAST_H

#include "core/pools/pools.h"
#include "core/cluster/idmap.h"

#define POOL_PAST_SAMPLES 240

/* All zeros is an empty one. */
struct pool_past {
	struct idmap slots;		/* identity of a queue to its place in values */
	float *values;			/* [place][sample]; NaN: not known */
	size_t capacity;
	int64_t times[POOL_PAST_SAMPLES];
	uint32_t samples, stride, skipped;
};

void pool_past_free(struct pool_past *past);	/* leaves an empty one */

/* The queues of P at TIME; KEYS are those of its rows. */
void pool_past_add(struct pool_past *past, const struct pools *p, const uint64_t *keys,
		   int64_t time);

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
struct pool_series pool_past_get(const struct pool_past *past, const struct pools *p,
				 const uint64_t *keys, uint32_t row, int64_t until);
void pool_series_free(struct pool_series *series);

#endif
