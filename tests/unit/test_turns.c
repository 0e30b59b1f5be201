/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many sources in turns: how many at once, that hanging ones do not delay the others, and what
 * happens to results that are not taken. The sources follow the tests' orders.
 */
#include <fcntl.h>
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

#include "adapters/turns.h"
#include "core/base/mem.h"
#include "tests/support/await.h"
#include "tests/support/clock.h"
#include "tests/support/scratch.h"

#define MOST 60
#define HOUR_MS 3600000

struct fake {
	struct source base;
	atomic_uint asked;
	atomic_uint cancelled;
};

static struct fake fakes[MOST];
static atomic_uint in_flight, most_in_flight, slow, opened, closed, dropped, made_of_nothing;

/* "good7", "hang7", "fail7", "slow7": the behaviour and the index of the fake source. */
static enum fetch_result fake_fetch(struct source *base, const struct fetch_request *request,
				    struct cluster **out, struct err *err)
{
	struct fake *f = (struct fake *)base;
	struct cluster_meta meta = { .kind = "demo", .time = 1 };
	enum fetch_result result = FETCH_NEW;
	struct builder *b;
	unsigned n;

	(void)request;
	await_count_up(&f->asked);
	await_count_up(&in_flight);
	n = atomic_load(&in_flight);
	if (n > atomic_load(&most_in_flight))
		atomic_store(&most_in_flight, n);
	/* Waits until the maximum is in flight, or no source is left. */
	if (strncmp(base->name, "slow", 4) == 0) {
		await_count_up(&slow);
		await_count(&slow, (atoi(base->name + 4) / TURNS_AT_ONCE + 1) * TURNS_AT_ONCE);
	}
	if (strncmp(base->name, "hang", 4) == 0)
		await_count(&f->cancelled, 1);
	if (strncmp(base->name, "hang", 4) == 0 || strncmp(base->name, "fail", 4) == 0) {
		err_set(err, ERR_SOURCE, "%s: no answer", base->name);
		result = FETCH_FAILED;
	} else {
		b = builder_new();
		builder_meta(b, &meta);
		*out = builder_seal(b, NULL);
	}
	atomic_fetch_sub(&in_flight, 1);
	return result;
}

static void fake_cancel(struct source *base)
{
	await_count_up(&((struct fake *)base)->cancelled);
}

static void fake_close(struct source *base)
{
	(void)base;
	await_count_up(&closed);
}

static const struct source_ops ops = {
	.scheme = "fake", .fetch = fake_fetch, .cancel = fake_cancel, .close = fake_close,
	.live = true,
};

static struct source *fake_open(const char *spec, struct err *err)
{
	struct fake *f = &fakes[atoi(spec + 4)];

	if (strncmp(spec, "none", 4) == 0) {
		err_set(err, ERR_INPUT, "%s: no such source", spec);
		return NULL;
	}
	atomic_fetch_add(&opened, 1);
	f->base.ops = &ops;
	snprintf(f->base.name, sizeof(f->base.name), "%s", spec);
	return &f->base;
}

static void *make(void *context, size_t i, struct source *source, struct cluster *cluster)
{
	(void)context;
	(void)i;
	(void)source;
	atomic_fetch_add(&made_of_nothing, !cluster);
	cluster_free(cluster);
	return cluster ? mem_alloc(1, 1) : NULL;
}

static void drop(void *made, void *instead)
{
	(void)instead;
	atomic_fetch_add(&dropped, 1);
	mem_free(made);
}

static const struct turns_maker maker = { fake_open, make, drop, NULL, NULL };

/* Begins with COUNT sources; source I behaves like WORDS[I], those after the last word like it. */
static struct turns *begin(const char *const *words, size_t count, int64_t every_ms)
{
	char texts[MOST][16];
	const char *specs[MOST];
	struct turns *f;
	size_t last = 0;

	clock_stop(1000000);
	memset(fakes, 0, sizeof(fakes));
	atomic_store(&slow, 0);
	atomic_store(&in_flight, 0);
	atomic_store(&most_in_flight, 0);
	atomic_store(&opened, 0);
	atomic_store(&closed, 0);
	atomic_store(&dropped, 0);
	atomic_store(&made_of_nothing, 0);
	for (size_t i = 0; i < count; i++) {
		snprintf(texts[i], sizeof(texts[i]), "%s%zu", words[last], i);
		specs[i] = texts[i];
		last += words[last + 1] != NULL;
	}
	f = turns_new(specs, NULL, count, NEED_SHARES, every_ms, &maker, NULL);
	assert_non_null(f);
	return f;
}

/* Takes and frees news until COUNT sources have answered. */
static void await(struct turns *f, size_t count)
{
	bool good[MOST] = { false };
	size_t answered = 0;

	while (answered < count) {
		struct collector_status status;
		void *made;
		size_t i;

		await_input(turns_fd(f));
		turns_drain(f);
		while (turns_take(f, &i, &status, &made)) {
			answered += status.code == ERR_NONE && !good[i];
			good[i] = good[i] || status.code == ERR_NONE;
			mem_free(made);
		}
	}
}

/* Of sources that answer soon, at most TURNS_AT_ONCE are in flight. */
static void test_in_turns(void **state)
{
	struct turns *f = begin((const char *const[]){ "slow", NULL }, MOST, HOUR_MS);

	(void)state;
	await(f, MOST);
	turns_free(f);
	assert_int_equal(atomic_load(&most_in_flight), TURNS_AT_ONCE);
	assert_int_equal(atomic_load(&opened), MOST);
	assert_int_equal(atomic_load(&closed), MOST);
	for (int i = 0; i < MOST; i++)
		assert_int_equal(atomic_load(&fakes[i].asked), 1);
}

/* Hanging sources come first, and all others still answer; freeing does not wait for a timeout. */
static void test_hanging(void **state)
{
	struct turns *f = begin((const char *const[]){ "hang", "hang", "hang", "hang", "hang",
						       "hang", "fail", "none", "good", NULL },
				MOST, HOUR_MS);

	(void)state;
	await_count(&in_flight, TURNS_AT_ONCE);
	clock_advance(TURNS_PATIENCE_MS);
	await(f, MOST - 8);
	/* The thread of a hanging source may reach it after all others have answered. */
	for (int i = 0; i < 6; i++) {
		await_count(&fakes[i].asked, 1);
		assert_int_equal(atomic_load(&fakes[i].asked), 1);
	}
	await_count(&in_flight, 6);
	turns_free(f);
	/* The hanging ones were closed, too. */
	assert_int_equal(atomic_load(&closed), atomic_load(&opened));
}

/* A source that fails reports why, the maker gets nothing, and it is tried again. */
static void test_failing(void **state)
{
	struct turns *f = begin((const char *const[]){ "fail", "none", "good", NULL }, 3, 50);
	struct collector_status status;
	unsigned seen = 0;

	(void)state;
	clock_flow(3);
	while (seen != 7) {
		void *made;
		size_t i;

		if (!turns_take(f, &i, &status, &made)) {
			await_input(turns_fd(f));
			turns_drain(f);
			continue;
		}
		seen |= 1u << i;
		assert_string_equal(status.problem, i == 0 ? "fail0: no answer" :
				    i == 1 ? "none1: no such source" : "");
		assert_int_equal(status.last_good_ms >= 0, i == 2);
		assert_int_equal(made != NULL, i == 2);
		mem_free(made);
	}
	await_count(&fakes[0].asked, 3);
	await_count(&fakes[2].asked, 3);
	clock_flow(0);
	turns_free(f);
	assert_true(atomic_load(&made_of_nothing) >= 4);
	/* A newer result replaced untaken ones. */
	assert_true(atomic_load(&dropped) >= 1);
}

static void test_frozen(void **state)
{
	struct turns *f = begin((const char *const[]){ "good", NULL }, 2, HOUR_MS);
	unsigned asked;

	(void)state;
	await(f, 2);
	turns_freeze(f, true);
	asked = atomic_load(&fakes[0].asked);
	turns_refresh(f);
	/* A further wait shows that the thread found nothing to fetch. */
	await_count(&clock_waits, atomic_load(&clock_waits) + 1);
	assert_int_equal(atomic_load(&fakes[0].asked), asked);
	turns_freeze(f, false);
	await_count(&fakes[0].asked, asked + 1);
	turns_free(f);
}

/* A file is read again when it has changed, and its reader exits in between. */
static void test_file(void **state)
{
	char path[SCRATCH_PATH_MAX];
	int fd = open(scratch_path("file", path), O_WRONLY | O_CREAT, 0600);
	const char *specs[] = { path, "good1" };
	struct turns *f;
	unsigned asked;

	(void)state;
	assert_true(fd >= 0 && write(fd, "a", 1) == 1);
	memset(fakes, 0, sizeof(fakes));
	atomic_store(&opened, 0);
	atomic_store(&closed, 0);
	f = turns_new(specs, NULL, 2, NEED_SHARES, 10, &maker, NULL);
	clock_flow(2);
	await(f, 2);
	await_count(&closed, 1);
	/* The file was checked as often as the other source was fetched. */
	asked = atomic_load(&fakes[1].asked);
	await_count(&fakes[1].asked, asked + 10);
	assert_int_equal(atomic_load(&fakes[0].asked), 1);
	assert_int_equal(atomic_load(&closed), 1);
	assert_int_equal(write(fd, "b", 1), 1);
	await_count(&fakes[0].asked, 2);
	clock_flow(0);
	turns_free(f);
	assert_int_equal(atomic_load(&closed), atomic_load(&opened));
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_turns), cmocka_unit_test(test_hanging),
		cmocka_unit_test(test_failing), cmocka_unit_test(test_frozen),
		cmocka_unit_test_setup_teardown(test_file, scratch_open, scratch_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
