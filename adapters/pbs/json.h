/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json: the JSON that PBS's commands print.
 *
 * PBS gives every attribute value that looks like JSON as JSON: a comment "42" becomes a number,
 * one that reads {"a":1} an object, and what users put there nests as deeply as they like. Bytes
 * that are not UTF-8 pass through. So a text is first made harmless in place, and every value can
 * be had as text again, numbers with the digits that were printed.
 */
#ifndef FAIRTOP_ADAPTERS_PBS_JSON_H
#define FAIRTOP_ADAPTERS_PBS_JSON_H

#include "adapters/snapshot/pull.h"

/*
 * Makes TEXT fit for a strict parser without changing its length: invalid UTF-8, control
 * characters and NUL become '?', escapes of NUL and of lone surrogates \ufffd, numbers beyond a
 * double and whatever nests deeper than 32 levels null. Malformed text stays malformed.
 */
void pbs_json_clean(char *text, size_t length);

/* A value as text: of a string its content, of a number its digits, of a container its JSON. */
struct pbs_value {
	enum pull_kind kind;
	const char *text;	/* NUL-ended; borrowed until the next value of the same scratch */
	size_t length;
};

/* Room for the text of containers and numbers. Zero it before use. */
struct pbs_scratch {
	char *bytes;
	size_t capacity;
};
void pbs_scratch_free(struct pbs_scratch *s);

/*
 * The next value as text. Objects are left open with text "" where OPEN asks for them (v->kind
 * tells). False on a problem.
 */
bool pbs_json_value(struct pull *p, struct pbs_scratch *s, bool open, struct pbs_value *v);

#endif
