/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random keys, clicks, resizes, refreshes and failures from a fixed seed: whatever a user (or a
 * cat) does, every frame is whole, the cursor stays in the window, and a refresh leaves the cursor
 * on its row while that row exists, except for a first row that leaves the page, as in list.h.
 * FAIRTOP_KEYS gives the number of events (the default keeps make check short), and "7000:3" also
 * the seed.
 */
#include <locale.h>
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
#include "tests/support/sketch.h"
#include "tui/panes/chart.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane.h"
#include "tui/screen/app.h"
#include "tui/screen/screen.h"
#include "tui/screen/worker.h"
#include "tui/time/travel.h"
#include "tui/whatif/making.h"
#include "tui/cells/keys.h"

#define EVENTS 6000

static uint64_t seed = 20261109;

static uint32_t number(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)((seed >> 33) % below);
}

/* Jobs of arrays, held jobs, jobs in two partitions; queues in and outside a pool. */
static size_t random_jobs(char *text, size_t used)
{
	static const char *const states[] = { "PENDING", "PENDING", "RUNNING", "COMPLETING" };
	static const char *const reasons[] = { "Priority", "Dependency", "AssocGrpCpuLimit",
					       "QOSGrpJobsLimit", "Reservation" };

	used += (size_t)snprintf(text + used, 65536 - used,
				 "=PriorityWeightAge %u\n=PriorityWeightFairshare 1000\n"
				 "*partition name=one job_factor=1\n*partition name=two\n"
				 "*qos name=normal grp_jobs=2\n*pool name=pool1\n",
				 number(2) * 500);
	for (unsigned i = 0; i < number(5); i++)
		used += (size_t)snprintf(text + used, 65536 - used,
					 "*queue name=q%u share=%u pool=%s priority=%u\n", i,
					 number(101), number(3) ? "pool1" : "", number(90));
	for (unsigned i = 0; i < 30; i++) {
		if (number(4) == 0)
			continue;
		used += (size_t)snprintf(
			text + used, 65536 - used,
			"*job id=%u array=%u task=%u user=u%u account=acct1 partition=%s "
			"qos=normal "
			"state=%s reason=%s priority=%u submit=1794100000 name=j%u "
			"dependency=afterok:%u reservation=r\n",
			900 + i, number(3) ? 900 + i / 6 * 6 : 0, i, number(12),
			number(4) ? "one" : "one,two", states[number(4)], reasons[number(5)],
			number(5), i, 900 + number(30));
	}
	return used;
}

/* Accounts come and go, users come and go, usage moves. */
static struct cluster *random_cluster(int64_t ms)
{
	char *text = mem_zalloc(65536, 1);
	size_t used = (size_t)snprintf(text, 65536, "~%lld\n", (long long)ms / 1000);
	struct cluster *c;

	for (unsigned i = 0; i < 12; i++) {
		if (number(5) == 0)
			continue;
		used += (size_t)snprintf(text + used, 65536 - used, "acct%u %u #%u\n", i, number(4),
					 100 + i);
		for (unsigned j = 0; j < 12; j++) {
			if (number(4) == 0)
				continue;
			used += (size_t)snprintf(
				text + used, 65536 - used, "\t+u%u %s %u #%u r%u p%u\n", j,
				number(9) ? "2" : "parent", number(1000) * number(1000),
				1000 + 20 * i + j, number(3), number(3));
		}
	}
	used = random_jobs(text, used);
	c = sketch_cluster(text, (int)number(3));
	mem_free(text);
	return c;
}

static uint32_t random_key(void)
{
	static const uint32_t special[] = {
		KEYS_UP,     KEYS_DOWN,	   KEYS_LEFT,	KEYS_RIGHT, KEYS_PGUP, KEYS_PGDN,
		KEYS_HOME,   KEYS_END,	   KEYS_TAB,	KEYS_ENTER, KEYS_ESC,  KEYS_BACKSPACE,
		KEYS_DELETE, KEYS_BACKTAB, KEYS_F1 + 3, 0x10,	    0x0c,      0x15,
		0x17,	     0x01,	   0xe9,	0x65e5,	    0x301,     0x1b,
		KEYS_SHIFT_LEFT, KEYS_SHIFT_RIGHT,
	};
	static const char likely[] = "jjjkkhl*/nNfeC <>IcTuFzrt?:q12345gG+-oJKpHLUym%xEX"
				     "[[]{}=@P,.sSV6DLLHv&Z0fabw78dADOR|_";

	switch (number(4)) {
	case 0:
		return special[number(sizeof(special) / sizeof(special[0]))];
	case 1:
		return 0x20 + number(0x5f);
	default:
		return (uint32_t)likely[number(sizeof(likely) - 1)];
	}
}

static void check_canvas(const struct canvas *c)
{
	for (int y = 0; y < c->height; y++) {
		int x = 0;
		while (x < c->width) {
			const struct cell *cell = c->cells + (size_t)y * (size_t)c->width + x;
			assert_in_range(cell->width, 1, 2);
			assert_true((unsigned char)cell->text[0] >= 0x20 && cell->text[0] != 0x7f);
			x += cell->width;
		}
		assert_int_equal(x, c->width);
	}
	assert_true(c->cursor_x < c->width && c->cursor_y < c->height);
}

static void check_list(const struct list *l)
{
	if (list_empty(l))
		return;
	assert_true(l->cursor < l->count);
	assert_true(l->top <= l->cursor && l->cursor < l->top + l->page);
	assert_int_equal(l->items[l->cursor].flags & ITEM_GHOST, 0);
}

static bool has_key(const struct list *l, uint64_t key, uint32_t *row)
{
	for (uint32_t i = 0; i < l->now.view.rows; i++) {
		if (l->now.keys[i] == key) {
			*row = i;
			return true;
		}
	}
	return false;
}

/* Returns whether the cursor is on the first row; only rows that are already gone may be above. */
static bool is_first(const struct list *l)
{
	for (uint32_t i = 0; i < l->cursor; i++) {
		if ((l->items[i].flags & ITEM_GHOST) == 0)
			return false;
	}
	return true;
}

/* Refreshes; the cursor stays on its row if it is still shown, unless it is the page's first. */
static void refresh(struct app *app, struct event *event)
{
	struct list *l = &app->sheets[app->view].list;
	uint32_t row = list_row(l), now;
	uint64_t key = row != ROW_NONE ? l->now.keys[row] : 0;
	bool first = is_first(l);

	event->type = EVENT_CLUSTER;
	event->cluster = random_cluster(event->ms);
	app_event(app, event);
	if (row == ROW_NONE || app->follow || !has_key(l, key, &now) || l->place[now] == ROW_NONE ||
	    (first && l->place[now] >= l->page))
		return;
	assert_int_equal(list_row(l), now);
}

/* Gives a past up to MS, with gaps and changes. */
static void give_past(struct app *app, struct event *event)
{
	struct timeline line = { .count = 0 };
	int64_t time = SKETCH_TIME;

	for (unsigned i = 0; i < 1 + number(300); i++) {
		time += 1 + number(500);
		timeline_add(&line, time);
		if (number(20) == 0)
			timeline_add_change(&line, time);
		if (number(20) == 0)
			timeline_add_gap(&line, time, number(5) ? time + number(900) : I64_UNKNOWN,
					 number(2) ? "" : "no answer\033[2J");
	}
	line.end = time + (int64_t)number(100);
	event->type = EVENT_PAST;
	/* The event is handled before LINE goes out of scope. */
	/* cppcheck-suppress autoVariables */
	event->past = &line;
	app_event(app, event);
}

/* Answers what the screen wants to read, some of it as unreadable. */
static void answer(struct app *app, struct event *event)
{
	size_t count;
	uint32_t needs;
	const int64_t *wanted = app_survey(app, &count, &needs);

	event->type = EVENT_LOOK;
	event->time = count > 0 && number(10) ? wanted[0] : SKETCH_TIME;
	event->cluster = number(4) ? random_cluster(event->ms) : NULL;
	app_event(app, event);
}

static void random_event(struct app *app, struct canvas *canvas, int64_t ms)
{
	struct source_state source = { .health = (enum source_health)number(4),
				       .live = number(5) > 0 };
	struct event event = { .type = EVENT_KEY, .ms = ms, .now = SKETCH_TIME + ms / 1000 };

	switch (number(40)) {
	case 0:
		event.type = EVENT_RESIZE;
		event.x = 1 + (int)number(number(2) ? 70 : 220);
		event.y = 1 + (int)number(number(2) ? 18 : 70);
		canvas_resize(canvas, event.x, event.y);
		break;
	case 1:
		event.type = EVENT_SOURCE;
		source.last_good_ms = number(3) ? ms - (int64_t)number(100000) : -1;
		snprintf(source.name, sizeof(source.name), "sketch");
		snprintf(source.problem, sizeof(source.problem), "%s",
			 number(2) ? "no answer\033[2J" : "");
		event.source = &source;
		break;
	case 2:
		event.type = EVENT_TIME;
		break;
	case 3:
	case 4:
		event.type = EVENT_CLICK;
		event.x = (int)number(230);
		event.y = (int)number(75);
		break;
	case 5:
		event.type = EVENT_WHEEL;
		event.y = number(2) ? 1 : -1;
		break;
	case 6:
		refresh(app, &event);
		return;
	case 7:
		if (number(30) == 0) {
			give_past(app, &event);
			return;
		}
		answer(app, &event);
		return;
	default:
		event.key = random_key();
		break;
	}
	app_event(app, &event);
}

/* ---- pictures that come as late as they like ------------------------------------------------- */

static struct making *asked, *made;

/* Types a command that asks for another picture. */
static void type_edit(struct app *app, int64_t ms)
{
	static const char *const lines[] = {
		":edit weight.age = 0\r", ":edit weight.age = 100000\r",
		":edit weight.fairshare = 100000\r", ":edit shares:/acct1 = 5\r",
		":edit shares:/acct7 = 9\r", ":edit job:905.nice = 100\r",
		":edit algorithm = fair-tree\r", ":next-set A\r", ":next-set B\r", ":beside\r",
		":set algorithm classic\r", ":set algorithm auto\r", ":set base usage\r",
		":set base auto\r", ":exclude user\r", "E", "E", "_", "b", "b", "4", "2", "6",
	};
	struct event event = { .type = EVENT_KEY, .ms = ms, .now = SKETCH_TIME + ms / 1000 };
	const char *line = lines[number(sizeof(lines) / sizeof(lines[0]))];

	for (event.key = KEYS_ESC; app->prompt.kind != PROMPT_NONE;)
		app_event(app, &event);
	for (; *line != '\0'; line++) {
		event.key = *line == '\r' ? KEYS_ENTER : (uint32_t)(unsigned char)*line;
		app_event(app, &event);
	}
}

/* The newest order wins, and of the answers the newest is taken, as with a worker. */
static void make_picture(void)
{
	if (!asked)
		return;
	making_run(asked);
	making_free(made);
	made = asked;
	asked = NULL;
}

static void take_picture(struct app *app, int64_t ms)
{
	struct event event = { .type = EVENT_ANSWER, .ms = ms, .now = SKETCH_TIME + ms / 1000,
			       .work = &maker_work, .answer = made };

	made = NULL;
	if (event.answer)
		app_event(app, &event);
}

static void take_order(struct app *app)
{
	struct making *order = making_order(app);

	if (!order)
		return;
	making_free(asked);
	asked = order;
}

/* The sum of a set equals one that is computed alone. */
static void check_sum(const struct app *app, uint32_t set)
{
	struct making m = { .set = set, .over = true, .of = whatif_base(app),
			    .how = app_order(app) };

	m.how.classes = false;
	memcpy(m.sets, app->whatif->sets, sizeof(m.sets));
	making_run(&m);
	if (m.sums[set].known)
		assert_int_equal(app->whatif->sums[set].moved, m.sums[set].moved);
	picture_free(m.picture);
	for (size_t i = 0; i < WHATIF_SETS; i++)
		changes_places_free(m.places[i]);
}

/* Once nothing is left to make, the screen shows what is wanted. */
static void check_pictures(struct app *app, int64_t ms)
{
	const struct picture *p;
	struct class_choice choice;

	for (int i = 0; i < 9; i++) {
		take_order(app);
		make_picture();
		take_picture(app, ms);
	}
	assert_false(whatif_waits(app));
	assert_null(app->whatif->coming);
	p = app->picture;
	if (!p)
		return;
	assert_int_equal(p->changes != NULL, making_is_over(app));
	assert_int_equal(whatif_base(app)->options.algorithm, app->model_options.algorithm);
	assert_int_equal(whatif_base(app)->options.base, app->model_options.base);
	choice = picture_choice(p->cluster, &app->class_pick);
	if (app->opened[VIEW_CLASSES])
		assert_true(queue_is_grouped(p->queue, &choice));
	for (uint32_t i = 0; i < WHATIF_SETS; i++) {
		if (app->whatif->sets[i] && app->whatif->sums[i].known)
			check_sum(app, i);
	}
}

static void random_making(struct app *app, int64_t ms)
{
	take_order(app);
	if (number(4) == 0)
		make_picture();
	if (number(4) == 0)
		take_picture(app, ms);
	if (number(15) == 0)
		check_pictures(app, ms);
}

static void test_random_keys(void **state)
{
	const char *wish = getenv("FAIRTOP_KEYS");
	const char *colon = wish ? strchr(wish, ':') : NULL;
	unsigned long events = wish ? strtoul(wish, NULL, 10) : EVENTS;
	struct app *app = app_new(NULL);
	struct canvas *canvas = canvas_new(80, 24, false);
	struct screen_options o;
	int64_t ms = 0;

	(void)state;
	if (colon)
		seed = strtoull(colon + 1, NULL, 10);
	screen_options_init(&o);
	o.me = "u3";
	assert_true(app_options(app, &o, NULL));
	for (unsigned long i = 0; i < events; i++) {
		ms += number(1500);
		if (number(3) > 0)
			random_event(app, canvas, ms);
		else do {
			type_edit(app, ms);
			random_making(app, ms);
		} while (number(2));
		random_making(app, ms);
		app_draw(app, canvas);
		check_canvas(canvas);
		for (int view = 0; view < VIEW_COUNT; view++)
			check_list(&app->sheets[view].list);
		int64_t next = app_next_ms(app);
		assert_true(next < 0 || next >= ms + (app->travel->speed > 0 ? 0 : 1000));
	}
	making_free(asked);
	making_free(made);
	app_free(app);
	canvas_free(canvas);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_random_keys) };

	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
