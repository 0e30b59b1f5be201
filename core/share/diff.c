/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

static const char *const compared[] = { "shares", "usage", "norm_usage", "fairshare", "rank" };
#define COMPARED (sizeof(compared) / sizeof(compared[0]))

/* ---- the view ------------------------------------------------------------------------------ */

static void give_text(const struct diff *d, uint32_t text, struct value *out)
{
	out->kind = VALUE_TEXT;
	out->text = text_get(d->texts, text);
}

static void get_object(const struct spot *spot, struct value *out)
{
	give_text(spot->context, ((const struct diff *)spot->context)->rows[spot->row].object, out);
}

static void get_column(const struct spot *spot, struct value *out)
{
	give_text(spot->context, ((const struct diff *)spot->context)->rows[spot->row].column, out);
}

static void get_before(const struct spot *spot, struct value *out)
{
	const struct diff *d = spot->context;

	past_give(d->texts, d->rows[spot->row].before, out);
}

static void get_after(const struct spot *spot, struct value *out)
{
	const struct diff *d = spot->context;

	past_give(d->texts, d->rows[spot->row].after, out);
}

static void get_difference(const struct spot *spot, struct value *out)
{
	double x = ((const struct diff *)spot->context)->rows[spot->row].difference;

	out->kind = f64_known(x) ? VALUE_REAL : VALUE_UNKNOWN;
	out->real = x;
}

const struct column diff_columns[] = {
	{ .name = "object", .title = "Object", .legend = "path of the association, or policy",
	  .format = COLUMN_PLAIN, .width = 24, .keep = 100, .left = true, .only = ~UINT32_C(0),
	  .get = get_object },
	{ .name = "column", .title = "Column", .legend = "what has changed of it",
	  .format = COLUMN_PLAIN, .width = 12, .keep = 99, .left = true, .only = ~UINT32_C(0),
	  .get = get_column },
	{ .name = "before", .title = "Before", .legend = "its value at the first time",
	  .format = COLUMN_RATIO, .width = 16, .decimals = 6, .keep = 98, .only = ~UINT32_C(0),
	  .get = get_before },
	{ .name = "after", .title = "After", .legend = "its value at the second time",
	  .format = COLUMN_RATIO, .width = 16, .decimals = 6, .keep = 97, .only = ~UINT32_C(0),
	  .get = get_after },
	{ .name = "difference", .title = "Difference", .legend = "after less before",
	  .format = COLUMN_RATIO, .width = 16, .decimals = 6, .keep = 96, .only = ~UINT32_C(0),
	  .get = get_difference },
};
const size_t diff_columns_count = sizeof(diff_columns) / sizeof(diff_columns[0]);

struct view diff_view(const struct diff *d)
{
	return (struct view){ .name = "diff", .columns = diff_columns,
			      .column_count = diff_columns_count, .context = d,
			      .rows = (uint32_t)d->count };
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* WHOLE is what the change is a part of; 0: the larger one of the two values. */
static void add_row(struct diff *d, const char *object, const char *column, double whole,
		    struct past_value before, struct past_value after)
{
	double a = past_number(before), b = past_number(after);
	struct diff_row *row;

	if (past_equal(before, after))
		return;
	d->rows = mem_grow(d->rows, &d->capacity, d->count + 1, sizeof(*d->rows));
	row = &d->rows[d->count];
	*row = (struct diff_row){ .object = text_intern(d->texts, object, strlen(object)),
				  .column = text_intern(d->texts, column, strlen(column)),
				  .before = before, .after = after, .difference = b - a,
				  .number = (uint32_t)d->count };
	if (!(whole > 0))
		whole = fmax(fabs(a), fabs(b));
	row->size = f64_known(row->difference) ? fabs(row->difference) / whole : INFINITY;
	d->count++;
}

static struct past_value cell(struct diff *d, const struct model *m, const char *name,
			      uint32_t row)
{
	const struct column *column = column_find(accounts_columns, accounts_columns_count, name,
						  strlen(name));
	struct view view = accounts_view(m);
	struct value v = { .kind = VALUE_UNKNOWN };

	if (row != ROW_NONE)
		column_get(column, view.context, row, &v);
	return past_keep(d->texts, &v);
}

/* What a change of column K is a part of. */
static double whole_of(size_t k, const struct cluster *c)
{
	const char *name = compared[k];

	if (strcmp(name, "usage") == 0)
		return cluster_f64(c, F_ASSOC_USAGE, 0);
	if (strcmp(name, "rank") == 0)
		return cluster_rows(c, TABLE_ASSOC);
	return strcmp(name, "shares") == 0 ? 0 : 1;
}

struct named {
	uint64_t key;
	uint32_t row;
};

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static struct named *names_of(const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	struct named *names = mem_alloc((size_t)n + 1, sizeof(*names));

	for (uint32_t i = 0; i < n; i++)
		names[i] = (struct named){ cluster_key(c, TABLE_ASSOC, i), i };
	qsort(names, n, sizeof(*names), compare_named);
	return names;
}

static uint32_t find_name(const struct named *names, const struct cluster *c, uint64_t key)
{
	struct named wanted = { key, 0 };
	const struct named *found = bsearch(&wanted, names, cluster_rows(c, TABLE_ASSOC),
					    sizeof(*names), compare_named);

	return found ? found->row : ROW_NONE;
}

/* The rows of X that are in Y, too, or only in X; BACK: X is the later one, and only these. */
static void diff_assocs(struct diff *d, const struct model *x, const struct model *y, bool back)
{
	struct named *names = names_of(y->cluster);
	char path[4096];

	for (uint32_t i = 0; i < cluster_rows(x->cluster, TABLE_ASSOC); i++) {
		uint64_t key = cluster_key(x->cluster, TABLE_ASSOC, i);
		uint32_t other = find_name(names, y->cluster, key);
		/* What came or went is told once. */
		size_t count = other == ROW_NONE ? 1 : back ? 0 : COMPARED;

		cluster_path(x->cluster, i, path, sizeof(path));
		for (size_t k = 0; k < count; k++) {
			struct past_value mine = cell(d, x, compared[k], i);
			struct past_value its = cell(d, y, compared[k], other);

			add_row(d, path, compared[k], whole_of(k, x->cluster), back ? its : mine,
				back ? mine : its);
		}
	}
	mem_free(names);
}

static struct past_value parameter(struct diff *d, const struct policy *p, size_t i)
{
	char text[POLICY_LIST_MAX + 128];
	enum policy_type type = policy_params[i].type;

	if (type == POLICY_U32 || type == POLICY_SECONDS)
		return (struct past_value){ .kind = VALUE_INT,
					    .integer = (int64_t)policy_number(p, i) };
	policy_value_text(p, i, text, sizeof(text));
	return (struct past_value){ .kind = VALUE_TEXT,
				    .text = text_intern(d->texts, text, strlen(text)) };
}

static void diff_policy(struct diff *d, const struct cluster *a, const struct cluster *b)
{
	enum policy_scheduler scheduler = policy_scheduler_of(cluster_meta(b)->kind);

	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_params[i].scheduler == scheduler)
			add_row(d, "policy", policy_params[i].name, 0,
				parameter(d, cluster_policy(a), i),
				parameter(d, cluster_policy(b), i));
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;

	if (x->size < y->size || x->size > y->size)
		return x->size > y->size ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

struct diff *diff_new(const struct model *before, const struct model *after)
{
	struct diff *d = mem_zalloc(1, sizeof(*d));

	d->texts = text_new();
	diff_policy(d, before->cluster, after->cluster);
	diff_assocs(d, before, after, false);
	diff_assocs(d, after, before, true);
	if (d->count > 0)
		qsort(d->rows, d->count, sizeof(*d->rows), compare_rows);
	return d;
}

void diff_free(struct diff *d)
{
	if (!d)
		return;
	text_free(d->texts);
	mem_free(d->rows);
	mem_free(d);
}
