/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copying rows from one cluster into another, also repeatedly; builders that drop names no longer
 * used; the order in which a scheduler lists siblings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cluster/cluster_copy.h"
#include "core/base/mem.h"
#include "tests/support/lab.h"

static struct builder *with_tres(void)
{
	struct builder *b = builder_new();

	builder_keep_usage(b);
	builder_tres_row(b, "cpu", 3);
	builder_tres_row(b, "mem", 3);
	return b;
}

static uint32_t add_job(struct builder *b, uint32_t id, const char *name)
{
	const uint32_t row = builder_add(b, TABLE_JOB);
	const struct tres_item items[] = { { 0, id }, { 1, 2000 } };
	const char *const resources[] = { name, "walltime=1:00" };

	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_NAME, row, name);
	builder_i64(b, F_JOB_SUBMIT, row, 1000 + id);
	builder_f64(b, F_JOB_BILLING, row, id / 2.0);
	builder_tres(b, F_JOB_TRES, row, items, 2);
	builder_list(b, F_JOB_RESOURCES, row, resources, 2);
	return row;
}

static struct cluster *seal(struct builder *b)
{
	return lab_sealed(b);
}

static void check_job(const struct cluster *c, uint32_t row, uint32_t id, const char *name)
{
	assert_int_equal(cluster_u32(c, F_JOB_ID, row), id);
	assert_string_equal(cluster_text(c, F_JOB_NAME, row), name);
	assert_int_equal(cluster_i64(c, F_JOB_SUBMIT, row), 1000 + id);
	assert_true(cluster_f64(c, F_JOB_BILLING, row) == id / 2.0);
	assert_int_equal(cluster_tres(c, F_JOB_TRES, row).count, 2);
	assert_true(cluster_tres(c, F_JOB_TRES, row).items[0].count == id);
	assert_int_equal(cluster_list(c, F_JOB_RESOURCES, row).count, 2);
	assert_string_equal(cluster_string(c, cluster_list(c, F_JOB_RESOURCES, row).texts[0]),
			    name);
}

static void test_append(void **state)
{
	struct builder *from = with_tres(), *to = with_tres();
	struct cluster *c;

	(void)state;
	add_job(from, 1, "one");
	add_job(from, 2, "two");
	builder_bool(from, F_JOB_EXCLUSIVE, 1, true);
	add_job(from, 3, "three");
	c = seal(from);
	add_job(to, 9, "nine");
	builder_str(to, F_JOB_REASON, 0, "None");
	assert_int_equal(builder_append(to, c, TABLE_JOB, 1, 2), 1);
	assert_int_equal(builder_append(to, c, TABLE_JOB, 0, 1), 3);
	assert_int_equal(builder_append(to, c, TABLE_JOB, 0, 0), 4);
	assert_int_equal(builder_append(to, c, TABLE_HOST, 0, 0), 0);
	cluster_free(c);
	c = seal(to);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 4);
	check_job(c, 0, 9, "nine");
	check_job(c, 1, 2, "two");
	check_job(c, 2, 3, "three");
	check_job(c, 3, 1, "one");
	/* Values that either cluster lacks are unknown. */
	assert_string_equal(cluster_text(c, F_JOB_REASON, 0), "None");
	assert_null(cluster_text(c, F_JOB_REASON, 1));
	assert_int_equal(cluster_bool(c, F_JOB_EXCLUSIVE, 0), BOOL_UNKNOWN);
	assert_int_equal(cluster_bool(c, F_JOB_EXCLUSIVE, 1), 1);
	cluster_free(c);
}

static void test_repeat(void **state)
{
	struct builder *b = with_tres();
	struct cluster *c;

	(void)state;
	add_job(b, 1, "one");
	builder_add(b, TABLE_JOB);
	assert_int_equal(builder_repeat(b, TABLE_JOB, 0), 2);
	assert_int_equal(builder_repeat(b, TABLE_JOB, 1), 3);
	c = seal(b);
	check_job(c, 0, 1, "one");
	check_job(c, 2, 1, "one");
	assert_int_equal(cluster_u32(c, F_JOB_ID, 1), U32_UNKNOWN);
	assert_int_equal(cluster_u32(c, F_JOB_ID, 3), U32_UNKNOWN);
	assert_null(cluster_tres(c, F_JOB_TRES, 3).items);
	cluster_free(c);
}

static void test_remove_all(void **state)
{
	struct builder *b = with_tres();
	struct cluster *c;

	(void)state;
	add_job(b, 1, "one");
	add_job(b, 2, "two");
	builder_remove(b, TABLE_JOB, NULL);
	assert_int_equal(builder_rows(b, TABLE_JOB), 0);
	add_job(b, 3, "three");
	c = seal(b);
	assert_int_equal(cluster_rows(c, TABLE_JOB), 1);
	check_job(c, 0, 3, "three");
	cluster_free(c);
}

/* Jobs come and go; unused strings are dropped, and the remaining rows do not change. */
static void test_tidy(void **state)
{
	struct builder *b = with_tres();
	struct cluster *c;
	size_t first = 0;

	(void)state;
	for (uint32_t i = 0; i < 2000; i++) {
		bool drop[4] = { true, false, false, false };
		char name[32];

		snprintf(name, sizeof(name), "a job called %u", (unsigned)i);
		add_job(b, i, name);
		if (i >= 3)
			builder_remove(b, TABLE_JOB, drop);
		if (i % 10 == 9)
			builder_tidy(b);
		c = builder_picture(b, NULL);
		assert_non_null(c);
		check_job(c, cluster_rows(c, TABLE_JOB) - 1, i, name);
		first = i == 9 ? cluster_bytes(c) : first;
		assert_true(i <= 9 || cluster_bytes(c) < 4 * first);
		assert_string_equal(cluster_tres_name(c, 1), "mem");
		cluster_free(c);
	}
	builder_free(b);
}

static void test_find(void **state)
{
	struct builder *b = with_tres();

	(void)state;
	assert_int_equal(builder_find_u32(b, F_JOB_ID, 5), ROW_NONE);
	for (uint32_t i = 0; i < 100; i++)
		add_job(b, 10 + 3 * i, "x");
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(builder_find_u32(b, F_JOB_ID, 10 + 3 * i), i);
		assert_int_equal(builder_find_u32(b, F_JOB_ID, 11 + 3 * i), ROW_NONE);
	}
	assert_int_equal(builder_find_u32(b, F_JOB_ID, 0), ROW_NONE);
	assert_int_equal(builder_find_u32(b, F_JOB_ID, U32_UNKNOWN), ROW_NONE);
	builder_free(b);
}

static void test_order_of_names(void **state)
{
	static const struct {
		uint32_t id, parent;
		const char *account, *user;
	} given[] = {
		{ 1, 0, "root", NULL }, { 2, 1, "physics", NULL }, { 3, 1, "biology", NULL },
		{ 4, 2, "physics", "zoe" }, { 5, 2, "hep", NULL }, { 6, 2, "physics", "alice" },
		{ 7, 3, "biology", "bob" }, { 8, 2, "astro", NULL },
	};
	static const uint32_t expected[] = { 1, 3, 7, 2, 6, 4, 8, 5 };
	struct builder *b = builder_new();
	struct cluster *c;

	(void)state;
	for (uint32_t i = 0; i < sizeof(given) / sizeof(given[0]); i++) {
		builder_add(b, TABLE_ASSOC);
		builder_u32(b, F_ASSOC_ID, i, given[i].id);
		if (given[i].parent != 0)
			builder_u32(b, F_ASSOC_PARENT, i, given[i].parent);
		builder_str(b, F_ASSOC_ACCOUNT, i, given[i].account);
		builder_str(b, F_ASSOC_USER, i, given[i].user);
	}
	builder_order_names(b);
	c = seal(b);
	for (uint32_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_int_equal(cluster_u32(c, F_ASSOC_ID, i), expected[i]);
	cluster_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_append),
		cmocka_unit_test(test_repeat),
		cmocka_unit_test(test_remove_all),
		cmocka_unit_test(test_tidy),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_order_of_names),
	};

	return cmocka_run_group_tests_name("cluster_copy", tests, NULL, NULL);
}
