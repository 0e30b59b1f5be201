/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history: what U, R and F of every row were, as far back as they were watched or looked up.
 *
 * Bounded: where there is no room for another sample, the one is forgotten whose absence leaves the
 * smallest hole; the first and the last one stay. With so many rows that not even a few samples
 * fit, nothing is kept.
 */
#ifndef FAIRTOP_CORE_SHARE_HISTORY_H
#define FAIRTOP_CORE_SHARE_HISTORY_H

#include "core/share/model.h"
#include "core/cluster/idmap.h"

#define HISTORY_BYTES (16 << 20)
#define HISTORY_SAMPLES 120

/* R: usage over share; of Fair Tree, which has none, the inverse of LevelFS. */
enum history_quantity { HISTORY_U, HISTORY_R, HISTORY_F, HISTORY_QUANTITIES };

struct history {
	struct idmap slots;		/* of the rows' identities */
	float *values;			/* [slot][quantity][sample] */
	size_t slot_capacity;
	int64_t times[HISTORY_SAMPLES];	/* of the samples, ascending */
	uint32_t samples, capacity;	/* per quantity; capacity 0: not begun, or too many rows */
};

void history_free(struct history *h);

/* TIME is between, before or after those that there are; one that is there already is left out. */
void history_add(struct history *h, const struct model *m, const uint64_t *keys, int64_t time);

/* The samples of a row, NaN where it was not there; NULL if there are none. COUNT is set. */
const float *history_get(const struct history *h, uint64_t key, enum history_quantity quantity,
			 uint32_t *count);

/*
 * Since when QUANTITY of a row has been above LINE (OVER) or not, up to the last sample not later
 * than NOW; I64_UNKNOWN: that is not known. ALWAYS: in all samples, the first of which it is.
 */
int64_t history_since(const struct history *h, uint64_t key, enum history_quantity quantity,
		      double line, bool over, int64_t now, bool *always);

#endif
