/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The past of a recording as the screen gets it: the time line, other times by seeking and by
 * looking, and all of this through the collector's thread.
 */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/collector.h"
#include "adapters/store/store.h"
#include "core/share/fairshare.h"
#include "tests/support/equal.h"
#include "tests/support/night.h"
#include "tests/support/sketch.h"

#define TIME(i) (NIGHT_BEGIN + 300 * (int64_t)(i))

/* ---- the source ---------------------------------------------------------------------------- */

static void test_time_line(void **state)
{
	struct source *s = night_source();
	struct timeline t;

	(void)state;
	assert_true(source_past(s, &t, NULL));
	assert_int_equal(t.count, 86);
	assert_int_equal(t.samples[0], TIME(0));
	assert_int_equal(t.samples[85], TIME(96));
	assert_int_equal(t.gap_count, 1);
	assert_int_equal(t.gaps[0].since, TIME(30));
	assert_int_equal(t.gaps[0].until, TIME(42));
	assert_string_equal(t.gaps[0].reason, "slurmctld does not answer");
	assert_int_equal(t.change_count, 1);
	assert_int_equal(t.changes[0], TIME(60));
	timeline_free(&t);
	assert_true(source_past(s, &t, NULL));	/* nothing new */
	assert_int_equal(t.count, 0);
	source_close(s);
}

static struct cluster *fetch(struct source *s, uint32_t needs, enum fetch_result wanted)
{
	struct fetch_request request = { .needs = needs, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	struct cluster *c = NULL;

	assert_int_equal(source_fetch(s, &request, &c, &err), wanted);
	return c;
}

/* A look does not move the source: fetch() still gives the same. */
static void test_look(void **state)
{
	struct source *s = night_source();
	struct cluster *looked, *sought;
	struct err err = { .code = ERR_NONE };

	(void)state;
	cluster_free(fetch(s, NEED_ALL, FETCH_NEW));
	looked = source_look(s, TIME(20) + 7, NEED_ALL, &err);
	assert_non_null(looked);
	assert_int_equal(cluster_meta(looked)->time, TIME(20));
	assert_null(fetch(s, NEED_ALL, FETCH_SAME));
	assert_true(source_seek(s, TIME(20), &err));
	sought = fetch(s, NEED_ALL, FETCH_NEW);
	assert_true(equal_clusters(looked, sought));
	assert_null(source_look(s, TIME(0) - 1, NEED_ALL, &err));
	assert_int_equal(err.code, ERR_INPUT);
	cluster_free(looked);
	cluster_free(sought);
	source_close(s);
}

/* Each kind of news arrives; an outage without a recorded end ends at the next picture. */
static void test_news(void **state)
{
	char path[] = "/tmp/test_past.XXXXXX";
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;
	struct source *s;
	struct timeline t;
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	unlink(path);
	w = store_writer_open(path, &err);
	assert_non_null(w);
	assert_true(store_write(w, sketch_cluster("a 1\n", FS_CLASSIC), 1000, &err));
	s = source_open(path, &err);
	assert_non_null(s);
	assert_true(source_past(s, &t, NULL));
	assert_int_equal(t.count, 1);
	assert_int_equal(t.end, SKETCH_TIME);
	timeline_free(&t);
	assert_true(store_write_same(w, 1030, &err));
	assert_true(source_past(s, &t, NULL));
	assert_int_equal(t.end, SKETCH_TIME + 30);
	timeline_free(&t);
	assert_true(store_write_gap(w, SKETCH_TIME, I64_UNKNOWN, "no answer", &err));
	assert_true(source_past(s, &t, NULL));
	assert_int_equal(t.gap_count, 1);
	assert_true(t.gaps[0].until == I64_UNKNOWN);
	timeline_free(&t);
	assert_true(store_write(w, sketch_cluster("~90\na 1\n", FS_CLASSIC), 1090, &err));
	assert_true(source_past(s, &t, NULL));
	assert_int_equal(t.count, 2);
	assert_int_equal(t.gaps[0].until, SKETCH_TIME + 90);
	timeline_free(&t);
	source_close(s);
	store_writer_close(w);
	unlink(path);
}

/* The demo has a day of past, readable in any order, and continues from it. */
static void test_demo(void **state)
{
	struct err err = { .code = ERR_NONE };
	struct source *s = source_open("demo:1,speed=0", &err);
	struct cluster *early, *again, *late, *now;
	struct timeline t;
	int64_t end;

	(void)state;
	assert_true(source_past(s, &t, &err));
	assert_int_equal(t.count, 49);
	end = t.samples[48];
	assert_int_equal(t.samples[0], end - 86400);
	early = source_look(s, end - 86400, NEED_ALL, &err);
	late = source_look(s, end - 1800, NEED_ALL, &err);
	again = source_look(s, end - 86400 + 7, NEED_ALL, &err);
	assert_true(equal_clusters(early, again));
	assert_int_equal(cluster_meta(late)->time, end - 1800);
	now = fetch(s, NEED_ALL, FETCH_NEW);
	assert_int_equal(cluster_meta(now)->time, end);
	assert_null(fetch(s, NEED_ALL, FETCH_SAME));
	cluster_free(again);
	assert_true(source_seek(s, end - 86400, &err));
	again = fetch(s, NEED_ALL, FETCH_NEW);
	assert_true(equal_clusters(early, again));
	assert_null(fetch(s, NEED_ALL, FETCH_SAME));
	assert_null(source_look(s, end - 86401, NEED_ALL, &err));
	assert_int_equal(err.code, ERR_INPUT);
	timeline_free(&t);
	assert_true(source_past(s, &t, &err));
	assert_int_equal(t.count, 0);		/* nothing new */
	cluster_free(early);
	cluster_free(again);
	cluster_free(late);
	cluster_free(now);
	source_close(s);
}

/* A source without a past reports none, and no look works. */
static void test_only_now(void **state)
{
	const char *const texts[] = { "a 1\n", NULL };
	struct source *s = sketch_source(texts, FS_CLASSIC);
	struct err err = { .code = ERR_NONE };
	struct timeline t;

	(void)state;
	assert_true(source_past(s, &t, &err));
	assert_int_equal(t.count, 0);
	assert_null(source_look(s, SKETCH_TIME, NEED_ALL, &err));
	assert_int_equal(err.code, ERR_INPUT);
	source_close(s);
}

/* ---- the collector ------------------------------------------------------------------------- */

/* Waits, as the screen does, until there is something to take. */
static void wait_news(struct collector *c)
{
	struct pollfd p = { collector_fd(c), POLLIN, 0 };

	if (poll(&p, 1, 60000) != 1)
		fail_msg("nothing came");
}

static struct cluster *await_time(struct collector *c, int64_t time)
{
	for (;;) {
		struct cluster *newest = collector_take(c, NULL);

		if (newest && cluster_meta(newest)->time == time)
			return newest;
		cluster_free(newest);
		wait_news(c);
	}
}

static struct collector *collect(void)
{
	struct collector *c = collector_new(night_source(), NEED_SHARES, 60000, NULL);

	assert_non_null(c);
	cluster_free(await_time(c, TIME(96)));
	return c;
}

/* A source that is read once still seeks, frozen or not. */
static void test_seek(void **state)
{
	struct collector *c = collect();
	struct timeline past;

	(void)state;
	assert_true(collector_past(c, &past));
	assert_int_equal(past.count, 86);
	timeline_free(&past);
	assert_false(collector_past(c, &past));
	collector_seek(c, TIME(3));
	cluster_free(await_time(c, TIME(3)));
	collector_freeze(c, true);
	collector_seek(c, TIME(50));
	cluster_free(await_time(c, TIME(50)));
	collector_freeze(c, false);
	collector_seek(c, I64_UNKNOWN);
	cluster_free(await_time(c, TIME(96)));
	collector_free(c);
}

/* New needs are answered for the time shown. */
static void test_needs(void **state)
{
	struct collector *c = collect();
	struct cluster *cluster;

	(void)state;
	collector_seek(c, TIME(3));
	cluster = await_time(c, TIME(3));
	assert_int_equal(cluster_rows(cluster, TABLE_JOB), 0);
	cluster_free(cluster);
	collector_needs(c, NEED_SHARES | NEED_JOBS);
	cluster = await_time(c, TIME(3));
	assert_true(cluster_rows(cluster, TABLE_JOB) > 100);
	cluster_free(cluster);
	collector_free(c);
}

static int64_t next_look(struct collector *c, struct cluster **cluster)
{
	int64_t time;

	while (!collector_looked(c, &time, cluster)) {
		wait_news(c);
		cluster_free(collector_take(c, NULL));	/* empties the descriptor */
	}
	return time;
}

/* Each time once and in order; unreadable ones are reported, too, with a seek in between. */
static void test_survey(void **state)
{
	const int64_t times[] = { TIME(90), TIME(1) + 5, TIME(0) - 100, TIME(44) };
	const int64_t pictures[] = { TIME(90), TIME(1), 0, TIME(44) };
	struct collector *c = collect();
	struct cluster *cluster;
	int64_t time;

	(void)state;
	collector_survey(c, times, 4, NEED_SHARES);
	collector_seek(c, TIME(7));
	for (int i = 0; i < 4; i++) {
		assert_int_equal(next_look(c, &cluster), times[i]);
		assert_int_equal(cluster != NULL, pictures[i] != 0);
		if (cluster)
			assert_int_equal(cluster_meta(cluster)->time, pictures[i]);
		cluster_free(cluster);
	}
	assert_false(collector_looked(c, &time, &cluster));
	collector_free(c);
}

/* A replaced survey's answers never arrive. */
static void test_survey_anew(void **state)
{
	int64_t times[60], other = TIME(5);
	struct collector *c = collect();
	struct cluster *cluster;

	(void)state;
	for (int i = 0; i < 60; i++)
		times[i] = TIME(20);
	for (int i = 0; i < 20; i++) {
		collector_survey(c, times, 60, NEED_SHARES);
		if (i % 2 == 0) {
			assert_int_equal(next_look(c, &cluster), TIME(20));
			cluster_free(cluster);
		}
		collector_survey(c, &other, 1, NEED_SHARES);
		assert_int_equal(next_look(c, &cluster), TIME(5));
		cluster_free(cluster);
	}
	collector_survey(c, times, 60, NEED_SHARES);	/* freed with answers pending */
	collector_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time_line),
		cmocka_unit_test(test_look),
		cmocka_unit_test(test_news),
		cmocka_unit_test(test_demo), cmocka_unit_test(test_only_now),
		cmocka_unit_test(test_seek),
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_survey),
		cmocka_unit_test(test_survey_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
