/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/app.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/acts/act.h"
#include "tui/acts/commands.h"
#include "tui/acts/lessons.h"
#include "tui/acts/palette.h"
#include "tui/acts/typing.h"
#include "tui/base/new_file.h"
#include "tui/base/pools_file.h"
#include "tui/panes/chart.h"
#include "tui/panes/difference.h"
#include "tui/panes/backtests.h"
#include "tui/panes/pane_alarms.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_inspect.h"
#include "tui/panes/pane_why.h"
#include "tui/panes/start_past.h"
#include "tui/panes/start_times.h"
#include "tui/rows/look.h"
#include "tui/rows/overview.h"
#include "tui/screen/draw.h"
#include "tui/screen/hints.h"
#include "tui/screen/input.h"
#include "tui/screen/screen.h"
#include "tui/screen/settings.h"
#include "tui/screen/worker.h"
#include "tui/time/pool_watch.h"
#include "tui/time/travel.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

/* ---- making -------------------------------------------------------------------------------- */

static const struct feature *const features[] = {
	&travel_feature, &whatif_feature, &backtest_feature, &pool_watch_feature,
	&difference_feature, &inspect_feature, &start_past_feature, &chart_feature,
	&forecast_feature, &foresight_feature, &lint_feature, &start_times_feature,
	&why_feature, &exclude_feature, &hints_feature, &alarms_feature, &lessons_feature,
};
#define FEATURES (sizeof(features) / sizeof(features[0]))

/* The columns of each view, and the title and widths of its name column. */
static const struct {
	const char *view;
	const struct column *columns;
	const size_t *count;
	const char *name_title;
	int name_min, name_max;
} tables[VIEW_COUNT] = {
	[VIEW_ACCOUNTS] = { "accounts", accounts_columns, &accounts_columns_count,
			    "Account/User", 18, 48 },
	[VIEW_JOBS] = { "jobs", queue_columns, &queue_columns_count, "JobID", 12, 15 },
	[VIEW_POOLS] = { "pools", pools_columns, &pools_columns_count, "Pool/Queue", 18, 40 },
	[VIEW_CLASSES] = { "classes", classes_columns, &classes_columns_count, "Class", 10, 14 },
	[VIEW_POLICY] = { "policy", policy_columns, &policy_columns_count, "Parameter", 26, 28 },
	[VIEW_CLUSTERS] = { "clusters", fleet_columns, &fleet_columns_count, "Cluster", 12, 24 },
};

static void init_sheets(struct app *a)
{
	for (int view = 0; view < VIEW_COUNT; view++) {
		struct sheet *sheet = &a->sheets[view];

		sheet_init(sheet, tables[view].view, tables[view].columns, *tables[view].count);
		sheet->name_title = tables[view].name_title;
		sheet->name_min = tables[view].name_min;
		sheet->name_max = tables[view].name_max;
		sheet->late = view == VIEW_ACCOUNTS || view == VIEW_JOBS;
		if (view != VIEW_ACCOUNTS)	/* the algorithm of the accounts is not known yet */
			look_plain(sheet, (enum view_id)view);
	}
	a->sheets[VIEW_JOBS].list.fold_depth = LIST_GROUP_DEPTH;
	a->opened[VIEW_ACCOUNTS] = a->opened[VIEW_POLICY] = true;
}

struct app *app_new(const char *dir)
{
	struct app *a = mem_zalloc(1, sizeof(*a));

	snprintf(a->dir, sizeof(a->dir), "%s", dir ? dir : "");
	a->model_options = (struct model_options)MODEL_OPTIONS_DEFAULT;
	a->mouse = true;
	a->width = 80;
	a->height = 24;
	a->source.last_good_ms = -1;
	pane_close(a);
	a->idle = &inspect_pane;
	for (size_t i = 0; i < FEATURES; i++)
		if (features[i]->init)
			features[i]->init(a);
	keymap_init(&a->keymap, commands);
	pools_config_init(&a->pools_config);
	init_sheets(a);
	theme_load(&a->theme, theme_builtin[0], NULL, NULL);
	a->usual_theme = a->theme;
	return a;
}

static bool configure_line(void *context, const char *line, const struct words *words,
			   struct err *err)
{
	const struct app *a = context;
	const struct command *c = command_find(a->keymap.commands, words->word[0], NULL);
	size_t i = 0;

	while (c && configuring[i] && strcmp(configuring[i], c->name) != 0)
		i++;
	if (c && !configuring[i])
		return err_set(err, ERR_INPUT, "%s works only on the screen, not in "
			       "fairtop.conf", c->name);
	return app_run(context, line, err);
}

bool app_configure(struct app *a, const char *file, const char *text, size_t length,
		   struct err *err)
{
	bool ok = script_run(file, text, length, configure_line, a, err);

	if (!a->overview && a->view == VIEW_CLUSTERS)
		a->view = VIEW_ACCOUNTS;
	a->message[0] = '\0';
	return ok;
}

/* Whether the open view shows what O selects; only users and accounts apply to jobs, too. */
static bool shows_options(const struct app *a, const struct screen_options *o)
{
	bool names = o->jobs_filter || o->mine;
	bool filter = o->filter && (!o->jobs_filter || strcmp(o->filter, o->jobs_filter) != 0);

	return !o->columns && !o->sort && !filter && (!names || a->view == VIEW_JOBS);
}

bool app_options(struct app *a, const struct screen_options *o, struct err *err)
{
	enum view_id view = o->overview ? VIEW_CLUSTERS : VIEW_ACCOUNTS;
	struct sheet *sheet = &a->sheets[view];
	struct row_order order;

	if (!o->overview && !shows_options(a, o))
		a->view = view;
	snprintf(a->me, sizeof(a->me), "%s", o->me ? o->me : "");
	a->ascii = a->ascii || o->ascii;
	a->mouse = a->mouse && !o->no_mouse;
	a->mine = o->mine;
	if (o->every_ms > 0)
		a->every_ms = o->every_ms;
	if (o->model.algorithm >= 0)
		a->model_options.algorithm = o->model.algorithm;
	if (o->model.base >= 0)
		a->model_options.base = o->model.base;
	if (o->model.order >= 0)
		a->model_options.order = o->model.order;
	if (o->theme &&
	    !theme_load(&a->theme, o->theme, a->dir[0] != '\0' ? a->dir : NULL, err))
		return false;
	if (o->columns && !sheet_choose(sheet, o->columns, err))
		return false;
	if (o->sort && strcmp(o->sort, "none") == 0) {
		sheet_pick(sheet, NULL, false);
	} else if (o->sort) {
		if (!rows_parse_sort(o->sort, sheet->all, sheet->all_count, &order, err))
			return false;
		sheet_order(sheet, &order);
	}
	if ((o->filter || o->mine) &&
	    !app_set_filter(a, view, o->filter ? o->filter : a->filter_text[view], err))
		return false;
	if (o->mine && !app_set_filter(a, VIEW_JOBS, a->filter_text[VIEW_JOBS], err))
		return false;
	if (o->jobs_filter && !app_set_filter(a, VIEW_JOBS, o->jobs_filter, err))
		return false;
	a->travel->at = o->at;
	a->grouped = o->grouped;
	if (o->pools) {
		if (!pools_file_read(o->pools, &a->pools_config, err))
			return false;
		a->pools_by_file = true;
		app_open_view(a, VIEW_POOLS);
	}
	if (o->tour)
		a->lessons = LESSONS_TOUR;
	return true;
}

void app_free(struct app *a)
{
	if (!a)
		return;
	for (int i = 0; i < VIEW_COUNT; i++)
		sheet_free(&a->sheets[i]);
	picture_free(a->picture);
	picture_free(a->before);
	history_free(&a->history);
	for (size_t i = 0; i < FEATURES; i++)
		if (features[i]->free)
			features[i]->free(a);
	pool_past_free(&a->pool_past);
	keymap_free(&a->keymap);
	pools_config_free(&a->pools_config);
	prompt_free(&a->prompt);
	bytes_free(&a->copied);
	bytes_free(&a->later);
	layout_mark_free(&a->kept);
	layout_mark_free(&a->made);
	overview_free(a);
	mem_free(a->clusters);
	mem_free(a->found);
	mem_free(a);
}

/* ---- pictures ------------------------------------------------------------------------------ */

/* A computed cluster's clock may be faster than real time. */
static double clock_rate(const struct picture *before, const struct picture *now)
{
	double ours, theirs;

	if (!before || before->arrived_ms < 0 || now->arrived_ms < before->arrived_ms + 1000)
		return before ? before->rate : 1;
	ours = (double)(now->arrived_ms - before->arrived_ms) / 1000;
	theirs = (double)(cluster_meta(now->cluster)->time - cluster_meta(before->cluster)->time);
	return theirs > 2 * ours ? theirs / ours : 1;
}

static void app_take_picture(struct app *a, struct picture *picture)
{
	bool waits = a->sheets[VIEW_ACCOUNTS].wish[0] != '\0' &&
		     a->made.looks[VIEW_ACCOUNTS * LOOK_PARTS + LOOK_COLUMNS].length > 0;

	snprintf(a->model_problem, sizeof(a->model_problem), "%s", picture->problem);
	if (!picture->model) {
		picture_free(picture);
		return;
	}
	picture->arrived_ms = a->ms;
	picture->rate = clock_rate(whatif_base(a), picture);
	alarms_look(a, picture);
	travel_arrived(a, picture);
	if (waits)
		layout_columns_granted(a);
}

static void app_take_cluster(struct app *a, struct cluster *cluster)
{
	const struct picture_order order = { .options = a->model_options, .queue = true };

	app_take_picture(a, picture_new(cluster, &order));
}

/* It was made by an earlier order; if that has changed, the picture is remade. */
static void take_made(struct app *a, struct picture *picture)
{
	struct cluster *cluster = picture->cluster;

	if (picture->options.algorithm == a->model_options.algorithm &&
	    picture->options.base == a->model_options.base &&
	    picture->options.order == a->model_options.order) {
		app_take_picture(a, picture);
		return;
	}
	picture->cluster = NULL;
	picture_free(picture);
	app_take_cluster(a, cluster);
}

/* ---- events -------------------------------------------------------------------------------- */

static void app_resize(struct app *a, int width, int height)
{
	a->width = width;
	a->height = height;
	a->effects |= APP_REDRAW;
	pane_fit(a);
}

/* Fits the windows of the lists to the terminal and the pane, before anything moves in them. */
static void fit_lists(struct app *a)
{
	struct area area = app_view_area(a);

	for (int i = 0; i < VIEW_COUNT; i++)
		list_resize(&a->sheets[i].list, area.height > 1 ? (uint32_t)area.height - 1 : 1);
}

/* After a movement, the next refresh must not move the cursor back. */
static void end_follow(struct app *a)
{
	const struct list *list = &app_sheet(a)->list;
	uint32_t row = list_row(list);

	if (!a->follow || a->view != a->follow_view || a->prompt.kind != PROMPT_NONE)
		return;
	if (row == ROW_NONE || list->now.keys[row] != a->follow_key)
		a->follow = false;
}

/* Gives an answer of app_survey() to the first feature that asked for it. */
static void take_look(struct app *a, int64_t time, struct cluster *cluster)
{
	size_t i = 0;

	while (!features[i]->look || !features[i]->look(a, time, cluster))
		i++;
}

/* A row that is gone is no error; filters were applied already. */
static bool later_line(void *context, const char *line, const struct words *words, struct err *err)
{
	(void)err;
	if (strcmp(words->word[0], "filter") != 0)
		(void)app_run(context, line, NULL);
	return true;
}

void app_run_later(struct app *a)
{
	struct bytes later = a->later;
	enum view_id view = a->view;	/* opened by options or by the user meanwhile */
	enum role role = a->message_role;
	char said[sizeof(a->message)];

	if ((!a->picture && !a->overview) || later.length == 0)
		return;
	a->later = (struct bytes){ 0 };
	memcpy(said, a->message, sizeof(said));
	(void)script_run("", later.data, later.length, later_line, a, NULL);
	a->view = view;
	a->message_role = role;
	memcpy(a->message, said, sizeof(said));
	bytes_free(&later);
}

/* Runs after each event of any kind. */
static void app_after_event(struct app *a)
{
	if (a->overview)
		overview_tick(a);
	app_run_later(a);
	for (size_t i = 0; i < FEATURES; i++) {
		if (features[i]->after_event)
			features[i]->after_event(a);
	}
	fit_lists(a);
}

uint32_t app_event(struct app *a, const struct event *event)
{
	uint32_t pictures = a->pictures;

	a->effects = 0;
	a->errand = ERRAND_NONE;
	a->ms = event->ms;
	a->now = event->now;
	if (a->before && a->ms >= a->marks_until)
		app_forget_before(a);
	fit_lists(a);
	switch (event->type) {
	case EVENT_KEY:
		app_key(a, event->key);
		break;
	case EVENT_PASTE:
		app_paste(a, event->key);
		break;
	case EVENT_CLICK:
		app_click(a, event->x, event->y);
		break;
	case EVENT_WHEEL:
		app_wheel(a, event->x, event->at, event->y);
		break;
	case EVENT_RESIZE:
		app_resize(a, event->x, event->y);
		break;
	case EVENT_CLUSTER:
		app_take_cluster(a, event->cluster);
		break;
	case EVENT_PICTURE:
		take_made(a, event->picture);
		break;
	case EVENT_SOURCE:
		a->source = *event->source;
		if (a->source.health == SOURCE_STALE)
			a->travel->outage = true;
		break;
	case EVENT_PAST:
		travel_line(a, event->past);
		break;
	case EVENT_LOOK:
		take_look(a, event->time, event->cluster);
		break;
	case EVENT_ANSWER:
		event->work->take(a, event->answer);
		break;
	case EVENT_FLEET:
		overview_take(a, event->news);
		break;
	case EVENT_TIME:
		break;
	}
	if (pictures == a->pictures && (event->type == EVENT_KEY || event->type == EVENT_CLICK ||
					event->type == EVENT_WHEEL))
		end_follow(a);
	app_after_event(a);
	return a->effects;
}

int64_t app_next_ms(const struct app *a)
{
	int64_t next = a->overview ? overview_next_ms(a) : header_next_ms(a);

	if (a->before && (next < 0 || a->marks_until < next))
		next = a->marks_until;
	if (next >= 0 && next < a->ms + 1000)
		next = a->ms + 1000;
	for (size_t i = 0; i < FEATURES; i++) {
		int64_t own = features[i]->next_ms ? features[i]->next_ms(a) : -1;

		if (own >= 0 && (next < 0 || own < next))
			next = own;
	}
	return next;
}

/* ---- what the outside asks for ------------------------------------------------------------- */

bool app_frozen(const struct app *a)
{
	return a->frozen;
}

bool app_mouse(const struct app *a)
{
	return a->mouse;
}

bool app_ascii(const struct app *a)
{
	return a->ascii;
}

int64_t app_seek_time(const struct app *a)
{
	return a->travel->at;
}

const int64_t *app_survey(const struct app *a, size_t *count, uint32_t *needs)
{
	const int64_t *times = NULL;

	*count = 0;
	for (size_t i = 0; i < FEATURES && *count == 0; i++) {
		if (features[i]->survey)
			times = features[i]->survey(a, count, needs);
	}
	return times;
}

const struct theme *app_theme(const struct app *a)
{
	return &a->theme;
}

const char *app_copied(const struct app *a)
{
	return a->copied.data;
}

const char *app_write_path(const struct app *a)
{
	return a->write_path;
}

void app_written(struct app *a, bool done, bool made, const char *text)
{
	char place[1024];

	new_file_place(a->write_path, place, sizeof(place));
	if (done)
		app_say(a, ROLE_MESSAGE, "wrote %s%s", place,
			made ? " and created its directory" : "");
	else
		app_say(a, ROLE_ERROR, "%s", text);
}

uint16_t app_exit_status(const struct app *a)
{
	return a->exit_status;
}
