/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filter language, over the toy view: which rows pass, and the messages about mistakes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/table/filter.h"
#include "core/base/mem.h"
#include "tests/support/toy.h"

/* Returns the rows that pass, as digits: "024". */
static const char *rows(const char *text)
{
	static char passed[TOY_ROWS + 1];
	struct view view = toy_view();
	struct err err = { 0 };
	struct filter *f = filter_parse(text, toy_columns, toy_columns_count, &err);
	size_t n = 0;

	if (!f)
		fail_msg("%s: %s", text, err.message);
	for (uint32_t row = 0; row < TOY_ROWS; row++) {
		if (filter_match(f, &view, row))
			passed[n++] = (char)('0' + row);
	}
	passed[n] = '\0';
	filter_free(f);
	return passed;
}

static void refused(const char *text, const char *expected)
{
	struct err err = { 0 };
	struct filter *f = filter_parse(text, toy_columns, toy_columns_count, &err);

	if (f)
		fail_msg("%s: should be refused", text);
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, expected))
		fail_msg("%s: \"%s\" does not say \"%s\"", text, err.message, expected);
}

static void test_empty(void **state)
{
	struct view view = toy_view();

	(void)state;
	assert_string_equal(rows(""), "01234");
	assert_string_equal(rows("  "), "01234");
	assert_true(filter_match(NULL, &view, 1));
	assert_int_equal(filter_needs(NULL), 0);
}

static void test_numbers(void **state)
{
	(void)state;
	assert_string_equal(rows("size=3"), "04");
	assert_string_equal(rows("size != 3"), "123");		/* unknown is not 3 */
	assert_string_equal(rows("size<10"), "04");
	assert_string_equal(rows("size>=3"), "024");
	assert_string_equal(rows("size=parent"), "3");
	assert_string_equal(rows("ratio<50%"), "4");
	assert_string_equal(rows("R<=0.5"), "04");		/* by the title */
	assert_string_equal(rows("ratio=inf"), "2");
	assert_string_equal(rows("ratio>1M"), "2");
	assert_string_equal(rows("ratio>-1e3"), "0234");
}

static void test_suffixes(void **state)
{
	(void)state;
	assert_string_equal(rows("time=1h"), "0");
	assert_string_equal(rows("time>=1m"), "023");
	assert_string_equal(rows("time>1d"), "3");
	assert_string_equal(rows("time=1d2h3m4s"), "3");
	assert_string_equal(rows("time<1w time>0"), "023");
	assert_string_equal(rows("since>=1K"), "02");
	refused("ratio<1h", "not a number");
	refused("ratio<0x10", "not a number");
	refused("ratio<nan", "not a number");
	refused("time>1hour", "12h");
}

static void test_unknown(void **state)
{
	(void)state;
	assert_string_equal(rows("size=unknown"), "1");
	assert_string_equal(rows("ratio=unknown"), "1");	/* NaN */
	assert_string_equal(rows("ratio!=unknown"), "0234");
	assert_string_equal(rows("limits=unknown"), "1");
	assert_string_equal(rows("limits.cpu=unknown"), "124");
	assert_string_equal(rows("name=\"unknown\""), "");
	refused("size<unknown", "only be compared with = and !=");
}

static void test_texts(void **state)
{
	(void)state;
	assert_string_equal(rows("name=alpha"), "0");
	assert_string_equal(rows("name=Alpha"), "");
	assert_string_equal(rows("name^=al"), "0");
	assert_string_equal(rows("name~'^[ag].*[a\"]$'"), "02");
	assert_string_equal(rows("name~\"^(alpha|Beta)$\""), "01");
	assert_string_equal(rows("name='de,lta'"), "3");
	assert_string_equal(rows("name=de,lta"), "3");
	assert_string_equal(rows("name=\"gamma \\\"q\\\"\""), "2");
	assert_string_equal(rows("name!=alpha"), "1234");
	assert_string_equal(rows("name>b"), "23");
	refused("name~\"(\"", "missing closing parenthesis");
	refused("name~a(b", "quotes");
	refused("name~a\"b", "quotes");
}

static void test_bare(void **state)
{
	(void)state;
	assert_string_equal(rows("ALP"), "0");
	assert_string_equal(rows("ta"), "13");
	assert_string_equal(rows("\"a \""), "2");
	assert_string_equal(rows("c"), "4");			/* a tag */
	assert_string_equal(rows("nothing"), "");
}

static void test_kinds(void **state)
{
	(void)state;
	assert_string_equal(rows("up=true"), "03");
	assert_string_equal(rows("up=yes"), "03");
	assert_string_equal(rows("up!=yes"), "124");
	assert_string_equal(rows("up=no"), "24");
	assert_string_equal(rows("tags=b"), "03");
	assert_string_equal(rows("tags!=b"), "124");
	assert_string_equal(rows("tags~^[bc]$"), "034");
	assert_string_equal(rows("limits.cpu>4"), "3");
	assert_string_equal(rows("limits.wall=2-0"), "4");
	assert_string_equal(rows("limits.wall!=2-0"), "0123");
}

static void test_logic(void **state)
{
	(void)state;
	assert_string_equal(rows("size=3 ratio<0.5"), "4");
	assert_string_equal(rows("size=3|size=10"), "024");
	assert_string_equal(rows("size=10 | size=3 ratio<0.5"), "24");
	assert_string_equal(rows("(size=10|size=3) !alpha"), "24");
	assert_string_equal(rows("!(size=3|size=10)"), "13");
	assert_string_equal(rows("!!alpha"), "0");
	assert_string_equal(rows("!size=3"), "123");
	assert_string_equal(rows("((((alpha))))"), "0");
}

static void test_mistakes(void **state)
{
	char deep[3000];

	(void)state;
	refused("sze=3", "did you mean size?");
	refused("r<1", "no such column");			/* R is not r */
	refused("size=", "word is missing");
	refused("size=3)", "( is missing at character 7");
	refused("(size=3", ") is missing");
	refused("|", "word is missing");
	refused("size=3 |", "word is missing");
	refused("name=\"x", "closing quote is missing");
	refused("\"x\"y z=\"", "no such column");
	memset(deep, '(', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	refused(deep, "nested too deeply");
	memset(deep, '!', sizeof(deep) - 1);
	refused(deep, "nested too deeply");
	memset(deep, 'x', sizeof(deep) - 1);
	refused(deep, "too long");
}

static void test_needs(void **state)
{
	struct filter *f =
		filter_parse("size=3 | !(ratio<1)", toy_columns, toy_columns_count, NULL);

	(void)state;
	assert_int_equal(filter_needs(f), 2 | 4);
	filter_free(f);
	f = filter_parse("x limits.cpu=1", toy_columns, toy_columns_count, NULL);
	assert_int_equal(filter_needs(f), 1 | 128 | 64);	/* the text columns, and limits */
	filter_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),	 cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_suffixes), cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_texts),	 cmocka_unit_test(test_bare),
		cmocka_unit_test(test_kinds),	 cmocka_unit_test(test_logic),
		cmocka_unit_test(test_mistakes), cmocka_unit_test(test_needs),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
