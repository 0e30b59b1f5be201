/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CSV by RFC 4180: a header line, quotes where needed; lines end in LF only, as other Unix tools
 * expect. A map becomes one field per key that any row has; unknown is empty.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/visible.h"
#include "tui/base/report.h"

/* The keys of a map column, in the order of their first appearance. */
struct csv_keys {
	char **keys;
	size_t count, capacity;
};

struct csv {
	const struct report *r;
	struct sink out;
	struct err *err;
	struct csv_keys *keys;		/* one per column; no keys: not a map */
	bool *is_map;
	bool failed, first;
};

static void csv_put(struct csv *c, const char *bytes, size_t length)
{
	c->failed = c->failed || !c->out.write(c->out.context, bytes, length, c->err);
}

/* Begins the next field of the line. */
static void csv_next(struct csv *c)
{
	if (!c->first)
		csv_put(c, ",", 1);
	c->first = false;
}

static void csv_end_line(struct csv *c)
{
	csv_put(c, "\n", 1);
	c->first = true;
}

static void csv_quoted(struct csv *c, const char *text, size_t length)
{
	const char *end = text + length, *quote;

	csv_put(c, "\"", 1);
	while ((quote = memchr(text, '"', (size_t)(end - text)))) {
		csv_put(c, text, (size_t)(quote + 1 - text));
		csv_put(c, "\"", 1);
		text = quote + 1;
	}
	csv_put(c, text, (size_t)(end - text));
	csv_put(c, "\"", 1);
}

static void csv_text(struct csv *c, const char *text)
{
	size_t length = strlen(text);
	char visible[1024];

	if (c->r->terminal && !visible_is_plain(text, length)) {
		visible_copy(visible, sizeof(visible), text, length);
		text = visible;
		length = strlen(visible);
	}
	/* Leading and trailing blanks are data: readers that strip fields keep quoted ones. */
	if (length == 0 || (!strpbrk(text, ",\"\r\n") && text[0] != ' ' && text[length - 1] != ' '))
		csv_put(c, text, length);
	else
		csv_quoted(c, text, length);
}

static void csv_real(struct csv *c, double x)
{
	char digits[VALUE_DOUBLE_MAX];

	if (f64_known(x))
		csv_put(c, digits, value_print_double(x, digits));
}

static void csv_int(struct csv *c, int64_t n)
{
	char digits[24];
	uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (n < 0)
		digits[--at] = '-';
	csv_put(c, digits + at, sizeof(digits) - at);
}

/* Whether entry I is written: of a record only its text. */
static bool report_csv_is_reported(const struct value *v, uint32_t i)
{
	return v->kind == VALUE_LIST || v->entries[i].begins;
}

static void csv_list(struct csv *c, const struct value *v)
{
	const char *between = v->kind == VALUE_LIST ? "," : "; ";
	char *joined;
	size_t size = 1, used = 0;

	for (uint32_t i = 0; i < v->count; i++)
		size += report_csv_is_reported(v, i) ? strlen(v->entries[i].text) + 2 : 0;
	joined = mem_alloc(size, 1);
	joined[0] = '\0';
	for (uint32_t i = 0; i < v->count; i++) {
		if (report_csv_is_reported(v, i))
			used += (size_t)sprintf(joined + used, "%s%s", i > 0 ? between : "",
						v->entries[i].text);
	}
	csv_text(c, joined);
	mem_free(joined);
}

static void csv_value(struct csv *c, const struct value *v)
{
	switch (v->kind) {
	case VALUE_UNKNOWN:
	case VALUE_MAP:
		return;
	case VALUE_INT:
		csv_int(c, v->integer);
		return;
	case VALUE_REAL:
		csv_real(c, v->real);
		return;
	case VALUE_TEXT:
		csv_text(c, v->text);
		return;
	case VALUE_BOOL:
		csv_text(c, v->integer ? "true" : "false");
		return;
	case VALUE_LIST:
	case VALUE_RECORDS:
		csv_list(c, v);
		return;
	}
}

static void csv_entry(struct csv *c, const struct value *v, const char *key)
{
	for (uint32_t i = 0; v->kind == VALUE_MAP && i < v->count; i++) {
		const struct value_entry *e = &v->entries[i];

		if (strcmp(e->key, key) != 0)
			continue;
		if (e->text)
			csv_text(c, e->text);
		else
			csv_real(c, e->number);
		return;
	}
}

static void csv_learn_key(struct csv_keys *keys, const char *key)
{
	for (size_t i = 0; i < keys->count; i++) {
		if (strcmp(keys->keys[i], key) == 0)
			return;
	}
	MEM_GROW(keys->keys, keys->capacity, keys->count + 1);
	keys->keys[keys->count++] = mem_strdup(key);
}

/*
 * Finds which columns are maps, and their keys. A column that is unknown in all rows looks like a
 * plain one and keeps its own, empty field.
 */
static void csv_learn(struct csv *c)
{
	const struct report *r = c->r;
	struct value v;

	for (size_t i = 0; i < r->column_count; i++) {
		for (uint32_t n = 0; n < r->row_count; n++) {
			column_get(r->columns[i], r->view.context, r->rows[n], &v);
			if (v.kind != VALUE_MAP && v.kind != VALUE_UNKNOWN)
				break;
			if (v.kind == VALUE_UNKNOWN)
				continue;
			c->is_map[i] = true;
			for (uint32_t k = 0; k < v.count; k++)
				csv_learn_key(&c->keys[i], v.entries[k].key);
		}
	}
}

/* "limits_grp_tres_cpu" for the column limits and the key "grp_tres.cpu". */
static void csv_key(struct csv *c, const char *column, const char *key)
{
	char name[512];
	size_t at;

	(void)snprintf(name, sizeof(name), "%s_%s", column, key);
	for (at = strlen(column); name[at]; at++) {
		if (name[at] == '.')
			name[at] = '_';
	}
	csv_next(c);
	csv_text(c, name);
}

static void csv_header(struct csv *c)
{
	for (size_t i = 0; i < c->r->column_count; i++) {
		if (!c->is_map[i]) {
			csv_next(c);
			csv_text(c, c->r->columns[i]->name);
		}
		for (size_t k = 0; k < c->keys[i].count; k++)
			csv_key(c, c->r->columns[i]->name, c->keys[i].keys[k]);
	}
	csv_end_line(c);
}

static void csv_row(struct csv *c, uint32_t row)
{
	struct value v;

	for (size_t i = 0; i < c->r->column_count; i++) {
		column_get(c->r->columns[i], c->r->view.context, row, &v);
		if (!c->is_map[i]) {
			csv_next(c);
			csv_value(c, &v);
		}
		for (size_t k = 0; k < c->keys[i].count; k++) {
			csv_next(c);
			csv_entry(c, &v, c->keys[i].keys[k]);
		}
	}
	csv_end_line(c);
}

bool report_csv(const struct report *r, struct sink out, struct err *err)
{
	struct csv c = { .r = r, .out = out, .err = err, .first = true };
	uint32_t row;

	c.keys = mem_zalloc(r->column_count + 1, sizeof(*c.keys));
	c.is_map = mem_zalloc(r->column_count + 1, sizeof(*c.is_map));
	csv_learn(&c);
	csv_header(&c);
	for (uint32_t n = 0; !c.failed && (row = report_row(r, n, &c.failed, err)) != ROW_NONE; n++)
		csv_row(&c, row);
	for (size_t i = 0; i < r->column_count; i++)
		mem_free_texts(c.keys[i].keys, c.keys[i].count);
	mem_free(c.keys);
	mem_free(c.is_map);
	return !c.failed;
}
