/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hostile recordings, wrong clocks, flipped bits: anything that is no recording is refused at once,
 * the single writer is recognised by the file and not by its name, no sample is forgotten across a
 * jump of the clock, and data read is as written, or an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "adapters/demo/demo.h"
#include "adapters/store/private.h"
#include "adapters/store/store.h"
#include "core/base/mem.h"
#include "tests/support/clock.h"
#include "tests/support/dice.h"
#include "tests/support/equal.h"
#include "tests/support/recording.h"
#include "tests/support/scratch.h"
#include "tests/support/walk.h"

#define SAMPLES 6
#define FLIPS (int)walk_steps(200, 600)
#define DAY 86400
#define BEGIN 1700000000

static void write_demo(const char *path, struct cluster *kept[SAMPLES])
{
	struct demo_options o = { .seed = 3, .accounts = 6, .users = 12, .jobs = 20, .speed = 1 };
	struct demo *demo = demo_new(&o), *again = demo_new(&o);
	struct store_writer *w = recording_writer(path);

	for (int i = 0; i < SAMPLES; i++) {
		struct err err = { .code = ERR_NONE };

		assert_true(store_write(w, demo_picture(demo, &err), BEGIN + i, &err));
		if (kept)
			kept[i] = demo_picture(again, &err);
		demo_advance(demo, 300);
		demo_advance(again, 300);
	}
	store_writer_close(w);
	demo_free(demo);
	demo_free(again);
}

/* Copies the demo recording, made once, to PATH. */
static void copy_demo(const char *path)
{
	static char made[SCRATCH_PATH_MAX];

	if (!made[0])
		write_demo(scratch_path("demo.rec", made), NULL);
	scratch_copy(made, path);
}

static void run_sql(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

/* ---- views instead of tables --------------------------------------------------------------- */

static void refused(const char *path, const char *what)
{
	static const char words[] = "one of its tables is missing or not a plain table";
	struct err err = { .code = ERR_NONE };

	assert_null(store_reader_open(path, &err));
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, words))
		fail_msg("%s: %s", what, err.message);
	err.message[0] = '\0';
	assert_null(store_writer_open(path, &err));
	if (!strstr(err.message, words))
		fail_msg("%s: %s", what, err.message);
}

static void test_views(void **state)
{
	static const char *const names[] = { "sample", "recording", "cluster", "policy", "note",
					     "gap",    "gone",	    "field",   "sums",	 "tres",
					     "assoc",  "job_state", "Sched" };
	char path[SCRATCH_PATH_MAX], sql[400];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		copy_demo(scratch_path("view.rec", path));
		snprintf(sql, sizeof(sql), "PRAGMA legacy_alter_table = ON; ALTER TABLE \"%s\""
			 " RENAME TO away; CREATE VIEW \"%s\" AS WITH RECURSIVE n(id) AS (SELECT 1"
			 " UNION ALL SELECT id + 1 FROM n) SELECT id, id AS time, id AS seen FROM n"
			 " WHERE id < 0", names[i], names[i]);
		run_sql(path, sql);
		refused(path, names[i]);
	}
	copy_demo(scratch_path("generated.rec", path));
	run_sql(path, "ALTER TABLE sample ADD COLUMN much AS (zeroblob(id * 100000000))");
	refused(path, "a generated column");
	copy_demo(scratch_path("virtual.rec", path));
	run_sql(path, "DROP TABLE gone; CREATE VIRTUAL TABLE gone USING fts5(version, object)");
	refused(path, "a virtual table");
}

/* ---- deadlines ----------------------------------------------------------------------------- */

/* Checks that an endless query was aborted after LIMIT_MS, by a clock that ticks. */
#define LIMIT_MS 300
#define TICK_MS 10
static void gave_up(bool answered, const struct err *err, int64_t begin_ms, const char *what)
{
	int64_t took_ms = clock_ms() - begin_ms;	/* clock: it ticks */

	if (answered || took_ms < LIMIT_MS || took_ms > 2 * LIMIT_MS ||
	    (err && !strstr(err->message, "took too long and was aborted")))
		fail_msg("%s: %s after %d ms (%s)", what, answered ? "an answer" : "no answer",
			 (int)took_ms, err ? err->message : "");
}

/*
 * Makes tables endless after the reader has checked them. (CROSS JOIN makes SQLite begin with the
 * endless one, whatever the query.)
 */
static void make_endless(const char *path)
{
	static const char *const names[] = { "sample", "gap" };
	char sql[400];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(sql, sizeof(sql), "PRAGMA legacy_alter_table = ON; ALTER TABLE %s RENAME"
			 " TO %s_away; CREATE VIEW %s AS WITH RECURSIVE n(id) AS (SELECT 1"
			 " UNION ALL SELECT id + 1 FROM n) SELECT t.* FROM n CROSS JOIN %s_away t"
			 " WHERE n.id < 0",
			 names[i], names[i], names[i], names[i]);
		run_sql(path, sql);
	}
}

static void test_deadlines(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct err err = { .code = ERR_NONE };
	struct timeline past = { .count = 0 };
	struct store_sample first, last;
	struct store_reader *r;
	struct store_gap gap;
	uint64_t stamp = 0;
	int64_t id, last_id;

	(void)state;
	copy_demo(scratch_path("endless.rec", path));
	r = store_reader_open(path, &err);
	assert_non_null(r);
	assert_int_equal(reader_db(r)->limit_ms, 30000);
	reader_db(r)->limit_ms = LIMIT_MS;
	make_endless(path);
	clock_stop(0);
	clock_tick(TICK_MS);
#define GIVES_UP(call, why)                                                    \
	do {                                                                   \
		int64_t begin_ms = clock_ms();                                 \
									       \
		gave_up(call, why, begin_ms, #call);                           \
	} while (0)
	GIVES_UP(store_range(r, &first, &last, &err), &err);
	GIVES_UP(store_at(r, BEGIN, &first, &err), &err);
	GIVES_UP(store_next(r, 1, &first, &err), &err);
	GIVES_UP(store_between(r, BEGIN, BEGIN, &id, &last_id, &err), &err);
	GIVES_UP(store_gap(r, 0, &gap), NULL);
	GIVES_UP(store_gap_at(r, BEGIN, &gap), NULL);
	GIVES_UP(store_timeline(r, &stamp, &past, &err), &err);
	GIVES_UP(store_read(r, 1, NEED_SHARES, &err), &err);
#undef GIVES_UP
	clock_go();
	store_reader_close(r);
}

/* ---- one writer ---------------------------------------------------------------------------- */

static void test_links(void **state)
{
	char path[SCRATCH_PATH_MAX], soft[SCRATCH_PATH_MAX], hard[SCRATCH_PATH_MAX];
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;

	(void)state;
	copy_demo(scratch_path("one.rec", path));
	assert_int_equal(symlink(path, scratch_path("soft.rec", soft)), 0);
	assert_int_equal(link(path, scratch_path("hard.rec", hard)), 0);
	w = recording_writer(path);
	assert_null(store_writer_open(soft, &err));
	assert_string_equal(err.message, "another fairtop is recording into this file");
	err.message[0] = '\0';
	assert_null(store_writer_open(hard, &err));
	assert_string_equal(err.message, "another fairtop is recording into this file");
	store_writer_close(w);
	store_writer_close(recording_writer(soft));
	store_writer_close(recording_writer(hard));
}

/* A writer that waits for another's lock stops soon after it is told to quit. */
static void test_told_to_leave(void **state)
{
	char path[SCRATCH_PATH_MAX];
	struct err err = { .code = ERR_NONE };
	int ends[2];
	sqlite3 *db;

	(void)state;
	copy_demo(scratch_path("busy.rec", path));
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN EXCLUSIVE", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	clock_stop(0);
	clock_tick(TICK_MS);
	assert_null(store_writer_open_until(path, ends[0], &err));
	assert_in_range(clock_ms(), 2000, 2200);	/* not the 10 s it would wait otherwise */
	clock_go();
	sqlite3_close(db);
	close(ends[0]);
	close(ends[1]);
}

/* ---- clocks -------------------------------------------------------------------------------- */

static void write_at(struct store_writer *w, int64_t time, int64_t keep)
{
	struct cluster_meta meta = { .kind = "slurm", .name = "clocks", .time = time };
	struct builder *b = builder_new();
	struct err err = { .code = ERR_NONE };

	builder_meta(b, &meta);
	assert_true(store_write(w, builder_seal(b, &err), time, &err));
	assert_true(store_forget(w, keep, time, &err));
}

static void assert_kept(const char *path, int64_t first_id, int64_t last_id)
{
	struct store_sample first, last;
	struct err err = { .code = ERR_NONE };
	struct store_reader *r = store_reader_open(path, &err);

	assert_non_null(r);
	assert_true(store_range(r, &first, &last, &err));
	assert_int_equal(first.id, first_id);
	assert_int_equal(last.id, last_id);
	store_reader_close(r);
}

/* The recorder's clock is as wrong as the cluster's: they are on one machine. */
static void test_clocks(void **state)
{
	struct store_writer *w;
	char path[SCRATCH_PATH_MAX];

	(void)state;
	w = recording_writer(scratch_path("clocks.rec", path));
	for (int i = 0; i < 5; i++)
		write_at(w, BEGIN + i * 3600, 30 * DAY);
	write_at(w, BEGIN + 400 * DAY, 30 * DAY);
	assert_kept(path, 1, 6);
	/* As long as the clock is wrong, also after a restart; then it is right again. */
	for (int i = 1; i <= 20; i++)
		write_at(w, BEGIN + 400 * DAY + i * 3600, 30 * DAY);
	store_writer_close(w);
	w = recording_writer(path);
	write_at(w, BEGIN + 400 * DAY + 21 * 3600, 30 * DAY);
	assert_kept(path, 1, 27);
	for (int i = 26; i < 30 * 24; i++)
		write_at(w, BEGIN + i * 3600, 30 * DAY);
	/*
	 * 694 samples since: 693 h, plus 21 h of the wrong clock and 4 h before it: 718 of 720 h.
	 * Two hours later the next sample makes the first one expire.
	 */
	assert_kept(path, 1, 27 + 694);
	for (int i = 30 * 24; i < 30 * 24 + 3; i++)
		write_at(w, BEGIN + i * 3600, 30 * DAY);
	assert_kept(path, 2, 27 + 697);
	for (int i = 30 * 24 + 3; i < 30 * 24 + 7; i++)
		write_at(w, BEGIN + i * 3600, 30 * DAY);
	assert_kept(path, 7, 27 + 701);
	store_writer_close(w);
}

/* A source's clock ahead of this one is not trusted. */
static void test_clock_of_the_source(void **state)
{
	struct store_writer *w;
	struct err err = { .code = ERR_NONE };
	char path[SCRATCH_PATH_MAX];

	(void)state;
	w = recording_writer(scratch_path("ahead.rec", path));
	for (int i = 0; i < 50; i++)
		write_at(w, BEGIN + i * 3600, 365 * DAY);
	assert_true(store_forget(w, 10 * 3600, BEGIN - DAY, &err));
	assert_kept(path, 1, 50);
	assert_true(store_forget(w, 10 * 3600, BEGIN + 2 * DAY, &err));
	assert_kept(path, 40, 50);
	store_writer_close(w);
}

/* ---- bits ---------------------------------------------------------------------------------- */

static char *bytes_of(const char *path, long *size)
{
	FILE *f = fopen(path, "r");
	char *bytes;

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*size = ftell(f);
	rewind(f);
	bytes = mem_alloc((size_t)*size, 1);
	assert_int_equal(fread(bytes, 1, (size_t)*size, f), *size);
	fclose(f);
	return bytes;
}

/* Returns how many samples of PATH can be read but differ from those written. */
static unsigned fooled(const char *path, struct cluster *kept[SAMPLES])
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r = store_reader_open(path, &err);
	struct store_walk *walk = r ? store_walk_new(r, NEED_ALL) : NULL;
	unsigned count = 0;

	for (int i = 0; r && i < SAMPLES; i++) {
		struct cluster *c = store_read(r, i + 1, NEED_ALL, &err);
		const struct cluster *w = store_walk_to(walk, i + 1, &err);

		count += c && !equal_clusters(kept[i], c);
		count += w && !equal_clusters(kept[i], w);
		cluster_free(c);
	}
	store_walk_free(walk);
	store_reader_close(r);
	return count;
}

static void test_flipped_bits(void **state)
{
	struct cluster *kept[SAMPLES];
	char path[SCRATCH_PATH_MAX], *bytes;
	uint64_t seed = 11;
	unsigned wrong = 0;
	long size;

	(void)state;
	write_demo(scratch_path("whole.rec", path), kept);
	assert_int_equal(fooled(path, kept), 0);
	bytes = bytes_of(path, &size);
	for (int i = 0; i < FLIPS; i++) {
		long at = (long)dice_below(&seed, (uint32_t)size);
		char bit = (char)(1 << dice_below(&seed, 8));
		FILE *f = fopen(scratch_path("flipped.rec", path), "w");

		bytes[at] ^= bit;
		assert_int_equal(fwrite(bytes, 1, (size_t)size, f), size);
		fclose(f);
		bytes[at] ^= bit;
		wrong += fooled(path, kept) > 0;
	}
	assert_int_equal(wrong, 0);
	mem_free(bytes);
	for (int i = 0; i < SAMPLES; i++)
		cluster_free(kept[i]);
}

/* ---- an interrupted writer ------------------------------------------------------------------ */

/* Leaves half of a transaction in PATH and the old state in its journal. */
static void interrupt(const char *path)
{
	pid_t pid = fork();
	int status = -1;
	sqlite3 *db;

	if (pid == 0)
		_exit(sqlite3_open(path, &db) == SQLITE_OK &&
		      sqlite3_exec(db, "PRAGMA cache_size = 1; BEGIN; UPDATE sample SET rows = -1"
				   " WHERE id = 4; UPDATE assoc_state SET usage = usage * 2; UPDATE"
				   " job SET name = hex(randomblob(99))", NULL, NULL, NULL) ==
		      SQLITE_OK ? 0 : 1);
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0);
}

/* Neither half-written data nor "damaged": the next writer rolls back. */
static void test_interrupted(void **state)
{
	struct cluster *kept[SAMPLES], *c;
	struct err err = { .code = ERR_NONE };
	char path[SCRATCH_PATH_MAX];
	struct store_reader *r;

	(void)state;
	write_demo(scratch_path("interrupted.rec", path), kept);
	interrupt(path);
	assert_null(store_reader_open(path, &err));
	assert_non_null(strstr(err.message, "its writer was interrupted"));
	store_writer_close(recording_writer(path));
	r = recording_reader(path);
	for (int i = 0; i < SAMPLES; i++) {
		c = store_read(r, i + 1, NEED_ALL, &err);
		assert_true(c && equal_clusters(kept[i], c));
		cluster_free(c);
		cluster_free(kept[i]);
	}
	store_reader_close(r);
}

/* ---- edited files -------------------------------------------------------------------------- */

/* After SQL, SAMPLES of a fresh recording are refused, by the reader and by a walk. */
static void damaged(const char *sql, int samples, const char *words)
{
	struct err err = { .code = ERR_NONE };
	char path[SCRATCH_PATH_MAX];
	struct store_reader *r;
	struct store_walk *walk;

	copy_demo(scratch_path("edited.rec", path));
	run_sql(path, sql);
	r = store_reader_open(path, &err);
	assert_non_null(r);
	walk = store_walk_new(r, NEED_ALL);
	for (int i = 1; i <= samples; i++) {
		err.message[0] = '\0';
		if (store_read(r, i, NEED_ALL, &err) || !strstr(err.message, words))
			fail_msg("%s: sample %d: %s", sql, i, err.message);
		assert_null(store_walk_to(walk, i, NULL));
	}
	store_walk_free(walk);
	store_reader_close(r);
}

/* Without checksums an edited number would pass: a recording that began with them needs them. */
static void test_missing_sums(void **state)
{
	(void)state;
	damaged("UPDATE assoc_state SET usage = usage * 2; DELETE FROM sums", SAMPLES,
		"a checksum is missing");
	damaged("DELETE FROM sums WHERE sample <= 2", 2, "a checksum is missing");
	damaged("DELETE FROM sums; VACUUM", SAMPLES, "a checksum is missing");
}

/* Adding to or subtracting from such a time would overflow. */
static void test_times_beyond(void **state)
{
	(void)state;
	damaged("UPDATE sample SET time = 9223372036854775807", SAMPLES, "out of range");
	damaged("UPDATE sample SET last_decay = -9007199254740993", SAMPLES, "out of range");
	damaged("UPDATE job SET submit = 9223372036854775807", SAMPLES,
		"a value does not match its column");
	damaged("UPDATE job SET submit = 9007199254740993", SAMPLES,
		"a value does not match its column");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_deadlines),
		cmocka_unit_test(test_links),
		cmocka_unit_test(test_told_to_leave),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_clock_of_the_source),
		cmocka_unit_test(test_flipped_bits),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_missing_sums),
		cmocka_unit_test(test_times_beyond),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
