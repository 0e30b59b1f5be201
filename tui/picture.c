/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One refresh as the screen keeps it: the cluster, the model, the identities of the rows and the
 * sums of the header.
 */
#include "tui/app_private.h"

#include <stdio.h>
#include <string.h>

#include "core/mem.h"
#include "core/text.h"
#include "core/timestr.h"
#include "tui/zone.h"

static void sum_hosts(const struct cluster *c, struct summary *s)
{
	const uint32_t *cpus = cluster_col_u32(c, F_HOST_CPUS);
	const uint32_t *used = cluster_col_u32(c, F_HOST_CPUS_USED);

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

static void sum_jobs(const struct model *m, struct summary *s)
{
	bool known = m->running != NULL && m->pending != NULL && m->tree->n > 0;

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

static void find_next_reset(struct picture *p)
{
	const struct cluster_meta *meta = cluster_meta(p->cluster);
	int64_t last = meta->last_reset != I64_UNKNOWN ? meta->last_reset : meta->boot;

	p->policy.next_reset = I64_UNKNOWN;
	if (last != I64_UNKNOWN)
		reset_next(p->policy.policy->reset_period, last, meta->time, &zone_local,
			   &p->policy.next_reset, NULL);
}

struct picture *picture_new(struct cluster *cluster, const struct model_options *options,
			    struct err *err)
{
	struct picture *p = mem_zalloc(1, sizeof *p);
	uint32_t n = cluster_rows(cluster, TABLE_ASSOC);

	p->cluster = cluster;
	p->model = model_new(cluster, options, err);
	if (p->model == NULL) {
		picture_free(p);
		return NULL;
	}
	p->assoc_keys = mem_alloc(n > 0 ? n : 1, sizeof *p->assoc_keys);
	for (uint32_t i = 0; i < n; i++)
		p->assoc_keys[i] = cluster_key(cluster, TABLE_ASSOC, i);
	p->policy.policy = cluster_policy(cluster);
	p->policy.meta = cluster_meta(cluster);
	p->policy.for_people = true;
	p->policy.calendar = &zone_local;
	find_next_reset(p);

	struct view view = policy_view(&p->policy);
	p->policy_keys = mem_alloc(view.rows, sizeof *p->policy_keys);
	for (uint32_t i = 0; i < view.rows; i++) {
		struct value name;
		view.columns[0].get(view.context, i, &name);
		p->policy_keys[i] = text_hash(name.text, strlen(name.text), 1);
	}
	sum_hosts(cluster, &p->summary);
	sum_jobs(p->model, &p->summary);
	sum_assocs(cluster, &p->summary);
	return p;
}

void picture_name_pools(struct picture *p)
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

void picture_free(struct picture *p)
{
	if (p == NULL)
		return;
	queue_free(p->queue);
	pools_free(p->pools);
	mem_free(p->pool_keys);
	mem_free(p->pool_names);
	model_free(p->model);
	cluster_free(p->cluster);
	mem_free(p->assoc_keys);
	mem_free(p->policy_keys);
	mem_free(p);
}
