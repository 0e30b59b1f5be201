/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/jsonw.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/visible.h"

/* U+FFFD, the replacement character. */
#define REPLACEMENT "\xef\xbf\xbd"

void jsonw_init(struct jsonw *j, struct sink sink, struct err *err)
{
	j->sink = sink;
	j->err = err;
	j->used = 0;
	j->depth = 0;
	j->comma[0] = j->object[0] = false;
	j->after_key = j->newline = j->failed = false;
}

static void jsonw_flush(struct jsonw *j)
{
	if (!j->failed && j->used > 0)
		j->failed = !j->sink.write(j->sink.context, j->buffer, j->used, j->err);
	j->used = 0;
}

bool jsonw_end(struct jsonw *j)
{
	assert(j->failed || (j->depth == 0 && !j->after_key));
	jsonw_flush(j);
	return !j->failed;
}

/* Never splits a character: a consumer may check them one by one before writing to a terminal. */
static void jsonw_put(struct jsonw *j, const char *bytes, size_t length)
{
	if (length > sizeof(j->buffer) - j->used)
		jsonw_flush(j);
	for (; length > sizeof(j->buffer); jsonw_flush(j)) {
		memcpy(j->buffer, bytes, sizeof(j->buffer));
		j->used = sizeof(j->buffer);
		bytes += sizeof(j->buffer);
		length -= sizeof(j->buffer);
	}
	memcpy(j->buffer + j->used, bytes, length);
	j->used += length;
}

static void put_byte(struct jsonw *j, char byte)
{
	if (j->used == sizeof(j->buffer))
		jsonw_flush(j);
	j->buffer[j->used++] = byte;
}

/* Writes what separates the values of one level. */
static void jsonw_separate(struct jsonw *j)
{
	if (j->comma[j->depth])
		put_byte(j, ',');
	if (j->newline)
		put_byte(j, '\n');
	j->newline = false;
	j->comma[j->depth] = true;
}

static void before_value(struct jsonw *j)
{
	assert(j->after_key == j->object[j->depth]);
	if (!j->after_key)
		jsonw_separate(j);
	j->after_key = false;
}

static void jsonw_open(struct jsonw *j, char bracket, bool object)
{
	before_value(j);
	assert(j->depth + 1 < JSONW_DEPTH_MAX);
	j->depth++;
	j->comma[j->depth] = false;
	j->object[j->depth] = object;
	put_byte(j, bracket);
}

static void jsonw_close(struct jsonw *j, char bracket, bool object)
{
	assert(j->depth > 0 && j->object[j->depth] == object && !j->after_key);
	(void)object;
	if (j->newline)
		put_byte(j, '\n');
	j->newline = false;
	j->depth--;
	put_byte(j, bracket);
}

void jsonw_object_begin(struct jsonw *j)
{
	jsonw_open(j, '{', true);
}

void jsonw_object_end(struct jsonw *j)
{
	jsonw_close(j, '}', true);
}

void jsonw_array_begin(struct jsonw *j)
{
	jsonw_open(j, '[', false);
}

void jsonw_array_end(struct jsonw *j)
{
	jsonw_close(j, ']', false);
}

void jsonw_newline(struct jsonw *j)
{
	if (j->depth > 0) {
		j->newline = true;
		return;
	}
	put_byte(j, '\n');
	j->comma[0] = false;
}

/* ---- strings ------------------------------------------------------------------------------- */

static void put_escape(struct jsonw *j, uint32_t c)
{
	static const char letters[] = "\bb\ff\nn\rr\tt\"\"\\\\";
	char text[16];

	for (const char *l = letters; *l; l += 2) {
		if ((unsigned char)*l == c) {
			put_byte(j, '\\');
			put_byte(j, l[1]);
			return;
		}
	}
	if (c < 0x10000)
		snprintf(text, sizeof(text), "\\u%04x", (unsigned)c);
	else
		snprintf(text, sizeof(text), "\\u%04x\\u%04x",
			 (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
			 (unsigned)(0xdc00 + (c & 0x3ff)));
	jsonw_put(j, text, strlen(text));
}

/* Length of the part of S that needs no change, in bytes. */
static size_t plain_length(const char *s, size_t length)
{
	size_t n = 0;

	while (n < length) {
		unsigned char c = (unsigned char)s[n];

		if (c < ' ' || c >= 0x7f || c == '"' || c == '\\')
			break;
		n++;
	}
	return n;
}

static void put_quoted(struct jsonw *j, const char *s, size_t length)
{
	put_byte(j, '"');
	while (length > 0) {
		size_t n = plain_length(s, length);

		jsonw_put(j, s, n);
		s += n;
		length -= n;
		if (length == 0)
			break;
		if ((unsigned char)*s < 0x80) {
			put_escape(j, (unsigned char)*s);
			n = 1;
		} else {
			uint32_t code_point;

			n = utf8_decode(s, length, &code_point);
			if (code_point == UINT32_MAX)
				jsonw_put(j, REPLACEMENT, 3);
			else if (!visible_is_plain(s, n))	/* a terminal may act on it */
				put_escape(j, code_point);
			else
				jsonw_put(j, s, n);
		}
		s += n;
		length -= n;
	}
	put_byte(j, '"');
}

void jsonw_key_n(struct jsonw *j, const char *key, size_t length)
{
	assert(j->object[j->depth] && !j->after_key);
	jsonw_separate(j);
	put_quoted(j, key, length);
	put_byte(j, ':');
	j->after_key = true;
}

void jsonw_key(struct jsonw *j, const char *key)
{
	jsonw_key_n(j, key, strlen(key));
}

void jsonw_member(struct jsonw *j, const char *key, const char *text)
{
	jsonw_key(j, key);
	jsonw_string(j, text);
}

void jsonw_string_n(struct jsonw *j, const char *s, size_t length)
{
	before_value(j);
	put_quoted(j, s, length);
}

void jsonw_string(struct jsonw *j, const char *s)
{
	if (s)
		jsonw_string_n(j, s, strlen(s));
	else
		jsonw_null(j);
}

/* ---- scalars ------------------------------------------------------------------------------- */

static void jsonw_put_word(struct jsonw *j, const char *word)
{
	before_value(j);
	jsonw_put(j, word, strlen(word));
}

void jsonw_null(struct jsonw *j)
{
	jsonw_put_word(j, "null");
}

void jsonw_bool(struct jsonw *j, bool x)
{
	jsonw_put_word(j, x ? "true" : "false");
}

void jsonw_int(struct jsonw *j, int64_t x)
{
	char digits[24];
	size_t at = sizeof(digits);
	/* As unsigned: the magnitude of INT64_MIN does not fit an int64_t. */
	uint64_t rest = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;

	do {
		digits[--at] = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest > 0);
	if (x < 0)
		digits[--at] = '-';
	before_value(j);
	jsonw_put(j, digits + at, sizeof(digits) - at);
}

void jsonw_double(struct jsonw *j, double x)
{
	char text[VALUE_DOUBLE_MAX];
	size_t length;

	if (isnan(x)) {
		jsonw_null(j);
		return;
	}
	length = value_print_double(x, text);
	if (isinf(x)) {
		jsonw_string_n(j, text, length);
		return;
	}
	before_value(j);
	jsonw_put(j, text, length);
}

/* ---- cells --------------------------------------------------------------------------------- */

static void jsonw_entry(struct jsonw *j, const struct value_entry *e)
{
	if (e->text)
		jsonw_string(j, e->text);
	else
		jsonw_double(j, e->number);
}

/* Length of the part of KEY before its first dot, 0 without one. */
static size_t jsonw_group_of(const char *key)
{
	const char *dot = strchr(key, '.');

	return dot ? (size_t)(dot - key) : 0;
}

/* Keys with a dot nest one level: entries "tres.cpu", "tres.mem" in a row become one object. */
static void jsonw_map(struct jsonw *j, const struct value_entry *entries, uint32_t count)
{
	const char *open = NULL;	/* key whose group is open */
	size_t length = 0;

	jsonw_object_begin(j);
	for (uint32_t i = 0; i < count; i++) {
		const char *key = entries[i].key;
		size_t n = jsonw_group_of(key);

		if (open && (n != length || strncmp(open, key, n) != 0)) {
			jsonw_object_end(j);
			open = NULL;
		}
		if (n != 0 && !open) {
			jsonw_key_n(j, key, n);
			jsonw_object_begin(j);
			open = key;
			length = n;
		}
		jsonw_key(j, n != 0 ? key + n + 1 : key);
		jsonw_entry(j, &entries[i]);
	}
	if (open)
		jsonw_object_end(j);
	jsonw_object_end(j);
}

static void jsonw_list(struct jsonw *j, const struct value *v)
{
	jsonw_array_begin(j);
	for (uint32_t i = 0; i < v->count; i++)
		jsonw_entry(j, &v->entries[i]);
	jsonw_array_end(j);
}

static void jsonw_records(struct jsonw *j, const struct value *v)
{
	uint32_t n;

	jsonw_array_begin(j);
	for (uint32_t i = 0; i < v->count; i += n) {
		for (n = 1; i + n < v->count && !v->entries[i + n].begins; n++)
			;
		jsonw_map(j, &v->entries[i], n);
	}
	jsonw_array_end(j);
}

void jsonw_value(struct jsonw *j, const struct value *v)
{
	switch (v->kind) {
	case VALUE_UNKNOWN:
		jsonw_null(j);
		break;
	case VALUE_INT:
		jsonw_int(j, v->integer);
		break;
	case VALUE_REAL:
		jsonw_double(j, v->real);
		break;
	case VALUE_TEXT:
		jsonw_string(j, v->text);
		break;
	case VALUE_BOOL:
		jsonw_bool(j, v->integer != 0);
		break;
	case VALUE_MAP:
		jsonw_map(j, v->entries, v->count);
		break;
	case VALUE_LIST:
		jsonw_list(j, v);
		break;
	case VALUE_RECORDS:
		jsonw_records(j, v);
		break;
	}
}
