/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/json_pull.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/visible.h"
#include "core/base/word.h"

void pull_init(struct pull *p, char *text, size_t length)
{
	memset(p, 0, sizeof(*p));
	p->start = p->at = text;
	p->end = text + length;
	*p->end = '\0';
}

static bool pull_problem(struct pull *p, const char *what)
{
	if (!p->problem) {
		p->problem = *p->at == '\0' && p->at < p->end ? "unexpected NUL byte" : what;
		p->column = (size_t)(p->at - p->start) + 1;
	}
	return false;
}

static void pull_skip_space(struct pull *p)
{
	while (word_is_blank(*p->at))
		p->at++;
}

/* ---- strings ------------------------------------------------------------------------------- */

/* Four hexadecimal digits at TEXT; UINT32_MAX if there are none. */
static uint32_t pull_hex4(const char *text)
{
	uint32_t n = 0;

	for (int i = 0; i < 4; i++) {
		int digit = word_hex_digit(text[i]);

		if (digit < 0)
			return UINT32_MAX;
		n = n << 4 | (uint32_t)digit;
	}
	return n;
}

/* Reads what follows "\u" and returns the character, 0 if there is none. */
static uint32_t unescape_unicode(struct pull *p)
{
	uint32_t c = pull_hex4(p->at), low;

	if (c == UINT32_MAX || c == 0 || (c >= 0xdc00 && c <= 0xdfff))
		return 0;
	p->at += 4;
	if (c < 0xd800 || c > 0xdbff)
		return c;
	if (p->at[0] != '\\' || p->at[1] != 'u')
		return 0;
	low = pull_hex4(p->at + 2);
	if (low < 0xdc00 || low > 0xdfff)
		return 0;
	p->at += 6;
	return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
}

/* Reads what follows a backslash into TO; returns the end of the output, NULL on a problem. */
static char *pull_unescape(struct pull *p, char *to)
{
	static const char letters[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
	uint32_t c;

	for (const char *l = letters; *l; l += 2) {
		if (*p->at == *l) {
			p->at++;
			*to = l[1];
			return to + 1;
		}
	}
	if (*p->at != 'u') {
		pull_problem(p, "unknown escape in a string");
		return NULL;
	}
	p->at++;
	c = unescape_unicode(p);
	if (c == 0) {
		pull_problem(p, "\\u in a string is not a character (NUL is not allowed)");
		return NULL;
	}
	return to + utf8_encode(c, to);
}

/* Skips bytes that need no handling: ASCII without controls, quotes and backslashes. */
static void skip_plain(struct pull *p)
{
	while ((unsigned char)(*p->at - ' ') < 0x60 && *p->at != '"' && *p->at != '\\')
		p->at++;
}

/* Reads the rest of a string, from its first escape or non-ASCII byte, to TO. */
static bool string_rest(struct pull *p, char *to, struct pull_value *v)
{
	for (;;) {
		char *from = p->at;
		uint32_t code_point;
		size_t n;

		skip_plain(p);
		memmove(to, from, (size_t)(p->at - from));
		to += p->at - from;
		if (*p->at == '"')
			break;
		if (*p->at == '\\') {
			p->at++;
			to = pull_unescape(p, to);
			if (!to)
				return false;
			continue;
		}
		if ((unsigned char)*p->at < ' ')
			return pull_problem(p, p->at == p->end ? "string does not end" :
					    "control character in a string");
		n = utf8_decode(p->at, (size_t)(p->end - p->at), &code_point);
		if (code_point == UINT32_MAX)
			return pull_problem(p, "invalid UTF-8");
		memmove(to, p->at, n);
		to += n;
		p->at += n;
	}
	p->at++;
	v->length = (size_t)(to - v->string);
	*to = '\0';
	return true;
}

/* At the opening quote. */
static bool pull_read_string(struct pull *p, struct pull_value *v)
{
	p->at++;
	v->string = p->at;
	skip_plain(p);
	if (*p->at != '"')
		return string_rest(p, p->at, v);
	v->length = (size_t)(p->at - v->string);
	*p->at++ = '\0';
	return true;
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* Digits read so far: value = mantissa * 10^exponent while exact. */
struct digits {
	uint64_t mantissa;
	int count;		/* significant digits in it */
	int64_t exponent;
	bool exact;
};

static void take_digit(struct digits *d, char c, bool behind_point)
{
	if (d->count < 19) {
		d->mantissa = d->mantissa * 10 + (uint64_t)(c - '0');
		d->count += d->mantissa != 0;
		d->exponent -= behind_point;
	} else {
		d->exact = false;
	}
}

/* At least one digit. */
static bool take_digits(struct pull *p, struct digits *d, bool behind_point)
{
	if (!word_is_digit(*p->at))
		return pull_problem(p, "expected a digit");
	while (word_is_digit(*p->at))
		take_digit(d, *p->at++, behind_point);
	return true;
}

static bool take_exponent(struct pull *p, struct digits *d)
{
	bool negative = *p->at == '-';
	int64_t n = 0;

	if (*p->at == '-' || *p->at == '+')
		p->at++;
	if (!word_is_digit(*p->at))
		return pull_problem(p, "expected a digit");
	for (; word_is_digit(*p->at); p->at++)
		if (n < 100000)
			n = n * 10 + (*p->at - '0');
	d->exponent += negative ? -n : n;
	return true;
}

/* Both factors are exact, so there is one rounding: the result of strtod(), for short numbers. */
static bool short_real(const struct digits *d, double *value)
{
	static const double powers[] = {
		1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14,
		1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
	};

	if (!d->exact || d->mantissa > UINT64_C(1) << 53 || d->exponent < -22 || d->exponent > 22)
		return false;
	*value = d->exponent < 0 ? (double)d->mantissa / powers[-d->exponent] :
		(double)d->mantissa * powers[d->exponent];
	return true;
}

static bool pull_read_number(struct pull *p, struct pull_value *v)
{
	struct digits d = { 0, 0, 0, true };
	char *start = p->at;
	bool negative = *p->at == '-', whole = true;

	p->at += negative;
	if (*p->at == '0' && word_is_digit(p->at[1]))
		return pull_problem(p, "a number must not begin with 0");
	if (!take_digits(p, &d, false))
		return false;
	if (*p->at == '.') {
		whole = false;
		p->at++;
		if (!take_digits(p, &d, true))
			return false;
	}
	if (*p->at == 'e' || *p->at == 'E') {
		whole = false;
		p->at++;
		if (!take_exponent(p, &d))
			return false;
	}
	v->kind = PULL_REAL;
	if (whole && d.exact && d.mantissa <= INT64_MAX) {
		v->kind = PULL_INT;
		v->integer = negative ? -(int64_t)d.mantissa : (int64_t)d.mantissa;
	}
	if (!short_real(&d, &v->real))
		v->real = fabs(strtod(start, NULL));
	if (isinf(v->real)) {
		p->at = start;
		return pull_problem(p, "number too large");
	}
	if (negative)
		v->real = -v->real;
	return true;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool pull_read_word(struct pull *p, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(p->at, word, length) != 0)
		return pull_problem(p, "expected a value");
	p->at += length;
	return true;
}

static bool open_container(struct pull *p, bool object)
{
	if (p->depth == PULL_DEPTH_MAX)
		return pull_problem(p, "nested too deeply (at most 64 levels)");
	p->objects = p->objects << 1 | object;
	p->depth++;
	p->at++;
	p->fresh = true;
	return true;
}

static bool pull_read_any(struct pull *p, struct pull_value *v)
{
	switch (*p->at) {
	case '"':
		v->kind = PULL_STRING;
		return pull_read_string(p, v);
	case '{':
		v->kind = PULL_OBJECT;
		return open_container(p, true);
	case '[':
		v->kind = PULL_ARRAY;
		return open_container(p, false);
	case 't':
	case 'f':
		v->kind = PULL_BOOL;
		v->boolean = *p->at == 't';
		return pull_read_word(p, v->boolean ? "true" : "false");
	case 'n':
		v->kind = PULL_NULL;
		return pull_read_word(p, "null");
	case 'I':
	case 'N':
		v->kind = *p->at == 'I' ? PULL_REAL : PULL_NULL;
		v->real = (double)INFINITY;
		return p->infinity ? pull_read_word(p, *p->at == 'I' ? "Infinity" : "NaN") :
			pull_problem(p, "expected a value");
	default:
		if (*p->at == '-' || word_is_digit(*p->at))
			return pull_read_number(p, v);
		return pull_problem(p, p->at == p->end ? "the text ends too soon"
						       : "expected a value");
	}
}

enum pull_kind pull_value(struct pull *p, struct pull_value *v)
{
	pull_skip_space(p);
	p->fresh = false;
	if (p->problem || !pull_read_any(p, v))
		v->kind = PULL_ERROR;
	return v->kind;
}

static void close_container(struct pull *p)
{
	p->at++;
	p->objects >>= 1;
	p->depth--;
	p->fresh = false;
}

/* Between the entries of a container: is there another? CLOSING ends it. */
static bool pull_another(struct pull *p, char closing, const char *expected)
{
	if (p->problem)
		return false;
	pull_skip_space(p);
	if (*p->at == closing) {
		close_container(p);
		return false;
	}
	if (!p->fresh) {
		if (*p->at != ',')
			return pull_problem(p, expected);
		p->at++;
		pull_skip_space(p);
	}
	p->fresh = false;
	return true;
}

bool pull_member(struct pull *p, struct pull_value *key)
{
	if (!pull_another(p, '}', "expected \",\" or \"}\""))
		return false;
	if (*p->at != '"')
		return pull_problem(p, "expected a key in double quotes");
	key->kind = PULL_STRING;
	if (!pull_read_string(p, key))
		return false;
	pull_skip_space(p);
	if (*p->at != ':')
		return pull_problem(p, "expected \":\"");
	p->at++;
	return true;
}

bool pull_element(struct pull *p)
{
	return pull_another(p, ']', "expected \",\" or \"]\"");
}

bool pull_skip(struct pull *p, enum pull_kind kind)
{
	unsigned outside = p->depth - 1;
	struct pull_value v;

	if (kind != PULL_ARRAY && kind != PULL_OBJECT)
		return !p->problem;
	while (!p->problem && p->depth > outside)
		if (p->objects & 1 ? pull_member(p, &v) : pull_element(p))
			pull_value(p, &v);
	return !p->problem;
}

bool pull_opens(struct pull *p, enum pull_kind kind)
{
	struct pull_value v;

	if (pull_value(p, &v) == kind)
		return true;
	pull_skip(p, v.kind);
	return false;
}

bool pull_end(struct pull *p)
{
	if (p->problem)
		return false;
	pull_skip_space(p);
	return p->at == p->end || pull_problem(p, "text after the end of the value");
}

const char *pull_kind_name(enum pull_kind kind)
{
	static const char *const names[] = {
		[PULL_ERROR] = "nothing", [PULL_NULL] = "null", [PULL_BOOL] = "true or false",
		[PULL_INT] = "an integer", [PULL_REAL] = "a fraction or a number beyond 64 bits",
		[PULL_STRING] = "a string", [PULL_ARRAY] = "a list", [PULL_OBJECT] = "an object",
	};

	return names[kind];
}
