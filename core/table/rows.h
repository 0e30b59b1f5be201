/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rows: which rows of a view are shown, in which order.
 */
#ifndef FAIRTOP_CORE_TABLE_ROWS_H
#define FAIRTOP_CORE_TABLE_ROWS_H

#include "core/base/column.h"
#include "core/table/filter.h"

#define ROWS_SORT_MAX 4

struct sort_key {
	const struct column *column;
	bool descending;
};

struct row_order {
	struct sort_key keys[ROWS_SORT_MAX];
	size_t count;
	uint32_t most;			/* limit of selected rows; 0: all */
};

/*
 * Does sorting by COLUMN start with its largest value? Amounts do; names, places, ids and times
 * start with the first.
 */
bool rows_falls_first(const struct column *column);

/* Returns '-', '+', or 0 if *TEXT begins with neither; moves *TEXT past the sign. */
char rows_sign(const char **text);
bool rows_falls(char sign, const struct column *column);

/*
 * Parses "[+|-]col[,...]": + ascending, - descending, else as rows_falls_first(). ERR_INPUT names
 * the unknown column.
 */
bool rows_parse_sort(const char *text, const struct column *columns, size_t count,
		     struct row_order *order, struct err *err);

/*
 * Returns the rows that match FILTER (NULL: all), sorted flat by ORDER (NULL: view order), the
 * first ORDER->most of them. Rows equal in every key keep the order of the view; numbers come
 * before texts; values aside (value.h), then unknown ones come last in either direction. Caller
 * frees.
 */
uint32_t *rows_select(const struct view *view, const struct filter *filter,
		      const struct row_order *order, uint32_t *count);

/* Returns the enum need bits of the compared columns. */
uint32_t rows_needs(const struct row_order *order);

#endif
