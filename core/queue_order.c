/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorting by radix: the entries start in the order of submission (the index keeps it), a stable
 * sort by priority follows, then one by what stands before the priority (level, reservation, tier),
 * of which a cluster has a handful. No comparison of two jobs is ever made.
 */
#include "core/queue_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

#define RADIX_BITS 11
#define RADIX_SIZE (1U << RADIX_BITS)

/* Everything that outranks the priority, packed so that smaller numbers come first. */
static uint64_t class_of(const struct job_index *x, const struct preempt *preempt, uint32_t e)
{
	const struct cluster *c = x->cluster;
	uint32_t partition = x->partition[e], tier = 1, level = 0;
	uint32_t reservation = cluster_text_id(c, F_JOB_RESERVATION, x->job[e]);

	if (partition != ROW_NONE && cluster_u32(c, F_PARTITION_TIER, partition) < U32_UNKNOWN)
		tier = cluster_u32(c, F_PARTITION_TIER, partition);
	if (preempt->kind == PREEMPT_QOS && x->qos[e] != ROW_NONE)
		level = preempt->level[x->qos[e]];
	else if (preempt->kind == PREEMPT_PARTITION)
		level = UINT16_MAX - (tier & UINT16_MAX);
	return (uint64_t)level << 33 | (uint64_t)(reservation > TEXT_NONE + 1 ? 0 : 1) << 32 |
	       (UINT32_MAX - tier);
}

static bool competes(const struct job_index *x, uint32_t e)
{
	/* The scheduler builds its queue from the jobs that could start if there were room. */
	return x->kind[e] == JOB_PENDING;
}

/* One stable counting pass over BITS of KEY >> SHIFT. */
static void radix_pass(const uint32_t *from, uint32_t *to, uint32_t n, const uint32_t *key,
		       unsigned shift)
{
	uint32_t start[RADIX_SIZE] = { 0 }, sum = 0;

	for (uint32_t i = 0; i < n; i++)
		start[key[from[i]] >> shift & (RADIX_SIZE - 1)]++;
	for (uint32_t d = 0; d < RADIX_SIZE; d++) {
		uint32_t here = start[d];

		start[d] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < n; i++)
		to[start[key[from[i]] >> shift & (RADIX_SIZE - 1)]++] = from[i];
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Numbers the distinct classes 0, 1, ... in their order; returns how many there are. */
static uint32_t number_classes(const struct job_index *x, const struct preempt *preempt,
			       const uint32_t *entries, uint32_t n, uint32_t *number)
{
	uint64_t *distinct = NULL, last = UINT64_MAX;
	size_t count = 0, capacity = 0;
	uint32_t place = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t k = class_of(x, preempt, entries[i]);
		size_t j = 0;

		if (k == last)
			continue;
		last = k;
		while (j < count && distinct[j] != k)
			j++;
		if (j == count) {
			distinct = mem_grow(distinct, &capacity, count + 1, sizeof(*distinct));
			distinct[count++] = k;
		}
	}
	qsort(distinct, count, sizeof(*distinct), compare_u64);
	last = UINT64_MAX;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t k = class_of(x, preempt, entries[i]);

		if (k != last) {
			for (place = 0; distinct[place] != k;)
				place++;
			last = k;
		}
		number[entries[i]] = place;
	}
	mem_free(distinct);
	return (uint32_t)count;
}

static void sort_entries(struct queue_order *q, const struct job_index *x,
			 const struct preempt *preempt, const uint32_t *priority, bool basic)
{
	uint32_t *spare = mem_alloc(q->count, sizeof(*spare));
	uint32_t *key = mem_alloc(x->n, sizeof(*key)), *swap, classes;

	/* Descending priority is ascending complement. */
	for (uint32_t i = 0; !basic && i < q->count; i++)
		key[q->order[i]] = ~priority[q->order[i]];
	for (unsigned shift = 0; !basic && shift < 32; shift += RADIX_BITS) {
		radix_pass(q->order, spare, q->count, key, shift);
		swap = q->order;
		q->order = spare;
		spare = swap;
	}
	classes = q->count == 0 ? 0 : number_classes(x, preempt, q->order, q->count, key);
	for (unsigned shift = 0; classes >> shift > (shift == 0 ? 1 : 0); shift += RADIX_BITS) {
		radix_pass(q->order, spare, q->count, key, shift);
		swap = q->order;
		q->order = spare;
		spare = swap;
	}
	mem_free(spare);
	mem_free(key);
}

static double cpu_hours(const struct job_index *x, uint32_t e)
{
	int64_t limit = cluster_i64(x->cluster, F_JOB_TIME_LIMIT, x->job[e]);
	double cpus = x->cpus[e] < U32_UNKNOWN ? x->cpus[e] : F64_UNKNOWN;

	if (limit == I64_UNKNOWN && x->partition[e] != ROW_NONE)
		limit = cluster_i64(x->cluster, F_PARTITION_MAX_TIME, x->partition[e]);
	if (limit == I64_UNKNOWN)
		return F64_UNKNOWN;
	return limit == I64_INFINITE ? HUGE_VAL : cpus * (double)limit / 3600 * x->tasks[e];
}

/* A job in several partitions counts once, where it stands first. */
static void count_ahead(struct queue_order *q, const struct job_index *x)
{
	bool *seen = mem_zalloc(cluster_rows(x->cluster, TABLE_JOB), sizeof(*seen));
	uint32_t *in_partition = mem_zalloc((size_t)cluster_rows(x->cluster, TABLE_PARTITION) + 1,
					    sizeof(*in_partition));
	uint32_t ahead = 0;
	double hours = 0;

	for (uint32_t i = 0; i < q->count; i++) {
		uint32_t e = q->order[i], p = x->partition[e];
		bool again = seen[x->job[e]];

		q->rank[e] = i + 1;
		p = p == ROW_NONE ? cluster_rows(x->cluster, TABLE_PARTITION) : p;
		q->partition_rank[e] = ++in_partition[p];
		q->ahead[e] = again ? ahead - x->tasks[e] : ahead;
		q->ahead_cpu_hours[e] = hours;
		if (again)
			continue;
		seen[x->job[e]] = true;
		ahead += x->tasks[e];
		hours += cpu_hours(x, e);
	}
	mem_free(seen);
	mem_free(in_partition);
}

struct queue_order *queue_order_new(const struct job_index *x, const struct policy *policy,
				    const struct preempt *preempt, const uint32_t *priority)
{
	struct queue_order *q = mem_zalloc(1, sizeof(*q));
	bool basic = !policy_is_multifactor(policy);

	q->n = x->n;
	q->order = mem_alloc(x->n, sizeof(*q->order));
	q->rank = mem_alloc(x->n, sizeof(*q->rank));
	q->partition_rank = mem_alloc(x->n, sizeof(*q->partition_rank));
	q->ahead = mem_alloc(x->n, sizeof(*q->ahead));
	q->ahead_cpu_hours = mem_alloc(x->n, sizeof(*q->ahead_cpu_hours));
	q->problem = preempt->cyclic ? "some QOS preempt each other in a cycle: they rank as equals"
				     : "";
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t e = x->by_submit[i];

		q->rank[e] = q->partition_rank[e] = q->ahead[e] = U32_UNKNOWN;
		q->ahead_cpu_hours[e] = F64_UNKNOWN;
		if (competes(x, e) && (basic || priority[e] != U32_UNKNOWN))
			q->order[q->count++] = e;
	}
	sort_entries(q, x, preempt, priority, basic);
	count_ahead(q, x);
	return q;
}

void queue_order_free(struct queue_order *q)
{
	if (!q)
		return;
	mem_free(q->order);
	mem_free(q->rank);
	mem_free(q->partition_rank);
	mem_free(q->ahead);
	mem_free(q->ahead_cpu_hours);
	mem_free(q);
}

enum queue_reason queue_reason(const struct job_index *x, const struct policy *policy,
			       const struct preempt *preempt, const uint32_t *priority, uint32_t a,
			       uint32_t b)
{
	uint64_t first = class_of(x, preempt, a), second = class_of(x, preempt, b);
	const struct cluster *c = x->cluster;

	if (a == b)
		return QUEUE_SAME;
	if (!competes(x, a) || !competes(x, b))
		return QUEUE_NOT_RANKED;
	if (first >> 33 != second >> 33)
		return QUEUE_PREEMPTION;
	if (first >> 32 != second >> 32)
		return QUEUE_RESERVATION;
	if (first != second)
		return QUEUE_TIER;
	if (policy_is_multifactor(policy) && priority[a] != priority[b])
		return QUEUE_PRIORITY;
	if (cluster_i64(c, F_JOB_SUBMIT, x->job[a]) != cluster_i64(c, F_JOB_SUBMIT, x->job[b]))
		return QUEUE_SUBMIT;
	return QUEUE_ID;
}
