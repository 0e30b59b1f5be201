/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a snapshot to frames: the first line is a script of keys, the rest a snapshot. The engine
 * computes what the views and boxes that the keys open ask for; each frame is drawn, and holds no
 * control character.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/snapshot/snapshot.h"
#include "core/base/bytes.h"
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

static void send(struct show *s, struct event *event)
{
	struct bytes text = { 0 };

	event->ms = 1000000;
	event->now = s->now;
	(void)app_event(s->app, event);
	app_draw(s->app, s->canvas);
	if (!canvas_write_text(s->canvas, bytes_sink(&text), NULL))
		abort();
	for (size_t i = 0; i < text.length; i++) {
		unsigned char c = (unsigned char)text.data[i];

		if ((c < ' ' && c != '\n') || c == 0x7f)
			abort();
	}
	bytes_free(&text);
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
	size_t length = end ? (size_t)(end - data) : 0;
	struct err err = { 0 };
	struct cluster *c;

	if (!end)
		return 0;
	c = snapshot_parse((const char *)end + 1, size - length - 1, &err);
	if (c)
		show(c, (const char *)data, length);
	return 0;
}
