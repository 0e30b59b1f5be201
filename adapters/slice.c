/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/base/unknown.h"
#include "core/base/word.h"

/* No number or time that Slurm prints is longer. */
#define VALUE_MAX 64

struct slice slice_of(const char *string)
{
	return (struct slice){ string, strlen(string) };
}

struct slice slice_trim(struct slice s)
{
	while (s.length > 0 && slice_is_blank(s.at[0])) {
		s.at++;
		s.length--;
	}
	while (s.length > 0 && slice_is_blank(s.at[s.length - 1]))
		s.length--;
	return s;
}

bool slice_equal(struct slice a, struct slice b)
{
	return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

bool slice_is(struct slice s, const char *word)
{
	return slice_equal(s, slice_of(word));
}

bool slice_same(struct slice s, const char *word)
{
	return strlen(word) == s.length &&
	       (s.length == 0 || strncasecmp(s.at, word, s.length) == 0);
}

bool slice_starts(struct slice s, const char *word)
{
	size_t length = strlen(word);

	return s.length >= length && memcmp(s.at, word, length) == 0;
}

bool slice_take(struct slice *s, const char *word)
{
	bool there = slice_starts(*s, word);

	if (there)
		*s = slice_from(*s, strlen(word));
	return there;
}

bool slice_ends(struct slice s, struct slice end)
{
	return s.length >= end.length && slice_equal(slice_from(s, s.length - end.length), end);
}

struct slice slice_from(struct slice s, size_t offset)
{
	if (offset > s.length)
		offset = s.length;
	return (struct slice){ s.at + offset, s.length - offset };
}

bool slice_line(struct slice *rest, struct slice *line)
{
	if (!slice_piece(rest, '\n', line))
		return false;
	if (line->length > 0 && line->at[line->length - 1] == '\r')
		line->length--;
	return true;
}

bool slice_word(struct slice *rest, struct slice *word)
{
	size_t n = 0;

	*rest = slice_trim(*rest);
	*word = (struct slice){ rest->at, 0 };
	if (rest->length == 0)
		return false;
	while (n < rest->length && !slice_is_blank(rest->at[n]))
		n++;
	*word = (struct slice){ rest->at, n };
	*rest = slice_from(*rest, n);
	return true;
}

bool slice_part(struct slice *rest, struct slice delimiter, struct slice *part)
{
	const char *end;

	*part = (struct slice){ rest->at, 0 };
	if (rest->length == 0)
		return false;
	end = delimiter.length == 1 ? memchr(rest->at, delimiter.at[0], rest->length) :
	      memmem(rest->at, rest->length, delimiter.at, delimiter.length);
	part->length = end ? (size_t)(end - rest->at) : rest->length;
	*rest = slice_from(*rest, part->length + delimiter.length);
	return true;
}

bool slice_piece(struct slice *rest, char delimiter, struct slice *piece)
{
	return slice_part(rest, (struct slice){ &delimiter, 1 }, piece);
}

size_t slice_cells(struct slice line, struct slice delimiter, struct slice *cells, size_t max)
{
	struct slice cell;
	size_t n = 0;

	for (; delimiter.length > 0 ? slice_part(&line, delimiter, &cell)
				    : slice_word(&line, &cell); n++) {
		if (n < max)
			cells[n] = cell;
	}
	for (size_t i = n; i < max; i++)
		cells[i] = line;
	return n;
}

size_t slice_column(const struct slice *titles, size_t count, const char *title)
{
	size_t i = 0;

	while (i < count && !slice_is(titles[i], title))
		i++;
	return i;
}

bool slice_absent(struct slice s)
{
	return s.length == 0 || slice_is(s, "(null)") || slice_same(s, "N/A");
}

static bool is_unlimited(struct slice s)
{
	return slice_same(s, "UNLIMITED") || slice_same(s, "INFINITE");
}

bool slice_u32(struct slice s, uint32_t *value)
{
	uint64_t n = 0;
	size_t i = 0;

	if (is_unlimited(s)) {
		*value = U32_INFINITE;
		return true;
	}
	for (; i < s.length && word_is_digit(s.at[i]); i++) {
		n = n * 10 + (uint64_t)(s.at[i] - '0');
		if (n > UINT32_MAX)
			return false;
	}
	if (i == 0)
		return false;
	if (i + 1 == s.length) {
		const char *unit = strchr("KMG", s.at[i]);

		if (!unit || !*unit)
			return false;
		n <<= 10 * (unsigned)(unit - "KMG" + 1);
	} else if (i < s.length) {
		return false;
	}
	if (n > UINT32_MAX)
		return false;
	*value = (uint32_t)n;
	return true;
}

bool slice_i64(struct slice s, int64_t *value)
{
	bool negative = s.length > 0 && s.at[0] == '-';
	size_t i = negative ? 1 : 0;
	int64_t n = 0;

	if (i == s.length)
		return false;
	for (; i < s.length; i++) {
		if (!word_is_digit(s.at[i]) || n > (INT64_MAX - 9) / 10)
			return false;
		n = n * 10 + (s.at[i] - '0');
	}
	*value = negative ? -n : n;
	return true;
}

bool slice_f64(struct slice s, double *value)
{
	char buffer[VALUE_MAX];
	char *end;
	double x;

	if (slice_is(s, "inf")) {
		*value = (double)INFINITY;
		return true;
	}
	if (s.length == 0 || s.length >= sizeof(buffer))
		return false;
	/* strtod() alone would also take hexadecimal digits, "infinity" and "nan". */
	for (size_t i = 0; i < s.length; i++) {
		if (!word_is_digit(s.at[i]) && !strchr("+-.eE", s.at[i]))
			return false;
	}
	memcpy(buffer, s.at, s.length);
	buffer[s.length] = '\0';
	x = strtod(buffer, &end);
	if (*end != '\0' || !isfinite(x))
		return false;
	*value = x;
	return true;
}

double slice_quantum(struct slice s)
{
	int decimals = 0, exponent = 0;
	size_t i = 0;

	while (i < s.length && s.at[i] != '.' && s.at[i] != 'e' && s.at[i] != 'E')
		i++;
	if (i < s.length && s.at[i] == '.') {
		for (i++; i < s.length && word_is_digit(s.at[i]); i++)
			decimals++;
	}
	if (i < s.length && (s.at[i] == 'e' || s.at[i] == 'E')) {
		bool negative = false;

		if (++i < s.length && (s.at[i] == '+' || s.at[i] == '-'))
			negative = s.at[i++] == '-';
		for (; i < s.length && word_is_digit(s.at[i]) && exponent < 400; i++)
			exponent = exponent * 10 + (s.at[i] - '0');
		if (negative)
			exponent = -exponent;
	}
	return pow(10.0, exponent - decimals);
}

bool slice_bool(struct slice s, bool *value)
{
	if (slice_same(s, "yes") || slice_same(s, "true") || slice_is(s, "1"))
		*value = true;
	else if (slice_same(s, "no") || slice_same(s, "false") || slice_is(s, "0"))
		*value = false;
	else
		return false;
	return true;
}

/* Reads "a:b:c" into PARTS; returns their number, 0 for anything else. */
static int colon_numbers(struct slice s, int64_t parts[3])
{
	struct slice piece;
	int count = 0;

	if (s.length == 0 || s.at[s.length - 1] == ':')
		return 0;
	while (slice_piece(&s, ':', &piece)) {
		if (count == 3 || piece.length == 0 || !word_is_digit(piece.at[0]) ||
		    piece.length > 10 || !slice_i64(piece, &parts[count]))
			return 0;
		count++;
	}
	return count;
}

bool slice_duration(struct slice s, int64_t *seconds)
{
	const char *dash = s.length > 0 ? memchr(s.at, '-', s.length) : NULL;
	int64_t days = 0, p[3] = { 0, 0, 0 };
	int count;

	if (is_unlimited(s)) {
		*seconds = I64_INFINITE;
		return true;
	}
	if (dash) {
		struct slice head = { s.at, (size_t)(dash - s.at) };

		if (head.length == 0 || head.length > 10 || !slice_i64(head, &days))
			return false;
		count = colon_numbers(slice_from(s, head.length + 1), p);
		if (count == 0)
			return false;
		*seconds = ((days * 24 + p[0]) * 60 + p[1]) * 60 + p[2];
		return true;
	}
	count = colon_numbers(s, p);
	if (count == 0)
		return false;
	*seconds = count == 3 ? (p[0] * 60 + p[1]) * 60 + p[2] : p[0] * 60 + p[1];
	return true;
}

/* COUNT digits, already checked. */
static int slice_digits(const char *at, int count)
{
	int value = 0;

	while (count-- > 0)
		value = value * 10 + (*at++ - '0');
	return value;
}

bool slice_time(struct slice s, int64_t *time)
{
	static const char form[] = "dddd-dd-ddTdd:dd:dd";
	struct tm tm = { .tm_isdst = -1 };

	if (s.length != sizeof(form) - 1)
		return false;
	for (size_t i = 0; i < s.length; i++) {
		if (form[i] == 'd' ? !word_is_digit(s.at[i]) : s.at[i] != form[i])
			return false;
	}
	tm.tm_year = slice_digits(s.at, 4) - 1900;
	tm.tm_mon = slice_digits(s.at + 5, 2) - 1;
	tm.tm_mday = slice_digits(s.at + 8, 2);
	tm.tm_hour = slice_digits(s.at + 11, 2);
	tm.tm_min = slice_digits(s.at + 14, 2);
	tm.tm_sec = slice_digits(s.at + 17, 2);
	if (tm.tm_mon < 0 || tm.tm_mon > 11 || tm.tm_mday < 1 || tm.tm_mday > 31 ||
	    tm.tm_hour > 23 || tm.tm_min > 59 || tm.tm_sec > 60)
		return false;
	*time = (int64_t)mktime(&tm);
	return true;
}

void slice_numbered(struct slice s, struct slice *name, uint32_t *number)
{
	size_t open = s.length;
	uint32_t n;

	*name = s;
	*number = U32_UNKNOWN;
	if (s.length == 0 || s.at[s.length - 1] != ')')
		return;
	while (open > 0 && s.at[open - 1] != '(')
		open--;
	if (open == 0 || !slice_u32((struct slice){ s.at + open, s.length - open - 1 }, &n))
		return;
	name->length = open - 1;
	*number = n;
}
