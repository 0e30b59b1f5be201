/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the inspector knows of time: of a recording pictures of the past, the latest first, until
 * the history has them; and what becomes of the row under the cursor, unless the tree is so large
 * that a key would wait for it.
 */
#include "tui/panes/pane_inspect.h"

#include <string.h>

#include "core/base/mem.h"
#include "tui/base/zone.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_forecast.h"
#include "tui/time/travel.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

#define LOOKS_ROWS 1000000	/* of all pictures of the past that are looked at, at most */
#define AT_ONCE 20000		/* rows of a tree of which a forecast makes no key wait */
#define AHEAD (7 * 86400)	/* seconds */

/* ---- the past ------------------------------------------------------------------------------ */

/* Times of the past that are spread over it, the latest first. */
static void plan(struct app *a)
{
	struct inspect *in = a->inspect;
	const struct timeline *line = &a->travel->line;
	uint32_t rows = cluster_rows(a->picture->cluster, TABLE_ASSOC);
	int64_t first, last, most = LOOKS_ROWS / (rows + 1);

	in->count = in->next = 0;
	if (!timeline_range(line, &first, &last))
		return;
	most = most < INSPECT_LOOKS ? most : INSPECT_LOOKS;
	for (int64_t i = 1; i <= most; i++) {
		int64_t time = line->samples[timeline_at(line, last - (last - first) * i / most)];

		if (in->count == 0 || time < in->times[in->count - 1])
			in->times[in->count++] = time;
	}
}

static bool look(struct app *a, int64_t time, struct cluster *cluster)
{
	struct inspect *in = a->inspect;
	struct picture *p;

	if (!in->asks || in->next == in->count || time != in->times[in->next])
		return false;
	in->next++;
	p = cluster != NULL ? app_picture(a, cluster) : NULL;
	if (p != NULL)
		history_add(&a->history, p->model, p->assoc_keys, time);
	picture_free(p);
	return true;
}

static const int64_t *survey(const struct app *a, size_t *count, uint32_t *needs)
{
	const struct inspect *in = a->inspect;

	*count = in->asks ? in->count - in->next : 0;
	*needs = NEED_SHARES | NEED_POLICY;
	return in->times + in->next;
}

/* Whoever opens a box wants to see that first. */
static void settle_past(struct app *a)
{
	struct inspect *in = a->inspect;
	bool asks;

	if (a->picture == NULL || !a->travel->recorded)
		return;
	if (in->line == 0)
		plan(a);
	in->line = a->travel->line.count;
	asks = !pane_is_open(a) && a->idle->has_room(a) && in->next < in->count;
	if (asks != in->asks)
		a->effects |= APP_SURVEY;
	in->asks = asks;
}

/* ---- the coming days ----------------------------------------------------------------------- */

static void forget(struct inspect *in)
{
	forecast_seek_free(in->asked);
	in->asked = NULL;
	forecast_free(&in->ahead);
	in->known = false;
}

static uint32_t row_of(const struct app *a)
{
	uint32_t row = a->picture != NULL ? list_row(&app_sheet_get(a)->list) : ROW_NONE;

	return a->view == VIEW_ACCOUNTS && row != 0 ? row : ROW_NONE;
}

static void ask(struct app *a, uint32_t row)
{
	struct inspect *in = a->inspect;
	const struct fs_result *fs = a->picture->model->fs;
	const struct picture *base = whatif_base(a);
	struct forecast_seek_order order = {
		.kind = ASK_FORECAST, .options = a->model_options, .assoc = row,
		.entry = ROW_NONE, .forecast = { .reach = F64_UNKNOWN, .calendar = &zone_local,
			      .zone_is_ours = true },
	};

	order.forecast.reach = forecast_goal(a, row);
	if (fs->fairshare == NULL)
		return;
	in->asked = forecast_seek_new(&order, a->picture->cluster,
				      base != a->picture ? base->cluster : NULL);
}

static void go_on(struct app *a)
{
	struct inspect *in = a->inspect;
	union forecast_seek_answer answer;
	struct err err = { 0 };

	switch (forecast_seek_advance(in->asked, false, &answer, &err)) {
	case ASK_UNDER_WAY:
		a->effects |= APP_MORE;
		return;
	case ASK_DONE:
		in->ahead = answer.forecast;
		in->known = true;
		break;
	case ASK_FAILED:
		break;
	}
	forecast_seek_free(in->asked);
	in->asked = NULL;
}

static void settle_ahead(struct app *a)
{
	struct inspect *in = a->inspect;
	uint32_t row = row_of(a);
	uint64_t key = row != ROW_NONE ? a->picture->assoc_keys[row] : 0;

	if (key != in->key || a->pictures != in->seen) {
		forget(in);
		in->key = key;
		in->seen = a->pictures;
		in->begun = false;
	}
	if (pane_is_open(a) || !a->idle->has_room(a) || row == ROW_NONE)
		return;
	if (!in->begun && cluster_rows(a->picture->cluster, TABLE_ASSOC) <= AT_ONCE)
		ask(a, row);
	in->begun = true;
	if (in->asked != NULL)
		go_on(a);
}

uint32_t inspect_ahead(const struct app *a, int64_t *until, float *values, uint32_t most)
{
	const struct inspect *in = a->inspect;
	const struct forecast *f = &in->ahead;
	int64_t begin, last;
	uint32_t i = 0, n;

	if (!in->known || f->count < 2)
		return 0;
	begin = f->points[0].time;
	last = f->points[f->count - 1].time;
	last = last - begin > AHEAD ? begin + AHEAD : last;
	for (n = 0; n < most && most > 1; n++) {
		int64_t time = begin + (last - begin) * n / (most - 1);

		while (i + 2 < f->count && f->points[i + 1].time < time)
			i++;
		const struct forecast_point *p = &f->points[i], *q = p + 1;
		double part = (double)(time - p->time) / (double)(q->time - p->time);

		values[n] = (float)(forecast_value(p) +
				    part * (forecast_value(q) - forecast_value(p)));
	}
	*until = last;
	return n;
}

/* ---- the feature --------------------------------------------------------------------------- */

static void settle(struct app *a)
{
	settle_past(a);
	settle_ahead(a);
}

static void init(struct app *a)
{
	a->inspect = mem_zalloc(1, sizeof *a->inspect);
}

static void end(struct app *a)
{
	forget(a->inspect);
	doc_free(&a->inspect->doc);
	mem_free(a->inspect);
}

void inspect_forget(struct app *a)
{
	history_free(&a->history);
	a->inspect->line = 0;
}

const struct feature inspect_feature = {
	.init = init, .free = end, .settle = settle, .survey = survey, .look = look,
};
