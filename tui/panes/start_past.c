/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/start_past.h"

#include <string.h>

#include "core/base/mem.h"
#include "tui/time/travel.h"

/* Requests the pictures that are not gathered yet: at first the last ones, then new ones. */
static void start_past_begin(struct app *a)
{
	struct start_past *p = a->start_past;
	const struct timeline *line = &a->travel->line;
	size_t from = line->count > START_PAST_MOST ? line->count - START_PAST_MOST : 0;

	if (!p->replay) {
		p->replay = replay_new();
		p->gather = gather_new(p->replay);
	}
	while (from < line->count && line->samples[from] <= p->until)
		from++;
	p->next = 0;
	p->count = line->count - from;
	p->wanted = mem_realloc(p->wanted, p->count + 1, sizeof(*p->wanted));
	memcpy(p->wanted, line->samples + from, p->count * sizeof(*p->wanted));
	if (p->count > 0)
		a->effects |= APP_SURVEY;
}

struct joblog *start_past_log(struct app *a)
{
	struct start_past *p = a->start_past;

	if (!a->travel->recorded || p->failed)
		return NULL;
	if (p->next == p->count)
		start_past_begin(a);
	if (p->next < p->count)
		return NULL;
	return joblog_of(p->replay, cluster_meta(a->picture->cluster)->time);
}

static const int64_t *start_past_survey(const struct app *a, size_t *count, uint32_t *needs)
{
	const struct start_past *p = a->start_past;

	*count = p->count - p->next;
	*needs = NEED_JOBS;
	return *count > 0 ? p->wanted + p->next : NULL;
}

static bool start_past_look(struct app *a, int64_t time, struct cluster *cluster)
{
	struct start_past *p = a->start_past;

	if (p->next == p->count || time != p->wanted[p->next])
		return false;
	p->next++;
	if (!cluster) {
		p->failed = true;
		p->next = p->count;
	} else {
		gather_add(p->gather, cluster);
		p->until = time;
	}
	cluster_free(cluster);
	if (p->next == p->count) {
		p->gathered++;
		a->effects |= APP_SURVEY;	/* other requests may be pending */
	}
	return true;
}

static void start_past_init(struct app *a)
{
	a->start_past = mem_zalloc(1, sizeof(*a->start_past));
	a->start_past->until = INT64_MIN;
}

static void start_past_leave(struct app *a)
{
	gather_free(a->start_past->gather);
	replay_free(a->start_past->replay);
	mem_free(a->start_past->wanted);
	mem_free(a->start_past);
}

const struct feature start_past_feature = {
	.init = start_past_init, .free = start_past_leave, .survey = start_past_survey,
	.look = start_past_look,
};
