/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/lsf_share.h"
#include "core/whatif/whatif_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cluster/assoc_index.h"
#include "core/base/mem.h"

static double same_or_difference(double base, double value)
{
	/* Two infinities, or twice unknown, are no difference. */
	if (base == value || (isnan(base) && isnan(value)))
		return 0;
	return value - base;
}

void whatif_diff_put(struct whatif_diff *d, bool only_changed, struct whatif_row row)
{
	if (only_changed && same_or_difference(row.base, row.value) == 0 &&
	    !(row.rank_change < 0 || row.rank_change > 0))
		return;
	d->rows = mem_grow(d->rows, &d->capacity, (size_t)d->count + 1, sizeof(*d->rows));
	d->rows[d->count++] = row;
}

static double number_of(uint32_t x)
{
	return x == U32_UNKNOWN || x == U32_INFINITE ? F64_UNKNOWN : (double)x;
}

/* ---- accounts ------------------------------------------------------------------------------ */

/* Values of an association, in the order of the columns. */
enum assoc_column { A_SHARES, A_USAGE, A_S, A_U, A_R, A_F, A_LEVEL, A_DYNAMIC, A_RANK,
		    A_COLUMNS };

static const char *const assoc_columns[A_COLUMNS] = {
	"shares", "usage", "norm_shares", "norm_usage", "effective_ratio", "fairshare", "level_fs",
	"dynamic_priority", "rank",
};

static double pick(const double *values, uint32_t row)
{
	return values ? values[row] : F64_UNKNOWN;
}

static double assoc_value(const struct model *m, uint32_t row, unsigned column)
{
	const struct fs_result *r = m->fs;

	if (row == ROW_NONE)
		return F64_UNKNOWN;
	switch (column) {
	case A_SHARES:
		return number_of(cluster_u32(m->cluster, F_ASSOC_SHARES, row));
	case A_USAGE:
		return cluster_f64(m->cluster, F_ASSOC_USAGE, row);
	case A_S:
		return pick(r->norm_shares, row);
	case A_U:
		return pick(r->norm_usage, row);
	case A_R:
		return pick(r->effective_ratio, row);
	case A_F:
		return pick(r->fairshare, row);
	case A_LEVEL:
		return pick(r->level_fs, row);
	case A_DYNAMIC:
		return pick(r->algorithm == FS_LSF ? r->own[LSF_OWN_PRIORITY] : NULL, row);
	default:
		return r->rank ? number_of(r->rank[row]) : F64_UNKNOWN;
	}
}

static void add_assoc(struct whatif_diff *d, const struct whatif_side *s, uint32_t base,
		     uint32_t now, bool only_changed)
{
	double change = assoc_value(s->base, base, A_RANK) - assoc_value(s->model, now, A_RANK);

	for (unsigned c = 0; c < A_COLUMNS; c++) {
		struct whatif_row row = { .side = s, .kind = WHATIF_ASSOC, .base_row = base,
					  .row = now, .rank_change = change,
					  .column = assoc_columns[c] };

		row.base = assoc_value(s->base, base, c);
		row.value = assoc_value(s->model, now, c);
		if (isnan(row.base) && isnan(row.value))
			continue;
		if (only_changed && same_or_difference(row.base, row.value) == 0)
			continue;
		whatif_diff_put(d, false, row);
	}
}

static void add_accounts(struct whatif_diff *d, const struct whatif_side *s, bool only_changed)
{
	const struct cluster *base = s->base->cluster, *now = s->model->cluster;
	uint32_t n = cluster_rows(now, TABLE_ASSOC), was = cluster_rows(base, TABLE_ASSOC);
	struct assoc_index in_base = assoc_index_new(base), in_now = assoc_index_new(now);

	for (uint32_t i = 0; i < n; i++)
		add_assoc(d, s, assoc_of_id(&in_base, cluster_u32(now, F_ASSOC_ID, i)), i,
			  only_changed);
	for (uint32_t i = 0; i < was; i++) {
		if (assoc_of_id(&in_now, cluster_u32(base, F_ASSOC_ID, i)) == ROW_NONE)
			add_assoc(d, s, i, ROW_NONE, only_changed);
	}
	assoc_index_free(&in_base);
	assoc_index_free(&in_now);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static double rank_of(const struct jobs *j, uint32_t e)
{
	return e == ROW_NONE ? F64_UNKNOWN : number_of(j->order->rank[e]);
}

static double job_value(const struct jobs *j, uint32_t e, unsigned column)
{
	if (e == ROW_NONE)
		return F64_UNKNOWN;
	if (column == 0)
		return number_of(j->prio->priority[e]);
	if (column == 1)
		return rank_of(j, e);
	if (column == 2)
		return number_of(j->order->partition_rank[e]);
	return prio_term(j->prio, (enum prio_factor)(column - 3), e);
}

static void add_job(struct whatif_diff *d, const struct whatif_side *s, uint32_t base,
		     uint32_t now, bool only_changed)
{
	static const char *const names[] = { "priority", "rank", "partition_rank", "terms.age",
					     "terms.assoc", "terms.fairshare", "terms.jobsize",
					     "terms.partition", "terms.qos" };
	double change = rank_of(s->base_jobs, base) - rank_of(s->jobs, now);

	for (unsigned c = 0; c < sizeof(names) / sizeof(names[0]); c++) {
		struct whatif_row row = { .side = s, .kind = WHATIF_JOB, .base_row = base,
					  .row = now, .rank_change = change,
					  .column = names[c] };

		if (c >= 3 && s->base_jobs->prio->weight[c - 3] == 0 &&
		    s->jobs->prio->weight[c - 3] == 0)
			continue;
		row.base = job_value(s->base_jobs, base, c);
		row.value = job_value(s->jobs, now, c);
		if (!only_changed || same_or_difference(row.base, row.value) != 0)
			whatif_diff_put(d, false, row);
	}
}

static void add_jobs(struct whatif_diff *d, const struct whatif_side *s, bool only_changed)
{
	const struct job_index *x = s->jobs->index, *base = s->base_jobs->index;
	uint32_t at = 0;

	for (uint32_t e = 0; e < x->n; e++)
		add_job(d, s, versus_same_entry(x, e, base, &at), e, only_changed);
	at = 0;
	for (uint32_t e = 0; e < base->n; e++) {
		if (versus_same_entry(base, e, x, &at) == ROW_NONE)
			add_job(d, s, e, ROW_NONE, only_changed);
	}
}

/* ---- summary ------------------------------------------------------------------------------- */

static void summary(struct whatif_diff *d, const struct whatif_side *s, const char *column,
		    double base, double value)
{
	struct whatif_row row = { .side = s, .kind = WHATIF_SUMMARY, .column = column,
				  .base_row = ROW_NONE, .row = ROW_NONE, .base = base,
				  .value = value, .rank_change = F64_UNKNOWN };

	whatif_diff_put(d, false, row);
}

/* The entry that gains or loses most, if anyone does. */
static void add_extreme(struct whatif_diff *d, const struct whatif_side *s,
			const struct versus *v, const char *column, uint32_t entry)
{
	struct whatif_row row = { .side = s, .kind = WHATIF_JOB, .column = column, .row = entry };

	if (entry == ROW_NONE)
		return;
	row.base_row = versus_entry(v, entry);
	row.rank_change = versus_entry_moves(v, entry);
	row.base = rank_of(s->base_jobs, row.base_row);
	row.value = rank_of(s->jobs, row.row);
	whatif_diff_put(d, false, row);
}

static void summarize(struct whatif_diff *d, const struct whatif_side *s,
		      const struct versus *v)
{
	if (s->base_jobs && s->jobs) {
		summary(d, s, "jobs_moved", 0, v->moved);
		add_extreme(d, s, v, "largest_gain", v->gain);
		add_extreme(d, s, v, "largest_loss", v->loss);
		summary(d, s, "heads_changed", 0, v->heads);
	}
	if (s->model->tree->n == 0)
		return;
	summary(d, s, "jain", v->was.jain, v->is.jain);
	summary(d, s, "gini", v->was.gini, v->is.gini);
}

struct whatif_diff *whatif_diff_new(void)
{
	return mem_zalloc(1, sizeof(struct whatif_diff));
}

void whatif_diff_add(struct whatif_diff *d, const struct whatif_side *s, enum whatif_what what,
		     bool only_changed)
{
	bool both = s->base_jobs && s->jobs;
	struct versus *v;

	d->sides++;
	if (what == WHATIF_ACCOUNTS)
		add_accounts(d, s, only_changed);
	else if (what == WHATIF_JOBS && both)
		add_jobs(d, s, only_changed);
	else if (what == WHATIF_POOLS && s->base_pools && s->pools)
		whatif_diff_pools(d, s, only_changed);
	else if (what == WHATIF_CLASSES && s->base_classes && s->classes)
		whatif_diff_classes(d, s, only_changed);
	v = versus_new(s->base, s->model, both ? s->base_jobs : NULL, both ? s->jobs : NULL, NULL);
	summarize(d, s, v);
	versus_free(v);
}

void whatif_diff_free(struct whatif_diff *d)
{
	if (!d)
		return;
	mem_free(d->rows);
	mem_free(d);
}

/* ---- columns ------------------------------------------------------------------------------- */

static const struct whatif_row *row_of(const struct spot *spot)
{
	return &((const struct whatif_diff *)spot->context)->rows[spot->row];
}

static void job_name(const struct jobs *j, uint32_t entry, char *buf, size_t size)
{
	const struct cluster *c = j->model->cluster;
	uint32_t job = j->index->job[entry], task = cluster_u32(c, F_JOB_TASK, job);
	uint32_t array = cluster_u32(c, F_JOB_ARRAY, job);

	if (array != U32_UNKNOWN && array != 0 && task != U32_UNKNOWN)
		(void)snprintf(buf, size, "job:%u_%u", (unsigned)array, (unsigned)task);
	else
		(void)snprintf(buf, size, "job:%u", (unsigned)cluster_u32(c, F_JOB_ID, job));
}

static void group_name(const struct whatif_row *r, char *buf, size_t size)
{
	const struct pools *p = r->row == ROW_NONE ? r->side->base_pools : r->side->pools;
	uint32_t row = r->row == ROW_NONE ? r->base_row : r->row;

	if (r->kind == WHATIF_CLASS)
		(void)snprintf(buf, size, "class:%u", (unsigned)row);
	else
		(void)snprintf(buf, size, "queue:%s", p->queues[p->members[row]].name);
}

static void get_object(const struct spot *spot, struct value *out)
{
	const struct whatif_row *r = row_of(spot);
	const struct whatif_side *s = r->side;
	bool gone = r->row == ROW_NONE;

	out->kind = VALUE_TEXT;
	out->text = out->buffer;
	if (r->kind == WHATIF_SUMMARY)
		out->text = "summary";
	else if (r->kind == WHATIF_JOB)
		job_name(gone ? s->base_jobs : s->jobs, gone ? r->base_row : r->row, out->buffer,
			 sizeof(out->buffer));
	else if (r->kind == WHATIF_ASSOC)
		cluster_path(gone ? s->base->cluster : s->model->cluster,
			     gone ? r->base_row : r->row, out->buffer, sizeof(out->buffer));
	else
		group_name(r, out->buffer, sizeof(out->buffer));
}

static void get_set(const struct spot *spot, struct value *out)
{
	out->kind = VALUE_TEXT;
	out->text = row_of(spot)->side->set;
}

static void get_column(const struct spot *spot, struct value *out)
{
	out->kind = VALUE_TEXT;
	out->text = row_of(spot)->column;
}

static void put(const struct whatif_row *r, double x, struct value *out)
{
	if (r->column == assoc_columns[A_SHARES] && x == (double)SHARES_PARENT) {
		out->kind = VALUE_TEXT;
		out->text = "parent";
	} else if (f64_known(x)) {
		out->kind = VALUE_REAL;
		out->real = x;
	} else {
		out->kind = VALUE_UNKNOWN;
	}
}

static void get_base(const struct spot *spot, struct value *out)
{
	put(row_of(spot), row_of(spot)->base, out);
}

static void get_value(const struct spot *spot, struct value *out)
{
	put(row_of(spot), row_of(spot)->value, out);
}

static bool is_parent(const struct whatif_row *r)
{
	return r->column == assoc_columns[A_SHARES] &&
	       (r->base == (double)SHARES_PARENT || r->value == (double)SHARES_PARENT);
}

static void get_difference(const struct spot *spot, struct value *out)
{
	const struct whatif_row *r = row_of(spot);
	bool known = f64_known(r->base) && f64_known(r->value) &&
		     !(is_parent(r) && r->base != r->value);
	double difference = known ? same_or_difference(r->base, r->value) : F64_UNKNOWN;

	out->kind = f64_known(difference) ? VALUE_REAL : VALUE_UNKNOWN;
	out->real = difference;
}

static void get_rank_change(const struct spot *spot, struct value *out)
{
	const struct whatif_row *r = row_of(spot);

	out->kind = f64_known(r->rank_change) ? VALUE_INT : VALUE_UNKNOWN;
	out->integer = f64_known(r->rank_change) ? (int64_t)r->rank_change : 0;
}

#define ALWAYS UINT32_MAX

const struct column whatif_columns[] = {
	{ .name = "object", .title = "Object", .legend = "account, user or job; or summary",
	  .left = true, .only = ALWAYS, .get = get_object },
	{ .name = "column", .title = "Column", .legend = "which of its values", .left = true,
	  .only = ALWAYS, .get = get_column },
	{ .name = "base", .title = "Base", .legend = "as it is", .decimals = 6, .only = ALWAYS,
	  .get = get_base },
	{ .name = "value", .title = "What-if", .legend = "with the edits", .decimals = 6,
	  .only = ALWAYS, .get = get_value },
	{ .name = "difference", .title = "Difference", .legend = "what-if less base", .decimals = 6,
	  .only = ALWAYS, .get = get_difference },
	{ .name = "rank_change", .title = "Moves",
	  .legend = "places gained by the object; negative ones are lost", .only = ALWAYS,
	  .get = get_rank_change },
	{ .name = "set", .title = "Set", .left = true, .only = ALWAYS, .get = get_set,
	  .legend = "name of the set of edits, where several are compared (--beside)" },
};
const size_t whatif_columns_count = sizeof(whatif_columns) / sizeof(whatif_columns[0]);

struct view whatif_view(const struct whatif_diff *d)
{
	return (struct view){ .name = "whatif", .columns = whatif_columns,
			      .column_count = whatif_columns_count - (d->sides < 2), .context = d,
			      .rows = d->count };
}
