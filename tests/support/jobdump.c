/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/jobdump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cluster/tres.h"
#include "tests/support/data.h"
#include "tests/support/dump.h"

/* PRIORITY_FLAGS_* of slurm.h 22.05. Slurm has a bit for Fair Tree, fairtop one for its absence. */
static const struct {
	uint32_t slurm, ours;
} flag_bits[] = {
	{ 1 << 0, PF_ACCRUE_ALWAYS },	  { 1 << 1, PF_MAX_TRES },
	{ 1 << 2, PF_SMALL_RELATIVE_TO_TIME }, { 1 << 3, PF_DEPTH_OBLIVIOUS },
	{ 1 << 4, PF_CALCULATE_RUNNING }, { 1 << 6, PF_INCR_ONLY },
	{ 1 << 7, PF_NO_NORMAL_ASSOC },	  { 1 << 8, PF_NO_NORMAL_PART },
	{ 1 << 9, PF_NO_NORMAL_QOS },	  { 1 << 10, PF_NO_NORMAL_TRES },
};

static const char *text(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

static uint32_t number(const json_t *o, const char *key)
{
	return (uint32_t)json_integer_value(json_object_get(o, key));
}

struct list {
	struct builder *b;
	struct tres_item items[64];
	uint32_t count;
};

static bool add_item(void *context, const struct tres_pair *pair, struct err *err)
{
	struct list *l = context;

	(void)err;
	l->items[l->count].tres = builder_tres_row(l->b, pair->name, strlen(pair->name));
	l->items[l->count++].count = pair->value;
	return true;
}

static void set_tres(struct builder *b, enum field field, uint32_t row, const char *tres)
{
	struct list l = { .b = b };
	struct err err;

	if (!tres)
		return;
	if (!tres_parse_counts(tres, add_item, &l, &err)) {
		fprintf(stderr, "%s\n", err.message);
		exit(1);
	}
	builder_tres(b, field, row, l.items, l.count);
}

static void set_policy(struct builder *b, const json_t *conf)
{
	struct policy *p = builder_policy(b);
	uint32_t flags = number(conf, "priority_flags");

	for (size_t i = 0; i < sizeof(flag_bits) / sizeof(flag_bits[0]); i++)
		p->flags |= flags & flag_bits[i].slurm ? flag_bits[i].ours : 0;
	p->weight[PRIO_AGE] = number(conf, "w_age");
	p->weight[PRIO_ASSOC] = number(conf, "w_assoc");
	p->weight[PRIO_FAIRSHARE] = number(conf, "w_fs");
	p->weight[PRIO_JOBSIZE] = number(conf, "w_js");
	p->weight[PRIO_PARTITION] = number(conf, "w_part");
	p->weight[PRIO_QOS] = number(conf, "w_qos");
	p->max_age = number(conf, "priority_max_age");
	p->favor_small = number(conf, "priority_favor_small") != 0;
	snprintf(p->weight_tres, sizeof(p->weight_tres), "%s", text(conf, "w_tres"));
}

/* The partition rows exist already, in this order; adds what the factors need. */
static void set_partitions(struct builder *b, const json_t *list)
{
	const json_t *one;
	size_t row;

	json_array_foreach(list, row, one) {
		builder_i64(b, F_PARTITION_MAX_TIME, (uint32_t)row,
			    (int64_t)number(one, "max_time") * 60);
		set_tres(b, F_PARTITION_TRES, (uint32_t)row, text(one, "tres_fmt_str"));
	}
}

static void add_hosts(struct builder *b, const json_t *list)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		builder_u32(b, F_HOST_CPUS, builder_add(b, TABLE_HOST), number(one, "cpus"));
}

/* The QOS rows exist already; adds their priorities. */
static void set_qos(struct builder *b, const json_t *list)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one)
		builder_u32(b, F_QOS_PRIORITY, (uint32_t)i, number(one, "priority"));
}

static void set_job(struct builder *b, uint32_t row, const json_t *job)
{
	builder_u32(b, F_JOB_PRIORITY, row, number(job, "priority"));
	builder_str(b, F_JOB_REASON, row, text(job, "reason"));
	builder_str(b, F_JOB_RESERVATION, row, text(job, "resv_name"));
	builder_u32(b, F_JOB_CPUS, row, number(job, "num_cpus"));
	builder_u32(b, F_JOB_NODES, row, number(job, "num_nodes"));
	builder_i64(b, F_JOB_SUBMIT, row, number(job, "submit_time"));
	builder_i64(b, F_JOB_ACCRUE, row, number(job, "accrue_time"));
	if (number(job, "time_limit") < U32_UNKNOWN)
		builder_i64(b, F_JOB_TIME_LIMIT, row, (int64_t)number(job, "time_limit") * 60);
	builder_i64(b, F_JOB_NICE, row, json_integer_value(json_object_get(job, "nice")));
	builder_i64(b, F_JOB_SITE, row, json_integer_value(json_object_get(job, "site_factor")));
	set_tres(b, F_JOB_TRES, row, text(job, "tres_req_str"));
	set_tres(b, F_JOB_TRES_ALLOC, row, text(job, "tres_alloc_str"));
}

static void set_prio(struct builder *b, uint32_t row, const json_t *prio)
{
	struct list l = { .b = b };
	const char *name;
	json_t *pair;

	if (number(prio, "direct_prio") != 0)
		return;
	builder_f64(b, F_PRIO_AGE, row, data_number(prio, "age"));
	builder_f64(b, F_PRIO_ASSOC, row, data_number(prio, "assoc"));
	builder_f64(b, F_PRIO_JOBSIZE, row, data_number(prio, "js"));
	builder_f64(b, F_PRIO_PARTITION_TERM, row, data_number(prio, "part"));
	builder_f64(b, F_PRIO_QOS_TERM, row, data_number(prio, "qos"));
	builder_i64(b, F_PRIO_SITE, row, json_integer_value(json_object_get(prio, "site")));
	builder_i64(b, F_PRIO_NICE, row, json_integer_value(json_object_get(prio, "nice")));
	json_object_foreach(json_object_get(prio, "tres"), name, pair) {
		l.items[l.count].tres = builder_tres_row(b, name, strlen(name));
		l.items[l.count++].count = json_number_value(json_array_get(pair, 0));
	}
	builder_tres(b, F_PRIO_TRES, row, l.items, l.count);
}

/* In the scheduler's order of TRES, in which it also sums. */
static void add_tres_rows(struct builder *b)
{
	static const char *const names[] = { "cpu", "mem", "energy", "node", "billing", "fs/disk",
					     "vmem", "pages", "gres/gpu", "license/matlab" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		builder_tres_row(b, names[i], strlen(names[i]));
}

struct cluster *jobdump_cluster(const char *name)
{
	struct builder *b = dump_builder(name);
	char file[256], path[1024], id[16];
	struct err err = { 0 };
	const json_t *one;
	struct cluster *c;
	json_t *dump;
	size_t i;

	snprintf(file, sizeof(file), "captures/%s/slurmjobs.json", name);
	dump = data_json(data_path(file, path, sizeof(path)));
	add_tres_rows(b);
	set_policy(b, json_object_get(dump, "conf"));
	set_partitions(b, json_object_get(dump, "parts"));
	add_hosts(b, json_object_get(dump, "nodes"));
	set_qos(b, json_object_get(dump, "qos"));
	json_array_foreach(json_object_get(dump, "jobs"), i, one)
		set_job(b, (uint32_t)i, one);
	json_array_foreach(json_object_get(dump, "prio"), i, one)
		set_prio(b, (uint32_t)i, one);
	for (uint32_t row = 0; row < builder_rows(b, TABLE_ASSOC); row++) {
		snprintf(id, sizeof(id), "%u", builder_get_u32(b, F_ASSOC_ID, row));
		builder_u32(b, F_ASSOC_PRIORITY, row,
			    number(json_object_get(dump, "assoc_priority"), id));
	}
	json_decref(dump);
	c = builder_seal(b, &err);
	if (!c) {
		fprintf(stderr, "%s: %s\n", name, err.message);
		exit(1);
	}
	return c;
}
