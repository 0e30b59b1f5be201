/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes one sample after the other.
 *
 * The writer keeps the last cluster and, for each of its rows, the number of the object, its
 * position and when it was last written. A sample is one transaction; the kept state changes only
 * after commit, so a failed sample leaves no trace.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/store/writer_private.h"
#include "core/base/mem.h"
#include "core/cluster/cluster.h"

/* ---- changes --------------------------------------------------------------------------------- */

/*
 * Compares column by column; texts and lists of two clusters have different handles, so pairs of
 * handles found equal are remembered.
 */
#define SLOTS 4096		/* a power of two; with more, clearing costs more than misses */

/* A new handle and the old one with the same content; the latest pair takes a slot. */
struct pair {
	uint32_t handle, old;
};

struct changes {
	const struct cluster *old, *c;
	uint32_t common;	/* texts below this one have the same handles in both */
	bool same_tres;		/* the TRES tables have the same rows: lists can be compared */
	struct pair *texts, *lists, *tres;	/* NULL if not needed */
};

static bool texts_equal(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool tres_tables_equal(const struct cluster *old, const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_TRES);

	if (cluster_rows(old, TABLE_TRES) != n)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (!texts_equal(cluster_text(old, F_TRES_NAME, i),
				 cluster_text(c, F_TRES_NAME, i)))
			return false;
	}
	return true;
}

static bool has_columns(const struct cluster *c, enum field_type type)
{
	unsigned f = 0;

	while (f < F_COUNT && (field_info[f].type != type || !cluster_col(c, (enum field)f)))
		f++;
	return f < F_COUNT;
}

/* For a small cluster clearing them costs more than comparing. */
static struct pair *writer_pairs_new(bool needed)
{
	return needed ? mem_zalloc(SLOTS, sizeof(struct pair)) : NULL;
}

static struct changes *changes_new(const struct cluster *old, const struct cluster *c)
{
	struct changes *x = mem_alloc(1, sizeof(*x));

	*x = (struct changes){ .old = old, .c = c, .common = cluster_common_texts(c, old),
			       .same_tres = tres_tables_equal(old, c) };
	x->texts = writer_pairs_new(true);
	x->lists = writer_pairs_new(has_columns(old, FIELD_LIST) && has_columns(c, FIELD_LIST));
	x->tres = writer_pairs_new(has_columns(old, FIELD_TRES) && has_columns(c, FIELD_TRES));
	return x;
}

static void changes_free(struct changes *x)
{
	MEM_FREE(x->texts, x->lists, x->tres, x);
}

static inline struct pair *writer_slot_of(struct pair *pairs, uint32_t handle)
{
	return &pairs[(handle * UINT32_C(2654435761) >> 12) & (SLOTS - 1)];
}

static bool writer_same_text(const struct changes *x, uint32_t old, uint32_t handle)
{
	struct pair *slot = writer_slot_of(x->texts, handle);

	if (old < x->common || handle < x->common)
		return old == handle;
	if (slot->handle == handle && slot->old == old)
		return true;
	if (strcmp(cluster_string(x->old, old), cluster_string(x->c, handle)) != 0)
		return false;
	*slot = (struct pair){ handle, old };
	return true;
}

static bool lists_equal(const struct changes *x, struct text_list a, struct text_list b)
{
	if (!a.texts || !b.texts)
		return !a.texts && !b.texts;
	if (a.count != b.count)
		return false;
	for (uint32_t i = 0; i < a.count; i++) {
		if (!writer_same_text(x, a.texts[i], b.texts[i]))
			return false;
	}
	return true;
}

static bool tres_equal(const struct changes *x, struct tres_list a, struct tres_list b)
{
	if (!a.items || !b.items)
		return !a.items && !b.items;
	if (a.count != b.count || !x->same_tres)
		return false;
	for (uint32_t i = 0; i < a.count; i++) {
		if (a.items[i].tres != b.items[i].tres ||
		    sums_bits_of(a.items[i].count) != sums_bits_of(b.items[i].count))
			return false;
	}
	return true;
}

/* Handles of the two rows; lists are only compared if the pair is new. */
static bool same_cell(const struct changes *x, enum field field, uint32_t old_row, uint32_t old,
		      uint32_t row, uint32_t handle)
{
	enum field_type type = field_info[field].type;
	struct pair *slot;
	bool same;

	if (type == FIELD_TEXT)
		return writer_same_text(x, old, handle);
	if (old == TEXT_NONE || handle == TEXT_NONE)
		return old == handle;
	slot = writer_slot_of(type == FIELD_LIST ? x->lists : x->tres, handle);
	if (slot->handle == handle && slot->old == old)
		return true;
	same = type == FIELD_LIST ?
	       lists_equal(x, cluster_list(x->old, field, old_row),
			   cluster_list(x->c, field, row)) :
	       tres_equal(x, cluster_tres(x->old, field, old_row), cluster_tres(x->c, field, row));
	if (same)
		*slot = (struct pair){ handle, old };
	return same;
}

static void mark_handles(const struct changes *x, enum field field, const uint32_t *old,
			 const uint32_t *new, const uint32_t *where, uint8_t *marks, uint8_t bit)
{
	uint32_t n = cluster_rows(x->c, field_info[field].table);
	/* Equal handles below this one mean equal values: most cells need no comparison. */
	uint32_t alike = field_info[field].type == FIELD_TEXT ? x->common : TEXT_NONE + 1;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t w = where[i], a, b = new ? new[i] : TEXT_NONE;

		if (w == ROW_NONE)
			continue;
		a = old ? old[w] : TEXT_NONE;
		if ((a != b || a >= alike) && !same_cell(x, field, w, a, i, b))
			marks[i] |= bit;
	}
}

/* Plain values, bit by bit; a missing column is full of UNKNOWN. */
#define MARK(name, type) \
static void name(uint32_t n, const type *old, const type *new, type unknown, \
		 const uint32_t *where, uint8_t *marks, uint8_t bit) \
{ \
	for (uint32_t i = 0; i < n; i++) { \
		uint32_t w = where[i]; \
\
		if (w != ROW_NONE && (old ? old[w] : unknown) != (new ? new[i] : unknown)) \
			marks[i] |= bit; \
	} \
}
MARK(mark_8, uint8_t)
MARK(mark_32, uint32_t)
MARK(mark_64, uint64_t)
#undef MARK

static uint64_t bits_of_unknown(enum field_type type)
{
	return type == FIELD_F64 ? sums_bits_of(F64_UNKNOWN) : (uint64_t)I64_UNKNOWN;
}

/*
 * Sets BIT in MARKS[row] if FIELD of row differs from that of the same object in the old cluster.
 * WHERE[row] is the object's old row; rows without one (ROW_NONE) are skipped.
 */
static void changes_mark(const struct changes *x, enum field field, const uint32_t *where,
			 uint8_t *marks, uint8_t bit)
{
	uint32_t n = cluster_rows(x->c, field_info[field].table);
	const void *old = cluster_col(x->old, field), *new = cluster_col(x->c, field);

	if (!old && !new)
		return;
	switch (field_info[field].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		mark_32(n, old, new, U32_UNKNOWN, where, marks, bit);
		break;
	case FIELD_I64:
	case FIELD_F64:
		mark_64(n, old, new, bits_of_unknown(field_info[field].type), where, marks, bit);
		break;
	case FIELD_BOOL:
		mark_8(n, old, new, BOOL_UNKNOWN, where, marks, bit);
		break;
	case FIELD_TEXT:
	case FIELD_LIST:
	case FIELD_TRES:
		mark_handles(x, field, old, new, where, marks, bit);
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
}

/* ---- rows ------------------------------------------------------------------------------------ */

#define FACTS 1			/* marks of a row: the parts to be written */
#define STATE 2
#define FRESH 4			/* changed, not only refreshed */

/* ---- statements ---------------------------------------------------------------------------- */

void forget_statements(struct store_writer *w)
{
	for (size_t i = 0; i < STREAMS_MAX; i++) {
		sqlite3_finalize(w->insert[i]);
		sqlite3_finalize(w->block[i]);
		w->insert[i] = w->block[i] = NULL;
	}
	sqlite3_finalize(w->gone);
	sqlite3_finalize(w->gone_block);
	sqlite3_finalize(w->add);
	w->gone = w->gone_block = w->add = NULL;
}

/*
 * Prepares a statement that writes one row of a stream, or ROWS rows after it: these get the next
 * versions by themselves, so that SQLite need not search their places. A failure undoes the whole
 * sample, not single statements: OR FAIL avoids copying pages for that.
 */
static sqlite3_stmt *prepare_insert(struct store_writer *w, const struct stream *s, int rows,
				    struct err *err)
{
	sqlite3_str *sql;
	sqlite3_stmt *st;
	char name[COLUMN_MAX], *text;
	int count = (rows == 1) + (s->state ? 1 : 2);

	sql = sqlite3_str_new(NULL);
	sqlite3_str_appendf(sql, "INSERT OR FAIL INTO \"%s\"(%sobject%s", s->name,
			    rows == 1 ? "version, " : "", s->state ? "" : ", position");
	for (unsigned f = 0; f < F_COUNT; f++) {
		if (!w->used[f] || !stream_has(s, (enum field)f))
			continue;
		sqlite3_str_appendf(sql, ", \"%s\"", column_name((enum field)f, name));
		count++;
	}
	sqlite3_str_appendall(sql, ") VALUES");
	for (int row = 0; row < rows; row++) {
		sqlite3_str_appendall(sql, row > 0 ? ",(?" : "(?");
		for (int i = 1; i < count; i++)
			sqlite3_str_appendall(sql, ",?");
		sqlite3_str_appendall(sql, ")");
	}
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

	/* A column that holds only the value for unknown has none. */
	return column && n > 0 && (cluster_is_known(c, field, 0) ||
				   memcmp(column, column + size, (n - 1) * size) != 0);
}

/* Adds the columns of newly set fields; with HURRY the views are made at the end. */
static bool writer_widen(struct store_writer *w, struct err *err)
{
	bool ok = true;

	forget_statements(w);
	for (size_t i = 0; ok && i < stream_count; i++)
		ok = schema_widen(&w->db, &streams[i], w->used, err);
	return ok && (w->hurry || schema_views(&w->db, err));
}

/* Notes newly set fields. */
static bool note_fields(struct writing *x)
{
	struct store_writer *w = x->w;
	sqlite3_stmt *st = NULL;
	char name[COLUMN_MAX], whole[COLUMN_MAX * 2];
	bool ok = true, any = false;

	for (unsigned f = 0; ok && f < F_COUNT; f++) {
		if (w->used[f] || !column_has_values(x->c, (enum field)f))
			continue;
		if (!st)
			st = db_prepare(&w->db, "INSERT OR IGNORE INTO field VALUES(?1)", x->err);
		w->used[f] = true;
		snprintf(whole, sizeof(whole), "%s.%s", table_name(field_info[f].table),
			 column_name((enum field)f, name));
		if (st)
			sqlite3_bind_text(st, 1, whole, -1, SQLITE_TRANSIENT);
		ok = st && db_step(&w->db, st, x->err);
		any = true;
	}
	sqlite3_finalize(st);
	return ok && (!any || writer_widen(w, x->err));
}

/* ---- rows ---------------------------------------------------------------------------------- */

static const struct stream *writer_state_of(size_t i)
{
	return i + 1 < stream_count && streams[i + 1].state ? &streams[i + 1] : NULL;
}

/* Fills in objects, positions and times of writing of the new rows, as far as known. */
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
	t->object = mem_alloc(room, sizeof(*t->object));
	t->position = mem_alloc(room, sizeof(*t->position));
	t->written[0] = mem_alloc(room, sizeof(*t->written[0]));
	t->written[1] = mem_alloc(room, sizeof(*t->written[1]));
}

/* Marks the parts of rows to be written. */
static void mark_rows(struct writing *x, size_t i, const uint32_t *where, uint8_t *marks)
{
	const struct stream *facts = &streams[i], *state = writer_state_of(i);
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

static sqlite3_stmt *prepare_gone(struct store_writer *w, int rows, struct err *err)
{
	sqlite3_str *sql = sqlite3_str_new(NULL);
	sqlite3_stmt *st;
	char *text;

	sqlite3_str_appendall(sql, rows > 1 ? "INSERT OR FAIL INTO gone(object) VALUES(?)" :
			      "INSERT INTO gone(version, object) VALUES(?,?)");
	for (int i = 1; i < rows; i++)
		sqlite3_str_appendall(sql, ",(?)");
	text = sqlite3_str_finish(sql);
	st = db_prepare(&w->db, text, err);
	sqlite3_free(text);
	return st;
}

/* Writes N gone objects, one or a block, as the rows of a stream. */
static bool write_lost(struct writing *x, const int64_t *objects, int n)
{
	struct store_writer *w = x->w;
	sqlite3_stmt **st = n > 1 ? &w->gone_block : &w->gone;
	int at = 1;

	if (!*st)
		*st = prepare_gone(w, n, x->err);
	if (!*st)
		return false;
	if (n == 1)
		sqlite3_bind_int64(*st, at++, x->sample << VERSION_BITS | x->gone);
	x->gone += n;
	for (int i = 0; i < n; i++)
		sqlite3_bind_int64(*st, at++, objects[i]);
	return db_step(&w->db, *st, x->err);
}

/* The first one is written at once: its version starts those of this sample. */
static bool writer_lose(struct writing *x, int64_t object)
{
	x->lost[x->lost_count++] = object;
	if (x->gone > 0 && x->lost_count < BLOCK)
		return true;
	x->lost_count = 0;
	return write_lost(x, x->lost, x->gone > 0 ? BLOCK : 1);
}

static bool write_rest_lost(struct writing *x)
{
	bool ok = true;

	for (int i = 0; ok && i < x->lost_count; i++)
		ok = write_lost(x, x->lost + i, 1);
	return ok;
}

static bool write_gone(struct writing *x, const struct tracked *old, const uint32_t *where,
		       uint32_t n)
{
	bool *alive = mem_zalloc((size_t)old->n + 1, sizeof(*alive)), ok = true;

	for (uint32_t i = 0; i < n; i++) {
		if (where[i] != ROW_NONE)
			alive[where[i]] = true;
	}
	for (uint32_t i = 0; ok && i < old->n; i++) {
		if (!alive[i])
			ok = writer_lose(x, old->object[i]);
	}
	mem_free(alive);
	return ok;
}

/*
 * After the first sample all rows have the same age: most are recorded as older, so that
 * refreshing is spread over all samples.
 */
static int64_t written_at(const struct writing *x, uint32_t row, uint32_t refresh)
{
	return x->changes || x->w->sample > 0 ? x->sample : x->sample - row % refresh;
}

/* State of writing a stream, row by row. */
struct stream_writing {
	const struct stream *s;
	enum field fields[F_COUNT];
	int count;
	int block;			/* rows written per step */
	int64_t version;
};

/* The number of rows whose values fit into one statement. */
static int block_rows(struct writing *x, int columns)
{
	int most = sqlite3_limit(x->w->db.sql, SQLITE_LIMIT_VARIABLE_NUMBER, -1) / columns;

	return most > BLOCK ? BLOCK : most > 1 ? most : 1;
}

/* Binds a row's values from parameter AT on; returns the next parameter. */
static int bind_row(struct writing *x, const struct stream_writing *y, sqlite3_stmt *st, int at,
		    uint32_t row)
{
	const struct tracked *t = &x->tables[y->s->table];

	sqlite3_bind_int64(st, at++, t->object[row]);
	if (!y->s->state)
		sqlite3_bind_int64(st, at++, t->position[row]);
	for (int k = 0; k < y->count; k++)
		cell_bind(st, at++, x->c, y->fields[k], row, &x->words, &x->w->scratch,
			  x->w->words);
	return at;
}

/* Writes N rows of the table: one, or a block of them. */
static bool write_rows(struct writing *x, struct stream_writing *y, const uint32_t *rows, int n)
{
	size_t i = (size_t)(y->s - streams);
	sqlite3_stmt **st = n > 1 ? &x->w->block[i] : &x->w->insert[i];
	int at = 1;

	if (!*st)
		*st = prepare_insert(x->w, y->s, n, x->err);
	if (!*st)
		return false;
	if (n == 1)
		sqlite3_bind_int64(*st, at++, y->version);
	y->version += n;
	for (int k = 0; k < n; k++)
		at = bind_row(x, y, *st, at, rows[k]);
	return db_step(&x->w->db, *st, x->err);
}

static bool write_stream(struct writing *x, size_t i, const uint8_t *marks)
{
	const struct stream *s = &streams[i];
	struct stream_writing y = { .s = s, .version = x->sample << VERSION_BITS };
	struct tracked *t = &x->tables[s->table];
	uint8_t mine = s->state ? STATE : FACTS;
	uint32_t rows[BLOCK];
	int n = 0;
	bool ok = true;

	for (unsigned f = table_first_field(s->table);
	     f < F_COUNT && field_info[f].table == s->table; f++) {
		if (x->w->used[f] && stream_has(s, (enum field)f))
			y.fields[y.count++] = (enum field)f;
	}
	y.block = block_rows(x, y.count + 2);
	for (uint32_t row = 0; ok && row < t->n; row++) {
		if (!(marks[row] & mine))
			continue;
		rows[n++] = row;
		/* The first one alone: its version starts those of this sample. */
		if (n == y.block || y.version == x->sample << VERSION_BITS) {
			ok = write_rows(x, &y, rows, n);
			n = 0;
		}
		t->written[s->state][row] = written_at(x, row, s->refresh);
		x->w->written.rows++;
		x->w->written.changed += (marks[row] & FRESH) != 0;
	}
	for (int k = 0; ok && k < n; k++)
		ok = write_rows(x, &y, rows + k, 1);
	return ok;
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
		row_match(x->c, table, &x->tables[table].rows, &old->rows, where);
		track_rows(x, table, where);
		mark_rows(x, i, where, marks);
		ok = write_gone(x, old, where, n) && write_stream(x, i, marks) &&
		     (!writer_state_of(i) || write_stream(x, i + 1, marks));
	}
	mem_free(where);
	mem_free(marks);
	return ok;
}

/* ---- a sample ------------------------------------------------------------------------------ */

static bool writer_write_all(struct writing *x, int64_t clock)
{
	bool ok = note_fields(x);

	for (size_t i = 0; ok && i < stream_count; i++)
		ok = streams[i].state || write_table(x, i);
	return ok && write_rest_lost(x) && write_facts(x, clock);
}

/* The words of a failed sample are lost with it. */
static void forget_words(struct store_writer *w)
{
	words_free(w->words);
	w->words = NULL;
}

/* A file that was begun without words stays without. */
static bool open_words(struct store_writer *w, struct err *err)
{
	if (w->words || !schema_has(&w->db, "word"))
		return true;
	w->words = words_new(&w->db, err);
	return w->words != NULL;
}

static void writer_keep(struct writing *x, int64_t clock)
{
	struct store_writer *w = x->w;
	int64_t time = cluster_meta(x->c)->time;

	note_time(w, x->sample, time == I64_UNKNOWN ? clock : time);

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
	db_begin(&w->db);
	x.changes = w->last ? changes_new(w->last, c) : NULL;
	tres_words_init(&x.words, c);
	ok = open_words(w, err) && (w->hurry || db_run(&w->db, "BEGIN IMMEDIATE", err));
	if (ok) {
		ok = writer_write_all(&x, clock);
		ok = w->hurry ? ok : db_end(&w->db, ok, err);
	}
	if (x.changes)
		changes_free(x.changes);
	tres_words_free(&x.words);
	if (ok) {
		writer_keep(&x, clock);
		return true;
	}
	for (int t = 0; t < TABLE_COUNT; t++)
		tracked_free(&x.tables[t]);
	cluster_free(c);
	memcpy(w->used, used, sizeof(used));
	forget_statements(w);
	forget_words(w);
	return false;
}
