/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the tables of a cluster to pools: their queues, what these use, and one allocation. */
#include "core/pools/pools.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/near.h"
#include "core/base/word.h"
#include "core/cluster/host_state.h"
#include "core/cluster/idmap.h"
#include "core/pools/pool_past.h"
#include "core/queue/job_index.h"
#include "core/share/lsf_share.h"

struct pools_hosts {
	uint32_t count, words;
	uint32_t *slots;	/* per host; U32_UNKNOWN */
	uint64_t *sets;		/* WORDS per queue */
	bool *everywhere;	/* per queue: it names no hosts, so it may use all */
	bool partitions;
};

/* ---- hosts --------------------------------------------------------------------------------- */

static uint64_t *pools_set_of(const struct pools *p, uint32_t queue)
{
	return p->hosts->sets + (size_t)queue * p->hosts->words;
}

static void pools_put(uint64_t *set, uint32_t host)
{
	set[host / 64] |= UINT64_C(1) << (host % 64);
}

static bool pools_has(const uint64_t *set, uint32_t host)
{
	return (set[host / 64] >> (host % 64) & 1) != 0;
}

/* Queues list their hosts; no list means all. */
static void sets_of_queues(struct pools *p)
{
	struct idmap hosts = cluster_rows_by(p->cluster, F_HOST_NAME);

	for (uint32_t q = 0; q < p->queue_count; q++) {
		struct text_list list = cluster_list(p->cluster, F_QUEUE_HOSTS, p->queues[q].row);

		p->hosts->everywhere[q] = !list.texts;
		for (uint32_t h = 0; !list.texts && h < p->hosts->count; h++)
			pools_put(pools_set_of(p, q), h);
		for (uint32_t i = 0; list.texts && i < list.count; i++) {
			uint32_t row = idmap_get(&hosts, list.texts[i], ROW_NONE);

			if (row != ROW_NONE)
				pools_put(pools_set_of(p, q), row);
		}
	}
	idmap_free(&hosts);
}

/* Hosts list their partitions. */
static void sets_of_partitions(struct pools *p)
{
	struct idmap names = cluster_rows_by(p->cluster, F_PARTITION_NAME);

	for (uint32_t h = 0; h < p->hosts->count; h++) {
		struct text_list list = cluster_list(p->cluster, F_HOST_PARTITIONS, h);

		for (uint32_t i = 0; i < list.count; i++) {
			uint32_t row = idmap_get(&names, list.texts[i], ROW_NONE);

			if (row != ROW_NONE)
				pools_put(pools_set_of(p, row), h);
		}
	}
	idmap_free(&names);
}

static uint32_t add_slots(uint32_t sum, uint32_t slots)
{
	uint64_t both = (uint64_t)sum + (slots >= U32_UNKNOWN ? 0 : slots);

	return both > INT32_MAX ? INT32_MAX : (uint32_t)both;
}

static void load_hosts(struct pools *p, bool partitions)
{
	const struct cluster *c = p->cluster;
	bool lsf = policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF;
	struct pools_hosts *h = p->hosts = mem_zalloc(1, sizeof(*h));

	h->partitions = partitions;
	h->count = cluster_rows(c, TABLE_HOST);
	h->words = h->count / 64 + 1;
	h->slots = mem_alloc(h->count, sizeof(*h->slots));
	h->sets = mem_zalloc((size_t)p->queue_count * h->words, sizeof(*h->sets));
	h->everywhere = mem_zalloc(p->queue_count, sizeof(*h->everywhere));
	for (uint32_t i = 0; i < h->count; i++) {
		uint32_t slots = cluster_u32(c, F_HOST_SLOTS, i);

		h->slots[i] = slots < U32_UNKNOWN ? slots : cluster_u32(c, F_HOST_CPUS, i);
		/* A closed or unreachable host offers no more than its slots in use. */
		if (lsf && !host_usable(c, i)) {
			uint32_t used = cluster_u32(c, F_HOST_SLOTS_USED, i);

			h->slots[i] = used < U32_UNKNOWN ? used : 0;
		}
	}
	if (partitions)
		sets_of_partitions(p);
	else
		sets_of_queues(p);
	for (uint32_t q = 0; q < p->queue_count; q++) {
		struct pools_queue *queue = &p->queues[q];

		for (uint32_t i = 0; i < h->count; i++) {
			if (!pools_has(pools_set_of(p, q), i))
				continue;
			queue->host_count++;
			queue->host_slots = add_slots(queue->host_slots, h->slots[i]);
		}
		/* A source without hosts may report the CPUs of a partition. */
		if (partitions && queue->host_count == 0) {
			queue->host_count = cluster_u32(c, F_PARTITION_NODES, queue->row);
			queue->host_slots = add_slots(0, cluster_u32(c, F_PARTITION_CPUS,
								     queue->row));
		}
	}
}

/* ---- jobs ---------------------------------------------------------------------------------- */

/* Slots of one user in one queue. */
struct stake {
	uint32_t queue, user, slots;
};

struct counting {
	struct pools *p;
	enum field name;		/* field with a queue's name */
	struct idmap rows;		/* text of a job's only queue to its row, or ROW_NONE */
	bool *counted;			/* per queue: counted from jobs only */
	struct stake *stakes;
	size_t stake_count, stake_capacity;
};

static void count_one(struct counting *x, uint32_t queue, uint32_t user, uint32_t slots,
		      bool running)
{
	struct pools_queue *q = &x->p->queues[queue];

	MEM_GROW(x->stakes, x->stake_capacity, x->stake_count + 1);
	x->stakes[x->stake_count++] = (struct stake){ queue, user, slots };
	if (!x->counted[queue])
		return;
	if (running)
		q->used = add_slots(q->used, slots);
	else
		q->pending = add_slots(q->pending, slots);
}

/* Row of the queue at AT in TEXT; cached for all jobs that name only it. */
static uint32_t pools_queue_row(struct counting *x, uint32_t text, const char *at, size_t length)
{
	bool only = at[length] == '\0' && at == cluster_string(x->p->cluster, text);
	uint32_t row;

	if (only && idmap_has(&x->rows, text))
		return idmap_get(&x->rows, text, ROW_NONE);
	row = cluster_row_named(x->p->cluster, x->name, at, length);
	if (only)
		idmap_put(&x->rows, text, row);
	return row;
}

/* A pending job may list several partitions; it has demand in each. */
static void pools_count_job(struct counting *x, uint32_t job)
{
	const struct cluster *c = x->p->cluster;
	uint32_t text = cluster_text_id(c, F_JOB_PARTITION, job);
	const char *at = cluster_string(c, text);
	uint32_t cpus = cluster_u32(c, F_JOB_CPUS, job), user;
	enum job_kind kind = job_kind_of(c, job);
	uint64_t slots = cpus >= U32_UNKNOWN || cpus == 0 ? 1 : cpus;

	if (!at || kind == JOB_ENDED)
		return;
	user = cluster_text_id(c, F_JOB_USER, job);
	if (kind != JOB_RUNNING)
		slots *= job_tasks(cluster_text(c, F_JOB_TASKS, job));
	slots = slots > INT32_MAX ? INT32_MAX : slots;
	while (*at) {
		size_t length = strcspn(at, ",");
		uint32_t row = pools_queue_row(x, text, at, length);

		if (row != ROW_NONE)
			count_one(x, row, user, (uint32_t)slots, kind == JOB_RUNNING);
		at += length + (at[length] == ',');
	}
}

static int by_stake(const void *left, const void *right)
{
	const struct stake *a = left, *b = right;

	if (a->queue != b->queue)
		return a->queue < b->queue ? -1 : 1;
	return a->user < b->user ? -1 : a->user > b->user;
}

static void limit_to(struct pools_queue *q, uint64_t limit, enum pools_limit which)
{
	if (limit < q->limit) {
		q->limit = (uint32_t)limit;
		q->limited_by = which;
	}
}

/* UJOB_LIMIT: each user counts up to the limit. */
static void limit_users(struct counting *x)
{
	const struct cluster *c = x->p->cluster;

	if (x->stake_count > 1)
		qsort(x->stakes, x->stake_count, sizeof(*x->stakes), by_stake);
	for (size_t i = 0; i < x->stake_count;) {
		uint32_t queue = x->stakes[i].queue;
		uint32_t most = cluster_u32(c, F_QUEUE_USER_LIMIT, x->p->queues[queue].row);
		uint64_t sum = 0;

		while (i < x->stake_count && x->stakes[i].queue == queue) {
			uint32_t user = x->stakes[i].user;
			uint64_t own = 0;

			for (; i < x->stake_count && x->stakes[i].queue == queue &&
			       x->stakes[i].user == user; i++)
				own += x->stakes[i].slots;
			sum += own < most ? own : most;
		}
		if (most < U32_UNKNOWN)
			limit_to(&x->p->queues[queue], sum, POOLS_LIMIT_USER);
	}
}

static void pools_load_jobs(struct pools *p, bool partitions)
{
	const struct cluster *c = p->cluster;
	uint32_t jobs = cluster_rows(c, TABLE_JOB);
	bool known = !cluster_hides_jobs(c) &&
		     (jobs > 0 || (partitions && cluster_knows_jobs(c, NULL)));
	struct counting x = { .p = p, .name = partitions ? F_PARTITION_NAME : F_QUEUE_NAME };

	x.counted = mem_zalloc(p->queue_count, sizeof(*x.counted));
	for (uint32_t q = 0; q < p->queue_count; q++) {
		struct pools_queue *queue = &p->queues[q];

		if (!partitions) {
			queue->used = cluster_u32(c, F_QUEUE_RUNNING, queue->row);
			queue->pending = cluster_u32(c, F_QUEUE_PENDING, queue->row);
		}
		/* If no jobs were read, numbers that a queue does not report stay unknown. */
		if (partitions || (queue->used >= U32_UNKNOWN && queue->pending >= U32_UNKNOWN)) {
			x.counted[q] = known;
			queue->used = queue->pending = known ? 0 : U32_UNKNOWN;
		}
	}
	for (uint32_t i = 0; i < jobs; i++)
		pools_count_job(&x, i);
	if (!partitions)
		limit_users(&x);
	idmap_free(&x.rows);
	mem_free(x.counted);
	mem_free(x.stakes);
}

/* ---- limits -------------------------------------------------------------------------------- */

/* The rule for NAME; NULL: none, so it stays outside. */
static const struct pools_queue_rule *pools_rule_of(const struct pools_config *config,
						    const char *name)
{
	for (size_t i = 0; config && name && i < config->queue_count; i++) {
		if (strcmp(config->queues[i].name, name) == 0)
			return &config->queues[i];
	}
	return NULL;
}

/* PER_CPU times the CPUs of the queue's hosts; NaN if some are unknown. */
static double on_cpus(const struct pools *p, uint32_t queue, double per_cpu)
{
	double sum = 0;

	for (uint32_t h = 0; h < p->hosts->count; h++) {
		uint32_t cpus = cluster_u32(p->cluster, F_HOST_CPUS, h);

		if (pools_has(pools_set_of(p, queue), h))
			sum += cpus < U32_UNKNOWN ? ceil(per_cpu * cpus) : F64_UNKNOWN;
	}
	return sum;
}

static double pools_accumulated(const struct pools *p, const struct pools_queue *q,
				const struct pool_past *past)
{
	double reported = p->partitions ? F64_UNKNOWN :
				      cluster_f64(p->cluster, F_QUEUE_ACCUMULATED, q->row);

	if (f64_known(reported) || !past || q->pool == POOLS_NONE)
		return reported;
	return pool_past_accumulated(past, q->name, cluster_meta(p->cluster)->time, p->hist_hours);
}

static void load_limits(struct pools *p, bool partitions)
{
	const struct cluster *c = p->cluster;

	for (uint32_t i = 0; i < p->queue_count; i++) {
		struct pools_queue *q = &p->queues[i];
		const struct pools_queue_rule *rule = pools_rule_of(p->config, q->name);
		uint32_t limit = rule ? rule->limit : SLOTS_NO_LIMIT, own;
		double per_cpu;

		q->limit = SLOTS_NO_LIMIT;
		limit_to(q, limit, POOLS_LIMIT_QUEUE);
		if (partitions)
			continue;
		own = cluster_u32(c, F_QUEUE_JOB_LIMIT, q->row);
		if (own < U32_UNKNOWN)
			limit_to(q, own, POOLS_LIMIT_QUEUE);
		own = cluster_u32(c, F_QUEUE_HOST_LIMIT, q->row);
		if (own < U32_UNKNOWN && q->host_count > 0)
			limit_to(q, (uint64_t)own * q->host_count, POOLS_LIMIT_HOST);
		per_cpu = cluster_f64(c, F_QUEUE_PROCESSOR_LIMIT, q->row);
		if (f64_known(per_cpu) && per_cpu >= 0 && q->host_count > 0) {
			double most = on_cpus(p, i, per_cpu);

			q->limit_vague = isnan(most);
			if (most < INT32_MAX)
				limit_to(q, (uint64_t)most, POOLS_LIMIT_PROCESSOR);
		}
	}
}

/* Fills the use, demand and limits of each queue. PARTITIONS: rows are Slurm's. */
static void pools_load(struct pools *p, bool partitions)
{
	load_hosts(p, partitions);
	load_limits(p, partitions);
	pools_load_jobs(p, partitions);
}

static void pools_load_free(struct pools *p)
{
	MEM_FREE(p->hosts->slots, p->hosts->sets, p->hosts->everywhere, p->hosts);
	p->hosts = NULL;
}

/* ---- the size of a pool -------------------------------------------------------------------- */

/* Slots in use on the hosts of SET as the hosts report; false if one does not. */
static bool used_on_hosts(const struct pools *p, const uint64_t *set, uint32_t *used)
{
	*used = 0;
	if (p->hosts->partitions)
		return false;
	for (uint32_t h = 0; h < p->hosts->count; h++) {
		uint32_t own = cluster_u32(p->cluster, F_HOST_SLOTS_USED, h);

		if (pools_has(set, h) && own >= U32_UNKNOWN)
			return false;
		if (pools_has(set, h))
			*used = add_slots(*used, own);
	}
	return true;
}

/* Slots of queues outside, other pools included, whose hosts overlap with SET. */
static uint32_t used_by_others(struct pools *p, uint32_t k, const uint64_t *set)
{
	struct pools_pool *pool = &p->pools[k];
	uint32_t sum = 0;

	for (uint32_t i = 0; i < p->queue_count; i++) {
		bool common = false, elsewhere = false;

		for (uint32_t w = 0; w < p->hosts->words; w++) {
			common |= (pools_set_of(p, i)[w] & set[w]) != 0;
			elsewhere |= (pools_set_of(p, i)[w] & ~set[w]) != 0;
		}
		if (p->queues[i].pool == k || !common)
			continue;
		pool->foreign_rows++;
		pool->foreign_vague |= elsewhere && p->queues[i].used != 0;
		sum = add_slots(sum, p->queues[i].used);
	}
	return sum;
}

/* Computes host slots and foreign use of pool K, after pools_load(). */
static void pools_size(struct pools *p, uint32_t k)
{
	struct pools_pool *pool = &p->pools[k];
	const uint64_t *set;
	uint32_t used, own = 0, others;

	if (pool->slots.count == 0)
		return;
	set = pools_set_of(p, p->members[pool->first]);
	for (uint32_t i = 0; i < pool->slots.count; i++) {
		uint32_t q = p->members[pool->first + i];

		own = add_slots(own, p->queues[q].used);
		pool->hosts_differ |= memcmp(set, pools_set_of(p, q),
					     p->hosts->words * sizeof(*set)) != 0;
	}
	for (uint32_t h = 0; h < p->hosts->count; h++)
		pool->hosts_unknown += pools_has(set, h) && p->hosts->slots[h] >= U32_UNKNOWN;
	pool->host_count = p->queues[p->members[pool->first]].host_count;
	pool->slots.host_slots = p->queues[p->members[pool->first]].host_slots;
	others = used_by_others(p, k, set);
	if (pool->host_count > 0 && used_on_hosts(p, set, &used)) {
		others = used > own ? used - own : 0;
		pool->foreign_vague = false;
	}
	pool->slots.foreign = others;
}

const char *const pools_limit_names[] = {
	"", "QJOB_LIMIT", "UJOB_LIMIT", "PJOB_LIMIT", "HJOB_LIMIT",
};

void pools_config_init(struct pools_config *config)
{
	memset(config, 0, sizeof(*config));
	config->hist_hours = F64_UNKNOWN;
}

void pools_config_free(struct pools_config *config)
{
	mem_free(config->pools);
	mem_free(config->queues);
	pools_config_init(config);
}

/* ---- queues of the pools ------------------------------------------------------------------- */

/* The pool with NAME, added if new. */
static uint32_t pools_pool_of(struct pools *p, const char *name)
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

/* Accepts whole percents from 1 to 100 only; lint reports others. */
static uint32_t pools_share_of(const struct cluster *c, uint32_t row)
{
	double share = cluster_f64(c, F_QUEUE_SHARE, row);

	return share >= 1 && share <= 100 && share == floor(share) ? (uint32_t)share : 0;
}

static void queues_of_cluster(struct pools *p, uint32_t *shares)
{
	const struct cluster *c = p->cluster;

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_POOL); i++) {
		const char *name = cluster_text(c, F_POOL_NAME, i);
		uint32_t pool = name ? pools_pool_of(p, name) : POOLS_NONE;

		if (name)
			p->pools[pool].row = i;
	}
	for (uint32_t i = 0; i < p->queue_count; i++) {
		const char *pool = cluster_text(c, F_QUEUE_POOL, i);
		const char *name = cluster_text(c, F_QUEUE_NAME, i);
		int64_t priority = cluster_i64(c, F_QUEUE_PRIORITY, i);

		shares[i] = pools_share_of(c, i);
		p->queues[i] = (struct pools_queue){
			.name = name ? name : "", .row = i,
			.pool = pool && shares[i] ? pools_pool_of(p, pool) : POOLS_NONE,
			.priority = priority == I64_UNKNOWN ? 0 : priority,
		};
	}
}

static void queues_of_config(struct pools *p, uint32_t *shares, bool partitions)
{
	const struct pools_config *config = p->config;
	const struct cluster *c = p->cluster;

	for (size_t i = 0; i < config->pool_count; i++)
		pools_pool_of(p, config->pools[i].name);
	for (uint32_t i = 0; i < p->queue_count; i++) {
		const char *name = cluster_text(c, partitions ? F_PARTITION_NAME : F_QUEUE_NAME, i);
		const struct pools_queue_rule *rule = pools_rule_of(config, name);
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

/* Checks that every rule refers to an existing object. */
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
		err_set(err, ERR_INPUT, "%.100s: no such %s%s%.200s%s", rule->name,
			partitions ? "partition" : "queue", hint[0] ? " (" : "", hint,
			hint[0] ? ")" : "");
		return err_at(err, p->config->file, rule->line);
	}
	return true;
}

/* ---- members ------------------------------------------------------------------------------- */

/* Sorts queues by pool into members[] and assigns each pool its storage. */
static void pools_arrange(struct pools *p, const uint32_t *shares)
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

	MEM_GROW(pool->grants, pool->grant_capacity, pool->grant_count + 1);
	pool->grants[pool->grant_count++] = *grant;
}

static void fill_slots(struct pools *p, struct pools_pool *pool)
{
	struct slots_queue *list = p->slots + pool->first;

	for (uint32_t i = 0; i < pool->slots.count; i++) {
		const struct pools_queue *q = &p->queues[p->members[pool->first + i]];

		list[i].priority = q->priority;
		/* Unknown pending slots: as many as possible; see pools_is_vague(). */
		list[i].demand = q->pending >= U32_UNKNOWN ? INT32_MAX :
				 add_slots(add_slots(0, q->used), q->pending);
		list[i].limit = q->limit;
		list[i].accumulated = f64_known(q->accumulated) ? q->accumulated : 0;
	}
}

/* Slots of later rounds are borrowed; what round 1 offered and the queue could not use is lent. */
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

/*
 * Is the demand of some queue of POOL unknown, though the picture has a present? (A configuration
 * alone is shown with endless work.)
 */
static bool pools_is_vague(const struct pools *p, const struct pools_pool *pool)
{
	bool vague = false, now = p->partitions;

	for (uint32_t i = 0; i < cluster_rows(p->cluster, TABLE_HOST) && !now; i++)
		now = cluster_text(p->cluster, F_HOST_STATE, i) != NULL;
	for (uint32_t i = 0; i < pool->slots.count; i++) {
		const struct pools_queue *q = &p->queues[p->members[pool->first + i]];

		now |= q->used < U32_UNKNOWN || q->pending < U32_UNKNOWN;
		vague |= q->used == U32_UNKNOWN || q->pending == U32_UNKNOWN || q->limit_vague;
	}
	return vague && now;
}

/* The results of a pool with unknown demand are unknown, too. */
static void pools_forget(struct pools_pool *pool)
{
	for (uint32_t i = 0; i < pool->slots.count; i++)
		pool->slots.queues[i].allotted = U32_UNKNOWN;
	pool->slots.idle = U32_UNKNOWN;
	pool->slots.rounds = U32_UNKNOWN;
	pool->grant_count = 0;
}

static void pools_allocate(struct pools *p, uint32_t k)
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
	if (pools_is_vague(p, pool))
		pools_forget(pool);
	take_borrowed(p, pool);
}

static void pools_order_dispatch(struct pools *p)
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

/* The file's setting; else LSF's own; else LSF's default for pools. */
static double hist_hours(const struct cluster *c, const struct pools_config *config)
{
	if (config && f64_known(config->hist_hours))
		return config->hist_hours;
	if (config && policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF)
		return lsf_hist_hours(c, cluster_policy(c), ROW_NONE);
	return cluster_rows(c, TABLE_POOL) ? cluster_f64(c, F_POOL_HIST_HOURS, 0)
					   : POOLS_HIST_HOURS;
}

struct pools *pools_new(const struct cluster *cluster, const struct pools_config *config,
			bool grouped, const struct pool_past *past, struct err *err)
{
	struct pools *p = mem_zalloc(1, sizeof(*p));
	bool partitions = config && cluster_rows(cluster, TABLE_QUEUE) == 0;
	uint32_t *shares;
	bool good = true;

	p->cluster = cluster;
	p->config = config;
	p->grouped = grouped || (config && config->grouped);
	p->partitions = partitions;
	p->hist_hours = hist_hours(cluster, config);
	p->queue_count = cluster_rows(cluster, partitions ? TABLE_PARTITION : TABLE_QUEUE);
	p->queues = mem_zalloc(p->queue_count, sizeof(*p->queues));
	shares = mem_zalloc(p->queue_count, sizeof(*shares));
	if (config) {
		queues_of_config(p, shares, partitions);
		good = rules_exist(p, partitions, err);
	} else {
		queues_of_cluster(p, shares);
	}
	pools_arrange(p, shares);
	mem_free(shares);
	if (!good) {
		pools_free(p);
		return NULL;
	}
	pools_load(p, partitions);
	for (uint32_t i = 0; i < p->queue_count; i++)
		p->queues[i].accumulated = pools_accumulated(p, &p->queues[i], past);
	for (uint32_t k = 0; k < p->pool_count; k++)
		pools_allocate(p, k);
	pools_load_free(p);
	pools_order_dispatch(p);
	return p;
}

void pools_free(struct pools *p)
{
	if (!p)
		return;
	for (uint32_t k = 0; k < p->pool_count; k++)
		mem_free(p->pools[k].grants);
	MEM_FREE(p->pools, p->queues, p->members, p->dispatch, p->slots, p->orders, p);
}

const struct slots_queue *pools_slots(const struct pools *p, uint32_t queue)
{
	const struct pools_queue *q = &p->queues[queue];

	return q->pool == POOLS_NONE ? NULL : &p->slots[p->pools[q->pool].first + q->slot];
}

uint32_t pools_row(const struct pools *p, uint32_t queue)
{
	uint32_t row = 0;

	while (p->members[row] != queue)
		row++;
	return row;
}

bool pools_without_jobs(const struct pools *p, uint32_t queue)
{
	const struct pools_queue *q = &p->queues[queue];
	uint32_t jobs = cluster_rows(p->cluster, TABLE_JOB), row = 0;

	while (row < jobs && !word_listed(cluster_text(p->cluster, F_JOB_PARTITION, row), q->name,
					  strlen(q->name)))
		row++;
	return jobs > 0 && row == jobs &&
	       ((q->used > 0 && q->used < U32_UNKNOWN) ||
		(q->pending > 0 && q->pending < U32_UNKNOWN));
}

uint32_t pools_find(const struct pools *p, bool pool, const char *name, struct err *err)
{
	const char *kind = pool ? "pool" : "queue";
	struct near near;
	char hint[300];

	near_init(&near, name, strlen(name));
	for (uint32_t i = 0; i < (pool ? p->pool_count : p->queue_count); i++) {
		const char *own = pool ? p->pools[i].name : p->queues[i].name;

		if (strcmp(own, name) == 0)
			return i;
		near_offer(&near, own);
	}
	near_text(&near, hint, sizeof(hint));
	err_set(err, ERR_INPUT, "%s:%.200s: no such %s%s%.200s%s", kind, name, kind,
		hint[0] ? " (" : "", hint, hint[0] ? ")" : "");
	return ROW_NONE;
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
