/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/evenness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- sorting ------------------------------------------------------------------------------- */

#define DIGIT 11
#define BUCKETS (1u << DIGIT)
#define DIGITS 3		/* sorted by the upper 33 bits; few numbers share them */
#define LOW (64 - DIGITS * DIGIT)
#define SIGN (1ull << 63)

/* Bits that sort like the numbers, negative ones included. */
static uint64_t key_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits & SIGN ? ~bits : bits | SIGN;
}

static double number_of(uint64_t key)
{
	uint64_t bits = key & SIGN ? key & ~SIGN : ~key;
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static size_t digit_of(uint64_t key, unsigned d)
{
	return (key >> (LOW + d * DIGIT)) % BUCKETS;
}

/* One stable pass over digit D; COUNTS: number of keys per value of the digit. */
static void pass(const uint64_t *from, uint64_t *to, size_t n, unsigned d, const size_t *counts)
{
	size_t place[BUCKETS], sum = 0;

	for (size_t b = 0; b < BUCKETS; b++) {
		place[b] = sum;
		sum += counts[b];
	}
	for (size_t i = 0; i < n; i++)
		to[place[digit_of(from[i], d)]++] = from[i];
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sorts keys with equal digits by the bits below. */
static void sort_rest(uint64_t *keys, size_t n)
{
	for (size_t from = 0, to; from < n; from = to) {
		bool sorted = true;

		for (to = from + 1; to < n && keys[to] >> LOW == keys[from] >> LOW; to++)
			sorted = sorted && keys[to - 1] <= keys[to];
		if (!sorted)
			qsort(keys + from, to - from, sizeof(*keys), compare);
	}
}

/* Radix sort: a what-if sorts a hundred thousand values per screen frame. */
static void sort(double *values, size_t n)
{
	uint64_t *keys = mem_alloc(2 * n, sizeof(*keys)), *from = keys, *to = keys + n;
	size_t counts[DIGITS][BUCKETS] = { { 0 } };

	for (size_t i = 0; i < n; i++) {
		from[i] = key_of(values[i]);
		for (unsigned d = 0; d < DIGITS; d++)
			counts[d][digit_of(from[i], d)]++;
	}
	for (unsigned d = 0; d < DIGITS; d++) {
		uint64_t *spare = from;

		if (counts[d][digit_of(from[0], d)] == n)
			continue;
		pass(from, to, n, d, counts[d]);
		from = to;
		to = spare;
	}
	sort_rest(from, n);
	for (size_t i = 0; i < n; i++)
		values[i] = number_of(from[i]);
	mem_free(keys);
}

double gini_index(double *values, size_t n)
{
	double sum = 0, weighted = 0, count = (double)n;

	if (n == 0)
		return F64_UNKNOWN;
	sort(values, n);
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
