/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No verb: the screen, or with --render one frame of it. */
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/registry/apart.h"
#include "core/base/mem.h"
#include "tui/screen/screen.h"
#include "cli/cluster_lines.h"
#include "cli/session.h"
#include "cli/verbs.h"

static void verb_screen_options(const struct options *o, struct screen_options *out)
{
	screen_options_init(out);
	out->every_ms = o->every_ms;
	out->theme = o->theme;
	out->color = o->color;
	out->ascii = o->ascii;
	out->no_mouse = o->no_mouse;
	out->mine = o->mine;
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
	out->anonymous = o->anonymize;
}

/* Draws a frame of SOURCE, which it takes over; if NULL, of the COUNT clusters of LIST. */
static int verb_screen_frame(struct source *source, const struct screen_cluster *list, size_t count,
			     const struct screen_options *screen, struct err *err)
{
	struct output *out = mem_alloc(1, sizeof(*out));
	int status;

	output_init(out);
	/* Its names are already safe, and its colours are from here. */
	if (screen->format && strcmp(screen->format, "ansi") == 0)
		out->terminal = false;
	status = source ? screen_render(source, screen, output_sink(out), err) :
		 screen_render_overview(list, count, screen, output_sink(out), err);
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

/* ---- many clusters -------------------------------------------------------------------------- */

/* Takes the sources of the command line; each once. */
static bool take_sources(const struct options *o, struct cluster_lines *f, struct err *err)
{
	for (size_t i = 0; i <= o->object_count; i++) {
		const char *source = i == 0 ? o->source : o->objects[i - 1];

		for (size_t k = 0; k < f->count; k++) {
			if (strcmp(f->list[k].source, source) == 0)
				return err_set(err, ERR_INPUT, "%s: is named twice", source);
		}
		f->list[f->count++] = (struct screen_cluster){ NULL, source };
	}
	return true;
}

/* Uses the clusters of the command line if several, those of the configuration if none. */
static bool verb_screen_find_clusters(const struct options *o, struct cluster_lines *f,
				      struct err *err)
{
	if (o->object_count > 0)
		return take_sources(o, f, err);
	return o->source || cluster_lines_read(f, err);
}

static int show_fleet(const struct options *o, const struct cluster_lines *f,
		      struct screen_options *screen)
{
	struct err err = { .code = ERR_NONE };
	int status;

	screen->overview = true;
	if (o->at != I64_UNKNOWN || o->follow) {
		err_set(&err, ERR_INPUT, "--%s: only for one source; an overview shows the present",
			o->follow ? "follow" : "at");
		return complain(&err);
	}
	if (o->user || o->account) {
		err_set(&err, ERR_INPUT, "--%s: only for one source; an overview has a row per "
			"cluster (expected SOURCE or --cluster)", o->user ? "user" : "account");
		return complain(&err);
	}
	if (!screen_check(screen, &err))
		return complain(&err);
	status = o->render ? verb_screen_frame(NULL, f->list, f->count, screen, &err) :
		 screen_run_overview(f->list, f->count, screen, &err);
	(void)complain(&err);
	return status;
}

/* ---- one ------------------------------------------------------------------------------------ */

static int show_one(const struct options *o, struct screen_options *screen)
{
	struct err err = { .code = ERR_NONE };
	struct source *source;
	int status;

	if (!screen_check(screen, &err))
		return complain(&err);
	source = source_open_apart(o->source, &err);
	if (!source)
		return complain_about(o->source, &err);
	screen->source = source->name;
	if ((o->follow && !source_follow(source, &err)) ||
	    (o->at != I64_UNKNOWN && !source_seek(source, o->at, &err))) {
		err_prefix(&err, o->follow ? "--follow" : "--at");
		status = complain_about(source->name, &err);
		source_close(source);
		return status;
	}
	status = o->render ? verb_screen_frame(source, NULL, 0, screen, &err) :
		 screen_run(source, screen, &err);
	(void)complain(&err);
	return status;
}

int verb_screen(const struct options *o)
{
	struct cluster_lines *f = mem_zalloc(1, sizeof(*f));
	struct err err = { .code = ERR_NONE };
	struct screen_options screen;
	char *filter, *of_jobs;
	int status;

	verb_screen_options(o, &screen);
	screen.filter = filter = session_filter(o, o->filter, false);
	screen.jobs_filter = of_jobs = session_filter(o, NULL, false);
	if (o->print_config)
		status = print_config(&screen);
	else if (!verb_screen_find_clusters(o, f, &err))
		status = complain(&err);
	else
		status = f->count > 0 ? show_fleet(o, f, &screen) : show_one(o, &screen);
	cluster_lines_free(f);
	MEM_FREE(filter, of_jobs, f);
	return status;
}
