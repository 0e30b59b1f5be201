/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Grouping: equality of all components is an equivalence relation; excluding one only merges; the
 * number of classes agrees with a comparison of every pair.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/classes/classes.h"

#define JOBS 700
#define COMPONENTS 5

static uint32_t ids[COMPONENTS][JOBS];
static struct class_component components[COMPONENTS];

static uint32_t draw(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((*seed >> 33) % below);
}

static void generate(uint64_t seed)
{
	static const uint32_t values[COMPONENTS] = { 2, 3, 5, 2, 4 };

	for (size_t c = 0; c < COMPONENTS; c++) {
		components[c] = (struct class_component){ "c", ids[c], draw(&seed, 4) == 0 };
		for (size_t j = 0; j < JOBS; j++)
			ids[c][j] = draw(&seed, values[c]) * UINT32_C(0x10001);
	}
}

static bool equal(size_t a, size_t b)
{
	for (size_t c = 0; c < COMPONENTS; c++) {
		if (!components[c].excluded && ids[c][a] != ids[c][b])
			return false;
	}
	return true;
}

static void test_classes_are_what_a_comparison_of_pairs_says(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct classes *c;
		uint32_t leaders = 0;

		generate(seed);
		c = classes_new(components, COMPONENTS, JOBS);
		for (uint32_t a = 0; a < JOBS; a++) {
			bool first = true;

			for (uint32_t b = 0; b < a; b++) {
				assert_int_equal(equal(a, b), c->class_of[a] == c->class_of[b]);
				first &= c->class_of[a] != c->class_of[b];
			}
			if (first)
				assert_int_equal(c->class_of[a], leaders++);
		}
		assert_int_equal(c->count, leaders);
		for (uint32_t k = 0; k < c->count; k++) {
			for (uint32_t i = c->first[k]; i < c->first[k + 1]; i++)
				assert_int_equal(c->class_of[c->members[i]], k);
		}
		classes_free(c);
	}
}

static void test_excluding_only_merges(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct classes *before, *after;

		generate(seed);
		before = classes_new(components, COMPONENTS, JOBS);
		for (size_t i = 0; i < COMPONENTS; i++) {
			bool excluded = components[i].excluded;

			components[i].excluded = true;
			after = classes_new(components, COMPONENTS, JOBS);
			components[i].excluded = excluded;
			assert_true(after->count <= before->count);
			assert_true(after->count < before->count ||
				    classes_moved(before, after) == 0);
			for (uint32_t a = 1; a < JOBS; a++) {
				if (before->class_of[a] == before->class_of[a - 1])
					assert_int_equal(after->class_of[a],
							 after->class_of[a - 1]);
			}
			classes_free(after);
		}
		classes_free(before);
	}
}

static void test_no_jobs_and_no_components(void **state)
{
	struct classes *c = classes_new(NULL, 0, 0);

	(void)state;
	assert_int_equal(c->count, 0);
	classes_free(c);
	c = classes_new(NULL, 0, 3);
	assert_int_equal(c->count, 1);
	assert_int_equal(c->first[1], 3);
	classes_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classes_are_what_a_comparison_of_pairs_says),
		cmocka_unit_test(test_excluding_only_merges),
		cmocka_unit_test(test_no_jobs_and_no_components),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
