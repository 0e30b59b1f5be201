/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inspector and time: for a recording, reads pictures of the past, the latest first, until the
 * history has them; and forecasts the row under the cursor.
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

#define LOOKS_ROWS 1000000	/* most rows of all pictures read */
#define AHEAD (7 * 86400)	/* seconds */

/* ---- the past ------------------------------------------------------------------------------ */

/* Plans times spread over the past, the latest first. */
static void inspect_plan(struct app *a)
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

static bool inspect_look(struct app *a, int64_t time, struct cluster *cluster)
{
	struct inspect *in = a->inspect;
	struct picture *p;

	if (!in->asks || in->next == in->count || time != in->times[in->next])
		return false;
	in->next++;
	p = cluster ? app_picture(a, cluster) : NULL;
	if (p)
		history_add(&a->history, p->model, p->assoc_keys, time);
	picture_free(p);
	return true;
}

static const int64_t *inspect_survey(const struct app *a, size_t *count, uint32_t *needs)
{
	const struct inspect *in = a->inspect;

	*count = in->asks ? in->count - in->next : 0;
	*needs = NEED_SHARES | NEED_POLICY;
	return in->times + in->next;
}

/* An opened box comes first. */
static void inspect_after_past(struct app *a)
{
	struct inspect *in = a->inspect;
	bool asks;

	if (!a->picture || !a->travel->recorded)
		return;
	if (in->line == 0)
		inspect_plan(a);
	in->line = a->travel->line.count;
	asks = !pane_is_open(a) && a->idle->has_room(a) && in->next < in->count;
	if (asks != in->asks)
		a->effects |= APP_SURVEY;
	in->asks = asks;
}

/* ---- the coming days ----------------------------------------------------------------------- */

static void inspect_time_forget(struct app *a)
{
	struct inspect *in = a->inspect;

	foresight_stop(a, &in->asked);
	forecast_free(&in->ahead);
	in->known = in->begun = false;
}

static uint32_t inspect_row_of(const struct app *a)
{
	uint32_t row = a->picture ? list_row(&app_sheet_get(a)->list) : ROW_NONE;

	return a->view == VIEW_ACCOUNTS && row != 0 ? row : ROW_NONE;
}

static void inspect_ask(struct app *a, uint32_t row)
{
	struct inspect *in = a->inspect;
	struct forecast_seek_order order = {
		.kind = ASK_FORECAST, .options = a->model_options, .assoc = row,
		.entry = ROW_NONE, .forecast = { .reach = F64_UNKNOWN, .calendar = &zone_local,
			      .zone_is_ours = true },
	};
	union forecast_seek_answer answer;

	if (!a->picture->model->fs->fairshare)
		return;
	order.forecast.reach = forecast_goal(a, row);
	in->asked_ms = a->ms;
	in->progress[0] = '\0';
	if (foresight_ask(a, &order, &in->asked, &answer, NULL) == ASK_DONE) {
		forecast_free(&in->ahead);
		in->ahead = answer.forecast;
		in->known = true;
	}
}

/* Progress that is soon over is not shown. */
void inspect_take(struct app *a, struct foresight *f)
{
	struct inspect *in = a->inspect;

	memset(&in->of, 0, sizeof(in->of));	/* draw again */
	if (f->state == ASK_UNDER_WAY) {
		if (a->ms - in->asked_ms >= 1000)
			memcpy(in->progress, f->progress, sizeof(in->progress));
		return;
	}
	in->asked = 0;
	in->known = f->state == ASK_DONE;
	forecast_free(&in->ahead);
	if (in->known)
		in->ahead = f->answer.forecast;
	f->state = ASK_UNDER_WAY;
}

/*
 * Whether only the picture is newer. In a large tree one arrives before the forecast of the last
 * one is done, which otherwise would never finish.
 */
static bool inspect_goes_on(const struct app *a)
{
	return a->travel->at == I64_UNKNOWN && a->picture && !a->picture->run &&
	       !a->inspect->edited;
}

static void inspect_after_ahead(struct app *a)
{
	struct inspect *in = a->inspect;
	uint32_t row = inspect_row_of(a);
	uint64_t key = row != ROW_NONE ? a->picture->assoc_keys[row] : 0;

	if (key != in->key || (a->pictures != in->seen && !inspect_goes_on(a)))
		inspect_time_forget(a);
	else if (a->pictures != in->seen && in->asked == 0)
		in->begun = false;	/* known values stay until there are new ones */
	in->key = key;
	in->seen = a->pictures;
	in->edited = a->picture && a->picture->run;
	if (pane_is_open(a) || !a->idle->has_room(a) || row == ROW_NONE) {
		if (in->asked != 0)
			inspect_time_forget(a);
		return;
	}
	if (!in->begun)
		inspect_ask(a, row);
	in->begun = true;
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

static void inspect_after_event(struct app *a)
{
	inspect_after_past(a);
	inspect_after_ahead(a);
}

static void inspect_init(struct app *a)
{
	a->inspect = mem_zalloc(1, sizeof(*a->inspect));
}

static void inspect_end(struct app *a)
{
	forecast_free(&a->inspect->ahead);
	doc_free(&a->inspect->doc);
	mem_free(a->inspect);
}

void inspect_forget(struct app *a)
{
	history_free(&a->history);
	a->inspect->line = 0;
}

const struct feature inspect_feature = {
	.init = inspect_init, .free = inspect_end, .after_event = inspect_after_event,
	.survey = inspect_survey, .look = inspect_look,
};
