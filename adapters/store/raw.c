/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/store/raw.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapters/store/private.h"
#include "core/base/mem.h"

#define RAW_TABLES_MAX 64
#define FACT "copy_"
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789_"

struct raw {
	struct db db;
	struct raw_table *tables;
	size_t count;
	bool copy;			/* written by this program only */
	int64_t schema;			/* when the tables were listed */
	bool renewed;
	sqlite3_stmt *add;		/* into adding; NULL: none yet */
	const struct raw_table *adding;
};

/* ---- which tables there are ---------------------------------------------------------------- */

static enum raw_type type_of(const char *declared)
{
	static const char *const words[] = {
		[RAW_INTEGERS] = "INTEGER", [RAW_REALS] = "REAL", [RAW_TEXTS] = "TEXT",
		[RAW_BLOBS] = "BLOB",
	};

	for (size_t i = 0; declared && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(declared, words[i]) == 0)
			return (enum raw_type)i;
	}
	return RAW_ANY;
}

static void place_column(struct raw_table *t, const char *name)
{
	if (t->by >= 0)
		return;
	if (strcmp(name, "version") == 0)
		t->shift = VERSION_BITS;
	t->samples = t->shift || strcmp(name, "sample") == 0 ||
		     (strcmp(name, "id") == 0 && strcmp(t->name, "sample") == 0);
	if (t->samples || (strcmp(name, "id") == 0 && strcmp(t->name, "word") == 0))
		t->by = (int)t->count;
}

static bool take_column(struct raw_table *t, sqlite3_stmt *st)
{
	const char *name = (const char *)sqlite3_column_text(st, 0);
	struct raw_column *c;

	if (t->count == RAW_COLUMNS_MAX || !name || strlen(name) >= RAW_NAME_MAX ||
	    name[strspn(name, NAME_CHARACTERS)] || !name[0])
		return false;
	c = &t->columns[t->count];
	snprintf(c->name, sizeof(c->name), "%s", name);
	c->type = type_of((const char *)sqlite3_column_text(st, 1));
	/* Older files declare TEXT where present ones may have the number of a word. */
	if (c->type == RAW_TEXTS && schema_is_stream(t->name))
		c->type = RAW_ANY;
	c->key = sqlite3_column_int(st, 3);
	c->needed = sqlite3_column_int(st, 2) != 0 || c->key > 0;
	if (t->count == 0 || c->key > 0)
		place_column(t, name);
	t->count++;
	return true;
}

static bool list_columns(struct raw *r, struct raw_table *t, struct err *err)
{
	sqlite3_stmt *st = db_prepare(&r->db, "SELECT name, type, \"notnull\", pk FROM"
				      " pragma_table_info(?1) ORDER BY cid", err);
	bool ok = st != NULL;

	t->by = -1;
	if (ok)
		sqlite3_bind_text(st, 1, t->name, -1, SQLITE_STATIC);
	while (ok && sqlite3_step(st) == SQLITE_ROW)
		ok = take_column(t, st) || err_set(err, ERR_INPUT, "table %s has more columns, or "
						   "other names, than any of fairtop's", t->name);
	sqlite3_finalize(st);
	return ok;
}

const struct raw_table *raw_table(const struct raw_table *tables, size_t count, const char *name)
{
	size_t i = 0;

	while (i < count && strcmp(tables[i].name, name) != 0)
		i++;
	return i < count ? &tables[i] : NULL;
}

size_t raw_column(const struct raw_table *t, const char *name)
{
	size_t i = 0;

	while (i < t->count && strcmp(t->columns[i].name, name) != 0)
		i++;
	return i;
}

/* Tables that are used here and by callers; the other tables are just listed. */
static bool has_samples(const struct raw *r, struct err *err)
{
	static const char *const columns[] = { "id", "time", "clock", "rows" };
	const struct raw_table *t = raw_table(r->tables, r->count, "sample");
	bool ok = t && t->by >= 0;

	for (size_t n = 0; ok && n < sizeof(columns) / sizeof(columns[0]); n++)
		ok = raw_column(t, columns[n]) < t->count;
	return ok || err_set(err, ERR_INPUT, "not a recording: it has no valid table of samples");
}

static bool list_tables(struct raw *r, struct err *err)
{
	sqlite3_stmt *st = db_prepare(&r->db, "SELECT name FROM sqlite_schema WHERE type = 'table'"
				      " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
				      err);
	bool ok = st != NULL;

	sqlite3_finalize(r->add);
	r->add = NULL;
	mem_free(r->tables);
	r->count = 0;
	r->tables = mem_zalloc(RAW_TABLES_MAX, sizeof(*r->tables));
	r->schema = db_number(&r->db, "PRAGMA schema_version", 0);
	while (ok && sqlite3_step(st) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(st, 0);
		struct raw_table *t = &r->tables[r->count];

		if (!schema_is_ours(name))
			continue;
		snprintf(t->name, sizeof(t->name), "%s", name);
		r->count++;
		ok = list_columns(r, t, err);
	}
	sqlite3_finalize(st);
	return ok && has_samples(r, err);
}

/* ---- opening ------------------------------------------------------------------------------- */

static struct raw *store_raw_open_with(const char *path, int flags, struct err *err)
{
	struct raw *r = mem_zalloc(1, sizeof(*r));

	r->db.wake_fd = -1;
	if (db_open(&r->db, path, flags, err))
		return r;
	mem_free(r);
	return NULL;
}

struct raw *raw_open(const char *path, struct err *err)
{
	/* Opened for writing only because of the facts. */
	struct raw *r = store_raw_open_with(path, SQLITE_OPEN_READWRITE, err);
	int version = 0;

	if (r && schema_check(&r->db, &version, err) &&
	    (version == STORE_VERSION ||
	     err_set(err, ERR_INPUT, "has schema version %d (expected %d)", version,
		     STORE_VERSION)) && list_tables(r, err))
		return r;
	raw_close(r);
	return NULL;
}

/* A copy made by a fairtop with another schema can be fetched again. */
static bool is_of_another(struct db *db)
{
	return db_number(db, "SELECT count(*) FROM sqlite_schema", 0) > 0 &&
	       db_number(db, "PRAGMA application_id", 0) == STORE_APPLICATION &&
	       db_number(db, "PRAGMA user_version", -1) != STORE_VERSION;
}

/* In one transaction, as two processes may do this at once. */
static bool make_schema(struct db *db, struct err *err)
{
	bool all[F_COUNT], ok = db_run(db, "BEGIN IMMEDIATE", err);
	int version;

	if (ok && db_number(db, "SELECT count(*) FROM sqlite_schema", 1) == 0)
		ok = schema_begin(db, true, err) && schema_views(db, err);
	else
		ok = ok && schema_check(db, &version, err) && schema_complete(db, err);
	memset(all, true, sizeof(all));
	for (size_t i = 0; ok && i < stream_count; i++)
		ok = schema_widen(db, &streams[i], all, err);
	return db_end(db, ok, err);
}

/* Processes that have it open keep it, with its log and the log's index. */
static void take_name(const char *path)
{
	static const char *const ends[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		char *name = sqlite3_mprintf("%s%s", path, ends[i]);

		if (name)
			(void)unlink(name);
		sqlite3_free(name);
	}
}

struct raw *raw_open_copy(const char *path, struct err *err)
{
	struct raw *r = store_raw_open_with(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
	bool ok = r != NULL;

	if (ok && is_of_another(&r->db)) {
		raw_close(r);
		take_name(path);
		r = store_raw_open_with(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
		ok = r != NULL;
	}
	ok = ok && db_run(&r->db, "PRAGMA page_size = 8192", err) && make_schema(&r->db, err) &&
	     db_set_journal(&r->db, path, err) && list_tables(r, err);
	if (ok) {
		r->copy = true;
		return r;
	}
	raw_close(r);
	return NULL;
}

void raw_close(struct raw *r)
{
	if (!r)
		return;
	sqlite3_finalize(r->add);
	db_close(&r->db);
	mem_free(r->tables);
	mem_free(r);
}

const struct raw_table *raw_tables(const struct raw *r, size_t *count)
{
	*count = r->count;
	return r->tables;
}

bool raw_begin(struct raw *r, struct err *err)
{
	db_begin(&r->db);
	r->db.deadline_ms = INT64_MAX;	/* its duration depends on the other side */
	if (!db_run(&r->db, r->copy ? "BEGIN IMMEDIATE" : "BEGIN", err))
		return false;
	r->renewed = db_number(&r->db, "PRAGMA schema_version", 0) != r->schema;
	return !r->renewed || list_tables(r, err);
}

bool raw_is_renewed(const struct raw *r)
{
	return r->renewed;
}

bool raw_end(struct raw *r, bool keep, struct err *err)
{
	return db_end(&r->db, keep, err) || !keep;
}

void raw_samples(struct raw *r, int64_t *first, int64_t *last)
{
	*first = db_number(&r->db, "SELECT min(id) FROM sample", 0);
	*last = db_number(&r->db, "SELECT max(id) FROM sample", 0);
}

int64_t raw_words(struct raw *r)
{
	/* Older files do not have it. */
	return schema_has(&r->db, "word") ? db_number(&r->db, "SELECT max(id) FROM word", 0) : 0;
}

int64_t raw_stamp(struct raw *r)
{
	return db_number(&r->db, "PRAGMA data_version", 0);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool bind_range(sqlite3_stmt *st, const struct raw_table *t, int64_t first, int64_t last)
{
	if (t->by < 0)
		return true;
	if (first < 0 || last < first || last > RAW_SAMPLE_MAX)
		return false;
	sqlite3_bind_int64(st, 1, first << t->shift);
	sqlite3_bind_int64(st, 2, ((last + 1) << t->shift) - 1);
	return true;
}

/* Adds " WHERE ...": the rows of a range, or all but the facts. */
static void add_range(sqlite3_str *s, const struct raw_table *t)
{
	if (t->by >= 0)
		sqlite3_str_appendf(s, " WHERE \"%w\" BETWEEN ?1 AND ?2", t->columns[t->by].name);
	else if (strcmp(t->name, "recording") == 0)
		sqlite3_str_appendf(s, " WHERE substr(name, 1, %d) <> '" FACT "'",
				    (int)strlen(FACT));
}

static sqlite3_stmt *store_raw_prepare(struct raw *r, sqlite3_str *s, struct err *err)
{
	char *text = sqlite3_str_finish(s);
	sqlite3_stmt *st = db_prepare(&r->db, text ? text : "", err);

	sqlite3_free(text);
	return st;
}

static void store_raw_read_value(sqlite3_stmt *st, int at, struct raw_value *v)
{
	*v = (struct raw_value){ .class = RAW_NULL };
	switch (sqlite3_column_type(st, at)) {
	case SQLITE_INTEGER:
		v->class = RAW_INTEGER;
		v->integer = sqlite3_column_int64(st, at);
		break;
	case SQLITE_FLOAT:
		v->class = RAW_REAL;
		v->real = sqlite3_column_double(st, at);
		break;
	case SQLITE_TEXT:
		v->class = RAW_TEXT;
		v->bytes = (const char *)sqlite3_column_text(st, at);
		v->length = (size_t)sqlite3_column_bytes(st, at);
		break;
	case SQLITE_BLOB:
		v->class = RAW_BLOB;
		v->bytes = sqlite3_column_blob(st, at);
		v->length = (size_t)sqlite3_column_bytes(st, at);
		break;
	default:
		break;
	}
}

bool raw_read(struct raw *r, const struct raw_table *t, int64_t first, int64_t last, raw_row *row,
	      void *context, struct err *err)
{
	struct raw_value values[RAW_COLUMNS_MAX];
	sqlite3_str *s = sqlite3_str_new(NULL);
	sqlite3_stmt *st;
	int result = SQLITE_ERROR;
	bool ok;

	sqlite3_str_appendall(s, "SELECT ");
	for (size_t i = 0; i < t->count; i++)
		sqlite3_str_appendf(s, "%s\"%w\"", i > 0 ? "," : "", t->columns[i].name);
	sqlite3_str_appendf(s, " FROM \"%w\"", t->name);
	add_range(s, t);
	if (t->by >= 0)
		sqlite3_str_appendf(s, " ORDER BY \"%w\"", t->columns[t->by].name);
	st = store_raw_prepare(r, s, err);
	ok = st && (bind_range(st, t, first, last) ||
		    err_set(err, ERR_INPUT, "not a range of samples"));
	while (ok && (result = sqlite3_step(st)) == SQLITE_ROW) {
		for (size_t i = 0; i < t->count; i++)
			store_raw_read_value(st, (int)i, &values[i]);
		ok = row(context, t, values, err);
	}
	ok = ok && (result == SQLITE_DONE || db_fail(&r->db, "reading", err));
	sqlite3_finalize(st);
	return ok;
}

bool raw_remove(struct raw *r, const struct raw_table *t, int64_t first, int64_t last,
		struct err *err)
{
	sqlite3_str *s = sqlite3_str_new(NULL);
	sqlite3_stmt *st;
	bool ok;

	sqlite3_str_appendf(s, "DELETE FROM \"%w\"", t->name);
	add_range(s, t);
	st = store_raw_prepare(r, s, err);
	ok = st && (bind_range(st, t, first, last) ||
		    err_set(err, ERR_INPUT, "not a range of samples")) && db_step(&r->db, st, err);
	sqlite3_finalize(st);
	return ok;
}

static void bind_value(sqlite3_stmt *st, int at, const struct raw_value *v)
{
	switch (v->class) {
	case RAW_NULL:
		sqlite3_bind_null(st, at);
		break;
	case RAW_INTEGER:
		sqlite3_bind_int64(st, at, v->integer);
		break;
	case RAW_REAL:
		sqlite3_bind_double(st, at, v->real);
		break;
	case RAW_TEXT:
		sqlite3_bind_text64(st, at, v->bytes, v->length, SQLITE_TRANSIENT, SQLITE_UTF8);
		break;
	case RAW_BLOB:
		sqlite3_bind_blob64(st, at, v->length > 0 ? v->bytes : "", v->length,
				    SQLITE_TRANSIENT);
		break;
	}
}

bool raw_add(struct raw *r, const struct raw_table *t, const struct raw_value *values,
	     struct err *err)
{
	if (!r->add || r->adding != t) {
		sqlite3_str *s = sqlite3_str_new(NULL);

		sqlite3_finalize(r->add);
		sqlite3_str_appendf(s, "INSERT INTO \"%w\" VALUES(?", t->name);
		for (size_t i = 1; i < t->count; i++)
			sqlite3_str_appendall(s, ",?");
		sqlite3_str_appendall(s, ")");
		r->add = store_raw_prepare(r, s, err);
		r->adding = t;
	}
	if (!r->add)
		return false;
	for (size_t i = 0; i < t->count; i++)
		bind_value(r->add, (int)i + 1, &values[i]);
	return db_step(&r->db, r->add, err);
}

/* ---- facts --------------------------------------------------------------------------------- */

void raw_fact(struct raw *r, const char *name, char text[RAW_FACT_MAX])
{
	sqlite3_stmt *st = db_prepare(&r->db, "SELECT value FROM recording WHERE name = ?1", NULL);
	const char *found = NULL;

	if (st && sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW)
		found = (const char *)sqlite3_column_text(st, 0);
	snprintf(text, RAW_FACT_MAX, "%s", found ? found : "");
	sqlite3_finalize(st);
}

bool raw_set_fact(struct raw *r, const char *name, const char *text, struct err *err)
{
	return db_set(&r->db, name, text, err);
}
