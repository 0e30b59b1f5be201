/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_pull: reads JSON (RFC 8259) from memory, value by value, without building a document.
 *
 * Strict: one value, UTF-8 only, no control characters in strings, no NUL (\u0000 neither), no lone
 * surrogates, no number that overflows a double. Nothing is allocated: strings are unescaped in
 * place and borrowed while the text exists. The first problem sticks: every function then returns
 * false or PULL_ERROR, so a caller may check once, at the end.
 *
 *	struct pull_value key, v;
 *	if (pull_value(&p, &v) == PULL_OBJECT)
 *		while (pull_member(&p, &key))
 *			pull_skip(&p, pull_value(&p, &v));
 *	ok = pull_end(&p);
 */
#ifndef FAIRTOP_CORE_BASE_JSON_PULL_H
#define FAIRTOP_CORE_BASE_JSON_PULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PULL_DEPTH_MAX 64

struct pull {
	char *start, *at, *end;
	uint64_t objects;	/* bit per open container: is it an object? */
	unsigned depth;
	bool infinity;		/* set it to read Infinity as a number, NaN as null */
	bool fresh;		/* a container was opened and nothing of it read yet */
	const char *problem;	/* what was expected, NULL if there is no problem */
	size_t column;		/* of the problem, from 1 */
};

enum pull_kind {
	PULL_ERROR, PULL_NULL, PULL_BOOL,
	PULL_INT,		/* written without point and exponent, fits int64_t */
	PULL_REAL,		/* any other number; real is set for PULL_INT, too */
	PULL_STRING,
	PULL_ARRAY, PULL_OBJECT	/* opened: read on with pull_element(), pull_member() */
};

struct pull_value {
	enum pull_kind kind;
	bool boolean;
	int64_t integer;
	double real;
	const char *string;	/* NUL-ended */
	size_t length;
};

/* TEXT[LENGTH] must exist: it is set to NUL, which stops every scan. */
void pull_init(struct pull *p, char *text, size_t length);

/* Reads the next value; of a container only its opening. Returns v->kind. */
enum pull_kind pull_value(struct pull *p, struct pull_value *v);

/* In an object: reads the next key; false at its end (then passed) or on a problem. */
bool pull_member(struct pull *p, struct pull_value *key);

/* In an array: is there another element? False at its end (then passed). */
bool pull_element(struct pull *p);

/* Skips the rest of the value whose opening gave KIND; scalars are complete already. */
bool pull_skip(struct pull *p, enum pull_kind kind);

/* Reads the next value: true if it is a KIND, then opened; any other is skipped. */
bool pull_opens(struct pull *p, enum pull_kind kind);

/* True if there was no problem and nothing but white space is left. */
bool pull_end(struct pull *p);

/* "a string", "an object", ... for messages. */
const char *pull_kind_name(enum pull_kind kind);

#endif
