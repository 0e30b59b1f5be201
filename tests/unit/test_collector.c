/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The collector: the screen's side of every promise of collector.h, with a source that follows the
 * test's orders, and with a child process that hangs, dies and recovers. The clock moves only when
 * a test moves it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/collector.h"
#include "adapters/remote.h"
#include "tests/support/await.h"
#include "tests/support/clock.h"
#include "tests/support/scratch.h"

/* ---- a source that obeys ------------------------------------------------------------------- */

#define BEGIN_MS 1000000
#define HOUR_MS 3600000

enum behaviour { GIVE, KEEP, FAIL, HANG, SLOW, END };

struct fake {
	struct source base;
	_Atomic int behaviour;
	atomic_uint asked, in_flight, most_in_flight, needs, closed, cancelled;
};

static struct cluster *small_cluster(unsigned n)
{
	struct cluster_meta meta = { .kind = "demo", .time = n };
	struct builder *b = builder_new();

	builder_meta(b, &meta);
	return builder_seal(b, NULL);
}

static enum fetch_result fake_fetch(struct source *base, const struct fetch_request *request,
				    struct cluster **out, struct err *err)
{
	struct fake *fake = (struct fake *)base;
	unsigned n = atomic_load(&fake->asked) + 1;
	enum fetch_result result = FETCH_NEW;

	await_count_up(&fake->asked);
	if (atomic_fetch_add(&fake->in_flight, 1) + 1 > atomic_load(&fake->most_in_flight))
		atomic_store(&fake->most_in_flight, atomic_load(&fake->in_flight));
	atomic_store(&fake->needs, request->needs);
	snprintf(base->health, sizeof(base->health), "fetch %u", n);
	switch (atomic_load(&fake->behaviour)) {
	case KEEP:
		result = FETCH_SAME;
		break;
	case FAIL:
		err_set(err, ERR_SOURCE, "slurmctld does not answer (%u)", n);
		result = FETCH_FAILED;
		break;
	case HANG:
		await_count(&fake->cancelled, 1);
		err_set(err, ERR_SOURCE, "cancelled");
		result = FETCH_FAILED;
		break;
	case SLOW:
		clock_advance(1100);
		break;
	case END:
		result = FETCH_END;
		break;
	default:
		break;
	}
	if (result == FETCH_NEW)
		*out = small_cluster(n);
	atomic_fetch_sub(&fake->in_flight, 1);
	return result;
}

static void fake_cancel(struct source *base)
{
	await_count_up(&((struct fake *)base)->cancelled);
}

static void fake_close(struct source *base)
{
	atomic_fetch_add(&((struct fake *)base)->closed, 1);
}

static const struct source_ops live_ops = {
	.scheme = "fake", .fetch = fake_fetch, .cancel = fake_cancel, .close = fake_close,
	.live = true,
};
static const struct source_ops file_ops = {
	.scheme = "fake", .fetch = fake_fetch, .cancel = fake_cancel, .close = fake_close,
};

/* State of the running test: requests, their thread, and what was last taken where needed. */
static struct fake f;
static struct collector *c;
static struct cluster *newest;

static int tear_down(void **state)
{
	(void)state;
	clock_flow(0);
	collector_free(c);
	c = NULL;
	cluster_free(newest);
	newest = NULL;
	return 0;
}

static void collect(const struct source_ops *ops, int behaviour, int64_t every_ms)
{
	collector_free(c);
	clock_stop(BEGIN_MS);
	memset(&f, 0, sizeof(f));
	f.base.ops = ops;
	atomic_store(&f.behaviour, behaviour);
	c = collector_new(&f.base, NEED_SHARES, every_ms, NULL);
	assert_non_null(c);
}

/* ---- waiting ------------------------------------------------------------------------------- */

/* Takes a new cluster, too, as NEWEST. */
static struct collector_status status(void)
{
	struct collector_status s;
	struct cluster *cluster = collector_take(c, &s);

	if (cluster) {
		cluster_free(newest);
		newest = cluster;
	}
	return s;
}

/*
 * Waits for the eventfd, as the screen does, until ASKED reached TIMES, the state is STATE and
 * nothing is under way.
 */
static struct collector_status await_of(atomic_uint *asked, unsigned times,
					enum collector_state state)
{
	struct collector_status s;

	await_count(asked, times);	/* first: what the status was before does not count */
	for (s = status(); s.state != state || s.busy; s = status())
		await_input(collector_fd(c));
	return s;
}

static struct collector_status await(unsigned times, enum collector_state state)
{
	return await_of(&f.asked, times, state);
}

/* Waits for the survey's look; then the collector has also seen that nothing else is to do. */
static void await_look(void)
{
	struct cluster *cluster;
	int64_t time = 7;

	collector_survey(c, &time, 1, NEED_SHARES);
	while (!collector_looked(c, &time, &cluster)) {
		await_input(collector_fd(c));
		cluster_free(collector_take(c, NULL));
	}
	assert_int_equal(time, 7);
	assert_null(cluster);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void first_cluster(void **state)
{
	struct collector_status s;

	(void)state;
	collect(&live_ops, GIVE, 60000);
	s = await(1, COLLECTOR_GOOD);
	assert_non_null(newest);
	assert_int_equal(cluster_meta(newest)->time, 1);
	assert_string_equal(s.problem, "");
	assert_string_equal(s.health, "fetch 1");
	assert_int_equal(s.last_good_ms, BEGIN_MS);
	assert_int_equal(s.next_ms, BEGIN_MS + 60000);
	assert_null(collector_take(c, NULL));
	tear_down(NULL);
	assert_int_equal(f.closed, 1);
}

/* Nobody takes the clusters: only the newest is kept (and the sanitizers see no leak). */
static void newest_wins(void **state)
{
	(void)state;
	collect(&live_ops, GIVE, 2);
	clock_flow(1);
	await_count(&f.asked, 20);
	clock_flow(0);
	newest = collector_take(c, NULL);
	assert_true(cluster_meta(newest)->time >= 19);
	assert_int_equal(f.most_in_flight, 1);
}

/* A cluster comes with the status of its own fetch, whenever the owner looks. */
static void status_of_its_fetch(void **state)
{
	char expected[40];
	unsigned taken = 0;

	(void)state;
	collect(&live_ops, GIVE, 2);
	clock_flow(1);
	while (taken < 100) {
		struct collector_status s;
		struct cluster *cluster = collector_take(c, &s);

		if (!cluster) {
			await_input(collector_fd(c));
			continue;
		}
		snprintf(expected, sizeof(expected), "fetch %d", (int)cluster_meta(cluster)->time);
		cluster_free(cluster);
		assert_string_equal(s.health, expected);
		assert_true(s.state == COLLECTOR_GOOD);
		taken++;
	}
	clock_flow(0);
}

static void failure_keeps_the_last(void **state)
{
	struct collector_status s;

	(void)state;
	collect(&live_ops, FAIL, 60000);
	s = await(1, COLLECTOR_LOADING);
	assert_string_equal(s.problem, "slurmctld does not answer (1)");
	assert_int_equal(s.last_good_ms, -1);
	assert_int_equal(s.next_ms, BEGIN_MS + 6000);	/* a tenth of the interval */
	clock_advance(6000);
	s = await(2, COLLECTOR_LOADING);
	assert_int_equal(s.next_ms, BEGIN_MS + 18000);	/* doubled, after the first */
	atomic_store(&f.behaviour, GIVE);
	collector_refresh(c);
	s = await(3, COLLECTOR_GOOD);
	assert_string_equal(s.problem, "");
	assert_int_equal(s.last_good_ms, BEGIN_MS + 6000);
	atomic_store(&f.behaviour, FAIL);
	clock_advance(10);
	collector_refresh(c);
	s = await(4, COLLECTOR_STALE);
	assert_string_equal(s.problem, "slurmctld does not answer (4)");
	assert_int_equal(s.last_good_ms, BEGIN_MS + 6000);
	assert_int_equal(s.next_ms, BEGIN_MS + 6010 + 6000);
	assert_int_equal(cluster_meta(newest)->time, 3);
	atomic_store(&f.behaviour, KEEP);
	collector_refresh(c);
	s = await(5, COLLECTOR_GOOD);
	assert_int_equal(s.last_good_ms, BEGIN_MS + 6010);
}

/* The delay is 1 s to one interval: a recovered source is seen within one refresh. */
static void bounds_of_the_backoff(void **state)
{
	struct collector_status s;

	(void)state;
	collect(&live_ops, FAIL, 100);
	s = await(1, COLLECTOR_LOADING);
	assert_int_equal(s.next_ms, BEGIN_MS + 1000);
	clock_advance(999);
	await_look();
	assert_int_equal(f.asked, 1);
	clock_advance(1);
	collector_every(c, 30000);
	await(2, COLLECTOR_LOADING);
	for (unsigned i = 3; i <= 9; i++) {
		collector_refresh(c);
		s = await(i, COLLECTOR_LOADING);
	}
	assert_int_equal(s.next_ms, BEGIN_MS + 1000 + 30000);
}

static void frozen_asks_nothing(void **state)
{
	(void)state;
	collect(&live_ops, GIVE, 5);
	await(1, COLLECTOR_GOOD);
	clock_advance(5);
	await(2, COLLECTOR_GOOD);
	collector_freeze(c, true);
	assert_true(status().frozen);
	collector_refresh(c);
	await_look();
	collector_needs(c, NEED_ALL);
	await_look();
	clock_advance(HOUR_MS);
	await_look();
	assert_int_equal(f.asked, 2);
	collector_freeze(c, false);
	await(3, COLLECTOR_GOOD);
	clock_advance(5);
	await(4, COLLECTOR_GOOD);
}

/* New needs are fetched at once, old ones are not. */
static void needs(void **state)
{
	(void)state;
	collect(&live_ops, GIVE, 60000);
	await(1, COLLECTOR_GOOD);
	assert_int_equal(f.needs, NEED_SHARES);
	collector_needs(c, NEED_SHARES | NEED_JOBS);
	await(2, COLLECTOR_GOOD);
	assert_int_equal(f.needs, NEED_SHARES | NEED_JOBS);
	collector_needs(c, NEED_JOBS);
	await_look();
	assert_int_equal(f.asked, 2);
	/* Those of a frozen screen as soon as it is resumed. */
	collector_freeze(c, true);
	collector_needs(c, NEED_ALL);
	await_look();
	assert_int_equal(f.asked, 2);
	collector_freeze(c, false);
	collector_needs(c, NEED_ALL);
	await(3, COLLECTOR_GOOD);
	assert_int_equal(f.needs, NEED_ALL);
}

static void slow_replies_stretch(void **state)
{
	struct collector_status s;

	(void)state;
	collect(&live_ops, SLOW, 20);
	s = await(1, COLLECTOR_GOOD);
	/* Exactly as long as the answer took. */
	assert_int_equal(s.took_ms, 1100);
	assert_int_equal(s.next_ms - s.last_good_ms, 1100);
	collect(&live_ops, SLOW, 20000);
	s = await(1, COLLECTOR_GOOD);
	assert_int_equal(s.next_ms - s.last_good_ms, 20000);
}

static void read_once(void **state)
{
	struct collector_status s;

	(void)state;
	collect(&file_ops, GIVE, 1);
	s = await(1, COLLECTOR_ENDED);
	assert_non_null(newest);
	assert_int_equal(s.next_ms, -1);
	clock_advance(HOUR_MS);
	await_look();
	assert_int_equal(f.asked, 1);
	collect(&live_ops, END, 1);
	await(1, COLLECTOR_ENDED);
}

/* Quitting does not wait for a source that hangs. */
static void leaves_a_hanging_source(void **state)
{
	(void)state;
	collect(&live_ops, HANG, 1000);
	await_count(&f.asked, 1);
	assert_true(status().busy);
	tear_down(NULL);
	assert_int_equal(f.closed, 1);
}

/* ---- the same with a child process --------------------------------------------------------- */

#define PATIENCE_MS 30000

struct child_source {
	struct source base;
	atomic_uint asked;
	struct remote *remote;
};

static enum fetch_result child_fetch(struct source *base, const struct fetch_request *request,
				     struct cluster **out, struct err *err)
{
	struct fetch_request soon = { .needs = request->needs, .deadline_ms = PATIENCE_MS };
	struct child_source *s = (struct child_source *)base;

	await_count_up(&s->asked);
	return remote_fetch(s->remote, &soon, out, err);
}

static void child_cancel(struct source *base)
{
	remote_cancel(((struct child_source *)base)->remote);
}

static void child_close_source(struct source *base)
{
	remote_free(((struct child_source *)base)->remote);
}

static const struct source_ops child_ops = {
	.scheme = "child", .fetch = child_fetch, .cancel = child_cancel,
	.close = child_close_source, .live = true,
};

/* A child hangs, is killed, and recovers without a key press. */
static void child_recovers_alone(void **state)
{
	static const char *const ways[] = { "fatal", "half", "garbage", "hang" };
	const char *build = getenv("FAIRTOP_BUILD");
	char mock[4096], once[SCRATCH_PATH_MAX], heard[SCRATCH_PATH_MAX];

	(void)state;
	snprintf(mock, sizeof(mock), "%s/tests/mock/mock_helper", build ? build : ".");
	for (size_t i = 0; i < 4; i++) {
		const char *argv[] = { mock, ways[i], scratch_path(ways[i], once),
				       scratch_path("heard", heard), NULL };
		struct child_source s = { .base.ops = &child_ops };

		clock_stop(BEGIN_MS);
		s.remote = remote_new(argv);
		c = collector_new(&s.base, NEED_ALL, 1000, NULL);
		if (strcmp(ways[i], "hang") == 0) {
			await_file("heard");
			clock_advance(PATIENCE_MS);
		}
		assert_true(await_of(&s.asked, 1, COLLECTOR_LOADING).problem[0]);
		clock_advance(1000);
		await_of(&s.asked, 2, COLLECTOR_GOOD);
		assert_non_null(newest);
		assert_string_equal(cluster_meta(newest)->name, "mock");
		tear_down(NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(first_cluster, tear_down),
		cmocka_unit_test_teardown(newest_wins, tear_down),
		cmocka_unit_test_teardown(status_of_its_fetch, tear_down),
		cmocka_unit_test_teardown(failure_keeps_the_last, tear_down),
		cmocka_unit_test_teardown(bounds_of_the_backoff, tear_down),
		cmocka_unit_test_teardown(frozen_asks_nothing, tear_down),
		cmocka_unit_test_teardown(needs, tear_down),
		cmocka_unit_test_teardown(slow_replies_stretch, tear_down),
		cmocka_unit_test_teardown(read_once, tear_down),
		cmocka_unit_test_teardown(leaves_a_hanging_source, tear_down),
		cmocka_unit_test_setup_teardown(child_recovers_alone, scratch_open, scratch_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
