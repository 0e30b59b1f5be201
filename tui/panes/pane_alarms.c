/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/pane_alarms.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/visible.h"
#include "core/watch/watch.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_source.h"
#include "tui/rows/views.h"
#include "tui/time/travel.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

#define KEPT 500		/* alarms in the list; older ones are dropped */

const char *const alarm_rings[] = { "off", "bell", "osc9", "osc777", NULL };

/* An alarm, from its begin on. */
struct alarms_reported {
	char name[ALARM_NAME_MAX];
	const struct alarm_view *view;
	char *object;
	int64_t begin, end;		/* END I64_UNKNOWN: it is on */
};

struct alarms {
	struct watch *watch;
	size_t ring;			/* index in alarm_rings */
	struct alarms_reported reported[KEPT];	/* the newest last */
	size_t count;
	char news[200];			/* for the last evaluation */
	size_t fresh;			/* alarms that began in it */
	bool down;			/* the source did not answer the last time ... */
	int64_t asked_ms;		/* ... and is read again at this time */
	/* The row to go to once its picture is there. */
	enum view_id wanted_view;
	char *wanted;			/* NULL: none */
	int64_t wanted_time;
};

/* ---- rules ---------------------------------------------------------------------------------- */

bool alarms_rule(const struct app *a, size_t i, char *buf, size_t size)
{
	const struct alarm_rule *rule;

	if (i >= watch_rules(a->alarms->watch))
		return false;
	rule = watch_rule(a->alarms->watch, i);
	snprintf(buf, size, "%s %s", rule->name, rule->text);
	return true;
}

bool alarms_set_ring(struct app *a, const char *value, struct err *err)
{
	for (size_t i = 0; alarm_rings[i]; i++) {
		if (strcmp(alarm_rings[i], value) != 0)
			continue;
		a->alarms->ring = i;
		return true;
	}
	return err_set(err, ERR_INPUT, "ring '%s': expected off, bell, osc9 or osc777", value);
}

const char *alarms_ring(const struct app *a)
{
	return alarm_rings[a->alarms->ring];
}

/* ---- evaluation ----------------------------------------------------------------------------- */

static void forget_first(struct alarms *s)
{
	mem_free(s->reported[0].object);
	memmove(s->reported, s->reported + 1, --s->count * sizeof(s->reported[0]));
}

static void alarms_tell(void *context, const struct alarm_rule *rule, const struct alarm_row *row,
			int64_t time)
{
	struct alarms *s = context;
	char text[sizeof(s->news)];

	for (size_t i = s->count; !row->on && i-- > 0;) {
		struct alarms_reported *t = &s->reported[i];

		if (t->end != I64_UNKNOWN || strcmp(t->name, rule->name) != 0 ||
		    strcmp(t->object, row->object) != 0)
			continue;
		t->end = time;
		return;
	}
	if (!row->on)
		return;
	if (s->count == KEPT)
		forget_first(s);
	s->reported[s->count] = (struct alarms_reported){ .view = rule->view,
						  .object = mem_strdup(row->object),
						  .begin = time,
						  .end = I64_UNKNOWN };
	memcpy(s->reported[s->count++].name, rule->name, sizeof(rule->name));
	s->fresh++;
	snprintf(text, sizeof(text), "%s %s", rule->name, row->object);
	if (s->fresh > 1)
		snprintf(text, sizeof(text), "%zu alarms", s->fresh);
	visible_copy(s->news, sizeof(s->news), text, strlen(text));
}

void alarms_look(struct app *a, const struct picture *picture)
{
	struct alarms *s = a->alarms;
	struct watch_answer answer = { .source = a->source.name, .health = a->source.detail,
				       .options = &a->model_options, .now = a->now };
	struct err err = { .code = ERR_NONE };

	if (!a->watched || (a->travel->recorded && a->travel->at != I64_UNKNOWN))
		return;
	if (picture) {
		answer.model = picture->model;
		answer.jobs = picture->queue ? picture->queue->jobs : NULL;
	}
	s->down = !picture;
	s->fresh = 0;
	if (!watch_look(s->watch, &answer, alarms_tell, s, &err))
		app_say(a, ROLE_ERROR, "%s", err.message);
	if (s->fresh > 0 && s->ring > 0)
		a->effects |= APP_RING;
}

bool alarms_add(struct app *a, const char *rule, struct err *err)
{
	if (!watch_add(a->alarms->watch, rule, false, err))
		return false;
	a->watched = true;
	if (whatif_base(a) && !travel_past(a) && a->source.health != SOURCE_STALE)
		alarms_look(a, whatif_base(a));
	return true;
}

size_t alarms_on(const struct app *a)
{
	return watch_count(a->alarms->watch);
}

const char *alarms_news(const struct app *a)
{
	return a->alarms->news;
}

/* ---- go to row and time ---------------------------------------------------------------- */

/* The row named OBJECT; ROW_NONE. */
static uint32_t find_row(struct app *a, enum view_id id, const struct alarm_view *as,
			 const char *object)
{
	struct view view = view_ops[id].data(a, a->picture).view;
	uint32_t found = ROW_NONE;

	view.columns = as->columns;
	view.column_count = *as->column_count;
	for (uint32_t row = 0; row < view.rows && found == ROW_NONE; row++) {
		char *name = alarm_object(as, &view, row);

		if (strcmp(name, object) == 0)
			found = row;
		mem_free(name);
	}
	return found;
}

static const struct alarm_view *watched_view(enum view_id id)
{
	size_t i = 0;

	while (strcmp(watch_views[i].name, view_names[id]) != 0)
		i++;
	return &watch_views[i];
}

/* The picture of that time may not be there yet. */
static void go_to_wanted(struct app *a)
{
	struct alarms *s = a->alarms;
	uint32_t row;

	if (!s->wanted || !a->picture || a->view != s->wanted_view)
		return;
	if (a->travel->recorded && a->travel->at != I64_UNKNOWN && travel_time(a) != s->wanted_time)
		return;
	row = find_row(a, a->view, watched_view(a->view), s->wanted);
	if (row == ROW_NONE)
		app_say(a, ROLE_WARN, "%s is gone", s->wanted);
	else if (!list_select(&app_sheet(a)->list, row))
		app_say(a, ROLE_WARN, "%s: hidden by the filter", s->wanted);
	mem_free(s->wanted);
	s->wanted = NULL;
}

static const struct alarms_reported *alarms_picked(const struct app *a)
{
	const struct alarms *s = a->alarms;

	return a->pane.pick < s->count ? &s->reported[s->count - 1 - a->pane.pick] : NULL;
}

/* The view with the row, and its name there; false: no view of the screen has it. */
static bool alarms_place_of(const struct alarms_reported *t, enum view_id *view,
			    const char **object)
{
	static const char rank[] = "rank ";

	*object = t->object;
	*view = VIEW_ACCOUNTS;
	if (strcmp(t->view->name, "changes") == 0 &&
	    strncmp(t->object, rank, sizeof(rank) - 1) == 0) {
		*object += sizeof(rank) - 1;
		return true;
	}
	for (int i = 0; i < VIEW_COUNT; i++) {
		*view = (enum view_id)i;
		if (strcmp(t->view->name, view_names[i]) == 0)
			return true;
	}
	return false;
}

static void alarms_go(struct app *a)
{
	struct alarms *s = a->alarms;
	const struct alarms_reported *t = alarms_picked(a);
	const char *object;
	enum view_id view;
	char when[32];

	if (!t)
		return;
	snprintf(when, sizeof(when), "@%lld", (long long)t->begin);
	if (t->begin != travel_time(a))
		(void)travel_to(a, when, NULL);
	if (!alarms_place_of(t, &view, &object)) {
		pane_open(a, strcmp(t->view->name, "lint") == 0 ? &lint_pane : &source_pane);
		return;
	}
	mem_free(s->wanted);
	s->wanted = mem_strdup(object);
	s->wanted_view = view;
	s->wanted_time = t->begin;
	pane_close(a);
	app_open_view(a, view);
	go_to_wanted(a);
}

/* ---- the list ------------------------------------------------------------------------------- */

static uint32_t alarms_count(const struct app *a)
{
	return (uint32_t)a->alarms->count;
}

/* In narrow lines, the end is only an hour or a later day, or only a colour. */
static void alarms_draw_line(const struct app *a, struct canvas *c, uint32_t i, struct area at)
{
	const struct alarms_reported *t = &a->alarms->reported[a->alarms->count - 1 - i];
	bool on = t->end == I64_UNKNOWN, wide = at.width >= 100;
	char begin[32], end[32] = "active";
	int x = at.x, ends = wide ? 20 : at.width >= 70 ? 10 : 0;

	travel_name(t->begin, false, begin, sizeof(begin));
	if (!on)
		travel_name(t->end, false, end, sizeof(end));
	if (!on && !wide && strncmp(begin, end, strlen("2026-05-01")) == 0)
		travel_name(t->end, true, end, sizeof(end));
	canvas_put(c, x, at.y, 20, on ? ROLE_VALUE : ROLE_DIM, begin);
	x += 21;
	if (ends > 0) {
		canvas_put(c, x, at.y, ends, on ? ROLE_WARN : ROLE_DIM, end);
		x += ends + 1;
	}
	canvas_name(c, x, at.y, 15, on ? ROLE_WARN : ROLE_DIM, t->name);
	x += 16;
	if (wide) {
		canvas_put(c, x, at.y, 9, ROLE_DIM, t->view->name);
		x += 10;
	}
	canvas_name(c, x, at.y, at.x + at.width - 1 - x, on ? ROLE_TEXT : ROLE_DIM, t->object);
}

static int alarms_draw_head(const struct app *a, struct canvas *c, struct area inside)
{
	if (a->alarms->count == 0)
		canvas_name(c, inside.x + 1, inside.y, inside.width - 2, ROLE_TEXT, a->watched ?
			    "No alarm since this screen was opened." :
			    "No rules: alarm NAME VIEW EXPRESSION [for 30m], with : or in "
			    "fairtop.conf");
	return 0;
}

const struct pane_ops alarms_pane = {
	.title = "Alarms: start and end", .width = 120, .lines = 3,
	.count = alarms_count, .line = alarms_draw_line, .head = alarms_draw_head,
	.enter = alarms_go, .again = "details", .keys = (const struct pane_key[]){
		{ "details", NULL, "go to row and time", NULL },
		{ "down", "up", "move", NULL }, { .word = NULL },
	},
};

static void alarms_init(struct app *a)
{
	a->alarms = mem_zalloc(1, sizeof(*a->alarms));
	a->alarms->watch = watch_new(false);
}

static void alarms_leave(struct app *a)
{
	struct alarms *s = a->alarms;

	while (s->count > 0)
		forget_first(s);
	mem_free(s->wanted);
	watch_free(s->watch);
	mem_free(s);
}

/* A source that does not answer is evaluated after each attempt to read it. */
static void alarms_after_event(struct app *a)
{
	struct alarms *s = a->alarms;

	go_to_wanted(a);
	if (a->source.health != SOURCE_STALE || a->source.busy ||
	    (s->down && a->source.next_ms == s->asked_ms))
		return;
	s->asked_ms = a->source.next_ms;
	alarms_look(a, NULL);
}

const struct feature alarms_feature = { .init = alarms_init,
					.free = alarms_leave,
					.after_event = alarms_after_event };
