/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No verb: the screen, or with --render one frame of it. */
#include "adapters/adapter.h"
#include "adapters/registry/apart.h"
#include "core/base/mem.h"
#include "tui/base/output.h"
#include "tui/screen/screen.h"
#include "cli/verbs.h"

static void screen_options(const struct options *o, struct screen_options *out)
{
	screen_options_init(out);
	out->every_ms = o->every_ms;
	out->theme = o->theme;
	out->color = o->color;
	out->ascii = o->ascii;
	out->no_mouse = o->no_mouse;
	out->mine = o->mine;
	out->filter = o->filter;
	out->sort = o->sort;
	out->columns = o->columns;
	out->model = o->model;
	out->at = o->at;
	out->pools = o->pools;
	out->grouped = o->grouped;
	out->remember = !o->render;
	out->workspace = o->workspace;
	out->width = o->width;
	out->height = o->height;
	out->keys = o->keys;
	out->format = o->frame_format;
	out->tour = o->tour;
}

/* Takes over SOURCE. */
static int screen_frame(struct source *source, const struct screen_options *screen,
			struct err *err)
{
	struct output *out = mem_alloc(1, sizeof(*out));
	int status;

	output_init(out);
	status = screen_render(source, screen, output_sink(out), err);
	if (!output_finish(out, err))
		status = ERR_INPUT;
	mem_free(out);
	return status;
}

static int print_config(const struct screen_options *screen)
{
	struct output *out = mem_alloc(1, sizeof(*out));
	struct err err = { .code = ERR_NONE };
	int status = 0;

	output_init(out);
	if (!screen_print_config(screen, output_sink(out), &err) || !output_finish(out, &err))
		status = complain(&err);
	mem_free(out);
	return status;
}

int verb_screen(const struct options *o)
{
	struct err err = { .code = ERR_NONE };
	struct screen_options screen;
	struct source *source;
	int status;

	screen_options(o, &screen);
	if (o->print_config)
		return print_config(&screen);
	if (!screen_check(&screen, &err))
		return complain(&err);
	source = source_open_apart(o->source, &err);
	if (!source)
		return o->source ? complain_about(o->source, &err) : complain(&err);
	screen.source = source->name;
	if ((o->follow && !source_follow(source, &err)) ||
	    (o->at != I64_UNKNOWN && !source_seek(source, o->at, &err))) {
		err_prefix(&err, o->follow ? "--follow" : "--at");
		status = complain_about(source->name, &err);
		source_close(source);
		return status;
	}
	status =
		o->render ? screen_frame(source, &screen, &err) : screen_run(source, &screen, &err);
	(void)complain(&err);
	return status;
}
