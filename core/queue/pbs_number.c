/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define SHIFT_MAX 4096		/* beyond what any float can be shifted by */
#define NEAR 0x1p-40		/* relative error of PBS_LONG after many operations */

static const struct pbs_number unknown = { .kind = PBS_UNKNOWN };
static const struct pbs_number raised = { .kind = PBS_RAISED };

static struct pbs_number long_of(double x)
{
	return isfinite(x) ? (struct pbs_number){ .kind = PBS_LONG, .x = x } : unknown;
}

struct pbs_number pbs_number_int(int64_t i)
{
	if (i == INT64_MIN)
		return long_of((double)i);
	return (struct pbs_number){ .kind = PBS_INT, .i = i };
}

struct pbs_number pbs_number_float(double x)
{
	return isnan(x) ? unknown : (struct pbs_number){ .kind = PBS_FLOAT, .x = x };
}

struct pbs_number pbs_number_plain(double x)
{
	if (x != floor(x))
		return pbs_number_float(x);
	return fabs(x) < 0x1p63 ? pbs_number_int((int64_t)x) : long_of(x);
}

bool pbs_number_is(const struct pbs_number *a)
{
	return a->kind != PBS_UNKNOWN && a->kind != PBS_RAISED;
}

double pbs_number_double(const struct pbs_number *a)
{
	if (a->kind == PBS_INT)
		return (double)a->i;
	return pbs_number_is(a) ? a->x : (double)NAN;
}

bool pbs_number_true(const struct pbs_number *a)
{
	return a->kind == PBS_INT ? a->i != 0 : a->x != 0;
}

/* ---- arithmetic; for PBS_LONG see pbs_function_call() ---------------------------------------- */

static bool both_int(const struct pbs_number *x, const struct pbs_number *y)
{
	return x->kind == PBS_INT && y->kind == PBS_INT;
}

static struct pbs_number number_add(struct pbs_number x, struct pbs_number y)
{
	double sum = pbs_number_double(&x) + pbs_number_double(&y);

	if (!both_int(&x, &y))
		return pbs_number_float(sum);
	if (y.i > 0 ? x.i > INT64_MAX - y.i : x.i < -INT64_MAX - y.i)
		return long_of(sum);
	return pbs_number_int(x.i + y.i);
}

static struct pbs_number number_negate(struct pbs_number x)
{
	if (x.kind == PBS_INT)
		x.i = -x.i;
	else
		x.x = -x.x;
	return x;
}

static struct pbs_number number_absolute(struct pbs_number x)
{
	return (x.kind == PBS_INT ? x.i < 0 : signbit(x.x)) ? number_negate(x) : x;
}

static struct pbs_number number_subtract(struct pbs_number x, struct pbs_number y)
{
	if (both_int(&x, &y))
		return number_add(x, number_negate(y));
	return pbs_number_float(pbs_number_double(&x) - pbs_number_double(&y));
}

static struct pbs_number number_multiply(struct pbs_number x, struct pbs_number y)
{
	double product = pbs_number_double(&x) * pbs_number_double(&y);

	if (!both_int(&x, &y))
		return pbs_number_float(product);
	if (x.i != 0 && number_absolute(y).i > INT64_MAX / number_absolute(x).i)
		return long_of(product);
	return pbs_number_int(x.i * y.i);
}

static struct pbs_number number_divide(struct pbs_number x, struct pbs_number y)
{
	double a = pbs_number_double(&x), b = pbs_number_double(&y);

	if (!pbs_number_true(&y))
		return raised;
	/* Python rounds only the quotient, not operands that are too long for a float. */
	if (both_int(&x, &y) && (pbs_number_plain(a).i != x.i || pbs_number_plain(b).i != y.i))
		return long_of(a / b);
	return pbs_number_float(a / b);
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
	double rest;

	if (!pbs_number_true(&y))
		return raised;
	if (both_int(&x, &y))
		return pbs_number_int(x.i / y.i - (x.i % y.i != 0 && (x.i < 0) != (y.i < 0)));
	return pbs_number_float(quotient_of(pbs_number_double(&x), pbs_number_double(&y), &rest));
}

static struct pbs_number number_modulo(struct pbs_number x, struct pbs_number y)
{
	double rest;

	if (!pbs_number_true(&y))
		return raised;
	if (both_int(&x, &y)) {
		x.i %= y.i;
		return x.i != 0 && (x.i < 0) != (y.i < 0) ? number_add(x, y) : x;
	}
	(void)quotient_of(pbs_number_double(&x), pbs_number_double(&y), &rest);
	return pbs_number_float(rest);
}

/* N is not negative. */
static struct pbs_number int_power(struct pbs_number base, int64_t n)
{
	struct pbs_number r = pbs_number_int(1);

	/* For 0, 1 and -1 only the parity matters; others soon become long. */
	if (number_absolute(base).i <= 1 && n > 2)
		n = 2 - n % 2;
	for (int64_t i = 0; i < n && r.kind == PBS_INT; i++)
		r = number_multiply(r, base);
	return r.kind == PBS_INT ? r : long_of(pow((double)base.i, (double)n));
}

/* A fractional power of a negative number is complex. */
static struct pbs_number number_power(struct pbs_number x, struct pbs_number y)
{
	double a = pbs_number_double(&x), b = pbs_number_double(&y), r = pow(a, b);

	if (both_int(&x, &y) && y.i >= 0)
		return int_power(x, y.i);
	if (isinf(r) && isfinite(a) && isfinite(b))
		return raised;
	return pbs_number_float(r);
}

static struct pbs_number number_same(struct pbs_number x)
{
	return x;
}

/* ---- bits ------------------------------------------------------------------------------------ */

static struct pbs_number number_invert(struct pbs_number x)
{
	return x.kind == PBS_INT ? pbs_number_int(~x.i) : raised;
}

static struct pbs_number number_bits(struct pbs_number x, struct pbs_number y, char sign)
{
	if (!both_int(&x, &y))
		return raised;
	return pbs_number_int(sign == '&' ? x.i & y.i : sign == '|' ? x.i | y.i : x.i ^ y.i);
}

static struct pbs_number bits_and(struct pbs_number x, struct pbs_number y)
{
	return number_bits(x, y, '&');
}

static struct pbs_number bits_or(struct pbs_number x, struct pbs_number y)
{
	return number_bits(x, y, '|');
}

static struct pbs_number bits_xor(struct pbs_number x, struct pbs_number y)
{
	return number_bits(x, y, '^');
}

static struct pbs_number shift_left(struct pbs_number x, struct pbs_number y)
{
	if (!both_int(&x, &y) || y.i < 0)
		return raised;
	if (y.i < 63)
		return number_multiply(x, pbs_number_int(INT64_C(1) << y.i));
	return pbs_number_plain(ldexp((double)x.i, y.i < SHIFT_MAX ? (int)y.i : SHIFT_MAX));
}

static struct pbs_number shift_right(struct pbs_number x, struct pbs_number y)
{
	if (!both_int(&x, &y) || y.i < 0)
		return raised;
	if (y.i > 63)
		y.i = 63;
	return pbs_number_int(x.i < 0 ? ~(~x.i >> y.i) : x.i >> y.i);
}

/* ---- comparisons ----------------------------------------------------------------------------- */

/* Compares exactly, like Python, if an int has more digits than a float. */
static int number_compare(const struct pbs_number *x, const struct pbs_number *y)
{
	int64_t down;

	if (both_int(x, y))
		return x->i < y->i ? -1 : x->i > y->i;
	if (y->kind == PBS_INT)
		return -number_compare(y, x);
	if (x->kind == PBS_FLOAT)
		return x->x < y->x ? -1 : x->x > y->x;
	if (fabs(y->x) >= 0x1p63)
		return y->x > 0 ? -1 : 1;
	down = (int64_t)floor(y->x);
	return x->i > down ? 1 : x->i < down || y->x > floor(y->x) ? -1 : 0;
}

static struct pbs_number number_less(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(number_compare(&x, &y) < 0);
}

static struct pbs_number less_equal(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(number_compare(&x, &y) <= 0);
}

static struct pbs_number number_greater(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(number_compare(&x, &y) > 0);
}

static struct pbs_number greater_equal(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(number_compare(&x, &y) >= 0);
}

static struct pbs_number number_equal(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(number_compare(&x, &y) == 0);
}

static struct pbs_number not_equal(struct pbs_number x, struct pbs_number y)
{
	return pbs_number_int(number_compare(&x, &y) != 0);
}

static struct pbs_number number_least(struct pbs_number x, struct pbs_number y)
{
	return number_compare(&y, &x) < 0 ? y : x;
}

static struct pbs_number number_most(struct pbs_number x, struct pbs_number y)
{
	return number_compare(&y, &x) > 0 ? y : x;
}

/* ---- functions ------------------------------------------------------------------------------- */

static struct pbs_number to_float(struct pbs_number x)
{
	return pbs_number_float(pbs_number_double(&x));
}

static struct pbs_number float_absolute(struct pbs_number x)
{
	return to_float(number_absolute(x));
}

/* The int that ROUND makes; infinity has none. */
static struct pbs_number to_int(struct pbs_number x, double (*round_it)(double))
{
	if (x.kind == PBS_INT)
		return x;
	return isinf(x.x) ? raised : pbs_number_plain(round_it(x.x));
}

static struct pbs_number number_truncate(struct pbs_number x)
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

/* Rounds to a multiple of UNIT, half to even; BROKEN: X also has a fraction. */
static struct pbs_number round_whole(struct pbs_number x, bool broken, int64_t unit)
{
	int64_t size = number_absolute(x).i, rest = size % unit, other = unit - rest;
	bool up = rest > other || (rest == other && (broken || size / unit % 2 != 0));
	struct pbs_number r =
		number_add(pbs_number_int(size - rest), pbs_number_int(up ? unit : 0));

	return x.i < 0 ? number_negate(r) : r;
}

/* Rounds in decimal, from the exact value. */
static struct pbs_number round_to(struct pbs_number x, struct pbs_number digits)
{
	struct pbs_number unit, r;
	char text[800];

	if (digits.kind != PBS_INT)
		return raised;
	if (digits.i >= 0 || (x.kind == PBS_FLOAT && isinf(x.x))) {
		if (x.kind == PBS_INT || isinf(x.x) || digits.i > 323)
			return x;
		snprintf(text, sizeof(text), "%.*f", (int)digits.i, x.x);
		return pbs_number_float(strtod(text, NULL));
	}
	unit = number_power(pbs_number_int(10), number_negate(digits));
	r = number_truncate(x);
	if (unit.kind != PBS_INT || r.kind != PBS_INT)
		return unknown;
	if (x.kind == PBS_INT)
		return round_whole(x, false, unit.i);
	r = round_whole(r, x.x != trunc(x.x), unit.i);
	return pbs_number_float(copysign(pbs_number_double(&r), x.x));
}

static struct pbs_number number_scale(struct pbs_number x, struct pbs_number exponent)
{
	double a = pbs_number_double(&x), r;

	if (exponent.kind != PBS_INT)
		return raised;
	if (number_absolute(exponent).i > SHIFT_MAX)
		exponent.i = exponent.i < 0 ? -SHIFT_MAX : SHIFT_MAX;
	r = ldexp(a, (int)exponent.i);
	return isinf(r) && isfinite(a) ? raised : pbs_number_float(r);
}

/* An int too long for a float is infinite since Python 3.8, and an exception before. */
static struct pbs_number number_hypotenuse(struct pbs_number x, struct pbs_number y)
{
	double a = pbs_number_double(&x), b = pbs_number_double(&y), r = hypot(a, b);

	return isinf(r) && isfinite(a) && isfinite(b) ? unknown : pbs_number_float(r);
}

static struct pbs_number number_degrees(struct pbs_number x)
{
	return pbs_number_float(pbs_number_double(&x) * (180.0 / PI));
}

static struct pbs_number number_radians(struct pbs_number x)
{
	return pbs_number_float(pbs_number_double(&x) * (PI / 180.0));
}

/* No result is an exception, as is an infinite one of finite numbers: mathmodule.c, math_1(). */
static struct pbs_number number_checked(double r, double x, double y)
{
	if (isnan(r) || (isinf(r) && isfinite(x) && isfinite(y)))
		return raised;
	return pbs_number_float(r);
}

static struct pbs_number number_logarithm(struct pbs_number x, struct pbs_number base)
{
	double a = pbs_number_double(&x), b = pbs_number_double(&base);
	struct pbs_number above = number_checked(log(a), a, 0),
			  below = number_checked(log(b), b, 0);

	return pbs_number_is(&above) && pbs_number_is(&below) ? number_divide(above, below)
							      : raised;
}

static const struct pbs_function functions[] = {
	{ "+", 2, 2, .two = number_add }, { "-", 2, 2, .two = number_subtract }, { "*", 2, 2,
	  .two = number_multiply },
	{ "/", 2, 2, .two = number_divide }, { "//", 2, 2, .two = floor_divide },
	{ "%", 2, 2, .two = number_modulo }, { "**", 2, 2, .two = number_power },
	{ "u-", 1, 1, .one = number_negate }, { "u+", 1, 1, .one = number_same }, { "u~", 1, 1,
	  .one = number_invert },
	{ "&", 2, 2, .two = bits_and }, { "|", 2, 2, .two = bits_or },
	{ "^", 2, 2, .two = bits_xor }, { "<<", 2, 2, .two = shift_left },
	{ ">>", 2, 2, .two = shift_right }, { "<", 2, 2, .two = number_less },
	{ "<=", 2, 2, .two = less_equal }, { ">", 2, 2, .two = number_greater },
	{ ">=", 2, 2, .two = greater_equal }, { "==", 2, 2, .two = number_equal },
	{ "!=", 2, 2, .two = not_equal },
	{ "min", 1, 0, .two = number_least }, { "max", 1, 0, .two = number_most }, { "sum", 1, 0,
	  .two = number_add },
	{ "abs", 1, 1, .one = number_absolute }, { "fabs", 1, 1, .one = float_absolute },
	{ "int", 1, 1, .one = number_truncate }, { "float", 1, 1, .one = to_float },
	{ "trunc", 1, 1, .one = number_truncate }, { "floor", 1, 1, .one = round_down },
	{ "ceil", 1, 1, .one = round_up },
	{ "round", 1, 2, .one = round_even, .two = round_to },
	{ "pow", 2, 2, .real_two = pow }, { "fmod", 2, 2, .real_two = fmod },
	{ "copysign", 2, 2, .real_two = copysign }, { "atan2", 2, 2, .real_two = atan2 },
	{ "hypot", 2, 2, .two = number_hypotenuse }, { "ldexp", 2, 2, .two = number_scale },
	{ "log", 1, 2, .real = log, .two = number_logarithm }, { "log2", 1, 1, .real = log2 },
	{ "log10", 1, 1, .real = log10 }, { "log1p", 1, 1, .real = log1p },
	{ "exp", 1, 1, .real = exp }, { "expm1", 1, 1, .real = expm1 },
	{ "sqrt", 1, 1, .real = sqrt }, { "degrees", 1, 1, .one = number_degrees },
	{ "radians", 1, 1, .one = number_radians },
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

static struct pbs_number number_call(const struct pbs_function *f, unsigned count,
				     const struct pbs_number *x, const struct pbs_number *y)
{
	double a, b;

	if (count == 2 && f->two)
		return f->two(*x, *y);
	if (count == 1 && f->one)
		return f->one(*x);
	a = pbs_number_double(x);
	if (count == 1)
		return number_checked(f->real(a), a, 0);
	b = pbs_number_double(y);
	return number_checked(f->real_two(a, b), a, b);
}

/* Needs all digits, even if results for numbers near a PBS_LONG happen to agree. */
static bool needs_digits(const struct pbs_function *f, const struct pbs_number *y)
{
	return f->two == number_modulo || f->real_two == fmod ||
	       (f->two == number_power && y->kind == PBS_LONG);
}

/* A float near a PBS_LONG; other numbers are exact. */
static struct pbs_number number_beside(const struct pbs_number *x, double part)
{
	return x->kind == PBS_LONG ? pbs_number_float(x->x + x->x * part) : *x;
}

/* With a PBS_LONG: the result is known if nearby numbers give nearly the same. */
static struct pbs_number call_long(const struct pbs_function *f, unsigned count,
				   const struct pbs_number *x, const struct pbs_number *y)
{
	static const double parts[] = { 0, -NEAR, NEAR };
	struct pbs_number first = unknown;
	double result = 0;
	bool is_int = true;

	for (unsigned i = 0; i < 9; i++) {
		struct pbs_number a = number_beside(x, parts[i % 3]),
				  b = number_beside(y, parts[i / 3]);
		struct pbs_number r = number_call(f, count, &a, &b);

		if (i == 0) {
			first = r;
			result = pbs_number_double(&r);
		}
		if (!(fabs(pbs_number_double(&r) - result) <= 16 * NEAR * fabs(result)))
			return unknown;
		is_int = is_int && r.kind == PBS_INT && r.i == first.i;
	}
	/* No int is -0. */
	return is_int ? first : result == 0 && signbit(result) ? unknown : long_of(result);
}

struct pbs_number pbs_function_call(const struct pbs_function *f, unsigned count,
				    const struct pbs_number *x, const struct pbs_number *y)
{
	struct pbs_number r, a, b;

	if (x->kind != PBS_LONG && (count == 1 || y->kind != PBS_LONG))
		return number_call(f, count, x, y);
	if (needs_digits(f, y))
		return unknown;
	if (f->two != number_equal && f->two != not_equal)
		return call_long(f, count, x, y);
	/* Nearby numbers may or may not be equal. */
	r = call_long(pbs_function_find("<", 1), count, x, y);
	a = number_beside(x, 0);
	b = number_beside(y, 0);
	return pbs_number_is(&r) ? number_call(f, count, &a, &b) : r;
}
