/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/value.h"

#include <math.h>
#include <string.h>

#include "core/base/shortest.h"

static int compare_real(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_int(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Exact: a double cannot hold every int64_t, an int64_t not every double. */
static int compare_int_real(int64_t a, double b)
{
	int64_t whole;
	int order;

	if (b >= 0x1p63)
		return -1;
	if (b < -0x1p63)
		return 1;
	whole = (int64_t)b;
	order = compare_int(a, whole);
	return order != 0 ? order : compare_real(0.0, b - (double)whole);
}

static int compare_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int compare_entries(const struct value *a, const struct value *b)
{
	uint32_t common = a->count < b->count ? a->count : b->count;

	for (uint32_t i = 0; i < common; i++) {
		const struct value_entry *x = &a->entries[i], *y = &b->entries[i];
		int order = compare_text(x->key, y->key);

		if (order == 0)
			order = compare_text(x->text, y->text);
		if (order == 0 && !x->text)
			order = compare_real(x->number, y->number);
		if (order != 0)
			return order;
	}
	return compare_int(a->count, b->count);
}

static bool is_unknown(const struct value *v)
{
	return v->kind == VALUE_UNKNOWN || (v->kind == VALUE_REAL && isnan(v->real)) ||
		(v->kind == VALUE_TEXT && !v->text);
}

/* INT and REAL are one kind when it comes to order. */
static int order_of_kind(enum value_kind kind)
{
	return kind == VALUE_REAL ? VALUE_INT : (int)kind;
}

static int compare_numbers(const struct value *a, const struct value *b)
{
	if (a->kind == VALUE_INT && b->kind == VALUE_INT)
		return compare_int(a->integer, b->integer);
	if (a->kind == VALUE_INT)
		return compare_int_real(a->integer, b->real);
	if (b->kind == VALUE_INT)
		return -compare_int_real(b->integer, a->real);
	return compare_real(a->real, b->real);
}

int value_compare(const struct value *a, const struct value *b)
{
	if (is_unknown(a) || is_unknown(b))
		return is_unknown(a) - is_unknown(b);
	if (order_of_kind(a->kind) != order_of_kind(b->kind))
		return order_of_kind(a->kind) - order_of_kind(b->kind);
	switch (a->kind) {
	case VALUE_TEXT:
		return compare_text(a->text, b->text);
	case VALUE_BOOL:
		return compare_int(a->integer, b->integer);
	case VALUE_MAP:
	case VALUE_LIST:
		return compare_entries(a, b);
	default:
		return compare_numbers(a, b);
	}
}

/* ---- printing ------------------------------------------------------------------------------ */

/* Plain notation: at most so many digits before the point, and zeros behind it. */
#define PLAIN_WHOLE 17
#define PLAIN_ZEROS 5

static char *put(char *at, const char *bytes, int n)
{
	memcpy(at, bytes, (size_t)n);
	return at + n;
}

static char *put_zeros(char *at, int n)
{
	memset(at, '0', (size_t)n);
	return at + n;
}

/* 0.DIGITS * 10^POINT without an exponent. */
static char *put_plain(char *at, const char *digits, int n, int point)
{
	if (point <= 0) {
		at = put_zeros(put(at, "0.", 2), -point);
		return put(at, digits, n);
	}
	if (point >= n)
		return put_zeros(put(at, digits, n), point - n);
	at = put(put(at, digits, point), ".", 1);
	return put(at, digits + point, n - point);
}

static char *put_exponent(char *at, const char *digits, int n, int point)
{
	int exponent = point - 1;
	int size = exponent < 0 ? -exponent : exponent;

	*at++ = digits[0];
	if (n > 1)
		at = put(put(at, ".", 1), digits + 1, n - 1);
	*at++ = 'e';
	*at++ = exponent < 0 ? '-' : '+';
	if (size >= 100)
		*at++ = (char)('0' + size / 100);
	*at++ = (char)('0' + size / 10 % 10);
	*at++ = (char)('0' + size % 10);
	return at;
}

/* A whole number below 2^53. */
static char *put_integer(char *at, uint64_t n)
{
	char digits[20];
	int used = 0;

	do {
		digits[sizeof(digits) - 1 - (size_t)used++] = (char)('0' + n % 10);
		n /= 10;
	} while (n > 0);
	return put(at, digits + sizeof(digits) - used, used);
}

static char *put_finite(char *at, double x)
{
	char digits[SHORTEST_DIGITS_MAX];
	int n, point;

	if (x < 0x1p53 && (double)(uint64_t)x == x)
		return put_integer(at, (uint64_t)x);
	n = shortest_digits(x, digits, &point);
	if (point <= PLAIN_WHOLE && point >= -PLAIN_ZEROS)
		return put_plain(at, digits, n, point);
	return put_exponent(at, digits, n, point);
}

size_t value_print_double(double x, char buf[VALUE_DOUBLE_MAX])
{
	char *at = buf;

	if (signbit(x) && !isnan(x))
		*at++ = '-';
	if (isnan(x))
		at = put(at, "nan", 3);
	else if (isinf(x))
		at = put(at, "inf", 3);
	else if (x == 0.0 && signbit(x))
		at = put(at, "0.0", 3);
	else
		at = put_finite(at, fabs(x));
	*at = '\0';
	return (size_t)(at - buf);
}
