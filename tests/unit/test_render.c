/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Golden frames: the screen in its states, as text and as roles. The frames are in tests/golden;
 * FAIRTOP_GOLDEN=write writes them again, and git diff then shows what changed. A frame of a part
 * begins with the name of the part; "..." stands for the rows outside.
 */
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/base/bytes.h"
#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "tests/support/data.h"
#include "tests/support/many.h"
#include "tests/support/played.h"
#include "tests/support/scenes.h"
#include "tests/support/sketch.h"
#include "tui/cells/frame_out.h"
#include "tui/screen/screen.h"

/* Without sanitizers, frames are compared; with them, test_ascii draws each state. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#else
#define SANITIZED false
#endif

static bool is_light(const struct scene *s)
{
	const char *end = strstr(s->name, "light");

	return end && end[strlen("light")] == '\0';
}

static void render_stage(struct stage *stage, const struct scene *s, const struct screen_options *o,
			 struct bytes *out)
{
	struct theme theme;
	bool ok;

	stage->app->ascii = stage->canvas->ascii = o->ascii;
	stage_resize(stage, o->width, o->height);
	stage_keys(stage, s->keys);
	if (o->theme)
		ok = theme_load(&theme, o->theme, NULL, NULL) &&
		     frame_write_ansi(stage->canvas, &theme, bytes_sink(out), NULL);
	else
		ok = canvas_write_text(stage->canvas, bytes_sink(out), NULL) &&
		     bytes_sink(out).write(out, "\n", 1, NULL) &&
		     canvas_write_roles(stage->canvas, bytes_sink(out), NULL);
	assert_true(ok);
	stage_leave(stage);
}

static void render(const struct scene *s, const char *size, bool ascii, struct bytes *out)
{
	struct screen_options o;
	struct err err = { 0 };
	int status;

	screen_options_init(&o);
	assert_int_equal(sscanf(size, "%" SCNu16 "x%" SCNu16, &o.width, &o.height), 2);
	o.ascii = ascii;
	o.keys = s->keys;
	o.no_config = true;
	o.me = "alice";
	o.format = "cells";
	if (strncmp(s->keys, SCENE_DEEP, strlen(SCENE_DEEP)) == 0)
		o.sort = "none";
	if (is_light(s) && !ascii) {
		o.theme = "light";
		o.format = "ansi";
	}
	o.tour = strcmp(s->name, "tour") == 0;
	if (s->texts[0] && strcmp(s->texts[0], SCENE_CLUSTERS) == 0) {
		render_stage(many_stage(), s, &o, out);
		return;
	}
	if (s->texts[0] && strcmp(s->texts[0], SCENE_BACKTEST) == 0) {
		render_stage(played_stage(), s, &o, out);
		return;
	}
	status = screen_render(scene_source(s), &o, bytes_sink(out), &err);
	if (status != 0 && status != 3)
		fail_msg("%s: %s", s->name, err.message);
}

static char *read_file(const char *path)
{
	struct bytes text = { 0 };
	char buf[4096];
	size_t n;
	FILE *file = fopen(path, "r");

	if (!file)
		return NULL;
	while ((n = fread(buf, 1, sizeof(buf), file)) > 0)
		bytes_append(&text, buf, n);
	fclose(file);
	return text.data;
}

/* ---- the part of a screen that a frame holds ------------------------------------------------ */

struct columns {
	unsigned from, to;
};

/* Returns whether row Y is in PART, ":3-22,24x1-70", and which columns X. */
static bool part_at(const char *part, unsigned y, struct columns *x)
{
	while (*part == ':' || *part == ',') {
		char *end;
		unsigned top = (unsigned)strtoul(part + 1, &end, 10), bottom = top;

		*x = (struct columns){ 1, UINT_MAX - 1 };
		if (*end == '-')
			bottom = (unsigned)strtoul(end + 1, &end, 10);
		if (*end == 'x') {
			x->from = (unsigned)strtoul(end + 1, &end, 10);
			assert_int_equal(*end, '-');
			x->to = (unsigned)strtoul(end + 1, &end, 10);
		}
		assert_true(*end == ',' || *end == ' ' || *end == '\0');
		if (y >= top && y <= bottom)
			return true;
		part = end;
	}
	return false;
}

/* Returns where column X begins, or the end of LINE. */
static const char *column_at(const char *line, const char *end, unsigned x)
{
	wchar_t sign;

	for (unsigned at = 1; at < x && line < end;) {
		int bytes = mbtowc(&sign, line, (size_t)(end - line));

		assert_true(bytes > 0);
		line += bytes;
		at += (unsigned)wcwidth(sign);
	}
	return line;
}

/* Returns the part of ALL, a screen's text, roles and grounds, that WORD of SIZES names. */
static struct bytes cut(const char *word, const struct bytes *all)
{
	const char *part = word + strcspn(word, ": "), *line = all->data, *end;
	unsigned lines = 0, height, y;
	struct bytes kept = { 0 };
	bool left_out = false;
	struct columns x;

	if (*part != ':') {
		bytes_append(&kept, all->data, all->length);
		return kept;
	}
	for (size_t i = 0; i < all->length; i++)
		lines += all->data[i] == '\n';
	height = memchr(all->data, '\033', all->length) ? lines : (lines - 2) / 3;
	bytes_append(&kept, word, strcspn(word, " "));
	bytes_append(&kept, "\n", 1);
	for (unsigned i = 0; i < lines; i++, line = end + 1) {
		end = strchr(line, '\n');
		y = i % (height + 1) + 1;
		if (y <= height && !part_at(part, y, &x)) {
			if (!left_out)
				bytes_append(&kept, "...\n", 4);
			left_out = true;
			continue;
		}
		left_out = false;
		if (y <= height) {
			const char *from = column_at(line, end, x.from);
			const char *to = column_at(line, end, x.to + 1);

			while (to > from && to[-1] == ' ')
				to--;
			bytes_append(&kept, from, (size_t)(to - from));
		}
		bytes_append(&kept, "\n", 1);
	}
	return kept;
}

/* Prints the first line that differs. */
static void tell_difference(const char *path, const char *wanted, const char *got)
{
	unsigned line = 1;

	while (*wanted != '\0' && *wanted == *got) {
		line += *wanted == '\n';
		wanted++;
		got++;
	}
	print_error("%s:%u differs: wanted ...%.*s\n                     got ...%.*s\n", path, line,
		    (int)strcspn(wanted, "\n"), wanted, (int)strcspn(got, "\n"), got);
}

/* Only the first word of SIZE counts. */
static void frame_name(const struct scene *s, const char *size, char *buf, size_t n)
{
	snprintf(buf, n, "%s-%.*s.frame", s->name, (int)strcspn(size, " :"), size);
}

static unsigned compare_frame(const struct scene *s, const char *size, const struct bytes *got)
{
	const char *mode = getenv("FAIRTOP_GOLDEN");
	char name[128] = "../golden/", path[4096];
	char *wanted;
	unsigned bad = 0;

	frame_name(s, size, name + strlen(name), sizeof(name) - strlen(name));
	data_path(name, path, sizeof(path));
	if (mode && strcmp(mode, "write") == 0) {
		FILE *file = fopen(path, "w");
		assert_non_null(file);
		assert_int_equal(fwrite(got->data, 1, got->length, file), got->length);
		fclose(file);
		return 0;
	}
	wanted = read_file(path);
	if (!wanted || strcmp(wanted, got->data) != 0) {
		tell_difference(path, wanted ? wanted : "", got->data);
		bad = 1;
	}
	mem_free(wanted);
	return bad;
}

static unsigned check_frame(const struct scene *s, const char *size)
{
	struct bytes all = { 0 }, part;
	unsigned bad;

	render(s, size, size[strcspn(size, "- :")] == '-', &all);
	part = cut(size, &all);
	bad = compare_frame(s, size, &part);
	bytes_free(&all);
	bytes_free(&part);
	return bad;
}

static unsigned each_frame(unsigned (*frame)(const struct scene *s, const char *size))
{
	unsigned sum = 0;

	for (size_t i = 0; i < scenes_count; i++) {
		for (const char *p = scenes[i].sizes; *p; p += strspn(p, " ")) {
			sum += frame(&scenes[i], p);
			p += strcspn(p, " ");
		}
	}
	return sum;
}

static void test_frames(void **state)
{
	(void)state;
	unsigned differ = SANITIZED ? 0 : each_frame(check_frame);

	if (differ > 0)
		fail_msg("%u frames differ", differ);
}

static void test_words(void **state)
{
	unsigned missing = 0;

	(void)state;
	for (const struct spoken *s = spoken; !SANITIZED && s < spoken + spoken_count; s++) {
		struct bytes screen = { 0 };

		render(&s->scene, s->scene.sizes, false, &screen);
		for (size_t i = 0; i < SPOKEN_WORDS && s->words[i]; i++) {
			if (strstr(screen.data, s->words[i]))
				continue;
			fprintf(stderr, "%s does not show '%s':\n%s", s->scene.name, s->words[i],
				screen.data);
			missing++;
		}
		bytes_free(&screen);
	}
	assert_int_equal(missing, 0);
}

/* Checks what --ascii promises, for every state in its last size, even without a golden frame. */
static unsigned check_ascii(const struct scene *s, const char *size)
{
	struct bytes frame = { 0 };
	unsigned bad = 0;

	if (strchr(size, ' '))
		return 0;
	render(s, size, true, &frame);
	for (size_t i = 0; i < frame.length; i++) {
		unsigned char c = (unsigned char)frame.data[i];

		if (c == '\n' || (c >= 0x20 && c <= 0x7e))
			continue;
		print_error("%s at %.*s: byte %zu is not ASCII\n", s->name,
			    (int)strcspn(size, " "), size, i);
		bad = 1;
		break;
	}
	bytes_free(&frame);
	return bad;
}

static void test_ascii(void **state)
{
	(void)state;
	unsigned bad = each_frame(check_ascii);

	for (size_t i = 0; i < spoken_count; i++)
		bad += check_ascii(&spoken[i].scene, spoken[i].scene.sizes);
	assert_int_equal(bad, 0);
}

static const char *sought;

static unsigned is_sought(const struct scene *s, const char *size)
{
	char name[128];

	frame_name(s, size, name, sizeof(name));
	return strcmp(name, sought) == 0;
}

/* Every file in tests/golden is compared with exactly one scene. */
static void test_no_frame_is_left_over(void **state)
{
	char path[4096];
	struct dirent *entry;
	unsigned bad = 0;
	DIR *dir;

	(void)state;
	data_path("../golden", path, sizeof(path));
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".frame") != 0)
			continue;
		sought = entry->d_name;
		if (each_frame(is_sought) == 1)
			continue;
		print_error("tests/golden/%s is no frame of one scene\n", sought);
		bad++;
	}
	closedir(dir);
	assert_int_equal(bad, 0);
}

/* ANSI and SVG have the same characters as the text, and nothing that escapes from them. */
static void test_formats(void **state)
{
	const char *const texts[] = { "a<b>&amp;\"' 1\n\t+%1b[31mx 1 5\n", NULL };
	struct screen_options o;
	struct bytes out = { 0 };
	struct err err = { 0 };

	(void)state;
	screen_options_init(&o);
	o.width = 80;
	o.height = 24;
	o.no_config = true;
	o.format = "svg";
	assert_int_equal(screen_render(sketch_source(texts, FS_DEPTH_OBLIVIOUS), &o,
				       bytes_sink(&out), &err), 0);
	assert_non_null(strstr(out.data, "a&lt;b&gt;&amp;amp;"));
	assert_non_null(strstr(out.data, "</svg>\n"));
	assert_null(strchr(out.data, '\033'));
	out.length = 0;
	o.format = "ansi";
	assert_int_equal(screen_render(sketch_source(texts, FS_DEPTH_OBLIVIOUS), &o,
				       bytes_sink(&out), &err), 0);
	assert_null(strstr(out.data, "\033[31mx"));
	assert_non_null(strstr(out.data, "<1B>[31mx"));
	o.format = "html";
	assert_int_equal(screen_render(sketch_source(texts, FS_DEPTH_OBLIVIOUS), &o,
				       bytes_sink(&out), &err), 2);
	bytes_free(&out);
}

static void test_options(void **state)
{
	struct screen_options o;
	struct err err = { 0 };
	uint16_t w, h;

	(void)state;
	assert_true(screen_parse_size("120x40", &w, &h, &err));
	assert_int_equal(w, 120);
	assert_int_equal(h, 40);
	assert_false(screen_parse_size("120", &w, &h, &err));
	assert_false(screen_parse_size("0x40", &w, &h, &err));
	assert_false(screen_parse_size("120x40x3", &w, &h, &err));
	assert_false(screen_parse_size("-1x40", &w, &h, &err));
	assert_false(screen_parse_size("99999x40", &w, &h, &err));
	screen_options_init(&o);
	o.no_config = true;
	assert_true(screen_check(&o, &err));
	o.filter = "F>";
	assert_false(screen_check(&o, &err));
	o.filter = NULL;
	o.sort = "-nosuch";
	assert_false(screen_check(&o, &err));
	o.sort = NULL;
	o.columns = "R,F,bar";
	assert_true(screen_check(&o, &err));
	o.columns = "R,nosuch";
	assert_false(screen_check(&o, &err));
	o.columns = NULL;
	o.theme = "nosuch";
	assert_false(screen_check(&o, &err));
	o.theme = NULL;
	o.keys = "j<Foo>";
	assert_false(screen_check(&o, &err));
	assert_non_null(strstr(err.message, "--keys: '<Foo>' is not a key"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_ascii),
		cmocka_unit_test(test_no_frame_is_left_over),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_options),
	};

	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TZ", "UTC", 1);
	unsetenv("NO_COLOR");
	if (!setlocale(LC_CTYPE, "")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
