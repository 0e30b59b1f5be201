/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One sample after the other.
 *
 * The writer keeps the last cluster and, for each of its rows, the number of the object, its
 * position and when it was written last. A sample is one transaction; what is kept changes only
 * after it was committed, so that a sample that failed leaves no trace.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/store/changes.h"
#include "adapters/store/place.h"
#include "adapters/store/private.h"
#include "core/mem.h"

#define FACTS 1			/* marks of a row: which of its parts is written */
#define STATE 2
#define FRESH 4			/* not for refreshing only */

struct store_writer {
	struct db db;
	char *path;
	int lock;
	int64_t sample;			/* the last one, 0 none */
	int64_t next_object;
	struct cluster *last;		/* of that sample, NULL none */
	struct tracked tables[TABLE_COUNT];
	bool used[F_COUNT];		/* fields that were ever set */
	sqlite3_stmt *insert[STREAMS_MAX], *gone;	/* NULL: not prepared */
	struct scratch scratch;
	struct store_written written;
};

/* What one store_write() works with. */
struct writing {
	struct store_writer *w;
	struct cluster *c;
	struct tracked tables[TABLE_COUNT];
	struct changes *changes;	/* NULL: the first sample */
	struct tres_words words;
	int64_t sample, next_object;
	int64_t gone;			/* rows of that table so far */
	struct err *err;
};

/* ---- statements ---------------------------------------------------------------------------- */

static void forget_statements(struct store_writer *w)
{
	for (size_t i = 0; i < STREAMS_MAX; i++) {
		sqlite3_finalize(w->insert[i]);
		w->insert[i] = NULL;
	}
	sqlite3_finalize(w->gone);
	w->gone = NULL;
}

static sqlite3_stmt *prepare_insert(struct store_writer *w, const struct stream *s, struct err *err)
{
	sqlite3_str *sql = sqlite3_str_new(NULL);
	sqlite3_stmt *st;
	char name[COLUMN_MAX], *text;
	int count = s->state ? 2 : 3;

	sqlite3_str_appendf(sql, "INSERT INTO \"%s\"(version, object%s", s->name,
			    s->state ? "" : ", position");
	for (unsigned f = 0; f < F_COUNT; f++) {
		if (!w->used[f] || !stream_has(s, (enum field)f))
			continue;
		sqlite3_str_appendf(sql, ", \"%s\"", column_name((enum field)f, name));
		count++;
	}
	sqlite3_str_appendall(sql, ") VALUES(?");
	for (int i = 1; i < count; i++)
		sqlite3_str_appendall(sql, ",?");
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	st = db_prepare(&w->db, text, err);
	sqlite3_free(text);
	return st;
}

static bool column_has_values(const struct cluster *c, enum field field)
{
	uint32_t n = cluster_rows(c, field_info[field].table);
	size_t size = field_size(field_info[field].type);
	const char *column = cluster_col(c, field);
	/* All of one value, that of a row that is unknown? Then nothing is set. */
	bool unknown = column && n > 0;

	if (!unknown)
		return false;
	switch (field_info[field].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		unknown = cluster_u32(c, field, 0) == U32_UNKNOWN;
		break;
	case FIELD_I64:
		unknown = cluster_i64(c, field, 0) == I64_UNKNOWN;
		break;
	case FIELD_F64:
		unknown = isnan(cluster_f64(c, field, 0));
		break;
	case FIELD_BOOL:
		unknown = cluster_bool(c, field, 0) == BOOL_UNKNOWN;
		break;
	case FIELD_TEXT:
	case FIELD_LIST:
	case FIELD_TRES:
		unknown = *(const uint32_t *)(const void *)column == TEXT_NONE;
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
	return !unknown || memcmp(column, column + size, (n - 1) * size) != 0;
}

/* Notes which fields are set for the first time. */
static bool note_fields(struct writing *x)
{
	struct store_writer *w = x->w;
	sqlite3_stmt *st = NULL;
	char name[COLUMN_MAX], whole[COLUMN_MAX * 2];
	bool ok = true;

	for (unsigned f = 0; ok && f < F_COUNT; f++) {
		if (w->used[f] || !column_has_values(x->c, (enum field)f))
			continue;
		if (!st) {
			forget_statements(w);
			st = db_prepare(&w->db, "INSERT OR IGNORE INTO field VALUES(?1)", x->err);
		}
		w->used[f] = true;
		snprintf(whole, sizeof(whole), "%s.%s", table_name(field_info[f].table),
			 column_name((enum field)f, name));
		if (st)
			sqlite3_bind_text(st, 1, whole, -1, SQLITE_TRANSIENT);
		ok = st && db_step(&w->db, st, x->err);
	}
	sqlite3_finalize(st);
	return ok;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static const struct stream *state_of(size_t i)
{
	return i + 1 < stream_count && streams[i + 1].state ? &streams[i + 1] : NULL;
}

/* The objects, positions and times of writing of the new rows, as far as they are known. */
static void track_rows(struct writing *x, enum table table, const uint32_t *where)
{
	const struct tracked *old = &x->w->tables[table];
	struct tracked *t = &x->tables[table];

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t w = where[i];

		t->object[i] = w == ROW_NONE ? x->next_object++ : old->object[w];
		t->position[i] = w == ROW_NONE ? POSITION_NONE : old->position[w];
		for (int k = 0; k < 2; k++)
			t->written[k][i] = w == ROW_NONE ? 0 : old->written[k][w];
	}
}

static void track_init(struct writing *x, enum table table)
{
	struct tracked *t = &x->tables[table];
	size_t room = (size_t)cluster_rows(x->c, table) + 1;

	t->n = cluster_rows(x->c, table);
	t->keys = mem_alloc(room, sizeof(*t->keys));
	t->object = mem_alloc(room, sizeof(*t->object));
	t->position = mem_alloc(room, sizeof(*t->position));
	t->written[0] = mem_alloc(room, sizeof(*t->written[0]));
	t->written[1] = mem_alloc(room, sizeof(*t->written[1]));
	row_keys(x->c, table, t->keys);
}

/* Which parts of which rows are to be written. */
static void mark_rows(struct writing *x, size_t i, const uint32_t *where, uint8_t *marks)
{
	const struct stream *facts = &streams[i], *state = state_of(i);
	struct tracked *t = &x->tables[facts->table];
	bool *moved = mem_alloc((size_t)t->n + 1, sizeof(*moved));

	row_positions(t->position, t->n, moved);
	for (unsigned f = table_first_field(facts->table);
	     x->changes && f < F_COUNT && field_info[f].table == facts->table; f++)
		changes_mark(x->changes, (enum field)f, where, marks,
			     stream_has(facts, (enum field)f) ? FACTS : STATE);
	for (uint32_t row = 0; row < t->n; row++) {
		if (moved[row])
			marks[row] |= FACTS;
		if (where[row] == ROW_NONE)
			marks[row] |= state ? FACTS | STATE : FACTS;
		if (marks[row])
			marks[row] |= FRESH;
		if (x->sample - t->written[0][row] >= facts->refresh)
			marks[row] |= FACTS;
		if (state && x->sample - t->written[1][row] >= state->refresh)
			marks[row] |= STATE;
	}
	mem_free(moved);
}

static bool write_gone(struct writing *x, const struct tracked *old, const uint32_t *where,
		       uint32_t n)
{
	struct store_writer *w = x->w;
	bool *alive = mem_zalloc((size_t)old->n + 1, sizeof(*alive)), ok = true;

	for (uint32_t i = 0; i < n; i++) {
		if (where[i] != ROW_NONE)
			alive[where[i]] = true;
	}
	if (!w->gone)
		w->gone = db_prepare(&w->db, "INSERT INTO gone VALUES(?1, ?2)", x->err);
	for (uint32_t i = 0; ok && i < old->n; i++) {
		if (alive[i])
			continue;
		ok = w->gone && sqlite3_bind_int64(w->gone, 1, x->sample << VERSION_BITS |
						   x->gone++) == SQLITE_OK;
		if (ok)
			sqlite3_bind_int64(w->gone, 2, old->object[i]);
		ok = ok && db_step(&w->db, w->gone, x->err);
	}
	mem_free(alive);
	return ok;
}

/*
 * After the first sample everything is of the same age; it is taken for older here and there, so
 * that the refreshing is spread over all samples.
 */
static int64_t written_at(const struct writing *x, uint32_t row, uint32_t refresh)
{
	return x->changes || x->w->sample > 0 ? x->sample : x->sample - row % refresh;
}

static bool write_stream(struct writing *x, size_t i, const uint8_t *marks)
{
	const struct stream *s = &streams[i];
	struct store_writer *w = x->w;
	struct tracked *t = &x->tables[s->table];
	enum field fields[F_COUNT];
	uint8_t mine = s->state ? STATE : FACTS;
	int64_t version = x->sample << VERSION_BITS;
	int count = 0;

	if (!w->insert[i] && t->n > 0)
		w->insert[i] = prepare_insert(w, s, x->err);
	if (!w->insert[i] && t->n > 0)
		return false;
	for (unsigned f = 0; f < F_COUNT; f++) {
		if (w->used[f] && stream_has(s, (enum field)f))
			fields[count++] = (enum field)f;
	}
	for (uint32_t row = 0; row < t->n; row++) {
		sqlite3_stmt *st = w->insert[i];
		int at = 1;

		if (!(marks[row] & mine))
			continue;
		sqlite3_bind_int64(st, at++, version++);
		sqlite3_bind_int64(st, at++, t->object[row]);
		if (!s->state)
			sqlite3_bind_int64(st, at++, t->position[row]);
		for (int k = 0; k < count; k++)
			cell_bind(st, at++, x->c, fields[k], row, &x->words, &w->scratch);
		if (!db_step(&w->db, st, x->err))
			return false;
		t->written[s->state][row] = written_at(x, row, s->refresh);
		w->written.rows++;
		w->written.changed += (marks[row] & FRESH) != 0;
	}
	return true;
}

static bool write_table(struct writing *x, size_t i)
{
	enum table table = streams[i].table;
	const struct tracked *old = &x->w->tables[table];
	uint32_t n = cluster_rows(x->c, table);
	uint32_t *where = mem_alloc((size_t)n + 1, sizeof(*where));
	uint8_t *marks = mem_zalloc((size_t)n + 1, sizeof(*marks));
	bool ok = n < UINT32_C(1) << VERSION_BITS ||
		  err_set(x->err, ERR_INPUT, "a sample with more than %u rows of a table",
			  1U << VERSION_BITS);

	if (ok) {
		track_init(x, table);
		row_match(x->tables[table].keys, n, old->keys, old->n, where);
		track_rows(x, table, where);
		mark_rows(x, i, where, marks);
		ok = write_gone(x, old, where, n) && write_stream(x, i, marks) &&
		     (!state_of(i) || write_stream(x, i + 1, marks));
	}
	mem_free(where);
	mem_free(marks);
	return ok;
}

/* ---- what is no table ---------------------------------------------------------------------- */

static void bind_unknown(sqlite3_stmt *st, int at, int64_t value)
{
	if (value == I64_UNKNOWN)
		sqlite3_bind_null(st, at);
	else
		sqlite3_bind_int64(st, at, value);
}

static bool step_once(struct writing *x, sqlite3_stmt *st)
{
	bool ok = st && db_step(&x->w->db, st, x->err);

	sqlite3_finalize(st);
	return ok;
}

static bool write_meta(struct writing *x)
{
	const struct cluster_meta *m = cluster_meta(x->c);
	const struct cluster_meta *l = x->w->last ? cluster_meta(x->w->last) : NULL;
	sqlite3_stmt *st;

	if (l && strcmp(m->kind, l->kind) == 0 && strcmp(m->name, l->name) == 0 &&
	    strcmp(m->version, l->version) == 0 && strcmp(m->zone, l->zone) == 0 &&
	    m->usage_quantum == l->usage_quantum && m->ratio_quantum == l->ratio_quantum &&
	    cluster_is_partial(x->c) == cluster_is_partial(x->w->last))
		return true;
	st = db_prepare(&x->w->db, "INSERT INTO \"cluster\" VALUES(?1,?2,?3,?4,?5,?6,?7,?8)",
			x->err);
	if (st) {
		sqlite3_bind_int64(st, 1, x->sample);
		sqlite3_bind_text(st, 2, m->kind, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 3, m->name, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 4, m->version, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 5, m->zone, -1, SQLITE_STATIC);
		sqlite3_bind_double(st, 6, m->usage_quantum);
		sqlite3_bind_double(st, 7, m->ratio_quantum);
		sqlite3_bind_int(st, 8, cluster_is_partial(x->c));
	}
	return step_once(x, st);
}

/* Numbers in base units, all else as the scheduler's configuration has it. */
static void bind_parameter(sqlite3_stmt *st, int at, const struct policy *p, size_t i,
			   const char *text)
{
	enum policy_type type = policy_params[i].type;
	uint64_t number = policy_number(p, i);

	if (type == POLICY_TEXT || type == POLICY_FLAGS)
		sqlite3_bind_text(st, at, text, -1, SQLITE_STATIC);
	else if (number == (uint64_t)I64_INFINITE)
		sqlite3_bind_text(st, at, "inf", 3, SQLITE_STATIC);
	else
		sqlite3_bind_int64(st, at, (int64_t)number);
}

static bool write_parameter(struct writing *x, size_t i)
{
	const struct policy *p = cluster_policy(x->c);
	const struct policy *l = x->w->last ? cluster_policy(x->w->last) : NULL;
	char value[POLICY_LIST_MAX + 128] = "", before[POLICY_LIST_MAX + 128] = "";
	bool known = policy_is_known(p, i), was = l && policy_is_known(l, i);
	sqlite3_stmt *st;

	if (!known && !was)
		return true;
	policy_value_text(p, i, value, sizeof(value));
	if (l)
		policy_value_text(l, i, before, sizeof(before));
	if (known == was && strcmp(value, before) == 0)
		return true;
	st = db_prepare(&x->w->db, "INSERT INTO policy VALUES(?1, ?2, ?3)", x->err);
	if (st) {
		sqlite3_bind_int64(st, 1, x->sample);
		sqlite3_bind_text(st, 2, policy_params[i].name, -1, SQLITE_STATIC);
		if (known)
			bind_parameter(st, 3, p, i, value);
	}
	return step_once(x, st);
}

static bool write_policy(struct writing *x)
{
	bool ok = true;

	for (size_t i = 0; ok && i < policy_params_count; i++)
		ok = write_parameter(x, i);
	return ok;
}

static bool notes_changed(const struct writing *x)
{
	const struct cluster *last = x->w->last;
	uint32_t n = cluster_notes(x->c);

	if (!last || cluster_notes(last) != n)
		return n > 0 || last;
	for (uint32_t i = 0; i < n; i++) {
		struct note a = cluster_note(x->c, i), b = cluster_note(last, i);

		if (strcmp(a.subject, b.subject) != 0 || strcmp(a.text, b.text) != 0)
			return true;
	}
	return false;
}

/* All notes when one changed; a row without a subject where there is none any more. */
static bool write_notes(struct writing *x)
{
	uint32_t n = cluster_notes(x->c);
	bool ok = true;

	if (!notes_changed(x))
		return true;
	for (uint32_t i = 0; ok && (i < n || i == 0); i++) {
		sqlite3_stmt *st = db_prepare(&x->w->db, "INSERT INTO note VALUES(?1, ?2, ?3, ?4)",
					      x->err);
		struct note note = n > 0 ? cluster_note(x->c, i) : (struct note){ NULL, NULL };

		if (st) {
			sqlite3_bind_int64(st, 1, x->sample);
			sqlite3_bind_int64(st, 2, i);
			sqlite3_bind_text(st, 3, note.subject, -1, SQLITE_STATIC);
			sqlite3_bind_text(st, 4, note.text, -1, SQLITE_STATIC);
		}
		ok = step_once(x, st);
	}
	return ok;
}

static bool write_sample(struct writing *x, int64_t clock)
{
	const struct cluster_meta *m = cluster_meta(x->c);
	sqlite3_stmt *st = db_prepare(&x->w->db,
				      "INSERT INTO sample(id, time, clock, seen, timeless,"
				      " last_decay, boot, last_reset, rows, next_object)"
				      " VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)", x->err);
	bool timeless = m->time == I64_UNKNOWN;
	int64_t rows = 0;

	for (int t = 0; t < TABLE_COUNT; t++)
		rows += cluster_rows(x->c, (enum table)t);
	if (st) {
		sqlite3_bind_int64(st, 1, x->sample);
		sqlite3_bind_int64(st, 2, timeless ? clock : m->time);
		sqlite3_bind_int64(st, 3, clock);
		sqlite3_bind_int64(st, 4, clock);
		sqlite3_bind_int(st, 5, timeless);
		bind_unknown(st, 6, m->last_decay);
		bind_unknown(st, 7, m->boot);
		bind_unknown(st, 8, m->last_reset);
		sqlite3_bind_int64(st, 9, rows);
		sqlite3_bind_int64(st, 10, x->next_object);
	}
	return step_once(x, st);
}

/* ---- a sample ------------------------------------------------------------------------------ */

static bool write_all(struct writing *x, int64_t clock)
{
	bool ok = note_fields(x) && write_meta(x) && write_policy(x) && write_notes(x);

	for (size_t i = 0; ok && i < stream_count; i++)
		ok = streams[i].state || write_table(x, i);
	return ok && write_sample(x, clock);
}

static void keep(struct writing *x)
{
	struct store_writer *w = x->w;

	for (int t = 0; t < TABLE_COUNT; t++) {
		tracked_free(&w->tables[t]);
		w->tables[t] = x->tables[t];
	}
	cluster_free(w->last);
	w->last = x->c;
	w->sample = x->sample;
	w->next_object = x->next_object;
}

bool store_write(struct store_writer *w, struct cluster *c, int64_t clock, struct err *err)
{
	struct writing x = { .w = w, .c = c, .sample = w->sample + 1,
			     .next_object = w->next_object, .err = err };
	bool used[F_COUNT], ok;

	memcpy(used, w->used, sizeof(used));
	w->written = (struct store_written){ 0, 0 };
	x.changes = w->last ? changes_new(w->last, c) : NULL;
	tres_words_init(&x.words, c);
	ok = db_run(&w->db, "BEGIN IMMEDIATE", err);
	if (ok) {
		ok = write_all(&x, clock) && db_run(&w->db, "COMMIT", err);
		if (!ok)
			sqlite3_exec(w->db.sql, "ROLLBACK", NULL, NULL, NULL);
	}
	if (x.changes)
		changes_free(x.changes);
	tres_words_free(&x.words);
	if (ok) {
		keep(&x);
		return true;
	}
	for (int t = 0; t < TABLE_COUNT; t++)
		tracked_free(&x.tables[t]);
	cluster_free(c);
	memcpy(w->used, used, sizeof(used));
	forget_statements(w);
	return false;
}

/* ---- the rest ------------------------------------------------------------------------------ */

static bool run_bound(struct store_writer *w, const char *sql, int64_t a, int64_t b,
		      const char *text, struct err *err)
{
	sqlite3_stmt *st = db_prepare(&w->db, sql, err);
	bool ok;

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
	return run_bound(w, "DELETE FROM gap WHERE since = ?1", since, 0, NULL, err) &&
	       run_bound(w, "INSERT INTO gap VALUES(?1, ?2, ?3)", since, until, reason, err);
}

bool store_set(struct store_writer *w, const char *name, const char *value, struct err *err)
{
	sqlite3_stmt *st = db_prepare(&w->db, value ? "REPLACE INTO recording VALUES(?1, ?2)" :
				      "DELETE FROM recording WHERE name = ?1", err);
	bool ok;

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
	       run_bound(w, "DELETE FROM \"cluster\" WHERE sample < (SELECT max(sample) FROM"
			 " \"cluster\" WHERE sample <= ?1)", first, 0, NULL, err) &&
	       run_bound(w, "DELETE FROM note WHERE sample < (SELECT max(sample) FROM note"
			 " WHERE sample <= ?1)", first, 0, NULL, err) &&
	       run_bound(w, "DELETE FROM policy WHERE sample < (SELECT max(p.sample) FROM policy p"
			 " WHERE p.name = policy.name AND p.sample <= ?1)", first, 0, NULL, err) &&
	       run_bound(w, "DELETE FROM sample WHERE id < ?1", first, 0, NULL, err);
}

bool store_forget(struct store_writer *w, int64_t time, struct err *err)
{
	char sql[128];
	int64_t first;
	bool ok;

	snprintf(sql, sizeof(sql), "SELECT id FROM sample WHERE time >= %lld ORDER BY time LIMIT 1",
		 (long long)time);
	first = db_number(&w->db, sql, w->sample);
	if (first <= db_number(&w->db, "SELECT min(id) FROM sample", first))
		return true;
	ok = db_run(&w->db, "BEGIN IMMEDIATE", err) && forget_before(w, first, err) &&
	     run_bound(w, "DELETE FROM gap WHERE until < ?1", time, 0, NULL, err) &&
	     db_run(&w->db, "COMMIT", err);
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

/* Where the last writer stopped. */
static bool open_last(struct store_writer *w, struct err *err)
{
	w->sample = db_number(&w->db, "SELECT max(id) FROM sample", 0);
	w->next_object = db_number(&w->db, "SELECT next_object FROM sample ORDER BY id DESC LIMIT 1",
				   1);
	if (!schema_used(&w->db, w->used, err))
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

struct store_writer *store_writer_open(const char *path, struct err *err)
{
	struct store_writer *w = mem_zalloc(1, sizeof(*w));

	w->path = mem_strdup(path);
	w->db.fields_known = -1;
	w->lock = place_lock(path, err);
	if (w->lock >= 0 && open_all(w, err))
		return w;
	store_writer_close(w);
	return NULL;
}

bool store_writer_hurry(struct store_writer *w, struct err *err)
{
	return db_run(&w->db, "PRAGMA synchronous = OFF", err);
}

void store_writer_close(struct store_writer *w)
{
	if (!w)
		return;
	forget_statements(w);
	/* Alone at the end: one plain file, that can be copied and read where nothing is writable. */
	if (w->db.sql) {
		sqlite3_busy_timeout(w->db.sql, 0);
		sqlite3_exec(w->db.sql, "PRAGMA synchronous = FULL", NULL, NULL, NULL);
		sqlite3_exec(w->db.sql, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	}
	db_close(&w->db);
	place_unlock(w->path, w->lock);
	for (int t = 0; t < TABLE_COUNT; t++)
		tracked_free(&w->tables[t]);
	cluster_free(w->last);
	mem_free(w->scratch.bytes);
	mem_free(w->path);
	mem_free(w);
}
