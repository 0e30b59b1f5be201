/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/forecast_seek.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/timestr.h"

/* Rows that a slice may compute: one or two hundredths of a second. */
#define SLICE 200000
#define STEPS 64			/* of a first slice, at least */
#define UNTIL 256			/* factor of the time for a search for a start */

struct forecast_seek {
	struct forecast_seek_order order;
	struct cluster *cluster, *below;	/* shared */
	/*
	 * Both start from raw usage: reported ratios are not valid for other shares or another
	 * time.
	 */
	struct model *model;
	struct jobs *jobs;
	struct forecasting *forecasting;
	struct seeking *seeking;
};

struct forecast_seek *forecast_seek_new(const struct forecast_seek_order *order,
					struct cluster *cluster, struct cluster *below)
{
	struct forecast_seek *q = mem_zalloc(1, sizeof(*q));

	q->order = *order;
	q->order.options.base = FS_BASE_USAGE;
	q->order.forecast.assoc = order->assoc;
	q->order.forecast.entry = order->entry;
	q->cluster = cluster_share(cluster);
	q->below = below ? cluster_share(below) : NULL;
	return q;
}

void forecast_seek_free(struct forecast_seek *q)
{
	if (!q)
		return;
	forecast_end(q->forecasting, NULL);
	seek_end(q->seeking, NULL);
	jobs_free(q->jobs);
	model_free(q->model);
	cluster_free(q->cluster);
	cluster_free(q->below);
	mem_free(q);
}

static bool forecast_seek_begin(struct forecast_seek *q, struct err *err)
{
	const struct seek_question question = { .assoc = q->order.assoc, .entry = q->order.entry,
						.reach = q->order.reach,
						.until = q->order.until };

	if (q->order.kind == ASK_FORECAST)
		q->forecasting = forecast_begin(q->model, q->jobs, &q->order.forecast, err);
	else
		q->seeking = seek_begin(q->model, q->jobs, &question, err);
	return q->forecasting || q->seeking;
}

static void forecast_seek_end(struct forecast_seek *q, union forecast_seek_answer *out)
{
	if (q->order.kind == ASK_FORECAST)
		forecast_end(q->forecasting, &out->forecast);
	else
		seek_end(q->seeking, &out->seek);
	q->forecasting = NULL;
	q->seeking = NULL;
}

static enum forecast_seek_state forecast_seek_step(struct forecast_seek *q,
						   union forecast_seek_answer *out, struct err *err)
{
	bool left;

	if (!q->model) {
		q->model = model_new(q->cluster, &q->order.options, err);
		return q->model ? ASK_UNDER_WAY : ASK_FAILED;
	}
	if (!q->jobs && q->order.entry != ROW_NONE) {
		q->jobs = jobs_new(q->model, NULL);
		return ASK_UNDER_WAY;
	}
	if (!q->forecasting && !q->seeking)
		return forecast_seek_begin(q, err) ? ASK_UNDER_WAY : ASK_FAILED;
	left = q->order.kind == ASK_FORECAST ? forecast_step(q->forecasting) :
						 seek_step(q->seeking);
	if (left)
		return ASK_UNDER_WAY;
	forecast_seek_end(q, out);
	return ASK_DONE;
}

enum forecast_seek_state forecast_seek_advance(struct forecast_seek *q, bool first,
					       union forecast_seek_answer *out, struct err *err)
{
	uint32_t cost = cluster_rows(q->cluster, TABLE_ASSOC) + 1, spent = 0;
	enum forecast_seek_state state = ASK_UNDER_WAY;

	if (q->order.entry != ROW_NONE)
		cost += cluster_rows(q->cluster, TABLE_JOB);
	if (q->order.until)
		cost = cost < SLICE / UNTIL ? cost * UNTIL : SLICE;
	if (first && cost > SLICE / STEPS)
		return state;
	do {
		state = forecast_seek_step(q, out, err);
		spent += cost;
	} while (state == ASK_UNDER_WAY && spent + cost <= SLICE);
	return state;
}

void forecast_seek_progress(const struct forecast_seek *q, char *buf, size_t size)
{
	char ahead[64];
	uint32_t at, count;

	if (q->forecasting) {
		timestr_format(forecast_ahead(q->forecasting), ahead, sizeof(ahead));
		snprintf(buf, size, "looking %s ahead", ahead);
	} else if (q->seeking) {
		seek_progress(q->seeking, &at, &count);
		snprintf(buf, size, "trying edit %u of %u", at < count ? at + 1 : count, count);
	} else {
		snprintf(buf, size, "computing current values from raw usage");
	}
}
