/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts by one column after the other, the last one first; as each sort is stable, rows equal in a
 * column keep the order of those after it. A cell becomes one number that sorts like it.
 */
#include "core/table/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/table/order.h"

/*
 * Numbers sort before texts. Last in either direction come the values aside, then the unknown ones;
 * those with a known reason sort by it. The keys of numbers, in ascending order, are below KEY_TEXT
 * and not below its complement.
 */
#define KEY_TEXT (UINT64_C(0xfff1) << 48)	/* plus handle or rank */
#define KEY_ASIDE (UINT64_C(0xfff2) << 48)
#define KEY_WHY (UINT64_C(0xfff3) << 48)	/* plus handle or rank */
#define KEY_UNKNOWN UINT64_MAX

bool rows_falls_first(const struct column *column)
{
	return !column->left && !column->rises && column->format != COLUMN_TIME;
}

char rows_sign(const char **text)
{
	char sign = **text == '-' || **text == '+' ? **text : '\0';

	*text += sign != '\0';
	return sign;
}

bool rows_falls(char sign, const struct column *column)
{
	return sign == '-' || (sign != '+' && rows_falls_first(column));
}

bool rows_parse_sort(const char *text, const struct column *columns, size_t count,
		     struct row_order *order, struct err *err)
{
	const char *at = text;

	*order = (struct row_order){ .count = 0 };
	for (;;) {
		char sign = rows_sign(&at);
		size_t length = strcspn(at, ",");
		const struct column *column = column_find(columns, count, at, length);

		if (length == 0)
			return err_set(err, ERR_INPUT, "sort %s: a column is missing (expected "
				       "[+|-]column[,[+|-]column...])", text);
		if (!column) {
			column_unknown(columns, count, at, length, err);
			return err_prefix(err, "sort");
		}
		if (order->count == ROWS_SORT_MAX)
			return err_set(err, ERR_INPUT,
				       "sort %s: too many columns (expected at most %d)", text,
				       ROWS_SORT_MAX);
		order->keys[order->count++] = (struct sort_key){
			column, rows_falls(sign, column)
		};
		at += length;
		if (*at++ != ',')
			return true;
	}
}

/* The ascending key of a cell, with the handle of its text in TEXTS: a getter may reuse its own. */
static uint64_t rows_cell_key(struct text *texts, const struct view *view,
			      const struct column *column, uint32_t row)
{
	struct value v;
	double x = F64_UNKNOWN;

	column_get(column, view->context, row, &v);
	if (v.aside && v.kind != VALUE_UNKNOWN)
		return KEY_ASIDE;
	switch (v.kind) {
	case VALUE_UNKNOWN:
		if (v.why)
			return KEY_WHY + text_intern(texts, v.why, strlen(v.why));
		break;
	case VALUE_INT:
	case VALUE_BOOL:
		x = (double)v.integer;
		break;
	case VALUE_REAL:
		x = v.real;
		break;
	case VALUE_TEXT:
		return KEY_TEXT + text_intern(texts, v.text, strlen(v.text));
	case VALUE_MAP:
	case VALUE_LIST:
	case VALUE_RECORDS:
		x = v.count;
		break;
	}
	return isnan(x) ? KEY_UNKNOWN : ~order_key(x);
}

struct rows_text {
	const char *text;
	uint32_t handle;
};

static int rows_compare_texts(const void *a, const void *b)
{
	return strcmp(((const struct rows_text *)a)->text, ((const struct rows_text *)b)->text);
}

/* The rank of each text at half its handle: they are two bytes apart. The caller frees them. */
static uint32_t *rows_text_ranks(const struct text *texts)
{
	size_t length, at = TEXT_EMPTY, count = 0, capacity = 0;
	const char *bytes = text_bytes(texts, &length);
	uint32_t *ranks = mem_alloc(length / 2 + 1, sizeof(*ranks));
	struct rows_text *all = NULL;

	do {	/* there is always the empty text */
		MEM_GROW(all, capacity, count + 1);
		all[count++] = (struct rows_text){ bytes + at, (uint32_t)at };
		at += strlen(bytes + at) + 1;
	} while (at < length);
	qsort(all, count, sizeof(*all), rows_compare_texts);
	for (size_t i = 0; i < count; i++)
		ranks[all[i].handle / 2] = (uint32_t)i;
	mem_free(all);
	return ranks;
}

static void rows_order_by(const struct view *view, const struct sort_key *by,
			  struct order_item *items, uint32_t count)
{
	struct text *texts = text_new();
	uint32_t *ranks;

	for (uint32_t i = 0; i < count; i++)
		items[i].key = rows_cell_key(texts, view, by->column, items[i].row);
	ranks = rows_text_ranks(texts);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t key = items[i].key, kind = key >> 48 << 48;

		if (key != KEY_UNKNOWN && (kind == KEY_TEXT || kind == KEY_WHY))
			key = kind + ranks[(uint32_t)key / 2];
		items[i].key = by->descending && key < KEY_ASIDE ? ~key : key;
	}
	order_sort(items, items + count, count);
	mem_free(ranks);
	text_free(texts);
}

static void rows_order(const struct view *view, const struct row_order *order, uint32_t *rows,
		       uint32_t count)
{
	struct order_item *items = mem_alloc(2 * (size_t)count, sizeof(*items));

	for (uint32_t i = 0; i < count; i++)
		items[i] = (struct order_item){ .row = rows[i] };
	for (size_t k = order->count; k-- > 0;)
		rows_order_by(view, &order->keys[k], items, count);
	for (uint32_t i = 0; i < count; i++)
		rows[i] = items[i].row;
	mem_free(items);
}

uint32_t *rows_select(const struct view *view, const struct filter *filter,
		      const struct row_order *order, uint32_t *count)
{
	uint32_t *rows = mem_alloc((size_t)view->rows + 1, sizeof(*rows));
	uint32_t n = 0;

	for (uint32_t row = 0; row < view->rows; row++) {
		if (filter_match(filter, view, row))
			rows[n++] = row;
	}
	if (order && order->count > 0 && n > 1)
		rows_order(view, order, rows, n);
	*count = order && order->most > 0 && n > order->most ? order->most : n;
	return rows;
}

uint32_t rows_needs(const struct row_order *order)
{
	uint32_t needs = 0;

	for (size_t k = 0; order && k < order->count; k++)
		needs |= order->keys[k].column->needs;
	return needs;
}
