/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends a spool. Rows are read into memory within one transaction of the spool, and sent after it:
 * a slow server does not hold up the recorder.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "adapters/postgres/private.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define BATCH 32			/* samples */
#define COMPARE_MS (3600 * 1000)	/* thinning is not urgent */
#define LOCK_PAUSE_MS 200

/* ---- connecting ---------------------------------------------------------------------------- */

/* Is it the spool that the server accepts? Nobody else writes it: it has a lock of its own. */
static bool is_writer(struct sending *s, const char *path)
{
	char writer[RAW_FACT_MAX] = "";
	struct server_tables there;
	struct raw *spool = access(path, F_OK) == 0 ? raw_open(path, NULL) : NULL;
	bool ok = spool && server_look(s->c, s->target->cluster, &there, NULL) && there.found;

	if (ok)
		raw_fact(spool, FACT_WRITER, writer);
	raw_close(spool);
	return ok && strcmp(writer, there.writer) == 0;
}

static bool tell_taken(struct sending *s, const char *path, struct err *err)
{
	const char *cluster = s->target->cluster;

	if (is_writer(s, path))
		return err_set(err, ERR_SOURCE, "PostgreSQL: the server still waits for the "
			       "previous recorder of cluster %s", cluster);
	return err_set(err, ERR_INPUT, "another fairtop is recording cluster %s into this "
		       "database", cluster);
}

bool send_connect(struct sending *s, const char *path, int64_t wait_ms, struct err *err)
{
	const struct timespec pause = { 0, LOCK_PAUSE_MS * 1000000 };
	int64_t end_ms = clock_ms() + wait_ms;
	const char *cluster = s->target->cluster;
	bool ok;

	s->c = conn_open(s->target, err);
	if (!s->c)
		return false;
	/* The server may not have noticed yet that a recorder was killed. */
	while ((ok = conn_run(s->c, err, "SELECT pg_try_advisory_lock(hashtextextended("
			      "'fairtop cluster %s', 0))", cluster)) &&
	       strcmp(conn_cell(s->c, 0, 0), "t") != 0 && clock_ms() < end_ms)
		nanosleep(&pause, NULL);
	if (ok && strcmp(conn_cell(s->c, 0, 0), "t") != 0)
		ok = tell_taken(s, path, err);
	if (!ok)
		send_disconnect(s);
	s->rest = 0;
	s->compared_ms = -1;
	return ok;
}

void send_disconnect(struct sending *s)
{
	conn_close(s->c);
	raw_close(s->spool);
	s->c = NULL;
	s->spool = NULL;
}

static bool make_name(char name[RAW_FACT_MAX], struct err *err)
{
	uint64_t random[2];

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return err_set(err, ERR_INPUT, "no random numbers for a name");
	snprintf(name, RAW_FACT_MAX, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	return true;
}

/* Gives the spool its names, if it has none or invalid ones. */
static bool name_spool(struct sending *s, struct err *err)
{
	raw_fact(s->spool, FACT_IDENTITY, s->identity);
	raw_fact(s->spool, FACT_WRITER, s->writer);
	return (server_is_name(s->identity) || (make_name(s->identity, err) &&
				   raw_set_fact(s->spool, FACT_IDENTITY, s->identity, err))) &&
	       (server_is_name(s->writer) || (make_name(s->writer, err) &&
				 raw_set_fact(s->spool, FACT_WRITER, s->writer, err)));
}

struct probe {
	int64_t time, clock;
	bool found;
};

/* The spool's table of samples, which every recording has. */
static const struct raw_table *send_samples(const struct sending *s)
{
	size_t count;
	const struct raw_table *tables = raw_tables(s->spool, &count);

	return raw_table(tables, count, "sample");
}

static bool take_probe(void *context, const struct raw_table *t, const struct raw_value *values,
		       struct err *err)
{
	struct probe *probe = context;

	(void)err;
	probe->found = true;
	probe->time = values[raw_column(t, "time")].integer;
	probe->clock = values[raw_column(t, "clock")].integer;
	return true;
}

/* Is the server's last sample the same as the spool's sample of that number? */
static bool is_continued(struct sending *s, struct err *err)
{
	struct probe probe = { 0, 0, false };
	int64_t first, last;

	raw_samples(s->spool, &first, &last);
	if (s->sent == 0)
		return true;
	if (s->sent <= last &&
	    !raw_read(s->spool, send_samples(s), s->sent, s->sent, take_probe, &probe, err))
		return false;
	if (!conn_run(s->c, err, "SELECT time, clock FROM fairtop.sample WHERE cluster = '%s' AND"
		      " id = %lld", s->target->cluster, (long long)s->sent))
		return false;
	return (probe.found && conn_rows(s->c) == 1 && conn_number(s->c, 0, 0) == probe.time &&
		conn_number(s->c, 0, 1) == probe.clock) ||
	       err_set(err, ERR_INPUT, "cluster %s: the server's last sample, %lld, is not the "
		       "spool's (expected the spool that recorded it, or none: a new one starts "
		       "with what the server has)", s->target->cluster, (long long)s->sent);
}

/* For an older schema: empties the tables in a transaction of its own; all is then sent again. */
static bool empty_there(struct sending *s, struct err *err)
{
	struct bytes sql = { NULL, 0, 0 };
	size_t count;
	const struct raw_table *tables = raw_tables(s->spool, &count);
	bool ok;

	sql_add(&sql, "BEGIN;");
	for (size_t i = 0; i < count; i++)
		sql_add(&sql, "DELETE FROM fairtop.\"%s\" WHERE cluster = '%s';", tables[i].name,
			s->target->cluster);
	sql_add(&sql, "UPDATE fairtop.replica SET schema = %d, sample = 0, stamp = stamp + 1"
		" WHERE cluster = '%s'; COMMIT", STORE_VERSION, s->target->cluster);
	ok = conn_run(s->c, err, "%s", sql.data);
	bytes_free(&sql);
	s->sent = 0;
	s->words = 0;
	return ok;
}

static bool count_words(struct sending *s, struct err *err)
{
	if (!conn_run(s->c, err, "SELECT coalesce(max(id), 0) FROM fairtop.word WHERE cluster ="
		      " '%s'", s->target->cluster))
		return false;
	s->words = conn_number(s->c, 0, 0);
	return true;
}

bool send_meet(struct sending *s, const char *path, struct err *err)
{
	const char *cluster = s->target->cluster;
	const struct raw_table *tables;
	struct server_tables there;
	size_t count;

	s->spool = raw_open(path, err);
	if (!s->spool)
		return err_at(err, path, 0);
	tables = raw_tables(s->spool, &count);
	if (!name_spool(s, err) || !server_make(s->c, tables, count, err) ||
	    !server_look(s->c, cluster, &there, err))
		return false;
	s->sent = 0;
	s->words = 0;
	if (!there.found)
		return conn_run(s->c, err, "INSERT INTO fairtop.replica VALUES('%s', '%s', '%s',"
				" %d, 0, 0, now())", cluster, s->identity, s->writer,
				STORE_VERSION);
	if (strcmp(there.identity, s->identity) != 0)
		return err_set(err, ERR_INPUT, "cluster %s: the server has it from another "
			       "recording than %s (expected its spool, none, or another name)",
			       cluster, path);
	if (strcmp(there.writer, s->writer) != 0)
		return err_set(err, ERR_INPUT, "cluster %s: it has since been recorded with "
			       "another spool than %s; the samples of this one after %lld are "
			       "only here", cluster, path, (long long)there.sample);
	s->sent = there.sample;
	return is_continued(s, err) && count_words(s, err) &&
	       (there.schema == STORE_VERSION || empty_there(s, err));
}

/* ---- batches ------------------------------------------------------------------------------- */

struct postgres_send_batch {
	const char *cluster;
	struct bytes *rows;		/* one per table */
	size_t at;			/* the table being read */
	int64_t last, last_word;	/* the last sample and word of the batch */
};

static bool send_take_row(void *context, const struct raw_table *t, const struct raw_value *values,
			  struct err *err)
{
	struct postgres_send_batch *b = context;

	(void)err;
	row_encode(&b->rows[b->at], b->cluster, t, values);
	return true;
}

static void batch_free(struct postgres_send_batch *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bytes_free(&b->rows[i]);
	mem_free(b->rows);
}

/* For one table: with REMOVE deletes rows FIRST to LAST on the server; then inserts the batch's. */
static bool send_put_table(struct sending *s, const struct raw_table *t, const struct bytes *rows,
			   int64_t first, int64_t last, bool remove, struct err *err)
{
	struct bytes sql = { NULL, 0, 0 };
	bool ok = true;

	if (remove) {
		sql_add(&sql, "DELETE FROM fairtop.\"%s\" WHERE ", t->name);
		server_range(&sql, s->target->cluster, t, first, last);
		ok = conn_run(s->c, err, "%s", sql.data);
		bytes_free(&sql);
	}
	if (!ok || rows->length == 0)
		return ok;
	sql_add(&sql, "COPY fairtop.\"%s\"(cluster", t->name);
	for (size_t i = 0; i < t->count; i++)
		sql_add(&sql, ", \"%s\"", t->columns[i].name);
	sql_add(&sql, ", odd) FROM STDIN");
	ok = conn_copy_in(s->c, sql.data, rows, err);
	bytes_free(&sql);
	return ok;
}

/* Marks all samples up to SAMPLE as sent; false if somebody else moved the mark meanwhile. */
static bool put_mark(struct sending *s, int64_t sample, struct err *err)
{
	return conn_run(s->c, err, "UPDATE fairtop.replica SET sample = %lld, stamp = stamp + 1,"
			" sent = now() WHERE cluster = '%s' AND writer = '%s' AND sample = %lld"
			" RETURNING stamp", (long long)sample, s->target->cluster, s->writer,
			(long long)s->sent) &&
	       (conn_rows(s->c) == 1 ||
		err_set(err, ERR_INPUT, "cluster %s: another process has written it meanwhile",
			s->target->cluster));
}

/* The first sample or word of T to send; the server's last row of "sample" is sent again. */
static int64_t send_first_of(const struct sending *s, const struct raw_table *t)
{
	if (t->by >= 0 && !t->samples)
		return s->words + 1;
	return s->sent > 0 && strcmp(t->name, "sample") == 0 ? s->sent : s->sent + 1;
}

static int64_t last_of(const struct postgres_send_batch *b, const struct raw_table *t)
{
	return t->by >= 0 && !t->samples ? b->last_word : b->last;
}

static bool read_batch(struct sending *s, struct postgres_send_batch *b, struct err *err)
{
	size_t count;
	const struct raw_table *tables = raw_tables(s->spool, &count);
	bool ok = true;

	for (size_t i = 0; ok && i < count; i++) {
		const struct raw_table *t = &tables[i];
		int64_t first = send_first_of(s, t), last = last_of(b, t);

		b->at = i;
		ok = (t->by >= 0 && first > last) ||
		     raw_read(s->spool, t, first, last, send_take_row, b, err);
	}
	return ok;
}

static bool put_batch(struct sending *s, const struct postgres_send_batch *b, bool rest,
		      struct err *err)
{
	size_t count;
	const struct raw_table *tables = raw_tables(s->spool, &count);
	bool ok = conn_run(s->c, err, "BEGIN") && put_mark(s, b->last, err);

	for (size_t i = 0; ok && i < count; i++) {
		int64_t first = send_first_of(s, &tables[i]);
		bool again = tables[i].by < 0 || (tables[i].samples && first == s->sent);

		if (tables[i].by >= 0 || rest)
			ok = send_put_table(s, &tables[i], &b->rows[i], first, s->sent, again, err);
	}
	return ok && conn_run(s->c, err, "COMMIT");
}

/* A hash of the tables that are sent as a whole, to detect changes; never 0. */
static uint64_t rest_of(const struct sending *s, const struct postgres_send_batch *b)
{
	size_t count;
	const struct raw_table *tables = raw_tables(s->spool, &count);
	uint64_t hash = 1;

	for (size_t i = 0; i < count; i++) {
		if (tables[i].by < 0 && b->rows[i].length > 0)
			hash = text_hash(b->rows[i].data, b->rows[i].length, hash + i);
	}
	return hash | 1;
}

/* Begins to read; also adds new columns on the server. */
static bool begin_reading(struct sending *s, struct err *err)
{
	const struct raw_table *tables;
	size_t count;
	bool ok;

	while ((ok = raw_begin(s->spool, err)) && raw_is_renewed(s->spool)) {
		(void)raw_end(s->spool, false, NULL);
		tables = raw_tables(s->spool, &count);
		ok = server_make(s->c, tables, count, err);
		if (!ok)
			break;
	}
	return ok;
}

static bool send_batch(struct sending *s, bool *done, struct err *err)
{
	struct postgres_send_batch b = { .cluster = s->target->cluster };
	int64_t first, end;
	uint64_t rest = 0;
	size_t count;
	bool ok = begin_reading(s, err);

	(void)raw_tables(s->spool, &count);
	b.rows = mem_zalloc(count + 1, sizeof(*b.rows));
	raw_samples(s->spool, &first, &end);
	/* Samples forgotten before they were sent are skipped. */
	b.last = (first > s->sent ? first : s->sent) + BATCH;
	b.last = b.last < end ? b.last : end;
	b.last_word = raw_words(s->spool);
	ok = ok && read_batch(s, &b, err);
	(void)raw_end(s->spool, false, NULL);
	if (ok)
		rest = rest_of(s, &b);
	ok = ok && put_batch(s, &b, rest != s->rest, err);
	if (ok) {
		s->sent = b.last;
		s->words = b.last_word;
		s->rest = rest;
	}
	*done = b.last == end;
	batch_free(&b, count);
	return ok;
}

/* ---- thinning after sending ---------------------------------------------------------------- */

struct send_range {
	int64_t first, last;
};

struct comparing {
	int64_t (*there)[2];		/* samples: number, and whether it is thinned */
	size_t count, next;
	int64_t kept;			/* the last sample of the spool that is not thinned */
	bool differs;			/* some samples after it are thinned only in the spool */
	struct send_range *ranges;
	size_t used, capacity;
};

static void add_stretch(struct comparing *x, int64_t first, int64_t last)
{
	MEM_GROW(x->ranges, x->capacity, x->used + 1);
	x->ranges[x->used++] = (struct send_range){ first, last };
}

/* Takes each sample of the spool in order, to find stretches between two kept samples. */
static bool send_compare_row(void *context, const struct raw_table *t,
			     const struct raw_value *values, struct err *err)
{
	struct comparing *x = context;
	int64_t id = values[t->by].integer;
	bool thinned = values[raw_column(t, "rows")].integer < 0;

	(void)err;
	while (x->next < x->count && x->there[x->next][0] < id)
		x->next++;
	if (thinned) {
		x->differs = x->differs || (x->next < x->count && x->there[x->next][0] == id &&
					    x->there[x->next][1] == 0);
		return true;
	}
	if (x->differs)
		add_stretch(x, x->kept + 1, id - 1);
	x->kept = id;
	x->differs = false;
	return true;
}

static bool send_replace(struct sending *s, struct send_range range, struct err *err)
{
	struct postgres_send_batch b = { .cluster = s->target->cluster };
	bool ok = begin_reading(s, err);
	size_t count;
	const struct raw_table *tables = raw_tables(s->spool, &count);

	b.rows = mem_zalloc(count + 1, sizeof(*b.rows));
	for (b.at = 0; ok && b.at < count; b.at++)
		ok = !tables[b.at].samples || raw_read(s->spool, &tables[b.at], range.first,
						     range.last, send_take_row, &b, err);
	(void)raw_end(s->spool, false, NULL);
	ok = ok && conn_run(s->c, err, "BEGIN") && put_mark(s, s->sent, err);
	for (size_t i = 0; ok && i < count; i++)
		ok = !tables[i].samples || send_put_table(s, &tables[i], &b.rows[i], range.first,
						   range.last, true, err);
	ok = ok && conn_run(s->c, err, "DELETE FROM fairtop.replaced WHERE cluster = '%s' AND first"
			    " >= %lld AND last <= %lld; INSERT INTO fairtop.replaced"
			    " SELECT cluster, stamp, %lld, %lld FROM fairtop.replica WHERE"
			    " cluster = '%s'; COMMIT",
			    s->target->cluster, (long long)range.first, (long long)range.last,
			    (long long)range.first, (long long)range.last, s->target->cluster);
	batch_free(&b, count);
	return ok;
}

/*
 * Lists the server's samples: thinned ones have no rows and no sums. A batch's last sample is sent
 * again with the next, perhaps thinned by then, but its sums stay: it is not yet replaced.
 */
static bool look_there(struct sending *s, struct comparing *x, struct err *err)
{
	if (!conn_run(s->c, err, "SELECT s.id, CASE WHEN s.rows < 0 AND u.sample IS NULL THEN 1"
		      " ELSE 0 END FROM fairtop.sample s LEFT JOIN fairtop.sums u ON u.cluster ="
		      " s.cluster AND u.sample = s.id WHERE s.cluster = '%s' ORDER BY s.id",
		      s->target->cluster))
		return false;
	x->count = (size_t)conn_rows(s->c);
	x->there = mem_zalloc(x->count + 1, sizeof(*x->there));
	for (size_t i = 0; i < x->count; i++) {
		x->there[i][0] = conn_number(s->c, (int)i, 0);
		x->there[i][1] = conn_number(s->c, (int)i, 1);
	}
	return true;
}

static bool send_thinned(struct sending *s, struct err *err)
{
	struct comparing x = { .kept = 0 };
	int64_t first, last;
	bool ok;

	raw_samples(s->spool, &first, &last);
	ok = s->sent == 0 ||
	     (look_there(s, &x, err) &&
	      raw_read(s->spool, send_samples(s), 0, s->sent, send_compare_row, &x, err));
	if (ok && x.count > 0 && x.there[0][0] < first)
		add_stretch(&x, 0, first - 1);
	for (size_t i = 0; ok && i < x.used; i++)
		ok = send_replace(s, x.ranges[i], err);
	mem_free(x.there);
	mem_free(x.ranges);
	return ok;
}

bool send_step(struct sending *s, bool *done, struct err *err)
{
	if (!send_batch(s, done, err))
		return false;
	if (!*done || (s->compared_ms >= 0 && clock_ms() - s->compared_ms < COMPARE_MS))
		return true;
	s->compared_ms = clock_ms();
	return send_thinned(s, err);
}

/* ---- a lost spool -------------------------------------------------------------------------- */

bool send_restore(struct sending *s, const char *path, struct err *err)
{
	char *beside = mem_format("%s.new", path), writer[RAW_FACT_MAX];
	struct server_tables there;
	struct raw *copy = NULL;
	bool ok = server_look(s->c, s->target->cluster, &there, err);

	if (ok && there.found) {
		(void)unlink(beside);
		copy = raw_open_copy(beside, err);
		ok = copy && pull_all(s->c, s->target->cluster, copy, err) &&
		     make_name(writer, err) && raw_set_fact(copy, FACT_WRITER, writer, err) &&
		     conn_run(s->c, err, "UPDATE fairtop.replica SET writer = '%s', stamp = stamp"
			      " + 1 WHERE cluster = '%s'", writer, s->target->cluster);
		raw_close(copy);
		/* SQLite syncs the directory to disk with the first added sample. */
		if (ok && rename(beside, path) < 0)
			ok = err_about(err, ERR_INPUT, path, "%s", strerror(errno));
	}
	mem_free(beside);
	return ok;
}
