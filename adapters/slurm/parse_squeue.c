/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * squeue: jobs as a table, with the columns of any format.
 *
 * Names may be cut to their column. A name that fills it is only used if a full name elsewhere
 * begins with it; else it is unknown. A line that does not fit the header (a job's name may contain
 * "|" or a line break) is left out and counted: one user must not hide the jobs of all others.
 */
#include <string.h>

#include "adapters/slurm/text_reader.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static const struct field_key squeue_keys[] = {
	{ "NAME", F_JOB_NAME },
	{ "QOS", F_JOB_QOS },
	{ "CPUS", F_JOB_CPUS },
	{ "NODES", F_JOB_NODES },
	{ "TIME_LIMIT", F_JOB_TIME_LIMIT },
	{ "NICE", F_JOB_NICE },
	{ "START_TIME", F_JOB_START },
	{ "SUBMIT_TIME", F_JOB_SUBMIT },
	{ "ELIGIBLE_TIME", F_JOB_ELIGIBLE },
	{ "ACCRUE_TIME", F_JOB_ACCRUE },
	{ "END_TIME", F_JOB_END },
	{ "DEPENDENCY", F_JOB_DEPENDENCY },
	{ "RESERVATION", F_JOB_RESERVATION },
	{ "LICENSES", F_JOB_LICENSES },
	{ "FEATURES", F_JOB_FEATURES },
	{ "UID", F_JOB_UID },
	{ "NODELIST", F_JOB_NODE_LIST },
};

struct squeue {
	struct slurm_reader *r;
	struct text_table table;
	uint32_t headers;		/* the columns below are those of the last header */
	size_t cluster, id, second_id, array, task, user, account, partition, state, reason;
	size_t nodes_or_reason;
	size_t priority[2], tres;
	size_t keys[COUNT_OF(squeue_keys)];
};

static void squeue_open_columns(struct squeue *q)
{
	const struct text_table *t = &q->table;

	q->headers = t->headers;
	q->cluster = table_column(t, "CLUSTER", 0);
	q->id = table_column(t, "JOBID", 0);
	q->second_id = table_column(t, "JOBID", 1);
	q->array = table_column(t, "ARRAY_JOB_ID", 0);
	q->task = table_column(t, "ARRAY_TASK_ID", 0);
	q->user = table_column(t, "USER", 0);
	q->account = table_column(t, "ACCOUNT", 0);
	q->partition = table_column(t, "PARTITION", 0);
	q->state = table_column(t, "STATE", 0);
	if (q->state == TABLE_NO_COLUMN)
		q->state = table_column(t, "ST", 0);
	q->reason = table_column(t, "REASON", 0);
	q->nodes_or_reason = table_column(t, "NODELIST(REASON)", 0);
	q->priority[0] = table_column(t, "PRIORITY", 0);
	q->priority[1] = table_column(t, "PRIORITY", 1);
	q->tres = table_column(t, "TRES_ALLOC", 0);
	reader_columns(t, squeue_keys, COUNT_OF(squeue_keys), q->keys);
}

/* A job's number in squeue's form: 163, 169_11, 189_[0-18]. */
struct job_number {
	uint32_t id, array, task;	/* U32_UNKNOWN */
	struct slice tasks;		/* "0-18" */
};

static bool squeue_read_number(struct slice s, struct job_number *n)
{
	struct slice base;

	*n = (struct job_number){ U32_UNKNOWN, U32_UNKNOWN, U32_UNKNOWN, { "", 0 } };
	if (slice_u32(s, &n->id))
		return true;
	if (!slice_piece(&s, '_', &base) || !slice_u32(base, &n->array) || s.length == 0)
		return false;
	if (s.at[0] == '[') {
		/* All pending tasks are one record, numbered like the array. */
		n->id = n->array;
		if (s.at[s.length - 1] == ']')
			n->tasks = (struct slice){ s.at + 1, s.length - 2 };
		return true;
	}
	return slice_u32(s, &n->task);
}

/* Reads the number in either spelling, and the array's columns if there are any. */
static bool read_identity(struct squeue *q, struct job_number *n)
{
	const struct text_table *t = &q->table;
	struct slice task = table_cell(t, q->task);
	struct job_number other;
	uint32_t array;

	if (!squeue_read_number(table_cell(t, q->id), n))
		return false;
	if (q->second_id != TABLE_NO_COLUMN &&
	    squeue_read_number(table_cell(t, q->second_id), &other)) {
		if (n->id == U32_UNKNOWN)
			n->id = other.id;
		if (n->array == U32_UNKNOWN) {
			n->array = other.array;
			n->task = other.task;
			n->tasks = other.tasks;
		}
	}
	if (n->array == U32_UNKNOWN && !slice_absent(task) &&
	    slice_u32(table_cell(t, q->array), &array)) {
		n->array = array;
		if (!slice_u32(task, &n->task))
			n->tasks = task;
	}
	return true;
}

/* The full name from another text for a cell that may be cut; empty if there is none. */
static struct slice squeue_whole(struct squeue *q, size_t column, enum table table,
				 enum field name_field)
{
	struct slice cell = table_cell(&q->table, column);

	if (cell.length == 0 || !table_is_cut(&q->table, column))
		return cell;
	return reader_full_name(q->r, table, name_field, cell);
}

static void squeue_put_names(struct squeue *q, uint32_t row)
{
	struct slurm_reader *r = q->r;

	reader_put(r, F_JOB_USER, row, squeue_whole(q, q->user, TABLE_USER, F_USER_NAME), "USER");
	reader_put(r, F_JOB_ACCOUNT, row, squeue_whole(q, q->account, TABLE_ASSOC, F_ASSOC_ACCOUNT),
		   "ACCOUNT");
	reader_put(r, F_JOB_PARTITION, row,
		   squeue_whole(q, q->partition, TABLE_PARTITION, F_PARTITION_NAME), "PARTITION");
}

/* "(Resources)" while pending, else the nodes. */
static void put_nodes_or_reason(struct squeue *q, uint32_t row)
{
	struct slice cell = table_cell(&q->table, q->nodes_or_reason);

	if (cell.length >= 2 && cell.at[0] == '(' && cell.at[cell.length - 1] == ')')
		reader_put_reason(q->r, row, (struct slice){ cell.at + 1, cell.length - 2 });
	else if (cell.length > 0 && cell.at[0] != '(')
		builder_text(q->r->b, F_JOB_NODE_LIST, row, cell.at, cell.length);
}

/* If there are two PRIORITY columns, one is the number, the other a fraction of 2^32 - 1. */
static void put_priority(struct squeue *q, uint32_t row)
{
	for (int i = 0; i < 2; i++) {
		uint32_t priority;

		if (slice_u32(table_cell(&q->table, q->priority[i]), &priority))
			builder_u32(q->r->b, F_JOB_PRIORITY, row, priority);
	}
}

static void squeue_put_tres(struct squeue *q, uint32_t row)
{
	struct slice tres = table_cell(&q->table, q->tres);
	const char *state = builder_get_text(q->r->b, F_JOB_STATE, row);

	if (slice_absent(tres) || table_is_cut(&q->table, q->tres) || !state)
		return;
	if (strcmp(state, "PENDING") == 0) {
		reader_put(q->r, F_JOB_TRES, row, tres, "TRES_ALLOC");
		return;
	}
	reader_put(q->r, F_JOB_TRES_ALLOC, row, tres, "TRES_ALLOC");
	reader_put_billing(q->r, row, tres);
}

static void squeue_put_values(struct squeue *q, uint32_t row)
{
	const struct text_table *t = &q->table;

	for (size_t i = 0; i < COUNT_OF(squeue_keys); i++) {
		if (q->keys[i] != TABLE_NO_COLUMN && !table_is_cut(t, q->keys[i]))
			reader_put(q->r, squeue_keys[i].field, row, table_cell(t, q->keys[i]),
				   squeue_keys[i].key);
	}
	squeue_put_names(q, row);
	put_nodes_or_reason(q, row);
	if (q->reason != TABLE_NO_COLUMN && !table_is_cut(t, q->reason))
		reader_put_reason(q->r, row, table_cell(t, q->reason));
	put_priority(q, row);
	reader_put_state(q->r, row, table_cell(t, q->state));
	squeue_put_tres(q, row);
}

static void squeue_read_row(struct squeue *q)
{
	struct slurm_reader *r = q->r;
	struct job_number n;
	uint32_t row;

	if (reader_is_foreign(r, table_cell(&q->table, q->cluster)))
		return;
	if (!read_identity(q, &n)) {
		reader_fail(r, "JOBID \"%.*s\": expected a job's number",
			    SLICE_PRINT(table_cell(&q->table, q->id)));
		return;
	}
	row = reader_job(r, n.id);
	if (n.array != U32_UNKNOWN)
		builder_u32(r->b, F_JOB_ARRAY, row, n.array);
	if (n.task != U32_UNKNOWN)
		builder_u32(r->b, F_JOB_TASK, row, n.task);
	reader_put(r, F_JOB_TASKS, row, n.tasks, "ARRAY_TASK_ID");
	squeue_put_values(q, row);
}

bool slurm_read_squeue(struct slurm_reader *r)
{
	struct squeue q = { .r = r };
	enum table_row kind;
	struct err bad;

	if (!table_open(&q.table, r->text, "JOBID", false, r->err))
		return false;
	r->lenient = true;
	while ((kind = table_next(&q.table, &bad)) != TABLE_END) {
		r->line = q.table.line;
		if (q.headers != q.table.headers)
			squeue_open_columns(&q);
		if (kind == TABLE_ROW)
			squeue_read_row(&q);
		else
			reader_fail(r, "the row does not match the header");
	}
	r->lenient = false;
	r->remark = q.table.remark;
	return true;
}
