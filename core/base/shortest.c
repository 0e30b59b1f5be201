/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number is f * 2^e with a 64-bit f ("extended"). The double w and the limits low and high of
 * the interval that rounds to it are scaled by a power of ten so that e lies in [-60, -32]; then
 * the integer part fits 32 bits and digits come out by division. The power is known to half a
 * unit and a product adds half a unit, so each of the three is wrong by at most one unit; digits
 * are generated from one unit above high, and accepted only if they would be right for all
 * values that the error allows.
 */
#include "core/base/shortest.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct extended {
	uint64_t f;
	int e;
};

/* 10^k for k = -348, -340, ... 340: rounded significands with their top bit set. */
#define POWER_FIRST (-348)
#define POWER_STEP 8
static const uint64_t powers[] = {
	0xfa8fd5a0081c0288, 0xbaaee17fa23ebf76, 0x8b16fb203055ac76, 0xcf42894a5dce35ea,
	0x9a6bb0aa55653b2d, 0xe61acf033d1a45df, 0xab70fe17c79ac6ca, 0xff77b1fcbebcdc4f,
	0xbe5691ef416bd60c, 0x8dd01fad907ffc3c, 0xd3515c2831559a83, 0x9d71ac8fada6c9b5,
	0xea9c227723ee8bcb, 0xaecc49914078536d, 0x823c12795db6ce57, 0xc21094364dfb5637,
	0x9096ea6f3848984f, 0xd77485cb25823ac7, 0xa086cfcd97bf97f4, 0xef340a98172aace5,
	0xb23867fb2a35b28e, 0x84c8d4dfd2c63f3b, 0xc5dd44271ad3cdba, 0x936b9fcebb25c996,
	0xdbac6c247d62a584, 0xa3ab66580d5fdaf6, 0xf3e2f893dec3f126, 0xb5b5ada8aaff80b8,
	0x87625f056c7c4a8b, 0xc9bcff6034c13053, 0x964e858c91ba2655, 0xdff9772470297ebd,
	0xa6dfbd9fb8e5b88f, 0xf8a95fcf88747d94, 0xb94470938fa89bcf, 0x8a08f0f8bf0f156b,
	0xcdb02555653131b6, 0x993fe2c6d07b7fac, 0xe45c10c42a2b3b06, 0xaa242499697392d3,
	0xfd87b5f28300ca0e, 0xbce5086492111aeb, 0x8cbccc096f5088cc, 0xd1b71758e219652c,
	0x9c40000000000000, 0xe8d4a51000000000, 0xad78ebc5ac620000, 0x813f3978f8940984,
	0xc097ce7bc90715b3, 0x8f7e32ce7bea5c70, 0xd5d238a4abe98068, 0x9f4f2726179a2245,
	0xed63a231d4c4fb27, 0xb0de65388cc8ada8, 0x83c7088e1aab65db, 0xc45d1df942711d9a,
	0x924d692ca61be758, 0xda01ee641a708dea, 0xa26da3999aef774a, 0xf209787bb47d6b85,
	0xb454e4a179dd1877, 0x865b86925b9bc5c2, 0xc83553c5c8965d3d, 0x952ab45cfa97a0b3,
	0xde469fbd99a05fe3, 0xa59bc234db398c25, 0xf6c69a72a3989f5c, 0xb7dcbf5354e9bece,
	0x88fcf317f22241e2, 0xcc20ce9bd35c78a5, 0x98165af37b2153df, 0xe2a0b5dc971f303a,
	0xa8d9d1535ce3b396, 0xfb9b7cd9a4a7443c, 0xbb764c4ca7a44410, 0x8bab8eefb6409c1a,
	0xd01fef10a657842c, 0x9b10a4e5e9913129, 0xe7109bfba19c0c9d, 0xac2820d9623bf429,
	0x80444b5e7aa7cf85, 0xbf21e44003acdd2d, 0x8e679c2f5e44ff8f, 0xd433179d9c8cb841,
	0x9e19db92b4e31ba9, 0xeb96bf6ebadf77d9, 0xaf87023b9bf0ee6b,
};

/* The exponent that belongs to the significand of 10^K: floor(K * log2(10)) - 63. */
static int power_exponent(int k)
{
	/* 217706 / 2^16 is log2(10) to within what |K| <= 348 needs; >> is floor here. */
	return (int)((int64_t)k * 217706 >> 16) - 63;
}

/* The power of ten that brings a normalised number with exponent E into the wanted range. */
static struct extended power_for(int e, int *k)
{
	/* The smallest K with E + 64 + power_exponent(K) >= -60, rounded up to a table entry. */
	int least = -60 - (e + 64) + 63;
	int want = (int)((int64_t)least * 78913 >> 18) + 1;	/* least * log10(2), rounded up */
	int index = (want - POWER_FIRST - 1) / POWER_STEP + 1;
	struct extended power;

	*k = POWER_FIRST + index * POWER_STEP;
	power.f = powers[index];
	power.e = power_exponent(*k);
	return power;
}

/* The upper 64 bits of the product, rounded. */
static struct extended multiply(struct extended a, struct extended b)
{
	const uint64_t mask = 0xffffffff;
	uint64_t a1 = a.f >> 32, a0 = a.f & mask, b1 = b.f >> 32, b0 = b.f & mask;
	uint64_t high = a1 * b1, left = a1 * b0, right = a0 * b1, low = a0 * b0;
	uint64_t middle = (low >> 32) + (left & mask) + (right & mask) + (UINT64_C(1) << 31);
	struct extended product;

	product.f = high + (left >> 32) + (right >> 32) + (middle >> 32);
	product.e = a.e + b.e + 64;
	return product;
}

static struct extended normalise(struct extended x)
{
	while (!(x.f >> 63)) {
		x.f <<= 1;
		x.e--;
	}
	return x;
}

/* X > 0 as w, and the halfway points to its neighbours, all with the exponent of high. */
static void split(double x, struct extended *low, struct extended *w, struct extended *high)
{
	const uint64_t hidden = UINT64_C(1) << 52;
	struct extended exact;
	uint64_t bits;
	int biased;
	bool closer_below;

	memcpy(&bits, &x, sizeof(bits));
	biased = (int)(bits >> 52);
	exact.f = bits & (hidden - 1);
	closer_below = exact.f == 0 && biased > 1;
	if (biased > 0) {
		exact.f |= hidden;
		biased--;
	}
	exact.e = biased - 1074;

	high->f = (exact.f << 1) + 1;
	high->e = exact.e - 1;
	*high = normalise(*high);
	low->f = closer_below ? (exact.f << 2) - 1 : (exact.f << 1) - 1;
	low->e = closer_below ? exact.e - 2 : exact.e - 1;
	low->f <<= low->e - high->e;
	low->e = high->e;
	w->f = exact.f << (exact.e - high->e);
	w->e = high->e;
}

/* The state when digit generation stops, in units of one.e; UNIT is the error. */
struct tail {
	uint64_t distance;	/* from too_high down to w */
	uint64_t unsafe;	/* from too_high down to too_low */
	uint64_t rest;		/* from too_high down to the digits so far */
	uint64_t ten;		/* weight of the last digit */
	uint64_t unit;
};

/*
 * Lowers the last digit while that brings it closer to w. True if it is then certain that the
 * digits lie inside the interval and that no others of this length are closer.
 */
static bool round_last(char *last, struct tail t)
{
	uint64_t near = t.distance - t.unit, far = t.distance + t.unit;

	while (t.rest < near && t.unsafe - t.rest >= t.ten &&
	       (t.rest + t.ten < near || near - t.rest >= t.rest + t.ten - near)) {
		(*last)--;
		t.rest += t.ten;
	}
	if (t.rest < far && t.unsafe - t.rest >= t.ten &&
	    (t.rest + t.ten < far || far - t.rest > t.rest + t.ten - far))
		return false;
	return 2 * t.unit <= t.rest && t.rest <= t.unsafe - 4 * t.unit;
}

/* Digits of a number between LOW and HIGH, near W; 0 if it cannot be certain. */
static int generate(struct extended low, struct extended w, struct extended high,
		    char digits[SHORTEST_DIGITS_MAX], int *exponent)
{
	const int shift = -w.e;
	const uint64_t one = UINT64_C(1) << shift;
	uint64_t too_high = high.f + 1;
	uint32_t whole = (uint32_t)(too_high >> shift), divisor = 1;
	uint64_t part = too_high & (one - 1);
	struct tail t = { too_high - w.f, too_high - (low.f - 1), 0, 0, 1 };
	int n = 0, left = 1;

	while (whole / divisor >= 10) {
		divisor *= 10;
		left++;
	}
	for (; left > 0; divisor /= 10) {
		digits[n++] = (char)('0' + whole / divisor);
		whole %= divisor;
		left--;
		t.rest = ((uint64_t)whole << shift) + part;
		if (t.rest < t.unsafe) {
			t.ten = (uint64_t)divisor << shift;
			*exponent = left;
			return round_last(&digits[n - 1], t) ? n : 0;
		}
	}
	for (; n < SHORTEST_DIGITS_MAX;) {
		part *= 10;
		t.unit *= 10;
		t.unsafe *= 10;
		digits[n++] = (char)('0' + (part >> shift));
		part &= one - 1;
		left--;
		if (part < t.unsafe) {
			t.distance *= t.unit;
			t.rest = part;
			t.ten = one;
			*exponent = left;
			return round_last(&digits[n - 1], t) ? n : 0;
		}
	}
	return 0;
}

static int grisu(double x, char digits[SHORTEST_DIGITS_MAX], int *point)
{
	struct extended low, w, high, power;
	int k, n, exponent = 0;

	split(x, &low, &w, &high);
	power = power_for(w.e, &k);
	n = generate(multiply(low, power), multiply(w, power), multiply(high, power),
		     digits, &exponent);
	*point = n + exponent - k;
	return n;
}

/* The slow, certain way: the C library's digits, one more until they read back. */
static int by_trial(double x, char digits[SHORTEST_DIGITS_MAX], int *point)
{
	char text[40];
	int n = 0;

	do {
		n++;
		snprintf(text, sizeof(text), "%.*e", n - 1, x);
	} while (n < SHORTEST_DIGITS_MAX && strtod(text, NULL) != x);
	digits[0] = text[0];
	memcpy(digits + 1, text + 2, (size_t)n - 1);
	*point = (int)strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
	return n;
}

int shortest_digits(double x, char digits[SHORTEST_DIGITS_MAX], int *point)
{
	int n = grisu(x, digits, point);

	if (n == 0)
		n = by_trial(x, digits, point);
	while (n > 1 && digits[n - 1] == '0')
		n--;
	return n;
}
