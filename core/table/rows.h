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
	uint32_t most;			/* rows that are selected; 0: all */
};

/*
 * What COLUMN alone is sorted by has on top what one looks for: the largest amount, the first name,
 * place, number or time.
 */
bool rows_falls_first(const struct column *column);

/* '-', '+' or 0 where *TEXT begins with neither; *TEXT is behind it. */
char rows_sign(const char **text);
bool rows_falls(char sign, const struct column *column);

/*
 * Parses "[+|-]col[,...]": + rising, - falling, else as rows_falls_first(). ERR_INPUT names the
 * unknown column.
 */
bool rows_parse_sort(const char *text, const struct column *columns, size_t count,
		     struct row_order *order, struct err *err);

/*
 * Row numbers that pass FILTER (NULL: all), sorted flat by ORDER (NULL: view order). Rows that are
 * equal in every key keep the order of the view; numbers stand before texts, those aside (value.h)
 * and then unknown last in either direction. The first ORDER->most of them. Owned by the caller.
 */
uint32_t *rows_select(const struct view *view, const struct filter *filter,
		      const struct row_order *order, uint32_t *count);

/* enum need of the columns that are compared. */
uint32_t rows_needs(const struct row_order *order);

#endif
