/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/pane_forecast.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/mem.h"
#include "core/base/timestr.h"
#include "core/base/timeword.h"
#include "core/sim/seek_start.h"
#include "tui/base/zone.h"
#include "tui/cells/plot.h"
#include "tui/panes/detail.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_why.h"
#include "tui/time/travel.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

#define AXIS 9			/* columns for the numbers beside the chart */
#define LIST_DETAIL 4

/* ---- the chart ------------------------------------------------------------------------------- */

static void forecast_date_of(int64_t time, bool seconds, char *buf, size_t size)
{
	time_t t = (time_t)time;
	struct tm tm;

	buf[0] = '\0';
	if (time == I64_UNKNOWN || !localtime_r(&t, &tm))
		return;
	if (seconds)
		(void)strftime(buf, size, "%Y-%m-%d %H:%M:%S", &tm);
	else
		(void)strftime(buf, size, "%Y-%m-%d %H:%M", &tm);
}

void forecast_tell(const struct forecast *f, char *buf, size_t size)
{
	char date[40];

	forecast_date_of(f->reached, true, date, sizeof(date));
	(void)snprintf(buf, size, "%s%s%s", f->sentence, date[0] != '\0' ? ", on " : "", date);
}

struct scale {
	int64_t from, to;
	double least, most, step;
};

/* False if there is no curve. */
static bool scale_of(const struct forecast *f, double reach, int height, struct scale *s)
{
	double finest;

	if (f->count < 2)
		return false;
	*s = (struct scale){ f->points[0].time, f->points[f->count - 1].time, INFINITY,
			     -INFINITY, 0 };
	for (uint32_t i = 0; i < f->count; i++) {
		s->least = fmin(s->least, forecast_value(&f->points[i]));
		s->most = fmax(s->most, forecast_value(&f->points[i]));
	}
	if (f64_known(reach)) {
		s->least = fmin(s->least, reach);
		s->most = fmax(s->most, reach);
	}
	if (!isfinite(s->least) || !isfinite(s->most) || s->to <= s->from)
		return false;
	/* Not finer than a label can show. */
	finest = s->most > 0 ? pow(10, floor(log10(s->most)) - 2) : 0;
	s->step = plot_round(&s->least, &s->most, height > 5 ? 4 : 2, finest);
	return true;
}

static double forecast_across(const struct scale *s, int64_t time)
{
	return (double)(time - s->from) / (double)(s->to - s->from);
}

static double forecast_up(const struct scale *s, double value)
{
	return (value - s->least) / (s->most - s->least);
}

static void forecast_draw_curve(const struct forecast *f, double reach, const struct scale *s,
				struct plot *p)
{
	char letter = p->letter;

	p->letter = '.';
	for (int i = 0; f64_known(reach) && i < p->width; i += 2)
		plot_dot(p, (double)i / p->width, forecast_up(s, reach));
	p->letter = letter;
	for (uint32_t i = 1; i < f->count; i++) {
		const struct forecast_point *a = &f->points[i - 1], *b = &f->points[i];

		double from = forecast_value(a), to = forecast_value(b);

		if (f64_known(from) && f64_known(to))
			plot_line(p, forecast_across(s, a->time), forecast_up(s, from),
				  forecast_across(s, b->time), forecast_up(s, to));
	}
	if (f->reached != I64_UNKNOWN && f64_known(reach) && f->reached >= s->from &&
	    f->reached <= s->to)
		plot_point(p, forecast_across(s, f->reached), forecast_up(s, reach));
}

/* The axis labels in this line; none occurs twice. */
static void forecast_put_value(const struct scale *s, const struct plot *p, struct doc *d, int row)
{
	for (double v = s->least; v <= s->most + s->step / 2; v += s->step) {
		if (plot_row(p, forecast_up(s, v)) != row)
			continue;
		doc_putf(d, ROLE_LABEL, "%8.4g", fabs(v) < s->step / 2 ? 0 : v);
		return;
	}
}

static void forecast_put_times(const struct scale *s, const struct plot *p, struct doc *d)
{
	int64_t step, time = plot_times(s->from, s->to, p->width, &step);
	char text[PLOT_TIME];

	doc_line(d);
	for (bool first = true; time <= s->to; time += step, first = false) {
		int x = AXIS + (int)lround(forecast_across(s, time) * (p->width - 1));

		plot_time_text(time, step, first, text);
		if (x + (int)strlen(text) > d->width)
			break;
		doc_put_at(d, ROLE_LABEL, x, text);
	}
}

void forecast_chart(const struct forecast *f, double reach, struct doc *d, int height)
{
	struct scale s;
	struct plot p;
	int width = d->width - AXIS;

	if (width < 10 || height < 2 || !scale_of(f, reach, height, &s))
		return;
	plot_init(&p, width, height);
	forecast_draw_curve(f, reach, &s, &p);
	for (int row = 0; row < height; row++) {
		doc_line(d);
		forecast_put_value(&s, &p, d, row);
		doc_tab(d, AXIS);
		plot_put(&p, d, row);
	}
	forecast_put_times(&s, &p, d);
	plot_free(&p);
}

/* ---- questions ------------------------------------------------------------------------------- */

static bool forecast_number(const char *what, const char *text, double *out, struct err *err)
{
	char *end;

	*out = strtod(text, &end);
	return (end != text && *end == '\0' && *out >= 0 && *out < 1e300) ||
	       err_set(err, ERR_INPUT, "%s '%s': not a number", what, text);
}

bool forecast_read_reach(const char *what, const char *text, bool is_rank,
			 const struct model *m, double *reach, struct err *err)
{
	bool lsf = m->algo->id == FS_LSF;
	char *end;
	double x = strtod(text, &end);
	bool good = end != text && *end == '\0';

	if (is_rank && !(good && x >= 1 && x < U32_UNKNOWN && x == trunc(x)))
		return err_set(err, ERR_INPUT,
			       "%s %s: not a rank (expected a whole number from 1)", what, text);
	if (!is_rank && !(good && x >= 0 && x <= (lsf ? DBL_MAX : 1)))
		return err_set(err, ERR_INPUT, "%s %s: not a %s (expected a number from 0%s)",
			       what, text, lsf ? "dynamic priority" : "fair-share factor",
			       lsf ? " on" : " to 1");
	*reach = x;
	return true;
}

bool forecast_read_burn(const char *text, struct forecast_question *q, struct err *err)
{
	q->calendar = &zone_local;
	q->zone_is_ours = true;
	q->burn = FORECAST_NOW;
	if (!text || strcmp(text, "now") == 0)
		return true;
	q->burn = strcmp(text, "none") == 0 ? FORECAST_NONE : FORECAST_RATE;
	return q->burn == FORECAST_NONE || forecast_number("burn", text, &q->rate, err);
}

/* The forecast question for the row under the cursor. */
static bool forecast_ask(struct app *a, struct forecast_seek_order *order, const char *command,
			 struct err *err)
{
	uint32_t row = a->picture ? list_row(&app_sheet(a)->list) : ROW_NONE;

	order->options = a->model_options;
	order->assoc = row;
	order->entry = ROW_NONE;
	if (row == ROW_NONE || (a->view != VIEW_ACCOUNTS && a->view != VIEW_JOBS))
		return err_set(err, ERR_INPUT, "%s: no account or job under the cursor", command);
	if (a->view == VIEW_JOBS) {
		order->entry = row;
		order->assoc = a->picture->queue->jobs->index->assoc[row];
	}
	return order->assoc != ROW_NONE ||
	       err_set(err, ERR_INPUT, "%s: the association of this job is unknown", command);
}

static void pane_forecast_take(struct app *a, const struct forecast_seek_order *order,
			       const union forecast_seek_answer *answer)
{
	struct forecasts *o = a->forecasts;

	if (order->kind == ASK_FORECAST) {
		forecast_free(&o->forecast);
		o->forecast = answer->forecast;
		/* A rank cannot be drawn in a chart of F. */
		o->reach = order->entry == ROW_NONE ? order->forecast.reach : F64_UNKNOWN;
	} else {
		seek_free(&o->seek);
		o->seek = answer->seek;
	}
}

static void tell_place(struct app *a, uint32_t entry)
{
	const struct jobs *j = a->picture->queue->jobs;
	const struct queue_order *order = j->order;
	uint32_t rank = order->rank[entry], before;
	char place[16], *out = a->forecasts->place;

	out[0] = '\0';
	if (rank == U32_UNKNOWN)
		return;
	detail_ordinal(rank, place, sizeof(place));
	if (rank < 2) {
		snprintf(out, sizeof(a->forecasts->place), "%s of %u", place,
			 (unsigned)order->count);
		return;
	}
	before = order->order[rank - 2];
	snprintf(out, sizeof(a->forecasts->place), "%s of %u, right behind job %.60s", place,
		 (unsigned)order->count, a->picture->queue->job_names[before]);
}

/* The assumed burn rate of the row, in words. */
static void tell_burn(struct app *a, const struct forecast_seek_order *order)
{
	const struct forecast_question *q = &order->forecast;
	const double *burn = a->picture->model->burn;
	double rate = q->burn == FORECAST_NONE ? 0 : q->burn == FORECAST_RATE ? q->rate :
		      burn ? burn[order->assoc] : F64_UNKNOWN;
	char text[80];

	a->forecasts->burn[0] = '\0';
	if (!f64_known(rate))
		return;
	burn_text(rate, text, sizeof(text));
	snprintf(a->forecasts->burn, sizeof(a->forecasts->burn), "Assumed: it burns %s%s", text,
		 q->burn == FORECAST_NOW ? ", unchanged" : "");
}

static const struct pane_ops *pane_of(const struct forecast_seek_order *order)
{
	return order->kind == ASK_FORECAST ? &forecast_pane : &seek_pane;
}

static void name_object(struct app *a, const struct forecast_seek_order *order)
{
	struct forecasts *o = a->forecasts;

	if (order->entry != ROW_NONE)
		snprintf(o->object, sizeof(o->object), "job %s",
			 a->picture->queue->job_names[order->entry]);
	else
		cluster_path(a->picture->cluster, order->assoc, o->object, sizeof(o->object));
}

/* Asks about the picture on the screen; false if it failed at once. */
static bool forecast_look(struct app *a, const struct forecast_seek_order *order, struct err *err)
{
	struct forecasts *o = a->forecasts;
	union forecast_seek_answer answer;
	enum forecast_seek_state state;

	foresight_stop(a, &o->asked);
	o->tried = a->pictures;
	state = foresight_ask(a, order, &o->asked, &answer, err);
	if (state == ASK_FAILED)
		return false;
	o->order = *order;
	tell_burn(a, order);
	o->pictures = a->pictures;
	o->time = travel_time(a);
	o->problem[0] = '\0';
	o->place[0] = '\0';
	if (order->kind == ASK_FORECAST && order->entry != ROW_NONE)
		tell_place(a, order->entry);
	name_object(a, order);
	if (state == ASK_DONE)
		pane_forecast_take(a, order, &answer);
	else
		memcpy(o->progress, a->foresights->order->progress, sizeof(o->progress));
	return true;
}

static uint64_t forecast_key_of(const struct app *a, const struct forecast_seek_order *order)
{
	return app_sheet_get(a)->list.now.keys[order->entry != ROW_NONE ? order->entry :
					       order->assoc];
}

static bool forecast_start(struct app *a, const struct forecast_seek_order *order, struct err *err)
{
	struct forecasts *o = a->forecasts;

	if (!forecast_look(a, order, err))
		return false;
	o->key = forecast_key_of(a, order);
	o->stands = false;
	pane_open(a, pane_of(order));
	return true;
}

/* Repeats the question for the row in a later picture, while it is there and pending. */
static void forecast_follow(struct app *a)
{
	const struct list_data *now = &app_sheet_get(a)->list.now;
	struct forecasts *o = a->forecasts;
	struct forecast_seek_order order = o->order;
	struct err err = { 0 };
	uint32_t row = 0;

	while (row < now->view.rows && now->keys[row] != o->key)
		row++;
	o->tried = a->pictures;
	o->stands = true;
	order.options = a->model_options;
	if (row == now->view.rows)
		err_set(&err, ERR_INPUT, "it no longer exists");
	else if (order.entry == ROW_NONE)
		order.assoc = row;
	else if (o->place[0] != '\0' && a->picture->queue->jobs->index->kind[row] >= JOB_RUNNING)
		err_set(&err, ERR_INPUT, "it is no longer pending");
	else
		order.assoc = a->picture->queue->jobs->index->assoc[order.entry = row];
	if (err.code == ERR_NONE && order.assoc == ROW_NONE)
		err_set(&err, ERR_INPUT, "its association is no longer known");
	if (err.code != ERR_NONE || !forecast_look(a, &order, &err))
		memcpy(o->problem, err.message, sizeof(o->problem));
}

/* Whether the user has moved to another row, as opposed to a picture moving the cursor. */
static bool forecast_user_moved(struct app *a)
{
	const struct list *l = &app_sheet_get(a)->list;
	struct forecasts *o = a->forecasts;
	uint32_t row = list_row(l);
	uint64_t key = row != ROW_NONE ? l->now.keys[row] : 0;
	bool moved = row != ROW_NONE && o->cursor_of == a->pictures && o->cursor != key;

	o->cursor = key;
	o->cursor_of = a->pictures;
	return moved;
}

/* Repeats the question for the row that the user has moved to. */
static void move_on(struct app *a)
{
	struct forecasts *o = a->forecasts;
	struct forecast_seek_order order = o->order;
	struct err err = { 0 };

	if (!forecast_ask(a, &order, "forecast", &err)) {
		app_say(a, ROLE_MESSAGE, "%s", err.message);
		return;
	}
	if (o->own_goal)
		order.forecast.reach = order.entry == ROW_NONE ? forecast_goal(a, order.assoc) :
								 F64_UNKNOWN;
	o->key = forecast_key_of(a, &order);
	o->stands = true;
	forecast_free(&o->forecast);
	o->forecast = (struct forecast){ .reached = I64_UNKNOWN };
	if (forecast_look(a, &order, &err))
		return;
	o->order = order;
	o->place[0] = '\0';
	name_object(a, &order);
	memcpy(o->problem, err.message, sizeof(o->problem));
}

static void forecast_after_event(struct app *a)
{
	struct forecasts *o = a->forecasts;

	if (forecast_user_moved(a) && pane_holds(a, &forecast_pane))
		move_on(a);
	if (o->asked != 0 && !pane_holds(a, pane_of(&o->order)))
		foresight_stop(a, &o->asked);	/* it is no longer shown */
	else if (o->asked == 0 && a->pane.ops == &forecast_pane && o->tried != a->pictures &&
		 a->picture)
		forecast_follow(a);
}

void forecast_take(struct app *a, struct foresight *f)
{
	struct forecasts *o = a->forecasts;

	memcpy(o->progress, f->progress, sizeof(o->progress));
	if (f->state == ASK_UNDER_WAY)
		return;
	o->asked = 0;
	if (f->state == ASK_DONE) {
		pane_forecast_take(a, &o->order, &f->answer);
		f->state = ASK_UNDER_WAY;
	} else if (o->stands) {
		memcpy(o->problem, f->err.message, sizeof(o->problem));
	} else {
		app_say(a, ROLE_ERROR, "%s", f->err.message);
		pane_drop(a, pane_of(&o->order));
	}
}

double forecast_goal(const struct app *a, uint32_t assoc)
{
	const struct fs_result *fs = a->picture->model->fs;
	double fair = fs->effective_ratio ? exp2(-1 / fs->damping) : 0;

	return fs->fairshare && fs->fairshare[assoc] < fair ? fair : F64_UNKNOWN;
}

bool forecast_open(struct app *a, const char *reach, const char *burn, struct err *err)
{
	struct forecast_seek_order order = { .kind = ASK_FORECAST, .forecast.reach = F64_UNKNOWN };

	if (!forecast_read_burn(burn, &order.forecast, err) ||
	    (reach && strcmp(reach, "-") != 0 &&
	     !forecast_read_reach("forecast", reach, a->view == VIEW_JOBS, a->picture->model,
				  &order.forecast.reach, err)))
		return false;
	if (!forecast_ask(a, &order, "forecast", err))
		return false;
	a->forecasts->own_goal = !reach;
	if (!reach && order.entry == ROW_NONE)
		order.forecast.reach = forecast_goal(a, order.assoc);
	return forecast_start(a, &order, err);
}

bool seek_open(struct app *a, const char *reach, struct err *err)
{
	struct forecast_seek_order order = { .kind = ASK_SEEK };

	if (!forecast_read_reach("seek", reach, a->view == VIEW_JOBS, a->picture->model,
				 &order.reach, err))
		return false;
	return forecast_ask(a, &order, "seek", err) && forecast_start(a, &order, err);
}

/* The job named OBJECT, or the one under the cursor. */
static bool ask_job(struct app *a, struct forecast_seek_order *order, const char *object,
		    struct err *err)
{
	const struct jobs *jobs = a->picture->queue ? a->picture->queue->jobs : NULL;

	if (!object && a->view != VIEW_JOBS)
		return err_set(err, ERR_INPUT, "seek --start: no job under the cursor "
			       "(expected job:ID)");
	if (!object)
		return forecast_ask(a, order, "seek --start", err);
	if (!(cluster_object_kinds(object) & OBJECT_JOB))
		return err_set(err, ERR_INPUT, "seek %s --start: only for a job (expected job:ID)",
			       object);
	if (!jobs)
		return err_set(err, ERR_INPUT, "%s: the jobs are unknown", object);
	order->options = a->model_options;
	order->entry = jobs_find(jobs, object, err);
	if (order->entry == ROW_NONE)
		return false;
	order->assoc = jobs->index->assoc[order->entry];
	return order->assoc != ROW_NONE ||
	       err_set(err, ERR_INPUT, "%s: its association is unknown", object);
}

bool seek_open_start(struct app *a, const char *object, const char *time, struct err *err)
{
	struct forecast_seek_order order = { .kind = ASK_SEEK, .until = seek_start_until };
	const struct cluster *c = a->picture->cluster;
	int64_t begin, now = cluster_meta(c)->time;

	if (whatif_base(a) != a->picture)
		return err_set(err, ERR_INPUT, "seek --start: not with edits (expected none: "
			       "starts are simulated with reported priorities, which do not "
			       "include them)");
	if (!timeword_parse(time, now != I64_UNKNOWN ? now : 0, &zone_local, &begin, err))
		return err_prefix(err, "seek --start");
	return seek_start_reach(c, "seek --start", begin, &order.reach, err) &&
	       ask_job(a, &order, object, err) && forecast_start(a, &order, err);
}

/* ---- panes ----------------------------------------------------------------------------------- */

/* Shown instead of an answer until there is one. */
static bool still_looking(const struct app *a, struct doc *d)
{
	const struct forecasts *o = a->forecasts;
	char key[32];

	if (o->asked == 0 || o->stands)
		return false;
	keymap_titles(&a->keymap, a->view, "back", d->ascii, 1, key, sizeof(key));
	doc_begin(d, ROLE_ACCENT, o->object);
	doc_line(d);
	doc_wrap(d, ROLE_TEXT, 0, o->progress);
	doc_line(d);
	doc_beginf(d, ROLE_HINT, "%s stops it", key);
	return true;
}

static void forecast_doc(const struct app *a, struct doc *d)
{
	const struct forecasts *o = a->forecasts;
	int height = app_pane_area(a).height - 7;	/* without frame, axis and footnote */
	char text[sizeof(o->forecast.sentence) + 48], date[40];

	if (still_looking(a, d))
		return;
	forecast_tell(&o->forecast, text, sizeof(text));
	if (text[0] == '\0' && o->forecast.count > 1) {
		const struct forecast_point *p = o->forecast.points, *last =
			p + o->forecast.count - 1;

		forecast_date_of(last->time, false, date, sizeof(date));
		if (!f64_known(forecast_value(p)) || !f64_known(forecast_value(last)))
			snprintf(text, sizeof(text), "No forecast: no F is known for it");
		else
			snprintf(text, sizeof(text), "%s is %.6g, and %.6g on %s",
				 f64_known(p->fairshare) ? "F" : "Priority",
				 forecast_value(p), forecast_value(last), date);
	}
	doc_begin(d, ROLE_ACCENT, o->object);
	if (o->problem[0] != '\0') {
		forecast_date_of(o->time, false, date, sizeof(date));
		doc_putf(d, ROLE_WARN, "  as of %s: %s", date, o->problem);
	}
	doc_line(d);
	doc_wrap(d, ROLE_TEXT, 0, text);
	doc_line(d);
	pane_pair(d, "place", ROLE_VALUE, o->place);
	if (o->order.entry != ROW_NONE && o->pictures == a->pictures &&
	    a->picture->queue->jobs->index->kind[o->order.entry] < JOB_RUNNING)
		why_start_doc(a, d, o->order.entry, PANE_LABEL);
	if (o->place[0] != '\0')
		doc_line(d);
	forecast_chart(&o->forecast, o->reach, d, height - (int)d->line_count);
	doc_line(d);
	doc_line(d);
	snprintf(text, sizeof(text), "F by the decay law. %s%s others go on as %s. "
		 ":forecast F none shows when it reaches F if it uses nothing", o->burn,
		 o->burn[0] != '\0' ? "; all" : "All", travel_now(a));
	doc_wrap(d, ROLE_HINT, 0, text);
}

static uint32_t forecast_count(const struct app *a)
{
	return a->forecasts->asked == 0 ? a->forecasts->seek.count : 0;
}

static void draw_answer(const struct forecasts *o, uint32_t i, struct canvas *c, int x, int y,
			int width)
{
	const struct seek_answer *answer = &o->seek.answers[i];
	bool reached = f64_known(answer->value);
	char text[40];

	canvas_name(c, x, y, width - 14, reached ? ROLE_KEY : ROLE_DIM, answer->edit);
	if (o->order.until && f64_known(answer->reaches))
		timestr_format((int64_t)answer->reaches, text, sizeof(text));
	else
		snprintf(text, sizeof(text), o->seek.is_rank ? "rank %.0f" : "F %.6f",
			 answer->reaches);
	canvas_right(c, x + width - 13, y, 13, reached ? ROLE_VALUE : ROLE_DIM,
		     f64_known(answer->reaches) ? text : "-");
}

static void forecast_draw_line(const struct app *a, struct canvas *c, uint32_t i, struct area at)
{
	draw_answer(a->forecasts, i, c, at.x, at.y, at.width - 1);
}

static void forecast_draw_foot(const struct app *a, struct canvas *c, struct area at)
{
	const struct seek *s = &a->forecasts->seek;
	uint32_t pick = a->pane.pick;
	struct doc d;

	doc_init(&d, at.width, c->ascii);
	doc_line(&d);
	doc_put(&d, ROLE_ACCENT, a->forecasts->object);
	doc_line(&d);
	doc_wrap(&d, ROLE_TEXT, 0, s->sentence);
	if (a->forecasts->order.until && a->picture->queue && a->picture->queue->starts.rough) {
		doc_line(&d);
		doc_wrap(&d, ROLE_LEGEND, 0, "Many pending jobs: simulated on a pool of CPUs, "
			 "starts are approximate");
	}
	if (pick < s->count && s->answers[pick].note[0] != '\0') {
		doc_line(&d);
		doc_wrap(&d, ROLE_LEGEND, 0, s->answers[pick].note);
	}
	doc_draw(&d, c, at.x, at.y, at.width, at.height, 0);
	doc_free(&d);
}

/* Makes the picked answer an edit. */
static void forecast_take_edit(struct app *a)
{
	const struct seek *s = &a->forecasts->seek;
	const struct seek_answer *answer;
	struct err err = { 0 };

	if (a->pane.pick >= forecast_count(a)) {
		app_say(a, ROLE_MESSAGE, a->forecasts->asked != 0 ? "no edit found yet" :
								   "no edit to apply");
		return;
	}
	answer = &s->answers[a->pane.pick];
	if (!f64_known(answer->value))
		app_say(a, ROLE_MESSAGE, "%s: %s", answer->edit, answer->note);
	else if (!whatif_try(a, answer->edit, &err))
		app_say(a, ROLE_ERROR, "%s", err.message);
	else
		app_say(a, ROLE_MESSAGE, "%s is in the what-if", answer->edit);
}

const struct pane_ops forecast_pane = {
	.title = "Forecast", .place = PANE_BESIDE, .doc = forecast_doc,
	.keys = pane_text_keys,
};

const struct pane_ops seek_pane = {
	.title = "Edits for the goal", .width = 110, .lines = LIST_DETAIL + 3,
	.count = forecast_count,
	.line = forecast_draw_line, .foot = forecast_draw_foot, .foot_lines = LIST_DETAIL,
	.instead = still_looking,
	.enter = forecast_take_edit, .mark = forecast_take_edit, .again = "mark",
	.keys = (const struct pane_key[]){
		{ "details", NULL, "add to what-if", NULL }, { "down", "up", "move", NULL },
		{ .word = NULL },
	},
};

/* ---- the feature ----------------------------------------------------------------------------- */

static void forecast_init(struct app *a)
{
	a->forecasts = mem_zalloc(1, sizeof(*a->forecasts));
}

static void forecast_leave(struct app *a)
{
	struct forecasts *o = a->forecasts;

	forecast_free(&o->forecast);
	seek_free(&o->seek);
	mem_free(o);
}

const struct feature forecast_feature = { .init = forecast_init,
					  .free = forecast_leave,
					  .after_event = forecast_after_event };
