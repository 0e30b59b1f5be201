/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter's "~": compared with the C library's regcomp() (in the C locale, on ASCII) where both
 * agree, over generated patterns and texts; its extensions, strange bytes and hostile patterns are
 * separate cases.
 */
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/table/filter.h"
#include "core/table/match.h"
#include "tests/support/toy.h"

static bool matches(const char *pattern, const char *text)
{
	struct err err = { 0 };
	struct match *m = match_new(pattern, strlen(pattern), &err);
	bool yes;

	if (!m)
		fail_msg("%s: %s", pattern, err.message);
	yes = match_test(m, text, strlen(text));
	assert_true(match_held(m, &err));
	match_free(m);
	return yes;
}

static void refuses(const char *pattern, const char *expected)
{
	struct err err = { 0 };
	struct match *m = match_new(pattern, strlen(pattern), &err);

	assert_null(m);
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, expected))
		fail_msg("%s: \"%s\" does not say \"%s\"", pattern, err.message, expected);
}

static void test_syntax(void **state)
{
	(void)state;
	assert_true(matches("^phys", "physics"));
	assert_false(matches("^hys", "physics"));
	assert_true(matches("ics$", "physics"));
	assert_true(matches("^(hep|bio).*\\d{2}$", "hep_user07"));
	assert_false(matches("^(hep|bio).*\\d{2}$", "chem_user07"));
	assert_true(matches("[^a-z]", "abcZ"));
	assert_false(matches("[^a-z]", "abc"));
	assert_true(matches("[]x]", "]"));
	assert_true(matches("[a\\]-]", "-"));
	assert_true(matches("a\\.b", "a.b"));
	assert_false(matches("a\\.b", "axb"));
	assert_true(matches("\\w+\\s\\S", "ab c"));
	assert_true(matches("", ""));
	assert_true(matches("(^|,)b(,|$)", "a,b,c"));
	assert_false(matches("x{3}", "xx"));
	assert_true(matches("^x{2,}$", "xxxxx"));
	assert_false(matches("^x{2,3}$", "xxxx"));
	assert_true(matches("(?i)^PHYS", "physics"));
	assert_true(matches("\\bhep\\b", "the-hep-group"));
	assert_false(matches("^(?!hep)", "hep_user07"));
	assert_true(matches("^a.b$", "a\nb"));
	assert_false(matches("b$", "b\n"));
}

static void test_utf8(void **state)
{
	(void)state;
	assert_true(matches("^.$", "\xc3\xa9")); /* one character, two bytes */
	assert_true(matches("^[\xc3\xa0-\xc3\xbf]$", "\xc3\xa9"));
	assert_false(matches("^\xc3\xa9$", "\xc3\xa8"));
	assert_true(matches("^a.b$", "a\xff"
				     "b")); /* a stray byte is one thing */
	assert_false(matches("[a-z\xc3\xbf]", "\xff"));
}

static void test_refused(void **state)
{
	char long_pattern[MATCH_PATTERN_MAX + 2];

	(void)state;
	refuses("a(b", "a(b: missing closing parenthesis (byte 4)");
	refuses("a)b", "unmatched closing parenthesis");
	refuses("[ab", "missing terminating ]");
	/* PCRE2 10.49 counts one byte more than 10.46. */
	refuses("*a", "does not follow a repeatable item (byte ");
	refuses("a{3,2}", "out of order");
	refuses("a{99999}", "too big");
	refuses("[z-a]", "out of order");
	refuses("a\\", "\\ at end");
	refuses("a\\C", "\\C");
	refuses("\xff", "UTF-8");
	refuses("((a{500}){500}){500}", "too large");
	memset(long_pattern, 'a', sizeof(long_pattern) - 1);
	long_pattern[sizeof(long_pattern) - 1] = '\0';
	refuses(long_pattern, "longer than");
}

/* A pattern that would take a backtracking matcher for ever is given up, with a message. */
static void test_hostile(void **state)
{
	static const char *const patterns[] = {
		"^(a|aa|a*)*[bc]$", "^(a*)*(a*)*(a*)*[^a]$", "(a+)+[^a]$", "(a|a)*(b|c)",
		"(((a*)*)*)*[^a]", "^(.?){60}a{60}[bc]$",
	};
	char text[201];

	(void)state;
	memset(text, 'a', 200);
	text[200] = '\0';
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		struct err err = { 0 };
		struct match *m = match_new(patterns[i], strlen(patterns[i]), &err);

		assert_non_null(m);
		assert_false(match_test(m, text, 200));
		if (match_held(m, &err))
			fail_msg("%s: was not given up", patterns[i]);
		assert_int_equal(err.code, ERR_INPUT);
		assert_non_null(strstr(err.message, patterns[i]));
		/* It stays given up: rows are missing already. */
		assert_false(match_test(m, "b", 1));
		match_free(m);
	}
}

static void test_filter_says_so(void **state)
{
	struct filter *f = filter_parse("size=3 | name~'^(.?){99}[xy]'", toy_columns,
					toy_columns_count, NULL);
	struct view view = toy_view();
	struct err err = { 0 };

	(void)state;
	assert_non_null(f);
	assert_true(filter_held(NULL, &err));
	assert_true(filter_match(f, &view, 0));		/* the name is not tested */
	assert_true(filter_held(f, &err));
	assert_false(filter_match(f, &view, 2));
	assert_false(filter_held(f, &err));
	assert_non_null(
		strstr(err.message, "filter: regular expression ^(.?){99}[xy]: takes more"));
	filter_free(f);
}

static uint32_t random_next(uint32_t *seed)
{
	*seed = *seed * UINT32_C(1664525) + UINT32_C(1013904223);
	return *seed >> 16;
}

/* Writes a random pattern of the common subset; no ^ or $ inside groups, where glibc loses them
 * when a group repeats. */
static void random_pattern(uint32_t *seed, int depth, char *out, size_t *at)
{
	static const char *const atoms[] = { "a", "b", "c", ".", "[ab]", "[^a]", "x", "^", "$" };
	static const char *const times[] = { "*", "+", "?", "{2}", "{1,2}", "{0,1}", "{1,}" };
	unsigned pieces = 1 + random_next(seed) % 3;

	while (pieces-- > 0 && *at < 60) {
		unsigned kind = random_next(seed) % 12;
		bool repeat = true;

		if (depth > 0 && kind < 3) {
			out[(*at)++] = '(';
			random_pattern(seed, depth - 1, out, at);
			if (kind == 0) {
				out[(*at)++] = '|';
				random_pattern(seed, depth - 1, out, at);
			}
			out[(*at)++] = ')';
		} else {
			const char *atom = atoms[random_next(seed) % (depth == 2 ? 9 : 7)];

			repeat = atom[0] != '^' && atom[0] != '$';
			*at += (size_t)sprintf(out + *at, "%s", atom);
		}
		if (repeat && random_next(seed) % 3 == 0)
			*at += (size_t)sprintf(out + *at, "%s", times[random_next(seed) % 7]);
	}
	out[*at] = '\0';
}

static void test_against_libc(void **state)
{
	uint32_t seed = 20240607;
	unsigned yes = 0, no = 0;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		char pattern[400];
		size_t at = 0;
		regex_t reference;

		random_pattern(&seed, 2, pattern, &at);
		assert_int_equal(regcomp(&reference, pattern, REG_EXTENDED | REG_NOSUB), 0);
		for (int j = 0; j < 10; j++) {
			char text[9];
			size_t n = random_next(&seed) % 8;
			bool expected;

			for (size_t k = 0; k < n; k++)
				text[k] = "abcx"[random_next(&seed) % 4];
			text[n] = '\0';
			expected = regexec(&reference, text, 0, NULL, 0) == 0;
			if (matches(pattern, text) != expected)
				fail_msg("%s on \"%s\": expected %d", pattern, text, expected);
			*(expected ? &yes : &no) += 1;
		}
		regfree(&reference);
	}
	assert_true(yes > 1000 && no > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_syntax),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_filter_says_so),
		cmocka_unit_test(test_against_libc),
	};

	return cmocka_run_group_tests_name("filter_match", tests, NULL, NULL);
}
