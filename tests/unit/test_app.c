/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen as a state machine: key scripts, pictures and time go in, cells come out. Each test
 * looks at what a person would see.
 */
#include <locale.h>
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

#include "core/fairshare.h"
#include "core/mem.h"
#include "tests/support/hostile.h"
#include "tests/support/sketch.h"
#include "tui/app_private.h"
#include "tui/keys.h"
#include "tui/settings.h"

#define TREE \
	"physics 40\n\thep 30\n\t\t+alice 1 50\n\t\t+bob 1 10\n\tastro 10\n\t\t+carol 1 5\n" \
	"bio 20\n\t+dave 1 20\n\t+alice 1 15\n"

/* ---- a stage ------------------------------------------------------------------------------- */

struct stage {
	struct app *app;
	struct canvas *canvas;
	int64_t ms;
	uint32_t effects;	/* of everything since the last look */
	char *text;
};

static void send(struct stage *s, struct event *event)
{
	event->ms = s->ms;
	event->now = SKETCH_TIME + s->ms / 1000;
	s->effects |= app_event(s->app, event);
	app_draw(s->app, s->canvas);
}

static void resize(struct stage *s, int width, int height)
{
	struct event event = { .type = EVENT_RESIZE, .x = width, .y = height };

	canvas_resize(s->canvas, width, height);
	send(s, &event);
}

static void source(struct stage *s, enum source_health health, const char *problem)
{
	struct source_state state = { .health = health, .live = true, .last_good_ms = s->ms };
	struct event event = { .type = EVENT_SOURCE, .source = &state };

	snprintf(state.name, sizeof state.name, "sketch");
	snprintf(state.problem, sizeof state.problem, "%s", problem);
	send(s, &event);
}

static void show(struct stage *s, const char *text)
{
	struct event event = { .type = EVENT_CLUSTER };

	source(s, SOURCE_GOOD, "");
	event.cluster = sketch_cluster(text, FS_DEPTH_OBLIVIOUS);
	send(s, &event);
}

static struct stage *stage_empty(const char *config)
{
	struct stage *s = mem_zalloc(1, sizeof *s);
	struct screen_options o;
	struct err err = { 0 };

	screen_options_init(&o);
	o.me = "alice";
	s->app = app_new(NULL);
	if (config != NULL && !app_configure(s->app, "test.conf", config, strlen(config), &err))
		fail_msg("%s", err.message);
	assert_true(app_options(s->app, &o, &err));
	s->canvas = canvas_new(100, 30, false);
	s->ms = 1000000;
	resize(s, 100, 30);
	source(s, SOURCE_LOADING, "");
	return s;
}

static struct stage *stage(const char *text)
{
	struct stage *s = stage_empty(NULL);

	show(s, text);
	s->effects = 0;
	return s;
}

static void leave(struct stage *s)
{
	app_free(s->app);
	canvas_free(s->canvas);
	mem_free(s->text);
	mem_free(s);
}

static void step(struct stage *s, const struct script_step *step)
{
	static const enum event_type types[] = {
		[STEP_KEY] = EVENT_KEY, [STEP_CLICK] = EVENT_CLICK, [STEP_WHEEL] = EVENT_WHEEL,
		[STEP_RESIZE] = EVENT_RESIZE,
	};
	struct event event = {
		.type = types[step->type], .key = step->key, .x = step->x, .y = step->y
	};

	if (step->type == STEP_RESIZE)
		canvas_resize(s->canvas, step->x, step->y);
	send(s, &event);
}

static void keys(struct stage *s, const char *script)
{
	struct err err = { 0 };

	while (*script != '\0') {
		struct script_step one;
		size_t used = key_script_next(script, strlen(script), &one, &err);
		if (used == 0)
			fail_msg("%s", err.message);
		script += used;
		step(s, &one);
	}
}

static void wait_ms(struct stage *s, int64_t ms)
{
	struct event event = { .type = EVENT_TIME };

	s->ms += ms;
	send(s, &event);
}

/* ---- looking ------------------------------------------------------------------------------- */

static bool append(void *context, const char *bytes, size_t length, struct err *err)
{
	char *text = context;
	size_t used = strlen(text);

	(void)err;
	memcpy(text + used, bytes, length);
	text[used + length] = '\0';
	return true;
}

static const char *seen(struct stage *s)
{
	size_t size = (size_t)s->canvas->width * (size_t)s->canvas->height * CELL_TEXT + 1024;

	mem_free(s->text);
	s->text = mem_zalloc(size, 1);
	canvas_write_text(s->canvas, (struct sink){ append, s->text }, NULL);
	return s->text;
}

static void sees(struct stage *s, const char *text)
{
	if (strstr(seen(s), text) == NULL) {
		fprintf(stderr, "%s", s->text);
		fail_msg("'%s' is not to be seen", text);
	}
}

static void sees_not(struct stage *s, const char *text)
{
	if (strstr(seen(s), text) != NULL) {
		fprintf(stderr, "%s", s->text);
		fail_msg("'%s' should not be there", text);
	}
}

/* Name in the line under the cursor. */
static const char *cursor_line(struct stage *s)
{
	static char line[4096];

	for (int y = 0; y < s->canvas->height; y++) {
		const struct cell *row = s->canvas->cells + (size_t)y * (size_t)s->canvas->width;
		if (row[0].ground != GROUND_CURSOR)
			continue;
		line[0] = '\0';
		for (int x = 0; x < s->canvas->width; x++)
			append(line, row[x].text, strlen(row[x].text), NULL);
		return line;
	}
	return "";
}

static void cursor_on(struct stage *s, const char *name)
{
	if (strstr(cursor_line(s), name) == NULL) {
		fprintf(stderr, "%s", seen(s));
		fail_msg("the cursor is not on %s but on %s", name, cursor_line(s));
	}
}

/* Is there a cell with that role in a line that holds TEXT? */
static bool role_beside(struct stage *s, const char *text, enum role role)
{
	for (int y = 0; y < s->canvas->height; y++) {
		const struct cell *row = s->canvas->cells + (size_t)y * (size_t)s->canvas->width;
		char line[4096] = "";
		bool has = false;
		for (int x = 0; x < s->canvas->width; x++) {
			append(line, row[x].text, strlen(row[x].text), NULL);
			has = has || (row[x].role == role && strcmp(row[x].text, " ") != 0);
		}
		if (strstr(line, text) != NULL && has)
			return true;
	}
	return false;
}

/* ---- tests --------------------------------------------------------------------------------- */

static void test_first_paint(void **state)
{
	struct stage *s = stage_empty(NULL);

	(void)state;
	sees(s, "Asking sketch");
	keys(s, "?");
	sees(s, "go down a row");
	keys(s, "q");
	source(s, SOURCE_LOADING, "slurmctld does not answer");
	sees(s, "No picture of sketch");
	sees(s, "slurmctld does not answer");
	keys(s, "jjllhh*/x<Esc>f<Esc>C e<Enter>>I<Space>y");	/* nothing here, nothing breaks */
	show(s, TREE);
	sees(s, "physics");
	sees_not(s, "slurmctld");
	leave(s);
}

static void test_moving(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	cursor_on(s, "root");
	keys(s, "j");
	cursor_on(s, "physics");
	keys(s, "Gk");
	cursor_on(s, "dave");
	keys(s, "p");
	cursor_on(s, "bio");
	keys(s, "K");
	cursor_on(s, "physics");
	keys(s, "J");
	cursor_on(s, "bio");
	keys(s, "g<PgDn>");
	cursor_on(s, "alice");
	keys(s, "<Home>:down 3<Enter>");
	cursor_on(s, "alice");
	keys(s, ":down x<Enter>");
	sees(s, "'x': expected a number of rows");
	leave(s);
}

static void test_folding(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, "jh");
	sees_not(s, "hep");
	keys(s, "l");
	sees(s, "hep");
	keys(s, "l");
	cursor_on(s, "hep");
	keys(s, "lh");			/* a user has nothing to fold: to its account */
	cursor_on(s, "hep");
	keys(s, "g*");			/* all is unfolded: fold all */
	sees_not(s, "hep");
	sees(s, "physics");
	keys(s, "+");
	sees(s, "hep");
	sees_not(s, "carol");
	keys(s, "+");
	sees(s, "carol");
	keys(s, "-");
	sees_not(s, "carol");
	keys(s, "jo");
	sees(s, "carol");
	sees(s, "dave");
	keys(s, ":fold-depth 1<Enter>");
	sees_not(s, "hep");
	leave(s);
}

static void test_search(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, ":fold-depth 1<Enter>/ali");
	cursor_on(s, "alice");		/* while it is typed, and unfolded */
	keys(s, "<Esc>");
	cursor_on(s, "root");
	keys(s, "/ALI<Enter>");
	cursor_on(s, "alice");
	uint32_t first = s->app->sheets[VIEW_ACCOUNTS].list.cursor;
	keys(s, "n");
	cursor_on(s, "alice");
	assert_int_not_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, first);
	keys(s, "n");
	assert_int_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, first);
	keys(s, "N");
	assert_int_not_equal(s->app->sheets[VIEW_ACCOUNTS].list.cursor, first);
	keys(s, "/nobody");
	sees(s, "no name contains 'nobody'");
	keys(s, "<Backspace><Backspace><Backspace><Backspace><Backspace><Backspace><Backspace>");
	assert_int_equal(s->app->prompt.kind, PROMPT_NONE);
	keys(s, "/<C-u>bob<Left><Left><Delete>a<End><Enter>");
	sees(s, "no name contains");
	keys(s, "/<Up>");
	sees(s, "/bab");
	leave(s);
}

static void test_filter(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, "fuser=alice<Enter>");
	sees(s, "FILTER user=alice");
	sees_not(s, "bob");
	keys(s, "f<C-u>nosuch=1<Enter>");
	sees(s, "nosuch");
	assert_int_equal(s->app->prompt.kind, PROMPT_FILTER);	/* stays open to be mended */
	keys(s, "<Esc>");
	sees(s, "FILTER user=alice");
	keys(s, "f<C-u><Enter>");
	sees_not(s, "FILTER");
	sees(s, "bob");
	keys(s, ":filter shares>25<Enter>");
	sees(s, "hep");
	sees_not(s, "astro");
	keys(s, "u");
	sees(s, "MINE");
	sees(s, "Nothing matches");
	keys(s, ":filter<Enter><C-u><Enter>");
	sees(s, "alice");
	sees_not(s, "bob");
	keys(s, "u");
	sees(s, "bob");
	keys(s, "fef<Tab>");
	sees(s, "filter: effective_usage");
	keys(s, "<Tab>");
	sees(s, "filter: effective_ratio");
	keys(s, "<Tab>");
	sees(s, "filter: effective_usage");
	leave(s);
}

static void test_sorting(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, ":sort usage<Enter>");
	const char *text = seen(s);
	assert_true(strstr(text, "bio") < strstr(text, "physics"));
	keys(s, "I");
	text = seen(s);
	assert_true(strstr(text, "bio") > strstr(text, "physics"));
	keys(s, "T");
	sees(s, "FLAT");
	sees(s, "carol  physics/");
	keys(s, "T");
	sees_not(s, "FLAT");
	/* Down to the order of the source again, and the legend goes along. */
	keys(s, "<lt><lt>");
	sees(s, "raw shares among the siblings");
	keys(s, "<lt><lt><lt><lt><lt><lt>");
	assert_int_equal(s->app->sheets[VIEW_ACCOUNTS].list.order.count, 0);
	keys(s, "I");
	sees(s, "sorted as the source has it");
	keys(s, ":sort nosuch<Enter>");
	sees(s, "nosuch");
	leave(s);
}

static void test_mouse(void **state)
{
	struct stage *s = stage(TREE);
	int x = 0;

	(void)state;
	keys(s, "<Click:5,6>");
	cursor_on(s, "hep");
	keys(s, "<Click:5,6>");		/* again: folds */
	sees_not(s, "bob");
	keys(s, "<WheelDown>");
	keys(s, "<Click:99,29><Click:1,1><Click:50,2>");
	for (size_t i = 0; i < s->app->sheets[VIEW_ACCOUNTS].layout.count; i++) {
		const struct sheet_slot *slot = &s->app->sheets[VIEW_ACCOUNTS].layout.slots[i];
		if (strcmp(slot->column->name, "fairshare") == 0)
			x = slot->x + 1;
	}
	struct script_step click = { .type = STEP_CLICK, .x = x, .y = 2 };
	step(s, &click);
	assert_string_equal(s->app->sheets[VIEW_ACCOUNTS].picked->name, "fairshare");
	assert_true(s->app->sheets[VIEW_ACCOUNTS].list.order.keys[0].descending);
	step(s, &click);
	assert_false(s->app->sheets[VIEW_ACCOUNTS].list.order.keys[0].descending);
	keys(s, "m");
	assert_true(s->effects & APP_MOUSE);
	assert_false(app_mouse(s->app));
	leave(s);
}

static void test_marks_fade(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	wait_ms(s, 10000);
	show(s, "physics 40\n\thep 30\n\t\t+alice 1 80\n\t\t+zoe 1 10 #99\n"
		"\tastro 10\n\t\t+carol 1 5\nbio 20\n\t+dave 1 20\n\t+alice 1 15\n");
	sees(s, "zoe");
	sees(s, "bob");			/* gone, still shown */
	assert_true(role_beside(s, "bob", ROLE_GONE));
	assert_true(role_beside(s, "zoe", ROLE_NEW));
	assert_true(role_beside(s, "alice", ROLE_CHANGED));
	assert_int_equal(app_next_ms(s->app), s->ms + MARKS_MS);
	wait_ms(s, MARKS_MS + 1);
	sees_not(s, "bob");
	assert_false(role_beside(s, "zoe", ROLE_NEW));
	assert_false(role_beside(s, "alice", ROLE_CHANGED));
	leave(s);
}

/* The first picture is not news. */
static void test_first_picture_is_calm(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	assert_false(role_beside(s, "alice", ROLE_NEW));
	assert_false(role_beside(s, "alice", ROLE_CHANGED));
	leave(s);
}

static void test_time(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	sees(s, "sketch  now");
	sees(s, "next pass 1 min");
	wait_ms(s, 25000);
	sees(s, "sketch  20 s");
	/* It wakes when something reads otherwise, and not before. */
	assert_in_range(app_next_ms(s->app) - s->ms, 1000, 60000);
	wait_ms(s, 3600000);
	sees(s, "sketch  1 h");
	source(s, SOURCE_STALE, "no route to host");
	sees(s, "stale");
	sees(s, "no route to host");
	sees(s, "physics");		/* the last good data stay */
	leave(s);
}

static void test_freeze_and_follow(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, "z");
	assert_true(s->effects & APP_FREEZE);
	assert_true(app_frozen(s->app));
	sees(s, "FROZEN");
	s->effects = 0;
	keys(s, "r");
	assert_false(s->effects & APP_REFRESH);
	keys(s, "zr");
	assert_true(s->effects & APP_REFRESH);
	keys(s, "/carol<Enter>Fg");
	cursor_on(s, "root");
	sees(s, "FOLLOW");
	keys(s, ":fold-depth 1<Enter>");
	show(s, "aaa 1\n" TREE);
	cursor_on(s, "carol");		/* unfolded, too */
	keys(s, "F");
	sees_not(s, "FOLLOW");
	leave(s);
}

static void test_panes(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, "jjj<Enter>");
	sees(s, "/physics/hep:alice");
	keys(s, "q");
	sees_not(s, "Details");
	keys(s, "<Resize:170x40><Enter>");
	sees(s, "/physics/hep:alice");
	keys(s, "j");			/* the pane follows the cursor */
	sees(s, "/physics/hep:bob");
	keys(s, "<Tab><PgDn>");
	cursor_on(s, "bob");
	keys(s, "<Tab>k");
	cursor_on(s, "alice");
	keys(s, "e");
	sees(s, "How the factor came about");
	keys(s, "e");
	sees_not(s, "How the factor came about");
	keys(s, "C");
	sees(s, "mark another row first");
	keys(s, "<Space>G<Resize:100x40>C");
	sees(s, "comes before");
	show(s, "bio 20\n");
	sees(s, "one of the two is gone");
	keys(s, "<Esc>");
	sees_not(s, "is gone");
	leave(s);
}

static void test_columns(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, ":columns F,R<Enter>");
	sees(s, "F");
	sees_not(s, "Shares");
	keys(s, ":columns +shares<Enter>");
	sees(s, "Shares");
	keys(s, ":columns -F<Enter>:columns nosuch<Enter>");
	sees(s, "nosuch");
	sees(s, "Shares");
	keys(s, "c");
	sees(s, "[x] Shares");
	keys(s, "/<Esc>");
	for (int i = 0; i < 4; i++)
		keys(s, "j");
	keys(s, "<Space>");		/* Shares */
	sees(s, "[ ] Shares");
	keys(s, "Gk<Space>");		/* the bar */
	sees(s, "[x] under | over");
	keys(s, "c");
	sees_not(s, "[x]");
	sees(s, "under | over");
	leave(s);
}

static void test_copy(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, "jjjy");
	assert_true(s->effects & APP_COPY);
	assert_string_equal(app_copied(s->app), "/physics/hep:alice");
	sees(s, "copied /physics/hep:alice");
	leave(s);
}

static void test_settings(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, ":set every 5m<Enter>");
	assert_int_equal(app_every_ms(s->app), 300000);
	assert_true(s->effects & APP_EVERY);
	keys(s, ":set every 0<Enter>");
	sees(s, "every '0': expected a duration");
	keys(s, ":set theme light<Enter>");
	assert_string_equal(app_theme(s->app)->name, "light");
	keys(s, ":set algorithm fair-tree<Enter>");
	sees(s, "OTHER ALGORITHM");
	sees(s, "Level FS");
	keys(s, ":set algorithm auto<Enter>");
	sees_not(s, "OTHER ALGORITHM");
	keys(s, ":set base reported<Enter>");	/* the sketch reports nothing */
	assert_int_equal(s->app->model_options.base, -1);
	keys(s, ":set nothing at all<Enter>");
	sees(s, "set: expected NAME VALUE");
	keys(s, ":bind accounts x mark<Enter>jx");
	assert_int_equal(s->app->sheets[VIEW_ACCOUNTS].list.marks.count, 1);
	keys(s, ":unbind accounts x<Enter>x");
	sees(s, "x does nothing here");
	keys(s, ":bind F5 refresh<Enter>");
	sees(s, "expected one key");
	keys(s, ":bind <lt>F5> refresh<Enter>");
	s->effects = 0;
	keys(s, "<F5>");
	assert_true(s->effects & APP_REFRESH);
	keys(s, ":color error blue on red<Enter>");
	assert_int_equal(app_theme(s->app)->roles[ROLE_ERROR].fg, 4);
	leave(s);
}

static void test_configuration(void **state)
{
	struct stage *s =
		stage_empty("# mine\nset every 10s\nset theme safe\nbind accounts x mark\n"
			    "sort -fairshare\ncolumns F,R,bar\nfilter shares>5\ncolor dim 240\n");
	struct app *app = app_new(NULL);
	struct err err = { 0 };

	(void)state;
	show(s, TREE);
	assert_int_equal(app_every_ms(s->app), 10000);
	assert_string_equal(app_theme(s->app)->name, "safe");
	sees(s, "FILTER shares>5");
	sees_not(s, "Shares");
	sees_not(s, "theme safe");	/* a configuration says nothing */
	leave(s);
	assert_false(app_configure(app, "my.conf", "set every 10s\nfly\n", 18, &err));
	assert_string_equal(err.message, "my.conf:2: there is no command 'fly' (? lists them)");
	app_free(app);
}

/* What is written brings a fresh screen to the same place, odd keys included. */
static void test_written_settings(void **state)
{
	struct stage *s = stage(TREE);
	char *text = mem_zalloc(65536, 1), *again = mem_zalloc(65536, 1);

	(void)state;
	keys(s,
	     ":set every 90<Enter>:set theme safe<Enter>:columns R,F,bar<Enter>:sort -bar<Enter>T"
	     ":filter user~\"a b\" | F>0.5<Enter>:bind accounts '\"' mark<Enter>"
	     ":bind \"'\" unmark-all<Enter>:bind '#' down 3<Enter>:bind <lt>lt> top<Enter>"
	     ":unbind j<Enter>m");
	assert_true(settings_write(s->app, (struct sink){ append, text }, NULL));
	leave(s);
	s = stage_empty(text);
	assert_true(settings_write(s->app, (struct sink){ append, again }, NULL));
	assert_string_equal(again, text);
	assert_non_null(strstr(text, "set every 90s\n"));
	assert_non_null(strstr(text, "columns effective_ratio,fairshare,bar\n"));
	assert_non_null(strstr(text, "sort -bar\nflat\nfilter user~\"a b\" | F>0.5\n"));
	assert_non_null(strstr(text, "bind accounts '\"' mark\n"));
	assert_non_null(strstr(text, "unbind all j\n"));
	assert_string_equal(keymap_line(&s->app->keymap, CONTEXT_ACCOUNTS, '<'), "top");
	assert_false(app_mouse(s->app));
	leave(s);
	mem_free(text);
	mem_free(again);
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void test_write_file(void **state)
{
	char dir[] = "/tmp/fairtop-write-XXXXXX", path[64], link[64];
	struct stage *s = stage(TREE);
	struct err err = { 0 };
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/new/fairtop.conf", dir);
	keys(s, ":write '");
	keys(s, "<C-u>write x y<Enter>");
	sees(s, "write: expected one file name at most");
	keys(s, ":write<Enter>");
	sees(s, "write FILE names one");
	assert_true(settings_save(s->app, path, &err));
	assert_true(settings_save(s->app, path, &err));		/* its own may be replaced */
	write_text(path, "set every 5s\n");
	assert_false(settings_save(s->app, path, &err));	/* a person's may not */
	assert_non_null(strstr(err.message, "fairtop did not write it"));
	snprintf(link, sizeof link, "%s/link", dir);
	assert_int_equal(symlink(path, link), 0);
	assert_false(settings_save(s->app, link, &err));
	assert_non_null(strstr(err.message, "no regular file"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 13);
	unlink(link);
	unlink(path);
	*strrchr(path, '/') = '\0';
	assert_int_equal(rmdir(path), 0);	/* no temporary file was left */
	assert_int_equal(rmdir(dir), 0);
	leave(s);
}

static void test_leaving(void **state)
{
	struct stage *s = stage(TREE);

	(void)state;
	keys(s, "<Esc>");
	assert_false(s->effects & APP_QUIT);
	keys(s, "5q");
	assert_false(s->effects & APP_QUIT);
	keys(s, "q");
	assert_true(s->effects & APP_QUIT);
	s->effects = 0;
	keys(s, "?Q");
	assert_true(s->effects & APP_QUIT);
	leave(s);
}

/* The tour fits one screen and goes away with one key, which does nothing else. */
static void test_tour(void **state)
{
	struct stage *s = stage_empty(NULL);
	struct screen_options o;

	(void)state;
	screen_options_init(&o);
	o.tour = true;
	assert_true(app_options(s->app, &o, NULL));
	show(s, TREE);
	resize(s, 60, 16);
	sees(s, "Welcome to fairtop");
	sees(s, "Any key begins");
	keys(s, "Q");
	assert_false(s->effects & APP_QUIT);
	sees_not(s, "Welcome");
	leave(s);
}

/* Hostile names anywhere: no control byte on the screen, and every column where it belongs. */
static void test_hostile(void **state)
{
	struct stage *s = stage(TREE);
	char *text = mem_zalloc(400000, 1), hex[4];

	(void)state;
	for (size_t i = 0; i < hostile_count(); i++) {
		char *name = hostile_name(i);
		size_t used = 0;
		for (const char *c = name; *c != '\0' && used < 30000; c++) {
			snprintf(hex, sizeof hex, "%%%02x", (unsigned char)*c);
			memcpy(text + used, hex, 3);
			used += 3;
		}
		text[used] = '\0';
		if (used == 0 || strcmp(name, "root") == 0) {
			mem_free(name);
			continue;
		}
		char *tree = mem_zalloc(3 * used + 200, 1);
		snprintf(tree, 3 * used + 200, "%s 1\n\t+%s 1 5\nplain 2\n\t+plain 1 7\n", text,
			 text);
		show(s, tree);
		keys(s, "jj<Enter>q/x<Esc>yC 5q<Resize:80x24><Resize:100x30>");
		const char *screen = seen(s);
		for (const char *c = screen; *c != '\0'; c++)
			assert_true((unsigned char)*c >= 0x20 || *c == '\n');
		mem_free(tree);
		mem_free(name);
	}
	mem_free(text);
	leave(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_paint),
		cmocka_unit_test(test_moving),
		cmocka_unit_test(test_folding),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_sorting),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_marks_fade),
		cmocka_unit_test(test_first_picture_is_calm),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_freeze_and_follow),
		cmocka_unit_test(test_panes),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_copy),
		cmocka_unit_test(test_settings),
		cmocka_unit_test(test_configuration),
		cmocka_unit_test(test_written_settings),
		cmocka_unit_test(test_write_file),
		cmocka_unit_test(test_leaving),
		cmocka_unit_test(test_tour),
		cmocka_unit_test(test_hostile),
	};

	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
