/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures made in the collector's thread while the screen's thread shows, draws and drops others
 * and changes how they are to be made. ThreadSanitizer checks it.
 */
#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "tui/panes/chart.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane.h"
#include "tui/screen/app.h"
#include "tui/screen/loop.h"
#include "tui/screen/screen.h"
#include "tui/time/travel.h"
#include "tui/whatif/whatif_sets.h"
#include "tui/cells/keys.h"
#include "tui/screen/maker.h"
#include "tui/screen/worker.h"

#define EVERY_MS 2

/* ---- a source with something new each time --------------------------------------------------- */

struct lively {
	struct source source;
	struct demo *demo;
};

static enum fetch_result lively_fetch(struct source *source, const struct fetch_request *request,
				      struct cluster **out, struct err *err)
{
	struct lively *l = (struct lively *)source;

	(void)request;
	demo_advance(l->demo, 30);
	*out = demo_picture(l->demo, err);
	return FETCH_NEW;
}

static void lively_cancel(struct source *source)
{
	(void)source;
}

static void lively_close(struct source *source)
{
	struct lively *l = (struct lively *)source;

	demo_free(l->demo);
	mem_free(l);
}

static const struct source_ops lively_ops = {
	.scheme = "lively", .fetch = lively_fetch, .cancel = lively_cancel, .close = lively_close,
	.live = true,
};

static struct source *lively_new(void)
{
	const struct demo_options options = DEMO_OPTIONS_DEFAULT;
	struct lively *l = mem_zalloc(1, sizeof(*l));

	l->source.ops = &lively_ops;
	l->demo = demo_new(&options);
	return &l->source;
}

/* ---- both sides ------------------------------------------------------------------------------ */

struct fixture {
	struct collector *collector;
	struct maker *maker;
};

static struct fixture start(const struct picture_order *order)
{
	struct fixture f = { .maker = maker_new(order) };
	struct collector_maker making = maker_for_collector(f.maker);

	f.collector = collector_new_making(lively_new(), NEED_ALL, EVERY_MS, &making, NULL);
	assert_non_null(f.collector);
	return f;
}

static struct picture *next_picture(const struct fixture *f)
{
	struct pollfd fd = { .fd = collector_fd(f->collector), .events = POLLIN };
	struct picture *picture;

	while (!(picture = collector_take(f->collector, NULL)))
		poll(&fd, 1, -1);
	return picture;
}

static void send(struct app *a, struct event *event, int64_t ms)
{
	event->ms = ms;
	event->now = ms / 1000;
	app_event(a, event);
}

/* An order of the screen takes effect with one of the next pictures, if not the first. */
static void test_orders(void **state)
{
	struct picture_order order = { .options = MODEL_OPTIONS_DEFAULT };
	struct fixture f = start(&order);
	struct picture *p = next_picture(&f);

	(void)state;
	assert_non_null(p->model);
	assert_int_equal(p->model->algo->id, FS_DEPTH_OBLIVIOUS);
	assert_null(p->queue);
	order.options.algorithm = FS_FAIR_TREE;
	order.queue = order.classes = true;
	maker_order(f.maker, &order);
	do {
		picture_free(p);
		p = next_picture(&f);
	} while (p->options.algorithm != FS_FAIR_TREE);
	assert_int_equal(p->model->algo->id, FS_FAIR_TREE);
	assert_non_null(p->queue);
	assert_non_null(p->queue->classes);
	assert_true(p->queue->classes->classes->count < p->queue->classes->set->jobs);
	/* Classes by the user's choice; its text outlives the order's. */
	order.pick.chosen = order.pick.apart = true;
	snprintf(order.pick.exclude, sizeof(order.pick.exclude), "mem");
	maker_order(f.maker, &order);
	do {
		picture_free(p);
		p = next_picture(&f);
	} while (!p->queue->choice.apart);
	assert_int_equal(p->queue->classes->classes->count, p->queue->classes->set->jobs);
	memset(order.pick.exclude, 'x', 3);
	assert_true(queue_is_grouped(p->queue, &(struct class_choice){ .apart = true,
								       .exclude = "mem" }));
	assert_false(queue_is_grouped(p->queue, &(struct class_choice){ .apart = true }));
	picture_free(p);
	collector_free(f.collector);	/* perhaps with an untaken picture */
}

/* A picture made by an outdated order is adapted to the screen's present options. */
static void test_late_picture(void **state)
{
	const struct picture_order order = { .options = MODEL_OPTIONS_DEFAULT };
	struct fixture f = start(&order);
	struct screen_options o;
	struct event event = { .type = EVENT_RESIZE, .x = 80, .y = 24 };
	struct app *a = app_new(NULL);

	(void)state;
	screen_options_init(&o);
	o.model.algorithm = FS_CLASSIC;
	app_options(a, &o, NULL);
	send(a, &event, 1000);
	event = (struct event){ .type = EVENT_PICTURE, .picture = next_picture(&f) };
	send(a, &event, 2000);
	assert_int_equal(a->picture->model->algo->id, FS_CLASSIC);
	collector_free(f.collector);
	app_free(a);
}

/* Keys between pictures: opens every view, changes the algorithm, regroups classes. */
static void test_side_by_side(void **state)
{
	static const uint32_t keys[] = {
		'j', KEYS_ENTER, '2', 'j', 'e', '4', 'E', 'j', '3', 'j', '5', '1', '*', 'j', '4',
		'E', '2', 'G', '>', '1', 'I', 'z', 'z', 'h',
	};
	struct screen_options o;
	struct event event = { .type = EVENT_RESIZE, .x = 120, .y = 40 };
	struct canvas *canvas = canvas_new(120, 40, false);
	struct app *a = app_new(NULL);
	struct picture_order order;
	struct fixture f;
	size_t at = 0;

	(void)state;
	screen_options_init(&o);
	app_options(a, &o, NULL);
	send(a, &event, 0);
	order = app_order(a);
	f = start(&order);
	for (int64_t round = 1; round <= 40; round++) {
		event = (struct event){ .type = EVENT_PICTURE, .picture = next_picture(&f) };
		send(a, &event, round * 1000);
		app_draw(a, canvas);
		event = (struct event){ .type = EVENT_KEY, .key = keys[at++ % (sizeof(keys) /
									     sizeof(keys[0]))] };
		send(a, &event, round * 1000 + 500);
		app_draw(a, canvas);
		if (round % 4 == 0)
			a->model_options.algorithm = (int)(round / 4 % 3);
		order = app_order(a);
		maker_order(f.maker, &order);
	}
	assert_non_null(a->picture);
	collector_free(f.collector);
	canvas_free(canvas);
	app_free(a);
}

/* ---- the worker ------------------------------------------------------------------------------ */

/* Gives the worker what the app orders, and the app what the worker made meanwhile. */
static void exchange(struct app *a, struct worker *w, int64_t ms)
{
	struct event event = { .type = EVENT_ANSWER, .work = &maker_work };
	void *order = maker_work.order(a);

	if (order)
		worker_order(w, order);
	event.answer = worker_take(w);
	if (event.answer)
		send(a, &event, ms);
}

/*
 * Edits, sliders, sets, looks at the base and other classes, while the worker makes what-ifs and
 * the collector's thread new bases for them.
 */
static void test_what_ifs(void **state)
{
	static const uint32_t keys[] = {
		'2', 'w', KEYS_RIGHT, KEYS_RIGHT, 'j', KEYS_LEFT, '_', KEYS_RIGHT, 'b', 'j', 'b',
		'4', 'E', KEYS_RIGHT, '1', 'B', 'j', KEYS_RIGHT, 'V', 'E', '2', '>', KEYS_RIGHT,
	};
	struct screen_options o;
	struct event event = { .type = EVENT_RESIZE, .x = 120, .y = 40 };
	struct canvas *canvas = canvas_new(120, 40, false);
	struct app *a = app_new(NULL);
	struct worker *w = worker_new(&maker_work, NULL);
	struct picture_order order;
	struct fixture f;

	(void)state;
	assert_non_null(w);
	screen_options_init(&o);
	app_options(a, &o, NULL);
	send(a, &event, 0);
	order = app_order(a);
	f = start(&order);
	for (int64_t round = 1; round <= 120; round++) {
		if (round % 3 == 1) {
			event = (struct event){ .type = EVENT_PICTURE,
						.picture = next_picture(&f) };
			send(a, &event, round * 1000);
			exchange(a, w, round * 1000);
		}
		event = (struct event){ .type = EVENT_KEY, .key = keys[(size_t)round %
						(sizeof(keys) / sizeof(keys[0]))] };
		send(a, &event, round * 1000 + 500);
		app_draw(a, canvas);
		exchange(a, w, round * 1000 + 600);
		app_draw(a, canvas);
		order = app_order(a);
		maker_order(f.maker, &order);
	}
	while (whatif_waits(a)) {
		struct pollfd fd = { .fd = worker_fd(w), .events = POLLIN };

		poll(&fd, 1, -1);
		exchange(a, w, 200000);
	}
	assert_int_equal(whatif_count(a) > 0 && !a->whatif->flipped, whatif_changes(a) != NULL);
	worker_free(w);
	collector_free(f.collector);
	canvas_free(canvas);
	app_free(a);
}

/* ---- a source that hangs --------------------------------------------------------------------- */

static struct {
	sem_t goes_on;
	bool closed;
} hanging;

/* Ignores every cancel. */
static enum fetch_result hanging_fetch(struct source *source, const struct fetch_request *request,
				       struct cluster **out, struct err *err)
{
	(void)source;
	(void)request;
	*out = NULL;
	while (sem_wait(&hanging.goes_on) != 0)
		;
	err_set(err, ERR_SOURCE, "cancelled");
	return FETCH_FAILED;
}

static void hanging_close(struct source *source)
{
	hanging.closed = true;
	mem_free(source);
}

/* Leaving does not wait for the source; it is closed once its answer has come. */
static void test_leave(void **state)
{
	static const struct source_ops ops = {
		.scheme = "hanging", .fetch = hanging_fetch, .cancel = lively_cancel,
		.close = hanging_close, .live = true,
	};
	struct source *source = mem_zalloc(1, sizeof(*source));
	struct app *a = app_new(NULL);
	struct showing showing;

	(void)state;
	source->ops = &ops;
	sem_init(&hanging.goes_on, 0, 0);
	assert_true(showing_begin(&showing, a, source, NULL));
	showing_leave(&showing);
	assert_null(showing.collector);
	app_free(a);
	sem_post(&hanging.goes_on);
	showings_wait();
	assert_true(hanging.closed);
	sem_destroy(&hanging.goes_on);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_late_picture),
		cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_what_ifs),
		cmocka_unit_test(test_leave),
	};

	return cmocka_run_group_tests_name("maker", tests, NULL, NULL);
}
