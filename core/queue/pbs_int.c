/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_int.h"

#include <math.h>

#define BITS (32 * PBS_INT_LIMBS)

struct pbs_int pbs_int_of(int64_t x)
{
	uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;

	return (struct pbs_int){ x < 0, { (uint32_t)size, (uint32_t)(size >> 32) } };
}

bool pbs_int_is_zero(const struct pbs_int *a)
{
	for (unsigned i = 0; i < PBS_INT_LIMBS; i++) {
		if (a->limb[i])
			return false;
	}
	return true;
}

struct pbs_int pbs_int_negate(const struct pbs_int *a)
{
	struct pbs_int r = *a;

	r.negative = !a->negative && !pbs_int_is_zero(a);
	return r;
}

/* ---- absolute values ------------------------------------------------------------------------- */

static int compare_sizes(const struct pbs_int *a, const struct pbs_int *b)
{
	for (unsigned i = PBS_INT_LIMBS; i-- > 0; ) {
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -1 : 1;
	}
	return 0;
}

static bool add_sizes(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *out)
{
	uint64_t carry = 0;

	for (unsigned i = 0; i < PBS_INT_LIMBS; i++) {
		carry += (uint64_t)a->limb[i] + b->limb[i];
		out->limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	return carry == 0;
}

/* A is not less than B. */
static void subtract_sizes(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *out)
{
	uint64_t borrow = 0;

	for (unsigned i = 0; i < PBS_INT_LIMBS; i++) {
		uint64_t limb = (uint64_t)a->limb[i] - b->limb[i] - borrow;

		out->limb[i] = (uint32_t)limb;
		borrow = limb >> 63;
	}
}

static uint64_t low_bits(const struct pbs_int *a)
{
	return (uint64_t)a->limb[1] << 32 | a->limb[0];
}

static bool is_short(const struct pbs_int *a)
{
	uint32_t more = 0;

	for (unsigned i = 2; i < PBS_INT_LIMBS; i++)
		more |= a->limb[i];
	return more == 0;
}

/* Bit by bit where 64 do not do; QUOTIENT and REST are 0 before. */
static bool divide_sizes(const struct pbs_int *a, const struct pbs_int *b,
			 struct pbs_int *quotient, struct pbs_int *rest)
{
	if (b->limb[PBS_INT_LIMBS - 1] >> 31)
		return false;
	if (is_short(a) && is_short(b)) {
		uint64_t x = low_bits(a), y = low_bits(b);

		for (unsigned i = 0; i < 2; i++) {
			quotient->limb[i] = (uint32_t)(x / y >> 32 * i);
			rest->limb[i] = (uint32_t)(x % y >> 32 * i);
		}
		return true;
	}
	for (unsigned bit = BITS; bit-- > 0; ) {
		(void)add_sizes(rest, rest, rest);
		rest->limb[0] |= a->limb[bit / 32] >> bit % 32 & 1;
		if (compare_sizes(rest, b) >= 0) {
			subtract_sizes(rest, b, rest);
			quotient->limb[bit / 32] |= UINT32_C(1) << bit % 32;
		}
	}
	return true;
}

/* ---- with signs ------------------------------------------------------------------------------ */

int pbs_int_compare(const struct pbs_int *a, const struct pbs_int *b)
{
	if (a->negative != b->negative)
		return a->negative ? -1 : 1;
	return a->negative ? compare_sizes(b, a) : compare_sizes(a, b);
}

bool pbs_int_add(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *out)
{
	struct pbs_int r = { .negative = a->negative };
	bool fits = true;

	if (a->negative == b->negative) {
		fits = add_sizes(a, b, &r);
	} else if (compare_sizes(a, b) >= 0) {
		subtract_sizes(a, b, &r);
		r.negative = a->negative && !pbs_int_is_zero(&r);
	} else {
		subtract_sizes(b, a, &r);
		r.negative = b->negative;
	}
	*out = r;
	return fits;
}

bool pbs_int_subtract(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *out)
{
	struct pbs_int minus = pbs_int_negate(b);

	return pbs_int_add(a, &minus, out);
}

bool pbs_int_multiply(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *out)
{
	struct pbs_int r = { .negative = false };

	for (unsigned i = 0; i < PBS_INT_LIMBS; i++) {
		uint64_t carry = 0;

		for (unsigned j = 0; j < PBS_INT_LIMBS; j++) {
			carry += (uint64_t)a->limb[i] * b->limb[j];
			if (i + j >= PBS_INT_LIMBS) {
				if (carry)
					return false;
				continue;
			}
			carry += r.limb[i + j];
			r.limb[i + j] = (uint32_t)carry;
			carry >>= 32;
		}
		if (carry)
			return false;
	}
	r.negative = a->negative != b->negative && !pbs_int_is_zero(&r);
	*out = r;
	return true;
}

bool pbs_int_divide(const struct pbs_int *a, const struct pbs_int *b, struct pbs_int *quotient,
		    struct pbs_int *rest)
{
	struct pbs_int q = { .negative = false }, r = q;
	const struct pbs_int one = pbs_int_of(1);

	if (!divide_sizes(a, b, &q, &r))
		return false;
	if (a->negative != b->negative) {
		if (!pbs_int_is_zero(&r)) {
			(void)add_sizes(&q, &one, &q);
			subtract_sizes(b, &r, &r);
		}
		q = pbs_int_negate(&q);
	}
	*quotient = q;
	*rest = b->negative ? pbs_int_negate(&r) : r;
	return true;
}

bool pbs_int_power(const struct pbs_int *base, const struct pbs_int *exponent,
		   struct pbs_int *out)
{
	const struct pbs_int one = pbs_int_of(1);
	uint64_t n = low_bits(exponent);

	*out = one;
	/* Of 0, 1 and -1 whether it is odd is enough. */
	if (compare_sizes(base, &one) <= 0)
		n = pbs_int_is_zero(exponent) ? 0 : 2 - (n & 1);
	else if (!is_short(exponent) || n >= BITS)
		return false;
	for (; n > 0; n--) {
		if (!pbs_int_multiply(out, base, out))
			return false;
	}
	return true;
}

/* ---- other numbers --------------------------------------------------------------------------- */

bool pbs_int_fits(const struct pbs_int *a, int64_t *out)
{
	if (!is_short(a) || low_bits(a) > INT64_MAX)
		return false;
	*out = a->negative ? -(int64_t)low_bits(a) : (int64_t)low_bits(a);
	return true;
}

bool pbs_int_of_double(double whole, struct pbs_int *out)
{
	int exponent;
	double part = frexp(whole, &exponent);

	if (!isfinite(whole) || exponent > BITS)
		return false;
	if (exponent < 64) {
		*out = pbs_int_of((int64_t)whole);
		return true;
	}
	*out = pbs_int_of((int64_t)ldexp(part, 53));
	for (; exponent > 53; exponent--)
		(void)add_sizes(out, out, out);
	return true;
}

double pbs_int_double(const struct pbs_int *a)
{
	unsigned top = PBS_INT_LIMBS - 1, shift = 0;
	uint64_t bits = low_bits(a);
	int exponent = 0;
	double x;

	if (!is_short(a)) {
		while (!a->limb[top])
			top--;
		while (!(a->limb[top] << shift >> 31))
			shift++;
		bits = ((uint64_t)a->limb[top] << 32 | a->limb[top - 1]) << shift;
		bits |= (uint64_t)a->limb[top - 2] << shift >> 32;
		/* What is cut off counts where it lies between two numbers. */
		bits |= (uint32_t)(a->limb[top - 2] << shift) != 0;
		for (unsigned i = 0; i + 2 < top; i++)
			bits |= a->limb[i] != 0;
		exponent = 32 * (int)(top - 1) - (int)shift;
	}
	x = ldexp((double)bits, exponent);
	return a->negative ? -x : x;
}
