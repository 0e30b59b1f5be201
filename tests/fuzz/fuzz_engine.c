/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a snapshot to answers and frames: the first line is a script of keys, the rest a snapshot.
 * The views of the verbs are written in every format: JSON must be valid, and a terminal gets no
 * control character. The engine computes what the views and boxes opened by the keys need; each
 * frame is drawn, and has no control character, either.
 */
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/snapshot/snapshot.h"
#include "core/base/bytes.h"
#include "core/queue/jobs.h"
#include "core/share/model.h"
#include "tui/base/report.h"
#include "tui/base/script.h"
#include "tui/cells/keys.h"
#include "tui/screen/app.h"
#include "tui/screen/screen.h"

#define KEYS_MOST 40
#define WIDTH 100
#define HEIGHT 30

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct show {
	struct app *app;
	struct canvas *canvas;
	int64_t now;
};

/* Aborts at a control character; frees TEXT. */
static void expect_printable(struct bytes *text)
{
	for (size_t i = 0; i < text->length; i++) {
		unsigned char c = (unsigned char)text->data[i];

		if ((c < ' ' && c != '\n') || c == 0x7f)
			abort();
	}
	bytes_free(text);
}

static void send(struct show *s, struct event *event)
{
	struct bytes text = { 0 };

	event->ms = 1000000;
	event->now = s->now;
	(void)app_event(s->app, event);
	app_draw(s->app, s->canvas);
	if (!canvas_write_text(s->canvas, bytes_sink(&text), NULL))
		abort();
	expect_printable(&text);
}

static void type(struct show *s, const char *script, size_t length)
{
	for (int n = 0; n < KEYS_MOST && length > 0; n++) {
		struct script_step step;
		struct event event = { .type = EVENT_KEY };
		size_t used = key_script_next(script, length, &step, NULL);

		if (used == 0)
			return;
		script += used;
		length -= used;
		event.key = step.key;
		if (step.type == STEP_KEY)
			send(s, &event);
	}
}

/* Takes over C. */
static void show(struct cluster *c, const char *keys, size_t length)
{
	struct source_state source = { .health = SOURCE_GOOD, .live = true, .name = "fuzz" };
	struct show s = { .app = app_new(NULL), .canvas = canvas_new(WIDTH, HEIGHT, false),
			  .now = cluster_meta(c)->time };
	struct event event = { .type = EVENT_RESIZE, .x = WIDTH, .y = HEIGHT };
	struct screen_options o;

	screen_options_init(&o);
	o.me = "alice";
	if (!app_options(s.app, &o, NULL))
		abort();
	send(&s, &event);
	event = (struct event){ .type = EVENT_SOURCE, .source = &source };
	send(&s, &event);
	event = (struct event){ .type = EVENT_CLUSTER, .cluster = c };
	send(&s, &event);
	type(&s, keys, length);
	app_free(s.app);
	canvas_free(s.canvas);
}

static void expect_json(struct bytes *text)
{
	json_t *json = json_loadb(text->data, text->length, JSON_ALLOW_NUL, NULL);

	if (!json)
		abort();
	json_decref(json);
	bytes_free(text);
}

static void report(const struct cluster *c, const struct view *view)
{
	for (enum report_format format = 0; format < REPORT_FORMATS; format++) {
		struct report r = { .view = *view, .cluster = c, .source = "fuzz", .health = "",
				    .algorithm = "fair-tree", .base = "usage", .terminal = true };
		struct bytes text = { 0 };

		r.columns = report_columns(view, NULL, format, 0, &r.column_count, NULL);
		r.rows = rows_select(view, NULL, NULL, &r.row_count);
		if (!r.columns || !report_write(&r, format, bytes_sink(&text), NULL))
			abort();
		if (format == REPORT_JSON)
			expect_json(&text);
		else
			expect_printable(&text);
		report_free(&r);
	}
}

/* Writes the views of accounts, jobs and policy for C. */
static void answer(const struct cluster *c)
{
	struct policy_view policy = { .policy = cluster_policy(c), .meta = cluster_meta(c),
				      .next_reset = I64_UNKNOWN };
	struct view view = policy_view(&policy);
	struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct model *model;
	struct jobs *jobs;

	report(c, &view);
	model = model_new(c, &options, NULL);
	if (!model)
		return;
	view = accounts_view(model);
	report(c, &view);
	jobs = jobs_new(model, NULL);
	view = jobs_view(jobs);
	report(c, &view);
	jobs_free(jobs);
	model_free(model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
	size_t length = end ? (size_t)(end - data) : 0;
	struct err err = { 0 };
	struct cluster *c;

	if (!end)
		return 0;
	c = snapshot_parse((const char *)end + 1, size - length - 1, &err);
	if (!c)
		return 0;
	answer(c);
	show(c, (const char *)data, length);
	return 0;
}
