/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks of operators on a real screen of 120x40. Each has a limit of key presses; a word to search
 * for counts one press per letter.
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

#include "tests/support/data.h"
#include "tests/support/night.h"
#include "tests/support/scratch.h"
#include "tests/support/vterm.h"

static char program[4096];

static struct vt *start(const char *source, const char *const *environment)
{
	static const char *const none[] = { NULL };
	const char *argv[] = { program, source, NULL };
	struct vt *vt = vt_start(argv, environment ? environment : none, 120, 40);

	vt_wait_text(vt, "[1 Accounts]");
	return vt;
}

/* Presses KEYS, at most MOST of them, and waits for ANSWER. */
static void press(struct vt *vt, size_t most, const char *keys, const char *answer)
{
	assert_true(strlen(keys) <= most);
	vt_type(vt, keys);
	vt_wait_text(vt, answer);
}

static void leave(struct vt *vt)
{
	vt_type(vt, "Q");
	assert_int_equal(vt_wait_exit(vt), 0);
	vt_free(vt);
}

#define DEMO "demo:1,speed=0"

static void test_worst_culprit(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 0, "", "/humanities/linguistics 29.2 times");
	leave(vt);
}

static void test_a_user(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 4, "/zme", "zmeyer ");
	vt_wait_text(vt, "/physics/astro:zmeyer");
	vt_type(vt, "\r");
	leave(vt);
}

static void test_why_a_job_waits(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 4, "2jj", "group limit: /chemistry uses 912 of 1,024 CPUs");
	leave(vt);
}

static void test_a_before_b(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 5, "2 jC", "comes before job");
	leave(vt);
}

/* 40 to 60: the row, its value in the table, and all who move. One key undoes it. */
static void test_what_if(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 8, "jJi\b\b60\r", "jobs move");
	vt_wait_text(vt, "WHAT-IF 1 edit");
	vt_wait_text(vt, "40→60");
	press(vt, 1, "_", "[1 Accounts]");
	vt_wait_no_text(vt, "WHAT-IF");
	leave(vt);
}

/* The commands of a what-if as a file, under the name that the screen proposes. */
static void test_export(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 9, "jJi60\r", "jobs move");
	press(vt, 4, "W\025x\r", "/x; nothing was run");
	assert_int_equal(unlink("x"), 0);
	vt_type(vt, "_");
	vt_wait_no_text(vt, "WHAT-IF");
	leave(vt);
}

static void test_table_is_copied(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 2, "Y\r", "copied ");
	leave(vt);
}

/* A recording of a night: goes two hours back; shows since when an account is over-served. */
static void test_two_hours_ago(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct vt *vt;

	(void)state;
	night_record(scratch_path("night", path));
	vt = start(path, NULL);
	vt_wait_text(vt, "PAST 2026-05-04 05:00");
	press(vt, 5, "{{/tr", "PAST 2026-05-04 03:00");
	vt_wait_text(vt, "over-served since");
	vt_type(vt, "\r");
	leave(vt);
}

static void test_when_does_it_recover(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 2, "jO", "reaches 0.5");
	leave(vt);
}

/* What k and R mean, and how the R of this row is computed. */
static void test_letters(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	/* The root, where the cursor starts, has no R; help takes the first row that has one. */
	(void)state;
	press(vt, 1, "?", "weight of r_l in R");
	vt_wait_text(vt, "effective usage ratio: R 1.00 = fair share");
	vt_wait_text(vt, "R = R above x r_l ^ k = 9.759 x 2.989 ^ 1");
	press(vt, 3, "qj?", "R = r: only the root is above it");
	leave(vt);
}

static void test_theme(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 1, "t", "theme light");
	leave(vt);
}

static void test_class_of_pbs(void **state)
{
	char source[4096] = "pbs:";
	struct vt *vt;

	(void)state;
	data_path("pbs/01_main", source + 4, sizeof(source) - 4);
	vt = start(source, NULL);
	press(vt, 2, "4", "class 14");
	vt_wait_text(vt, "Common to its jobs");
	leave(vt);
}

static void test_who_lends_to_whom(void **state)
{
	struct vt *vt = start(DEMO, NULL);

	(void)state;
	press(vt, 1, "3", "borrow");
	leave(vt);
}

/* Columns, order and the open view come back at the next start; a workspace at any time. */
static void test_layout_is_kept(void **state)
{
	char path[SCRATCH_PATH_MAX], home[SCRATCH_PATH_MAX + 16];
	const char *const environment[] = { home, NULL };
	struct vt *vt;

	(void)state;
	snprintf(home, sizeof(home), "XDG_STATE_HOME=%s", scratch_path("state", path));
	vt = start(DEMO, environment);
	press(vt, 8, "c/k\r \r", "6 over time");	/* hides k, closes the box */
	vt_wait_no_text(vt, "0.4156");
	vt_type(vt, ":keep-workspace plain\r2");
	vt_wait_text(vt, "[2 Jobs]");
	leave(vt);

	vt = vt_start((const char *const[]){ program, DEMO, NULL }, environment, 120, 40);
	vt_wait_text(vt, "[2 Jobs]");
	vt_type(vt, "1");
	vt_wait_text(vt, "Account/User");
	assert_false(vt_has_text(vt, "0.4156"));
	vt_type(vt, ":columns usual\r");
	vt_wait_text(vt, "0.4156");
	vt_type(vt, ":workspace plain\r");
	vt_wait_no_text(vt, "0.4156");
	vt_type(vt, ":workspace none-such\r");
	vt_wait_text(vt, "unknown workspace none-such");
	/* Saved per source: folds by name, the filter of the queue, the open box. */
	vt_type(vt, ":fold /physics\r");
	vt_wait_text(vt, "physics 78");
	vt_type(vt, "2:unfold job:141471\r");
	vt_wait_text(vt, "141471_");
	vt_type(vt, "fkarim\r");
	vt_wait_text(vt, "FILTER karim");
	vt_type(vt, "1\r");
	vt_wait_text(vt, "Summary");
	leave(vt);
	vt = vt_start((const char *const[]){ program, DEMO, NULL }, environment, 120, 40);
	vt_wait_text(vt, "Summary");
	vt_wait_text(vt, "physics 78");
	vt_type(vt, "q2");
	vt_wait_text(vt, "FILTER karim");
	vt_wait_text(vt, "141471_");
	vt_type(vt, "f\033[A");			/* the history of prompts, across sessions */
	vt_wait_text(vt, "filter: karim");
	vt_type(vt, "\033");
	leave(vt);
	vt = vt_start((const char *const[]){ program, "demo:2,speed=0", NULL }, environment, 120,
		      40);
	vt_wait_text(vt, "2 Jobs");
	vt_type(vt, "2");
	vt_wait_text(vt, "[2 Jobs]");
	assert_false(vt_has_text(vt, "FILTER"));	/* another source */
	leave(vt);
	vt = vt_start((const char *const[]){ program, DEMO, NULL }, environment, 120, 40);
	vt_wait_text(vt, "[2 Jobs]");
	vt_type(vt, "1");
	vt_wait_text(vt, "[1 Accounts]");
	vt_type(vt, ":set remember no\r:columns usual\r");
	vt_wait_text(vt, "0.4156");
	leave(vt);

	vt = vt_start((const char *const[]){ program, DEMO, "--workspace", "plain", NULL },
		      environment, 120, 40);
	vt_wait_text(vt, "[1 Accounts]");
	assert_false(vt_has_text(vt, "0.4156"));
	leave(vt);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worst_culprit),
		cmocka_unit_test(test_a_user),
		cmocka_unit_test(test_why_a_job_waits),
		cmocka_unit_test(test_a_before_b),
		cmocka_unit_test(test_what_if),
		cmocka_unit_test(test_export),
		cmocka_unit_test(test_table_is_copied),
		cmocka_unit_test(test_two_hours_ago),
		cmocka_unit_test(test_when_does_it_recover),
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_theme),
		cmocka_unit_test(test_class_of_pbs),
		cmocka_unit_test(test_who_lends_to_whom),
		cmocka_unit_test(test_layout_is_kept),
	};
	const char *build = getenv("FAIRTOP_BUILD");

	snprintf(program, sizeof(program), "%s/fairtop", build ? build : ".");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
