/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The billing of a job with its fraction: sacct prints whole billable TRES, but the
 * TRESBillingWeights of the partition and the allocated TRES give the exact value.
 *
 * The log lacks PriorityFlags, so it is unknown whether TRES are added up or the largest counts.
 * Often several modes give the printed whole number: the mode that explains most jobs is used for
 * those, too.
 */
#include <string.h>

#include "adapters/import/import.h"
#include "core/share/billing.h"
#include "core/base/mem.h"

#define PAIRS_MAX 32

struct weights_pairs {
	struct tres_pair at[PAIRS_MAX];
	uint32_t count;
};

#define MODES (BILLING_MAX_TRES_GRES + 1)

struct import_weights {
	struct weighted {
		uint32_t partition;	/* text */
		struct weights_pairs weights;
	} *at;
	size_t count, capacity;
	uint64_t explains[MODES];	/* number of jobs */
	/* Jobs that several modes explain, with different numbers; NaN for modes that do not. */
	struct doubt {
		uint32_t job;
		double billing[MODES];
	} *doubts;
	size_t doubt_count, doubt_capacity;
	double last[MODES];		/* of the last job computed */
	bool doubtful;
};

static bool weights_take(void *context, const struct tres_pair *pair, struct err *err)
{
	struct weights_pairs *p = context;

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
		MEM_GROW(w->at, w->capacity, w->count + 1);
		one = &w->at[w->count++];
		one->partition = import_text(im, slice_of(name));
		one->weights.count = 0;
		if (!tres_parse_weights(text, weights_take, &one->weights, NULL))
			w->count--;
	}
	import_free_weights(im->weights);
	im->weights = w;
}

void import_free_weights(struct import_weights *w)
{
	if (!w)
		return;
	MEM_FREE(w->at, w->doubts, w);
}

/* The billing by each mode that gives PRINTED; returns the first one, NaN if none. */
static double weights_explain(struct import_weights *w, const struct weights_pairs *counts,
			      const struct weights_pairs *weights, double printed)
{
	double first = F64_UNKNOWN;

	w->doubtful = false;
	for (unsigned mode = 0; mode < MODES; mode++) {
		double exact = billing_of(counts->at, counts->count, weights->at, weights->count,
					  (enum billing_mode)mode);
		bool good = exact >= printed && exact < printed + 1;

		w->last[mode] = good ? exact : F64_UNKNOWN;
		w->explains[mode] += good;
		if (good && f64_known(first) && (exact > first || exact < first))
			w->doubtful = true;
		if (good && !f64_known(first))
			first = exact;
	}
	return first;
}

double import_billing(struct import *im, uint32_t partition, struct slice tres, double printed)
{
	struct import_weights *w = im->weights;
	const struct weighted *one = NULL;
	struct weights_pairs counts = { .count = 0 };
	char text[1024];
	double exact;

	for (size_t i = 0; w && i < w->count; i++) {
		if (w->at[i].partition == partition)
			one = &w->at[i];
	}
	if (w)
		w->doubtful = false;
	if (!one || tres.length >= sizeof(text))
		return printed;
	memcpy(text, tres.at, tres.length);
	text[tres.length] = '\0';
	if (!tres_parse_counts(text, weights_take, &counts, NULL))
		return printed;
	exact = weights_explain(w, &counts, &one->weights, printed);
	if (f64_known(exact))
		return exact;
	import_remark(im, "billing not explained by the partition's weights: as printed");
	return printed;
}

void import_billing_of(struct import *im, uint32_t job)
{
	struct import_weights *w = im->weights;
	struct doubt *doubt;

	if (!w || !w->doubtful)
		return;
	MEM_GROW(w->doubts, w->doubt_capacity, w->doubt_count + 1);
	doubt = &w->doubts[w->doubt_count++];
	doubt->job = job;
	memcpy(doubt->billing, w->last, sizeof(w->last));
	w->doubtful = false;
}

void import_finish_billing(struct import *im)
{
	struct import_weights *w = im->weights;
	unsigned best = 0;

	for (unsigned mode = 1; w && mode < MODES; mode++) {
		if (w->explains[mode] > w->explains[best])
			best = mode;
	}
	for (size_t i = 0; w && i < w->doubt_count; i++) {
		const struct doubt *doubt = &w->doubts[i];

		if (f64_known(doubt->billing[best]))
			replay_job(im->replay, doubt->job)->billing = doubt->billing[best];
	}
}
