/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json: the JSON that PBS's commands print.
 *
 * PBS prints every attribute value that looks like JSON as JSON: a comment "42" becomes a number,
 * one that reads {"a":1} an object, and values of users nest as deeply as they like. Bytes that are
 * not UTF-8 pass through. So a text is first sanitized in place, and every value can be read as
 * text, numbers with the digits that were printed.
 */
#ifndef FAIRTOP_ADAPTERS_PBS_JSON_H
#define FAIRTOP_ADAPTERS_PBS_JSON_H

#include "core/base/json_pull.h"

/*
 * Makes TEXT acceptable to a strict parser without changing its length: invalid UTF-8, control
 * characters and NUL become '?', escapes of NUL and of lone surrogates \ufffd, numbers beyond a
 * double and nesting deeper than 32 levels null. Malformed text stays malformed.
 */
void pbs_json_clean(char *text, size_t length);

/* A value as text: the content of a string, the digits of a number, the JSON of a container. */
struct pbs_value {
	enum pull_kind kind;
	const char *text;	/* NUL-ended; valid until the next value of the same scratch */
	size_t length;
};

/* Buffer for the text of containers and numbers. Zero it before use. */
struct pbs_scratch {
	char *bytes;
	size_t capacity;
};
void pbs_scratch_free(struct pbs_scratch *s);

/*
 * Reads the next value as text. With OPEN an object is only opened, its text is "" (see v->kind).
 * False on a problem.
 */
bool pbs_json_value(struct pull *p, struct pbs_scratch *s, bool open, struct pbs_value *v);

#endif
