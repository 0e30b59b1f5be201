/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The connection. A file may come from a stranger: its schema is not trusted, and no query outlasts
 * its deadline.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "adapters/clock.h"
#include "adapters/store/place.h"
#include "adapters/store/private.h"
#include "core/base/mem.h"

#define LENGTH_MAX (64 << 20)		/* of a text, a blob or a row */
#define BUSY_MS 10000
#define BUSY_PAUSE_MS 10
#define GRACE_MS 2000			/* time to finish what is nearly written */
#define OPS_BETWEEN_LOOKS 20000		/* SQLite VM instructions: less than a millisecond */

/* Was it asked to stop more than GRACE_MS ago? */
static bool is_woken(struct db *db)
{
	struct pollfd p = { db->wake_fd, POLLIN, 0 };

	if (db->wake_fd < 0 || poll(&p, 1, 0) <= 0)
		return false;
	if (db->woken_ms < 0)
		db->woken_ms = clock_ms();
	return clock_ms() - db->woken_ms >= GRACE_MS;
}

static int db_look(void *context)
{
	struct db *db = context;

	return atomic_load(&db->cancelled) || clock_ms() >= db->deadline_ms || is_woken(db);
}

/* Another process has locked the file: true to try again. */
static int db_busy(void *context, int times)
{
	const struct timespec pause = { 0, BUSY_PAUSE_MS * 1000000 };
	struct db *db = context;

	if (times == 0)
		db->busy_ms = clock_ms();
	if (clock_ms() - db->busy_ms >= BUSY_MS || db_look(context))
		return 0;
	nanosleep(&pause, NULL);
	return 1;
}

void db_begin(struct db *db)
{
	db->deadline_ms = clock_ms() + db->limit_ms;
}

bool db_fail(const struct db *db, const char *doing, struct err *err)
{
	int code = db->sql ? sqlite3_errcode(db->sql) : SQLITE_NOMEM, error = 0;

	/* The system's error, which SQLite keeps for these two, though not always. */
	if ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN)
		error = sqlite3_system_errno(db->sql);
	switch (code & 0xff) {
	case SQLITE_NOTADB:
		return err_set(err, ERR_INPUT, "not a recording (not an SQLite database)");
	case SQLITE_CORRUPT:
		return err_set(err, ERR_INPUT, "the recording is damaged or cut off (%s)",
			       sqlite3_errmsg(db->sql));
	case SQLITE_FULL:
		return err_set(err, ERR_INPUT, "%s: no space left (what was recorded before is "
			       "safe)", doing);
	case SQLITE_IOERR:
		return err_set(err, ERR_INPUT, "%s: %s (a quota or a limit is reached, or the disk "
			       "fails; what was recorded before is safe)", doing,
			       error ? strerror(error) : sqlite3_errmsg(db->sql));
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_set(err, ERR_INPUT, "%s: another program keeps the recording locked",
			       doing);
	case SQLITE_READONLY:
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return err_set(err, ERR_INPUT, "%s: cannot be opened or written (%s)", doing,
			       error && error != EACCES && error != EPERM ? strerror(error) :
			       "check the permissions of the file and its directory");
	case SQLITE_PROTOCOL:
		return err_set(err, ERR_INPUT, "%s: the -wal beside it is damaged, or from another "
			       "file", doing);
	case SQLITE_INTERRUPT:
		return err_set(err, ERR_SOURCE, "%s: took too long and was aborted", doing);
	default:
		return err_set(err, ERR_INPUT, "%s: %s", doing,
			       db->sql ? sqlite3_errmsg(db->sql) : "out of memory");
	}
}

void db_watch(struct db *db)
{
	sqlite3_busy_handler(db->sql, db_busy, db);
	sqlite3_progress_handler(db->sql, OPS_BETWEEN_LOOKS, db_look, db);
}

/* SQLite opens files beside PATH: if one is a pipe, it would wait for ever. */
static bool beside_are_files(const char *path, struct err *err)
{
	static const char *const endings[] = { "-wal", "-shm", "-journal" };
	bool ok = true;

	for (size_t i = 0; ok && i < sizeof(endings) / sizeof(endings[0]); i++) {
		char *name = place_beside(path, endings[i]);
		struct stat st;

		ok = lstat(name, &st) != 0 || S_ISREG(st.st_mode) ||
		     err_set(err, ERR_INPUT, "the %s beside it is not a regular file", endings[i]);
		mem_free(name);
	}
	return ok;
}

bool db_open(struct db *db, const char *path, int flags, struct err *err)
{
	*db = (struct db){ .limit_ms = READ_MS, .fields_known = -1, .wake_fd = db->wake_fd,
			    .woken_ms = -1 };
	atomic_init(&db->cancelled, false);
	db_begin(db);
	if (!beside_are_files(path, err))
		return false;
	if (sqlite3_open_v2(path, &db->sql, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) {
		(void)db_fail(db, "opening", err);
		db_close(db);
		return false;
	}
	sqlite3_extended_result_codes(db->sql, 1);
	db_watch(db);
	sqlite3_limit(db->sql, SQLITE_LIMIT_LENGTH, LENGTH_MAX);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
	sqlite3_db_config(db->sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	return true;
}

void db_close(struct db *db)
{
	for (size_t i = 0; i < STREAMS_MAX; i++) {
		sqlite3_finalize(db->select[i]);
		db->select[i] = NULL;
	}
	sqlite3_finalize(db->sums);
	sqlite3_finalize(db->gone);
	db->sums = db->gone = NULL;
	word_reader_free(db->words);
	db->words = NULL;
	sqlite3_close_v2(db->sql);
	db->sql = NULL;
}

bool db_run(struct db *db, const char *sql, struct err *err)
{
	return sqlite3_exec(db->sql, sql, NULL, NULL, NULL) == SQLITE_OK ||
	       db_fail(db, "the recording", err);
}

bool db_end(struct db *db, bool ok, struct err *err)
{
	if (ok && db_run(db, "COMMIT", err))
		return true;
	sqlite3_exec(db->sql, "ROLLBACK", NULL, NULL, NULL);
	return false;
}

bool db_set_journal(struct db *db, const char *path, struct err *err)
{
	return db_run(db, place_is_network(path) ? "PRAGMA journal_mode = DELETE" :
		      "PRAGMA journal_mode = WAL", err);
}

bool db_read_begin(struct db *db, struct err *err)
{
	db_begin(db);
	return sqlite3_exec(db->sql, "BEGIN", NULL, NULL, NULL) == SQLITE_OK ||
	       db_fail(db, "reading", err);
}

void db_read_end(struct db *db)
{
	sqlite3_exec(db->sql, "COMMIT", NULL, NULL, NULL);
}

sqlite3_stmt *db_prepare(struct db *db, const char *sql, struct err *err)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v3(db->sql, sql, -1, SQLITE_PREPARE_PERSISTENT, &st, NULL) !=
	    SQLITE_OK) {
		(void)db_fail(db, "the recording", err);
		return NULL;
	}
	return st;
}

bool db_step(struct db *db, sqlite3_stmt *st, struct err *err)
{
	int result = sqlite3_step(st);
	bool ok = result == SQLITE_DONE || result == SQLITE_ROW || db_fail(db, "writing", err);

	sqlite3_reset(st);
	return ok;
}

bool db_step_last(struct db *db, sqlite3_stmt *st, struct err *err)
{
	bool ok = st && db_step(db, st, err);

	sqlite3_finalize(st);
	return ok;
}

bool db_set(struct db *db, const char *name, const char *value, struct err *err)
{
	sqlite3_stmt *st = db_prepare(db, value ? "REPLACE INTO recording VALUES(?1, ?2)" :
				      "DELETE FROM recording WHERE name = ?1", err);

	if (st)
		sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	if (st && value)
		sqlite3_bind_text(st, 2, value, -1, SQLITE_STATIC);
	return db_step_last(db, st, err);
}

int64_t db_number(struct db *db, const char *sql, int64_t fallback)
{
	sqlite3_stmt *st = db_prepare(db, sql, NULL);
	int64_t number = fallback;

	if (st && sqlite3_step(st) == SQLITE_ROW && sqlite3_column_type(st, 0) == SQLITE_INTEGER)
		number = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return number;
}

int64_t db_kept(struct db *db, int64_t id)
{
	char sql[100];

	snprintf(sql, sizeof(sql), "SELECT id FROM sample WHERE id <= %lld AND rows >= 0 ORDER BY"
		 " id DESC LIMIT 1", (long long)id);
	return db_number(db, sql, id);
}
