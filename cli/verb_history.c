/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history: accounts, users, jobs or queues over the time of a recording.
 *
 * For each sample, rebuilds the cluster, computes the model, and keeps the rows of the objects; the
 * answer is a view of these rows, with the columns of the accounts, the jobs or the pools.
 *
 * Unless the rows are to be sorted, only the first ones are kept before the answer begins; each
 * later one is written, and forgotten, before the next is computed.
 */
#include <string.h>

#include "adapters/store/store.h"
#include "core/classes/classes_view.h"
#include "core/base/mem.h"
#include "core/base/past.h"
#include "core/pools/pool_past.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "tui/base/pools_file.h"

#define OWN 2			/* columns before those of the objects: time, object */
#define COLUMNS_MAX 64
#define FIRST_ROWS 100

struct verb_history_state {
	const struct options *o;
	const struct selection *selection;
	const struct column *from;	/* columns of accounts, jobs or pools ... */
	size_t from_count;
	bool jobs, queues;
	struct pools_config config;	/* for queues, with --pools */
	struct pool_past past;
	struct column columns[COLUMNS_MAX];	/* ... after those of this view */
	size_t count;
	struct text *texts;
	struct past_value *values;	/* rows of COUNT */
	size_t rows, capacity;
	size_t given;			/* of the ROWS after the first ones: already written */
	uint64_t left;			/* of the rows of --limit */
	struct output *output;
	struct store_reader *r;
	struct store_walk *w;
	int64_t next_id, first_id, last_id;
	struct store_sample shown;	/* the last one of the present step */
	uint64_t samples;		/* read */
	char *objects[OBJECTS_MAX];	/* owned: with their kinds */
	bool found[OBJECTS_MAX];
	struct err missing;		/* why the last object was not found */
	struct progress progress;
};

/* ---- the view ------------------------------------------------------------------------------ */

static void get_cell(const struct position *pos, struct value *out)
{
	const struct verb_history_state *h = pos->context;

	past_give(h->texts, h->values[pos->row * h->count + pos->column->which], out);
}

static const struct column own_columns[OWN] = {
	{ .name = "time", .title = "Time", .legend = "time of the sample",
	  .format = COLUMN_TIME, .width = 19, .keep = 100, .only = ~UINT32_C(0) },
	{ .name = "object", .title = "Object",
	  .legend = "account, user or job, as requested", .format = COLUMN_PLAIN,
	  .width = 20, .keep = 99, .left = true, .only = ~UINT32_C(0) },
};

static void history_init(struct verb_history_state *h, const struct options *o)
{
	*h = (struct verb_history_state){ .o = o, .texts = text_new() };
	h->jobs = cluster_object_kinds(o->objects[0]) & OBJECT_JOB;
	h->queues = cluster_object_kinds(o->objects[0]) == OBJECT_QUEUE;
	h->from = h->jobs ? jobs_columns : h->queues ? pools_columns : accounts_columns;
	h->from_count = h->jobs ? jobs_columns_count :
			h->queues ? pools_columns_count : accounts_columns_count;
	pools_config_init(&h->config);
	if (h->from_count > COLUMNS_MAX - OWN)
		h->from_count = COLUMNS_MAX - OWN;
	memcpy(h->columns, own_columns, sizeof(own_columns));
	memcpy(h->columns + OWN, h->from, h->from_count * sizeof(*h->from));
	h->count = OWN + h->from_count;
	for (size_t i = 0; i < h->count; i++) {
		h->columns[i].get = get_cell;
		h->columns[i].which = i;
	}
}

static struct view history_view(const struct verb_history_state *h)
{
	return view_of("history", h->columns, h->count, h, h->rows);
}

static void verb_history_free(struct verb_history_state *h)
{
	text_free(h->texts);
	mem_free(h->values);
	store_walk_free(h->w);
	store_reader_close(h->r);
	pools_config_free(&h->config);
	pool_past_free(&h->past);
	for (size_t i = 0; i < h->o->object_count; i++)
		mem_free(h->objects[i]);
}

/* A name without a kind is looked up at the end of the recording. */
static bool history_name(struct verb_history_state *h, const struct cluster *last, struct err *err)
{
	unsigned kind = h->jobs ? OBJECT_JOB : h->queues ? OBJECT_QUEUE : OBJECT_ASSOC;
	bool ok = true;

	for (size_t i = 0; ok && i < h->o->object_count; i++) {
		h->objects[i] = cluster_object(last, h->o->objects[i], kind, err);
		ok = h->objects[i] != NULL;
		if (!ok)
			err_prefix(err, "at its end");
		else if (!(cluster_object_kinds(h->objects[i]) & kind))
			ok = err_set(err, ERR_INPUT, "%.200s: history takes accounts and users, or "
				     "jobs, or queues (expected only one of these)", h->objects[i]);
	}
	return ok;
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Keeps the row, unless it is not selected. */
static void keep_row(struct verb_history_state *h, int64_t time, const char *object,
		     const struct view *view, uint32_t row)
{
	struct past_value *at;
	struct view kept;
	struct value v;

	MEM_GROW(h->values, h->capacity, (h->rows + 1) * h->count);
	at = h->values + h->rows++ * h->count;
	at[0] = (struct past_value){ .kind = VALUE_INT, .integer = time };
	at[1] = (struct past_value){ .kind = VALUE_TEXT,
				     .text = text_intern(h->texts, object, strlen(object)) };
	for (size_t i = 0; i < h->from_count; i++) {
		column_get(&h->from[i], view->context, row, &v);
		at[OWN + i] = past_keep(h->texts, &v);
	}
	kept = history_view(h);
	if (h->left == 0 || !filter_match(h->selection->filter, &kept, kept.rows - 1))
		h->rows--;
	else if (h->selection->order.count == 0)
		h->left--;
}

static void keep_objects(struct verb_history_state *h, int64_t time, const struct model *m)
{
	struct jobs *jobs = h->jobs ? jobs_new(m, NULL) : NULL;
	struct view view = jobs ? jobs_view(jobs) : accounts_view(m);

	if (jobs)
		classes_tell_chosen(jobs, NULL);
	for (size_t i = 0; i < h->o->object_count; i++) {
		uint32_t row = jobs ? jobs_find(jobs, h->objects[i], &h->missing) :
			       cluster_find_assoc(m->cluster, h->objects[i], &h->missing);

		if (row == ROW_NONE)
			continue;
		h->found[i] = true;
		keep_row(h, time, h->o->objects[i], &view, row);
	}
	jobs_free(jobs);
}

static bool history_in_range(const struct verb_history_state *h, int64_t time)
{
	return (h->o->from == I64_UNKNOWN || time >= h->o->from) &&
	       (h->o->to == I64_UNKNOWN || time <= h->o->to);
}

/* Each sample is the past of the later ones, SHOWN or not. */
static bool keep_queues(struct verb_history_state *h, const struct cluster *c, int64_t time,
			bool shown, struct err *err)
{
	const struct pools_config *config = h->o->pools ? &h->config : NULL;
	struct pools *p = pools_new(c, config, h->o->grouped, &h->past, err);
	struct view view = pools_view(p);

	for (size_t i = 0; p && shown && i < h->o->object_count; i++) {
		const char *object = h->objects[i];
		uint32_t queue = cluster_object_kinds(object) == OBJECT_QUEUE ?
					 pools_find(p, false, object + 6, &h->missing) : ROW_NONE;

		if (queue != ROW_NONE) {
			h->found[i] = true;
			keep_row(h, time, object, &view, pools_row(p, queue));
		}
	}
	if (p)
		pool_past_add(&h->past, p, time);
	pools_free(p);
	return p != NULL;
}

static bool keep_sample(struct verb_history_state *h, const struct store_sample *s, bool shown,
			struct err *err)
{
	const struct cluster *c = store_walk_to(h->w, s->id, err);
	struct model *m;

	if (c && h->queues)
		return keep_queues(h, c, s->time, shown, err);
	m = c ? model_new(c, &h->o->model, err) : NULL;
	if (m)
		keep_objects(h, s->time, m);
	model_free(m);
	return m != NULL;
}

/* Sets LAST to the last sample of S's step of --every, as thinning would keep it; to S without. */
static bool history_step(const struct verb_history_state *h, const struct store_sample *s,
			 struct store_sample *last, struct err *err)
{
	int64_t step = h->o->every_ms / 1000, from, until;

	if (s->id <= last->id)
		return true;
	*last = *s;
	if (step == 0 || s->id >= h->last_id || !history_in_range(h, s->time))
		return true;
	from = s->time - s->time % step;
	until = from + step - 1;
	if (h->o->from != I64_UNKNOWN && h->o->from > from)
		from = h->o->from;
	if (h->o->to != I64_UNKNOWN && h->o->to < until)
		until = h->o->to;
	return store_run(h->r, s->id, h->last_id, from, until, last, err);
}

static bool all_found(const struct verb_history_state *h, struct err *err)
{
	for (size_t i = 0; i < h->o->object_count; i++) {
		if (!h->found[i])
			return err_set(err, ERR_INPUT, "%s: not in any sample of that time",
				       h->o->objects[i]);
	}
	return true;
}

/* Keeps rows up to a number of ROWS, to the end, or until the filter is no longer held. */
static bool keep_samples(struct verb_history_state *h, size_t rows, struct err *err)
{
	while (h->rows < rows && h->left > 0 && h->next_id <= h->last_id &&
	       filter_held(h->selection->filter, NULL)) {
		struct store_sample s;

		if (!store_next(h->r, h->next_id, &s, err) || !history_step(h, &s, &h->shown, err))
			return false;
		progress_show(&h->progress, "reading", (double)(s.id - h->first_id) /
			      (double)(h->last_id - h->first_id + 1), ++h->samples, "samples");
		if (!h->queues)
			s = h->shown;
		h->next_id = s.id + 1;
		if (!h->queues && !history_in_range(h, s.time))
			continue;
		if (!keep_sample(h, &s, s.id == h->shown.id && history_in_range(h, s.time), err))
			return false;
	}
	return h->left == 0 || h->next_id <= h->last_id || all_found(h, err);
}

/* ---- the answer ---------------------------------------------------------------------------- */

static bool history_open(struct verb_history_state *h, uint32_t needs, struct err *err)
{
	/* The past of queues begins with the recording. */
	int64_t from = h->queues ? I64_UNKNOWN : h->o->from;
	struct store_sample first, last;

	h->r = store_reader_open(h->o->source, err);
	h->w = h->r ? store_walk_new(h->r, needs) : NULL;
	if (!h->w || (h->queues && h->o->pools &&
		      !pools_file_read(h->o->pools, &h->config, err)) ||
	    !store_range(h->r, &first, &last, err) ||
	    !store_between(h->r, from, h->o->to, &h->first_id, &h->last_id, err))
		return false;
	h->next_id = h->first_id;
	h->last_id = h->last_id < last.id ? h->last_id : last.id;
	h->progress = progress_begin();
	return true;
}

/* The next row after the first ones, for report.more. */
static uint32_t history_more(void *context, bool *failed, struct err *err)
{
	struct verb_history_state *h = context;

	if (h->given == h->rows) {
		h->rows = h->given = 0;
		/* Whoever watches sees each row before the next one is computed. */
		*failed = !output_finish(h->output, err);
		if (!*failed && !keep_samples(h, 1, err)) {
			complaint_name(err, h->o->source);
			*failed = true;
		}
		*failed = *failed || !filter_held(h->selection->filter, err);
	}
	if (!*failed && h->given < h->rows)
		return (uint32_t)h->given++;
	if (h->progress.terminal)
		progress_clear();
	return ROW_NONE;
}

#define NEEDS (NEED_SHARES | NEED_LIMITS | NEED_POLICY)

static int history_answer(struct session *s, struct selection *selection)
{
	struct verb_history_state *h = mem_alloc(1, sizeof(*h));
	struct err err = { .code = ERR_NONE };
	struct view view;
	bool ok;
	int status;

	history_init(h, s->options);
	h->selection = selection;
	h->output = &s->output;
	h->left = selection->order.most > 0 ? selection->order.most : UINT64_MAX;
	/* The needs of the default columns are not known yet; jobs need everything. */
	ok = history_name(h, s->cluster, &err) &&
	     history_open(h, h->jobs || h->queues ? NEED_ALL : NEEDS | selection->needs, &err) &&
	     keep_samples(h, selection->order.count > 0 ? SIZE_MAX : FIRST_ROWS, &err);
	progress_clear();
	status = ok ? session_model(s) : complain_about(s->options->source, &err);
	if (status == 0) {
		/* The rows are the progress. */
		h->progress.terminal = h->progress.terminal && !s->output.terminal;
		h->given = h->rows;
		view = history_view(h);
		s->more = h->left > 0 && h->next_id <= h->last_id ? history_more : NULL;
		s->more_context = h;
		status = session_answer(s, &view, selection, NULL, 0);
	}
	verb_history_free(h);
	mem_free(h);
	return status;
}

int verb_history(const struct options *o)
{
	struct verb_history_state *h = mem_alloc(1, sizeof(*h));
	struct view shape;
	int status;

	history_init(h, o);
	shape = history_view(h);
	status = session_run(o, &shape, NEEDS, history_answer);
	verb_history_free(h);
	mem_free(h);
	return status;
}
