/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/picture.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/share/law.h"
#include "tui/base/zone.h"

static void sum_hosts(const struct cluster *c, struct summary *s)
{
	/* LSF has slots. */
	const bool slots = policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF;
	const uint32_t *cpus = cluster_col_u32(c, slots ? F_HOST_SLOTS : F_HOST_CPUS);
	const uint32_t *used = cluster_col_u32(c, slots ? F_HOST_SLOTS_USED : F_HOST_CPUS_USED);

	s->nodes = cluster_rows(c, TABLE_HOST);
	s->nodes_used = used != NULL ? 0 : U32_UNKNOWN;
	s->cpus = cpus != NULL ? 0 : F64_UNKNOWN;
	s->cpus_used = used != NULL ? 0 : F64_UNKNOWN;
	for (uint32_t i = 0; i < s->nodes; i++) {
		if (cpus != NULL && cpus[i] != U32_UNKNOWN)
			s->cpus += cpus[i];
		if (used != NULL && used[i] != U32_UNKNOWN) {
			s->cpus_used += used[i];
			s->nodes_used += used[i] > 0;
		}
	}
	if (s->nodes == 0)
		s->nodes = U32_UNKNOWN;
}

/* Share accounts are of some queues only: LSF's own counts are of all. */
static uint32_t sum_queues(const struct cluster *c, enum field field)
{
	uint32_t sum = 0, n = cluster_rows(c, TABLE_QUEUE);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t own = cluster_u32(c, field, i);

		if (own >= U32_UNKNOWN)
			return U32_UNKNOWN;
		sum += own;
	}
	return n > 0 ? sum : U32_UNKNOWN;
}

static void sum_jobs(const struct model *m, struct summary *s)
{
	bool known = m->running != NULL && m->pending != NULL && m->tree->n > 0;

	if (policy_scheduler_of(cluster_meta(m->cluster)->kind) == POLICY_OF_LSF) {
		s->running = sum_queues(m->cluster, F_QUEUE_RUNNING);
		s->pending = sum_queues(m->cluster, F_QUEUE_PENDING);
		return;
	}
	s->running = known ? m->running[0] : U32_UNKNOWN;
	s->pending = known ? m->pending[0] : U32_UNKNOWN;
}

static void sum_assocs(const struct cluster *c, struct summary *s)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	s->accounts = s->users = 0;
	for (uint32_t i = 1; i < n; i++) {
		if (cluster_is_user(c, i))
			s->users++;
		else
			s->accounts++;
	}
}

static uint64_t *keys_of(const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	uint64_t *keys = mem_alloc(n > 0 ? n : 1, sizeof *keys);

	for (uint32_t i = 0; i < n; i++)
		keys[i] = cluster_key(c, TABLE_ASSOC, i);
	return keys;
}

/* Names and identities of the rows. */
static void name_pools(struct picture *p)
{
	uint32_t n = p->pools != NULL ? p->pools->queue_count : 0;

	p->pool_keys = mem_alloc(n > 0 ? n : 1, sizeof *p->pool_keys);
	p->pool_names = mem_alloc(n > 0 ? n : 1, sizeof *p->pool_names);
	for (uint32_t i = 0; i < n; i++) {
		const struct pools_queue *q = &p->pools->queues[p->pools->members[i]];

		p->pool_keys[i] = text_hash(q->name, strlen(q->name), 5);
		if (q->pool != POOLS_NONE)
			snprintf(p->pool_names[i], sizeof *p->pool_names, "%s/%s",
				 p->pools->pools[q->pool].name, q->name);
		else
			snprintf(p->pool_names[i], sizeof *p->pool_names, "%s", q->name);
	}
}

void picture_make_pools(struct picture *p, const struct pools_config *config, bool grouped,
			const struct pool_past *past)
{
	struct err err = { .code = ERR_NONE };

	if (p->pools_made)
		return;
	p->pools_made = true;
	p->pools = pools_new(p->cluster, config, grouped, past, &err);
	if (p->pools == NULL)
		snprintf(p->pools_problem, sizeof p->pools_problem, "%s", err.message);
	name_pools(p);
}

void picture_move_pools(struct picture *p, struct picture *to)
{
	to->pools = p->pools;
	to->pool_keys = p->pool_keys;
	to->pool_names = p->pool_names;
	p->pools = NULL;
	p->pool_keys = NULL;
	p->pool_names = NULL;
	p->pools_made = false;
}

void picture_forget_pools(struct picture *p)
{
	struct picture former;

	picture_move_pools(p, &former);
	pools_free(former.pools);
	mem_free(former.pool_keys);
	mem_free(former.pool_names);
}

struct picture *picture_new(struct cluster *cluster, const struct picture_order *order)
{
	struct picture *p = mem_zalloc(1, sizeof *p);
	struct err err = { .code = ERR_NONE };

	p->cluster = cluster;
	p->options = order->options;
	p->arrived_ms = -1;
	p->rate = 1;
	p->start = order->options.base;
	p->model = model_new(cluster, &order->options, &err);
	if (p->model == NULL) {
		snprintf(p->problem, sizeof p->problem, "%s", err.message);
		return p;
	}
	p->assoc_keys = keys_of(cluster);
	p->policy.policy = cluster_policy(cluster);
	p->policy.meta = cluster_meta(cluster);
	if (policy_scheduler_of(p->policy.meta->kind) == POLICY_OF_LSF)
		p->policy.queues = cluster;
	p->policy.for_people = true;
	p->policy.calendar = &zone_local;
	p->policy.zone_is_ours = true;
	p->policy.next_reset = law_next_reset(p->cluster, &zone_local,
					      cluster_meta(p->cluster)->time);

	struct view view = policy_view(&p->policy);
	p->policy_keys = mem_alloc(view.rows, sizeof *p->policy_keys);
	p->policy_names = mem_alloc(view.rows, sizeof *p->policy_names);
	for (uint32_t i = 0; i < view.rows; i++) {
		struct value name;
		column_get(&view.columns[0], view.context, i, &name);
		p->policy_keys[i] = text_hash(name.text, strlen(name.text), 1);
		snprintf(p->policy_names[i], sizeof *p->policy_names, "%s", name.text);
	}
	sum_hosts(cluster, &p->summary);
	sum_jobs(p->model, &p->summary);
	sum_assocs(cluster, &p->summary);
	if (order->queue || order->classes)
		picture_make_queue(p, order->classes);
	return p;
}

struct picture *picture_over(struct picture *base, struct whatif_run *run)
{
	struct picture *p = mem_zalloc(1, sizeof *p);

	p->base = base;
	p->run = run;
	p->cluster = run->cluster;
	p->model = run->model;
	p->shares_keys = cluster_rows(run->cluster, TABLE_ASSOC) ==
				 cluster_rows(base->cluster, TABLE_ASSOC) &&
			 cluster_col_u32(run->cluster, F_ASSOC_ID) ==
				 cluster_col_u32(base->cluster, F_ASSOC_ID);
	p->assoc_keys = p->shares_keys ? base->assoc_keys : keys_of(run->cluster);
	p->policy = base->policy;
	p->policy.what_if = cluster_policy(run->cluster);
	p->policy.queues_what_if = run->cluster;
	p->policy.what_if_reset = law_next_reset(run->cluster, &zone_local,
						 cluster_meta(run->cluster)->time);
	p->policy_keys = base->policy_keys;
	p->policy_names = base->policy_names;
	p->summary = base->summary;
	if (!p->shares_keys) {
		sum_jobs(p->model, &p->summary);
		sum_assocs(p->cluster, &p->summary);
	}
	p->queue = queue_over(base->queue, run->jobs);
	return p;
}

void picture_make_queue(struct picture *p, bool classes)
{
	const struct class_choice choice = class_choice_of(p->cluster);

	if (p->queue == NULL)
		p->queue = queue_new(p->model, &choice);
	if (classes && p->queue->classes == NULL)
		queue_free(queue_group(p->queue, &choice));
}

void picture_free(struct picture *p)
{
	if (p == NULL)
		return;
	queue_free(p->queue);
	picture_forget_pools(p);
	if (!p->shares_keys)
		mem_free(p->assoc_keys);
	if (p->run != NULL) {
		changes_pair_free(p->changes);
		whatif_run_free(p->run);
		picture_free(p->base);
	} else {
		model_free(p->model);
		cluster_free(p->cluster);
		mem_free(p->policy_keys);
		mem_free(p->policy_names);
	}
	mem_free(p);
}
