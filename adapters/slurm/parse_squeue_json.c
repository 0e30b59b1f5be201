/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * squeue --json (since 21.08): jobs with Unix times and without cut names.
 *
 * Up to 22.05 numbers are plain and null when unset; later they are {"set": true, "infinite":
 * false, "number": 5}; the state became a list of words. A key of another type than expected is
 * unknown.
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "adapters/slurm/text_reader.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* How a number that is 0 is meant. */
enum zero { ZERO_COUNTS, ZERO_UNKNOWN };

static const struct json_key {
	const char *key;
	enum field field;
	enum zero zero;
	int factor;			/* from the unit of the text to the field's */
} number_keys[] = {
	{ "array_job_id", F_JOB_ARRAY, ZERO_UNKNOWN, 1 },
	{ "array_task_id", F_JOB_TASK, ZERO_COUNTS, 1 },
	{ "user_id", F_JOB_UID, ZERO_COUNTS, 1 },
	{ "association_id", F_JOB_ASSOC, ZERO_UNKNOWN, 1 },
	{ "node_count", F_JOB_NODES, ZERO_COUNTS, 1 },
	{ "cpus", F_JOB_CPUS, ZERO_COUNTS, 1 },
	{ "max_cpus", F_JOB_MAX_CPUS, ZERO_UNKNOWN, 1 },
	{ "priority", F_JOB_PRIORITY, ZERO_COUNTS, 1 },
	{ "restart_cnt", F_JOB_RESTARTS, ZERO_COUNTS, 1 },
	{ "nice", F_JOB_NICE, ZERO_COUNTS, 1 },
	{ "time_limit", F_JOB_TIME_LIMIT, ZERO_COUNTS, 60 },
	{ "submit_time", F_JOB_SUBMIT, ZERO_UNKNOWN, 1 },
	{ "eligible_time", F_JOB_ELIGIBLE, ZERO_UNKNOWN, 1 },
	{ "accrue_time", F_JOB_ACCRUE, ZERO_COUNTS, 1 },
	{ "start_time", F_JOB_START, ZERO_UNKNOWN, 1 },
	{ "end_time", F_JOB_END, ZERO_UNKNOWN, 1 },
	{ "deadline", F_JOB_DEADLINE, ZERO_UNKNOWN, 1 },
	{ "last_sched_evaluation", F_JOB_LAST_SCHED, ZERO_UNKNOWN, 1 },
	{ "billable_tres", F_JOB_BILLING, ZERO_COUNTS, 1 },
};

static const struct field_key text_keys[] = {
	{ "array_task_string", F_JOB_TASKS },
	{ "name", F_JOB_NAME },
	{ "user_name", F_JOB_USER },
	{ "account", F_JOB_ACCOUNT },
	{ "partition", F_JOB_PARTITION },
	{ "qos", F_JOB_QOS },
	{ "resv_name", F_JOB_RESERVATION },
	{ "dependency", F_JOB_DEPENDENCY },
	{ "features", F_JOB_FEATURES },
	{ "licenses", F_JOB_LICENSES },
	{ "nodes", F_JOB_NODE_LIST },
	{ "tres_req_str", F_JOB_TRES },
	{ "tres_alloc_str", F_JOB_TRES_ALLOC },
};

/* The number of a value in either form; false when it is unset or none. */
static bool number_of(const json_t *value, double *number)
{
	const json_t *inner = json_object_get(value, "number");

	if (json_is_object(value)) {
		if (json_is_true(json_object_get(value, "infinite"))) {
			*number = (double)INFINITY;
			return true;
		}
		if (!json_is_true(json_object_get(value, "set")))
			return false;
		value = inner;
	}
	if (!json_is_number(value))
		return false;
	*number = json_number_value(value);
	return isfinite(*number);
}

static void put_number(struct slurm_reader *r, const struct json_key *key, const json_t *job,
		       uint32_t row)
{
	bool infinite;
	double x;

	if (!number_of(json_object_get(job, key->key), &x) ||
	    (x == 0.0 && key->zero == ZERO_UNKNOWN))
		return;
	infinite = isinf(x);
	/* 22.05 writes a negative nice value as an unsigned number of 32 bits. */
	if (key->field == F_JOB_NICE && x >= 2147483648.0)
		x -= 4294967296.0;
	switch (field_info[key->field].type) {
	case FIELD_U32:
		if (infinite || (x >= 0.0 && x < (double)U32_UNKNOWN))
			builder_u32(r->b, key->field, row, infinite ? U32_INFINITE : (uint32_t)x);
		break;
	case FIELD_I64:
		if (infinite || fabs(x) < 1e15)
			builder_i64(r->b, key->field, row,
				    infinite ? I64_INFINITE : (int64_t)x * key->factor);
		break;
	default:
		/* Unset in old versions: 2^32 - 2 as a number. */
		if (x >= 0.0 && x != (double)U32_UNKNOWN && !infinite)
			builder_f64(r->b, key->field, row, x);
		break;
	}
}

static struct slice text_of(const json_t *value)
{
	if (json_is_array(value))
		value = json_array_get(value, 0);
	if (!json_is_string(value))
		return (struct slice){ "", 0 };
	return (struct slice){ json_string_value(value), json_string_length(value) };
}

static void read_json_job(struct slurm_reader *r, const json_t *job)
{
	struct slice description = text_of(json_object_get(job, "state_description"));
	struct slice reason = text_of(json_object_get(job, "state_reason"));
	double id;
	uint32_t row;

	if (!number_of(json_object_get(job, "job_id"), &id) || id < 1.0 ||
	    id >= (double)U32_UNKNOWN) {
		reader_fail(r, "a job without job_id");
		return;
	}
	row = reader_job(r, (uint32_t)id);
	for (size_t i = 0; i < COUNT_OF(number_keys); i++)
		put_number(r, &number_keys[i], job, row);
	for (size_t i = 0; i < COUNT_OF(text_keys); i++)
		reader_put(r, text_keys[i].field, row,
			   text_of(json_object_get(job, text_keys[i].key)), text_keys[i].key);
	reader_put_state(r, row, text_of(json_object_get(job, "job_state")));
	if (reason.length != 0)
		builder_text(r->b, F_JOB_REASON, row, reason.at, reason.length);
	if (description.length != 0)
		builder_text(r->b, F_JOB_REASON_TEXT, row, description.at, description.length);
}

bool slurm_read_squeue_json(struct slurm_reader *r)
{
	json_error_t error;
	json_t *root = json_loadb(r->text->text, r->text->length, 0, &error);
	const json_t *jobs = json_object_get(root, "jobs"), *job;
	size_t i;

	if (!json_is_array(jobs)) {
		r->line = root || error.line < 1 ? 1 : (uint32_t)error.line;
		json_decref(root);
		return reader_fail(r, "%s", root ? "no list \"jobs\" (expected the output of "
						   "squeue --json)" : error.text);
	}
	r->line = 1;
	r->lenient = true;
	json_array_foreach((json_t *)(uintptr_t)jobs, i, job) {
		if (json_is_object(job))
			read_json_job(r, job);
	}
	r->lenient = false;
	json_decref(root);
	return true;
}
