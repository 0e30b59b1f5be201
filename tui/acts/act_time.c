/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands that move in time. */
#include "tui/acts/act.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/timeword.h"
#include "tui/panes/chart.h"
#include "tui/panes/difference.h"
#include "tui/time/travel.h"

#define MINUTE 60
#define HOUR 3600
#define DAY 86400

ACT(act_freeze)
{
	a->frozen = !a->frozen;
	a->travel->outage = true;	/* nothing is read meanwhile */
	return true;
}

ACT(act_refresh)
{
	if (!a->source.live) {
		app_say(a, ROLE_MESSAGE, "this source was read once; it does not change");
		return true;
	}
	if (a->frozen) {
		app_say(a, ROLE_MESSAGE, "frozen: z resumes");
		return true;
	}
	a->effects |= APP_REFRESH;
	return true;
}

/* ---- steps --------------------------------------------------------------------------------- */

/* "minute" is one minute, "15m" a duration. */
static bool parse_duration(const char *text, int64_t *seconds)
{
	char one[64];
	double value;

	snprintf(one, sizeof(one), "1%s", text);
	if (!timeword_duration(text, &value) && !timeword_duration(one, &value))
		return false;
	*seconds = value >= 1 && value <= 1e9 ? (int64_t)value : 0;
	return *seconds > 0;
}

/* Reads a number of pictures, or a duration. */
static bool act_step(struct app *a, const struct words *words, int direction, struct err *err)
{
	const char *text = words->count > 1 ? words->word[1] : "1";
	int64_t seconds;
	char *end;
	long n = strtol(text, &end, 10);

	if (words->count <= 2 && *end == '\0' && end != text && n >= 1 && n <= INT32_MAX) {
		travel_step(a, direction * n);
		return true;
	}
	if (words->count > 2 || *end == '\0' || !parse_duration(text, &seconds))
		return err_set(err, ERR_INPUT, "%s '%s': expected a number of samples, or "
			       "minute, hour, day, 15m", words->word[0], text);
	travel_by(a, direction * seconds);
	return true;
}

ACT(act_earlier)
{
	return act_step(a, words, -1, err);
}

ACT(act_later)
{
	return act_step(a, words, 1, err);
}

#define STEP(name, seconds) \
	ACT(name) \
	{ \
		travel_by(a, seconds); \
		return true; \
	}
STEP(act_earlier_minute, -MINUTE)
STEP(act_later_minute, MINUTE)
STEP(act_earlier_hour, -HOUR)
STEP(act_later_hour, HOUR)
STEP(act_earlier_day, -DAY)
STEP(act_later_day, DAY)

ACT(act_go_to)
{
	if (words->count > 1)
		return travel_to(a, line + words->start[1], err);
	prompt_open(&a->prompt, PROMPT_TIME, "");
	return true;
}

ACT(act_now)
{
	travel_play(a, 0);
	if (!travel_past(a))
		app_say(a, ROLE_MESSAGE, "this is now");
	travel_end(a);
	return true;
}

/* ---- playing ------------------------------------------------------------------------------- */

static const int64_t speeds[] = { 1,	    10,		30,	   MINUTE,   2 * MINUTE, 5 * MINUTE,
				  10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 6 * HOUR,
				  12 * HOUR, DAY,	2 * DAY,   7 * DAY };
#define SPEEDS (sizeof(speeds) / sizeof(speeds[0]))

/* Some pictures per second. */
static int64_t usual_speed(const struct app *a)
{
	const struct timeline *t = &a->travel->line;
	size_t i = 0;
	int64_t each;

	if (t->count < 2)
		return 1;
	each = (t->samples[t->count - 1] - t->samples[0]) / (int64_t)(t->count - 1);
	while (i + 1 < SPEEDS && speeds[i] < 3 * each)
		i++;
	return speeds[i];
}

/* At the end, begins at the start of the visible part of time. */
static void act_time_play(struct app *a, int64_t speed)
{
	const struct timeline *t = &a->travel->line;
	int64_t from, to;
	char text[32];

	if (!travel_window(a, &from, &to) || t->count < 2) {
		app_say(a, ROLE_MESSAGE, "no past to play");
		return;
	}
	if (travel_index(a) + 1 == t->count)
		travel_go(a, timeline_from(t, from));
	travel_play(a, speed);
	travel_spell(speed, text, sizeof(text));
	app_say(a, ROLE_MESSAGE, "playing %s a second", text);
}

ACT(act_play)
{
	int64_t speed = usual_speed(a);

	if (words->count == 1 && a->travel->speed > 0) {
		travel_play(a, 0);
		app_say(a, ROLE_MESSAGE, "playing stopped");
		return true;
	}
	if (words->count > 2 || (words->count == 2 && !parse_duration(words->word[1], &speed)))
		return err_set(err, ERR_INPUT,
			       "play '%s': expected the time to play in a second, like 10m",
			       words->word[1]);
	act_time_play(a, speed);
	return true;
}

static void change_speed(struct app *a, bool faster)
{
	size_t i = 0;

	if (a->travel->speed == 0) {
		app_say(a, ROLE_MESSAGE, "nothing is playing: play starts it");
		return;
	}
	while (i < SPEEDS &&
	       (faster ? speeds[i] <= a->travel->speed : speeds[i] < a->travel->speed))
		i++;
	if (faster ? i < SPEEDS : i > 0)
		act_time_play(a, speeds[faster ? i : i - 1]);
}

ACT(act_faster)
{
	change_speed(a, true);
	return true;
}

ACT(act_slower)
{
	change_speed(a, false);
	return true;
}

/* ---- visible part of time ------------------------------------------------------------------ */

ACT(act_history)
{
	if (words->count > 2)
		return err_set(err, ERR_INPUT, "history: expected columns like fairshare,rank");
	if (list_row(&app_sheet(a)->list) == ROW_NONE) {
		app_say(a, ROLE_MESSAGE, "no row to show");
		return true;
	}
	if (words->count == 2 && !chart_choose(a, words->word[1], err))
		return false;
	if (words->count == 1 && a->pane.ops == &chart_pane)
		pane_close(a);
	else
		chart_open(a, words->count == 1);
	return true;
}

ACT(act_difference)
{
	if (words->count > 1)
		return difference_from(a, line + words->start[1], err);
	if (a->pane.ops == &difference_pane)
		pane_close(a);
	else
		prompt_open(&a->prompt, PROMPT_DIFFERENCE, "");
	return true;
}

ACT(act_timeline)
{
	a->travel->bar = !a->travel->bar;
	if (!a->travel->bar && travel_past(a))
		app_say(a, ROLE_MESSAGE, "the time line is always shown in the past");
	return true;
}

ACT(act_zoom_in)
{
	travel_zoom(a, true);
	return true;
}

ACT(act_zoom_out)
{
	travel_zoom(a, false);
	return true;
}
