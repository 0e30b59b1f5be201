/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings written by imports, in a hurry: every sample reads back as written, even if columns
 * came late; the schema is that of any recording, and any writer can continue; nothing exists
 * before the end, and existing files are untouched.
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

#include "adapters/store/store.h"
#include "tests/support/anything.h"
#include "tests/support/equal.h"
#include "tests/support/scratch.h"
#include "tests/support/walk.h"

#define SAMPLES 160		/* more than any row goes unwritten */
#define MORE 20

static void must(bool ok, const struct err *err)
{
	if (!ok)
		fail_msg("%s", err->message);
}

static struct cluster *sample(unsigned i)
{
	return anything_new(i, 12, i % 2 == 0);
}

static void write_samples(struct store_writer *w, unsigned from, unsigned to)
{
	struct err err = { .code = ERR_NONE };

	for (unsigned i = from; i <= to; i++)
		must(store_write(w, sample(i), 1000 + i, &err), &err);
}

static struct store_writer *begin(const char *path)
{
	struct err err = { .code = ERR_NONE };
	struct store_writer *w = store_writer_hurry(path, &err);

	must(w != NULL, &err);
	return w;
}

static void finish(struct store_writer *w)
{
	struct err err = { .code = ERR_NONE };

	must(store_writer_finish(w, &err), &err);
	store_writer_close(w);
}

static void assert_samples(const char *path, unsigned count)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r = store_reader_open(path, &err);
	struct store_walk *walk;

	must(r != NULL, &err);
	walk = store_walk_new(r, NEED_ALL);
	for (unsigned i = 1; i <= count; i++) {
		struct cluster *expected = sample(i), *c = store_read(r, i, NEED_ALL, &err);
		const struct cluster *stepped = store_walk_to(walk, i, &err);

		must(c && stepped, &err);
		if (!equal_clusters(expected, c) || !equal_clusters(expected, stepped))
			fail_msg("sample %u is not what was written", i);
		cluster_free(expected);
		cluster_free(c);
	}
	store_walk_free(walk);
	store_reader_close(r);
}

static void test_round_trip(void **state)
{
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;
	char path[SCRATCH_PATH_MAX];

	(void)state;
	w = begin(scratch_path("trip.rec", path));
	write_samples(w, 1, SAMPLES);
	finish(w);
	assert_samples(path, SAMPLES);
	/* A recorder continues it. */
	w = store_writer_open(path, &err);
	must(w != NULL, &err);
	write_samples(w, SAMPLES + 1, SAMPLES + MORE);
	store_writer_close(w);
	assert_samples(path, SAMPLES + MORE);
}

/* ---- the schema ---------------------------------------------------------------------------- */

/* Returns the first column of each row of SQL, one per line. */
static void lines_of(const char *path, const char *sql, char *out, size_t size)
{
	sqlite3_stmt *st = NULL;
	sqlite3 *db = NULL;
	size_t used = 0;

	assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	out[0] = '\0';
	while (sqlite3_step(st) == SQLITE_ROW) {
		used += (size_t)snprintf(out + used, size - used, "%s\n",
					 (const char *)sqlite3_column_text(st, 0));
		assert_true(used < size);
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
}

/*
 * Lists columns of tables and views, and types of tables, in any order. A hurry writes no words,
 * and SQLite from 3.41 on names types for expressions in views.
 */
static const char schema[] =
	"SELECT s.type || ' ' || s.name || ' ' || c.name || ' ' ||"
	" iif(s.type = 'table', c.type, '') || c.\"notnull\" || c.pk"
	" FROM sqlite_schema s, pragma_table_info(s.name) c"
	" WHERE s.type IN ('table', 'view') AND s.name <> 'word' ORDER BY 1";

static void test_schema(void **state)
{
	static char plain[65536], hurried[65536], views[4096];
	char a[SCRATCH_PATH_MAX], b[SCRATCH_PATH_MAX], sql[200], row[4096], *save = NULL;
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;

	(void)state;
	w = store_writer_open(scratch_path("plain.rec", a), &err);
	must(w != NULL, &err);
	write_samples(w, 1, 3);
	store_writer_close(w);
	w = begin(scratch_path("hurried.rec", b));
	write_samples(w, 1, 3);
	finish(w);
	lines_of(a, schema, plain, sizeof(plain));
	lines_of(b, schema, hurried, sizeof(hurried));
	assert_true(strlen(plain) > 5000);
	assert_string_equal(hurried, plain);
	lines_of(b, "PRAGMA integrity_check", row, sizeof(row));
	assert_string_equal(row, "ok\n");
	lines_of(b, "PRAGMA journal_mode", row, sizeof(row));
	assert_string_equal(row, "delete\n");
	lines_of(b, "SELECT name FROM sqlite_schema WHERE type = 'view'", views, sizeof(views));
	for (char *v = strtok_r(views, "\n", &save); v; v = strtok_r(NULL, "\n", &save)) {
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM \"%s\"", v);
		lines_of(b, sql, row, sizeof(row));
	}
}

/* Tables without rows have only their columns. */
static void test_empty(void **state)
{
	struct err err = { .code = ERR_NONE };
	struct store_reader *r;
	struct store_sample first, last;
	char path[SCRATCH_PATH_MAX], row[100];

	(void)state;
	finish(begin(scratch_path("empty.rec", path)));
	r = store_reader_open(path, &err);
	must(r != NULL, &err);
	assert_false(store_range(r, &first, &last, &err));
	assert_string_equal(err.message, "the recording has no sample yet");
	store_reader_close(r);
	lines_of(path, "SELECT count(*) FROM job_now WHERE priority IS NULL", row, sizeof(row));
	assert_string_equal(row, "0\n");
}

/* ---- beginning and end --------------------------------------------------------------------- */

static void test_unfinished(void **state)
{
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;
	char path[SCRATCH_PATH_MAX];

	(void)state;
	w = begin(scratch_path("unfinished.rec", path));
	write_samples(w, 1, 40);
	store_writer_close(w);
	assert_null(store_reader_open(path, &err));
	assert_int_equal(err.code, ERR_INPUT);
}

static void test_not_over_another(void **state)
{
	struct err err = { .code = ERR_NONE };
	struct store_writer *w;
	char path[SCRATCH_PATH_MAX];

	(void)state;
	w = store_writer_open(scratch_path("there.rec", path), &err);
	must(w != NULL, &err);
	write_samples(w, 1, 3);
	assert_null(store_writer_hurry(path, &err));
	assert_string_equal(err.message, "another fairtop is recording into this file");
	store_writer_close(w);
	assert_null(store_writer_hurry(path, &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_string_equal(err.message, "already exists");
	assert_samples(path, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_schema),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_unfinished),
		cmocka_unit_test(test_not_over_another),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
