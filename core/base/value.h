/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * value: the value of one cell, which may be unknown. Borrowed, never owned. NULL and "" stand for
 * an unknown text, NaN, I64_UNKNOWN and U32_UNKNOWN for an unknown number; "no limit" of an integer
 * (I64_INFINITE, U32_INFINITE) is the real number infinity.
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
	VALUE_LIST,		/* of texts */
	VALUE_RECORDS		/* of maps; the first entry of each is its text for people */
};

/*
 * Origin of a number that a scheduler reports and the engine computes: computed if all of its
 * inputs were read, else as the scheduler reported it, else unknown.
 */
enum value_origin {
	VALUE_COMPUTED,		/* or read, if nothing is to be computed */
	VALUE_REPORTED,		/* as the scheduler reported it: an input was not read */
	VALUE_DIFFERS		/* computed, and off the report by more than its digits allow */
};

struct value_entry {
	const char *key;	/* NULL in a LIST */
	double number;		/* used when text is NULL */
	const char *text;
	const char *shown;	/* TEXT for people, "04:00:00" for 14400; NULL: the same */
	bool bare;		/* shown to people without its key */
	bool begins;		/* in RECORDS: the first of a record */
};

#define VALUE_FEW 8
#define VALUE_ROOM 1024

struct value {
	enum value_kind kind;
	enum value_origin origin;
	bool aside;		/* sorts after all comparable values, in either direction */
	int64_t integer;	/* INT, BOOL */
	double real;		/* REAL; NaN is unknown */
	const char *text;	/* TEXT; may point into buffer */
	const char *why;	/* UNKNOWN: the reason, for people only; NULL: not known */
	const struct value_entry *entries;	/* MAP, LIST (only text), RECORDS */
	uint32_t count;
	struct value_entry few[VALUE_FEW];	/* storage of short lists; entries may point here */
	char buffer[VALUE_ROOM];	/* for getters that format */
};

static inline void value_set_text(struct value *out, const char *text)
{
	out->kind = text && *text ? VALUE_TEXT : VALUE_UNKNOWN;
	out->text = text;
}

static inline void value_set_real(struct value *out, double x)
{
	out->kind = f64_known(x) ? VALUE_REAL : VALUE_UNKNOWN;
	out->real = x;
}

static inline void value_set_int(struct value *out, int64_t x)
{
	out->kind = x == I64_UNKNOWN ? VALUE_UNKNOWN :
		    x == I64_INFINITE ? VALUE_REAL : VALUE_INT;
	out->integer = x;
	out->real = (double)INFINITY;
}

static inline void value_set_count(struct value *out, uint32_t x)
{
	value_set_int(out, x == U32_INFINITE ? I64_INFINITE : x == U32_UNKNOWN ? I64_UNKNOWN : x);
}

/* X is whole, without decimals: a place, a rank. */
static inline void value_set_whole(struct value *out, double x)
{
	value_set_int(out, f64_known(x) ? (int64_t)x : I64_UNKNOWN);
}

/* Returns the number, yes and no as 1 and 0; NaN if it is not a number. */
static inline double value_number(const struct value *v)
{
	return v->kind == VALUE_REAL ? v->real :
	       v->kind == VALUE_INT || v->kind == VALUE_BOOL ? (double)v->integer : F64_UNKNOWN;
}

/*
 * The fewest significant digits that read back to the same double: plain from 1e-6 up to 17
 * digits before the point ("0.001", "1500000"), otherwise with an exponent ("1e+22", "5e-324").
 * "-0.0" keeps its sign; "inf", "-inf", "nan". Returns the length.
 */
#define VALUE_DOUBLE_MAX 32
size_t value_print_double(double x, char buf[VALUE_DOUBLE_MAX]);

/*
 * Those digits for a finite X greater than zero, correctly rounded, without leading or trailing
 * zeros and not NUL-ended; returns how many. X = 0.DIGITS * 10^POINT.
 */
#define VALUE_DIGITS 17
int value_digits(double x, char digits[VALUE_DIGITS], int *point);

#endif
