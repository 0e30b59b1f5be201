/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_number: the numbers of a formula, and what Python does with them: its operators and functions
 * with its rules for int and float. "from math import *" shadows what is built in, so that pow()
 * is of the module math. Source: Python's reference (expressions, built-in functions, math).
 *
 * An int has 64 bits. A longer one, and what is computed from it, is PBS_LONG: a double near it,
 * which is enough for a value in single precision. What needs more of its digits (%, bits, a
 * comparison with a number beside it) is unknown.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_NUMBER_H
#define FAIRTOP_CORE_QUEUE_PBS_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pbs_kind {
	PBS_UNKNOWN,		/* not told, nan, complex, or beyond what is kept of a long int */
	PBS_RAISED,		/* an exception of Python */
	PBS_FLOAT,
	PBS_INT,		/* bool, too; more than INT64_MIN */
	PBS_LONG
};

struct pbs_number {
	enum pbs_kind kind;
	double x;		/* of PBS_FLOAT, never NaN, and PBS_LONG, finite; else 0 */
	int64_t i;		/* of PBS_INT; else 0 */
};

struct pbs_number pbs_number_int(int64_t i);
struct pbs_number pbs_number_float(double x);
/* A whole number is an int; infinity is unknown. */
struct pbs_number pbs_number_plain(double x);
/* NaN unless it is a number. */
double pbs_number_double(const struct pbs_number *a);
bool pbs_number_is(const struct pbs_number *a);			/* known, and none raised? */
bool pbs_number_true(const struct pbs_number *a);		/* no number is false */

/* An operator, by its sign ("u-", "u+" and "u~" of one operand), or a function. */
struct pbs_function {
	const char *name;
	unsigned least, most;		/* arguments; most 0: any count, or those of a list */
	struct pbs_number (*one)(struct pbs_number x);
	struct pbs_number (*two)(struct pbs_number x, struct pbs_number y);
	double (*real)(double x);	/* of math, with its rules for what has no result */
	double (*real_two)(double x, double y);
};

const struct pbs_function *pbs_function_find(const char *name, size_t length);	/* NULL */
/* COUNT is 1 or 2; both are numbers. */
struct pbs_number pbs_function_call(const struct pbs_function *f, unsigned count,
				    const struct pbs_number *x, const struct pbs_number *y);

#endif
