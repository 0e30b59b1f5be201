/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/burn.h"

#include <math.h>

#include "core/share/decay.h"

struct burn burn_over(int64_t half_life, int64_t period, int64_t dt)
{
	int64_t passes = period > 0 ? dt / period : 0;
	int64_t rest = period > 0 ? dt - passes * period : dt;
	struct burn b = { decay_over(half_life, dt), 0 };
	double q = decay_per_second(half_life), p = (double)period, pass, all;

	if (dt <= 0)
		return b;
	if (q >= 1) {
		b.gained = (double)dt;
		return b;
	}
	if (q > 0 && passes > 0) {
		/* expm1 and log1p, since Q is near 1. */
		pass = p * log1p(q - 1);
		all = expm1(pass * (double)passes) / expm1(pass);
		b.gained = p * exp(pass) * all * decay_over(half_life, rest);
	}
	b.gained += decay_charge(half_life, rest, 1, 1);
	return b;
}
