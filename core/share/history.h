/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history: past values of U, R and F of every row, as far back as they were read.
 *
 * Bounded: when full, it drops the sample that leaves the smallest hole; the first and the last
 * stay. With too many rows for even a few samples, it keeps nothing.
 */
#ifndef FAIRTOP_CORE_SHARE_HISTORY_H
#define FAIRTOP_CORE_SHARE_HISTORY_H

#include "core/share/model.h"
#include "core/cluster/idmap.h"

#define HISTORY_BYTES (16 << 20)
#define HISTORY_SAMPLES 120

/* R: usage over share; in Fair Tree, which has none, 1 / LevelFS. */
enum history_quantity { HISTORY_U, HISTORY_R, HISTORY_F, HISTORY_QUANTITIES };

struct history {
	struct idmap slots;		/* by the rows' identities */
	float *values;			/* [slot][quantity][sample] */
	size_t slot_capacity;
	int64_t times[HISTORY_SAMPLES];	/* of the samples, ascending */
	uint32_t samples, capacity;	/* per quantity; 0: not started, or too many rows */
};

void history_free(struct history *h);

/* TIME may be before, between or after the others; a time already present is ignored. */
void history_add(struct history *h, const struct model *m, const uint64_t *keys, int64_t time);

/* The samples of a row, NaN where it was absent; NULL if there are none. Sets COUNT. */
const float *history_get(const struct history *h, uint64_t key, enum history_quantity quantity,
			 uint32_t *count);

/*
 * Returns since when QUANTITY of a row has been above LINE (OVER) or not, judging by samples up to
 * NOW; I64_UNKNOWN if unknown. ALWAYS: true in all samples; the result is the first.
 */
int64_t history_since(const struct history *h, uint64_t key, enum history_quantity quantity,
		      double line, bool over, int64_t now, bool *always);

#endif
