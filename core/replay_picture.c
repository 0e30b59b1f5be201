/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One instant of a replay as a cluster. */
#include "core/replay_private.h"

#include <string.h>

static void put_text(struct replay *r, struct builder *b, enum field field, uint32_t row,
		     uint32_t text)
{
	const char *s = text_get(r->text, text);

	if (s)
		builder_text(b, field, row, s, strlen(s));
}

static void put_u32(struct builder *b, enum field field, uint32_t row, uint32_t value)
{
	if (value != U32_UNKNOWN)
		builder_u32(b, field, row, value);
}

static void put_assocs(struct replay *r, struct builder *b)
{
	for (size_t i = 0; i < r->node_count; i++) {
		const struct replay_node *n = &r->nodes[i];
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, n->id);
		if (n->parent != ROW_NONE)
			builder_u32(b, F_ASSOC_PARENT, row, r->nodes[n->parent].id);
		put_text(r, b, F_ASSOC_ACCOUNT, row, n->account);
		put_text(r, b, F_ASSOC_USER, row, n->user);
		put_text(r, b, F_ASSOC_PARTITION, row, n->partition);
		put_u32(b, F_ASSOC_SHARES, row, n->shares);
		builder_f64(b, F_ASSOC_USAGE, row, n->total);
	}
}

static void put_qos(struct replay *r, struct builder *b)
{
	for (size_t i = 0; i < r->qos_count; i++) {
		uint32_t row = builder_add(b, TABLE_QOS);

		put_text(r, b, F_QOS_NAME, row, r->qos[i].name);
		put_u32(b, F_QOS_PRIORITY, row, r->qos[i].priority);
		builder_f64(b, F_QOS_USAGE_FACTOR, row, r->qos[i].factor);
	}
}

static void put_times(struct builder *b, uint32_t row, const struct replay_job *job, int64_t now)
{
	builder_i64(b, F_JOB_SUBMIT, row, job->submit);
	if (job->eligible != I64_UNKNOWN)
		builder_i64(b, F_JOB_ELIGIBLE, row, job->eligible);
	if (job->start != I64_UNKNOWN && job->start <= now)
		builder_i64(b, F_JOB_START, row, job->start);
	if (job->end != I64_UNKNOWN && job->end <= now)
		builder_i64(b, F_JOB_END, row, job->end);
	else if (job->start != I64_UNKNOWN && job->start <= now && job->limit != U32_UNKNOWN)
		builder_i64(b, F_JOB_END, row, job->start + job->limit);
	if (job->limit != U32_UNKNOWN)
		builder_i64(b, F_JOB_TIME_LIMIT, row, job->limit);
}

static void put_state(struct replay *r, struct builder *b, uint32_t row,
		      const struct replay_job *job, int64_t now)
{
	if (job->end != I64_UNKNOWN && job->end <= now) {
		put_text(r, b, F_JOB_STATE, row, job->state);
	} else if (job->start != I64_UNKNOWN && job->start <= now) {
		builder_str(b, F_JOB_STATE, row, "RUNNING");
	} else {
		builder_str(b, F_JOB_STATE, row, "PENDING");
		put_text(r, b, F_JOB_TASKS, row, job->tasks);
	}
}

static void put_job(struct replay *r, struct builder *b, const struct replay_job *job,
		    int64_t now)
{
	const struct replay_node *n = &r->nodes[job->assoc];
	uint32_t row = builder_add(b, TABLE_JOB);

	put_u32(b, F_JOB_ID, row, job->id);
	put_u32(b, F_JOB_ARRAY, row, job->array);
	put_u32(b, F_JOB_TASK, row, job->task);
	put_text(r, b, F_JOB_NAME, row, job->name);
	put_text(r, b, F_JOB_USER, row, n->user);
	put_text(r, b, F_JOB_ACCOUNT, row, n->account);
	builder_u32(b, F_JOB_ASSOC, row, n->id);
	put_text(r, b, F_JOB_PARTITION, row, job->partition);
	put_text(r, b, F_JOB_QOS, row, job->qos);
	put_u32(b, F_JOB_NODES, row, job->nodes);
	put_u32(b, F_JOB_CPUS, row, job->cpus);
	builder_f64(b, F_JOB_BILLING, row, job->billing);
	put_times(b, row, job, now);
	put_state(r, b, row, job, now);
}

/* Jobs that ended before the last picture have been seen. */
static void put_jobs(struct replay *r, struct builder *b, struct replay_alive *alive, int64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < alive->count; i++) {
		const struct replay_job *job = &r->jobs[alive->jobs[i]];

		put_job(r, b, job, now);
		if (job->end == I64_UNKNOWN || job->end > now)
			alive->jobs[kept++] = alive->jobs[i];
	}
	alive->count = kept;
}

static void put_policy(struct policy *p, const struct replay_options *o)
{
	static const char *const names[] = { "PriorityDecayHalfLife", "PriorityCalcPeriod",
					     "PriorityFlags" };
	const uint64_t values[] = { (uint64_t)o->half_life, (uint64_t)o->period, o->flags };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		policy_set_number(p, policy_param_by_name(names[i], strlen(names[i])), values[i]);
}

struct cluster *replay_picture(struct replay *r, const struct replay_options *o,
			       struct replay_alive *alive, int64_t now, struct err *err)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = {
		.kind = o->kind, .name = o->name, .version = o->version, .zone = o->zone,
		.time = now, .last_decay = now, .boot = I64_UNKNOWN, .last_reset = I64_UNKNOWN,
	};

	replay_sum(r);
	builder_meta(b, &meta);
	put_policy(builder_policy(b), o);
	for (uint32_t i = 0; i < o->note_count; i++)
		builder_note(b, o->notes[i].subject, "%s", o->notes[i].text);
	put_assocs(r, b);
	put_qos(r, b);
	put_jobs(r, b, alive, now);
	alive->last = now;
	return builder_seal(b, err);
}
