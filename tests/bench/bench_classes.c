/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grouping 1,000,000 jobs by 12 components against sorting their 64-bit hashes once with glibc's
 * qsort, alternating in one process. With interned fields only the grouping is timed; with strings
 * the interning of every value, too. Medians of seven rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/classes/classes.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "tests/bench/bench.h"

#define JOBS 1000000U
#define COMPONENTS 12
#define KINDS 50000U
#define ROUNDS 7

static uint32_t ids[COMPONENTS][JOBS];
static uint64_t hashes[JOBS], sorted[JOBS];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*seed >> 33) % below);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int compare_double(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *list)
{
	qsort(list, ROUNDS, sizeof(*list), compare_double);
	return list[ROUNDS / 2];
}

/*
 * A queue in rank order, with jobs of 50,000 classes, a few of them very common. Equal jobs are
 * adjacent only by chance.
 */
static void generate(void)
{
	static const uint32_t values[COMPONENTS] = { 400, 60, 6, 5, 3, 8, 4, 40, 30, 20, 12, 2 };
	static uint32_t kinds[KINDS][COMPONENTS];
	uint64_t seed = 1;

	for (uint32_t k = 0; k < KINDS; k++) {
		for (unsigned c = 0; c < COMPONENTS; c++)
			kinds[k][c] = draw(&seed, values[c]);
	}
	for (uint32_t j = 0; j < JOBS; j++) {
		uint32_t kind = draw(&seed, 1 + draw(&seed, KINDS));

		hashes[j] = 0;
		for (unsigned c = 0; c < COMPONENTS; c++) {
			ids[c][j] = kinds[kind][c];
			hashes[j] = (hashes[j] ^ ids[c][j]) * UINT64_C(0xff51afd7ed558ccd);
			hashes[j] ^= hashes[j] >> 32;
		}
	}
}

static uint32_t group(void)
{
	struct class_component components[COMPONENTS];
	struct classes *c;
	uint32_t count;

	for (unsigned k = 0; k < COMPONENTS; k++)
		components[k] = (struct class_component){ "", ids[k], false };
	c = classes_new(components, COMPONENTS, JOBS);
	count = c->count;
	classes_free(c);
	return count;
}

static uint32_t own[JOBS];
/* each value as the text that a source would have */
static char values_of[COMPONENTS][400][20];

static void write_values(void)
{
	for (unsigned k = 0; k < COMPONENTS; k++) {
		for (unsigned v = 0; v < 400; v++)
			snprintf(values_of[k][v], sizeof(values_of[k][v]), "value-%u-%u", k, v);
	}
}

static void intern_all(void)
{
	struct text *text = text_new();

	for (unsigned k = 0; k < COMPONENTS; k++) {
		for (uint32_t j = 0; j < JOBS; j++) {
			const char *value = values_of[k][ids[k][j]];

			own[j] = text_intern(text, value, strlen(value));
		}
	}
	text_free(text);
}

int main(void)
{
	double fields[ROUNDS], strings[ROUNDS], base[ROUNDS];
	uint32_t count = 0;

	generate();
	write_values();
	for (unsigned r = 0; r < ROUNDS; r++) {
		double t = now();

		memcpy(sorted, hashes, sizeof(sorted));
		qsort(sorted, JOBS, sizeof(*sorted), compare);
		base[r] = now() - t;
		t = now();
		count = group();
		fields[r] = now() - t;
		t = now();
		intern_all();
		strings[r] = now() - t + fields[r];
	}
	printf("grouping %u jobs by %d components into %u classes, CPU time, medians of %d\n", JOBS,
	       COMPONENTS, count, ROUNDS);
	printf("  qsort of their hashes   %7.1f ms\n", median(base) * 1e3);
	bench_judge(median(fields) / median(base), "times", BENCH_NO_TARGET,
		    "from interned fields %.1f ms", median(fields) * 1e3);
	bench_judge(median(strings) / median(base), "times", BENCH_NO_TARGET,
		    "from strings %.1f ms", median(strings) * 1e3);
	return 0;
}
