/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table for people. Reads the rows twice: once for the widths of the columns, once to write them,
 * so that a million rows need no memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/visible.h"
#include "tui/base/report.h"

#define TABLE_GAP 2
#define TABLE_CELL_MAX 4096

/* Widths in terminal columns; numbers are split at the decimal point to align there. */
struct table_column {
	char header[96];
	size_t left, right;		/* before the decimal point; from it on */
	size_t width;
};

struct table_writer {
	const struct report *r;
	struct sink out;
	struct err *err;
	struct table_column *columns;
	char *line;			/* of the row being written */
	size_t used, capacity;
	size_t at;			/* terminal column */
	size_t blanks;			/* pending: written when text follows */
	bool failed;
};

static size_t table_char_width(uint32_t c)
{
	int width = wcwidth((wchar_t)c);

	return width < 0 ? 1 : (size_t)width;
}

static size_t table_width(const char *text)
{
	size_t length = strlen(text), width = visible_ascii(text, length);
	uint32_t c;

	for (size_t i = width; i < length;) {
		i += utf8_decode(text + i, length - i, &c);
		width += table_char_width(c);
	}
	return width;
}

/* Characters outside the terminal's locale are written as <U+XXXX>. */
static void table_put_name(char *out, const char *raw)
{
	char safe[TABLE_CELL_MAX];
	size_t length = strlen(raw), used = 0;
	uint32_t c;

	if (visible_ascii(raw, length) == length) {
		memcpy(out, raw, length + 1);
		return;
	}
	visible_copy(safe, sizeof(safe), raw, length);
	length = strlen(safe);
	for (size_t i = 0, step; i < length && used + 16 < TABLE_CELL_MAX; i += step) {
		step = utf8_decode(safe + i, length - i, &c);
		if (c >= 0x80 && MB_CUR_MAX == 1) {
			used += (size_t)snprintf(out + used, 16, "<U+%04X>", (unsigned)c);
			continue;
		}
		memcpy(out + used, safe + i, step);
		used += step;
	}
	out[used] = '\0';
}

static void report_table_cell(const struct report *r, size_t i, uint32_t row, char *out)
{
	char raw[TABLE_CELL_MAX / 4];
	struct value v;

	column_get(r->columns[i], r->view.context, row, &v);
	format_cell(r->columns[i], &v, r->local, raw, sizeof(raw));
	table_put_name(out, raw);
}

static void table_header(const struct column *column, char *header, size_t size)
{
	const char *unit = column->format == COLUMN_TIME || column->format == COLUMN_DURATION ? "" :
			   unit_name(column->unit);

	(void)snprintf(header, size, unit[0] ? "%s (%s)" : "%s", column->title, unit);
}

static void table_measure_cell(struct table_column *c, bool left, const char *text)
{
	size_t width = table_width(text), before = left ? width : strcspn(text, ".");

	if (before > width)
		before = width;
	if (before > c->left)
		c->left = before;
	if (width - before > c->right)
		c->right = width - before;
}

static void table_measure(struct table_writer *t)
{
	const struct report *r = t->r;
	/* Any order is right; that in memory is fast. */
	bool all = r->row_count == r->view.rows;
	char text[TABLE_CELL_MAX];

	for (size_t i = 0; i < r->column_count; i++) {
		struct table_column *c = &t->columns[i];
		size_t header;

		table_header(r->columns[i], c->header, sizeof(c->header));
		for (uint32_t n = 0; n < r->row_count; n++) {
			report_table_cell(r, i, all ? n : r->rows[n], text);
			table_measure_cell(c, r->columns[i]->left, text);
		}
		header = table_width(c->header);
		c->width = c->left + c->right > header ? c->left + c->right : header;
		if (r->more && !r->columns[i]->left && c->width < r->columns[i]->width)
			c->width = r->columns[i]->width;
	}
}

/* Makes the line LENGTH bytes longer. */
static char *table_room(struct table_writer *t, size_t length)
{
	t->line = mem_grow(t->line, &t->capacity, t->used + length, 1);
	t->used += length;
	return t->line + t->used - length;
}

/* Appends text to the line, up to the terminal's width. */
static void table_put(struct table_writer *t, const char *text)
{
	size_t length = strlen(text);

	for (size_t i = 0; i < length;) {
		size_t n = strcspn(text + i, " "), width;
		uint32_t c;

		if (n == 0) {
			t->blanks++;
			i++;
			continue;
		}
		n = width = visible_ascii(text + i, n);
		if (n == 0 || t->r->width > 0) {
			n = utf8_decode(text + i, length - i, &c);
			width = table_char_width(c);
		}
		if (t->r->width > 0 && t->at + t->blanks + width > t->r->width)
			return;
		if (t->blanks > 0)
			memset(table_room(t, t->blanks), ' ', t->blanks);
		memcpy(table_room(t, n), text + i, n);
		t->at += t->blanks + width;
		t->blanks = 0;
		i += n;
	}
}

/* WIDTH without what was USED of it; 0 if a row that came after the measured ones is wider. */
static size_t table_less(size_t width, size_t used)
{
	return width > used ? width - used : 0;
}

/* Puts TEXT in a field: left, right or at the decimal point. */
static void table_field(struct table_writer *t, size_t i, const char *text, bool header)
{
	const struct table_column *c = &t->columns[i];
	size_t width = table_width(text), before, end;

	if (i > 0)
		t->blanks += TABLE_GAP;
	if (t->r->columns[i]->left) {
		before = 0;
	} else if (header) {
		before = c->width - width;
	} else {
		before = strcspn(text, ".");
		before = table_less(c->width - c->right, before < width ? before : width);
	}
	end = table_less(c->width, before + width);
	t->blanks += before;
	table_put(t, text);
	t->blanks += end;
}

static void table_end_line(struct table_writer *t)
{
	*table_room(t, 1) = '\n';
	if (!t->failed && !t->out.write(t->out.context, t->line, t->used, t->err))
		t->failed = true;
	t->used = t->at = t->blanks = 0;
}

bool report_table(const struct report *r, struct sink out, struct err *err)
{
	struct table_writer t = { .r = r, .out = out, .err = err };
	char text[TABLE_CELL_MAX];
	uint32_t row;

	t.columns = mem_zalloc(r->column_count + 1, sizeof(*t.columns));
	table_measure(&t);
	for (size_t i = 0; i < r->column_count; i++)
		table_field(&t, i, t.columns[i].header, true);
	table_end_line(&t);
	for (uint32_t n = 0;
	     !t.failed && (row = report_row(r, n, &t.failed, err)) != ROW_NONE; n++) {
		for (size_t i = 0; i < r->column_count; i++) {
			report_table_cell(r, i, row, text);
			table_field(&t, i, text, false);
		}
		table_end_line(&t);
	}
	mem_free(t.columns);
	mem_free(t.line);
	return !t.failed;
}
