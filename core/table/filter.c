/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Evaluation of a filter; filter_parse.c makes the tree. */
#include "core/table/filter_private.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"

void filter_free(struct filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++) {
		mem_free(f->nodes[i].text);
		mem_free(f->nodes[i].key);
		match_free(f->nodes[i].match);
	}
	mem_free(f->nodes);
	mem_free(f->texts);
	mem_free(f);
}

uint32_t filter_needs(const struct filter *f)
{
	uint32_t needs = 0;

	for (size_t i = 0; f && i < f->count; i++) {
		if (f->nodes[i].column)
			needs |= f->nodes[i].column->needs;
		if (f->nodes[i].kind != FILTER_BARE)
			continue;
		for (size_t c = 0; c < f->text_count; c++)
			needs |= f->texts[c]->needs;
	}
	return needs;
}

bool filter_held(const struct filter *f, struct err *err)
{
	for (size_t i = 0; f && i < f->count; i++) {
		if (f->nodes[i].match && !match_held(f->nodes[i].match, err))
			return err_prefix(err, "filter"), false;
	}
	return true;
}

static bool filter_bare(const struct filter *f, const struct filter_node *n, const void *context,
			uint32_t row)
{
	struct value v;

	for (size_t c = 0; c < f->text_count; c++) {
		column_get(f->texts[c], context, row, &v);
		if (v.kind == VALUE_TEXT && word_holds(v.text, n->text))
			return true;
		if (v.kind != VALUE_LIST && v.kind != VALUE_MAP)
			continue;
		for (uint32_t i = 0; i < v.count; i++) {
			const struct value_entry *e = &v.entries[i];

			if ((e->text && word_holds(e->text, n->text)) ||
			    (e->shown && word_holds(e->shown, n->text)))
				return true;
		}
	}
	return false;
}

static bool filter_order(enum filter_op op, int order)
{
	switch (op) {
	case FILTER_EQ:
		return order == 0;
	case FILTER_NE:
		return order != 0;
	case FILTER_LT:
		return order < 0;
	case FILTER_LE:
		return order <= 0;
	case FILTER_GT:
		return order > 0;
	case FILTER_GE:
		return order >= 0;
	case FILTER_MATCHES:
	case FILTER_BEGINS:
		break;
	}
	return false;
}

static bool filter_text(const struct filter_node *n, const char *text)
{
	if (n->op == FILTER_MATCHES)
		return match_test(n->match, text, strlen(text));
	if (n->op == FILTER_BEGINS)
		return strncmp(text, n->text, strlen(n->text)) == 0;
	return filter_order(n->op, strcmp(text, n->text));
}

static bool filter_number(const struct filter_node *n, double x)
{
	char digits[32];

	if (isnan(x))
		return n->op == FILTER_NE;
	if (n->op == FILTER_MATCHES || n->op == FILTER_BEGINS || !n->is_number) {
		value_print_double(x, digits);
		return filter_text(n, digits);
	}
	return filter_order(n->op, x < n->number ? -1 : x > n->number);
}

/* A text among numbers ("parent" among shares) is neither less nor greater than a number. */
static bool filter_word(const struct filter_node *n, const char *text)
{
	bool order = n->op >= FILTER_LT && n->op <= FILTER_GE;

	return !(order && n->is_number && !column_is_text(n->column)) && filter_text(n, text);
}

/* "yes" and "no" mean true and false. */
static bool filter_bool(const struct filter_node *n, bool yes)
{
	const char *have = yes ? "true" : "false", *want = n->text;

	if (n->op == FILTER_MATCHES || n->op == FILTER_BEGINS)
		return filter_text(n, have);
	if (strcmp(want, "yes") == 0)
		want = "true";
	if (strcmp(want, "no") == 0)
		want = "false";
	return filter_order(n->op, strcmp(have, want));
}

/* One element that fits is enough; "!=" wants that no element is equal. */
static bool filter_list(const struct filter_node *n, const struct value *v)
{
	for (uint32_t i = 0; i < v->count; i++) {
		if (n->op == FILTER_NE && strcmp(v->entries[i].text, n->text) == 0)
			return false;
		if (n->op != FILTER_NE && filter_text(n, v->entries[i].text))
			return true;
	}
	return n->op == FILTER_NE;
}

/* As it is, or as people see it. */
static bool filter_entry(const struct filter_node *n, const struct value_entry *e)
{
	bool fits;

	if (!e->text)
		return filter_number(n, e->number);
	fits = filter_text(n, e->text);
	if (!e->shown)
		return fits;
	return n->op == FILTER_NE ? fits && filter_text(n, e->shown) :
				    fits || filter_text(n, e->shown);
}

/* The entry of a map that "column.key" names. */
static bool filter_map(const struct filter_node *n, const struct value *v)
{
	for (uint32_t i = 0; n->key && i < v->count; i++) {
		const struct value_entry *e = &v->entries[i];

		if (strcmp(e->key, n->key) != 0)
			continue;
		if (n->is_unknown)
			return (n->op == FILTER_NE) == (e->text || f64_known(e->number));
		return filter_entry(n, e);
	}
	return n->is_unknown ? n->op == FILTER_EQ : n->op == FILTER_NE;
}

static bool filter_compare(const struct filter_node *n, const void *context, uint32_t row)
{
	struct value v;

	column_get(n->column, context, row, &v);
	if (v.kind == VALUE_MAP && n->key)
		return filter_map(n, &v);
	if (n->is_unknown)
		return (v.kind == VALUE_UNKNOWN || (v.kind == VALUE_REAL && isnan(v.real))) ==
		       (n->op == FILTER_EQ);
	switch (v.kind) {
	case VALUE_UNKNOWN:
		return n->op == FILTER_NE;
	case VALUE_INT:
		return filter_number(n, (double)v.integer);
	case VALUE_REAL:
		return filter_number(n, v.real);
	case VALUE_TEXT:
		return filter_word(n, v.text);
	case VALUE_BOOL:
		return filter_bool(n, v.integer != 0);
	case VALUE_LIST:
		return filter_list(n, &v);
	case VALUE_MAP:
		break;
	}
	return n->op == FILTER_NE;
}

/* Depth is bounded by FILTER_DEPTH_MAX of the parser; chains of | and of terms are loops. */
static bool filter_eval(const struct filter *f, size_t at, const void *context, uint32_t row)
{
	const struct filter_node *n = &f->nodes[at];

	switch (n->kind) {
	case FILTER_AND:
		for (size_t i = n->first; i != FILTER_NONE; i = f->nodes[i].next) {
			if (!filter_eval(f, i, context, row))
				return false;
		}
		return true;
	case FILTER_OR:
		for (size_t i = n->first; i != FILTER_NONE; i = f->nodes[i].next) {
			if (filter_eval(f, i, context, row))
				return true;
		}
		return false;
	case FILTER_NOT:
		return !filter_eval(f, n->first, context, row);
	case FILTER_COMPARE:
		return filter_compare(n, context, row);
	case FILTER_BARE:
		return filter_bare(f, n, context, row);
	}
	return false;
}

bool filter_match(const struct filter *f, const struct view *view, uint32_t row)
{
	return !f || f->root == FILTER_NONE || filter_eval(f, f->root, view->context, row);
}
