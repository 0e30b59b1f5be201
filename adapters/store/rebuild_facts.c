/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a sample has beside its tables.
 */
#include <string.h>

#include "adapters/store/rebuild.h"

/* A statement with the sample bound to ?1; NULL with err. */
static sqlite3_stmt *rebuild_about(struct rebuilding *r, const char *sql)
{
	sqlite3_stmt *st = db_prepare(r->db, sql, r->err);

	if (st)
		sqlite3_bind_int64(st, 1, r->sample);
	return st;
}

bool rebuild_finish(struct rebuilding *r, sqlite3_stmt *st, int result)
{
	bool ok = result == SQLITE_DONE || result == SQLITE_ROW ||
		  db_fail(r->db, "reading", r->err);

	sqlite3_finalize(st);
	return ok;
}

static int64_t column_or_unknown(sqlite3_stmt *st, int at)
{
	return sqlite3_column_type(st, at) == SQLITE_NULL ? I64_UNKNOWN :
	       sqlite3_column_int64(st, at);
}

bool rebuild_sample(struct rebuilding *r, struct cluster_meta *meta, int64_t *rows)
{
	sqlite3_stmt *st = rebuild_about(r, "SELECT time, timeless, last_decay, boot, last_reset,"
					 " rows FROM sample WHERE id = ?1");
	int result = st ? sqlite3_step(st) : SQLITE_ERROR;

	if (!st)
		return false;
	if (result == SQLITE_DONE) {
		sqlite3_finalize(st);
		return err_set(r->err, ERR_INPUT, "sample %lld is not in the recording",
			       (long long)r->sample);
	}
	if (result == SQLITE_ROW) {
		meta->time = sqlite3_column_int(st, 1) ? I64_UNKNOWN : sqlite3_column_int64(st, 0);
		meta->last_decay = column_or_unknown(st, 2);
		meta->boot = column_or_unknown(st, 3);
		meta->last_reset = column_or_unknown(st, 4);
		*rows = sqlite3_column_int64(st, 5);
	}
	return rebuild_finish(r, st, result);
}

bool rebuild_meta(struct rebuilding *r, struct cluster_meta *meta)
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
		if (sqlite3_column_int(st, 6))
			builder_partial(r->b);
	}
	builder_meta(r->b, meta);
	return rebuild_finish(r, st, result);
}

static bool read_parameter(struct rebuilding *r, sqlite3_stmt *st)
{
	const char *name = (const char *)sqlite3_column_text(st, 0), *text;
	size_t i = name ? policy_param_by_name(name, strlen(name)) : policy_params_count;
	struct policy *p = builder_policy(r->b);
	bool number;

	/* A parameter of another version is passed over, one that is not known any more, too. */
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
	return policy_set_text(p, i, text ? text : "", r->err);
}

bool rebuild_policy(struct rebuilding *r)
{
	sqlite3_stmt *st = rebuild_about(r, "SELECT name, value, max(sample) FROM policy"
					 " WHERE sample <= ?1 GROUP BY name");
	int result = SQLITE_ERROR;

	while (st && (result = sqlite3_step(st)) == SQLITE_ROW) {
		if (!read_parameter(r, st)) {
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
