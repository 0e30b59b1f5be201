/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time line: a cell for each part of the time shown. A thick line where there are pictures, a
 * thin one where the previous one still holds, a gap where nothing is known, a sign where the
 * policy changed, and one at the screen's time.
 */
#include "tui/time/travel.h"

#include <stdio.h>
#include <string.h>

#include "core/base/format.h"

#define ONE_LINE 10		/* screen height from which one line fits */
#define TWO_LINES 20		/* and from which both fit */

int time_bar_lines(const struct app *a)
{
	if (a->height < ONE_LINE || !a->picture ||
	    (!a->travel->bar && !travel_past(a) && !a->pane.ops->over_time))
		return 0;
	return a->height < TWO_LINES ? 1 : 2;
}

/* The sign of a cell: the most important one. */
static enum glyph time_bar_sign(const struct timeline *t, int64_t from, int64_t to, enum role *role)
{
	uint32_t first = timeline_from(t, from), before = timeline_at(t, from);

	*role = ROLE_BADGE;
	if (timeline_changed(t, from - 1, to - 1))
		return GLYPH_CHANGE;
	*role = ROLE_WARN;
	if (timeline_gap(t, from, to))
		return GLYPH_GAP;
	*role = ROLE_CHART;
	if (first != TIMELINE_NONE && t->samples[first] < to)
		return GLYPH_BAR;
	*role = ROLE_DIM;
	if (before == TIMELINE_NONE || (first == TIMELINE_NONE && from > t->end))
		return GLYPH_BLANK;
	return GLYPH_HLINE;
}

struct track {
	int64_t from, to;
	int x, width;
};

static int64_t time_bar_time_of(const struct track *k, int i)
{
	return k->from + (int64_t)((double)(k->to - k->from) * i / k->width);
}

/* The first second after cell I; the end of the time line is in the last one. */
static int64_t end_of(const struct track *k, int i)
{
	return i + 1 == k->width ? k->to + 1 : time_bar_time_of(k, i + 1);
}

static int time_bar_place_of(const struct track *k, int64_t time)
{
	int i = (int)((double)(time - k->from) / (double)(k->to - k->from) * k->width);

	return i < 0 ? 0 : i >= k->width ? k->width - 1 : i;
}

#define NAME 32			/* length of a formatted time */

/* Places the track between the texts of its ends; false: it does not fit. */
static bool lay_track(const struct app *a, int width, struct track *k, char from[NAME],
		      char to[NAME])
{
	bool brief = k->to - k->from < 86400 && !travel_past(a);

	travel_name(k->from, brief, from, NAME);
	travel_name(k->to, true, to, NAME);
	k->x = 2 + (int)strlen(from);
	k->width = width - 2 - (int)strlen(to) - k->x;
	return k->width > 0;
}

static void draw_track(const struct app *a, struct canvas *c, int y, struct track *k)
{
	const struct travel *t = a->travel;
	int64_t at = travel_time(a);
	char from[NAME], to[NAME];
	enum role role;

	if (!lay_track(a, c->width, k, from, to))
		return;
	canvas_put(c, 1, y, c->width, ROLE_LABEL, from);
	for (int i = 0; i < k->width; i++) {
		enum glyph glyph = time_bar_sign(&t->line, time_bar_time_of(k, i), end_of(k, i),
						 &role);
		canvas_glyph_put(c, k->x + i, y, role, glyph);
	}
	canvas_put(c, k->x + k->width + 1, y, c->width, ROLE_LABEL, to);
	if (at != I64_UNKNOWN && at >= k->from && at <= k->to) {
		canvas_glyph_put(c, k->x + time_bar_place_of(k, at), y, ROLE_CHART_POINT,
				 GLYPH_HERE);
		canvas_ground(c, k->x + time_bar_place_of(k, at), y, 1, GROUND_CURSOR);
	}
}

/* "12:31:07 sample 812 of 2,880", and what is unusual about that time. */
static void time_bar_say_place(const struct app *a, char *buf, size_t size)
{
	const struct timeline *t = &a->travel->line;
	uint32_t here = travel_index(a);
	int64_t at = t->samples[here], next = here + 1 < t->count ? t->samples[here + 1] : t->end;
	const struct timeline_gap *gap = timeline_gap(t, at, next);
	char when[32];

	travel_name(at, true, when, sizeof(when));
	snprintf(buf, size, "%s  sample %u of %zu", when, here + 1, t->count);
	if (here > 0 && timeline_changed(t, at - 1, at))
		format_append(buf, size, "  policy changed");
	if (gap)
		format_append(buf, size, "  then a gap%s%.60s", gap->reason[0] != '\0' ? ": " : "",
			      gap->reason);
}

/* The keys that move in time, right-aligned; returns where they begin. */
static int draw_keys(const struct app *a, struct canvas *c, int y)
{
	static const struct {
		const char *first, *second, *hint;
	} hints[] = { { "now", NULL, "now" }, { "go-to", NULL, "go to" },
		      { "earlier-hour", "later-hour", "hour" }, { "earlier", "later", "step" } };
	char one[32], other[32];
	int x = c->width;

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]) && x > c->width / 2; i++) {
		const char *hint = i == 0 && a->travel->recorded && !a->source.live ? "end" :
				   hints[i].hint;

		keymap_titles(&a->keymap, a->view, hints[i].first, c->ascii, 1, one, sizeof(one));
		other[0] = '\0';
		if (hints[i].second)
			keymap_titles(&a->keymap, a->view, hints[i].second, c->ascii, 1, other,
				      sizeof(other));
		if (one[0] == '\0')
			continue;
		x -= canvas_text_width(c, one) + canvas_text_width(c, other) +
		     (int)strlen(hint) + 3 + (other[0] != '\0');
		int at = x + canvas_put(c, x, y, c->width, ROLE_KEY, one);
		if (other[0] != '\0')
			at += 1 + canvas_put(c, at + 1, y, c->width, ROLE_KEY, other);
		canvas_put(c, at + 1, y, c->width, ROLE_HINT, hint);
	}
	return x - 2;
}

void time_bar_draw(const struct app *a, struct canvas *c, int y)
{
	struct track k = { .from = 0 };
	char text[160];
	int lines = time_bar_lines(a), x, width, end;

	if (lines == 0)
		return;
	canvas_fill(c, 0, y, c->width, lines, GROUND_BAR);
	if (!travel_window(a, &k.from, &k.to)) {
		canvas_put(c, 1, y, c->width, ROLE_DIM, "no past data from this source");
		return;
	}
	draw_track(a, c, y, &k);
	if (lines < 2)
		return;
	end = draw_keys(a, c, y + 1);
	time_bar_say_place(a, text, sizeof(text));
	width = canvas_text_width(c, text);
	x = k.x + time_bar_place_of(&k, a->travel->line.samples[travel_index(a)]) - width / 2;
	if (x + width > end)
		x = end - width;
	canvas_name(c, x < 1 ? 1 : x, y + 1, end - 1, ROLE_VALUE, text);
}

void time_bar_click(struct app *a, int x)
{
	const struct timeline *line = &a->travel->line;
	struct track k = { .from = 0 };
	char from[NAME], to[NAME];
	uint32_t index;

	if (!travel_window(a, &k.from, &k.to) || !lay_track(a, a->width, &k, from, to) ||
	    x < k.x || x >= k.x + k.width)
		return;
	travel_play(a, 0);
	/* The last picture of the cell, or the one that held then. */
	index = timeline_at(line, end_of(&k, x - k.x) - 1);
	travel_go(a, index != TIMELINE_NONE ? index : 0);
}
