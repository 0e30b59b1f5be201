/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/picture.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/share/decay_policy.h"
#include "tui/base/zone.h"

static uint64_t *keys_of(const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	uint64_t *keys = mem_alloc(n > 0 ? n : 1, sizeof(*keys));

	for (uint32_t i = 0; i < n; i++)
		keys[i] = cluster_key(c, TABLE_ASSOC, i);
	return keys;
}

/* Names and identities of the rows. */
static void name_pools(struct picture *p)
{
	uint32_t n = p->pools ? p->pools->queue_count : 0;

	p->pool_keys = mem_alloc(n > 0 ? n : 1, sizeof(*p->pool_keys));
	p->pool_names = mem_alloc(n > 0 ? n : 1, sizeof(*p->pool_names));
	for (uint32_t i = 0; i < n; i++) {
		const struct pools_queue *q = &p->pools->queues[p->pools->members[i]];

		p->pool_keys[i] = text_hash(q->name, strlen(q->name), 5);
		if (q->pool != POOLS_NONE)
			snprintf(p->pool_names[i], sizeof(*p->pool_names), "%s/%s",
				 p->pools->pools[q->pool].name, q->name);
		else
			snprintf(p->pool_names[i], sizeof(*p->pool_names), "%s", q->name);
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
	if (!p->pools)
		snprintf(p->pools_problem, sizeof(p->pools_problem), "%s", err.message);
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

struct class_choice picture_choice(const struct cluster *cluster, const struct class_pick *pick)
{
	struct class_choice choice = class_choice_of(cluster);

	if (pick->chosen) {
		choice.apart = pick->apart;
		choice.exclude = pick->exclude;
	}
	return choice;
}

void picture_make_classes(struct picture *p, const struct picture_order *order)
{
	struct class_choice choice = picture_choice(p->cluster, &order->pick);

	queue_free(queue_group(p->queue, &choice));
	queue_saving(p->queue);
	queue_toggles(p->queue);
	classes_keys(p->queue->classes);
}

struct picture *picture_bare(struct cluster *cluster)
{
	struct picture *p = mem_zalloc(1, sizeof(*p));

	atomic_init(&p->owners, 1);
	p->cluster = cluster;
	p->arrived_ms = -1;
	p->rate = 1;
	return p;
}

struct picture *picture_share(struct picture *p)
{
	atomic_fetch_add(&p->owners, 1);
	return p;
}

struct picture *picture_base(struct picture *p)
{
	return p->base ? p->base : p;
}

struct picture *picture_new(struct cluster *cluster, const struct picture_order *order)
{
	struct picture *p = picture_bare(cluster);
	struct err err = { .code = ERR_NONE };

	p->options = order->options;
	p->start = order->options.base;
	p->model = model_new(cluster, &order->options, &err);
	if (!p->model) {
		snprintf(p->problem, sizeof(p->problem), "%s", err.message);
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
	p->policy.next_reset = decay_next_reset(p->cluster, &zone_local,
						cluster_meta(p->cluster)->time);

	struct view view = policy_view(&p->policy);
	p->policy_keys = mem_alloc(view.rows, sizeof(*p->policy_keys));
	p->policy_names = mem_alloc(view.rows, sizeof(*p->policy_names));
	for (uint32_t i = 0; i < view.rows; i++) {
		struct value name;
		column_get(&view.columns[0], view.context, i, &name);
		p->policy_keys[i] = text_hash(name.text, strlen(name.text), 1);
		snprintf(p->policy_names[i], sizeof(*p->policy_names), "%s", name.text);
	}
	p->summary = summary_of(p->model);
	p->unshared = unshared_of(p->model);
	if (order->queue || order->classes)
		picture_make_queue(p);
	if (order->classes)
		picture_make_classes(p, order);
	return p;
}

struct picture *picture_over(struct picture *base, struct whatif_run *run)
{
	struct picture *p = picture_bare(run->cluster);

	p->base = base;
	p->run = run;
	p->model = run->model;
	p->shares_keys = cluster_rows(run->cluster, TABLE_ASSOC) ==
				 cluster_rows(base->cluster, TABLE_ASSOC) &&
			 cluster_col_u32(run->cluster, F_ASSOC_ID) ==
				 cluster_col_u32(base->cluster, F_ASSOC_ID);
	p->assoc_keys = p->shares_keys ? base->assoc_keys : keys_of(run->cluster);
	p->policy = base->policy;
	p->policy.what_if = cluster_policy(run->cluster);
	p->policy.queues_what_if = run->cluster;
	p->policy.what_if_reset = decay_next_reset(run->cluster, &zone_local,
						   cluster_meta(run->cluster)->time);
	p->policy_keys = base->policy_keys;
	p->policy_names = base->policy_names;
	p->summary = base->summary;
	if (!p->shares_keys)
		p->summary = summary_of(p->model);
	p->unshared = unshared_of(p->model);
	p->queue = queue_over(base->queue, run->jobs);
	return p;
}

void picture_make_queue(struct picture *p)
{
	if (!p->queue)
		p->queue = queue_new(p->model);
}

void picture_free(struct picture *p)
{
	if (!p || atomic_fetch_sub(&p->owners, 1) > 1)
		return;
	queue_free(p->queue);
	mem_free(p->unshared.rows);
	picture_forget_pools(p);
	if (!p->shares_keys)
		mem_free(p->assoc_keys);
	if (p->run) {
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
