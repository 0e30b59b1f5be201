/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One instant of a replay as a cluster; the builder keeps it, and later gets only what changed. */
#include "core/replay/replay_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/cluster/cluster_copy.h"
#include "core/base/mem.h"

#define GROWTH 2		/* of texts of removed jobs, before the builder is rebuilt */

static void replay_put_text(struct replay *r, struct builder *b, enum field field, uint32_t row,
			    uint32_t text)
{
	const char *s = text_get(r->text, text);

	if (s)
		builder_text(b, field, row, s, strlen(s));
}

static void replay_put_u32(struct builder *b, enum field field, uint32_t row, uint32_t value)
{
	if (value != U32_UNKNOWN)
		builder_u32(b, field, row, value);
}

struct named_node {
	const char *account, *user;	/* user NULL: an account */
	uint32_t node;
};

/* Accounts before users, so that parents come first; then by name. */
static int replay_compare_names(const void *left, const void *right)
{
	const struct named_node *a = left, *b = right;
	int order = (a->user != NULL) - (b->user != NULL);

	if (order == 0)
		order = strcmp(a->account, b->account);
	if (order == 0 && a->user)
		order = strcmp(a->user, b->user);
	return order != 0 ? order : (a->node > b->node) - (a->node < b->node);
}

/*
 * The order of siblings is that of the log's tree. Associations only in the log have no order and
 * follow by name: the order of their jobs would mean nothing to a reader.
 */
static void order_nodes(struct replay *r)
{
	size_t first = r->tree_count > 0 ? r->tree_count : 1, count = 0;
	struct named_node *names = mem_alloc(r->node_count + 1, sizeof(*names));

	mem_free(r->rows);
	r->rows = mem_alloc(r->node_count + 1, sizeof(*r->rows));
	for (uint32_t i = 0; i < r->node_count; i++) {
		const char *account = text_get(r->text, r->nodes[i].account);

		r->rows[i] = i;
		if (i >= first)
			names[count++] = (struct named_node){
				account ? account : "", text_get(r->text, r->nodes[i].user), i
			};
	}
	qsort(names, count, sizeof(*names), replay_compare_names);
	for (size_t i = 0; i < count; i++)
		r->rows[first + i] = names[i].node;
	mem_free(names);
}

static void put_assocs(struct replay *r, struct builder *b)
{
	order_nodes(r);
	for (size_t i = 0; i < r->node_count; i++) {
		const struct replay_node *n = &r->nodes[r->rows[i]];
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, n->id);
		if (n->parent != ROW_NONE)
			builder_u32(b, F_ASSOC_PARENT, row, r->nodes[n->parent].id);
		replay_put_text(r, b, F_ASSOC_ACCOUNT, row, n->account);
		replay_put_text(r, b, F_ASSOC_USER, row, n->user);
		replay_put_text(r, b, F_ASSOC_PARTITION, row, n->partition);
		replay_put_u32(b, F_ASSOC_SHARES, row, n->shares);
	}
}

static void replay_put_qos(struct replay *r, struct builder *b)
{
	for (size_t i = 0; i < r->qos_count; i++) {
		uint32_t row = builder_add(b, TABLE_QOS);

		replay_put_text(r, b, F_QOS_NAME, row, r->qos[i].name);
		replay_put_u32(b, F_QOS_PRIORITY, row, r->qos[i].priority);
		builder_f64(b, F_QOS_USAGE_FACTOR, row, r->qos[i].factor);
	}
}

static void replay_put_times(struct builder *b, uint32_t row, const struct replay_job *job,
			     int64_t now)
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

static void replay_put_state(struct replay *r, struct builder *b, uint32_t row,
			     const struct replay_job *job, int64_t now)
{
	if (job->end != I64_UNKNOWN && job->end <= now) {
		replay_put_text(r, b, F_JOB_STATE, row, job->state);
	} else if (job->start != I64_UNKNOWN && job->start <= now) {
		builder_str(b, F_JOB_STATE, row, "RUNNING");
	} else {
		builder_str(b, F_JOB_STATE, row, "PENDING");
		replay_put_text(r, b, F_JOB_TASKS, row, job->tasks);
	}
}

static void replay_put_job(struct replay *r, struct builder *b, const struct replay_job *job,
			   int64_t now)
{
	const struct replay_node *n = &r->nodes[job->assoc];
	uint32_t row = builder_add(b, TABLE_JOB);

	replay_put_u32(b, F_JOB_ID, row, job->id);
	replay_put_u32(b, F_JOB_ARRAY, row, job->array);
	replay_put_u32(b, F_JOB_TASK, row, job->task);
	replay_put_text(r, b, F_JOB_NAME, row, job->name);
	replay_put_text(r, b, F_JOB_USER, row, n->user);
	replay_put_text(r, b, F_JOB_ACCOUNT, row, n->account);
	builder_u32(b, F_JOB_ASSOC, row, n->id);
	replay_put_text(r, b, F_JOB_PARTITION, row, job->partition);
	replay_put_text(r, b, F_JOB_QOS, row, job->qos);
	replay_put_u32(b, F_JOB_NODES, row, job->nodes);
	replay_put_u32(b, F_JOB_CPUS, row, job->cpus);
	builder_f64(b, F_JOB_BILLING, row, job->billing);
	/* Logs do not have it; the importer's note says that it is taken as 0. */
	builder_i64(b, F_JOB_NICE, row, 0);
	replay_put_times(b, row, job, now);
	replay_put_state(r, b, row, job, now);
}

/* Updates a job of the picture before by what happened to it since LAST. */
static void move_job(struct replay *r, struct builder *b, uint32_t row,
		     const struct replay_job *job, int64_t last, int64_t now)
{
	bool began = job->start != I64_UNKNOWN && job->start > last && job->start <= now;
	bool ended = job->end != I64_UNKNOWN && job->end > last && job->end <= now;

	if (!began && !ended)
		return;
	builder_unknown(b, F_JOB_TASKS, row);
	builder_unknown(b, F_JOB_STATE, row);
	replay_put_times(b, row, job, now);
	replay_put_state(r, b, row, job, now);
}

/* Removes jobs that ended before the last picture, which showed them. */
static void drop_jobs(const struct replay *r, struct replay_alive *alive)
{
	bool *drop = mem_zalloc((size_t)alive->rows + 1, sizeof(*drop));
	size_t kept = 0;

	for (size_t i = 0; i < alive->count; i++) {
		const struct replay_job *job = &r->jobs[alive->jobs[i]];
		bool over = i < alive->rows && job->end != I64_UNKNOWN && job->end <= alive->last;

		if (over)
			drop[i] = true;
		else
			alive->jobs[kept++] = alive->jobs[i];
	}
	if (alive->b && kept < alive->count)
		builder_remove(alive->b, TABLE_JOB, drop);
	alive->rows -= (uint32_t)(alive->count - kept);
	alive->count = kept;
	mem_free(drop);
}

static void replay_put_jobs(struct replay *r, struct replay_alive *alive, int64_t now)
{
	for (size_t i = 0; i < alive->count; i++) {
		const struct replay_job *job = &r->jobs[alive->jobs[i]];

		if (i < alive->rows)
			move_job(r, alive->b, (uint32_t)i, job, alive->last, now);
		else
			replay_put_job(r, alive->b, job, now);
	}
	alive->rows = (uint32_t)alive->count;
}

static void replay_put_policy(struct policy *p, const struct replay_options *o)
{
	static const char *const names[] = { "PriorityDecayHalfLife", "PriorityCalcPeriod",
					     "PriorityFlags" };
	const uint64_t values[] = { (uint64_t)o->half_life, (uint64_t)o->period, o->flags };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		policy_set_number(p, policy_param(names[i]), values[i]);
	if (o->reset_period)
		policy_set_text(p, policy_param("PriorityUsageResetPeriod"), o->reset_period, NULL);
}

/* Begins a builder with what all pictures share. */
static struct builder *replay_begin(struct replay *r, const struct replay_options *o)
{
	struct builder *b = builder_new();

	builder_keep_usage(b);
	replay_put_policy(builder_policy(b), o);
	for (uint32_t i = 0; i < o->note_count; i++)
		builder_note(b, o->notes[i].subject, "%s", o->notes[i].text);
	if (o->procs > 0)
		builder_f64(b, F_TRES_COUNT, builder_tres_row(b, "cpu", 3), o->procs);
	put_assocs(r, b);
	replay_put_qos(r, b);
	return b;
}

static void replay_put_usage(const struct replay *r, struct builder *b)
{
	for (uint32_t i = 0; i < r->node_count; i++)
		builder_f64(b, F_ASSOC_USAGE, i, r->nodes[r->rows[i]].total);
}

struct cluster *replay_picture(struct replay *r, const struct replay_options *o,
			       struct replay_alive *alive, int64_t now, struct err *err)
{
	struct cluster_meta meta = {
		.kind = o->kind, .name = o->name, .version = o->version, .zone = o->zone,
		.time = now, .last_decay = now, .boot = I64_UNKNOWN,
		.last_reset = alive->last_reset,
	};
	struct cluster *c;

	replay_sum(r);
	drop_jobs(r, alive);
	if (!alive->b) {
		alive->b = replay_begin(r, o);
		alive->rows = 0;
		alive->bytes = 0;
	}
	builder_meta(alive->b, &meta);
	replay_put_usage(r, alive->b);
	replay_put_jobs(r, alive, now);
	alive->last = now;
	c = builder_picture(alive->b, err);
	if (c && alive->bytes == 0) {
		alive->bytes = cluster_bytes(c);
	} else if (c && cluster_bytes(c) / GROWTH > alive->bytes) {
		builder_tidy(alive->b);
		alive->bytes = 0;
	}
	return c;
}

struct cluster *replay_cluster(struct replay *r, const struct replay_options *o, int64_t now,
			       struct err *err)
{
	struct replay_alive nobody = { .last_reset = I64_UNKNOWN };
	struct cluster *c = replay_picture(r, o, &nobody, now, err);

	replay_forget(&nobody);
	return c;
}

void replay_forget(struct replay_alive *alive)
{
	builder_free(alive->b);
	alive->b = NULL;
}
