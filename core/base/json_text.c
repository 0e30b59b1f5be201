/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/visible.h"
#include "core/base/word.h"

#define NESTING_MAX 32
#define NUMBER_MAX 400		/* longest number that is examined */

struct cleaner {
	char *at, *end;
};

/* ---- cleaning ------------------------------------------------------------------------------ */

static bool is_number_byte(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static unsigned json_hex4(const char *at)
{
	char digits[5] = { 0 };

	memcpy(digits, at, 4);
	return strspn(digits, "0123456789abcdefABCDEF") == 4 ? (unsigned)strtoul(digits, NULL, 16)
							      : 0;
}

/* At the backslash of an escape; moves behind it. */
static void clean_escape(struct cleaner *c)
{
	unsigned code;

	if (c->end - c->at < 6 || c->at[1] != 'u') {
		c->at += c->end - c->at < 2 ? 1 : 2;
		return;
	}
	code = json_hex4(c->at + 2);
	if (code >= 0xd800 && code <= 0xdbff && c->end - c->at >= 12 && c->at[6] == '\\' &&
	    c->at[7] == 'u' && json_hex4(c->at + 8) >= 0xdc00 && json_hex4(c->at + 8) <= 0xdfff) {
		c->at += 12;
		return;
	}
	if (code == 0 || (code >= 0xd800 && code <= 0xdfff))
		memcpy(c->at + 2, "fffd", 4);
	c->at += 6;
}

/* At the opening quote; moves behind the closing one, or to the end. */
static void clean_string(struct cleaner *c)
{
	c->at++;
	while (c->at < c->end && *c->at != '"') {
		unsigned char byte = (unsigned char)*c->at;
		uint32_t code_point = 0;
		size_t n = 1;

		if (byte == '\\') {
			clean_escape(c);
			continue;
		}
		if (byte >= 0x80)
			n = utf8_decode(c->at, (size_t)(c->end - c->at), &code_point);
		if (byte < ' ' || code_point == UINT32_MAX) {
			*c->at = '?';
			n = 1;
		}
		c->at += n;
	}
	c->at += c->at < c->end;
}

/* Overwrites FROM..at with a null; the replaced text has at least four bytes. */
static void put_null(struct cleaner *c, char *from)
{
	memset(from, ' ', (size_t)(c->at - from));
	memcpy(from, "null", 4);
}

/* Numbers that overflow, and leading zeros, are not valid JSON. */
static void clean_number(struct cleaner *c)
{
	char digits[NUMBER_MAX], *from = c->at;
	size_t length = 0;

	while (c->at < c->end && is_number_byte(*c->at))
		c->at++;
	length = (size_t)(c->at - from);
	if (length < 4)
		return;
	if (length >= sizeof(digits)) {
		put_null(c, from);
		return;
	}
	memcpy(digits, from, length);
	digits[length] = '\0';
	if (isinf(strtod(digits, NULL)))
		put_null(c, from);
}

/* At a container nested too deeply: it becomes a null, whatever it holds. */
static void clean_depth(struct cleaner *c)
{
	char *from = c->at;
	size_t depth = 0;

	while (c->at < c->end) {
		char byte = *c->at;

		if (byte == '"') {
			clean_string(c);
			continue;
		}
		c->at++;
		depth += byte == '{' || byte == '[';
		if ((byte == '}' || byte == ']') && --depth == 0)
			break;
	}
	if (c->at - from >= 4) {
		put_null(c, from);
	} else {
		memset(from, ' ', (size_t)(c->at - from));
		*from = '0';
	}
}

void json_clean(char *text, size_t length)
{
	struct cleaner c = { text, text + length };
	unsigned depth = 0;

	while (c.at < c.end) {
		char byte = *c.at;

		if (byte == '"') {
			clean_string(&c);
		} else if (is_number_byte(byte) && byte != 'e' && byte != 'E') {
			clean_number(&c);
		} else if ((byte == '{' || byte == '[') && depth == NESTING_MAX) {
			clean_depth(&c);
		} else {
			depth += byte == '{' || byte == '[';
			depth -= (byte == '}' || byte == ']') && depth > 0;
			if (byte == '\0')
				*c.at = '?';
			c.at++;
		}
	}
}

/* ---- values -------------------------------------------------------------------------------- */

void json_scratch_free(struct json_scratch *s)
{
	mem_free(s->bytes);
	*s = (struct json_scratch){ NULL, 0 };
}

static void json_keep(struct json_scratch *s, const char *text, size_t length, struct json_text *v)
{
	s->bytes = mem_grow(s->bytes, &s->capacity, length + 1, 1);
	memcpy(s->bytes, text, length);
	s->bytes[length] = '\0';
	v->text = s->bytes;
	v->length = length;
}

/* Behind the container that begins at AT; END if it does not end. */
static const char *container_end(const char *at, const char *end)
{
	size_t depth = 0;
	bool quoted = false;

	for (; at < end; at++) {
		if (quoted && *at == '\\') {
			at++;
		} else if (quoted) {
			quoted = *at != '"';
		} else if (*at == '"') {
			quoted = true;
		} else if (*at == '{' || *at == '[') {
			depth++;
		} else if ((*at == '}' || *at == ']') && --depth == 0) {
			return at + 1;
		}
	}
	return end;
}

/* The text of a container without the white space that qstat's layout puts into it. */
static void keep_container(struct json_scratch *s, const char *at, const char *end,
			   struct json_text *v)
{
	bool quoted = false;
	size_t used = 0;

	s->bytes = mem_grow(s->bytes, &s->capacity, (size_t)(end - at) + 1, 1);
	for (; at < end; at++) {
		if (!quoted && word_is_blank(*at))
			continue;
		if (quoted && *at == '\\' && at + 1 < end)
			s->bytes[used++] = *at++;
		else if (*at == '"')
			quoted = !quoted;
		s->bytes[used++] = *at;
	}
	s->bytes[used] = '\0';
	v->text = s->bytes;
	v->length = used;
}

bool json_text_read(struct pull *p, struct json_scratch *s, bool open, struct json_text *v)
{
	struct pull_value value;
	const char *start;

	while (word_is_blank(*p->at))
		p->at++;
	start = p->at;
	*v = (struct json_text){ .kind = PULL_ERROR, .text = "" };
	if (*start == '[' || (*start == '{' && !open))
		keep_container(s, start, container_end(start, p->end), v);
	v->kind = pull_value(p, &value);
	switch (v->kind) {
	case PULL_STRING:
		v->text = value.string;
		v->length = value.length;
		return true;
	case PULL_OBJECT:
	case PULL_ARRAY:
		return (v->kind == PULL_OBJECT && open) || pull_skip(p, v->kind);
	case PULL_INT:
	case PULL_REAL:
	case PULL_BOOL:
		json_keep(s, start, (size_t)(p->at - start), v);
		return true;
	case PULL_NULL:
		return true;
	case PULL_ERROR:
		break;
	}
	return false;
}
