/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/time/travel.h"

#include <stdio.h>
#include <time.h>

#include "core/base/mem.h"
#include "core/base/timeword.h"
#include "tui/base/zone.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

#define DAY 86400
#define SPAN_LEAST 60
#define TICK_MS 250
#define WAIT_MS 1000		/* most time on one picture: gaps are skipped */

bool travel_past(const struct app *a)
{
	return a->travel->at != I64_UNKNOWN || (a->travel->recorded && !a->source.live);
}

const char *travel_now(const struct app *a)
{
	return travel_past(a) || a->source.health == SOURCE_ENDED ? "then" : "now";
}

int64_t travel_time(const struct app *a)
{
	int64_t time;

	if (!a->picture)
		return I64_UNKNOWN;
	time = cluster_meta(a->picture->cluster)->time;
	return time != I64_UNKNOWN ? time : a->travel->at;
}

/* The requested picture, which may not be there yet. */
uint32_t travel_index(const struct app *a)
{
	const struct travel *t = a->travel;

	if (t->line.count == 0)
		return TIMELINE_NONE;
	if (t->at == I64_UNKNOWN)
		return (uint32_t)(t->line.count - 1);
	uint32_t i = timeline_at(&t->line, t->at);
	return i != TIMELINE_NONE ? i : 0;
}

/* ---- names --------------------------------------------------------------------------------- */

void travel_name(int64_t time, bool brief, char *buf, size_t size)
{
	struct civil c;
	char seconds[8] = "";

	if (time == I64_UNKNOWN || !zone_local.to_local(zone_local.context, time, &c)) {
		snprintf(buf, size, "-");
		return;
	}
	if (c.second != 0)
		snprintf(seconds, sizeof(seconds), ":%02d", c.second % 100);
	if (brief)
		snprintf(buf, size, "%02d:%02d%s", c.hour, c.minute, seconds);
	else
		snprintf(buf, size, "%04d-%02d-%02d %02d:%02d%s", c.year, c.month, c.day, c.hour,
			 c.minute, seconds);
}

void travel_clock(const struct app *a, int64_t time, char *buf, size_t size)
{
	int64_t now = travel_time(a);
	bool near = time > now - DAY / 2 && time < now + DAY / 2;
	time_t t = (time_t)time;
	struct tm tm;

	buf[0] = '\0';
	if (localtime_r(&t, &tm))
		(void)strftime(buf, size, near ? "%H:%M" : "%a %-d %b %H:%M", &tm);
}

void travel_spell(int64_t seconds, char *buf, size_t size)
{
	static const struct {
		int64_t seconds;
		char unit;
	} units[] = { { DAY, 'd' }, { 3600, 'h' }, { 60, 'm' }, { 1, 's' } };
	size_t i = 0;

	while (seconds < units[i].seconds && units[i].seconds > 1)
		i++;
	if (seconds % units[i].seconds == 0)
		snprintf(buf, size, "%lld%c", (long long)(seconds / units[i].seconds),
			 units[i].unit);
	else
		snprintf(buf, size, "%.1f%c", (double)seconds / (double)units[i].seconds,
			 units[i].unit);
}

/* ---- known pictures ------------------------------------------------------------------------ */

static void keep_history(struct app *a, const struct picture *picture)
{
	int64_t time = cluster_meta(picture->cluster)->time;

	history_add(&a->history, picture->model, picture->assoc_keys,
		    time != I64_UNKNOWN ? time : a->now);
}

/* Keeps the shown picture inside the visible part of time. */
static void hold_window(struct app *a)
{
	struct travel *t = a->travel;
	int64_t first, last, at;

	if (t->span == 0 || !timeline_range(&t->line, &first, &last))
		return;
	if (t->span >= last - first) {
		t->span = 0;
		return;
	}
	at = t->at != I64_UNKNOWN ? t->at : last;
	if (at < t->from || at > t->from + t->span)
		t->from = at - t->span / 2;
	if (t->from + t->span > last)
		t->from = last - t->span;
	if (t->from < first)
		t->from = first;
}

void travel_line(struct app *a, struct timeline *line)
{
	struct travel *t = a->travel;

	timeline_free(&t->line);
	t->line = *line;
	*line = (struct timeline){ .count = 0 };
	t->recorded = true;
	recent_free(&t->recent);
	hold_window(a);
}

void travel_arrived(struct app *a, struct picture *picture)
{
	struct travel *t = a->travel;
	int64_t time = cluster_meta(picture->cluster)->time;

	if (!t->recorded && a->source.live) {
		recent_add(&t->recent, picture->cluster, time != I64_UNKNOWN ? time : a->now,
			   t->outage);
		recent_timeline(&t->recent, &t->line);
		t->outage = false;
		hold_window(a);
		if (t->at != I64_UNKNOWN) {
			keep_history(a, picture);
			picture_free(t->latest);
			t->latest = picture;
			return;
		}
	}
	if (t->simulated) {
		picture_free(picture);
		return;
	}
	if (t->at == I64_UNKNOWN)
		keep_history(a, picture);
	app_show_picture(a, picture);
}

void travel_simulated(struct app *a, struct cluster *cluster, int64_t time)
{
	struct picture *picture = picture_bare(cluster);

	picture->unmarked = true;
	travel_play(a, 0);
	a->travel->at = time;
	a->travel->simulated = true;
	app_show_picture(a, picture);
}

/* ---- moving -------------------------------------------------------------------------------- */

static void show_recent(struct app *a, int64_t time)
{
	struct cluster *c = recent_at(&a->travel->recent, time);

	if (c)
		app_show_picture(a, picture_bare(cluster_share(c)));
}

static void stand_at(struct app *a, int64_t at)
{
	struct travel *t = a->travel;
	struct picture *latest = t->latest;

	if (at == t->at && !t->simulated)
		return;
	t->at = at;
	t->simulated = false;
	hold_window(a);
	if (t->recorded) {
		a->effects |= APP_SEEK;
	} else if (at == I64_UNKNOWN && latest) {
		t->latest = NULL;
		app_show_picture(a, latest);
	} else if (t->line.count > 0) {
		show_recent(a, at != I64_UNKNOWN ? at : t->line.samples[t->line.count - 1]);
	}
}

void travel_go(struct app *a, uint32_t index)
{
	const struct timeline *line = &a->travel->line;

	if (index < line->count)
		stand_at(a, index + 1 == line->count ? I64_UNKNOWN : line->samples[index]);
}

void travel_end(struct app *a)
{
	stand_at(a, I64_UNKNOWN);
}

static void say_begin(struct app *a)
{
	char when[32];

	travel_name(a->travel->line.samples[0], false, when, sizeof(when));
	app_say(a, ROLE_MESSAGE, a->travel->recorded ? "the recording starts here, at %s" :
			"fairtop has data since %s; a recording goes back further", when);
}

/* Goes from picture HERE to WANTED, or as far as there are pictures. */
static void go_or_say(struct app *a, int64_t wanted)
{
	const struct timeline *line = &a->travel->line;
	int64_t here = (int64_t)travel_index(a), last = (int64_t)line->count - 1;

	if (line->count == 0) {
		app_say(a, ROLE_MESSAGE, "no past data from this source");
		return;
	}
	if (wanted < 0 && here == 0)
		say_begin(a);
	if (wanted > last && here == last)
		app_say(a, ROLE_MESSAGE, a->travel->recorded && !a->source.live ?
			"the recording ends here" : "this is now");
	travel_go(a, (uint32_t)(wanted < 0 ? 0 : wanted > last ? last : wanted));
}

void travel_step(struct app *a, int64_t pictures)
{
	travel_play(a, 0);
	go_or_say(a, (int64_t)travel_index(a) + pictures);
}

void travel_by(struct app *a, int64_t seconds)
{
	const struct timeline *line = &a->travel->line;
	uint32_t here = travel_index(a), there;

	travel_play(a, 0);
	if (here == TIMELINE_NONE) {
		go_or_say(a, 0);
		return;
	}
	there = seconds < 0 ? timeline_at(line, line->samples[here] + seconds)
			    : timeline_from(line, line->samples[here] + seconds);
	if (there == TIMELINE_NONE)
		go_or_say(a, seconds < 0 ? -1 : (int64_t)line->count);
	else
		go_or_say(a, there);
}

void travel_nudge(struct app *a, int direction)
{
	int64_t from, to, cell;

	if (!travel_window(a, &from, &to))
		return;
	cell = (to - from) / (a->width > 1 ? a->width : 1);
	travel_by(a, direction * (cell > 0 ? cell : 1));
}

bool travel_parse(const struct app *a, const char *text, int64_t *time, struct err *err)
{
	int64_t first, last;
	char when[32];

	if (!timeline_range(&a->travel->line, &first, &last))
		return err_set(err, ERR_INPUT, "no past data from this source");
	if (!timeword_parse(text, last, &zone_local, time, err))
		return false;
	if (*time < first || *time > last) {
		travel_name(*time < first ? first : last, false, when, sizeof(when));
		return err_set(err, ERR_INPUT, *time < first ?
			       "%s: no data before %s" :
			       "%s: no data after %s", text, when);
	}
	return true;
}

bool travel_to(struct app *a, const char *text, struct err *err)
{
	const struct timeline *line = &a->travel->line;
	const struct timeline_gap *gap;
	int64_t time;

	if (!travel_parse(a, text, &time, err))
		return false;
	travel_play(a, 0);
	travel_go(a, timeline_at(line, time));
	gap = timeline_gap(line, time - 1, time + 1);
	if (gap && gap->since < time && (gap->until == I64_UNKNOWN || gap->until > time))
		app_say(a, ROLE_WARN, "no data then (%s): this is the sample before",
			gap->reason[0] != '\0' ? gap->reason : "a gap");
	return true;
}

/* ---- visible part of time ------------------------------------------------------------------ */

bool travel_window(const struct app *a, int64_t *from, int64_t *to)
{
	const struct travel *t = a->travel;

	if (!timeline_range(&t->line, from, to))
		return false;
	if (t->span > 0) {
		*from = t->from;
		*to = t->from + t->span;
	}
	if (*to <= *from)
		*to = *from + 1;
	return true;
}

/* To half or twice its length, around the shown picture. */
void travel_zoom(struct app *a, bool in)
{
	struct travel *t = a->travel;
	int64_t from, to, first, last, at;
	char text[32];

	if (!travel_window(a, &from, &to) || !timeline_range(&t->line, &first, &last))
		return;
	t->span = in ? (to - from) / 2 : (to - from) * 2;
	if (t->span < SPAN_LEAST)
		t->span = SPAN_LEAST;
	at = t->at != I64_UNKNOWN ? t->at : last;
	t->from = at - t->span / 2;
	hold_window(a);
	if (t->span == 0) {
		app_say(a, ROLE_MESSAGE, "all the time with data");
		return;
	}
	travel_spell(t->span, text, sizeof(text));
	app_say(a, ROLE_MESSAGE, "%s of time", text);
}

/* ---- playing -------------------------------------------------------------------------------- */

void travel_play(struct app *a, int64_t speed)
{
	struct travel *t = a->travel;
	uint32_t here = travel_index(a);

	t->speed = here != TIMELINE_NONE ? speed : 0;
	if (t->speed == 0)
		return;
	t->head = (double)t->line.samples[here];
	t->tick_ms = a->ms + TICK_MS;
	t->waited_ms = a->ms;
}

/* Whether the picture of the last request has arrived. */
static bool has_come(const struct app *a)
{
	const struct travel *t = a->travel;

	if (whatif_waits(a))
		return false;
	return !t->recorded || t->at == I64_UNKNOWN ||
	       travel_time(a) == t->line.samples[travel_index(a)];
}

static void travel_tick(struct app *a)
{
	struct travel *t = a->travel;
	uint32_t here = travel_index(a), there;

	if (t->speed == 0 || a->ms < t->tick_ms)
		return;
	/* Playing faster than pictures arrive skips some, and does not fall behind. */
	t->head += (double)t->speed * (double)(a->ms - t->tick_ms + TICK_MS) / 1000;
	t->tick_ms = a->ms + TICK_MS;
	if (!has_come(a))
		return;
	there = timeline_at(&t->line, (int64_t)t->head);
	if (there <= here && a->ms - t->waited_ms >= WAIT_MS) {
		there = here + 1;
		if (there < t->line.count)
			t->head = (double)t->line.samples[there];
	}
	if (there > here && there < t->line.count) {
		t->waited_ms = a->ms;
		travel_go(a, there);
	}
	if (there + 1 >= t->line.count) {
		t->speed = 0;
		app_say(a, ROLE_MESSAGE, "played to the end");
	}
}

static int64_t travel_next_ms(const struct app *a)
{
	return a->travel->speed > 0 ? a->travel->tick_ms : -1;
}

/* ---- the feature --------------------------------------------------------------------------- */

static void travel_init(struct app *a)
{
	a->travel = mem_zalloc(1, sizeof(*a->travel));
	a->travel->at = I64_UNKNOWN;
}

static void travel_free(struct app *a)
{
	timeline_free(&a->travel->line);
	recent_free(&a->travel->recent);
	picture_free(a->travel->latest);
	mem_free(a->travel);
}

const struct feature travel_feature = {
	.init = travel_init, .free = travel_free, .after_event = travel_tick,
	.next_ms = travel_next_ms,
};
