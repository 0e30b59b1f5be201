/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/changes_list.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/idmap.h"

#define COLUMNS (3 + PRIO_FACTORS)	/* of jobs; accounts have 9 */

/* The view whose rows are being compared, and the list. */
struct putting {
	struct changes_list *list;
	struct view was, is;
	const char *names[COLUMNS];		/* NULL: omitted */
	const struct column *columns[COLUMNS];	/* of the views; NULL: job_value() */
	size_t count, rank;			/* RANK: column in which smaller is better */
	const struct whatif_side *side;		/* of a what-if; NULL: of a diff */
	bool only_changed;
	/* Writes to ROOM, or returns a text of the owner. */
	const char *(*name)(const struct view *view, uint32_t row, char room[VALUE_ROOM]);
};

/* ---- one row ------------------------------------------------------------------------------- */

static struct past_value changes_real(double x)
{
	return (struct past_value){ .kind = f64_known(x) ? VALUE_REAL : VALUE_UNKNOWN, .real = x };
}

static struct past_value whole_number(uint32_t x)
{
	return changes_real(x == U32_UNKNOWN || x == U32_INFINITE ? F64_UNKNOWN : (double)x);
}

/* Two infinities do not differ. */
static double changes_difference(struct past_value was, struct past_value is)
{
	if (was.kind == VALUE_UNKNOWN || is.kind == VALUE_UNKNOWN)
		return F64_UNKNOWN;
	return past_equal(was, is) ? 0 : past_number(is) - past_number(was);
}

static struct past_value changes_text(struct changes_list *l, const char *text)
{
	return (struct past_value){ .kind = VALUE_TEXT,
				    .text = text_intern(l->texts, text, strlen(text)) };
}

static struct change *changes_put(struct changes_list *l, const char *object, const char *column,
				  struct past_value was, struct past_value is)
{
	struct change *row;

	MEM_GROW(l->rows, l->capacity, (size_t)l->count + 1);
	row = &l->rows[l->count];
	*row = (struct change){ .object = changes_text(l, object).text, .column = column,
				.was = was, .is = is, .difference = changes_difference(was, is),
				.places = F64_UNKNOWN, .kind = CHANGE_OTHER, .number = l->count };
	l->count++;
	return row;
}

/* WHOLE: the change is relative to this; 0: to the larger of the two values. */
static void put_sized(struct changes_list *l, enum change_kind kind, const char *object,
		      const char *column, double whole, struct past_value was, struct past_value is)
{
	struct change *row;

	if (past_equal(was, is))
		return;
	row = changes_put(l, object, column, was, is);
	row->kind = kind;
	if (!(whole > 0))
		whole = fmax(fabs(past_number(was)), fabs(past_number(is)));
	row->size = f64_known(row->difference) ? fabs(row->difference) / whole : INFINITY;
}

/* ---- objects ------------------------------------------------------------------------------- */

static struct past_value job_value(const struct jobs *j, uint32_t e, size_t column)
{
	if (column == 0)
		return whole_number(j->prio->priority[e]);
	if (column == 1)
		return whole_number(j->order->rank[e]);
	if (column == 2)
		return whole_number(j->order->partition_rank[e]);
	return changes_real(prio_term(j->prio, (enum prio_factor)(column - 3), e));
}

static struct past_value changes_cell(const struct putting *p, const struct view *view, size_t k,
				      uint32_t row)
{
	struct value v = { .kind = VALUE_UNKNOWN };

	if (row == ROW_NONE)
		return changes_real(F64_UNKNOWN);
	if (!p->columns[k])
		return job_value(view->context, row, k);
	column_get(p->columns[k], view->context, row, &v);
	return past_keep(p->list->texts, &v);
}

/* The value that a change of a column is relative to. */
static double whole_of(const char *name, const struct cluster *c)
{
	if (strcmp(name, "usage") == 0)
		return cluster_f64(c, F_ASSOC_USAGE, 0);
	if (strcmp(name, "rank") == 0)
		return cluster_rows(c, TABLE_ASSOC);
	return strcmp(name, "shares") == 0 ? 0 : 1;
}

/* Compares row WAS of the base with row IS of the other cluster; one may be ROW_NONE. */
static void changes_put_object(const struct putting *p, uint32_t was, uint32_t is)
{
	bool here = p->side ? is != ROW_NONE : was == ROW_NONE;
	const struct view *view = here ? &p->is : &p->was;
	/* In a diff an object that came or went gets one row. */
	size_t count = !p->side && (was == ROW_NONE || is == ROW_NONE) ? 1 : p->count;
	double places = past_number(changes_cell(p, &p->was, p->rank, was)) -
			past_number(changes_cell(p, &p->is, p->rank, is));
	const char *object = NULL;
	char room[VALUE_ROOM];

	for (size_t k = 0; k < count; k++) {
		struct past_value a = changes_cell(p, &p->was, k, was),
				  b = changes_cell(p, &p->is, k, is);
		struct change *row;

		if (!p->names[k] ||
		    (a.kind == VALUE_UNKNOWN && b.kind == VALUE_UNKNOWN && p->columns[k]))
			continue;
		if (p->only_changed && past_equal(a, b))
			continue;
		if (!object)
			object = p->name(view, here ? is : was, room);
		if (!p->side) {
			const struct model *m = view->context;

			put_sized(p->list, CHANGE_OTHER, object, p->names[k],
				  whole_of(p->names[k], m->cluster), a, b);
			continue;
		}
		row = changes_put(p->list, object, p->names[k], a, b);
		row->places = places;
		row->set = p->side->set;
	}
}

/*
 * Compares all rows of one side with those in OTHER (NULL: the same rows); then adds those of the
 * other side without a counterpart. OF_BASE: the one side is the base.
 */
static void changes_put_objects(const struct putting *p, const uint32_t *other, bool of_base)
{
	uint32_t n = of_base ? p->was.rows : p->is.rows, m = of_base ? p->is.rows : p->was.rows;
	bool *met = mem_zalloc((size_t)m + 1, sizeof(*met));

	for (uint32_t i = 0; i < n; i++) {
		uint32_t j = other ? other[i] : i;

		if (j != ROW_NONE)
			met[j] = true;
		changes_put_object(p, of_base ? i : j, of_base ? j : i);
	}
	for (uint32_t j = 0; j < m; j++) {
		if (!met[j])
			changes_put_object(p, of_base ? ROW_NONE : j, of_base ? j : ROW_NONE);
	}
	mem_free(met);
}

/* Takes the columns of LIST (NULL-ended) that the view has; RANK is one of them. */
static void changes_take_columns(struct putting *p, const char *const *list, const char *rank)
{
	for (; *list; list++) {
		const struct column *column = column_find(p->is.columns, p->is.column_count,
							  *list, strlen(*list));

		if (!column)
			continue;
		if (strcmp(*list, rank) == 0)
			p->rank = p->count;
		p->names[p->count] = *list;
		p->columns[p->count++] = column;
	}
}

/* ---- accounts ------------------------------------------------------------------------------ */

static const char *assoc_name(const struct view *view, uint32_t row, char room[VALUE_ROOM])
{
	return cluster_path_get(((const struct model *)view->context)->cluster, row, room);
}

static void changes_put_accounts(struct putting *p, const struct changes_pair *v)
{
	static const char *const columns[] = { "shares", "usage", "norm_shares", "norm_usage",
					       "effective_ratio", "fairshare", "level_fs",
					       "dynamic_priority", "rank", NULL };

	p->was = accounts_view(p->side->base);
	p->is = accounts_view(p->side->model);
	p->name = assoc_name;
	changes_take_columns(p, columns, "rank");
	changes_put_objects(p, v->assoc, false);
}

/* The row in ITS with the path, or the job, of each row of MINE. */
static uint32_t *changes_same_rows(const struct cluster *mine, const struct cluster *its,
				   enum table table)
{
	uint32_t n = cluster_rows(mine, table);
	uint32_t *rows = mem_alloc((size_t)n + 1, sizeof(*rows));
	struct idmap map = { .slots = NULL };

	for (uint32_t i = cluster_rows(its, table); i-- > 0; )
		idmap_put(&map, cluster_key(its, table, i), i);
	for (uint32_t i = 0; i < n; i++)
		rows[i] = idmap_get(&map, cluster_key(mine, table, i), ROW_NONE);
	idmap_free(&map);
	return rows;
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static const char *changes_job_at(const struct cluster *c, uint32_t job, char room[VALUE_ROOM])
{
	uint32_t task = cluster_u32(c, F_JOB_TASK, job), array = cluster_u32(c, F_JOB_ARRAY, job);

	if (array != U32_UNKNOWN && array != 0 && task != U32_UNKNOWN)
		(void)snprintf(room, VALUE_ROOM, "job:%u_%u", (unsigned)array, (unsigned)task);
	else
		(void)snprintf(room, VALUE_ROOM, "job:%u", (unsigned)cluster_u32(c, F_JOB_ID, job));
	return room;
}

static const char *changes_job_name(const struct view *view, uint32_t entry, char room[VALUE_ROOM])
{
	const struct jobs *j = view->context;

	return changes_job_at(j->model->cluster, j->index->job[entry], room);
}

/* Includes the terms that have a weight on either side. */
static void changes_put_jobs(struct putting *p, const struct changes_pair *v)
{
	static const char *const names[] = { "priority", "rank", "partition_rank" };
	const struct prio_result *was = p->side->base_jobs->prio, *is = p->side->jobs->prio;

	p->was = jobs_view(p->side->base_jobs);
	p->is = jobs_view(p->side->jobs);
	p->name = changes_job_name;
	p->rank = 1;
	memcpy(p->names, names, sizeof(names));
	for (unsigned f = 0; f < PRIO_FACTORS; f++) {
		if (was->weight[f] != 0 || is->weight[f] != 0)
			p->names[3 + f] = factor_info[f].change;
	}
	p->count = COLUMNS;
	changes_put_objects(p, v->entry, false);
}

/* ---- pools and classes --------------------------------------------------------------------- */

static const char *queue_name(const struct view *view, uint32_t row, char room[VALUE_ROOM])
{
	const struct pools *p = view->context;

	(void)snprintf(room, VALUE_ROOM, "queue:%s", p->queues[p->members[row]].name);
	return room;
}

static void changes_put_pools(struct putting *p)
{
	static const char *const columns[] = { "priority", "share", "entitled", "allotted",
					       "borrowed", "allocation_order", "dispatch_order",
					       "limit", NULL };

	const struct pools *is = p->side->pools;
	uint32_t *same = mem_alloc((size_t)is->queue_count + 1, sizeof(*same));

	p->was = pools_view(p->side->base_pools);
	p->is = pools_view(is);
	p->name = queue_name;
	assert(p->was.rows == p->is.rows);
	/* Its share may take a queue into its pool, and so to another row. */
	for (uint32_t row = 0; row < is->queue_count; row++)
		same[row] = pools_row(p->side->base_pools, is->members[row]);
	changes_take_columns(p, columns, "dispatch_order");
	changes_put_objects(p, same, false);
	mem_free(same);
}

static const char *changes_class_name(const struct view *view, uint32_t row, char room[VALUE_ROOM])
{
	(void)view;
	(void)snprintf(room, VALUE_ROOM, "class:%u", (unsigned)row);
	return room;
}

static void put_classes(struct putting *p)
{
	static const char *const columns[] = { "jobs", "waiting", "running", "users", "first_rank",
					       "last_rank", NULL };

	classes_set_base(p->side->classes, p->side->base_classes);
	p->was = classes_view(p->side->base_classes);
	p->is = classes_view(p->side->classes);
	p->name = changes_class_name;
	changes_take_columns(p, columns, "first_rank");
	changes_put_objects(p, p->side->classes->base_class, false);
}

/* ---- summary ------------------------------------------------------------------------------- */

static void changes_summary(struct changes_list *l, const char *set, const char *column,
			    struct past_value was, struct past_value is)
{
	struct change *row = changes_put(l, "summary", column, was, is);

	row->summary = true;
	row->set = set;
}

/* The entry that gains or loses most, if any. */
static void put_extreme(struct changes_list *l, const struct whatif_side *s,
			const struct changes_pair *v, const char *column, uint32_t entry)
{
	const struct view view = jobs_view(s->jobs);
	struct change *row;
	char room[VALUE_ROOM];

	assert(s->base_jobs && s->jobs);
	if (entry == ROW_NONE)
		return;
	row = changes_put(l, changes_job_name(&view, entry, room), column,
			  whole_number(s->base_jobs->order->rank[changes_entry(v, entry)]),
			  whole_number(s->jobs->order->rank[entry]));
	row->places = changes_entry_moves(v, entry);
	row->set = s->set;
}

static void changes_summarize(struct changes_list *l, const struct whatif_side *s,
			      const struct changes_pair *v)
{
	if (v->jobs) {
		changes_summary(l, s->set, "jobs_moved", changes_real(0), whole_number(v->moved));
		put_extreme(l, s, v, "largest_gain", v->gain);
		put_extreme(l, s, v, "largest_loss", v->loss);
		changes_summary(l, s->set, "heads_changed", changes_real(0),
				whole_number(v->heads));
	}
	if (s->model->tree->n == 0)
		return;
	changes_summary(l, s->set, "jain", changes_real(v->was.jain), changes_real(v->is.jain));
	changes_summary(l, s->set, "gini", changes_real(v->was.gini), changes_real(v->is.gini));
}

/* ---- what-if ------------------------------------------------------------------------------- */

struct changes_list *changes_list_new(void)
{
	struct changes_list *l = mem_zalloc(1, sizeof(*l));

	l->texts = text_new();
	return l;
}

void changes_list_free(struct changes_list *l)
{
	if (!l)
		return;
	text_free(l->texts);
	mem_free(l->rows);
	mem_free(l);
}

void changes_list_add(struct changes_list *l, const struct whatif_side *s, enum whatif_what what,
		      bool only_changed)
{
	bool both = s->base_jobs && s->jobs;
	struct changes_pair *v = changes_pair_new(s->base, s->model, both ? s->base_jobs : NULL,
						  both ? s->jobs : NULL, NULL);
	struct putting p = { .list = l, .side = s, .only_changed = only_changed };

	l->sides++;
	if (what == WHATIF_ACCOUNTS)
		changes_put_accounts(&p, v);
	else if (what == WHATIF_JOBS && both)
		changes_put_jobs(&p, v);
	else if (what == WHATIF_POOLS && s->base_pools && s->pools)
		changes_put_pools(&p);
	else if (what == WHATIF_CLASSES && s->base_classes && s->classes)
		put_classes(&p);
	changes_summarize(l, s, v);
	changes_pair_free(v);
}

/* ---- between two pictures ------------------------------------------------------------------ */

static struct past_value changes_parameter(struct changes_list *l, const struct policy *p, size_t i)
{
	char text[POLICY_LIST_MAX + 128];
	enum policy_type type = policy_params[i].type;

	if (type == POLICY_U32 || type == POLICY_SECONDS)
		return (struct past_value){ .kind = VALUE_INT,
					    .integer = (int64_t)policy_number(p, i) };
	policy_value_text(p, i, text, sizeof(text));
	return changes_text(l, text);
}

static void changes_put_policy(struct changes_list *l, const struct cluster *a,
			       const struct cluster *b)
{
	enum policy_scheduler scheduler = policy_scheduler_of(cluster_meta(b)->kind);

	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_params[i].scheduler == scheduler)
			put_sized(l, CHANGE_OTHER, "policy", policy_params[i].name, 0,
				  changes_parameter(l, cluster_policy(a), i),
				  changes_parameter(l, cluster_policy(b), i));
	}
}

static int changes_by_size(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->size < y->size || x->size > y->size)
		return x->size > y->size ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

static void changes_sort(struct changes_list *l)
{
	if (l->count > 0)
		qsort(l->rows, l->count, sizeof(*l->rows), changes_by_size);
}

struct changes_list *changes_between(const struct model *before, const struct model *after)
{
	static const char *const columns[] = { "shares", "usage", "norm_usage", "fairshare",
					       "rank", NULL };
	struct changes_list *l = changes_list_new();
	struct putting p = { .list = l, .was = accounts_view(before), .is = accounts_view(after),
			     .only_changed = true, .name = assoc_name };
	uint32_t *same = changes_same_rows(before->cluster, after->cluster, TABLE_ASSOC);

	changes_put_policy(l, before->cluster, after->cluster);
	changes_take_columns(&p, columns, "rank");
	changes_put_objects(&p, same, true);
	mem_free(same);
	changes_sort(l);
	return l;
}

/* ---- news ---------------------------------------------------------------------------------- */

static struct past_value job_state(struct changes_list *l, const struct cluster *c, uint32_t job)
{
	const char *state = job == ROW_NONE ? NULL : cluster_text(c, F_JOB_STATE, job);

	return state ? changes_text(l, state) : changes_real(F64_UNKNOWN);
}

static void changes_put_state(struct changes_list *l, enum change_kind kind,
			      const struct cluster *a, uint32_t was, const struct cluster *b,
			      uint32_t is)
{
	char room[VALUE_ROOM];
	const char *name =
		is == ROW_NONE ? changes_job_at(a, was, room) : changes_job_at(b, is, room);

	put_sized(l, kind, name, "state", 0, job_state(l, a, was), job_state(l, b, is));
}

/* A job that vanished has ended, even if it was only seen pending. */
static void put_states(struct changes_list *l, const struct cluster *a, const struct cluster *b)
{
	uint32_t *was = changes_same_rows(b, a, TABLE_JOB),
		 *is = changes_same_rows(a, b, TABLE_JOB);

	for (uint32_t i = 0; i < cluster_rows(b, TABLE_JOB); i++) {
		if (job_kind_of(b, i) == JOB_RUNNING &&
		    (was[i] == ROW_NONE || job_kind_of(a, was[i]) < JOB_RUNNING))
			changes_put_state(l, CHANGE_STARTED, a, was[i], b, i);
	}
	for (uint32_t i = 0; i < cluster_rows(a, TABLE_JOB); i++) {
		if (job_kind_of(a, i) != JOB_ENDED &&
		    (is[i] == ROW_NONE || job_kind_of(b, is[i]) == JOB_ENDED))
			changes_put_state(l, CHANGE_ENDED, a, i, b, is[i]);
	}
	mem_free(was);
	mem_free(is);
}

static void changes_put_ranks(struct changes_list *l, const struct changes_moment *before,
			      const struct changes_moment *after)
{
	const struct jobs *a = before->jobs, *b = after->jobs;
	const struct view view = jobs_view(b);
	struct idmap map = { .slots = NULL };
	char room[VALUE_ROOM];

	for (uint32_t e = 0; e < a->index->n; e++)
		idmap_put(&map, before->keys[e], e);
	for (uint32_t e = 0; e < b->index->n; e++) {
		uint32_t was = idmap_get(&map, after->keys[e], ROW_NONE);
		uint32_t rank = b->order->rank[e];

		if (was != ROW_NONE && rank != U32_UNKNOWN && a->order->rank[was] != U32_UNKNOWN)
			put_sized(l, CHANGE_RANKED, changes_job_name(&view, e, room), "rank", 1,
				  whole_number(a->order->rank[was]), whole_number(rank));
	}
	idmap_free(&map);
}

/* Rows whose ratio moved from one side of 1 to the other. */
static void put_crossed(struct changes_list *l, const struct model *a, const struct model *b)
{
	const char *name = b->fs->level_fs ? "level_fs" : "effective_ratio";
	const struct column *column = accounts_column(name);
	uint32_t *was = changes_same_rows(b->cluster, a->cluster, TABLE_ASSOC);
	char room[VALUE_ROOM];

	for (uint32_t i = 0; a->algo->id == b->algo->id && i < b->tree->n; i++) {
		struct value x = { .kind = VALUE_UNKNOWN }, y = x;

		if (was[i] == ROW_NONE)
			continue;
		column_get(column, a, was[i], &x);
		column_get(column, b, i, &y);
		if (x.kind == VALUE_REAL && y.kind == VALUE_REAL && (x.real > 1) != (y.real > 1))
			put_sized(l, CHANGE_CROSSED, cluster_path_get(b->cluster, i, room), name,
				  1, changes_real(x.real), changes_real(y.real));
	}
	mem_free(was);
}

void changes_add_news(struct changes_list *l, const struct changes_moment *before,
		      const struct changes_moment *after)
{
	/* Jobs that were not read have neither started nor ended. */
	if (before->model->running && after->model->running)
		put_states(l, before->model->cluster, after->model->cluster);
	if (before->jobs && after->jobs)
		changes_put_ranks(l, before, after);
	put_crossed(l, before->model, after->model);
	changes_sort(l);
}

#define SMALL 1e-3
#define SMALL_RANK 0.1

bool change_is_small(const struct change *change)
{
	const struct column *column = accounts_column(change->column);
	double by = fabs(change->difference), whole = 1;

	if (!f64_known(change->difference))
		return false;
	if (!column || column->format != COLUMN_RATIO)
		whole = fmax(fabs(past_number(change->was)), fabs(past_number(change->is)));
	return by < (change->kind == CHANGE_RANKED ? SMALL_RANK : SMALL) * whole;
}

/* ---- columns ------------------------------------------------------------------------------- */

static const struct change *changes_row_of(const struct position *pos)
{
	return &((const struct changes_list *)pos->context)->rows[pos->row];
}

static const struct text *texts_of(const struct position *pos)
{
	return ((const struct changes_list *)pos->context)->texts;
}

static void changes_get_object(const struct position *pos, struct value *out)
{
	value_set_text(out, text_get(texts_of(pos), changes_row_of(pos)->object));
}

static void changes_get_text(const struct position *pos, struct value *out)
{
	value_set_text(out, *(const char *const *)POSITION_MEMBER(pos, changes_row_of(pos)));
}

static void changes_get_value(const struct position *pos, struct value *out)
{
	const struct past_value *v = POSITION_MEMBER(pos, changes_row_of(pos));

	past_give(texts_of(pos), *v, out);
}

static void changes_get_difference(const struct position *pos, struct value *out)
{
	value_set_real(out, changes_row_of(pos)->difference);
}

static void get_rank_change(const struct position *pos, struct value *out)
{
	value_set_whole(out, changes_row_of(pos)->places);
}

#define OF(member) .which = offsetof(struct change, member)

const struct column whatif_columns[] = {
	{ .name = "object", .title = "Object", .legend = "account, user or job; or summary",
	  .path = true, .left = true, .only = ALWAYS, .get = changes_get_object },
	{ .name = "column", .title = "Column", .legend = "the quantity", .left = true,
	  .only = ALWAYS, .get = changes_get_text, OF(column) },
	{ .name = "base", .title = "Base", .legend = "value without the edits", .decimals = 6,
	  .only = ALWAYS, .get = changes_get_value, OF(was) },
	{ .name = "value", .title = "What-if", .legend = "value with the edits", .decimals = 6,
	  .only = ALWAYS, .get = changes_get_value, OF(is) },
	{ .name = "difference", .title = "Difference", .legend = "what-if minus base",
	  .decimals = 6, .only = ALWAYS, .get = changes_get_difference },
	{ .name = "rank_change", .title = "Moves",
	  .legend = "ranks gained by the object; negative: lost", .only = ALWAYS,
	  .get = get_rank_change },
	{ .name = "set", .title = "Set", .left = true, .only = ALWAYS, .get = changes_get_text,
	  OF(set), .legend = "name of the set of edits, where several are compared (--beside)" },
};
const size_t whatif_columns_count = sizeof(whatif_columns) / sizeof(whatif_columns[0]);

const struct column diff_columns[] = {
	{ .name = "object", .title = "Object", .legend = "path of the association, or policy",
	  .path = true, .width = 24, .keep = 100, .left = true, .only = ALWAYS,
	  .get = changes_get_object },
	{ .name = "column", .title = "Column", .legend = "the quantity that changed", .width = 12,
	  .keep = 99, .left = true, .only = ALWAYS, .get = changes_get_text,
	  OF(column) },
	{ .name = "before", .title = "Before", .legend = "its value at the first time",
	  .format = COLUMN_RATIO, .width = 16, .decimals = 6, .keep = 98, .only = ALWAYS,
	  .get = changes_get_value, OF(was) },
	{ .name = "after", .title = "After", .legend = "its value at the second time",
	  .format = COLUMN_RATIO, .width = 16, .decimals = 6, .keep = 97, .only = ALWAYS,
	  .get = changes_get_value, OF(is) },
	{ .name = "difference", .title = "Difference", .legend = "after minus before",
	  .format = COLUMN_RATIO, .width = 16, .decimals = 6, .keep = 96, .only = ALWAYS,
	  .get = changes_get_difference },
};
const size_t diff_columns_count = sizeof(diff_columns) / sizeof(diff_columns[0]);

struct view whatif_view(const struct changes_list *l)
{
	return view_of("whatif", whatif_columns, whatif_columns_count - (l->sides < 2), l,
		       l->count);
}

struct view diff_view(const struct changes_list *l)
{
	return view_of("diff", diff_columns, diff_columns_count, l, l->count);
}
