/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A writer that is killed at 200 random times while it also thins: the last sample reported as
 * committed exists, each remaining one is as written, the next writer continues, and readers in
 * between see whole samples only. Also pseudonyms: SipHash against its authors' vectors, stable,
 * with no name left over.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "adapters/snapshot/snapshot.h"
#include "adapters/store/anonymize.h"
#include "adapters/store/store.h"
#include "core/base/bytes.h"
#include "tests/support/dice.h"
#include "tests/support/equal.h"
#include "tests/support/scratch.h"

#define KILLS 200
#define PICTURES 64

static const struct demo_options options = { .seed = 5, .accounts = 10, .users = 20, .jobs = 40,
					     .speed = 1 };

/* Sample I is always picture I % PICTURES. */
static struct cluster *pictures[PICTURES];

static struct cluster *copy(const struct cluster *c)
{
	static const unsigned char key[ANONYMIZE_KEY] = "any key will do";

	return anonymize(c, key, NULL);
}

static void make_pictures(void)
{
	struct demo *d = demo_new(&options);

	for (int i = 0; i < PICTURES; i++) {
		struct cluster *c;

		demo_advance(d, 600);
		c = demo_picture(d, NULL);
		pictures[i] = copy(c);
		cluster_free(c);
	}
	demo_free(d);
}

/* The child: writes until it is killed, and reports each sample after it was committed. */
static void write_for_ever(const char *path, int tell)
{
	const struct store_keep keep = { { { 3600, 0 }, { 1000000000, 3600 } }, 2 };
	struct err err = { .code = ERR_NONE };
	struct store_writer *w = store_writer_open(path, &err);
	struct store_reader *r = w ? store_reader_open(path, &err) : NULL;
	struct store_sample first, last = { .id = 0 };

	if (!r) {
		fprintf(stderr, "%s\n", err.message);
		_exit(1);
	}
	if (!store_range(r, &first, &last, &err))
		last.id = 0;
	store_reader_close(r);
	for (int64_t id = last.id + 1;; id++) {
		if (!store_write(w, copy(pictures[id % PICTURES]), id, &err)) {
			fprintf(stderr, "%s\n", err.message);
			_exit(1);
		}
		if (write(tell, &id, sizeof(id)) != (ssize_t)sizeof(id) ||
		    !store_thin(w, &keep, INT64_MAX, &err))
			_exit(1);
	}
}

static void pause_us(uint32_t us)
{
	struct timespec t = { 0, (long)us * 1000 };

	nanosleep(&t, NULL);	/* clock: any moment will do, and no two are the same */
}

/* Compares after copy(), as the writer wrote it. */
static void assert_picture(const struct cluster *c, int64_t id)
{
	struct cluster *expected = copy(pictures[id % PICTURES]);

	if (!equal_clusters(expected, c))
		fail_msg("sample %lld is not what was written", (long long)id);
	cluster_free(expected);
}

/* Reads while the child writes. */
static void look(const char *path, uint64_t *seed)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r = store_reader_open(path, &err);
	struct store_sample first, last;
	struct cluster *c;
	int64_t id;

	/* Before the first writer has made the tables there is no sample. */
	if (!r || !store_range(r, &first, &last, &err)) {
		store_reader_close(r);
		return;
	}
	id = last.id - dice_below(seed, (uint32_t)(last.id < 20 ? last.id : 20));
	/* It may be thinned before it is read. */
	c = store_next(r, id, &first, &err) ? store_read(r, first.id, NEED_ALL, &err) : NULL;
	if (c)
		assert_picture(c, first.id);
	else if (store_next(r, id, &last, NULL) && last.id == first.id)
		fail_msg("sample %lld: %s", (long long)first.id, err.message);
	cluster_free(c);
	store_reader_close(r);
}

static int64_t kill_one(const char *path, uint64_t *seed)
{
	int64_t id, reported = 0;
	int fds[2], status;
	pid_t child;

	assert_int_equal(pipe(fds), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		close(fds[0]);
		write_for_ever(path, fds[1]);
	}
	close(fds[1]);
	/* Kills half of them while they write, others perhaps while they open the file. */
	if (dice_below(seed, 2) && read(fds[0], &id, sizeof(id)) == (ssize_t)sizeof(id))
		reported = id;
	pause_us(dice_below(seed, 25000));
	if (dice_below(seed, 4) == 0)
		look(path, seed);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	while (read(fds[0], &id, sizeof(id)) == (ssize_t)sizeof(id))
		reported = id;
	close(fds[0]);
	return reported;
}

static void test_killed_writer(void **state)
{
	char path[SCRATCH_PATH_MAX];
	uint64_t seed = 11;
	int64_t reported = 0;

	(void)state;
	scratch_path("crash.rec", path);
	make_pictures();
	for (int i = 0; i < KILLS; i++) {
		struct err err = { .code = ERR_NONE };
		struct store_sample first, last = { .id = 0 };
		struct store_reader *r;
		int64_t now = kill_one(path, &seed);

		reported = now > reported ? now : reported;
		if (reported == 0)
			continue;
		r = store_reader_open(path, &err);
		if (!r || !store_range(r, &first, &last, &err))
			fail_msg("after kill %d: %s", i, err.message);
		if (last.id < reported)
			fail_msg("kill %d lost samples: %lld of %lld are there", i,
				 (long long)last.id, (long long)reported);
		first.id = last.id - 1 - dice_below(&seed, 12);
		for (int64_t id = first.id + 1; id <= last.id; id = first.id + 1) {
			struct cluster *c = store_next(r, id, &first, &err) ?
					    store_read(r, first.id, NEED_ALL, &err) : NULL;

			if (!c)
				fail_msg("after kill %d: %s", i, err.message);
			assert_picture(c, first.id);
			cluster_free(c);
		}
		store_reader_close(r);
	}
	if (reported == 0)
		fail_msg("no sample was ever committed");
	print_message("%d kills, %lld samples\n", KILLS, (long long)reported);
	for (int i = 0; i < PICTURES; i++)
		cluster_free(pictures[i]);
}

/* ---- pseudonyms ---------------------------------------------------------------------------- */

/* vectors_sip64 of https://github.com/veorq/SipHash: key 00 01 ... 0f, input 00 01 ... */
static void test_siphash(void **state)
{
	static const struct {
		size_t length;
		uint64_t hash;
	} vectors[] = {
		{ 0, UINT64_C(0x726fdb47dd0e0e31) }, { 1, UINT64_C(0x74f839c593dc67fd) },
		{ 7, UINT64_C(0xab0200f58b01d137) }, { 8, UINT64_C(0x93f5f5799a932462) },
		{ 15, UINT64_C(0xa129ca6149be45e5) },
	};
	unsigned char key[ANONYMIZE_KEY], input[16];

	(void)state;
	for (unsigned char i = 0; i < 16; i++)
		key[i] = input[i] = i;
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
		assert_true(siphash(key, input, vectors[i].length) == vectors[i].hash);
}

static void assert_nobody(const struct bytes *t, const struct cluster *c, enum field field)
{
	for (uint32_t i = 0; i < cluster_rows(c, field_info[field].table); i++) {
		const char *name = cluster_text(c, field, i);
		char quoted[200];

		if (!name || strlen(name) < 3 || strcmp(name, "root") == 0)
			continue;
		snprintf(quoted, sizeof(quoted), "\"%.150s\"", name);
		if (strstr(t->data, quoted))
			fail_msg("%s is left over", quoted);
	}
}

static void test_nobody_is_left(void **state)
{
	static const unsigned char key[ANONYMIZE_KEY] = "a key of 15 chr";
	struct demo *d = demo_new(&options);
	struct cluster *c = demo_picture(d, NULL), *a = anonymize(c, key, NULL);
	struct cluster *again = anonymize(c, key, NULL);
	struct bytes t = { 0 };

	(void)state;
	assert_non_null(a);
	assert_true(equal_clusters(a, again));
	assert_true(snapshot_write(a, bytes_sink(&t), NULL));
	assert_nobody(&t, c, F_ASSOC_USER);
	assert_nobody(&t, c, F_ASSOC_ACCOUNT);
	assert_nobody(&t, c, F_USER_NAME);
	assert_nobody(&t, c, F_JOB_USER);
	/* A job may have the name of a QOS, which stays. */
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++)
		assert_string_not_equal(cluster_text(a, F_JOB_NAME, i),
					cluster_text(c, F_JOB_NAME, i));
	assert_int_equal(cluster_rows(a, TABLE_ASSOC), cluster_rows(c, TABLE_ASSOC));
	assert_null(cluster_col(a, F_JOB_UID));
	assert_string_equal(cluster_text(a, F_ASSOC_ACCOUNT, 0), "root");
	bytes_free(&t);
	cluster_free(a);
	cluster_free(again);
	cluster_free(c);
	demo_free(d);
}

/* A job's comment comes from the scheduler, or from a user. */
static void test_comments(void **state)
{
	static const unsigned char key[ANONYMIZE_KEY] = "a key of 15 chr";
	static const char *const jobs[][3] = {
		{ "Not enough free nodes available",
		  "Not Running: Not enough free nodes available",
		  "Not enough free nodes available" },
		{ "call alice first", "call alice first", "(left out)" },
		{ "Held (user)", "call alice first", "Held (user)" },
		{ "Queue not started.", NULL, "Queue not started." },
	};
	struct builder *b = builder_new();
	struct cluster_meta meta = *builder_get_meta(b);
	struct cluster *c, *a;

	(void)state;
	meta.kind = "pbs";
	builder_meta(b, &meta);
	for (uint32_t i = 0; i < 4; i++) {
		builder_add(b, TABLE_JOB);
		builder_u32(b, F_JOB_ID, i, i + 1);
		builder_str(b, F_JOB_REASON, i, jobs[i][0]);
		builder_str(b, F_JOB_REASON_TEXT, i, jobs[i][1]);
	}
	builder_note(b, "alice.txt", "%s: %u %% of %.*s are in it, %s", "alice", 7, 3, "bob", "x");
	builder_note(b, "jobs", "%s", "alice hides them");
	c = builder_seal(b, NULL);
	a = anonymize(c, key, NULL);
	for (uint32_t i = 0; i < 4; i++)
		assert_string_equal(cluster_text(a, F_JOB_REASON, i), jobs[i][2]);
	assert_string_equal(cluster_note(a, 0).subject, "source");
	assert_string_equal(cluster_note(a, 0).text, "...: ... % of ... are in it, ...");
	assert_string_equal(cluster_note(a, 1).subject, "jobs");
	assert_string_equal(cluster_note(a, 1).text, "(left out)");
	cluster_free(a);
	cluster_free(c);
}

/* That a source has a column of numbers is kept, even if all of them are unknown (verify). */
static void test_blank_columns(void **state)
{
	static const unsigned char key[ANONYMIZE_KEY] = "0123456789abcde";
	struct builder *b = builder_new();
	struct cluster *c, *a;

	(void)state;
	builder_add(b, TABLE_ASSOC);
	builder_u32(b, F_ASSOC_ID, 0, 1);
	builder_str(b, F_ASSOC_ACCOUNT, 0, "root");
	builder_f64(b, F_ASSOC_R_NORM_USAGE, 0, F64_UNKNOWN);
	c = builder_seal(b, NULL);
	assert_non_null(c);
	a = anonymize(c, key, NULL);
	assert_non_null(cluster_col(c, F_ASSOC_R_NORM_USAGE));
	assert_non_null(cluster_col(a, F_ASSOC_R_NORM_USAGE));
	assert_null(cluster_col(a, F_ASSOC_R_FAIRSHARE));
	cluster_free(a);
	cluster_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_siphash),
		cmocka_unit_test(test_nobody_is_left),
		cmocka_unit_test(test_comments),
		cmocka_unit_test(test_blank_columns),
		cmocka_unit_test(test_killed_writer),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
