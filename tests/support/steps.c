/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/compare.h"

static double sum(const char **s);

static void blanks(const char **s)
{
	while (**s == ' ')
		(*s)++;
}

static bool take(const char **s, char c)
{
	blanks(s);
	if (**s != c)
		return false;
	(*s)++;
	return true;
}

static double power(const char **s);

static double atom(const char **s)
{
	char *end;
	double x;

	if (take(s, '-'))
		return -power(s);
	if (take(s, '(')) {
		x = sum(s);
		return take(s, ')') ? x : NAN;
	}
	blanks(s);
	x = strtod(*s, &end);
	if (end == *s)
		return NAN;
	*s = end;
	return x;
}

static double power(const char **s)
{
	double x = atom(s);

	return take(s, '^') ? pow(x, power(s)) : x;
}

static double product(const char **s)
{
	double x = power(s);

	for (;;) {
		if (take(s, '*'))
			x *= power(s);
		else if (take(s, '/'))
			x /= power(s);
		else
			return x;
	}
}

static double sum(const char **s)
{
	double x = product(s);

	for (;;) {
		if (take(s, '+'))
			x += product(s);
		else if (take(s, '-'))
			x -= product(s);
		else
			return x;
	}
}

double steps_calculate(const char *text)
{
	const char *s = text;
	double x = sum(&s);

	blanks(&s);
	return *s == '\0' ? x : NAN;
}

static bool wrong(const char *where, const char *what)
{
	fprintf(stderr, "%s: %s\n", where, what);
	return false;
}

bool steps_right(const struct explain_step *s, double tolerance, const char *where,
		 unsigned *calculated)
{
	double x;

	if (strstr(s->formula, "4294967294") || strstr(s->with, "4294967294") ||
	    strstr(s->note, "4294967294") || s->value == 4294967294.0)
		return wrong(where, "a mark of the scheduler is shown");
	if (strstr(s->with, "unknown"))
		return isnan(s->value) || wrong(where, s->with);
	if (s->with[0] == '\0')
		return true;
	x = steps_calculate(s->with);
	/* 0 / 0 and the like have no value to compare; the note says why. */
	if (!isfinite(x) && (isnan(s->value) || s->note[0] != '\0'))
		return true;
	++*calculated;
	/* F and the factors near 0 have an absolute error. */
	if (fabs(x - s->value) <= 1e-14)
		return true;
	return compare_close(s->value, x, tolerance, where, s->with);
}
