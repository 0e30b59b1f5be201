/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cluster at a sample.
 *
 * Each table is read backwards from the sample, taking the newest version of each object and
 * leaving out objects that are gone by then; the range ends where everything alive must have been
 * written again. Rows come in the order of their versions and are sorted by their positions at the
 * end. No data read is trusted: a hostile file gives an error, never a crash.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/store/rebuild.h"
#include "core/base/mem.h"

/* A statement with the sample bound to ?1; NULL with err. */
static sqlite3_stmt *rebuild_about(struct rebuilding *r, const char *sql)
{
	sqlite3_stmt *st = db_prepare(r->db, sql, r->err);

	if (st)
		sqlite3_bind_int64(st, 1, r->sample);
	return st;
}

/* Finalizes the statement after its last step, which returned RESULT. */
static bool rebuild_finish(struct rebuilding *r, sqlite3_stmt *st, int result)
{
	bool ok = result == SQLITE_DONE || result == SQLITE_ROW ||
		  db_fail(r->db, "reading", r->err);

	sqlite3_finalize(st);
	return ok;
}

/* The time in column AT, UNKNOWN for NULL; sets *OK to false for anything else. */
static int64_t take_time(sqlite3_stmt *st, int at, int64_t unknown, bool *ok)
{
	if (sqlite3_column_type(st, at) == SQLITE_NULL)
		return unknown;
	*ok = *ok && sqlite3_column_type(st, at) == SQLITE_INTEGER &&
	      i64_fits(sqlite3_column_int64(st, at));
	return sqlite3_column_int64(st, at);
}

/* Fills the times of META; *ROWS is the number of rows of all tables. */
static bool rebuild_sample(struct rebuilding *r, struct cluster_meta *meta, int64_t *rows)
{
	sqlite3_stmt *st;
	char sql[160];
	bool ok = true;
	int result;

	snprintf(sql, sizeof(sql), "SELECT time, timeless, last_decay, boot, last_reset, rows, %s"
		 " FROM sample WHERE id = ?1", schema_last_backfill(r->db));
	st = rebuild_about(r, sql);
	if (!st)
		return false;
	result = sqlite3_step(st);
	if (result == SQLITE_DONE) {
		sqlite3_finalize(st);
		return err_set(r->err, ERR_INPUT, "sample %lld is not in the recording",
			       (long long)r->sample);
	}
	if (result == SQLITE_ROW) {
		meta->time = take_time(st, 0, I64_UNKNOWN, &ok);
		if (sqlite3_column_int(st, 1))
			meta->time = I64_UNKNOWN;
		meta->last_decay = take_time(st, 2, I64_UNKNOWN, &ok);
		meta->boot = take_time(st, 3, I64_UNKNOWN, &ok);
		meta->last_reset = take_time(st, 4, I64_UNKNOWN, &ok);
		*rows = sqlite3_column_int64(st, 5);
		meta->last_backfill = take_time(st, 6, 0, &ok);
	}
	return rebuild_finish(r, st, result) &&
	       (ok || rebuild_damaged(r->err, "a time of the sample is out of range"));
}

/* Reads the rest of META, and puts all of it into the builder. */
static bool rebuild_meta(struct rebuilding *r, struct cluster_meta *meta)
{
	sqlite3_stmt *st = rebuild_about(r, "SELECT kind, name, version, zone, usage_quantum,"
					 " ratio_quantum, partial FROM \"cluster\" WHERE"
					 " sample <= ?1 ORDER BY sample DESC LIMIT 1");
	int result = st ? sqlite3_step(st) : SQLITE_ERROR;

	if (!st)
		return false;
	if (result == SQLITE_ROW) {
		meta->kind = (const char *)sqlite3_column_text(st, 0);
		meta->name = (const char *)sqlite3_column_text(st, 1);
		meta->version = (const char *)sqlite3_column_text(st, 2);
		meta->zone = (const char *)sqlite3_column_text(st, 3);
		meta->usage_quantum = sqlite3_column_double(st, 4);
		meta->ratio_quantum = sqlite3_column_double(st, 5);
		builder_hidden(r->b, (uint32_t)sqlite3_column_int(st, 6) &
				     (HIDDEN_ASSOCS | HIDDEN_JOBS));
	}
	builder_meta(r->b, meta);
	return rebuild_finish(r, st, result);
}

static bool rebuild_read_parameter(struct rebuilding *r, sqlite3_stmt *st)
{
	const char *name = (const char *)sqlite3_column_text(st, 0), *text;
	size_t i = name ? policy_param(name) : policy_params_count;
	struct policy *p = builder_policy(r->b);
	bool number;

	/* Parameters of other versions, newer or removed, are skipped. */
	if (i == policy_params_count || sqlite3_column_type(st, 1) == SQLITE_NULL)
		return true;
	number = policy_params[i].type != POLICY_TEXT && policy_params[i].type != POLICY_FLAGS;
	if (number && sqlite3_column_type(st, 1) == SQLITE_INTEGER) {
		policy_set_number(p, i, (uint64_t)sqlite3_column_int64(st, 1));
		return true;
	}
	text = (const char *)sqlite3_column_text(st, 1);
	if (number && text && strcmp(text, "inf") == 0) {
		policy_set_number(p, i, (uint64_t)I64_INFINITE);
		return true;
	}
	return policy_restore(p, i, text ? text : "", r->err);
}

static bool rebuild_policy(struct rebuilding *r)
{
	sqlite3_stmt *st = rebuild_about(r, "SELECT name, value, max(sample) FROM policy"
					 " WHERE sample <= ?1 GROUP BY name");
	int result = SQLITE_ERROR;

	while (st && (result = sqlite3_step(st)) == SQLITE_ROW) {
		if (!rebuild_read_parameter(r, st)) {
			sqlite3_finalize(st);
			return false;
		}
	}
	return st && rebuild_finish(r, st, result);
}

bool rebuild_notes(struct rebuilding *r)
{
	sqlite3_stmt *st = rebuild_about(r, "SELECT subject, text FROM note WHERE subject IS NOT"
					 " NULL AND sample = (SELECT max(sample) FROM note WHERE"
					 " sample <= ?1) ORDER BY position");
	int result = SQLITE_ERROR;

	while (st && (result = sqlite3_step(st)) == SQLITE_ROW) {
		const char *subject = (const char *)sqlite3_column_text(st, 0);
		const char *text = (const char *)sqlite3_column_text(st, 1);

		builder_note(r->b, subject ? subject : "", "%s", text ? text : "");
	}
	return st && rebuild_finish(r, st, result);
}

#define ROWS_MAX (UINT32_C(1) << 28)

bool rebuild_damaged(struct err *err, const char *what)
{
	return err_set(err, ERR_INPUT, "the recording is damaged: %s", what);
}

/* ---- what is read -------------------------------------------------------------------------- */

static bool prepare_stream(struct db *db, size_t i, struct err *err)
{
	const struct stream *s = &streams[i];
	sqlite3_str *sql = sqlite3_str_new(NULL);
	char name[COLUMN_MAX], *text;

	sqlite3_str_appendf(sql, "SELECT object, version%s", s->state ? "" : ", position");
	for (unsigned f = 0; f < F_COUNT; f++) {
		if (db->used[f] && stream_has(s, (enum field)f))
			sqlite3_str_appendf(sql, ", \"%s\"", column_name((enum field)f, name));
	}
	sqlite3_str_appendf(sql, " FROM main.\"%s\" WHERE version >= ?1 AND version < ?2"
			    " ORDER BY version DESC", s->name);
	text = sqlite3_str_finish(sql);
	sqlite3_finalize(db->select[i]);
	db->select[i] = db_prepare(db, text, err);
	sqlite3_free(text);
	return db->select[i] != NULL;
}

bool rebuild_prepare(struct rebuilding *r)
{
	struct db *db = r->db;
	int64_t known = db_number(db, "SELECT count(*) FROM field", -1);

	if (known >= 0 && known == db->fields_known)
		return true;
	if (!schema_used(db, db->used, r->err))
		return false;
	for (size_t i = 0; i < stream_count; i++) {
		if (!prepare_stream(db, i, r->err))
			return false;
	}
	db->fields_known = known;
	return true;
}

int rebuild_fields(const struct db *db, const struct stream *s, enum field fields[F_COUNT])
{
	int count = 0;

	for (unsigned f = table_first_field(s->table);
	     f < F_COUNT && field_info[f].table == s->table; f++) {
		if (db->used[f] && stream_has(s, (enum field)f))
			fields[count++] = (enum field)f;
	}
	return count;
}

bool rebuild_needs(enum table table, uint32_t needs)
{
	static const uint32_t by_table[TABLE_COUNT] = {
		[TABLE_ASSOC] = NEED_SHARES | NEED_LIMITS, [TABLE_USER] = NEED_SHARES | NEED_LIMITS,
		[TABLE_JOB] = NEED_JOBS, [TABLE_PRIO] = NEED_PRIO,
		[TABLE_PARTITION] = NEED_PARTITIONS, [TABLE_QOS] = NEED_QOS,
		[TABLE_HOST] = NEED_HOSTS, [TABLE_RESERVATION] = NEED_RESERVATIONS,
		[TABLE_LICENSE] = NEED_LICENSES,
	};

	return by_table[table] == 0 || (by_table[table] & needs) != 0;
}

void rebuild_track(struct rebuilt *table, int64_t object, int64_t position, int64_t version)
{
	struct tracked *t = &table->t;
	size_t need = (size_t)t->n + 1;

	MEM_GROW(t->object, table->capacity[0], need);
	MEM_GROW(t->position, table->capacity[1], need);
	for (int k = 0; k < 2; k++) {
		MEM_GROW(t->written[k], table->capacity[2 + k], need);
		t->written[k][t->n] = version >> VERSION_BITS;
	}
	t->object[t->n] = object;
	t->position[t->n++] = position;
}

void rebuild_index(struct rebuilt *table)
{
	idmap_clear(&table->objects);
	for (uint32_t i = 0; i < table->t.n; i++) {
		if (table->t.object[i] != 0)
			idmap_put(&table->objects, (uint64_t)table->t.object[i], i);
	}
}

/* The row of the statement's object; ROW_NONE if it was already seen or is gone. */
static uint32_t rebuild_claim_row(struct rebuilding *r, const struct stream *s, sqlite3_stmt *st,
				  bool *has_state)
{
	struct rebuilt *table = &r->tables[s->table];
	int64_t object = sqlite3_column_int64(st, 0), version = sqlite3_column_int64(st, 1);
	uint32_t row;

	if (s->state) {
		row = idmap_get(&table->objects, (uint64_t)object, ROW_NONE);
		if (row == ROW_NONE || has_state[row])
			return ROW_NONE;
		has_state[row] = true;
		table->t.written[1][row] = version >> VERSION_BITS;
		return row;
	}
	if (object == 0 || idmap_has(&table->objects, (uint64_t)object) ||
	    idmap_has(&r->gone, (uint64_t)object) || table->t.n == ROWS_MAX)
		return ROW_NONE;
	row = builder_add(r->b, s->table);
	idmap_put(&table->objects, (uint64_t)object, row);
	rebuild_track(table, object, sqlite3_column_int64(st, 2), version);
	return row;
}

void rebuild_bind(const struct rebuilding *r, sqlite3_stmt *st, int64_t samples)
{
	sqlite3_bind_int64(st, 1, (r->sample - samples + 1) * (INT64_C(1) << VERSION_BITS));
	sqlite3_bind_int64(st, 2, (r->sample + 1) * (INT64_C(1) << VERSION_BITS));
}

static bool read_stream(struct rebuilding *r, size_t i)
{
	const struct stream *s = &streams[i];
	const struct tracked *t = &r->tables[s->table].t;
	sqlite3_stmt *st = r->db->select[i];
	bool *has_state = mem_zalloc((size_t)t->n + 1, sizeof(*has_state));
	enum field fields[F_COUNT];
	int count = rebuild_fields(r->db, s, fields), result = SQLITE_DONE;
	uint32_t found = 0;
	bool ok = true;

	rebuild_bind(r, st, s->refresh);
	while (ok && !(s->state && found == t->n) && (result = sqlite3_step(st)) == SQLITE_ROW) {
		uint32_t row = rebuild_claim_row(r, s, st, has_state);

		if (row == ROW_NONE)
			continue;
		found++;
		for (int k = 0; ok && k < count; k++)
			ok = cell_read(r->cells, st, k + STREAM_BEFORE(s), fields[k], row) ||
			     rebuild_damaged(r->err, "a value does not match its column");
	}
	if (ok && result != SQLITE_DONE && result != SQLITE_ROW)
		ok = db_fail(r->db, "reading", r->err);
	if (ok && s->state && found != t->n)
		ok = rebuild_damaged(r->err, "a row has no state");
	sqlite3_reset(st);
	mem_free(has_state);
	return ok;
}

/* ---- order --------------------------------------------------------------------------------- */

struct placed {
	int64_t position;
	uint32_t row;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->position != y->position)
		return x->position < y->position ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static void reorder_i64(int64_t *values, const uint32_t *order, uint32_t n)
{
	int64_t *copy = mem_alloc((size_t)n + 1, sizeof(*copy));

	for (uint32_t i = 0; i < n; i++)
		copy[i] = values[order[i]];
	memcpy(values, copy, n * sizeof(*copy));
	mem_free(copy);
}

void rebuild_order(struct rebuilding *r, enum table table)
{
	struct tracked *t = &r->tables[table].t;
	uint32_t n = t->n, *order;
	struct placed *placed;

	if (n == 0)
		return;
	order = mem_alloc(n, sizeof(*order));
	placed = mem_alloc(n, sizeof(*placed));
	for (uint32_t i = 0; i < n; i++)
		placed[i] = (struct placed){ t->position[i], i };
	qsort(placed, n, sizeof(*placed), compare_placed);
	for (uint32_t i = 0; i < n; i++)
		order[i] = placed[i].row;
	builder_order(r->b, table, order);
	reorder_i64(t->object, order, n);
	reorder_i64(t->position, order, n);
	reorder_i64(t->written[0], order, n);
	reorder_i64(t->written[1], order, n);
	mem_free(placed);
	mem_free(order);
}

void tracked_free(struct tracked *t)
{
	idmap_free(&t->rows);
	MEM_FREE(t->object, t->position, t->written[0], t->written[1]);
	*t = (struct tracked){ .n = 0 };
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool read_tables(struct rebuilding *r)
{
	bool ok = true;

	for (size_t i = 0; ok && i < stream_count; i++) {
		enum table table = streams[i].table;

		if (!rebuild_needs(table, r->needs))
			continue;
		ok = read_stream(r, i);
		if (ok && i + 1 < stream_count && streams[i + 1].state)
			ok = read_stream(r, ++i);
		if (ok)
			rebuild_order(r, table);
	}
	return ok;
}

bool rebuild_gone(struct rebuilding *r, int64_t samples)
{
	struct db *db = r->db;
	int result;

	idmap_free(&r->gone);
	if (!db->gone)
		db->gone = db_prepare(db, "SELECT object FROM gone WHERE version >= ?1 AND"
				      " version < ?2", r->err);
	if (!db->gone)
		return false;
	rebuild_bind(r, db->gone, samples);
	while ((result = sqlite3_step(db->gone)) == SQLITE_ROW) {
		if (sqlite3_column_int64(db->gone, 0) != 0)
			idmap_put(&r->gone, (uint64_t)sqlite3_column_int64(db->gone, 0), 0);
	}
	sqlite3_reset(db->gone);
	return result == SQLITE_DONE || db_fail(db, "reading", r->err);
}

static bool rebuild_read_all(struct rebuilding *r)
{
	struct cluster_meta meta = { .kind = NULL };
	int64_t rows = 0, found = 0;

	if (r->sample < 1 || r->sample > SAMPLE_MAX)
		return err_set(r->err, ERR_INPUT, "sample %lld is not in the recording",
			       (long long)r->sample);
	if (!rebuild_prepare(r) || !rebuild_sample(r, &meta, &rows) || !rebuild_meta(r, &meta) ||
	    !rebuild_policy(r) || !rebuild_notes(r) || !rebuild_gone(r, REFRESH_FACTS) ||
	    !read_tables(r))
		return false;
	for (int t = 0; t < TABLE_COUNT; t++)
		found += builder_rows(r->b, (enum table)t);
	return (r->needs & NEED_ALL) != NEED_ALL || found == rows ||
	       rebuild_damaged(r->err, "rows are missing");
}

void rebuild_init(struct rebuilding *r, struct db *db, uint32_t needs)
{
	*r = (struct rebuilding){ .db = db, .needs = needs, .b = builder_new() };
	r->cells = cell_reader_new(r->b, db);
	/* Usage that the source did not roll up is not to be rolled up here. */
	builder_keep_usage(r->b);
}

bool rebuild_read(struct rebuilding *r, int64_t sample, struct err *err)
{
	r->sample = sample;
	r->err = err;
	db_begin(r->db);
	return rebuild_read_all(r);
}

void rebuild_free(struct rebuilding *r)
{
	cell_reader_free(r->cells);
	idmap_free(&r->gone);
	for (int t = 0; t < TABLE_COUNT; t++) {
		idmap_free(&r->tables[t].objects);
		tracked_free(&r->tables[t].t);
	}
}

/* Moves the state of the rows out of R, for the recorder. */
static void give_tracked(struct rebuilding *r, const struct cluster *c, struct tracked *tracked)
{
	for (int t = 0; t < TABLE_COUNT; t++) {
		tracked[t] = r->tables[t].t;
		r->tables[t].t = (struct tracked){ .n = 0 };
		tracked[t].n = cluster_rows(c, (enum table)t);
		row_match(c, (enum table)t, &tracked[t].rows, NULL, NULL);
	}
}

struct cluster *rebuild(struct db *db, int64_t sample, uint32_t needs, struct tracked *tracked,
			struct err *err)
{
	struct rebuilding *r = mem_alloc(1, sizeof(*r));
	struct cluster *c = NULL;

	rebuild_init(r, db, needs);
	if (db_read_begin(db, err) && rebuild_read(r, sample, err))
		c = builder_seal(r->b, err);
	else
		builder_free(r->b);
	if (c && !sums_check(db, sample, needs, c, err)) {
		cluster_free(c);
		c = NULL;
	}
	db_read_end(db);
	if (c && tracked)
		give_tracked(r, c, tracked);
	rebuild_free(r);
	mem_free(r);
	return c;
}
