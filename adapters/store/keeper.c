/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recording as a whole: opening, gaps, removing old samples, closing. */
#include <stdio.h>
#include <string.h>

#include "adapters/store/place.h"
#include "adapters/store/writer_private.h"
#include "core/base/mem.h"
#include "core/base/timeword.h"

static bool run_bound(struct store_writer *w, const char *sql, int64_t a, int64_t b,
		      const char *text, struct err *err)
{
	sqlite3_stmt *st;

	db_begin(&w->db);
	st = db_prepare(&w->db, sql, err);
	if (!st)
		return false;
	sqlite3_bind_int64(st, 1, a);
	if (sqlite3_bind_parameter_count(st) > 1)
		bind_unknown(st, 2, b);
	if (sqlite3_bind_parameter_count(st) > 2)
		sqlite3_bind_text(st, 3, text, -1, SQLITE_STATIC);
	return db_step_last(&w->db, st, err);
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
	db_begin(&w->db);
	return db_set(&w->db, name, value, err);
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
	/* These are valid until changed: the last one before FIRST is still valid there. */
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

/* The first sample of the last KEEP seconds; a jump of the clock does not count as time. */
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
	     db_run(&w->db, "DELETE FROM gap WHERE until < (SELECT min(time) FROM sample)", err);
	return db_end(&w->db, ok, err);
}

/* ---- thinning ------------------------------------------------------------------------------ */

/* "7d,90d:1h": parts separated by commas, each an age and, after a colon, a step. */
bool store_keep_parse(const char *text, struct store_keep *keep, struct err *err)
{
	int64_t before = 0;
	bool ok = true;

	*keep = (struct store_keep){ .count = 0 };
	while (ok && keep->count < STORE_TIERS_MAX) {
		size_t length = strcspn(text, ","), colon = strcspn(text, ":,");
		char word[64];
		double age = 0, step = 0;

		ok = length < sizeof(word);
		snprintf(word, sizeof(word), "%.*s", (int)(ok ? length : 0), text);
		word[ok ? colon : 0] = '\0';
		ok = ok && timeword_duration(word, &age) && age >= 60 && age > (double)before &&
		     age < 1e12 && (colon == length ||
				    (timeword_duration(word + colon + 1, &step) && step >= 1 &&
				     step < age));
		before = ok ? (int64_t)age : 0;
		keep->tiers[keep->count++] = (struct store_tier){ before, ok ? (int64_t)step : 0 };
		text += length;
		if (!*text)
			break;
		text++;
	}
	return (ok && !*text) ||
	       err_set(err, ERR_INPUT, "not a retention period (expected for example 30d, or "
		       "7d,90d:1h,3y:1d: all samples for 7 days, one per hour for 90 days, one per "
		       "day for 3 years)");
}

/* Deletes what no sample needs between FROM and TO, which stay. */
static bool thin_between(struct store_writer *w, int64_t from, int64_t to, struct err *err)
{
	long long first = (from + 1) * (INT64_C(1) << VERSION_BITS);
	long long end = to * (INT64_C(1) << VERSION_BITS);
	long long after = (to + 1) * (INT64_C(1) << VERSION_BITS);
	char sql[600];
	bool ok;

	ok = db_run(&w->db, "BEGIN IMMEDIATE", err);
	for (size_t i = 0; ok && i < stream_count; i++) {
		const char *name = streams[i].name;

		snprintf(sql, sizeof(sql), "DELETE FROM \"%s\" WHERE version >= %lld AND version"
			 " < %lld AND version NOT IN (SELECT max(version) FROM \"%s\" WHERE version"
			 " >= %lld AND version < %lld GROUP BY object UNION ALL SELECT min(version)"
			 " FROM \"%s\" WHERE version >= %lld AND version < %lld AND object >="
			 " (SELECT next_object FROM sample WHERE id = %lld) GROUP BY object)", name,
			 first, end, name, first, after, name, first, after, (long long)from);
		ok = db_run(&w->db, sql, err);
	}
	/* The priority terms of a job that began between two samples are not needed. */
	snprintf(sql, sizeof(sql), "DELETE FROM prio WHERE version >= %lld AND version < %lld AND"
		 " object >= (SELECT next_object FROM sample WHERE id = %lld) AND object IN"
		 " (SELECT object FROM gone WHERE version >= %lld AND version < %lld);"
		 "DELETE FROM sums WHERE sample > %lld AND sample < %lld;"
		 "UPDATE sample SET rows = -1 WHERE id > %lld AND id < %lld", first, end,
		 (long long)from, first, after, (long long)from, (long long)to, (long long)from,
		 (long long)to);
	return db_end(&w->db, ok && db_run(&w->db, sql, err), err);
}

/* Lists the samples to keep from FROM to TO; *COUNT of them, the first is FROM. Owned. */
static int64_t *list_kept(struct store_writer *w, int64_t from, int64_t to, int64_t step,
			  size_t *count, struct err *err)
{
	/* Besides the last of each step: samples that start a new state, and the ends of gaps. */
	sqlite3_stmt *st = db_prepare(&w->db, "SELECT id, time, id IN (SELECT sample FROM policy"
				      " UNION ALL SELECT sample FROM \"cluster\" UNION ALL SELECT"
				      " min(version) >> 24 FROM tres GROUP BY object, position"
				      " UNION ALL SELECT version >> 24 FROM gone WHERE version"
				      " >= ?1 << 24 AND version < (?2 + 1) << 24 AND object IN"
				      " (SELECT object FROM tres)) OR time IN (SELECT since FROM"
				      " gap UNION ALL SELECT until FROM gap WHERE until IS NOT"
				      " NULL) FROM sample WHERE"
				      " rows >= 0 AND id BETWEEN ?1 AND ?2 ORDER BY id", err);
	int64_t *kept = NULL, id = 0, time = 0;
	size_t capacity = 0;
	bool stays = true;
	int result = SQLITE_ERROR;

	*count = 0;
	if (st) {
		sqlite3_bind_int64(st, 1, from);
		sqlite3_bind_int64(st, 2, to);
	}
	while (st && (result = sqlite3_step(st)) == SQLITE_ROW) {
		int64_t next = sqlite3_column_int64(st, 1);

		/* Now it is known whether the sample before this one is the last of its step. */
		if (id > 0 && (stays || time / step != next / step)) {
			MEM_GROW(kept, capacity, *count + 1);
			kept[(*count)++] = id;
		}
		stays = id == 0 || sqlite3_column_int(st, 2) != 0;
		id = sqlite3_column_int64(st, 0);
		time = next;
	}
	if (st && result != SQLITE_DONE)
		(void)db_fail(&w->db, "reading", err);
	sqlite3_finalize(st);
	if (result == SQLITE_DONE)
		return kept ? kept : mem_zalloc(1, sizeof(*kept));
	mem_free(kept);
	return NULL;
}

static bool thin_tier(struct store_writer *w, int64_t from, int64_t to, int64_t step,
		      int64_t *looked, struct err *err)
{
	size_t count;
	int64_t *kept;
	bool ok = true;

	/* The first time there may be millions of rows. */
	w->db.deadline_ms = INT64_MAX;
	kept = list_kept(w, from > *looked ? from : *looked, to, step, &count, err);
	for (size_t i = 1; kept && ok && i < count; i++)
		ok = kept[i] - kept[i - 1] == 1 || thin_between(w, kept[i - 1], kept[i], err);
	if (kept && ok && count > 0)
		*looked = kept[count - 1];
	ok = ok && kept;
	mem_free(kept);
	return ok;
}

bool store_thin(struct store_writer *w, const struct store_keep *keep, int64_t clock,
		struct err *err)
{
	int64_t to = w->sample;
	bool ok = true;

	if (keep->count == 0 || w->sample == 0 || w->time - STORE_JUMP > clock)
		return true;
	ok = store_forget(w, keep->tiers[keep->count - 1].age, clock, err);
	for (uint32_t i = 0; ok && i < keep->count; i++) {
		int64_t from = first_kept(w, keep->tiers[i].age);

		if (from > 0 && from < to && keep->tiers[i].step > 0)
			ok = thin_tier(w, from, to, keep->tiers[i].step, &w->thinned[i], err);
		to = from;
	}
	return ok;
}

bool store_shrink(struct store_writer *w, struct err *err)
{
	w->db.deadline_ms = INT64_MAX;
	return db_run(&w->db, "VACUUM", err);
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

/* Is it empty: new, or its creator was killed before the schema was complete? */
static bool is_empty(struct store_writer *w)
{
	return db_number(&w->db, "SELECT count(*) FROM sqlite_schema", 1) == 0 &&
	       db_number(&w->db, "PRAGMA application_id", 1) == 0 &&
	       db_number(&w->db, "PRAGMA user_version", 1) == 0;
}

/* Creates or migrates the schema. A damaged or foreign file is not changed. */
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
		MEM_GROW(w->jumps, w->jump_capacity, w->jump_count + 1);
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

/* Continues where the last writer stopped. */
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
	       db_set_journal(&w->db, w->path, err) &&
	       db_run(&w->db, "PRAGMA synchronous = FULL", err) && open_last(w, err);
}

static struct store_writer *store_keeper_open_with(const char *path, int wake_fd,
						   bool (*open)(struct store_writer *w,
								struct err *err), struct err *err)
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
	return store_keeper_open_with(path, -1, open_all, err);
}

struct store_writer *store_writer_open_until(const char *path, int wake_fd, struct err *err)
{
	return store_keeper_open_with(path, wake_fd, open_all, err);
}

/* Large pages need fewer writes. */
static bool open_hurry(struct store_writer *w, struct err *err)
{
	w->next_object = 1;
	if (!db_open(&w->db, w->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err) ||
	    !db_run(&w->db, "PRAGMA page_size = 16384", err))
		return false;
	if (!is_empty(w))
		return err_set(err, ERR_INPUT, "already exists");
	w->hurry = db_run(&w->db, "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY;"
			  "PRAGMA synchronous = OFF; BEGIN", err);
	return w->hurry && schema_begin(&w->db, false, err);
}

struct store_writer *store_writer_hurry(const char *path, struct err *err)
{
	return store_keeper_open_with(path, -1, open_hurry, err);
}

static bool store_keeper_force(struct store_writer *w, struct err *err)
{
	sqlite3_file *file = NULL;

	return (sqlite3_file_control(w->db.sql, "main", SQLITE_FCNTL_FILE_POINTER, &file) ==
		SQLITE_OK && file && file->pMethods &&
		file->pMethods->xSync(file, SQLITE_SYNC_FULL) == SQLITE_OK) ||
	       err_set(err, ERR_INPUT, "writing: it cannot be synced to disk");
}

bool store_writer_finish(struct store_writer *w, struct err *err)
{
	bool ok;

	db_begin(&w->db);
	ok = !w->hurry || (schema_views(&w->db, err) && db_run(&w->db, "COMMIT", err));

	w->hurry = false;
	forget_statements(w);
	if (!ok)
		sqlite3_exec(w->db.sql, "ROLLBACK", NULL, NULL, NULL);
	return ok && store_keeper_force(w, err);
}

void store_writer_close(struct store_writer *w)
{
	if (!w)
		return;
	forget_statements(w);
	w->db.wake_fd = -1;
	db_begin(&w->db);
	/*
	 * If alone, leaves one plain file at the end, which can be read on a read-only file system.
	 */
	if (w->db.sql) {
		sqlite3_busy_timeout(w->db.sql, 0);
		sqlite3_exec(w->db.sql, "PRAGMA synchronous = FULL", NULL, NULL, NULL);
		sqlite3_exec(w->db.sql, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	}
	words_free(w->words);
	db_close(&w->db);
	place_unlock(w->lock);
	mem_free(w->jumps);
	for (int t = 0; t < TABLE_COUNT; t++)
		tracked_free(&w->tables[t]);
	cluster_free(w->last);
	MEM_FREE(w->scratch.bytes, w->path, w);
}
