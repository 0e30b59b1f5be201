/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Themes: their language, the built-in ones, colours reduced for a poorer terminal, and whether
 * everything can be read, also by people who do not distinguish red from green.
 */
#include <math.h>
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

#include "tui/cells/term.h"
#include "tui/cells/theme.h"
#include "tests/support/scratch.h"

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
	if (!strstr(err.message, message))
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
		     "test.theme:2: unknown role 'nowhere'");
	assert_error("color error reddish\n", "test.theme:1: 'reddish' is not a colour");
	assert_error("color error 256\n", "'256' is not a colour");
	assert_error("color error #12345\n", "'#12345' is not a colour");
	assert_error("color error on\n", "expected a colour after 'on'");
	assert_error("set theme dark\n", "'set': expected color ROLE");
}

/* On a ground a cell has the ground's background and the rest from its role. */
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
	/* Black on yellow stays, whatever the ground's text colour. */
	s = theme_style(&t, ROLE_BADGE, GROUND_PICK);
	assert_int_equal(s.fg, 0);
	assert_int_equal(s.bg, 3);
	/* Reverse on a reversed ground becomes normal, to differ from it. */
	parse(&t, "color match reverse\ncolor user bold\ncolor badge black on yellow\n"
		  "color ground.cursor reverse\n");
	assert_int_equal(theme_style(&t, ROLE_MATCH, GROUND_NONE).attrs, STYLE_REVERSE);
	assert_int_equal(theme_style(&t, ROLE_MATCH, GROUND_CURSOR).attrs, 0);
	assert_int_equal(theme_style(&t, ROLE_USER, GROUND_CURSOR).attrs,
			 STYLE_REVERSE | STYLE_BOLD);
	assert_int_equal(theme_style(&t, ROLE_BADGE, GROUND_CURSOR).attrs, 0);
}

static void assert_style(struct style s, int32_t fg, int32_t bg)
{
	assert_int_equal(s.fg, fg);
	assert_int_equal(s.bg, bg);
}

/* Roles without a colour, or with "default", have the colours of text. */
static void test_screens_ground(void **state)
{
	static const char *const own[] = {
		"color text default\n", "color text default on default\n",
	};
	const char *lines = "color user default on default\ncolor good cyan\n"
			    "color ground.pick default on default\ncolor ground.cursor on red\n"
			    "color badge black on yellow\n";
	struct theme t;
	char text[400];

	(void)state;
	snprintf(text, sizeof(text), "color text white on blue\n%s", lines);
	parse(&t, text);
	assert_style(theme_style(&t, ROLE_TEXT, GROUND_NONE), 7, 4);
	assert_style(theme_style(&t, ROLE_TEXT, GROUND_CURSOR), 7, 1);
	assert_style(theme_style(&t, ROLE_USER, GROUND_CURSOR), 7, 4);
	assert_style(theme_style(&t, ROLE_NUMBER, GROUND_PANE), 7, 4);
	assert_style(theme_style(&t, ROLE_GOOD, GROUND_NONE), 6, 4);
	assert_style(theme_style(&t, ROLE_GOOD, GROUND_PICK), 7, 4);
	assert_style(theme_style(&t, ROLE_BADGE, GROUND_PICK), 0, 3);
	for (size_t i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), "%s%s", own[i], lines);
		parse(&t, text);
		assert_style(theme_style(&t, ROLE_TEXT, GROUND_NONE), COLOR_DEFAULT, COLOR_DEFAULT);
		assert_style(theme_style(&t, ROLE_TEXT, GROUND_CURSOR), COLOR_DEFAULT, 1);
		assert_style(theme_style(&t, ROLE_USER, GROUND_CURSOR), COLOR_DEFAULT,
			     COLOR_DEFAULT);
		assert_style(theme_style(&t, ROLE_GOOD, GROUND_PANE), 6, COLOR_DEFAULT);
	}
}

/* With few colours, one that is unreadable on the screen's ground becomes black or white. */
static void test_few_colors(void **state)
{
	const char *lines = "color warn #6e4700 bold\ncolor error #a51f18 bold\n"
			    "color key #0a559a\ncolor title #582fa8\n"
			    "color badge #ffffff on #6e4700 bold\ncolor ground.title #ffffff on "
			    "#0a559a bold\n";
	struct theme t, r;
	char text[400];

	(void)state;
	snprintf(text, sizeof(text), "color text #1f262e on #ffffff\n%s", lines);
	parse(&t, text);
	r = t;
	theme_reduce(&r, DEPTH_16);
	assert_style(theme_style(&r, ROLE_TEXT, GROUND_BAR), 0, 15);
	assert_style(theme_style(&r, ROLE_WARN, GROUND_NONE), 0, 15);
	assert_style(theme_style(&r, ROLE_ERROR, GROUND_NONE), 1, 15);
	assert_style(theme_style(&r, ROLE_BADGE, GROUND_NONE), 0, 3);
	assert_style(theme_style(&r, ROLE_TEXT, GROUND_TITLE), 0, 6);
	assert_int_equal(r.roles[ROLE_ERROR].attrs, 0);
	assert_int_equal(r.roles[ROLE_BADGE].attrs, 0);
	r = t;
	theme_reduce(&r, DEPTH_8);
	assert_style(theme_style(&r, ROLE_TEXT, GROUND_BAR), 0, 7);
	snprintf(text, sizeof(text), "color text #d0d6dc on #101419\n%s", lines);
	parse(&t, text);
	theme_reduce(&t, DEPTH_8);
	assert_style(theme_style(&t, ROLE_TEXT, GROUND_BAR), 7, 0);
	assert_style(theme_style(&t, ROLE_WARN, GROUND_NONE), 3, 0);
	assert_style(theme_style(&t, ROLE_TITLE, GROUND_NONE), 7, 0);	/* no blue on black */
	assert_int_equal(t.roles[ROLE_ERROR].attrs, STYLE_BOLD);
	/* A ground of the terminal's own colour is unknown. */
	parse(&t, lines);
	theme_reduce(&t, DEPTH_16);
	assert_style(theme_style(&t, ROLE_WARN, GROUND_NONE), 3, COLOR_DEFAULT);
	assert_int_equal(t.roles[ROLE_WARN].attrs, STYLE_BOLD);
}

static void assert_same_style(struct style a, struct style b)
{
	assert_style(a, b.fg, b.bg);
	assert_int_equal(a.attrs, b.attrs);
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
	 * A quiet background would be black on most terminals: it becomes reverse, or is dropped.
	 */
	assert_true(r.grounds[GROUND_CURSOR].attrs & STYLE_REVERSE);
	assert_int_equal(r.grounds[GROUND_CURSOR].bg, COLOR_DEFAULT);
	assert_int_equal(r.grounds[GROUND_BAR].bg, COLOR_DEFAULT);
	assert_int_equal(r.grounds[GROUND_BAR].attrs, 0);
	r = t;
	theme_reduce(&r, DEPTH_8);
	assert_int_equal(r.roles[ROLE_ERROR].fg, 1);
	assert_true(r.roles[ROLE_USER].fg < 8);
	/* Pale colours keep their hue: none becomes white or gray. */
	parse(&t, "color user #7cc0f5\ncolor account #f0997b\ncolor good #9fe0b4\n"
		  "color warn #e8c268\ncolor mark #f0a8cf\ncolor dim #98a2ae\ncolor head gray\n"
		  "color label #575d66\ncolor value #1f262e\ncolor error #a51f18\n"
		  "color ground.mark on #203040\ncolor ground.past on #402000\n");
	r = t;
	theme_reduce(&r, DEPTH_16);
	assert_int_equal(r.roles[ROLE_USER].fg, 14);
	assert_int_equal(r.roles[ROLE_ACCOUNT].fg, 9);
	assert_int_equal(r.roles[ROLE_GOOD].fg, 10);
	assert_int_equal(r.roles[ROLE_WARN].fg, 11);
	assert_int_equal(r.roles[ROLE_MARK].fg, 13);
	assert_int_equal(r.roles[ROLE_DIM].fg, 8);
	assert_int_equal(r.roles[ROLE_LABEL].fg, 8);
	assert_int_equal(r.roles[ROLE_VALUE].fg, 0);
	assert_int_equal(r.roles[ROLE_ERROR].fg, 1);
	/* A marked row differs from the cursor, and the past from the present. */
	assert_int_equal(r.grounds[GROUND_MARK].attrs, STYLE_UNDERLINE);
	assert_int_equal(r.grounds[GROUND_PAST].attrs, STYLE_REVERSE);
	r = t;
	theme_reduce(&r, DEPTH_8);
	assert_int_equal(r.roles[ROLE_USER].fg, 6);
	assert_int_equal(r.roles[ROLE_DIM].fg, 7);
	assert_int_equal(r.roles[ROLE_LABEL].fg, 0);
	assert_int_equal(r.roles[ROLE_HEAD].fg, COLOR_DEFAULT);
	/* Without colours every theme equals the one made without any. */
	theme_load(&t, "dark", NULL, NULL);
	theme_load(&r, "mono", NULL, NULL);
	theme_reduce(&t, DEPTH_MONO);
	for (int i = 0; i < ROLE_COUNT; i++)
		assert_same_style(t.roles[i], r.roles[i]);
	for (int i = 0; i < GROUND_COUNT; i++)
		assert_same_style(t.grounds[i], r.grounds[i]);
	parse(&t, "color user #ff0000\ncolor account 196\ncolor error bright-red\n"
		  "color ground.cursor on #203040\ncolor ground.bar on #202020\n");
	r = t;
	theme_reduce(&r, DEPTH_MONO);
	for (int i = 0; i < ROLE_COUNT; i++)
		assert_true(r.roles[i].fg < 0 && r.roles[i].bg < 0);
	assert_true(r.grounds[GROUND_CURSOR].attrs & STYLE_REVERSE);
}

/* In every built-in theme, at every depth, the cursor and the badges are visible. */
static void test_builtin(void **state)
{
	static const enum color_depth depths[] = { DEPTH_DIRECT, DEPTH_256, DEPTH_16, DEPTH_8,
						   DEPTH_MONO };
	struct theme t;
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; theme_builtin[i]; i++) {
		for (size_t d = 0; d < sizeof(depths) / sizeof(depths[0]); d++) {
			if (!theme_load(&t, theme_builtin[i], NULL, &err))
				fail_msg("%s", err.message);
			assert_string_equal(t.name, theme_builtin[i]);
			theme_reduce(&t, depths[d]);
			struct style plain = theme_style(&t, ROLE_TEXT, GROUND_NONE);
			struct style cursor = theme_style(&t, ROLE_TEXT, GROUND_CURSOR);
			struct style badge = theme_style(&t, ROLE_BADGE, GROUND_BAR);
			struct style mark = theme_style(&t, ROLE_TEXT, GROUND_MARK);
			struct style box = theme_style(&t, ROLE_TEXT, GROUND_PANE);
			struct style pick = theme_style(&t, ROLE_TEXT, GROUND_PICK);
			assert_true(cursor.bg != plain.bg || (cursor.attrs & STYLE_REVERSE));
			assert_true(cursor.bg != mark.bg ||
				    ((cursor.attrs ^ mark.attrs) & STYLE_REVERSE) != 0);
			assert_true(pick.bg != box.bg ||
				    ((pick.attrs ^ box.attrs) & STYLE_REVERSE) != 0);
			assert_true(badge.bg != plain.bg || (badge.attrs & STYLE_REVERSE));
			/* Text on the cursor's ground does not have the ground's own colour. */
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

/* ---- what can be seen ------------------------------------------------------------------------ */

static double linear(uint32_t component)
{
	double x = (component & 255) / 255.0;

	return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

/* Relative luminance and contrast as WCAG 2 defines them. */
static double luminance(uint32_t rgb)
{
	return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8) + 0.0722 * linear(rgb);
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

	return x > y ? x / y : y / x;
}

/* Returns the contrast of two colours of the theme; the terminal's own ones are unknown. */
static double contrast_of(const struct theme *t, int role, int ground)
{
	struct style s = theme_style(t, (enum role)role, (enum ground)ground);

	if (s.fg < 0 || s.bg < 0 || (s.attrs & STYLE_DIM) != 0)
		fail_msg("%s: %s on %s is left to the terminal", t->name, role_info[role].name,
			 ground_info[ground].name);
	return contrast(theme_rgb(s.fg, 0), theme_rgb(s.bg, 0));
}

/* Returns whether a role is lines or blocks: a contrast of 3 suffices (WCAG 2, 1.4.11). */
static bool is_graphic(int role)
{
	return role == ROLE_FRAME || role == ROLE_CHART ||
	       (role >= ROLE_TERM_AGE && role <= ROLE_TERM_NICE);
}

/* Returns whether a role occurs on a ground: frames and curves are never under a cursor. */
static bool may_stand(int role, int ground)
{
	if (role == ROLE_FRAME)
		return ground == GROUND_NONE || ground == GROUND_PANE;
	return role != ROLE_CHART || (ground != GROUND_CURSOR && ground != GROUND_MARK &&
				      ground != GROUND_PAST && ground != GROUND_BAR);
}

static void assert_contrast(const struct theme *t, double least)
{
	for (int k = 0; k < ROLE_COUNT * GROUND_COUNT; k++) {
		int role = k / GROUND_COUNT, ground = k % GROUND_COUNT;
		double ratio = contrast_of(t, role, ground);

		if (may_stand(role, ground) && ratio < (is_graphic(role) ? 3 : least))
			fail_msg("%s: %s on %s: %.2f", t->name, role_info[role].name,
				 ground_info[ground].name, ratio);
	}
}

/*
 * Every role can be read on every ground: 4.5 at least, 7 with high contrast (AA and AAA). Sixteen
 * or eight colours depend on the terminal; xterm's reach at least 3: its gray has 4.0 on white, its
 * bright blue 4.4 on black, and its red 3.6 on black.
 */
static void test_contrast(void **state)
{
	static const struct {
		enum color_depth depth;
		double least, most;
	} depths[] = {
		{ DEPTH_DIRECT, 4.5, 7 }, { DEPTH_256, 4.5, 7 }, { DEPTH_16, 3, 4 },
		{ DEPTH_8, 3, 4 },
	};
	struct theme t;
	struct err err = { 0 };

	(void)state;
	assert_true(fabs(contrast(0x777777, 0xffffff) - 4.48) < 0.005);	/* WCAG's own example */
	for (size_t i = 0; theme_builtin[i]; i++) {
		if (strcmp(theme_builtin[i], "mono") == 0)	/* it has no colours */
			continue;
		for (size_t d = 0; d < sizeof(depths) / sizeof(depths[0]); d++) {
			assert_true(theme_load(&t, theme_builtin[i], NULL, &err));
			theme_reduce(&t, depths[d].depth);
			assert_contrast(&t, strcmp(t.name, "contrast") == 0 ? depths[d].most :
				       depths[d].least);
		}
	}
}

/*
 * Protanopia and deuteranopia in linear RGB: Machado, Oliveira and Fernandes, A Physiologically-
 * based Model for Simulation of Color Vision Deficiency, 2009, table 1, severity 1.
 */
static const double blindness[2][3][3] = {
	{ { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
	  { -0.003882, -0.048116, 1.051998 } },
	{ { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
	  { -0.011820, 0.042940, 0.968881 } },
};

static double lab_root(double x)
{
	return x > 0.008856 ? cbrt(x) : 7.787 * x + 16.0 / 116;
}

/* Computes the CIELAB (D65) colour that such an eye sees. */
static void seen_by(size_t eye, uint32_t rgb, double lab[3])
{
	const double from[3] = { linear(rgb >> 16), linear(rgb >> 8), linear(rgb) };
	double to[3], x, y, z;

	for (int i = 0; i < 3; i++)
		to[i] = fmin(1, fmax(0, blindness[eye][i][0] * from[0] +
				     blindness[eye][i][1] * from[1] +
				     blindness[eye][i][2] * from[2]));
	x = lab_root((0.4124 * to[0] + 0.3576 * to[1] + 0.1805 * to[2]) / 0.95047);
	y = lab_root(0.2126 * to[0] + 0.7152 * to[1] + 0.0722 * to[2]);
	z = lab_root((0.0193 * to[0] + 0.1192 * to[1] + 0.9505 * to[2]) / 1.08883);
	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

/* Returns the smaller of the differences (CIE 1976) that the two kinds of eyes see. */
static double difference(const struct theme *t, int one, int other)
{
	double least = INFINITY, a[3], b[3];

	for (size_t eye = 0; eye < 2; eye++) {
		seen_by(eye, theme_rgb(t->roles[one].fg, 0), a);
		seen_by(eye, theme_rgb(t->roles[other].fg, 0), b);
		least = fmin(least, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
	}
	return least;
}

static void assert_apart(const struct theme *t, int one, int other, double least)
{
	double d = difference(t, one, other);

	if (d < least)
		fail_msg("%s: %s and %s differ by %.1f only", t->name, role_info[one].name,
			 role_info[other].name, d);
}

/*
 * Signs distinguish all states in every theme. In "safe", colours do, too, for people who do not
 * see red or green; in dark and light, lightness distinguishes the important pairs.
 */
static void test_colour_blind(void **state)
{
	static const char *const names[] = { "safe", "dark", "light" };
	static const struct {
		int one, other;
		double safe, others;
	} pairs[] = {
		{ ROLE_OVER, ROLE_UNDER, 50, 12 }, { ROLE_UP, ROLE_DOWN, 50, 12 },
		{ ROLE_GOOD, ROLE_ERROR, 50, 12 }, { ROLE_GOOD, ROLE_WARN, 50, 12 },
		{ ROLE_WARN, ROLE_ERROR, 15, 5 },  { ROLE_OVER, ROLE_FAIR, 20, 12 },
		{ ROLE_UNDER, ROLE_FAIR, 20, 12 },
	};
	struct theme t;
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_true(theme_load(&t, names[i], NULL, &err));
		for (size_t k = 0; k < sizeof(pairs) / sizeof(pairs[0]); k++)
			assert_apart(&t, pairs[k].one, pairs[k].other,
				     i == 0 ? pairs[k].safe : pairs[k].others);
	}
	assert_true(theme_load(&t, "safe", NULL, &err));
	for (int a = ROLE_TERM_AGE; a <= ROLE_TERM_NICE; a++) {
		for (int b = a + 1; b <= ROLE_TERM_NICE; b++)
			assert_apart(&t, a, b, 10);
	}
	for (int a = ROLE_CURVE_1; a <= ROLE_CURVE_6; a++) {
		for (int b = a + 1; b <= ROLE_CURVE_6; b++)
			assert_apart(&t, a, b, 10);
	}
}

/* A user's file wins over the built-in theme of the same name. */
static void test_files(void **state)
{
	char path[SCRATCH_PATH_MAX], themes[SCRATCH_PATH_MAX];
	const char *dir = scratch_directory();
	struct theme t;
	struct err err = { 0 };
	FILE *file;

	(void)state;
	assert_int_equal(mkdir(scratch_path("themes", themes), 0700), 0);
	file = fopen(scratch_path("themes/dark.theme", path), "w");
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
	setenv("NO_COLOR", "", 1);	/* an empty value counts as unset */
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
		cmocka_unit_test(test_screens_ground), cmocka_unit_test(test_few_colors),
		cmocka_unit_test(test_reduce),	 cmocka_unit_test(test_builtin),
		cmocka_unit_test(test_contrast), cmocka_unit_test(test_colour_blind),
		cmocka_unit_test(test_files),	 cmocka_unit_test(test_color_option),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
