/* SPDX-License-Identifier: GPL-2.0-or-later */
/* squeue --json (since 21.08): jobs with Unix times and without cut names. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adapters/slurm/text_json.h"
#include "core/base/bytes.h"

/* The meaning of 0. */
enum zero { ZERO_COUNTS, ZERO_UNKNOWN };

static const struct squeue_json_key {
	const char *key;
	enum field field;
	enum zero zero;
	int factor;			/* converts the text's unit to the field's; 0: a text */
} keys[] = {
	{ "job_id", F_JOB_ID, ZERO_UNKNOWN, 1 },
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
	{ "array_task_string", F_JOB_TASKS, ZERO_COUNTS, 0 },
	{ "name", F_JOB_NAME, ZERO_COUNTS, 0 },
	{ "user_name", F_JOB_USER, ZERO_COUNTS, 0 },
	{ "account", F_JOB_ACCOUNT, ZERO_COUNTS, 0 },
	{ "partition", F_JOB_PARTITION, ZERO_COUNTS, 0 },
	{ "qos", F_JOB_QOS, ZERO_COUNTS, 0 },
	{ "resv_name", F_JOB_RESERVATION, ZERO_COUNTS, 0 },
	{ "dependency", F_JOB_DEPENDENCY, ZERO_COUNTS, 0 },
	{ "features", F_JOB_FEATURES, ZERO_COUNTS, 0 },
	{ "licenses", F_JOB_LICENSES, ZERO_COUNTS, 0 },
	{ "nodes", F_JOB_NODE_LIST, ZERO_COUNTS, 0 },
	{ "required_nodes", F_JOB_NODES_ASKED, ZERO_COUNTS, 0 },
	{ "excluded_nodes", F_JOB_NODES_AVOIDED, ZERO_COUNTS, 0 },
	{ "tasks", F_JOB_NUM_TASKS, ZERO_COUNTS, 1 },
	{ "cpus_per_task", F_JOB_CPUS_PER_TASK, ZERO_UNKNOWN, 1 },
	{ "tasks_per_node", F_JOB_TASKS_PER_NODE, ZERO_COUNTS, 1 },
	{ "max_nodes", F_JOB_MAX_NODES, ZERO_UNKNOWN, 1 },
	{ "tres_per_job", F_JOB_GRES, ZERO_COUNTS, 0 },
	{ "tres_per_node", F_JOB_GRES, ZERO_COUNTS, 0 },
	{ "tres_per_socket", F_JOB_GRES, ZERO_COUNTS, 0 },
	{ "tres_per_task", F_JOB_GRES, ZERO_COUNTS, 0 },
	{ "tres_req_str", F_JOB_TRES, ZERO_COUNTS, 0 },
	{ "tres_alloc_str", F_JOB_TRES_ALLOC, ZERO_COUNTS, 0 },
	{ "job_state", F_JOB_STATE, ZERO_COUNTS, 0 },
	{ "shared", F_JOB_EXCLUSIVE, ZERO_COUNTS, 0 },
	{ "state_reason", F_JOB_REASON, ZERO_COUNTS, 0 },
	{ "state_description", F_JOB_REASON_TEXT, ZERO_COUNTS, 0 },
};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

static void squeue_put_number(struct slurm_reader *r, const struct squeue_json_key *key, double x,
			      uint32_t row)
{
	bool real = field_info[key->field].type == FIELD_F64;

	/* Unset reals are 2^32 - 2 in old versions. */
	if (isnan(x) || (x == 0.0 && key->zero == ZERO_UNKNOWN) ||
	    (real && (x < 0.0 || x == (double)U32_UNKNOWN)))
		return;
	/* 22.05 writes a negative nice value as an unsigned number of 32 bits. */
	if (key->field == F_JOB_NICE && x >= 2147483648.0)
		x -= 4294967296.0;
	json_put_number(r, key->field, key->factor, x, row);
}

static void squeue_put_value(struct slurm_reader *r, const struct squeue_json_key *key,
			     const struct json_value *v, uint32_t row)
{
	if (key->factor != 0) {
		squeue_put_number(r, key, v->number, row);
	} else if (key->field == F_JOB_STATE) {
		reader_put_state(r, row, v->text);
	} else if (key->field == F_JOB_EXCLUSIVE) {
		if (slice_is(v->text, "none"))	/* an empty list is no state */
			builder_bool(r->b, key->field, row, true);
	} else if (key->field != F_JOB_REASON && key->field != F_JOB_REASON_TEXT) {
		reader_put(r, key->field, row, v->text, key->key);
	} else if (v->text.length != 0) {	/* "None" is a reason */
		builder_text(r->b, key->field, row, v->text.at, v->text.length);
	}
}

/* ---- nested members ------------------------------------------------------------------------ */

/* In an object: true in its member NAME if it is a KIND; false at the object's end. */
static bool squeue_enter(struct pull *p, const char *name, enum pull_kind kind)
{
	struct pull_value key, v;

	while (pull_member(p, &key)) {
		bool named = strcmp(key.string, name) == 0;

		if (pull_value(p, &v) == kind && named)
			return true;
		pull_skip(p, v.kind);
	}
	return false;
}

/* A node: adds "n1=2;". */
static void squeue_read_node(struct pull *p, struct bytes *out)
{
	struct json_value name = { (double)NAN, { "", 0 } }, cpus = name, ignored;
	struct pull_value key, v;
	char count[32];

	while (pull_member(p, &key)) {
		bool holds_cpus = strcmp(key.string, "cpus") == 0;

		if (strcmp(key.string, "name") == 0) {
			json_value_read(p, &name);
		} else if (pull_value(p, &v) == PULL_OBJECT && holds_cpus) {
			while (pull_member(p, &key)) {
				bool counts = strcmp(key.string, "count") == 0;

				json_value_read(p, counts ? &cpus : &ignored);
			}
		} else {
			pull_skip(p, v.kind);
		}
	}
	if (name.text.length == 0 || !(cpus.number >= 0.0 && cpus.number < 1e9))
		return;
	bytes_append(out, name.text.at, name.text.length);
	bytes_append(out, count, (size_t)snprintf(count, sizeof(count), "=%.0f;", cpus.number));
}

/*
 * In "job_resources": since v0.0.41 each node with its CPUs; before, nothing or each of its cores.
 */
static void squeue_read_resources(struct pull *p, struct bytes *out)
{
	while (squeue_enter(p, "nodes", PULL_OBJECT)) {
		while (squeue_enter(p, "allocation", PULL_ARRAY)) {
			while (pull_element(p)) {
				if (pull_opens(p, PULL_OBJECT))
					squeue_read_node(p, out);
			}
		}
	}
}

/* Reads a nested member of a job; false if NAME is not one. */
static bool read_inner(struct pull *p, const char *name, struct bytes *node_cpus,
		       struct json_value *sluid)
{
	bool resources = strcmp(name, "job_resources") == 0;
	struct pull_value key;
	struct json_value ignored;

	if (!resources && strcmp(name, "step_id") != 0)
		return false;
	if (!pull_opens(p, PULL_OBJECT))
		return true;
	if (resources) {
		squeue_read_resources(p, node_cpus);
	} else {
		while (pull_member(p, &key)) {
			bool named = strcmp(key.string, "sluid") == 0;

			json_value_read(p, named ? sluid : &ignored);
		}
	}
	return true;
}

/* ---- a job --------------------------------------------------------------------------------- */

static bool squeue_put_job(struct slurm_reader *r, const struct json_value *values,
			   struct slice sluid, const struct bytes *node_cpus)
{
	double id = values[0].number;
	uint32_t row;

	if (!(id >= 1.0 && id < (double)U32_UNKNOWN))
		return reader_fail(r, "a job without job_id");
	row = reader_job(r, (uint32_t)id);
	for (size_t i = 1; i < KEYS; i++)
		squeue_put_value(r, &keys[i], &values[i], row);
	if (sluid.length != 0)
		builder_text(r->b, F_JOB_SLUID, row, sluid.at, sluid.length);
	if (node_cpus->length != 0)
		builder_text(r->b, F_JOB_NODE_CPUS, row, node_cpus->data, node_cpus->length - 1);
	return true;
}

/* In the object of a job; the keys are in any order. */
static bool squeue_read_job(struct slurm_reader *r, struct pull *p, void *context)
{
	struct json_value values[KEYS], ignored, sluid = { (double)NAN, { "", 0 } };
	struct bytes node_cpus = { 0 };
	struct pull_value key;
	bool good;

	(void)context;
	for (size_t i = 0; i < KEYS; i++)
		values[i] = (struct json_value){ (double)NAN, { "", 0 } };
	while (pull_member(p, &key)) {
		size_t i = 0;

		if (read_inner(p, key.string, &node_cpus, &sluid))
			continue;
		while (i < KEYS && strcmp(keys[i].key, key.string) != 0)
			i++;
		json_value_read(p, i < KEYS ? &values[i] : &ignored);
	}
	r->lenient = true;
	good = p->problem || squeue_put_job(r, values, sluid.text, &node_cpus);
	bytes_free(&node_cpus);
	return good;
}

bool slurm_read_squeue_json(struct slurm_reader *r)
{
	return json_rows(r, "jobs", squeue_read_job, NULL);
}
