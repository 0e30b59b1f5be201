/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charts over time: which pictures they read and in what order, that the values are those of the
 * pictures, which rows they follow, and that gaps stay gaps.
 */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "tests/support/stage.h"

/* Shows a picture SECONDS after the first one; with BOB or without him. */
static void show(struct stage *s, int seconds, int usage, bool bob)
{
	char text[300];

	snprintf(text, sizeof(text),
		 "~%d\nphysics 40\n\t+alice 1 %d\n%sbiology 10\n\t+carol 1 1000\n", seconds, usage,
		 bob ? "\t+bob 1 500\n" : "");
	s->ms = 1000000 + seconds * 1000;
	stage_show(s, text);
}

/* Runs all pending work of the screen. */
static void after_event(struct stage *s)
{
	do {
		s->effects = 0;
		stage_wait(s, 0);
	} while (s->effects & APP_MORE);
}

static struct stage *ten_minutes(void)
{
	struct stage *s = stage_empty(NULL);

	for (int i = 0; i <= 10; i++)
		show(s, 60 * i, 5000 + 100 * i, i < 6);
	stage_keys(s, "*");
	return s;
}

static void test_values(void **state)
{
	struct stage *s = *state = ten_minutes();
	const struct chart *c = s->app->chart;

	stage_keys(s, "/alice<Enter>:history usage<Enter>");
	after_event(s);
	stage_sees(s, "/physics:alice");
	assert_int_equal(c->count, 11);
	for (int i = 0; i <= 10; i++) {
		const struct chart_point *p = chart_at(c, SKETCH_TIME + 60 * i + 59);
		assert_int_equal(p->time, SKETCH_TIME + 60 * i);
		assert_true(p->values[0][0] == 5000 + 100 * i);
	}
	stage_keys(s, "[[[");
	stage_sees(s, "5.70k");
	show(s, 660, 9000, false);		/* draws later pictures, too */
	after_event(s);
	assert_int_equal(c->count, 12);
	assert_true(chart_at(c, SKETCH_TIME + 660)->values[0][0] == 9000);
}

/* Only the user, not time, changes which rows the chart draws. */
static void test_rows(void **state)
{
	struct stage *s = *state = ten_minutes();
	const struct chart *c = s->app->chart;

	stage_resize(s, 120, 40);
	stage_keys(s, "@00:03<Enter>/bob<Enter>6");
	after_event(s);
	stage_sees(s, "/physics:bob");
	assert_false(isnan(chart_at(c, SKETCH_TIME + 300)->values[0][0]));
	assert_true(isnan(chart_at(c, SKETCH_TIME + 360)->values[0][0]));
	stage_keys(s, "=");
	after_event(s);
	stage_sees(s, "/physics:bob");		/* though bob is gone */
	stage_keys(s, "g");
	after_event(s);
	stage_sees_not(s, "/physics:bob");
	stage_keys(s, "/carol<Enter><Space>/alice<Enter><Space>");
	after_event(s);
	stage_sees(s, "a /physics:alice  b /biology:carol");
	assert_int_equal(c->rows, 2);
	stage_keys(s, "6");
	stage_sees_not(s, "Over time");
}

/* Where the chart hides the rows, the arrows still move through rows and through time. */
static void test_arrows(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_keys(s, "/alice<Enter>6");
	stage_sees(s, "/physics:alice");
	stage_keys(s, "<Down>");
	stage_sees(s, "/biology");
	stage_keys(s, "<Up><Left>");
	stage_sees(s, "/physics:alice");
	stage_sees(s, "PAST 2026-11-09 00:09");
	stage_keys(s, "<Left><Left><Right>");
	stage_sees(s, "PAST 2026-11-09 00:08");
}

static void test_columns(void **state)
{
	struct stage *s = *state = ten_minutes();

	stage_keys(s, ":history nonsense<Enter>");
	stage_sees(s, "nonsense");
	stage_keys(s, ":history account<Enter>");
	stage_sees(s, "account is not a number");
	stage_keys(s, ":history rank,shares,usage,burn<Enter>");
	stage_sees(s, "at most 3 columns");
	stage_keys(s, ":history rank<Enter>6j6");	/* remembers the choice */
	stage_sees(s, "Rank");
	assert_int_equal(s->app->chart->column_count, 1);
}

/* An outlier does not flatten the others; a value equal to the share is not marked as over it. */
static void test_outlier(void **state)
{
	struct stage *s = *state = stage_empty(NULL);
	char text[200];

	stage_resize(s, 120, 40);
	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "~%d\nphysics 40\n\t+alice 1 %d\nbio 40\n\t+bob 1 %d\n"
			 "sea 40\n\t+carol 1 %d\n", 60 * i, 900000 + i, 100 + 100 * i, 1500);
		stage_show(s, text);
	}
	stage_keys(s, "j:history usage<Enter>");
	after_event(s);
	stage_sees(s, "1.50k\u2502");		/* the axis ends above carol */
	stage_sees(s, "a\u2191");		/* alice is above it, */
	stage_sees(s, "a 900.00k");		/* her value is named */
	stage_leave(s);

	s = *state = stage_empty(NULL);
	stage_resize(s, 120, 40);
	stage_show(s, "physics 40\n\t+alice 1 900\nbio 40\n\t+bob 1 500\n");
	stage_show(s, "~60\nphysics 40\n\t+alice 1 700\nbio 40\n\t+bob 1 700\n");
	stage_keys(s, "j:history fairshare<Enter>");
	after_event(s);
	stage_sees(s, "at its share since");
	stage_sees_not(s, "over-served since");
	stage_leave(s);

	/* A single row keeps its own scale, however far above its share. */
	s = *state = stage_empty(NULL);
	stage_resize(s, 120, 40);
	stage_show(s, "physics 1\n\t+alice 1 0\nbio 40\n\t+bob 1 900\n");
	stage_show(s, "~60\nphysics 1\n\t+alice 1 900\nbio 40\n\t+bob 1 900\n");
	stage_keys(s, "/alice<Enter>:history effective_ratio<Enter>");
	after_event(s);
	stage_sees(s, "20\u2502");
}

/* ---- recordings ---------------------------------------------------------------------------- */

static struct stage *recorded(int pictures, int every)
{
	struct stage *s = stage_empty(NULL);
	struct timeline line = { .count = 0 };
	struct event event = { .type = EVENT_PAST, .past = &line, .ms = s->ms,
			       .now = SKETCH_TIME };

	for (int i = 0; i < pictures; i++)
		timeline_add(&line, SKETCH_TIME - (int64_t)(pictures - 1 - i) * every);
	app_event(s->app, &event);
	show(s, 0, 5000, true);
	return s;
}

/* A survey is bounded; its first pictures are spread over the whole time. */
static void test_survey(void **state)
{
	struct stage *s = *state = recorded(20000, 30);
	const int64_t *wanted;
	int64_t first, last;
	uint32_t needs;
	size_t count;

	stage_keys(s, "j:history usage<Enter>");
	assert_true(s->effects & APP_SURVEY);
	wanted = app_survey(s->app, &count, &needs);
	assert_in_range(count, 50, 200);
	assert_int_equal(needs & NEED_JOBS, 0);		/* the tree needs no jobs */
	assert_true(travel_window(s->app, &first, &last));
	assert_int_equal(wanted[0], first);
	for (size_t i = 1; i < 4; i++)		/* far from each other */
		for (size_t j = 0; j < i; j++)
			assert_true(llabs(wanted[i] - wanted[j]) > (last - first) / 8);
	stage_keys(s, "q");
	(void)app_survey(s->app, &count, &needs);
	assert_int_equal(count, 0);
}

static void answer(struct stage *s, bool readable)
{
	struct event event = { .type = EVENT_LOOK, .ms = s->ms, .now = SKETCH_TIME };
	size_t count;
	uint32_t needs;
	const int64_t *wanted = app_survey(s->app, &count, &needs);

	assert_true(count > 0);
	event.time = wanted[0];
	if (readable)
		event.cluster = sketch_cluster("physics 40\n\t+alice 1 7000\n", FS_CLASSIC);
	app_event(s->app, &event);
	app_draw(s->app, s->canvas);
}

/* Pictures already read are kept in a smaller window; unreadable ones are not read again. */
static void test_answers(void **state)
{
	struct stage *s = *state = recorded(100, 30);
	size_t count, before;
	uint32_t needs;

	stage_keys(s, "j:history usage<Enter>");
	stage_sees(s, "reading 0 of 99");
	answer(s, true);
	answer(s, false);
	stage_sees(s, "reading 2 of 99");
	while (app_survey(s->app, &count, &needs), count > 0)
		answer(s, true);
	stage_sees_not(s, "reading");
	before = s->app->chart->count;
	s->effects = 0;
	stage_keys(s, "s");
	(void)app_survey(s->app, &count, &needs);
	assert_int_equal(count, 0);
	assert_int_equal(s->app->chart->count, before);
	stage_keys(s, ":set algorithm classic<Enter>");	/* these values are outdated */
	(void)app_survey(s->app, &count, &needs);
	assert_true(count > 0);
}

/*
 * The past of the pools arrives while another view is open; the view of pools, opened later,
 * compares with no picture that was freed meanwhile.
 */
static void test_pools_unopened(void **state)
{
	static const char pools[] = "~%d\nphysics 40\n\t+alice 1 5000\n"
				    "*pool name=compute\n*queue name=short pool=compute\n";
	struct stage *s = *state = stage_empty(NULL);
	const struct list *list = &s->app->sheets[VIEW_POOLS].list;
	char text[sizeof(pools) + 20];

	for (int i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), pools, 60 * i);
		stage_show(s, text);
		if (i == 0)
			app_pools_anew(s->app);
		assert_null(list->now.keys);
	}
	stage_keys(s, "3");
	stage_sees(s, "Dispatch short");
	assert_null(list->before.keys);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		stage_test(test_values),
		stage_test(test_rows),
		stage_test(test_arrows),
		stage_test(test_columns),
		stage_test(test_outlier),
		stage_test(test_survey),
		stage_test(test_pools_unopened),
		stage_test(test_answers),
	};

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
