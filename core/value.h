/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value: one cell on its way out, with unknown as a value. Borrowed, never owned.
 */
#ifndef FAIRTOP_CORE_VALUE_H
#define FAIRTOP_CORE_VALUE_H

#include "core/cluster.h"

enum value_kind {
	VALUE_UNKNOWN, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_BOOL,
	VALUE_MAP,		/* key -> number or text */
	VALUE_LIST		/* of texts */
};

struct value_entry {
	const char *key;
	double number;		/* used when text is NULL */
	const char *text;
};

struct value {
	enum value_kind kind;
	int64_t integer;	/* INT, BOOL */
	double real;		/* REAL */
	const char *text;	/* TEXT; may point into buffer */
	const struct value_entry *entries;	/* MAP, LIST (only text) */
	uint32_t count;
	char buffer[256];	/* room for getters that format */
};

/*
 * Orders two values of one column: unknown last, numbers by size, texts by bytes.
 * VALUE_INT and VALUE_REAL compare with each other.
 */
int value_compare(const struct value *a, const struct value *b);

/* Shortest decimal text that reads back to the same double; "inf", "-inf", "nan". Returns the length. */
size_t value_print_double(double x, char buf[32]);

#endif
