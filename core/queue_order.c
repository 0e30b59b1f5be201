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
#include "core/text.h"

#define RADIX_BITS 11
#define RADIX_SIZE (1U << RADIX_BITS)

/* Everything that outranks the priority, packed so that smaller numbers come first. */
static uint64_t class_of(const struct job_index *x, const struct preempt *preempt, uint32_t e)
{
	const uint32_t *reservations = cluster_col_u32(x->cluster, F_JOB_RESERVATION);
	const uint32_t *tiers = cluster_col_u32(x->cluster, F_PARTITION_TIER);
	uint32_t partition = x->partition[e], tier = 1, level = 0;
	bool reserved = reservations && reservations[x->job[e]] > TEXT_EMPTY;

	if (partition != ROW_NONE && tiers && tiers[partition] < U32_UNKNOWN)
		tier = tiers[partition];
	if (preempt->kind == PREEMPT_QOS && x->qos[e] != ROW_NONE)
		level = preempt->level[x->qos[e]];
	else if (preempt->kind == PREEMPT_PARTITION)
		level = UINT16_MAX - (tier & UINT16_MAX);
	return (uint64_t)level << 33 | (uint64_t)(reserved ? 0 : 1) << 32 | (UINT32_MAX - tier);
}

static bool competes(const struct job_index *x, uint32_t e)
{
	/* The scheduler builds its queue from the jobs that could start if there were room. */
	return x->kind[e] == JOB_PENDING;
}

/* What is sorted: the key above, the entry below, so that a pass reads memory from end to end. */
static uint64_t item(uint32_t key, uint32_t entry)
{
	return (uint64_t)key << 32 | entry;
}

/* One stable counting pass over RADIX_BITS of the key, from bit SHIFT on. */
static void radix_pass(const uint64_t *from, uint64_t *to, uint32_t n, unsigned shift)
{
	uint32_t start[RADIX_SIZE] = { 0 }, sum = 0;

	for (uint32_t i = 0; i < n; i++)
		start[from[i] >> (32 + shift) & (RADIX_SIZE - 1)]++;
	for (uint32_t d = 0; d < RADIX_SIZE; d++) {
		uint32_t here = start[d];

		start[d] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < n; i++)
		to[start[from[i] >> (32 + shift) & (RADIX_SIZE - 1)]++] = from[i];
}

/* Sorts by the whole key; keys below 2^BITS. The result is in *ITEMS. */
static void radix_sort(uint64_t **items, uint64_t **spare, uint32_t n, unsigned bits)
{
	for (unsigned shift = 0; shift < bits; shift += RADIX_BITS) {
		uint64_t *swap = *items;

		radix_pass(*items, *spare, n, shift);
		*items = *spare;
		*spare = swap;
	}
}

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * The distinct classes in their order. Jobs that follow each other mostly have one of a few
 * classes, so the list is short and the search shorter.
 */
struct class_list {
	uint64_t *classes;
	size_t count, capacity;
};

static uint32_t class_number(const struct class_list *l, uint64_t class)
{
	uint32_t i = 0;

	while (i < l->count && l->classes[i] != class)
		i++;
	return i;
}

static void add_class(struct class_list *l, uint64_t class)
{
	if (class_number(l, class) < l->count)
		return;
	l->classes = mem_grow(l->classes, &l->capacity, l->count + 1, sizeof(*l->classes));
	l->classes[l->count++] = class;
}

static unsigned bits_of(size_t count)
{
	unsigned bits = 0;

	while (count > (size_t)1 << bits)
		bits++;
	return bits;
}

/* By class, after the sort by priority; nothing to do in a queue of one class. */
static void sort_by_class(uint64_t **items, uint64_t **spare, uint32_t n, const struct job_index *x,
			  const struct preempt *preempt)
{
	struct class_list list = { NULL, 0, 0 };
	uint64_t *classes = mem_alloc(x->n, sizeof(*classes)), last = UINT64_MAX;

	/* In the order of the source, which is kind to the cache. */
	for (uint32_t e = 0; e < x->n; e++) {
		classes[e] = class_of(x, preempt, e);
		if (classes[e] != last)
			add_class(&list, last = classes[e]);
	}
	if (list.count > 1) {
		qsort(list.classes, list.count, sizeof(*list.classes), compare_u64);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t e = (uint32_t)(*items)[i];

			(*items)[i] = item(class_number(&list, classes[e]), e);
		}
		radix_sort(items, spare, n, bits_of(list.count));
	}
	mem_free(classes);
	mem_free(list.classes);
}

static void sort_entries(struct queue_order *q, const struct job_index *x,
			 const struct preempt *preempt, const uint32_t *priority, bool basic)
{
	uint64_t *items = mem_alloc(q->count, sizeof(*items));
	uint64_t *spare = mem_alloc(q->count, sizeof(*spare));

	/* Descending priority is ascending complement. */
	for (uint32_t i = 0; i < q->count; i++)
		items[i] = item(basic ? 0 : ~priority[q->order[i]], q->order[i]);
	if (!basic)
		radix_sort(&items, &spare, q->count, 32);
	sort_by_class(&items, &spare, q->count, x, preempt);
	for (uint32_t i = 0; i < q->count; i++)
		q->order[i] = (uint32_t)items[i];
	mem_free(items);
	mem_free(spare);
}

/* Places overall and within each partition. */
static void number_places(struct queue_order *q, const struct job_index *x)
{
	uint32_t partitions = cluster_rows(x->cluster, TABLE_PARTITION);
	uint32_t *in_partition = mem_zalloc((size_t)partitions + 1, sizeof(*in_partition));

	memset(q->rank, 0, q->n * sizeof(*q->rank));
	for (uint32_t i = 0; i < q->count; i++) {
		uint32_t e = q->order[i], p = x->partition[e];

		q->rank[e] = i + 1;
		q->partition_rank[e] = ++in_partition[p == ROW_NONE ? partitions : p];
	}
	for (uint32_t e = 0; e < q->n; e++) {
		if (q->rank[e] == 0)
			q->rank[e] = q->partition_rank[e] = U32_UNKNOWN;
	}
	mem_free(in_partition);
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
void queue_order_ahead(struct queue_order *q, const struct job_index *x)
{
	bool *seen = mem_zalloc(cluster_rows(x->cluster, TABLE_JOB), sizeof(*seen));
	uint32_t ahead = 0;
	double hours = 0;

	q->ahead = mem_realloc(q->ahead, q->n, sizeof(*q->ahead));
	q->ahead_cpu_hours = mem_realloc(q->ahead_cpu_hours, q->n, sizeof(*q->ahead_cpu_hours));
	for (uint32_t e = 0; e < q->n; e++) {
		q->ahead[e] = U32_UNKNOWN;
		q->ahead_cpu_hours[e] = F64_UNKNOWN;
	}
	for (uint32_t i = 0; i < q->count; i++) {
		uint32_t e = q->order[i];
		bool again = seen[x->job[e]];

		q->ahead[e] = again ? ahead - x->tasks[e] : ahead;
		q->ahead_cpu_hours[e] = hours;
		if (again)
			continue;
		seen[x->job[e]] = true;
		ahead += x->tasks[e];
		hours += cpu_hours(x, e);
	}
	mem_free(seen);
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
	q->problem = preempt->cyclic ? "some QOS preempt each other in a cycle: they rank as equals"
				     : "";
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t e = x->by_submit[i];

		if (competes(x, e) && (basic || priority[e] != U32_UNKNOWN))
			q->order[q->count++] = e;
	}
	sort_entries(q, x, preempt, priority, basic);
	number_places(q, x);
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
