/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A row to the server and back without loss. Integers that are part of a key, or NOT NULL, are
 * bigint; others are numeric, whose Infinity is the recording's 'inf' and whose NaN its 'parent'.
 * Reals are double precision, which has -0 and infinity. Values that fit in no column, such as a
 * text that is not UTF-8, are in the last one, "odd", as COLUMN=CLASS and the bytes in hexadecimal,
 * separated by blanks.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/postgres/private.h"
#include "core/base/visible.h"
#include "core/base/word.h"

const char *row_type(const struct raw_column *c)
{
	switch (c->type) {
	case RAW_INTEGERS:
		return c->needed ? "bigint" : "numeric";
	case RAW_REALS:
		return "double precision";
	case RAW_BLOBS:
		return "bytea";
	case RAW_TEXTS:
	case RAW_ANY:
		break;
	}
	return "text";
}

/* ---- to the server ------------------------------------------------------------------------- */

static bool is_utf8(const char *text, size_t length)
{
	uint32_t c = 0;

	for (size_t at = 0; at < length; at += utf8_decode(text + at, length - at, &c)) {
		if (c == UINT32_MAX || text[at] == '\0')
			return false;
	}
	return c != UINT32_MAX;
}

/* Is the text a number in printed form, which would come back as a number? */
static bool row_is_number(const char *text, size_t length, int64_t *number)
{
	char buf[24], again[24];

	if (length == 0 || length >= sizeof(buf))
		return false;
	memcpy(buf, text, length);
	buf[length] = '\0';
	*number = strtoll(buf, NULL, 10);
	snprintf(again, sizeof(again), "%lld", (long long)*number);
	return strcmp(buf, again) == 0;
}

static bool row_is_word(const struct raw_value *v, enum raw_class class, const char *word)
{
	return v->class == class && v->length == strlen(word) &&
	       memcmp(v->bytes, word, v->length) == 0;
}

static void add_hex(struct bytes *out, const char *data, size_t length)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)data[i];

		bytes_append(out, &digits[c >> 4], 1);
		bytes_append(out, &digits[c & 15], 1);
	}
}

/* Escapes what has a special meaning for COPY. */
static void row_add_text(struct bytes *out, const char *text, size_t length)
{
	static const char special[] = "\\\t\n\r", names[] = "\\tnr";

	for (size_t at = 0; at < length;) {
		size_t plain = 0;
		const char *found;

		while (at + plain < length && !memchr(special, text[at + plain], 4))
			plain++;
		bytes_append(out, text + at, plain);
		at += plain;
		if (at == length)
			return;
		found = memchr(special, text[at++], 4);
		bytes_append(out, "\\", 1);
		bytes_append(out, &names[found - special], 1);
	}
}

static void add_real(struct bytes *out, double x)
{
	if (isinf(x))
		sql_add(out, "%s", x > 0 ? "Infinity" : "-Infinity");
	else
		sql_add(out, "%.17g", x);
}

/* Adds V in the column's form; false if the column cannot hold it. */
static bool row_add_value(struct bytes *out, const struct raw_column *c, const struct raw_value *v)
{
	int64_t number;

	if (v->class == RAW_INTEGER && (c->type == RAW_INTEGERS || c->type == RAW_ANY))
		sql_add(out, "%lld", (long long)v->integer);
	else if (c->type == RAW_INTEGERS && !c->needed && row_is_word(v, RAW_TEXT, "inf"))
		sql_add(out, "Infinity");
	else if (c->type == RAW_INTEGERS && !c->needed && row_is_word(v, RAW_TEXT, "parent"))
		sql_add(out, "NaN");
	else if (c->type == RAW_REALS && v->class == RAW_REAL && !isnan(v->real))
		add_real(out, v->real);
	else if (c->type == RAW_REALS && row_is_word(v, RAW_BLOB, "-0"))
		sql_add(out, "-0");
	else if (v->class == RAW_TEXT && is_utf8(v->bytes, v->length) &&
		 (c->type == RAW_TEXTS ||
		  (c->type == RAW_ANY && !row_is_number(v->bytes, v->length, &number))))
		row_add_text(out, v->bytes, v->length);
	else if (c->type == RAW_BLOBS && v->class == RAW_BLOB) {
		bytes_append(out, "\\\\x", 3);
		add_hex(out, v->bytes, v->length);
	} else {
		return false;
	}
	return true;
}

static void add_odd(struct bytes *odd, const struct raw_column *c, const struct raw_value *v)
{
	char number[40] = "";

	if (v->class == RAW_INTEGER)
		snprintf(number, sizeof(number), "%lld", (long long)v->integer);
	else if (v->class == RAW_REAL)
		snprintf(number, sizeof(number), "%.17g", v->real);
	sql_add(odd, "%s%s=%c", odd->length > 0 ? " " : "", c->name, "nirtb"[v->class]);
	add_hex(odd, number[0] ? number : v->bytes, number[0] ? strlen(number) : v->length);
}

void row_encode(struct bytes *out, const char *cluster, const struct raw_table *t,
		const struct raw_value *values)
{
	struct bytes odd = { NULL, 0, 0 };

	sql_add(out, "%s", cluster);
	for (size_t i = 0; i < t->count; i++) {
		bytes_append(out, "\t", 1);
		if (values[i].class != RAW_NULL && row_add_value(out, &t->columns[i], &values[i]))
			continue;
		bytes_append(out, "\\N", 2);
		if (values[i].class != RAW_NULL)
			add_odd(&odd, &t->columns[i], &values[i]);
	}
	bytes_append(out, "\t", 1);
	if (odd.length > 0)
		row_add_text(out, odd.data, odd.length);
	else
		bytes_append(out, "\\N", 2);
	bytes_append(out, "\n", 1);
	bytes_free(&odd);
}

/* ---- from the server ----------------------------------------------------------------------- */

/* Takes the next field of *REST, NUL-ended in place; NULL for a NULL. False at the end. */
static bool take_field(char **rest, char **field, size_t *length)
{
	char *from = *rest, *to = from;

	if (!from)
		return false;
	*field = from;
	if (strncmp(from, "\\N", 2) == 0 && (from[2] == '\t' || from[2] == '\0')) {
		*field = NULL;
		*rest = from[2] ? from + 3 : NULL;
		return true;
	}
	for (; *from && *from != '\t'; from++) {
		if (*from == '\\' && from[1]) {
			static const char names[] = "bfnrtv", meant[] = "\b\f\n\r\t\v";
			const char *found = strchr(names, *++from);

			*to++ = found ? meant[found - names] : *from;
		} else {
			*to++ = *from;
		}
	}
	*rest = *from ? from + 1 : NULL;
	*to = '\0';
	*length = (size_t)(to - *field);
	return true;
}

/* Decodes LENGTH hexadecimal digits in place. */
static bool take_hex(char *text, size_t length, size_t *bytes)
{
	for (size_t i = 0; i + 1 < length; i += 2) {
		int high = word_hex_digit(text[i]), low = word_hex_digit(text[i + 1]);

		if (high < 0 || low < 0)
			return false;
		text[i / 2] = (char)(high * 16 + low);
	}
	*bytes = length / 2;
	return length % 2 == 0;
}

static bool take_integer(const char *text, struct raw_value *v)
{
	char *end;

	errno = 0;
	v->class = RAW_INTEGER;
	v->integer = strtoll(text, &end, 10);
	return errno == 0 && end != text && *end == '\0';
}

static bool take_real(const char *text, struct raw_value *v)
{
	char *end;

	v->class = RAW_REAL;
	v->real = strtod(text, &end);
	return end != text && *end == '\0' && !isnan(v->real);
}

static bool row_take_value(const struct raw_column *c, char *text, size_t length,
			   struct raw_value *v)
{
	*v = (struct raw_value){ .class = RAW_TEXT, .bytes = text, .length = length };
	switch (c->type) {
	case RAW_INTEGERS:
		if (strcmp(text, "Infinity") == 0 || strcmp(text, "NaN") == 0) {
			v->bytes = text[0] == 'I' ? "inf" : "parent";
			v->length = strlen(v->bytes);
			return !c->needed;
		}
		return take_integer(text, v);
	case RAW_REALS:
		if (strcmp(text, "-0") == 0) {
			v->class = RAW_BLOB;
			return true;
		}
		return take_real(text, v);
	case RAW_BLOBS:
		v->class = RAW_BLOB;
		v->bytes = text + 2;
		return strncmp(text, "\\x", 2) == 0 && take_hex(text + 2, length - 2, &v->length);
	case RAW_ANY:
		if (row_is_number(text, length, &v->integer))
			v->class = RAW_INTEGER;
		return true;
	case RAW_TEXTS:
		break;
	}
	return true;
}

/* "COLUMN=CLASSHEX" */
static bool take_odd(char *word, const struct raw_table *t, struct raw_value *values)
{
	char *equal = strchr(word, '=');
	struct raw_value v = { .class = RAW_NULL };
	size_t i;

	if (!equal || !equal[1])
		return false;
	*equal = '\0';
	i = raw_column(t, word);
	if (!take_hex(equal + 2, strlen(equal + 2), &v.length))
		return false;
	v.bytes = equal + 2;
	v.class = equal[1] == 't' ? RAW_TEXT : RAW_BLOB;
	if (equal[1] == 'i' || equal[1] == 'r') {
		char number[40];

		snprintf(number, sizeof(number), "%.*s", (int)v.length, v.bytes);
		if (v.length >= sizeof(number) ||
		    !(equal[1] == 'i' ? take_integer(number, &v) : take_real(number, &v)))
			return false;
	} else if (equal[1] != 't' && equal[1] != 'b') {
		return false;
	}
	/* Columns that are newer than this program are skipped. */
	if (i < t->count)
		values[i] = v;
	return true;
}

static bool take_odds(char *text, const struct raw_table *t, struct raw_value *values)
{
	while (text) {
		char *next = strchr(text, ' ');

		if (next)
			*next++ = '\0';
		if (!take_odd(text, t, values))
			return false;
		text = next;
	}
	return true;
}

bool row_decode(char *line, const struct raw_table *t, const bool *has, struct raw_value *values,
		struct err *err)
{
	char *rest = line, *field;
	size_t length = 0;
	bool ok = true;

	for (size_t i = 0; i < t->count && ok; i++) {
		values[i] = (struct raw_value){ .class = RAW_NULL };
		if (!has[i])
			continue;
		ok = take_field(&rest, &field, &length) &&
		     (!field || row_take_value(&t->columns[i], field, length, &values[i]));
		if (!ok)
			return err_set(err, ERR_INPUT, "the server's table %s: its %s is not a "
				       "value that fairtop records", t->name, t->columns[i].name);
	}
	return (take_field(&rest, &field, &length) && !rest && take_odds(field, t, values)) ||
	       err_set(err, ERR_INPUT, "the server's table %s: a row is not fairtop's",
		       t->name);
}
