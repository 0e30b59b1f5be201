/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/evenness.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"

double jain_index(const double *values, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += values[i];
		squares += values[i] * values[i];
	}
	return squares > 0 ? sum * sum / ((double)n * squares) : n > 0 ? 1 : F64_UNKNOWN;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double gini_index(double *values, size_t n)
{
	double sum = 0, weighted = 0, count = (double)n;

	if (n == 0)
		return F64_UNKNOWN;
	qsort(values, n, sizeof(*values), by_value);
	for (size_t i = 0; i < n; i++) {
		sum += values[i];
		weighted += (double)(i + 1) * values[i];
	}
	return sum > 0 ? fmax(0, 2 * weighted / (count * sum) - (count + 1) / count) : 0;
}

struct evenness evenness_of(const struct model *m)
{
	/* An excerpt does not have all users. */
	const double *ratios = m->tree->excerpt ? NULL : m->fs->effective_ratio;
	double *values = mem_alloc((size_t)m->tree->n + 1, sizeof(*values));
	struct evenness e;
	size_t n = 0;

	/* Branch-free: which rows are users follows no pattern. */
	for (uint32_t i = 0; ratios && i < m->tree->n; i++) {
		values[n] = ratios[i];
		n += (size_t)((m->tree->is_user[i] != 0) & (m->tree->shares[i] != 0) &
			      (fabs(ratios[i]) < HUGE_VAL));
	}
	e.jain = jain_index(values, n);
	e.gini = gini_index(values, n);
	mem_free(values);
	return e;
}
