/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/column.h"

#include <string.h>

#include "core/base/near.h"

struct view view_of(const char *name, const struct column *columns, size_t column_count,
		    const void *context, size_t rows)
{
	return (struct view){ name, columns, column_count, context, (uint32_t)rows };
}

void column_get(const struct column *column, const void *context, uint32_t row, struct value *out)
{
	const struct position pos = { column, context, row };

	out->kind = VALUE_UNKNOWN;
	out->origin = VALUE_COMPUTED;
	out->why = NULL;
	out->aside = false;
	column->get(&pos, out);
}

void column_list_reported(const struct column *columns, size_t count, const void *context,
			  uint32_t row, struct value *out)
{
	struct value v;

	out->kind = VALUE_LIST;
	out->entries = out->few;
	out->count = 0;
	for (size_t i = 0; i < count && out->count < VALUE_FEW; i++) {
		if (!columns[i].reportable)
			continue;
		column_get(&columns[i], context, row, &v);
		if (v.kind != VALUE_UNKNOWN && v.origin == VALUE_REPORTED)
			out->few[out->count++] = (struct value_entry){ .text = columns[i].name };
	}
}

static bool column_is(const char *have, const char *name, size_t length)
{
	return have && strncmp(have, name, length) == 0 && have[length] == '\0';
}

const struct column *column_find(const struct column *columns, size_t count, const char *name,
				 size_t length)
{
	for (size_t i = 0; i < count; i++) {
		if (column_is(columns[i].name, name, length))
			return &columns[i];
	}
	for (size_t i = 0; i < count; i++) {
		if (column_is(columns[i].title, name, length))
			return &columns[i];
	}
	return NULL;
}

bool column_is_text(const struct column *column)
{
	return column->format == COLUMN_PLAIN && column->left;
}

/* Is it base_X or X_change? These exist only during a what-if (changes_columns.h). */
static bool column_compares(const char *name, size_t length)
{
	static const char base[] = "base_", change[] = "_change";

	return (length > sizeof(base) - 1 && memcmp(name, base, sizeof(base) - 1) == 0) ||
	       (length > sizeof(change) - 1 &&
		memcmp(name + length - (sizeof(change) - 1), change, sizeof(change) - 1) == 0);
}

bool column_unknown(const struct column *columns, size_t count, const char *name, size_t length,
		    struct err *err)
{
	char hint[128], names[ERR_MESSAGE_MAX];
	bool compared = false;
	size_t used = 0;
	struct near near;

	near_init(&near, name, length);
	names[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		size_t n = strlen(columns[i].name);

		near_offer(&near, columns[i].name);
		compared = compared || column_compares(columns[i].name, n);
		if (used + n + 2 < sizeof(names)) {
			if (used > 0)
				names[used++] = ' ';
			memcpy(names + used, columns[i].name, n + 1);
			used += n;
		}
	}
	if (!compared && column_compares(name, length))
		return err_set(err, ERR_INPUT,
			       "%.*s: no such column (comparison columns need a what-if)",
			       (int)(length < 64 ? length : 64), name);
	near_text(&near, hint, sizeof(hint));
	return err_set(err, ERR_INPUT, "%.*s: no such column (%s)",
		       (int)(length < 64 ? length : 64), name, hint[0] ? hint : names);
}
