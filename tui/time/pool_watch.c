/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/time/pool_watch.h"

#include "core/base/mem.h"
#include "tui/rows/views.h"
#include "tui/time/travel.h"
#include "tui/whatif/show.h"

struct pool_watch {
	int64_t of;		/* the time shown when it was planned */
	int64_t *wanted;
	size_t count, next;
};

static void pool_watch_init(struct app *a)
{
	a->pool_watch = mem_zalloc(1, sizeof(*a->pool_watch));
	a->pool_watch->of = I64_UNKNOWN;
}

static void pool_watch_end(struct app *a)
{
	mem_free(a->pool_watch->wanted);
	mem_free(a->pool_watch);
}

static void pool_watch_plan(const struct app *a, struct pool_watch *w)
{
	mem_free(w->wanted);
	w->wanted = pool_past_plan(&a->pool_past, &a->travel->line, w->of,
				   a->picture->pools->hist_hours, &w->count);
	w->next = 0;
}

/* Finishes one plan before the next one. */
static void pool_watch_after_event(struct app *a)
{
	struct pool_watch *w = a->pool_watch;
	int64_t time = travel_time(a);

	if (!a->travel->recorded || time == I64_UNKNOWN || time == w->of || w->next < w->count ||
	    !a->picture->pools || a->picture->pools->pool_count == 0)
		return;
	w->of = time;
	pool_watch_plan(a, w);
	if (a->pool_past.samples + w->count > POOL_PAST_SAMPLES) {
		pool_past_free(&a->pool_past);
		pool_watch_plan(a, w);
	}
	if (w->count > 0)
		a->effects |= APP_SURVEY;
}

static const int64_t *pool_watch_survey(const struct app *a, size_t *count, uint32_t *needs)
{
	const struct pool_watch *w = a->pool_watch;

	*count = w->count - w->next;
	*needs = POOL_PAST_NEEDS;
	return w->wanted ? w->wanted + w->next : NULL;
}

static bool pool_watch_look(struct app *a, int64_t time, struct cluster *cluster)
{
	struct pool_watch *w = a->pool_watch;
	struct picture seen = { .cluster = cluster };

	if (w->next == w->count || w->wanted[w->next] != time)
		return false;
	w->next++;
	if (cluster)
		app_make_pools(a, &seen);
	if (seen.pools)
		pool_past_add(&a->pool_past, seen.pools, time);
	picture_forget_pools(&seen);
	cluster_free(cluster);
	if (w->next == w->count) {
		app_pools_anew(a);
		a->effects |= APP_SURVEY;	/* let the next feature have its turn */
	}
	return true;
}

const struct feature pool_watch_feature = {
	.init = pool_watch_init, .free = pool_watch_end, .after_event = pool_watch_after_event,
	.survey = pool_watch_survey, .look = pool_watch_look,
};
