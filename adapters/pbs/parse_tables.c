/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qstat -B and -Q, pbsnodes: the server, its queues, its nodes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/pbs/reader.h"
#include "core/base/word.h"

/* A table of rows by name, its attributes, and the field of its limits. */
struct table_shape {
	const char *key;		/* of the JSON */
	enum table table;
	enum field name, limits;
	const struct pbs_attribute *attributes;
	/*
	 * Called for each scalar attribute that does not just fill a field of the row. May be NULL.
	 */
	void (*note)(struct pbs_reader *r, uint32_t row, const char *name, const char *value);
};

static bool tables_read_attribute(struct pbs_reader *r, struct pull *p,
				  const struct table_shape *shape, uint32_t row, const char *name,
				  struct pbs_list *limits)
{
	const struct pbs_attribute *a = pbs_attribute_find(shape->attributes, name);
	bool limit = pbs_is_limit(name), open = limit || (a && a->form == PBS_AS_LIST);
	struct pbs_list list = { 0 };
	struct json_text v;
	char prefix[100];
	bool good;

	if (!json_text_read(p, &r->scratch, open, &v))
		return false;
	if (v.kind == PULL_OBJECT && open) {
		snprintf(prefix, sizeof(prefix), "%.90s%s", limit ? name : "", limit ? "." : "");
		good = pbs_list_read(r, p, prefix, limit ? limits : &list);
		if (!limit)
			pbs_list_put(&list, r->b, a->field, row);
		pbs_list_free(&list);
		return good;
	}
	if (limit && v.kind != PULL_NULL)
		pbs_list_add(limits, name, v.text);
	else if (a)
		pbs_put(r, a, row, &v);
	if (shape->note)
		shape->note(r, row, name, v.text);
	return true;
}

static bool tables_read_row(struct pbs_reader *r, struct pull *p, const struct table_shape *shape,
			    const char *name)
{
	struct pbs_list limits = { 0 };
	struct pull_value key;
	uint32_t row;
	bool good = true;

	if (!pull_opens(p, PULL_OBJECT))
		return !p->problem;
	row = builder_add(r->b, shape->table);
	/* qmgr print does not name its server. */
	name = *name ? name : r->server;
	builder_str(r->b, shape->name, row, *name ? name : NULL);
	while (good && pull_member(p, &key))
		good = tables_read_attribute(r, p, shape, row, key.string, &limits);
	if (shape->limits != F_COUNT)
		pbs_list_put(&limits, r->b, shape->limits, row);
	pbs_list_free(&limits);
	return good && !p->problem;
}

static bool tables_read_table(struct pbs_reader *r, const struct table_shape *shape)
{
	struct pull p;
	struct pull_value name;
	bool found;

	if (!pbs_json_open(r, &p, shape->key, &found))
		return false;
	if (!found)
		return true;
	while (pull_member(&p, &name)) {
		if (!tables_read_row(r, &p, shape, name.string))
			return pbs_fail_json(r, &p);
	}
	return pbs_json_close(r, &p);
}

/* ---- the server ---------------------------------------------------------------------------- */

static const struct pbs_attribute server_attributes[] = {
	{ "server_host", F_SERVER_HOST, PBS_AS_TEXT },
	{ "server_state", F_SERVER_STATE, PBS_AS_TEXT },
	{ "scheduling", F_SERVER_SCHEDULING, PBS_AS_BOOL },
	{ "resources_available", F_SERVER_RESOURCES_AVAILABLE, PBS_AS_LIST },
	{ "resources_assigned", F_SERVER_RESOURCES_ASSIGNED, PBS_AS_LIST },
	{ "resources_default", F_SERVER_RESOURCES_DEFAULT, PBS_AS_LIST },
	{ "query_other_jobs", F_SERVER_QUERY_OTHER_JOBS, PBS_AS_BOOL },
	{ "eligible_time_enable", F_SERVER_ELIGIBLE_TIME_ENABLE, PBS_AS_BOOL },
	{ "default_queue", F_SERVER_DEFAULT_QUEUE, PBS_AS_TEXT },
	{ "node_group_enable", F_SERVER_NODE_GROUP_ENABLE, PBS_AS_BOOL },
	{ "node_group_key", F_SERVER_NODE_GROUP_KEY, PBS_AS_TEXT },
	{ "total_jobs", F_SERVER_TOTAL_JOBS, PBS_AS_U32 },
	{ "state_count", F_SERVER_STATE_COUNT, PBS_AS_TEXT },
	{ NULL, F_COUNT, PBS_AS_TEXT }
};

/* Takes the parameters of the policy that the server has. */
static void note_server(struct pbs_reader *r, uint32_t row, const char *name, const char *value)
{
	static const char *const names[] = { "eligible_time_enable", "query_other_jobs",
					     "backfill_depth", "job_sort_formula", NULL };

	(void)row;
	if (word_in(names, name))
		pbs_put_policy(r, name, value);
}

bool pbs_read_server(struct pbs_reader *r)
{
	static const struct table_shape shape = {
		"Server", TABLE_SERVER, F_SERVER_NAME, F_SERVER_LIMITS,
		server_attributes, note_server
	};

	return tables_read_table(r, &shape);
}

/* ---- queues -------------------------------------------------------------------------------- */

static const struct pbs_attribute queue_attributes[] = {
	{ "queue_type", F_QUEUE_QUEUE_TYPE, PBS_AS_TEXT },
	{ "Priority", F_QUEUE_PRIORITY, PBS_AS_I64 },
	{ "started", F_QUEUE_STARTED, PBS_AS_BOOL },
	{ "enabled", F_QUEUE_ENABLED, PBS_AS_BOOL },
	{ "partition", F_QUEUE_PARTITION, PBS_AS_TEXT },
	{ "hasnodes", F_QUEUE_HAS_NODES, PBS_AS_BOOL },
	{ "backfill_depth", F_QUEUE_BACKFILL_DEPTH, PBS_AS_U32 },
	{ "node_group_key", F_QUEUE_NODE_GROUP_KEY, PBS_AS_TEXT },
	{ "resources_available", F_QUEUE_RESOURCES_AVAILABLE, PBS_AS_LIST },
	{ "resources_assigned", F_QUEUE_RESOURCES_ASSIGNED, PBS_AS_LIST },
	{ "resources_default", F_QUEUE_RESOURCES_DEFAULT, PBS_AS_LIST },
	{ "resources_max", F_QUEUE_RESOURCES_MAX, PBS_AS_LIST },
	{ "resources_min", F_QUEUE_RESOURCES_MIN, PBS_AS_LIST },
	{ "total_jobs", F_QUEUE_TOTAL_JOBS, PBS_AS_U32 },
	{ "state_count", F_QUEUE_STATE_COUNT, PBS_AS_TEXT },
	{ NULL, F_COUNT, PBS_AS_TEXT }
};

bool pbs_read_queue(struct pbs_reader *r)
{
	static const struct table_shape shape = {
		"Queue", TABLE_QUEUE, F_QUEUE_NAME, F_QUEUE_LIMITS, queue_attributes, NULL
	};

	return tables_read_table(r, &shape);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static const struct pbs_attribute node_attributes[] = {
	{ "state", F_HOST_STATE, PBS_AS_TEXT },
	{ "comment", F_HOST_REASON, PBS_AS_TEXT },
	{ "sharing", F_HOST_SHARING, PBS_AS_TEXT },
	{ "partition", F_HOST_SCHED_PARTITION, PBS_AS_TEXT },
	{ "Priority", F_HOST_PRIORITY, PBS_AS_I64 },
	{ "last_used_time", F_HOST_LAST_USED, PBS_AS_I64 },
	{ NULL, F_COUNT, PBS_AS_TEXT }
};

/* Vnodes share one amount: find_indirect_resource() of OpenPBS. */
static void note_indirect(struct pbs_reader *r, uint32_t row, const char *name, const char *value)
{
	if (*value != '@' || r->indirect)
		return;
	r->indirect = true;
	builder_note(r->b, "cycle", "vnode %.100s has %.60s of another, %.100s: it is not followed "
		     "and counts as none", builder_get_text(r->b, F_HOST_NAME, row), name, value);
}

/*
 * Reads ncpus, mem and all other counts and sizes of resources_available or _assigned. Other
 * available resources go into the vnode's list.
 */
static bool read_node_resources(struct pbs_reader *r, struct pull *p, uint32_t row, bool assigned)
{
	struct tres_item items[64];
	struct pbs_list texts = { NULL, 0, 0 };
	uint32_t count = 0;
	struct pull_value key;
	struct json_text v;

	/* A resource missing from the assigned ones is not assigned. */
	if (assigned)
		builder_u32(r->b, F_HOST_CPUS_USED, row, 0);
	while (pull_member(p, &key)) {
		bool ncpus = strcmp(key.string, "ncpus") == 0, mem = strcmp(key.string, "mem") == 0;
		const char *name = ncpus ? "cpu" : key.string;
		double amount;
		char *end;

		if (!json_text_read(p, &r->scratch, false, &v)) {
			pbs_list_free(&texts);
			return false;
		}
		if ((mem || (amount = strtod(v.text, &end), end == v.text || *end != '\0' ||
			     !isfinite(amount))) &&
		    !pbs_size(v.text, &amount)) {
			pbs_list_add(&texts, key.string, v.text);
			note_indirect(r, row, key.string, v.text);
			continue;
		}
		if (v.kind == PULL_NULL)
			continue;
		if (ncpus && amount >= 0 && amount < U32_UNKNOWN)
			builder_u32(r->b, assigned ? F_HOST_CPUS_USED : F_HOST_CPUS, row,
				    (uint32_t)amount);
		if (mem && !assigned)
			builder_f64(r->b, F_HOST_MEMORY, row, amount);
		if (count < sizeof(items) / sizeof(items[0]))
			items[count++] = (struct tres_item){
				builder_tres_row(r->b, name, strlen(name)), amount };
	}
	builder_tres(r->b, assigned ? F_HOST_TRES_USED : F_HOST_TRES, row, items, count);
	if (!assigned)
		pbs_list_put(&texts, r->b, F_HOST_RESOURCES, row);
	pbs_list_free(&texts);
	return !p->problem;
}

/* Only JSON has an instant. The zone of other times follows from the jobs, which are read later. */
static void put_civil(struct pbs_reader *r, uint32_t row, int64_t civil)
{
	r->civil_nodes = true;
	builder_i64(r->b, F_HOST_LAST_USED, row, civil);
}

static bool tables_read_node(struct pbs_reader *r, struct pull *p, const char *name)
{
	uint32_t row = ROW_NONE;
	int64_t civil;
	struct pull_value key;
	struct json_text v;
	bool good = true;

	if (!pull_opens(p, PULL_OBJECT))
		return !p->problem;
	while (good && pull_member(p, &key)) {
		const struct pbs_attribute *a = pbs_attribute_find(node_attributes, key.string);
		bool assigned = strcmp(key.string, "resources_assigned") == 0;
		bool open = assigned || strcmp(key.string, "resources_available") == 0;
		bool queue = strcmp(key.string, "queue") == 0;

		good = json_text_read(p, &r->scratch, open, &v);
		/* For an unknown node pbsnodes prints {"x":{"x":"Unknown node "}}. */
		if (row == ROW_NONE && strcmp(key.string, name) == 0) {
			builder_note(r->b, "nodes", "%.100s: %.100s", name, v.text);
			continue;
		}
		if (row == ROW_NONE) {
			row = builder_add(r->b, TABLE_HOST);
			builder_str(r->b, F_HOST_NAME, row, name);
		}
		if (good && open && v.kind == PULL_OBJECT)
			good = read_node_resources(r, p, row, assigned);
		else if (good && queue)
			builder_list(r->b, F_HOST_PARTITIONS, row, &v.text, 1);
		else if (good && a && a->field == F_HOST_LAST_USED && pbs_civil(v.text, &civil))
			put_civil(r, row, civil);
		else if (good && a)
			pbs_put(r, a, row, &v);
	}
	return good && !p->problem;
}

void pbs_finish_nodes(struct pbs_reader *r)
{
	for (uint32_t row = 0; r->civil_nodes && row < builder_rows(r->b, TABLE_HOST); row++) {
		int64_t civil = builder_get_i64(r->b, F_HOST_LAST_USED, row);

		if (civil != I64_UNKNOWN)
			builder_i64(r->b, F_HOST_LAST_USED, row, pbs_instant(r, civil));
	}
}

bool pbs_read_nodes(struct pbs_reader *r)
{
	struct pull p;
	struct pull_value name;
	bool found;

	if (!pbs_json_open(r, &p, "nodes", &found))
		return false;
	if (!found)
		return true;
	while (pull_member(&p, &name)) {
		if (!tables_read_node(r, &p, name.string))
			return pbs_fail_json(r, &p);
	}
	return pbs_json_close(r, &p);
}
