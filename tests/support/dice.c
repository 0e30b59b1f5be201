/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/dice.h"

#include <math.h>
#include <string.h>

double dice_double(uint64_t *state)
{
	uint64_t bits = dice_roll(state);
	double x;

	switch (dice_below(state, 4)) {
	case 0:
		memcpy(&x, &bits, sizeof(x));
		return isfinite(x) ? x : 0.1;
	case 1:
		return (double)(bits >> 11) * 0x1p-53;
	case 2:
		return (double)(bits % 100000000) / 1000;
	default:
		x = ldexp(1.0, (int)(bits % 2098) - 1074);
		return bits >> 63 ? nextafter(x, bits >> 62 & 1 ? 0 : 1e308) : x;
	}
}
