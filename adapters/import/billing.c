/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job is charged per second, with its fraction: sacct prints whole billable TRES, but the
 * TRESBillingWeights of the partition and what was allocated tell the rest.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/import/import.h"
#include "core/billing.h"
#include "core/mem.h"

#define PAIRS_MAX 32

struct pairs {
	struct tres_pair at[PAIRS_MAX];
	uint32_t count;
};

struct import_weights {
	struct weighted {
		uint32_t partition;	/* text */
		struct pairs weights;
	} *at;
	size_t count, capacity;
};

static bool take(void *context, const struct tres_pair *pair, struct err *err)
{
	struct pairs *p = context;

	(void)err;
	if (p->count < PAIRS_MAX)
		p->at[p->count++] = *pair;
	return true;
}

void import_take_weights(struct import *im, const struct cluster *c)
{
	struct import_weights *w = mem_zalloc(1, sizeof(*w));

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_PARTITION); i++) {
		const char *text = cluster_text(c, F_PARTITION_BILLING_WEIGHTS, i);
		const char *name = cluster_text(c, F_PARTITION_NAME, i);
		struct weighted *one;

		if (!text || !*text || !name)
			continue;
		w->at = mem_grow(w->at, &w->capacity, w->count + 1, sizeof(*w->at));
		one = &w->at[w->count++];
		one->partition = import_text(im, slice_of(name));
		one->weights.count = 0;
		if (!tres_parse_weights(text, take, &one->weights, NULL))
			w->count--;
	}
	import_free_weights(im->weights);
	im->weights = w;
}

void import_free_weights(struct import_weights *w)
{
	if (!w)
		return;
	mem_free(w->at);
	mem_free(w);
}

/* PriorityFlags are not in the log: the mode is the one that gives the number printed. */
double import_billing(struct import *im, uint32_t partition, struct slice tres, double printed)
{
	const struct weighted *one = NULL;
	struct pairs counts = { .count = 0 };
	char text[1024];

	for (size_t i = 0; im->weights && i < im->weights->count; i++) {
		if (im->weights->at[i].partition == partition)
			one = &im->weights->at[i];
	}
	if (!one || tres.length >= sizeof(text))
		return printed;
	memcpy(text, tres.at, tres.length);
	text[tres.length] = '\0';
	if (!tres_parse_counts(text, take, &counts, NULL))
		return printed;
	for (enum billing_mode mode = BILLING_SUM; mode <= BILLING_MAX_TRES_GRES; mode++) {
		double exact = billing_of(counts.at, counts.count, one->weights.at,
					  one->weights.count, mode);

		if (exact >= printed && exact < printed + 1)
			return exact;
	}
	import_remark(im, "billing that the partition's weights do not explain: as printed");
	return printed;
}
