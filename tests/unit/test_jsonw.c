/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The JSON writer: valid JSON for any input, checked with another library (jansson).
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "core/base/jsonw.h"
#include "tests/support/dice.h"

/* A sink that keeps up to LIMIT bytes. */
struct bucket {
	char *bytes;
	size_t length, limit;
	unsigned writes;
};

static bool fill(void *context, const char *bytes, size_t length, struct err *err)
{
	struct bucket *b = context;

	b->writes++;
	if (b->length + length > b->limit)
		return err_set(err, ERR_SOURCE, "full");
	b->bytes = realloc(b->bytes, b->length + length + 1);
	memcpy(b->bytes + b->length, bytes, length);
	b->length += length;
	b->bytes[b->length] = '\0';
	return true;
}

static void start(struct jsonw *j, struct bucket *b)
{
	*b = (struct bucket){ .limit = SIZE_MAX / 2 };
	jsonw_init(j, (struct sink){ fill, b }, NULL);
}

static json_t *read_back(const struct bucket *b)
{
	json_error_t error;
	const size_t flags = JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL;
	json_t *root = json_loadb(b->bytes, b->length, flags, &error);

	if (!root)
		fail_msg("%s in %s", error.text, b->bytes);
	return root;
}

static void expect(struct jsonw *j, struct bucket *b, const char *text)
{
	assert_true(jsonw_end(j));
	assert_string_equal(b->bytes, text);
	free(b->bytes);
}

static void test_layout(void **state)
{
	struct bucket b;
	struct jsonw j;

	(void)state;
	start(&j, &b);
	jsonw_object_begin(&j);
	jsonw_key(&j, "a");
	jsonw_array_begin(&j);
	jsonw_int(&j, 1);
	jsonw_null(&j);
	jsonw_bool(&j, true);
	jsonw_bool(&j, false);
	jsonw_string(&j, NULL);
	jsonw_array_begin(&j);
	jsonw_array_end(&j);
	jsonw_object_begin(&j);
	jsonw_object_end(&j);
	jsonw_array_end(&j);
	jsonw_key_n(&j, "bcd", 2);
	jsonw_string_n(&j, "xyz", 2);
	jsonw_object_end(&j);
	expect(&j, &b, "{\"a\":[1,null,true,false,null,[],{}],\"bc\":\"xy\"}");
}

/* Line breaks follow the comma inside, and separate texts outside. */
static void test_newlines(void **state)
{
	struct bucket b;
	struct jsonw j;

	(void)state;
	start(&j, &b);
	jsonw_array_begin(&j);
	for (int i = 0; i < 2; i++) {
		jsonw_newline(&j);
		jsonw_int(&j, i);
	}
	jsonw_newline(&j);
	jsonw_array_end(&j);
	jsonw_newline(&j);
	jsonw_int(&j, 2);
	jsonw_newline(&j);
	expect(&j, &b, "[\n0,\n1\n]\n2\n");
}

static void test_integers(void **state)
{
	static const int64_t numbers[] = { 0, 1, -1, 9, 10, INT64_MAX, INT64_MIN, INT64_MIN + 1 };

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct bucket b;
		struct jsonw j;
		json_t *root;

		start(&j, &b);
		jsonw_int(&j, numbers[i]);
		assert_true(jsonw_end(&j));
		root = read_back(&b);
		assert_true(json_is_integer(root) && json_integer_value(root) == numbers[i]);
		json_decref(root);
		free(b.bytes);
	}
}

static void test_doubles(void **state)
{
	uint64_t seed = 3;
	struct bucket b;
	struct jsonw j;

	(void)state;
	start(&j, &b);
	jsonw_array_begin(&j);
	jsonw_double(&j, NAN);
	jsonw_double(&j, INFINITY);
	jsonw_double(&j, -INFINITY);
	jsonw_double(&j, 0.1);
	jsonw_double(&j, 1e17);
	jsonw_array_end(&j);
	expect(&j, &b, "[null,\"inf\",\"-inf\",0.1,1e+17]");

	for (int i = 0; i < 20000; i++) {
		double x = dice_double(&seed), back;
		json_t *root;

		start(&j, &b);
		jsonw_double(&j, x);
		assert_true(jsonw_end(&j));
		root = read_back(&b);
		back = json_number_value(root);
		if (memcmp(&back, &x, sizeof(x)) != 0)
			fail_msg("%.17g became %s", x, b.bytes);
		json_decref(root);
		free(b.bytes);
	}
}

static void must_give(const char *s, size_t length, const char *text)
{
	struct bucket b;
	struct jsonw j;

	start(&j, &b);
	jsonw_string_n(&j, s, length);
	expect(&j, &b, text);
}

static void test_strings(void **state)
{
	(void)state;
	must_give("", 0, "\"\"");
	must_give("a\"b\\c/", 6, "\"a\\\"b\\\\c/\"");
	must_give("\b\f\n\r\t", 5, "\"\\b\\f\\n\\r\\t\"");
	must_give("\x01\x1b\x7f", 3, "\"\\u0001\\u001b\\u007f\"");
	must_give("\xc2\x9b\xc2\xa0", 4, "\"\\u009b\xc2\xa0\"");
	must_give("\0", 1, "\"\\u0000\"");
	must_give("\xe2\x80\xae" "a\xf3\xa0\x81\x81", 8, "\"\\u202ea\\udb40\\udc41\"");
	must_give("\xc3\xa9\xf0\x9f\x98\x80", 6, "\"\xc3\xa9\xf0\x9f\x98\x80\"");
	/* a byte that is never UTF-8, a truncated sequence, an overlong one, a surrogate */
	must_give("\xff", 1, "\"\xef\xbf\xbd\"");
	must_give("\xc3", 1, "\"\xef\xbf\xbd\"");
	must_give("\xc0\x80", 2, "\"\xef\xbf\xbd\xef\xbf\xbd\"");
	must_give("\xed\xa0\x80", 3, "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
}

/* Any bytes, as key and as value, at any position relative to the writer's buffer. */
static void test_hostile_bytes(void **state)
{
	uint64_t seed = 4;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct bucket b;
		struct jsonw j;
		json_t *root;

		start(&j, &b);
		jsonw_array_begin(&j);
		for (int i = 0; i < 100; i++) {
			char bytes[300];
			size_t length = dice_below(&seed, sizeof(bytes));

			for (size_t k = 0; k < length; k++)
				bytes[k] = (char)(dice_below(&seed, 4) ? dice_roll(&seed) : '"');
			jsonw_string_n(&j, bytes, length);
			for (size_t k = 0; k < length; k++)	/* jansson has no NUL in keys */
				bytes[k] = (char)(bytes[k] ? bytes[k] : ' ');
			jsonw_object_begin(&j);
			jsonw_key_n(&j, bytes, length);
			jsonw_null(&j);
			jsonw_object_end(&j);
		}
		jsonw_array_end(&j);
		assert_true(jsonw_end(&j));
		root = read_back(&b);
		assert_int_equal(json_array_size(root), 200);
		json_decref(root);
		free(b.bytes);
	}
}

static void test_cells(void **state)
{
	static const struct value_entry entries[] = {
		{ .key = "cpu", .number = 4 }, { .key = "wall", .text = "1-0" },
		{ .key = "no", .number = NAN }
	};
	static const struct value_entry words[] = { { .text = "a" }, { .text = "b" } };
	static const struct value_entry records[] = {
		{ .key = "text", .text = "x", .begins = true }, { .key = "n", .number = 3600 },
		{ .key = "text", .text = "y", .begins = true },
		{ .key = "text", .text = "z", .begins = true }, { .key = "w", .number = NAN },
		{ .key = "tres.cpu", .number = INFINITY }
	};
	const struct value values[] = {
		{ .kind = VALUE_UNKNOWN }, { .kind = VALUE_INT, .integer = -3 },
		{ .kind = VALUE_REAL, .real = 0.5 }, { .kind = VALUE_TEXT, .text = "t" },
		{ .kind = VALUE_TEXT }, { .kind = VALUE_BOOL, .integer = 1 },
		{ .kind = VALUE_MAP, .entries = entries, .count = 3 },
		{ .kind = VALUE_LIST, .entries = words, .count = 2 }, { .kind = VALUE_LIST },
		{ .kind = VALUE_RECORDS, .entries = records, .count = 6 },
		{ .kind = VALUE_RECORDS },
	};
	struct bucket b;
	struct jsonw j;

	(void)state;
	start(&j, &b);
	jsonw_array_begin(&j);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		jsonw_value(&j, &values[i]);
	jsonw_array_end(&j);
	expect(&j, &b, "[null,-3,0.5,\"t\",null,true,{\"cpu\":4,\"wall\":\"1-0\",\"no\":null},"
	       "[\"a\",\"b\"],[],[{\"text\":\"x\",\"n\":3600},{\"text\":\"y\"},{\"text\":\"z\","
	       "\"w\":null,\"tres\":{\"cpu\":\"inf\"}}],[]]");
}

/* The sink's first failure is returned, and nothing is written after it. */
static void test_sink_fails(void **state)
{
	struct bucket b = { .limit = 20000 };
	struct err err = { 0 };
	struct jsonw j;

	(void)state;
	jsonw_init(&j, (struct sink){ fill, &b }, &err);
	jsonw_array_begin(&j);
	for (int i = 0; i < 20000; i++)
		jsonw_int(&j, i);
	jsonw_array_end(&j);
	assert_false(jsonw_end(&j));
	assert_string_equal(err.message, "full");
	assert_true(b.writes == 3);
	free(b.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_newlines),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_doubles),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_hostile_bytes),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_sink_fails),
	};

	return cmocka_run_group_tests_name("jsonw", tests, NULL, NULL);
}
