/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/compare.h"

#include <math.h>
#include <stdio.h>

double compare_relative(double a, double b)
{
	double larger = fmax(fabs(a), fabs(b));

	if (a == b || (isnan(a) && isnan(b)))
		return 0;
	if (isnan(a) || isnan(b) || isinf(larger))
		return INFINITY;
	return fabs(a - b) / larger;
}

bool compare_close(double is, double should, double tolerance, const char *where, const char *what)
{
	double difference = compare_relative(is, should);

	if (difference <= tolerance)
		return true;
	fprintf(stderr, "%s: %s is %.17g and should be %.17g (off by %.2g, tolerance %.2g)\n",
		where, what, is, should, difference, tolerance);
	return false;
}
