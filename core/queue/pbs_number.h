/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_number: the numbers of a formula and Python's operators and functions on them, with its rules
 * for int and float. "from math import *" shadows built-ins, so pow() is that of module math.
 * Source: Python's reference (expressions, built-in functions, math).
 *
 * An int has 64 bits. A longer one, and what is computed from it, is PBS_LONG: a double close to
 * it, precise enough for a value in single precision. Results that need more digits (%, bits, a
 * comparison with a nearby number) are unknown.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_NUMBER_H
#define FAIRTOP_CORE_QUEUE_PBS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pbs_kind {
	PBS_UNKNOWN,		/* not reported, nan, complex, or too many digits of a long int */
	PBS_RAISED,		/* a Python exception */
	PBS_FLOAT,
	PBS_INT,		/* also bool; greater than INT64_MIN */
	PBS_LONG
};

struct pbs_number {
	enum pbs_kind kind;
	double x;		/* PBS_FLOAT: never NaN; PBS_LONG: finite; else 0 */
	int64_t i;		/* PBS_INT; else 0 */
};

struct pbs_number pbs_number_int(int64_t i);
struct pbs_number pbs_number_float(double x);
/* A whole number becomes an int; infinity is unknown. */
struct pbs_number pbs_number_plain(double x);
/* NaN unless it is a number. */
double pbs_number_double(const struct pbs_number *a);
bool pbs_number_is(const struct pbs_number *a);			/* known, and no exception? */
bool pbs_number_true(const struct pbs_number *a);		/* no number is false */

/* An operator, named by its sign (unary ones "u-", "u+" and "u~"), or a function. */
struct pbs_function {
	const char *name;
	unsigned least, most;		/* arguments; most 0: any number, or a list */
	struct pbs_number (*one)(struct pbs_number x);
	struct pbs_number (*two)(struct pbs_number x, struct pbs_number y);
	double (*real)(double x);	/* of math, with its rules for missing results */
	double (*real_two)(double x, double y);
};

const struct pbs_function *pbs_function_find(const char *name, size_t length);	/* NULL */
/* COUNT is 1 or 2; both are numbers. */
struct pbs_number pbs_function_call(const struct pbs_function *f, unsigned count,
				    const struct pbs_number *x, const struct pbs_number *y);

#endif
