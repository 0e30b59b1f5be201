/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/changes_columns.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/classes/classes_view.h"
#include "core/pools/pools.h"
#include "core/whatif/changes_pair.h"

/* How the rows of a view find their earlier values. */
struct changes_view {
	const char *view, *gain;
	/* The cell in the base: sets context and row, which stay NULL, ROW_NONE without one. */
	void (*base)(const struct position *now, struct position *base);
	void (*change)(const struct position *pos, struct value *out);
	/* Places that a row gains by another set of edits; NULL: not in this view. */
	double (*beside)(const struct changes_pair *v, size_t set, uint32_t row);
};

static void changes_columns_difference(const struct value *was, const struct value *is,
				       struct value *out)
{
	double a = value_number(was), b = value_number(is);

	if (was->kind == VALUE_REAL || is->kind == VALUE_REAL || !f64_known(a) || !f64_known(b))
		value_set_real(out, a == b ? 0 : b - a);
	else
		value_set_int(out, is->integer - was->integer);
}

void changes_by(const struct column *column, const struct value *was, const struct value *is,
		struct value *out)
{
	/* For ranks, smaller is better. */
	if (column->changes.places)
		changes_columns_difference(is, was, out);
	else
		changes_columns_difference(was, is, out);
}

/* ---- cells --------------------------------------------------------------------------------- */

static bool changes_columns_value_at(const struct position *pos, struct value *out)
{
	out->kind = VALUE_UNKNOWN;
	if (!pos->context || pos->row == ROW_NONE)
		return false;
	column_get(pos->column, pos->context, pos->row, out);
	return true;
}

static bool base_value(const struct changes_view *view, const struct position *now,
		       struct value *out)
{
	struct position base = { now->column->of ? now->column->of : now->column, NULL, ROW_NONE };

	if (view->base)
		view->base(now, &base);
	return changes_columns_value_at(&base, out);
}

static void changes_columns_get_base(const struct position *pos, struct value *out)
{
	(void)base_value(pos->column->data, pos, out);
}

static void get_change(const struct position *pos, struct value *out)
{
	struct value was, is;

	if (!base_value(pos->column->data, pos, &was) || was.kind == VALUE_UNKNOWN)
		return;
	column_get(pos->column->of, pos->context, pos->row, &is);
	changes_by(pos->column->of, &was, &is, out);
}

static void account_base(const struct position *now, struct position *base)
{
	const struct changes_pair *v = ((const struct model *)now->context)->changes;

	if (!v)
		return;
	base->context = v->base;
	base->row = changes_assoc(v, now->row);
}

static void job_base(const struct position *now, struct position *base)
{
	const struct changes_pair *v = ((const struct jobs *)now->context)->changes;

	if (!v || !v->base_jobs)
		return;
	base->context = v->base_jobs;
	base->row = changes_entry(v, now->row);
}

static double changes_columns_number_of(const struct value *map, const char *key)
{
	for (uint32_t i = 0; i < map->count; i++) {
		if (strcmp(map->entries[i].key, key) == 0)
			return map->entries[i].number;
	}
	return 0;	/* no weight, no points */
}

/* The terms of a map are in the jobs' own scratch; each becomes the difference. */
static void job_change(const struct position *pos, struct value *out)
{
	const struct jobs *j = pos->context;
	struct value was;

	get_change(pos, out);
	if (out->kind != VALUE_UNKNOWN || !base_value(pos->column->data, pos, &was) ||
	    was.kind != VALUE_MAP)
		return;
	column_get(pos->column->of, pos->context, pos->row, out);
	for (uint32_t i = 0; out->kind == VALUE_MAP && i < out->count; i++)
		j->scratch[i].number -= changes_columns_number_of(&was, j->scratch[i].key);
}

static void pool_base(const struct position *now, struct position *base)
{
	const struct pools *p = now->context;

	base->context = p->base;
	base->row = p->base ? pools_row(p->base, p->members[now->row]) : ROW_NONE;
}

static void class_base(const struct position *now, struct position *base)
{
	const struct classes_data *d = now->context;

	base->context = d->base;
	base->row = d->base ? d->base_class[now->row] : ROW_NONE;
}

/* Durations differ in seconds, though they are shown as 7-00:00:00. */
static void policy_change(const struct position *pos, struct value *out)
{
	struct policy_view plain = *(const struct policy_view *)pos->context, base;
	struct value was, is;

	if (!plain.what_if)
		return;
	plain.for_people = false;
	base = plain;
	base.what_if = base.policy;
	base.what_if_reset = base.next_reset;
	column_get(pos->column->of, &base, pos->row, &was);
	column_get(pos->column->of, &plain, pos->row, &is);
	changes_columns_difference(&was, &is, out);
	if (was.kind == VALUE_TEXT && is.kind == VALUE_TEXT && strcmp(was.text, is.text) != 0) {
		out->kind = VALUE_TEXT;
		out->text = "changed";
	}
}

static const struct changes_view views[] = {
	{ "accounts", "rank_change", account_base, get_change, changes_assoc_beside },
	{ "jobs", "rank_change", job_base, job_change, changes_entry_beside },
	{ "pools", "allotted_change", pool_base, get_change, NULL },
	{ "classes", "rank_change", class_base, get_change, NULL },
	{ "policy", "difference", NULL, policy_change, NULL },
};

static const struct changes_view *changes_columns_view_of(const char *name)
{
	for (size_t i = 0; name && i < sizeof(views) / sizeof(views[0]); i++) {
		if (strcmp(views[i].view, name) == 0)
			return &views[i];
	}
	return NULL;
}

bool changes_was(const struct changes_columns *c, const struct position *now,
		 const struct position *before, struct value *out)
{
	return before ? changes_columns_value_at(before, out) : base_value(c->view, now, out);
}

/* ---- the other sets ------------------------------------------------------------------------ */

static const struct {
	const char *name, *title;
} sets[WHATIF_SETS] = {
	{ "rank_change_a", "Set A" }, { "rank_change_b", "Set B" },
	{ "rank_change_c", "Set C" }, { "rank_change_d", "Set D" },
};

size_t changes_set(const struct column *column)
{
	size_t set = 0;

	while (set < WHATIF_SETS && column->name != sets[set].name)
		set++;
	return set;
}

static void changes_columns_get_set(const struct position *pos, struct value *out)
{
	const struct changes_view *view = pos->column->data;
	const struct changes_pair *v = view->base == job_base ?
				 ((const struct jobs *)pos->context)->changes :
				 ((const struct model *)pos->context)->changes;
	double places = v ? view->beside(v, changes_set(pos->column), pos->row) : F64_UNKNOWN;

	value_set_whole(out, places);
}

/* ---- the table ----------------------------------------------------------------------------- */

#define BESIDE_MAX (2 + WHATIF_SETS)	/* derived columns of one column */

struct changes_names {
	char base[48], change[48];
	char base_title[32], change_title[32];
};

static bool has_changes(const struct column *c)
{
	bool number = !c->left && c->format != COLUMN_TIME && c->format != COLUMN_DURATION;

	return !c->changes.none && (number || c->changes.name);
}

static uint8_t or_else(uint8_t given, unsigned otherwise)
{
	return given ? given : (uint8_t)otherwise;
}

/* A column derived from OF takes its format; its name goes to NAMES. */
static struct column changes_columns_beside(const struct column *of,
					    const struct changes_view *view)
{
	return (struct column){ .format = of->format, .unit = of->unit, .decimals = of->decimals,
				.hides = of->hides, .needs = of->needs, .of = of, .data = view };
}

static struct column base_column(const struct column *of, const struct changes_view *view,
				 struct changes_names *names)
{
	const struct column_changes *own = &of->changes;
	struct column c = changes_columns_beside(of, view);

	(void)snprintf(names->base, sizeof(names->base), "base_%s", of->name);
	(void)snprintf(names->base_title, sizeof(names->base_title), "%s was",
		       own->shape.title ? own->shape.title : of->title);
	c.name = names->base;
	c.title = names->base_title;
	c.legend = own->base_legend ? own->base_legend : "value without the what-if";
	c.width = or_else(own->shape.base_width, of->width);
	c.keep = or_else(own->shape.base_keep, 1);
	c.only = own->base_only;
	c.kind = COLUMN_BASE;
	c.get = changes_columns_get_base;
	return c;
}

static struct column change_column(const struct column *of, const struct changes_view *view,
				   struct changes_names *names)
{
	const struct column_changes *own = &of->changes;
	struct column c = changes_columns_beside(of, view);

	(void)snprintf(names->change, sizeof(names->change), "%s_change", of->name);
	(void)snprintf(names->change_title, sizeof(names->change_title), "%s diff",
		       own->shape.title ? own->shape.title : of->title);
	c.name = own->name ? own->name : names->change;
	c.title = own->heading ? own->heading : names->change_title;
	c.legend = own->legend ? own->legend : own->places ?
		   "ranks gained by the what-if; negative: lost" :
		   "value with the what-if minus the value without it";
	c.width = or_else(own->shape.width, of->width + 1U);
	c.keep = or_else(own->shape.keep, 1);
	c.only = own->only;
	c.kind = own->places ? COLUMN_PLACES : COLUMN_CHANGE;
	if (of->format == COLUMN_TIME) {
		c.format = COLUMN_DURATION;
		c.unit = UNIT_SECONDS;
	}
	c.get = view->change;
	return c;
}

static struct column set_column(const struct column *of, const struct changes_view *view,
				size_t set)
{
	struct column c = changes_columns_beside(of, view);

	c.name = sets[set].name;
	c.title = sets[set].title;
	c.legend = "ranks gained by this set of edits; negative: lost";
	c.width = 6;
	c.keep = 238;
	c.kind = COLUMN_PLACES;
	c.hides = false;	/* the user asked for it */
	c.get = changes_columns_get_set;
	return c;
}

struct changes_columns *changes_columns_new(const struct view *view, const struct column *extra,
					    bool with_sets)
{
	const struct changes_view *changes = changes_columns_view_of(view->name);
	struct changes_columns *c;
	size_t own = view->column_count + (extra != NULL);

	if (!changes)
		return NULL;
	c = mem_zalloc(1, sizeof(*c));
	c->columns = mem_alloc(own * (1 + BESIDE_MAX), sizeof(*c->columns));
	c->names = mem_alloc(own, sizeof(*c->names));
	memcpy(c->columns, view->columns, view->column_count * sizeof(*c->columns));
	if (extra)
		c->columns[own - 1] = *extra;
	c->own = c->count = own;
	c->view = changes;
	for (size_t i = 0; i < own; i++) {
		const struct column *of = i < view->column_count ? &view->columns[i] : extra;

		if (!has_changes(of))
			continue;
		if (changes->base)
			c->columns[c->count++] = base_column(of, changes, &c->names[i]);
		c->columns[c->count++] = change_column(of, changes, &c->names[i]);
		for (size_t k = 0; with_sets && changes->beside && k < WHATIF_SETS &&
		     strcmp(of->name, "rank") == 0; k++)
			c->columns[c->count++] = set_column(of, changes, k);
	}
	c->gain = column_find(c->columns, c->count, changes->gain, strlen(changes->gain));
	return c;
}

void changes_columns_join(struct changes_columns *c)
{
	struct column *joined = mem_alloc(c->count, sizeof(*joined));
	size_t n = 0, next = c->own;

	/* Derived columns follow the order of the view's columns. */
	for (size_t i = 0; i < c->own; i++) {
		const char *name = c->columns[i].name;

		if (next < c->count && c->columns[next].kind == COLUMN_BASE &&
		    c->columns[next].of->name == name)
			joined[n++] = c->columns[next++];
		joined[n++] = c->columns[i];
		while (next < c->count && c->columns[next].of->name == name)
			joined[n++] = c->columns[next++];
	}
	mem_free(c->columns);
	c->columns = joined;
	c->gain = column_find(joined, n, c->view->gain, strlen(c->view->gain));
}

void changes_columns_free(struct changes_columns *c)
{
	if (!c)
		return;
	MEM_FREE(c->columns, c->names, c);
}
