/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetches every compared cell once; then a stable radix sort uses 64-bit keys in the order of the
 * first column, and a merge sort the runs in which these are equal.
 */
#include "core/table/rows.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

/*
 * Numbers sort before texts. Last in either direction come the values aside, then the unknown ones;
 * those with a known reason sort by it.
 */
enum rows_class { ROWS_NUMBER, ROWS_TEXT, ROWS_ASIDE, ROWS_WHY, ROWS_UNKNOWN };

struct rows_cell {
	enum rows_class class;
	double number;
	uint32_t text;		/* handle in rows_sorter.texts */
};

struct rows_item {
	uint64_t key;
	uint32_t index;		/* into rows and cells */
	enum rows_class class;
};

struct rows_sorter {
	const struct row_order *order;
	struct rows_cell *cells;	/* [key][index] */
	struct text *texts;		/* copies: a getter may reuse its buffer */
	uint32_t count;
};

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
			err_prefix(err, "sort");
			return false;
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

static struct rows_cell rows_number(double x)
{
	struct rows_cell cell = { .class = isnan(x) ? ROWS_UNKNOWN : ROWS_NUMBER, .number = x };

	return cell;
}

static struct rows_cell rows_cell(struct rows_sorter *s, const struct view *view,
				  const struct column *column, uint32_t row)
{
	struct rows_cell cell = { .class = ROWS_UNKNOWN };
	struct value v;

	column_get(column, view->context, row, &v);
	if (v.aside && v.kind != VALUE_UNKNOWN) {
		cell.class = ROWS_ASIDE;
		return cell;
	}
	switch (v.kind) {
	case VALUE_UNKNOWN:
		if (!v.why)
			return cell;
		cell.class = ROWS_WHY;
		cell.text = text_intern(s->texts, v.why, strlen(v.why));
		return cell;
	case VALUE_INT:
	case VALUE_BOOL:
		return rows_number((double)v.integer);
	case VALUE_REAL:
		return rows_number(v.real);
	case VALUE_TEXT:
		cell.class = ROWS_TEXT;
		cell.text = text_intern(s->texts, v.text, strlen(v.text));
		return cell;
	case VALUE_MAP:
	case VALUE_LIST:
	case VALUE_RECORDS:
		return rows_number(v.count);
	}
	return cell;
}

/* Returns an unsigned number that sorts like X. */
static uint64_t rows_key_number(double x)
{
	uint64_t bits;

	x += 0.0;		/* -0 is 0 */
	memcpy(&bits, &x, sizeof(bits));
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* The first eight bytes, big end first; a shorter text is padded with zeros. */
static uint64_t rows_key_text(const char *text)
{
	uint64_t key = 0;

	for (int i = 0; i < 8; i++) {
		key = key << 8 | (unsigned char)*text;
		if (*text)
			text++;
	}
	return key;
}

static struct rows_item rows_item(const struct rows_sorter *s, uint32_t index)
{
	const struct rows_cell *cell = &s->cells[index];
	struct rows_item item = { .index = index, .class = cell->class };

	if (cell->class == ROWS_NUMBER)
		item.key = rows_key_number(cell->number);
	else if (cell->class == ROWS_TEXT || cell->class == ROWS_WHY)
		item.key = rows_key_text(text_get(s->texts, cell->text));
	if (s->order->keys[0].descending && cell->class < ROWS_ASIDE)
		item.key = ~item.key;
	return item;
}

static int rows_compare_cells(const struct rows_sorter *s, const struct rows_cell *a,
			      const struct rows_cell *b, bool descending)
{
	int order;

	descending = descending && a->class < ROWS_ASIDE && b->class < ROWS_ASIDE;
	if (a->class != b->class)
		order = a->class < b->class ? -1 : 1;
	else if (a->class == ROWS_ASIDE || a->class == ROWS_UNKNOWN)
		order = 0;
	else if (a->class == ROWS_NUMBER)
		order = (a->number > b->number) - (a->number < b->number);
	else
		order = a->text == b->text ? 0 : strcmp(text_get(s->texts, a->text),
							text_get(s->texts, b->text));
	return descending ? -order : order;
}

static bool rows_after(const struct rows_sorter *s, const struct rows_item *a,
		       const struct rows_item *b)
{
	if (a->class == b->class && a->key != b->key)
		return a->key > b->key;
	for (size_t k = 0; k < s->order->count; k++) {
		const struct rows_cell *cells = s->cells + k * s->count;
		int order = rows_compare_cells(s, &cells[a->index], &cells[b->index],
					       s->order->keys[k].descending);

		if (order != 0)
			return order > 0;
	}
	return false;
}

/* Merges the sorted runs [from, middle) and [middle, to) of IN into OUT. */
static void rows_merge(const struct rows_sorter *s, const struct rows_item *in,
		       struct rows_item *out, size_t from, size_t middle, size_t to)
{
	size_t left = from, right = middle;

	for (size_t i = from; i < to; i++) {
		if (right >= to || (left < middle && !rows_after(s, &in[left], &in[right])))
			out[i] = in[left++];
		else
			out[i] = in[right++];
	}
}

/* Sorts COUNT items; SPARE holds as many. The result is in ITEMS. */
static void rows_merge_sort(const struct rows_sorter *s, struct rows_item *items,
			    struct rows_item *spare, size_t count)
{
	struct rows_item *from = items, *to = spare;

	for (size_t width = 1; width < count; width *= 2) {
		struct rows_item *swap = from;

		for (size_t at = 0; at < count; at += 2 * width) {
			size_t middle = at + width < count ? at + width : count;
			size_t end = middle + width < count ? middle + width : count;

			rows_merge(s, from, to, at, middle, end);
		}
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
}

/* Byte 8 is the class: descending order swaps numbers and texts, not the others. */
static unsigned rows_byte(const struct rows_item *item, unsigned byte, bool descending)
{
	if (byte < 8)
		return (unsigned)(item->key >> 8 * byte & 0xff);
	if (item->class >= ROWS_ASIDE)
		return item->class;
	return (item->class == ROWS_TEXT) != descending;
}

/* One stable pass; returns false, moving nothing, if the byte is equal in all items. */
static bool rows_radix_pass(const struct rows_item *from, struct rows_item *to, size_t count,
			    unsigned byte, bool descending)
{
	size_t place[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < count; i++)
		place[rows_byte(&from[i], byte, descending)]++;
	if (place[rows_byte(&from[0], byte, descending)] == count)
		return false;
	for (size_t i = 0; i < 256; i++) {
		size_t n = place[i];
		place[i] = sum;
		sum += n;
	}
	for (size_t i = 0; i < count; i++)
		to[place[rows_byte(&from[i], byte, descending)]++] = from[i];
	return true;
}

/* Are items with equal keys equal in everything that is compared? */
static bool rows_all_same(const struct rows_sorter *s, const struct rows_item *items, size_t count)
{
	if (s->order->count > 1)
		return count < 2;
	for (size_t i = 1; (items[0].class == ROWS_TEXT || items[0].class == ROWS_WHY) && i < count;
	     i++) {
		if (s->cells[items[i].index].text != s->cells[items[0].index].text)
			return false;
	}
	return true;
}

/* Sorts ITEMS; SPARE holds as many. Returns whichever of the two has the result. */
static struct rows_item *rows_sort(const struct rows_sorter *s, struct rows_item *items,
				   struct rows_item *spare)
{
	bool descending = s->order->keys[0].descending;

	for (unsigned byte = 0; byte <= 8; byte++) {
		struct rows_item *swap = items;

		if (!rows_radix_pass(items, spare, s->count, byte, descending))
			continue;
		items = spare;
		spare = swap;
	}
	for (size_t from = 0, to; from < s->count; from = to) {
		for (to = from + 1; to < s->count && items[to].class == items[from].class &&
				    items[to].key == items[from].key; to++)
			;
		if (!rows_all_same(s, items + from, to - from))
			rows_merge_sort(s, items + from, spare, to - from);
	}
	return items;
}

static void rows_order(const struct view *view, const struct row_order *order, uint32_t *rows,
		       uint32_t count)
{
	struct rows_sorter s = { .order = order, .count = count };
	struct rows_item *items = mem_alloc(2 * (size_t)count, sizeof(*items)), *sorted;
	uint32_t *copy = mem_alloc(count, sizeof(*copy));

	s.cells = mem_alloc(order->count * (size_t)count, sizeof(*s.cells));
	s.texts = text_new();
	for (size_t k = 0; k < order->count; k++) {
		for (uint32_t i = 0; i < count; i++)
			s.cells[k * count + i] = rows_cell(&s, view, order->keys[k].column,
							   rows[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		items[i] = rows_item(&s, i);
	sorted = rows_sort(&s, items, items + count);
	memcpy(copy, rows, count * sizeof(*rows));
	for (uint32_t i = 0; i < count; i++)
		rows[i] = copy[sorted[i].index];
	mem_free(copy);
	mem_free(items);
	mem_free(s.cells);
	text_free(s.texts);
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
