/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables on the server: one for each table of a recording, one for the clusters, and one for
 * what was replaced after it was sent.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/postgres/private.h"
#include "core/base/mem.h"

bool server_is_name(const char *text)
{
	return strlen(text) == 32 && text[strspn(text, "0123456789abcdef")] == '\0';
}

void server_range(struct bytes *sql, const char *cluster, const struct raw_table *t, int64_t first,
		  int64_t last)
{
	long long from = first * (INT64_C(1) << t->shift);
	long long end = (last + 1) * (INT64_C(1) << t->shift);

	sql_add(sql, "cluster = '%s'", cluster);
	if (t->by >= 0)
		sql_add(sql, " AND \"%s\" >= %lld AND \"%s\" < %lld", t->columns[t->by].name,
			from, t->columns[t->by].name, end);
}

/* The first column of every table; a recording has a table named `cluster`. */
#define MAKE_OWN \
	"CREATE SCHEMA IF NOT EXISTS fairtop;" \
	"CREATE TABLE IF NOT EXISTS fairtop.replica(cluster text PRIMARY KEY," \
	" identity text NOT NULL, writer text NOT NULL, schema int NOT NULL," \
	" sample bigint NOT NULL, stamp bigint NOT NULL, sent timestamptz NOT NULL);" \
	"CREATE TABLE IF NOT EXISTS fairtop.replaced(cluster text NOT NULL," \
	" stamp bigint NOT NULL, first bigint NOT NULL, last bigint NOT NULL," \
	" PRIMARY KEY(cluster, first, last));"

/* Older spools do not have this table, but readers need it. */
static const struct raw_table word = {
	.name = "word", .count = 2, .by = -1,
	.columns = { { .name = "id", .type = RAW_INTEGERS, .needed = true, .key = 1 },
		     { .name = "text", .type = RAW_TEXTS } },
};

static void make_table(struct bytes *sql, const struct raw_table *t)
{
	bool has_key = false;

	sql_add(sql, "CREATE TABLE IF NOT EXISTS fairtop.\"%s\"(cluster text NOT NULL", t->name);
	for (size_t i = 0; i < t->count; i++) {
		sql_add(sql, ", \"%s\" %s", t->columns[i].name, row_type(&t->columns[i]));
		has_key = has_key || t->columns[i].key > 0;
	}
	sql_add(sql, ", odd text");
	if (has_key)
		sql_add(sql, ", PRIMARY KEY(cluster");
	for (int k = 1; has_key && k <= (int)t->count; k++) {
		for (size_t i = 0; i < t->count; i++) {
			if (t->columns[i].key == k)
				sql_add(sql, ", \"%s\"", t->columns[i].name);
		}
	}
	sql_add(sql, "%s);", has_key ? ")" : "");
	for (size_t i = 0; i < t->count; i++)
		sql_add(sql, "ALTER TABLE fairtop.\"%s\" ADD COLUMN IF NOT EXISTS \"%s\" %s;",
			t->name, t->columns[i].name, row_type(&t->columns[i]));
}

bool server_columns(struct conn *c, const struct raw_table *tables, size_t count,
		    bool (*has)[RAW_COLUMNS_MAX], size_t *found, struct err *err)
{
	*found = 0;
	if (!conn_run(c, err, "SELECT c.relname, a.attname FROM pg_catalog.pg_class c JOIN"
		      " pg_catalog.pg_namespace n ON n.oid = c.relnamespace JOIN"
		      " pg_catalog.pg_attribute a ON a.attrelid = c.oid WHERE n.nspname ="
		      " 'fairtop' AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind = 'r'"))
		return false;
	for (int row = 0; row < conn_rows(c); row++) {
		const struct raw_table *t = raw_table(tables, count, conn_cell(c, row, 0));
		size_t k = t ? raw_column(t, conn_cell(c, row, 1)) : 0;

		if (t && k < t->count) {
			has[t - tables][k] = true;
			++*found;
		}
	}
	return true;
}

static bool postgres_there_is_made(struct conn *c, const struct raw_table *tables, size_t count,
				   bool *made, struct err *err)
{
	bool (*has)[RAW_COLUMNS_MAX] = mem_zalloc(count + 1, sizeof(*has));
	size_t columns = 0, found;
	bool ok = server_columns(c, tables, count, has, &found, err);

	for (size_t i = 0; i < count; i++)
		columns += tables[i].count;
	*made = ok && found == columns;
	mem_free(has);
	return ok;
}

bool server_make(struct conn *c, const struct raw_table *tables, size_t count, struct err *err)
{
	struct bytes sql = { NULL, 0, 0 };
	bool made, ok = postgres_there_is_made(c, tables, count, &made, err);

	if (!ok || made)
		return ok;
	/* Recorders of several clusters may create it at once. */
	sql_add(&sql, "BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('fairtop', 0));"
		MAKE_OWN);
	make_table(&sql, &word);
	for (size_t i = 0; i < count; i++)
		make_table(&sql, &tables[i]);
	sql_add(&sql, "COMMIT");
	ok = conn_run(c, err, "%s", sql.data);
	if (!ok)
		conn_rollback(c);
	bytes_free(&sql);
	return ok;
}

bool server_look(struct conn *c, const char *cluster, struct server_tables *out, struct err *err)
{
	*out = (struct server_tables){ .found = false };
	if (!conn_run(c, err, "SELECT to_regclass('fairtop.replica') IS NOT NULL"))
		return false;
	if (strcmp(conn_cell(c, 0, 0), "t") != 0)
		return true;
	if (!conn_run(c, err, "SELECT identity, writer, schema, sample, stamp FROM fairtop.replica"
		      " WHERE cluster = '%s'", cluster))
		return false;
	if (conn_rows(c) == 0)
		return true;
	out->found = true;
	snprintf(out->identity, sizeof(out->identity), "%s", conn_cell(c, 0, 0));
	snprintf(out->writer, sizeof(out->writer), "%s", conn_cell(c, 0, 1));
	out->schema = conn_number(c, 0, 2);
	out->sample = conn_number(c, 0, 3);
	out->stamp = conn_number(c, 0, 4);
	if (out->sample < 0 || out->sample > RAW_SAMPLE_MAX || out->stamp < 0 || out->schema < 0 ||
	    !server_is_name(out->identity) || !server_is_name(out->writer))
		return err_set(err, ERR_INPUT, "the server's table replica: a row that is "
			       "not fairtop's");
	return out->schema <= STORE_VERSION ||
	       err_set(err, ERR_INPUT, "cluster %s: recorded by a newer fairtop (schema version "
		       "%lld; this one knows up to %d)", cluster, (long long)out->schema,
		       STORE_VERSION);
}
