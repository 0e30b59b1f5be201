/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schema, made from the fields table. */
#include <stdio.h>
#include <string.h>

#include "adapters/store/private.h"
#include "core/base/word.h"

const struct stream streams[] = {
	/* TRES first: lists of TRES name its rows. */
	{ "tres", TABLE_TRES, false, REFRESH_FACTS },
	{ "assoc", TABLE_ASSOC, false, REFRESH_FACTS },
	{ "assoc_state", TABLE_ASSOC, true, REFRESH_STATE },
	{ "user", TABLE_USER, false, REFRESH_FACTS },
	{ "partition", TABLE_PARTITION, false, REFRESH_FACTS },
	{ "qos", TABLE_QOS, false, REFRESH_FACTS },
	{ "job", TABLE_JOB, false, REFRESH_FACTS },
	{ "job_state", TABLE_JOB, true, REFRESH_STATE },
	{ "prio", TABLE_PRIO, false, REFRESH_STATE },
	{ "host", TABLE_HOST, false, REFRESH_FACTS },
	{ "host_state", TABLE_HOST, true, REFRESH_STATE },
	{ "reservation", TABLE_RESERVATION, false, REFRESH_FACTS },
	{ "license", TABLE_LICENSE, false, REFRESH_FACTS },
	{ "queue", TABLE_QUEUE, false, REFRESH_STATE },
	{ "pool", TABLE_POOL, false, REFRESH_FACTS },
	{ "server", TABLE_SERVER, false, REFRESH_STATE },
	{ "sched", TABLE_SCHED, false, REFRESH_FACTS },
};
const size_t stream_count = sizeof(streams) / sizeof(streams[0]);
_Static_assert(sizeof(streams) / sizeof(streams[0]) <= STREAMS_MAX, "more streams than room");

/* Fields that change from one sample to the next, in tables with two parts. */
static const bool moving[F_COUNT] = {
	[F_ASSOC_USAGE] = true, [F_ASSOC_R_NORM_USAGE] = true,
	[F_ASSOC_R_EFFECTIVE_USAGE] = true, [F_ASSOC_R_LEVEL_FS] = true,
	[F_ASSOC_R_FAIRSHARE] = true, [F_ASSOC_R_USAGE] = true, [F_ASSOC_USED_JOBS] = true,
	[F_ASSOC_USED_SUBMIT] = true, [F_ASSOC_USED_ACCRUE] = true, [F_ASSOC_USED_WALL] = true,
	[F_ASSOC_USED_TRES] = true, [F_ASSOC_USED_TRES_RUN_SECS] = true,
	[F_ASSOC_USED_TRES_SECS] = true, [F_JOB_STATE] = true, [F_JOB_REASON] = true,
	[F_JOB_REASON_TEXT] = true, [F_JOB_TASKS] = true, [F_JOB_START] = true,
	[F_JOB_END] = true, [F_JOB_LAST_SCHED] = true, [F_JOB_PRIORITY] = true,
	[F_JOB_RESOURCES_USED] = true, [F_JOB_ELIGIBLE_TIME] = true, [F_JOB_ACCRUE_TYPE] = true,
	[F_JOB_JOB_STATE] = true, [F_JOB_SUBSTATE] = true, [F_JOB_ARRAY_STATE_COUNT] = true,
	[F_JOB_TOPJOB] = true, [F_HOST_STATE] = true, [F_HOST_CPUS_USED] = true,
	[F_HOST_TRES_USED] = true,
};

bool stream_has(const struct stream *s, enum field field)
{
	return field_info[field].table == s->table && moving[field] == s->state;
}

const char *column_name(enum field field, char buf[COLUMN_MAX])
{
	snprintf(buf, COLUMN_MAX, "%s", field_info[field].name);
	for (char *p = buf; *p; p++) {
		if (*p == '.')
			*p = '_';
	}
	return buf;
}

static bool schema_is_text(enum field field)
{
	enum field_type type = field_info[field].type;

	return type == FIELD_TEXT || type == FIELD_LIST || type == FIELD_TRES;
}

static const char *column_type(enum field field)
{
	switch (field_info[field].type) {
	case FIELD_F64:
		return "REAL";
	case FIELD_TEXT:
	case FIELD_LIST:
	case FIELD_TRES:
		/* No type: the number of a word stays a number. Older files have TEXT here. */
		return "";
	case FIELD_U32:
	case FIELD_SHARES:
	case FIELD_I64:
	case FIELD_BOOL:
	case FIELD_TYPE_COUNT:
		break;
	}
	return "INTEGER";
}

/* ---- making -------------------------------------------------------------------------------- */

/* Older files do not have it. */
#define MAKE_SUMS "CREATE TABLE IF NOT EXISTS sums(sample INTEGER PRIMARY KEY, sums BLOB);"

static const char tables[] =
	"CREATE TABLE recording(name TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE sample(id INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
	" clock INTEGER NOT NULL, seen INTEGER NOT NULL, timeless INTEGER NOT NULL,"
	" last_decay INTEGER, boot INTEGER, last_reset INTEGER,"
	" rows INTEGER NOT NULL, next_object INTEGER NOT NULL, last_backfill INTEGER);"
	"CREATE INDEX sample_time ON sample(time, id);"
	"CREATE TABLE cluster(sample INTEGER PRIMARY KEY, kind TEXT, name TEXT, version TEXT,"
	" zone TEXT, usage_quantum REAL, ratio_quantum REAL, partial INTEGER);"
	"CREATE TABLE policy(sample INTEGER, name TEXT, value,"
	" PRIMARY KEY(name, sample)) WITHOUT ROWID;"
	"CREATE TABLE note(sample INTEGER, position INTEGER, subject TEXT, text TEXT,"
	" PRIMARY KEY(sample, position)) WITHOUT ROWID;"
	"CREATE TABLE gap(since INTEGER NOT NULL, until INTEGER, reason TEXT);"
	"CREATE TABLE gone(version INTEGER PRIMARY KEY, object INTEGER NOT NULL);"
	"CREATE TABLE field(name TEXT PRIMARY KEY) WITHOUT ROWID;"
	MAKE_SUMS;

/* COLUMN NULL: the table itself. SQLite finds no columns in a view. */
static bool column_exists(struct db *db, const char *table, const char *column)
{
	return sqlite3_table_column_metadata(db->sql, NULL, table, column, NULL, NULL, NULL, NULL,
					     NULL) == SQLITE_OK;
}

bool schema_has(struct db *db, const char *table)
{
	return column_exists(db, table, NULL);
}

/* Adds all fields for a view, with texts for the numbers of words; NULL for missing columns. */
static void stream_columns(struct db *db, sqlite3_str *s, const struct stream *stream,
			   const char *before)
{
	bool words = schema_has(db, "word");
	char name[COLUMN_MAX];

	for (unsigned f = 0; f < F_COUNT; f++) {
		if (!stream_has(stream, (enum field)f))
			continue;
		column_name((enum field)f, name);
		if (!column_exists(db, stream->name, name))
			sqlite3_str_appendf(s, ", NULL AS \"%s\"", name);
		else if (words && schema_is_text((enum field)f))
			sqlite3_str_appendf(s, ", CASE typeof(%s\"%s\") WHEN 'integer' THEN (SELECT"
					    " text FROM word WHERE id = %s\"%s\") ELSE %s\"%s\""
					    " END AS \"%s\"", before, name, before, name, before,
					    name, name);
		else
			sqlite3_str_appendf(s, ", %s\"%s\" AS \"%s\"", before, name, name);
	}
}

/* Adds each version with its times of validity; the end is NULL while it is valid. */
static void stream_valid(struct db *db, sqlite3_str *s, const struct stream *stream)
{
	sqlite3_str_appendf(s,
		"CREATE VIEW \"%s_valid\" AS SELECT a.time AS valid_from, b.time AS valid_to,"
		" v.version, v.object%s", stream->name, stream->state ? "" : ", v.position");
	stream_columns(db, s, stream, "v.");
	sqlite3_str_appendf(s,
		" FROM (SELECT x.*, coalesce(lead(x.version) OVER"
		" (PARTITION BY x.object ORDER BY x.version), g.version) >> %d AS next"
		" FROM \"%s\" x LEFT JOIN gone g ON g.object = x.object) v"
		" JOIN sample a ON a.id = v.version >> %d LEFT JOIN sample b ON b.id = v.next;",
		VERSION_BITS, stream->name, VERSION_BITS);
}

/* Adds the rows of the last sample, both parts side by side. */
static void table_now(struct db *db, sqlite3_str *s, const struct stream *facts,
		      const struct stream *state)
{
	sqlite3_str_appendf(s, "CREATE VIEW \"%s_now\" AS SELECT f.object", facts->name);
	stream_columns(db, s, facts, "f.");
	if (state)
		stream_columns(db, s, state, "s.");
	sqlite3_str_appendf(s, " FROM (SELECT *, max(version) FROM \"%s\" WHERE version >"
			    " ((SELECT max(id) FROM sample) - %u) << %d GROUP BY object) f",
			    facts->name, (unsigned)facts->refresh, VERSION_BITS);
	if (state)
		sqlite3_str_appendf(s, " JOIN (SELECT *, max(version) FROM \"%s\" WHERE version >"
				    " ((SELECT max(id) FROM sample) - %u) << %d GROUP BY object) s"
				    " ON s.object = f.object", state->name,
				    (unsigned)state->refresh, VERSION_BITS);
	sqlite3_str_appendf(s, " WHERE f.object NOT IN (SELECT object FROM gone)"
			    " ORDER BY f.position;");
}

static bool run_text(struct db *db, sqlite3_str *s, struct err *err)
{
	char *text = sqlite3_str_finish(s);
	bool ok = text ? db_run(db, text, err) : db_fail(db, "the recording", err);

	sqlite3_free(text);
	return ok;
}

bool schema_begin(struct db *db, bool words, struct err *err)
{
	sqlite3_str *s = sqlite3_str_new(NULL);

	sqlite3_str_appendall(s, tables);
	if (words)
		sqlite3_str_appendall(s, "CREATE TABLE word(id INTEGER PRIMARY KEY, text TEXT);");
	for (size_t i = 0; i < stream_count; i++)
		sqlite3_str_appendf(s, "CREATE TABLE \"%s\"(version INTEGER PRIMARY KEY,"
				    " object INTEGER NOT NULL%s);", streams[i].name,
				    streams[i].state ? "" : ", position INTEGER NOT NULL");
	sqlite3_str_appendf(s, "INSERT INTO recording VALUES('refresh_facts', %d),"
			    "('refresh_state', %d);"
			    "PRAGMA application_id = %d; PRAGMA user_version = %d;",
			    REFRESH_FACTS, REFRESH_STATE, STORE_APPLICATION, STORE_VERSION);
	return run_text(db, s, err);
}

bool schema_widen(struct db *db, const struct stream *stream, const bool *fields, struct err *err)
{
	char name[COLUMN_MAX], sql[256];

	for (unsigned f = 0; f < F_COUNT; f++) {
		if (!stream_has(stream, (enum field)f) || !fields[f] ||
		    column_exists(db, stream->name, column_name((enum field)f, name)))
			continue;
		snprintf(sql, sizeof(sql), "ALTER TABLE \"%s\" ADD COLUMN \"%s\" %s",
			 stream->name, name, column_type((enum field)f));
		if (!db_run(db, sql, err))
			return false;
	}
	return true;
}

bool schema_views(struct db *db, struct err *err)
{
	sqlite3_str *s = sqlite3_str_new(NULL);

	for (size_t i = 0; i < stream_count; i++) {
		bool parts = i + 1 < stream_count && streams[i + 1].state;

		sqlite3_str_appendf(s, "DROP VIEW IF EXISTS \"%s_valid\";", streams[i].name);
		stream_valid(db, s, &streams[i]);
		if (streams[i].state)
			continue;
		sqlite3_str_appendf(s, "DROP VIEW IF EXISTS \"%s_now\";", streams[i].name);
		table_now(db, s, &streams[i], parts ? &streams[i + 1] : NULL);
	}
	return run_text(db, s, err);
}

bool schema_create(struct db *db, struct err *err)
{
	return db_end(db, db_run(db, "BEGIN IMMEDIATE", err) && schema_begin(db, true, err) &&
			  schema_views(db, err), err);
}

/* Tables that are not streams; older files have no gaps, no checksums, or no words. */
static const char *const others[] = { "recording", "sample", "cluster", "policy", "note", "gone",
				      "field", "gap", "sums", "word", NULL };

bool schema_is_stream(const char *table)
{
	size_t i = 0;

	while (i < stream_count && strcmp(streams[i].name, table) != 0)
		i++;
	return i < stream_count;
}

bool schema_is_ours(const char *table)
{
	return word_in(others, table) || schema_is_stream(table);
}

/* ---- older and newer files ----------------------------------------------------------------- */

/* Version 0 was never released: it had no gaps, and no end of a sample's validity. */
const char *const schema_steps[STORE_VERSION] = {
	[0] = "ALTER TABLE sample ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;"
	      "UPDATE sample SET seen = clock;"
	      "CREATE TABLE gap(since INTEGER NOT NULL, until INTEGER, reason TEXT);",
	/* Version 2 may have thinned samples, which older versions take for damage. */
	[1] = "",
	/*
	 * Version 3 may have words for texts, and only the columns that were set. A file begun
	 * without words stays without: a column of type TEXT would convert their numbers to text.
	 */
	[2] = "",
};

bool schema_migrate(struct db *db, const char *const *steps, int version, struct err *err)
{
	char pragma[64];
	bool ok = db_run(db, "BEGIN IMMEDIATE", err);

	for (int v = version; ok && v < STORE_VERSION; v++)
		ok = db_run(db, steps[v], err);
	snprintf(pragma, sizeof(pragma), "PRAGMA user_version = %d", STORE_VERSION);
	return db_end(db, ok && db_run(db, pragma, err), err) ||
	       err_prefix(err, "upgrading schema version %d to %d", version, STORE_VERSION);
}

/*
 * Is everything that is read a plain table? A view may be a query without end, and so may the
 * expression of a virtual table or a generated column.
 */
static bool all_are_tables(struct db *db, struct err *err)
{
	bool ok = db_number(db, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND"
				" (sql LIKE '%virtual%' OR sql LIKE '%generated%' OR"
				" sql LIKE '% as %(%')", 1) == 0;
	char sql[100];

	for (size_t i = 0; ok && others[i]; i++) {
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM sqlite_schema WHERE lower(name) ="
			 " '%s'", others[i]);
		ok = schema_has(db, others[i]) || (i >= 7 && db_number(db, sql, 1) == 0);
	}
	for (size_t i = 0; ok && i < stream_count; i++)
		ok = schema_has(db, streams[i].name);
	return ok || err_set(err, ERR_INPUT, "not a recording: one of its tables is missing or not "
			     "a plain table");
}

bool schema_check(struct db *db, int *version, struct err *err)
{
	int64_t number;

	if (!db_run(db, "SELECT count(*) FROM sqlite_schema", err))
		return false;
	if (db_number(db, "PRAGMA application_id", 0) != STORE_APPLICATION)
		return err_set(err, ERR_INPUT,
			       "an SQLite database, but not a recording of fairtop");
	number = db_number(db, "PRAGMA user_version", -1);
	if (number > STORE_VERSION)
		return err_set(err, ERR_INPUT, "written by a newer fairtop (schema version %lld; "
			       "this one knows up to %d)", (long long)number, STORE_VERSION);
	if (number < 0)
		return err_set(err, ERR_INPUT, "the recording is damaged (schema version %lld)",
			       (long long)number);
	*version = (int)number;
	return all_are_tables(db, err);
}

bool schema_complete(struct db *db, struct err *err)
{
	return db_run(db, MAKE_SUMS, err) &&
	       (column_exists(db, "sample", "last_backfill") ||
		db_run(db, "ALTER TABLE sample ADD COLUMN last_backfill INTEGER", err));
}

const char *schema_last_backfill(struct db *db)
{
	return column_exists(db, "sample", "last_backfill") ? "last_backfill" : "NULL";
}

bool schema_used(struct db *db, bool used[F_COUNT], struct err *err)
{
	sqlite3_stmt *st = db_prepare(db, "SELECT 1 FROM field WHERE name = ?1", err);
	char name[COLUMN_MAX], whole[COLUMN_MAX * 2];

	memset(used, 0, F_COUNT * sizeof(*used));
	for (unsigned f = 0; st && f < F_COUNT; f++) {
		snprintf(whole, sizeof(whole), "%s.%s", table_name(field_info[f].table),
			 column_name((enum field)f, name));
		sqlite3_bind_text(st, 1, whole, -1, SQLITE_STATIC);
		used[f] = sqlite3_step(st) == SQLITE_ROW;
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
	return st != NULL;
}
