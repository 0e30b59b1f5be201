/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real program on a pseudo-terminal, where a person looks, types, resizes, suspends and kills;
 * whatever happens, the terminal is restored afterwards. The cluster is the demo, or the mock
 * helper where a source has to misbehave.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/data.h"
#include "tests/support/scratch.h"
#include "tests/support/vterm.h"

static char program[4096], stub[SCRATCH_PATH_MAX], mock[4200];

static struct vt *start(const char *source, const char *const *environment, int width, int height)
{
	static const char *const none[] = { NULL };
	const char *argv[] = { program, source, NULL };

	return vt_start(argv, environment ? environment : none, width, height);
}

static struct vt *start_demo(void)
{
	struct vt *vt = start("demo:1", NULL, 100, 30);

	vt_wait_text(vt, "physics");
	return vt;
}

/* Asserts that all is restored: modes, screen, cursor, mouse, and not one byte too many. */
static void assert_restored(struct vt *vt)
{
	assert_true(vt_modes_restored(vt));
	assert_false(vt_alternate(vt));
	assert_true(vt_cursor_visible(vt));
	assert_false(vt_mouse(vt));
}

/* Asserts that only what the terminal needs was written (escape sequences, carriage return). */
static void assert_nothing_said(struct vt *vt)
{
	const char *at = vt_since_alternate(vt);

	while (*at != '\0') {
		if (*at == '\r') {
			at++;
		} else if (*at == '\033') {
			at++;
			if (*at == '[')
				at += 1 + strcspn(at + 1, "ABCDEFGHJKSTfhlmnsuq") + 1;
			else
				at++;
		} else {
			fail_msg("stray output: %s", at);
		}
	}
}

static void leave(struct vt *vt, const char *key)
{
	vt_type(vt, key);
	assert_int_equal(vt_wait_exit(vt), 0);
	assert_restored(vt);
	assert_nothing_said(vt);
	vt_free(vt);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void test_keys(void **state)
{
	struct vt *vt = start_demo();

	(void)state;
	vt_wait(vt, vt_alternate, true);
	vt_wait(vt, vt_cursor_visible, false);
	vt_type(vt, "?");
	vt_wait_text(vt, "go down a row");
	vt_type(vt, "q");
	vt_wait_no_text(vt, "go down a row");
	vt_type(vt, "\033[B\033[B");		/* arrows as xterm sends them */
	vt_wait_text(vt, " 3/24");
	vt_type(vt, "\033OA");			/* as in application mode */
	vt_wait_text(vt, " 2/24");
	vt_type(vt, "/phys");
	vt_wait_text(vt, "/phys");
	vt_wait(vt, vt_cursor_visible, true);
	vt_type(vt, "\033");			/* Esc alone */
	vt_wait_no_text(vt, "/phys");
	vt_wait(vt, vt_cursor_visible, false);
	vt_type(vt, "z");
	vt_wait_text(vt, "FROZEN");
	vt_type(vt, "z");
	vt_wait_no_text(vt, "FROZEN");
	/* Unknown key sequences are no commands: u would be "only mine", [ the past. */
	vt_type(vt, "\033[99;9u\033[1;9M\033[27;5;9~z");
	vt_wait_text(vt, "FROZEN");
	assert_false(vt_has_text(vt, "MINE"));
	assert_false(vt_has_text(vt, "PAST"));
	assert_false(vt_has_text(vt, "movers"));
	vt_type(vt, "\033z");			/* but a key right after Esc is one */
	vt_wait_no_text(vt, "FROZEN");
	vt_type(vt, "5");
	vt_wait_text(vt, "PriorityDecayHalfLife");
	vt_type(vt, "q");
	vt_wait_text(vt, "physics");
	leave(vt, "q");
}

/* Pasted text is never a command, whatever it contains. */
static void test_paste(void **state)
{
	struct vt *vt = start_demo();
	char much[601];

	(void)state;
	vt_type(vt, "\033[200~Q\r2\t:quit\n\033[B\033[201~");
	vt_wait_text(vt, "paste works only in a prompt");
	assert_true(vt_has_text(vt, "[1 Accounts]"));
	vt_type(vt, "f\033[200~user=alice\rR>2\033[201~");
	vt_wait_text(vt, "user=alice R>2");
	vt_type(vt, "\033");
	vt_wait_no_text(vt, "user=alice R>2");
	vt_type(vt, "2");			/* and keys are keys again */
	vt_wait_text(vt, "[2 Jobs]");
	/* The end of the last line does not become a blank, which no name would match. */
	vt_type(vt, "1/\033[200~physics\r\033[201~\r");
	vt_wait_text(vt, "1 of ");
	snprintf(much, sizeof(much), "%0600d", 0);
	vt_type(vt, ":\033[200~");
	vt_type(vt, much);
	vt_type(vt, "\033[201~");
	vt_wait_text(vt, "the line is full: 511 bytes");
	vt_type(vt, "\033");
	/* The connection broke during a paste: Esc ends it, and keys work again. */
	vt_type(vt, "/\033[200~abc");
	vt_wait_text(vt, "/abc");
	vt_type(vt, "\033");
	vt_wait_no_text(vt, "/abc");
	vt_type(vt, "3");
	vt_wait_text(vt, "[3 Pools]");
	leave(vt, "Q");
}

/* Edits a weight, shows who moves, switches to the base and back, and exports the commands. */
static void test_what_if(void **state)
{
	struct vt *vt = start("demo:1,speed=0", NULL, 120, 40);
	char path[SCRATCH_PATH_MAX], keys[SCRATCH_PATH_MAX + 16], line[256];
	bool found = false;
	FILE *file;

	(void)state;
	vt_wait_text(vt, "physics");
	vt_type(vt, "2w");
	vt_wait_text(vt, "What-if A");
	vt_type(vt, "jjHHHHH");
	vt_wait_text(vt, "WHAT-IF 1 edit");
	vt_type(vt, "ashares:/physics = 5\r");
	vt_wait_text(vt, "WHAT-IF 2 edits");
	vt_type(vt, "M");
	vt_wait_text(vt, "the largest gain is on top");
	vt_type(vt, "b");
	vt_wait_text(vt, "OFF");
	vt_type(vt, "b");
	vt_wait_no_text(vt, "OFF");
	snprintf(keys, sizeof(keys), ":export %s\r", scratch_path("commands", path));
	vt_type(vt, keys);
	vt_wait_text(vt, "nothing was run");
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		found = found || strstr(line, "name=physics cluster=demo set fairshare=5");
	fclose(file);
	assert_true(found);
	vt_type(vt, "__");
	vt_wait_no_text(vt, "WHAT-IF");
	leave(vt, "Q");
}

/* Frames are written in mode 2026 if the terminal reports that it has it, else without. */
static void test_synchronised(void **state)
{
	struct vt *vt = start_demo();
	size_t frames;

	(void)state;
	vt_type(vt, "2");		/* after the terminal's answer: it has mode 2026 */
	vt_wait_text(vt, "[2 Jobs]");
	assert_true(vt_frames(vt) > 0);
	vt_type(vt, "\033[?2026;0$y1");
	vt_wait_text(vt, "[1 Accounts]");
	frames = vt_frames(vt);
	vt_type(vt, "2");
	vt_wait_text(vt, "[2 Jobs]");
	assert_int_equal(vt_frames(vt), frames);
	vt_type(vt, "\033[?2026;2$y1");
	vt_wait_text(vt, "[1 Accounts]");
	assert_true(vt_frames(vt) > frames);
	leave(vt, "Q");
}

static void test_mouse(void **state)
{
	struct vt *vt = start_demo();

	(void)state;
	vt_wait(vt, vt_mouse, true);
	vt_type(vt, "\033[<0;10;8M\033[<0;10;8m");	/* a press on the fourth row */
	vt_wait_text(vt, " 4/24");
	vt_type(vt, "m");
	vt_wait_text(vt, "the terminal uses the mouse");
	vt_wait(vt, vt_mouse, false);
	leave(vt, "Q");
}

/* The column cursor, with the keys as xterm sends them and with the mouse. */
static void test_column(void **state)
{
	struct vt *vt = start("demo:1,speed=0", NULL, 120, 40);

	(void)state;
	vt_wait_text(vt, "physics");
	vt_type(vt, ":sort none\r");		/* else it begins at the sorted column */
	vt_wait_text(vt, "over-served  ");
	vt_type(vt, "\033[1;2C");		/* Shift and the arrow */
	vt_wait_text(vt, "raw shares among siblings");
	vt_type(vt, "L");
	vt_wait_text(vt, "normalised shares");
	vt_type(vt, "\033[1;2D\033[1;2D");
	vt_wait_no_text(vt, "raw shares");
	vt_type(vt, "LLv");
	vt_wait_text(vt, "sorted by S");
	vt_type(vt, "2\033[<0;60;8M\033[<0;60;8m");	/* a cell of a job */
	vt_wait_text(vt, " 5/435");
	vt_wait_no_text(vt, "Rank  queue rank: 1");
	vt_type(vt, "1");
	vt_wait_text(vt, "normalised shares");
	leave(vt, "Q");
}

/* Saves the table as a file; Ctrl-S is a key and does not stop the output. */
static void test_save(void **state)
{
	struct vt *vt = start("demo:1,speed=0", NULL, 100, 30);
	char path[SCRATCH_PATH_MAX], keys[SCRATCH_PATH_MAX + 16], line[256] = "";
	FILE *file;

	(void)state;
	vt_wait_text(vt, "physics");
	snprintf(keys, sizeof(keys), "2:save %s\r", scratch_path("jobs.csv", path));
	vt_type(vt, keys);
	vt_wait_text(vt, "wrote 435 rows");
	vt_type(vt, keys + 1);
	vt_wait_text(vt, "already exists");
	file = fopen(path, "r");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	fclose(file);
	assert_memory_equal(line, "id,rank,", 8);
	vt_type(vt, ":bind <C-s> freeze\r\023");
	vt_wait_text(vt, "FROZEN");
	leave(vt, "Q");
}

/* Alarms of fairtop.conf: a notification, a badge, the list, going to the row; then a bell. */
static void test_alarms(void **state)
{
	char path[SCRATCH_PATH_MAX], file[SCRATCH_PATH_MAX + 32], config[SCRATCH_PATH_MAX + 32];
	const char *environment[] = { config, NULL };
	struct vt *vt;
	FILE *out;

	(void)state;
	snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", scratch_path("config", path));
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(file, sizeof(file), "%s/fairtop", path);
	assert_int_equal(mkdir(file, 0700), 0);
	snprintf(file, sizeof(file), "%s/fairtop/fairtop.conf", path);
	out = fopen(file, "w");
	assert_non_null(out);
	fputs("set ring osc777\nalarm used accounts path=/physics usage>0\n", out);
	fclose(out);
	vt = start("demo:1,speed=0", environment, 120, 40);
	vt_wait_text(vt, "1 ALARM");
	assert_string_equal(vt_ring(vt), "777;notify;fairtop;used /physics");
	vt_type(vt, "G8");
	vt_wait_text(vt, " active  ");
	vt_type(vt, "\r");
	vt_wait_text(vt, "─ /physics ");
	vt_type(vt, ":set ring bell\r:alarm waits jobs state=PENDING\r");
	vt_wait_text(vt, "ALARMS");
	assert_string_equal(vt_ring(vt), "bell");
	vt_type(vt, ":alarm bad jobs nothing=1\r");
	vt_wait_text(vt, "bad: filter: ");
	leave(vt, "Q");
}

static void assert_painted(struct vt *vt, const char *keys, const char *text)
{
	vt_type(vt, keys);
	vt_wait_text(vt, text);
	vt_wait_unpainted(vt, 0, 0);
}

/* A theme paints every cell, also cleared and never written ones, unless told not to. */
static void test_themes(void **state)
{
	static const char *const no_color[] = { "NO_COLOR=1", NULL };
	struct vt *vt = start_demo();

	(void)state;
	assert_painted(vt, "", "physics");
	assert_painted(vt, "t", "theme light");
	assert_painted(vt, "?", "q close");
	assert_painted(vt, "\033", "physics");
	vt_resize(vt, 130, 40);
	assert_painted(vt, ":theme contrast\r", "theme contrast");
	assert_painted(vt, ":theme safe\r", "theme safe");
	vt_type(vt, ":color text default\r");
	vt_wait_unpainted(vt, 1, 130 * 40);
	vt_type(vt, ":theme mono\r");
	vt_wait_text(vt, "theme mono");
	vt_wait_unpainted(vt, 130 * 40, 130 * 40);
	leave(vt, "Q");
	vt = start("demo:1", no_color, 100, 30);
	vt_wait_text(vt, "physics");
	vt_wait_unpainted(vt, 100 * 30, 100 * 30);
	leave(vt, "Q");
}

/* ---- resize -------------------------------------------------------------------------------- */

static void test_resize(void **state)
{
	struct vt *vt = start_demo();

	(void)state;
	vt_resize(vt, 20, 10);
	vt_wait_text(vt, "needs 24 x 8");
	vt_resize(vt, 40, 10);
	vt_wait_text(vt, "humanities");
	vt_wait_text(vt, "Q quit");
	vt_resize(vt, 60, 16);
	vt_wait_text(vt, "physics");
	vt_resize(vt, 200, 60);
	vt_wait_text(vt, "Burn/h");
	for (int i = 0; i < 30; i++)
		vt_resize(vt, 24 + 7 * i % 140, 8 + 5 * i % 40);
	vt_resize(vt, 80, 24);
	vt_wait_text(vt, "/ search");
	leave(vt, "q");
}

/* ---- signals ------------------------------------------------------------------------------- */

static void end(struct vt *vt, int signal, int status)
{
	vt_signal(vt, signal);
	assert_int_equal(vt_wait_exit(vt), status);
	assert_restored(vt);
	assert_nothing_said(vt);
	vt_free(vt);
}

static void test_signals(void **state)
{
	(void)state;
	end(start_demo(), SIGTERM, 143);
	end(start_demo(), SIGINT, 130);
	end(start_demo(), SIGHUP, 129);
}

static void test_control_c(void **state)
{
	struct vt *vt = start_demo();

	(void)state;
	vt_type(vt, "\003");
	assert_int_equal(vt_wait_exit(vt), 130);
	assert_restored(vt);
	vt_free(vt);
}

static void test_suspend(void **state)
{
	struct vt *vt = start_demo();

	(void)state;
	for (int i = 0; i < 3; i++) {
		vt_type(vt, "\032");		/* Ctrl-Z */
		vt_wait_stopped(vt);
		assert_restored(vt);
		vt_resize(vt, 90 + i, 28);	/* a resize while stopped is noticed */
		vt_signal(vt, SIGCONT);
		vt_wait_text(vt, "physics");
		vt_wait_text(vt, "/ search");
		vt_wait(vt, vt_alternate, true);
		vt_type(vt, "?");
		vt_wait_text(vt, "go down a row");
		vt_type(vt, "?");
		vt_wait_no_text(vt, "go down a row");
	}
	leave(vt, "q");
}

/* A Ctrl-Z that arrives while a frame is made is not lost. */
static void test_suspend_while_drawing(void **state)
{
	struct vt *vt = start_demo();

	(void)state;
	for (int i = 0; i < 40; i++) {
		vt_type(vt, "?");
		vt_signal(vt, SIGTSTP);
		vt_wait_stopped(vt);
		vt_signal(vt, SIGCONT);
		vt_wait(vt, vt_alternate, true);
	}
	leave(vt, "Q");
}

/* ---- sources that misbehave ---------------------------------------------------------------- */

/* ssh:mock/x starts the stub, and the stub the mock helper. */
static struct vt *start_mock(const char *how, const char *once)
{
	char setting[2][300], path[SCRATCH_PATH_MAX + 16];
	const char *environment[] = { path, setting[0], setting[1], NULL };

	snprintf(path, sizeof(path), "FAIRTOP_SSH=%s", stub);
	snprintf(setting[0], sizeof(setting[0]), "MOCK_HOW=%s", how);
	snprintf(setting[1], sizeof(setting[1]), "MOCK_ONCE=%s", once);
	return start("ssh:mock/slurm", environment, 100, 30);
}

static void test_source_hangs(void **state)
{
	struct vt *vt = start_mock("hang", "-");

	(void)state;
	vt_wait_text(vt, "Asking ssh:mock/slurm");
	vt_type(vt, "?");
	vt_wait_text(vt, "go down a row");
	vt_type(vt, "?");
	vt_wait_no_text(vt, "go down a row");
	vt_type(vt, ":fly\r");
	vt_wait_text(vt, "unknown command 'fly'");
	leave(vt, "Q");
}

static void test_source_dies_and_comes_back(void **state)
{
	char once[SCRATCH_PATH_MAX];
	struct vt *vt;

	(void)state;
	vt = start_mock("fatal", scratch_path("once", once));
	vt_wait_text(vt, "No data from ssh:mock/slurm");
	vt_wait_text(vt, "alice");		/* without a key, after the back-off */
	assert_false(vt_has_text(vt, "No data"));
	leave(vt, "q");
}

/* Out of memory in any thread: one line, the terminal restored, exit code 2. */
static void test_out_of_memory(void **state)
{
	const struct rlimit none = { 1 << 20, 1 << 20 };
	struct vt *vt;
	int status;

	(void)state;
#ifdef FAIRTOP_SANITIZE
	skip();		/* a sanitizer runs out of memory itself */
#endif
	vt = start("demo:1,accounts=300,users=6000,jobs=3000", NULL, 100, 30);
	vt_wait_text(vt, "Accounts");
	assert_int_equal(prlimit(vt_pid(vt), RLIMIT_AS, &none, NULL), 0);
	/* More cells than fit into memory that was freed before. */
	vt_resize(vt, 1000, 400);
	/* Status 3: not all threads had been started when the first picture was drawn. */
	status = vt_wait_exit(vt);
	assert_true(status == 2 || status == 3);
	assert_restored(vt);
	vt_wait_text(vt, status == 2 ? "fairtop: out of memory" : ": Resource temporarily");
	vt_free(vt);
}

static void test_garbage_on_standard_error(void **state)
{
	struct vt *vt = start_mock("flood", "-");

	(void)state;
	vt_wait_text(vt, "alice");		/* comes after the flood */
	assert_false(vt_has_text(vt, "mock: error"));
	leave(vt, "Q");
}

/* ---- starting ------------------------------------------------------------------------------ */

static void test_unknown_terminal(void **state)
{
	/* (ncurses leaks a little memory when it does not know a terminal.) */
	static const char *const environment[] = { "TERM=nosuchterminal",
						   "ASAN_OPTIONS=detect_leaks=0", NULL };
	struct vt *vt = start("demo", environment, 80, 24);

	(void)state;
	assert_int_equal(vt_wait_exit(vt), 2);
	vt_wait_text(vt, "fairtop: TERM 'nosuchterminal'");
	assert_true(vt_modes_restored(vt));
	vt_free(vt);
}

static void test_dumb_terminal(void **state)
{
	static const char *const environment[] = { "TERM=dumb", "ASAN_OPTIONS=detect_leaks=0",
						   NULL };
	struct vt *vt = start("demo", environment, 80, 24);

	(void)state;
	assert_int_equal(vt_wait_exit(vt), 2);
	vt_wait_text(vt, "TERM 'dumb': this terminal cannot move its cursor");
	assert_true(vt_modes_restored(vt));
	vt_free(vt);
}

/* There is nothing to wait for: the error is printed below the shell's prompt, not on a screen. */
static void test_broken_file(void **state)
{
	char path[SCRATCH_PATH_MAX], expected[SCRATCH_PATH_MAX + 40];
	FILE *file = fopen(scratch_path("broken", path), "w");
	struct vt *vt;

	(void)state;
	assert_non_null(file);
	fputs("root:x:0:0\n", file);
	fclose(file);
	/* Wide, because a late reply of the terminal may come before the words. */
	vt = start(path, NULL, 160, 24);
	assert_int_equal(vt_wait_exit(vt), 2);
	assert_restored(vt);
	snprintf(expected, sizeof(expected), "fairtop: %s:1: column 1: ", path);
	vt_wait_text(vt, expected);
	vt_wait_text(vt, "neither a snapshot nor a recording");
	vt_free(vt);
}

/* A locale without UTF-8, no colours, a simple terminal: ASCII only, and nothing is lost. */
static void test_poor_terminal(void **state)
{
	static const char *const environment[] = { "TERM=vt100", "LC_ALL=C", "NO_COLOR=1", NULL };
	struct vt *vt = start("demo:1", environment, 80, 24);

	(void)state;
	vt_wait_text(vt, "physics");
	vt_wait_text(vt, "/ search");
	for (const char *c = vt_screen(vt); *c != '\0'; c++)
		assert_in_range((unsigned char)*c, '\n', '~');
	vt_type(vt, "jjl");
	vt_wait_text(vt, " 3/20");
	vt_type(vt, "Q");
	assert_int_equal(vt_wait_exit(vt), 0);
	assert_true(vt_modes_restored(vt));
	vt_free(vt);
}

/* Random bytes, resizes in between: whatever they mean, the terminal is intact afterwards. */
static void test_random_bytes(void **state)
{
	struct vt *vt = start_demo();
	uint32_t seed = 5;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		char byte[2] = "";
		seed = seed * 1664525 + 1013904223;
		byte[0] = (char)(1 + (seed >> 16) % 254);
		/* Not those that quit, interrupt or stop, nor those that freeze a terminal. */
		if (!strchr("qQ\003\032\034\023\021\004\026\017", byte[0]))
			vt_type(vt, byte);
		if (i % 100 == 0)
			vt_resize(vt, 20 + (int)(seed >> 24), 10 + (int)(seed >> 26));
		if (i % 50 == 0)
			vt_wait_read(vt);
	}
	vt_wait_read(vt);
	end(vt, SIGTERM, 143);
}

/* Nothing changes, so nothing is written. A saved cluster has no age that the header would show. */
static void test_idle(void **state)
{
	char path[4096];
	struct vt *vt = start(data_path("demo.snapshot", path, sizeof(path)), NULL, 100, 30);
	size_t frames;

	(void)state;
	vt_wait_text(vt, "physics");
	vt_type(vt, "5");
	vt_wait_text(vt, "PriorityDecayHalfLife");
	frames = vt_frames(vt);
	for (int i = 0; i < 20; i++) {
		vt_type(vt, "k");		/* at the top already */
		vt_wait_read(vt);
	}
	vt_type(vt, "?");
	vt_wait_text(vt, "go down a row");
	assert_int_equal(vt_frames(vt), frames + 1);
	leave(vt, "Q");
}

static int write_stub(void **state)
{
	FILE *file;

	if (scratch_open(state) != 0)
		return -1;
	file = fopen(scratch_path("ssh", stub), "w");
	assert_non_null(file);
	fprintf(file, "#!/bin/sh\nexec '%s' \"$MOCK_HOW\" \"$MOCK_ONCE\"\n", mock);
	fclose(file);
	return chmod(stub, 0755);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_paste),
		cmocka_unit_test(test_what_if),
		cmocka_unit_test(test_mouse),
		cmocka_unit_test(test_column),
		cmocka_unit_test(test_save),
		cmocka_unit_test(test_alarms),
		cmocka_unit_test(test_themes),
		cmocka_unit_test(test_resize),
		cmocka_unit_test(test_signals),
		cmocka_unit_test(test_control_c),
		cmocka_unit_test(test_suspend),
		cmocka_unit_test(test_suspend_while_drawing),
		cmocka_unit_test(test_source_hangs),
		cmocka_unit_test(test_source_dies_and_comes_back),
		cmocka_unit_test(test_garbage_on_standard_error),
		cmocka_unit_test(test_out_of_memory),
		cmocka_unit_test(test_unknown_terminal),
		cmocka_unit_test(test_dumb_terminal),
		cmocka_unit_test(test_broken_file),
		cmocka_unit_test(test_poor_terminal),
		cmocka_unit_test(test_synchronised),
		cmocka_unit_test(test_random_bytes),
		cmocka_unit_test(test_idle),
	};
	const char *build = getenv("FAIRTOP_BUILD");

	snprintf(program, sizeof(program), "%s/fairtop", build ? build : ".");
	snprintf(mock, sizeof(mock), "%s/tests/mock/mock_helper", build ? build : ".");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	return cmocka_run_group_tests(tests, write_stub, scratch_close);
}
