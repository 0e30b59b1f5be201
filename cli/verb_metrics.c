/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics: fair share and waits for the site's monitoring. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "adapters/clock.h"
#include "adapters/registry/apart.h"
#include "cli/every.h"
#include "cli/metrics.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "core/base/mem.h"
#include "core/queue/forecast.h"
#include "core/queue/waits.h"
#include "core/table/rows.h"
#include "tui/base/new_file.h"
#include "tui/base/zone.h"

/* Every file written here begins so: another one belongs to somebody, and is not replaced. */
#define BEGINNING "# HELP fairtop_"

static int64_t cpu_us(int who)
{
	struct rusage u;

	if (getrusage(who, &u) != 0)
		return 0;
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * INT64_C(1000000) + u.ru_utime.tv_usec +
	       u.ru_stime.tv_usec;
}

static int64_t cpu_used(void)
{
	return cpu_us(RUSAGE_SELF) + cpu_us(RUSAGE_CHILDREN);
}

/* A signal in between would leave the temporary file. */
static bool write_file(const char *file, const struct bytes *text, struct err *err)
{
	bool ok;

	every_hold();
	ok = new_file_write(file, text, new_file_is_ours(file, BEGINNING), err);
	every_release();
	return ok;
}

/* One source and its results; waits, and how far its recording is read, are kept between rounds. */
struct metrics_reported {
	struct options own;		/* with this source only */
	struct session *session;
	struct selection selection;
	struct verify *verify;
	struct lint lint;
	uint32_t *rows;
	double *recovery;
	struct source reported_as;	/* name and health of the closed source */
	struct waits *waits;		/* NULL: not collected over time */
	int64_t read;			/* time of the last sample included */
	struct metrics metrics;
};

static bool write_out(const struct options *o, const struct bytes *text, struct err *err)
{
	struct output *output;
	struct sink sink;
	bool ok;

	if (o->output)
		return write_file(o->output, text, err);
	output = mem_alloc(1, sizeof(*output));
	output_init(output);
	sink = output_sink(output);
	ok = sink.write(sink.context, text->data, text->length, err) && output_finish(output, err);
	mem_free(output);
	return ok;
}

static bool metrics_differ(const struct metrics *a, const struct metrics *b, struct err *err)
{
	const char *of_a = a->model ? cluster_meta(a->model->cluster)->name : NULL;
	const char *of_b = b->model ? cluster_meta(b->model->cluster)->name : NULL;

	if (strcmp(a->source, b->source) == 0)
		return err_set(err, ERR_INPUT, "%s: is named twice", a->source);
	return !of_a || !of_b || strcmp(of_a, of_b) != 0 ||
	       err_set(err, ERR_INPUT, "%s and %s: both are of cluster '%s' (expected different "
		       "clusters)", a->source, b->source, of_a);
}

/* Equal names would give equal series. */
static bool metrics_are_distinct(const struct metrics *all, size_t count, struct err *err)
{
	bool ok = true;

	for (size_t i = 1; i < count; i++) {
		for (size_t k = 0; k < i && ok; k++)
			ok = metrics_differ(&all[k], &all[i], err);
	}
	return ok;
}

static int metrics_tell(const struct options *o, const struct metrics_reported *reported,
			size_t count)
{
	uint64_t bound = o->series ? o->series : METRICS_SERIES, series;
	struct metrics *all = mem_zalloc(count, sizeof(*all));
	struct err err = { .code = ERR_NONE };
	struct bytes text = { 0 };
	bool ok;

	for (size_t i = 0; i < count; i++)
		all[i] = reported[i].metrics;
	ok = metrics_are_distinct(all, count, &err);
	series = ok ? metrics_write(all, count, &text) : 0;
	if (ok)
		ok = series <= bound ? write_out(o, &text, &err) :
		     err_set(&err, ERR_INPUT, "metrics: %llu series are more than %llu (expected a "
			     "narrower --filter, or a higher bound: --series)",
			     (unsigned long long)series, (unsigned long long)bound);
	bytes_free(&text);
	mem_free(all);
	return ok ? 0 : complain(&err);
}

/* Accounts; users, too, with --users or if a filter needs them. */
static uint32_t *metrics_rows_of(const struct session *s, const struct selection *selection,
				 uint32_t *count)
{
	const struct options *o = s->options;
	struct view view = accounts_view(s->model);
	uint32_t all, *rows = rows_select(&view, selection->filter, NULL, &all);

	*count = 0;
	for (uint32_t i = 0; i < all; i++) {
		if (o->users || o->filter || !cluster_is_user(s->cluster, rows[i]))
			rows[(*count)++] = rows[i];
	}
	return rows;
}

/* Adds the samples of the recording that are new since the last call. */
static bool see_samples(struct metrics_reported *t, struct source *source, struct err *err)
{
	const uint32_t needs = NEED_JOBS | NEED_PARTITIONS | NEED_QOS;
	struct timeline past;
	bool ok = source_past(source, &past, err);

	for (uint32_t i = 0; ok && i < past.count; i++) {
		struct cluster *c = NULL;

		if (past.samples[i] <= t->read)
			continue;
		c = source_look(source, past.samples[i], needs, err);
		ok = c != NULL;
		if (ok)
			waits_see(t->waits, c);
		cluster_free(c);
		t->read = past.samples[i];
	}
	timeline_free(&past);
	return ok;
}

static bool see_waits(struct metrics_reported *t, struct err *err)
{
	struct source *source = t->session->source;
	bool recording = apart_is_recording(source);

	if (!recording && t->own.every_ms == 0)
		return true;
	if (!t->waits)
		t->waits = waits_new();
	if (recording)
		return see_samples(t, source, err);
	waits_see(t->waits, t->session->cluster);
	return true;
}

static double *recovery_of(const struct session *s)
{
	double *recovery;

	zone_enter(cluster_meta(s->cluster)->zone);	/* resets happen at its midnights */
	recovery = forecast_recovery(s->model, &zone_local);
	zone_leave();
	return recovery;
}

static int metrics_compute(struct metrics_reported *t)
{
	struct session *s = t->session;
	struct err err = { .code = ERR_NONE };
	int status = session_model(s);

	if (status == 0)
		status = lint_of_session(s, &t->lint);
	if (status != 0)
		return status;
	t->verify = verify_run(s->cluster, &s->options->model);
	t->rows = metrics_rows_of(s, &t->selection, &t->metrics.row_count);
	t->recovery = recovery_of(s);
	if (!filter_held(t->selection.filter, &err) || !see_waits(t, &err))
		return complain(&err);
	t->metrics.model = s->model;
	t->metrics.rows = t->rows;
	t->metrics.verify = t->verify;
	t->metrics.lint = &t->lint;
	t->metrics.recovery = t->recovery;
	t->metrics.waits = t->waits;
	return 0;
}

/* Returns 0, ERR_SOURCE if there is no answer, or a status that ends the run. */
static int metrics_ask(struct metrics_reported *t)
{
	const struct view shape = { .name = "accounts", .columns = accounts_columns,
				    .column_count = accounts_columns_count };
	int64_t cpu = cpu_used(), ms = clock_ms();
	int status;

	t->session = mem_zalloc(1, sizeof(*t->session));
	t->metrics = (struct metrics){ .source = t->own.source ? t->own.source : "" };
	lint_init(&t->lint);
	status = selection_parse(&t->selection, &t->own, &shape);
	if (status == 0)
		status = session_open(t->session, &t->own, NEED_ALL);
	if (status == 0)
		status = metrics_compute(t);
	if (t->session->source) {
		t->reported_as = *t->session->source;
		t->metrics.source = t->reported_as.name;
		t->metrics.health = t->reported_as.health;
		/* Its commands have ended then, so their cost is known. */
		source_close(t->session->source);
		t->session->source = NULL;
	}
	t->metrics.cpu_seconds = (double)(cpu_used() - cpu) / 1e6;
	t->metrics.seconds = (double)(clock_ms() - ms) / 1e3;
	return status;
}

static void metrics_forget(struct metrics_reported *t)
{
	mem_free(t->rows);
	mem_free(t->recovery);
	verify_free(t->verify);
	lint_free(&t->lint);
	selection_free(&t->selection);
	session_close(t->session);
	mem_free(t->session);
	t->rows = NULL;
	t->recovery = NULL;
	t->verify = NULL;
}

/* Without an answer, old numbers must not look like current ones. */
static int answer_once(const struct options *o, struct metrics_reported *reported, size_t count)
{
	size_t asked = 0;
	int status = 0, one = 0;

	while (asked < count && (one == 0 || one == ERR_SOURCE)) {
		one = metrics_ask(&reported[asked++]);
		status = one != 0 ? one : status;
	}
	if (one != 0 && one != ERR_SOURCE)
		status = one;
	else if ((status == 0 || o->output || count > 1) && metrics_tell(o, reported, count) != 0)
		status = ERR_INPUT;
	while (asked > 0)
		metrics_forget(&reported[--asked]);
	return status;
}

int verb_metrics(const struct options *o)
{
	size_t count = 1 + o->object_count;
	struct metrics_reported *reported = mem_zalloc(count, sizeof(*reported));
	int status, signal = 0;

	for (size_t i = 0; i < count; i++) {
		reported[i].own = *o;
		reported[i].own.source = i == 0 ? o->source : o->objects[i - 1];
	}
	do {
		int64_t next = clock_ms() + o->every_ms;

		status = answer_once(o, reported, count);
		if (o->every_ms == 0 || (status != 0 && status != ERR_SOURCE))
			break;
		signal = every_wait(next);
	} while (signal == 0);
	for (size_t i = 0; i < count; i++)
		waits_free(reported[i].waits);
	mem_free(reported);
	return signal == 0 ? status : 128 + signal;
}
