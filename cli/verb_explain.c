/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explain: how a value is computed, line by line, with the engine's numbers. */
#include <stdio.h>
#include <string.h>

#include "core/classes/classes_explain.h"
#include "core/queue/jobs.h"
#include "core/base/format.h"
#include "core/base/plural.h"
#include "core/base/visible.h"
#include "core/pools/pools.h"
#include "cli/grouped.h"
#include "cli/session.h"
#include "cli/verbs.h"

static const struct explain_step *explain_step_of(const struct position *pos)
{
	return &((const struct explain *)pos->context)->steps[pos->row];
}

static void explain_get_text(const struct position *pos, struct value *out)
{
	value_set_text(out, POSITION_MEMBER(pos, explain_step_of(pos)));
}

static void explain_get_value(const struct position *pos, struct value *out)
{
	value_set_real(out, explain_step_of(pos)->value);
	out->origin = explain_step_of(pos)->origin;
}

static void explain_get_reported(const struct position *pos, struct value *out)
{
	value_set_real(out, explain_step_of(pos)->reported);
}

#define STEP(text) offsetof(struct explain_step, text)

const struct column explain_columns[] = {
	{ .name = "name", .title = "Step", .legend = "the quantity", .left = true, .only = ALWAYS,
	  .get = explain_get_text, .which = STEP(name) },
	{ .name = "formula", .title = "Formula", .legend = "how it is computed, in symbols",
	  .left = true, .only = ALWAYS, .get = explain_get_text, .which = STEP(formula) },
	{ .name = "with", .title = "With", .legend = "the formula with the numbers of this row",
	  .left = true, .only = ALWAYS, .get = explain_get_text, .which = STEP(with) },
	{ .name = "value", .title = "Value", .legend = "the value",
	  .only = ALWAYS, .get = explain_get_value },
	{ .name = "reported", .title = "Reported", .legend = "the scheduler's own number",
	  .only = ALWAYS, .get = explain_get_reported },
	{ .name = "note", .title = "Note", .legend = "a remark on it", .left = true,
	  .only = ALWAYS, .get = explain_get_text, .which = STEP(note) },
};
const size_t explain_columns_count = sizeof(explain_columns) / sizeof(explain_columns[0]);

/*
 * For people: a step is its formula, the formula with numbers, the value, and the note, one below
 * the other, so that nothing is cut on a narrow terminal.
 *
 *	U    = W / W_root
 *	     = 1.5e+06 / 6e+06
 *	     = 0.25
 */
static void explain_print_step(struct output *out, size_t width, const struct explain_step *step)
{
	const struct explain_reported reported = explain_reported(step);
	char digits[VALUE_DOUBLE_MAX], safe[sizeof(step->name) * 8];
	const char *name = safe;
	struct {
		const char *sign, *text;
	} lines[] = {
		{ "=", step->formula }, { "=", step->with }, { "=", digits }, { " ", reported.s },
		{ " ", step->note },
	};

	/* Made safe before it is padded. */
	visible_copy(safe, sizeof(safe), step->name, strlen(step->name));
	value_print_double(step->value, digits);
	if (!f64_known(step->value))
		digits[0] = '\0';
	/* A value that was read, not computed, has only one line. */
	if (strcmp(step->with, digits) == 0)
		lines[1].text = "";
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (!lines[i].text[0])
			continue;
		output_line(out, "%-*s %s %s", (int)width, name, lines[i].sign, lines[i].text);
		name = "";
	}
}

/* HEAD is the first line for people. */
static int explain_print(struct session *s, const struct explain *e, const char *head)
{
	struct err err = { .code = ERR_NONE };
	size_t width = 0;

	for (size_t i = 0; i < e->count; i++) {
		if (strlen(e->steps[i].name) > width)
			width = strlen(e->steps[i].name);
	}
	output_line(&s->output, "%s", head);
	for (size_t i = 0; i < e->count; i++) {
		output_text(&s->output, "\n");
		explain_print_step(&s->output, width, &e->steps[i]);
	}
	return output_finish(&s->output, &err) ? 0 : complain(&err);
}

static int explain_answer(struct session *s, const struct explain *e, const char *object,
			  const char *head)
{
	struct view view = view_of("explain", explain_columns, explain_columns_count, e, e->count);
	struct report_extra extra = { "object", object };

	if (s->options->format == REPORT_TABLE && !s->options->columns)
		return explain_print(s, e, head);
	return session_answer(s, &view, NULL, &extra, 1);
}

static int explain_assoc(struct session *s, struct explain *e)
{
	struct err err = { .code = ERR_NONE };
	uint32_t assoc = cluster_find_assoc(s->cluster, s->object, &err);
	char room[VALUE_ROOM], head[1200];
	const char *path;

	if (assoc == ROW_NONE)
		return complain(&err);
	s->model->algo->explain(&s->model->input, s->model->fs, assoc, e);
	path = cluster_path_get(s->cluster, assoc, room);
	cluster_path(s->cluster, assoc, head, 1000);
	format_append(head, sizeof(head), ", %s, from %s", s->model->algo->title,
		 s->model->algo->id == FS_LSF ? "its use as bqueues prints it" :
		 s->model->fs->base == FS_BASE_REPORTED ?
		 "the usage ratios that the scheduler reports" : "raw usage");
	return explain_answer(s, e, path, head);
}

/* The rank of the job, or why it has none. */
static void job_head(const struct jobs *jobs, const char *object, uint32_t row, char *head,
		     size_t size)
{
	uint32_t rank = jobs->order->rank[row], ahead = jobs_ahead(jobs)->ahead[row];
	const char *why = jobs_left_out(jobs, row);
	bool unknown = why && !jobs_stopped(jobs, row);

	if (rank != U32_UNKNOWN)
		snprintf(head, size, "%s, rank %u of %u, %u %s ahead of it", object, rank,
			 jobs->order->count, ahead, plural(ahead, "job", "jobs"));
	else if (unknown && jobs->pbs && pbs_jobs_undecided(jobs->pbs))
		snprintf(head, size, "%s, rank unknown: %s is unknown", object,
			 pbs_jobs_undecided(jobs->pbs));
	else if (unknown)
		snprintf(head, size, "%s, rank unknown: %s", object, why);
	else
		snprintf(head, size, "%s, not in the queue%s%s", object, why ? ": " : "",
			 why ? why : "");
}

/* Each partition and QOS of the job has its own derivation; shows the first one of the queue. */
static int explain_job(struct session *s, struct explain *e)
{
	struct jobs *jobs = session_jobs(s);
	struct err err = { .code = ERR_NONE };
	uint32_t row = jobs_find(jobs, s->object, &err);
	char head[300];
	int status;

	if (row == ROW_NONE) {
		status = complain(&err);
	} else {
		session_tell_order(jobs);
		jobs_explain(jobs, row, e);
		job_head(jobs, s->object, row, head, sizeof(head));
		status = explain_answer(s, e, s->object, head);
	}
	jobs_free(jobs);
	return status;
}

static int explain_class(struct session *s, struct explain *e)
{
	struct grouped g = { .jobs = NULL };
	struct err err = { .code = ERR_NONE };
	int status = grouped_new(s, GROUPED_AS_SET, &g);
	char head[200];

	if (status == 0) {
		uint32_t class = classes_find(g.data, s->object, &err);

		if (class == ROW_NONE) {
			status = complain(&err);
		} else {
			classes_explain(g.data, class, e);
			snprintf(head, sizeof(head), "class %u of %u, by the rules of %s", class,
				 g.data->classes->count, class_rules_names[g.data->set->rules]);
			status = explain_answer(s, e, s->object, head);
		}
	}
	grouped_free(&g);
	return status;
}

static int explain_in_pools(struct session *s, const struct pools *p, struct explain *e)
{
	const char *object = s->object;
	bool is_pool = cluster_object_kinds(object) == OBJECT_POOL;
	struct err err = { .code = ERR_NONE };
	uint32_t at = pools_find(p, is_pool, strchr(object, ':') + 1, &err);
	char head[700];

	if (at == ROW_NONE)
		return complain(&err);
	if (is_pool)
		pools_explain_pool(p, at, e);
	else
		pools_explain_queue(p, at, e);
	if (is_pool || p->queues[at].pool == POOLS_NONE)
		snprintf(head, sizeof(head), "%.300s%s", object,
			 is_pool ? ", round by round" : ", in no pool");
	else if (pools_slots(p, at)->allotted == U32_UNKNOWN)
		snprintf(head, sizeof(head), "%.300s in pool %.61s: what it can use is unknown",
			 object, p->pools[p->queues[at].pool].name);
	else
		snprintf(head, sizeof(head), "%.300s in pool %.61s: %u of %u slots", object,
			 p->pools[p->queues[at].pool].name, (unsigned)pools_slots(p, at)->allotted,
			 (unsigned)p->pools[p->queues[at].pool].slots.size);
	return explain_answer(s, e, object, head);
}

static int explain_pools(struct session *s)
{
	struct pools_config config;
	struct pools *pools = NULL;
	struct explain e;
	int status = pools_of_session(s, &config, &pools);

	explain_init(&e);
	if (status == 0)
		status = explain_in_pools(s, pools, &e);
	explain_free(&e);
	pools_free(pools);
	pools_config_free(&config);
	return status;
}

/* An explanation is complete: rows cannot be selected. */
static int explain_object(struct session *s, struct selection *selection)
{
	struct explain e;
	unsigned kind;
	int status = session_objects(s, OBJECT_ASSOC | OBJECT_JOB | OBJECT_QUEUE | OBJECT_POOL);

	(void)selection;
	if (status != 0)
		return status;
	kind = cluster_object_kinds(s->object);
	if (kind & (OBJECT_QUEUE | OBJECT_POOL))
		return explain_pools(s);
	status = session_model(s);
	if (status != 0)
		return status;
	explain_init(&e);
	status = kind == OBJECT_CLASS ? explain_class(s, &e) :
		 kind == OBJECT_JOB ? explain_job(s, &e) : explain_assoc(s, &e);
	explain_free(&e);
	return status;
}

int verb_explain(const struct options *o)
{
	struct view shape = { .columns = explain_columns, .column_count = explain_columns_count };
	bool all = cluster_object_kinds(o->object) != OBJECT_ASSOC;

	return session_run(o, &shape, all ?
			   NEED_ALL & ~(uint32_t)(NEED_RESERVATIONS | NEED_LICENSES) :
			   NEED_SHARES | NEED_LIMITS | NEED_POLICY, explain_object);
}
