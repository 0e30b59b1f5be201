/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare: why one of two accounts, users or jobs comes first; how two classes differ. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/classes/classes_explain.h"
#include "core/queue/compare.h"
#include "core/base/format.h"
#include "tui/base/zone.h"
#include "cli/grouped.h"
#include "cli/session.h"
#include "cli/verbs.h"

static const struct compare_row *compare_row_of(const struct position *pos)
{
	return &((const struct compare *)pos->context)->rows[pos->row];
}

static void compare_get_text(const struct position *pos, struct value *out)
{
	value_set_text(out, POSITION_MEMBER(pos, compare_row_of(pos)));
}

/* For people: times as dates, their difference as a duration, and numbers with six digits. */
static void compare_give(const struct position *pos, double x, enum column_format of_time,
			 struct value *out)
{
	const struct calendar *people = ((const struct compare *)pos->context)->people;
	const struct column column = { .format = of_time };
	struct value v = { .kind = VALUE_INT };
	char sign[2] = "";

	value_set_real(out, x);
	if (!people || out->kind == VALUE_UNKNOWN)
		return;
	if (compare_row_of(pos)->time) {
		v.integer = (int64_t)(of_time == COLUMN_TIME ? x : fabs(x));
		sign[0] = of_time != COLUMN_TIME && x < 0 ? '-' : '\0';
		(void)snprintf(out->buffer, sizeof(out->buffer), "%s", sign);
		format_cell(&column, &v, people, out->buffer + strlen(sign),
			    sizeof(out->buffer) - strlen(sign));
	} else {
		(void)snprintf(out->buffer, sizeof(out->buffer), "%.6g", x);
	}
	value_set_text(out, out->buffer);
}

static void compare_get_real(const struct position *pos, struct value *out)
{
	compare_give(pos, *(const double *)POSITION_MEMBER(pos, compare_row_of(pos)), COLUMN_TIME,
		     out);
}

static void compare_get_difference(const struct position *pos, struct value *out)
{
	compare_give(pos, compare_row_of(pos)->a - compare_row_of(pos)->b, COLUMN_DURATION, out);
}

static void compare_get_level(const struct position *pos, struct value *out)
{
	value_set_int(out, compare_row_of(pos)->level);
}

static void get_decides(const struct position *pos, struct value *out)
{
	out->kind = VALUE_BOOL;
	out->integer = compare_row_of(pos)->decides;
}

#define ROW(member) offsetof(struct compare_row, member)

const struct column compare_columns[] = {
	{ .name = "level", .title = "#", .legend = "place in the comparison",
	  .get = compare_get_level },
	{ .name = "name", .title = "What", .legend = "what is compared", .left = true,
	  .only = ALWAYS, .get = compare_get_text, .which = ROW(name) },
	{ .name = "a", .title = "A", .legend = "value of the first object", .only = ALWAYS,
	  .get = compare_get_real, .which = ROW(a) },
	{ .name = "b", .title = "B", .legend = "value of the second object", .only = ALWAYS,
	  .get = compare_get_real, .which = ROW(b) },
	{ .name = "difference", .title = "A - B", .legend = "of a and b; for times in seconds",
	  .only = ALWAYS, .get = compare_get_difference },
	{ .name = "decides", .title = "Decides", .legend = "this makes the difference",
	  .only = ALWAYS, .get = get_decides },
	{ .name = "note", .title = "Note", .legend = "remark", .left = true,
	  .only = ALWAYS, .get = compare_get_text, .which = ROW(note) },
};
const size_t compare_columns_count = sizeof(compare_columns) / sizeof(compare_columns[0]);

#define OF_JOBS (OBJECT_JOB | OBJECT_CLASS)

static uint32_t compare_find(const struct session *s, const struct grouped *g, const char *object,
			     struct err *err)
{
	unsigned kind = cluster_object_kinds(object);

	return kind == OBJECT_CLASS ? classes_find(g->data, object, err) :
	       kind == OBJECT_JOB ? jobs_find(g->jobs, object, err) :
	       cluster_find_assoc(s->cluster, object, err);
}

static bool compare_two(struct session *s, const struct grouped *g, struct compare *c,
			struct err *err)
{
	unsigned kind = cluster_object_kinds(s->object);
	uint32_t a, b;

	if (kind != cluster_object_kinds(s->other))
		return err_set(err, ERR_INPUT,
			       "%s and %s: cannot be compared (expected two jobs, two classes, or "
			       "two accounts or users)", s->object, s->other);
	a = compare_find(s, g, s->object, err);
	b = a == ROW_NONE ? ROW_NONE : compare_find(s, g, s->other, err);
	if (b == ROW_NONE)
		return false;
	if (kind == OBJECT_CLASS) {
		classes_compare(g->data, a, b, c);
	} else if (kind == OBJECT_JOB) {
		compare_jobs(g->jobs, a, b, c);
		classes_compare_jobs(g->data, a, b, c);
	} else {
		compare_accounts(s->model, a, b, c);
	}
	return true;
}

static int compare_answer(struct session *s, struct compare *c)
{
	struct view view = view_of("compare", compare_columns, compare_columns_count, c, c->count);
	struct report_extra extra = { "sentence", c->sentence };

	if (s->options->format == REPORT_TABLE) {
		c->people = &zone_local;
		compare_sort(c);
		output_line(&s->output, "%s", c->sentence);
		output_text(&s->output, "\n");
	}
	return session_answer(s, &view, NULL, &extra, 1);
}

static int compare_objects(struct session *s, struct selection *selection)
{
	struct err err = { .code = ERR_NONE };
	struct compare c = { 0 };
	struct grouped g = { .jobs = NULL };
	int status = session_objects(s, OBJECT_ASSOC | OBJECT_JOB);

	(void)selection;
	if (status == 0)
		status = cluster_object_kinds(s->object) & OF_JOBS ?
			 grouped_new(s, GROUPED_AS_SET, &g) : session_model(s);
	if (status == 0)
		status = compare_two(s, &g, &c, &err) ? compare_answer(s, &c) : complain(&err);
	compare_free(&c);
	grouped_free(&g);
	return status;
}

int verb_compare(const struct options *o)
{
	struct view shape = { .columns = compare_columns, .column_count = compare_columns_count };
	uint32_t needs = NEED_SHARES | NEED_LIMITS | NEED_POLICY;

	if (cluster_object_kinds(o->object) & OF_JOBS)
		needs |= NEED_JOBS | NEED_PRIO | NEED_PARTITIONS | NEED_QOS | NEED_HOSTS;
	return session_run(o, &shape, needs, compare_objects);
}
