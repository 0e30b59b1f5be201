/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The saved layout: options of the command line apply to one run, what the user changes is saved,
 * and :reset layout forgets all.
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

#include "core/base/mem.h"
#include "tests/support/scratch.h"
#include "tests/support/vterm.h"
#include "tui/base/file_text.h"

#define DEMO "demo:1,speed=0"
#define OTHER "demo:2,speed=0"
#define ARGS_MAX 12

static char program[4096];

/* Starts fairtop with ARGS, its state in the scratch directory, and waits for SEEN. */
static struct vt *start(const char *const *args, const char *seen)
{
	char home[SCRATCH_PATH_MAX + 16];
	const char *argv[ARGS_MAX + 2] = { program };
	const char *const environment[] = { home, NULL };
	struct vt *vt;

	for (size_t i = 0; args[i]; i++)
		argv[i + 1] = args[i];
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s", scratch_directory());
	vt = vt_start(argv, environment, 140, 40);
	vt_wait_text(vt, seen);
	return vt;
}
#define START(seen, ...) start((const char *const[]){ __VA_ARGS__, NULL }, seen)

static const char *layout_path(const char *name, char path[SCRATCH_PATH_MAX])
{
	snprintf(path, SCRATCH_PATH_MAX, "%s/fairtop/%s.layout", scratch_directory(), name);
	return path;
}

/* Quits; returns the saved layout, which the caller frees. */
static char *leave(struct vt *vt, const char *name)
{
	char path[SCRATCH_PATH_MAX], *text;

	vt_type(vt, "Q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_free(vt);
	assert_true(file_text_found(layout_path(name, path), FILE_TEXT_MAX, &text, NULL));
	assert_non_null(text);
	return text;
}

static void kept(struct vt *vt, const char *name, const char *expected)
{
	char *text = leave(vt, name);
	const char *lines = strchr(text, '\n');

	assert_non_null(lines);
	assert_string_equal(lines + 1, expected);
	mem_free(text);
}

#define OWN \
	"set theme safe\naccounts\ncolumns shares,usage,fairshare\nsort -fairshare\n" \
	"# Of source: " DEMO "\naccounts\nfilter depth=1\n"

/* The saved layout is shown, and survives runs whose options override it. */
static void test_options(void **state)
{
	struct vt *vt = START("Account/User", DEMO);
	char *first;

	(void)state;
	vt_type(vt, ":columns shares,usage,fairshare\r:sort fairshare\r:theme safe\rfdepth=1\r");
	vt_wait_text(vt, "FILTER depth=1");
	kept(vt, "last", OWN);

	vt = START("FILTER user=karim", DEMO, "--filter", "user=karim", "--sort", "usage",
		   "--columns", "+rank,burn", "--theme", "light");
	vt_wait_text(vt, "Rank");
	kept(vt, "last", OWN);
	/* The first rows grant optional columns, but not to a user who has chosen columns. */
	first = leave(START("FILTER depth=1", DEMO), "last");
	assert_non_null(strstr(first, OWN));
	mem_free(first);
	kept(START("[3 Pools]", DEMO, "--pools", "/dev/null", "--tour"), "last", OWN);

	/* A workspace applies to one run, too; :keep-workspace saves what is shown. */
	vt = START("FILTER depth<3", DEMO, "--filter", "depth<3", "--theme", "light");
	vt_type(vt, ":keep-workspace shown\r");
	vt_wait_text(vt, "workspace shown is saved");
	kept(vt, "last", OWN);
	vt = START("FILTER depth<3", DEMO, "--workspace", "shown");
	vt_type(vt, "f\033[A");			/* the history of prompts is not lost */
	vt_wait_text(vt, "filter: depth=1");
	vt_type(vt, "\033");
	vt_wait_no_text(vt, "filter: ");
	kept(vt, "last", OWN);

	/* Part by part: only what the user changes is saved. */
	vt = START("FILTER user=karim", DEMO, "--filter", "user=karim", "--sort", "usage",
		   "--theme", "light");
	vt_type(vt, ":sort shares\r");
	vt_wait_text(vt, "↓Shares");
	kept(vt, "last", "set theme safe\naccounts\ncolumns shares,usage,fairshare\nsort -shares\n"
	     "# Of source: " DEMO "\naccounts\nfilter depth=1\n");
}

static void test_usual_columns(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct vt *vt;

	(void)state;
	unlink(layout_path("last", path));
	vt = START("Rank", DEMO, "--columns", "+rank,burn");
	kept(vt, "last", "accounts\n# Of source: " DEMO "\naccounts\n");
	vt = START("Rank", DEMO, "--columns", "+rank,burn");
	vt_type(vt, ":columns usage\r");
	vt_wait_no_text(vt, "Shares");
	kept(vt, "last", "accounts\ncolumns usage\n# Of source: " DEMO "\naccounts\n");
}

/* An option decides which view opens; the view of the last run without it is remembered. */
static void test_view(void **state)
{
	const char *jobs = "jobs\n# Of source: " DEMO "\njobs\n";
	char path[SCRATCH_PATH_MAX];
	struct vt *vt;

	(void)state;
	unlink(layout_path("last", path));
	vt = START("Account/User", DEMO);
	vt_type(vt, "2");
	vt_wait_text(vt, "[2 Jobs]");
	kept(vt, "last", jobs);
	vt = START("[1 Accounts]", DEMO, "user=karim");
	vt_wait_text(vt, "FILTER user=karim");
	kept(vt, "last", jobs);
	kept(START("[1 Accounts]", DEMO, "--sort", "usage"), "last", jobs);
	vt = START("[2 Jobs]", DEMO, "-u", "alice");
	vt_wait_text(vt, "FILTER user=\"alice\"");
	kept(vt, "last", jobs);
	unlink(path);
}

static void test_overview(void **state)
{
	const char *own = "clusters\ncolumns waiting,running\nsort -waiting\n# Of source: ";
	struct vt *vt = START("good 2", DEMO, OTHER);
	char *text;

	(void)state;
	vt_type(vt, ":columns waiting,running\r:sort waiting\r");
	vt_wait_text(vt, "↓Waiting");
	text = leave(vt, "overview");
	assert_non_null(strstr(text, own));
	mem_free(text);
	vt = START("FILTER running>0", DEMO, OTHER, "--columns", "running", "--sort", "-running",
		   "--filter", "running>0", "--theme", "light");
	vt_wait_text(vt, "good 2");
	vt_type(vt, "\r");		/* an opened cluster has this theme but does not save it */
	vt_wait_text(vt, "1 Accounts");
	vt_type(vt, "\033");
	vt_wait_text(vt, "FILTER running>0");
	text = leave(vt, "overview");
	assert_non_null(strstr(text, own));
	assert_null(strstr(text, "filter"));
	assert_null(strstr(text, "theme"));
	mem_free(text);
	text = leave(START("good 2", DEMO, OTHER), "last");
	assert_null(strstr(text, "theme light"));
	mem_free(text);
}

/* :reset layout deletes the file of the screen or overview, unless fairtop did not write it. */
static void test_reset(void **state)
{
	char path[SCRATCH_PATH_MAX];
	FILE *file;
	struct vt *vt = START("Account/User", DEMO, "--sort", "usage");

	(void)state;
	vt_type(vt, ":columns shares\r:fold /physics\rfdepth<3\r");
	vt_wait_text(vt, "FILTER depth<3");
	mem_free(leave(vt, "last"));
	vt = START("FILTER depth<3", DEMO, "--sort", "usage");
	assert_int_equal(access(layout_path("last", path), F_OK), 0);
	vt_type(vt, ":reset layout\r");
	vt_wait_no_text(vt, "FILTER");
	vt_wait_text(vt, "Usage");
	vt_wait_text(vt, "the remembered one is deleted");
	assert_int_not_equal(access(path, F_OK), 0);
	kept(vt, "last", "accounts\n# Of source: " DEMO "\naccounts\n");

	file = fopen(path, "w");
	assert_non_null(file);
	fputs("# mine\n", file);
	fclose(file);
	vt = START("Account/User", DEMO);
	vt_type(vt, ":reset layout\r");
	vt_wait_text(vt, "last.layout: not written by fairtop");
	vt_type(vt, "Q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_free(vt);
	assert_int_equal(access(path, F_OK), 0);
	unlink(path);

	vt = START("good 2", DEMO, OTHER);
	vt_type(vt, ":columns waiting,running\r:sort waiting\r:account physics\r");
	vt_wait_text(vt, "ACCOUNT physics");
	vt_type(vt, ":reset layout\r");
	vt_wait_no_text(vt, "ACCOUNT");
	vt_wait_text(vt, "R worst");
	mem_free(leave(vt, "overview"));
	assert_int_not_equal(access(path, F_OK), 0);
}

static const char *own_path(const char *file, char path[SCRATCH_PATH_MAX])
{
	snprintf(path, SCRATCH_PATH_MAX, "%s/fairtop/%s", scratch_directory(), file);
	return path;
}

/* Only the owner can read the saved layout; a file that is not fairtop's is reported. */
static void test_own(void **state)
{
	static const char *const files[] = { "history", "last.layout", "mine.workspace" };
	char path[SCRATCH_PATH_MAX];
	mode_t mask = umask(0);
	struct stat st;
	struct vt *vt = START("Account/User", DEMO);

	(void)state;
	vt_type(vt, "/physics\r:keep-workspace mine\r");
	vt_wait_text(vt, "workspace mine is saved");
	mem_free(leave(vt, "last"));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		assert_int_equal(stat(own_path(files[i], path), &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
	}
	FILE *file = fopen(own_path("history", path), "a");
	assert_non_null(file);
	fputs("?what\n", file);
	fclose(file);
	vt = START("history: lines not written by fairtop are ignored", DEMO);
	vt_type(vt, "/\033[A");
	vt_wait_text(vt, "/physics");
	vt_type(vt, "\033");
	mem_free(leave(vt, "last"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	mem_free(leave(START("history: Is a directory", DEMO), "last"));
	assert_int_equal(rmdir(path), 0);
	umask(mask);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options), cmocka_unit_test(test_usual_columns),
		cmocka_unit_test(test_view),
		cmocka_unit_test(test_overview), cmocka_unit_test(test_reset),
		cmocka_unit_test(test_own),
	};
	const char *build = getenv("FAIRTOP_BUILD");

	snprintf(program, sizeof(program), "%s/fairtop", build ? build : ".");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
