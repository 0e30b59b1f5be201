/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "tests/support/sketch.h"
#include "tui/screen/worker.h"


static void send(struct stage *s, struct event *event);

/* On a terminal the answers come later. */
static void work_at_once(struct stage *s, const struct work *work)
{
	struct event event = { .type = EVENT_ANSWER, .work = work };
	void *order = work->order(s->app);

	if (!order)
		return;
	event.answer = work->answer(order);
	send(s, &event);
}

void stage_make(struct stage *s)
{
	work_at_once(s, &maker_work);
}

static void send(struct stage *s, struct event *event)
{
	event->ms = s->ms;
	event->now = SKETCH_TIME + s->ms / 1000;
	s->effects |= app_event(s->app, event);
	app_draw(s->app, s->canvas);
	if (!s->later)
		stage_make(s);
}

void stage_resize(struct stage *s, int width, int height)
{
	struct event event = { .type = EVENT_RESIZE, .x = width, .y = height };

	canvas_resize(s->canvas, width, height);
	send(s, &event);
}

void stage_source(struct stage *s, enum source_health health, const char *problem)
{
	struct source_state state = { .health = health, .live = true, .last_good_ms = s->ms };

	snprintf(state.name, sizeof(state.name), "sketch");
	snprintf(state.problem, sizeof(state.problem), "%s", problem);
	stage_source_is(s, &state);
}

void stage_source_is(struct stage *s, const struct source_state *source)
{
	struct event event = { .type = EVENT_SOURCE, .source = source };

	send(s, &event);
}

void stage_show(struct stage *s, const char *text)
{
	struct event event = { .type = EVENT_CLUSTER };

	stage_source(s, SOURCE_GOOD, "");
	event.cluster = sketch_cluster(text, FS_DEPTH_OBLIVIOUS);
	send(s, &event);
}

struct stage *stage_empty(const char *config)
{
	struct stage *s = mem_zalloc(1, sizeof(*s));
	struct screen_options o;
	struct err err = { 0 };

	screen_options_init(&o);
	o.me = "alice";
	s->app = app_new(NULL);
	/* Keeps the sketch's order of rows. */
	assert_true(app_configure(s->app, "test.conf", "sort none\n", 10, &err));
	if (config && !app_configure(s->app, "test.conf", config, strlen(config), &err))
		fail_msg("%s", err.message);
	assert_true(app_options(s->app, &o, &err));
	s->canvas = canvas_new(100, 30, false);
	s->ms = 1000000;
	stage_resize(s, 100, 30);
	stage_source(s, SOURCE_LOADING, "");
	return s;
}

struct stage *stage(const char *text)
{
	struct stage *s = stage_empty(NULL);

	stage_show(s, text);
	s->effects = 0;
	return s;
}

void stage_leave(struct stage *s)
{
	app_free(s->app);
	canvas_free(s->canvas);
	mem_free(s->text);
	mem_free(s);
}

int stage_close(void **state)
{
	if (*state)
		stage_leave(*state);
	return 0;
}

void stage_step(struct stage *s, const struct script_step *step)
{
	static const enum event_type types[] = {
		[STEP_KEY] = EVENT_KEY, [STEP_CLICK] = EVENT_CLICK, [STEP_WHEEL] = EVENT_WHEEL,
		[STEP_RESIZE] = EVENT_RESIZE,
	};
	struct event event = {
		.type = types[step->type], .key = step->key, .x = step->x, .y = step->y
	};

	if (step->type == STEP_RESIZE)
		canvas_resize(s->canvas, step->x, step->y);
	send(s, &event);
}

void stage_keys(struct stage *s, const char *script)
{
	struct err err = { 0 };

	while (*script != '\0') {
		struct script_step one;
		size_t used = key_script_next(script, strlen(script), &one, &err);
		if (used == 0)
			fail_msg("%s", err.message);
		script += used;
		stage_step(s, &one);
	}
}

void stage_wait(struct stage *s, int64_t ms)
{
	struct event event = { .type = EVENT_TIME };
	s->ms += ms;
	send(s, &event);
	for (int i = 0; i < WORKS; i++)
		work_at_once(s, works[i]);
}

/* ---- looking ------------------------------------------------------------------------------- */

bool stage_append(void *context, const char *bytes, size_t length, struct err *err)
{
	char *text = context;
	size_t used = strlen(text);

	(void)err;
	memcpy(text + used, bytes, length);
	text[used + length] = '\0';
	return true;
}

const char *stage_seen(struct stage *s)
{
	size_t size = (size_t)s->canvas->width * (size_t)s->canvas->height * CELL_TEXT + 1024;

	mem_free(s->text);
	s->text = mem_zalloc(size, 1);
	canvas_write_text(s->canvas, (struct sink){ stage_append, s->text }, NULL);
	return s->text;
}

void stage_sees(struct stage *s, const char *text)
{
	if (!strstr(stage_seen(s), text)) {
		fprintf(stderr, "%s", s->text);
		fail_msg("'%s' is not to be seen", text);
	}
}

void stage_sees_not(struct stage *s, const char *text)
{
	if (strstr(stage_seen(s), text)) {
		fprintf(stderr, "%s", s->text);
		fail_msg("'%s' should not be there", text);
	}
}

/* The name in the line under the cursor. */
static const char *cursor_line(struct stage *s)
{
	static char line[4096];

	for (int y = 0; y < s->canvas->height; y++) {
		const struct cell *row = s->canvas->cells + (size_t)y * (size_t)s->canvas->width;
		if (row[0].ground != GROUND_CURSOR)
			continue;
		line[0] = '\0';
		for (int x = 0; x < s->canvas->width; x++)
			stage_append(line, row[x].text, strlen(row[x].text), NULL);
		return line;
	}
	return "";
}

void stage_cursor_on(struct stage *s, const char *name)
{
	if (!strstr(cursor_line(s), name)) {
		fprintf(stderr, "%s", stage_seen(s));
		fail_msg("the cursor is not on %s but on %s", name, cursor_line(s));
	}
}

/* Does a line that contains TEXT have a cell of that role? */
bool stage_has_role(struct stage *s, const char *text, enum role role)
{
	for (int y = 0; y < s->canvas->height; y++) {
		const struct cell *row = s->canvas->cells + (size_t)y * (size_t)s->canvas->width;
		char line[4096] = "";
		bool has = false;
		for (int x = 0; x < s->canvas->width; x++) {
			stage_append(line, row[x].text, strlen(row[x].text), NULL);
			has = has || (row[x].role == role && strcmp(row[x].text, " ") != 0);
		}
		if (strstr(line, text) && has)
			return true;
	}
	return false;
}
