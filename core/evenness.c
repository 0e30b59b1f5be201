/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/evenness.h"

#include <math.h>
#include <string.h>

#include "core/mem.h"

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
#define SIGN (1ull << 63)

/* Bits that order as the numbers do, negative ones included. */
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

/* One stable pass over the digit at SHIFT; false if all have the same one there. */
static bool pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
	size_t place[BUCKETS] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		place[(from[i] >> shift) % BUCKETS]++;
	if (place[(from[0] >> shift) % BUCKETS] == n)
		return false;
	for (size_t b = 0; b < BUCKETS; b++) {
		size_t count = place[b];

		place[b] = sum;
		sum += count;
	}
	for (size_t i = 0; i < n; i++)
		to[place[(from[i] >> shift) % BUCKETS]++] = from[i];
	return true;
}

/* By radix: a what-if sorts a hundred thousand of them within a frame. */
static void sort(double *values, size_t n)
{
	uint64_t *keys = mem_alloc(2 * n, sizeof(*keys)), *from = keys, *to = keys + n;

	for (size_t i = 0; i < n; i++)
		from[i] = key_of(values[i]);
	for (unsigned shift = 0; shift < 64; shift += DIGIT) {
		if (pass(from, to, n, shift)) {
			uint64_t *spare = from;

			from = to;
			to = spare;
		}
	}
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
	double *values = mem_alloc((size_t)m->tree->n + 1, sizeof(*values));
	struct evenness e;
	size_t n = 0;

	for (uint32_t i = 0; m->fs->effective_ratio && i < m->tree->n; i++) {
		double r = m->fs->effective_ratio[i];

		if (m->tree->is_user[i] && m->tree->shares[i] != 0 && isfinite(r))
			values[n++] = r;
	}
	e.jain = jain_index(values, n);
	e.gini = gini_index(values, n);
	mem_free(values);
	return e;
}
