/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a replay: names, associations, QOS, jobs. */
#include "core/replay/replay_private.h"

#include <string.h>

#include "core/base/mem.h"

#define NAMELESS "unknown"

/* ---- names --------------------------------------------------------------------------------- */

uint32_t replay_text(struct replay *r, const char *s, size_t length)
{
	const char *end = length ? memchr(s, '\0', length) : NULL;

	if (end)
		length = (size_t)(end - s);
	return length ? text_intern(r->text, s, length) : TEXT_NONE;
}

static uint32_t replay_text_of(struct replay *r, const char *s)
{
	return s ? replay_text(r, s, strlen(s)) : TEXT_NONE;
}

/* ---- associations -------------------------------------------------------------------------- */

static uint64_t names_hash(uint32_t account, uint32_t user, uint32_t partition)
{
	uint32_t names[3] = { account, user, partition };

	return text_hash((const char *)names, sizeof(names), 0);
}

/* The first of equal names is found. */
static uint32_t node_find(const struct replay *r, uint32_t account, uint32_t user,
			  uint32_t partition)
{
	uint64_t hash = names_hash(account, user, partition);
	uint32_t i;
	size_t at = 0;

	while ((i = idmap_next(&r->by_names, hash, &at)) != ROW_NONE) {
		const struct replay_node *n = &r->nodes[i];

		if (n->account == account && n->user == user && n->partition == partition)
			break;
	}
	return i;
}

static uint32_t node_add(struct replay *r, const struct replay_node *node)
{
	uint32_t i = (uint32_t)r->node_count;

	MEM_GROW(r->nodes, r->node_capacity, r->node_count + 1);
	r->nodes[i] = *node;
	r->node_count++;
	idmap_add(&r->by_names, names_hash(node->account, node->user, node->partition), i);
	if (node->id >= r->next_id && node->id < U32_UNKNOWN - 1)
		r->next_id = node->id + 1;
	return i;
}

static uint32_t node_new(struct replay *r, uint32_t parent, uint32_t account, uint32_t user)
{
	struct replay_node node = { .parent = parent, .id = r->next_id, .shares = 1,
				    .account = account, .user = user };

	return node_add(r, &node);
}

/* Adds the root, unless a tree has one. */
static void root_ensure(struct replay *r)
{
	if (r->node_count == 0)
		node_new(r, ROW_NONE, replay_text_of(r, "root"), TEXT_NONE);
}

void replay_tree(struct replay *r, const struct cluster *tree)
{
	const uint32_t *parent = cluster_parent(tree);

	for (uint32_t i = 0; i < cluster_rows(tree, TABLE_ASSOC); i++) {
		struct replay_node node = {
			.parent = parent[i],
			.id = cluster_u32(tree, F_ASSOC_ID, i),
			.shares = cluster_u32(tree, F_ASSOC_SHARES, i),
			.account = replay_text_of(r, cluster_text(tree, F_ASSOC_ACCOUNT, i)),
			.user = replay_text_of(r, cluster_text(tree, F_ASSOC_USER, i)),
			.partition = replay_text_of(r, cluster_text(tree, F_ASSOC_PARTITION, i)),
		};

		node_add(r, &node);
	}
	r->tree_count = r->node_count;
}

uint32_t replay_assoc(struct replay *r, uint32_t account, uint32_t user, uint32_t partition)
{
	uint32_t found, parent;

	root_ensure(r);
	account = account ? account : replay_text_of(r, NAMELESS);
	user = user ? user : replay_text_of(r, NAMELESS);
	found = partition ? node_find(r, account, user, partition) : ROW_NONE;
	if (found == ROW_NONE)
		found = node_find(r, account, user, TEXT_NONE);
	if (found != ROW_NONE)
		return found;
	parent = node_find(r, account, TEXT_NONE, TEXT_NONE);
	if (parent == ROW_NONE) {
		parent = node_new(r, 0, account, TEXT_NONE);
		r->added++;
	}
	r->added++;
	return node_new(r, parent, account, user);
}

const char *replay_word(const struct replay *r, uint32_t text)
{
	return text == TEXT_NONE ? NULL : text_get(r->text, text);
}

const char *replay_account(const struct replay *r, uint32_t assoc)
{
	return replay_word(r, r->nodes[assoc].account);
}

const char *replay_user(const struct replay *r, uint32_t assoc)
{
	return replay_word(r, r->nodes[assoc].user);
}

uint32_t replay_assocs(const struct replay *r)
{
	return (uint32_t)r->node_count;
}

uint32_t replay_added(const struct replay *r)
{
	return r->added;
}

void replay_usage(struct replay *r, uint32_t assoc, double usage)
{
	r->nodes[assoc].own = usage;
}

void replay_sum(struct replay *r)
{
	for (size_t i = 0; i < r->node_count; i++)
		r->nodes[i].total = r->nodes[i].own;
	for (size_t i = r->node_count; i-- > 1;)
		r->nodes[r->nodes[i].parent].total += r->nodes[i].total;
}

double replay_used(const struct replay *r, uint32_t assoc)
{
	return r->nodes[assoc].total;
}

/* ---- QOS ----------------------------------------------------------------------------------- */

static struct replay_quality *qos_find(const struct replay *r, uint32_t name)
{
	for (size_t i = 0; i < r->qos_count; i++) {
		if (r->qos[i].name == name)
			return &r->qos[i];
	}
	return NULL;
}

static void qos_add(struct replay *r, const struct replay_quality *qos)
{
	MEM_GROW(r->qos, r->qos_capacity, r->qos_count + 1);
	r->qos[r->qos_count++] = *qos;
}

void replay_qos(struct replay *r, const struct cluster *qos)
{
	for (uint32_t i = 0; i < cluster_rows(qos, TABLE_QOS); i++) {
		struct replay_quality q = {
			.name = replay_text_of(r, cluster_text(qos, F_QOS_NAME, i)),
			.priority = cluster_u32(qos, F_QOS_PRIORITY, i),
			.factor = cluster_f64(qos, F_QOS_USAGE_FACTOR, i),
		};

		if (q.name && !qos_find(r, q.name))
			qos_add(r, &q);
	}
}

double replay_usage_factor(const struct replay *r, uint32_t qos)
{
	const struct replay_quality *q = qos_find(r, qos);

	return q && q->factor >= 0 ? q->factor : 1;
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static void replay_in_order(struct replay_job *job)
{
	if (job->submit == I64_UNKNOWN) {
		job->submit = job->start != I64_UNKNOWN ? job->start : job->end;
		job->flags |= REPLAY_WAIT_UNKNOWN;
	}
	if (job->start != I64_UNKNOWN && job->start < job->submit)
		job->submit = job->start;
	if (job->start != I64_UNKNOWN && job->end != I64_UNKNOWN && job->end < job->start)
		job->end = job->start;
	if (job->end != I64_UNKNOWN && job->end < job->submit)
		job->end = job->submit;
}

static void jobs_reserve(struct replay *r)
{
	size_t bytes = r->job_count * sizeof(*r->jobs);
	size_t step = bytes < ROOM_STEP ? bytes : ROOM_STEP;

	if (r->job_count < r->job_capacity)
		return;
	r->job_capacity += step / sizeof(*r->jobs) + 256;
	r->jobs = storage_grow(r, r->jobs, &r->jobs_in_room, bytes,
			       r->job_capacity * sizeof(*r->jobs));
}

uint32_t replay_add(struct replay *r, const struct replay_job *job)
{
	struct replay_quality met = { .name = job->qos, .priority = U32_UNKNOWN, .factor = 1 };
	uint32_t i = (uint32_t)r->job_count;

	jobs_reserve(r);
	storage_touch(r, 1);
	r->jobs[i] = *job;
	r->jobs[i].flags &= REPLAY_WAIT_UNKNOWN;
	r->job_count++;
	replay_in_order(&r->jobs[i]);
	if (met.name && !qos_find(r, met.name))
		qos_add(r, &met);
	return i;
}

struct replay_job *replay_job(struct replay *r, uint32_t i)
{
	storage_touch(r, 1);
	return &r->jobs[i];
}

uint32_t replay_jobs(const struct replay *r)
{
	return (uint32_t)r->job_count;
}

/* ---- creating and freeing ------------------------------------------------------------------ */

struct replay *replay_new(void)
{
	struct replay *r = mem_zalloc(1, sizeof(*r));

	r->text = text_new();
	r->next_id = 1;
	return r;
}

void replay_free(struct replay *r)
{
	if (!r)
		return;
	text_free(r->text);
	mem_free(r->nodes);
	idmap_free(&r->by_names);
	mem_free(r->rows);
	mem_free(r->qos);
	storage_free(r, r->jobs, r->jobs_in_room);
	mem_free(r->wishes);
	mem_free(r);
}
