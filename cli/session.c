/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/session.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "adapters/import/import.h"
#include "adapters/registry/apart.h"
#include "cli/options.h"
#include "cli/past_jobs.h"
#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/base/near.h"
#include "core/cluster/sched_view.h"
#include "core/sim/joblog.h"
#include "core/whatif/changes_columns.h"
#include "core/whatif/changes_pair.h"
#include "core/whatif/whatif.h"
#include "core/whatif/whatif_apply.h"
#include "tui/base/file_text.h"
#include "tui/base/zone.h"

static bool session_load_file(struct whatif *w, const char *file, struct err *err)
{
	char *text = file_text(file, FILE_TEXT_MAX, err);
	bool ok = text && whatif_load(w, text, err);

	mem_free(text);
	return ok;
}

int edits_load_beside(const char *file, struct whatif **w)
{
	struct err err = { .code = ERR_NONE };
	bool ok;

	*w = whatif_new();
	(*w)->calendar = &zone_local;
	ok = session_load_file(*w, file, &err);
	if (!(*w)->name[0])
		snprintf((*w)->name, sizeof((*w)->name), "%.63s", file);
	return ok ? 0 : complain_about(file, &err);
}

int edits_load(const struct options *o, struct whatif **w)
{
	struct err err = { .code = ERR_NONE };

	*w = o->edit_count > 0 ? whatif_new() : NULL;
	if (*w)
		(*w)->calendar = &zone_local;
	for (size_t i = 0; i < o->edit_count; i++) {
		const struct edit_option *e = &o->edits[i];

		if (e->is_file && !session_load_file(*w, e->text, &err))
			return complain_about(e->text, &err);
		if (!e->is_file && !whatif_add(*w, e->text, &err))
			return complain_about("--set", &err);
	}
	return 0;
}

static int session_fetch(struct session *s, uint32_t needs)
{
	struct fetch_request request = { .needs = needs, .deadline_ms = -1,
					 .last = !s->options->wait };
	struct err err = { .code = ERR_NONE };

	switch (source_fetch(s->source, &request, &s->cluster, &err)) {
	case FETCH_NEW:
		return 0;
	case FETCH_FAILED:
		break;
	case FETCH_SAME:
	case FETCH_END:
		err_set(&err, ERR_INPUT, "%s: nothing to read", s->source->name);
	}
	if (err.code == ERR_NONE)
		err.code = ERR_SOURCE;
	return complain_about(s->source->name, &err);
}

/* PBS with several schedulers: the requested one, else one with pending jobs. */
static uint32_t session_sched(const struct session *s, struct err *err)
{
	const struct cluster *c = s->cluster;
	uint32_t sched = sched_shown(c), n = cluster_rows(c, TABLE_SCHED);

	if (s->options->sched)
		return sched_by_name(c, s->options->sched, err);
	/* The user's choice comes first. */
	if (sched != SCHED_DEFAULT)
		return sched;
	for (uint32_t row = 0; row < n && sched_waiting(c, sched) == 0; row++)
		sched = sched_waiting(c, row) > 0 ? row : sched;
	return sched;
}

/* Reads PBS again with the policy and the tree of SCHED; frees what was read before. */
static int session_reopen(struct session *s, const char *sched, uint32_t needs)
{
	const char *spec = s->options->source ? s->options->source : s->source->ops->scheme;
	const char *option = strstr(spec, ",sched=");
	int length = option ? (int)(option - spec) : (int)strlen(spec);
	char *name = mem_format("%.*s,sched=%s", length, spec, sched);
	struct err err = { .code = ERR_NONE };

	cluster_free(s->cluster);
	source_close(s->source);
	s->cluster = NULL;
	s->source = source_open(name, &err);
	mem_free(name);
	return s->source ? session_fetch(s, needs) : complain(&err);
}

/* Replaces the cluster by the requested scheduler's view of it. */
static int session_see(struct session *s, uint32_t needs)
{
	struct err err = { .code = ERR_NONE };
	uint32_t sched = session_sched(s, &err);

	if (err.code != ERR_NONE) {
		err_prefix(&err, "--sched");
		return complain(&err);
	}
	if (sched == sched_shown(s->cluster))
		return 0;
	if (strcmp(s->source->ops->scheme, "pbs") != 0) {
		remark("schedulers", "as seen by %.100s, whose policy and tree were not read: "
		       "PBS's defaults are used", sched_name(s->cluster, sched));
		s->cluster = sched_view_over(s->cluster, sched);
		return 0;
	}
	return session_reopen(s, sched_name(s->cluster, sched), needs);
}

/* Replaces the cluster by the edited one. */
static int session_edit(struct session *s)
{
	struct err err = { .code = ERR_NONE };

	if (!s->whatif)
		return 0;
	s->base = s->cluster;
	zone_enter(cluster_meta(s->base)->zone);	/* resets happen at its midnights */
	s->cluster = whatif_apply(s->whatif, s->base);
	zone_leave();
	return whatif_check(s->whatif, &err) ? 0 : complain(&err);
}

/* Whether it is about jobs, so that an empty answer needs a source that knows its jobs. */
static bool asks_for_jobs(const struct options *o, uint32_t needs)
{
	/* A recording may have had them earlier. */
	bool one = o->object && o->verb != VERB_HISTORY &&
		   cluster_object_kinds(o->object) & (OBJECT_JOB | OBJECT_CLASS);

	return needs & NEED_JOBS && (needs & NEED_KNOWN_JOBS || one);
}

bool session_log(struct session *s, const char *path, struct err *err)
{
	struct progress progress = progress_begin();
	struct past_jobs past;
	bool good;

	if (!path)
		return true;
	good = past_jobs_read(&past, path, s->spill, &progress, err);
	progress_clear();
	if (good)
		s->log = joblog_of(past.replay, cluster_meta(s->cluster)->time);
	past_jobs_free(&past);
	return good;
}

int session_open(struct session *s, const struct options *o, uint32_t needs)
{
	struct err err = { .code = ERR_NONE };
	bool saved = apart_is_saved(o->source);
	int status;

	*s = (struct session){ .options = o };
	output_init(&s->output);
	status = edits_load(o, &s->whatif);
	if (status != 0)
		return status;
	/* A sandboxed process cannot create files. */
	if (o->verb == VERB_STARTS || o->verb == VERB_AUDIT || (o->verb == VERB_WHY && o->history))
		s->spill = spill_new(PAST_JOBS_SPILL);
	if (saved && !o->apart)
		apart_shut_in(o->source, o->history, NULL);
	s->source = o->apart ? source_open_apart(o->source, &err) : source_open(o->source, &err);
	if (!s->source)
		return complain_about(o->source, &err);
	if (o->at != I64_UNKNOWN && !source_seek(s->source, o->at, &err)) {
		err_prefix(&err, "--at");
		return complain_about(s->source->name, &err);
	}
	/* An edit may affect anything. */
	status = session_fetch(s, needs | (s->whatif ? NEED_ALL & ~(uint32_t)NEED_LICENSES : 0));
	if (status == 0 && o->verb == VERB_CYCLE)
		status = session_see(s, needs);
	if (status != 0)
		return status;
	if (!saved && (o->history || o->sacct))
		apart_shut_in(o->history, NULL, NULL);
	if (asks_for_jobs(o, needs) && !cluster_knows_jobs(s->cluster, &err))
		status = complain_about(s->source->name, &err);
	for (uint32_t i = 0; i < cluster_notes(s->cluster); i++) {
		struct note note = cluster_note(s->cluster, i);

		if (status == 0 || strcmp(note.subject, "jobs") != 0)
			remark(note.subject, "%s", note.text);
	}
	return status != 0 ? status : session_edit(s);
}

void session_tell_order(const struct jobs *j)
{
	if (j->order->problem[0])
		remark("order of jobs", "%s", j->order->problem);
}

void session_tell_policy(const struct session *s)
{
	const struct policy *p = cluster_policy(s->base ? s->base : s->cluster);

	for (size_t i = 0; i < policy_params_count; i++) {
		const char *warning = policy_warning(p, i);

		if (warning)
			remark(policy_params[i].name, "%s", warning);
	}
}

/*
 * Both models start from the same base and order siblings alike, so that only the edits make a
 * difference.
 */
static int session_models(struct session *s)
{
	struct model_options options = s->options->model;
	struct err err = { .code = ERR_NONE };

	if (whatif_needs_usage(s->whatif, s->base)) {
		if (options.base == FS_BASE_REPORTED)
			err_set(&err, ERR_INPUT, "--base reported: the reported values do not "
				"include these edits (expected usage)");
		options.base = FS_BASE_USAGE;
	}
	if (err.code == ERR_NONE)
		s->base_model = model_new(s->base, &options, &err);
	if (!s->base_model)
		return complain_about(s->source->name, &err);
	/* Unknown flags were found from reported values, which edits remove. */
	if (policy_hides(cluster_policy(s->cluster), "PriorityFlags"))
		options.algorithm = (int)s->base_model->algo->id;
	options.base = (int)s->base_model->fs->base;
	options.order = (int)s->base_model->fs->order;
	s->model = model_new(s->cluster, &options, &err);
	return s->model ? 0 : complain_about(s->source->name, &err);
}

/* For excerpts visible only from the numbers; known hidden rows are in the source's notes. */
static void tell_excerpt(const struct session *s)
{
	const struct model *m = s->base_model ? s->base_model : s->model;

	if (m->tree->excerpt && !cluster_is_partial(m->cluster))
		remark("accounts", "an excerpt (sshare for some only): siblings or users are "
		       "missing; values that cannot be computed from it are as reported");
}

int session_model(struct session *s)
{
	struct err err = { .code = ERR_NONE };
	int status = 0;

	if (s->model)
		return 0;
	if (s->whatif) {
		status = session_models(s);
	} else {
		s->model = model_new(s->cluster, &s->options->model, &err);
		if (!s->model)
			status = complain_about(s->source->name, &err);
	}
	if (status == 0)
		tell_excerpt(s);
	return status;
}

struct jobs *session_jobs(const struct session *s)
{
	struct jobs *jobs = jobs_new(s->model, NULL), *base;

	if (!s->base_model || !jobs_has_reported(jobs))
		return jobs;
	base = jobs_new(s->base_model, NULL);
	jobs_forget_reported(jobs, base);
	jobs_free(base);
	return jobs;
}

void session_changes(struct session *s, const struct jobs *base_jobs, struct jobs *jobs)
{
	if (!s->base_model)
		return;
	s->changes = changes_pair_new(s->base_model, s->model, base_jobs, jobs, NULL);
	s->model->changes = s->changes;
	if (jobs)
		jobs->changes = s->changes;
}

/* VIEW with the columns of changes, if there are any; the caller frees them. */
static struct changes_columns *session_join(struct view *view)
{
	struct changes_columns *joined = changes_columns_new(view, NULL, false);

	if (!joined)
		return NULL;
	changes_columns_join(joined);
	for (size_t i = 0; i < joined->count; i++) {
		/* Here it has values. */
		if (strcmp(joined->columns[i].name, "what_if") == 0)
			joined->columns[i].only = UINT32_MAX;
	}
	view->columns = joined->columns;
	view->column_count = joined->count;
	return joined;
}

const char *session_me(void)
{
	struct passwd *pw = getpwuid(getuid());
	const char *name = pw ? pw->pw_name : getenv("USER");

	return name ? name : "";
}

/* Appends COLUMN="NAME", NAME of LENGTH bytes. */
static void session_put_name(struct bytes *text, const char *column, const char *name,
			     size_t length)
{
	bytes_append(text, column, strlen(column));
	bytes_append(text, "=\"", 2);
	for (size_t i = 0; i < length; i++) {
		if (name[i] == '"' || name[i] == '\\')
			bytes_append(text, "\\", 1);
		bytes_append(text, &name[i], 1);
	}
	bytes_append(text, "\"", 1);
}

/* COLUMN is one of the NAMES, separated by commas; NULL: any. */
static void session_put_names(struct bytes *text, const char *column, const char *names)
{
	bool several = names && strchr(names, ',');
	const char *between = several ? " (" : " ";

	while (names) {
		size_t length = strcspn(names, ",");

		bytes_append(text, between, strlen(between));
		session_put_name(text, column, names, length);
		names = names[length] ? names + length + 1 : NULL;
		between = " | ";
	}
	if (several)
		bytes_append(text, ")", 1);
}

char *session_filter(const struct options *o, const char *filter, bool mine)
{
	struct bytes names = { .length = 0 };
	char *text;

	session_put_names(&names, "user", o->user);
	session_put_names(&names, "account", o->account);
	session_put_names(&names, "partition", o->partition);
	if (mine) {
		bytes_append(&names, " ", 1);
		session_put_name(&names, "user", session_me(), strlen(session_me()));
	}
	if (filter && filter[0])
		text = names.data ? mem_format("(%s)%s", filter, names.data) : mem_strdup(filter);
	else	/* without the blank before it */
		text = names.data ? mem_strdup(names.data + 1) : NULL;
	bytes_free(&names);
	return text;
}

static bool selection_filter(struct selection *s, const struct options *o,
			     const struct view *view, struct err *err)
{
	char *text;

	/* Errors are reported in the user's own words, so that text is parsed alone first. */
	s->filter = filter_parse(o->filter ? o->filter : "", view->columns, view->column_count,
				 err);
	text = s->filter ? session_filter(o, o->filter, o->mine) : NULL;
	if (!text)
		return s->filter;
	filter_free(s->filter);
	s->filter = filter_parse(text, view->columns, view->column_count, err);
	mem_free(text);
	return s->filter;
}

int session_objects(struct session *s, unsigned kinds)
{
	const struct options *o = s->options;
	struct err err = { .code = ERR_NONE };

	s->object = cluster_object(s->cluster, o->object, kinds, &err);
	if (s->object && o->other)
		s->other = cluster_object(s->cluster, o->other, kinds, &err);
	return err.code == ERR_NONE ? 0 : complain(&err);
}

/* Collects what the columns to be shown need, as far as that is known before the algorithm. */
static bool selection_columns(struct selection *s, const struct options *o,
			      const struct view *view, struct err *err)
{
	size_t count;

	for (unsigned a = 0; a < FS_ALGORITHMS; a++) {
		const struct column **columns;

		if (o->model.algorithm >= 0 && (unsigned)o->model.algorithm != a)
			continue;
		columns = report_columns(view, o->columns, o->format, a, &count, err);
		if (!columns)
			return false;
		s->needs |= report_needs(columns, count);
		mem_free(columns);
	}
	return true;
}

int selection_parse(struct selection *s, const struct options *o, const struct view *view)
{
	struct err err = { .code = ERR_NONE };
	struct view all = *view;
	const char *sort = o->sort ? o->sort :
			   o->format == REPORT_TABLE ? o->usual_sort : NULL;

	*s = (struct selection){ .needs = 0 };
	if (o->edit_count > 0)
		s->joined = session_join(&all);
	if (!selection_columns(s, o, &all, &err) || !selection_filter(s, o, &all, &err) ||
	    (sort &&
	     !rows_parse_sort(sort, all.columns, all.column_count, &s->order, &err)))
		return complain(&err);
	s->order.most = o->limit < U32_UNKNOWN ? (uint32_t)o->limit : 0;
	s->needs |= filter_needs(s->filter) | rows_needs(&s->order);
	return 0;
}

void selection_free(struct selection *s)
{
	filter_free(s->filter);
	changes_columns_free(s->joined);
	s->filter = NULL;
	s->joined = NULL;
}

/* Reports the names of an OPTION that occur in neither of two fields. */
static void tell_strangers(const struct cluster *c, const char *option, const char *name,
			   const enum field fields[2])
{
	while (name) {
		size_t length = strcspn(name, ",");
		struct near near;
		bool known = false;
		char hint[160];

		near_init(&near, name, length);
		for (int i = 0; i < 2; i++) {
			uint32_t rows = cluster_rows(c, i == 0 ? TABLE_ASSOC : TABLE_JOB);

			for (uint32_t row = 0; row < rows && !known; row++) {
				const char *own = cluster_text(c, fields[i], row);

				known = own && strlen(own) == length &&
					strncmp(own, name, length) == 0;
				if (own && !known)
					near_offer(&near, own);
			}
		}
		near_text(&near, hint, sizeof(hint));
		if (!known)
			remark(option, "nothing that was read belongs to \"%.*s\"%s%s%s",
			       (int)length, name, hint[0] ? " (" : "", hint, hint[0] ? ")" : "");
		name = name[length] ? name + length + 1 : NULL;
	}
}

int session_answer(struct session *s, const struct view *view, const struct selection *selection,
		   const struct report_extra *extras, size_t extra_count)
{
	const struct options *o = s->options;
	struct report *r = &s->report;
	enum fs_algorithm algorithm = s->model ? s->model->algo->id :
				      fs_algorithm_of_cluster(s->cluster);
	struct err err = { .code = ERR_NONE };
	struct view all = *view;

	if (s->whatif)
		s->joined = session_join(&all);
	*r = (struct report){
		.view = all, .cluster = s->cluster, .source = s->source->name,
		.health = s->source->health, .algorithm = fs_algos[algorithm]->name,
		.base = !s->model ? NULL :
			s->model->fs->base == FS_BASE_REPORTED ? "reported" : "usage",
		.now = clock_time(), .extras = extras, .extra_count = extra_count,
		.counts = s->counts, .count_count = s->count_count,
		.more = s->more, .more_context = s->more_context,
		.local = &zone_local, .width = s->output.width,
		.terminal = s->output.terminal,
	};
	if (s->take)
		return s->take(s);
	r->columns = report_columns(&all, o->columns, o->format, algorithm, &r->column_count, &err);
	if (!r->columns)
		return complain(&err);
	r->rows = rows_select(&all, selection ? selection->filter : NULL,
			      selection ? &selection->order : NULL, &r->row_count);
	if (r->row_count == 0) {
		static const enum field users[2] = { F_ASSOC_USER, F_JOB_USER },
					accounts[2] = { F_ASSOC_ACCOUNT, F_JOB_ACCOUNT };

		tell_strangers(s->cluster, "--user", o->user, users);
		tell_strangers(s->cluster, "--account", o->account, accounts);
	}
	if ((selection && !filter_held(selection->filter, &err)) ||
	    !report_write(r, o->format, output_sink(&s->output), &err) ||
	    !output_finish(&s->output, &err))
		return complain(&err);
	return 0;
}

void session_close(struct session *s)
{
	report_free(&s->report);
	mem_free(s->object);
	mem_free(s->other);
	pool_past_free(&s->pool_past);
	changes_columns_free(s->joined);
	changes_pair_free(s->changes);
	model_free(s->model);
	model_free(s->base_model);
	cluster_free(s->cluster);
	cluster_free(s->base);
	whatif_free(s->whatif);
	source_close(s->source);
	joblog_free(s->log);
	spill_close(s->spill);
}

int session_run(const struct options *o, const struct view *shape, uint32_t needs,
		session_answers *answer)
{
	struct session *s = mem_zalloc(1, sizeof(*s));
	struct selection selection = { .needs = 0 };
	int status = shape ? selection_parse(&selection, o, shape) : 0;

	if (status == 0)
		status = session_open(s, o, selection.needs | needs);
	if (status == 0)
		status = answer(s, &selection);
	session_close(s);
	selection_free(&selection);
	mem_free(s);
	return status;
}
