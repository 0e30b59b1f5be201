/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From one sample to the next: applies what was written for it to the last cluster.
 *
 * The builder of the sample before is kept, with the row of each object in it. Rows that are gone
 * are removed, new rows added, rewritten rows filled again; then the rows are sorted if their order
 * changed. After rare changes (parameters, the version of the scheduler, the list of TRES) the
 * sample is read as a whole.
 */

#include <stdio.h>

#include "adapters/store/rebuild.h"
#include "core/cluster/cluster_copy.h"
#include "core/base/mem.h"

#define STEPS_MAX 12		/* with more steps reading the whole is faster */
#define GROWTH 2		/* of unused texts and lists, before the builder is rebuilt */

struct store_walk {
	struct rebuilding r;
	bool begun;			/* r holds the cluster at r.sample */
	sqlite3_stmt *about;		/* NULL: not prepared */
	struct cluster *c;		/* of sample AT */
	int64_t at;			/* 0 none */
	size_t bytes;			/* of the first cluster since the builder was rebuilt */
};

struct store_walk *walk_new(struct db *db, uint32_t needs)
{
	struct store_walk *w = mem_zalloc(1, sizeof(*w));

	w->r.db = db;
	w->r.needs = needs;
	return w;
}

static void walk_forget(struct store_walk *w)
{
	struct db *db = w->r.db;
	uint32_t needs = w->r.needs;

	if (w->begun) {
		builder_free(w->r.b);
		rebuild_free(&w->r);
	}
	w->begun = false;
	w->r = (struct rebuilding){ .db = db, .needs = needs };
}

void store_walk_free(struct store_walk *w)
{
	if (!w)
		return;
	walk_forget(w);
	sqlite3_finalize(w->about);
	cluster_free(w->c);
	mem_free(w);
}

/* ---- other than tables --------------------------------------------------------------------- */

/* What a step reads first. */
struct news {
	struct cluster_meta meta;
	int64_t rows, fields;
	bool other;			/* meta or policy changed */
	bool notes;
};

static int64_t column_or_unknown(sqlite3_stmt *st, int at)
{
	return sqlite3_column_type(st, at) == SQLITE_NULL ? I64_UNKNOWN :
	       sqlite3_column_int64(st, at);
}

static bool prepare_about(struct store_walk *w)
{
	char sql[512];

	snprintf(sql, sizeof(sql), "SELECT time, timeless, last_decay, boot, last_reset,"
		 " rows, EXISTS (SELECT 1 FROM \"cluster\" WHERE sample = ?1)"
		 " OR EXISTS (SELECT 1 FROM policy WHERE sample = ?1),"
		 " EXISTS (SELECT 1 FROM note WHERE sample = ?1),"
		 " (SELECT count(*) FROM field), %s FROM sample WHERE id = ?1",
		 schema_last_backfill(w->r.db));
	w->about = db_prepare(w->r.db, sql, w->r.err);
	return w->about != NULL;
}

static bool read_news(struct store_walk *w, struct news *news)
{
	struct rebuilding *r = &w->r;
	int result;

	if (!w->about && !prepare_about(w))
		return false;
	sqlite3_bind_int64(w->about, 1, r->sample);
	result = sqlite3_step(w->about);
	if (result == SQLITE_ROW) {
		news->meta = *builder_get_meta(r->b);
		news->meta.time = sqlite3_column_int(w->about, 1) ? I64_UNKNOWN :
				  sqlite3_column_int64(w->about, 0);
		news->meta.last_decay = column_or_unknown(w->about, 2);
		news->meta.boot = column_or_unknown(w->about, 3);
		news->meta.last_reset = column_or_unknown(w->about, 4);
		news->rows = sqlite3_column_int64(w->about, 5);
		news->other = sqlite3_column_int(w->about, 6) != 0;
		news->notes = sqlite3_column_int(w->about, 7) != 0;
		news->fields = sqlite3_column_int64(w->about, 8);
		news->meta.last_backfill = sqlite3_column_int64(w->about, 9);
	}
	sqlite3_reset(w->about);
	if (result == SQLITE_DONE)
		return err_set(r->err, ERR_INPUT, "sample %lld is not in the recording",
			       (long long)r->sample);
	return result == SQLITE_ROW || db_fail(r->db, "reading", r->err);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void walk_compact(int64_t *values, uint32_t n, const bool *drop)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!drop[i])
			values[kept++] = values[i];
	}
}

static void remove_gone(struct rebuilding *r, enum table table)
{
	struct rebuilt *rows = &r->tables[table];
	struct tracked *t = &rows->t;
	bool *drop;
	uint32_t count = 0;

	if (r->gone.count == 0 || t->n == 0)
		return;
	drop = mem_zalloc(t->n, sizeof(*drop));
	for (uint32_t i = 0; i < t->n; i++) {
		drop[i] = idmap_has(&r->gone, (uint64_t)t->object[i]);
		count += drop[i];
	}
	if (count > 0) {
		builder_remove(r->b, table, drop);
		walk_compact(t->object, t->n, drop);
		walk_compact(t->position, t->n, drop);
		walk_compact(t->written[0], t->n, drop);
		walk_compact(t->written[1], t->n, drop);
		t->n -= count;
		rebuild_index(rows);
	}
	mem_free(drop);
}

/* The row of the statement's object, added if new. */
static uint32_t walk_claim_row(struct rebuilding *r, const struct stream *s, sqlite3_stmt *st)
{
	struct rebuilt *rows = &r->tables[s->table];
	int64_t object = sqlite3_column_int64(st, 0), version = sqlite3_column_int64(st, 1);
	uint32_t row = idmap_get(&rows->objects, (uint64_t)object, ROW_NONE);

	if (row == ROW_NONE) {
		if (s->state || object == 0)
			return ROW_NONE;
		row = builder_add(r->b, s->table);
		idmap_put(&rows->objects, (uint64_t)object, row);
		rebuild_track(rows, object, sqlite3_column_int64(st, 2), version);
		rows->t.written[1][row] = 0;
		return row;
	}
	rows->t.written[s->state][row] = version >> VERSION_BITS;
	if (!s->state)
		rows->t.position[row] = sqlite3_column_int64(st, 2);
	return row;
}

static bool step_stream(struct rebuilding *r, size_t i)
{
	const struct stream *s = &streams[i];
	sqlite3_stmt *st = r->db->select[i];
	enum field fields[F_COUNT];
	int count = rebuild_fields(r->db, s, fields), result = SQLITE_DONE;
	bool ok = true;

	rebuild_bind(r, st, 1);
	while (ok && (result = sqlite3_step(st)) == SQLITE_ROW) {
		uint32_t row = walk_claim_row(r, s, st);

		for (int k = 0; ok && row != ROW_NONE && k < count; k++)
			ok = cell_read(r->cells, st, k + STREAM_BEFORE(s), fields[k], row) ||
			     rebuild_damaged(r->err, "a value does not match its column");
	}
	if (ok && result != SQLITE_DONE)
		ok = db_fail(r->db, "reading", r->err);
	sqlite3_reset(st);
	return ok;
}

static bool walk_in_order(const struct tracked *t)
{
	for (uint32_t i = 1; i < t->n; i++) {
		if (t->position[i - 1] > t->position[i])
			return false;
	}
	return true;
}

static bool all_have_state(const struct tracked *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->written[1][i] == 0)
			return false;
	}
	return true;
}

static bool step_table(struct rebuilding *r, size_t i)
{
	enum table table = streams[i].table;
	struct rebuilt *rows = &r->tables[table];
	bool parts = i + 1 < stream_count && streams[i + 1].state;

	remove_gone(r, table);
	if (!step_stream(r, i) || (parts && !step_stream(r, i + 1)))
		return false;
	if (parts && !all_have_state(&rows->t))
		return rebuild_damaged(r->err, "a row has no state");
	if (!walk_in_order(&rows->t)) {
		rebuild_order(r, table);
		rebuild_index(rows);
	}
	return true;
}

/* ---- steps --------------------------------------------------------------------------------- */

/* Lists of TRES refer to rows of this table, so these must not move. */
static bool tres_moved(const struct rebuilding *r)
{
	sqlite3_stmt *st = r->db->select[0];
	bool moved = false;
	uint32_t row;

	rebuild_bind(r, st, 1);
	while (!moved && sqlite3_step(st) == SQLITE_ROW) {
		row = idmap_get(&r->tables[TABLE_TRES].objects,
				(uint64_t)sqlite3_column_int64(st, 0), ROW_NONE);
		moved = row == ROW_NONE ||
			r->tables[TABLE_TRES].t.position[row] != sqlite3_column_int64(st, 2);
	}
	sqlite3_reset(st);
	for (uint32_t i = 0; !moved && i < r->tables[TABLE_TRES].t.n; i++)
		moved = idmap_has(&r->gone, (uint64_t)r->tables[TABLE_TRES].t.object[i]);
	return moved;
}

/* *STEPPED false: the sample must be read as a whole. */
static bool step_all(struct store_walk *w, bool *stepped)
{
	struct rebuilding *r = &w->r;
	int64_t found = 0;
	struct news news = { .rows = 0 };

	*stepped = false;
	if (!read_news(w, &news))
		return false;
	if (news.other)
		return true;
	if ((news.fields != r->db->fields_known && !rebuild_prepare(r)) || !rebuild_gone(r, 1))
		return false;
	if (tres_moved(r))
		return true;
	builder_meta(r->b, &news.meta);
	if (news.notes) {
		builder_forget_notes(r->b);
		if (!rebuild_notes(r))
			return false;
	}
	for (size_t i = 0; i < stream_count; i++) {
		if (!streams[i].state && rebuild_needs(streams[i].table, r->needs) &&
		    !step_table(r, i))
			return false;
	}
	for (int t = 0; t < TABLE_COUNT; t++)
		found += builder_rows(r->b, (enum table)t);
	*stepped = true;
	return (r->needs & NEED_ALL) != NEED_ALL || found == news.rows || news.rows < 0 ||
	       rebuild_damaged(r->err, "rows are missing");
}

static bool walk_step(struct store_walk *w, bool *stepped, struct err *err)
{
	w->r.err = err;
	w->r.sample++;
	db_begin(w->r.db);
	return step_all(w, stepped);
}

static bool walk_read_whole(struct store_walk *w, int64_t id, struct err *err)
{
	walk_forget(w);
	rebuild_init(&w->r, w->r.db, w->r.needs);
	w->begun = true;
	if (!rebuild_read(&w->r, id, err))
		return false;
	for (int t = 0; t < TABLE_COUNT; t++)
		rebuild_index(&w->r.tables[t]);
	w->bytes = 0;
	return true;
}

/* *STEPPED false: sample W->r.sample must be read as a whole. */
static bool walk_steps(struct store_walk *w, int64_t id, bool *stepped, struct err *err)
{
	while (*stepped && w->r.sample < id) {
		if (!walk_step(w, stepped, err))
			return false;
	}
	return true;
}

/* Moves W->r to sample ID. A thinned sample cannot be read as a whole, but can be stepped to. */
static bool walk_go(struct store_walk *w, int64_t id, struct err *err)
{
	bool stepped = w->begun && id >= w->r.sample && id - w->r.sample <= STEPS_MAX;
	int64_t from;

	if (!walk_steps(w, id, &stepped, err))
		return false;
	if (stepped)
		return true;
	from = db_kept(w->r.db, id);
	stepped = true;
	return walk_read_whole(w, from, err) && walk_steps(w, id, &stepped, err) &&
	       (stepped || rebuild_damaged(err, "a sample that must be kept was thinned"));
}

static struct cluster *store_walk_take_sample(struct store_walk *w, int64_t id, struct err *err)
{
	struct cluster *c;

	c = db_read_begin(w->r.db, err) && walk_go(w, id, err) ? builder_picture(w->r.b, err)
							       : NULL;
	if (c && !sums_check(w->r.db, id, w->r.needs, c, err)) {
		cluster_free(c);
		c = NULL;
	}
	db_read_end(w->r.db);
	if (!c) {
		walk_forget(w);
	} else if (w->bytes == 0) {
		w->bytes = cluster_bytes(c);
	} else if (cluster_bytes(c) / GROWTH > w->bytes) {
		builder_tidy(w->r.b);
		w->bytes = 0;
	}
	return c;
}

struct cluster *store_walk_take(struct store_walk *w, int64_t id, struct err *err)
{
	bool kept = w->begun || w->r.db->words;
	struct cluster *c;

	atomic_store(&w->r.db->cancelled, false);
	c = store_walk_take_sample(w, id, err);
	/* The kept sample may be outdated: a copied recording may have been started again. */
	if (!c && kept) {
		word_reader_free(w->r.db->words);
		w->r.db->words = NULL;
		c = store_walk_take_sample(w, id, err);
	}
	return c;
}

const struct cluster *store_walk_to(struct store_walk *w, int64_t id, struct err *err)
{
	if (w->c && w->at == id)
		return w->c;
	cluster_free(w->c);
	w->c = store_walk_take(w, id, err);
	w->at = id;
	return w->c;
}
