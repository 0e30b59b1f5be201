/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json_text: JSON as PBS's commands, and others, print it, read as text.
 *
 * PBS prints every attribute value that looks like JSON as JSON: a comment "42" becomes a number,
 * one that reads {"a":1} an object, and values of users nest as deeply as they like. Bytes that are
 * not UTF-8 pass through. So a text is first sanitized in place, and every value can be read as
 * text, numbers with the digits that were printed.
 */
#ifndef FAIRTOP_CORE_BASE_JSON_TEXT_H
#define FAIRTOP_CORE_BASE_JSON_TEXT_H

#include "core/base/json_pull.h"

/*
 * Makes TEXT acceptable to a strict parser without changing its length: invalid UTF-8, control
 * characters and NUL become '?', escapes of NUL and of lone surrogates \ufffd, numbers beyond a
 * double and nesting deeper than 32 levels null. Malformed text stays malformed.
 */
void json_clean(char *text, size_t length);

/* A value as text: the content of a string, the digits of a number, the JSON of a container. */
struct json_text {
	enum pull_kind kind;
	const char *text;	/* NUL-ended; valid until the next value of the same scratch */
	size_t length;
};

/* Buffer for the text of containers and numbers. Zero it before use. */
struct json_scratch {
	char *bytes;
	size_t capacity;
};
void json_scratch_free(struct json_scratch *s);

/*
 * Reads the next value as text. With OPEN an object is only opened, its text is "" (see v->kind).
 * False on a problem.
 */
bool json_text_read(struct pull *p, struct json_scratch *s, bool open, struct json_text *v);

#endif
