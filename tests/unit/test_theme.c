/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Themes: their language, the built-in ones, and what is left of a colour on a poorer terminal.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tui/term.h"
#include "tui/theme.h"

static void parse(struct theme *t, const char *text)
{
	struct err err = { 0 };

	if (!theme_parse(t, "test", "test.theme", text, strlen(text), &err))
		fail_msg("%s", err.message);
}

static void assert_error(const char *text, const char *message)
{
	struct theme t;
	struct err err = { 0 };

	assert_false(theme_parse(&t, "test", "test.theme", text, strlen(text), &err));
	if (strstr(err.message, message) == NULL)
		fail_msg("%s", err.message);
}

static void test_language(void **state)
{
	struct theme t;

	(void)state;
	parse(&t, "color rank.up green bold\ncolor error #ff8000 on 17 underline # loud\n"
		  "color ground.cursor on blue\n");
	assert_int_equal(t.roles[ROLE_UP].fg, 2);
	assert_int_equal(t.roles[ROLE_UP].attrs, STYLE_BOLD);
	assert_int_equal(t.roles[ROLE_ERROR].fg, COLOR_RGB | 0xff8000);
	assert_int_equal(t.roles[ROLE_ERROR].bg, 17);
	assert_int_equal(t.roles[ROLE_TEXT].fg, COLOR_DEFAULT);
	assert_int_equal(t.grounds[GROUND_CURSOR].bg, 4);
	assert_int_equal(t.grounds[GROUND_CURSOR].fg, COLOR_INHERIT);
	assert_error("color rank.up green\ncolor nowhere red\n",
		     "test.theme:2: there is no role 'nowhere'");
	assert_error("color error reddish\n", "test.theme:1: 'reddish' is no colour");
	assert_error("color error 256\n", "'256' is no colour");
	assert_error("color error #12345\n", "'#12345' is no colour");
	assert_error("color error on\n", "a colour is missing after 'on'");
	assert_error("set theme dark\n", "'set': expected color ROLE");
}

/* A cell on a ground: the ground lends its background, the role keeps the rest. */
static void test_grounds(void **state)
{
	struct theme t;
	struct style s;

	(void)state;
	parse(&t, "color user cyan\ncolor badge black on yellow\ncolor ground.cursor on blue bold\n"
		  "color ground.pick white on red\n");
	s = theme_style(&t, ROLE_USER, GROUND_CURSOR);
	assert_int_equal(s.fg, 6);
	assert_int_equal(s.bg, 4);
	assert_int_equal(s.attrs, STYLE_BOLD);
	s = theme_style(&t, ROLE_BADGE, GROUND_CURSOR);
	assert_int_equal(s.bg, 3);
	s = theme_style(&t, ROLE_USER, GROUND_PICK);
	assert_int_equal(s.fg, 7);
	s = theme_style(&t, ROLE_USER, GROUND_NONE);
	assert_int_equal(s.bg, COLOR_DEFAULT);
}

static void test_reduce(void **state)
{
	struct theme t, r;

	(void)state;
	parse(&t, "color user #ff0000\ncolor account 196\ncolor error bright-red\n"
		  "color ground.cursor on #203040\ncolor ground.bar on #202020\n");
	r = t;
	theme_reduce(&r, DEPTH_DIRECT);
	assert_int_equal(r.roles[ROLE_USER].fg, COLOR_RGB | 0xff0000);
	r = t;
	theme_reduce(&r, DEPTH_256);
	assert_int_equal(r.roles[ROLE_USER].fg, 196);
	assert_int_equal(r.roles[ROLE_ACCOUNT].fg, 196);
	r = t;
	theme_reduce(&r, DEPTH_16);
	assert_int_equal(r.roles[ROLE_USER].fg, 9);
	assert_int_equal(r.roles[ROLE_ACCOUNT].fg, 9);
	/*
	 * A quiet background would be black on most of them: it is turned into reverse, or left
	 * out.
	 */
	assert_true(r.grounds[GROUND_CURSOR].attrs & STYLE_REVERSE);
	assert_int_equal(r.grounds[GROUND_CURSOR].bg, COLOR_DEFAULT);
	assert_int_equal(r.grounds[GROUND_BAR].bg, COLOR_DEFAULT);
	assert_int_equal(r.grounds[GROUND_BAR].attrs, 0);
	r = t;
	theme_reduce(&r, DEPTH_8);
	assert_int_equal(r.roles[ROLE_ERROR].fg, 1);
	assert_true(r.roles[ROLE_USER].fg < 8);
	r = t;
	theme_reduce(&r, DEPTH_MONO);
	for (int i = 0; i < ROLE_COUNT; i++)
		assert_true(r.roles[i].fg < 0 && r.roles[i].bg < 0);
	assert_true(r.grounds[GROUND_CURSOR].attrs & STYLE_REVERSE);
}

/* In every built-in theme, at every depth, the cursor and the badges can be seen. */
static void test_builtin(void **state)
{
	static const enum color_depth depths[] = { DEPTH_DIRECT, DEPTH_256, DEPTH_16, DEPTH_8,
						   DEPTH_MONO };
	struct theme t;
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; theme_builtin[i] != NULL; i++) {
		for (size_t d = 0; d < sizeof depths / sizeof depths[0]; d++) {
			if (!theme_load(&t, theme_builtin[i], NULL, &err))
				fail_msg("%s", err.message);
			assert_string_equal(t.name, theme_builtin[i]);
			theme_reduce(&t, depths[d]);
			struct style plain = theme_style(&t, ROLE_TEXT, GROUND_NONE);
			struct style cursor = theme_style(&t, ROLE_TEXT, GROUND_CURSOR);
			struct style badge = theme_style(&t, ROLE_BADGE, GROUND_BAR);
			struct style box = theme_style(&t, ROLE_TEXT, GROUND_PANE);
			struct style pick = theme_style(&t, ROLE_TEXT, GROUND_PICK);
			assert_true(cursor.bg != plain.bg || (cursor.attrs & STYLE_REVERSE));
			assert_true(pick.bg != box.bg ||
				    ((pick.attrs ^ box.attrs) & STYLE_REVERSE) != 0);
			assert_true(badge.bg != plain.bg || (badge.attrs & STYLE_REVERSE));
			/* What stands on the cursor's ground is not of the ground's own colour. */
			for (int role = 0; role < ROLE_COUNT; role++) {
				struct style s = theme_style(&t, (enum role)role, GROUND_CURSOR);
				assert_true(s.fg < 0 || s.fg != s.bg);
			}
		}
	}
	assert_false(theme_load(&t, "nosuch", NULL, &err));
	assert_non_null(strstr(err.message, "theme 'nosuch'"));
	assert_false(theme_load(&t, "../etc/passwd", NULL, &err));
}

/* A file of the user's wins over the built-in theme of the same name. */
static void test_files(void **state)
{
	char dir[] = "/tmp/fairtop-theme-XXXXXX", path[96], themes[64];
	struct theme t;
	struct err err = { 0 };
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(themes, sizeof themes, "%s/themes", dir);
	assert_int_equal(mkdir(themes, 0700), 0);
	snprintf(path, sizeof path, "%s/dark.theme", themes);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("color user magenta\n", file);
	fclose(file);
	assert_true(theme_load(&t, "dark", dir, &err));
	assert_int_equal(t.roles[ROLE_USER].fg, 5);
	file = fopen(path, "w");
	fputs("color user magenta\ncolour\n", file);
	fclose(file);
	assert_false(theme_load(&t, "dark", dir, &err));
	assert_non_null(strstr(err.message, "dark.theme:2: "));
	unlink(path);
	rmdir(themes);
	rmdir(dir);
}

static void test_color_option(void **state)
{
	enum color_depth limit;
	struct err err = { 0 };

	(void)state;
	unsetenv("NO_COLOR");
	assert_true(term_parse_color(NULL, &limit, &err));
	assert_int_equal(limit, DEPTH_DIRECT);
	setenv("NO_COLOR", "1", 1);
	assert_true(term_parse_color("auto", &limit, &err));
	assert_int_equal(limit, DEPTH_MONO);
	assert_true(term_parse_color("256", &limit, &err));
	assert_int_equal(limit, DEPTH_256);
	setenv("NO_COLOR", "", 1);	/* set and empty counts as not set */
	assert_true(term_parse_color("auto", &limit, &err));
	assert_int_equal(limit, DEPTH_DIRECT);
	assert_true(term_parse_color("never", &limit, &err));
	assert_int_equal(limit, DEPTH_MONO);
	assert_false(term_parse_color("lots", &limit, &err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_language), cmocka_unit_test(test_grounds),
		cmocka_unit_test(test_reduce),	 cmocka_unit_test(test_builtin),
		cmocka_unit_test(test_files),	 cmocka_unit_test(test_color_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
