/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The answers of several sources to one verb as one table; its first column is the cluster.
 *
 * A verb's answer lives as long as its function, which ends in session_answer(). There the next
 * source is asked, one call within the other, until all have answered and the joint table is
 * written.
 */
#include "cli/session.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/fleet/fleet_row.h"
#include "core/share/fairshare.h"

#define LABEL 300

/* One source that has answered. */
struct fleet_part {
	struct session *s;
	uint32_t first;			/* its first row in the joint table */
	char label[LABEL];
};

struct fleet {
	struct options options;		/* with the sort order of the joint table */
	const struct options *given;
	uint32_t needs;
	session_answers *answer;
	struct selection selection;
	struct view view;
	struct column *columns;		/* the cluster column, then those of the verb */
	struct fleet_part *parts;	/* the sources that have answered */
	const struct report **reports;
	size_t joined, next, count;
	int status;			/* of a source that has not answered */
};

/* ---- the joint table ------------------------------------------------------------------------ */

static const struct fleet_part *fleet_part_of(const struct fleet *f, uint32_t row)
{
	size_t low = 0, high = f->joined;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (f->parts[middle].first <= row)
			low = middle;
		else
			high = middle;
	}
	return &f->parts[low];
}

static void get_cluster(const struct position *pos, struct value *out)
{
	value_set_text(out, fleet_part_of(pos->context, pos->row)->label);
}

/* The value of the verb's column, in this column's data, for the row in its source's table. */
static void get_of_part(const struct position *pos, struct value *out)
{
	const struct fleet_part *p = fleet_part_of(pos->context, pos->row);

	column_get(pos->column->data, p->s->report.view.context, pos->row - p->first, out);
}

static void make_columns(struct fleet *f, const struct view *shape)
{
	f->columns = mem_zalloc(shape->column_count + 1, sizeof(*f->columns));
	f->columns[0] = (struct column){
		.name = "cluster", .title = "Cluster", .width = 12, .keep = 255, .left = true,
		.only = UINT32_MAX, .get = get_cluster,
		.legend = "cluster of the row; with its source if two have the same name",
	};
	for (size_t i = 0; i < shape->column_count; i++) {
		f->columns[i + 1] = shape->columns[i];
		f->columns[i + 1].get = get_of_part;
		f->columns[i + 1].data = &shape->columns[i];
	}
	f->view = (struct view){ .name = shape->name, .columns = f->columns,
				 .column_count = shape->column_count + 1, .context = f };
}

/* Shows each column that the algorithm of any source shows by default. */
static void show_columns(struct fleet *f)
{
	uint32_t algorithms = 0;

	for (size_t i = 0; i < f->joined; i++)
		algorithms |= UINT32_C(1) << fs_algorithm_of_cluster(f->parts[i].s->cluster);
	for (size_t i = 1; i < f->view.column_count; i++)
		f->columns[i].only = f->columns[i].only & algorithms ? UINT32_MAX : 0;
}

static void name_parts(struct fleet *f)
{
	const char **names = mem_alloc(f->joined, sizeof(*names));

	for (size_t i = 0; i < f->joined; i++)
		names[i] = cluster_meta(f->parts[i].s->cluster)->name;
	for (size_t i = 0; i < f->joined; i++)
		fleet_title(names, f->joined, i, f->parts[i].s->source->name, f->parts[i].label,
			    LABEL);
	mem_free(names);
}

static int fleet_write_all(struct fleet *f, struct output *out)
{
	const struct options *o = &f->options;
	struct err err = { .code = ERR_NONE };
	struct report r;
	bool good;

	name_parts(f);
	show_columns(f);
	r = (struct report){ .view = f->view, .parts = f->reports, .part_count = f->joined,
			     .local = f->reports[0]->local, .now = f->reports[0]->now,
			     .width = out->width, .terminal = out->terminal };
	r.columns = report_columns(&f->view, o->columns, o->format, 0, &r.column_count, &err);
	r.rows = rows_select(&f->view, f->selection.filter, &f->selection.order, &r.row_count);
	good = r.columns && filter_held(f->selection.filter, &err) &&
	       report_write(&r, o->format, output_sink(out), &err) && output_finish(out, &err);
	report_free(&r);
	return good ? f->status : complain(&err);
}

/* ---- asking --------------------------------------------------------------------------------- */

static int fleet_go_on(struct fleet *f, struct output *out);

/* Takes the report of S, whose answer is ready, and continues with the other sources. */
static int fleet_join(struct session *s)
{
	struct fleet *f = s->taker;

	f->parts[f->joined].s = s;
	f->parts[f->joined].first = f->view.rows;
	f->reports[f->joined++] = &s->report;
	f->view.rows += s->report.view.rows;
	return fleet_go_on(f, &s->output);
}

/* Reads source I. True: it answered, the later ones were read, too, and *STATUS is the verb's. */
static bool fleet_ask(struct fleet *f, size_t i, int *status)
{
	struct options *own = mem_alloc(1, sizeof(*own));
	struct session *s = mem_zalloc(1, sizeof(*s));
	size_t joined = f->joined;

	*own = f->options;
	own->source = i == 0 ? f->given->source : f->given->objects[i - 1];
	own->object = NULL;
	*status = session_open(s, own, f->selection.needs | f->needs);
	s->take = fleet_join;
	s->taker = f;
	if (*status == 0)
		*status = f->answer(s, &f->selection);
	session_close(s);
	mem_free(s);
	mem_free(own);
	return f->joined > joined;
}

/* Reads the remaining sources; OUT is NULL if none has answered yet. */
static int fleet_go_on(struct fleet *f, struct output *out)
{
	int status;

	while (f->next < f->count) {
		if (fleet_ask(f, f->next++, &status))
			return status;
		if (status != ERR_SOURCE)
			return status;
		f->status = status;
	}
	return out ? fleet_write_all(f, out) : f->status;
}

/* Each source may occur only once: its rows would count twice. */
static bool fleet_are_distinct(const struct options *o, struct err *err)
{
	for (size_t i = 0; i < o->object_count; i++) {
		const char *before = o->source;

		for (size_t k = 0; k <= i; before = o->objects[k++]) {
			if (strcmp(before, o->objects[i]) == 0)
				return err_set(err, ERR_INPUT, "%s: is named twice", before);
		}
	}
	return o->edit_count == 0 ||
	       err_set(err, ERR_INPUT, "--set, --what-if: edits apply to one cluster (expected one "
		       "SOURCE)");
}

int fleet_run(const struct options *o, const struct view *shape, uint32_t needs,
	      session_answers *answer)
{
	struct fleet *f = mem_zalloc(1, sizeof(*f));
	struct err err = { .code = ERR_NONE };
	char sort[100];
	int status;

	f->options = *o;
	f->given = o;
	f->needs = needs;
	f->answer = answer;
	f->count = 1 + o->object_count;
	f->parts = mem_zalloc(f->count, sizeof(*f->parts));
	f->reports = mem_zalloc(f->count, sizeof(*f->reports));
	if (o->usual_sort) {
		snprintf(sort, sizeof(sort), "cluster,%s", o->usual_sort);
		f->options.usual_sort = sort;
	}
	make_columns(f, shape);
	status = fleet_are_distinct(o, &err) ? selection_parse(&f->selection, &f->options, &f->view)
					     : complain(&err);
	if (status == 0)
		status = fleet_go_on(f, NULL);
	selection_free(&f->selection);
	MEM_FREE(f->columns, f->parts, f->reports, f);
	return status;
}
