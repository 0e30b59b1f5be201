/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pull parser against jansson: it must accept the same texts with the same values,
 * and refuse the same ones - on texts made for it and on thousands of damaged ones.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "core/base/json_pull.h"
#include "tests/support/dice.h"

#define ROUNDS 60000

/* ---- the same values ----------------------------------------------------------------------- */

static bool same(struct pull *p, const json_t *expect);

static bool same_object(struct pull *p, const json_t *expect)
{
	void *iter = json_object_iter((json_t *)(uintptr_t)expect);
	struct pull_value key;

	while (pull_member(p, &key)) {
		if (!iter || strcmp(json_object_iter_key(iter), key.string) != 0 ||
		    strlen(key.string) != key.length || !same(p, json_object_iter_value(iter)))
			return false;
		iter = json_object_iter_next((json_t *)(uintptr_t)expect, iter);
	}
	return !iter && !p->problem;
}

static bool same_array(struct pull *p, const json_t *expect)
{
	size_t i = 0;

	while (pull_element(p)) {
		const json_t *element = json_array_get(expect, i++);

		if (!element || !same(p, element))
			return false;
	}
	return i == json_array_size(expect) && !p->problem;
}

static bool same(struct pull *p, const json_t *expect)
{
	struct pull_value v;
	double real;

	switch (pull_value(p, &v)) {
	case PULL_ERROR:
		return false;
	case PULL_NULL:
		return json_is_null(expect);
	case PULL_BOOL:
		return json_is_boolean(expect) && json_boolean_value(expect) == v.boolean;
	case PULL_INT:
		return json_is_integer(expect) && json_integer_value(expect) == v.integer &&
			(double)v.integer == v.real;
	case PULL_REAL:
		real = json_real_value(expect);
		return json_is_real(expect) && memcmp(&real, &v.real, sizeof(real)) == 0;
	case PULL_STRING:
		return json_is_string(expect) && json_string_length(expect) == v.length &&
			memcmp(json_string_value(expect), v.string, v.length + 1) == 0;
	case PULL_ARRAY:
		return json_is_array(expect) && same_array(p, expect);
	case PULL_OBJECT:
		return json_is_object(expect) && same_object(p, expect);
	}
	return false;
}

/* Returns whether TEXT is one valid value. */
static bool accepts(const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	struct pull_value v;
	struct pull p;
	bool ok;

	memcpy(copy, text, length);
	pull_init(&p, copy, length);
	pull_skip(&p, pull_value(&p, &v));
	ok = pull_end(&p);
	if (ok != !p.problem || (!ok && (p.column == 0 || p.column > length + 1)))
		fail_msg("no place or no reason for \"%.*s\"", (int)length, text);
	free(copy);
	return ok;
}

/* The two may differ on numbers beyond int64_t and on repeated keys. */
static bool no_comparison(const json_error_t *error)
{
	return json_error_code(error) == json_error_numeric_overflow ||
		json_error_code(error) == json_error_duplicate_key;
}

static void compare(const char *text, size_t length)
{
	json_error_t error;
	json_t *expect = json_loadb(text, length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &error);
	char *copy = malloc(length + 1);
	struct pull p;

	memcpy(copy, text, length);
	pull_init(&p, copy, length);
	/* jansson takes a NUL byte after a value as the end. */
	if (memchr(text, '\0', length) && accepts(text, length))
		fail_msg("a NUL byte was accepted");
	else if (memchr(text, '\0', length))
		expect = (json_decref(expect), NULL);
	else if (!expect && !no_comparison(&error) && accepts(text, length))
		fail_msg("accepted (%s): %.*s", error.text, (int)length, text);
	if (expect && !accepts(text, length))
		fail_msg("refused: %.*s", (int)length, text);
	if (expect && !(same(&p, expect) && pull_end(&p)))
		fail_msg("other values: %.*s", (int)length, text);
	free(copy);
	json_decref(expect);
}

/* ---- texts --------------------------------------------------------------------------------- */

static const char *const texts[] = {
	"null", "true", "false", "0", "-0", "17", "-17", "9223372036854775807",
	"-9223372036854775807", "0.5", "-0.0", "1e5", "1E+05", "1.25e-7", "123456789012345678.0",
	"0.1", "4.9e-324", "1.7976931348623157e308", "2.2250738585072011e-308",
	"9007199254740993.0", "5e-325", "1.00000000000000011102230246251565",
	"1.00000000000000011102230246251566", "\"\"", "\"plain\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
	"\"\\u0041\\u00e9\\ud83d\\ude00\"", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"",
	"\"a\\u00e9b\xc3\xa9" "c\"", " [ ] ", "[1,[2,[3]],{}]", "{ }",
	"{\"a\":1,\"b\":[true,null],\"c\":{\"d\":\"e\"}}", "\t{\"a\" : [ 1 , 2 ] }\r\n",
	"{\"assoc\":{\"id\":12,\"parent\":1,\"account\":\"hep\",\"shares\":\"parent\","
	"\"usage\":1.5e9,\"reported\":{\"norm_usage\":0.012345678901234567,"
	"\"level_fs\":\"inf\"},\"qos\":[\"a\",\"b\"]}}",
	/* not JSON */
	"", " ", "nul", "truex", "tru", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x10",
	"1_0", "NaN", "Infinity", "\"", "\"abc", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u0000\"",
	"\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\x01\"", "\"\n\"", "\"\xff\"",
	"\"\xc3\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "[", "]", "[1",
	"[1,", "[1,]", "[,1]", "[1 2]", "[1}", "{", "}", "{\"a\"", "{\"a\":", "{\"a\":1",
	"{\"a\":1,", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1]",
	"1 2", "{}{}", "[]x", "1e999", "-1e999", "\xef\xbb\xbf{}", "'a'", "{\"a\":1,\"a\":2}",
	"/* */1",
};

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		compare(texts[i], strlen(texts[i]));
	compare("1\0", 2);
	compare("\"a\0b\"", 5);
	compare("[1,\0 2]", 7);
}

/* Applies one to four small damages. */
static size_t damage(uint64_t *seed, char *text, size_t length, size_t room)
{
	static const char likely[] = "{}[]\",:\\/ue+-.0123456789 \t\n\xc3\xa9tfn";

	for (uint32_t n = 1 + dice_below(seed, 4); n > 0; n--) {
		size_t at = length > 0 ? dice_below(seed, (uint32_t)length) : 0;
		char byte = dice_below(seed, 8) > 0 ?
			likely[dice_below(seed, sizeof(likely) - 1)] : (char)dice_roll(seed);

		switch (dice_below(seed, 3)) {
		case 0:
			if (length > 0)
				text[at] = byte;
			break;
		case 1:
			if (length > 0) {
				memmove(text + at, text + at + 1, length - at - 1);
				length--;
			}
			break;
		default:
			if (length < room) {
				memmove(text + at + 1, text + at, length - at);
				text[at] = byte;
				length++;
			}
			break;
		}
	}
	return length;
}

static void test_damaged_texts(void **state)
{
	const uint32_t count = sizeof(texts) / sizeof(texts[0]);
	uint64_t seed = 5;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		const char *text = texts[dice_below(&seed, count)];
		size_t length = strlen(text);
		char copy[400];

		memcpy(copy, text, length);
		length = damage(&seed, copy, length, sizeof(copy));
		compare(copy, length);
	}
}

static void test_numbers(void **state)
{
	uint64_t seed = 6;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		char text[64];
		double x = dice_double(&seed);

		snprintf(text, sizeof(text), "%.*e", (int)dice_below(&seed, 20), x);
		compare(text, strlen(text));
		snprintf(text, sizeof(text), "%.*g", 1 + (int)dice_below(&seed, 20), x);
		compare(text, strlen(text));
	}
}

/* Integers beyond int64_t become reals. */
static void test_large_integers(void **state)
{
	static const char *const large[] = {
		"9223372036854775808", "-9223372036854775809", "18446744073709551616",
		"123456789012345678901234567890",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		struct pull_value v;
		struct pull p;
		char copy[64];

		strcpy(copy, large[i]);
		pull_init(&p, copy, strlen(copy));
		assert_int_equal(pull_value(&p, &v), PULL_REAL);
		assert_true(v.real == strtod(large[i], NULL));
		assert_true(pull_end(&p));
	}
}

static void test_depth(void **state)
{
	char text[2 * PULL_DEPTH_MAX + 4];

	(void)state;
	for (size_t depth = PULL_DEPTH_MAX; depth <= PULL_DEPTH_MAX + 1; depth++) {
		memset(text, '[', depth);
		memset(text + depth, ']', depth);
		assert_int_equal(accepts(text, 2 * depth), depth == PULL_DEPTH_MAX);
	}
}

/* The column is that of the first wrong byte. */
static void test_columns(void **state)
{
	static const struct {
		const char *text;
		size_t column;
	} cases[] = {
		{ "", 1 }, { "{\"a\":}", 6 }, { "[1,2", 5 }, { "[1 2]", 4 }, { "{\"a\":01}", 6 },
		{ "[\"\xff\"]", 3 }, { "{\"a\":1} x", 9 }, { "[1e999]", 2 }, { "\"ab\ncd\"", 4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pull_value v;
		struct pull p;
		char copy[64];

		strcpy(copy, cases[i].text);
		pull_init(&p, copy, strlen(copy));
		pull_skip(&p, pull_value(&p, &v));
		assert_false(pull_end(&p));
		if (p.column != cases[i].column)
			fail_msg("%s: column %zu: %s", cases[i].text, p.column, p.problem);
	}
}

/* Slurm 23.11 writes values that are not JSON; they are read on request. */
static void test_infinity(void **state)
{
	char text[] = "[Infinity, NaN]", strict[] = "[Infinity]", wrong[] = "[Infinite]";
	struct pull_value v;
	struct pull p;

	(void)state;
	pull_init(&p, text, strlen(text));
	p.infinity = true;
	assert_int_equal(pull_value(&p, &v), PULL_ARRAY);
	assert_true(pull_element(&p));
	assert_int_equal(pull_value(&p, &v), PULL_REAL);
	assert_true(isinf(v.real));
	assert_true(pull_element(&p));
	assert_int_equal(pull_value(&p, &v), PULL_NULL);
	assert_false(pull_element(&p));
	assert_true(pull_end(&p));
	pull_init(&p, strict, strlen(strict));
	assert_false(pull_skip(&p, pull_value(&p, &v)));
	pull_init(&p, wrong, strlen(wrong));
	p.infinity = true;
	assert_false(pull_skip(&p, pull_value(&p, &v)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_damaged_texts),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_large_integers),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_infinity),
	};

	return cmocka_run_group_tests_name("pull", tests, NULL, NULL);
}
