/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time on the screen: stepping back through what a live source has shown, jumping, playing, the
 * part of time that is shown; the screen never presents the past as the present.
 */
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/stage.h"
#include "tui/panes/backtests.h"

/* Shows a picture SECONDS after the first one, in which alice has used USAGE. */
static void show(struct stage *s, int seconds, int usage)
{
	char text[200];

	snprintf(text, sizeof(text), "~%d\nphysics 40\n\t+alice 1 %d\n\t+bob 1 0\n", seconds,
		 usage);
	s->ms = 1000000 + seconds * 1000;
	stage_show(s, text);
}

/* Eleven pictures, one a minute: alice has used 5000, 5100, ... 6000. Midnight to 00:10. */
static struct stage *ten_minutes(void)
{
	struct stage *s = stage_empty(NULL);

	for (int i = 0; i <= 10; i++)
		show(s, 60 * i, 5000 + 100 * i);
	stage_keys(s, "*");
	return s;
}

static void test_steps(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_sees(s, "6.00k");
	stage_sees_not(s, "PAST");
	stage_keys(s, "[");
	stage_sees(s, "PAST 2026-11-09 00:09");
	stage_sees(s, "5.90k");
	stage_sees(s, "sample 10 of 11");
	stage_keys(s, ":earlier 4<Enter>");
	stage_sees(s, "5.50k");
	stage_keys(s, ".");
	stage_sees(s, "5.60k");
	stage_keys(s, ":earlier 3m<Enter>");
	stage_sees(s, "5.30k");
	stage_keys(s, "{");			/* before the first: stops at the first */
	stage_sees(s, "PAST 2026-11-09 00:00");
	stage_keys(s, "[");
	stage_sees(s, "fairtop has data since 2026-11-09 00:00");
	stage_keys(s, "]");
	stage_sees(s, "5.10k");
	stage_keys(s, "}");
	stage_sees_not(s, "PAST");
	stage_sees(s, "6.00k");
	stage_keys(s, "]");
	stage_sees(s, "this is now");
	stage_keys(s, "!");
	stage_sees(s, "11 samples since 2026-11-09 00:00");
	stage_keys(s, "q");
	stage_keys(s, ":earlier soon<Enter>");
	stage_sees(s, "expected a number of samples");
}

/* Pictures that arrive meanwhile are kept, not shown; = shows the latest. */
static void test_meanwhile(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_keys(s, "[[");
	stage_sees(s, "5.80k");
	show(s, 660, 7000);
	stage_sees(s, "5.80k");
	stage_sees(s, "sample 9 of 12");
	show(s, 720, 8000);
	stage_keys(s, "]]]");
	stage_sees(s, "7.00k");
	stage_sees(s, "PAST 2026-11-09 00:11");
	stage_keys(s, "=");
	stage_sees(s, "8.00k");
	stage_sees_not(s, "PAST");
	show(s, 780, 9000);
	stage_sees(s, "9.00k");
}

static void test_words(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_keys(s, "@4m ago<Enter>");
	stage_sees(s, "PAST 2026-11-09 00:06");
	stage_keys(s, ":go-to 00:02:30<Enter>");
	stage_sees(s, "PAST 2026-11-09 00:02");
	stage_keys(s, ":go-to 2026-11-09 00:08<Enter>");
	stage_sees(s, "PAST 2026-11-09 00:08");
	stage_keys(s, "@1d ago<Enter>");		/* wrong: stays for a correction */
	stage_sees(s, "no data before 2026-11-09 00:00");
	stage_keys(s, "<C-u>when<Enter>");
	stage_sees(s, "when");
	stage_keys(s, "<C-u>now<Enter>");
	stage_sees_not(s, "PAST");
}

/* An outage is a gap, and a jump into it says so. */
static void test_outage(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_source(s, SOURCE_STALE, "no answer");
	show(s, 1200, 8000);
	stage_keys(s, "@00:15<Enter>");
	stage_sees(s, "no data then");
	stage_sees(s, "PAST 2026-11-09 00:10");
	stage_sees(s, "░░");
	stage_sees(s, "then a gap");
}

static void test_policy_changes(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_keys(s, "V");
	stage_sees_not(s, "◆");
	s->ms += 60000;
	stage_show(s, "~660\nphysics 40\n\t+alice 1 6000\n=PriorityWeightAge 5\n");
	stage_show(s, "~720\nphysics 40\n\t+alice 1 6000\n=PriorityWeightAge 5\n");
	stage_sees(s, "◆");
	stage_keys(s, "[");
	stage_sees(s, "policy changed");
}

/* Plays a minute per second, in four steps per second; a key that chooses a time stops it. */
static void test_play(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_keys(s, ":play 1m<Enter>");
	stage_sees(s, "PLAY 1m/s");
	stage_sees(s, "PAST 2026-11-09 00:00");
	assert_true(app_next_ms(s->app) <= s->ms + 250);
	for (int i = 0; i < 12; i++)
		stage_wait(s, 250);
	stage_sees(s, "PAST 2026-11-09 00:03");
	stage_keys(s, "'");
	stage_sees(s, "PLAY 2m/s");
	for (int i = 0; i < 4; i++)
		stage_wait(s, 250);
	stage_sees(s, "PAST 2026-11-09 00:05");
	stage_keys(s, ";;");
	stage_sees(s, "PLAY 30s/s");
	stage_keys(s, "P");
	stage_sees_not(s, "PLAY");
	stage_wait(s, 5000);
	stage_sees(s, "PAST 2026-11-09 00:05");
	stage_keys(s, "P");
	for (int i = 0; i < 400; i++)
		stage_wait(s, 250);
	stage_sees_not(s, "PAST");
	stage_sees(s, "played to the end");
}

/* Playing skips long gaps. */
static void test_play_over_gaps(void **state)
{
	struct stage *s = *state = ten_minutes();

	show(s, 86400, 6500);
	show(s, 86460, 6600);
	stage_keys(s, "@00:09<Enter>:play 1m<Enter>");
	for (int i = 0; i < 20; i++)
		stage_wait(s, 250);
	stage_sees_not(s, "PLAY");
	stage_sees(s, "6.60k");
}

static void test_zoom(void **state)
{
	struct stage *s = *state = ten_minutes();
	int64_t from, to;

	stage_keys(s, "[[[[[");
	assert_true(travel_window(s->app, &from, &to));
	assert_int_equal(to - from, 600);
	stage_keys(s, "s");
	stage_sees(s, "5m of time");
	assert_true(travel_window(s->app, &from, &to));
	assert_int_equal(from, SKETCH_TIME + 150);
	stage_keys(s, "[[[[");			/* the window follows */
	assert_true(travel_window(s->app, &from, &to));
	assert_in_range(SKETCH_TIME + 60, from, to);
	stage_keys(s, "S");
	stage_sees(s, "all the time with data");
}

/* Compares another time with the one shown, earlier or later; it follows steps. */
static void test_difference(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_keys(s, "D<Enter>");		/* no time: from the previous picture */
	stage_sees(s, "from 2026-11-09 00:09 to 2026-11-09 00:10");
	stage_sees(s, "+100.00");
	stage_keys(s, "DD4m ago<Enter>");
	stage_sees(s, "from 2026-11-09 00:06 to 2026-11-09 00:10");
	stage_sees(s, "/physics:alice");
	stage_sees(s, "5.60k");
	stage_sees(s, "6.00k");
	stage_sees(s, "+400.00");
	stage_keys(s, "[[[[[[[");
	stage_sees(s, "from 2026-11-09 00:03 to 2026-11-09 00:06");
	stage_sees(s, "+300.00");
	stage_keys(s, "]]]");
	stage_sees(s, "nothing changed");
	stage_keys(s, "D");
	stage_sees_not(s, "Difference");
	stage_keys(s, ":difference next year<Enter>");
	stage_sees(s, "is not a time");
	stage_keys(s, "=");
	s->ms += 60000;
	stage_show(s, "~660\nphysics 50\n\t+alice 1 6000\n\t+zoe 1 0\n=PriorityWeightAge 9\n");
	stage_keys(s, ":difference 00:10<Enter>");
	stage_sees(s, "PriorityWeightAge");
	stage_sees(s, "/physics:zoe");
	stage_sees(s, "new");
	stage_sees(s, "/physics:bob");
	stage_sees(s, "gone");
}

#define NEWS(time, alice, bob) \
	"~" time "\nphysics 1\n\t+alice 1 " alice "\nbio 1\n\t+bob 1 " bob "\n"
#define NEWS_JOB(id, state) \
	"*job id=" id " user=alice account=physics assoc=3 cpus=1 state=" state "\n"

/* Returns the position of TEXT in the frame; fails without it. */
static size_t place_of(struct stage *s, const char *text)
{
	const char *seen = stage_seen(s), *at = strstr(seen, text);

	assert_non_null(at);
	return (size_t)(at - seen);
}

/* Jobs that started or ended and crossings of the share come first; small changes are counted. */
static void test_difference_news(void **state)
{
	struct stage *s = *state = stage(NEWS("0", "900000", "1000000") NEWS_JOB("1", "RUNNING")
					 NEWS_JOB("2", "PENDING"));

	stage_resize(s, 120, 80);
	s->ms += 60000;
	stage_show(s, NEWS("60", "1100000", "1000100") NEWS_JOB("2", "RUNNING"));
	stage_keys(s, "D<Enter>");
	assert_true(place_of(s, "Jobs started  1") <
		    place_of(s, "Jobs ended or gone  1"));
	stage_sees(s, "-          gone");	/* its value is unknown by then */
	stage_sees(s, "job:2 ");
	assert_true(place_of(s, "Jobs ended") < place_of(s, "Crossed the fair share  4"));
	assert_true(place_of(s, "Crossed the fair share") < place_of(s, "Values"));
	stage_sees(s, "+200.00k");		/* alice's usage; bob's grows by a ten-thousandth */
	stage_sees_not(s, "+100.00");
	stage_sees(s, "2 smaller");
	stage_sees_not(s, "fairtop diff");	/* this is no recording */
}

/* Clicks on the time line count between the labels of its ends. */
static void test_mouse(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_keys(s, "[");
	stage_keys(s, "<Click:19,27>");
	stage_sees(s, "sample 1 of 11");
	stage_keys(s, "<Click:57,27>");
	stage_sees(s, "sample 6 of 11");
	stage_keys(s, "<Click:93,27>");
	stage_sees_not(s, "PAST");
}

/* A picture of the past shows no countdown to the next decay pass. */
static void test_no_countdown(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_resize(s, 120, 30);
	stage_sees(s, "next pass");
	stage_keys(s, "[");
	stage_sees_not(s, "next pass");
}

/* A snapshot is read once and has no other time. */
static void test_no_past(void **state)
{
	struct stage *s = *state = stage_empty(NULL);

	s->app->source.live = false;
	stage_keys(s, "[");
	stage_sees(s, "no past data");
	stage_keys(s, "@1h ago<Enter><Esc>P");
	stage_sees(s, "no past to play");
}

/* ---- back-tests ---------------------------------------------------------------------------- */

#define TREE "physics 40\n\t+alice 1 5000\n"
#define JOB \
	"*job id=7 user=alice account=physics state=COMPLETED cpus=4 submit=1794182400 " \
	"start=1794182400 end=1794182440 time_limit=60\n"

/* Opens the back-test of a recording of two pictures, at 00:00 and 00:02 with JOBS. */
static struct stage *backtest(const char *jobs)
{
	struct stage *s = stage(TREE);
	struct timeline line = { .count = 0 };
	struct event event = { .type = EVENT_PAST, .past = &line, .ms = s->ms,
			       .now = SKETCH_TIME };
	char text[600];
	size_t count;
	uint32_t needs;

	stage_resize(s, 120, 40);
	assert_null(app_survey(s->app, &count, &needs));	/* no picture is wanted yet */
	timeline_add(&line, SKETCH_TIME);
	timeline_add(&line, SKETCH_TIME + 120);
	app_event(s->app, &event);
	stage_keys(s, "7");
	event.type = EVENT_LOOK;
	for (const int64_t *wanted; (wanted = app_survey(s->app, &count, &needs));) {
		event.time = wanted[0];
		snprintf(text, sizeof(text), "~%d\n%s%s", (int)(wanted[0] - SKETCH_TIME), TREE,
			 wanted[0] > SKETCH_TIME ? jobs : "");
		event.cluster = sketch_cluster(text, FS_CLASSIC);
		app_event(s->app, &event);
	}
	app_draw(s->app, s->canvas);
	return s;
}

/* 40 s are fewer steps than a curve can have: the cursor stays within them. */
static void test_short_backtest(void **state)
{
	struct stage *s = *state = backtest(JOB);

	stage_sees(s, "2026-11-09 00:00:20");
	stage_sees(s, "a 1.6% b 1.6%");		/* 4 of 256 CPUs */
	stage_keys(s, "<S-Right><S-Right>");
	stage_sees(s, "2026-11-09 00:00:39");
	stage_resize(s, 80, 24);		/* its tab closes and opens it */
	stage_keys(s, "<Click:44,1>");
	stage_sees(s, "[5 Policy]");
	stage_sees_not(s, "Back-test:");
	stage_keys(s, "<Click:54,1>");
	stage_sees(s, " 5 Policy [7 Bac");
	stage_sees(s, "Back-test:");
}

static void test_left_out_of_backtest(void **state)
{
	struct stage *s = *state =
		backtest(JOB "*job id=8 user=alice account=physics state=RUNNING cpus=4\n"
			 "*job id=9 user=alice account=physics state=PENDING cpus=4 "
			 "submit=1794182400\n");

	stage_sees(s, "2 jobs left out: 1 never ran, 1 no submit time");
}

/* No thread can have such a large stack; only glibc lets a program ask for it. */
static void test_no_thread_for_backtest(void **state)
{
	(void)state;
#ifdef __GLIBC__
	pthread_attr_t usual, huge;
	struct stage *s;

	assert_int_equal(pthread_getattr_default_np(&usual), 0);
	assert_int_equal(pthread_attr_init(&huge), 0);
	assert_int_equal(pthread_attr_setstacksize(&huge, SIZE_MAX / 4 & ~(size_t)0xfffff), 0);
	assert_int_equal(pthread_setattr_default_np(&huge), 0);
	s = backtest(JOB);
	assert_int_equal(pthread_setattr_default_np(&usual), 0);
	stage_sees(s, "no thread could be started");
	assert_int_equal(s->app->backtests->state, BACKTESTS_NONE);
	stage_leave(s);
	pthread_attr_destroy(&huge);
	pthread_attr_destroy(&usual);
#else
	skip();
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		stage_test(test_steps),
		stage_test(test_meanwhile),
		stage_test(test_words),
		stage_test(test_outage),
		stage_test(test_policy_changes),
		stage_test(test_play),
		stage_test(test_play_over_gaps),
		stage_test(test_zoom),
		stage_test(test_difference),
		stage_test(test_difference_news),
		stage_test(test_mouse),
		stage_test(test_no_countdown),
		stage_test(test_no_past),
		stage_test(test_short_backtest),
		stage_test(test_left_out_of_backtest),
		cmocka_unit_test(test_no_thread_for_backtest),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
