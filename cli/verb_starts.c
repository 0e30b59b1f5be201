/* SPDX-License-Identifier: GPL-2.0-or-later */
/* starts: when the pending jobs begin. */
#include <stdlib.h>
#include <string.h>

#include "adapters/slice.h"
#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/queue/jobs.h"
#include "core/sim/starts.h"
#include "core/whatif/changes_pair.h"
#include "cli/past_jobs.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "tui/base/file_text.h"

#define RUNS_COLUMNS_MAX 64

enum { JOB, RUN, IGNORES, RUNS_COLUMNS };

struct runs {
	struct starts_run *list;
	size_t count, capacity;
	size_t column[RUNS_COLUMNS];	/* RUNS_COLUMNS_MAX: absent */
};

/* ---- --runs -------------------------------------------------------------------------------- */

static bool read_run(struct runs *r, struct slice line, uint32_t number, struct err *err)
{
	struct starts_run run = { .task = U32_UNKNOWN };
	struct slice cells[RUNS_COLUMNS_MAX + 1] = { 0 };	/* the last: of an absent column */
	const struct slice *job = &cells[r->column[JOB]], *seconds = &cells[r->column[RUN]];
	char *end;

	(void)slice_cells(line, slice_of("\t"), cells, RUNS_COLUMNS_MAX);
	run.id = (uint32_t)strtoul(job->at, &end, 10);
	if (*end == '_')
		run.task = (uint32_t)strtoul(end + 1, &end, 10);
	if (end != job->at + job->length || job->length == 0)
		return err_set_line(err, ERR_INPUT, number, "\"%.*s\" is not a job",
				    (int)job->length, job->at);
	if (seconds->length == 0 || seconds->at[0] == '-')
		return true;
	run.seconds = (int64_t)strtod(seconds->at, &end);
	if (end != seconds->at + seconds->length)
		return err_set_line(err, ERR_INPUT, number, "\"%.*s\" is not a time in seconds",
				    (int)seconds->length, seconds->at);
	run.ignores_term = slice_starts(cells[r->column[IGNORES]], "1");
	MEM_GROW(r->list, r->capacity, r->count + 1);
	r->list[r->count++] = run;
	return true;
}

static bool read_runs(struct runs *r, const char *path, struct err *err)
{
	static const char *const names[RUNS_COLUMNS] = { "job", "run", "ignores_term" };
	struct slice titles[RUNS_COLUMNS_MAX], rest, line;
	char *text = file_text(path, FILE_TEXT_MAX, err);
	uint32_t number = 1;
	bool good = true;

	if (!text)
		return err_at(err, path, 0);
	rest = slice_of(text);
	slice_piece(&rest, '\n', &line);
	(void)slice_cells(line, slice_of("\t"), titles, RUNS_COLUMNS_MAX);
	for (size_t i = 0; i < RUNS_COLUMNS; i++)
		r->column[i] = slice_column(titles, RUNS_COLUMNS_MAX, names[i]);
	if (r->column[JOB] == RUNS_COLUMNS_MAX || r->column[RUN] == RUNS_COLUMNS_MAX)
		good = err_set_line(err, ERR_INPUT, 1, "no columns (expected columns job and run, "
				    "separated by tabs)");
	while (good && slice_piece(&rest, '\n', &line))
		good = read_run(r, line, ++number, err);
	if (!good)
		err_at(err, path, 0);
	mem_free(text);
	return good;
}

/* ---- the answer ---------------------------------------------------------------------------- */

/* Adds what the starts are based on: before a table, beside CSV, a key of JSON. */
static int verb_starts_answer(struct session *s, const struct starts *starts,
			      const struct selection *selection)
{
	struct report_extra extra = { "notes", NULL };
	struct view view = starts_view(starts);
	struct bytes text = { NULL, 0, 0 };
	int status;

	for (size_t i = 0; i < starts->note_count; i++) {
		const char *note = starts->notes[i].text;

		if (s->options->format == REPORT_TABLE)
			output_text(&s->output, "%s\n", note);
		else if (s->options->format == REPORT_CSV)
			remark(s->source->name, "%s", note);
		bytes_append(&text, i > 0 ? "; " : "", i > 0 ? 2 : 0);
		bytes_append(&text, note, strlen(note));
	}
	if (s->options->format == REPORT_TABLE && starts->note_count > 0)
		output_text(&s->output, "\n");
	extra.text = text.data;
	status = session_answer(s, &view, selection, &extra, 1);
	mem_free(text.data);
	return status;
}

/* Sets how far the edits move each priority; returns 0, or an exit status after a message. */
static int starts_read_points(struct session *s, int64_t **points)
{
	int status = s->whatif ? session_model(s) : 0;
	struct jobs *base, *edited;

	if (!s->whatif || status != 0)
		return status;
	base = jobs_new(s->base_model, NULL);
	edited = session_jobs(s);
	session_changes(s, base, edited);
	*points = starts_points(base, edited, s->changes->entry);
	jobs_free(edited);
	jobs_free(base);
	return 0;
}

int starts_answer(struct session *s, struct selection *selection)
{
	struct runs runs = { .count = 0 };
	struct err err = { .code = ERR_NONE };
	struct starts starts = { .count = 0 };
	const char *past = s->options->history, *source = s->options->source;
	struct starts_options o = { .seed = s->options->seed };
	bool good = (!s->options->runs || read_runs(&runs, s->options->runs, &err)) &&
		    session_log(s, past ? past : source && past_jobs_recorded(source) ? source :
				NULL, &err);
	int64_t *points = NULL;
	int status = starts_read_points(s, &points);

	if (status != 0)
		good = false;
	o.points = points;
	o.log = s->log;
	o.runs = runs.list;
	o.run_count = runs.count;
	good = good && starts_make(&starts, s->cluster, &o, &err);
	if (status == 0)
		status = good ? verb_starts_answer(s, &starts, selection) : complain(&err);
	mem_free(points);
	starts_free(&starts);
	mem_free(runs.list);
	return status;
}
