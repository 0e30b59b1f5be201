/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/screen.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "config.h"
#include "core/base/mem.h"
#include "core/base/visible.h"
#include "tui/screen/app.h"
#include "tui/base/file_text.h"
#include "tui/cells/frame_out.h"
#include "tui/cells/keys.h"
#include "tui/rows/overview.h"
#include "tui/screen/clusters.h"
#include "tui/screen/loop.h"
#include "tui/screen/remember.h"
#include "tui/screen/settings.h"
#include "tui/screen/worker.h"
#include "tui/base/complain.h"
#include "tui/whatif/show.h"

#define CONFIG_MAX 262144
#define LOG_REPLAY_MAX 65536

void screen_options_init(struct screen_options *o)
{
	memset(o, 0, sizeof(*o));
	o->model = (struct model_options)MODEL_OPTIONS_DEFAULT;
	o->at = I64_UNKNOWN;
}

bool screen_parse_size(const char *text, uint16_t *width, uint16_t *height, struct err *err)
{
	char *end;
	unsigned long w, h;

	errno = 0;
	w = strtoul(text, &end, 10);
	if (text[0] >= '0' && text[0] <= '9' && *end == 'x' && end[1] >= '0' && end[1] <= '9') {
		h = strtoul(end + 1, &end, 10);
		if (*end == '\0' && errno == 0 && w >= 1 && w <= 1000 && h >= 1 && h <= 1000) {
			*width = (uint16_t)w;
			*height = (uint16_t)h;
			return true;
		}
	}
	return err_set(err, ERR_INPUT, "'%s': expected WIDTHxHEIGHT like 120x40, at most 1000x1000",
		       text);
}

/* ---- configuration ------------------------------------------------------------------------- */

static void config_dir(char *dir, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	dir[0] = '\0';
	if (xdg && xdg[0] == '/')
		snprintf(dir, size, "%s/fairtop", xdg);
	else if (home && home[0] == '/')
		snprintf(dir, size, "%s/.config/fairtop", home);
}

/* Reads the file in DIR: its PATH and *TEXT (the caller's); *TEXT NULL: there is none. */
static bool config_read(const char *dir, char *path, size_t size, char **text, struct err *err)
{
	*text = NULL;
	if ((size_t)snprintf(path, size, "%s/fairtop.conf", dir) >= size)
		return err_set(err, ERR_INPUT, "%.200s...: the name is too long", dir);
	return file_text_found(path, CONFIG_MAX, text, err);
}

static bool screen_configure(struct app *app, const char *dir, struct err *err)
{
	char path[4096], *text;
	bool ok = config_read(dir, path, sizeof(path), &text, err);

	if (ok && text)
		ok = app_configure(app, path, text, strlen(text), err);
	mem_free(text);
	return ok;
}

bool screen_config_each(script_each *each, void *context, struct err *err)
{
	char dirs[2][4096] = { SYSCONFDIR }, path[4096], *text;
	bool ok = true;

	config_dir(dirs[1], sizeof(dirs[1]));
	for (int i = 0; i < 2 && ok && dirs[i][0] != '\0'; i++) {
		ok = config_read(dirs[i], path, sizeof(path), &text, err);
		if (ok && text)
			ok = script_run(path, text, strlen(text), each, context, err);
		mem_free(text);
	}
	return ok;
}

static const char *screen_user_name(void)
{
	const struct passwd *p = getpwuid(getuid());

	return p ? p->pw_name : NULL;
}

/* The last layout, overridden by the options, which are for this run only. */
static bool screen_recall(struct app *app, const struct screen_options *o, struct err *err)
{
	app->usual_theme = app->theme;
	if (o->remember)
		remember_last(app, o->source, o->overview);
	layout_mark(app, &app->kept);
	if ((o->workspace && !workspace_recall(app, o->workspace, err)) ||
	    !app_options(app, o, err))
		return false;
	layout_mark(app, &app->made);
	return true;
}

/* The state before the first event: defaults, configuration, layout, options, in that order. */
static struct app *make_app(const struct screen_options *o, struct err *err)
{
	struct screen_options own = *o;
	char dir[4096];
	struct app *app;

	config_dir(dir, sizeof(dir));
	/* Options about the rows of one cluster are for the clusters that are opened. */
	if (own.overview) {
		own.mine = own.tour = false;
		own.workspace = own.pools = NULL;
	}
	if (!own.me)
		own.me = screen_user_name();
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		own.ascii = true;
	app = app_new(o->no_config || dir[0] == '\0' ? NULL : dir);
	if ((!o->no_config && (!screen_configure(app, SYSCONFDIR, err) ||
			       (dir[0] != '\0' && !screen_configure(app, dir, err)))) ||
	    !screen_recall(app, &own, err)) {
		app_free(app);
		return NULL;
	}
	return app;
}

static bool check_format(const char *format, struct err *err)
{
	if (!format || strcmp(format, "text") == 0 || strcmp(format, "ansi") == 0 ||
	    strcmp(format, "svg") == 0 || strcmp(format, "cells") == 0)
		return true;
	return err_set(err, ERR_INPUT, "--format '%s': expected text, ansi or svg with --render",
		       format);
}

static bool check_keys(const char *keys, struct err *err)
{
	struct script_step step;
	size_t used;

	for (; keys && *keys != '\0'; keys += used) {
		used = key_script_next(keys, strlen(keys), &step, err);
		if (used == 0)
			return err_prefix(err, "--keys");
	}
	return true;
}

bool screen_check(const struct screen_options *o, struct err *err)
{
	enum color_depth limit;
	struct app *app;

	setlocale(LC_CTYPE, "");
	if (!term_parse_color(o->color, &limit, err) || !check_format(o->format, err) ||
	    !check_keys(o->keys, err))
		return false;
	app = make_app(o, err);
	app_free(app);
	return app != NULL;
}

bool screen_print_config(const struct screen_options *o, struct sink out, struct err *err)
{
	struct screen_options own = *o;
	struct app *app;
	bool ok;

	setlocale(LC_CTYPE, "");
	own.remember = false;
	app = make_app(&own, err);
	ok = app && settings_print(app, !o->anonymous, out, err);
	app_free(app);
	return ok;
}

/* ---- standard error while curses runs ------------------------------------------------------ */

struct log {
	int saved, file;		/* -1: standard error is unchanged */
};

static void log_begin(struct log *log)
{
	log->saved = -1;
	log->file = memfd_create("fairtop-log", MFD_CLOEXEC);
	if (log->file < 0)
		return;
	fflush(stderr);
	log->saved = dup(STDERR_FILENO);
	if (log->saved < 0)
		return;
	complain_to(log->saved);
	dup2(log->file, STDERR_FILENO);
}

/* Prints what was written meanwhile, made safe; only the end if it is long. */
static void log_end(struct log *log)
{
	char line[1024], safe[4096];
	FILE *in;

	if (log->file < 0)
		return;
	fflush(stderr);
	if (log->saved >= 0) {
		dup2(log->saved, STDERR_FILENO);
		complain_to(STDERR_FILENO);
		close(log->saved);
	}
	in = fdopen(log->file, "r");
	if (!in) {
		close(log->file);
		return;
	}
	if (fseek(in, 0, SEEK_END) == 0 && ftell(in) > LOG_REPLAY_MAX)
		fseek(in, -LOG_REPLAY_MAX, SEEK_END);
	else
		rewind(in);
	while (fgets(line, sizeof(line), in)) {
		visible_copy(safe, sizeof(safe), line, strcspn(line, "\n"));
		fprintf(stderr, "%s\n", safe);
	}
	fclose(in);
}

/* Sets ERR to the problem of the first read of source NAME. */
static void source_problem(struct err *err, const char *name, const struct err *problem)
{
	if (!err)
		return;
	*err = *problem;
	complaint_name(err, name);
}

/* ---- the screen ---------------------------------------------------------------------------- */

/* With the terminal open: draws once, starts the thread, then waits for events. */
static int run_in(struct term *term, struct app *app, struct source *source, int signals,
		  struct err *err)
{
	struct collector_status loading = { .state = COLLECTOR_LOADING, .last_good_ms = -1 };
	struct event size = { .type = EVENT_RESIZE }, event = { .type = EVENT_SOURCE };
	struct source_state state;
	struct showing showing;
	struct canvas *canvas;
	char name[sizeof(source->name)];
	const struct source_ops *ops = source->ops;
	struct err problem = { .code = ERR_NONE };
	int status = ERR_SOURCE;

	snprintf(name, sizeof(name), "%s", source->name);
	term_set_theme(term, app_theme(app));
	term_set_mouse(term, app_mouse(app));
	term_size(term, &size.x, &size.y);
	app_event(app, &size);
	loop_source_state(&loading, name, ops, &state);
	event.source = &state;
	app_event(app, &event);
	canvas = canvas_new(size.x, size.y, app_ascii(app));
	app_draw(app, canvas);
	term_draw(term, canvas);
	canvas_free(canvas);
	if (!showing_begin(&showing, app, source, err))
		return ERR_SOURCE;
	status = loop_run(&showing, NULL, term, signals, &problem);
	term_suspend(term); /* the user has quit: slow work must not keep the terminal */
	showing_end(&showing);
	if (problem.code != ERR_NONE)
		source_problem(err, name, &problem);
	return status;
}

/* ---- an overview on the terminal ------------------------------------------------------------ */

/* For opening a cluster of an overview: the options, and all clusters. */
struct opening {
	const struct screen_options *options;
	const struct screen_cluster *clusters;
};

static struct app *screen_open_cluster(const struct opening *opening, uint32_t row, struct err *err)
{
	struct screen_options own = *opening->options;
	struct app *app;

	own.overview = false;
	own.filter = own.sort = own.columns = NULL;
	own.source = opening->clusters[row].source;
	app = make_app(&own, err);
	if (!app)
		return NULL;
	app->nested = true;
	app_say(app, ROLE_MESSAGE, "Esc returns to the overview");
	return app;
}

static struct app *open_in_loop(void *context, uint32_t row, struct err *err)
{
	return screen_open_cluster(context, row, err);
}

static void close_in_loop(void *context, struct app *app)
{
	const struct opening *opening = context;

	if (opening->options->remember)
		remember_this(app);
	app_free(app);
}

static int overview_in(struct term *term, struct app *app, const struct screen_cluster *list,
		       size_t count, const struct screen_options *o, int signals, struct err *err)
{
	struct opening opening = { o, list };
	struct loop_fleet fleet = { .clusters = clusters_new(app, list, count, err),
				    .open = open_in_loop, .close = close_in_loop,
				    .context = &opening };
	struct showing showing = { .app = app };
	int status;

	if (!fleet.clusters)
		return ERR_SOURCE;
	term_set_theme(term, app_theme(app));
	term_set_mouse(term, app_mouse(app));
	status = loop_run(&showing, &fleet, term, signals, err);
	term_suspend(term);
	showings_wait();
	clusters_free(fleet.clusters);
	return status;
}

/* ---- on the terminal ------------------------------------------------------------------------ */

/* Shows SOURCE, which is taken over, or if NULL the COUNT clusters of LIST. */
static int screen_run_app(struct source *source, const struct screen_cluster *list, size_t count,
			  const struct screen_options *o, struct err *err)
{
	enum color_depth limit = DEPTH_MONO;
	struct app *app = NULL;
	struct term *term = NULL;
	struct log log;
	int status, signals = -1;

	setlocale(LC_CTYPE, "");
	if (!term_parse_color(o->color, &limit, err) || !(app = make_app(o, err)) ||
	    (signals = loop_signals(err)) < 0 || !(term = term_open(limit, err))) {
		app_free(app);
		if (signals >= 0)
			close(signals);
		source_close(source);
		return err && err->code != ERR_NONE ? (int)err->code : (int)ERR_INPUT;
	}
	log_begin(&log);
	status = !source ? overview_in(term, app, list, count, o, signals, err) :
		 run_in(term, app, source, signals, err);
	if (o->remember)
		remember_this(app);
	term_close(term);
	log_end(&log);
	app_free(app);
	close(signals);
	return status;
}

int screen_run(struct source *source, const struct screen_options *o, struct err *err)
{
	return screen_run_app(source, NULL, 0, o, err);
}

int screen_run_overview(const struct screen_cluster *clusters, size_t count,
			const struct screen_options *o, struct err *err)
{
	const char **sources = mem_alloc(count + 1, sizeof(*sources));
	struct screen_options own = *o;
	char name[80];

	for (size_t i = 0; i < count; i++)
		sources[i] = clusters[i].source;
	overview_name(sources, count, name, sizeof(name));
	mem_free(sources);
	own.source = name;
	return screen_run_app(NULL, clusters, count, &own, err);
}

/* ---- one frame ----------------------------------------------------------------------------- */

struct render {
	struct app *app;
	struct canvas *canvas;
	struct source *source;		/* NULL: APP is an overview */
	struct source_state state;
	int64_t ms, now;
	struct err problem;	/* of the last read */
	bool failed, loaded;
	uint32_t fetched;	/* enum need bits of the last read */
	uint32_t effects;	/* of the last event */
};

static void render_event(struct render *r, struct event *event);

/* Sends the time line, if it has changed. */
static void render_past(struct render *r)
{
	struct timeline past;
	struct event event = { .type = EVENT_PAST, .past = &past };

	if (source_past(r->source, &past, NULL) && past.count > 0)
		render_event(r, &event);
}

static void render_fetch(struct render *r)
{
	struct fetch_request request = { .needs = app_needs(r->app), .deadline_ms = -1 };
	struct event event = { .type = EVENT_SOURCE, .source = &r->state };
	struct cluster *cluster = NULL;
	enum fetch_result result;

	r->problem = (struct err){ .code = ERR_NONE };
	r->fetched = request.needs;
	render_past(r);
	result = source_fetch(r->source, &request, &cluster, &r->problem);
	r->failed = result == FETCH_FAILED;
	r->loaded = r->loaded || cluster;
	snprintf(r->state.detail, sizeof(r->state.detail), "%s", r->source->health);
	snprintf(r->state.problem, sizeof(r->state.problem), "%s",
		 r->failed ? r->problem.message : "");
	if (r->failed) {
		r->state.health = r->loaded ? SOURCE_STALE : SOURCE_LOADING;
	} else if (r->loaded) {
		r->state.health = r->state.live ? SOURCE_GOOD : SOURCE_ENDED;
		if (cluster && r->now < cluster_meta(cluster)->time)
			r->now = cluster_meta(cluster)->time;
		r->state.last_good_ms = r->ms;
	}
	render_event(r, &event);
	if (cluster) {
		event = (struct event){ .type = EVENT_CLUSTER, .cluster = cluster };
		render_event(r, &event);
	}
}

/*
 * Reads all times of app_survey(). On a terminal this comes after the first frame, so without keys
 * the first frame is rendered before it.
 */
static void render_survey(struct render *r)
{
	struct event event = { .type = EVENT_LOOK };
	size_t count;
	uint32_t needs;
	const int64_t *times = app_survey(r->app, &count, &needs);
	int64_t *copy = mem_alloc(count + 1, sizeof(*copy));

	if (count > 0)
		memcpy(copy, times, count * sizeof(*copy));
	for (size_t i = 0; i < count; i++) {
		event.time = copy[i];
		event.cluster = source_look(r->source, copy[i], needs, NULL);
		render_event(r, &event);
	}
	mem_free(copy);
}

/* Work that takes time on a terminal is done at once here. */
static void render_work(struct render *r, const struct work *work)
{
	struct event event = { .type = EVENT_ANSWER, .work = work };
	void *order = work->order(r->app);

	if (!order)
		return;
	event.answer = work->answer(order);
	render_event(r, &event);
}

/* Does everything that the event asks for before it returns. */
static void render_event(struct render *r, struct event *event)
{
	struct event more = { .type = EVENT_TIME };
	bool kept = r->source && r->source->ops->look, missing;
	uint32_t effects;

	event->ms = r->ms;
	event->now = r->now;
	effects = app_event(r->app, event);
	/* As on a screen, draw first: that also lays out what a click would hit. */
	app_draw(r->app, r->canvas);
	r->effects = effects;
	if (!r->source)
		return;
	if (effects & APP_SEEK)
		(void)source_seek(r->source, app_seek_time(r->app), NULL);
	missing = r->loaded && (app_needs(r->app) & ~r->fetched) != 0;
	if (effects & APP_SEEK || (missing && kept) ||
	    ((effects & APP_REFRESH || missing) && !app_frozen(r->app) && r->state.live))
		render_fetch(r);
	if (effects & APP_SURVEY && r->ms > 0)
		render_survey(r);
	for (int i = 0; i < WORKS; i++)
		render_work(r, works[i]);
	if (effects & APP_MORE)
		render_event(r, &more);
}

static void render_step(struct render *r, const struct script_step *step)
{
	struct event event = { .key = step->key, .x = step->x, .y = step->y };

	switch (step->type) {
	case STEP_KEY:
		event.type = EVENT_KEY;
		break;
	case STEP_CLICK:
		event.type = EVENT_CLICK;
		break;
	case STEP_WHEEL:
		event.type = EVENT_WHEEL;
		break;
	case STEP_RESIZE:
		event.type = EVENT_RESIZE;
		canvas_resize(r->canvas, step->x, step->y);
		break;
	}
	render_event(r, &event);
}

/* Runs the first of KEYS; returns the rest. */
static const char *render_key(struct render *r, const char *keys)
{
	struct script_step step;

	keys += key_script_next(keys, strlen(keys), &step, NULL);
	r->ms += 1000;
	render_step(r, &step);
	return keys;
}

static void render_keys(struct render *r, const char *keys)
{
	r->ms += *keys != '\0';
	if (*keys != '\0')
		render_survey(r);
	while (*keys != '\0')
		keys = render_key(r, keys);
}

static bool render_write(const struct render *r, const struct screen_options *o, struct sink out,
			 struct err *err)
{
	struct theme theme = *app_theme(r->app);
	enum color_depth limit = DEPTH_DIRECT;

	if (!term_parse_color(o->color, &limit, err))
		return false;
	theme_reduce(&theme, limit);
	if (o->format && strcmp(o->format, "svg") == 0)
		return frame_write_svg(r->canvas, &theme, out, err);
	if (o->format && strcmp(o->format, "ansi") == 0)
		return frame_write_ansi(r->canvas, &theme, out, err);
	if (!canvas_write_text(r->canvas, out, err))
		return false;
	return !o->format || strcmp(o->format, "cells") != 0 ||
	       (out.write(out.context, "\n", 1, err) && canvas_write_roles(r->canvas, out, err));
}

/* Reads R's source first, on a canvas of the size in O. */
static void render_begin(struct render *r, const struct screen_options *o)
{
	struct event size = { .type = EVENT_RESIZE, .x = o->width, .y = o->height };

	r->canvas = canvas_new(o->width, o->height, app_ascii(r->app));
	r->state.last_good_ms = -1;
	if (r->source) {
		r->state.live = r->source->ops->live;
		r->state.every_ms = r->source->ops->every_ms;
		snprintf(r->state.name, sizeof(r->state.name), "%s", r->source->name);
	}
	render_event(r, &size);
	if (r->source)
		render_fetch(r);
}

static void render_end(struct render *r)
{
	canvas_free(r->canvas);
	app_free(r->app);
	source_close(r->source);
	*r = (struct render){ .app = NULL };
}

int screen_render(struct source *source, const struct screen_options *o, struct sink out,
		  struct err *err)
{
	struct render r = { .source = source, .now = 0 };
	const char *keys = o->keys ? o->keys : "";
	int status = 0;

	setlocale(LC_CTYPE, "");
	if (!check_format(o->format, err) || !check_keys(keys, err) ||
	    !(r.app = make_app(o, err))) {
		source_close(source);
		return ERR_INPUT;
	}
	render_begin(&r, o);
	if (r.failed && !r.state.live && r.problem.code == ERR_INPUT) {
		/* As on a terminal: a saved file stays broken. */
		source_problem(err, source->name, &r.problem);
		status = ERR_INPUT;
	} else {
		render_keys(&r, keys);
		if (!render_write(&r, o, out, err))
			status = ERR_INPUT;
		else if (r.failed)
			status = ERR_SOURCE;
	}
	render_end(&r);
	return status;
}

/* ---- one frame of an overview --------------------------------------------------------------- */

/* Waits until each source has answered or failed. The clock is that of the newest picture. */
static void render_clusters(struct render *r, struct clusters *c)
{
	struct event event = { .type = EVENT_FLEET };
	struct fleet_news news;

	while (clusters_silent(c) > 0) {
		clusters_wait(c);
		clusters_drain(c);
		while (clusters_next(c, &news)) {
			news.good_ms = news.good_ms >= 0 ? r->ms : -1;
			if (news.facts && r->now < news.facts->time &&
			    (news.dated || strcmp(news.facts->kind, "demo") != 0))
				r->now = news.facts->time;
			event.news = &news;
			render_event(r, &event);
		}
	}
}

/* Sends keys to the overview, or to the cluster that they opened. */
static void render_overview_keys(struct render *r, struct render *inner, struct clusters *c,
				 const struct opening *opening, const char *keys)
{
	struct err err = { .code = ERR_NONE };

	while (*keys != '\0') {
		keys = render_key(inner->app ? inner : r, keys);
		if (inner->app && inner->effects & APP_BACK) {
			render_end(inner);
		} else if (!inner->app && r->effects & APP_OPEN) {
			uint32_t row = r->app->overview->open;

			inner->source = clusters_open(c, row, &err);
			inner->app = inner->source ? screen_open_cluster(opening, row, &err) :
				     NULL;
			if (!inner->app) {
				render_end(inner);
				continue;
			}
			render_begin(inner, opening->options);
			render_survey(inner);
		}
	}
}

int screen_render_overview(const struct screen_cluster *clusters, size_t count,
			   const struct screen_options *o, struct sink out, struct err *err)
{
	struct render r = { .now = 0 }, inner = { .now = 0 };
	const struct opening opening = { o, clusters };
	const char *keys = o->keys ? o->keys : "";
	struct clusters *c;
	int status = 0;

	setlocale(LC_CTYPE, "");
	if (!check_format(o->format, err) || !check_keys(keys, err) || !(r.app = make_app(o, err)))
		return ERR_INPUT;
	c = clusters_new(r.app, clusters, count, err);
	if (!c) {
		app_free(r.app);
		return ERR_SOURCE;
	}
	render_begin(&r, o);
	render_clusters(&r, c);
	render_overview_keys(&r, &inner, c, &opening, keys);
	if (!render_write(inner.app ? &inner : &r, o, out, err))
		status = ERR_INPUT;
	if (inner.app)
		render_end(&inner);
	clusters_free(c);
	render_end(&r);
	return status;
}
