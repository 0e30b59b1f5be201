/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selecting and sorting rows: the toy view for the rules, a large one against qsort(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/table/rows.h"
#include "tests/support/toy.h"

static const char *sorted(const char *sort, const char *filter)
{
	static char text[TOY_ROWS + 1];
	struct view view = toy_view();
	struct row_order order;
	struct filter *f = filter_parse(filter, toy_columns, toy_columns_count, NULL);
	uint32_t count, *rows;

	assert_true(rows_parse_sort(sort, toy_columns, toy_columns_count, &order, NULL));
	rows = rows_select(&view, f, &order, &count);
	for (uint32_t i = 0; i < count; i++)
		text[i] = (char)('0' + rows[i]);
	text[count] = '\0';
	mem_free(rows);
	filter_free(f);
	return text;
}

static void test_sort(void **state)
{
	(void)state;
	assert_string_equal(sorted("name", ""), "41032");	/* bytes: \e B a d g */
	assert_string_equal(sorted("-name", ""), "23014");
	assert_string_equal(sorted("+size", ""), "04231");	/* equal keys keep their order */
	assert_string_equal(sorted("-size", ""), "32041");	/* unknown last either way */
	assert_string_equal(sorted("+size,+ratio", ""), "40231");
	assert_string_equal(sorted("-size,-ratio", ""), "32041");
	assert_string_equal(sorted("+ratio", ""), "40321");
	assert_string_equal(sorted("-ratio", ""), "23041");
	assert_string_equal(sorted("+up,-time", ""), "24301");
	assert_string_equal(sorted("-since", "size!=unknown"), "2034");
	/* Without a sign: the largest amount first, the first name and time. */
	assert_string_equal(sorted("size", ""), "32041");
	assert_string_equal(sorted("since", "size!=unknown"), "4302");
	assert_string_equal(sorted("+since", "size!=unknown"), "4302");
	assert_string_equal(sorted("+name", ""), "41032");
}

static void test_first_rows(void **state)
{
	struct view view = toy_view();
	struct row_order order = { .most = 2 };
	uint32_t count;

	(void)state;
	mem_free(rows_select(&view, NULL, &order, &count));
	assert_int_equal(count, 2);
	order.most = TOY_ROWS + 1;
	mem_free(rows_select(&view, NULL, &order, &count));
	assert_int_equal(count, TOY_ROWS);
}

static void test_order_of_view(void **state)
{
	struct view view = toy_view();
	uint32_t count, *rows = rows_select(&view, NULL, NULL, &count);

	(void)state;
	assert_int_equal(count, TOY_ROWS);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(rows[i], i);
	mem_free(rows);
}

/* Row 0 is set aside, 1 is also unknown; 2 and 3 compare. */
static void get_aside(const struct position *pos, struct value *out)
{
	value_set_real(out, pos->row == 1 ? F64_UNKNOWN : 10 - pos->row);
	out->aside = pos->row < 2;
}

static void test_aside(void **state)
{
	static const struct column column = { .name = "a", .title = "A", .get = get_aside };
	static const uint32_t expect[2][4] = { { 3, 2, 0, 1 }, { 2, 3, 0, 1 } };
	const struct view view = { .columns = &column, .column_count = 1, .rows = 4 };

	(void)state;
	for (int descending = 0; descending < 2; descending++) {
		struct row_order order = { .keys = { { &column, descending } }, .count = 1 };
		uint32_t count, *rows = rows_select(&view, NULL, &order, &count);

		assert_memory_equal(rows, expect[descending], sizeof(expect[descending]));
		mem_free(rows);
		/* The same with it as the second key, after an equal first one. */
		order.keys[1] = order.keys[0];
		order.count = 2;
		rows = rows_select(&view, NULL, &order, &count);
		assert_memory_equal(rows, expect[descending], sizeof(expect[descending]));
		mem_free(rows);
	}
}

static void test_parse(void **state)
{
	struct row_order order;
	struct err err = { 0 };
	const struct column *c = toy_columns;
	size_t n = toy_columns_count;

	(void)state;
	assert_true(rows_parse_sort("-R,name", c, n, &order, &err));
	assert_int_equal(order.count, 2);
	assert_true(order.keys[0].descending);
	assert_string_equal(order.keys[0].column->name, "ratio");
	assert_int_equal(rows_needs(&order), 4 | 1);
	assert_false(rows_parse_sort("", c, n, &order, &err));
	assert_false(rows_parse_sort("name,", c, n, &order, &err));
	assert_non_null(strstr(err.message, "a column is missing"));
	assert_false(rows_parse_sort("-nme", c, n, &order, &err));
	assert_non_null(strstr(err.message, "did you mean name?"));
	assert_false(rows_parse_sort("name,name,name,name,name", c, n, &order, &err));
	assert_non_null(strstr(err.message, "at most 4"));
}

/* ---- many rows, against the C library ------------------------------------------------------ */

#define MANY 20000

struct many {
	double numbers[MANY];
	char texts[MANY][24];
};

static void get_number(const struct position *pos, struct value *out)
{
	out->kind = VALUE_REAL;
	out->real = ((const struct many *)pos->context)->numbers[pos->row];
}

static void get_text(const struct position *pos, struct value *out)
{
	out->kind = VALUE_TEXT;
	out->text = ((const struct many *)pos->context)->texts[pos->row];
}

static const struct column many_columns[] = {
	{ .name = "number", .title = "Number", .format = COLUMN_RATIO, .get = get_number },
	{ .name = "text", .title = "Text", .left = true, .get = get_text },
};

static struct many *many;

static int compare_numbers(const void *a, const void *b)
{
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	double x = many->numbers[i], y = many->numbers[j];

	return x != y ? (x > y) - (x < y) : (i > j) - (i < j);
}

static int compare_texts(const void *a, const void *b)
{
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	int order = strcmp(many->texts[i], many->texts[j]);

	return order != 0 ? order : compare_numbers(a, b);
}

static void check_many(const char *sort, int (*compare)(const void *, const void *))
{
	struct view view = { .columns = many_columns, .column_count = 2, .context = many,
			     .rows = MANY };
	uint32_t *expected = mem_alloc(MANY, sizeof(*expected)), *rows, count;
	struct row_order order;

	for (uint32_t i = 0; i < MANY; i++)
		expected[i] = i;
	qsort(expected, MANY, sizeof(*expected), compare);
	assert_true(rows_parse_sort(sort, many_columns, 2, &order, NULL));
	rows = rows_select(&view, NULL, &order, &count);
	assert_int_equal(count, MANY);
	assert_memory_equal(rows, expected, MANY * sizeof(*rows));
	mem_free(rows);
	mem_free(expected);
}

static void test_many(void **state)
{
	uint32_t seed = 7;

	(void)state;
	many = mem_zalloc(1, sizeof(*many));
	for (uint32_t i = 0; i < MANY; i++) {
		seed = seed * UINT32_C(1664525) + UINT32_C(1013904223);
		/* Both signs, many equal numbers, very large and very small ones. */
		many->numbers[i] = ((int)(seed >> 20) - 2048) * (seed & 1024 ? 1e300 : 1e-310);
		(void)snprintf(many->texts[i], sizeof(many->texts[i]), "user%06u%s",
			       (unsigned)(seed >> 12) % 3000, seed & 2048 ? "\xc3\xa9" : "");
	}
	check_many("+number", compare_numbers);
	check_many("text,+number", compare_texts);
	mem_free(many);
}

/* Reasons sort unknown cells: after known ones, in one order either way, before none. */
static void get_reasoned(const struct position *pos, struct value *out)
{
	static const char *const reasons[] = { "limit of group", NULL, "", "held", NULL,
					       "limit of array" };

	value_set_int(out, pos->row == 2 || pos->row == 4 ? pos->row : I64_UNKNOWN);
	out->why = reasons[pos->row];
}

static void test_reasons(void **state)
{
	static const struct column column = { .name = "start", .get = get_reasoned };
	static const char *const wanted[] = { "243501", "423501" };
	const struct view view = { .columns = &column, .column_count = 1, .rows = 6 };
	struct err err;

	(void)state;
	for (int falls = 0; falls < 2; falls++) {
		struct row_order order = { .count = 0 };
		uint32_t count, *rows;
		char text[7] = "";

		assert_true(rows_parse_sort(falls ? "-start" : "+start", &column, 1, &order, &err));
		rows = rows_select(&view, NULL, &order, &count);
		assert_int_equal(count, 6);
		for (uint32_t i = 0; i < count; i++)
			text[i] = (char)('0' + rows[i]);
		mem_free(rows);
		assert_string_equal(text, wanted[falls]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sort), cmocka_unit_test(test_first_rows),
		cmocka_unit_test(test_order_of_view),
		cmocka_unit_test(test_aside),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_reasons),
	};

	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
