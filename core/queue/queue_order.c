/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries start in order of submission (kept by the index); a stable sort by priority follows, then
 * one by what outranks it (level, reservation, tier).
 */
#include "core/queue/queue_order.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/table/order.h"

/* All that outranks the priority, packed so that smaller numbers come first. */
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
	return (uint64_t)!job_is_expedited(x->cluster, x->job[e]) << 63 | (uint64_t)level << 33 |
	       (uint64_t)(reserved ? 0 : 1) << 32 | (UINT32_MAX - tier);
}

static bool order_competes(const struct job_index *x, uint32_t e)
{
	/* The scheduler's queue has the jobs that could start if resources were free. */
	return x->kind[e] == JOB_PENDING;
}

static uint64_t *classes_of(const struct job_index *x, const struct preempt *preempt)
{
	uint64_t *classes = mem_alloc(x->n, sizeof(*classes));

	for (uint32_t e = 0; e < x->n; e++)
		classes[e] = class_of(x, preempt, e);
	return classes;
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* Competing entries in order of submission, which the stable sort keeps among equals. */
static void take_items(struct queue_order *q, const struct job_index *x, const uint32_t *priority,
		       bool basic, struct order_item *items)
{
	q->count = 0;
	q->doubt = UINT64_MAX;
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t e = x->by_submit[i];

		if (!order_competes(x, e))
			continue;
		if (basic || priority[e] != U32_UNKNOWN)
			items[q->count++] = (struct order_item){ basic ? 0 : ~priority[e], e, 0 };
		else if (q->classes[e] < q->doubt)
			q->doubt = q->classes[e];
	}
}

static void sort_entries(struct queue_order *q, const struct job_index *x, const uint32_t *priority,
			 bool basic)
{
	struct order_item *items = mem_alloc(x->n, 2 * sizeof(*items));

	take_items(q, x, priority, basic, items);
	order_sort(items, items + q->count, q->count);
	for (uint32_t i = 0; i < q->count; i++)
		items[i].key = q->classes[items[i].row];
	order_sort(items, items + q->count, q->count);
	for (uint32_t i = 0; i < q->count; i++)
		q->order[i] = items[i].row;
	mem_free(items);
}

/*
 * May a Slurm job of unknown priority come before entry E? In PBS and LSF only jobs that are not
 * considered have none.
 */
static bool is_doubtful(const struct queue_order *q, const struct job_index *x, uint32_t e)
{
	return q->classes[e] >= q->doubt &&
	       policy_scheduler_of(cluster_meta(x->cluster)->kind) == POLICY_OF_SLURM;
}

/* Ranks overall and per partition; partitions that were not read are separated by name. */
static void number_places(struct queue_order *q, const struct job_index *x)
{
	uint32_t partitions = cluster_rows(x->cluster, TABLE_PARTITION);
	uint32_t *in_partition = mem_zalloc(partitions + x->unread_count + 1,
					    sizeof(*in_partition));

	memset(q->rank, 0, q->n * sizeof(*q->rank));
	for (uint32_t i = 0; i < q->count; i++) {
		uint32_t e = q->order[i];
		size_t p = x->partition[e] != ROW_NONE ? x->partition[e] :
			   partitions + job_index_unread(x, x->partition_name[e]);

		if (is_doubtful(q, x, e))
			break;		/* nor is any rank after it known */
		q->rank[e] = i + 1;
		q->partition_rank[e] = ++in_partition[p];
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

/* A job in several partitions counts once, at its best rank. */
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

		if (is_doubtful(q, x, e))
			break;
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

/* Its classes are given. */
static struct queue_order *queue_order_make(const struct job_index *x, const struct policy *policy,
					    const struct preempt *preempt, const uint32_t *priority,
					    uint64_t *classes)
{
	struct queue_order *q = mem_zalloc(1, sizeof(*q));

	q->n = x->n;
	q->order = mem_alloc(x->n, sizeof(*q->order));
	q->rank = mem_alloc(x->n, sizeof(*q->rank));
	q->partition_rank = mem_alloc(x->n, sizeof(*q->partition_rank));
	q->classes = classes;
	q->problem = preempt->cyclic ? "some QOS preempt each other in a cycle: they rank as equals"
				     : "";
	sort_entries(q, x, priority, !policy_is_multifactor(policy));
	number_places(q, x);
	return q;
}

struct queue_order *queue_order_new(const struct job_index *x, const struct policy *policy,
				    const struct preempt *preempt, const uint32_t *priority)
{
	return queue_order_make(x, policy, preempt, priority, classes_of(x, preempt));
}

struct queue_order *queue_order_over(const struct queue_order *base, const struct job_index *x,
				     const struct policy *policy, const struct preempt *preempt,
				     const uint32_t *priority)
{
	struct queue_order *q;

	assert(base->n == x->n);
	q = queue_order_make(x, policy, preempt, priority, base->classes);
	q->borrows_classes = true;
	return q;
}

void queue_order_free(struct queue_order *q)
{
	if (!q)
		return;
	MEM_FREE(q->order, q->rank, q->partition_rank);
	if (!q->borrows_classes)
		mem_free(q->classes);
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
	if (!order_competes(x, a) || !order_competes(x, b))
		return QUEUE_NOT_RANKED;
	if (first >> 63 != second >> 63)
		return QUEUE_EXPEDITED;
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
