/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Radix sort: entries start in order of submission (kept by the index); a stable sort by priority
 * follows, then one by what outranks it (level, reservation, tier), of which a cluster has a
 * handful. Two jobs are never compared.
 */
#include "core/queue/queue_order.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

#define RADIX_BITS 12
#define RADIX_SIZE (1U << RADIX_BITS)

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

static int compare_u64(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* The distinct classes in order. A cluster has a handful, and consecutive jobs mostly share one. */
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
	MEM_GROW(l->classes, l->capacity, l->count + 1);
	l->classes[l->count++] = class;
}

/* Fills q->classes with the number of each entry's class; returns how many there are. */
static size_t number_classes(struct queue_order *q, const struct job_index *x,
			     const struct preempt *preempt)
{
	struct class_list found = { NULL, 0, 0 }, sorted;
	uint64_t last = UINT64_MAX;
	uint32_t number = 0, *place;

	for (uint32_t e = 0; e < x->n; e++) {
		uint64_t class = class_of(x, preempt, e);

		if (class != last) {
			add_class(&found, last = class);
			number = class_number(&found, class);
		}
		q->classes[e] = number;
	}
	if (found.count > 1) {
		sorted = found;
		sorted.classes = mem_alloc(found.count, sizeof(*sorted.classes));
		place = mem_alloc(found.count, sizeof(*place));
		memcpy(sorted.classes, found.classes, found.count * sizeof(*sorted.classes));
		qsort(sorted.classes, sorted.count, sizeof(*sorted.classes), compare_u64);
		for (size_t i = 0; i < found.count; i++)
			place[i] = class_number(&sorted, found.classes[i]);
		for (uint32_t e = 0; e < x->n; e++)
			q->classes[e] = place[q->classes[e]];
		mem_free(place);
		mem_free(sorted.classes);
	}
	mem_free(found.classes);
	return found.count;
}

/* ---- sorting --------------------------------------------------------------------------------- */

/*
 * An item is one number: class, complement of the priority, entry, from the highest bit down. It
 * contains the entry, so a pass reads memory sequentially. If the three do not fit into 64 bits
 * (hundreds of millions of jobs), the class is left out and sorted by afterwards.
 */
struct item_layout {
	unsigned entry_bits, class_bits;
	bool with_class;
};

static unsigned order_bits_of(uint64_t count)
{
	unsigned bits = 0;

	while (count > UINT64_C(1) << bits)
		bits++;
	return bits;
}

static struct item_layout layout_of(uint32_t entries, size_t classes)
{
	struct item_layout l = { order_bits_of(entries), order_bits_of(classes), true };

	l.with_class = l.entry_bits + 32 + l.class_bits <= 64;
	return l;
}

/* One stable counting pass over DIGIT bits from bit SHIFT on. */
static void radix_pass(const uint64_t *from, uint64_t *to, uint32_t n, unsigned shift,
		       unsigned digit)
{
	uint32_t start[RADIX_SIZE] = { 0 }, sum = 0, mask = (1U << digit) - 1;

	for (uint32_t i = 0; i < n; i++)
		start[from[i] >> shift & mask]++;
	for (uint32_t d = 0; d <= mask; d++) {
		uint32_t here = start[d];

		start[d] = sum;
		sum += here;
	}
	for (uint32_t i = 0; i < n; i++)
		to[start[from[i] >> shift & mask]++] = from[i];
}

/* Sorts the items by BITS bits from bit LOW on, in as few passes as RADIX_BITS allow. */
static void radix_sort(struct queue_order *q, unsigned low, unsigned bits)
{
	unsigned passes = (bits + RADIX_BITS - 1) / RADIX_BITS;

	for (unsigned k = 0; k < passes; k++) {
		unsigned from = low + bits * k / passes, to = low + bits * (k + 1) / passes;
		uint64_t *swap = q->items;

		radix_pass(q->items, q->spare, q->count, from, to - from);
		q->items = q->spare;
		q->spare = swap;
	}
}

/* Competing entries in order of submission, which the stable sort keeps among equals. */
static void take_items(struct queue_order *q, const struct job_index *x, const uint32_t *priority,
		       bool basic, const struct item_layout *l)
{
	q->count = 0;
	q->doubt = U32_UNKNOWN;
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t e = x->by_submit[i];
		uint64_t key;

		if (!order_competes(x, e))
			continue;
		if (!basic && priority[e] == U32_UNKNOWN) {
			q->doubt = q->classes[e] < q->doubt ? q->classes[e] : q->doubt;
			continue;
		}
		key = basic ? 0 : ~priority[e];
		if (l->with_class)
			key |= (uint64_t)q->classes[e] << 32;
		q->items[q->count++] = key << l->entry_bits | e;
	}
}

static void sort_entries(struct queue_order *q, const struct job_index *x,
			 const struct preempt *preempt, const uint32_t *priority, bool basic)
{
	struct item_layout l;
	uint64_t mask;

	if (q->preempt != preempt) {
		assert(!q->borrows_classes);
		q->class_count = number_classes(q, x, preempt);
		q->preempt = preempt;
	}
	l = layout_of(x->n, q->class_count);
	mask = (UINT64_C(1) << l.entry_bits) - 1;
	take_items(q, x, priority, basic, &l);
	radix_sort(q, l.entry_bits, 32 + (l.with_class ? l.class_bits : 0));
	if (!l.with_class) {
		for (uint32_t i = 0; i < q->count; i++) {
			uint32_t e = (uint32_t)(q->items[i] & mask);

			q->items[i] = (uint64_t)q->classes[e] << l.entry_bits | e;
		}
		radix_sort(q, l.entry_bits, l.class_bits);
	}
	for (uint32_t i = 0; i < q->count; i++)
		q->order[i] = (uint32_t)(q->items[i] & mask);
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

void queue_order_again(struct queue_order *q, const struct job_index *x,
		       const struct policy *policy, const struct preempt *preempt,
		       const uint32_t *priority)
{
	bool basic = !policy_is_multifactor(policy);

	q->problem = preempt->cyclic ? "some QOS preempt each other in a cycle: they rank as equals"
				     : "";
	sort_entries(q, x, preempt, priority, basic);
	number_places(q, x);
}

static struct queue_order *queue_order_alloc(const struct job_index *x)
{
	struct queue_order *q = mem_zalloc(1, sizeof(*q));

	q->n = x->n;
	q->order = mem_alloc(x->n, sizeof(*q->order));
	q->rank = mem_alloc(x->n, sizeof(*q->rank));
	q->partition_rank = mem_alloc(x->n, sizeof(*q->partition_rank));
	q->items = mem_alloc(x->n, sizeof(*q->items));
	q->spare = mem_alloc(x->n, sizeof(*q->spare));
	return q;
}

struct queue_order *queue_order_new(const struct job_index *x, const struct policy *policy,
				    const struct preempt *preempt, const uint32_t *priority)
{
	struct queue_order *q = queue_order_alloc(x);

	q->classes = mem_alloc(x->n, sizeof(*q->classes));
	queue_order_again(q, x, policy, preempt, priority);
	return q;
}

struct queue_order *queue_order_over(const struct queue_order *base, const struct job_index *x,
				     const struct policy *policy, const struct preempt *preempt,
				     const uint32_t *priority)
{
	struct queue_order *q = queue_order_alloc(x);

	assert(base->n == x->n);
	q->classes = base->classes;
	q->class_count = base->class_count;
	q->borrows_classes = true;
	q->preempt = preempt;
	queue_order_again(q, x, policy, preempt, priority);
	return q;
}

void queue_order_free(struct queue_order *q)
{
	if (!q)
		return;
	mem_free(q->order);
	mem_free(q->rank);
	mem_free(q->partition_rank);
	mem_free(q->items);
	mem_free(q->spare);
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
