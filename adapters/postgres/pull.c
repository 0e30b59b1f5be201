/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cluster's recording from the server into a copy: what is new since the last time, and what was
 * replaced meanwhile. Each step reads one moment of the server and is one transaction here, which
 * also stores the progress; two processes that fetch at once take turns.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/postgres/private.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define FACT_SAMPLE "copy_sample"
#define FACT_STAMP "copy_stamp"
#define FACT_COLUMNS "copy_columns"
#define FACT_SENDER "copy_sender"
#define STEP 512		/* samples */

struct pulling {
	struct conn *c;
	const char *cluster;
	struct raw *copy;
	const struct raw_table *tables;
	size_t count;
	bool (*has)[RAW_COLUMNS_MAX];	/* columns that the server has */
	const struct raw_table *table;	/* the table being read, and which of its columns */
	const bool *has_now;
	struct server_tables there;
	int64_t sample, stamp;		/* of the copy, after the last step */
};

/* ---- what the server has ------------------------------------------------------------------- */

static bool look_at_columns(struct pulling *p, struct err *err)
{
	size_t found;

	/* If another process added columns to the copy, they are listed again. */
	p->tables = raw_tables(p->copy, &p->count);
	mem_free(p->has);
	p->has = mem_zalloc(p->count + 1, sizeof(*p->has));
	if (!server_columns(p->c, p->tables, p->count, p->has, &found, err))
		return false;
	for (size_t i = 0; i < p->count; i++) {
		const struct raw_table *t = &p->tables[i];

		for (size_t k = 0; k < t->count; k++) {
			if (t->columns[k].needed && !p->has[i][k])
				return err_set(err, ERR_INPUT, "the server has no fairtop.%s.%s "
					       "(expected a table of fairtop record)", t->name,
					       t->columns[k].name);
		}
	}
	return true;
}

/*
 * A copy that gained columns is started again, because their values had been skipped. A column that
 * the server gained since is empty in the earlier rows.
 */
static void columns_fact(const struct pulling *p, char text[RAW_FACT_MAX])
{
	uint64_t hash = 1;

	for (size_t i = 0; i < p->count; i++) {
		for (size_t k = 0; k < p->tables[i].count; k++) {
			const char *name = p->tables[i].columns[k].name;

			hash = text_hash(name, strlen(name), hash + i);
		}
	}
	snprintf(text, RAW_FACT_MAX, "%016" PRIx64, hash);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool pull_take_line(void *context, char *line, struct err *err)
{
	struct pulling *p = context;
	struct raw_value values[RAW_COLUMNS_MAX];

	return row_decode(line, p->table, p->has_now, values, err) &&
	       raw_add(p->copy, p->table, values, err);
}

static bool pull_table(struct pulling *p, size_t i, int64_t first, int64_t last, struct err *err)
{
	const struct raw_table *t = p->table = &p->tables[i];
	struct bytes sql = { NULL, 0, 0 };
	bool ok;

	p->has_now = p->has[i];
	sql_add(&sql, "COPY (SELECT ");
	for (size_t k = 0; k < t->count; k++) {
		if (p->has_now[k])
			sql_add(&sql, "\"%s\", ", t->columns[k].name);
	}
	sql_add(&sql, "odd FROM fairtop.\"%s\" WHERE ", t->name);
	server_range(&sql, p->cluster, t, first, last);
	if (t->by >= 0)
		sql_add(&sql, " ORDER BY \"%s\"", t->columns[t->by].name);
	sql_add(&sql, ") TO STDOUT");
	ok = raw_remove(p->copy, t, first, last, err) &&
	     conn_copy_out(p->c, sql.data, pull_take_line, p, err);
	bytes_free(&sql);
	return ok;
}

/* Fetches samples FIRST to LAST of all tables with samples. */
static bool pull_range(struct pulling *p, int64_t first, int64_t last, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; ok && i < p->count; i++)
		ok = !p->tables[i].samples || pull_table(p, i, first, last, err);
	return ok;
}

/* Fetches replaced samples, as far as the copy has them. */
static bool pull_replaced(struct pulling *p, struct err *err)
{
	int64_t (*ranges)[2];
	int rows;
	bool ok = true;

	if (!conn_run(p->c, err, "SELECT first, last FROM fairtop.replaced WHERE cluster = '%s' AND"
		      " stamp > %lld AND first <= %lld", p->cluster, (long long)p->stamp,
		      (long long)p->sample))
		return false;
	rows = conn_rows(p->c);
	ranges = mem_zalloc((size_t)rows + 1, sizeof(*ranges));
	for (int i = 0; i < rows; i++) {
		ranges[i][0] = conn_number(p->c, i, 0);
		ranges[i][1] = conn_number(p->c, i, 1);
		ok = ok && ranges[i][0] >= 0 && ranges[i][0] <= ranges[i][1] &&
		     ranges[i][1] <= RAW_SAMPLE_MAX;
	}
	if (!ok)
		err_set(err, ERR_INPUT, "the server's table replaced: a row that is not fairtop's");
	for (int i = 0; ok && i < rows; i++)
		ok = pull_range(p, ranges[i][0], ranges[i][1] < p->sample ? ranges[i][1] :
				p->sample, err);
	mem_free(ranges);
	return ok;
}

/*
 * Fetches the tables that are taken whole, new words, and the last sample of the copy: until when
 * it was valid is known now.
 */
static bool pull_rest(struct pulling *p, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; ok && i < p->count; i++) {
		if (p->tables[i].by < 0)
			ok = pull_table(p, i, 0, 0, err);
		else if (!p->tables[i].samples)
			ok = pull_table(p, i, raw_words(p->copy) + 1, RAW_SAMPLE_MAX, err);
		else if (strcmp(p->tables[i].name, "sample") == 0 && p->sample > 0)
			ok = pull_table(p, i, p->sample, p->sample, err);
	}
	return ok;
}

/* ---- steps --------------------------------------------------------------------------------- */

static bool start_anew(struct pulling *p, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; ok && i < p->count; i++)
		ok = raw_remove(p->copy, &p->tables[i], 0, RAW_SAMPLE_MAX, err);
	p->sample = 0;
	p->stamp = 0;
	return ok;
}

/*
 * Reads the progress of the copy. The copy may be of another recording, of a server that lost data,
 * or of a spool that was replaced by another one, perhaps after such a loss.
 */
static bool look_here(struct pulling *p, struct err *err)
{
	char identity[RAW_FACT_MAX], sender[RAW_FACT_MAX], columns[RAW_FACT_MAX];
	char now[RAW_FACT_MAX], text[RAW_FACT_MAX];

	raw_fact(p->copy, FACT_IDENTITY, identity);
	raw_fact(p->copy, FACT_SENDER, sender);
	raw_fact(p->copy, FACT_COLUMNS, columns);
	raw_fact(p->copy, FACT_SAMPLE, text);
	p->sample = strtoll(text, NULL, 10);
	raw_fact(p->copy, FACT_STAMP, text);
	p->stamp = strtoll(text, NULL, 10);
	columns_fact(p, now);
	if (strcmp(identity, p->there.identity) == 0 && strcmp(sender, p->there.writer) == 0 &&
	    strcmp(columns, now) == 0 && p->sample >= 0 && p->sample <= p->there.sample &&
	    p->stamp >= 0 && p->stamp <= p->there.stamp)
		return true;
	return start_anew(p, err) &&
	       raw_set_fact(p->copy, FACT_IDENTITY, p->there.identity, err) &&
	       raw_set_fact(p->copy, FACT_SENDER, p->there.writer, err) &&
	       raw_set_fact(p->copy, FACT_COLUMNS, now, err);
}

static bool pull_set_number(struct pulling *p, const char *name, int64_t number, struct err *err)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return raw_set_fact(p->copy, name, text, err);
}

/* Sets *LAST of this step, which skips numbers that the server has no samples of. */
static bool last_of_step(struct pulling *p, int64_t *last, struct err *err)
{
	int64_t first;

	if (!conn_run(p->c, err, "SELECT coalesce(min(id), 0) FROM fairtop.sample WHERE cluster ="
		      " '%s' AND id > %lld", p->cluster, (long long)p->sample))
		return false;
	first = conn_number(p->c, 0, 0);
	*last = (first > p->sample ? first : p->sample) + STEP;
	if (*last > p->there.sample)
		*last = p->there.sample;
	return true;
}

/* Call within a transaction here and on the server. */
static bool pull_step(struct pulling *p, bool *done, struct err *err)
{
	int64_t last;

	if (!server_look(p->c, p->cluster, &p->there, err))
		return false;
	if (!p->there.found)
		return err_set(err, ERR_INPUT, "the server has no cluster %s", p->cluster);
	if (p->there.schema != STORE_VERSION)
		return err_set(err, ERR_INPUT, "cluster %s: recorded by an older fairtop (schema "
			       "version %lld, expected %d): its recorder must be as new as this "
			       "fairtop", p->cluster, (long long)p->there.schema, STORE_VERSION);
	if (!look_at_columns(p, err) || !look_here(p, err))
		return false;
	*done = p->stamp == p->there.stamp && p->sample == p->there.sample;
	if (*done)
		return true;
	if (!pull_replaced(p, err) || !pull_rest(p, err) || !last_of_step(p, &last, err))
		return false;
	if (last > p->sample && !pull_range(p, p->sample + 1, last, err))
		return false;
	*done = last == p->there.sample;
	return pull_set_number(p, FACT_SAMPLE, last, err) &&
	       pull_set_number(p, FACT_STAMP, p->there.stamp, err);
}

bool pull_all(struct conn *c, const char *cluster, struct raw *copy, struct err *err)
{
	struct pulling p = { .c = c, .cluster = cluster, .copy = copy };
	bool done = false, ok = true;

	while (ok && !done) {
		ok = raw_begin(copy, err) &&
		     conn_run(c, err, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") &&
		     pull_step(&p, &done, err) && conn_run(c, err, "COMMIT");
		ok = raw_end(copy, ok, err) && ok;
	}
	mem_free(p.has);
	return ok;
}
