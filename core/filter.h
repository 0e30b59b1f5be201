/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter: the contract's filter language over any view.
 *
 *	expr = and { "|" and } ;  and = term { term } ;  term = "!" term | "(" expr ")" | column op value | text
 *	op   = "=" "!=" "<" "<=" ">" ">=" "~" (regular expression) "^=" (begins with)
 *
 * Numbers may end in K M G T (powers of 1024 are not meant: 1000) or %, durations in s m h d w. A bare text matches
 * any text column, case ignored. "unknown" is a value.
 */
#ifndef FAIRTOP_CORE_FILTER_H
#define FAIRTOP_CORE_FILTER_H

#include "core/column.h"

struct filter;

/* ERR_INPUT names the unknown column or the place where the text cannot be read. Columns are borrowed. */
struct filter *filter_parse(const char *text, const struct column *columns, size_t count, struct err *err);
void filter_free(struct filter *f);
bool filter_match(const struct filter *f, const struct view *view, uint32_t row);
uint32_t filter_needs(const struct filter *f);

#endif
