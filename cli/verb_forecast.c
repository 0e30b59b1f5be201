/* SPDX-License-Identifier: GPL-2.0-or-later */
/* forecast and seek: when a value is reached by waiting, or with which edit. */
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "core/queue/forecast.h"
#include "core/base/mem.h"
#include "core/sim/seek_start.h"
#include "core/whatif/seek.h"
#include "tui/base/zone.h"
#include "tui/panes/pane_forecast.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/verbs.h"

#define CHART_WIDTH 72
#define CHART_HEIGHT 8

/* The association that an OBJECT names, and the entry if it is a job. */
struct forecast_target {
	struct jobs *jobs;		/* NULL without jobs */
	uint32_t assoc, entry;
};

static bool forecast_find_target(struct session *s, struct forecast_target *t, struct err *err)
{
	const char *object = s->object;

	t->entry = ROW_NONE;
	t->jobs = NULL;
	if (cluster_object_kinds(object) != OBJECT_JOB) {
		t->assoc = cluster_find_assoc(s->cluster, object, err);
		return t->assoc != ROW_NONE;
	}
	t->jobs = session_jobs(s);
	t->entry = jobs_find(t->jobs, object, err);
	if (t->entry == ROW_NONE)
		return false;
	t->assoc = t->jobs->index->assoc[t->entry];
	return t->assoc != ROW_NONE ||
	       err_set(err, ERR_INPUT, "%s: its association is unknown", object);
}

static void forecast_say(struct session *s, const char *sentence)
{
	if (s->options->format != REPORT_TABLE || !sentence[0])
		return;
	output_line(&s->output, "%s", sentence);
	output_text(&s->output, "\n");
}

/* For people, F over time as a chart. */
static void verb_forecast_chart(struct session *s, const struct forecast *f, double reach)
{
	struct canvas *canvas = canvas_new(CHART_WIDTH, CHART_HEIGHT + 3, true);
	struct err err = { .code = ERR_NONE };
	struct doc d;

	setlocale(LC_CTYPE, "");
	canvas->ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	doc_init(&d, CHART_WIDTH, canvas->ascii);
	forecast_chart(f, reach, &d, CHART_HEIGHT);
	doc_line(&d);
	doc_draw(&d, canvas, 0, 0, CHART_WIDTH, CHART_HEIGHT + 3, 0);
	if (d.line_count > 1)
		canvas_write_text(canvas, output_sink(&s->output), &err);
	doc_free(&d);
	canvas_free(canvas);
}

/* forecast() with a progress line. */
static bool look_ahead(const struct session *s, const struct forecast_target *t,
		       const struct forecast_question *q, struct forecast *out, struct err *err)
{
	struct forecasting *f = forecast_begin(s->model, t->jobs, q, err);
	struct progress progress = progress_begin();
	uint64_t moments = 0;

	while (f && forecast_step(f))
		progress_show(&progress, "looking ahead", 0, ++moments, "moments");
	progress_clear();
	if (f)
		forecast_end(f, out);
	return f;
}

static int forecast_answer(struct session *s, struct forecast_target *t)
{
	struct forecast_question q = { .assoc = t->assoc, .entry = t->entry, .reach = F64_UNKNOWN };
	struct err err = { .code = ERR_NONE };
	char sentence[400];
	struct report_extra extra = { "sentence", sentence };
	struct forecast f;
	struct view view;
	int status;
	bool ok;

	if (!forecast_read_burn(s->options->burn, &q, &err) ||
	    (s->options->reach &&
	     !forecast_read_reach("--reach", s->options->reach, t->entry != ROW_NONE, s->model,
				  &q.reach, &err)))
		return complain(&err);
	q.zone_is_ours = !cluster_meta(s->cluster)->zone[0];
	zone_enter(cluster_meta(s->cluster)->zone);	/* resets happen at its midnights */
	ok = look_ahead(s, t, &q, &f, &err);
	zone_leave();
	if (!ok)
		return complain(&err);
	forecast_tell(&f, sentence, sizeof(sentence));
	forecast_say(s, sentence);
	if (s->options->format == REPORT_TABLE && !s->options->columns)
		verb_forecast_chart(s, &f, t->entry == ROW_NONE ? q.reach : F64_UNKNOWN);
	view = forecast_view(&f);
	status = session_answer(s, &view, NULL, &extra, 1);
	forecast_free(&f);
	return status;
}

/* seek() with a progress line. */
static bool forecast_search(const struct session *s, const struct forecast_target *t,
			    const struct seek_question *q, struct seek *out, struct err *err)
{
	struct seeking *k = seek_begin(s->model, t->jobs, q, err);
	struct progress progress = progress_begin();
	uint32_t at, count;
	uint64_t tries = 0;

	while (k && seek_step(k)) {
		seek_progress(k, &at, &count);
		progress_show(&progress, "seeking", (double)at / count, ++tries, "tries");
	}
	progress_clear();
	if (k)
		seek_end(k, out);
	return k;
}

/* Refuses options that --start ignores. */
static bool is_alone(const struct options *o, struct err *err)
{
	if (o->reach)
		return err_set(err, ERR_INPUT, "--start: not with --reach (expected one goal)");
	if (o->edit_count > 0)
		return err_set(err, ERR_INPUT, "--start: not with edits (expected neither --set "
			       "nor --what-if: jobs start by the reported priorities, which do not "
			       "include them)");
	return o->model.base != FS_BASE_REPORTED ||
	       err_set(err, ERR_INPUT, "--start: not with --base reported (expected usage, from "
		       "which the effect of an edit is computed)");
}

static bool read_goal(const struct session *s, const struct forecast_target *t,
		      struct seek_question *q, struct err *err)
{
	int64_t start = s->options->start;

	if (start != I64_UNKNOWN) {
		q->until = seek_start_until;
		return (t->entry != ROW_NONE ||
			err_set(err, ERR_INPUT, "--start: only for a job (job:ID)")) &&
		       seek_start_reach(s->cluster, "--start", start, &q->reach, err);
	}
	if (!s->options->reach)
		return err_set(err, ERR_INPUT, "--reach: missing (expected F of an account or "
			       "user, or the rank that a job is to reach; or --start and a time)");
	return forecast_read_reach("--reach", s->options->reach, t->entry != ROW_NONE, s->model,
				   &q->reach, err);
}

static int seek_answer(struct session *s, struct forecast_target *t)
{
	struct seek_question q = { .assoc = t->assoc, .entry = t->entry };
	struct err err = { .code = ERR_NONE };
	struct report_extra extra = { "sentence", NULL };
	struct seek answer;
	struct view view;
	int status;

	if (!read_goal(s, t, &q, &err) || !forecast_search(s, t, &q, &answer, &err))
		return complain(&err);
	forecast_say(s, answer.sentence);
	if (q.until && seek_start_is_rough(t->jobs))
		remark(s->source->name, "many jobs are pending: they are simulated on a pool of "
		       "CPUs, not node by node, so starts are approximate");
	extra.text = answer.sentence;
	view = seek_view(&answer);
	status = session_answer(s, &view, NULL, &extra, 1);
	seek_free(&answer);
	return status;
}

static int with_target(struct session *s,
		       int (*answer)(struct session *s, struct forecast_target *t))
{
	struct forecast_target t = { NULL, ROW_NONE, ROW_NONE };
	struct err err = { .code = ERR_NONE };
	int status = session_objects(s, OBJECT_ASSOC | OBJECT_JOB);

	if (status == 0)
		status = session_model(s);
	if (status == 0)
		status = forecast_find_target(s, &t, &err) ? answer(s, &t) : complain(&err);
	jobs_free(t.jobs);
	return status;
}

static int forecast_object(struct session *s, struct selection *selection)
{
	(void)selection;
	return with_target(s, forecast_answer);
}

static int seek_object(struct session *s, struct selection *selection)
{
	(void)selection;
	return with_target(s, seek_answer);
}

/* Both start from raw usage: reported values do not hold for other shares or another time. */
static int from_usage(const struct options *given, session_answers *answer)
{
	struct options *o = mem_alloc(1, sizeof(*o));
	struct view shape = verb_shape(given->verb);
	int status;

	*o = *given;
	o->model.base = FS_BASE_USAGE;
	status = session_run(o, &shape, NEED_ALL & ~(uint32_t)NEED_LICENSES, answer);
	mem_free(o);
	return status;
}

int verb_forecast(const struct options *o)
{
	return from_usage(o, forecast_object);
}

int verb_seek(const struct options *o)
{
	struct err err = { .code = ERR_NONE };

	if (o->start != I64_UNKNOWN && !is_alone(o, &err))
		return complain(&err);
	return from_usage(o, seek_object);
}
