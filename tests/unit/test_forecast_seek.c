/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forecast and seek in slices: the answer equals the one computed in one go. A small cluster's
 * answer is immediate; a large one's comes from a thread while the screen goes on; it reports
 * progress and stops when nobody looks any longer. The picture may be freed meanwhile.
 */
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "core/base/mem.h"
#include "tests/support/stage.h"
#include "tui/panes/chart.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_inspect.h"
#include "tui/screen/app.h"
#include "tui/screen/worker.h"
#include "tui/screen/screen.h"
#include "tui/time/travel.h"
#include "tui/whatif/whatif_sets.h"

static struct cluster *demo_of(uint32_t users, uint32_t jobs)
{
	struct demo_options options = DEMO_OPTIONS_DEFAULT;
	struct demo *d;
	struct cluster *c;

	if (users > 0) {
		options.users = users;
		options.jobs = jobs;
	}
	d = demo_new(&options);
	c = demo_picture(d, NULL);
	demo_free(d);
	return c;
}

static void same_forecast(const struct forecast *a, const struct forecast *b)
{
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->reached, b->reached);
	assert_string_equal(a->sentence, b->sentence);
	assert_memory_equal(a->points, b->points, a->count * sizeof(a->points[0]));
}

static void same_seek(const struct seek *a, const struct seek *b)
{
	assert_int_equal(a->count, b->count);
	assert_string_equal(a->sentence, b->sentence);
	for (uint32_t i = 0; i < a->count; i++) {
		assert_string_equal(a->answers[i].edit, b->answers[i].edit);
		assert_string_equal(a->answers[i].note, b->answers[i].note);
	}
}

/* All kinds of questions about one job and its association, in slices and in one go. */
static void test_same(void **state)
{
	struct cluster *c = demo_of(0, 0);
	struct model_options raw = { -1, FS_BASE_USAGE, -1 };
	struct model *m = model_new(c, &raw, NULL);
	struct jobs *j = jobs_new(m, NULL);
	uint32_t entry = j->order->order[j->order->count / 2];

	(void)state;
	for (int kind = 0; kind < 8; kind++) {
		struct forecast_seek_order order = {
			.kind = kind & 1 ? ASK_SEEK : ASK_FORECAST,
			.options = MODEL_OPTIONS_DEFAULT, .assoc = j->index->assoc[entry],
			.entry = kind & 2 ? entry : ROW_NONE,
			.forecast = { .reach = kind & 4 ? 0.4 : F64_UNKNOWN,
				      .burn = kind & 4 ? FORECAST_NONE : FORECAST_NOW },
			.reach = kind & 2 ? 3 : 0.4,
		};
		struct forecast_seek *q = forecast_seek_new(&order, c, NULL);
		struct forecast_question when = order.forecast;
		struct seek_question which = { .assoc = order.assoc, .entry = order.entry,
					      .reach = order.reach };
		union forecast_seek_answer sliced, whole;

		/* A small cluster is answered at once. */
		assert_int_equal(forecast_seek_advance(q, true, &sliced, NULL), ASK_DONE);
		when.assoc = order.assoc;
		when.entry = order.entry;
		if (order.kind == ASK_FORECAST) {
			assert_true(forecast(m, order.entry != ROW_NONE ? j : NULL, &when,
					     &whole.forecast, NULL));
			same_forecast(&sliced.forecast, &whole.forecast);
			forecast_free(&sliced.forecast);
			forecast_free(&whole.forecast);
		} else {
			assert_true(seek(m, order.entry != ROW_NONE ? j : NULL, &which,
					 &whole.seek, NULL));
			same_seek(&sliced.seek, &whole.seek);
			seek_free(&sliced.seek);
			seek_free(&whole.seek);
		}
		forecast_seek_free(q);
	}
	jobs_free(j);
	model_free(m);
	cluster_free(c);
}

#define LARGE 60000

static void test_slices(void **state)
{
	struct cluster *c = demo_of(LARGE, 100);
	struct forecast_seek_order order = { .kind = ASK_SEEK, .options = MODEL_OPTIONS_DEFAULT,
				     .assoc = 9, .entry = ROW_NONE, .reach = 0.4 };
	struct forecast_seek *q = forecast_seek_new(&order, c, NULL);
	union forecast_seek_answer answer;
	uint32_t slices = 0;
	char text[120];

	(void)state;
	/* The question does not need the caller's picture. */
	cluster_free(c);
	assert_int_equal(forecast_seek_advance(q, true, &answer, NULL), ASK_UNDER_WAY);
	forecast_seek_progress(q, text, sizeof(text));
	assert_string_equal(text, "computing current values from raw usage");
	while (forecast_seek_advance(q, false, &answer, NULL) == ASK_UNDER_WAY) {
		forecast_seek_progress(q, text, sizeof(text));
		slices++;
	}
	assert_true(slices > 3);
	assert_non_null(strstr(text, "trying edit"));
	assert_true(answer.seek.count > 0);
	seek_free(&answer.seek);
	forecast_seek_free(q);
	forecast_seek_free(NULL);
}

/* On the screen: the search continues between keys, and closing the box cancels it. */
static void test_screen(void **state)
{
	struct stage *s = *state = stage_empty(NULL);
	struct event event = { .type = EVENT_CLUSTER, .ms = s->ms + 1, .now = 1,
			       .cluster = demo_of(LARGE, 100) };

	/* Without data yet. */
	stage_keys(s, ":forecast 0.5 none<Enter>");
	stage_sees(s, "forecast: no data yet");
	stage_keys(s, ":seek 0.5<Enter>");
	stage_sees(s, "seek: no data yet");
	(void)app_event(s->app, &event);
	stage_keys(s, "j:forecast<Enter>");
	assert_int_not_equal(s->app->forecasts->asked, 0);
	stage_sees(s, "Forecast");
	stage_sees(s, "q stops it");
	stage_keys(s, "q");
	assert_int_equal(s->app->forecasts->asked, 0);
	stage_sees_not(s, "Forecast");
	stage_keys(s, ":seek 0.4<Enter>");
	assert_int_not_equal(s->app->forecasts->asked, 0);
	stage_keys(s, "<Enter>");		/* there is no answer yet */
	assert_int_equal(whatif_count(s->app), 0);
	/* The next picture arrives meanwhile. */
	event.cluster = demo_of(LARGE, 100);
	event.ms = s->ms + 2;
	(void)app_event(s->app, &event);
	stage_wait(s, 1);
	assert_int_equal(s->app->forecasts->asked, 0);
	stage_sees(s, "shares:");
	assert_true(s->app->forecasts->seek.count > 0);
	/* Forecasts a what-if, whose edit is then undone. */
	stage_keys(s, "qashares:/physics = 60<Enter>:forecast<Enter>");
	assert_int_not_equal(s->app->forecasts->asked, 0);
	assert_ptr_not_equal(s->app->picture, whatif_base(s->app));
	stage_keys(s, ":undo<Enter>");
	assert_ptr_equal(s->app->picture, whatif_base(s->app));
	stage_wait(s, 1);
	/* It starts again for the picture shown now; until then the former answer stays. */
	assert_int_not_equal(s->app->forecasts->asked, 0);
	assert_true(s->app->forecasts->forecast.count > 0);
	stage_sees_not(s, "q stops it");
	stage_wait(s, 1);
	assert_int_equal(s->app->forecasts->asked, 0);
	assert_int_equal(s->app->forecasts->pictures, s->app->pictures);
}

/* A question without an answer is refused in its prompt. */
static void test_refused(void **state)
{
	struct stage *s = *state = stage("physics 40\n\t+alice 3 900000\n");

	stage_keys(s, ":seek 7<Enter>");
	stage_sees(s, "not a fair-share factor");
	assert_int_equal(s->app->forecasts->asked, 0);
}

/* The inspector forecasts the coming days for a tree of any size, and never shows another row's. */
static void test_inspector(void **state)
{
	struct stage *s = *state = stage_empty(NULL);
	struct event event;
	struct foresight *old;
	uint32_t first;

	stage_resize(s, 120, 40);
	event = (struct event){ .type = EVENT_CLUSTER, .ms = s->ms + 1, .now = 1,
				.cluster = demo_of(LARGE, 100) };
	(void)app_event(s->app, &event);
	stage_keys(s, "j");
	first = s->app->inspect->asked;
	assert_int_not_equal(first, 0);
	stage_sees_not(s, "in 7d");
	old = foresight_order(s->app);
	stage_keys(s, "j");
	assert_int_not_equal(s->app->inspect->asked, first);
	event = (struct event){ .type = EVENT_ANSWER, .ms = s->ms, .now = 1,
				.work = &foreseer_work, .answer = foreseer_work.answer(old) };
	(void)app_event(s->app, &event);
	assert_false(s->app->inspect->known);
	stage_wait(s, 1);
	assert_true(s->app->inspect->known);
	stage_sees(s, "in 7d");
	/* The next pictures neither remove it nor restart work under way. */
	for (int i = 0; i < 2; i++) {
		event = (struct event){ .type = EVENT_CLUSTER, .ms = s->ms, .now = 1,
					.cluster = demo_of(LARGE, 100) };
		(void)app_event(s->app, &event);
		assert_true(s->app->inspect->known);
		assert_int_not_equal(s->app->inspect->asked, 0);
		if (i == 0)
			first = s->app->inspect->asked;
	}
	assert_int_equal(s->app->inspect->asked, first);
	stage_wait(s, 1);
	assert_int_equal(s->app->inspect->asked, 0);
	stage_sees(s, "in 7d");
	/* Opening a box cancels the work under way; closing it starts again. */
	stage_keys(s, "j?");
	assert_int_equal(s->app->inspect->asked, 0);
	old = foresight_order(s->app);
	assert_non_null(old);
	assert_null(old->work);
	foresight_free(old);
	stage_keys(s, "q");
	stage_wait(s, 1);
	stage_sees(s, "in 7d");
}

static struct foresight *asked_for(struct cluster *c, uint32_t id)
{
	struct forecast_seek_order order = { .kind = ASK_SEEK, .options = MODEL_OPTIONS_DEFAULT,
				     .assoc = 9, .entry = ROW_NONE, .reach = 0.4 };
	struct foresight *f = mem_zalloc(1, sizeof(*f));

	f->id = id;
	f->kind = ASK_SEEK;
	f->work = forecast_seek_new(&order, c, NULL);
	return f;
}

/* Orders twice; the second is answered. Returns whether progress was reported before. */
static bool reported_by(struct worker *w, uint32_t id)
{
	struct cluster *c = demo_of(LARGE, 100);
	struct pollfd fd = { .fd = worker_fd(w), .events = POLLIN };
	struct foresight *f = NULL;
	bool reported = false;

	worker_order(w, asked_for(c, id - 1));
	worker_order(w, asked_for(c, id));
	cluster_free(c);
	do {
		foresight_free(f);
		assert_int_equal(poll(&fd, 1, 60000), 1);
		f = worker_take(w);
		reported = reported || (f && f->state == ASK_UNDER_WAY && f->progress[0] != '\0');
	} while (!f || f->id != id || f->state == ASK_UNDER_WAY);
	assert_int_equal(f->state, ASK_DONE);
	assert_true(f->answer.seek.count > 0);
	foresight_free(f);
	return reported;
}

/*
 * In the thread: the newest order wins, and progress comes before the answer. A slow reader may get
 * the answer alone, but not each time.
 */
static void test_thread(void **state)
{
	struct worker *w = worker_new(&foreseer_work, NULL);
	struct cluster *c;
	uint32_t id = 2;

	(void)state;
	while (!reported_by(w, id)) {
		id += 2;
		assert_true(id < 200);
	}
	/* The worker is freed while it works. */
	c = demo_of(LARGE, 100);
	worker_order(w, asked_for(c, 3));
	cluster_free(c);
	worker_free(w);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same), cmocka_unit_test(test_slices),
		stage_test(test_inspector), cmocka_unit_test(test_thread),
		stage_test(test_screen), stage_test(test_refused),
	};

	return cmocka_run_group_tests_name("forecast_seek", tests, NULL, NULL);
}
