/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a recording. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapters/store/place.h"
#include "adapters/store/private.h"
#include "core/base/mem.h"

/* Frequent queries for samples: "SELECT id, time, seen ..." limited by ?1 to ?4. */
enum find { FIND_FIRST, FIND_LAST, FIND_AT, FIND_NEXT, FIND_RUN, FIND_COUNT };

#define FIND "SELECT id, time, seen FROM sample WHERE rows >= 0"
static const char *const find_sql[FIND_COUNT] = {
	[FIND_FIRST] = FIND " ORDER BY id LIMIT 1",
	[FIND_LAST] = FIND " ORDER BY id DESC LIMIT 1",
	[FIND_AT] = FIND " AND time <= ?1 ORDER BY time DESC, id DESC LIMIT 1",
	[FIND_NEXT] = FIND " AND id >= ?1 ORDER BY id LIMIT 1",
	[FIND_RUN] = FIND " AND id >= ?1 AND id < coalesce((SELECT id FROM sample WHERE rows >= 0"
			  " AND id > ?1 AND id <= ?2 AND NOT +time BETWEEN ?3 AND ?4"
			  " ORDER BY id LIMIT 1), ?2 + 1) ORDER BY id DESC LIMIT 1",
};

struct store_reader {
	struct db db;
	sqlite3_stmt *find[FIND_COUNT];	/* NULL: not prepared */
};

bool store_detect(const char *head, size_t length)
{
	static const char magic[] = "SQLite format 3";

	return length >= sizeof(magic) && memcmp(head, magic, sizeof(magic)) == 0;
}

/* PATH as a URI for a file without writers; owned by the caller. */
static char *immutable_uri(const char *path)
{
	size_t size = strlen(path) * 3 + 32, used;
	char *uri = mem_alloc(size, 1);

	used = (size_t)snprintf(uri, size, "file:");
	for (; *path; path++)
		used += (size_t)snprintf(uri + used, size - used,
					 strchr("?#%", *path) ? "%%%02X" : "%c", *path);
	snprintf(uri + used, size - used, "?immutable=1");
	return uri;
}

static bool reader_readable(struct db *db, struct err *err)
{
	return db_run(db, "SELECT count(*) FROM sqlite_schema", err);
}

static bool is_rights(int code)
{
	code &= 0xff;
	return code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_PERM;
}

/*
 * A write-ahead log needs files beside the database. If there are none and none can be created,
 * there is no writer, and the file is complete; but not if a rollback journal is to be undone.
 */
static bool open_unwritable(struct db *db, const char *path, struct err *err)
{
	char *log = place_beside(path, "-wal"), *uri;
	bool ok = false;

	if (sqlite3_extended_errcode(db->sql) == SQLITE_READONLY_ROLLBACK) {
		err_set(err, ERR_INPUT, "its writer was interrupted: the changes to undo are in "
			"the -journal beside it (the next recording into it undoes them)");
	} else if (access(log, F_OK) != 0 && access(path, R_OK) == 0) {
		uri = immutable_uri(path);
		db_close(db);
		ok = db_open(db, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err) &&
		     reader_readable(db, err);
		mem_free(uri);
	}
	mem_free(log);
	return ok;
}

/* Migrates an older schema in memory, because the file may not be ours to change. */
static bool open_older(struct db *db, int version, struct err *err)
{
	struct db copy = { .wake_fd = -1 };
	sqlite3_backup *backup;
	bool ok;

	if (!db_open(&copy, ":memory:", SQLITE_OPEN_READWRITE, err))
		return false;
	backup = sqlite3_backup_init(copy.sql, "main", db->sql, "main");
	ok = backup && sqlite3_backup_step(backup, -1) == SQLITE_DONE;
	sqlite3_backup_finish(backup);
	ok = (ok || db_fail(&copy, "reading", err)) &&
	     schema_migrate(&copy, schema_steps, version, err);
	db_close(db);
	if (!ok) {
		db_close(&copy);
		return false;
	}
	db->sql = copy.sql;
	db_watch(db);
	return true;
}

struct store_reader *store_reader_open(const char *path, struct err *err)
{
	struct store_reader *r = mem_zalloc(1, sizeof(*r));
	int version = STORE_VERSION;
	bool ok = access(path, R_OK) == 0 || err_set(err, ERR_INPUT, "%s", strerror(errno));

	if (!ok) {
		mem_free(r);
		return NULL;
	}
	r->db.wake_fd = -1;
	ok = db_open(&r->db, path, SQLITE_OPEN_READONLY, err) && reader_readable(&r->db, err);
	if (!ok && r->db.sql && is_rights(sqlite3_errcode(r->db.sql)))
		ok = open_unwritable(&r->db, path, err);
	ok = ok && schema_check(&r->db, &version, err) &&
	     (version >= 1 || open_older(&r->db, version, err));
	if (ok)
		return r;
	store_reader_close(r);
	return NULL;
}

void store_reader_close(struct store_reader *r)
{
	if (!r)
		return;
	for (int i = 0; i < FIND_COUNT; i++)
		sqlite3_finalize(r->find[i]);
	db_close(&r->db);
	mem_free(r);
}

void store_reader_cancel(struct store_reader *r)
{
	atomic_store(&r->db.cancelled, true);
}

struct db *reader_db(struct store_reader *r)
{
	return &r->db;
}

/* ---- samples ------------------------------------------------------------------------------- */

/* False where there is none. */
static bool find_sample(struct store_reader *r, enum find which, const int64_t *bounds,
			struct store_sample *out, struct err *err)
{
	sqlite3_stmt *st = r->find[which];
	int result;

	db_begin(&r->db);
	if (!st)
		st = r->find[which] = db_prepare(&r->db, find_sql[which], err);
	if (!st)
		return false;
	for (int i = 0; i < sqlite3_bind_parameter_count(st); i++)
		sqlite3_bind_int64(st, i + 1, bounds[i]);
	result = sqlite3_step(st);
	if (result == SQLITE_ROW)
		*out = (struct store_sample){ sqlite3_column_int64(st, 0),
					      sqlite3_column_int64(st, 1),
					      sqlite3_column_int64(st, 2) };
	else if (result == SQLITE_DONE)
		err_set(err, ERR_INPUT, "nothing is recorded there");
	else
		(void)db_fail(&r->db, "reading", err);
	sqlite3_reset(st);
	return result == SQLITE_ROW;
}

bool store_range(struct store_reader *r, struct store_sample *first, struct store_sample *last,
		 struct err *err)
{
	struct err why = { .code = ERR_NONE };

	if (find_sample(r, FIND_FIRST, NULL, first, &why) &&
	    find_sample(r, FIND_LAST, NULL, last, &why))
		return true;
	return err_set(err, ERR_INPUT, strstr(why.message, "nothing") ?
		       "the recording has no sample yet" : "%s", why.message);
}

bool store_at(struct store_reader *r, int64_t time, struct store_sample *out, struct err *err)
{
	return find_sample(r, FIND_AT, &time, out, err);
}

bool store_next(struct store_reader *r, int64_t id, struct store_sample *out, struct err *err)
{
	return find_sample(r, FIND_NEXT, &id, out, err);
}

bool store_run(struct store_reader *r, int64_t id, int64_t most, int64_t from, int64_t until,
	       struct store_sample *last, struct err *err)
{
	return find_sample(r, FIND_RUN, (const int64_t[]){ id, most, from, until }, last, err);
}

bool store_between(struct store_reader *r, int64_t from, int64_t until, int64_t *first,
		   int64_t *last, struct err *err)
{
	sqlite3_stmt *st;
	int result;

	db_begin(&r->db);
	st = db_prepare(&r->db, "SELECT coalesce(min(id), 1), coalesce(max(id), 0) FROM sample"
			" WHERE time >= ?1 AND time <= ?2", err);
	if (!st)
		return false;
	sqlite3_bind_int64(st, 1, from == I64_UNKNOWN ? INT64_MIN : from);
	sqlite3_bind_int64(st, 2, until == I64_UNKNOWN ? INT64_MAX : until);
	result = sqlite3_step(st);
	if (result == SQLITE_ROW) {
		*first = sqlite3_column_int64(st, 0);
		*last = sqlite3_column_int64(st, 1);
	} else {
		(void)db_fail(&r->db, "reading", err);
	}
	sqlite3_finalize(st);
	return result == SQLITE_ROW;
}

struct cluster *store_read(struct store_reader *r, int64_t id, uint32_t needs, struct err *err)
{
	atomic_store(&r->db.cancelled, false);
	return rebuild(&r->db, id, needs, NULL, err);
}

struct store_walk *store_walk_new(struct store_reader *r, uint32_t needs)
{
	return walk_new(&r->db, needs);
}

/* ---- gaps ---------------------------------------------------------------------------------- */

static bool reader_find_gap(struct store_reader *r, const char *sql, int64_t bound,
			    struct store_gap *out)
{
	sqlite3_stmt *st;
	bool found;

	db_begin(&r->db);
	st = db_prepare(&r->db, sql, NULL);
	found = st && sqlite3_bind_int64(st, 1, bound) == SQLITE_OK &&
		sqlite3_step(st) == SQLITE_ROW;
	if (found) {
		const char *reason = (const char *)sqlite3_column_text(st, 2);

		out->since = sqlite3_column_int64(st, 0);
		out->until = sqlite3_column_type(st, 1) == SQLITE_NULL ? I64_UNKNOWN :
			     sqlite3_column_int64(st, 1);
		snprintf(out->reason, sizeof(out->reason), "%s", reason ? reason : "");
	}
	sqlite3_finalize(st);
	return found;
}

bool store_gap_at(struct store_reader *r, int64_t time, struct store_gap *out)
{
	return reader_find_gap(r, "SELECT since, until, reason FROM gap WHERE since <= ?1 AND"
			       " (until IS NULL OR until > ?1) ORDER BY since DESC LIMIT 1", time,
			       out);
}

bool store_gap(struct store_reader *r, uint32_t i, struct store_gap *out)
{
	return reader_find_gap(r, "SELECT since, until, reason FROM gap "
			       "ORDER BY since LIMIT 1 OFFSET ?1", i, out);
}
