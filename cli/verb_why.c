/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why: why a job does not run, when it will, and what could help. */
#include <stdio.h>
#include <string.h>

#include "adapters/store/store.h"
#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/sim/starts.h"
#include "core/why/why_help.h"
#include "core/why/why_past.h"
#include "core/why/why_view.h"
#include "cli/past_jobs.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "tui/base/why_text.h"
#include "tui/base/zone.h"

#define WHY_MORE 20		/* most jobs of a user with a line */

/* ---- texts for people ----------------------------------------------------------------------- */

static bool why_is_prose(const struct session *s)
{
	return s->options->format == REPORT_TABLE && !s->options->columns;
}

static size_t why_width(const struct session *s)
{
	return s->output.width > WHY_TEXT_WIDTH / 3 ? s->output.width : WHY_TEXT_WIDTH;
}

static void why_wrapped(struct session *s, const char *label, const char *text)
{
	why_text_item(output_sink(&s->output), label, strlen(label), why_width(s), text);
}

static void why_print_parts(struct session *s, const struct why *w, enum why_part from,
			    enum why_part to)
{
	for (enum why_part part = from; part < to; part++)
		why_text_part(output_sink(&s->output), w, part, why_width(s));
}

/* Writes the output now, as the next part may take long. */
static int why_flush(struct session *s)
{
	struct err err = { .code = ERR_NONE };

	return output_finish(&s->output, &err) ? 0 : complain(&err);
}

/* ---- one job -------------------------------------------------------------------------------- */

/* Long work, with progress on a terminal. */
struct why_work {
	struct progress progress;
	uint64_t count;
};

static bool why_simulates(void *context)
{
	struct why_work *work = context;

	progress_show(&work->progress, "simulating starts", 0, ++work->count, "moments");
	return true;
}

/* Adds the starts to all answers. */
static void why_simulate(struct session *s, struct whys *all)
{
	const struct why *one = all->count == 1 ? all->list[0] : NULL;
	struct why_work work = { .progress = progress_begin() };
	struct starts_options o = { .only = one && one->state == WHY_WAITS ? &one->job : NULL,
				    .log = !one || one->state == WHY_WAITS ? s->log : NULL,
				    .wanted = why_simulates, .context = &work };
	struct starts starts = { .count = 0 };
	struct err err = { .code = ERR_NONE };

	if (all->gone)
		err_set(&err, ERR_INPUT, "it has left the queue since then");
	else if (policy_scheduler_of(cluster_meta(s->cluster)->kind) != POLICY_OF_SLURM)
		err_set(&err, ERR_INPUT, "starts are simulated for Slurm only");
	else
		all->simulated = starts_make(&starts, s->cluster, &o, &err);
	progress_clear();
	for (size_t i = 0; i < all->count; i++)
		why_put_start(all->list[i], all->simulated ? &starts : NULL,
			      all->simulated ? NULL : err.message);
	starts_free(&starts);
}

static void why_try(struct whys *all)
{
	struct why_helping *h = why_help_begin(all->list[0], NULL, NULL);
	struct progress progress = progress_begin();
	uint64_t tries = 0;

	do
		progress_show(&progress, "trying changes", 0, tries++, "changes");
	while (why_help_step(h));
	progress_clear();
	why_help_end(h);
	all->helped = true;
}

static int why_rows(struct session *s, struct whys *all, const char *object)
{
	struct report_extra extra = { "object", object };
	struct view view = whys_view(all);

	return session_answer(s, &view, NULL, &extra, 1);
}

/* TIME with its date; returns BUF. */
static const char *why_time_text(int64_t time, char buf[WHY_WHEN_MAX])
{
	const struct column column = { .format = COLUMN_TIME };
	struct value value = { .kind = VALUE_INT, .integer = time };

	format_cell(&column, &value, &zone_local, buf, WHY_WHEN_MAX);
	return buf;
}

static void why_print_head(struct session *s, const struct whys *all)
{
	char *head = why_head(all->list[0]), *text, when[WHY_WHEN_MAX];

	text = mem_format("%s%s%s%s", head, all->gone ? " (as of " : "", all->gone ?
			  why_time_text(cluster_meta(s->cluster)->time, when) : "",
			  all->gone ? ", when it was last seen)" : "");
	why_wrapped(s, "", text);
	mem_free(text);
	mem_free(head);
}

/* Prints what is read from the picture, then what is simulated, each as soon as it is known. */
static int why_print_job(struct session *s, struct whys *all)
{
	struct why *w = all->list[0];
	int status;

	why_print_head(s, all);
	output_text(&s->output, "\n");
	why_print_parts(s, w, WHY_HOLDS, WHY_START);
	status = why_flush(s);
	if (status == 0 && w->state != WHY_ENDED)
		why_simulate(s, all);
	why_print_parts(s, w, WHY_START, WHY_HELPS);
	if (status == 0)
		status = why_flush(s);
	if (status == 0 && w->state == WHY_WAITS && all->simulated)
		why_try(all);
	why_print_parts(s, w, WHY_HELPS, WHY_PARTS);
	return status == 0 ? why_flush(s) : status;
}

static int why_job(struct session *s, const struct jobs *jobs, const char *object,
		   struct why_past *past)
{
	struct err err = { .code = ERR_NONE };
	uint32_t entry = why_find(jobs, object, &err);
	struct whys all = { .gone = past->gone };
	int status;

	if (entry == ROW_NONE)
		return complain(&err);
	session_tell_order(jobs);
	whys_add(&all, why_new(jobs, why_speaker(jobs, entry), &zone_local));
	if (all.list[0]->state != WHY_WAITS)
		why_put_past(all.list[0], past);
	if (why_is_prose(s)) {
		status = why_print_job(s, &all);
	} else {
		if (all.list[0]->state != WHY_ENDED)
			why_simulate(s, &all);
		if (all.list[0]->state == WHY_WAITS && all.simulated)
			why_try(&all);
		status = why_rows(s, &all, object);
	}
	whys_free(&all);
	return status;
}

/* ---- the jobs of a user --------------------------------------------------------------------- */

static const char *why_start_text(const struct why *w, char when[WHY_WHEN_MAX])
{
	return w->never ? "never" : w->start == I64_UNKNOWN ? "unknown" :
	       why_when(w, w->start, when);
}

/* "141648_3" with its tasks; the caller frees it. */
static char *why_name_text(const struct why *w)
{
	uint32_t tasks = w->jobs->index->tasks[w->entry];

	return tasks > 1 ? mem_format("%s (%u tasks)", w->name, (unsigned)tasks) :
			   mem_strdup(w->name);
}

static void why_print_row(struct session *s, const char *name, size_t name_width,
			  const char *start, size_t start_width, const char *cause)
{
	char *label = mem_format("%-*s  %-*s  ", (int)name_width, name, (int)start_width, start);

	why_wrapped(s, label, cause);
	mem_free(label);
}

/* Prints jobs, their starts, and their reasons. */
static void why_print_lines(struct session *s, const struct whys *all, size_t count)
{
	size_t name_width = strlen("job"), start_width = strlen("start");
	char when[WHY_WHEN_MAX];

	for (size_t i = 0; i < count; i++) {
		char *name = why_name_text(all->list[i]);
		size_t start = strlen(why_start_text(all->list[i], when));

		name_width = strlen(name) > name_width ? strlen(name) : name_width;
		start_width = start > start_width ? start : start_width;
		mem_free(name);
	}
	why_print_row(s, "job", name_width, "start", start_width, "reason");
	for (size_t i = 0; i < count; i++) {
		const struct why *w = all->list[i];
		char *name = why_name_text(w);

		why_print_row(s, name, name_width, why_start_text(w, when), start_width,
			      w->cause ? w->cause : FORMAT_UNKNOWN);
		mem_free(name);
	}
}

static int why_print_user(struct session *s, struct whys *all, const struct jobs *jobs,
			  const char *user)
{
	size_t count = all->count < WHY_MORE ? all->count : WHY_MORE;
	const char *source = s->options->source;
	char *head = whys_head(all, jobs, user), *more;

	why_wrapped(s, "", head);
	mem_free(head);
	if (all->count > 0) {
		output_text(&s->output, "\n");
		why_print_lines(s, all, count);
		if (count < all->count)
			output_text(&s->output, "... %zu more (--format csv has all)\n",
				    all->count - count);
		more = mem_format("fairtop why %s%s%s shows more", source ? source : "",
				  source ? " " : "", all->list[0]->name);
		output_text(&s->output, "\n");
		why_wrapped(s, "", more);
		mem_free(more);
	} else if (s->options->mine) {
		why_wrapped(s, "", "for others: fairtop why SOURCE USER or fairtop why SOURCE JOB");
	}
	return why_flush(s);
}

static bool why_knows_user(const struct cluster *c, const char *user, struct err *err)
{
	size_t length = strlen(user);
	uint32_t assoc;
	char *object;

	if (cluster_row_named(c, F_ASSOC_USER, user, length) != ROW_NONE ||
	    cluster_row_named(c, F_JOB_USER, user, length) != ROW_NONE)
		return true;
	if (cluster_row_named(c, F_ASSOC_ACCOUNT, user, length) != ROW_NONE)
		return err_set(err, ERR_INPUT, "%.200s: is an account (expected a job or a user; "
			       "fairtop explain SOURCE %.200s explains accounts)", user, user);
	object = mem_format("user:%s", user);
	assoc = cluster_find_assoc(c, object, err);
	if (assoc != ROW_NONE)
		err_set(err, ERR_INPUT, "user \"%.200s\": is one association (expected %.200s, for "
			"all jobs of the user)", user, cluster_text(c, F_ASSOC_USER, assoc));
	mem_free(object);
	return false;
}

static int why_user(struct session *s, const struct jobs *jobs, const char *object)
{
	const char *user = strncmp(object, "user:", 5) == 0 ? object + 5 : object;
	struct err err = { .code = ERR_NONE };
	struct whys all = { .count = 0 };
	int status;

	if (user == object && !(cluster_object_kinds(object) & OBJECT_BARE))
		err_set(&err, ERR_INPUT, "%.200s: neither a job nor a user (expected one of them)",
			object);
	else if (!s->options->mine)
		(void)why_knows_user(s->cluster, user, &err);
	if (err.code != ERR_NONE)
		return complain(&err);
	session_tell_order(jobs);
	whys_of_user(&all, jobs, user, &zone_local);
	if (all.count > 0)
		why_simulate(s, &all);
	whys_sort(&all);
	status = why_is_prose(s) ? why_print_user(s, &all, jobs, user) :
		 why_rows(s, &all, object);
	whys_free(&all);
	return status;
}

/* ---- a recording: what its pictures show about a job ----------------------------------------- */

/* Whether the recording has a gap between A and B. */
static bool why_gap_between(struct store_reader *r, int64_t a, int64_t b)
{
	struct store_gap gap;

	for (uint32_t i = 0; store_gap(r, i, &gap) && gap.since < b; i++) {
		if (gap.until == I64_UNKNOWN || gap.until > a)
			return true;
	}
	return false;
}

/* The number of the last sample with the job; -1: none; -2 and ERR. */
static int64_t why_walk_pictures(struct store_reader *r, struct store_walk *w, int64_t until,
				 struct why_past *p, struct err *err)
{
	struct progress progress = progress_begin();
	int64_t first, last, found = -1, before = I64_UNKNOWN;
	struct store_sample s;
	uint64_t count = 0;

	if (!store_between(r, I64_UNKNOWN, until, &first, &last, err))
		return -2;
	for (int64_t id = first; id <= last && found > -2; id = s.id + 1) {
		const struct cluster *c = store_next(r, id, &s, err) ?
					  store_walk_to(w, s.id, err) : NULL;

		if (!c) {
			found = -2;
			break;
		}
		why_past_see(p, c, before == I64_UNKNOWN ||
				   !why_gap_between(r, before, s.time));
		found = p->seen == s.time ? s.id : found;
		before = s.time;
		progress_show(&progress, "reading", (double)(id - first) /
			      (double)(last - first + 1), ++count, "samples");
	}
	progress_clear();
	return found;
}

/*
 * Reads the recording FILE up to UNTIL. *LAST becomes the last picture with the job of P, which the
 * caller frees; NULL: none has it.
 */
static bool why_recorded(const char *file, int64_t until, struct why_past *p,
			 struct cluster **last, struct err *err)
{
	struct store_reader *r = store_reader_open(file, err);
	struct store_walk *w = r ? store_walk_new(r, NEED_JOBS) : NULL;
	int64_t found = w ? why_walk_pictures(r, w, until, p, err) : -2;

	*last = found > 0 ? store_read(r, found, NEED_ALL, err) : NULL;
	store_walk_free(w);
	store_reader_close(r);
	return found == -1 || *last;
}

/* ---- the verb ------------------------------------------------------------------------------- */

/*
 * For a recording, adds what a job has waited for, from earlier pictures; if the job is gone, uses
 * the last picture that has it.
 */
static int why_look_back(struct session *s, struct why_past *past)
{
	const char *file = s->options->source;
	struct err err = { .code = ERR_NONE };
	struct cluster *last;
	char when[WHY_WHEN_MAX];

	if (!file || !past_jobs_recorded(file) || why_past_waits(past, s->cluster))
		return 0;
	if (!why_recorded(file, cluster_meta(s->cluster)->time, past, &last, &err))
		return complain(&err);
	if (!last)
		return 0;
	past->gone = past->seen != cluster_meta(s->cluster)->time;
	if (past->gone)
		remark(file, "the job was last seen at %s", why_time_text(past->seen, when));
	cluster_free(s->cluster);
	s->cluster = last;
	return 0;
}

static int why_answer(struct session *s, struct selection *selection)
{
	const char *object = s->options->object;
	struct why_past past = WHY_PAST_INIT;
	struct err err = { .code = ERR_NONE };
	struct jobs *jobs;
	bool is_job;
	int status;

	(void)selection;
	is_job = job_name_read(object, &past.name) || strncmp(object, "job:", 4) == 0;
	status = session_log(s, s->options->history, &err) ? 0 : complain(&err);
	if (status == 0 && is_job)
		status = why_look_back(s, &past);
	if (status == 0)
		status = session_model(s);
	if (status == 0) {
		jobs = session_jobs(s);
		status = is_job ? why_job(s, jobs, object, &past) : why_user(s, jobs, object);
		jobs_free(jobs);
	}
	why_past_free(&past);
	return status;
}

int verb_why(const struct options *o)
{
	struct view shape = { .columns = why_columns, .column_count = why_columns_count };
	struct err err = { .code = ERR_NONE };
	struct options *own;
	char *me = NULL;
	int status;

	if (!o->object && !session_me()[0]) {
		err_set(&err, ERR_INPUT, "why: the user running fairtop has no name (expected a "
			"job or a user)");
		return complain(&err);
	}
	own = mem_alloc(1, sizeof(*own));
	*own = *o;
	/* Before sandboxing, after which name servers cannot be reached. */
	if (!o->object) {
		own->object = me = mem_format("user:%s", session_me());
		own->mine = true;
	}
	status = session_run(own, &shape, NEED_ALL | NEED_KNOWN_JOBS, why_answer);
	mem_free(me);
	mem_free(own);
	return status;
}
