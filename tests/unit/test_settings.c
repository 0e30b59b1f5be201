/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Settings: typed at the prompt, read from a configuration, written to one.
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

#include "core/base/mem.h"
#include "tests/support/stage.h"
#include "tui/acts/commands.h"
#include "tui/acts/settings_table.h"
#include "tui/screen/settings.h"
#include "tests/support/scratch.h"

#define TREE \
	"physics 40\n\thep 30\n\t\t+alice 1 50\n\t\t+bob 1 10\n\tastro 10\n\t\t+carol 1 5\n" \
	"bio 20\n\t+dave 1 20\n\t+alice 1 15\n"

static void test_settings(void **state)
{
	struct stage *s = *state = stage(TREE);

	stage_keys(s, ":set every 5m<Enter>");
	assert_int_equal(app_every_ms(s->app), 300000);
	stage_keys(s, ":set every 0<Enter>");
	stage_sees(s, "every '0': expected a duration");
	stage_keys(s, ":set theme light<Enter>");
	assert_string_equal(app_theme(s->app)->name, "light");
	stage_keys(s, ":set algorithm fair-tree<Enter>");
	stage_sees(s, "OTHER ALGORITHM");
	stage_sees(s, "Level FS");
	stage_keys(s, ":set algorithm auto<Enter>");
	stage_sees_not(s, "OTHER ALGORITHM");
	stage_keys(s, ":set base reported<Enter>");	/* the sketch reports nothing */
	assert_int_equal(s->app->model_options.base, -1);
	stage_keys(s, ":set nothing at all<Enter>");
	stage_sees(s, "set: expected NAME VALUE");
	stage_keys(s, ":bind accounts x mark<Enter>jx");
	assert_int_equal(s->app->sheets[VIEW_ACCOUNTS].list.marks.count, 1);
	stage_keys(s, ":unbind accounts x<Enter>x");
	stage_sees(s, "x does nothing here");
	stage_keys(s, ":bind F5 refresh<Enter>");
	stage_sees(s, "expected one key");
	stage_keys(s, ":bind <lt>F5> refresh<Enter>");
	s->effects = 0;
	stage_keys(s, "<F5>");
	assert_true(s->effects & APP_REFRESH);
	stage_keys(s, ":color error blue on red<Enter>");
	assert_int_equal(app_theme(s->app)->roles[ROLE_ERROR].fg, 4);
}

static void test_configuration(void **state)
{
	struct stage *s = *state =
		stage_empty("# mine\nset every 10s\nset theme safe\nbind accounts x mark\n"
			    "sort -fairshare\ncolumns F,R,bar\nfilter shares>5\ncolor dim 240\n");
	struct app *app = app_new(NULL);
	struct err err = { 0 };

	stage_show(s, TREE);
	assert_int_equal(app_every_ms(s->app), 10000);
	assert_string_equal(app_theme(s->app)->name, "safe");
	stage_sees(s, "FILTER shares>5");
	stage_sees_not(s, "Shares");
	stage_sees_not(s, "theme safe");	/* a configuration prints no message */
	assert_false(app_configure(app, "my.conf", "set every 10s\nfly\n", 18, &err));
	assert_string_equal(err.message, "my.conf:2: unknown command 'fly' (? lists them)");
	app_free(app);
}

/* Written settings restore the same state in a new screen, odd keys included. */
static void test_written_settings(void **state)
{
	struct stage *s = *state = stage(TREE);
	char *text = mem_zalloc(65536, 1), *again = mem_zalloc(65536, 1);

	stage_keys(s,
	     ":set every 90<Enter>:set theme safe<Enter>:columns R,F,bar<Enter>:sort -bar<Enter>T"
	     ":filter user~\"a b\" | F>0.5<Enter>:bind accounts '\"' mark<Enter>"
	     ":bind \"'\" unmark-all<Enter>:bind '#' down 3<Enter>:bind <lt>lt> top<Enter>"
	     ":unbind j<Enter>m");
	assert_true(settings_write(s->app, (struct sink){ stage_append, text }, NULL));
	stage_leave(s);
	s = *state = stage_empty(text);
	assert_true(settings_write(s->app, (struct sink){ stage_append, again }, NULL));
	assert_string_equal(again, text);
	assert_non_null(strstr(text, "set every 90s\n"));
	assert_non_null(strstr(text, "columns effective_ratio,fairshare,bar\n"));
	assert_non_null(strstr(text, "sort -bar\nflat\nfilter user~\"a b\" | F>0.5\n"));
	assert_non_null(strstr(text, "bind accounts '\"' mark\n"));
	assert_non_null(strstr(text, "unbind all j\n"));
	assert_string_equal(keymap_line(&s->app->keymap, VIEW_ACCOUNTS, '<'), "top");
	assert_false(app_mouse(s->app));
	mem_free(text);
	mem_free(again);
}

/* All views return to their defaults, without naming past choices; any other word is refused. */
static void test_reset(void **state)
{
	struct stage *s = *state = stage(TREE);
	char *usual = mem_zalloc(65536, 1), *text = mem_zalloc(65536, 1);

	stage_keys(s, ":reset<Enter>");
	stage_sees(s, "reset: expected layout");
	stage_keys(s, ":reset views<Enter>");
	stage_sees(s, "reset views: expected layout");
	stage_keys(s, ":sort R<Enter>:reset layout<Enter>");
	s->effects = 0;
	stage_keys(s, "g");
	snprintf(usual, 65536, "%s", stage_seen(s));
	stage_keys(s, "2:columns rank,usage<Enter>:sort -rank<Enter>fuser=bob<Enter>1"
		   ":columns shares<Enter>:sort usage<Enter>T:fold /physics<Enter>"
		   ":theme light<Enter>fuser=alice<Enter><Enter>");
	assert_true(pane_is_open(s->app));
	stage_keys(s, ":res<Tab> <Tab><Enter>");
	assert_int_equal(s->app->errand, ERRAND_RESET);
	stage_sees(s, "the remembered one is deleted");
	assert_false(pane_is_open(s->app));
	assert_string_equal(app_theme(s->app)->name, "dark");
	stage_keys(s, "g");
	assert_string_equal(stage_seen(s), usual);
	assert_true(settings_write(s->app, (struct sink){ stage_append, text }, NULL));
	for (const char *const *w = (const char *const[]){ "columns", "sort ", "flat", "filter",
							   NULL }; *w; w++)
		assert_null(strstr(text, *w));
	mem_free(usual);
	mem_free(text);
}

/* Returns whether COMMAND took effect, for those that the written file does not show. */
static bool took(const struct app *a, const char *command)
{
	for (int view = 0; view < VIEW_COUNT; view++) {
		if (strcmp(command, view_names[view]) == 0)
			return a->view == (enum view_id)view;
	}
	if (strcmp(command, "fold-depth") == 0)
		return a->sheets[VIEW_ACCOUNTS].list.fold_depth == 2;
	if (strcmp(command, "terms") == 0)
		return a->terms_as == JOBS_FACTORS;
	if (strcmp(command, "exclude") == 0)
		return strcmp(a->class_pick.exclude, "ncpus") == 0;
	if (strcmp(command, "equivalence") == 0)
		return a->class_pick.chosen && a->class_pick.apart;
	if (strcmp(command, "timeline") == 0)
		return a->travel->bar;
	return strcmp(command, "color") == 0 && a->theme.roles[ROLE_ERROR].fg == 4;
}

/* Each command works in a configuration or is refused with its line; none is silently ignored. */
static void test_all_commands(void **state)
{
	static const struct {
		const char *line, *brings;	/* what is written for it; "": see took() */
	} works[] = {
		{ "fold-depth 2", "" }, { "terms", "" }, { "exclude ncpus", "" },
		{ "equivalence", "" }, { "filter shares>5", "filter shares>5\n" },
		{ "sort -shares", "sort -shares\n" }, { "flat", "flat\n" },
		{ "columns shares", "columns shares\n" }, { "timeline", "" },
		{ "accounts", "" }, { "jobs", "" }, { "pools", "" }, { "classes", "" },
		{ "policy", "" }, { "theme light", "set theme light\n" },
		{ "mouse", "set mouse off\n" }, { "set every 10s", "set every 10s\n" },
		{ "bind x mark", "bind all x mark\n" }, { "unbind j", "unbind all j\n" },
		{ "color error blue on red", "" },
		{ "alarm far accounts R>2", "alarm far accounts R>2" },
		{ "clusters\nsort -waiting", "clusters\nsort -waiting\n" },
		{ "cluster alpha ssh:login/slurm", "cluster \"alpha\" \"ssh:login/slurm\"\n" },
	};
	char *text = mem_zalloc(65536, 1);

	(void)state;
	for (const struct command *c = commands; c->name; c++) {
		struct app *app = app_new(NULL);
		struct err err = { 0 };
		size_t i = 0;
		char line[80];

		while (i < sizeof(works) / sizeof(works[0]) &&
		       (strncmp(works[i].line, c->name, strlen(c->name)) != 0 ||
			!strchr(" \n", works[i].line[strlen(c->name)])))
			i++;
		snprintf(line, sizeof(line), "#\n%s", i < sizeof(works) / sizeof(works[0]) ?
			 works[i].line : c->name);
		if (i == sizeof(works) / sizeof(works[0])) {
			assert_false(app_configure(app, "my.conf", line, strlen(line), &err));
			assert_memory_equal(err.message, "my.conf:2: ", 11);
			assert_non_null(strstr(err.message, c->name));
		} else {
			assert_true(app_configure(app, "my.conf", line, strlen(line), &err));
			text[0] = '\0';
			assert_true(settings_write(app, (struct sink){ stage_append, text }, NULL));
			assert_non_null(strstr(text, works[i].brings));
			assert_true(works[i].brings[0] != '\0' || took(app, c->name));
		}
		app_free(app);
	}
	mem_free(text);
}

/* Prints all settings with their meaning, as a valid configuration. */
static void test_print_config(void **state)
{
	struct stage *s = *state = stage_empty("set every 10s\nset chart blocks\nbind x mark\n"
					       "color usage.over #123456 on 17 bold\n");
	char *text = mem_zalloc(262144, 1), *again = mem_zalloc(262144, 1);

	assert_true(settings_print(s->app, true, (struct sink){ stage_append, text }, NULL));
	stage_leave(s);
	s = *state = stage_empty(text);
	assert_true(settings_print(s->app, true, (struct sink){ stage_append, again }, NULL));
	assert_string_equal(text, again);
	for (size_t i = 0; i < settings_count; i++) {
		char line[60];

		snprintf(line, sizeof(line), "\nset %s ", settings_table[i].name);
		assert_non_null(strstr(text, line));
		assert_non_null(strstr(text, settings_table[i].meaning));
	}
	assert_non_null(strstr(text, "set every 10s\n"));
	assert_non_null(strstr(text, "set chart blocks\n"));
	assert_non_null(strstr(text, "# go down a row\nbind all j down\n"));
	/* A user's colour is a line, a colour of the theme a comment. */
	assert_non_null(strstr(text, "\ncolor usage.over #123456 on 17 bold\n"));
	for (size_t i = 0; i < ROLE_COUNT; i++) {
		char line[60];

		snprintf(line, sizeof(line), "color %s", role_info[i].name);
		assert_non_null(strstr(text, line));
		assert_non_null(strstr(text, role_info[i].meaning));
	}
	assert_non_null(strstr(text, "\n# color "));
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
	char path[SCRATCH_PATH_MAX], link[SCRATCH_PATH_MAX];
	const char *dir = scratch_directory();
	struct stage *s = stage(TREE);
	struct err err = { 0 };
	struct stat st;
	bool made;

	(void)state;
	scratch_path("new/fairtop.conf", path);
	stage_keys(s, ":write '");
	stage_keys(s, "<C-u>write x y<Enter>");
	stage_sees(s, "write: expected at most one file name");
	stage_keys(s, ":write<Enter>");
	stage_sees(s, "write FILE names a file");
	/* Creates only the directory of the configuration, and reports it. */
	assert_false(settings_save(s->app, path, &made, &err));
	assert_non_null(strstr(err.message, "/new/fairtop.conf: No such file or directory"));
	snprintf(s->app->dir, sizeof(s->app->dir), "%s/new/er", dir);
	assert_false(settings_save(s->app, path, &made, &err));
	snprintf(s->app->dir, sizeof(s->app->dir), "%s/new", dir);
	assert_true(settings_save(s->app, path, &made, &err));
	assert_true(made);
	stage_keys(s, ":write<Enter>");
	app_written(s->app, true, made, "");
	app_draw(s->app, s->canvas);
	stage_sees(s, "/new/fairtop.conf and created its directory");
	assert_true(settings_save(s->app, path, &made, &err));	/* its own file is replaced */
	assert_false(made);
	write_text(path, "set every 5s\n");
	assert_false(settings_save(s->app, path, &made, &err));	/* a user's file is not */
	assert_non_null(strstr(err.message, "not written by fairtop"));
	assert_int_equal(symlink(path, scratch_path("link", link)), 0);
	assert_false(settings_save(s->app, link, &made, &err));
	assert_non_null(strstr(err.message, "not written by fairtop"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 13);
	unlink(link);
	unlink(path);
	*strrchr(path, '/') = '\0';
	assert_int_equal(rmdir(path), 0);	/* no temporary file was left */
	assert_int_equal(rmdir(dir), 0);
	stage_leave(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		stage_test(test_settings),
		stage_test(test_configuration),
		stage_test(test_written_settings), stage_test(test_reset),
		cmocka_unit_test(test_all_commands), stage_test(test_print_config),
		cmocka_unit_test_setup_teardown(test_write_file, scratch_open, scratch_close),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
