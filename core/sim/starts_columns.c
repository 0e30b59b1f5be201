/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns of start estimates. */
#include "core/sim/starts.h"

#include <stddef.h>
#include <stdio.h>

static const struct starts_row *starts_row(const struct position *pos)
{
	return &((const struct starts *)pos->context)->rows[pos->row];
}

size_t starts_name(const struct starts_row *r, char *buf, size_t size)
{
	unsigned long id = r->id, task = r->task;

	return (size_t)(r->task == U32_UNKNOWN ? snprintf(buf, size, "%lu", id) :
			snprintf(buf, size, r->tasks > 1 ? "%lu_[%lu,...]" : "%lu_%lu", id, task));
}

static void starts_get_id(const struct position *pos, struct value *out)
{
	starts_name(starts_row(pos), out->buffer, sizeof(out->buffer));
	value_set_text(out, out->buffer);
}

static void get_waits_for(const struct position *pos, struct value *out)
{
	const struct starts *s = pos->context;
	const struct starts_row *r = starts_row(pos);
	size_t used = 0;

	for (uint32_t i = 0; i < r->before_count; i++) {
		if (i > 0)
			out->buffer[used++] = ' ';
		used += starts_name(&s->rows[r->before[i]], out->buffer + used,
				    sizeof(out->buffer) - used);
	}
	if (used > 0)
		value_set_text(out, out->buffer);
}

static void starts_get_array(const struct position *pos, struct value *out)
{
	const struct starts *s = pos->context;

	value_set_count(out, cluster_u32(s->c, F_JOB_ARRAY, starts_row(pos)->job));
}

static void get_task(const struct position *pos, struct value *out)
{
	value_set_count(out, starts_row(pos)->tasks > 1 ? U32_UNKNOWN : starts_row(pos)->task);
}

static void starts_get_text(const struct position *pos, struct value *out)
{
	const struct starts *s = pos->context;
	enum field field = (enum field)pos->column->which;

	value_set_text(out, cluster_text(s->c, field, starts_row(pos)->job));
}

static void starts_get_start(const struct position *pos, struct value *out)
{
	value_set_int(out, starts_row(pos)->start);
	out->why = starts_row(pos)->brief;
}

/* P10, the median or P90. */
static void get_likely(const struct position *pos, struct value *out)
{
	value_set_int(out, *(const int64_t *)POSITION_MEMBER(pos, starts_row(pos)));
}

static void get_why(const struct position *pos, struct value *out)
{
	const struct starts_row *r = starts_row(pos);

	value_set_text(out, r->start == I64_UNKNOWN ? site_obstacles[r->obstacle].text : NULL);
}

static void get_scheduler_start(const struct position *pos, struct value *out)
{
	const struct starts *s = pos->context;

	value_set_int(out, cluster_i64(s->c, F_JOB_START, starts_row(pos)->job));
}

static void starts_get_place(const struct position *pos, struct value *out)
{
	if (!cluster_hides_jobs(((const struct starts *)pos->context)->c))
		value_set_int(out, (int64_t)starts_row(pos)->place);
}

static void get_nodes(const struct position *pos, struct value *out)
{
	value_set_text(out, starts_row(pos)->nodes);
}

#define FIELD_OF(field) .get = starts_get_text, .which = field
#define LIKELY(member) .get = get_likely, .which = offsetof(struct starts_row, member)

const struct column starts_columns[] = {
	{ .name = "place", .title = "#", .width = 6, .only = ALWAYS, .get = starts_get_place,
	  .rises = true, .legend = "rank in the queue now, 1 = considered first" },
	{ .name = "id", .title = "JobID", .width = 12, .left = true, .only = ALWAYS,
	  .get = starts_get_id,
	  .legend = "the job, or the task of an array, or with ... all from it on" },
	{ .name = "array", .title = "Array", .width = 8, .get = starts_get_array, .rises = true,
	  .legend = "job number of its array" },
	{ .name = "task", .title = "Task", .width = 6, .get = get_task, .rises = true,
	  .legend = "task number within the array" },
	{ .name = "user", .title = "User", .width = 10, .left = true, .only = ALWAYS,
	  FIELD_OF(F_JOB_USER), .legend = "its user" },
	{ .name = "account", .title = "Account", .width = 10, .left = true, .only = ALWAYS,
	  FIELD_OF(F_JOB_ACCOUNT), .legend = "its account" },
	{ .name = "partition", .title = "Partition", .width = 10, .left = true, .only = ALWAYS,
	  FIELD_OF(F_JOB_PARTITION), .legend = "its partition" },
	{ .name = "start", .title = "Start", .width = 19, .only = ALWAYS, .format = COLUMN_TIME,
	  .unit = UNIT_TIME, .get = starts_get_start,
	  .legend = "when it starts if no job is submitted and all run to their limits, or why "
		    "unknown" },
	{ .name = "start_p10", .title = "P10", .width = 19, .only = ALWAYS, .format = COLUMN_TIME,
	  .unit = UNIT_TIME, LIKELY(p10),
	  .legend = "it starts earlier with a probability of 10 %, calibrated on the past" },
	{ .name = "start_p50", .title = "Median", .width = 19, .format = COLUMN_TIME,
	  .unit = UNIT_TIME, LIKELY(p50),
	  .legend = "it is as likely to start earlier as later" },
	{ .name = "start_p90", .title = "P90", .width = 19, .only = ALWAYS, .format = COLUMN_TIME,
	  .unit = UNIT_TIME, LIKELY(p90),
	  .legend = "it starts later with a probability of 10 %" },
	{ .name = "scheduler_start", .title = "Scheduler", .width = 19, .only = ALWAYS,
	  .format = COLUMN_TIME, .unit = UNIT_TIME, .get = get_scheduler_start,
	  .legend = "the scheduler's own estimate" },
	{ .name = "nodes", .title = "Nodes", .width = 16, .left = true, .only = ALWAYS,
	  .get = get_nodes, .legend = "the nodes that it then gets" },
	{ .name = "waits_for", .title = "Waits for", .width = 24, .left = true,
	  .get = get_waits_for, .legend = "the first jobs to start on these nodes before it" },
	{ .name = "why", .title = "Why unknown", .width = 30, .left = true, .only = ALWAYS,
	  .get = get_why, .legend = "why its start is unknown" },
};
const size_t starts_columns_count = sizeof(starts_columns) / sizeof(starts_columns[0]);

struct view starts_view(const struct starts *s)
{
	return view_of("starts", starts_columns, starts_columns_count, s, s->count);
}
