/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The content of a recording for a time line: times, gaps, changes of the policy. */
#include "adapters/store/private.h"
#include "core/base/text.h"

/* Calls ADD for each row of the query SQL. */
static bool each_row(struct db *db, const char *sql, struct timeline *out,
		     void (*add)(struct timeline *out, sqlite3_stmt *st), struct err *err)
{
	sqlite3_stmt *st = db_prepare(db, sql, err);
	int result = SQLITE_ERROR;

	if (!st)
		return false;
	while ((result = sqlite3_step(st)) == SQLITE_ROW)
		add(out, st);
	if (result != SQLITE_DONE)
		(void)db_fail(db, "reading", err);
	sqlite3_finalize(st);
	return result == SQLITE_DONE;
}

static void add_sample(struct timeline *out, sqlite3_stmt *st)
{
	timeline_add(out, sqlite3_column_int64(st, 0));
}

static void store_times_add_change(struct timeline *out, sqlite3_stmt *st)
{
	timeline_add_change(out, sqlite3_column_int64(st, 0));
}

/* If a recorder was killed in an outage, the end is missing: then it is the next picture. */
static void add_gap(struct timeline *out, sqlite3_stmt *st)
{
	const char *reason = (const char *)sqlite3_column_text(st, 2);
	int64_t since = sqlite3_column_int64(st, 0), until = sqlite3_column_int64(st, 1);
	uint32_t next = since < INT64_MAX ? timeline_from(out, since + 1) : TIMELINE_NONE;

	if (sqlite3_column_type(st, 1) == SQLITE_NULL)
		until = next != TIMELINE_NONE ? out->samples[next] : I64_UNKNOWN;
	timeline_add_gap(out, since, until, reason ? reason : "");
}

/* The picture's time and the recorder's clock may differ. */
static void add_end(struct timeline *out, sqlite3_stmt *st)
{
	out->end = sqlite3_column_int64(st, 0);
}

/* Everything added, ended or forgotten changes one of these numbers. */
static uint64_t stamp_now(struct db *db)
{
	uint64_t numbers[] = {
		(uint64_t)db_number(db, "SELECT max(id) FROM sample", 0),
		(uint64_t)db_number(db, "SELECT min(id) FROM sample", 0),
		(uint64_t)db_number(db, "SELECT seen FROM sample ORDER BY id DESC LIMIT 1", 0),
		(uint64_t)db_number(db, "SELECT count(*) + count(until) FROM gap", 0),
	};

	return text_hash((const char *)numbers, sizeof(numbers), 1) | 1;
}

bool store_timeline(struct store_reader *r, uint64_t *stamp, struct timeline *out, struct err *err)
{
	struct db *db = reader_db(r);
	uint64_t now;

	db_begin(db);
	now = stamp_now(db);
	if (now == *stamp)
		return true;
	if (!each_row(db, "SELECT time FROM sample WHERE rows >= 0 ORDER BY time", out,
		      add_sample, err) ||
	    !each_row(db, "SELECT time + seen - clock FROM sample ORDER BY id DESC LIMIT 1", out,
		      add_end, err) ||
	    !each_row(db, "SELECT since, until, reason FROM gap ORDER BY since", out, add_gap,
		      err) ||
	    !each_row(db, "SELECT DISTINCT s.time FROM policy p JOIN sample s ON s.id = p.sample"
			  " WHERE p.sample > (SELECT min(id) FROM sample) ORDER BY s.time", out,
		      store_times_add_change, err)) {
		timeline_free(out);
		return false;
	}
	*stamp = now;
	return true;
}
