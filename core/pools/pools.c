/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the tables of a cluster to pools: which queues there are, what they use, and one allocation.
 */
#include "core/pools/pools.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/near.h"
#include "core/pools/pools_private.h"

const char *const pools_limit_names[] = {
	"", "QJOB_LIMIT", "UJOB_LIMIT", "PJOB_LIMIT", "HJOB_LIMIT",
};

void pools_config_init(struct pools_config *config)
{
	memset(config, 0, sizeof(*config));
	config->hist_hours = POOLS_HIST_HOURS;
}

void pools_config_free(struct pools_config *config)
{
	mem_free(config->pools);
	mem_free(config->queues);
	pools_config_init(config);
}

/* ---- which queues there are ---------------------------------------------------------------- */

/* The pool called NAME, added when new. */
static uint32_t pool_of(struct pools *p, const char *name)
{
	struct pools_pool *pool;

	for (uint32_t i = 0; i < p->pool_count; i++) {
		if (strcmp(p->pools[i].name, name) == 0)
			return i;
	}
	p->pools = mem_realloc(p->pools, (size_t)p->pool_count + 1, sizeof(*p->pools));
	pool = &p->pools[p->pool_count];
	memset(pool, 0, sizeof(*pool));
	pool->name = name;
	pool->row = ROW_NONE;
	return p->pool_count++;
}

/* Whole percents from 1 to 100 only; what is configured otherwise is for lint to tell. */
static uint32_t share_of(const struct cluster *c, uint32_t row)
{
	double share = cluster_f64(c, F_QUEUE_SHARE, row);

	return share >= 1 && share <= 100 && share == floor(share) ? (uint32_t)share : 0;
}

static void queues_of_cluster(struct pools *p, uint32_t *shares)
{
	const struct cluster *c = p->cluster;

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_POOL); i++) {
		const char *name = cluster_text(c, F_POOL_NAME, i);
		uint32_t pool = name ? pool_of(p, name) : POOLS_NONE;

		if (name)
			p->pools[pool].row = i;
	}
	for (uint32_t i = 0; i < p->queue_count; i++) {
		const char *pool = cluster_text(c, F_QUEUE_POOL, i);
		const char *name = cluster_text(c, F_QUEUE_NAME, i);
		int64_t priority = cluster_i64(c, F_QUEUE_PRIORITY, i);

		shares[i] = share_of(c, i);
		p->queues[i] = (struct pools_queue){
			.name = name ? name : "", .row = i,
			.pool = pool && shares[i] ? pool_of(p, pool) : POOLS_NONE,
			.priority = priority == I64_UNKNOWN ? 0 : priority,
		};
	}
}

/* The rule of NAME; NULL: it stays outside. */
static const struct pools_queue_rule *rule_of(const struct pools_config *config, const char *name)
{
	for (size_t i = 0; i < config->queue_count; i++) {
		if (strcmp(config->queues[i].name, name) == 0)
			return &config->queues[i];
	}
	return NULL;
}

static void queues_of_config(struct pools *p, uint32_t *shares, bool partitions)
{
	const struct pools_config *config = p->config;
	const struct cluster *c = p->cluster;

	for (size_t i = 0; i < config->pool_count; i++)
		pool_of(p, config->pools[i].name);
	for (uint32_t i = 0; i < p->queue_count; i++) {
		const char *name = cluster_text(c, partitions ? F_PARTITION_NAME : F_QUEUE_NAME, i);
		const struct pools_queue_rule *rule = name ? rule_of(config, name) : NULL;
		uint32_t tier = partitions ? cluster_u32(c, F_PARTITION_TIER, i) : U32_UNKNOWN;
		int64_t own = partitions ? I64_UNKNOWN : cluster_i64(c, F_QUEUE_PRIORITY, i);

		if (tier != U32_UNKNOWN)
			own = tier;
		shares[i] = rule ? rule->share : 0;
		p->queues[i] = (struct pools_queue){
			.name = name ? name : "", .row = i,
			.pool = rule ? rule->pool : POOLS_NONE,
			.priority = rule && rule->priority != I64_UNKNOWN ? rule->priority :
				    own == I64_UNKNOWN ? 0 : own,
		};
	}
}

/* Every rule must be about something that exists. */
static bool rules_exist(const struct pools *p, bool partitions, struct err *err)
{
	for (size_t i = 0; i < p->config->queue_count; i++) {
		const struct pools_queue_rule *rule = &p->config->queues[i];
		struct near near;
		char hint[300];
		uint32_t q = 0;

		near_init(&near, rule->name, strlen(rule->name));
		for (; q < p->queue_count && strcmp(p->queues[q].name, rule->name) != 0; q++)
			near_offer(&near, p->queues[q].name);
		if (q < p->queue_count)
			continue;
		near_text(&near, hint, sizeof(hint));
		return err_set(err, ERR_INPUT, "%.250s:%u: %.100s: no such %s%s%.200s%s",
			       p->config->file, (unsigned)rule->line, rule->name,
			       partitions ? "partition" : "queue", hint[0] ? " (" : "", hint,
			       hint[0] ? ")" : "");
	}
	return true;
}

/* ---- members ------------------------------------------------------------------------------- */

/* Sorts queues by pool into members[], gives each pool its storage. */
static void arrange(struct pools *p, const uint32_t *shares)
{
	uint32_t n = 0;

	p->members = mem_alloc(p->queue_count, sizeof(*p->members));
	p->slots = mem_zalloc(p->queue_count, sizeof(*p->slots));
	p->orders = mem_alloc(p->queue_count, sizeof(*p->orders));
	for (uint32_t i = 0; i < p->queue_count; i++) {
		if (p->queues[i].pool != POOLS_NONE)
			p->pools[p->queues[i].pool].slots.count++;
	}
	for (uint32_t k = 0; k < p->pool_count; k++) {
		p->pools[k].first = n;
		n += p->pools[k].slots.count;
		p->pools[k].slots.count = 0;
	}
	for (uint32_t i = 0; i < p->queue_count; i++) {
		struct pools_queue *q = &p->queues[i];
		struct pools_pool *pool;

		if (q->pool == POOLS_NONE) {
			p->members[n++] = i;
			continue;
		}
		pool = &p->pools[q->pool];
		q->slot = pool->slots.count++;
		p->members[pool->first + q->slot] = i;
		p->slots[pool->first + q->slot].share = shares[i];
	}
}

/* ---- one allocation ------------------------------------------------------------------------ */

static void keep_grant(void *context, const struct slots_grant *grant)
{
	struct pools_pool *pool = context;

	pool->grants = mem_grow(pool->grants, &pool->grant_capacity, pool->grant_count + 1,
				sizeof(*pool->grants));
	pool->grants[pool->grant_count++] = *grant;
}

static uint32_t add_u32(uint32_t a, uint32_t b)
{
	uint64_t sum = (uint64_t)a + b;

	return sum > INT32_MAX ? INT32_MAX : (uint32_t)sum;
}

/* Nobody knows what waits: as much as can be. */
static uint32_t demand_of(const struct pools_queue *q)
{
	if (q->pending == U32_UNKNOWN)
		return INT32_MAX;
	return add_u32(q->used == U32_UNKNOWN ? 0 : q->used, q->pending);
}

static void fill_slots(struct pools *p, struct pools_pool *pool)
{
	struct slots_queue *list = p->slots + pool->first;

	for (uint32_t i = 0; i < pool->slots.count; i++) {
		const struct pools_queue *q = &p->queues[p->members[pool->first + i]];

		list[i].priority = q->priority;
		list[i].demand = demand_of(q);
		list[i].limit = q->limit;
		list[i].used = q->used == U32_UNKNOWN ? 0 : q->used;
		list[i].accumulated = f64_known(q->accumulated) ? q->accumulated : 0;
	}
}

/* Later rounds are borrowed; what round 1 offered and the queue could not use is lent. */
static void take_borrowed(struct pools *p, const struct pools_pool *pool)
{
	for (size_t i = 0; i < pool->grant_count; i++) {
		const struct slots_grant *g = &pool->grants[i];
		struct pools_queue *q = &p->queues[p->members[pool->first + g->queue]];

		if (g->round > 1)
			q->borrowed += g->granted;
		else if (g->cut == SLOTS_CUT_NEED || g->cut == SLOTS_CUT_LIMIT)
			q->lent = (g->deserved < g->left ? g->deserved : g->left) - g->granted;
	}
}

static void allocate(struct pools *p, uint32_t k)
{
	struct pools_pool *pool = &p->pools[k];
	struct slots_pool *s = &pool->slots;
	uint32_t count = s->count;

	fill_slots(p, pool);
	slots_pool_init(s, p->slots + pool->first, p->orders + pool->first, count);
	for (uint32_t i = 0; i < count; i++) {
		if (p->queues[p->members[pool->first + i]].limit == 0)
			s->queues[i].limit = 0;
	}
	if (p->config) {
		s->max_slots = p->config->pools[k].max_slots;
		s->use_priority = p->config->pools[k].use_priority;
		s->strict = p->config->pools[k].strict;
	} else if (pool->row != ROW_NONE) {
		uint32_t max = cluster_u32(p->cluster, F_POOL_MAX_SLOTS, pool->row);

		s->max_slots = max >= U32_UNKNOWN ? SLOTS_NO_LIMIT : max;
		s->use_priority = cluster_bool(p->cluster, F_POOL_USE_PRIORITY, pool->row) == 1;
		s->strict = cluster_bool(p->cluster, F_POOL_STRICT, pool->row) == 1;
	}
	pools_size(p, k);
	slots_allocate(s, keep_grant, pool);
	take_borrowed(p, pool);
}

static void order_dispatch(struct pools *p)
{
	struct slots_dispatch *list = mem_alloc(p->queue_count, sizeof(*list));

	p->dispatch = mem_alloc(p->queue_count, sizeof(*p->dispatch));
	for (uint32_t i = 0; i < p->queue_count; i++)
		list[i] = (struct slots_dispatch){ p->queues[i].priority, p->queues[i].pool };
	slots_dispatch_order(list, p->queue_count, p->grouped, p->dispatch);
	for (uint32_t i = 0; i < p->queue_count; i++)
		p->queues[p->dispatch[i]].dispatch = i;
	mem_free(list);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static double hist_hours(const struct cluster *c)
{
	double hours = cluster_rows(c, TABLE_POOL) ? cluster_f64(c, F_POOL_HIST_HOURS, 0) :
						     F64_UNKNOWN;

	return f64_known(hours) ? hours : POOLS_HIST_HOURS;
}

struct pools *pools_new(const struct cluster *cluster, const struct pools_config *config,
			bool grouped, struct err *err)
{
	struct pools *p = mem_zalloc(1, sizeof(*p));
	bool partitions = config && cluster_rows(cluster, TABLE_QUEUE) == 0;
	uint32_t *shares;
	bool good = true;

	p->cluster = cluster;
	p->config = config;
	p->grouped = grouped || (config && config->grouped);
	p->partitions = partitions;
	p->hist_hours = config ? config->hist_hours : hist_hours(cluster);
	p->queue_count = cluster_rows(cluster, partitions ? TABLE_PARTITION : TABLE_QUEUE);
	p->queues = mem_zalloc(p->queue_count, sizeof(*p->queues));
	shares = mem_zalloc(p->queue_count, sizeof(*shares));
	if (config) {
		queues_of_config(p, shares, partitions);
		good = rules_exist(p, partitions, err);
	} else {
		queues_of_cluster(p, shares);
	}
	arrange(p, shares);
	mem_free(shares);
	if (!good) {
		pools_free(p);
		return NULL;
	}
	pools_load(p, partitions);
	for (uint32_t k = 0; k < p->pool_count; k++)
		allocate(p, k);
	pools_load_free(p);
	order_dispatch(p);
	return p;
}

void pools_free(struct pools *p)
{
	if (!p)
		return;
	for (uint32_t k = 0; k < p->pool_count; k++)
		mem_free(p->pools[k].grants);
	mem_free(p->pools);
	mem_free(p->queues);
	mem_free(p->members);
	mem_free(p->dispatch);
	mem_free(p->slots);
	mem_free(p->orders);
	mem_free(p);
}

const struct slots_queue *pools_slots(const struct pools *p, uint32_t queue)
{
	const struct pools_queue *q = &p->queues[queue];

	return q->pool == POOLS_NONE ? NULL : &p->slots[p->pools[q->pool].first + q->slot];
}

static uint32_t unknown_name(const char *kind, const char *name, const struct near *near,
			     struct err *err)
{
	char hint[300];

	near_text(near, hint, sizeof(hint));
	err_set(err, ERR_INPUT, "%s:%.200s: no such %s%s%.200s%s", kind, name, kind,
		hint[0] ? " (" : "", hint, hint[0] ? ")" : "");
	return ROW_NONE;
}

uint32_t pools_find_queue(const struct pools *p, const char *name, struct err *err)
{
	struct near near;

	near_init(&near, name, strlen(name));
	for (uint32_t i = 0; i < p->queue_count; i++) {
		if (strcmp(p->queues[i].name, name) == 0)
			return i;
		near_offer(&near, p->queues[i].name);
	}
	return unknown_name("queue", name, &near, err);
}

uint32_t pools_find_pool(const struct pools *p, const char *name, struct err *err)
{
	struct near near;

	near_init(&near, name, strlen(name));
	for (uint32_t i = 0; i < p->pool_count; i++) {
		if (strcmp(p->pools[i].name, name) == 0)
			return i;
		near_offer(&near, p->pools[i].name);
	}
	return unknown_name("pool", name, &near, err);
}

size_t pools_dispatch_text(const struct pools *p, char *buf, size_t size)
{
	size_t used = 0;

	if (size > 0)
		buf[0] = '\0';
	for (uint32_t i = 0; i < p->queue_count; i++) {
		const struct pools_queue *q = &p->queues[p->dispatch[i]];
		bool in = q->pool != POOLS_NONE;
		size_t left = used < size ? size - used : 0;

		used += (size_t)snprintf(left ? buf + used : NULL, left, "%s%s%s%s%s",
					 i ? " -> " : "", q->name, in ? " [" : "",
					 in ? p->pools[q->pool].name : "", in ? "]" : "");
	}
	return used;
}
