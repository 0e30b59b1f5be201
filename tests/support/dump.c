/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/dump.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/data.h"

/* Numbers of slurm.h 22.05. */
#define FLAG_DEPTH_OBLIVIOUS 0x8
#define FLAG_FAIR_TREE 0x20

const char *const dump_names[] = {
	"depthobl/quiet", "depthobl/live", "depthobl/quiet_cold", "depthobl/live_cold",
	"depthobl/zero_usage", "depthobl_xflags/quiet", "depthobl_damp3/quiet",
	"nofairtree/quiet", "nofairtree/live", "nofairtree/zero_usage", "nofairtree_xflags/quiet",
	"fairtree/quiet", "fairtree/live", "fairtree/zero_usage", "fairtree/after_update",
	"fairtree_xflags/quiet",
};
const size_t dump_count = sizeof(dump_names) / sizeof(dump_names[0]);

static const char *text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static uint32_t number(const json_t *object, const char *name)
{
	return (uint32_t)json_integer_value(json_object_get(object, name));
}

/* The row of LIST whose "id" is ID. */
static const json_t *by_id(const json_t *list, uint32_t id)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one) {
		if (number(one, "id") == id)
			return one;
	}
	return NULL;
}

/*
 * Keeps Slurm's mark for "not computed", except on the root, where nothing is ever computed.
 */
static void add_assoc(struct builder *b, const json_t *share, const json_t *mgr, bool fair_tree)
{
	uint32_t row = builder_add(b, TABLE_ASSOC);
	bool root = number(mgr, "parent_id") == 0;

	builder_u32(b, F_ASSOC_ID, row, number(mgr, "id"));
	if (!root)
		builder_u32(b, F_ASSOC_PARENT, row, number(mgr, "parent_id"));
	builder_str(b, F_ASSOC_ACCOUNT, row, text(mgr, "acct"));
	builder_str(b, F_ASSOC_USER, row, text(mgr, "user"));
	builder_str(b, F_ASSOC_PARTITION, row, text(mgr, "partition"));
	builder_u32(b, F_ASSOC_SHARES, row, number(mgr, "shares_raw"));
	builder_u32(b, F_ASSOC_LFT, row, number(mgr, "lft"));
	builder_f64(b, F_ASSOC_USAGE, row, data_number(mgr, "usage_raw"));
	builder_f64(b, F_ASSOC_R_NORM_SHARES, row, data_number(share, "shares_norm"));
	builder_f64(b, F_ASSOC_R_EFFECTIVE_USAGE, row, data_number(share, "usage_efctv"));
	if (!root) {
		builder_f64(b, F_ASSOC_R_NORM_USAGE, row, data_number(share, "usage_norm"));
		builder_u32(b, F_ASSOC_R_LEVEL_SHARES, row, number(mgr, "level_shares"));
	}
	/* Fair Tree fills these two; the other modes leave 0 in them up to 25.05. */
	if (fair_tree && !root)
		builder_f64(b, F_ASSOC_R_LEVEL_FS, row, data_number(share, "level_fs"));
	if (fair_tree && json_is_string(json_object_get(mgr, "user")))
		builder_f64(b, F_ASSOC_R_FAIRSHARE, row, data_number(share, "fs_factor"));
}

static void add_jobs(struct builder *b, const json_t *jobs)
{
	const json_t *job;
	size_t i;

	json_array_foreach(jobs, i, job) {
		uint32_t row = builder_add(b, TABLE_JOB);
		double billing = data_number(job, "billable_tres");

		builder_u32(b, F_JOB_ID, row, number(job, "job_id"));
		builder_str(b, F_JOB_TASKS, row, text(job, "array_task_str"));
		builder_u32(b, F_JOB_ASSOC, row, number(job, "assoc_id"));
		builder_str(b, F_JOB_ACCOUNT, row, text(job, "account"));
		builder_str(b, F_JOB_PARTITION, row, text(job, "partition"));
		builder_str(b, F_JOB_QOS, row, text(job, "qos"));
		builder_str(b, F_JOB_STATE, row, text(job, "state"));
		if (billing < (double)U32_UNKNOWN)
			builder_f64(b, F_JOB_BILLING, row, billing);
	}
}

/* Jobs whose priority was set by hand have no terms. */
static void add_prio(struct builder *b, const json_t *list)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one) {
		uint32_t row = builder_add(b, TABLE_PRIO);

		builder_u32(b, F_PRIO_JOB, row, number(one, "job_id"));
		builder_str(b, F_PRIO_PARTITION, row, text(one, "partition"));
		builder_u32(b, F_PRIO_DIRECT, row, number(one, "direct_prio"));
		if (number(one, "direct_prio") == 0)
			builder_f64(b, F_PRIO_FAIRSHARE, row, data_number(one, "fs"));
	}
}

static void add_qos(struct builder *b, const json_t *list)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one) {
		uint32_t row = builder_add(b, TABLE_QOS);

		builder_str(b, F_QOS_NAME, row, text(one, "name"));
		builder_f64(b, F_QOS_USAGE_FACTOR, row, data_number(one, "usage_factor"));
	}
}

static void add_partitions(struct builder *b, const json_t *list)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one) {
		uint32_t row = builder_add(b, TABLE_PARTITION);

		builder_str(b, F_PARTITION_NAME, row, text(one, "name"));
		builder_u32(b, F_PARTITION_JOB_FACTOR, row, number(one, "priority_job_factor"));
		builder_u32(b, F_PARTITION_TIER, row, number(one, "priority_tier"));
		builder_u32(b, F_PARTITION_NODES, row, number(one, "total_nodes"));
		builder_u32(b, F_PARTITION_CPUS, row, number(one, "total_cpus"));
	}
}

static void set_policy(struct builder *b, const json_t *conf)
{
	struct policy *p = builder_policy(b);
	uint32_t flags = number(conf, "priority_flags");

	if (flags & FLAG_DEPTH_OBLIVIOUS)
		p->flags = PF_DEPTH_OBLIVIOUS;
	else
		p->flags = flags & FLAG_FAIR_TREE ? 0 : PF_NO_FAIR_TREE;
	p->damping = number(conf, "fs_dampening_factor");
	p->half_life = number(conf, "priority_decay_hl");
	p->calc_period = number(conf, "priority_calc_period");
	p->weight[PRIO_FAIRSHARE] = number(conf, "w_fs");
	snprintf(p->type, sizeof(p->type), "%s", text(conf, "priority_type"));
}

static void set_meta(struct builder *b, const json_t *dump, const json_t *meta)
{
	const json_t *conf = json_object_get(dump, "conf");

	builder_meta(b, &(struct cluster_meta){
		.kind = "slurm", .name = text(conf, "cluster_name"),
		.version = text(conf, "version"),
		.time = (int64_t)data_number(dump, "time"),
		.last_decay = (int64_t)data_number(meta, "decay_tick_before"),
		.boot = number(conf, "boot_time"), .last_reset = I64_UNKNOWN,
		.usage_quantum = 1e-6, .ratio_quantum = 0,
	});
}

struct builder *dump_builder(const char *name)
{
	char file[256], path[1024];
	struct builder *b = builder_new();
	json_t *dump, *meta;
	const json_t *mgr, *one;
	size_t i;

	snprintf(file, sizeof(file), "captures/%s/slurmdump.json", name);
	dump = data_json(data_path(file, path, sizeof(path)));
	snprintf(file, sizeof(file), "captures/%s/meta.json", name);
	meta = data_json(data_path(file, path, sizeof(path)));
	set_meta(b, dump, meta);
	set_policy(b, json_object_get(dump, "conf"));
	mgr = json_object_get(dump, "assoc_mgr");
	json_array_foreach(json_object_get(json_object_get(dump, "shares"), "assocs"), i, one)
		add_assoc(b, one, by_id(json_object_get(mgr, "assocs"), number(one, "id")),
			  builder_policy(b)->flags == 0);
	add_jobs(b, json_object_get(dump, "jobs"));
	add_prio(b, json_object_get(dump, "prio"));
	add_qos(b, json_object_get(mgr, "qos"));
	add_partitions(b, json_object_get(dump, "parts"));
	json_decref(meta);
	json_decref(dump);
	return b;
}

struct cluster *dump_cluster(const char *name)
{
	struct err err = { 0 };
	struct cluster *c = builder_seal(dump_builder(name), &err);

	if (!c) {
		fprintf(stderr, "%s: %s\n", name, err.message);
		exit(1);
	}
	return c;
}
