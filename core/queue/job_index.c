/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/job_index.h"

#include <string.h>

#include "core/cluster/assoc_index.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/idmap.h"
#include "core/table/order.h"

/* The rows that a text refers to: "normal,high". */
struct name_list {
	uint32_t first, count;	/* into rows */
};

struct named_row {
	uint32_t row;		/* ROW_NONE: it was not read */
	const char *name;	/* NULL: none is named */
};

/* Such lists, shared by all jobs with equal texts. */
struct lists {
	const struct cluster *c;
	struct job_index *index;	/* holds the names that were not read */
	enum field name, order;		/* the named field; the rows' order, highest first */
	struct idmap by_text;		/* handle of a text to its index in lists */
	struct name_list *lists;
	size_t used, capacity;
	struct named_row *rows;
	size_t row_count, row_capacity;
};

struct resolver {
	const struct cluster *c;
	struct assoc_index assocs;
	struct idmap prio;	/* number of a job to its first row of PRIO */
	struct lists partitions, qos;
};

static void index_prio(struct resolver *r)
{
	const uint32_t *ids = cluster_col_u32(r->c, F_PRIO_JOB);

	for (uint32_t row = cluster_rows(r->c, TABLE_PRIO); ids && row > 0; row--)
		idmap_put(&r->prio, ids[row - 1], row - 1);
}

static uint32_t first_prio(const struct resolver *r, uint32_t id)
{
	return id == U32_UNKNOWN ? ROW_NONE : idmap_get(&r->prio, id, ROW_NONE);
}

/* Defaults: tier 1 of a partition, priority 0 of a QOS. */
static uint32_t index_order_of(const struct lists *l, uint32_t row)
{
	uint32_t order = row == ROW_NONE ? U32_UNKNOWN : cluster_u32(l->c, l->order, row);

	return order != U32_UNKNOWN ? order : l->order == F_PARTITION_TIER ? 1 : 0;
}

/*
 * Sorts like the scheduler: partitions of a job by PriorityTier and its QOS by their priority,
 * highest first; stable.
 */
static void sort_rows(const struct lists *l, struct named_row *rows, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		struct named_row row = rows[i];
		uint32_t j = i;

		for (; j > 0 && index_order_of(l, rows[j - 1].row) < index_order_of(l, row.row);
		     j--)
			rows[j] = rows[j - 1];
		rows[j] = row;
	}
}

size_t job_index_unread(const struct job_index *x, const char *name)
{
	size_t i = 0;

	/* X's own names are these same pointers. */
	while (i < x->unread_count && x->unread[i] != name &&
	       (!name || strcmp(x->unread[i], name) != 0))
		i++;
	return i;
}

static bool index_same_name(uint32_t row, const char *name, uint32_t other_row, const char *other)
{
	return row == other_row && (row != ROW_NONE || name == other ||
				    (name && other && strcmp(name, other) == 0));
}

bool job_index_same_place(const struct job_index *x, uint32_t e, const struct job_index *other,
			  uint32_t i)
{
	return index_same_name(x->partition[e], x->partition_name[e], other->partition[i],
			       other->partition_name[i]) &&
	       index_same_name(x->qos[e], x->qos_name[e], other->qos[i], other->qos_name[i]);
}

uint32_t job_index_match(const struct job_index *x, uint32_t e, const struct job_index *other,
			 uint32_t *at)
{
	uint32_t job = x->job[e];

	/* Jobs have the same rows in both; new ones come last. */
	while (*at < other->n && other->job[*at] < job)
		(*at)++;
	for (uint32_t i = *at; i < other->n && other->job[i] == job; i++) {
		if (job_index_same_place(x, e, other, i))
			return i;
	}
	/* Moved to another partition or QOS, but the same job. */
	return *at < other->n && other->job[*at] == job &&
			       (e == 0 || x->job[e - 1] != job) &&
			       (e + 1 == x->n || x->job[e + 1] != job)
		       ? *at : ROW_NONE;
}

/* Keeps a name without a row. */
static const char *keep_name(struct job_index *x, const char *name, size_t length)
{
	size_t i = 0;

	while (i < x->unread_count && (strncmp(x->unread[i], name, length) != 0 ||
				       x->unread[i][length] != '\0'))
		i++;
	if (i == x->unread_count) {
		MEM_GROW(x->unread, x->unread_capacity, i + 1);
		x->unread[x->unread_count++] = mem_strndup(name, length);
	}
	return x->unread[i];
}

static struct named_row index_read_name(const struct lists *l, const char *name, size_t length)
{
	struct named_row named = { cluster_row_named(l->c, l->name, name, length), NULL };

	if (named.row != ROW_NONE)
		named.name = cluster_text(l->c, l->name, named.row);
	else if (length > 0)
		named.name = keep_name(l->index, name, length);
	return named;
}

static struct name_list index_read_list(struct lists *l, uint32_t text)
{
	const char *s = text == TEXT_NONE ? "" : cluster_string(l->c, text);
	struct name_list list = { (uint32_t)l->row_count, 0 };

	do {
		size_t length = strcspn(s, ",");

		MEM_GROW(l->rows, l->row_capacity, l->row_count + 1);
		l->rows[l->row_count++] = index_read_name(l, s, length);
		list.count++;
		s += length;
	} while (*s++ == ',');
	sort_rows(l, l->rows + list.first, list.count);
	return list;
}

static struct name_list list_of(struct lists *l, uint32_t text)
{
	uint32_t at = idmap_get(&l->by_text, text, (uint32_t)l->used);

	if (at >= l->used) {
		MEM_GROW(l->lists, l->capacity, l->used + 1);
		l->lists[l->used++] = index_read_list(l, text);
		idmap_put(&l->by_text, text, at);
	}
	return l->lists[at];
}

static void lists_free(struct lists *l)
{
	idmap_free(&l->by_text);
	mem_free(l->lists);
	mem_free(l->rows);
}

/* ---- what a job is ------------------------------------------------------------------------- */

/* Compares by hand: nearly all words differ in the first letter, and every job calls this. */
static bool index_state_is(const char *state, const char *word)
{
	while (*word && *state == *word) {
		state++;
		word++;
	}
	return !*word && (!*state || *state == ' ' || *state == ',' || *state == '+');
}

static bool state_among(const char *state, const char *const *words, size_t count)
{
	size_t i = 0;

	while (state && i < count && !index_state_is(state, words[i]))
		i++;
	return state && i < count;
}

/*
 * Before its reservation begins a job has no eligible time, and the scheduler ignores it
 * (job_independent() of Slurm).
 */
static bool waits_for_reservation(const struct cluster *c, uint32_t job, const char *reason)
{
	int64_t eligible = cluster_i64(c, F_JOB_ELIGIBLE, job);

	return reason && strcmp(reason, "Reservation") == 0 &&
	       (eligible == I64_UNKNOWN || eligible == 0);
}

/* PBS starts the queue of a reservation when that begins. */
static bool reservation_has_not_begun(const struct cluster *c, uint32_t job)
{
	uint32_t queue;

	if (!cluster_text(c, F_JOB_RESERVATION, job))
		return false;	/* avoids searching for a queue */
	queue = cluster_queue_of(c, job);
	return queue != ROW_NONE && cluster_bool(c, F_QUEUE_STARTED, queue) == 0;
}

bool job_is_reserved(const struct cluster *c, uint32_t job)
{
	return cluster_has_text(c, F_JOB_RESERVATION, job);
}

enum job_kind job_kind_of(const struct cluster *c, uint32_t job)
{
	static const char *const running[] = { "RUNNING", "SUSPENDED", "CONFIGURING", "STOPPED",
					       "SIGNALING", "RESIZING", "STAGE_OUT" };
	static const char *const waiting[] = { "PENDING", "REQUEUED", "REQUEUE_HOLD",
					       "SPECIAL_EXIT", "RESV_DEL_HOLD", "EXPEDITING" };
	const char *state = cluster_text(c, F_JOB_STATE, job);
	const char *reason = cluster_text(c, F_JOB_REASON, job);

	if (state_among(state, running, sizeof(running) / sizeof(running[0])))
		return JOB_RUNNING;
	if (!state_among(state, waiting, sizeof(waiting) / sizeof(waiting[0])))
		return JOB_ENDED;
	if (cluster_u32(c, F_JOB_PRIORITY, job) == 0)
		return JOB_HELD;
	if ((reason && strcmp(reason, "BeginTime") == 0) ||
	    waits_for_reservation(c, job, reason) || reservation_has_not_begun(c, job))
		return JOB_FUTURE;
	if (reason &&
	    (strcmp(reason, "Dependency") == 0 || strcmp(reason, "DependencyNeverSatisfied") == 0))
		return JOB_DEPENDENT;
	return JOB_PENDING;
}

bool job_is_expedited(const struct cluster *c, uint32_t job)
{
	const char *state = cluster_text(c, F_JOB_STATE, job);

	return state && strcmp(state, "EXPEDITING") == 0;
}

uint32_t job_min_nodes(const struct cluster *c, uint32_t job, uint32_t node_tres)
{
	uint32_t nodes = cluster_u32(c, F_JOB_MIN_NODES, job);
	struct tres_list list = cluster_tres(c, F_JOB_TRES, job);

	if (nodes != U32_UNKNOWN)
		return nodes;
	for (uint32_t i = 0; i < list.count; i++) {
		if (list.items[i].tres == node_tres)
			return (uint32_t)list.items[i].count;
	}
	nodes = cluster_u32(c, F_JOB_NODES, job);
	return nodes == 1 ? 1 : U32_UNKNOWN;	/* the estimate is never below the minimum */
}

static uint32_t cpus_of(const struct cluster *c, uint32_t job)
{
	uint32_t cpus = cluster_u32(c, F_JOB_CPUS, job), most = cluster_u32(c, F_JOB_MAX_CPUS, job);

	if (cpus != U32_UNKNOWN && cpus != 0)
		return cpus;
	return most == U32_UNKNOWN ? cpus : most;
}

/* Is the text in FIELD of a PRIO row the name, or unknown? */
static bool index_fits(const struct cluster *c, enum field field, uint32_t row, const char *name)
{
	const char *have = cluster_text(c, field, row);

	return !have || (name && strcmp(have, name) == 0);
}

/*
 * The PRIO row of an entry; with only one row, that one. ONE_PARTITION, ONE_QOS: all rows share it.
 */
static uint32_t reported_of(const struct cluster *c, const struct resolver *r, uint32_t job,
			    const char *partition, bool one_partition, const char *qos,
			    bool one_qos)
{
	uint32_t id = cluster_u32(c, F_JOB_ID, job), rows = cluster_rows(c, TABLE_PRIO);

	for (uint32_t row = first_prio(r, id);
	     row < rows && cluster_u32(c, F_PRIO_JOB, row) == id; row++) {
		if (index_fits(c, F_PRIO_PARTITION, row, partition) &&
		    (one_partition || cluster_text(c, F_PRIO_PARTITION, row)) &&
		    (one_qos || index_fits(c, F_PRIO_QOS, row, qos)))
			return row;
	}
	return ROW_NONE;
}

static void add_entries(struct job_index *x, struct resolver *r, uint32_t job, uint32_t node_tres)
{
	const struct cluster *c = x->cluster;
	enum job_kind kind = job_kind_of(c, job);
	struct name_list list = list_of(&r->partitions, cluster_text_id(c, F_JOB_PARTITION, job));
	struct name_list qos = list_of(&r->qos, cluster_text_id(c, F_JOB_QOS, job));
	const char *tasks = cluster_text(c, F_JOB_TASKS, job);
	uint32_t assoc = assoc_of_job(&r->assocs, job);

	for (uint32_t i = 0; i < list.count * qos.count; i++) {
		const struct named_row *in = &r->partitions.rows[list.first + i / qos.count];
		const struct named_row *by = &r->qos.rows[qos.first + i % qos.count];
		uint32_t e = x->n++;

		x->job[e] = job;
		x->partition[e] = in->row;
		x->partition_name[e] = in->name;
		x->assoc[e] = assoc;
		x->qos[e] = by->row;
		x->qos_name[e] = by->name;
		x->kind[e] = (uint8_t)kind;
		if (kind == JOB_RUNNING)
			x->running[x->running_count++] = e;
		x->min_nodes[e] = job_min_nodes(c, job, node_tres);
		x->cpus[e] = cpus_of(c, job);
		x->several = x->several || list.count * qos.count > 1;
		x->tasks[e] = kind == JOB_RUNNING || kind == JOB_ENDED ? 1 : job_tasks(tasks);
		x->reported[e] = reported_of(c, r, job, in->name, list.count == 1, by->name,
					     qos.count == 1);
	}
}

/* ---- order of submission ------------------------------------------------------------------- */

/* Sorts by submit time, then job id (of the array, for its tasks), then task; stable in a job. */
static void sort_by_submit(struct job_index *x)
{
	const struct cluster *c = x->cluster;
	struct order_item *items = mem_alloc(x->n, 2 * sizeof(*items));

	for (uint32_t e = 0; e < x->n; e++) {
		uint32_t job = x->job[e], id = cluster_u32(c, F_JOB_ARRAY, job);

		id = id == U32_UNKNOWN || id == 0 ? cluster_u32(c, F_JOB_ID, job) : id;
		items[e].key = (uint64_t)id << 32 | cluster_u32(c, F_JOB_TASK, job);
		items[e].row = e;
	}
	order_sort(items, items + x->n, x->n);
	for (uint32_t i = 0; i < x->n; i++) {
		int64_t submit = cluster_i64(c, F_JOB_SUBMIT, x->job[items[i].row]);

		items[i].key = order_key_rising(submit == I64_UNKNOWN ? INT64_MAX : submit);
	}
	order_sort(items, items + x->n, x->n);
	for (uint32_t i = 0; i < x->n; i++)
		x->by_submit[i] = items[i].row;
	mem_free(items);
}

/* ---- totals -------------------------------------------------------------------------------- */

static uint32_t index_largest(const struct cluster *c, enum field field, uint32_t least)
{
	const uint32_t *values = cluster_col_u32(c, field);
	uint32_t max = least;

	for (uint32_t i = 0; values && i < cluster_rows(c, field_info[field].table); i++) {
		if (values[i] < U32_UNKNOWN && values[i] > max)
			max = values[i];
	}
	return max;
}

/* Is a name without a row in use? It may have the largest value. */
static bool misses_row(const struct job_index *x, const uint32_t *rows, const char *const *names)
{
	for (uint32_t e = 0; x->unread_count > 0 && e < x->n; e++) {
		if (rows[e] == ROW_NONE && names[e])
			return true;
	}
	return false;
}

static void index_count_nodes(struct job_index *x)
{
	const struct cluster *c = x->cluster;
	uint32_t hosts = cluster_rows(c, TABLE_HOST);
	bool reported = hosts > 0;
	uint64_t cpus = 0;

	x->nodes = hosts == 0 ? U32_UNKNOWN : hosts;
	x->node_cpus = hosts == 0 ? U32_UNKNOWN : cluster_u32(c, F_HOST_CPUS, 0);
	for (uint32_t i = 0; i < hosts; i++) {
		uint32_t n = cluster_u32(c, F_HOST_CPUS, i);

		reported = reported && n != U32_UNKNOWN;
		cpus += n;
		x->node_cpus = n == x->node_cpus ? n : U32_UNKNOWN;
	}
	x->cluster_cpus = !reported || cpus > U32_UNKNOWN - 1 ? U32_UNKNOWN : (uint32_t)cpus;
	/* The list is incomplete if a partition has more nodes. */
	for (uint32_t p = 0; p < cluster_rows(c, TABLE_PARTITION); p++) {
		uint32_t nodes = cluster_u32(c, F_PARTITION_NODES, p);

		if (nodes < U32_UNKNOWN && nodes > hosts)
			x->nodes = x->cluster_cpus = U32_UNKNOWN;
	}
}

uint32_t job_index_whole(const struct job_index *x, uint32_t e)
{
	const struct cluster *c = x->cluster;
	uint32_t n = x->min_nodes[e], each = x->node_cpus;

	if (cluster_bool(c, F_JOB_EXCLUSIVE, x->job[e]) != 1 || x->kind[e] >= JOB_RUNNING)
		return U32_UNKNOWN;
	return each == U32_UNKNOWN || n == U32_UNKNOWN || n > x->nodes ? U32_UNKNOWN : n * each;
}

static bool reports_nothing(const struct cluster *c, uint32_t row)
{
	int64_t site = cluster_i64(c, F_PRIO_SITE, row), nice = cluster_i64(c, F_PRIO_NICE, row);

	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		if (cluster_f64(c, factor_info[f].term, row) != 0)
			return false;
	}
	return cluster_tres(c, F_PRIO_TRES, row).count == 0 && (site == 0 || site == I64_UNKNOWN) &&
	       (nice == 0 || nice == I64_UNKNOWN);
}

/*
 * sprio prints a priority that was set to 1 like one whose terms are all 0. But with a weight for
 * size every job has a size term, or one so small that the priority is 1 either way.
 */
static bool is_set_to_one(const struct job_index *x, uint32_t e)
{
	return cluster_policy(x->cluster)->weight[PRIO_JOBSIZE] != 0 &&
	       cluster_u32(x->cluster, F_JOB_PRIORITY, x->job[e]) == 1 &&
	       reports_nothing(x->cluster, x->reported[e]);
}

/* Few sites set priorities by hand: the array exists only where one is. */
static void take_direct(struct job_index *x)
{
	for (uint32_t e = 0; e < x->n; e++) {
		uint32_t row = x->reported[e];
		uint32_t direct = row == ROW_NONE ? 0 : cluster_u32(x->cluster, F_PRIO_DIRECT, row);

		if (direct == 0 && row != ROW_NONE && is_set_to_one(x, e))
			direct = 1;
		if (direct == 0 || direct == U32_UNKNOWN)
			continue;
		if (!x->direct)
			x->direct = mem_zalloc(x->n, sizeof(*x->direct));
		x->direct[e] = direct;
	}
}

static uint32_t count_entries(struct resolver *r)
{
	uint64_t n = 0;

	for (uint32_t job = 0; job < cluster_rows(r->c, TABLE_JOB); job++)
		n += (uint64_t)list_of(&r->partitions,
				       cluster_text_id(r->c, F_JOB_PARTITION, job)).count *
		     list_of(&r->qos, cluster_text_id(r->c, F_JOB_QOS, job)).count;
	return n > UINT32_MAX / 2 ? 0 : (uint32_t)n;
}

static void index_allocate(struct job_index *x, uint32_t n)
{
	uint32_t **arrays[] = { &x->job, &x->partition, &x->assoc, &x->qos, &x->min_nodes, &x->cpus,
				&x->tasks, &x->reported, &x->by_submit };

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		*arrays[i] = mem_alloc(n, sizeof(uint32_t));
	x->partition_name = mem_alloc(n, sizeof(*x->partition_name));
	x->qos_name = mem_alloc(n, sizeof(*x->qos_name));
	x->kind = mem_alloc(n, sizeof(*x->kind));
	x->running = mem_alloc(n, sizeof(*x->running));
}

struct job_index *job_index_new(const struct cluster *c)
{
	struct job_index *x = mem_zalloc(1, sizeof(*x));
	struct resolver r = {
		.c = c,
		.partitions = { .c = c, .index = x, .name = F_PARTITION_NAME,
				.order = F_PARTITION_TIER },
		.qos = { .c = c, .index = x, .name = F_QOS_NAME, .order = F_QOS_PRIORITY },
	};
	uint32_t node_tres = cluster_find_tres(c, "node");

	x->cluster = c;
	r.assocs = assoc_index_new(c);
	index_prio(&r);
	index_allocate(x, count_entries(&r));
	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++)
		add_entries(x, &r, job, node_tres);
	take_direct(x);
	sort_by_submit(x);
	index_count_nodes(x);
	/* The scheduler's maximum of the partitions starts at 1; of QOS and associations at 0. */
	x->max_partition = misses_row(x, x->partition, x->partition_name) ? U32_UNKNOWN :
			   index_largest(c, F_PARTITION_JOB_FACTOR, 1);
	x->max_qos = misses_row(x, x->qos, x->qos_name) ? U32_UNKNOWN :
		     index_largest(c, F_QOS_PRIORITY, 0);
	x->max_assoc = index_largest(c, F_ASSOC_PRIORITY, 0);
	assoc_index_free(&r.assocs);
	idmap_free(&r.prio);
	lists_free(&r.partitions);
	lists_free(&r.qos);
	return x;
}

void job_index_free(struct job_index *x)
{
	if (!x)
		return;
	MEM_FREE(x->job, x->partition, x->assoc, x->qos, x->partition_name, x->qos_name);
	mem_free_texts(x->unread, x->unread_count);
	MEM_FREE(x->kind, x->running, x->min_nodes, x->cpus, x->tasks, x->reported, x->direct,
		 x->by_submit, x);
}
