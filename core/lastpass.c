/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/lastpass.h"

#include <math.h>
#include <stdlib.h>

#include "core/unknown.h"

/* Rounding of the products leaves far less than this of a second; other formulas leave more. */
#define NEARLY 0.01

int64_t lastpass_of_job(double term, double quantum, uint32_t weight, int64_t max_age,
			int64_t since)
{
	double age, seconds, error;

	if (!f64_known(term) || weight == 0 || weight >= U32_UNKNOWN || max_age <= 0 ||
	    max_age == I64_INFINITE || since <= 0)
		return I64_UNKNOWN;
	error = quantum / weight * (double)max_age;
	age = term / weight;
	if (age <= 0 || age >= 1 || error >= 0.5)
		return I64_UNKNOWN;
	seconds = age * (double)max_age;
	if (fabs(seconds - round(seconds)) > NEARLY + error)
		return I64_UNKNOWN;
	return since + (int64_t)round(seconds);
}

static int compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int64_t lastpass_agree(int64_t *times, size_t count)
{
	int64_t best = I64_UNKNOWN;
	size_t most = 0;

	if (count > 0)
		qsort(times, count, sizeof(*times), compare_times);
	for (size_t i = 0; i < count;) {
		size_t first = i;

		while (i < count && times[i] == times[first])
			i++;
		if (times[first] != I64_UNKNOWN && i - first > most) {
			most = i - first;
			best = times[first];
		}
	}
	return best;
}

bool lastpass_between(const double *before, const double *after, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (after[i] < before[i])
			return true;
	}
	return false;
}
