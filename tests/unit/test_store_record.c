/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder with a source that fails for a while: an outage is a gap with its reason, unchanged
 * data is no sample, and a source that ends ends the recording. Time passes when both the recorder
 * and the collector wait, and while an answer is slow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/store/store.h"
#include "core/base/mem.h"
#include "tests/support/clock.h"
#include "tests/support/scratch.h"

#define BEGIN 1700000000

/*
 * What a fetch does: '0'..'9' a picture of that time, 's' the same, 'f' fails, 'e' ends, 'w' takes
 * 4 s for the picture of 1090, 'j' jumps 400 days ahead.
 */
struct scripted {
	struct source source;
	const char *script;
};

static struct cluster *picture(int64_t time)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = { .kind = "slurm", .name = "scripted", .time = time };
	struct err err;

	builder_meta(b, &meta);
	return builder_seal(b, &err);
}

static enum fetch_result scripted_fetch(struct source *source, const struct fetch_request *request,
					struct cluster **out, struct err *err)
{
	struct scripted *s = (struct scripted *)source;
	char step = *s->script;

	assert_int_equal(request->needs, NEED_ALL);
	if (step)
		s->script++;
	switch (step) {
	case 's':
		return FETCH_SAME;
	case 'j':
		*out = picture(34560000);
		return FETCH_NEW;
	case 'w':
		clock_advance(4000);
		*out = picture(1090);
		return FETCH_NEW;
	case 'f':
		err_set(err, ERR_SOURCE, "slurmctld did not answer");
		return FETCH_FAILED;
	case 'e':
	case '\0':
		return FETCH_END;
	default:
		*out = picture(1000 + (step - '0') * 100);
		return FETCH_NEW;
	}
}

static void scripted_cancel(struct source *source)
{
	(void)source;
	clock_flow(0);
}

static void scripted_close(struct source *source)
{
	mem_free(source);
}

static const struct source_ops scripted_ops = {
	.scheme = "scripted", .fetch = scripted_fetch, .cancel = scripted_cancel,
	.close = scripted_close, .live = true
};

static char said[200];

static void hear(const char *subject, const char *text)
{
	snprintf(said, sizeof(said), "%s: %s", subject, text);
}

static int record(const char *path, const char *script, uint64_t count, struct err *err)
{
	struct record_options o = { .path = path, .every_ms = 1000, .count = count, .say = hear };
	struct scripted *s = mem_zalloc(1, sizeof(*s));

	s->source.ops = &scripted_ops;
	s->script = script;
	*err = (struct err){ .code = ERR_NONE };
	clock_flow(2);
	return record_run(&s->source, &o, err);
}

static void test_outage(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct store_sample first, last;
	struct store_reader *r;
	struct store_gap gap;
	struct err err;

	(void)state;
	scratch_path("x.rec", path);
	assert_int_equal(record(path, "1sf2e", 0, &err), 0);
	assert_int_equal(err.code, ERR_NONE);
	assert_string_equal(said, "source: slurmctld did not answer");
	r = store_reader_open(path, &err);
	assert_non_null(r);
	assert_true(store_range(r, &first, &last, &err));
	assert_int_equal(last.id, 2);
	assert_int_equal(first.time, 1100);
	assert_int_equal(last.time, 1200);
	assert_int_equal(first.seen, BEGIN + 1);	/* the same a second later */
	assert_int_equal(last.seen, BEGIN + 3);
	assert_true(store_gap(r, 0, &gap));
	assert_int_equal(gap.since, 1100);
	assert_int_equal(gap.until, 1200);
	assert_string_equal(gap.reason, "slurmctld did not answer");
	assert_false(store_gap(r, 1, &gap));
	store_reader_close(r);

	/* It continues up to the requested number of samples; an open outage stays open. */
	assert_int_equal(record(path, "34", 1, &err), 0);
	assert_int_equal(record(path, "5fe", 0, &err), 0);
	r = store_reader_open(path, &err);
	assert_true(store_range(r, &first, &last, &err));
	assert_int_equal(last.id, 4);
	assert_int_equal(last.time, 1500);
	assert_true(store_gap_at(r, 99999, &gap));
	assert_true(gap.until == I64_UNKNOWN);
	assert_int_equal(gap.since, 1500);
	store_reader_close(r);
}

/* A slow answer is reported, the interval kept is stored, and the hole is a gap. */
static void test_slow(void **state)
{
	char path[SCRATCH_PATH_MAX], command[SCRATCH_PATH_MAX + 200];
	struct store_reader *r;
	struct store_gap gap;
	struct err err;

	(void)state;
	scratch_path("x.rec", path);
	said[0] = '\0';
	assert_int_equal(record(path, "0w", 2, &err), 0);
	assert_string_equal(said, "source: an answer took 4 s: a sample every 5 s now, instead of"
			    " 1 s");
	r = store_reader_open(path, &err);
	assert_non_null(r);
	assert_true(store_gap_at(r, 1050, &gap));
	assert_int_equal(gap.since, 1000);
	assert_int_equal(gap.until, 1090);
	assert_string_equal(gap.reason, "an answer took 4 s");
	store_reader_close(r);
	snprintf(command, sizeof(command), "test \"$(sqlite3 %s 'SELECT value FROM recording WHERE"
		 " name = '\"'kept'\")\" = 5 || ! command -v sqlite3 > /dev/null", path);
	assert_int_equal(system(command), 0);
}

/* A slow answer that ends an outage lengthens the interval at once, not at the next answer. */
static void test_pause(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct err err;

	(void)state;
	scratch_path("x.rec", path);
	said[0] = '\0';
	assert_int_equal(record(path, "0fw2", 3, &err), 0);
	assert_string_equal(said, "source: an answer took 4 s: a sample every 4 s now, instead of"
			    " 1 s");
}

/* A clock that goes back or jumps ahead gives a gap with that reason. */
static void test_clock(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct store_reader *r;
	struct store_gap gap;
	struct err err;

	(void)state;
	scratch_path("x.rec", path);
	assert_int_equal(record(path, "31j", 3, &err), 0);
	r = store_reader_open(path, &err);
	assert_non_null(r);
	assert_true(store_gap(r, 0, &gap));
	assert_int_equal(gap.since, 1100);
	assert_int_equal(gap.until, 1300);
	assert_string_equal(gap.reason, "the clock went back by 200 s");
	assert_true(store_gap_at(r, 1000000, &gap));
	assert_string_equal(gap.reason, "the clock went ahead by 34558900 s");
	store_reader_close(r);
}

static int group_setup(void **state)
{
	clock_stop(1000);
	clock_set_time(BEGIN);
	return scratch_open(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_outage),
					    cmocka_unit_test(test_slow),
					    cmocka_unit_test(test_pause),
					    cmocka_unit_test(test_clock) };

	return cmocka_run_group_tests(tests, group_setup, scratch_close);
}
