/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history: accounts, users, jobs or queues over the time of a recording.
 *
 * For each sample, rebuilds the cluster, computes the model, and keeps the rows of the objects; the
 * answer is a view of these rows, with the columns of the accounts, the jobs or the pools.
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

struct verb_history_state {
	const struct options *o;
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
	return (struct view){ .name = "history", .columns = h->columns, .column_count = h->count,
			      .context = h, .rows = (uint32_t)h->rows };
}

static void verb_history_free(struct verb_history_state *h)
{
	text_free(h->texts);
	mem_free(h->values);
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

static void keep_row(struct verb_history_state *h, int64_t time, const char *object,
		     const struct view *view, uint32_t row)
{
	struct past_value *at;
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

/* Each sample is the past of the later ones. */
static bool keep_queues(struct verb_history_state *h, const struct cluster *c, int64_t time,
			struct err *err)
{
	const struct pools_config *config = h->o->pools ? &h->config : NULL;
	struct pools *p = pools_new(c, config, h->o->grouped, &h->past, err);
	struct view view = pools_view(p);

	for (size_t i = 0; p && history_in_range(h, time) && i < h->o->object_count; i++) {
		const char *object = h->objects[i];
		uint32_t queue = cluster_object_kinds(object) == OBJECT_QUEUE ?
					 pools_find(p, false, object + 6, &h->missing) : ROW_NONE;

		for (uint32_t row = 0; row < view.rows; row++) {
			if (p->members[row] != queue)
				continue;
			h->found[i] = true;
			keep_row(h, time, object, &view, row);
		}
	}
	if (p)
		pool_past_add(&h->past, p, time);
	pools_free(p);
	return p != NULL;
}

static bool keep_sample(struct verb_history_state *h, struct store_walk *w,
			const struct store_sample *s, struct err *err)
{
	const struct cluster *c = store_walk_to(w, s->id, err);
	struct model *m;

	if (c && h->queues)
		return keep_queues(h, c, s->time, err);
	m = c ? model_new(c, &h->o->model, err) : NULL;
	if (m)
		keep_objects(h, s->time, m);
	model_free(m);
	return m != NULL;
}

static bool keep_samples(struct verb_history_state *h, struct store_reader *r, struct store_walk *w,
			 struct err *err)
{
	/* The past of queues begins with the recording. */
	int64_t from = h->queues ? I64_UNKNOWN : h->o->from, first_id, last_id;
	struct store_sample first, last, s;
	uint64_t count = 0;

	if (!store_range(r, &first, &last, err) ||
	    !store_between(r, from, h->o->to, &first_id, &last_id, err))
		return false;
	for (int64_t id = first_id; id <= last_id && id <= last.id; id = s.id + 1) {
		if (!store_next(r, id, &s, err))
			return false;
		progress_show(&h->progress, "reading", (double)(id - first_id) /
			      (double)(last_id - first_id + 1), ++count, "samples");
		if (!h->queues && !history_in_range(h, s.time))
			continue;
		if (!keep_sample(h, w, &s, err))
			return false;
	}
	for (size_t i = 0; i < h->o->object_count; i++) {
		if (!h->found[i])
			return err_set(err, ERR_INPUT, "%s: not in any sample of that time",
				       h->o->objects[i]);
	}
	return true;
}

/* ---- the answer ---------------------------------------------------------------------------- */

static bool history_collect(struct verb_history_state *h, uint32_t needs, struct err *err)
{
	struct store_reader *r = store_reader_open(h->o->source, err);
	struct store_walk *w = r ? store_walk_new(r, needs) : NULL;
	bool ok = w && (!h->queues || !h->o->pools ||
			pools_file_read(h->o->pools, &h->config, err));

	h->progress = progress_begin();
	ok = ok && keep_samples(h, r, w, err);
	progress_clear();
	store_walk_free(w);
	store_reader_close(r);
	return ok;
}

#define NEEDS (NEED_SHARES | NEED_LIMITS | NEED_POLICY)

static int history_answer(struct session *s, struct selection *selection)
{
	struct verb_history_state *h = mem_alloc(1, sizeof(*h));
	struct err err = { .code = ERR_NONE };
	struct view view;
	int status;

	history_init(h, s->options);
	/* The needs of the default columns are not known yet; jobs need everything. */
	status = history_name(h, s->cluster, &err) &&
		 history_collect(h, h->jobs || h->queues ? NEED_ALL : NEEDS | selection->needs,
				 &err) ?
		 session_model(s) : complain_about(s->options->source, &err);
	if (status == 0) {
		view = history_view(h);
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
