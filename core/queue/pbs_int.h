/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_int: Python's whole numbers, as far as formulas need them: exact up to 256 bits. A function
 * is false where the result would be longer; it is unknown then.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_INT_H
#define FAIRTOP_CORE_QUEUE_PBS_INT_H

#include <stdbool.h>
#include <stdint.h>

#define PBS_INT_LIMBS 8

struct pbs_int {
	bool negative;				/* 0 is not */
	uint32_t limb[PBS_INT_LIMBS];		/* of the absolute value, the least first */
};

struct pbs_int pbs_int_of(int64_t x);
bool pbs_int_of_double(double whole, struct pbs_int *out);
double pbs_int_double(const struct pbs_int *a);		/* the nearest, of two the even one */
bool pbs_int_fits(const struct pbs_int *a, int64_t *out);

bool pbs_int_is_zero(const struct pbs_int *a);
int pbs_int_compare(const struct pbs_int *a, const struct pbs_int *b);
struct pbs_int pbs_int_negate(const struct pbs_int *a);
bool pbs_int_add(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *out);
bool pbs_int_subtract(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *out);
bool pbs_int_multiply(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *out);
/* Rounded down, so that the rest has the sign of B, which is not 0. */
bool pbs_int_divide(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *quotient,
		    struct pbs_int *rest);
/* EXPONENT is not negative. */
bool pbs_int_power(const struct pbs_int *base, const struct pbs_int *exponent,
		   struct pbs_int *out);

#endif
