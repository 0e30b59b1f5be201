/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings: written data is read back at every time, bit for bit, by a new reader, by a writer
 * that goes on, and after old samples were forgotten; files that are no recordings, damaged or
 * newer are refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "adapters/demo/demo.h"
#include "adapters/file.h"
#include "adapters/snapshot/snapshot.h"
#include "adapters/store/store.h"
#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "tests/support/anything.h"
#include "tests/support/data.h"
#include "tests/support/dice.h"
#include "tests/support/equal.h"
#include "tests/support/recording.h"
#include "tests/support/scratch.h"
#include "tests/support/walk.h"

#define SAMPLES walk_steps(140, 300)		/* more than REFRESH_FACTS */

static const char *path_of(const char *name)
{
	static char path[SCRATCH_PATH_MAX];

	return scratch_path(name, path);
}

/* ---- a made-up past ------------------------------------------------------------------------ */

/* Generates sample I of a past: a demo that goes on, or random content. */
struct past {
	struct demo *demo;
	uint64_t seed;
	int64_t step;
};

static struct cluster *past_next(struct past *p)
{
	struct err err = { .code = ERR_NONE };
	struct cluster *c;

	if (!p->demo) {
		p->seed++;
		return anything_new(p->seed, 12, p->seed % 2 == 0);
	}
	demo_advance(p->demo, p->step);
	c = demo_picture(p->demo, &err);
	if (!c)
		fail_msg("%s", err.message);
	return c;
}

/* Returns the whole cluster as text: equal texts mean equal clusters, including all orders. */
static struct bytes text_of(const struct cluster *c)
{
	struct bytes t = { 0 };
	struct err err;

	assert_true(snapshot_write(c, bytes_sink(&t), &err));
	return t;
}

static void assert_same(const struct cluster *expected, const struct cluster *c, int64_t sample)
{
	struct bytes a = text_of(expected), b = text_of(c);
	size_t at = 0;

	while (at < a.length && at < b.length && a.data[at] == b.data[at])
		at++;
	if (!equal_clusters(expected, c) || at < a.length || at < b.length)
		fail_msg("sample %lld is not what was recorded: %.80s is %.80s", (long long)sample,
			 a.data + at, b.data + at);
	bytes_free(&a);
	bytes_free(&b);
}

static void assert_sample(struct store_reader *r, int64_t sample, const struct cluster *expected)
{
	struct err err = { .code = ERR_NONE };
	struct cluster *c = store_read(r, sample, NEED_ALL, &err);

	if (!c)
		fail_msg("sample %lld: %s", (long long)sample, err.message);
	assert_same(expected, c, sample);
	cluster_free(c);
}

/* Writes COUNT samples of two equal pasts, reopening the writer now and then, and reads all. */
static void round_trip(const char *name, struct past *a, struct past *b, unsigned count,
		       unsigned reopen)
{
	const char *path = path_of(name);
	struct store_writer *w = recording_writer(path);
	struct store_reader *r;

	for (unsigned i = 0; i < count; i++) {
		recording_write(w, past_next(a), 1000 + i);
		if (i % reopen == reopen - 1) {
			store_writer_close(w);
			w = recording_writer(path);
		}
	}
	r = recording_reader(path);
	for (unsigned i = 1; i <= count; i++) {
		struct cluster *c = past_next(b);

		assert_sample(r, i, c);
		cluster_free(c);
	}
	store_reader_close(r);
	store_writer_close(w);
}

static void test_demo_round_trip(void **state)
{
	struct demo_options o = DEMO_OPTIONS_DEFAULT;
	struct past a = { .step = 300 }, b = { .step = 300 };

	(void)state;
	a.demo = demo_new(&o);
	b.demo = demo_new(&o);
	round_trip("demo.rec", &a, &b, SAMPLES, 53);
	demo_free(a.demo);
	demo_free(b.demo);
}

static void test_anything_round_trip(void **state)
{
	struct past a = { .seed = 1 }, b = { .seed = 1 };

	(void)state;
	round_trip("any.rec", &a, &b, SAMPLES, 41);
}

/* Returns the same few rows, some missing or in other places. */
static struct cluster *shuffled(uint64_t *seed)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = { .kind = "slurm", .name = "shuffle" };
	struct err err;
	uint32_t ids[40], n = 0;
	struct cluster *c;

	meta.time = 1000;
	builder_meta(b, &meta);
	for (uint32_t id = 1; id <= 40; id++) {
		if (dice_below(seed, 3))
			ids[n++] = id;
	}
	for (uint32_t swaps = dice_below(seed, 4); n > 1 && swaps > 0; swaps--) {
		uint32_t i = dice_below(seed, n), k = dice_below(seed, n), id = ids[i];

		ids[i] = ids[k];
		ids[k] = id;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = builder_add(b, TABLE_JOB);

		builder_u32(b, F_JOB_ID, row, ids[i] / 2);
		builder_str(b, F_JOB_STATE, row, dice_below(seed, 5) ? "PENDING" : "RUNNING");
		builder_f64(b, F_JOB_BILLING, row, dice_below(seed, 20) ? 1 : -0.0);
	}
	c = builder_seal(b, &err);
	assert_non_null(c);
	return c;
}

static void test_order_survives(void **state)
{
	const char *path = path_of("shuffle.rec");
	struct store_writer *w = recording_writer(path);
	struct store_reader *r;
	uint64_t seed = 5, again = 5;

	(void)state;
	for (unsigned i = 0; i < SAMPLES; i++)
		recording_write(w, shuffled(&seed), i);
	store_writer_close(w);
	r = recording_reader(path);
	for (unsigned i = 1; i <= SAMPLES; i++) {
		struct cluster *c = shuffled(&again);

		assert_sample(r, i, c);
		cluster_free(c);
	}
	store_reader_close(r);
}

/* ---- time ---------------------------------------------------------------------------------- */

static struct cluster *at_time(int64_t time)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = { .kind = "slurm", .name = "t", .time = time };
	struct err err;

	builder_meta(b, &meta);
	return builder_seal(b, &err);
}

/* The clock went back at the third sample: samples between the ends may be of other times. */
static void test_between(void **state)
{
	static const int64_t times[] = { 100, 110, 90, 120, 130 };
	const char *path = path_of("between.rec");
	struct store_writer *w = recording_writer(path);
	struct store_reader *r = recording_reader(path);
	struct err err = { .code = ERR_NONE };
	int64_t first, last;

	(void)state;
	assert_true(store_between(r, I64_UNKNOWN, I64_UNKNOWN, &first, &last, &err));
	assert_true(last < first);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		recording_write(w, at_time(times[i]), times[i]);
	assert_true(store_between(r, I64_UNKNOWN, I64_UNKNOWN, &first, &last, &err));
	assert_int_equal(first, 1);
	assert_int_equal(last, 5);
	assert_true(store_between(r, 110, 120, &first, &last, &err));
	assert_int_equal(first, 2);
	assert_int_equal(last, 4);
	assert_true(store_between(r, I64_UNKNOWN, 100, &first, &last, &err));
	assert_int_equal(first, 1);
	assert_int_equal(last, 3);
	assert_true(store_between(r, 121, I64_UNKNOWN, &first, &last, &err));
	assert_int_equal(first, 5);
	assert_int_equal(last, 5);
	assert_true(store_between(r, 131, I64_UNKNOWN, &first, &last, &err));
	assert_true(last < first);
	assert_true(store_between(r, 120, 110, &first, &last, &err));
	assert_true(last < first);
	store_reader_close(r);
	store_writer_close(w);
}

static void test_instants(void **state)
{
	const char *path = path_of("times.rec");
	struct store_writer *w = recording_writer(path);
	struct store_sample s, last;
	struct store_gap gap;
	struct store_reader *r;
	struct err err = { .code = ERR_NONE };

	(void)state;
	r = recording_reader(path);
	assert_false(store_range(r, &s, &last, &err));
	assert_string_equal(err.message, "the recording has no sample yet");
	for (int i = 0; i < 5; i++)
		recording_write(w, at_time(100 + i * 10), 200 + i * 10);
	assert_true(store_write_same(w, 300, &err));
	assert_true(store_write_gap(w, 111, 118, "slurmctld did not answer", &err));
	assert_true(store_range(r, &s, &last, &err));
	assert_int_equal(s.time, 100);
	assert_int_equal(last.id, 5);
	assert_int_equal(last.time, 140);
	assert_int_equal(last.seen, 300);
	assert_true(store_at(r, 139, &s, &err));
	assert_int_equal(s.id, 4);
	assert_true(store_at(r, 130, &s, &err));
	assert_int_equal(s.id, 4);
	assert_false(store_at(r, 99, &s, &err));
	assert_false(store_next(r, 6, &s, &err));
	assert_null(store_read(r, 6, NEED_ALL, &err));
	assert_null(store_read(r, 0, NEED_ALL, &err));
	assert_true(store_gap_at(r, 111, &gap));
	assert_string_equal(gap.reason, "slurmctld did not answer");
	assert_false(store_gap_at(r, 118, &gap));
	assert_true(store_gap(r, 0, &gap));
	assert_false(store_gap(r, 1, &gap));
	store_reader_close(r);
	store_writer_close(w);
}

static void test_forgetting(void **state)
{
	const char *path = path_of("keep.rec");
	struct demo_options o = DEMO_OPTIONS_DEFAULT;
	struct past a = { .step = 60 }, b = { .step = 60 };
	struct store_writer *w = recording_writer(path);
	struct store_sample first, last;
	struct store_reader *r;
	struct err err = { .code = ERR_NONE };

	(void)state;
	a.demo = demo_new(&o);
	b.demo = demo_new(&o);
	for (unsigned i = 0; i < SAMPLES; i++) {
		struct cluster *c = past_next(&a);
		int64_t time = cluster_meta(c)->time;

		recording_write(w, c, time);
		assert_true(store_forget(w, 100 * 60, time, &err));
	}
	r = recording_reader(path);
	assert_true(store_range(r, &first, &last, &err));
	assert_int_equal(first.id, SAMPLES - 100);
	for (unsigned i = 1; i <= SAMPLES; i++) {
		struct cluster *c = past_next(&b);

		if (i >= first.id)
			assert_sample(r, i, c);
		cluster_free(c);
	}
	store_reader_close(r);
	store_writer_close(w);
	demo_free(a.demo);
	demo_free(b.demo);
}

/* ---- who may write ------------------------------------------------------------------------- */

static void test_one_writer(void **state)
{
	const char *path = path_of("one.rec");
	struct store_writer *w = recording_writer(path);
	struct err err = { .code = ERR_NONE };

	(void)state;
	assert_null(store_writer_open(path, &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_string_equal(err.message, "another fairtop is recording into this file");
	store_writer_close(w);
	w = recording_writer(path);
	store_writer_close(w);
}

static void test_full_disk(void **state)
{
	const char *path = path_of("full.rec");
	struct demo_options o = DEMO_OPTIONS_DEFAULT;
	struct past a = { .step = 300 }, b = { .step = 300 };
	struct store_writer *w = recording_writer(path);
	struct store_sample first, last;
	struct store_reader *r;
	struct err err = { .code = ERR_NONE };
	unsigned written = 0;

	(void)state;
	a.demo = demo_new(&o);
	b.demo = demo_new(&o);
	store_writer_limit(w, 300);
	while (store_write(w, past_next(&a), written, &err))
		written++;
	assert_int_equal(err.code, ERR_INPUT);
	assert_non_null(strstr(err.message, "no space left"));
	assert_true(written > 3);
	r = recording_reader(path);
	assert_true(store_range(r, &first, &last, &err));
	assert_int_equal(last.id, written);
	for (unsigned i = 1; i <= written; i++) {
		struct cluster *c = past_next(&b);

		assert_sample(r, i, c);
		cluster_free(c);
	}
	/* With space again it goes on. */
	cluster_free(past_next(&b));
	store_writer_limit(w, 1000000);
	recording_write(w, past_next(&a), 5000);
	struct cluster *next = past_next(&b);

	assert_sample(r, written + 1, next);
	cluster_free(next);
	store_reader_close(r);
	store_writer_close(w);
	demo_free(a.demo);
	demo_free(b.demo);
}

/* ---- files --------------------------------------------------------------------------------- */

static void refuse(const char *path, const char *part)
{
	struct err err = { .code = ERR_NONE };

	assert_null(store_reader_open(path, &err));
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, part))
		fail_msg("\"%s\" does not say \"%s\"", err.message, part);
	assert_null(store_writer_open(path, &err));
	assert_int_equal(err.code, ERR_INPUT);
}

static void run_sql(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

static void test_refused_files(void **state)
{
	const char *path = path_of("text.rec");
	struct err err = { .code = ERR_NONE };
	FILE *f = fopen(path, "w");

	(void)state;
	for (int i = 0; i < 2000; i++)
		fputs("this is no database ", f);
	fclose(f);
	refuse(path, "not a recording");
	path = path_of("other.rec");
	run_sql(path, "CREATE TABLE t(a)");
	refuse(path, "not a recording of fairtop");
	path = path_of("newer.rec");
	store_writer_close(recording_writer(path));
	run_sql(path, "PRAGMA user_version = 4");
	refuse(path, "written by a newer fairtop (schema version 4; this one knows up to 3)");
	path = path_of("missing/x.rec");
	assert_null(store_writer_open(path, &err));
	assert_int_equal(err.code, ERR_INPUT);
}

/* Truncated or overwritten anywhere: an error or some cluster, but never a crash. */
static void test_damaged_files(void **state)
{
	const char *path = path_of("whole.rec");
	struct demo_options o = DEMO_OPTIONS_DEFAULT;
	struct past a = { .step = 300 };
	struct store_writer *w = recording_writer(path);
	uint64_t seed = 7;
	char *bytes;
	long size;
	FILE *f;

	(void)state;
	a.demo = demo_new(&o);
	for (unsigned i = 0; i < 10; i++)
		recording_write(w, past_next(&a), i);
	store_writer_close(w);
	demo_free(a.demo);
	f = fopen(path, "r");
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	bytes = mem_alloc((size_t)size, 1);
	assert_int_equal(fread(bytes, 1, (size_t)size, f), size);
	fclose(f);
	for (unsigned i = 0; i < 200; i++) {
		struct err err = { .code = ERR_NONE };
		struct store_sample first, last;
		struct store_reader *r;
		long length = i % 2 ? size : (long)dice_below(&seed, (uint32_t)size);

		path = path_of("damaged.rec");
		f = fopen(path, "w");
		assert_int_equal(fwrite(bytes, 1, (size_t)length, f), length);
		for (int k = 0; i % 2 && k < 20; k++) {
			fseek(f, (long)dice_below(&seed, (uint32_t)size), SEEK_SET);
			fputc((int)dice_below(&seed, 256), f);
		}
		fclose(f);
		r = store_reader_open(path, &err);
		if (r && store_range(r, &first, &last, &err)) {
			for (int64_t id = first.id; id <= last.id && id < first.id + 12; id++)
				cluster_free(store_read(r, id, NEED_ALL, &err));
		}
		store_reader_close(r);
	}
	mem_free(bytes);
}

/* ---- older schemas ------------------------------------------------------------------------- */

/* Makes PATH from the SQL in tests/data/store/FILE. */
static void make_from(const char *path, const char *file)
{
	char name[100], source[400];
	size_t length;
	char *sql;

	snprintf(name, sizeof(name), "store/%s", file);
	sql = file_read(data_path(name, source, sizeof(source)), 1 << 20, &length, NULL);
	assert_non_null(sql);
	run_sql(path, sql);
	free(sql);
}

/* Returns sample ID of these recordings, from a snapshot of that time. */
static struct cluster *kept_sample(unsigned id)
{
	char name[100], path[400], *bytes = mem_alloc(100000, 1);
	struct err err = { .code = ERR_NONE };
	struct cluster *c;
	size_t length;
	FILE *f;

	snprintf(name, sizeof(name), "store/sample-%u.snapshot", id);
	f = fopen(data_path(name, path, sizeof(path)), "r");
	assert_non_null(f);
	length = fread(bytes, 1, 100000, f);
	fclose(f);
	c = snapshot_parse(bytes, length, &err);
	if (!c)
		fail_msg("%s: %s", path, err.message);
	mem_free(bytes);
	return c;
}

/* Reads it without changing the file, then upgrades it, reads the same, and continues it. */
static void older(const char *file)
{
	const char *path = path_of("older.rec");
	struct store_reader *r;
	struct store_writer *w;

	make_from(path, file);
	for (int turn = 0; turn < 2; turn++) {
		r = recording_reader(path);
		for (unsigned i = 1; i <= 3; i++) {
			struct cluster *c = kept_sample(i);

			assert_sample(r, i, c);
			cluster_free(c);
		}
		store_reader_close(r);
		w = recording_writer(path);
		if (turn == 1)
			recording_write(w, kept_sample(1), 9000);
		store_writer_close(w);
	}
}

static void test_version_0(void **state)
{
	(void)state;
	older("schema-0.sql");
}

static void test_version_1(void **state)
{
	(void)state;
	older("schema-1.sql");
}

static void test_version_2(void **state)
{
	(void)state;
	older("schema-2.sql");
}

/* Checks the first column of the first row of SQL as text. */
static void assert_value(const char *path, const char *sql, const char *expected)
{
	sqlite3_stmt *st = NULL;
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(st, 0), expected);
	sqlite3_finalize(st);
	sqlite3_close(db);
}

static struct cluster *job_of(uint32_t id, const char *name)
{
	struct builder *b = builder_new();
	struct cluster_meta meta = { .kind = "slurm", .name = "words", .time = 1000 };
	struct err err;
	uint32_t row;
	struct cluster *c;

	builder_meta(b, &meta);
	row = builder_add(b, TABLE_JOB);
	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_NAME, row, name);
	builder_str(b, F_JOB_USER, row, "12345");
	builder_str(b, F_JOB_JOB_ID, row, id < 4 ? "75.server" : NULL);
	c = builder_seal(b, &err);
	assert_non_null(c);
	return c;
}

/* A text that occurs twice becomes a word, with one number for all writers; views show texts. */
static void test_words(void **state)
{
	const char *path = path_of("words.rec");
	struct store_writer *w = recording_writer(path);
	struct err err = { .code = ERR_NONE };
	struct store_reader *r;

	(void)state;
	for (unsigned i = 1; i <= 6; i++) {
		recording_write(w, job_of(i, i % 2 ? "odd" : "even"), i);
		recording_write(w, job_of(i, "both"), i);
		if (i == 3) {
			store_writer_close(w);
			w = recording_writer(path);
		}
	}
	store_writer_close(w);
	r = recording_reader(path);
	for (unsigned i = 1; i <= 12; i++) {
		struct cluster *c = job_of((i + 1) / 2, i % 2 == 0 ? "both" : i % 4 == 1 ? "odd" :
					   "even");

		assert_sample(r, i, c);
		cluster_free(c);
	}
	store_reader_close(r);
	assert_value(path, "SELECT group_concat(text) FROM (SELECT text FROM word ORDER BY id)",
		     "12345,both,odd,even");
	assert_value(path, "SELECT group_concat(typeof(user) || typeof(name)) FROM job WHERE"
		     " version >> 24 IN (1, 2, 3, 12)", "texttext,integertext,integertext,"
		     "integerinteger");
	assert_value(path, "SELECT group_concat(DISTINCT user) FROM job_valid", "12345");
	assert_value(path, "SELECT user || name FROM job_now", "12345both");
	/* A text of a single job is no word, and a field that no job has is no column. */
	assert_value(path, "SELECT group_concat(DISTINCT typeof(job_id)) FROM job", "text,null");
	assert_value(path, "SELECT count(*) FROM pragma_table_info('job') WHERE name = 'qos'", "0");
	assert_value(path, "SELECT count(*) FROM job_now WHERE qos IS NULL", "1");
	/* A number without a word is damage. */
	run_sql(path, "DELETE FROM word WHERE text = 'both'");
	r = recording_reader(path);
	assert_null(store_read(r, 12, NEED_ALL, &err));
	assert_string_equal(err.message,
			    "the recording is damaged: a value does not match its column");
	store_reader_close(r);
}

/* ---- miscellaneous ------------------------------------------------------------------------- */

static void test_file_systems(void **state)
{
	(void)state;
	assert_true(store_is_network(0x6969));
	assert_true(store_is_network(0x0bd00bd0));
	assert_true(store_is_network(0x47504653));
	assert_true(store_is_network((unsigned long)(long)(int)0xff534d42));
	assert_false(store_is_network(0xef53));
	assert_false(store_is_network(0x58465342));
	assert_false(store_is_network(0x01021994));
}

/* Values of a configuration that a recording keeps cannot be secrets. */
static void test_no_secrets(void **state)
{
	static const char *const words[] = { "Pass", "Key", "Token", "Secret", "Auth", "Cred" };

	(void)state;
	for (size_t i = 0; i < policy_params_count; i++) {
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
			const char *at = strstr(policy_params[i].name, words[k]);

			if (at)
				fail_msg("%s would be recorded", policy_params[i].name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_demo_round_trip),
		cmocka_unit_test(test_anything_round_trip),
		cmocka_unit_test(test_order_survives),
		cmocka_unit_test(test_between),
		cmocka_unit_test(test_instants),
		cmocka_unit_test(test_forgetting),
		cmocka_unit_test(test_one_writer),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_refused_files),
		cmocka_unit_test(test_damaged_files),
		cmocka_unit_test(test_version_0),
		cmocka_unit_test(test_version_1),
		cmocka_unit_test(test_version_2),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_file_systems),
		cmocka_unit_test(test_no_secrets),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
