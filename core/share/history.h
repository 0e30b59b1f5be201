/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history: what U, R and F of every row were since the screen was opened.
 *
 * Bounded: when there is no room for another sample, every second one is forgotten and from then on
 * only every second refresh is kept, so that the curves always begin at the start. With so many
 * rows that not even a few samples fit, nothing is kept.
 */
#ifndef FAIRTOP_CORE_SHARE_HISTORY_H
#define FAIRTOP_CORE_SHARE_HISTORY_H

#include "core/share/model.h"
#include "core/cluster/idmap.h"

#define HISTORY_BYTES (16 << 20)
#define HISTORY_SAMPLES 120

enum history_quantity { HISTORY_U, HISTORY_R, HISTORY_F, HISTORY_QUANTITIES };

struct history {
	struct idmap slots;		/* of the rows' identities */
	float *values;			/* [slot][quantity][sample] */
	size_t slot_capacity;
	uint32_t samples, capacity;	/* per quantity; capacity 0: not begun, or too many rows */
	uint32_t stride, skipped;	/* every stride-th refresh is kept */
	int64_t begin, end;		/* times of the first and last sample */
};

void history_free(struct history *h);
void history_add(struct history *h, const struct model *m, const uint64_t *keys, int64_t time);

/* The samples of a row, NaN where it was not there; NULL if there are none. COUNT is set. */
const float *history_get(const struct history *h, uint64_t key, enum history_quantity quantity,
			 uint32_t *count);

#endif
