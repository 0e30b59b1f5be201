/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/value.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- printing ------------------------------------------------------------------------------ */

/* Plain notation: at most this many digits before the point, and zeros after it. */
#define PLAIN_WHOLE 17
#define PLAIN_ZEROS 5

int value_digits(double x, char digits[VALUE_DIGITS], int *point)
{
	/* A text of DBL_DIG digits survives a double, if that has its full precision. */
	int n = x < DBL_MIN ? 0 : DBL_DIG - 1;
	char text[40];

	do
		snprintf(text, sizeof(text), "%.*e", n++, x);
	while (n < VALUE_DIGITS && strtod(text, NULL) != x);
	digits[0] = text[0];
	memcpy(digits + 1, text + 2, (size_t)n - 1);
	*point = (int)strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
	while (n > 1 && digits[n - 1] == '0')
		n--;
	return n;
}

static char *value_put(char *at, const char *bytes, int n)
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
		at = put_zeros(value_put(at, "0.", 2), -point);
		return value_put(at, digits, n);
	}
	if (point >= n)
		return put_zeros(value_put(at, digits, n), point - n);
	at = value_put(value_put(at, digits, point), ".", 1);
	return value_put(at, digits + point, n - point);
}

static char *put_exponent(char *at, const char *digits, int n, int point)
{
	int exponent = point - 1;
	int size = exponent < 0 ? -exponent : exponent;

	*at++ = digits[0];
	if (n > 1)
		at = value_put(value_put(at, ".", 1), digits + 1, n - 1);
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
	return value_put(at, digits + sizeof(digits) - used, used);
}

static char *put_finite(char *at, double x)
{
	char digits[VALUE_DIGITS];
	int n, point;

	if (x < 0x1p53 && (double)(uint64_t)x == x)
		return put_integer(at, (uint64_t)x);
	n = value_digits(x, digits, &point);
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
		at = value_put(at, "nan", 3);
	else if (isinf(x))
		at = value_put(at, "inf", 3);
	else if (x == 0.0 && signbit(x))
		at = value_put(at, "0.0", 3);
	else
		at = put_finite(at, fabs(x));
	*at = '\0';
	return (size_t)(at - buf);
}
