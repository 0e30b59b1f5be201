/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: the contract's filter language over any view.
 *
 *	expr = and { "|" and } ;  and = term { term } ;
 *	term = "!" term | "(" expr ")" | column op value | text
 *	op   = "=" "!=" "<" "<=" ">" ">=" "~" (regular expression) "^=" (begins with)
 *
 * A column is called by its name or its title; "column.key" is an entry of a map. Names, values and
 * texts may be in single or double quotes (\ before a quote inside). Numbers may end in K M G T
 * (powers of 1000) or %; where the unit is seconds also in s m h d w, and such parts add up: 1d12h.
 * A bare text matches any text column, ASCII case ignored. "unknown" is a value: it is equal to
 * nothing else, and neither less nor greater than anything. A list is equal to each of its
 * elements. Blanks are allowed around operators. The empty text matches every row. Regular
 * expressions are those of match.h.
 */
#ifndef FAIRTOP_CORE_TABLE_FILTER_H
#define FAIRTOP_CORE_TABLE_FILTER_H

#include "core/base/column.h"

struct filter;

/*
 * ERR_INPUT names the unknown column or where the text is invalid. Columns are borrowed. A filter
 * is used by one thread at a time (match.h).
 */
struct filter *filter_parse(const char *text, const struct column *columns, size_t count,
			    struct err *err);
void filter_free(struct filter *f);
/* A NULL filter matches every row and needs no data. */
bool filter_match(const struct filter *f, const struct view *view, uint32_t row);
/* False, ERR_INPUT: a regular expression took too long and was abandoned, so rows are missing. */
bool filter_held(const struct filter *f, struct err *err);
uint32_t filter_needs(const struct filter *f);

#endif
