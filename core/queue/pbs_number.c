/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define SHIFT_MAX 4096		/* beyond what any float can be shifted by */

static const struct pbs_number unknown = { .kind = PBS_UNKNOWN };
static const struct pbs_number raised = { .kind = PBS_RAISED };

struct pbs_number pbs_number_int(int64_t i)
{
	return (struct pbs_number){ .kind = PBS_INT, .i = pbs_int_of(i) };
}

struct pbs_number pbs_number_float(double x)
{
	return isnan(x) ? unknown : (struct pbs_number){ .kind = PBS_FLOAT, .x = x };
}

struct pbs_number pbs_number_plain(double x)
{
	struct pbs_number r = { .kind = PBS_INT };

	return x == floor(x) && pbs_int_of_double(x, &r.i) ? r : pbs_number_float(x);
}

bool pbs_number_is(const struct pbs_number *a)
{
	return a->kind == PBS_FLOAT || a->kind == PBS_INT;
}

double pbs_number_double(const struct pbs_number *a)
{
	if (a->kind == PBS_INT)
		return pbs_int_double(&a->i);
	return a->kind == PBS_FLOAT ? a->x : (double)NAN;
}

bool pbs_number_true(const struct pbs_number *a)
{
	return a->kind == PBS_INT ? !pbs_int_is_zero(&a->i) : a->x != 0;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

static bool both_int(const struct pbs_number *x, const struct pbs_number *y)
{
	return x->kind == PBS_INT && y->kind == PBS_INT;
}

/* RESULT if it FITS. */
static struct pbs_number whole(bool fits, const struct pbs_int *result)
{
	return fits ? (struct pbs_number){ .kind = PBS_INT, .i = *result } : unknown;
}

static struct pbs_number add(struct pbs_number x, struct pbs_number y)
{
	struct pbs_int r;

	if (both_int(&x, &y))
		return whole(pbs_int_add(&x.i, &y.i, &r), &r);
	return pbs_number_float(pbs_number_double(&x) + pbs_number_double(&y));
}

static struct pbs_number subtract(struct pbs_number x, struct pbs_number y)
{
	struct pbs_int r;

	if (both_int(&x, &y))
		return whole(pbs_int_subtract(&x.i, &y.i, &r), &r);
	return pbs_number_float(pbs_number_double(&x) - pbs_number_double(&y));
}

static struct pbs_number multiply(struct pbs_number x, struct pbs_number y)
{
	struct pbs_int r;

	if (both_int(&x, &y))
		return whole(pbs_int_multiply(&x.i, &y.i, &r), &r);
	return pbs_number_float(pbs_number_double(&x) * pbs_number_double(&y));
}

static struct pbs_number divide(struct pbs_number x, struct pbs_number y)
{
	if (!pbs_number_true(&y))
		return raised;
	return pbs_number_float(pbs_number_double(&x) / pbs_number_double(&y));
}

/* The rest has the sign of Y; the quotient is whole. Source: floatobject.c, _float_div_mod(). */
static double quotient_of(double x, double y, double *rest)
{
	double quotient, down;

	*rest = fmod(x, y);
	quotient = (x - *rest) / y;
	if (*rest != 0 && (*rest < 0) != (y < 0)) {
		*rest += y;
		quotient -= 1;
	} else if (*rest == 0) {
		*rest = copysign(0, y);
	}
	if (quotient == 0)
		return copysign(0, x / y);
	down = floor(quotient);
	return quotient - down > 0.5 ? down + 1 : down;
}

static struct pbs_number floor_divide(struct pbs_number x, struct pbs_number y)
{
	struct pbs_int q, r;
	double rest;

	if (!pbs_number_true(&y))
		return raised;
	if (both_int(&x, &y))
		return whole(pbs_int_divide(&x.i, &y.i, &q, &r), &q);
	return pbs_number_float(quotient_of(pbs_number_double(&x), pbs_number_double(&y), &rest));
}

static struct pbs_number modulo(struct pbs_number x, struct pbs_number y)
{
	struct pbs_int q, r;
	double rest;

	if (!pbs_number_true(&y))
		return raised;
	if (both_int(&x, &y))
		return whole(pbs_int_divide(&x.i, &y.i, &q, &r), &r);
	(void)quotient_of(pbs_number_double(&x), pbs_number_double(&y), &rest);
	return pbs_number_float(rest);
}

/* A broken power of what is negative is a complex number. */
static struct pbs_number power(struct pbs_number x, struct pbs_number y)
{
	double a = pbs_number_double(&x), b = pbs_number_double(&y), r = pow(a, b);
	struct pbs_int i;

	if (both_int(&x, &y) && !y.i.negative)
		return whole(pbs_int_power(&x.i, &y.i, &i), &i);
	if (isinf(r) && isfinite(a) && isfinite(b))
		return raised;
	return pbs_number_float(r);
}

static struct pbs_number negate(struct pbs_number x)
{
	x.i = pbs_int_negate(&x.i);
	x.x = -x.x;
	return x;
}

static struct pbs_number same(struct pbs_number x)
{
	return x;
}

/* ---- bits ------------------------------------------------------------------------------------ */

static struct pbs_number invert(struct pbs_number x)
{
	return x.kind == PBS_INT ? subtract(pbs_number_int(-1), x) : raised;
}

static struct pbs_number bits(struct pbs_number x, struct pbs_number y, char sign)
{
	int64_t a, b;

	if (!both_int(&x, &y))
		return raised;
	if (!pbs_int_fits(&x.i, &a) || !pbs_int_fits(&y.i, &b))
		return unknown;
	return pbs_number_int(sign == '&' ? a & b : sign == '|' ? a | b : a ^ b);
}

static struct pbs_number bits_and(struct pbs_number x, struct pbs_number y)
{
	return bits(x, y, '&');
}

static struct pbs_number bits_or(struct pbs_number x, struct pbs_number y)
{
	return bits(x, y, '|');
}

static struct pbs_number bits_xor(struct pbs_number x, struct pbs_number y)
{
	return bits(x, y, '^');
}

static struct pbs_number shift_left(struct pbs_number x, struct pbs_number y)
{
	if (!both_int(&x, &y) || y.i.negative)
		return raised;
	return pbs_number_true(&x) ? multiply(x, power(pbs_number_int(2), y)) : x;
}

static struct pbs_number shift_right(struct pbs_number x, struct pbs_number y)
{
	struct pbs_number by;

	if (!both_int(&x, &y) || y.i.negative)
		return raised;
	by = power(pbs_number_int(2), y);
	if (by.kind == PBS_UNKNOWN)
		return pbs_number_int(x.i.negative ? -1 : 0);
	return floor_divide(x, by);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* Exactly, as Python does where an int has more digits than a float holds. */
static int compare(const struct pbs_number *x, const struct pbs_number *y)
{
	struct pbs_int down;
	int c;

	if (both_int(x, y))
		return pbs_int_compare(&x->i, &y->i);
	if (y->kind == PBS_INT)
		return -compare(y, x);
	if (x->kind == PBS_FLOAT)
		return x->x < y->x ? -1 : x->x > y->x;
	if (!pbs_int_of_double(floor(y->x), &down))
		return y->x > 0 ? -1 : 1;
	c = pbs_int_compare(&x->i, &down);
	return c == 0 && y->x > floor(y->x) ? -1 : c;
}

static struct pbs_number less(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(compare(&x, &y) < 0);
}

static struct pbs_number less_equal(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(compare(&x, &y) <= 0);
}

static struct pbs_number greater(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(compare(&x, &y) > 0);
}

static struct pbs_number greater_equal(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(compare(&x, &y) >= 0);
}

static struct pbs_number equal(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(compare(&x, &y) == 0);
}

static struct pbs_number not_equal(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(compare(&x, &y) != 0);
}

static struct pbs_number least(struct pbs_number x, struct pbs_number y)
{
	return compare(&y, &x) < 0 ? y : x;
}

static struct pbs_number most(struct pbs_number x, struct pbs_number y)
{
	return compare(&y, &x) > 0 ? y : x;
}

/* ---- functions ------------------------------------------------------------------------------- */

static struct pbs_number to_float(struct pbs_number x)
{
	return pbs_number_float(pbs_number_double(&x));
}

static struct pbs_number absolute(struct pbs_number x)
{
	x.i.negative = false;
	x.x = fabs(x.x);
	return x;
}

static struct pbs_number float_absolute(struct pbs_number x)
{
	return to_float(absolute(x));
}

/* The int that ROUND makes; there is none of infinity. */
static struct pbs_number to_int(struct pbs_number x, double (*round_it)(double))
{
	struct pbs_int r;

	if (x.kind == PBS_INT)
		return x;
	return isinf(x.x) ? raised : whole(pbs_int_of_double(round_it(x.x), &r), &r);
}

static struct pbs_number truncate(struct pbs_number x)
{
	return to_int(x, trunc);
}

static struct pbs_number round_down(struct pbs_number x)
{
	return to_int(x, floor);
}

static struct pbs_number round_up(struct pbs_number x)
{
	return to_int(x, ceil);
}

static struct pbs_number round_even(struct pbs_number x)
{
	return to_int(x, rint);
}

/* To a multiple of UNIT, of two the even one; BROKEN: X has a part behind the point, too. */
static bool round_whole(const struct pbs_int *x, bool broken, const struct pbs_int *unit,
			struct pbs_int *out)
{
	const struct pbs_int one = pbs_int_of(1);
	struct pbs_int size = *x, quotient, rest, twice;
	int c;

	size.negative = false;
	if (!pbs_int_divide(&size, unit, &quotient, &rest) || !pbs_int_add(&rest, &rest, &twice))
		return false;
	c = pbs_int_compare(&twice, unit);
	if ((c > 0 || (c == 0 && (broken || (quotient.limb[0] & 1)))) &&
	    !pbs_int_add(&quotient, &one, &quotient))
		return false;
	if (!pbs_int_multiply(&quotient, unit, out))
		return false;
	out->negative = x->negative && !pbs_int_is_zero(out);
	return true;
}

/* In decimal, of exactly what the number is. */
static struct pbs_number round_to(struct pbs_number x, struct pbs_number digits)
{
	struct pbs_number unit;
	struct pbs_int cut, r;
	int64_t n;
	char text[800];

	if (digits.kind != PBS_INT)
		return raised;
	if (!pbs_int_fits(&digits.i, &n))
		return unknown;
	if (n >= 0 || (x.kind == PBS_FLOAT && isinf(x.x))) {
		if (x.kind == PBS_INT || isinf(x.x) || n > 323)
			return x;
		snprintf(text, sizeof(text), "%.*f", (int)n, x.x);
		return pbs_number_float(strtod(text, NULL));
	}
	unit = power(pbs_number_int(10), negate(digits));
	if (unit.kind != PBS_INT)
		return unknown;
	if (x.kind == PBS_INT)
		return whole(round_whole(&x.i, false, &unit.i, &r), &r);
	return pbs_int_of_double(trunc(x.x), &cut) &&
	       round_whole(&cut, x.x != trunc(x.x), &unit.i, &r) ?
	       pbs_number_float(copysign(pbs_int_double(&r), x.x)) : unknown;
}

static struct pbs_number scale(struct pbs_number x, struct pbs_number exponent)
{
	double a = pbs_number_double(&x), r;
	int64_t n;

	if (exponent.kind != PBS_INT)
		return raised;
	if (!pbs_int_fits(&exponent.i, &n) || n > SHIFT_MAX || n < -SHIFT_MAX)
		n = exponent.i.negative ? -SHIFT_MAX : SHIFT_MAX;
	r = ldexp(a, (int)n);
	return isinf(r) && isfinite(a) ? raised : pbs_number_float(r);
}

/* Too long a side is infinite since Python 3.8, and an exception before. */
static struct pbs_number hypotenuse(struct pbs_number x, struct pbs_number y)
{
	double a = pbs_number_double(&x), b = pbs_number_double(&y), r = hypot(a, b);

	return isinf(r) && isfinite(a) && isfinite(b) ? unknown : pbs_number_float(r);
}

static struct pbs_number degrees(struct pbs_number x)
{
	return pbs_number_float(pbs_number_double(&x) * (180.0 / PI));
}

static struct pbs_number radians(struct pbs_number x)
{
	return pbs_number_float(pbs_number_double(&x) * (PI / 180.0));
}

/* No result is an exception, and an infinite one of what is not. Source: mathmodule.c, math_1(). */
static struct pbs_number checked(double r, double x, double y)
{
	if (isnan(r) || (isinf(r) && isfinite(x) && isfinite(y)))
		return raised;
	return pbs_number_float(r);
}

static struct pbs_number logarithm(struct pbs_number x, struct pbs_number base)
{
	double a = pbs_number_double(&x), b = pbs_number_double(&base);
	struct pbs_number above = checked(log(a), a, 0), below = checked(log(b), b, 0);

	return pbs_number_is(&above) && pbs_number_is(&below) ? divide(above, below) : raised;
}

static const struct pbs_function functions[] = {
	{ "+", 2, 2, .two = add }, { "-", 2, 2, .two = subtract }, { "*", 2, 2, .two = multiply },
	{ "/", 2, 2, .two = divide }, { "//", 2, 2, .two = floor_divide },
	{ "%", 2, 2, .two = modulo }, { "**", 2, 2, .two = power },
	{ "u-", 1, 1, .one = negate }, { "u+", 1, 1, .one = same }, { "u~", 1, 1, .one = invert },
	{ "&", 2, 2, .two = bits_and }, { "|", 2, 2, .two = bits_or },
	{ "^", 2, 2, .two = bits_xor }, { "<<", 2, 2, .two = shift_left },
	{ ">>", 2, 2, .two = shift_right }, { "<", 2, 2, .two = less },
	{ "<=", 2, 2, .two = less_equal }, { ">", 2, 2, .two = greater },
	{ ">=", 2, 2, .two = greater_equal }, { "==", 2, 2, .two = equal },
	{ "!=", 2, 2, .two = not_equal },
	{ "min", 1, 0, .two = least }, { "max", 1, 0, .two = most }, { "sum", 1, 0, .two = add },
	{ "abs", 1, 1, .one = absolute }, { "fabs", 1, 1, .one = float_absolute },
	{ "int", 1, 1, .one = truncate }, { "float", 1, 1, .one = to_float },
	{ "trunc", 1, 1, .one = truncate }, { "floor", 1, 1, .one = round_down },
	{ "ceil", 1, 1, .one = round_up },
	{ "round", 1, 2, .one = round_even, .two = round_to },
	{ "pow", 2, 2, .real_two = pow }, { "fmod", 2, 2, .real_two = fmod },
	{ "copysign", 2, 2, .real_two = copysign }, { "atan2", 2, 2, .real_two = atan2 },
	{ "hypot", 2, 2, .two = hypotenuse }, { "ldexp", 2, 2, .two = scale },
	{ "log", 1, 2, .real = log, .two = logarithm }, { "log2", 1, 1, .real = log2 },
	{ "log10", 1, 1, .real = log10 }, { "log1p", 1, 1, .real = log1p },
	{ "exp", 1, 1, .real = exp }, { "expm1", 1, 1, .real = expm1 },
	{ "sqrt", 1, 1, .real = sqrt }, { "degrees", 1, 1, .one = degrees },
	{ "radians", 1, 1, .one = radians },
	{ "sin", 1, 1, .real = sin }, { "cos", 1, 1, .real = cos }, { "tan", 1, 1, .real = tan },
	{ "asin", 1, 1, .real = asin }, { "acos", 1, 1, .real = acos },
	{ "atan", 1, 1, .real = atan }, { "sinh", 1, 1, .real = sinh },
	{ "cosh", 1, 1, .real = cosh }, { "tanh", 1, 1, .real = tanh },
	{ "asinh", 1, 1, .real = asinh }, { "acosh", 1, 1, .real = acosh },
	{ "atanh", 1, 1, .real = atanh },
};

const struct pbs_function *pbs_function_find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strncmp(functions[i].name, name, length) == 0 &&
		    functions[i].name[length] == '\0')
			return &functions[i];
	}
	return NULL;
}

struct pbs_number pbs_function_call(const struct pbs_function *f, unsigned count,
				    const struct pbs_number *x, const struct pbs_number *y)
{
	double a, b;

	if (count == 2 && f->two)
		return f->two(*x, *y);
	if (count == 1 && f->one)
		return f->one(*x);
	a = pbs_number_double(x);
	if (count == 1)
		return checked(f->real(a), a, 0);
	b = pbs_number_double(y);
	return checked(f->real_two(a, b), a, b);
}
