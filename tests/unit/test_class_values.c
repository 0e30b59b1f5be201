/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBS values, selects and places in one spelling: texts that the scheduler treats as equal come out
 * equal, others differ (spec of PBS, 2.2).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/classes/class_values.h"
#include "core/base/word.h"

static void value(const char *in, const char *out)
{
	char buf[64];

	assert_int_equal(class_value(in, strlen(in), buf, sizeof(buf)), strlen(out));
	assert_string_equal(buf, out);
}

static void test_values(void **state)
{
	(void)state;
	value("1gb", "1073741824");
	value("1024mb", "1073741824");
	value("1073741824b", "1073741824");
	value("1GB", "1073741824");
	value("2kw", "16384");
	value("01:00:00", "3600");
	value("60:00", "3600");
	value("100:00:00", "360000");
	value("007", "7");
	value("true", "True");
	value("FALSE", "False");
	value("linux", "linux");
	value("1x", "1x");
	value("0x10", "0x10");
	value("", "");
	value("12:ab", "12:ab");
}

static void select(const char *in, const struct class_filter *filter, const char *out)
{
	char buf[256];

	class_select(in, filter, buf, sizeof(buf));
	assert_string_equal(buf, out);
}

static void test_selects(void **state)
{
	static const struct class_filter all = { NULL, NULL, false };
	static const struct class_filter line = { "ncpus, mem, host", NULL, false };
	static const struct class_filter less = { NULL, "software", false };
	static const struct class_filter none = { NULL, NULL, true };

	(void)state;
	select("1:mem=1gb:ncpus=2", &all, "1:mem=1073741824:ncpus=2");
	select("ncpus=2:mem=1024mb", &all, "1:mem=1073741824:ncpus=2");
	select("2:ncpus=150", &all, "2:ncpus=150");
	select("1:ncpus=150+1:ncpus=150", &all, "1:ncpus=150+1:ncpus=150");
	select("1:color=red:ncpus=2", &line, "1:ncpus=2");
	select("1:ncpus=2:software=x", &less, "1:ncpus=2");
	select("3:ncpus=2+ncpus=1", &none, "3+1");
	select("1:comment=\"a:b+c\":ncpus=1", &all, "1:comment=\"a:b+c\":ncpus=1");
	select("", &all, "");
}

static void test_exec_vnode(void **state)
{
	char buf[256];

	(void)state;
	class_exec_vnode("(cn001:ncpus=8:mem=4kb)+(cn002:ncpus=8)", buf, sizeof(buf));
	assert_string_equal(buf, "1:vnode=cn001:ncpus=8:mem=4kb+1:vnode=cn002:ncpus=8");
	class_exec_vnode("(cn001:ncpus=8+cn002:ncpus=4)", buf, sizeof(buf));
	assert_string_equal(buf, "1:vnode=cn001:ncpus=8+1:vnode=cn002:ncpus=4");
}

static void place(const char *in, const char *out)
{
	char buf[128];

	class_place(in, buf, sizeof(buf));
	assert_string_equal(buf, out);
}

static void test_places(void **state)
{
	(void)state;
	place("", "free");
	place("free", "free");
	place("excl", "free:excl");
	place("free:excl", "free:excl");
	place("shared", "free:shared");
	place("group=rack:scatter:excl", "scatter:excl:group=rack");
	place("vscatter:exclhost", "vscatter:exclhost");
}

static void test_lists(void **state)
{
	(void)state;
	assert_true(word_listed("ncpus, mem,arch", "mem", 3));
	assert_false(word_listed("ncpus, mem,arch", "me", 2));
	assert_false(word_listed("", "mem", 3));
	assert_false(word_listed(NULL, "mem", 3));
}

static void test_nothing_is_written_past_the_end(void **state)
{
	char buf[8] = "xxxxxxx";

	(void)state;
	class_select("1:ncpus=1:aaaaaaaaaaaaaaaa=2", &(struct class_filter){ 0 }, buf, 5);
	assert_int_equal(strlen(buf), 4);
	assert_int_equal(buf[5], 'x');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_selects),
		cmocka_unit_test(test_exec_vnode),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_nothing_is_written_past_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
