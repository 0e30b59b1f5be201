/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recording as a whole: opened, marked with gaps, relieved of old samples, closed.
 */
#include <stdio.h>

#include "adapters/store/place.h"
#include "adapters/store/writer_private.h"
#include "core/base/mem.h"

static bool run_bound(struct store_writer *w, const char *sql, int64_t a, int64_t b,
		      const char *text, struct err *err)
{
	sqlite3_stmt *st;
	bool ok;

	db_begin(&w->db);
	st = db_prepare(&w->db, sql, err);
	if (!st)
		return false;
	sqlite3_bind_int64(st, 1, a);
	if (sqlite3_bind_parameter_count(st) > 1)
		bind_unknown(st, 2, b);
	if (sqlite3_bind_parameter_count(st) > 2)
		sqlite3_bind_text(st, 3, text, -1, SQLITE_STATIC);
	ok = db_step(&w->db, st, err);
	sqlite3_finalize(st);
	return ok;
}

bool store_write_same(struct store_writer *w, int64_t clock, struct err *err)
{
	return run_bound(w, "UPDATE sample SET seen = ?1 WHERE id = ?2", clock, w->sample, NULL,
			 err);
}

bool store_write_gap(struct store_writer *w, int64_t since, int64_t until, const char *reason,
		     struct err *err)
{
	return run_bound(w, "DELETE FROM gap WHERE since = ?1 AND until IS NULL", since, 0,
			 NULL, err) &&
	       run_bound(w, "INSERT INTO gap VALUES(?1, ?2, ?3)", since, until, reason, err);
}

bool store_set(struct store_writer *w, const char *name, const char *value, struct err *err)
{
	sqlite3_stmt *st;
	bool ok;

	db_begin(&w->db);
	st = db_prepare(&w->db, value ? "REPLACE INTO recording VALUES(?1, ?2)" :
			"DELETE FROM recording WHERE name = ?1", err);

	if (!st)
		return false;
	sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	if (value)
		sqlite3_bind_text(st, 2, value, -1, SQLITE_STATIC);
	ok = db_step(&w->db, st, err);
	sqlite3_finalize(st);
	return ok;
}

static bool forget_before(struct store_writer *w, int64_t first, struct err *err)
{
	int64_t version = (first - REFRESH_FACTS + 1) * (INT64_C(1) << VERSION_BITS);
	char sql[128];
	bool ok = true;

	for (size_t i = 0; ok && i < stream_count; i++) {
		snprintf(sql, sizeof(sql), "DELETE FROM \"%s\" WHERE version < ?1",
			 streams[i].name);
		ok = run_bound(w, sql, version, 0, NULL, err);
	}
	/* What holds until it changes: the last one before FIRST still holds there. */
	return ok && run_bound(w, "DELETE FROM gone WHERE version < ?1", version, 0, NULL, err) &&
	       run_bound(w, "DELETE FROM sums WHERE sample < ?1", first, 0, NULL, err) &&
	       run_bound(w, "DELETE FROM \"cluster\" WHERE sample < (SELECT max(sample) FROM"
			 " \"cluster\" WHERE sample <= ?1)", first, 0, NULL, err) &&
	       run_bound(w, "DELETE FROM note WHERE sample < (SELECT max(sample) FROM note"
			 " WHERE sample <= ?1)", first, 0, NULL, err) &&
	       run_bound(w, "DELETE FROM policy WHERE sample < (SELECT max(p.sample) FROM policy p"
			 " WHERE p.name = policy.name AND p.sample <= ?1)", first, 0, NULL, err) &&
	       run_bound(w, "DELETE FROM sample WHERE id < ?1", first, 0, NULL, err);
}

/* The first sample of the last KEEP seconds; a jump of the clock is no time that has passed. */
static int64_t first_kept(struct store_writer *w, int64_t keep)
{
	int64_t cut = w->time - keep, from = 0, to = w->sample;
	char sql[160];

	for (size_t i = w->jump_count; i > 0; i--) {
		const struct jump *jump = &w->jumps[i - 1];

		if (cut >= jump->after) {
			from = jump->sample;
			break;
		}
		cut -= jump->after - jump->before;
		to = jump->sample - 1;
	}
	snprintf(sql, sizeof(sql), "SELECT id FROM sample WHERE time >= %lld AND id BETWEEN %lld"
		 " AND %lld ORDER BY time, id LIMIT 1", (long long)cut, (long long)from,
		 (long long)to);
	return db_number(&w->db, sql, 0);
}

bool store_forget(struct store_writer *w, int64_t keep, int64_t clock, struct err *err)
{
	int64_t first;
	bool ok;

	if (w->sample == 0 || w->time - STORE_JUMP > clock)
		return true;
	db_begin(&w->db);
	first = first_kept(w, keep);
	if (first <= db_number(&w->db, "SELECT min(id) FROM sample", first))
		return true;
	ok = db_run(&w->db, "BEGIN IMMEDIATE", err) && forget_before(w, first, err) &&
	     db_run(&w->db, "DELETE FROM gap WHERE until < (SELECT min(time) FROM sample);"
		    "COMMIT", err);
	if (!ok)
		sqlite3_exec(w->db.sql, "ROLLBACK", NULL, NULL, NULL);
	return ok;
}

void store_writer_limit(struct store_writer *w, int64_t pages)
{
	char sql[64];

	snprintf(sql, sizeof(sql), "PRAGMA max_page_count = %lld", (long long)pages);
	sqlite3_exec(w->db.sql, sql, NULL, NULL, NULL);
}

struct store_written store_written(const struct store_writer *w)
{
	return w->written;
}

/* ---- opening ------------------------------------------------------------------------------- */

/* Nothing in it: new, or whoever made it was killed before the schema was there. */
static bool is_empty(struct store_writer *w)
{
	return db_number(&w->db, "SELECT count(*) FROM sqlite_schema", 1) == 0 &&
	       db_number(&w->db, "PRAGMA application_id", 1) == 0 &&
	       db_number(&w->db, "PRAGMA user_version", 1) == 0;
}

/* The schema: made, or brought forward. A damaged or foreign file is not touched. */
static bool open_schema(struct store_writer *w, struct err *err)
{
	int version = STORE_VERSION;

	if (!db_run(&w->db, "PRAGMA page_size = 8192; SELECT count(*) FROM sqlite_schema", err))
		return false;
	if (is_empty(w))
		return schema_create(&w->db, err);
	return schema_check(&w->db, &version, err) &&
	       (version == STORE_VERSION ||
		schema_migrate(&w->db, schema_steps, version, err)) &&
	       schema_complete(&w->db, err);
}

void note_time(struct store_writer *w, int64_t sample, int64_t time)
{
	bool jump = w->timed && (time < w->time || time - w->time > STORE_JUMP);

	if (jump) {
		w->jumps = mem_grow(w->jumps, &w->jump_capacity, w->jump_count + 1,
				    sizeof(*w->jumps));
		w->jumps[w->jump_count++] = (struct jump){ sample, w->time, time };
	}
	w->time = time;
	w->timed = true;
}

static bool open_times(struct store_writer *w, struct err *err)
{
	sqlite3_stmt *st = db_prepare(&w->db, "SELECT id, time FROM sample ORDER BY id", err);
	int result = SQLITE_ERROR;

	while (st && (result = sqlite3_step(st)) == SQLITE_ROW)
		note_time(w, sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1));
	if (st && result != SQLITE_DONE)
		(void)db_fail(&w->db, "reading", err);
	sqlite3_finalize(st);
	return result == SQLITE_DONE;
}

/* Where the last writer stopped. */
static bool open_last(struct store_writer *w, struct err *err)
{
	w->sample = db_number(&w->db, "SELECT max(id) FROM sample", 0);
	w->next_object = db_number(&w->db,
				   "SELECT next_object FROM sample ORDER BY id DESC LIMIT 1", 1);
	if (!schema_used(&w->db, w->used, err) || !open_times(w, err))
		return false;
	if (w->sample > 0)
		w->last = rebuild(&w->db, w->sample, NEED_ALL, w->tables, err);
	return w->sample == 0 || w->last;
}

static bool open_all(struct store_writer *w, struct err *err)
{
	return db_open(&w->db, w->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) &&
	       open_schema(w, err) &&
	       db_run(&w->db, place_is_network(w->path) ? "PRAGMA journal_mode = DELETE" :
		      "PRAGMA journal_mode = WAL", err) &&
	       db_run(&w->db, "PRAGMA synchronous = FULL", err) && open_last(w, err);
}

static struct store_writer *open_with(const char *path, int wake_fd,
				      bool (*open)(struct store_writer *w, struct err *err),
				      struct err *err)
{
	struct store_writer *w = mem_zalloc(1, sizeof(*w));

	w->path = mem_strdup(path);
	w->db.fields_known = -1;
	w->db.wake_fd = wake_fd;
	w->lock = place_lock(path, err);
	if (w->lock >= 0 && open(w, err))
		return w;
	store_writer_close(w);
	return NULL;
}

struct store_writer *store_writer_open(const char *path, struct err *err)
{
	return open_with(path, -1, open_all, err);
}

struct store_writer *store_writer_open_until(const char *path, int wake_fd, struct err *err)
{
	return open_with(path, wake_fd, open_all, err);
}

/*
 * Large pages are written with fewer calls. Tables get the columns that are set, as they are set:
 * the many that a log knows nothing of would be NULLs in each row, as dear as all the rest of it.
 */
static bool open_hurry(struct store_writer *w, struct err *err)
{
	w->next_object = 1;
	if (!db_open(&w->db, w->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) ||
	    !db_run(&w->db, "PRAGMA page_size = 16384", err))
		return false;
	if (!is_empty(w))
		return err_set(err, ERR_INPUT, "is there already");
	w->hurry = db_run(&w->db, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY;"
			  "PRAGMA synchronous = OFF; BEGIN", err);
	return w->hurry && schema_begin(&w->db, err);
}

struct store_writer *store_writer_hurry(const char *path, struct err *err)
{
	return open_with(path, -1, open_hurry, err);
}

static bool force(struct store_writer *w, struct err *err)
{
	sqlite3_file *file = NULL;

	return (sqlite3_file_control(w->db.sql, "main", SQLITE_FCNTL_FILE_POINTER, &file) ==
		SQLITE_OK && file && file->pMethods &&
		file->pMethods->xSync(file, SQLITE_SYNC_FULL) == SQLITE_OK) ||
	       err_set(err, ERR_INPUT, "writing: it cannot be brought to the disk");
}

bool store_writer_finish(struct store_writer *w, struct err *err)
{
	bool ok;

	db_begin(&w->db);
	ok = !w->hurry || (schema_end(&w->db, err) && db_run(&w->db, "COMMIT", err));

	w->hurry = false;
	forget_statements(w);
	if (!ok)
		sqlite3_exec(w->db.sql, "ROLLBACK", NULL, NULL, NULL);
	return ok && force(w, err);
}

void store_writer_close(struct store_writer *w)
{
	if (!w)
		return;
	forget_statements(w);
	w->db.wake_fd = -1;
	db_begin(&w->db);
	/* Alone at the end: one plain file, that can be read where nothing can be written. */
	if (w->db.sql) {
		sqlite3_busy_timeout(w->db.sql, 0);
		sqlite3_exec(w->db.sql, "PRAGMA synchronous = FULL", NULL, NULL, NULL);
		sqlite3_exec(w->db.sql, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	}
	db_close(&w->db);
	place_unlock(w->lock);
	mem_free(w->jumps);
	for (int t = 0; t < TABLE_COUNT; t++)
		tracked_free(&w->tables[t]);
	cluster_free(w->last);
	mem_free(w->scratch.bytes);
	mem_free(w->path);
	mem_free(w);
}
