/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json: streaming JSON writer.
 *
 * Valid by construction: commas, colons and quoting are the writer's business. Strings are written as UTF-8; bytes that
 * are not UTF-8 become U+FFFD, control characters \u00XX. Doubles read back to the same double; NaN is null; infinity
 * is "inf". The first error of the sink sticks and is returned by json_end().
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
	bool after_key;
	bool failed;
};

void json_init(struct json *j, struct sink sink, struct err *err);
bool json_end(struct json *j);			/* flushes */

void json_object_begin(struct json *j);
void json_object_end(struct json *j);
void json_array_begin(struct json *j);
void json_array_end(struct json *j);
void json_key(struct json *j, const char *key);
void json_string(struct json *j, const char *s);		/* NULL is null */
void json_string_n(struct json *j, const char *s, size_t length);
void json_double(struct json *j, double x);
void json_int(struct json *j, int64_t x);
void json_bool(struct json *j, bool x);
void json_null(struct json *j);
void json_newline(struct json *j);		/* a line break between values, for JSON Lines */
void json_value(struct json *j, const struct value *v);

#endif
