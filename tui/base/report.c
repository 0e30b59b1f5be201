/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/base/report.h"

#include <string.h>

#include "core/base/mem.h"

const char *const report_format_names[REPORT_FORMATS] = {
	[REPORT_TABLE] = "table", [REPORT_JSON] = "json", [REPORT_CSV] = "csv",
};

struct column_set {
	const struct column **columns;
	size_t count, capacity;
};

static void column_set_add(struct column_set *set, const struct column *column)
{
	for (size_t i = 0; i < set->count; i++) {
		if (set->columns[i] == column)
			return;
	}
	set->columns = mem_grow(set->columns, &set->capacity, set->count + 1,
				sizeof(const struct column *));
	set->columns[set->count++] = column;
}

static void column_set_remove(struct column_set *set, const struct column *column)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->count; i++) {
		if (set->columns[i] != column)
			set->columns[kept++] = set->columns[i];
	}
	set->count = kept;
}

static void column_set_default(struct column_set *set, const struct view *view,
			       enum report_format format, unsigned algorithm)
{
	for (size_t i = 0; i < view->column_count; i++) {
		if (format != REPORT_TABLE || view->columns[i].only & UINT32_C(1) << algorithm)
			column_set_add(set, &view->columns[i]);
	}
}

const struct column **report_columns(const struct view *view, const char *text,
				     enum report_format format, unsigned algorithm, size_t *count,
				     struct err *err)
{
	struct column_set set = { .count = 0 };

	if (!text || text[0] == '+' || text[0] == '-')
		column_set_default(&set, view, format, algorithm);
	while (text) {
		bool away = text[0] == '-';
		size_t length = strcspn(text += away || text[0] == '+', ",");
		const struct column *column = column_find(view->columns, view->column_count, text,
							  length);

		if (!column) {
			column_unknown(view->columns, view->column_count, text, length, err);
			mem_free(set.columns);
			return NULL;
		}
		if (away)
			column_set_remove(&set, column);
		else
			column_set_add(&set, column);
		text = text[length] ? text + length + 1 : NULL;
	}
	*count = set.count;
	return set.columns;
}

uint32_t report_needs(const struct column *const *columns, size_t count)
{
	uint32_t needs = 0;

	for (size_t i = 0; i < count; i++)
		needs |= columns[i]->needs;
	return needs;
}

uint32_t report_row(const struct report *r, uint32_t n, bool *failed, struct err *err)
{
	if (n < r->row_count)
		return r->rows[n];
	return r->more ? r->more(r->more_context, failed, err) : ROW_NONE;
}

bool report_write(const struct report *r, enum report_format format, struct sink out,
		  struct err *err)
{
	switch (format) {
	case REPORT_TABLE:
		return report_table(r, out, err);
	case REPORT_JSON:
		return report_json(r, out, err);
	case REPORT_CSV:
		return report_csv(r, out, err);
	case REPORT_FORMATS:
		break;
	}
	return err_set(err, ERR_INPUT, "format: unknown");
}

void report_free(struct report *r)
{
	mem_free(r->columns);
	mem_free(r->rows);
}
