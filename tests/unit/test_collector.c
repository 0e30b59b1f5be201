/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The collector: the screen's side of every promise of collector.h, with a source that does what
 * the test tells it, and with a child process that hangs, dies and comes back.
 */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/clock.h"
#include "adapters/collector.h"
#include "adapters/remote.h"
#include "core/base/mem.h"

/* ---- a source that obeys ------------------------------------------------------------------- */

enum behaviour { GIVE, KEEP, FAIL, HANG, SLOW, END };

struct fake {
	struct source base;
	_Atomic int behaviour;
	atomic_uint asked, in_flight, most_in_flight, needs, closed;
	atomic_bool cancelled;
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
	struct fake *f = (struct fake *)base;
	unsigned n = atomic_fetch_add(&f->asked, 1) + 1;
	enum fetch_result result = FETCH_NEW;

	if (atomic_fetch_add(&f->in_flight, 1) + 1 > atomic_load(&f->most_in_flight))
		atomic_store(&f->most_in_flight, atomic_load(&f->in_flight));
	atomic_store(&f->needs, request->needs);
	snprintf(base->health, sizeof(base->health), "fetch %u", n);
	switch (atomic_load(&f->behaviour)) {
	case KEEP:
		result = FETCH_SAME;
		break;
	case FAIL:
		err_set(err, ERR_SOURCE, "slurmctld does not answer (%u)", n);
		result = FETCH_FAILED;
		break;
	case HANG:
		while (!atomic_load(&f->cancelled))
			usleep(1000);
		err_set(err, ERR_SOURCE, "cancelled");
		result = FETCH_FAILED;
		break;
	case SLOW:
		sleep(1);
		usleep(100000);
		break;
	case END:
		result = FETCH_END;
		break;
	default:
		break;
	}
	if (result == FETCH_NEW)
		*out = small_cluster(n);
	atomic_fetch_sub(&f->in_flight, 1);
	return result;
}

static void fake_cancel(struct source *base)
{
	atomic_store(&((struct fake *)base)->cancelled, true);
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

static struct collector *collect(struct fake *f, const struct source_ops *ops, int behaviour,
				 int64_t every_ms)
{
	struct collector *c;

	memset(f, 0, sizeof(*f));
	f->base.ops = ops;
	atomic_store(&f->behaviour, behaviour);
	c = collector_new(&f->base, NEED_SHARES, every_ms, NULL);
	assert_non_null(c);
	return c;
}

/* ---- waiting ------------------------------------------------------------------------------- */

static struct collector_status status_of(struct collector *c)
{
	struct collector_status s;

	collector_status(c, &s);
	return s;
}

/* Waits, as the screen does, for the eventfd until the state is STATE and nothing is under way. */
static struct collector_status await(struct collector *c, enum collector_state state,
				     struct cluster **newest)
{
	int64_t end_ms = clock_ms() + 60000;
	struct collector_status s;
	struct cluster *cluster;

	for (;;) {
		struct pollfd p = { collector_fd(c), POLLIN, 0 };

		/* Before the take: what a good state tells of is in the slot by then. */
		s = status_of(c);
		cluster = collector_take(c);
		if (cluster && newest) {
			cluster_free(*newest);
			*newest = cluster;
		} else {
			cluster_free(cluster);
		}
		if (s.state == state && !s.busy)
			return s;
		if (clock_left(end_ms) == 0)
			fail_msg("state is %d, wanted %d", (int)s.state, (int)state);
		poll(&p, 1, clock_left(end_ms));
	}
}

static void await_asked(struct fake *f, unsigned times)
{
	int64_t end_ms = clock_ms() + 60000;

	while (atomic_load(&f->asked) < times) {
		if (clock_left(end_ms) == 0)
			fail_msg("asked %u times, wanted %u", atomic_load(&f->asked), times);
		usleep(1000);
	}
}

/* It asks again PAUSE_MS after some moment since BEFORE_MS, however slow this machine is. */
static void assert_pause(const struct collector_status *s, int64_t before_ms, int64_t pause_ms)
{
	assert_true(s->next_ms >= before_ms + pause_ms);
	assert_true(s->next_ms <= clock_ms() + pause_ms);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void first_cluster(void **state)
{
	struct fake f;
	struct collector *c = collect(&f, &live_ops, GIVE, 60000);
	struct cluster *newest = NULL;
	struct collector_status s = await(c, COLLECTOR_GOOD, &newest);

	(void)state;
	assert_non_null(newest);
	assert_int_equal(cluster_meta(newest)->time, 1);
	assert_string_equal(s.problem, "");
	assert_string_equal(s.health, "fetch 1");
	assert_in_range(s.last_good_ms, 1, clock_ms());
	assert_int_equal(s.next_ms - s.last_good_ms, 60000);
	assert_null(collector_take(c));
	cluster_free(newest);
	collector_free(c);
	assert_int_equal(f.closed, 1);
}

/* Nobody takes them: only the newest is kept (and under the sanitizers: none leaks). */
static void newest_wins(void **state)
{
	struct fake f;
	struct collector *c = collect(&f, &live_ops, GIVE, 2);
	struct cluster *newest;

	(void)state;
	await_asked(&f, 20);
	newest = collector_take(c);
	assert_true(cluster_meta(newest)->time >= 19);
	assert_int_equal(f.most_in_flight, 1);
	cluster_free(newest);
	collector_free(c);
}

static void failure_keeps_the_last(void **state)
{
	struct fake f;
	int64_t good_ms, before_ms = clock_ms();
	struct collector *c = collect(&f, &live_ops, FAIL, 60000);
	struct collector_status s;
	struct cluster *newest = NULL;

	(void)state;
	await_asked(&f, 1);
	s = await(c, COLLECTOR_LOADING, NULL);
	assert_string_equal(s.problem, "slurmctld does not answer (1)");
	assert_int_equal(s.last_good_ms, -1);
	assert_pause(&s, before_ms, 6000);	/* a tenth of the interval */
	before_ms = clock_ms();
	collector_refresh(c);
	await_asked(&f, 2);
	s = await(c, COLLECTOR_LOADING, NULL);
	assert_pause(&s, before_ms, 12000);	/* and twice that */
	atomic_store(&f.behaviour, GIVE);
	collector_refresh(c);
	s = await(c, COLLECTOR_GOOD, &newest);
	assert_string_equal(s.problem, "");
	good_ms = s.last_good_ms;
	atomic_store(&f.behaviour, FAIL);
	before_ms = clock_ms();
	collector_refresh(c);
	s = await(c, COLLECTOR_STALE, &newest);
	assert_string_equal(s.problem, "slurmctld does not answer (4)");
	assert_int_equal(s.last_good_ms, good_ms);
	assert_pause(&s, before_ms, 6000);
	assert_int_equal(cluster_meta(newest)->time, 3);
	atomic_store(&f.behaviour, KEEP);
	collector_refresh(c);
	s = await(c, COLLECTOR_GOOD, NULL);
	assert_true(s.last_good_ms >= good_ms);
	cluster_free(newest);
	collector_free(c);
}

/* A second at least, the interval at most: what is well again is seen within one refresh. */
static void bounds_of_the_backoff(void **state)
{
	struct fake f;
	int64_t before_ms = clock_ms();
	struct collector *c = collect(&f, &live_ops, FAIL, 100);
	struct collector_status s;

	(void)state;
	await_asked(&f, 1);
	s = await(c, COLLECTOR_LOADING, NULL);
	assert_pause(&s, before_ms, 1000);
	collector_every(c, 30000);
	for (unsigned i = 2; i <= 9; i++) {
		before_ms = clock_ms();
		collector_refresh(c);
		await_asked(&f, i);
		s = await(c, COLLECTOR_LOADING, NULL);
	}
	assert_pause(&s, before_ms, 30000);
	collector_free(c);
}

static void frozen_asks_nothing(void **state)
{
	struct fake f;
	struct collector *c = collect(&f, &live_ops, GIVE, 5);
	unsigned asked;

	(void)state;
	await_asked(&f, 3);
	collector_freeze(c, true);
	usleep(20000);
	assert_true(status_of(c).frozen);
	asked = f.asked;
	collector_refresh(c);
	collector_needs(c, NEED_ALL);
	usleep(50000);
	assert_int_equal(f.asked, asked);
	collector_freeze(c, false);
	await_asked(&f, asked + 2);
	collector_free(c);
}

/* New wishes are asked for at once, old ones are not. */
static void needs(void **state)
{
	struct fake f;
	struct collector *c = collect(&f, &live_ops, GIVE, 60000);

	(void)state;
	await(c, COLLECTOR_GOOD, NULL);
	assert_int_equal(f.needs, NEED_SHARES);
	collector_needs(c, NEED_SHARES | NEED_JOBS);
	await_asked(&f, 2);
	await(c, COLLECTOR_GOOD, NULL);
	assert_int_equal(f.needs, NEED_SHARES | NEED_JOBS);
	collector_needs(c, NEED_JOBS);
	usleep(30000);
	assert_int_equal(f.asked, 2);
	collector_free(c);
}

static void slow_replies_stretch(void **state)
{
	struct fake f;
	struct collector *c = collect(&f, &live_ops, SLOW, 20);
	struct collector_status s = await(c, COLLECTOR_GOOD, NULL);

	(void)state;
	/* As long as the answer took, and no longer. */
	assert_in_range(s.took_ms, 1100, 9000);
	assert_int_equal(s.next_ms - s.last_good_ms, s.took_ms);
	collector_free(c);
	c = collect(&f, &live_ops, SLOW, 20000);
	s = await(c, COLLECTOR_GOOD, NULL);
	assert_int_equal(s.next_ms - s.last_good_ms, 20000);
	collector_free(c);
}

static void read_once(void **state)
{
	struct fake f;
	struct collector *c = collect(&f, &file_ops, GIVE, 1);
	struct cluster *newest = NULL;
	struct collector_status s = await(c, COLLECTOR_ENDED, &newest);

	(void)state;
	assert_non_null(newest);
	assert_int_equal(s.next_ms, -1);
	usleep(20000);
	assert_int_equal(f.asked, 1);
	cluster_free(newest);
	collector_free(c);
	c = collect(&f, &live_ops, END, 1);
	await(c, COLLECTOR_ENDED, NULL);
	collector_free(c);
}

/* Leaving does not wait for a source that hangs. */
static void leaves_a_hanging_source(void **state)
{
	struct fake f;
	struct collector *c = collect(&f, &live_ops, HANG, 1000);

	(void)state;
	await_asked(&f, 1);
	assert_true(status_of(c).busy);
	collector_free(c);
	assert_int_equal(f.closed, 1);
}

/* ---- the same with a child process --------------------------------------------------------- */

struct child_source {
	struct source base;
	struct remote *remote;
};

static enum fetch_result child_fetch(struct source *base, const struct fetch_request *request,
				     struct cluster **out, struct err *err)
{
	struct fetch_request soon = { .needs = request->needs, .deadline_ms = 300 };

	return remote_fetch(((struct child_source *)base)->remote, &soon, out, err);
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

/* Hangs, is ended, is found well again: nobody presses a key. */
static void child_recovers_alone(void **state)
{
	static const char *const ways[] = { "hang", "fatal", "half", "garbage" };
	const char *build = getenv("FAIRTOP_BUILD");
	char mock[4096], files[4][32];
	struct child_source s[4];
	struct collector *c[4];

	(void)state;
	snprintf(mock, sizeof(mock), "%s/tests/mock/mock_helper", build ? build : ".");
	for (size_t i = 0; i < 4; i++) {
		char once[] = "/tmp/fairtop-test-XXXXXX";
		const char *argv[] = { mock, ways[i], once, NULL };
		int fd = mkstemp(once);

		close(fd);
		unlink(once);
		memset(&s[i], 0, sizeof(s[i]));
		s[i].base.ops = &child_ops;
		s[i].remote = remote_new(argv);
		c[i] = collector_new(&s[i].base, NEED_ALL, 1000, NULL);
		while (!status_of(c[i]).problem[0])
			usleep(1000);
		assert_int_equal(status_of(c[i]).state, COLLECTOR_LOADING);
		strcpy(files[i], once);
	}
	for (size_t i = 0; i < 4; i++) {
		struct cluster *newest = NULL;

		await(c[i], COLLECTOR_GOOD, &newest);
		assert_non_null(newest);
		assert_string_equal(cluster_meta(newest)->name, "mock");
		cluster_free(newest);
		collector_free(c[i]);
		unlink(files[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_cluster),
		cmocka_unit_test(newest_wins),
		cmocka_unit_test(failure_keeps_the_last),
		cmocka_unit_test(bounds_of_the_backoff),
		cmocka_unit_test(frozen_asks_nothing),
		cmocka_unit_test(needs),
		cmocka_unit_test(slow_replies_stretch),
		cmocka_unit_test(read_once),
		cmocka_unit_test(leaves_a_hanging_source),
		cmocka_unit_test(child_recovers_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
