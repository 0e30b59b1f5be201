/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs of a simulated cycle, in the order of consideration. */
#include <stdio.h>

#include "core/sim/cycle_view.h"

static const struct cycle_result *result_of(const struct position *pos)
{
	return ((const struct cycle_rows *)pos->context)->result;
}

static const struct cluster *cycle_cluster_of(const struct position *pos)
{
	return result_of(pos)->data->jobs->model->cluster;
}

/* The row in the JOB table. */
static uint32_t cycle_job_of(const struct position *pos)
{
	const struct cycle_result *r = result_of(pos);

	return r->data->set->job[r->jobs[r->order[pos->row]]];
}

static enum cycle_status status_of(const struct position *pos)
{
	const struct cycle_result *r = result_of(pos);

	if (pos->row >= r->input.jobs)
		return CYCLE_LEFT_OUT;
	return (enum cycle_status)r->cycle->status[r->order[pos->row]];
}

static void cycle_get_place(const struct position *pos, struct value *out)
{
	if (status_of(pos) != CYCLE_LEFT_OUT)
		value_set_int(out, (int64_t)pos->row + 1);
}

static void cycle_get_id(const struct position *pos, struct value *out)
{
	const struct cycle_result *r = result_of(pos);

	cycle_job_name(r, r->order[pos->row], status_of(pos) == CYCLE_RUN, out->buffer,
		       sizeof(out->buffer));
	value_set_text(out, out->buffer);
}

static void get_user(const struct position *pos, struct value *out)
{
	value_set_text(out, cluster_text(cycle_cluster_of(pos), F_JOB_USER, cycle_job_of(pos)));
}

static void cycle_get_class(const struct position *pos, struct value *out)
{
	const struct cycle_result *r = result_of(pos);

	value_set_int(out, r->class_of[r->order[pos->row]]);
}

static void get_outcome(const struct position *pos, struct value *out)
{
	static const char *const names[] = {
		[CYCLE_RUN] = "run", [CYCLE_CALENDARED] = "calendared",
		[CYCLE_BLOCKED] = "blocked", [CYCLE_SKIPPED] = "passed-over",
		[CYCLE_UNKNOWN] = NULL, [CYCLE_LEFT_OUT] = "left-out",
	};

	value_set_text(out, names[status_of(pos)]);
}

/* Whether it is unknown if the job is considered. */
static bool is_unknown(const struct position *pos)
{
	const struct cycle_result *r = result_of(pos);

	return status_of(pos) == CYCLE_UNKNOWN ||
	       (status_of(pos) == CYCLE_LEFT_OUT &&
		cycle_is_unplaced(r, pos->row - r->input.jobs));
}

static void get_considered(const struct position *pos, struct value *out)
{
	if (is_unknown(pos))
		return;
	out->kind = VALUE_BOOL;
	out->integer = status_of(pos) != CYCLE_SKIPPED && status_of(pos) != CYCLE_LEFT_OUT;
}

static const char *cycle_reason_of(const struct position *pos)
{
	const struct cycle_result *r = result_of(pos);

	return pos->row < r->input.jobs ? r->cycle->reason[r->order[pos->row]] :
					   r->why[pos->row - r->input.jobs];
}

static void get_logged(const struct position *pos, struct value *out)
{
	if (is_unknown(pos))
		return;
	out->kind = VALUE_BOOL;
	out->integer = status_of(pos) != CYCLE_LEFT_OUT &&
		       (status_of(pos) != CYCLE_SKIPPED ||
			(((const struct cycle_rows *)pos->context)->later_considered &&
			 cycle_reason_of(pos) != result_of(pos)->input.strict));
}

static void cycle_get_reason(const struct position *pos, struct value *out)
{
	value_set_text(out, cycle_reason_of(pos));
}

const struct column cycle_columns[] = {
	{ .name = "place", .title = "#", .width = 6, .only = ALWAYS, .get = cycle_get_place,
	  .rises = true, .legend = "rank in the cycle, 1 = considered first" },
	{ .name = "id", .title = "JobID", .width = 16, .left = true, .only = ALWAYS,
	  .get = cycle_get_id, .legend = "the job" },
	{ .name = "user", .title = "User", .width = 10, .left = true, .only = ALWAYS,
	  .get = get_user, .legend = "its user" },
	{ .name = "class", .title = "Class", .width = 5, .only = ALWAYS, .get = cycle_get_class,
	  .rises = true, .legend = "its class, numbered as in the classes table" },
	{ .name = "outcome", .title = "Outcome", .width = 11, .left = true, .only = ALWAYS,
	  .get = get_outcome,
	  .legend = "run; calendared: cannot run now, and gets a place on the calendar; blocked: "
		    "cannot run; passed-over: its class cannot run; left-out: not considered, "
		    "or its rank is unknown; "
		    "unknown: no data on hosts" },
	{ .name = "considered", .title = "Considered", .width = 5, .only = ALWAYS,
	  .get = get_considered, .legend = "whether it was tried; passed-over jobs are not" },
	{ .name = "logged", .title = "Logged", .width = 5, .only = ALWAYS, .get = get_logged,
	  .legend = "whether the log has \"Considering job to run\" for it" },
	{ .name = "reason", .title = "Reason", .width = 40, .left = true, .only = ALWAYS,
	  .get = cycle_get_reason,
	  .legend = "why it cannot run or is not considered, or why that is unknown" },
};
const size_t cycle_columns_count = sizeof(cycle_columns) / sizeof(cycle_columns[0]);

struct view cycle_view(const struct cycle_rows *rows)
{
	return view_of("cycle", cycle_columns, cycle_columns_count, rows,
		       rows->result->input.jobs + rows->result->left_out);
}
