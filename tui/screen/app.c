/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/state.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/acts/commands.h"
#include "tui/base/pools_file.h"

#define EVERY_DEFAULT_MS 30000

void app_say(struct app *a, enum role role, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(a->message, sizeof a->message, format, args);
	va_end(args);
	a->message_role = role;
}

struct sheet *app_sheet(struct app *a)
{
	return &a->sheets[a->view];
}

const struct sheet *app_sheet_get(const struct app *a)
{
	return &a->sheets[a->view];
}

bool app_marks_shown(const struct app *a)
{
	return a->before != NULL && a->ms < a->marks_until;
}

/* ---- making -------------------------------------------------------------------------------- */

static void init_sheet(struct sheet *sheet, const struct column *columns, size_t count,
		       const char *name_title, int name_min, int name_max)
{
	list_init(&sheet->list);
	sheet->all = columns;
	sheet->all_count = count;
	sheet->name_title = name_title;
	sheet->name_min = name_min;
	sheet->name_max = name_max;
}

static void init_sheets(struct app *a)
{
	struct sheet *accounts = &a->sheets[VIEW_ACCOUNTS], *policy = &a->sheets[VIEW_POLICY];

	init_sheet(&a->sheets[VIEW_JOBS], queue_columns, queue_columns_count, "JobID", 12, 16);
	look_plain(&a->sheets[VIEW_JOBS], VIEW_JOBS);
	a->sheets[VIEW_JOBS].list.fold_depth = LIST_GROUP_DEPTH;
	init_sheet(&a->sheets[VIEW_CLASSES], classes_columns, classes_columns_count, "Class", 10,
		   14);
	look_plain(&a->sheets[VIEW_CLASSES], VIEW_CLASSES);
	init_sheet(&a->sheets[VIEW_POOLS], pools_columns, pools_columns_count, "Pool/Queue", 18,
		   40);
	a->sheets[VIEW_POOLS].extra = pools_extra;
	a->sheets[VIEW_POOLS].extra_count = 1;
	look_plain(&a->sheets[VIEW_POOLS], VIEW_POOLS);
	a->opened[VIEW_ACCOUNTS] = a->opened[VIEW_POLICY] = true;
	list_init(&accounts->list);
	accounts->all = accounts_columns;
	accounts->all_count = accounts_columns_count;
	accounts->extra = accounts_extra;
	accounts->extra_count = 2;
	accounts->name_title = "Account/User";
	accounts->name_min = 18;
	accounts->name_max = 48;
	list_init(&policy->list);
	policy->all = policy_columns;
	policy->all_count = policy_columns_count;
	policy->name_title = "Parameter";
	policy->name_min = 26;
	policy->name_max = 28;
	look_plain(policy, VIEW_POLICY);
}

struct app *app_new(const char *dir)
{
	struct app *a = mem_zalloc(1, sizeof *a);

	snprintf(a->dir, sizeof a->dir, "%s", dir != NULL ? dir : "");
	a->model_options = (struct model_options)MODEL_OPTIONS_DEFAULT;
	a->every_ms = EVERY_DEFAULT_MS;
	a->mouse = true;
	a->width = 80;
	a->height = 24;
	a->source.last_good_ms = -1;
	travel_init(&a->travel);
	keymap_init(&a->keymap, commands);
	pools_config_init(&a->pools_config);
	init_sheets(a);
	theme_load(&a->theme, theme_builtin[0], NULL, NULL);
	return a;
}

static bool configure_line(void *context, const char *line, const struct words *words,
			   struct err *err)
{
	(void)words;
	return app_run(context, line, err);
}

bool app_configure(struct app *a, const char *file, const char *text, size_t length,
		   struct err *err)
{
	bool ok = script_run(file, text, length, configure_line, a, err);

	a->message[0] = '\0';
	return ok;
}

bool app_options(struct app *a, const struct screen_options *o, struct err *err)
{
	struct sheet *accounts = &a->sheets[VIEW_ACCOUNTS];
	struct row_order order;

	snprintf(a->me, sizeof a->me, "%s", o->me != NULL ? o->me : "");
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
	if (o->theme != NULL &&
	    !theme_load(&a->theme, o->theme, a->dir[0] != '\0' ? a->dir : NULL, err))
		return false;
	if (o->columns != NULL && !sheet_choose(accounts, o->columns, err))
		return false;
	if (o->sort != NULL) {
		if (!rows_parse_sort(o->sort, accounts_columns, accounts_columns_count, &order,
				     err))
			return false;
		sheet_order(accounts, &order);
	}
	if ((o->filter != NULL || o->mine) &&
	    !app_set_filter(a, VIEW_ACCOUNTS, o->filter != NULL ? o->filter : "", err))
		return false;
	a->travel.at = o->at;
	a->grouped = o->grouped;
	if (o->pools != NULL) {
		if (!pools_file_read(o->pools, &a->pools_config, err))
			return false;
		a->pools_by_file = true;
		app_open_view(a, VIEW_POOLS);
	}
	if (o->tour)
		pane_open(a, PANE_TOUR);
	return true;
}

void app_free(struct app *a)
{
	if (a == NULL)
		return;
	for (int i = 0; i < VIEW_COUNT; i++)
		list_free(&a->sheets[i].list);
	picture_free(a->picture);
	picture_free(a->before);
	history_free(&a->history);
	travel_free(&a->travel);
	trial_free(&a->trial);
	outlook_free(&a->outlook);
	chart_free(&a->chart);
	difference_free(&a->difference);
	pool_past_free(&a->pool_past);
	keymap_free(&a->keymap);
	pools_config_free(&a->pools_config);
	prompt_free(&a->prompt);
	mem_free(a);
}

/* ---- pictures ------------------------------------------------------------------------------ */

static void follow(struct app *a, enum view_id view)
{
	struct list *list = &a->sheets[view].list;

	for (uint32_t i = 0; a->follow && a->follow_view == view && i < list->now.view.rows; i++) {
		if (list->now.keys[i] == a->follow_key) {
			list_select(list, i);
			return;
		}
	}
}

/* What a thread grouped meanwhile is grouped as the source says. */
static bool grouped_as_chosen(const struct app *a)
{
	const struct queue *q = a->picture->queue;

	return q->classes != NULL && q->choice.apart == a->classes_off &&
	       q->choice.exclude == a->exclude;
}

/* The queue of the picture, made now if it is not there yet, into the lists that show it. */
static void update_queue(struct app *a)
{
	struct picture *p = a->picture;
	struct class_choice choice = app_class_choice(a);
	struct list_data data;

	picture_make_queue(p, a->opened[VIEW_CLASSES] && !a->classes_chosen);
	p->queue->jobs->terms_as = a->terms_as;
	if (a->opened[VIEW_JOBS]) {
		struct sheet *sheet = &a->sheets[VIEW_JOBS];

		data = (struct list_data){ .view = jobs_view(p->queue->jobs),
					   .keys = p->queue->job_keys,
					   .group_keys = p->queue->group_keys,
					   .groups = p->queue->groups };
		if (p->queue->groups > 0)
			data.group = p->queue->group;
		data.sorted = p->queue->jobs->order->order;
		data.sorted_count = p->queue->jobs->order->count;
		data.sorted_by = column_find(queue_columns, queue_columns_count, "rank", 4);
		data.view.columns = queue_columns;
		data.view.column_count = queue_columns_count;
		look_jobs(sheet, p->queue);
		look_order(sheet, "rank", false);
		list_update(&sheet->list, &data);
		follow(a, VIEW_JOBS);
	}
	if (a->opened[VIEW_CLASSES]) {
		if (a->classes_chosen && !grouped_as_chosen(a))
			queue_free(queue_group(p->queue, &choice));
		trial_compare_classes(a, false);
		data = (struct list_data){ .view = classes_view(p->queue->classes),
					   .keys = p->queue->class_keys };
		look_order(&a->sheets[VIEW_CLASSES], "waiting", true);
		list_update(&a->sheets[VIEW_CLASSES].list, &data);
	}
}

/* The pools of the cluster or the file; a problem with them is told where the rows would be. */
static void update_pools(struct app *a)
{
	struct picture *p = a->picture;
	struct list_data data;

	picture_make_pools(a, p);
	trial_compare_pools(a);
	/* A what-if is no past. */
	if (p->pools != NULL && trial_versus(a) == NULL)
		pool_past_add(&a->pool_past, p->pools, p->pool_keys,
			      cluster_meta(p->cluster)->time);
	data = (struct list_data){ .view = pools_view(p->pools), .keys = p->pool_keys };
	list_update(&a->sheets[VIEW_POOLS].list, &data);
}

void app_group_classes(struct app *a)
{
	struct sheet *sheet = &a->sheets[VIEW_CLASSES];
	struct queue *q = a->picture != NULL ? a->picture->queue : NULL, *former;
	struct class_choice choice;
	struct list_data data;

	if (q == NULL)
		return;
	choice = app_class_choice(a);
	list_forget(&sheet->list);
	former = queue_group(q, &choice);
	trial_compare_classes(a, true);
	if (a->opened[VIEW_CLASSES]) {
		data = (struct list_data){ .view = classes_view(q->classes),
					   .keys = q->class_keys };
		list_update(&sheet->list, &data);
		list_forget(&sheet->list);
	}
	queue_free(former);
}

static void update_lists(struct app *a)
{
	const struct picture *p = a->picture;
	struct sheet *accounts = &a->sheets[VIEW_ACCOUNTS];
	bool first = accounts->list.now.keys == NULL;
	struct list_data data = {
		.view = accounts_view(p->model),
		.keys = p->assoc_keys,
		.ids = cluster_col_u32(p->cluster, F_ASSOC_ID),
	};

	if (data.view.rows > 0) {
		data.parent = cluster_parent(p->cluster);
		data.span = cluster_span(p->cluster);
		data.depth = cluster_depth(p->cluster);
	}
	look_accounts(accounts, p->cluster, p->model->algo->id);
	if (first && data.view.rows > 0)
		accounts->list.fold_depth = look_fold_depth(p->cluster, accounts->list.page);
	list_update(&accounts->list, &data);
	follow(a, VIEW_ACCOUNTS);
	data = (struct list_data){ .view = policy_view(&p->policy), .keys = p->policy_keys };
	list_update(&a->sheets[VIEW_POLICY].list, &data);
	if (a->opened[VIEW_JOBS] || a->opened[VIEW_CLASSES])
		update_queue(a);
	if (a->opened[VIEW_POOLS])
		update_pools(a);
	trial_compare(a);
}

void app_open_view(struct app *a, enum view_id view)
{
	bool first = !a->opened[view];

	if (a->view != view) {
		pane_close(a);
		a->last_view = a->view;
	}
	a->view = view;
	a->opened[view] = true;
	if (first) {
		a->effects |= APP_NEEDS | APP_REFRESH;
		if (a->picture != NULL && view == VIEW_POOLS)
			update_pools(a);
		else if (a->picture != NULL)
			update_queue(a);
		trial_compare(a);
	}
}

static void forget_before(struct app *a)
{
	for (int i = 0; i < VIEW_COUNT; i++)
		list_forget(&a->sheets[i].list);
	picture_free(a->before);
	a->before = NULL;
}

void app_keep_history(struct app *a, const struct picture *picture)
{
	history_add(&a->history, picture->model, picture->assoc_keys, a->now);
}

void app_show_picture(struct app *a, struct picture *picture)
{
	struct picture *old = a->before;
	int64_t former = travel_time(a);

	/* Where only queues share, the accounts would be an empty beginning. */
	if (a->picture == NULL && a->view == VIEW_ACCOUNTS &&
	    cluster_rows(picture->cluster, TABLE_ASSOC) == 0 &&
	    cluster_rows(picture->cluster, TABLE_POOL) > 0)
		app_open_view(a, VIEW_POOLS);
	a->before = a->picture;
	a->picture = trial_dress(a, picture);
	a->pictures++;
	update_lists(a);
	picture_free(old);
	a->marks_until = a->ms + MARKS_MS;
	/* Against the stream of time there is nothing that has become better or worse. */
	if (former != I64_UNKNOWN && travel_time(a) < former)
		forget_before(a);
}

void app_swap_picture(struct app *a, struct picture *picture)
{
	forget_before(a);
	a->picture = picture;
	a->pictures++;
	update_lists(a);
	forget_before(a);
}

/* A cluster that is only computed may live faster than we do. */
static double clock_rate(const struct picture *before, const struct picture *now)
{
	double ours, theirs;

	if (before == NULL || before->arrived_ms < 0 || now->arrived_ms < before->arrived_ms + 1000)
		return before != NULL ? before->rate : 1;
	ours = (double)(now->arrived_ms - before->arrived_ms) / 1000;
	theirs = (double)(cluster_meta(now->cluster)->time - cluster_meta(before->cluster)->time);
	return theirs > 2 * ours ? theirs / ours : 1;
}

static void take_picture(struct app *a, struct picture *picture)
{
	snprintf(a->model_problem, sizeof a->model_problem, "%s", picture->problem);
	if (picture->model == NULL) {
		picture_free(picture);
		return;
	}
	picture->arrived_ms = a->ms;
	picture->rate = clock_rate(trial_base(a), picture);
	travel_arrived(a, picture);
}

static void take_cluster(struct app *a, struct cluster *cluster)
{
	const struct picture_order order = { .options = a->model_options };

	take_picture(a, picture_new(cluster, &order));
}

/* Made as was ordered then; if that has changed meanwhile, it is made anew. */
static void take_made(struct app *a, struct picture *picture)
{
	struct cluster *cluster = picture->cluster;

	if (picture->options.algorithm == a->model_options.algorithm &&
	    picture->options.base == a->model_options.base &&
	    picture->options.order == a->model_options.order) {
		take_picture(a, picture);
		return;
	}
	picture->cluster = NULL;
	picture_free(picture);
	take_cluster(a, cluster);
}

struct picture_order app_order(const struct app *a)
{
	return (struct picture_order){
		.options = a->model_options, .queue = true,
		.classes = a->opened[VIEW_CLASSES] && !a->classes_chosen,
		/* The user's file is this thread's. */
		.pools = a->opened[VIEW_POOLS] && !a->pools_by_file && !a->grouped,
	};
}

bool app_reload_model(struct app *a, struct err *err)
{
	if (a->picture == NULL)
		return true;
	chart_forget(&a->chart);
	if (a->pane.kind == PANE_DIFFERENCE)
		pane_close(a);		/* one of its sides would be of other rules */
	if (!trial_show(a, true, err))
		return false;
	if (!a->sheets[VIEW_ACCOUNTS].chosen)
		sheet_pick(&a->sheets[VIEW_ACCOUNTS], NULL, false);
	return true;
}

/* ---- events -------------------------------------------------------------------------------- */

static void expire_marks(struct app *a)
{
	if (a->before != NULL && a->ms >= a->marks_until)
		forget_before(a);
}

static void resize(struct app *a, int width, int height)
{
	bool covers;

	a->width = width;
	a->height = height;
	a->effects |= APP_REDRAW;
	covers = pane_modal(a);
	if (covers && !a->pane.focus)
		a->pane.focus = a->pane.covers = true;
	else if (!covers && a->pane.covers)
		a->pane.focus = a->pane.covers = false;
}

/* The windows of the lists follow the terminal and the pane, before anything moves in them. */
static void fit_lists(struct app *a)
{
	struct area area = app_view_area(a);

	for (int i = 0; i < VIEW_COUNT; i++)
		list_resize(&a->sheets[i].list, area.height > 1 ? (uint32_t)area.height - 1 : 1);
}

/* Whoever moves on does not want to be taken back by the next refresh. */
static void end_follow(struct app *a)
{
	const struct list *list = &app_sheet(a)->list;
	uint32_t row = list_row(list);

	if (!a->follow || a->view != a->follow_view || a->prompt.kind != PROMPT_NONE)
		return;
	if (row == ROW_NONE || list->now.keys[row] != a->follow_key)
		a->follow = false;
}

uint32_t app_event(struct app *a, const struct event *event)
{
	uint32_t pictures = a->pictures;

	a->effects = APP_DRAW;
	a->ms = event->ms;
	a->now = event->now;
	expire_marks(a);
	fit_lists(a);
	switch (event->type) {
	case EVENT_KEY:
		app_key(a, event->key);
		break;
	case EVENT_CLICK:
		app_click(a, event->x, event->y);
		break;
	case EVENT_WHEEL:
		app_wheel(a, event->x, event->at, event->y);
		break;
	case EVENT_RESIZE:
		resize(a, event->x, event->y);
		break;
	case EVENT_CLUSTER:
		take_cluster(a, event->cluster);
		break;
	case EVENT_PICTURE:
		take_made(a, event->picture);
		break;
	case EVENT_SOURCE:
		a->source = *event->source;
		if (a->source.health == SOURCE_STALE)
			a->travel.outage = true;
		break;
	case EVENT_PAST:
		travel_line(a, event->past);
		break;
	case EVENT_LOOK:
		if (a->difference.wanted && event->time == a->difference.time)
			difference_take(a, event->cluster);
		else
			chart_take(a, event->time, event->cluster);
		break;
	case EVENT_TIME:
		break;
	}
	if (pictures == a->pictures && (event->type == EVENT_KEY || event->type == EVENT_CLICK ||
					event->type == EVENT_WHEEL))
		end_follow(a);
	travel_tick(a);
	chart_settle(a);
	difference_settle(a);
	outlook_settle(a);
	fit_lists(a);
	return a->effects;
}

int64_t app_next_ms(const struct app *a)
{
	int64_t next = header_next_ms(a);

	if (a->before != NULL && (next < 0 || a->marks_until < next))
		next = a->marks_until;
	if (next >= 0 && next < a->ms + 1000)
		next = a->ms + 1000;
	if (travel_next_ms(a) >= 0 && (next < 0 || travel_next_ms(a) < next))
		next = travel_next_ms(a);
	return next;
}

/* ---- what the outside asks ----------------------------------------------------------------- */

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

int64_t app_every_ms(const struct app *a)
{
	return a->every_ms;
}

int64_t app_seek_time(const struct app *a)
{
	return a->travel.at;
}

const int64_t *app_survey(const struct app *a, size_t *count, uint32_t *needs)
{
	const struct chart *c = &a->chart;

	if (a->difference.wanted) {
		*count = 1;
		*needs = DIFF_NEEDS;
		return &a->difference.time;
	}
	*count = c->wanted_count - c->wanted_next;
	*needs = chart_needs(a);
	return c->wanted != NULL ? c->wanted + c->wanted_next : NULL;
}

const struct theme *app_theme(const struct app *a)
{
	return &a->theme;
}

const char *app_copied(const struct app *a)
{
	return a->copied;
}

const char *app_write_path(const struct app *a)
{
	return a->write_path;
}

void app_written(struct app *a, bool done, bool made, const char *text)
{
	if (done)
		app_say(a, ROLE_MESSAGE, "wrote %s%s", a->write_path,
			made ? " and made its directory" : "");
	else
		app_say(a, ROLE_ERROR, "%s", text);
}

uint16_t app_exit_status(const struct app *a)
{
	return a->exit_status;
}

/* The header, the tree, and whatever the columns, the order and the filter look at. */
uint32_t app_needs(const struct app *a)
{
	uint32_t needs = NEED_SHARES | NEED_LIMITS | NEED_POLICY | NEED_HOSTS | NEED_JOBS |
			 NEED_QOS | NEED_PASS;

	for (int view = 0; view < VIEW_COUNT; view++) {
		const struct sheet *sheet = &a->sheets[view];

		for (size_t i = 0; a->opened[view] && i < sheet->count; i++)
			needs |= sheet->columns[i]->needs;
		if (a->opened[view])
			needs |= rows_needs(&sheet->list.order) | filter_needs(sheet->list.filter);
	}
	if (trial_count(a) > 0)
		needs |= NEED_ALL & ~(uint32_t)NEED_LICENSES;
	return needs;
}
