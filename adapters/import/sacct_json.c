/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/import/sacct.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adapters/slurm/text_json.h"
#include "core/base/bytes.h"
#include "core/base/json_text.h"

#define PATH_MAX_BYTES 64
#define NUMBER_BYTES 32
#define UNSET 4294967294.0	/* NO_VAL, as old versions print it */

/* The keys read: if several are for one column, the first that exists is used. */
enum form { TEXT, NUMBER, POSITIVE, STATES, RESOURCES };
static const struct sacct_json_key {
	const char *path;
	int column;		/* from C_COUNT on: parts of an array task's id */
	enum form form;
} keys[] = {
#define ARRAY_JOB C_COUNT
#define ARRAY_TASK (C_COUNT + 1)
#define ARRAY_TASKS (C_COUNT + 2)
#define VALUES (C_COUNT + 3)
	{ "job_id", C_RAW, POSITIVE },
	{ "array.job_id", ARRAY_JOB, POSITIVE }, { "array_job_id", ARRAY_JOB, POSITIVE },
	{ "array.task_id", ARRAY_TASK, NUMBER }, { "array_task_id", ARRAY_TASK, NUMBER },
	{ "array.task", ARRAY_TASKS, TEXT }, { "array_task_string", ARRAY_TASKS, TEXT },
	{ "account", C_ACCOUNT, TEXT }, { "association.account", C_ACCOUNT, TEXT },
	{ "user", C_USER, TEXT }, { "user_name", C_USER, TEXT },
	{ "association.user", C_USER, TEXT },
	{ "cluster", C_CLUSTER, TEXT }, { "association.cluster", C_CLUSTER, TEXT },
	{ "partition", C_PARTITION, TEXT }, { "qos", C_QOS, TEXT }, { "name", C_NAME, TEXT },
	{ "state", C_STATE, STATES }, { "job_state", C_STATE, STATES },
	{ "time.submission", C_SUBMIT, POSITIVE }, { "submit_time", C_SUBMIT, POSITIVE },
	{ "time.eligible", C_ELIGIBLE, POSITIVE }, { "eligible_time", C_ELIGIBLE, POSITIVE },
	{ "time.start", C_START, POSITIVE }, { "start_time", C_START, POSITIVE },
	{ "time.end", C_END, POSITIVE }, { "end_time", C_END, POSITIVE },
	{ "time.elapsed", C_ELAPSED_RAW, POSITIVE },
	{ "time.limit", C_LIMIT_RAW, POSITIVE },
	{ "time_limit", C_LIMIT_RAW, POSITIVE },
	{ "tres.allocated", C_ALLOC_TRES, RESOURCES }, { "tres_alloc_str", C_ALLOC_TRES, TEXT },
	{ "tres.requested", C_REQ_TRES, RESOURCES }, { "tres_req_str", C_REQ_TRES, TEXT },
	{ "cpus", C_ALLOC_CPUS, POSITIVE }, { "required.CPUs", C_REQ_CPUS, POSITIVE },
	{ "allocation_nodes", C_NNODES, POSITIVE }, { "node_count", C_NNODES, POSITIVE },
};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

struct json_job {
	struct slice cells[VALUES];
	size_t from[VALUES];		/* index of the key of each value */
	char numbers[VALUES][NUMBER_BYTES], id[2 * NUMBER_BYTES + 100];
	struct bytes tres[2];		/* reused for all jobs */
};

static bool leads_on(const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < KEYS; i++) {
		if (strncmp(keys[i].path, path, length) == 0 && keys[i].path[length] == '.')
			return true;
	}
	return false;
}

/* ---- values -------------------------------------------------------------------------------- */

/* A word, the first of a list (a base state, then flags), or one of these in CURRENT. */
static struct slice sacct_json_read_state(struct pull *p, bool inside)
{
	struct slice first = { "", 0 };
	struct pull_value v, key;

	switch (pull_value(p, &v)) {
	case PULL_STRING:
		return (struct slice){ v.string, v.length };
	case PULL_ARRAY:
		while (pull_element(p)) {
			if (pull_value(p, &v) == PULL_STRING && first.length == 0)
				first = (struct slice){ v.string, v.length };
			pull_skip(p, v.kind);
		}
		return first;
	case PULL_OBJECT:
		while (pull_member(p, &key)) {
			struct json_value ignored;

			if (!inside && strcmp(key.string, "current") == 0)
				first = sacct_json_read_state(p, true);
			else
				json_value_read(p, &ignored);
		}
		return first;
	default:
		return first;
	}
}

/* [{"type": "gres", "name": "gpu", "count": 4}, ...] as "mem=8M,gres/gpu=4"; memory is in MB. */
static struct slice sacct_json_read_resources(struct pull *p, struct bytes *out)
{
	struct json_value type, name, count, ignored;
	struct pull_value key;
	char number[NUMBER_BYTES];

	out->length = 0;
	if (!pull_opens(p, PULL_ARRAY))
		return (struct slice){ "", 0 };
	while (pull_element(p)) {
		type = name = count = (struct json_value){ (double)NAN, { "", 0 } };
		if (!pull_opens(p, PULL_OBJECT))
			continue;
		while (pull_member(p, &key)) {
			json_value_read(p, strcmp(key.string, "type") == 0 ? &type :
					strcmp(key.string, "name") == 0 ? &name :
					strcmp(key.string, "count") == 0 ? &count : &ignored);
		}
		if (type.text.length == 0 || !(count.number >= 0 && count.number < 1e15))
			continue;
		if (out->length > 0)
			bytes_append(out, ",", 1);
		bytes_append(out, type.text.at, type.text.length);
		if (name.text.length > 0) {
			bytes_append(out, "/", 1);
			bytes_append(out, name.text.at, name.text.length);
		}
		(void)snprintf(number, sizeof(number), "=%.0f%s", count.number,
			       slice_is(type.text, "mem") ? "M" : "");
		bytes_append(out, number, strlen(number));
	}
	return (struct slice){ out->length > 0 ? out->data : "", out->length };
}

static void sacct_json_read_value(struct pull *p, struct json_job *j, size_t i)
{
	int column = keys[i].column;
	struct slice found = { "", 0 };
	struct json_value value = { (double)NAN, found };

	if (keys[i].form == STATES)
		found = sacct_json_read_state(p, false);
	else if (keys[i].form == RESOURCES)
		found = sacct_json_read_resources(p, &j->tres[column == C_REQ_TRES]);
	else
		json_value_read(p, &value);
	if (j->cells[column].length > 0 && i > j->from[column])
		return;
	if (keys[i].form == TEXT) {
		found = value.text;
	} else if (value.number >= (keys[i].form == POSITIVE) && value.number < 1e15 &&
		   value.number != UNSET) {
		(void)snprintf(j->numbers[column], NUMBER_BYTES, "%.0f", value.number);
		found = slice_of(j->numbers[column]);
	}
	if (found.length > 0) {
		j->cells[column] = found;
		j->from[column] = i;
	}
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static void sacct_json_read_members(struct pull *p, struct json_job *j, const char *above)
{
	struct pull_value key, v;
	char path[PATH_MAX_BYTES];

	while (pull_member(p, &key)) {
		size_t i = 0;

		(void)snprintf(path, sizeof(path), "%s%s%s", above, *above ? "." : "", key.string);
		while (i < KEYS && strcmp(keys[i].path, path) != 0)
			i++;
		if (i < KEYS) {
			sacct_json_read_value(p, j, i);
		} else if (pull_value(p, &v) == PULL_OBJECT && leads_on(path)) {
			sacct_json_read_members(p, j, path);
		} else {
			pull_skip(p, v.kind);
		}
	}
}

/* "123_4", "123_[5-9]", in the form of JobID. */
static void put_job_id(struct json_job *j)
{
	const struct slice *array = &j->cells[ARRAY_JOB], *task = &j->cells[ARRAY_TASK],
			   *tasks = &j->cells[ARRAY_TASKS];

	if (array->length == 0)
		return;
	if (task->length > 0)
		(void)snprintf(j->id, sizeof(j->id), "%s_%s", array->at, task->at);
	else if (tasks->length > 0)
		(void)snprintf(j->id, sizeof(j->id), "%s_[%.*s]", array->at, SLICE_PRINT(*tasks));
	else
		return;
	j->cells[C_JOB] = slice_of(j->id);
}

static void sacct_json_read_job(struct pull *p, struct json_job *j, sacct_job *job, void *context)
{
	for (size_t i = 0; i < VALUES; i++)
		j->cells[i] = (struct slice){ "", 0 };
	sacct_json_read_members(p, j, "");
	put_job_id(j);
	if (!p->problem)
		job(context, j->cells);
}

static uint64_t sacct_json_count_lines(const char *from, const char *to)
{
	uint64_t lines = 0;

	while ((from = memchr(from, '\n', (size_t)(to - from)))) {
		from++;
		lines++;
	}
	return lines;
}

/* Reads one document; false if it has no list of jobs. */
static bool read_document(struct pull *p, struct json_job *j, sacct_job *job, void *context,
			  uint64_t *line)
{
	const char *counted = p->at;
	struct pull_value key, v;
	bool found = false;

	if (pull_value(p, &v) != PULL_OBJECT)
		return false;
	while (pull_member(p, &key)) {
		bool jobs = strcmp(key.string, "jobs") == 0;

		if (pull_value(p, &v) != PULL_ARRAY || !jobs) {
			pull_skip(p, v.kind);
			continue;
		}
		found = true;
		while (pull_element(p)) {
			*line += sacct_json_count_lines(counted, p->at);
			counted = p->at;
			if (pull_opens(p, PULL_OBJECT))
				sacct_json_read_job(p, j, job, context);
		}
	}
	*line += sacct_json_count_lines(counted, p->at);
	return found;
}

bool sacct_json_read(char *text, size_t length, sacct_job *job, void *context, uint64_t *line,
		     struct err *err)
{
	struct json_job j = { .tres = { { 0 } } };
	char *end = text + length;
	bool good = true;

	json_clean(text, length);
	while (good) {
		struct pull p;
		bool found;

		for (; text < end && strchr(" \t\r\n", *text); text++)
			*line += *text == '\n';
		if (text == end)
			break;
		pull_init(&p, text, (size_t)(end - text));
		p.infinity = true;
		found = read_document(&p, &j, job, context, line);
		if (p.problem)
			good = err_set(err, ERR_INPUT, "%s", p.problem);
		else if (!found)
			good = err_set(err, ERR_INPUT, "no list \"jobs\" (expected the output of "
				       "sacct --json or squeue --json)");
		text = p.at;
	}
	bytes_free(&j.tres[0]);
	bytes_free(&j.tres[1]);
	return good;
}
