/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value: one cell on its way out, with unknown as a value. Borrowed, never owned.
 */
#ifndef FAIRTOP_CORE_BASE_VALUE_H
#define FAIRTOP_CORE_BASE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/unknown.h"

enum value_kind {
	VALUE_UNKNOWN, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_BOOL,
	VALUE_MAP,		/* key -> number or text */
	VALUE_LIST		/* of texts */
};

struct value_entry {
	const char *key;	/* NULL in a LIST */
	double number;		/* used when text is NULL */
	const char *text;
	const char *shown;	/* TEXT for people, "04:00:00" for 14400; NULL: the same */
};

struct value {
	enum value_kind kind;
	int64_t integer;	/* INT, BOOL */
	double real;		/* REAL; NaN is unknown */
	const char *text;	/* TEXT; may point into buffer */
	const struct value_entry *entries;	/* MAP, LIST (only text) */
	uint32_t count;
	char buffer[1024];	/* room for getters that format: paths of deep trees are long */
};

/*
 * The fewest significant digits that read back to the same double: plain from 1e-6 up to 17
 * digits before the point ("0.001", "1500000"), otherwise with an exponent ("1e+22", "5e-324").
 * "-0.0" keeps its sign; "inf", "-inf", "nan". Returns the length.
 */
#define VALUE_DOUBLE_MAX 32
size_t value_print_double(double x, char buf[VALUE_DOUBLE_MAX]);

#endif
