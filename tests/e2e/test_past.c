/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real program on a pseudo-terminal, looking at the past: a recording that is stepped through,
 * one that is followed while it is written, and what a live screen has seen itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/store/store.h"
#include "core/share/fairshare.h"
#include "tests/support/night.h"
#include "tests/support/scratch.h"
#include "tests/support/sketch.h"
#include "tests/support/vterm.h"

static char program[4096];

static struct vt *start(const char *source, const char *option, const char *value)
{
	static const char *const environment[] = { "TZ=UTC", NULL };
	const char *argv[] = { program, source, option, value, NULL };

	return vt_start(argv, environment, 100, 30);
}

static void leave(struct vt *vt)
{
	vt_type(vt, "Q");
	assert_int_equal(vt_wait_exit(vt), 0);
	assert_true(vt_modes_restored(vt));
	vt_free(vt);
}

static void test_recording(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct vt *vt;

	(void)state;
	night_record(scratch_path("night", path));
	vt = start(path, NULL, NULL);
	vt_wait_text(vt, "PAST 2026-05-04 05:00");
	vt_wait_text(vt, "sample 86 of 86");
	vt_type(vt, "[[");
	vt_wait_text(vt, "PAST 2026-05-04 04:50");
	vt_type(vt, "{");
	vt_wait_text(vt, "PAST 2026-05-04 03:50");
	vt_type(vt, "@00:10\r");
	vt_wait_text(vt, "no data then");
	vt_wait_text(vt, "PAST 2026-05-03 23:30");
	vt_type(vt, "]");
	vt_wait_text(vt, "PAST 2026-05-04 00:30");
	vt_type(vt, "6");
	vt_wait_text(vt, "Over time");
	vt_wait_no_text(vt, "reading");
	vt_type(vt, "q2");			/* the other views show that time, too */
	vt_wait_text(vt, "JobID");
	vt_type(vt, "q:difference 21:00\r");
	vt_wait_text(vt, "from 2026-05-03 21:00 to 2026-05-04 00:30");
	vt_wait_text(vt, " changes");
	vt_type(vt, "q:play 6h\r");
	vt_wait_text(vt, "played to the end");
	vt_wait_text(vt, "PAST 2026-05-04 05:00");
	leave(vt);
}

/* A recording that opens at another time. */
static void test_at(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct vt *vt;

	(void)state;
	snprintf(path, sizeof(path), "%s/night", scratch_directory());
	vt = start(path, "--at", "2026-05-03 22:02");
	vt_wait_text(vt, "PAST 2026-05-03 22:00");
	vt_wait_text(vt, "sample 13 of 86");
	vt_type(vt, "]");
	vt_wait_text(vt, "sample 14 of 86");
	vt_type(vt, "=");
	vt_wait_text(vt, "sample 86 of 86");
	leave(vt);
}

/* Enter on an alarm goes to its row, at the time when it began. */
static void test_alarm(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct vt *vt;

	(void)state;
	snprintf(path, sizeof(path), "%s/night", scratch_directory());
	vt = start(path, NULL, NULL);
	vt_wait_text(vt, "sample 86 of 86");
	vt_type(vt, ":alarm used accounts path=/physics usage>0\r");
	vt_wait_text(vt, "1 ALARM");
	vt_type(vt, "2[[");
	vt_wait_text(vt, "PAST 2026-05-04 04:50");
	vt_type(vt, "8");
	vt_wait_text(vt, " active  ");
	vt_type(vt, "\r");
	vt_wait_text(vt, "PAST 2026-05-04 05:00");
	vt_wait_text(vt, "sample 86 of 86");
	vt_wait_text(vt, "[1 Accounts]");
	vt_type(vt, "y");			/* the cursor is on it */
	vt_wait_text(vt, "copied /physics");
	leave(vt);
}

static void add_picture(struct store_writer *w, int minutes)
{
	struct err err = { .code = ERR_NONE };
	struct cluster *c;
	char text[100];

	snprintf(text, sizeof(text), "~%d\nphysics 40\n\t+alice 1 %d\n", 60 * minutes,
		 1000 + 100 * minutes);
	c = sketch_cluster(text, FS_DEPTH_OBLIVIOUS);
	if (!store_write(w, c, cluster_meta(c)->time, &err))
		fail_msg("%s", err.message);
}

/* As live: new samples are shown at once, unless the screen shows the past. */
static void test_follow(void **state)
{
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;
	char path[SCRATCH_PATH_MAX];
	struct vt *vt;

	(void)state;
	w = store_writer_open(scratch_path("growing", path), &err);
	assert_non_null(w);
	add_picture(w, 0);
	add_picture(w, 1);
	vt = start(path, "--follow", "--every=1s");
	vt_wait_text(vt, "1.10k");
	assert_false(vt_has_text(vt, "PAST"));
	add_picture(w, 2);
	vt_wait_text(vt, "1.20k");
	vt_type(vt, "[[");
	vt_wait_text(vt, "PAST 2026-11-09 00:00");
	vt_wait_text(vt, "1.00k");
	add_picture(w, 3);
	vt_wait_text(vt, "sample 1 of 4");
	assert_true(vt_has_text(vt, "1.00k"));
	vt_type(vt, "=");
	vt_wait_text(vt, "1.30k");
	vt_wait_no_text(vt, "PAST");
	leave(vt);
	store_writer_close(w);
}

/* Without a file: what the screen has seen since it was opened. */
static void test_live(void **state)
{
	struct vt *vt = start("demo:1,speed=200", "--every", "1s");
	char row[200];

	(void)state;
	vt_wait_text(vt, "physics");
	/* The second picture has different usage. */
	snprintf(row, sizeof(row), "%s", strstr(vt_screen(vt), "physics"));
	row[strcspn(row, "\n")] = '\0';
	vt_wait_no_text(vt, row);
	vt_type(vt, "[");
	vt_wait_text(vt, "PAST 2026-");
	vt_type(vt, "=");
	vt_wait_no_text(vt, "PAST");
	leave(vt);
}

int main(void)
{
	const char *build = getenv("FAIRTOP_BUILD");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recording),
		cmocka_unit_test(test_at),
		cmocka_unit_test(test_alarm),
		cmocka_unit_test(test_follow),
		cmocka_unit_test(test_live),
	};

	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	snprintf(program, sizeof(program), "%s/fairtop", build ? build : ".");
	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
