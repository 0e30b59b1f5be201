/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json: streaming JSON writer.
 *
 * Valid by construction: commas, colons and quoting are the writer's business; what the caller
 * must get right (a key before each member, ends that match their beginnings, depth) is asserted.
 * Strings are written as UTF-8; bytes that are not UTF-8 become U+FFFD, control characters and
 * DEL \u00XX. Doubles read back to the same double; NaN is null; infinity is "inf", its negative
 * "-inf". The first error of the sink sticks and is returned by json_end(); the rest is dropped.
 */
#ifndef FAIRTOP_CORE_JSON_H
#define FAIRTOP_CORE_JSON_H

#include "core/sink.h"
#include "core/value.h"

#define JSON_DEPTH_MAX 16

struct json {
	struct sink sink;
	struct err *err;
	char buffer[8192];
	size_t used;
	unsigned depth;
	bool comma[JSON_DEPTH_MAX];	/* a value was written at this depth */
	bool object[JSON_DEPTH_MAX];	/* this depth is an object's */
	bool after_key;
	bool newline;			/* json_newline() at a depth above 0 */
	bool failed;
};

/* ERR may be NULL. The structure is the caller's, nothing is allocated. */
void json_init(struct json *j, struct sink sink, struct err *err);
bool json_end(struct json *j);			/* flushes; false if anything failed */

void json_object_begin(struct json *j);
void json_object_end(struct json *j);
void json_array_begin(struct json *j);
void json_array_end(struct json *j);
void json_key(struct json *j, const char *key);
void json_key_n(struct json *j, const char *key, size_t length);
void json_string(struct json *j, const char *s);		/* NULL is null */
void json_string_n(struct json *j, const char *s, size_t length);
void json_double(struct json *j, double x);
void json_int(struct json *j, int64_t x);
void json_bool(struct json *j, bool x);
void json_null(struct json *j);
void json_value(struct json *j, const struct value *v);

/*
 * A line break before the next value or closing bracket; at depth 0 at once, and what follows is
 * a new text (JSON Lines).
 */
void json_newline(struct json *j);

#endif
