/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/decay.h"

#include <float.h>
#include <math.h>

double decay_per_second(int64_t half_life)
{
	return half_life > 0 ? 1.0 - 0.693 / (double)half_life : 1.0;
}

double decay_over(int64_t half_life, int64_t dt)
{
	double left;

	if (dt <= 0)
		return 1.0;
	left = pow(decay_per_second(half_life), (double)dt);
	/* A half-life below 0.693 s makes q negative; the result has this lower bound. */
	return left > DBL_MIN ? left : DBL_MIN;
}

double decay_charge(int64_t half_life, int64_t t, double billable, double usage_factor)
{
	double factor = usage_factor < 0.0 ? 1.0 : usage_factor;

	if (t <= 0)
		return 0.0;
	return (double)t * pow(decay_per_second(half_life), (double)t) * factor * billable;
}
