/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metrics: fair share and waits for the monitoring that a site has. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/every.h"
#include "cli/metrics.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "core/base/mem.h"
#include "core/table/rows.h"
#include "tui/base/file_text.h"
#include "tui/base/new_file.h"

/* Every file of ours begins so: another one is somebody's, and is not replaced. */
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

static bool is_ours(const char *file, struct err *err)
{
	char *text = access(file, F_OK) == 0 ? file_text(file, err) : NULL;
	bool ours = !text || strncmp(text, BEGINNING, strlen(BEGINNING)) == 0;

	mem_free(text);
	if (!ours)
		err_set(err, ERR_INPUT, "%s: not written by fairtop metrics, and so not replaced",
			file);
	return err->code == ERR_NONE;
}

/* A signal in the middle would leave the file beside FILE. */
static bool write_file(const char *file, const struct bytes *text, struct err *err)
{
	bool ok;

	every_hold();
	ok = is_ours(file, err) && new_file_write(file, text, true, err);
	every_release();
	return ok;
}

static bool write_out(struct session *s, const struct bytes *text, struct err *err)
{
	struct sink sink = output_sink(&s->output);

	if (s->options->output)
		return write_file(s->options->output, text, err);
	return sink.write(sink.context, text->data, text->length, err) &&
	       output_finish(&s->output, err);
}

static int tell(struct session *s, const struct metrics *m)
{
	uint64_t bound = s->options->series ? s->options->series : METRICS_SERIES, series;
	struct err err = { .code = ERR_NONE };
	struct bytes text = { 0 };
	bool ok;

	series = metrics_write(m, &text);
	ok = series <= bound ? write_out(s, &text, &err) :
	     err_set(&err, ERR_INPUT, "metrics: %llu series are more than %llu (expected a "
		     "narrower --filter, or a higher bound: --series)", (unsigned long long)series,
		     (unsigned long long)bound);
	bytes_free(&text);
	return ok ? 0 : complain(&err);
}

/* Accounts; with --users, or where a filter asks for them, users as well. */
static uint32_t *rows_of(const struct session *s, const struct selection *selection,
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

/* When the answer began. */
static struct {
	int64_t cpu, ms;	/* cpu_used(), every_now_ms() */
} began;

static struct metrics metrics_of(const char *source)
{
	return (struct metrics){ .source = source,
				 .cpu_seconds = (double)(cpu_used() - began.cpu) / 1e6,
				 .seconds = (double)(every_now_ms() - began.ms) / 1e3 };
}

static int metrics_answer(struct session *s, struct selection *selection)
{
	const struct source source = *s->source;	/* its name and health */
	struct err err = { .code = ERR_NONE };
	struct verify *verify;
	struct metrics m;
	struct lint lint;
	uint32_t *rows, count;
	int status = session_model(s);

	if (status != 0)
		return status;
	lint_init(&lint);
	status = lint_of_session(s, &lint);
	verify = verify_run(s->cluster, &s->options->model);
	rows = rows_of(s, selection, &count);
	/* Its commands have ended then, and what they cost is known. */
	source_close(s->source);
	s->source = NULL;
	m = metrics_of(source.name);
	m.health = source.health;
	m.model = s->model;
	m.rows = rows;
	m.row_count = count;
	m.verify = verify;
	m.lint = &lint;
	if (status == 0)
		status = filter_held(selection->filter, &err) ? tell(s, &m) : complain(&err);
	mem_free(rows);
	verify_free(verify);
	lint_free(&lint);
	return status;
}

/* Without an answer old numbers must not stay as if they were of now. */
static int tell_failure(const struct options *o)
{
	struct session *s = mem_zalloc(1, sizeof(*s));
	struct metrics m = metrics_of(o->source);
	int status;

	s->options = o;
	status = tell(s, &m);
	mem_free(s);
	return status;
}

static int answer_once(const struct options *o)
{
	struct view shape = verb_shape(VERB_ACCOUNTS);
	int status;

	began.cpu = cpu_used();
	began.ms = every_now_ms();
	status = session_run(o, &shape, NEED_ALL, metrics_answer);
	if (status == ERR_SOURCE && o->output && tell_failure(o) != 0)
		return ERR_INPUT;
	return status;
}

int verb_metrics(const struct options *o)
{
	int status, signal = 0;

	do {
		int64_t next = every_now_ms() + o->every_ms;

		status = answer_once(o);
		if (o->every_ms == 0 || (status != 0 && status != ERR_SOURCE))
			return status;
		signal = every_wait(next);
	} while (signal == 0);
	return 128 + signal;
}
