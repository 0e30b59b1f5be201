/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explanations: every step that shows numbers is computed again from what it shows, for every
 * association of several recordings and of all worked cases, every algorithm and both bases; the
 * last step is the engine's result. One derivation is compared word for word.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/fairshare.h"
#include "core/share/model.h"
#include "tests/support/assoc.h"
#include "tests/support/compare.h"
#include "tests/support/dump.h"
#include "tests/support/steps.h"
#include "tests/support/worked.h"

/* ---- the calculator ------------------------------------------------------------------------- */

static void test_the_calculator(void **state)
{
	(void)state;
	assert_true(steps_calculate("2 ^ -(3 / 2)") == pow(2, -1.5));
	assert_true(steps_calculate("1 / (1 + (5 * 0.1)^2)") == 1 / 1.25);
	assert_true(steps_calculate("2 * 3 ^ 2 - 1e3 + (4 - 6) * 1 / 4") == 18 - 1000 - 0.5);
	assert_true(isnan(steps_calculate("1 +")) && isnan(steps_calculate("(1")));
	assert_true(isnan(steps_calculate("1 x")));
}

/* ---- every step ---------------------------------------------------------------------------- */

static unsigned calculated;

static unsigned wrong_steps(const struct model *m, uint32_t row, const char *name)
{
	struct explain e;
	unsigned wrong = 0;
	char path[256], where[512];
	const struct explain_step *last = NULL;
	/* PBS computes in single precision. */
	double tolerance = m->algo->id == FS_PBS ? 1e-6 : 1e-9;

	explain_init(&e);
	m->algo->explain(&m->input, m->fs, row, &e);
	cluster_path(m->cluster, row, path, sizeof(path));
	for (size_t i = 0; i < e.count; i++) {
		snprintf(where, sizeof(where), "%s %s %s %s", name, m->algo->name, path,
			 e.steps[i].name);
		wrong += !steps_right(&e.steps[i], tolerance, where, &calculated);
		if (strcmp(e.steps[i].name, "F") == 0)
			last = &e.steps[i];
		assert_true(e.steps[i].name[0] != '\0');
		assert_true(e.steps[i].formula[0] != '\0' || e.steps[i].note[0] != '\0');
	}
	/* LSF has no factor. */
	assert_true((last != NULL) == (m->fs->fairshare != NULL));
	if (last)
		assert_true(compare_relative(last->value, m->fs->fairshare[row]) == 0);
	explain_free(&e);
	return wrong;
}

static unsigned wrong_in_cluster(const struct cluster *c, const char *name)
{
	unsigned wrong = 0;

	for (int algorithm = 0; algorithm < FS_ALGORITHMS; algorithm++) {
		for (int base = 0; base < 2; base++) {
			struct model_options options = { algorithm, base, -1 };
			struct model *m = model_new(c, &options, NULL);

			for (uint32_t i = 0; m && i < cluster_rows(c, TABLE_ASSOC); i++)
				wrong += wrong_steps(m, i, name);
			model_free(m);
		}
	}
	return wrong;
}

static void test_steps_of_worked_cases(void **state)
{
	json_t *document;
	const json_t *cases, *one;
	unsigned wrong = 0;
	size_t i;

	(void)state;
	calculated = 0;
	cases = worked_cases(&document);
	json_array_foreach(cases, i, one) {
		struct cluster *c;

		if (strcmp(json_string_value(json_object_get(one, "kind")), "tree") != 0)
			continue;
		c = worked_cluster(one);
		wrong += wrong_in_cluster(c, json_string_value(json_object_get(one, "name")));
		cluster_free(c);
	}
	json_decref(document);
	assert_int_equal(wrong, 0);
	assert_true(calculated > 2000);
}

static void test_steps_of_recordings(void **state)
{
	static const char *const names[] = { "depthobl/quiet", "depthobl/quiet_cold",
					     "nofairtree/quiet", "fairtree/quiet",
					     "fairtree/zero_usage" };
	unsigned wrong = 0;

	(void)state;
	calculated = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct cluster *c = dump_cluster(names[i]);

		wrong += wrong_in_cluster(c, names[i]);
		cluster_free(c);
	}
	assert_int_equal(wrong, 0);
	assert_true(calculated > 10000);
}

/* ---- without shares ------------------------------------------------------------------------ */

/* R in the derivation equals R in the table: infinite for usage without shares. */
static void test_no_shares(void **state)
{
	static const enum fs_algorithm algorithms[] = { FS_DEPTH_OBLIVIOUS, FS_CLASSIC };
	struct builder *b = builder_new();
	struct cluster *c;

	(void)state;
	assoc_add(b, 1, 0, "root", NULL, 1, 50);
	assoc_add(b, 2, 1, "a", NULL, 0, 30);
	assoc_add(b, 3, 2, "a", "ann", 1, 30);
	assoc_add(b, 4, 1, "b", NULL, 1, 20);
	assoc_add(b, 5, 4, "b", "bob", 0, 20);
	assoc_add(b, 6, 4, "b", "carl", 0, 0);
	c = builder_seal(b, NULL);
	for (size_t k = 0; k < sizeof(algorithms) / sizeof(algorithms[0]); k++) {
		struct model_options options = { algorithms[k], FS_BASE_USAGE, -1 };
		struct model *m = model_new(c, &options, NULL);

		for (uint32_t row = 0; row < cluster_rows(c, TABLE_ASSOC); row++) {
			double last = F64_UNKNOWN, should = fs_ratio(m->fs, row);
			struct explain e;

			explain_init(&e);
			m->algo->explain(&m->input, m->fs, row, &e);
			for (size_t i = 0; i < e.count; i++)
				last = strcmp(e.steps[i].name, "R") == 0 ? e.steps[i].value : last;
			assert_true(last == should || (isnan(last) && isnan(should)));
			explain_free(&e);
		}
		assert_true(isinf(fs_ratio(m->fs, 2)) && isnan(fs_ratio(m->fs, 5)));
		model_free(m);
	}
	cluster_free(c);
}

/* ---- one derivation ------------------------------------------------------------------------ */

/* Slurmctld adds in 32 bits: 2^31 + 2^31 + 5 is 5. */
static void test_shares_wrap(void **state)
{
	struct builder *b = builder_new();
	struct cluster *c;
	struct model *m;
	struct explain e;
	bool said = false;

	(void)state;
	assoc_add(b, 1, 0, "root", NULL, 1, 10);
	assoc_add(b, 2, 1, "a", NULL, 2147483648u, 4);
	assoc_add(b, 3, 1, "b", NULL, 2147483648u, 4);
	assoc_add(b, 4, 1, "c", NULL, 5, 2);
	c = builder_seal(b, NULL);
	m = model_new(c, NULL, NULL);
	explain_init(&e);
	m->algo->explain(&m->input, m->fs, cluster_by_path(c, "/c"), &e);
	for (size_t i = 0; i < e.count; i++)
		said = said || (strcmp(e.steps[i].name, "L") == 0 && e.steps[i].value == 5 &&
				strstr(e.steps[i].note, "have 4294967301, which wraps at 2^32"));
	assert_true(said);
	explain_free(&e);
	model_free(m);
	cluster_free(c);
}

/* "root/A" has used a third more than its share, "root/A/A1/p2" little: they oppose. */
static void test_one_derivation(void **state)
{
	static const char *const expected[] = {
		"R = 1: 1 / 1",
		"shares = 3: ",
		"L = 4: ",
		"S = 0.75: 1 * 3 / 4",
		"U = 0.8: 80 / 100",
		"E = 0.8: ",
		"R = 1.0666667: 0.8 / 0.75",
		"shares = 2: ",
		"L = 4: ",
		"S = 0.375: 0.75 * 2 / 4",
		"U = 0.1: 10 / 100",
		"r = 0.26666667: 0.1 / 0.375",
		"U_all = 0.8: ",
		"r_l = 0.25: (0.1 / 0.375) / (0.8 / 0.75)",
		"R_parent = 1.0666667: 0.8 / 0.75",
		"k = 0.90569: 1 / (1 + (5 * 0.0645385)^2)",
		"R = 0.30391: 1.06667 * 0.25 ^ 0.90569",
		"E = 0.11397: 0.30391 * 0.375",
		"F = 0.81005: 2 ^ -(0.30391 / 1)",
		"rank = 1: ",
	};
	struct model_options options = { FS_DEPTH_OBLIVIOUS, FS_BASE_USAGE, -1 };
	json_t *document;
	const json_t *cases, *one = NULL;
	struct cluster *c;
	struct model *m;
	struct explain e;
	size_t i;

	(void)state;
	cases = worked_cases(&document);
	json_array_foreach(cases, i, one) {
		const char *name = json_string_value(json_object_get(one, "name"));

		if (strcmp(name, "T11-parent-account") == 0)
			break;
	}
	c = worked_cluster(one);
	m = model_new(c, &options, NULL);
	explain_init(&e);
	m->algo->explain(&m->input, m->fs, worked_row(c, "root/A/A1/p2"), &e);
	assert_int_equal(e.count, sizeof(expected) / sizeof(expected[0]));
	for (i = 0; i < e.count; i++) {
		const char *colon = strstr(expected[i], ": "), *equals = strstr(expected[i], " = ");
		size_t name = (size_t)(equals - expected[i]);
		double off;

		assert_int_equal(strlen(e.steps[i].name), name);
		assert_int_equal(strncmp(e.steps[i].name, expected[i], name), 0);
		assert_true(fabs(e.steps[i].value - strtod(equals + 3, NULL)) <= 1e-5);
		/* The format matches; the numbers were checked above. */
		assert_int_equal(colon[2] == '\0', e.steps[i].with[0] == '\0');
		off = steps_calculate(colon + 2) - steps_calculate(e.steps[i].with);
		assert_true(colon[2] == '\0' || fabs(off) <= 1e-5);
	}
	assert_string_equal(e.steps[2].note, "2 siblings in the family of /");
	assert_non_null(strstr(e.steps[5].note, "its fair-share parent is the root"));
	assert_non_null(strstr(e.steps[15].note, "under its part of the account"));
	assert_string_equal(e.steps[19].note, "of 4; equal F share a rank");
	explain_free(&e);
	model_free(m);
	cluster_free(c);
	json_decref(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_calculator),
		cmocka_unit_test(test_steps_of_worked_cases),
		cmocka_unit_test(test_steps_of_recordings),
		cmocka_unit_test(test_one_derivation),
		cmocka_unit_test(test_shares_wrap),
		cmocka_unit_test(test_no_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
