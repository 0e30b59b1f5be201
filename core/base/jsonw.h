/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jsonw: streaming JSON writer.
 *
 * Valid by construction: the writer handles commas, colons and quoting; the caller's part (a key
 * before each member, ends that match their beginnings, depth) is asserted. Strings are written as
 * UTF-8; bytes that are not UTF-8 become U+FFFD, and what a terminal would act upon or hide
 * (visible.h) becomes an escape like \u001b, which means the same in JSON. Doubles read back to the
 * same double; NaN is null; infinity is "inf", its negative "-inf". The first error of the sink
 * sticks and is returned by jsonw_end(); the rest is dropped.
 */
#ifndef FAIRTOP_CORE_BASE_JSONW_H
#define FAIRTOP_CORE_BASE_JSONW_H

#include "core/base/sink.h"
#include "core/base/value.h"

#define JSONW_DEPTH_MAX 16

struct jsonw {
	struct sink sink;
	struct err *err;
	char buffer[8192];
	size_t used;
	unsigned depth;
	bool comma[JSONW_DEPTH_MAX];	/* a value was written at this depth */
	bool object[JSONW_DEPTH_MAX];	/* this depth is inside an object */
	bool after_key;
	bool newline;			/* jsonw_newline() at a depth above 0 */
	bool failed;
};

/* ERR may be NULL. The caller owns the structure; nothing is allocated. */
void jsonw_init(struct jsonw *j, struct sink sink, struct err *err);
bool jsonw_end(struct jsonw *j);			/* flushes; false if anything failed */

void jsonw_object_begin(struct jsonw *j);
void jsonw_object_end(struct jsonw *j);
void jsonw_array_begin(struct jsonw *j);
void jsonw_array_end(struct jsonw *j);
void jsonw_key(struct jsonw *j, const char *key);
void jsonw_key_n(struct jsonw *j, const char *key, size_t length);
void jsonw_string(struct jsonw *j, const char *s);		/* NULL is null */
/* A member whose value is a text. */
void jsonw_member(struct jsonw *j, const char *key, const char *text);
void jsonw_string_n(struct jsonw *j, const char *s, size_t length);
void jsonw_double(struct jsonw *j, double x);
void jsonw_int(struct jsonw *j, int64_t x);
void jsonw_bool(struct jsonw *j, bool x);
void jsonw_null(struct jsonw *j);
void jsonw_value(struct jsonw *j, const struct value *v);

/*
 * Breaks the line before the next value or closing bracket. At depth 0 it does so at once, and a
 * new JSON text follows (JSON Lines).
 */
void jsonw_newline(struct jsonw *j);

#endif
