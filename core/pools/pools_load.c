/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What pools are made of: the hosts of each queue as sets, slots in use and asked for, limits.
 */
#include "core/pools/pools_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/cluster/host_state.h"
#include "core/queue/job_index.h"
#include "core/base/mem.h"

struct pools_hosts {
	uint32_t count, words;
	uint32_t *slots;	/* per host; U32_UNKNOWN */
	uint64_t *sets;		/* WORDS a queue */
	bool *everywhere;	/* per queue: it names no hosts, and so may use all */
	bool partitions;
};

/* A name and what it names. */
struct named {
	uint32_t text, row;
};

static int by_text(const void *left, const void *right)
{
	const struct named *a = left, *b = right;

	if (a->text != b->text)
		return a->text < b->text ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

static uint32_t row_of(const struct named *list, uint32_t n, uint32_t text)
{
	uint32_t low = 0, high = n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (list[middle].text < text)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && list[low].text == text ? list[low].row : ROW_NONE;
}

static struct named *names_of(const struct cluster *c, enum table table, enum field field,
			      uint32_t *count)
{
	struct named *list;

	*count = cluster_rows(c, table);
	list = mem_alloc(*count, sizeof(*list));
	for (uint32_t i = 0; i < *count; i++)
		list[i] = (struct named){ cluster_text_id(c, field, i), i };
	if (*count > 1)
		qsort(list, *count, sizeof(*list), by_text);
	return list;
}

/* ---- hosts --------------------------------------------------------------------------------- */

static uint64_t *set_of(const struct pools *p, uint32_t queue)
{
	return p->hosts->sets + (size_t)queue * p->hosts->words;
}

static void put(uint64_t *set, uint32_t host)
{
	set[host / 64] |= UINT64_C(1) << (host % 64);
}

static bool has(const uint64_t *set, uint32_t host)
{
	return (set[host / 64] >> (host % 64) & 1) != 0;
}

/* Queues name their hosts; no list is all of them. */
static void sets_of_queues(struct pools *p)
{
	uint32_t n;
	struct named *hosts = names_of(p->cluster, TABLE_HOST, F_HOST_NAME, &n);

	for (uint32_t q = 0; q < p->queue_count; q++) {
		struct text_list list = cluster_list(p->cluster, F_QUEUE_HOSTS, p->queues[q].row);

		p->hosts->everywhere[q] = list.texts == NULL;
		for (uint32_t h = 0; !list.texts && h < n; h++)
			put(set_of(p, q), h);
		for (uint32_t i = 0; list.texts && i < list.count; i++) {
			uint32_t row = row_of(hosts, n, list.texts[i]);

			if (row != ROW_NONE)
				put(set_of(p, q), row);
		}
	}
	mem_free(hosts);
}

/* Hosts name their partitions. */
static void sets_of_partitions(struct pools *p)
{
	uint32_t n;
	struct named *names = names_of(p->cluster, TABLE_PARTITION, F_PARTITION_NAME, &n);

	for (uint32_t h = 0; h < p->hosts->count; h++) {
		struct text_list list = cluster_list(p->cluster, F_HOST_PARTITIONS, h);

		for (uint32_t i = 0; i < list.count; i++) {
			uint32_t row = row_of(names, n, list.texts[i]);

			if (row != ROW_NONE)
				put(set_of(p, row), h);
		}
	}
	mem_free(names);
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
		/* A closed or unreachable host gives no more than what is in use there. */
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
			if (!has(set_of(p, q), i))
				continue;
			queue->host_count++;
			queue->host_slots = add_slots(queue->host_slots, h->slots[i]);
		}
		/* A source without hosts may know how many CPUs a partition has. */
		if (partitions && queue->host_count == 0) {
			queue->host_count = cluster_u32(c, F_PARTITION_NODES, queue->row);
			queue->host_slots = add_slots(0, cluster_u32(c, F_PARTITION_CPUS,
								     queue->row));
		}
	}
}

/* ---- jobs ---------------------------------------------------------------------------------- */

/* What one user has in one queue. */
struct stake {
	uint32_t queue, user, slots;
};

struct counting {
	struct pools *p;
	struct named *names;
	uint32_t name_count;
	bool *counted;			/* per queue: nothing else knows its slots */
	struct stake *stakes;
	size_t stake_count, stake_capacity;
};

static void count_one(struct counting *x, uint32_t queue, uint32_t user, uint32_t slots,
		      bool running)
{
	struct pools_queue *q = &x->p->queues[queue];

	x->stakes = mem_grow(x->stakes, &x->stake_capacity, x->stake_count + 1,
			     sizeof(*x->stakes));
	x->stakes[x->stake_count++] = (struct stake){ queue, user, slots };
	if (!x->counted[queue])
		return;
	if (running)
		q->used = add_slots(q->used, slots);
	else
		q->pending = add_slots(q->pending, slots);
}

/* A waiting job may name several partitions; it can use slots in each of them. */
static void count_job(struct counting *x, uint32_t job)
{
	const struct cluster *c = x->p->cluster;
	const char *at = cluster_text(c, F_JOB_PARTITION, job);
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
		uint32_t text = cluster_find_string(c, at, length);
		uint32_t row = text ? row_of(x->names, x->name_count, text) : ROW_NONE;

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

/* UJOB_LIMIT: each user counts for at most so many slots. */
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

static void load_jobs(struct pools *p, bool partitions)
{
	const struct cluster *c = p->cluster;
	uint32_t jobs = cluster_rows(c, TABLE_JOB);
	struct counting x = { .p = p };

	x.names = names_of(c, partitions ? TABLE_PARTITION : TABLE_QUEUE,
			   partitions ? F_PARTITION_NAME : F_QUEUE_NAME, &x.name_count);
	x.counted = mem_zalloc(p->queue_count, sizeof(*x.counted));
	for (uint32_t q = 0; q < p->queue_count; q++) {
		struct pools_queue *queue = &p->queues[q];

		if (!partitions) {
			queue->used = cluster_u32(c, F_QUEUE_RUNNING, queue->row);
			queue->pending = cluster_u32(c, F_QUEUE_PENDING, queue->row);
		}
		/* Without any job nothing is known of those that were not asked for. */
		if (partitions || (queue->used >= U32_UNKNOWN && queue->pending >= U32_UNKNOWN)) {
			x.counted[q] = jobs > 0 || partitions;
			queue->used = queue->pending = x.counted[q] ? 0 : U32_UNKNOWN;
		}
	}
	for (uint32_t i = 0; i < jobs; i++)
		count_job(&x, i);
	if (!partitions)
		limit_users(&x);
	mem_free(x.names);
	mem_free(x.counted);
	mem_free(x.stakes);
}

/* ---- limits -------------------------------------------------------------------------------- */

static uint32_t rule_limit(const struct pools *p, const char *name)
{
	for (size_t i = 0; p->config && i < p->config->queue_count; i++) {
		if (strcmp(p->config->queues[i].name, name) == 0)
			return p->config->queues[i].limit;
	}
	return SLOTS_NO_LIMIT;
}

/* CPUs of the queue's hosts; what is not known is a CPU a slot. */
static double cpus_of(const struct pools *p, uint32_t queue)
{
	double sum = 0;

	for (uint32_t h = 0; h < p->hosts->count; h++) {
		uint32_t cpus = cluster_u32(p->cluster, F_HOST_CPUS, h);

		if (!has(set_of(p, queue), h))
			continue;
		cpus = cpus < U32_UNKNOWN ? cpus : p->hosts->slots[h];
		sum += cpus < U32_UNKNOWN ? cpus : 0;
	}
	return sum;
}

static void load_limits(struct pools *p, bool partitions)
{
	const struct cluster *c = p->cluster;

	for (uint32_t i = 0; i < p->queue_count; i++) {
		struct pools_queue *q = &p->queues[i];
		uint32_t limit = rule_limit(p, q->name), own;
		double per_cpu;

		q->limit = SLOTS_NO_LIMIT;
		q->accumulated =
			partitions ? F64_UNKNOWN : cluster_f64(c, F_QUEUE_ACCUMULATED, q->row);
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
			double most = floor(per_cpu * cpus_of(p, i));

			if (most < INT32_MAX)
				limit_to(q, (uint64_t)most, POOLS_LIMIT_PROCESSOR);
		}
	}
}

void pools_load(struct pools *p, bool partitions)
{
	load_hosts(p, partitions);
	load_limits(p, partitions);
	load_jobs(p, partitions);
}

void pools_load_free(struct pools *p)
{
	mem_free(p->hosts->slots);
	mem_free(p->hosts->sets);
	mem_free(p->hosts->everywhere);
	mem_free(p->hosts);
	p->hosts = NULL;
}

/* ---- the size of a pool -------------------------------------------------------------------- */

/* Slots in use on the hosts of SET as the hosts tell; false if one of them does not. */
static bool used_on_hosts(const struct pools *p, const uint64_t *set, uint32_t *used)
{
	*used = 0;
	if (p->hosts->partitions)
		return false;
	for (uint32_t h = 0; h < p->hosts->count; h++) {
		uint32_t own = cluster_u32(p->cluster, F_HOST_SLOTS_USED, h);

		if (has(set, h) && own >= U32_UNKNOWN)
			return false;
		if (has(set, h))
			*used = add_slots(*used, own);
	}
	return true;
}

/* Slots of the queues outside whose hosts overlap with SET, other pools' among them. */
static uint32_t used_by_others(struct pools *p, uint32_t k, const uint64_t *set)
{
	struct pools_pool *pool = &p->pools[k];
	uint32_t sum = 0;

	for (uint32_t i = 0; i < p->queue_count; i++) {
		bool common = false, elsewhere = false;

		for (uint32_t w = 0; w < p->hosts->words; w++) {
			common |= (set_of(p, i)[w] & set[w]) != 0;
			elsewhere |= (set_of(p, i)[w] & ~set[w]) != 0;
		}
		if (p->queues[i].pool == k || !common)
			continue;
		pool->foreign_rows++;
		pool->foreign_vague |= elsewhere && p->queues[i].used != 0;
		sum = add_slots(sum, p->queues[i].used);
	}
	return sum;
}

static uint32_t used_by_pool(const struct pools *p, const struct pools_pool *pool)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < pool->slots.count; i++)
		sum = add_slots(sum, p->queues[p->members[pool->first + i]].used);
	return sum;
}

void pools_size(struct pools *p, uint32_t k)
{
	struct pools_pool *pool = &p->pools[k];
	const uint64_t *set;
	uint32_t used, own = used_by_pool(p, pool), others;

	if (pool->slots.count == 0)
		return;
	set = set_of(p, p->members[pool->first]);
	for (uint32_t i = 1; i < pool->slots.count; i++)
		pool->hosts_differ |= memcmp(set, set_of(p, p->members[pool->first + i]),
					     p->hosts->words * sizeof(*set)) != 0;
	for (uint32_t h = 0; h < p->hosts->count; h++)
		pool->hosts_unknown += has(set, h) && p->hosts->slots[h] >= U32_UNKNOWN;
	pool->host_count = p->queues[p->members[pool->first]].host_count;
	pool->slots.host_slots = p->queues[p->members[pool->first]].host_slots;
	others = used_by_others(p, k, set);
	if (pool->host_count > 0 && used_on_hosts(p, set, &used)) {
		others = used > own ? used - own : 0;
		pool->foreign_vague = false;
	}
	pool->slots.foreign = others;
}
